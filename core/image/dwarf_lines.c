#include "core/image/dwarf_reader.h"

#include <string.h>

#include "core/base/buf.h"
#include "core/base/mem.h"

#define MAX_ROWS 40000000u

/* --- files ------------------------------------------------------------------------------------ */

/*
 * Directory 0 is the unit's own; DWARF 5 has it in the table. Files are numbered as the DIEs
 * number them, whatever the version: from 1 up to version 4, from 0 in 5, and Debian's assembler
 * writes version 3 for DWARF 5 units.
 */
static const char *directory_name(struct debug_reader *r, Dwarf_Line_Context context,
				  Dwarf_Unsigned version, Dwarf_Unsigned i,
				  const char *unit)
{
	const char *found = NULL;

	if (version < 5 && i == 0)
		return unit;
	if (i > INT32_MAX || !debug_ok(r, dwarf_srclines_include_dir_data(context, (Dwarf_Signed)i,
									   &found, &r->error)))
		return unit;
	return found;
}

static uint32_t file_path(struct debug_reader *r, Dwarf_Line_Context context,
			  Dwarf_Unsigned version, Dwarf_Signed i)
{
	const char *name = NULL, *unit = NULL, *dir;
	Dwarf_Unsigned dir_index = 0, modified, length;
	Dwarf_Form_Data16 *md5 = NULL;
	struct buf whole_dir = BUF_INIT;
	uint32_t path;

	if (!debug_ok(r, dwarf_srclines_files_data_b(context, i, &name, &dir_index, &modified,
						      &length, &md5, &r->error)) ||
	    !name || !name[0])
		return DEBUG_NONE;
	if (!debug_ok(r, dwarf_srclines_comp_dir(context, &unit, &r->error)))
		unit = NULL;
	dir = directory_name(r, context, version, dir_index, unit);
	if (dir && dir != unit && dir[0] != '/' && unit && strcmp(dir, unit) != 0)
		buf_addf(&whole_dir, "%s/", unit);
	buf_adds(&whole_dir, dir ? dir : "");
	path = debug_path(r->out, buf_str(&whole_dir), name);
	buf_release(&whole_dir);
	return path;
}

static void fill_files(struct debug_reader *r, struct unit_files *f, Dwarf_Line_Context context,
		       Dwarf_Unsigned version)
{
	Dwarf_Signed count = 0;

	if (!debug_ok(r, dwarf_srclines_files_indexes(context, &f->base, &count, &f->end,
						       &r->error)) ||
	    f->end <= f->base || f->base < 0 || f->end > INT32_MAX)
		goto none;
	f->paths = mem_alloc((size_t)(f->end - f->base) * sizeof(*f->paths));
	if (!f->paths) {
		debug_give_up(r);
		goto none;
	}
	for (Dwarf_Signed i = f->base; i < f->end; i++)
		f->paths[i - f->base] = file_path(r, context, version, i);
	return;
none:
	f->base = f->end = 0;
}

/*
 * The files of the unit with its DIE at `offset`, from its line table; NULL when memory is out.
 */
static struct unit_files *files_make(struct debug_reader *r, Dwarf_Off offset,
				     Dwarf_Line_Context context, Dwarf_Unsigned version)
{
	struct unit_files *f;

	if (mem_grow(&r->files, &r->file_cap, r->file_count + 1, sizeof(*r->files)) < 0) {
		debug_give_up(r);
		return NULL;
	}
	f = &r->files[r->file_count];
	*f = (struct unit_files){ .offset = offset };
	if (context)
		fill_files(r, f, context, version);
	debug_remember(r, &r->files_by_unit, offset, (uint32_t)r->file_count++);
	return f;
}

static const struct unit_files *files_known(const struct debug_reader *r, Dwarf_Off offset)
{
	uint32_t i = map_get(&r->files_by_unit, offset);

	return i == MAP_NONE ? NULL : &r->files[i];
}

/*
 * Of a unit that is not the current one: with link-time optimisation code and its source's unit are
 * apart.
 */
static const struct unit_files *files_of(struct debug_reader *r, Dwarf_Off offset)
{
	const struct unit_files *f = files_known(r, offset);
	Dwarf_Line_Context context = NULL;
	Dwarf_Unsigned version = 0;
	Dwarf_Small tables = 0;
	Dwarf_Die unit = NULL;

	if (f || !debug_ok(r, dwarf_offdie_b(r->dbg, offset, 1, &unit, &r->error)))
		return f;
	if (!debug_ok(r, dwarf_srclines_b(unit, &version, &tables, &context, &r->error)))
		context = NULL;
	f = files_make(r, offset, context, version);
	if (context)
		dwarf_srclines_dealloc_b(context);
	dwarf_dealloc(r->dbg, unit, DW_DLA_DIE);
	return f;
}

uint32_t debug_file_path(struct debug_reader *r, Dwarf_Off unit, uint64_t number_of_file)
{
	const struct unit_files *f = files_of(r, unit);

	if (!f || number_of_file < (uint64_t)f->base || number_of_file >= (uint64_t)f->end)
		return DEBUG_NONE;
	return f->paths[number_of_file - (uint64_t)f->base];
}

/* --- lines ------------------------------------------------------------------------------------ */

/*
 * The sequence that the last rows make, from `first` on, ended at `high`. Sequences outside the
 * code are dropped.
 */
static void end_sequence(struct debug_reader *r, size_t first, uint64_t high)
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
static bool ends_sequence(struct debug_reader *r, Dwarf_Line line, Dwarf_Line next)
{
	Dwarf_Bool end = 0, set = 0;

	if (!debug_ok(r, dwarf_lineendsequence(line, &end, &r->error)) || !end)
		return false;
	return !next || !debug_ok(r, dwarf_line_is_addr_set(next, &set, &r->error)) || set;
}

static bool add_row(struct debug_reader *r, Dwarf_Line line, Dwarf_Line next,
		    const struct unit_files *f, size_t *first)
{
	Dwarf_Unsigned number_of_line = 0, file = 0;
	struct debug_row *row;
	Dwarf_Addr address = 0;

	if (!debug_ok(r, dwarf_lineaddr(line, &address, &r->error)))
		return true;
	if (ends_sequence(r, line, next)) {
		end_sequence(r, *first, address);
		*first = r->out->rows.count;
		return true;
	}
	if (!debug_ok(r, dwarf_lineno(line, &number_of_line, &r->error)) ||
	    !debug_ok(r, dwarf_line_srcfileno(line, &file, &r->error)))
		return true;
	row = r->out->rows.count < MAX_ROWS ? APPEND(r, r->out->rows) : NULL;
	if (!row) {
		debug_give_up(r);
		return false;
	}
	*row = (struct debug_row){ .address = address,
				   .line = (uint32_t)number_of_line,
				   .path = DEBUG_NONE };
	if (f && file >= (uint64_t)f->base && file < (uint64_t)f->end)
		row->path = f->paths[file - (uint64_t)f->base];
	return true;
}

void debug_lines(struct debug_reader *r, Dwarf_Die unit)
{
	size_t first = r->out->rows.count;
	Dwarf_Line_Context context = NULL;
	const struct unit_files *f;
	Dwarf_Unsigned version = 0;
	Dwarf_Small tables = 0;
	Dwarf_Signed count = 0;
	Dwarf_Line *lines = NULL;

	if (!debug_whole(r, dwarf_srclines_b(unit, &version, &tables, &context, &r->error)))
		return;
	f = files_known(r, r->unit_offset);
	if (!f)
		f = files_make(r, r->unit_offset, context, version);
	if (debug_whole(r, dwarf_srclines_from_linecontext(context, &lines, &count, &r->error))) {
		for (Dwarf_Signed i = 0; i < count && !debug_stopped(r); i++) {
			if (!add_row(r, lines[i], i + 1 < count ? lines[i + 1] : NULL, f, &first))
				break;
		}
	}
	r->out->rows.count = first; /* rows without an end_sequence have no known end */
	dwarf_srclines_dealloc_b(context);
}
