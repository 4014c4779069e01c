/*
 * trace_made: a node in C that writes tokens as docs/PROTOCOL.md, 9, says: one lane, whose calls
 * the test makes. What it did is kept beside, to be compared with what a trace tells.
 */
#ifndef WSNTOP_TESTS_TRACE_MADE_H
#define WSNTOP_TESTS_TRACE_MADE_H

#include <stdlib.h>
#include <string.h>

#include "core/trace/trace.h"

static inline void made_check(const void *p)
{
	if (!p)
		abort();
}

enum { BUFFER = 256, DEPTH = 64, SLOTS = 128, UNIT_SHIFT = 3, FRAME = 48 };

struct level {
	uint64_t hash;		/* the caller's */
	size_t at;		/* of its OPEN + 1; 0: sent */
	uint32_t id;
	uint64_t content;	/* the caller's */
};

struct event {
	enum trace_event_kind kind;
	uint32_t id;
	uint64_t ticks;
};

struct node {
	struct trace *trace;	/* frames go there; NULL: to `send` */
	void (*send)(const struct wire_trace *frame);
	uint8_t lane;
	uint8_t buffer[BUFFER];
	size_t count;
	struct level levels[DEPTH];
	uint32_t depth, sent_depth;
	uint8_t encoding;	/* 1, 2, 7, 8 */
	uint64_t hash;
	uint64_t table[SLOTS];
	uint64_t content, contents[SLOTS];	/* what 64 bits tell apart, and a hash may not */
	uint64_t closed, mistaken;	/* calls that returned new; that the hash took for known */
	uint64_t ticks;
	uint8_t number;
	uint64_t frames, bytes;
	uint32_t untold;	/* calls counted alone */
	struct event *truth;
	size_t truth_count, truth_cap;
	unsigned loss;		/* of a thousand frames */
	unsigned seed;
};

static unsigned node_random(struct node *n, unsigned below)
{
	n->seed = n->seed * 1664525 + 1013904223;
	return (n->seed >> 8) % below;
}

static void truth_add(struct node *n, enum trace_event_kind kind, uint32_t id)
{
	if (!n->trace)
		return;
	if (n->truth_count == n->truth_cap) {
		n->truth_cap = n->truth_cap ? 2 * n->truth_cap : 1024;
		n->truth = realloc(n->truth, n->truth_cap * sizeof(*n->truth));
		made_check(n->truth);
	}
	n->truth[n->truth_count++] = (struct event){ kind, id, n->ticks };
}

/* References of 16 bits. */
static bool is_narrow(const struct node *n)
{
	return n->encoding == 1 || n->encoding == 8;
}

static size_t token_length(const struct node *node, const uint8_t *p)
{
	size_t n = 3;

	if (p[0] == 0xff && p[1] == 1)
		return 2;		/* FORGET */
	if (p[0] == 0xff && p[1] >= 4 && p[1] <= 6)	/* MARK, VALUE, STATE: of a byte each */
		return p[1] == 4 ? 3 : 4;
	if (p[0] == 0xff) {		/* BOX id, count */
		while (p[n] & 0x80)
			n++;
		return n + 1;
	}
	if (p[0] == 0x7f)
		return is_narrow(node) ? 3 : 4;
	return p[0] == 0 || p[0] == 0x80 ? 3 : p[0] == 0x7d ? 2 : 1;
}

/* The oldest tokens leave as a frame. */
static void node_send(struct node *n)
{
	struct wire_trace frame = { .lane = n->lane, .number = n->number, .untold = n->untold };
	uint32_t stack[DEPTH], depth = n->sent_depth;
	size_t count = 0;
	bool whole = n->number % 8 == 0;

	while (count < n->count && count < FRAME) {
		uint8_t t = n->buffer[count];

		/* What is open behind these bytes is what no OPEN waits for. */
		n->sent_depth += t >= 1 && t <= 0x7c;
		n->sent_depth -= t == 0x7e;
		count += token_length(n, n->buffer + count);
	}
	for (uint32_t i = 0; i < depth && i < n->depth; i++)
		stack[i] = n->levels[i].id;
	if (depth > n->depth)		/* its CLOSE waits: not told, to be short */
		whole = false;
	frame.time = (uint32_t)n->ticks;
	frame.depth = depth;
	frame.stack = whole ? stack : NULL;
	frame.tokens = n->buffer;
	frame.count = count;
	if (node_random(n, 1000) < n->loss)
		;
	else if (n->trace)
		trace_frame(n->trace, &frame);
	else
		n->send(&frame);
	n->number++;
	n->frames++;
	n->bytes += count;
	memmove(n->buffer, n->buffer + count, n->count - count);
	n->count -= count;
	for (uint32_t i = 0; i < n->depth; i++)
		n->levels[i].at = n->levels[i].at > count ? n->levels[i].at - count : 0;
}

static void node_put(struct node *n, const uint8_t *token, size_t count)
{
	while (n->count + count > BUFFER)
		node_send(n);
	memcpy(n->buffer + n->count, token, count);
	n->count += count;
}

static void node_stamp(struct node *n)
{
	uint64_t units = n->ticks >> UNIT_SHIFT;

	node_put(n, (uint8_t[]){ 0, (uint8_t)units, (uint8_t)(units >> 8) }, 3);
}

/* Of what follows it alone. */
static inline void node_stamp_own(struct node *n)
{
	uint64_t units = n->ticks >> UNIT_SHIFT;

	node_put(n, (uint8_t[]){ 0x80, (uint8_t)units, (uint8_t)(units >> 8) }, 3);
}

static uint8_t hash_byte(uint64_t hash, unsigned n)
{
	return (uint8_t)(hash >> 8 * n);
}

/* Encoding 2: bytes side, 1, 2, 3, 0 of the word. */
static uint32_t word_of(uint64_t hash)
{
	return (uint32_t)(hash & 0xffffff00) | (uint32_t)(hash >> 32);
}

static uint64_t word_put(uint32_t word, uint64_t side)
{
	side += word;			/* as if the call ended here */
	return (word & 0xffffff00) | (uint64_t)(word & 0xff) << 32 | (side & 0xff);
}

static uint64_t word_add(uint64_t hash, uint32_t value)
{
	uint32_t was = word_of(hash), word = was * 0x9e3779b5 + value;

	return word_put(word, hash - was + word);
}

static uint64_t word_called(uint64_t hash, uint64_t call)
{
	uint32_t was = word_of(hash), of = word_of(call);

	return word_put((was + (of >> 21 | of << 11)) * 0x9e3779b5, hash - was + call);
}

/* Encodings 1, 7 and 8. */
static uint64_t hash_pair(const struct node *n, uint64_t h, uint8_t a, uint8_t b)
{
	unsigned k = n->encoding == 8 ? 231 : 251;
	unsigned p = k * (hash_byte(h, 2) ^ a) + hash_byte(h, 1);
	unsigned q = k * (hash_byte(h, n->encoding == 7 ? 3 : 0) ^ b) + (p >> 8);

	if (is_narrow(n))
		return q | (p & 0xff) << 16;
	return q | (uint64_t)hash_byte(h, 4) << 16 | (uint64_t)hash_byte(h, 0) << 24 |
	       (uint64_t)(p & 0xff) << 32;
}

static uint64_t hash_begun(const struct node *n, uint32_t id)
{
	if (n->encoding == 2)
		return word_put(id, 0);
	return n->encoding == 7 ? id | (uint64_t)id << 24 : id;
}

static uint64_t hash_plus(uint64_t h, unsigned n, uint8_t value)
{
	uint64_t sum = (uint8_t)(hash_byte(h, n) + value);

	return (h & ~(UINT64_C(0xff) << 8 * n)) | sum << 8 * n;
}

static uint64_t hash_leaf(const struct node *n, uint64_t h, uint32_t id)
{
	return n->encoding == 2 ? word_add(h, id | 0x80) :
				  hash_pair(n, h, (uint8_t)(id | 0x80), 0);
}

static uint64_t hash_called(const struct node *n, uint64_t h, uint64_t call)
{
	if (n->encoding == 2)
		return word_called(h, call);
	h = hash_pair(n, h, hash_byte(call, n->encoding == 7 ? 3 : 0), hash_byte(call, 2));
	if (is_narrow(n))
		return hash_plus(h, 1, hash_byte(call, 1));
	h = hash_plus(h, 1, hash_byte(call, 4));
	h = hash_plus(h, 2, hash_byte(call, 1));
	return hash_plus(h, 3, hash_byte(call, 0));
}

static inline uint64_t hash_boxed(const struct node *n, uint64_t h, uint32_t id, unsigned calls)
{
	if (n->encoding == 2)
		return word_add(word_add(word_add(h, calls), id), 0x1b0);
	h = hash_pair(n, h, 0xb0, 1);
	h = hash_pair(n, h, (uint8_t)id, 0);
	h = hash_pair(n, h, (uint8_t)calls, (uint8_t)(calls >> 8));
	return hash_pair(n, h, (uint8_t)(calls >> 16), (uint8_t)(calls >> 24));
}

static void node_child(struct node *n, uint64_t hash, uint64_t content)
{
	n->hash = hash;
	n->content = (n->content ^ content) * 0x9e3779b97f4a7c15u;
	n->content ^= n->content >> 29;
}

static inline void node_enter(struct node *n, uint32_t id)
{
	if (n->depth == 0)
		node_stamp(n);
	truth_add(n, TRACE_CALL, id);
	node_put(n, (uint8_t[]){ (uint8_t)id }, 1);
	n->levels[n->depth++] = (struct level){ n->hash, n->count, id, n->content };
	n->hash = hash_begun(n, id);
	n->content = id;
}

static void node_leaf_of(struct node *n, uint32_t id, unsigned ticks)
{
	if (n->depth == 0)
		node_stamp(n);
	truth_add(n, TRACE_CALL, id);
	n->ticks += ticks;
	truth_add(n, TRACE_RETURN, id);
	node_put(n, (uint8_t[]){ (uint8_t)(id | 0x80) }, 1);
	node_child(n, hash_leaf(n, n->hash, id), id + 1000);
	if (n->depth == 0)
		node_stamp(n);
}

static inline void node_leaf(struct node *n, uint32_t id)
{
	node_leaf_of(n, id, 20);
}

/* From here on all is told again. */
static inline void node_forget(struct node *n)
{
	node_put(n, (uint8_t[]){ 0xff, 1 }, 2);
	memset(n->table, 0xff, sizeof(n->table));
	memset(n->contents, 0, sizeof(n->contents));
	for (uint32_t i = 0; i < n->depth; i++)
		n->levels[i].at = 0;
}

/* A call that is counted and not told, with all that it calls. */
static inline void node_box(struct node *n, uint32_t id, unsigned calls, unsigned ticks)
{
	uint8_t token[8] = { 0xff, 2, (uint8_t)id };
	size_t length = 3;

	for (unsigned rest = calls; ; rest >>= 7) {
		token[length++] = (uint8_t)(rest > 0x7f ? rest | 0x80 : rest);
		if (rest <= 0x7f)
			break;
	}
	node_put(n, token, length);
	node_child(n, hash_boxed(n, n->hash, id, calls), id + calls * UINT64_C(1000));
	n->untold += calls;
	n->ticks += ticks;
}

static inline void node_exit(struct node *n)
{
	struct level *l = &n->levels[n->depth - 1];
	uint64_t hash = n->hash;
	uint64_t content = n->content;
	uint64_t compared = hash >> 8;
	bool alike = n->table[hash & 0x7f] == compared;
	bool known = alike && n->contents[hash & 0x7f] == content;

	truth_add(n, TRACE_RETURN, l->id);
	n->closed += !known;
	n->mistaken += alike && !known;
	n->table[hash & 0x7f] = compared;
	n->contents[hash & 0x7f] = content;
	if (known && l->at) {
		n->count = l->at - 1;
		node_put(n, (uint8_t[]){ 0x7f, (uint8_t)hash, (uint8_t)(hash >> 8),
					 (uint8_t)(hash >> 16) }, is_narrow(n) ? 3 : 4);
	} else {
		node_put(n, (uint8_t[]){ 0x7e }, 1);
	}
	n->depth--;
	n->hash = l->hash;
	n->content = l->content;
	node_child(n, hash_called(n, n->hash, hash), content);
	if (n->depth == 0)
		node_stamp(n);
}

static inline void node_begin(struct node *n, unsigned seed, unsigned loss)
{
	n->encoding = 1;
	n->seed = seed;
	n->loss = loss;
	memset(n->table, 0xff, sizeof(n->table));
}

static inline struct node *node_new_as(uint8_t encoding, unsigned seed, unsigned loss)
{
	struct node *n = calloc(1, sizeof(*n));

	made_check(n);
	node_begin(n, seed, loss);
	n->encoding = encoding;
	n->trace = trace_new();
	made_check(n->trace);
	trace_setup(n->trace, &(struct wire_tracing){
		.encoding = encoding, .stamp_shift = UNIT_SHIFT, .slots = SLOTS, .lanes = 2,
	}, 1000000);
	return n;
}

static inline struct node *node_new(unsigned seed, unsigned loss)
{
	return node_new_as(1, seed, loss);
}

static inline void node_free(struct node *n)
{
	trace_free(n->trace);
	free(n->truth);
	free(n);
}

#endif
