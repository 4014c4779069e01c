/*
 * watch: what is watched: which points that takes, what the chip has of them, the clock of events,
 * and how it goes.
 *
 * Durations are the target's where it counts cycles (DWT_CYCCNT, which stands while the processor
 * does): how many a second are told by the host's clock over a second, before the first point is
 * set. Of another the host's clock has the order alone: its calls are counted, and not timed.
 */
#include "core/wire/gdb/state.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TRCENA (1u << 24)
#define NOCYCCNT (1u << 25)
#define CYCCNTENA 1u
#define CLOCK_NS CLOCK_SECOND
#define HOST_HZ 1e9

/* Registers, time, stack or value, away with a point, a step, the point again, its end's, go. */
enum { HIT_QUESTIONS = 8 };

/* --- points ----------------------------------------------------------------------------------- */

/* What is served by a fault's handler, too, stands for all that have none. */
static bool handler_is_own(const struct codemap *code, unsigned number)
{
	for (unsigned i = 0; i < code->faults; i++)
		if (code->handlers[i] == code->handlers[number])
			return false;
	return code->handlers[number] != 0;
}

static bool break_want(struct gdb *g, uint32_t address)
{
	return points_want(&g->points, POINT_BREAK, gdb_pc(g, address), gdb_arch(g)->code_bytes);
}

static bool handlers_want(struct gdb *g, const struct wire_watchpoint *p)
{
	const struct codemap *code = g->wire.code;
	bool all = p->number == WATCH_ALL_HANDLERS, room = true;

	for (unsigned i = 0; code && code->handlers && i < code->handler_count; i++)
		if (all ? i >= code->faults && handler_is_own(code, i) : i == p->number)
			room &= break_want(g, code->handlers[i]);
	return room;
}

static bool marks_want(struct gdb *g)
{
	const struct codemap *code = g->wire.code;
	bool room = true;

	for (size_t i = 0; code && i < code->mark_count; i++)
		room &= break_want(g, code->marks[i].address);
	return room;
}

static enum point_type access_type(uint8_t access)
{
	return access == WATCH_READS ? POINT_READ : access == WATCH_WRITES ? POINT_WRITE :
									     POINT_ACCESS;
}

static enum wire_watch_refusal handler_refusal(const struct gdb *g, unsigned number)
{
	const struct codemap *code = g->wire.code;

	if (!code || !code->handlers || !code->handler_count)
		return REFUSED_VECTORS;
	if (number == WATCH_ALL_HANDLERS ||
	    (number < code->handler_count && code->handlers[number]))
		return REFUSED_NOT;
	return REFUSED_NUMBER;
}

/* Without asking the server. */
static enum wire_watch_refusal point_refusal(const struct gdb *g, const struct wire_watchpoint *p)
{
	if (p->kind == WATCH_MARK && !(g->wire.code && g->wire.code->mark_count))
		return REFUSED_MARKS;
	if (p->kind == WATCH_HANDLER && handler_refusal(g, p->number))
		return handler_refusal(g, p->number);
	if (!gdb_arch(g)->sp_bytes || (p->kind == WATCH_VALUE && g->simavr))
		return REFUSED_KIND;
	if (!g->watch.allowed)
		return REFUSED_STOPS;
	return REFUSED_NOT;
}

/* False: there is no room for all that it takes. */
static bool point_want(struct gdb *g, const struct wire_watchpoint *p)
{
	switch (p->kind) {
	case WATCH_CALL:
		return break_want(g, p->address);
	case WATCH_HANDLER:
		return handlers_want(g, p);
	case WATCH_MARK:
		return marks_want(g);
	default:
		return points_want(&g->points, access_type(p->access), p->address, p->size);
	}
}

void watch_points(struct gdb *g)
{
	struct gdb_watch *w = &g->watch;

	points_unwant(&g->points);
	w->changed = false;
	for (size_t i = 0; i < w->count && watch_is_clocked(g) && !g->leaves; i++)
		if (point_refusal(g, &w->points[i]) == REFUSED_NOT)
			w->of[i].full = !point_want(g, &w->points[i]);
	for (size_t i = 0; i < w->call_count; i++)
		break_want(g, w->calls[i].from);
}

/* --- what the chip has ------------------------------------------------------------------------ */

static void units_end(struct gdb *g)
{
	struct gdb_watch *w = &g->watch;

	w->units_known = w->changed = true;
	w->begun_ns = w->begun_ns ? w->begun_ns : g->sampler.now_ns;
	if (w->cycles)
		gdb_step(g, STEP_TIME);
	else
		stop_next(g);
}

/* DDI 0403E.e, C1.11.3: NUM_CODE in two parts; C1.8.7: NUMCOMP. QEMU has none of them: 0. */
static void unit_word_take(struct gdb *g, uint32_t word)
{
	struct gdb_watch *w = &g->watch;

	switch (g->step) {
	case STEP_FPB:
		w->breakpoints = (int)((word >> 4 & 15) | (word >> 8 & 0x70));
		w->breakpoints = w->breakpoints ? w->breakpoints : -1;
		gdb_step(g, STEP_DEMCR);
		return;
	case STEP_DEMCR:
		g->sampler.value = word | TRCENA;
		gdb_step(g, word & TRCENA ? STEP_DWT : STEP_DEMCR_SET);
		return;
	case STEP_DWT:
		w->comparators = word >> 28 ? (int)(word >> 28) : -1;
		g->sampler.value = word | CYCCNTENA;
		gdb_step(g, word & (NOCYCCNT | CYCCNTENA) ? STEP_DWT_BACK : STEP_DWT_SET);
		return;
	default:
		w->cycles = (word & CYCCNTENA) && !(word & NOCYCCNT);
		units_end(g);
	}
}

void watch_unit(struct gdb *g, const char *text)
{
	uint32_t word;

	if (g->step == STEP_DEMCR_SET || g->step == STEP_DWT_SET)
		gdb_step(g, g->step + 1);
	else if (strlen(text) == 8 && rsp_word(text, 4, &word))
		unit_word_take(g, word);
	else
		units_end(g);		/* no such thing as on a Cortex-M */
}

/* --- the clock -------------------------------------------------------------------------------- */

bool watch_is_clocked(const struct gdb *g)
{
	return g->watch.units_known && (!g->watch.cycles || g->watch.hz > 0);
}

bool watch_clock_due(const struct gdb *g)
{
	const struct gdb_watch *w = &g->watch;

	return w->count && w->allowed && w->cycles && w->clocked && !(w->hz > 0) &&
	       w->ran_ns + (g->sampler.now_ns - w->cycle_ns) >= CLOCK_NS;
}

/* The counter wraps each minute, or sooner: the host's clock tells how often. */
static void cycle_add(struct gdb_watch *w, uint32_t cycle, uint64_t ran_ns)
{
	uint32_t passed = cycle - w->cycle;
	double expected = w->hz * (double)ran_ns / (double)CLOCK_SECOND;
	double rounds = (expected - (double)passed) / 4294967296.0 + 0.5;

	w->ticks += passed + (rounds >= 1 ? (uint64_t)rounds << 32 : 0);
}

void watch_cycle(struct gdb *g, uint32_t cycle)
{
	struct gdb_watch *w = &g->watch;
	uint64_t now = g->stopped_ns ? g->stopped_ns : g->sampler.now_ns;
	uint64_t ran = now > w->cycle_ns ? now - w->cycle_ns : 0;

	w->ran_ns += w->clocked ? ran : 0;
	if (w->clocked && !(w->hz > 0)) {
		if (w->ran_ns < CLOCK_NS)
			return;
		w->hz = (double)(uint32_t)(cycle - w->cycle) * (double)CLOCK_SECOND /
			(double)w->ran_ns;
		w->changed = true;
	}
	if (w->hz > 0 && w->clocked)
		cycle_add(w, cycle, ran);
	w->clocked = true;
	w->cycle = cycle;
}

static void seeing_give(struct gdb *g)
{
	struct gdb_watch *w = &g->watch;
	struct wire_seeing seeing = {
		.ticks_per_second = w->cycles ? w->hz : HOST_HZ, .counted = !w->cycles,
		.some = true, .ordered = !w->cycles,
		.cycles = w->cycles, .cycle = w->cycle - (uint32_t)w->ticks,
	};
	bool told = w->seeing && (!w->cycles || w->seeing_cycle == seeing.cycle);

	g->seen = seeing;
	if (!told)
		told_seeing(g, &seeing);
	w->seeing = true;
	w->seeing_cycle = seeing.cycle;
}

void watch_event(struct gdb *g, struct wire_event e)
{
	struct gdb_watch *w = &g->watch;

	if (g->leaves)
		return;
	seeing_give(g);
	e.ticks = w->cycles ? w->ticks : g->sampler.now_ns - w->begun_ns;
	told_event(g, &e);
}

/* --- how it goes ------------------------------------------------------------------------------ */

static bool size_is_even(uint32_t address, uint32_t size)
{
	return size && !(size & (size - 1)) && !(address & (size - 1));
}

/* The server said no to this one: why, as far as can be known. */
static enum wire_watch_refusal server_refusal(const struct gdb *g, const struct point *p)
{
	bool breaks = p->type == POINT_BREAK;
	int all = breaks ? g->watch.breakpoints : g->watch.comparators;

	if (all >= 0 && points_set(&g->points, breaks) >= (size_t)all)
		return REFUSED_FULL;
	return breaks || size_is_even(p->address, p->size) ? REFUSED_SERVER : REFUSED_SIZE;
}

static bool mark_is_at(const struct codemap *code, uint32_t address)
{
	for (size_t i = 0; i < code->mark_count; i++)
		if (code->marks[i].address == address)
			return true;
	return false;
}

/* Is it one of this watch? */
static bool point_is_of(const struct gdb *g, const struct point *point,
			const struct wire_watchpoint *p)
{
	if ((point->type != POINT_BREAK) != (p->kind == WATCH_VALUE) || !point->wanted)
		return false;
	if (p->kind == WATCH_MARK)
		return mark_is_at(g->wire.code, point->address);
	if (p->kind == WATCH_HANDLER)
		return p->number == WATCH_ALL_HANDLERS ||
		       point->address == g->wire.code->handlers[p->number];
	return point->address == gdb_pc(g, p->address);
}

/* Its points: whether they are set; one of several will do, and none may be refused. */
static void way_tell(const struct gdb *g, size_t i, struct wire_watched *of)
{
	const struct wire_watchpoint *p = &g->watch.points[i];
	const struct points *all = &g->points;

	of->refusal = point_refusal(g, p);
	if (!of->refusal && g->watch.of[i].full)
		of->refusal = REFUSED_FULL;
	of->way = WATCHED_WAITS;
	for (size_t k = 0; k < all->count && !of->refusal; k++) {
		const struct point *point = &all->of[k];

		if (!point_is_of(g, point, p))
			continue;
		if (point->refused)
			of->refusal = server_refusal(g, point);
		else if (point->taken)
			of->way = p->kind == WATCH_VALUE ? WATCHED_STOPS : WATCHED_BREAKPOINT;
	}
	of->way = of->refusal ? WATCHED_NOT : of->way;
}

/* Of the last second; before that, of all the time. */
static double halted_share(const struct gdb *g)
{
	uint64_t since = g->sampler.now_ns - g->watch.begun_ns;

	if (g->halted_before || !since || !g->watch.begun_ns)
		return g->sampler.probe.halted;
	return fmin((double)g->halted_ns / (double)since, 1);
}

/* Of one that is still to come. */
static double stop_about_s(const struct gdb *g)
{
	if (!g->answers || !g->watch.count || !g->watch.allowed)
		return 0;
	return HIT_QUESTIONS * (double)g->answers_ns / 1e9 / (double)g->answers;
}

void watch_tell(struct gdb *g)
{
	struct gdb_watch *w = &g->watch;
	struct wire_watching t = {
		.count = w->count, .comparators = w->comparators, .breakpoints = w->breakpoints,
		.comparators_used = (int)points_set(&g->points, false),
		.breakpoints_used = (int)points_set(&g->points, true),
		.stop_s = w->stops ? (double)w->stood_ns / 1e9 / (double)w->stops : 0,
		.stop_about_s = stop_about_s(g),
		.halted = halted_share(g),
	};

	for (size_t i = 0; i < w->count; i++) {
		t.of[i].note = w->of[i].note;
		t.of[i].lost = w->of[i].lost;
		way_tell(g, i, &t.of[i]);
	}
	w->news = false;
	told_watching(g, &t);
}

static void rate_note(struct gdb *g)
{
	const struct wire_probe *p = &g->sampler.probe;
	const struct gdb_watch *w = &g->watch;
	char watched[80] = "";

	if (w->count && !w->allowed)
		snprintf(watched, sizeof(watched), "; ?watch=1 allows what is watched to stop it");
	else if (w->count && g->simavr)
		snprintf(watched, sizeof(watched), "; no watchpoint fires here; simavr: can");
	else if (w->stops)
		snprintf(watched, sizeof(watched), "; %" PRIu64 " hits, %.1f ms each",
			 w->stops, (double)w->stood_ns / 1e6 / (double)w->stops);
	if (g->deaf && !(g->stop_hz > 0))
		snprintf(g->wire.note, sizeof(g->wire.note),
			 "gdb: %.1f %% of the time halted%s; no PCs (?stop=100)",
			 100 * p->halted, watched);
	else if (g->deaf)
		snprintf(g->wire.note, sizeof(g->wire.note),
			 "gdb: %.0f stops/s of %.0f allowed, %.1f %% of the time halted%s",
			 p->reached_hz, g->stop_hz, 100 * p->halted, watched);
	else
		snprintf(g->wire.note, sizeof(g->wire.note), "gdb: %s, %.0f PCs/s of %.0f asked "
			 "for, %.1f %% of the time halted%s", g->sampler.core, p->reached_hz,
			 g->sampler.hz, 100 * p->halted, watched);
}

/* Once a second. */
void watch_report(struct gdb *g)
{
	struct sampler *s = &g->sampler;
	double ns = (double)(s->now_ns - s->reported_ns);
	double halted = ns > 0 ? (double)(g->halted_ns - g->halted_before) / ns : 0;

	s->probe.halted = halted < 1 ? halted : 1;
	g->halted_before = g->halted_ns;
	sampler_report(s, g->deaf ? g->stop_hz : s->hz);
	rate_note(g);
	told_probe(g);
	if (g->watch.count)
		watch_tell(g);
}

/* The line went down: nobody knows what was met since, and the counter may start again. */
void watch_down(struct gdb *g)
{
	struct gdb_watch *w = &g->watch;
	bool open = w->call_count || points_any_set(&g->points);

	if (w->count && w->units_known)
		watch_tell(g);		/* the figures of the end */
	points_forget(&g->points);
	if (open && w->seeing)
		watch_event(g, (struct wire_event){ .kind = EVENT_LOST });
	w->call_count = 0;
	w->ran_ns = 0;
	w->changed = true;
	w->units_known = w->clocked = w->at.known = w->over = w->handled = w->looks = false;
	for (size_t i = 0; i < w->count; i++)
		w->of[i].known = w->of[i].due = w->of[i].after = false;
}
