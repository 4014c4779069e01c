/*
 * The wsn decoder: whole and in pieces the same events; after anything a good epoch is read right.
 *
 * Byte 0: bits 0-1 what the rest is: 0 the stream as it comes; else lines of "type, length, body"
 * that are wrapped into frames here, so that the fuzzer need not find a CRC: 1 with epoch and seq
 * as a node counts them, 2 and 3 with both from the input. Bit 2: an image. Bits 3-4: which node's
 * HELLO comes first. Bits 5-7: length of the pieces.
 */
#include <stdlib.h>
#include <string.h>

#include "core/wire/wire.h"
#include "core/wire/wsn/state.h"
#include "tests/unit/gprof_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STREAM_MAX = 1 << 17, HELLOS = 6 };

struct heard {
	uint64_t events, totals, statuses, text;	/* sums over what was said, in order */
	uint64_t text_bytes;
	uint64_t last_calls, last_total;
	uint16_t epoch;
	struct wire_stats stats;
};

static uint64_t hash_mix(uint64_t sum, uint64_t value)
{
	return (sum ^ value) * UINT64_C(0x100000001b3);
}

static void hear_hello(void *ctx, const struct wire_hello *h)
{
	struct heard *x = ctx;

	x->events = hash_mix(x->events, (uint64_t)h->epoch << 32 | h->features);
	x->events = hash_mix(x->events, strlen(h->name));
	x->epoch = h->epoch;
}

static void hear_epoch(void *ctx)
{
	struct heard *x = ctx;

	x->events = hash_mix(x->events, 77);
}

static void hear_status(void *ctx, const struct wire_status *s)
{
	struct heard *x = ctx;

	x->statuses = hash_mix(hash_mix(x->statuses, s->run), s->arcs_unheard ^ s->pcs_unheard);
	x->events = hash_mix(x->events, x->statuses);
}

static void hear_totals(void *ctx, const struct wire_total *t, size_t n)
{
	struct heard *x = ctx;

	for (size_t i = 0; i < n; i++) {
		x->totals = hash_mix(hash_mix(x->totals, (uint64_t)t[i].from << 32 | t[i].to),
				     t[i].calls);
		x->totals = hash_mix(hash_mix(x->totals, t[i].total),
				     t[i].min ^ t[i].max ^ t[i].flags);
		x->events = hash_mix(x->events, x->totals);
		x->last_calls = t[i].calls;
		x->last_total = t[i].total;
	}
}

static void hear_text(void *ctx, const char *text, size_t n)
{
	struct heard *x = ctx;

	for (size_t i = 0; i < n; i++)
		x->text = hash_mix(x->text, (uint8_t)text[i]);
	x->text_bytes += n;
}

/* --- frames ----------------------------------------------------------------------------------- */

static size_t frame_wrap(uint8_t *dst, uint8_t head, uint8_t seq, const uint8_t *body, size_t n)
{
	uint8_t block[WSN_BLOCK_MAX] = { head, seq };

	memcpy(block + 2, body, n);
	return wsn_wrap(dst, block, n + 2);
}

static const uint8_t hello_body[49] = {
	1, 0, 0,    0,    2, 0x13, 0, 0x12, 0x7a, 0,  0xe5, 3,  33,
	0, 9, 0,    4,    0, 64,   0, 32,   0,    64, 0,    64, 0,
};

/* What rows look like goes by the chip, and by whether durations are coded. */
static const struct node { uint8_t arch; uint16_t features; } nodes[4] = {
	{ WSN_ARCH_AVR22, 0x07ff },
	{ WSN_ARCH_ARMV7M, 0x07ff | WSN_F_OWN_ISR | WSN_F_MISSED | WSN_F_TRACE },
	{ WSN_ARCH_ARMV6M, 0x07ff & ~(WSN_F_CODED | WSN_F_HISTOGRAM) },
	{ WSN_ARCH_AVR, 0x07ff & ~WSN_F_CODED },
};

static size_t hello_write(uint8_t *dst, const struct node *node, uint16_t epoch, uint8_t seq)
{
	uint8_t body[sizeof(hello_body)];

	memcpy(body, hello_body, sizeof(body));
	body[1] = node->arch;
	body[2] = (uint8_t)node->features;
	body[3] = (uint8_t)(node->features >> 8);
	body[34] = (uint8_t)epoch;
	body[35] = (uint8_t)(epoch >> 8);
	return frame_wrap(dst, (uint8_t)(1 | (epoch & 7) << 5), seq, body, sizeof(body));
}

static size_t make_frames(uint8_t *out, const struct node *node, const uint8_t *p, size_t n,
			  bool counted)
{
	size_t len = hello_write(out, node, 0, 0), i = 0;
	uint8_t seq = 1;

	while (i + 2 < n && len + 2 * WSN_FRAME_MAX < STREAM_MAX) {
		uint8_t head = counted ? p[i] % (WSN_IDENTITY + 1) : p[i];
		size_t body = p[i + 1] % 64;

		i += 2;
		if (!counted)
			seq = p[i++];
		if (body > n - i)
			body = n - i;
		if (head == 0) {		/* text */
			memcpy(out + len, p + i, body);
			len += body;
		} else {
			len += frame_wrap(out + len, head, seq++, p + i, body);
		}
		i += body;
	}
	return len;
}

/* --- the test --------------------------------------------------------------------------------- */

/* Whatever it holds can be told to another one, as frames that are none of them damaged. */
static void resume_try(const struct wire *w, const struct codemap *code)
{
	struct wire_options o = { .code = code };
	struct wire_sink sink = { .ctx = NULL };
	struct wire *later = wire_new("wsn", &o, &sink, NULL);
	struct buf told = BUF_INIT;
	struct wire_stats stats;

	if (!later)
		return;
	wire_resume(w, &told);
	wire_feed(later, (const uint8_t *)buf_str(&told), told.len);
	wire_stats(later, &stats);
	if (stats.damaged || stats.lost || stats.bad_bytes)
		abort();
	buf_release(&told);
	wire_free(later);
}

static void events_hear(struct heard *h, const struct codemap *code, const uint8_t *data, size_t n,
		 size_t piece, const uint8_t *good, size_t good_n)
{
	struct wire_sink sink = { .ctx = h,
				  .text = hear_text,
				  .hello = hear_hello,
				  .epoch = hear_epoch,
				  .status = hear_status,
				  .totals = hear_totals };
	struct wire_options o = { .code = code };
	struct wire *w = wire_new("wsn", &o, &sink, NULL);

	memset(h, 0, sizeof(*h));
	if (!w)
		return;
	for (size_t at = 0; at < n; at += piece)
		wire_feed(w, data + at, piece < n - at ? piece : n - at);
	if (!good_n) {
		wire_set_code(w, NULL);
		wire_set_code(w, code);
	}
	wire_feed(w, good, good_n);
	wire_flush(w, true);
	wire_stats(w, &h->stats);
	if (h->stats.bytes != n + good_n || h->stats.bad_bytes > n || h->text_bytes > n ||
	    h->stats.text_bytes != h->text_bytes)
		abort();
	if (piece >= n)		/* in pieces it holds the same */
		resume_try(w, code);
	wire_free(w);
}

/* Frames of an epoch, as short as they can be, until nothing is stale; then its HELLOs. */
static size_t epoch_write(uint8_t *out, uint16_t epoch)
{
	static const uint8_t name = 'n';
	size_t n = 0;
	uint8_t seq = 0;

	while (seq < WSN_STALE)
		n += frame_wrap(out + n, (uint8_t)(WSN_NAME | (epoch & 7) << 5), seq++, &name, 1);
	while (seq < WSN_STALE + HELLOS)
		n += hello_write(out + n, &nodes[0], epoch, seq++);
	return n;
}

/*
 * An epoch that is none of those before, long enough that nothing is stale (WSN_STALE); its one row
 * is read. Three times, for the input may have been in this very epoch. Another goes before it:
 * frames of the input that wait for this epoch's HELLO are forgotten then.
 */
static size_t make_good(uint8_t *out, uint16_t epoch)
{
	static const uint8_t row[] = { 5, 1, 2, 9, 99, 3, 4, 1, 2, 3, 0, 0, 0, 0, 3 };
	size_t n = 1;

	out[0] = 0;
	n += epoch_write(out + n, (uint16_t)(epoch - 1));
	n += epoch_write(out + n, epoch);
	for (int i = 0; i < 3; i++)
		n += frame_wrap(out + n, (uint8_t)(WSN_SITES | (epoch & 7) << 5),
				(uint8_t)(WSN_STALE + HELLOS + i), row, sizeof(row));
	return n;
}

/* Most inputs end in the same one. */
static const uint8_t *good_find(uint16_t epoch, size_t *n)
{
	static uint8_t good[16384];
	static uint16_t made_epoch;
	static size_t made;

	if (!made || made_epoch != epoch)
		made = make_good(good, epoch);
	made_epoch = epoch;
	*n = made;
	return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t stream[STREAM_MAX];
	static struct gprof_map avr, arm;
	const struct node *node;
	const struct codemap *code;
	struct heard whole, pieces;
	const uint8_t *p = data + 1, *good;
	size_t n = size - 1, good_n;

	if (size < 2)
		return 0;
	if (!avr.code.size) {
		gprof_map_init(&avr, CODE_AVR, 0);
		gprof_map_init(&arm, CODE_ARM, 0);
	}
	node = &nodes[data[0] >> 3 & 3];
	code = !(data[0] & 4) ? NULL : node->arch < WSN_ARCH_ARMV6M ? &avr.code : &arm.code;
	if (data[0] & 3) {
		n = make_frames(stream, node, p, n, (data[0] & 3) == 1);
		p = stream;
	}
	events_hear(&whole, code, p, n, n, NULL, 0);
	events_hear(&pieces, code, p, n, 1 + (data[0] >> 5) * 22, NULL, 0);
	if (memcmp(&whole, &pieces, sizeof(whole)) != 0)
		abort();

	good = good_find((uint16_t)(whole.epoch + 0x1003), &good_n);
	events_hear(&whole, code, p, n, n, good, good_n);
	if (whole.epoch != (uint16_t)(pieces.epoch + 0x1003) || whole.last_calls != 9 ||
	    whole.last_total != 94)
		abort();
	return 0;
}
