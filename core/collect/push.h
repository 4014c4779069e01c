/*
 * push: profiles to a server of continuous profiling, by Pyroscope's HTTP endpoint: POST
 * /push.v1.PusherService/Push, JSON {"series":[{"labels":[{"name","value"}],"samples":[{"ID",
 * "rawProfile": base64 of a gzipped pprof}]}]}. One profile for each build and site. Nothing
 * blocks: one request at a time, PUSH_WAITING wait; what finds no room is dropped, counted, and
 * said once.
 */
#ifndef WSNTOP_COLLECT_PUSH_H
#define WSNTOP_COLLECT_PUSH_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/collect/post.h"

enum { PUSH_WAITING = 256, PUSH_FDS = POST_FDS };

struct push;

/* post_new's URL; 4040 is http's port without one. NULL: err. */
struct push *push_open(const char *url, struct err *err);
void push_close(struct push *p);	/* what waits is dropped; NULL is fine */

struct push_label {
	const char *name, *value;
};

/* Labels end with a NULL name. False: dropped. */
bool push_add(struct push *p, const struct push_label *labels, const void *pprof, size_t n);

/* How many of fds: PUSH_FDS at most. */
size_t push_poll(const struct push *p, uint64_t now, struct pollfd *fds, int *ms);
void push_service(struct push *p, uint64_t now);

struct push_tally {
	uint64_t sent, dropped, failed;
	const char *why;		/* of the newest failure; "": none since one was sent */
};
void push_tally(const struct push *p, struct push_tally *t);
bool push_is_idle(const struct push *p);

#endif
