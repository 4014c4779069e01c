/*
 * dwarf_reader: shared by the DWARF reader's parts. Nothing else includes libdwarf, whose versions
 * differ in dwarf_version.h alone.
 *
 *	dwarf.c			units, the tree of DIEs, functions and inlined bodies
 *	dwarf_attributes.c	attributes of a DIE, and its address ranges
 *	dwarf_lines.c		files and rows
 *	dwarf_open.c		sections, libdwarf's object interface
 */
#ifndef WSNTOP_IMAGE_DWARF_READER_H
#define WSNTOP_IMAGE_DWARF_READER_H

#include "core/image/debug.h"
#include "core/image/dwarf_version.h"
#include "core/image/guard.h"

#define NO_OFFSET UINT64_MAX

/* One unit's files, by the numbers that its DIEs and its line table use. */
struct unit_files {
	Dwarf_Off offset;		/* of the unit's DIE */
	uint32_t *paths;
	Dwarf_Signed base, end;
};

struct debug_reader {
	const struct elf *elf;
	struct debug_data *out;
	const atomic_bool *stop;
	atomic_uint *read;		/* per mille; NULL: not wanted */
	Dwarf_Debug dbg;
	Dwarf_Error error;
	struct guard_section sections[16];
	unsigned section_count;
	uint64_t loaded;		/* bytes of them */
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

/* Attributes read of a DIE. */
struct attributes {
	const char *name, *linkage;
	uint64_t low, high, origin, specification;
	uint64_t decl_file, decl_line, call_file, call_line;
	Dwarf_Attribute ranges;
	bool has_low, has_high, high_is_size;
};

/* Whether a call gave something. An error's record goes at once: a broken file makes many. */
bool debug_ok(struct debug_reader *r, int ret);

/* As debug_ok, where an error means that part of the file cannot be read. */
bool debug_whole(struct debug_reader *r, int ret);

bool debug_stopped(const struct debug_reader *r);
void debug_give_up(struct debug_reader *r);		/* memory is out, or a limit reached */
void debug_remember(struct debug_reader *r, struct map *m, uint64_t key, uint32_t value);

/* A new item at the end of one of the tables, zeroed; NULL when memory is out. */
void *debug_append(struct debug_reader *r, void *v, size_t *count, size_t *cap, size_t size);

#define APPEND(r, table) \
	debug_append((r), &(table).v, &(table).count, &(table).cap, sizeof(*(table).v))

/* Attributes hold a handle of libdwarf's: release them. */
void debug_attributes(struct debug_reader *r, Dwarf_Die die, struct attributes *a);
void debug_attributes_release(struct debug_reader *r, struct attributes *a);

/* The ranges of the attributes, each added to `to` as a copy of `span` with its bounds. */
void debug_ranges(struct debug_reader *r, Dwarf_Die die, const struct attributes *a,
		  struct spans *to, struct span span);

/* The path of a file by its number in the unit with its DIE at `unit`; DEBUG_NONE: none. */
uint32_t debug_file_path(struct debug_reader *r, Dwarf_Off unit, uint64_t number_of_file);

/* The rows of the current unit. */
void debug_lines(struct debug_reader *r, Dwarf_Die unit);

/* Load and check the sections that libdwarf needs; call `work` with libdwarf open. */
void debug_load(struct debug_reader *r);
void debug_unload(struct debug_reader *r);
void debug_run(struct debug_reader *r, void (*work)(struct debug_reader *r));

#endif
