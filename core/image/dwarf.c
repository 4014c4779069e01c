#include "core/image/dwarf_reader.h"

#include <string.h>

#include "core/base/mem.h"

#define MAX_DIES 40000000u
#define MAX_DEPTH 100u
#define MAX_ORIGINS 6 /* abstract origin, specification, and no more steps than that */

/* Position in the tree. */
struct place {
	uint32_t instance, inlined; /* enclosing ones, or DEBUG_NONE */
	uint32_t depth, inline_depth;
};

/* --- small things ----------------------------------------------------------------------------- */

bool debug_ok(struct debug_reader *r, int ret)
{
	if (ret == DW_DLV_ERROR && r->error) {
		dwarf_dealloc_error(r->dbg, r->error);
		r->error = NULL;
	}
	return ret == DW_DLV_OK;
}

bool debug_whole(struct debug_reader *r, int ret)
{
	if (ret == DW_DLV_ERROR)
		r->out->incomplete = true;
	return debug_ok(r, ret);
}

bool debug_stopped(const struct debug_reader *r)
{
	return r->full || atomic_load_explicit(r->stop, memory_order_relaxed);
}

void debug_give_up(struct debug_reader *r)
{
	r->full = true;
	r->out->incomplete = true;
}

void *debug_append(struct debug_reader *r, void *v, size_t *count, size_t *cap, size_t size)
{
	char *items;

	if (*count >= DEBUG_NONE - 1 || mem_grow(v, cap, *count + 1, size) < 0) {
		debug_give_up(r);
		return NULL;
	}
	memcpy(&items, v, sizeof(items));
	return memset(items + (*count)++ * size, 0, size);
}

void debug_remember(struct debug_reader *r, struct map *m, uint64_t key, uint32_t value)
{
	if (map_put(m, key, value) < 0)
		debug_give_up(r);
}

/* --- functions -------------------------------------------------------------------------------- */

static Dwarf_Off unit_of(struct debug_reader *r, Dwarf_Die die)
{
	Dwarf_Off offset = 0;

	return debug_ok(r, dwarf_CU_dieoffset_given_die(die, &offset, &r->error)) ? offset
									    : r->unit_offset;
}

/* From a DIE, then from the DIEs it refers to, the nearest first. */
static void function_describe(struct debug_reader *r, Dwarf_Die die, const struct attributes *a,
			      struct debug_function *f)
{
	if (!f->name)
		f->name = a->name;
	if (!f->linkage)
		f->linkage = a->linkage;
	if (!f->line)		/* clang leaves the file out where it is the declaration's */
		f->line = (uint32_t)a->decl_line;
	if (f->path == DEBUG_NONE && a->decl_file != NO_OFFSET)
		f->path = debug_file_path(r, unit_of(r, die), a->decl_file);
}

static uint64_t next_origin(const struct attributes *a)
{
	return a->origin != NO_OFFSET ? a->origin : a->specification;
}

static void function_describe_from(struct debug_reader *r, uint64_t offset,
				   struct debug_function *f)
{
	for (int steps = 0; steps < MAX_ORIGINS && offset != NO_OFFSET; steps++) {
		struct attributes a;
		Dwarf_Die die = NULL;

		if (!debug_ok(r, dwarf_offdie_b(r->dbg, offset, 1, &die, &r->error)))
			return;
		debug_attributes(r, die, &a);
		function_describe(r, die, &a, f);
		offset = next_origin(&a);
		debug_attributes_release(r, &a);
		dwarf_dealloc(r->dbg, die, DW_DLA_DIE);
	}
}

static uint32_t function_add(struct debug_reader *r, uint64_t offset,
			     const struct debug_function *f)
{
	struct debug_function *kept = APPEND(r, r->out->functions);

	if (!kept)
		return DEBUG_NONE;
	*kept = *f;
	debug_remember(r, &r->functions, offset, (uint32_t)(r->out->functions.count - 1));
	return (uint32_t)(r->out->functions.count - 1);
}

/*
 * The source function of a DIE with code: its abstract origin, which all its clones and inlined
 * bodies share, or itself.
 */
static uint32_t function_of(struct debug_reader *r, Dwarf_Die die, const struct attributes *a)
{
	struct debug_function f = { .path = DEBUG_NONE };
	Dwarf_Off key = a->origin;
	uint32_t known;

	if (key == NO_OFFSET && !debug_ok(r, dwarf_dieoffset(die, &key, &r->error)))
		return DEBUG_NONE;
	known = map_get(&r->functions, key);
	if (known != MAP_NONE) {
		if (!r->out->functions.v[known]
			     .linkage) /* constructors: only their copies have one */
			r->out->functions.v[known].linkage = a->linkage;
		return known;
	}
	if (a->origin == NO_OFFSET)
		function_describe(r, die, a, &f);
	else
		f.linkage = a->linkage;
	function_describe_from(r, next_origin(a), &f);
	return function_add(r, key, &f);
}

/* --- the tree --------------------------------------------------------------------------------- */

static void walk_children(struct debug_reader *r, Dwarf_Die parent, struct place place);

static bool has_code(const struct attributes *a)
{
	return a->ranges || (a->has_low && a->has_high);
}

static void subprogram_read(struct debug_reader *r, Dwarf_Die die, struct place place)
{
	struct debug_instance *in;
	struct attributes a;
	uint32_t function;

	debug_attributes(r, die, &a);
	function = has_code(&a) ? function_of(r, die, &a) : DEBUG_NONE;
	in = function == DEBUG_NONE ? NULL : APPEND(r, r->out->instances);
	if (in) {
		*in = (struct debug_instance){ .function = function, .unit = r->unit };
		place.instance = (uint32_t)(r->out->instances.count - 1);
		place.inlined = DEBUG_NONE;
		place.inline_depth = 0;
		debug_ranges(r, die, &a, &r->out->code, (struct span){ .id = place.instance });
	}
	debug_attributes_release(r, &a);
	if (in)
		walk_children(r, die, place);
}

static void inline_read(struct debug_reader *r, Dwarf_Die die, struct place place)
{
	struct debug_inline *in = NULL;
	struct attributes a;
	uint32_t function;

	debug_attributes(r, die, &a);
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
			.call_path = debug_file_path(r, r->unit_offset, a.call_file),
		};
		place.inlined = (uint32_t)(r->out->inlines.count - 1);
		place.inline_depth++;
		debug_ranges(r, die, &a, &r->out->inlined,
			     (struct span){ .id = place.inlined, .depth = place.inline_depth });
	}
	debug_attributes_release(r, &a);
	walk_children(r, die, place);
}

static void die_visit(struct debug_reader *r, Dwarf_Die die, struct place place)
{
	Dwarf_Half tag = 0;

	if (!debug_ok(r, dwarf_tag(die, &tag, &r->error)))
		return;
	switch (tag) {
	case DW_TAG_subprogram:
		subprogram_read(r, die, place);
		break;
	case DW_TAG_inlined_subroutine:
		inline_read(r, die, place);
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

/* Whether to look at this DIE: offsets only grow, else the tree has a cycle. */
static bool die_accept(struct debug_reader *r, Dwarf_Die die, Dwarf_Off *last)
{
	Dwarf_Off offset = 0;

	if (++r->dies > MAX_DIES)
		debug_give_up(r);
	if (debug_stopped(r) || !debug_ok(r, dwarf_dieoffset(die, &offset, &r->error)) ||
	    offset <= *last) {
		r->out->incomplete = true;
		return false;
	}
	*last = offset;
	return true;
}

static void walk_children(struct debug_reader *r, Dwarf_Die parent, struct place place)
{
	Dwarf_Die die = NULL, next = NULL;
	Dwarf_Off last = 0;

	if (++place.depth > MAX_DEPTH || !debug_whole(r, dwarf_child(parent, &die, &r->error)))
		return;
	while (die) {
		next = NULL;
		if (die_accept(r, die, &last)) {
			die_visit(r, die, place);
			if (!debug_whole(r, dwarf_siblingof_b(r->dbg, die, 1, &next, &r->error)))
				next = NULL;
		}
		dwarf_dealloc(r->dbg, die, DW_DLA_DIE);
		die = next;
	}
}

/* --- units ------------------------------------------------------------------------------------ */

static void read_unit(struct debug_reader *r, Dwarf_Die unit)
{
	struct place top = { .instance = DEBUG_NONE, .inlined = DEBUG_NONE };
	Dwarf_Unsigned language = 0;
	struct attributes a;

	if (!debug_whole(r, dwarf_dieoffset(unit, &r->unit_offset, &r->error)))
		return;
	debug_attributes(r, unit, &a);
	debug_attributes_release(r, &a);
	r->unit_low = a.has_low ? a.low : 0;
	r->in_types =
		debug_ok(r, dwarf_srclang(unit, &language, &r->error)) && language == DW_LANG_Rust;
	debug_lines(r, unit);
	walk_children(r, unit, top);
	r->unit++;
	r->out->units = r->unit;
}

static void tell_progress(const struct debug_reader *r, Dwarf_Unsigned offset)
{
	uint64_t size = r->section_count ? r->sections[0].size : 0;	/* .debug_info */

	if (r->read && size)
		atomic_store_explicit(r->read,
				      offset < size ? (unsigned)(1000 * offset / size) : 1000,
				      memory_order_relaxed);
}

static void read_units(struct debug_reader *r)
{
	Dwarf_Unsigned length, types, next = 0, before = 0;
	Dwarf_Half address_size, length_size, extension, kind;
	Dwarf_Off abbreviations;
	Dwarf_Sig8 signature;

	while (!debug_stopped(r) &&
	       debug_whole(r,
			   dwarf_next_cu_header_d(r->dbg, 1, &length, &r->version, &abbreviations,
						   &address_size, &length_size, &extension,
						   &signature, &types, &next, &kind, &r->error))) {
		Dwarf_Die unit = NULL;

		if (next <= before) {
			r->out->incomplete = true;
			break;
		}
		before = next;
		tell_progress(r, next);
		if (debug_whole(r, dwarf_siblingof_b(r->dbg, NULL, 1, &unit, &r->error))) {
			read_unit(r, unit);
			dwarf_dealloc(r->dbg, unit, DW_DLA_DIE);
		}
	}
}

void debug_read_here(struct debug_data *d, const struct elf *e, const atomic_bool *stop,
		     atomic_uint *read)
{
	struct debug_reader r = { .elf = e, .out = d, .stop = stop, .read = read };

	debug_init(d);
	map_init(&r.files_by_unit);
	map_init(&r.functions);
	debug_load(&r);
	debug_run(&r, read_units);
	debug_unload(&r);
	for (size_t i = 0; i < r.file_count; i++)
		mem_free(r.files[i].paths);
	mem_free(r.files);
	map_release(&r.files_by_unit);
	map_release(&r.functions);
}
