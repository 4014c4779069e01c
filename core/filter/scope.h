/*
 * scope: a function's own numbers for the functions that it calls (filter.h, "Codes").
 *
 * A call of a function that is followed becomes a call of a stub behind the caller, of the same
 * size, which has the code in registers and goes on to the callee's second entry.
 */
#ifndef WSNTOP_FILTER_SCOPE_H
#define WSNTOP_FILTER_SCOPE_H

#include "core/base/map.h"
#include "core/filter/outline.h"

#define SCOPE_CALLEES 63		/* further ones are entered as from outside */
#define SCOPE_LENGTH 7			/* bits of a code, at most */

struct filter_options;

struct scope_code {
	uint16_t bits;
	uint8_t length;			/* 0: none */
};

struct scope_callee {
	struct piece name;
	struct scope_code code;
	size_t stub;			/* number in the file */
};

/* A call: where its target stands in the text. */
struct scope_call {
	size_t at, size;
	size_t callee;
};

struct scope {
	struct scope_callee v[SCOPE_CALLEES];
	size_t count;
	struct scope_code leave;	/* the return's, where it has one */
	struct scope_call *calls;	/* in the order of the text */
	size_t call_count, cap;
};

/* Of f; `stubs`: number of the file's next stub. 0 or ERR_NOMEM. Call again for the next. */
int scope_find(struct scope *s, const struct filter_options *o, const struct outline *outline,
	       const struct function *f, size_t stubs);
void scope_release(struct scope *s);

/* How often functions called each other in a profile: what Huffman codes are made by. */
struct scope_counts {
	struct map calls;
};

/* Names as wsntop shows them. 0 or ERR_NOMEM. */
int scope_counts_add(struct scope_counts *c, const char *from, const char *to, uint64_t calls);

/* Of a file: names that other files see; functions that are called or taken from no scope. */
struct scope_names {
	struct nameset global, weak, strange;
};

int scope_names_find(struct scope_names *n, const struct filter_options *o,
		     const struct outline *s);
void scope_names_release(struct scope_names *n);

/* All its calls are in scopes: it has one entry. */
bool scope_is_private(const struct scope_names *n, const struct function *f);

#endif
