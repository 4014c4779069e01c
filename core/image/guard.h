/*
 * guard: checks DWARF sections before libdwarf reads them.
 *
 * libdwarf 20210528 trusts some headers: a broken one makes it free memory twice, divide by zero or
 * read beyond the section. Headers are a few bytes each, so they are checked here first; the fuzzer
 * found which matter.
 */
#ifndef WSNTOP_IMAGE_GUARD_H
#define WSNTOP_IMAGE_GUARD_H

#include <stdbool.h>
#include <stdint.h>

struct guard_section {
	const char *name;
	uint8_t *bytes;
	uint64_t size;
	bool big;			/* byte order */
};

/* Rows that line tables may have: a byte makes one, and libdwarf makes all of a unit's at once. */
struct guard_rows {
	uint64_t unit, all;
};

/*
 * How many bytes of a section are sound, from its start: all, up to its first broken header, up to
 * the unit that has too many rows, or 0.
 */
uint64_t guard_size(const struct guard_section *s, const struct guard_rows *most);

#endif
