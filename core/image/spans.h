/*
 * spans: half-open address intervals [low, high) with a number each; sorting, cutting and
 * searching them.
 */
#ifndef WSNTOP_IMAGE_SPANS_H
#define WSNTOP_IMAGE_SPANS_H

#include <stddef.h>
#include <stdint.h>

#define SPAN_NONE UINT32_MAX

struct span {
	uint64_t low, high;
	uint32_t id;
	uint32_t depth;		/* of spans that start together the deeper one is the inner one */
};

struct spans {
	struct span *v;
	size_t count, cap;
};

void spans_release(struct spans *s);
int spans_add(struct spans *s, struct span span); /* 0 or ERR_NOMEM; an empty span is dropped */

/*
 * Sort, and cut up what overlaps so that every address has one owner: the span that starts later,
 * and after its end the one around it again. 0 or ERR_NOMEM with *s as it was, sorted.
 */
int spans_flatten(struct spans *s);

/* Of flat spans: the index of the one that holds an address, or SIZE_MAX. */
size_t spans_index(const struct spans *s, uint64_t address);

/* Its id, or SPAN_NONE. */
uint32_t spans_find(const struct spans *s, uint64_t address);

#endif
