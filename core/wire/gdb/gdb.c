/*
 * gdb: PCs by gdb's remote serial protocol, as servers of debug probes and simulators speak it; and
 * what is watched, by breakpoints and watchpoints.
 *
 * A server halts its target when a client connects; it is set going at once. Then
 *
 * - a server that answers memory reads while the target runs is asked for DWT's words, as
 *   core/wire/openocd does: a PC with the target's own time, nothing is halted;
 * - of another the target is stopped for each sample, its PC read, and set going again: only where
 *   the user allowed that, and no more often than that.
 *
 * What is watched stops the target each time: only where the user allowed that, too (hits.c).
 *
 * What servers do beside the protocol was measured with QEMU 7.2, OpenOCD 0.12, simavr 1.6 and
 * mspdebug 0.22.
 *
 * Where memory is read, a block of code is read instead of a sample now and then: the node compares
 * them with its image (core/wire/probe/blocks.h).
 *
 * Whoever ends this leaves the target running, with nothing set (gdb_leave).
 *
 * A recording has the answers: 32 bytes are a sample's words, a stop reply with a PC, or the word
 * behind one, a sample by a stop. What was watched is between them, in packets of our own (told.c).
 */
#include "core/wire/gdb/state.h"

#include <stdio.h>
#include <string.h>

#include "core/wire/probe/cores.h"

/* Does it answer while the target runs? At least so long, or so many times what it took before. */
#define TRIAL_NS (CLOCK_SECOND / 2)
#define TRIAL_TIMES 4
/*
 * Without a stop it is asked for once more: simavr loses that, which has acknowledgements. OpenOCD
 * takes one that comes too late for the next stop.
 */
#define AGAIN_NS (CLOCK_SECOND / 20)
#define LOST_NS (5 * CLOCK_SECOND)	/* who takes longer for an answer will give none */

#define SIMAVR "qXfer:memory-map:read+"	/* its answer to qSupported, all of it */

void gdb_step(struct gdb *g, enum step step)
{
	g->step = step;
	sampler_enter(&g->sampler, SAMPLER_NONE);
}

/* --- how it goes ------------------------------------------------------------------------------ */

static void pause_plan(struct gdb *g)
{
	gdb_step(g, STEP_PAUSE);
	g->sampler.planned = false;	/* by the next ask, which knows the time */
}

/* What is left are stops, if they are allowed. */
static void reads_give_up(struct gdb *g)
{
	g->deaf = true;
	if (g->stop_hz > 0)
		pause_plan(g);
	else
		gdb_step(g, STEP_QUIET);
	if (g->step == STEP_QUIET && !(g->watch.count && g->watch.allowed))
		sampler_trouble(&g->sampler, PROBE_MUST_STOP);
}

/* --- by memory reads -------------------------------------------------------------------------- */

static bool words_read(const char *s, uint32_t *words, size_t count)
{
	if (strlen(s) != 8 * count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!rsp_word(s + 8 * i, 4, &words[i]))
			return false;
	return true;
}

/* What cannot be read has another answer. */
static void block_words_take(struct sampler *s, const char *text)
{
	uint32_t words[WIRE_BLOCK_WORDS];
	struct blocks *b = &s->blocks;
	bool read = words_read(text, words, WIRE_BLOCK_WORDS);

	sampler_block(s, b->next, b->count, b->address[b->next], read ? words : NULL);
}

/* An answer to a read or write of memory. An error: the server cannot do that now. */
static void memory_take(struct gdb *g, const char *text)
{
	struct sampler *s = &g->sampler;
	unsigned count = sampler_question(s).words;
	uint32_t words[WIRE_BLOCK_WORDS];

	if (s->step == SAMPLER_BLOCK) {
		block_words_take(s, text);
		return;
	}
	if ((count ? words_read(text, words, count) : strcmp(text, "OK") == 0) &&
	    sampler_take(s, words, count)) {
		g->tried = true;
		return;
	}
	if (s->step == SAMPLER_CPUID) {
		reads_give_up(g);
		return;
	}
	g->wire.stats.bad_bytes += strlen(text);
	sampler_trouble(s, PROBE_NO_ANSWER);
	sampler_enter(s, SAMPLER_TRACE);
	s->due_ns = s->now_ns + SAMPLER_ANSWER_NS;
}

/* --- packets ---------------------------------------------------------------------------------- */

static void text_take(struct gdb *g, const char *hex)
{
	char text[RSP_MAX / 2];
	size_t n = 0;
	uint32_t byte;

	for (; rsp_word(hex, 1, &byte) && n < sizeof(text); hex += 2)
		text[n++] = (char)byte;
	g->wire.stats.text_bytes += n;
	if (n && g->wire.sink.text)
		g->wire.sink.text(g->wire.sink.ctx, text, n);
}

/* Nobody asks: what a packet is its looks tell. */
static void recorded_take(struct gdb *g, const char *text)
{
	struct sampler *s = &g->sampler;
	uint32_t words[SAMPLER_WORDS];

	if (told_is(text)) {
		told_read(g, text);
	} else if (words_read(text, words, SAMPLER_WORDS)) {
		sampler_enter(s, SAMPLER_SAMPLE);
		sampler_take(s, words, SAMPLER_WORDS);
	} else if (s->step == SAMPLER_WHY && words_read(text, words, 1)) {
		sampler_take(s, words, 1);
	} else if (!s->core[0] && words_read(text, words, 1) && core_find(words[0])) {
		core_text(words[0], s->core, sizeof(s->core));
	} else {
		stop_recorded(g, text);
	}
}

/*
 * Behind a line that was not closed there is a server that still answers who asked before us: what
 * is no answer to this question is none of ours.
 */
static bool answer_fits(const struct gdb *g, const char *text)
{
	switch (g->step) {
	case STEP_SUPPORTED:
		return !*text || strspn(text, "0123456789abcdefABCDEFxX") < strlen(text);
	case STEP_FEATURES:
		return !*text || strchr("mlE", *text);
	case STEP_NOACK:
		return !*text || *text == 'E' || strcmp(text, "OK") == 0;
	default:
		return true;
	}
}

static void supported_take(struct gdb *g, const char *text)
{
	g->noack_offered = strstr(text, "QStartNoAckMode+");
	g->many = strstr(text, "multiprocess+");
	g->simavr = strcmp(text, SIMAVR) == 0;
	g->acks = !g->many;
	if (strstr(text, "qXfer:features:read+"))
		gdb_step(g, STEP_FEATURES);
	else
		gdb_step(g, g->noack_offered ? STEP_NOACK : g->attach ? STEP_SCAN : STEP_STATE);
}

/* "OK" when it has looked, behind what it found as console text; then a stop. */
static void scan_take(struct gdb *g, const char *text)
{
	if (g->step == STEP_SCAN && strcmp(text, "OK") == 0) {
		gdb_step(g, STEP_ATTACH);
		return;
	}
	snprintf(g->wire.note, sizeof(g->wire.note), "gdb: no target was found; see its power and "
		 "its SWD wires");
	sampler_trouble(&g->sampler, PROBE_NO_CORE);
	gdb_step(g, STEP_SCAN);
	g->sampler.due_ns = g->sampler.now_ns + CLOCK_SECOND;
}

/* An answer of a target that stands. */
static void standing_take(struct gdb *g, const char *text)
{
	switch (g->step) {
	case STEP_PC:
	case STEP_ALL:
		stop_registers(g, text);
		return;
	case STEP_REGISTERS:
		hit_registers(g, text);
		return;
	case STEP_TIME:
		hit_time(g, text);
		return;
	case STEP_VALUE:
	case STEP_STACK:
		hit_memory(g, text);
		return;
	case STEP_POINT:
		g->watch.news |= g->watch.point->taken != (strcmp(text, "OK") == 0) &&
				 !g->watch.point->lifted;
		points_told(&g->points, g->watch.point, strcmp(text, "OK") == 0);
		stop_next(g);
		return;
	default:
		if (g->step >= STEP_FPB && g->step <= STEP_DWT_BACK)
			watch_unit(g, text);
	}
}

static void answer_take(struct gdb *g, const char *text)
{
	if (!answer_fits(g, text)) {
		g->wire.stats.bad_bytes += strlen(text);
		return;
	}
	switch (g->step) {
	case STEP_SUPPORTED:
		supported_take(g, text);
		return;
	case STEP_FEATURES:		/* QEMU tells single registers to who has read them */
		gdb_step(g, g->noack_offered ? STEP_NOACK : g->attach ? STEP_SCAN : STEP_STATE);
		return;
	case STEP_NOACK:
		g->acks &= strcmp(text, "OK") != 0;
		gdb_step(g, g->attach ? STEP_SCAN : STEP_STATE);
		return;
	case STEP_SCAN:
	case STEP_ATTACH:
		scan_take(g, text);
		return;
	case STEP_STATE:		/* neither T nor S: it is not there, or runs */
		gdb_step(g, STEP_GO);
		return;
	case STEP_READS:
		if (g->stop_waits)
			stop_begin(g);
		else
			memory_take(g, text);
		return;
	default:
		standing_take(g, text);
	}
}

bool gdb_is_console(const char *text)
{
	return text[0] == 'O' && text[1] && strcmp(text, "OK") != 0;
}

static void reply_take(struct gdb *g, const char *text)
{
	if (gdb_is_console(text))
		text_take(g, text + 1);
	else if (stop_is(text) && g->step != STEP_FEATURES && g->step != STEP_NOACK)
		stop_take(g, text);
	else if (!g->sampler.live)
		recorded_take(g, text);
	else if (g->sampler.asked)
		answer_take(g, text);
	g->owed += g->acks;
}

/* --- what is due ------------------------------------------------------------------------------ */

/* How long it stood. */
static void stand_end(struct gdb *g)
{
	uint64_t stood = g->stopped_ns ? g->sampler.now_ns - g->stopped_ns : 0;

	g->halted_ns += stood;
	g->stopped_ns = 0;
	g->stands = false;
	if (!g->watch.hit)
		return;
	g->watch.stops++;
	g->watch.stood_ns += stood;
}

void gdb_went(struct gdb *g)
{
	struct gdb_watch *w = &g->watch;

	stand_end(g);
	g->taken = !g->acks;
	w->cycle_ns = g->sampler.now_ns;
	w->at.known = w->hit = w->handled = w->told = false;
	if (w->news && !w->call_count)
		watch_tell(g);
	if (g->alone)
		gdb_step(g, STEP_QUIET);
	else if (g->tried && !g->deaf) {
		g->step = STEP_READS;
		sampler_plan(&g->sampler);
	} else if (g->noack_offered && !g->many && !g->deaf) {
		g->step = STEP_READS;
		sampler_enter(&g->sampler, SAMPLER_CPUID);
	} else {
		reads_give_up(g);
	}
}

/* Does it answer while the target runs? */
static bool is_trial(const struct gdb *g)
{
	return g->step == STEP_READS && g->sampler.step == SAMPLER_CPUID;
}

/*
 * Without an answer in time. It may be a slow server's: who asks again is answered twice, and out
 * of step from then on.
 */
static void answer_missed(struct gdb *g)
{
	if (g->stop_waits) {
		stop_begin(g);
		return;
	}
	if (is_trial(g)) {
		reads_give_up(g);
		return;
	}
	if (g->step == STEP_STOP) {
		g->sampler.asked = false;	/* once more */
		return;
	}
	if (g->step == STEP_OVER) {
		gdb_step(g, STEP_STOP);	/* it sleeps there */
		return;
	}
	sampler_trouble(&g->sampler, PROBE_NO_ANSWER);
	if (g->sampler.now_ns - g->sampler.sent_ns >= LOST_NS)
		gdb_step(g, STEP_SUPPORTED);
}

/* After which answer_missed() is to be called. */
static uint64_t answer_time(const struct gdb *g)
{
	if (is_trial(g))
		return TRIAL_TIMES * g->slowest_ns > TRIAL_NS ? TRIAL_TIMES * g->slowest_ns :
								TRIAL_NS;
	if (g->step == STEP_STOP && g->acks)
		return AGAIN_NS;
	return g->step == STEP_STOP ? SAMPLER_ANSWER_NS :
	       g->sampler.probe.trouble == PROBE_NO_ANSWER ? LOST_NS : SAMPLER_ANSWER_NS;
}

void gdb_acks(struct gdb *g, struct wire_out *out)
{
	for (; g->owed && wire_out_add(out, "+", 1); g->owed--)
		;
	if (g->nak_owed && wire_out_add(out, "-", 1))
		g->nak_owed = false;
}

/* The server has taken the last command: simavr loses what comes right behind it. */
static bool command_is_over(const struct gdb *g)
{
	return g->taken || g->sampler.now_ns - g->sampler.sent_ns > AGAIN_NS;
}

static void interrupt_plan(struct gdb *g)
{
	gdb_step(g, STEP_STOP);
	g->stopped_ns = g->sampler.now_ns;
}

static void slowness_note(struct gdb *g, uint64_t now)
{
	uint64_t took = now - g->sampler.sent_ns;

	if (g->awaited && !g->sampler.asked && g->step <= STEP_GO && took > g->slowest_ns)
		g->slowest_ns = took;
	if (g->awaited && !g->sampler.asked && g->stands && g->step >= STEP_STATE) {
		g->answers++;
		g->answers_ns += took;
	}
	g->awaited = g->sampler.asked;
}

/* Once a second, and what is due is planned. */
static void time_pass(struct gdb *g, uint64_t now)
{
	struct sampler *s = &g->sampler;

	slowness_note(g, now);
	s->now_ns = now;
	s->live = true;
	if (g->step == STEP_DOWN) {
		gdb_step(g, STEP_SUPPORTED);
		s->reported_ns = now;
	}
	if (g->stands && !g->stopped_ns && g->step != STEP_QUIET)
		g->stopped_ns = now;
	if (s->asked && now - s->sent_ns >= answer_time(g))
		answer_missed(g);
	if (now - s->reported_ns >= CLOCK_SECOND)
		watch_report(g);
	if (g->step == STEP_PAUSE && !s->planned)
		s->due_ns = sampler_due(s, g->stop_hz);
	sampler_tick(s, now);
}

/* A question went out. */
static void question_went(struct gdb *g)
{
	sampler_asked(&g->sampler);
	g->awaited = true;
	if (g->step == STEP_STOP)
		g->sampler.sample_ns = g->interrupt_ns = g->sampler.now_ns;
	if (g->step == STEP_OVER)
		g->stands = false;
	if (g->step == STEP_GO)
		gdb_went(g);
	if (g->step == STEP_POINT && !point_goes(g->watch.point))
		g->watch.point->set = true;	/* from now on it may be */
}

static void gdb_ask(struct wire *w, uint64_t now, struct wire_out *out)
{
	struct gdb *g = (struct gdb *)w;
	struct sampler *s = &g->sampler;

	gdb_acks(g, out);
	time_pass(g, now);
	if (!s->asked && stop_wanted(g) && !is_trial(g) && command_is_over(g))
		interrupt_plan(g);
	if (s->asked || now < s->due_ns || g->step == STEP_QUIET)
		return;
	if (g->step == STEP_PAUSE && command_is_over(g))
		interrupt_plan(g);
	if (g->step != STEP_PAUSE && question_send(g, out))
		question_went(g);
}

static int gdb_timeout(const struct wire *w, uint64_t now)
{
	const struct gdb *g = (const struct gdb *)w;
	const struct sampler *s = &g->sampler;

	if (g->step == STEP_DOWN || g->owed || g->nak_owed)
		return 0;
	if (stop_wanted(g) && !s->asked)
		return 1;
	if (g->step == STEP_QUIET)
		return clock_ms_until(s->reported_ns + CLOCK_SECOND, now);
	if (g->step == STEP_PAUSE && now >= s->due_ns && !g->taken)
		return 1;
	return clock_ms_until(s->asked ? s->sent_ns + answer_time(g) : s->due_ns, now);
}

/* --- the decoder ------------------------------------------------------------------------------ */

static int gdb_init(struct wire *w, const struct wire_options *o, struct err *err)
{
	struct gdb *g = (struct gdb *)w;

	(void)err;
	sampler_init(&g->sampler, w, o ? o->hz : 0);
	g->sampler.why_apart = true;
	g->stop_hz = o ? o->stop_hz : 0;
	g->watch.allowed = o && (o->stop_to_watch || o->stop_hz > 0);
	g->watch.comparators = g->watch.breakpoints = -1;
	g->attach = o && o->attach;
	g->alone = o && o->watch_alone;
	g->recorded = o && o->recorded;
	g->acks = true;
	snprintf(w->note, sizeof(w->note), "gdb: no answer yet");
	return 0;
}

static void gdb_release(struct wire *w)
{
	buf_release(&((struct gdb *)w)->told);
}

/* It is asked again, but not at once: who refuses all would be asked without end. */
static void nak_take(struct sampler *s)
{
	if (s->asked)
		s->due_ns = s->now_ns + AGAIN_NS;
	s->asked = false;
}

static void gdb_feed(struct wire *w, const uint8_t *data, size_t n)
{
	struct gdb *g = (struct gdb *)w;

	for (size_t i = 0; i < n; i++) {
		switch (rsp_take(&g->rsp, data[i])) {
		case RSP_PACKET:
			(g->leaves ? gdb_leaving : reply_take)(g, g->rsp.packet);
			break;
		case RSP_BAD:
			w->stats.bad_bytes += g->rsp.n;
			w->stats.damaged++;
			g->nak_owed = g->acks;
			break;
		case RSP_ACK:
			g->taken = true;
			break;
		case RSP_NAK:
			nak_take(&g->sampler);
			break;
		case RSP_NOTHING:
			break;
		}
	}
}

static void gdb_allow_stops(struct wire *w, double hz)
{
	struct gdb *g = (struct gdb *)w;

	g->stop_hz = hz;
	g->watch.allowed = g->watch.changed = true;
	if (g->deaf && g->step == STEP_QUIET)
		pause_plan(g);
	if (g->sampler.probe.trouble == PROBE_MUST_STOP)
		sampler_trouble(&g->sampler, PROBE_FINE);
}

static void gdb_set_code(struct wire *w)
{
	sampler_set_code(&((struct gdb *)w)->sampler);
}

static void gdb_flush(struct wire *w, bool end)
{
	if (end)
		stop_give_held((struct gdb *)w);
}

static void gdb_down(struct wire *w)
{
	struct gdb *g = (struct gdb *)w;

	g->step = STEP_DOWN;
	watch_down(g);
	g->stands = g->nak_owed = g->deaf = g->tried = g->stop_waits = false;
	g->acks = true;
	g->owed = 0;
	g->stopped_ns = g->slowest_ns = 0;
	g->awaited = false;
	g->rsp = (struct rsp){ .state = RSP_OUT };
	sampler_down(&g->sampler);
}

/* All of them, in place of those before. What is known of one that stays, stays. */
static void gdb_watch(struct wire *w, const struct wire_watchpoint *points, size_t count)
{
	struct gdb *g = (struct gdb *)w;
	struct gdb_watched before[WIRE_WATCHES];

	memcpy(before, g->watch.of, sizeof(before));
	for (size_t i = 0; i < count; i++) {
		g->watch.of[i] = (struct gdb_watched){ .note = points[i].note };
		for (size_t k = 0; k < g->watch.count; k++)
			if (before[k].note == points[i].note)
				g->watch.of[i].lost = before[k].lost;
	}
	g->watch.points = points;
	g->watch.count = count;
	g->watch.changed = true;
	g->watch.stale = g->step == STEP_VALUE || g->step == STEP_STACK;
	if (!g->recorded)
		watch_tell(g);		/* of a recording it was told then */
}

static void gdb_stats(const struct wire *w, struct wire_stats *stats)
{
	*stats = w->stats;
	stats->bad_bytes += ((const struct gdb *)w)->rsp.stray;
}

const struct wire_ops wire_gdb_ops = {
	.size = sizeof(struct gdb),
	.init = gdb_init,
	.release = gdb_release,
	.feed = gdb_feed,
	.flush = gdb_flush,
	.set_code = gdb_set_code,
	.ask = gdb_ask,
	.timeout = gdb_timeout,
	.down = gdb_down,
	.keep = told_keep,
	.leave = gdb_leave,
	.watch = gdb_watch,
	.allow_stops = gdb_allow_stops,
	.stats = gdb_stats,
};
