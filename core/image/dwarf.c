#include "core/image/debug.h"

#include <dwarf.h>
#include <libdwarf.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/mem.h"
#include "core/image/guard.h"

#define MAX_DIES 40000000u
#define MAX_ROWS 40000000u
#define MAX_DEPTH 100u
#define MAX_ORIGINS 6 /* abstract origin, specification, and no more steps than that */
#define PADDING 64 /* zero bytes behind each section: an unended string ends there */
#define NO_OFFSET UINT64_MAX

/* One unit's files, by the numbers that its DIEs and its line table use. */
struct unit_files {
	Dwarf_Off offset;		/* of the unit's DIE */
	uint32_t *paths;
	Dwarf_Signed base, end;
};

struct reader {
	const struct elf *elf;
	struct debug_data *out;
	const atomic_bool *stop;
	Dwarf_Debug dbg;
	Dwarf_Error error;
	struct guard_section sections[16];
	unsigned section_count;
	struct unit_files *files;
	size_t file_count, file_cap;
	struct map files_by_unit;	/* offset of the unit's DIE -> files */
	struct map functions;		/* offset of a DIE -> function */
	uint32_t unit;
	Dwarf_Off unit_offset;
	uint64_t unit_low;		/* base of its ranges */
	Dwarf_Half version;
	bool in_types;			/* Rust has its methods inside its types */
	uint32_t dies;
	bool full;
};

/* Where in the tree we are. */
struct place {
	uint32_t instance, inlined;	/* what is around us, or DEBUG_NONE */
	uint32_t depth, inline_depth;
};

/* What we look at in a DIE. */
struct attributes {
	const char *name, *linkage;
	uint64_t low, high, origin, specification;
	uint64_t decl_file, decl_line, call_file, call_line;
	Dwarf_Attribute ranges;
	bool has_low, has_high, high_is_size;
};

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
#define free_ranges dwarf_dealloc_ranges
#else
typedef Dwarf_Half section_index;
typedef Dwarf_Obj_Access_Section section_info;
typedef Dwarf_Endianness byte_order;
#define INFO(field) field
#define free_ranges dwarf_ranges_dealloc
#endif

static int get_section_info(void *object, section_index i, section_info *info, int *error)
{
	const struct reader *r = object;

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
	const struct reader *r = object;

	return r->elf->big_data ? DW_OBJECT_MSB : DW_OBJECT_LSB;
}

static Dwarf_Small get_length_size(void *object)
{
	const struct reader *r = object;

	return r->elf->bits == 64 ? 8 : 4;
}

static Dwarf_Unsigned get_section_count(void *object)
{
	const struct reader *r = object;

	return r->section_count + 1;
}

static int load_section(void *object, section_index i, Dwarf_Small **bytes, int *error)
{
	struct reader *r = object;

	(void)error;
	if (i == 0 || i > r->section_count)
		return DW_DLV_NO_ENTRY;
	*bytes = r->sections[i - 1].bytes;
	return DW_DLV_OK;
}

#ifdef DW_LIBDWARF_VERSION
static Dwarf_Unsigned get_file_size(void *object)
{
	const struct reader *r = object;

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

static void run(struct reader *r, void (*work)(struct reader *))
{
	Dwarf_Obj_Access_Interface_a object = { .ai_object = r, .ai_methods = &methods };

	if (dwarf_object_init_b(&object, NULL, NULL, DW_GROUPNUMBER_ANY, &r->dbg, &r->error) !=
	    DW_DLV_OK)
		return;
	work(r);
	dwarf_object_finish(r->dbg);
}
#else
static const Dwarf_Obj_Access_Methods methods = {
	.get_section_info = get_section_info,
	.get_byte_order = get_byte_order,
	.get_length_size = get_length_size,
	.get_pointer_size = get_length_size,
	.get_section_count = get_section_count,
	.load_section = load_section,
};

static void run(struct reader *r, void (*work)(struct reader *))
{
	Dwarf_Obj_Access_Interface object = { .object = r, .methods = &methods };
	int ret = dwarf_object_init_b(&object, NULL, NULL, DW_GROUPNUMBER_ANY, &r->dbg, &r->error);

	if (ret == DW_DLV_OK) {
		work(r);
		dwarf_object_finish(r->dbg, NULL);
		return;
	}
	r->out->incomplete = true;
	if (ret == DW_DLV_ERROR)
		dwarf_dealloc_error(NULL, r->error);
}
#endif

/* --- small things ----------------------------------------------------------------------------- */

/* Whether a call gave something. An error's record goes at once: a broken file makes many. */
static bool ok(struct reader *r, int ret)
{
	if (ret == DW_DLV_ERROR && r->error) {
		dwarf_dealloc_error(r->dbg, r->error);
		r->error = NULL;
	}
	return ret == DW_DLV_OK;
}

/* As ok(), where an error means that part of the file is lost to us. */
static bool whole(struct reader *r, int ret)
{
	if (ret == DW_DLV_ERROR)
		r->out->incomplete = true;
	return ok(r, ret);
}

static bool stopped(const struct reader *r)
{
	return r->full || atomic_load_explicit(r->stop, memory_order_relaxed);
}

static void give_up(struct reader *r)
{
	r->full = true;
	r->out->incomplete = true;
}

/* A new item at the end of one of the tables, zeroed; NULL when memory is out. */
static void *append(struct reader *r, void *v, size_t *count, size_t *cap, size_t size)
{
	char *items;

	if (*count >= DEBUG_NONE - 1 || mem_grow(v, cap, *count + 1, size) < 0) {
		give_up(r);
		return NULL;
	}
	memcpy(&items, v, sizeof(items));
	return memset(items + (*count)++ * size, 0, size);
}

#define APPEND(r, table) append((r), &(table).v, &(table).count, &(table).cap, sizeof(*(table).v))

static void remember(struct reader *r, struct map *m, uint64_t key, uint32_t value)
{
	if (map_put(m, key, value) < 0)
		give_up(r);
}

/* --- attributes ------------------------------------------------------------------------------- */

static uint64_t number(struct reader *r, Dwarf_Attribute a)
{
	Dwarf_Unsigned value = 0;
	Dwarf_Signed sign = 0;

	if (ok(r, dwarf_formudata(a, &value, &r->error)))
		return value;
	if (ok(r, dwarf_formsdata(a, &sign, &r->error)) && sign > 0)
		return (uint64_t)sign;
	return 0;
}

static uint64_t reference(struct reader *r, Dwarf_Attribute a)
{
	Dwarf_Off offset = 0;

	return ok(r, dwarf_global_formref(a, &offset, &r->error)) ? offset : NO_OFFSET;
}

static const char *string(struct reader *r, Dwarf_Attribute a)
{
	char *s = NULL;

	return ok(r, dwarf_formstring(a, &s, &r->error)) && s[0] ? debug_intern(r->out, s) : NULL;
}

/* DW_AT_high_pc: an address, or (DWARF 4) a distance. */
static void high_pc(struct reader *r, struct attributes *a, Dwarf_Attribute attr)
{
	Dwarf_Addr address = 0;

	a->has_high = true;
	a->high_is_size = !ok(r, dwarf_formaddr(attr, &address, &r->error));
	a->high = a->high_is_size ? number(r, attr) : address;
}

static void take(struct reader *r, struct attributes *a, Dwarf_Attribute attr)
{
	Dwarf_Half what = 0;
	Dwarf_Addr address = 0;

	if (!ok(r, dwarf_whatattr(attr, &what, &r->error)))
		return;
	switch (what) {
	case DW_AT_name: a->name = string(r, attr); break;
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name: a->linkage = string(r, attr); break;
	case DW_AT_abstract_origin: a->origin = reference(r, attr); break;
	case DW_AT_specification: a->specification = reference(r, attr); break;
	case DW_AT_decl_file: a->decl_file = number(r, attr); break;
	case DW_AT_decl_line: a->decl_line = number(r, attr); break;
	case DW_AT_call_file: a->call_file = number(r, attr); break;
	case DW_AT_call_line: a->call_line = number(r, attr); break;
	case DW_AT_high_pc: high_pc(r, a, attr); break;
	case DW_AT_low_pc:
		a->has_low = ok(r, dwarf_formaddr(attr, &address, &r->error));
		a->low = address;
		break;
	default:
		break;
	}
}

static void attributes_read(struct reader *r, Dwarf_Die die, struct attributes *a)
{
	Dwarf_Attribute *list = NULL;
	Dwarf_Signed count = 0;

	*a = (struct attributes){ .origin = NO_OFFSET,
				  .specification = NO_OFFSET,
				  .decl_file = NO_OFFSET };
	if (!ok(r, dwarf_attrlist(die, &list, &count, &r->error)))
		return;
	for (Dwarf_Signed i = 0; i < count; i++) {
		Dwarf_Half what = 0;

		take(r, a, list[i]);
		if (!a->ranges && ok(r, dwarf_whatattr(list[i], &what, &r->error)) &&
		    what == DW_AT_ranges)
			a->ranges = list[i];
		else
			dwarf_dealloc(r->dbg, list[i], DW_DLA_ATTR);
	}
	dwarf_dealloc(r->dbg, list, DW_DLA_LIST);
	if (a->high_is_size)
		a->high += a->low;
}

static void attributes_release(struct reader *r, struct attributes *a)
{
	if (a->ranges)
		dwarf_dealloc(r->dbg, a->ranges, DW_DLA_ATTR);
	a->ranges = NULL;
}

/* --- ranges ----------------------------------------------------------------------------------- */

static void add_span(struct reader *r, struct spans *to, struct span span)
{
	if (elf_code_at(r->elf, span.low) && spans_add(to, span) < 0)
		give_up(r);
}

/* DWARF 2 to 4, .debug_ranges: pairs relative to a base, that entries of their own change. */
static void old_ranges(struct reader *r, Dwarf_Die die, Dwarf_Attribute attr, struct spans *to,
		       struct span span)
{
	uint64_t base = r->unit_low, offset;
	Dwarf_Ranges *list = NULL;
	Dwarf_Signed count = 0;

	offset = reference(r, attr);
	if (offset == NO_OFFSET)
		offset = number(r, attr);
	if (!ok(r, dwarf_get_ranges_a(r->dbg, offset, die, &list, &count, NULL, &r->error)))
		return;
	for (Dwarf_Signed i = 0; i < count && list[i].dwr_type != DW_RANGES_END && !r->full; i++) {
		if (list[i].dwr_type == DW_RANGES_ADDRESS_SELECTION) {
			base = list[i].dwr_addr2;
			continue;
		}
		span.low = base + list[i].dwr_addr1;
		span.high = base + list[i].dwr_addr2;
		add_span(r, to, span);
	}
	free_ranges(r->dbg, list, count);
}

/* DWARF 5, .debug_rnglists. libdwarf adds the bases up. */
static void new_ranges(struct reader *r, Dwarf_Attribute attr, struct spans *to, struct span span)
{
	Dwarf_Unsigned count = 0, at = 0, raw1, raw2, low = 0, high = 0;
	Dwarf_Rnglists_Head head = NULL;
	Dwarf_Half form = 0;

	if (!ok(r, dwarf_whatform(attr, &form, &r->error)))
		return;
	at = form == DW_FORM_rnglistx ? number(r, attr) : reference(r, attr);
	if (!ok(r, dwarf_rnglists_get_rle_head(attr, form, at, &head, &count, &at, &r->error)))
		return;
	for (Dwarf_Unsigned i = 0; i < count && !r->full; i++) {
		Dwarf_Bool no_address = 0;
		unsigned size = 0, kind = 0;

		if (!ok(r,
			dwarf_get_rnglists_entry_fields_a(head, i, &size, &kind, &raw1, &raw2,
							  &no_address, &low, &high, &r->error)) ||
		    kind == DW_RLE_end_of_list)
			break;
		if (kind == DW_RLE_base_address || kind == DW_RLE_base_addressx || no_address)
			continue;
		span.low = low;
		span.high = high;
		add_span(r, to, span);
	}
	dwarf_dealloc_rnglists_head(head);
}

static void add_ranges(struct reader *r, Dwarf_Die die, const struct attributes *a,
		       struct spans *to, struct span span)
{
	if (a->ranges && r->version >= 5) {
		new_ranges(r, a->ranges, to, span);
	} else if (a->ranges) {
		old_ranges(r, die, a->ranges, to, span);
	} else if (a->has_low && a->has_high) {
		span.low = a->low;
		span.high = a->high;
		add_span(r, to, span);
	}
}

/* --- files ------------------------------------------------------------------------------------ */

/*
 * Directory 0 is the unit's own, and of DWARF 5 the table says so itself. The number of a file is
 * what the DIEs use whatever the version: from 1 up to version 4, from 0 in 5, and Debian's
 * assembler writes version 3 for DWARF 5 units.
 */
static const char *directory(struct reader *r, Dwarf_Line_Context context, Dwarf_Unsigned version,
			     Dwarf_Unsigned i, const char *unit)
{
	const char *found = NULL;

	if (version < 5 && i == 0)
		return unit;
	if (i > INT32_MAX ||
	    !ok(r, dwarf_srclines_include_dir_data(context, (Dwarf_Signed)i, &found, &r->error)))
		return unit;
	return found;
}

static uint32_t file_path(struct reader *r, Dwarf_Line_Context context, Dwarf_Unsigned version,
			  Dwarf_Signed i)
{
	const char *name = NULL, *unit = NULL, *dir;
	Dwarf_Unsigned dir_index = 0, modified, length;
	Dwarf_Form_Data16 *md5 = NULL;
	struct buf whole_dir = BUF_INIT;
	uint32_t path;

	if (!ok(r, dwarf_srclines_files_data_b(context, i, &name, &dir_index, &modified, &length,
					       &md5, &r->error)) ||
	    !name || !name[0])
		return DEBUG_NONE;
	if (!ok(r, dwarf_srclines_comp_dir(context, &unit, &r->error)))
		unit = NULL;
	dir = directory(r, context, version, dir_index, unit);
	if (dir && dir != unit && dir[0] != '/' && unit && strcmp(dir, unit) != 0)
		buf_addf(&whole_dir, "%s/", unit);
	buf_adds(&whole_dir, dir ? dir : "");
	path = debug_path(r->out, buf_str(&whole_dir), name);
	buf_release(&whole_dir);
	return path;
}

static void fill_files(struct reader *r, struct unit_files *f, Dwarf_Line_Context context,
		       Dwarf_Unsigned version)
{
	Dwarf_Signed count = 0;

	if (!ok(r, dwarf_srclines_files_indexes(context, &f->base, &count, &f->end, &r->error)) ||
	    f->end <= f->base || f->base < 0 || f->end > INT32_MAX)
		goto none;
	f->paths = mem_alloc((size_t)(f->end - f->base) * sizeof(*f->paths));
	if (!f->paths) {
		give_up(r);
		goto none;
	}
	for (Dwarf_Signed i = f->base; i < f->end; i++)
		f->paths[i - f->base] = file_path(r, context, version, i);
	return;
none:
	f->base = f->end = 0;
}

/*
 * The files of the unit whose DIE stands at `offset`, from its line table; NULL when memory is out.
 */
static struct unit_files *files_make(struct reader *r, Dwarf_Off offset, Dwarf_Line_Context context,
				     Dwarf_Unsigned version)
{
	struct unit_files *f;

	if (mem_grow(&r->files, &r->file_cap, r->file_count + 1, sizeof(*r->files)) < 0) {
		give_up(r);
		return NULL;
	}
	f = &r->files[r->file_count];
	*f = (struct unit_files){ .offset = offset };
	if (context)
		fill_files(r, f, context, version);
	remember(r, &r->files_by_unit, offset, (uint32_t)r->file_count++);
	return f;
}

static const struct unit_files *files_known(const struct reader *r, Dwarf_Off offset)
{
	uint32_t i = map_get(&r->files_by_unit, offset);

	return i == MAP_NONE ? NULL : &r->files[i];
}

/*
 * Of a unit that is not the current one: with link-time optimisation code and its source's unit are
 * apart.
 */
static const struct unit_files *files_of(struct reader *r, Dwarf_Off offset)
{
	const struct unit_files *f = files_known(r, offset);
	Dwarf_Line_Context context = NULL;
	Dwarf_Unsigned version = 0;
	Dwarf_Small tables = 0;
	Dwarf_Die unit = NULL;

	if (f || !ok(r, dwarf_offdie_b(r->dbg, offset, 1, &unit, &r->error)))
		return f;
	if (!ok(r, dwarf_srclines_b(unit, &version, &tables, &context, &r->error)))
		context = NULL;
	f = files_make(r, offset, context, version);
	if (context)
		dwarf_srclines_dealloc_b(context);
	dwarf_dealloc(r->dbg, unit, DW_DLA_DIE);
	return f;
}

static uint32_t path_of(struct reader *r, Dwarf_Off unit, uint64_t number_of_file)
{
	const struct unit_files *f = files_of(r, unit);

	if (!f || number_of_file < (uint64_t)f->base || number_of_file >= (uint64_t)f->end)
		return DEBUG_NONE;
	return f->paths[number_of_file - (uint64_t)f->base];
}

static Dwarf_Off unit_of(struct reader *r, Dwarf_Die die)
{
	Dwarf_Off offset = 0;

	return ok(r, dwarf_CU_dieoffset_given_die(die, &offset, &r->error)) ? offset
									    : r->unit_offset;
}

/* --- functions -------------------------------------------------------------------------------- */

/* What a DIE tells itself, and through it the DIEs it refers to, the nearest first. */
static void describe(struct reader *r, Dwarf_Die die, const struct attributes *a,
		     struct debug_function *f)
{
	if (!f->name)
		f->name = a->name;
	if (!f->linkage)
		f->linkage = a->linkage;
	if (f->path == DEBUG_NONE && a->decl_file != NO_OFFSET) {
		f->path = path_of(r, unit_of(r, die), a->decl_file);
		f->line = (uint32_t)a->decl_line;
	}
}

static uint64_t next_origin(const struct attributes *a)
{
	return a->origin != NO_OFFSET ? a->origin : a->specification;
}

static void describe_from(struct reader *r, uint64_t offset, struct debug_function *f)
{
	for (int steps = 0; steps < MAX_ORIGINS && offset != NO_OFFSET; steps++) {
		struct attributes a;
		Dwarf_Die die = NULL;

		if (!ok(r, dwarf_offdie_b(r->dbg, offset, 1, &die, &r->error)))
			return;
		attributes_read(r, die, &a);
		describe(r, die, &a, f);
		offset = next_origin(&a);
		attributes_release(r, &a);
		dwarf_dealloc(r->dbg, die, DW_DLA_DIE);
	}
}

static uint32_t function_add(struct reader *r, uint64_t offset, const struct debug_function *f)
{
	struct debug_function *kept = APPEND(r, r->out->functions);

	if (!kept)
		return DEBUG_NONE;
	*kept = *f;
	remember(r, &r->functions, offset, (uint32_t)(r->out->functions.count - 1));
	return (uint32_t)(r->out->functions.count - 1);
}

/*
 * The source function of a DIE with code: its abstract origin, which all its clones and inlined
 * bodies share, or itself.
 */
static uint32_t function_of(struct reader *r, Dwarf_Die die, const struct attributes *a)
{
	struct debug_function f = { .path = DEBUG_NONE };
	Dwarf_Off key = a->origin;
	uint32_t known;

	if (key == NO_OFFSET && !ok(r, dwarf_dieoffset(die, &key, &r->error)))
		return DEBUG_NONE;
	known = map_get(&r->functions, key);
	if (known != MAP_NONE) {
		if (!r->out->functions.v[known]
			     .linkage) /* constructors: only their copies have one */
			r->out->functions.v[known].linkage = a->linkage;
		return known;
	}
	if (a->origin == NO_OFFSET)
		describe(r, die, a, &f);
	else
		f.linkage = a->linkage;
	describe_from(r, next_origin(a), &f);
	return function_add(r, key, &f);
}

/* --- the tree --------------------------------------------------------------------------------- */

static void walk_children(struct reader *r, Dwarf_Die parent, struct place place);

static bool has_code(const struct attributes *a)
{
	return a->ranges || (a->has_low && a->has_high);
}

static void subprogram(struct reader *r, Dwarf_Die die, struct place place)
{
	struct debug_instance *in;
	struct attributes a;
	uint32_t function;

	attributes_read(r, die, &a);
	function = has_code(&a) ? function_of(r, die, &a) : DEBUG_NONE;
	in = function == DEBUG_NONE ? NULL : APPEND(r, r->out->instances);
	if (in) {
		*in = (struct debug_instance){ .function = function, .unit = r->unit };
		place.instance = (uint32_t)(r->out->instances.count - 1);
		place.inlined = DEBUG_NONE;
		place.inline_depth = 0;
		add_ranges(r, die, &a, &r->out->code, (struct span){ .id = place.instance });
	}
	attributes_release(r, &a);
	if (in)
		walk_children(r, die, place);
}

static void inlined_body(struct reader *r, Dwarf_Die die, struct place place)
{
	struct debug_inline *in = NULL;
	struct attributes a;
	uint32_t function;

	attributes_read(r, die, &a);
	function =
		has_code(&a) && place.instance != DEBUG_NONE ? function_of(r, die, &a) : DEBUG_NONE;
	if (function != DEBUG_NONE)
		in = APPEND(r, r->out->inlines);
	if (in) {
		*in = (struct debug_inline){
			.function = function,
			.instance = place.instance,
			.parent = place.inlined,
			.call_line = (uint32_t)a.call_line,
			.call_path = path_of(r, r->unit_offset, a.call_file),
		};
		place.inlined = (uint32_t)(r->out->inlines.count - 1);
		place.inline_depth++;
		add_ranges(r, die, &a, &r->out->inlined,
			   (struct span){ .id = place.inlined, .depth = place.inline_depth });
	}
	attributes_release(r, &a);
	walk_children(r, die, place);
}

static void visit(struct reader *r, Dwarf_Die die, struct place place)
{
	Dwarf_Half tag = 0;

	if (!ok(r, dwarf_tag(die, &tag, &r->error)))
		return;
	switch (tag) {
	case DW_TAG_subprogram:
		subprogram(r, die, place);
		break;
	case DW_TAG_inlined_subroutine:
		inlined_body(r, die, place);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		if (r->in_types)
			walk_children(r, die, place);
		break;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_namespace:
	case DW_TAG_module:
		walk_children(r, die, place);
		break;
	default:
		break;
	}
}

/* Whether to look at this DIE: offsets only grow, or the tree bites its tail. */
static bool proceed(struct reader *r, Dwarf_Die die, Dwarf_Off *last)
{
	Dwarf_Off offset = 0;

	if (++r->dies > MAX_DIES)
		give_up(r);
	if (stopped(r) || !ok(r, dwarf_dieoffset(die, &offset, &r->error)) || offset <= *last) {
		r->out->incomplete = true;
		return false;
	}
	*last = offset;
	return true;
}

static void walk_children(struct reader *r, Dwarf_Die parent, struct place place)
{
	Dwarf_Die die = NULL, next = NULL;
	Dwarf_Off last = 0;

	if (++place.depth > MAX_DEPTH || !whole(r, dwarf_child(parent, &die, &r->error)))
		return;
	while (die) {
		next = NULL;
		if (proceed(r, die, &last)) {
			visit(r, die, place);
			if (!whole(r, dwarf_siblingof_b(r->dbg, die, 1, &next, &r->error)))
				next = NULL;
		}
		dwarf_dealloc(r->dbg, die, DW_DLA_DIE);
		die = next;
	}
}

/* --- lines ------------------------------------------------------------------------------------ */

/*
 * The sequence that the last rows make, from `first` on, ended at `high`. Ghosts outside the code
 * go at once.
 */
static void end_sequence(struct reader *r, size_t first, uint64_t high)
{
	struct debug_data *d = r->out;
	uint64_t low = first < d->rows.count ? d->rows.v[first].address : 0;
	struct debug_sequence *s;

	if (first == d->rows.count || low >= high || !elf_code_at(r->elf, low) ||
	    !(s = APPEND(r, d->sequences))) {
		d->rows.count = first;
		return;
	}
	*s = (struct debug_sequence){
		.low = low,
		.high = high,
		.first = first,
		.count = d->rows.count - first,
		.unit = r->unit,
	};
}

/*
 * libdwarf 20210528 takes DW_LNS_set_epilogue_begin (clang and rustc write it) for the end of a
 * sequence, and all rows until the real end with it. After a real end there is nothing, or a row
 * with an address of its own.
 */
static bool ends_sequence(struct reader *r, Dwarf_Line line, Dwarf_Line next)
{
	Dwarf_Bool end = 0, set = 0;

	if (!ok(r, dwarf_lineendsequence(line, &end, &r->error)) || !end)
		return false;
	return !next || !ok(r, dwarf_line_is_addr_set(next, &set, &r->error)) || set;
}

static bool add_row(struct reader *r, Dwarf_Line line, Dwarf_Line next, const struct unit_files *f,
		    size_t *first)
{
	Dwarf_Unsigned number_of_line = 0, file = 0;
	struct debug_row *row;
	Dwarf_Addr address = 0;

	if (!ok(r, dwarf_lineaddr(line, &address, &r->error)))
		return true;
	if (ends_sequence(r, line, next)) {
		end_sequence(r, *first, address);
		*first = r->out->rows.count;
		return true;
	}
	if (!ok(r, dwarf_lineno(line, &number_of_line, &r->error)) ||
	    !ok(r, dwarf_line_srcfileno(line, &file, &r->error)))
		return true;
	row = r->out->rows.count < MAX_ROWS ? APPEND(r, r->out->rows) : NULL;
	if (!row) {
		give_up(r);
		return false;
	}
	*row = (struct debug_row){ .address = address,
				   .line = (uint32_t)number_of_line,
				   .path = DEBUG_NONE };
	if (f && file >= (uint64_t)f->base && file < (uint64_t)f->end)
		row->path = f->paths[file - (uint64_t)f->base];
	return true;
}

static void read_lines(struct reader *r, Dwarf_Die unit)
{
	size_t first = r->out->rows.count;
	Dwarf_Line_Context context = NULL;
	const struct unit_files *f;
	Dwarf_Unsigned version = 0;
	Dwarf_Small tables = 0;
	Dwarf_Signed count = 0;
	Dwarf_Line *lines = NULL;

	if (!whole(r, dwarf_srclines_b(unit, &version, &tables, &context, &r->error)))
		return;
	f = files_known(r, r->unit_offset);
	if (!f)
		f = files_make(r, r->unit_offset, context, version);
	if (whole(r, dwarf_srclines_from_linecontext(context, &lines, &count, &r->error))) {
		for (Dwarf_Signed i = 0; i < count && !stopped(r); i++) {
			if (!add_row(r, lines[i], i + 1 < count ? lines[i + 1] : NULL, f, &first))
				break;
		}
	}
	r->out->rows.count = first; /* what no end_sequence closed is of unknown extent */
	dwarf_srclines_dealloc_b(context);
}

/* --- units ------------------------------------------------------------------------------------ */

static void read_unit(struct reader *r, Dwarf_Die unit)
{
	struct place top = { .instance = DEBUG_NONE, .inlined = DEBUG_NONE };
	Dwarf_Unsigned language = 0;
	struct attributes a;

	if (!whole(r, dwarf_dieoffset(unit, &r->unit_offset, &r->error)))
		return;
	attributes_read(r, unit, &a);
	attributes_release(r, &a);
	r->unit_low = a.has_low ? a.low : 0;
	r->in_types = ok(r, dwarf_srclang(unit, &language, &r->error)) && language == DW_LANG_Rust;
	read_lines(r, unit);
	walk_children(r, unit, top);
	r->unit++;
	r->out->units = r->unit;
}

static void read_units(struct reader *r)
{
	Dwarf_Unsigned length, types, next = 0, before = 0;
	Dwarf_Half address_size, length_size, extension, kind;
	Dwarf_Off abbreviations;
	Dwarf_Sig8 signature;

	while (!stopped(r) &&
	       whole(r, dwarf_next_cu_header_d(r->dbg, 1, &length, &r->version, &abbreviations,
					       &address_size, &length_size, &extension, &signature,
					       &types, &next, &kind, &r->error))) {
		Dwarf_Die unit = NULL;

		if (next <= before) {
			r->out->incomplete = true;
			break;
		}
		before = next;
		if (whole(r, dwarf_siblingof_b(r->dbg, NULL, 1, &unit, &r->error))) {
			read_unit(r, unit);
			dwarf_dealloc(r->dbg, unit, DW_DLA_DIE);
		}
	}
}

static void load_checked(struct reader *r, const struct elf_section *s, const char *name)
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

static void load_sections(struct reader *r)
{
	static const char *const names[] = {
		".debug_info", ".debug_abbrev", ".debug_line", ".debug_line_str", ".debug_str",
		".debug_str_offsets", ".debug_addr", ".debug_ranges", ".debug_rnglists",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct elf_section *s = elf_find_section(r->elf, names[i]);

		if (s && s->size && !stopped(r))
			load_checked(r, s, names[i]);
	}
}

void debug_read(struct debug_data *d, const struct elf *e, const atomic_bool *stop)
{
	struct reader r = { .elf = e, .out = d, .stop = stop };

	debug_init(d);
	map_init(&r.files_by_unit);
	map_init(&r.functions);
	load_sections(&r);
	run(&r, read_units);
	for (unsigned i = 0; i < r.section_count; i++)
		mem_free(r.sections[i].bytes);
	for (size_t i = 0; i < r.file_count; i++)
		mem_free(r.files[i].paths);
	mem_free(r.files);
	map_release(&r.files_by_unit);
	map_release(&r.functions);
}
