/*
 * itm: what a Cortex-M's debug module sends over SWO: PC samples, exceptions, data trace, text.
 *
 *	bytes -> held, until the framing is known -> tpiu -> packets -> waiting -> the sink
 *
 * A local time stamp is behind the packets that it dates, so these wait for it; a stream without
 * time stamps gives them out as they fill the queue, and when the line is silent.
 */
#include "core/wire/decoder.h"

#include <stdio.h>
#include <string.h>

#include "core/wire/itm/framing.h"
#include "core/wire/itm/packet.h"
#include "core/wire/itm/tpiu.h"

enum {
	WAITING_MAX = 256,		/* packets */
	WATCH_PACKETS = 256,		/* looked at together: is the framing still right? */
	WATCH_BAD = WATCH_PACKETS / 8,
	CLOCK_BITS = 64,
};

struct itm {
	struct wire wire;
	struct clock_terms clock;
	struct itm_framing framing;
	bool settled, up;		/* the framing is known; the line is up */
	uint8_t held[FRAMING_MOST];
	size_t held_n, probed;

	struct tpiu tpiu;
	struct itm_parser parser;
	uint64_t skipped;		/* of the parser's, counted */
	unsigned watched, bad;		/* packets since the framing was looked at */

	struct itm_packet waiting[WAITING_MAX];
	size_t waiting_n;
	uint64_t sampled, asleep;	/* PC samples; of these, not awake */
	uint64_t ticks;			/* sum of the local time stamps */
	bool stamped;			/* there was one */
	struct wire_access access;	/* whose packets come; `has` 0: none */
};

/* --- to the sink ------------------------------------------------------------------------------ */

/* PCs, and sleep, of a run of packets. */
struct samples {
	uint32_t pcs[WAITING_MAX];
	size_t count, asleep;
};

static void samples_give(struct itm *m, struct samples *s)
{
	const struct wire_sink *sink = &m->wire.sink;

	m->sampled += s->count + s->asleep;
	m->asleep += s->asleep;
	if (s->count && sink->samples)
		sink->samples(sink->ctx, s->pcs, s->count);
	if (s->asleep && sink->asleep)
		sink->asleep(sink->ctx, s->asleep);
	s->count = s->asleep = 0;
}

static void access_give(struct itm *m)
{
	if (m->access.has && m->wire.sink.access)
		m->wire.sink.access(m->wire.sink.ctx, &m->access);
	m->access.has = 0;
}

/* A match is told in up to three packets, its value last. */
static void access_take(struct itm *m, const struct itm_packet *k)
{
	static const uint8_t has[ITM_KINDS] = {
		[ITM_DATA_PC] = ACCESS_PC, [ITM_DATA_ADDRESS] = ACCESS_ADDRESS,
		[ITM_DATA_READ] = ACCESS_VALUE, [ITM_DATA_WRITE] = ACCESS_VALUE | ACCESS_WRITE,
		[ITM_DATA_MATCH] = ACCESS_MATCH,
	};
	struct wire_access *a = &m->access;

	if (a->has & has[k->kind] || a->comparator != k->id)
		access_give(m);
	if (!a->has)
		*a = (struct wire_access){ .comparator = k->id };
	a->has |= has[k->kind];
	switch (k->kind) {
	case ITM_DATA_PC:
		a->pc = (uint32_t)k->value;
		return;
	case ITM_DATA_ADDRESS:
		a->address = (uint16_t)k->value;
		return;
	case ITM_DATA_MATCH:
		access_give(m);
		return;
	default:
		a->value = (uint32_t)k->value;
		a->size = k->size;
		access_give(m);
	}
}

static void text_give(struct itm *m, const struct itm_packet *k)
{
	char text[4];

	for (size_t i = 0; i < k->size; i++)
		text[i] = (char)(k->value >> 8 * i);
	m->wire.stats.text_bytes += k->size;
	if (m->wire.sink.text)
		m->wire.sink.text(m->wire.sink.ctx, text, k->size);
}

static void exception_give(struct itm *m, const struct itm_packet *k)
{
	struct wire_exception e = { (enum wire_exception_kind)(k->id - ITM_ENTERED),
				    (uint16_t)k->value };

	if (m->wire.sink.exception)
		m->wire.sink.exception(m->wire.sink.ctx, &e);
}

static bool is_access(enum itm_kind kind)
{
	return kind >= ITM_DATA_PC && kind <= ITM_DATA_MATCH;
}

static void packet_give(struct itm *m, const struct itm_packet *k, struct samples *s)
{
	if (k->kind == ITM_PC) {
		s->pcs[s->count++] = (uint32_t)k->value;
		return;
	}
	if (k->kind == ITM_SLEEP) {
		s->asleep++;
		return;
	}
	samples_give(m, s);
	if (!is_access(k->kind))
		access_give(m);
	switch (k->kind) {
	case ITM_STIMULUS:
		if (k->id == 0)
			text_give(m, k);
		return;
	case ITM_EXCEPTION:
		exception_give(m, k);
		return;
	case ITM_OVERFLOW:
		m->wire.stats.lost++;
		if (m->wire.sink.missing)
			m->wire.sink.missing(m->wire.sink.ctx);
		return;
	default:
		if (is_access(k->kind))
			access_take(m, k);
	}
}

/* What waits has happened until `ticks`. `ends`: of a match no more comes. */
static void waiting_give(struct itm *m, bool ends)
{
	struct samples s = { .count = 0 };

	if (m->stamped)
		m->wire.when = (struct wire_when){ &m->clock, m->ticks };
	for (size_t i = 0; i < m->waiting_n; i++)
		packet_give(m, &m->waiting[i], &s);
	samples_give(m, &s);
	if (ends)
		access_give(m);
	m->waiting_n = 0;
	m->wire.when = (struct wire_when){ .clock = NULL };
}

/* --- packets ---------------------------------------------------------------------------------- */

/* A PC out of the image is not: a vendor's ROM is in none. */
static bool is_bad(const struct itm_packet *k)
{
	if (k->kind == ITM_PC || k->kind == ITM_DATA_PC)
		return k->value & 1;
	return k->kind == ITM_RESERVED;
}

static void packet_take(struct itm *m, const struct itm_packet *k)
{
	m->watched++;
	m->bad += is_bad(k);
	switch (k->kind) {
	case ITM_LOCAL_TIME:
		m->ticks += k->value;
		m->stamped = true;
		waiting_give(m, true);
		return;
	case ITM_RESERVED:
		m->wire.stats.bad_bytes += k->bytes;
		return;
	case ITM_SYNC:
	case ITM_EXTENSION:
	case ITM_GLOBAL_TIME:
	case ITM_COUNTERS:
		return;
	default:
		break;
	}
	m->wire.stats.events++;
	m->waiting[m->waiting_n++] = *k;
	if (m->waiting_n == WAITING_MAX)
		waiting_give(m, false);
}

static void byte_take(struct itm *m, uint8_t byte)
{
	struct itm_packet packet;

	if (itm_parse(&m->parser, byte, &packet))
		packet_take(m, &packet);
	m->wire.stats.bad_bytes += m->parser.skipped - m->skipped;
	m->bad += (unsigned)(m->parser.skipped - m->skipped);
	m->skipped = m->parser.skipped;
}

static void framed_take(struct itm *m, uint8_t byte)
{
	struct tpiu_piece pieces[TPIU_DATA];
	uint64_t dropped = m->tpiu.dropped;
	size_t n = tpiu_take(&m->tpiu, byte, pieces);

	m->wire.stats.bad_bytes += m->tpiu.dropped - dropped;
	for (size_t i = 0; i < n; i++) {
		if (pieces[i].stream == m->framing.stream)
			byte_take(m, pieces[i].byte);
	}
}

/* --- the framing ------------------------------------------------------------------------------ */

static void framing_note(struct itm *m)
{
	const struct itm_framing *f = &m->framing;
	size_t n, size = sizeof(m->wire.note);

	if (f->phase == FRAMING_RAW)
		n = (size_t)snprintf(m->wire.note, size, "itm: raw packets");
	else
		n = (size_t)snprintf(m->wire.note, size, "itm: TPIU frames, stream %u", f->stream);
	if (f->pcs && m->wire.code)
		n += (size_t)snprintf(m->wire.note + n, size - n, "; %u %% of PCs in code",
				      100 * f->in_code / f->pcs);
	if (m->asleep)
		snprintf(m->wire.note + n, size - n, "; %.1f %% of the samples asleep",
			 100 * (double)m->asleep / (double)m->sampled);
}

static void held_drop(struct itm *m, size_t n)
{
	m->held_n -= n;
	memmove(m->held, m->held + n, m->held_n);
	m->wire.stats.bad_bytes += n;
}

static void held_take(struct itm *m)
{
	size_t n = m->held_n, skipped = m->framing.phase > 0 ? (size_t)m->framing.phase : 0;

	m->settled = true;
	m->probed = 0;
	m->held_n = 0;
	m->tpiu = (struct tpiu){ .have = 0 };
	m->parser = (struct itm_parser){ .need = 0 };
	m->skipped = 0;
	m->watched = m->bad = 0;
	for (size_t i = skipped; i < n; i++) {
		if (m->framing.phase == FRAMING_RAW)
			byte_take(m, m->held[i]);
		else
			framed_take(m, m->held[i]);
	}
}

/* At fixed numbers of bytes: the decision does not depend on how they were split. */
static void framing_search(struct itm *m)
{
	size_t next = m->probed ? 2 * m->probed : FRAMING_LEAST;

	if (m->held_n < next)
		return;
	m->probed = next;
	if (itm_framing_find(&m->framing, m->held, m->held_n, m->wire.code)) {
		framing_note(m);
		held_take(m);
	} else if (next == FRAMING_MOST) {
		held_drop(m, FRAMING_MOST / 2);
		m->probed = FRAMING_MOST / 2;
	}
}

/* Another program on the pin, another rate, the formatter switched. */
static void framing_watch(struct itm *m)
{
	if (m->watched < WATCH_PACKETS)
		return;
	if (m->bad > WATCH_BAD) {
		waiting_give(m, true);
		m->settled = false;
		m->wire.stats.resyncs++;
		snprintf(m->wire.note, sizeof(m->wire.note), "itm: packets no longer in step");
	} else {
		framing_note(m);
	}
	m->watched = m->bad = 0;
}

/* --- the decoder ------------------------------------------------------------------------------ */

static int itm_init(struct wire *w, const struct wire_options *o, struct err *err)
{
	struct itm *m = (struct itm *)w;

	(void)err;
	m->clock = (struct clock_terms){ .bits = CLOCK_BITS };
	m->clock.ticks_per_second = o ? o->clock_hz : 0;
	snprintf(w->note, sizeof(w->note), "itm: no packet yet");
	return 0;
}

static void itm_feed(struct wire *w, const uint8_t *data, size_t n)
{
	struct itm *m = (struct itm *)w;

	for (size_t i = 0; i < n; i++) {
		if (!m->settled) {
			m->held[m->held_n++] = data[i];
			framing_search(m);
		} else if (m->framing.phase == FRAMING_RAW) {
			byte_take(m, data[i]);
			framing_watch(m);
		} else {
			framed_take(m, data[i]);
			framing_watch(m);
		}
	}
}

static void itm_flush(struct wire *w, bool end)
{
	struct itm *m = (struct itm *)w;

	if (!m->settled && m->held_n &&
	    (itm_framing_find(&m->framing, m->held, m->held_n, w->code) ||
	     (end && m->framing.score > 0))) {
		framing_note(m);
		held_take(m);
	}
	waiting_give(m, true);
	if (end && !m->settled)
		held_drop(m, m->held_n);
}

static void itm_ask(struct wire *w, uint64_t now, struct wire_out *out)
{
	(void)now;
	(void)out;
	((struct itm *)w)->up = true;
}

/*
 * What comes next may be of another program: no time stamp of that dates what waits, and no value
 * belongs to a match that began before. A recording is never up, and its bytes go on.
 */
static void itm_down(struct wire *w)
{
	struct itm *m = (struct itm *)w;

	if (!m->up)
		return;
	waiting_give(m, true);
	if (!m->settled)
		held_drop(m, m->held_n);
	m->up = m->settled = false;
	m->probed = 0;
}

const struct wire_ops wire_itm_ops = {
	.size = sizeof(struct itm),
	.init = itm_init,
	.feed = itm_feed,
	.flush = itm_flush,
	.ask = itm_ask,
	.down = itm_down,
};
