/*
 * told: what was seen of a target that was asked, for its recording, which has the answers alone:
 * packets of our own between the server's, which never begin with "=". Numbers are hex, but for the
 * reals.
 *
 *	=s HZ COUNTED ORDERED CYCLES CYCLE		wire_seeing
 *	=e KIND LANE HANDLER ADDRESS NOTE VALUE TICKS	wire_event
 *	=c FROM TO CALLS FLAGS				wire_total of a site
 *	=w COMPARATORS USED BREAKPOINTS USED STOP_S HALTED { NOTE WAY REFUSAL LOST }
 *							wire_watching; a number less than nothing
 *							is told as 0, others one more
 *	=p TROUBLE ASKED HALTED				wire_probe
 *
 * Each stands alone, and =s comes again each second: behind damage the next ones are read.
 */
#include "core/wire/gdb/state.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOLD_MOST = 65536 };		/* bytes that wait: somebody takes them after each answer */

/* --- of a target ------------------------------------------------------------------------------ */

static void told_add(struct gdb *g, const char *text)
{
	char packet[RSP_MAX + 8];

	if (g->recorded || g->told.len > TOLD_MOST)
		return;
	buf_add(&g->told, packet, rsp_write(packet, sizeof(packet), text));
}

static void seeing_add(struct gdb *g, const struct wire_seeing *s)
{
	char text[96];

	snprintf(text, sizeof(text), "=s %.17g %d %d %d %" PRIx32, s->ticks_per_second, s->counted,
		 s->ordered, s->cycles, s->cycle);
	told_add(g, text);
}

void told_seeing(struct gdb *g, const struct wire_seeing *seeing)
{
	seeing_add(g, seeing);
	if (!g->leaves && g->wire.sink.seeing)
		g->wire.sink.seeing(g->wire.sink.ctx, seeing);
}

void told_event(struct gdb *g, const struct wire_event *e)
{
	char text[128];

	snprintf(text, sizeof(text), "=e %x %x %x %" PRIx32 " %" PRIx32 " %" PRIx64 " %" PRIx64,
		 (unsigned)e->kind, e->lane, e->handler, e->address, e->note, (uint64_t)e->value,
		 e->ticks);
	told_add(g, text);
	g->wire.stats.events++;
	if (g->wire.sink.events)
		g->wire.sink.events(g->wire.sink.ctx, e, 1);
}

void told_total(struct gdb *g, const struct wire_total *t)
{
	char text[96];

	snprintf(text, sizeof(text), "=c %" PRIx32 " %" PRIx32 " %" PRIx64 " %x", t->from, t->to,
		 (uint64_t)t->calls, t->flags);
	told_add(g, text);
	if (g->wire.sink.totals)
		g->wire.sink.totals(g->wire.sink.ctx, t, 1);
}

void told_watching(struct gdb *g, const struct wire_watching *w)
{
	char text[RSP_MAX];
	size_t n = (size_t)snprintf(text, sizeof(text), "=w %x %x %x %x %.6g %.6g",
				    (unsigned)w->comparators + 1, (unsigned)w->comparators_used + 1,
				    (unsigned)w->breakpoints + 1, (unsigned)w->breakpoints_used + 1,
				    w->stop_s, w->halted);

	for (size_t i = 0; i < w->count && n < sizeof(text); i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, " %" PRIx32 " %x %x %" PRIx64,
				      w->of[i].note, (unsigned)w->of[i].way,
				      (unsigned)w->of[i].refusal, w->of[i].lost);
	told_add(g, text);
	if (g->wire.sink.watching)
		g->wire.sink.watching(g->wire.sink.ctx, w);
}

void told_probe(struct gdb *g)
{
	const struct wire_probe *p = &g->sampler.probe;
	char text[96];

	snprintf(text, sizeof(text), "=p %x %.6g %.6g", (unsigned)p->trouble, p->asked_hz,
		 p->halted);
	told_add(g, text);
	if (g->watch.seeing)
		seeing_add(g, &g->seen);
}

/*
 * Between two packets of the server's: what came of one would be torn apart. Who watches beside
 * another source has what was told recorded alone.
 */
void told_keep(struct wire *w, struct wire_out *out)
{
	struct gdb *g = (struct gdb *)w;
	size_t n = g->told.len - g->told_at;

	if (!g->alone && g->rsp.state != RSP_OUT && !g->leaves && g->step != STEP_DOWN)
		return;
	if (n > out->room)
		n = out->room;
	if (n)
		wire_out_add(out, g->told.data + g->told_at, n);
	g->told_at += n;
	if (g->told_at == g->told.len) {
		buf_reset(&g->told);
		g->told_at = 0;
	}
}

/* --- of a recording --------------------------------------------------------------------------- */

/* Numbers are read one behind the other; `ok`: all were there, and within their bounds. */
struct reader {
	const char *at;
	bool ok;
};

static uint64_t hex_read(struct reader *r, uint64_t most)
{
	char *end;
	unsigned long long v;

	if (*r->at != ' ' || rsp_digit(r->at[1]) < 0) {
		r->ok = false;
		return 0;
	}
	v = strtoull(r->at + 1, &end, 16);
	r->at = end;
	r->ok &= v <= most;
	return r->ok ? v : 0;
}

static double real_read(struct reader *r, double most)
{
	char *end;
	double v = *r->at == ' ' ? strtod(r->at + 1, &end) : NAN;

	if (*r->at != ' ' || end == r->at + 1 || !(v >= 0 && v <= most)) {
		r->ok = false;
		return 0;
	}
	r->at = end;
	return v;
}

static bool is_over(const struct reader *r)
{
	return r->ok && !*r->at;
}

static bool seeing_is_same(const struct wire_seeing *a, const struct wire_seeing *b)
{
	return a->ticks_per_second == b->ticks_per_second && a->counted == b->counted &&
	       a->ordered == b->ordered && a->cycles == b->cycles && a->cycle == b->cycle;
}

static bool seeing_recorded(struct gdb *g, struct reader *r)
{
	struct wire_seeing seeing = { .ticks_per_second = real_read(r, UINT32_MAX), .some = true };

	seeing.counted = hex_read(r, 1);
	seeing.ordered = hex_read(r, 1);
	seeing.cycles = hex_read(r, 1);
	seeing.cycle = (uint32_t)hex_read(r, UINT32_MAX);
	if (!is_over(r) || seeing.ticks_per_second < 1)
		return false;
	if (g->watch.seeing && seeing_is_same(&seeing, &g->seen))
		return true;
	g->watch.seeing = true;
	g->seen = seeing;
	if (g->wire.sink.seeing)
		g->wire.sink.seeing(g->wire.sink.ctx, &seeing);
	return true;
}

static bool event_recorded(struct gdb *g, struct reader *r)
{
	struct wire_event e = { .kind = (enum wire_event_kind)hex_read(r, EVENT_LOST) };

	e.lane = (uint8_t)hex_read(r, 15);
	e.handler = hex_read(r, 1);
	e.address = (uint32_t)hex_read(r, UINT32_MAX);
	e.note = (uint32_t)hex_read(r, UINT32_MAX);
	e.value = (int64_t)hex_read(r, UINT64_MAX);
	e.ticks = hex_read(r, UINT64_MAX >> 1);
	if (!is_over(r))
		return false;
	if (g->watch.seeing)
		told_event(g, &e);
	return true;
}

static bool total_recorded(struct gdb *g, struct reader *r)
{
	struct wire_total t = { .kind = TOTAL_SITE };

	t.from = (uint32_t)hex_read(r, UINT32_MAX);
	t.to = (uint32_t)hex_read(r, UINT32_MAX);
	t.calls = hex_read(r, UINT64_MAX >> 1);
	t.flags = (uint16_t)hex_read(r, ROW_HANDLER) & ROW_HANDLER;
	if (!is_over(r))
		return false;
	told_total(g, &t);
	return true;
}

static bool watching_recorded(struct gdb *g, struct reader *r)
{
	struct wire_watching w = { .count = 0 };

	w.comparators = (int)hex_read(r, INT16_MAX) - 1;
	w.comparators_used = (int)hex_read(r, INT16_MAX) - 1;
	w.breakpoints = (int)hex_read(r, INT16_MAX) - 1;
	w.breakpoints_used = (int)hex_read(r, INT16_MAX) - 1;
	w.stop_s = real_read(r, 1e9);
	w.halted = real_read(r, 1);
	while (r->ok && *r->at && w.count < WIRE_WATCHES) {
		struct wire_watched *of = &w.of[w.count++];

		of->note = (uint32_t)hex_read(r, UINT32_MAX);
		of->way = (enum wire_watch_way)hex_read(r, WATCHED_BREAKPOINT);
		of->refusal = (enum wire_watch_refusal)hex_read(r, REFUSED_MOST);
		of->lost = hex_read(r, UINT64_MAX >> 1);
	}
	if (!is_over(r))
		return false;
	told_watching(g, &w);
	return true;
}

/* The samples are counted by themselves. */
static bool probe_recorded(struct gdb *g, struct reader *r)
{
	struct wire_probe *p = &g->sampler.probe;
	enum wire_probe_trouble trouble = (enum wire_probe_trouble)
					  hex_read(r, PROBE_MUST_STOP);
	double asked = real_read(r, 1e9), halted = real_read(r, 1);

	if (!is_over(r))
		return false;
	p->asked_hz = asked;
	p->halted = halted;
	p->trouble = trouble;
	sampler_tell(&g->sampler);
	return true;
}

bool told_is(const char *text)
{
	return text[0] == '=';
}

void told_read(struct gdb *g, const char *text)
{
	static const struct {
		char letter;
		bool (*take)(struct gdb *g, struct reader *r);
	} kinds[] = {
		{ 's', seeing_recorded }, { 'e', event_recorded }, { 'c', total_recorded },
		{ 'w', watching_recorded }, { 'p', probe_recorded },
	};
	struct reader r = { .at = text + 1, .ok = true };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (text[1] != kinds[i].letter)
			continue;
		r.at = text + 2;
		if (kinds[i].take(g, &r))
			return;
	}
	g->wire.stats.bad_bytes += strlen(text);
}
