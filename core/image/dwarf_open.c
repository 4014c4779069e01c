#include "core/image/dwarf_reader.h"

#include <string.h>

#include "core/base/mem.h"

#define PADDING 64 /* zero bytes behind each section: an unended string ends there */

/* --- sections --------------------------------------------------------------------------------- */

static void load_checked(struct debug_reader *r, const struct elf_section *s, const char *name)
{
	struct guard_section *to = &r->sections[r->section_count];
	uint64_t sound = 0;

	*to = (struct guard_section){ .name = name, .big = r->elf->big_data };
	to->bytes = elf_load(r->elf, s, PADDING, &to->size);
	if (to->bytes)
		sound = guard_size(to);
	if (sound < to->size || !to->bytes)
		r->out->incomplete = true;
	if (!sound) {
		mem_free(to->bytes);
		return;
	}
	memset(to->bytes + sound, 0, (size_t)(to->size - sound));
	to->size = sound;
	r->section_count++;
}

void debug_load(struct debug_reader *r)
{
	static const char *const names[] = {
		".debug_info", ".debug_abbrev", ".debug_line", ".debug_line_str", ".debug_str",
		".debug_str_offsets", ".debug_addr", ".debug_ranges", ".debug_rnglists",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct elf_section *s = elf_find_section(r->elf, names[i]);

		if (s && s->size && !debug_stopped(r))
			load_checked(r, s, names[i]);
	}
}

/* --- libdwarf's versions ---------------------------------------------------------------------- */

/*
 * Debian 12 has the last of the dated versions, 20210528; from 0.1 on the object interface and some
 * calls have other names. All of that is in this section. The sections are handed over in memory,
 * checked and padded.
 */
#ifdef DW_LIBDWARF_VERSION
typedef Dwarf_Unsigned section_index;
typedef Dwarf_Obj_Access_Section_a section_info;
typedef Dwarf_Small byte_order;
#define INFO(field) as_##field
#else
typedef Dwarf_Half section_index;
typedef Dwarf_Obj_Access_Section section_info;
typedef Dwarf_Endianness byte_order;
#define INFO(field) field
#endif

static int get_section_info(void *object, section_index i, section_info *info, int *error)
{
	const struct debug_reader *r = object;

	(void)error;
	memset(info, 0, sizeof(*info));
	info->INFO(name) = "";
	if (i > r->section_count)
		return DW_DLV_NO_ENTRY;
	if (i == 0)			/* ELF's section 0 is nothing */
		return DW_DLV_OK;
	info->INFO(name) = r->sections[i - 1].name;
	info->INFO(size) = r->sections[i - 1].size;
	info->INFO(type) = 1;		/* SHT_PROGBITS */
	return DW_DLV_OK;
}

static byte_order get_byte_order(void *object)
{
	const struct debug_reader *r = object;

	return r->elf->big_data ? DW_OBJECT_MSB : DW_OBJECT_LSB;
}

static Dwarf_Small get_length_size(void *object)
{
	const struct debug_reader *r = object;

	return r->elf->bits == 64 ? 8 : 4;
}

static Dwarf_Unsigned get_section_count(void *object)
{
	const struct debug_reader *r = object;

	return r->section_count + 1;
}

static int load_section(void *object, section_index i, Dwarf_Small **bytes, int *error)
{
	struct debug_reader *r = object;

	(void)error;
	if (i == 0 || i > r->section_count)
		return DW_DLV_NO_ENTRY;
	*bytes = r->sections[i - 1].bytes;
	return DW_DLV_OK;
}

#ifdef DW_LIBDWARF_VERSION
static Dwarf_Unsigned get_file_size(void *object)
{
	const struct debug_reader *r = object;

	return r->elf->file_size;
}

static const Dwarf_Obj_Access_Methods_a methods = {
	.om_get_section_info = get_section_info,
	.om_get_byte_order = get_byte_order,
	.om_get_length_size = get_length_size,
	.om_get_pointer_size = get_length_size,
	.om_get_filesize = get_file_size,
	.om_get_section_count = get_section_count,
	.om_load_section = load_section,
};
#define OBJECT(r) { .ai_object = (r), .ai_methods = &methods }
typedef Dwarf_Obj_Access_Interface_a object_access;
#define finish(r) dwarf_object_finish((r)->dbg)
#else
static const Dwarf_Obj_Access_Methods methods = {
	.get_section_info = get_section_info,
	.get_byte_order = get_byte_order,
	.get_length_size = get_length_size,
	.get_pointer_size = get_length_size,
	.get_section_count = get_section_count,
	.load_section = load_section,
};
#define OBJECT(r) { .object = (r), .methods = &methods }
typedef Dwarf_Obj_Access_Interface object_access;
#define finish(r) dwarf_object_finish((r)->dbg, NULL)
#endif

void debug_run(struct debug_reader *r, void (*work)(struct debug_reader *r))
{
	object_access object = OBJECT(r);
	int ret = dwarf_object_init_b(&object, NULL, NULL, DW_GROUPNUMBER_ANY, &r->dbg, &r->error);

	if (ret == DW_DLV_OK) {
		work(r);
		finish(r);
		return;
	}
	r->out->incomplete = true;
	if (ret == DW_DLV_ERROR)
		dwarf_dealloc_error(NULL, r->error);
}
