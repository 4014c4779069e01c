/*
 * buf: a byte string that grows.
 *
 * Owned by its holder. A failed allocation is remembered (`failed`) and later
 * appends do nothing, so a long series needs one check at its end.
 * `data` is always NUL-terminated once something was appended; use buf_str.
 */
#ifndef WSNTOP_BASE_BUF_H
#define WSNTOP_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

struct buf {
	char *data;
	size_t len;
	size_t cap;
	bool failed;
};

#define BUF_INIT { NULL, 0, 0, false }

void buf_init(struct buf *b);
void buf_release(struct buf *b);
void buf_reset(struct buf *b);			/* empty, memory kept */
void buf_add(struct buf *b, const void *data, size_t n);
void buf_addc(struct buf *b, char c);
void buf_adds(struct buf *b, const char *s);
void buf_add_base64(struct buf *b, const void *data, size_t n);
void buf_addf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *buf_str(const struct buf *b);	/* never NULL; borrowed until the next call on b */
/* The caller mem_free()s it; NULL if anything failed. */
char *buf_detach(struct buf *b);

#endif
