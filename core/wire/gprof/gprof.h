/*
 * gprof: the stream of the gprof thesis (4.3, 4.4). What auto.c needs of it; the decoder itself is
 * reached through wire_gprof_ops and wire_gprof_hex_ops.
 *
 *	'A' from to	one call; both addresses big-endian, `width` bytes each
 *	'P' pc		one sample
 */
#ifndef WSNTOP_WIRE_GPROF_GPROF_H
#define WSNTOP_WIRE_GPROF_GPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/wire/codemap.h"

#define GPROF_WIDTH_MIN 2
#define GPROF_WIDTH_MAX 4

/* Bytes of a prefix that gprof_probe looks at (twice as many hex digits); more are ignored. */
#define GPROF_PROBE_BYTES 2048

/*
 * How much of the beginning of a stream is gprof packets: the percentage, 0 to 100, of the bytes
 * that are in step, printable text aside; 0: none. With a codemap a packet in step has addresses
 * that make sense in it; without one, or where it plainly is another firmware's, markers at the
 * right distance.
 *
 * *width: bytes an address, 0 if that cannot be told; *packets: how many are in step; *in_step:
 * bytes (hex: characters) that they cover. Any of the three pointers may be NULL. `code` may be
 * NULL.
 *
 * A short prefix tells little: ask for some ten packets with an image, twenty without.
 */
int gprof_probe(const uint8_t *data, size_t n, bool hex, const struct codemap *code,
		unsigned *width, size_t *packets, size_t *in_step);

#endif
