/*
 * wsn_stream: frames made by docs/PROTOCOL.md, apart from the code under test; and what a decoder
 * says of them, as text.
 *
 * A stream is written as a script, its items parted by '|':
 *
 *	H [key=number ...]	HELLO: f features, e epoch, a arch, u unit, B base, k capacities, s
 *				skew, g histogram, i id, c checksum,
 *				v version, l bytes left out at its end
 *	T, S, A, P, a, p	STATUS, SITES, ARCS, PCS, CLOSED_ARCS, CLOSED_PCS: their numbers
 *	N name			NAME
 *	X type bytes		any type, bytes as numbers
 *	t text			the console's
 *	e N, q N		the epoch's number and seq from here on
 *	d			the last frame once more
 *	r			the frame that was kept by '+'
 *	z			cut the last byte sent (a delimiter)
 *
 * before a frame: '-' it is lost; '+' it is kept back; '!' a bit of it is flipped; '/' its first
 * delimiter is lost.
 */
#ifndef WSNTOP_TESTS_WSN_STREAM_H
#define WSNTOP_TESTS_WSN_STREAM_H

#include "tests/unit/unit.h"

#include "core/base/buf.h"
#include "core/base/varint.h"
#include "core/wire/wire.h"

/* --- coding ----------------------------------------------------------------------------------- */

/* Bit by bit, as the definition says. */
static inline uint16_t stream_crc(const uint8_t *p, size_t n)
{
	unsigned crc = 0xffff;

	while (n--) {
		crc ^= (unsigned)*p++ << 8;
		for (int i = 0; i < 8; i++)
			crc = (crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1) & 0xffff;
	}
	return (uint16_t)crc;
}

static inline void stream_varint(struct buf *b, uint64_t x)
{
	uint8_t bytes[VARINT_MAX];

	buf_add(b, bytes, varint_put(bytes, x));
}

static inline void stream_fixed(struct buf *b, uint64_t x, size_t bytes)
{
	for (; bytes--; x >>= 8)
		buf_addc(b, (char)x);
}

struct stream {
	struct buf out;
	unsigned epoch;
	uint8_t seq;
	struct buf last, kept;		/* frames, delimiters included */
};

static inline void stream_release(struct stream *s)
{
	buf_release(&s->out);
	buf_release(&s->last);
	buf_release(&s->kept);
}

/* A frame of `body`, into s->last. It takes a number, sent or not. */
static inline void stream_frame(struct stream *s, unsigned type, const struct buf *body)
{
	struct buf block = BUF_INIT;
	uint16_t crc;

	buf_addc(&block, (char)(type | (s->epoch & 7) << 5));
	buf_addc(&block, (char)s->seq++);
	buf_add(&block, buf_str(body), body->len);
	crc = stream_crc((const uint8_t *)block.data, block.len);
	stream_fixed(&block, crc, 2);

	buf_reset(&s->last);
	buf_addc(&s->last, 0);
	for (size_t i = 0; i <= block.len;) {	/* each run up to a zero, its length + 1 before
						 * it */
		size_t n = 0;

		while (i + n < block.len && block.data[i + n])
			n++;
		buf_addc(&s->last, (char)(n + 1));
		buf_add(&s->last, block.data + i, n);
		i += n + 1;
	}
	buf_addc(&s->last, 0);
	buf_release(&block);
}

static inline void stream_send(struct stream *s)
{
	buf_add(&s->out, s->last.data, s->last.len);
}

struct stream_hello {
	unsigned version, arch, features, unit, histogram, capacity, left_out;
	int skew;
	uint32_t base, id;
	uint16_t sum;
};

/* An AVR with everything. */
#define STREAM_HELLO { .version = 1, .arch = 1, .features = 0x5e3, .unit = 2, \
		       .capacity = 64, .id = 7, .sum = 0x1234 }

static inline void stream_hello(struct stream *s, const struct stream_hello *h)
{
	const struct { uint64_t value; size_t bytes; } fields[] = {
		{ h->version, 1 }, { h->arch, 1 }, { h->features, 2 }, { h->unit, 1 },
		{ h->histogram, 1 }, { 8000000, 4 }, { 997, 2 }, { 33, 2 },
		{ (uint16_t)h->skew, 2 },
		{ 24, 2 }, { h->capacity, 2 }, { 32, 2 }, { h->capacity, 2 }, { h->capacity, 2 },
		{ h->base, 4 }, { h->id, 4 }, { s->epoch, 2 }, { 1, 1 }, { 0x100, 4 },
		{ 0x2000, 4 }, { h->sum, 2 }, { 0xabcd, 2 },
	};
	struct buf body = BUF_INIT;

	for (size_t i = 0; i < COUNT(fields); i++)
		stream_fixed(&body, fields[i].value, fields[i].bytes);
	body.len -= h->left_out;
	stream_frame(s, 1, &body);
	buf_release(&body);
}

/* --- scripts ---------------------------------------------------------------------------------- */

static inline void stream_hello_item(struct stream *s, const char *p)
{
	struct stream_hello h = STREAM_HELLO;

	for (; *p && *p != '|'; p++) {
		long long x;
		char *end;

		if (*p == ' ')
			continue;
		assert_int_equal(p[1], '=');
		x = strtoll(p + 2, &end, 0);
		switch (*p) {
		case 'f': h.features = (unsigned)x; break;
		case 'e': s->epoch = (unsigned)x; break;
		case 'a': h.arch = (unsigned)x; break;
		case 'u': h.unit = (unsigned)x; break;
		case 'B': h.base = (uint32_t)x; break;
		case 'i': h.id = (uint32_t)x; break;
		case 'c': h.sum = (uint16_t)x; break;
		case 'k': h.capacity = (unsigned)x; break;
		case 's': h.skew = (int)x; break;
		case 'g': h.histogram = (unsigned)x; break;
		case 'v': h.version = (unsigned)x; break;
		case 'l': h.left_out = (unsigned)x; break;
		default: fail_msg("no key '%c'", *p);
		}
		p = end - 1;
	}
	stream_hello(s, &h);
}

/* Numbers up to the item's end. */
static inline void stream_numbers(struct stream *s, unsigned type, const char *p, bool bytes)
{
	struct buf body = BUF_INIT;

	while (*p == ' ')
		p++;
	while (*p && *p != '|') {
		char *end;
		uint64_t x = strtoull(p, &end, 0);

		assert_true(end > p);
		if (bytes)
			buf_addc(&body, (char)x);
		else
			stream_varint(&body, x);
		for (p = end; *p == ' ';)
			p++;
	}
	stream_frame(s, type, &body);
	buf_release(&body);
}

static inline size_t stream_length(const char *p)
{
	return strcspn(p, "|");
}

static inline void stream_named(struct stream *s, const char *p)
{
	struct buf body = BUF_INIT;

	buf_add(&body, p, stream_length(p));
	stream_frame(s, 8, &body);
	buf_release(&body);
}

static inline void stream_item(struct stream *s, const char *p)
{
	static const char letters[] = "  TSAPap";	/* their types */
	char fault = *p;
	const char *letter;

	if (strchr("-+!/", fault))
		p++;
	letter = strchr(letters + 2, *p);
	if (letter)
		stream_numbers(s, (unsigned)(letter - letters), p + 1, false);
	else if (*p == 'H')
		stream_hello_item(s, p + 1);
	else if (*p == 'N')
		stream_named(s, p + 2);
	else if (*p == 'X')
		stream_numbers(s, (unsigned)atoi(p + 2), p + 2 + strcspn(p + 2, " |"), true);
	else
		fail_msg("no item '%c'", *p);
	if (fault == '!')
		s->last.data[s->last.len / 2] ^=
			s->last.data[s->last.len / 2] == 0x10 ? 0x20 : 0x10;
	if (fault == '+') {
		buf_reset(&s->kept);
		buf_add(&s->kept, s->last.data, s->last.len);
	} else if (fault == '/') {
		buf_add(&s->out, s->last.data + 1, s->last.len - 1);
	} else if (fault != '-') {
		stream_send(s);
	}
}

static __attribute__((noinline, unused)) void stream_script(struct stream *s, const char *p)
{
	while (*p) {
		switch (*p) {
		case 't': buf_add(&s->out, p + 2, stream_length(p + 2)); break;
		case 'e': s->epoch = (unsigned)strtoul(p + 1, NULL, 0); break;
		case 'q': s->seq = (uint8_t)strtoul(p + 1, NULL, 0); break;
		case 'd': stream_send(s); break;
		case 'r': buf_add(&s->out, s->kept.data, s->kept.len); break;
		case 'z': s->out.len--; break;
		default: stream_item(s, p);
		}
		p += stream_length(p);
		p += *p == '|';
	}
}

/* --- what is said ----------------------------------------------------------------------------- */

/* A line an event; consecutive text is one piece, so that the split of the bytes does not show. */
struct said {
	struct buf out, text;
};

static inline void said_settle(struct said *l)
{
	if (l->text.len) {
		buf_adds(&l->out, "T ");
		for (size_t i = 0; i < l->text.len; i++) {
			if (l->text.data[i] == '\n')
				buf_adds(&l->out, "\\n");
			else
				buf_addc(&l->out, l->text.data[i]);
		}
		buf_addc(&l->out, '\n');
	}
	buf_reset(&l->text);
}

static inline void said_text(void *ctx, const char *s, size_t n)
{
	buf_add(&((struct said *)ctx)->text, s, n);
}

static inline void said_epoch(void *ctx)
{
	said_settle(ctx);
	buf_adds(&((struct said *)ctx)->out, "epoch\n");
}

static inline void said_hello(void *ctx, const struct wire_hello *h)
{
	said_settle(ctx);
	buf_addf(&((struct said *)ctx)->out, "hello %s v%u a%u f%x e%u\n", h->name, h->version,
		 h->arch,
		 h->features, h->epoch);
}

static inline void said_identity(void *ctx, const struct wire_identity *id)
{
	said_settle(ctx);
	if (id->kind == WIRE_IDENTITY_SUM)
		buf_addf(&((struct said *)ctx)->out, "sum %x %x %x %x\n", id->start, id->length,
			 id->a, id->b);
	else
		buf_addf(&((struct said *)ctx)->out, "id %02x%02x %02x\n", id->build_id[0],
			 id->build_id[1], id->build_id[11]);
}

static inline void said_status(void *ctx, const struct wire_status *s)
{
	const struct { const char *name; uint64_t count; } lost[] = {
		{ "stack", s->stack_full }, { "table", s->table_full }, { "cut", s->cut },
		{ "text", s->text_lost }, { "carries", s->carries_lost }, { "arcs", s->arcs_lost },
		{ "pcs", s->pcs_lost }, { "nostack", s->no_stack },
	};
	struct said *l = ctx;

	said_settle(ctx);
	buf_addf(&l->out, "status %llu", (unsigned long long)s->run);
	if (s->arcs_unheard || s->pcs_unheard)
		buf_addf(&l->out, " unheard %llu %llu", (unsigned long long)s->arcs_unheard,
			 (unsigned long long)s->pcs_unheard);
	for (size_t i = 0; i < COUNT(lost); i++) {
		if (lost[i].count)
			buf_addf(&l->out, " %s %llu", lost[i].name,
				 (unsigned long long)lost[i].count);
	}
	buf_addc(&l->out, '\n');
}

static inline void said_total(struct said *l, const struct wire_total *t)
{
	static const struct { unsigned flag; const char *name; } flags[] = {
		{ ROW_HANDLER, " handler" }, { ROW_BIT16, " bit16" },
		{ ROW_AMBIGUOUS, " ambiguous" },
		{ ROW_GONE, " gone" }, { ROW_MAX_AT_LEAST, " max>=" },
		{ ROW_MIN_AT_LEAST, " min>=" },
	};
	static const char *const kinds[] = { "site", "arc", "pc" };

	buf_addf(&l->out, "%s %x", kinds[t->kind], (unsigned)t->from);
	if (t->kind != TOTAL_PC)
		buf_addf(&l->out, " %x", (unsigned)t->to);
	buf_addf(&l->out, " %llu", (unsigned long long)t->calls);
	if (t->has & TOTAL_TIMED)
		buf_addf(&l->out, " %llu", (unsigned long long)t->total);
	if (t->has & TOTAL_MINMAX && t->calls)
		buf_addf(&l->out, " %llu-%llu", (unsigned long long)t->min,
			 (unsigned long long)t->max);
	for (size_t i = 0; t->has & TOTAL_HISTOGRAM && i < WIRE_BUCKETS; i++)
		buf_addf(&l->out, "%s%llu", i ? "," : " ", (unsigned long long)t->bucket[i]);
	for (size_t i = 0; i < COUNT(flags); i++) {
		if (t->flags & flags[i].flag)
			buf_adds(&l->out, flags[i].name);
	}
	buf_addc(&l->out, '\n');
}

static inline void said_totals(void *ctx, const struct wire_total *totals, size_t n)
{
	said_settle(ctx);
	for (size_t i = 0; i < n; i++)
		said_total(ctx, &totals[i]);
}

static inline struct wire_sink said_sink(struct said *l)
{
	return (struct wire_sink){ .ctx = l, .text = said_text, .epoch = said_epoch,
				   .hello = said_hello, .identity = said_identity,
				   .status = said_status,
				   .totals = said_totals };
}

static inline void said_release(struct said *l)
{
	buf_release(&l->out);
	buf_release(&l->text);
}

static inline void stream_feed(struct wire *w, const void *data, size_t n, size_t step)
{
	const uint8_t *p = data;

	for (size_t i = 0; i < n; i += step)
		wire_feed(w, p + i, n - i < step ? n - i : step);
}

#endif
