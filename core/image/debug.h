/*
 * debug: the contents of DWARF 2 to 5 as plain tables. dwarf.c is the one file that knows
 * libdwarf.
 *
 * Nothing here is trusted: ranges may be anywhere, and functions that the linker discarded often
 * start at 0. table.c and lines.c decide which are valid.
 */
#ifndef WSNTOP_IMAGE_DEBUG_H
#define WSNTOP_IMAGE_DEBUG_H

#include <stdatomic.h>
#include <stdbool.h>

#include "core/base/arena.h"
#include "core/base/map.h"
#include "core/image/elf.h"
#include "core/image/spans.h"

#define DEBUG_NONE UINT32_MAX

/* A source function: an abstract instance, or a subprogram that has none. */
struct debug_function {
	const char *name, *linkage;	/* raw; NULL: not given */
	uint32_t path, line;		/* of its declaration; DEBUG_NONE, 0 */
};

/* Machine code of one: out of line, or a clone. */
struct debug_instance {
	uint32_t function, unit;
	bool accepted;			/* set by table.c */
};

/* A body inlined into an instance. */
struct debug_inline {
	uint32_t function, instance;
	uint32_t parent;		/* the inlined body around this one, or DEBUG_NONE */
	uint32_t call_path, call_line;
};

/* A row of the line table: from `address` on. path DEBUG_NONE with line 0 ends a sequence. */
struct debug_row {
	uint64_t address;
	uint32_t path, line;
};

struct debug_sequence {
	uint64_t low, high;
	size_t first, count;		/* of rows */
	uint32_t unit;
};

struct debug_path {
	const char *path, *file;	/* visible; file is its last component */
};

#define DEBUG_TABLE(type) struct { type *v; size_t count, cap; }

struct debug_data {
	struct arena strings;
	struct map strings_by_hash;
	DEBUG_TABLE(const char *) interned;
	DEBUG_TABLE(struct debug_path) paths;
	struct map paths_by_string;
	DEBUG_TABLE(struct debug_function) functions;
	DEBUG_TABLE(struct debug_instance) instances;
	struct spans code;		/* of instances, as given */
	DEBUG_TABLE(struct debug_inline) inlines;
	struct spans inlined;		/* of inlines, as given; depth: nesting */
	DEBUG_TABLE(struct debug_row) rows;
	DEBUG_TABLE(struct debug_sequence) sequences;
	uint32_t units;
	/* Out of memory, a limit hit, or broken: the tables are valid as far as they go. */
	bool incomplete;
};

bool debug_present(const struct elf *e);

/*
 * Read it all, in a process of its own (core/image/apart.h); returns early when *stop becomes true.
 * There is no failure: tables may be incomplete. *read (may be NULL): progress in per mille.
 */
void debug_read(struct debug_data *d, const struct elf *e, const atomic_bool *stop,
		atomic_uint *read);

/* The same in this process. */
void debug_read_here(struct debug_data *d, const struct elf *e, const atomic_bool *stop,
		     atomic_uint *read);

void debug_release(struct debug_data *d);

/* For the reader: its strings and paths, each kept once. NULL and DEBUG_NONE when memory is out. */
void debug_init(struct debug_data *d);
const char *debug_intern(struct debug_data *d, const char *s);
uint32_t debug_path(struct debug_data *d, const char *directory, const char *name);

#endif
