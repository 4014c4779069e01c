/*
 * post: a body to a server by HTTP or HTTPS, one at a time, for a poll loop, by libcurl without
 * threads of ours (its own looks a name up). Proxies are the environment's (http_proxy and the
 * like, curl's manual), as is the secret, which the command line would show to everybody:
 * WSNTOP_PUSH_PASSWORD, the password of ?user=NAME, or WSNTOP_PUSH_TOKEN, without a name. Neither
 * is in a sentence of ours; what the server answers is not, either, as it may repeat them.
 *
 * Redirects are answers. An answer is heard for POST_ANSWER bytes, and for 10 seconds from the
 * request's begin.
 */
#ifndef WSNTOP_COLLECT_POST_H
#define WSNTOP_COLLECT_POST_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

enum {
	POST_FDS = 8,			/* libcurl's are 5: tries over IPv6 and IPv4, a lookup */
	POST_ANSWER = 16 << 10,		/* with headers, of which proxies add some KB */
};

struct post;

/*
 * http[s]://HOST[:PORT][/PATH][?OPTIONS], with core/base/login.h's options; `port` is http's
 * without one, `path` goes behind PATH. NULL: err, also where there was no libcurl to build with.
 */
struct post *post_new(const char *url, unsigned port, const char *path, struct err *err);
void post_free(struct post *p);		/* NULL is fine */

/* JSON, borrowed until it has ended. 0 or a negative error. */
int post_begin(struct post *p, const void *body, size_t n);

struct post_end {
	int status;			/* 0: there was no answer */
	const char *why;		/* then; borrowed until the next post_begin */
};

/* True: the request has ended; once. */
bool post_service(struct post *p, uint64_t now, struct post_end *end);

/* How many of fds, POST_FDS at most; *ms becomes shorter. */
size_t post_poll(const struct post *p, uint64_t now, struct pollfd *fds, int *ms);

#endif
