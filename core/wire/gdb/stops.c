/* stops: PCs by stops; what a stop is of, and what is asked while the target stands. */
#include "core/wire/gdb/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LATE_NS (2 * CLOCK_SECOND)

enum { SIGNAL_INT = 2, SIGNAL_TRAP = 5, ALL_DIGITS = 60 };

/* --- samples ---------------------------------------------------------------------------------- */

static void stop_pc_take(struct gdb *g, const char *hex)
{
	uint32_t pc;

	if (rsp_word(hex, gdb_arch(g)->pc_bytes, &pc)) {
		sampler_give(&g->sampler, gdb_pc(g, pc));
		gdb_step(g, STEP_GO);
	} else if (g->step == STEP_PC) {
		gdb_step(g, STEP_ALL);		/* it knows no single registers */
	} else {
		g->wire.stats.bad_bytes += strlen(hex);
		sampler_trouble(&g->sampler, PROBE_NO_ANSWER);
		gdb_step(g, STEP_GO);
	}
}

void stop_registers(struct gdb *g, const char *hex)
{
	uint16_t at = gdb_arch(g)->pc_at;

	if (g->step == STEP_ALL)
		hex = strlen(hex) > at ? hex + at : "";
	stop_pc_take(g, hex);
}

/* "T05thread:01;0f:34120000;": what is behind "0f:", or NULL. */
static const char *reply_find(const char *text, const char *name)
{
	size_t n = strlen(name);

	if (text[0] != 'T' || strlen(text) < 3)
		return NULL;
	for (const char *s = text + 3; s; s = strchr(s, ';') ? strchr(s, ';') + 1 : NULL)
		if (strncmp(s, name, n) == 0)
			return s + n;
	return NULL;
}

static const char *reply_pc(const struct gdb *g, const char *text)
{
	char want[8];

	snprintf(want, sizeof(want), "%02x:", gdb_arch(g)->number);
	return reply_find(text, want);
}

/* --- stops ------------------------------------------------------------------------------------ */

bool stop_is(const char *text)
{
	return (text[0] == 'T' || text[0] == 'S') && rsp_digit(text[1]) >= 0;
}

/* What it says of the access that stopped it. */
static void reply_look(struct gdb *g, const char *text)
{
	static const char *const names[] = { "watch:", "rwatch:", "awatch:" };
	struct gdb_watch *w = &g->watch;
	const char *at = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !at; i++)
		at = reply_find(text, names[i]);
	w->told = at;
	if (at)
		w->told_address = (uint32_t)strtoul(at, NULL, 16);
	w->trap = rsp_digit(text[1]) == 0 && rsp_digit(text[2]) == SIGNAL_TRAP;
	w->late = rsp_digit(text[1]) == 0 && rsp_digit(text[2]) == SIGNAL_INT &&
		  g->interrupt_ns && g->sampler.now_ns - g->interrupt_ns < LATE_NS;
}

/* Something is watched, or was: each stop may be of that. */
static bool is_watched(const struct gdb *g)
{
	return g->sampler.live && (g->watch.units_known || (g->watch.count && g->watch.allowed));
}

void stop_begin(struct gdb *g)
{
	struct gdb_watch *w = &g->watch;

	g->stop_waits = false;
	w->ours = g->step == STEP_STOP;
	w->hit = false;
	gdb_step(g, STEP_REGISTERS);
}

/* Nothing was asked about its stop: it was a sample's. */
void stop_give_held(struct gdb *g)
{
	if (g->holds)
		sampler_give(&g->sampler, g->held);
	g->holds = false;
}

static void recorded_stop(struct gdb *g, const char *text)
{
	const char *pc = reply_pc(g, text);

	stop_give_held(g);
	g->interrupted = rsp_digit(text[1]) == 0 && rsp_digit(text[2]) == SIGNAL_INT;
	if (!g->begun) {
		g->begun = true;	/* the state at its beginning */
		return;
	}
	gdb_step(g, STEP_PC);
	if (!pc || !rsp_word(pc, gdb_arch(g)->pc_bytes, &g->held))
		return;
	g->holds = true;
	g->held = gdb_pc(g, g->held);
	gdb_step(g, STEP_GO);
}

/*
 * What came behind a stop. All registers were asked for at once where something was watched: only
 * what was told as an interrupt is a sample then.
 */
void stop_recorded(struct gdb *g, const char *text)
{
	bool all = strlen(text) >= ALL_DIGITS;

	g->holds &= !all;
	stop_give_held(g);
	if (g->step == STEP_PC && all && !g->interrupted) {
		gdb_step(g, STEP_GO);
		return;
	}
	if (g->step == STEP_PC && all)
		gdb_step(g, STEP_ALL);
	if (g->step == STEP_PC || g->step == STEP_ALL)
		stop_registers(g, text);
}

/* Is a stop an answer now, or may one come? Of a target that stands another is told twice. */
static bool stop_is_due(const struct gdb *g)
{
	return !g->stands || g->step == STEP_STATE || g->step == STEP_STOP ||
	       g->step == STEP_OVER || g->step == STEP_ATTACH;
}

/*
 * OpenOCD tells no signal of a target that it was told to leave running: nothing can be set yet,
 * and a stop is told only to who let it go.
 */
static void state_take(struct gdb *g, const char *text)
{
	if (rsp_digit(text[1]) == 0 && rsp_digit(text[2]) == 0)
		gdb_step(g, STEP_GO);
	else
		stop_next(g);
}

/* It stopped, for us or by itself. */
void stop_take(struct gdb *g, const char *text)
{
	const char *pc = reply_pc(g, text);
	bool due = stop_is_due(g);

	cycles_gap(&g->sampler.period);		/* a new connection, too */
	if (!g->sampler.live) {
		recorded_stop(g, text);
		return;
	}
	g->stands = true;
	if (g->step < STEP_SCAN || !due)
		return;			/* QEMU tells that we connected before it answers */
	reply_look(g, text);
	if (g->step == STEP_ATTACH) {
		gdb_step(g, STEP_STATE);
		return;
	}
	if (g->step == STEP_STATE) {
		state_take(g, text);
		return;
	}
	if (is_watched(g)) {
		g->stop_waits = g->step == STEP_READS && g->sampler.asked;
		if (!g->stop_waits)
			stop_begin(g);
		return;
	}
	if (g->step != STEP_STOP) {
		sampler_trouble(&g->sampler, PROBE_HALTED);
		g->sampler.asked = false;
		return;
	}
	gdb_step(g, STEP_PC);
	if (pc)
		stop_pc_take(g, pc);
}

/* --- while it stands -------------------------------------------------------------------------- */

static bool value_is_unknown(const struct gdb *g, size_t *index)
{
	const struct gdb_watch *w = &g->watch;

	for (*index = 0; *index < w->count; ++*index)
		if (w->points[*index].kind == WATCH_VALUE && !w->of[*index].known)
			return true;
	return false;
}

static void point_next(struct gdb *g)
{
	struct gdb_watch *w = &g->watch;

	w->point = points_due(&g->points);
	if (w->point) {
		gdb_step(g, STEP_POINT);
		return;
	}
	calls_check(g);
	if (w->changed)
		watch_points(g);
	w->point = points_due(&g->points);
	gdb_step(g, w->point ? STEP_POINT : w->over ? STEP_OVER : STEP_GO);
}

void stop_next(struct gdb *g)
{
	struct gdb_watch *w = &g->watch;

	if (!is_watched(g)) {
		gdb_step(g, STEP_GO);
		return;
	}
	if (!w->units_known && !g->leaves) {
		w->comparators = w->breakpoints = -1;
		w->cycles = false;
		if (g->wire.code && g->wire.code->arch == CODE_ARM) {
			gdb_step(g, STEP_FPB);
			return;
		}
		w->units_known = true;
		w->changed = true;
		w->begun_ns = w->begun_ns ? w->begun_ns : g->sampler.now_ns;
	}
	if (w->changed)
		watch_points(g);
	if (watch_is_clocked(g) && value_is_unknown(g, &w->index)) {
		w->looks = false;
		gdb_step(g, STEP_VALUE);
		return;
	}
	point_next(g);
}

bool stop_wanted(const struct gdb *g)
{
	const struct gdb_watch *w = &g->watch;

	if (g->stands || !w->allowed || g->step < STEP_READS || g->step == STEP_STOP)
		return false;
	return watch_clock_due(g) || (w->changed && (!w->units_known || watch_is_clocked(g)) &&
				      (w->count || points_any_set((struct points *)&g->points)));
}
