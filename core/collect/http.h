/*
 * http: a text for whoever asks for it (GET /metrics), HTTP/1.1 without anything else: a connection
 * an answer. Bounded: HTTP_CLIENTS at once, the oldest has to go for one more; HTTP_HEAD bytes of a
 * request; HTTP_NS for a connection. Nothing blocks.
 */
#ifndef WSNTOP_COLLECT_HTTP_H
#define WSNTOP_COLLECT_HTTP_H

#include <poll.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"

enum { HTTP_CLIENTS = 16, HTTP_HEAD = 4096 };

struct http;

/* PORT, HOST:PORT or [IPV6]:PORT; without a host the loopback. NULL with the sentence. */
struct http *http_open(const char *where, struct err *err);
void http_close(struct http *h);	/* NULL is fine */
unsigned http_port(const struct http *h);	/* what 0 became */

/* The text from now on, copied. Connections that are being answered go on with theirs. */
void http_put(struct http *h, const char *text, size_t n);

/* How many of fds, HTTP_CLIENTS + 1 at most; *ms becomes shorter. */
size_t http_poll(const struct http *h, uint64_t now, struct pollfd *fds, int *ms);
void http_service(struct http *h, uint64_t now);

#endif
