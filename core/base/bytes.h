/*
 * bytes: a place in bytes of a file, where numbers and strings are read one after the other.
 *
 * The file is hostile: a read that goes beyond `end` gives 0 or "", and `beyond` stays set, so that
 * a series of reads needs one check at its end.
 */
#ifndef WSNTOP_BASE_BYTES_H
#define WSNTOP_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
	const uint8_t *data;
	uint64_t at, end;		/* in data */
	bool big;			/* byte order of numbers */
	bool beyond;
};

void bytes_skip(struct bytes *b, uint64_t n);
uint64_t bytes_take(struct bytes *b, unsigned n);	/* of n bytes, at most 8 */
uint64_t bytes_take_uleb(struct bytes *b);		/* ULEB128 and SLEB128 (varint.h) */
int64_t bytes_take_sleb(struct bytes *b);
const char *bytes_take_string(struct bytes *b);		/* NUL-terminated; borrowed from data */

#endif
