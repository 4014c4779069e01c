#include "core/image/dwarf_reader.h"

#include <string.h>

#include "core/base/mem.h"

#define PADDING 64 /* zero bytes behind each section: an unended string ends there */

/* --- sections --------------------------------------------------------------------------------- */

/*
 * Code of n bytes has fewer rows than n; libdwarf takes some 160 bytes for each of a unit's, as
 * long as that unit is read.
 */
static struct guard_rows rows_most(const struct elf *e)
{
	struct guard_rows most = { .unit = 2 * elf_budget(e) / 160, .all = 1u << 20 };

	for (size_t i = 0; i < e->code_count; i++)
		most.all += 4 * e->code[i].size;
	return most;
}

static void load_checked(struct debug_reader *r, const struct elf_section *s, const char *name)
{
	struct guard_section *to = &r->sections[r->section_count];
	const struct guard_rows most = rows_most(r->elf);
	uint64_t sound = 0;

	*to = (struct guard_section){ .name = name, .big = r->elf->big_data };
	to->bytes = elf_load_within(r->elf, s, PADDING, elf_budget(r->elf) - r->loaded, &to->size);
	r->loaded += to->size;
	if (to->bytes)
		sound = guard_size(to, &most);
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

void debug_unload(struct debug_reader *r)
{
	for (unsigned i = 0; i < r->section_count; i++)
		mem_free(r->sections[i].bytes);
}

/* --- libdwarf's object interface -------------------------------------------------------------- */

/* The sections are handed over in memory, checked and padded. */

static int get_section_info(void *object, dwarf_section_index i, dwarf_section_info *info,
			    int *error)
{
	const struct debug_reader *r = object;

	(void)error;
	memset(info, 0, sizeof(*info));
	info->DWARF_INFO(name) = "";
	if (i > r->section_count)
		return DW_DLV_NO_ENTRY;
	if (i == 0)			/* ELF's section 0 is nothing */
		return DW_DLV_OK;
	info->DWARF_INFO(name) = r->sections[i - 1].name;
	info->DWARF_INFO(size) = r->sections[i - 1].size;
	info->DWARF_INFO(type) = 1;		/* SHT_PROGBITS */
	return DW_DLV_OK;
}

static dwarf_byte_order get_byte_order(void *object)
{
	const struct debug_reader *r = object;

	return r->elf->big_data ? DWARF_BIG : DWARF_LITTLE;
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

static int load_section(void *object, dwarf_section_index i, Dwarf_Small **bytes, int *error)
{
	struct debug_reader *r = object;

	(void)error;
	if (i == 0 || i > r->section_count)
		return DW_DLV_NO_ENTRY;
	*bytes = r->sections[i - 1].bytes;
	return DW_DLV_OK;
}

#if DWARF_HAS_FILE_SIZE
static Dwarf_Unsigned get_file_size(void *object)
{
	const struct debug_reader *r = object;

	return r->elf->file_size;
}
#endif

static const dwarf_methods methods = {
	.DWARF_METHOD(get_section_info) = get_section_info,
	.DWARF_METHOD(get_byte_order) = get_byte_order,
	.DWARF_METHOD(get_length_size) = get_length_size,
	.DWARF_METHOD(get_pointer_size) = get_length_size,
#if DWARF_HAS_FILE_SIZE
	.DWARF_METHOD(get_filesize) = get_file_size,
#endif
	.DWARF_METHOD(get_section_count) = get_section_count,
	.DWARF_METHOD(load_section) = load_section,
};

void debug_run(struct debug_reader *r, void (*work)(struct debug_reader *r))
{
	dwarf_object object = DWARF_OBJECT(r, &methods);
	int ret = dwarf_object_init_b(&object, NULL, NULL, DW_GROUPNUMBER_ANY, &r->dbg, &r->error);

	if (ret == DW_DLV_OK) {
		work(r);
		dwarf_version_finish(r->dbg);
		return;
	}
	r->out->incomplete = true;
	if (ret == DW_DLV_ERROR)
		dwarf_dealloc_error(NULL, r->error);
}
