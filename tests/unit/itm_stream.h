/*
 * itm_stream: ITM and DWT packets, and a TPIU's frames around them, made by the architecture's
 * manuals apart from the code under test; and what a decoder says of them, as sums that do not
 * depend on the order of batches.
 */
#ifndef WSNTOP_TESTS_ITM_STREAM_H
#define WSNTOP_TESTS_ITM_STREAM_H

#include <stdlib.h>
#include <string.h>

#include "core/wire/wire.h"

enum { ITM_BYTES = 1 << 16 };

struct itm_stream {
	uint8_t bytes[ITM_BYTES];
	size_t n;
};

static inline void itm_add(struct itm_stream *s, uint8_t head, uint32_t value, unsigned size)
{
	s->bytes[s->n++] = head;
	for (unsigned i = 0; i < size; i++)
		s->bytes[s->n++] = (uint8_t)(value >> 8 * i);
}

static inline uint8_t itm_size(unsigned size)
{
	return size == 4 ? 3 : (uint8_t)size;
}

static inline void itm_text(struct itm_stream *s, unsigned port, const char *text)
{
	for (; *text; text++)
		itm_add(s, (uint8_t)(port << 3 | 1), (uint8_t)*text, 1);
}

static inline void itm_pc(struct itm_stream *s, uint32_t pc)
{
	itm_add(s, 0x17, pc, 4);
}

static inline void itm_sleep(struct itm_stream *s)
{
	itm_add(s, 0x15, 0, 1);
}

/* kind: 1 entered, 2 exited, 3 returned to */
static inline void itm_exception(struct itm_stream *s, unsigned kind, unsigned number)
{
	itm_add(s, 0x0e, kind << 12 | number, 2);
}

static inline void itm_written(struct itm_stream *s, unsigned comparator, uint32_t value,
			       unsigned size)
{
	itm_add(s, (uint8_t)((0x11 | comparator << 1) << 3 | 4 | itm_size(size)), value, size);
}

static inline void itm_writer(struct itm_stream *s, unsigned comparator, uint32_t pc)
{
	itm_add(s, (uint8_t)((0x08 | comparator << 1) << 3 | 4 | 3), pc, 4);
}

static inline void itm_time(struct itm_stream *s, uint32_t ticks)
{
	if (ticks >= 1 && ticks <= 6) {
		s->bytes[s->n++] = (uint8_t)(ticks << 4);
		return;
	}
	s->bytes[s->n++] = 0xc0;
	for (; ticks >= 0x80; ticks >>= 7)
		s->bytes[s->n++] = (uint8_t)(0x80 | (ticks & 0x7f));
	s->bytes[s->n++] = (uint8_t)ticks;
}

static inline void itm_overflow(struct itm_stream *s)
{
	s->bytes[s->n++] = 0x70;
}

static inline void itm_sync(struct itm_stream *s)
{
	memset(s->bytes + s->n, 0, 5);
	s->bytes[s->n + 5] = 0x80;
	s->n += 6;
}

/* The stream in frames, as stream `id`, with bytes of stream 2 between where `other` says so. */
static inline void itm_frame(struct itm_stream *out, const struct itm_stream *in, uint8_t id,
			     bool other)
{
	size_t at = 0, frames = 0;

	out->n = 0;
	while (at < in->n) {
		uint8_t *f = out->bytes + out->n;

		memset(f, 0, 16);
		f[0] = (uint8_t)(id << 1 | 1);
		for (size_t i = 1; i < 15; i++) {
			bool last = i == 12 && other && frames % 3 == 1;
			uint8_t byte = at < in->n ? in->bytes[at] : 0;

			if (last) {		/* the byte behind it is still of this stream */
				f[12] = 2 << 1 | 1;
				f[15] |= 1 << 6;
				f[13] = byte;
				f[14] = 0x5a;
				at += at < in->n;
				break;
			}
			f[i] = i % 2 ? byte : (uint8_t)(byte & 0xfe);
			if (i % 2 == 0)
				f[15] |= (uint8_t)((byte & 1) << i / 2);
			at += at < in->n;
		}
		out->n += 16;
		frames++;
	}
}

/* --- what is heard ---------------------------------------------------------------------------- */

struct itm_heard {
	uint64_t pcs, pc_sum, asleep, entered, exited, returned, numbers, accesses, values, missing;
	uint64_t access_pcs, ticks, text_sum;
	char text[256];
	size_t text_n;
	const struct wire *wire;
	struct wire_stats stats;
};

static inline void itm_date(struct itm_heard *h)
{
	const struct wire_when *when = wire_when(h->wire);

	if (when->clock)
		h->ticks = h->ticks * 31 + when->ticks;
}

static inline void itm_hear_samples(void *ctx, const uint32_t *pcs, size_t n)
{
	struct itm_heard *h = ctx;

	for (size_t i = 0; i < n; i++)
		h->pc_sum = h->pc_sum * 31 + pcs[i];
	h->pcs += n;
}

static inline void itm_hear_asleep(void *ctx, size_t n)
{
	((struct itm_heard *)ctx)->asleep += n;
}

static inline void itm_hear_exception(void *ctx, const struct wire_exception *e)
{
	struct itm_heard *h = ctx;

	h->entered += e->kind == EXCEPTION_ENTERED;
	h->exited += e->kind == EXCEPTION_EXITED;
	h->returned += e->kind == EXCEPTION_RETURNED;
	h->numbers = h->numbers * 31 + e->number;
	itm_date(h);
}

static inline void itm_hear_access(void *ctx, const struct wire_access *a)
{
	struct itm_heard *h = ctx;

	h->accesses++;
	h->values = h->values * 31 + (a->has & ACCESS_VALUE ? a->value : 0);
	h->access_pcs += !!(a->has & ACCESS_PC);
	itm_date(h);
}

static inline void itm_hear_missing(void *ctx)
{
	((struct itm_heard *)ctx)->missing++;
}

static inline void itm_hear_text(void *ctx, const char *text, size_t n)
{
	struct itm_heard *h = ctx;

	for (size_t i = 0; i < n; i++) {
		h->text_sum = h->text_sum * 31 + (uint8_t)text[i];
		if (h->text_n < sizeof(h->text) - 1)
			h->text[h->text_n++] = text[i];
	}
}

/* In pieces of so many bytes. */
static inline void itm_hear(struct itm_heard *h, const struct codemap *code, const uint8_t *p,
			    size_t n, size_t piece)
{
	struct wire_sink sink = {
		.ctx = h, .samples = itm_hear_samples, .asleep = itm_hear_asleep,
		.exception = itm_hear_exception, .access = itm_hear_access,
		.missing = itm_hear_missing, .text = itm_hear_text,
	};
	struct wire_options o = { .code = code, .clock_hz = 72000000 };
	struct wire *w;

	memset(h, 0, sizeof(*h));
	w = wire_new("itm", &o, &sink, NULL);
	if (!w)
		abort();
	h->wire = w;
	for (size_t at = 0; at < n; at += piece) {
		wire_feed(w, p + at, piece < n - at ? piece : n - at);
		wire_down(w);			/* nothing can be sent to a file */
	}
	wire_flush(w, true);
	wire_stats(w, &h->stats);
	wire_free(w);
	h->wire = NULL;
}

#endif
