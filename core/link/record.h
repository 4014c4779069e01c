/*
 * record: every byte received, with its time, kept so that replaying it is the same stream.
 *
 * The file (little-endian): 8 bytes "wsnrec1\n", 8 bytes wall clock in ns since 1970 of time zero,
 * then chunks: u32 ns-delta low.., see record.c's layout. Each chunk stands alone and is written
 * with one write(2), so that a recording cut anywhere (full disk, power, kill -9) reads up to its
 * last whole chunk. link/file.c recognises and replays it.
 */
#ifndef WSNTOP_LINK_RECORD_H
#define WSNTOP_LINK_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

#define RECORD_MAGIC "wsnrec1\n"

struct record;

struct record *record_new(const char *path, struct err *err);	/* refuses to overwrite what is no recording */
void record_free(struct record *r);

/* 0, or ERR_IO: writing failed (full disk); the recording up to there is whole and the caller goes on. */
int record_add(struct record *r, uint64_t time_ns, const uint8_t *data, size_t n, struct err *err);

#endif
