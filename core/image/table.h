/*
 * table: the functions that an image shows, and which addresses are whose. Made once from symbols,
 * and again when DWARF is read: DWARF's subprograms first, symbols where it has none.
 */
#ifndef WSNTOP_IMAGE_TABLE_H
#define WSNTOP_IMAGE_TABLE_H

#include "core/base/arena.h"
#include "core/image/debug.h"
#include "core/image/image.h"
#include "core/image/spans.h"
#include "core/image/symbols.h"

struct table_entry {
	struct image_function shown;	/* its name is made when it is first asked for */
	const char *raw;
	size_t length;
};

struct table {
	struct table_entry *entries;
	size_t count, cap;
	struct spans spans;		/* flat; ids index entries */
};

int table_from_symbols(struct table *t, const struct symbols *s, struct arena *strings);

/* Sets `accepted` in the instances of d. */
int table_from_dwarf(struct table *t, const struct symbols *s, struct debug_data *d,
		     const struct elf *e, struct arena *strings);
void table_release(struct table *t);

const struct image_function *table_function(struct table *t, uint32_t id, struct arena *strings);

#endif
