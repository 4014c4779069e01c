/*
 * setup: sets a running Cortex-M up to send SWO, over OpenOCD's Tcl server or a gdb server, and
 * keeps it so: a reset of the chip switches it off.
 *
 *	begin: trace on, cycles counted -> clock, unless it was given: CYCCNT over a second
 *	-> found, unless a baud rate was given: what is set already -> all registers of the plan
 *	-> units: which comparators are there, and free -> watch: those that are to match
 *	-> kept: is the trace still on? Are other things to be watched?
 *	-> leave, at the end: its comparators off, exceptions traced or not as they were found:
 *	who comes next would get what nobody there asked for
 *
 * Each register is read, written and read back; one that does not take is told, and the next one
 * follows: what is wrong may be unimportant.
 */
#include "core/wire/decoder.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/wire/itm/comparators.h"
#include "core/wire/itm/registers.h"
#include "core/wire/probe/words.h"

enum {
	LOOKS = 4,
	RATES_LEAST = 100000,		/* of a clock that can be right */
};

#define LOOKS_OFF 0.002			/* of the clock's rate */
#define LOOKS_WRONG 0.02		/* a UART bears 0.025: begun again */
#define LOOKS_NS 5e9			/* CYCCNT must not wrap: 32 bits, 480 MHz */
#define SETUP_NS CLOCK_SECOND	/* for an answer; between two looks */
/* Behind a "-": who refuses all would be asked without end. */
#define AGAIN_NS (CLOCK_SECOND / 100)

enum phase {
	PHASE_DOWN, PHASE_BEGIN, PHASE_CLOCK, PHASE_FOUND, PHASE_PLAN, PHASE_UNITS, PHASE_WATCH,
	PHASE_KEPT,
};
enum { UNIT_CTRL, UNIT_DEVARCH, UNITS };	/* then each comparator's function */
enum turn { TURN_READ, TURN_WRITE, TURN_BACK };	/* of a row */

struct setup {
	struct wire wire;
	double clock_given, baud_given, trace_given;
	char chip[16];
	bool shares;			/* comparators, with a gdb server */

	enum phase phase;
	struct swo_plan plan;
	size_t row;
	enum turn turn;
	uint32_t value;			/* to write */
	struct words words;		/* its server */
	bool leaves;			/* nobody listens any more */
	uint64_t sent_ns, due_ns, now_ns;
	enum words_found found_now;	/* an answer, until its time is known */
	uint32_t word;
	double baud;			/* to set */

	uint32_t cycles;		/* CYCCNT of the first look, */
	uint64_t cycles_ns, width_ns;	/* its middle; from question to answer */
	unsigned looks;
	uint32_t found[2];		/* SPPR, ACPR */
	struct wire_setup told;

	const struct wire_watchpoint *points;	/* what is to be watched */
	size_t points_n;
	bool points_new;		/* not looked at yet */
	uint32_t unit_ctrl;
	struct comparators comparators;
	struct comparators_plan watch;
	bool ctrl_known;
	uint32_t ctrl_found, ctrl;	/* DWT_CTRL before us, and as written last; 0: it was not */
	struct { uint32_t address, value; } last[1 + COMPARATORS_MOST];	/* written at the end */
	size_t last_n, last_at;
	char wrong[320];
};

/* --- questions -------------------------------------------------------------------------------- */

static const struct swo_register *row_now(const struct setup *s)
{
	return s->phase == PHASE_WATCH ? &s->watch.rows[s->row] : &s->plan.rows[s->row];
}

static uint32_t question_address(const struct setup *s)
{
	switch (s->phase) {
	case PHASE_CLOCK:
		return SWO_CYCCNT;
	case PHASE_FOUND:
		return s->row ? SWO_ACPR : SWO_SPPR;
	case PHASE_UNITS:
		return s->row == UNIT_CTRL ? SWO_DWT_CTRL : s->row == UNIT_DEVARCH ? DWT_DEVARCH :
		       DWT_FUNCTION((uint32_t)s->row - UNITS);
	case PHASE_KEPT:
		return SWO_DEMCR;
	default:
		return row_now(s)->address;
	}
}

static bool setup_send(struct setup *s, struct wire_out *out)
{
	struct words_question q = {
		.address = question_address(s), .write = s->turn == TURN_WRITE, .value = s->value,
	};

	return words_ask(&s->words, &q, out);
}

static void phase_enter(struct setup *s, enum phase phase)
{
	s->phase = phase;
	s->row = 0;
	s->turn = TURN_READ;
	s->looks = 0;
}

static void kept_enter(struct setup *s)
{
	phase_enter(s, PHASE_KEPT);
	s->due_ns = s->now_ns + SETUP_NS;
}

/* --- how it goes ------------------------------------------------------------------------------ */

static void setup_tell(struct setup *s)
{
	s->told.wrong = s->wrong;
	if (s->wire.sink.setup)
		s->wire.sink.setup(s->wire.sink.ctx, &s->told);
}

/* What keeps it from going on; it is wrong until a round ends well. */
static void wrong_tell(struct setup *s, const char *sentence)
{
	snprintf(s->wrong, sizeof(s->wrong), "%s", sentence);
	setup_tell(s);
}

/* The first of all that are refused is the one that the others follow from. */
static void wrong_add(struct setup *s, const char *sentence)
{
	if (s->told.refused++ == 0)
		wrong_tell(s, sentence);
}

static void setup_again(struct setup *s)
{
	s->told = (struct wire_setup){ .clock_hz = s->clock_given };
	setup_tell(s);
	swo_plan_begin(&s->plan);
	phase_enter(s, PHASE_BEGIN);
}

static void plan_enter(struct setup *s)
{
	struct swo_terms terms = {
		s->told.clock_hz, s->baud, s->chip, s->trace_given
	};
	struct err err = { 0 };

	phase_enter(s, PHASE_PLAN);
	if (swo_plan_make(&s->plan, &terms, &err) < 0) {
		wrong_tell(s, err.text);
		kept_enter(s);
	}
	s->told.baud = s->plan.baud;
	s->told.pc_hz = s->plan.pc_hz;
}

static void baud_look(struct setup *s)
{
	if (s->baud > 0) {		/* set before, by us */
		plan_enter(s);
		return;
	}
	s->baud = s->baud_given > 0 ? s->baud_given : SWO_BAUD;
	if (s->baud_given > 0)
		plan_enter(s);
	else
		phase_enter(s, PHASE_FOUND);
}

/* --- watches ---------------------------------------------------------------------------------- */

static void watching_tell(struct setup *s)
{
	struct wire_watching w = {
		.count = s->watch.points_n, .comparators = (int)s->comparators.count,
		.comparators_used = (int)s->watch.used, .breakpoints = -1, .breakpoints_used = -1,
	};

	memcpy(w.of, s->watch.points, sizeof(w.of));
	if (s->wire.sink.watching)
		s->wire.sink.watching(s->wire.sink.ctx, &w);
}

/* A register does not keep what its comparator needs. */
static void point_refuse(struct setup *s)
{
	uint8_t point = s->watch.row_points[s->row];

	if (point == POINT_NONE)
		return;
	s->watch.points[point].way = WATCHED_NOT;
	s->watch.points[point].refusal = REFUSED_SERVER;
}

static void units_enter(struct setup *s)
{
	phase_enter(s, PHASE_UNITS);
	s->points_new = false;
	s->comparators = (struct comparators){ .count = 0 };
}

static void watch_end(struct setup *s)
{
	watching_tell(s);
	kept_enter(s);
}

static void units_end(struct setup *s)
{
	s->comparators.high = s->shares;
	comparators_make(&s->watch, &s->comparators, s->points, s->points_n);
	watching_tell(s);		/* before the first match */
	phase_enter(s, PHASE_WATCH);
	if (!s->watch.rows_n)
		kept_enter(s);
}

static void unit_take(struct setup *s, uint32_t word)
{
	if (s->row == UNIT_CTRL)
		s->unit_ctrl = word;
	else if (s->row == UNIT_DEVARCH)
		s->comparators = comparators_of(s->unit_ctrl, word);
	else
		s->comparators.functions[s->row - UNITS] = word;
	if (++s->row >= UNITS + s->comparators.count && s->row > UNIT_DEVARCH)
		units_end(s);
}

static void rows_end(struct setup *s)
{
	if (s->phase == PHASE_PLAN) {
		s->told.over = true;
		if (!s->told.refused)
			*s->wrong = '\0';
		setup_tell(s);
		units_enter(s);
	} else if (s->phase == PHASE_WATCH) {
		watch_end(s);
	} else if (s->clock_given > 0) {
		baud_look(s);
	} else {
		phase_enter(s, PHASE_CLOCK);
	}
}

/* --- answers ---------------------------------------------------------------------------------- */

static void row_next(struct setup *s)
{
	s->turn = TURN_READ;
	if (++s->row == (s->phase == PHASE_WATCH ? s->watch.rows_n : s->plan.count))
		rows_end(s);
}

/* It is not as it was written. */
static void row_refuse(struct setup *s)
{
	if (s->phase == PHASE_WATCH)
		point_refuse(s);
	else
		wrong_add(s, row_now(s)->wrong);
}

/* DWT_CTRL: what is found first is not of us. */
static void ctrl_note(struct setup *s, uint32_t word)
{
	if (!s->ctrl_known)
		s->ctrl_found = word;
	s->ctrl_known = true;
	s->ctrl = s->value;
}

static void row_take(struct setup *s, uint32_t word)
{
	const struct swo_register *r = row_now(s);

	switch (s->turn) {
	case TURN_READ:
		s->value = (word & ~r->mask) | r->value;
		if (r->address == SWO_DWT_CTRL)
			ctrl_note(s, word);
		s->turn = TURN_WRITE;
		return;
	case TURN_WRITE:
		s->turn = TURN_BACK;
		return;
	case TURN_BACK:
		if ((word ^ r->value) & r->check)
			row_refuse(s);
		row_next(s);
	}
}

/*
 * By the host's clock: a look is right to half of its question and answer. The shortest of some
 * stands for the beginning; a look a second later that is long, on a busy host, is taken again, and
 * all of them where none is good enough before CYCCNT wraps.
 */
static void cycles_look(struct setup *s, uint32_t cycles)
{
	uint64_t width = s->now_ns - s->sent_ns, middle = s->sent_ns + width / 2;
	double ns = (double)(middle - s->cycles_ns), off = (double)(width + s->width_ns) / 2;

	if (s->looks < LOOKS) {
		if (!s->looks++ || width < s->width_ns) {
			s->cycles_ns = middle;
			s->cycles = cycles;
			s->width_ns = width;
		}
		s->due_ns = s->looks < LOOKS ? s->now_ns : s->now_ns + SETUP_NS;
		return;
	}
	if (off > LOOKS_OFF * ns && ns < LOOKS_NS) {
		s->due_ns = s->now_ns + SETUP_NS / 10;
		return;
	}
	if (off > LOOKS_WRONG * ns) {
		wrong_tell(s, "the core's clock cannot be measured, answers take too long: name it "
			     "(?clock=72M)");
		s->looks = 0;
		s->due_ns = s->now_ns;
		return;
	}
	s->told.clock_hz = (double)(uint32_t)(cycles - s->cycles) * (double)CLOCK_SECOND / ns;
	if (s->told.clock_hz < RATES_LEAST) {
		s->told.clock_hz = 0;
		wrong_tell(s, "the core's cycles hardly count: it sleeps, is halted or has no "
			     "counter; name the trace clock (?clock=72M)");
		s->looks = 0;
		s->due_ns = s->now_ns + SETUP_NS;
		return;
	}
	baud_look(s);
}

/* A UART that somebody set up already keeps its rate: who reads the pin knows it. */
static void found_take(struct setup *s, uint32_t word)
{
	const struct swo_terms terms = { s->told.clock_hz, s->baud, s->chip, s->trace_given };

	s->found[s->row++] = word;
	if (s->row < 2)
		return;
	if (s->found[0] == SWO_SPPR_NRZ && s->found[1])
		s->baud = swo_trace_clock(&terms) / (s->found[1] + 1.0);
	plan_enter(s);
}

static void kept_take(struct setup *s, uint32_t demcr)
{
	if (!(demcr & SWO_DEMCR_TRCENA))
		setup_again(s);
	else if (s->points_new)
		units_enter(s);
	else
		s->due_ns = s->now_ns + SETUP_NS;
}

static void word_use(struct setup *s, uint32_t word)
{
	switch (s->phase) {
	case PHASE_CLOCK:
		cycles_look(s, word);
		return;
	case PHASE_FOUND:
		found_take(s, word);
		return;
	case PHASE_UNITS:
		unit_take(s, word);
		return;
	case PHASE_KEPT:
		kept_take(s, word);
		return;
	default:
		row_take(s, word);
	}
}

/* The server cannot reach that address. Without the first registers there is no use in others. */
static void refusal_use(struct setup *s)
{
	char line[160];

	if (s->phase == PHASE_UNITS) {
		unit_take(s, 0);
		return;
	}
	if (s->phase != PHASE_PLAN && s->phase != PHASE_WATCH) {
		snprintf(line, sizeof(line), "%s reads no memory of the target: %.100s",
			 words_server(&s->words), s->words.answer);
		if (!*s->wrong)
			wrong_tell(s, line);
		phase_enter(s, s->phase);
		s->due_ns = s->now_ns + SETUP_NS;
		return;
	}
	if (row_now(s)->check)
		row_refuse(s);
	row_next(s);
}

static void answer_use(struct setup *s, enum words_found found, uint32_t word)
{
	if (found == WORDS_NOTHING || s->leaves)
		return;
	s->due_ns = found == WORDS_AGAIN ? s->now_ns + AGAIN_NS : s->now_ns;
	if (found == WORDS_REFUSED)
		refusal_use(s);
	else if (found != WORDS_AGAIN)
		word_use(s, word);
}

/* --- the decoder ------------------------------------------------------------------------------ */

static int setup_init(struct wire *w, const struct wire_options *o, struct err *err)
{
	struct setup *s = (struct setup *)w;
	struct swo_plan plan;
	struct swo_terms terms = { 1e6, 1e6, s->chip, 0 };

	if (o) {
		s->clock_given = (double)o->clock_hz;
		s->baud_given = o->baud;
		s->trace_given = o->trace_hz;
		s->shares = o->shares;
		snprintf(s->chip, sizeof(s->chip), "%s", o->chip ? o->chip : "");
	}
	if (swo_chip_clock(s->chip) > 0)
		terms.baud = swo_chip_clock(s->chip);
	snprintf(w->note, sizeof(w->note), "SWO's set-up");
	return swo_plan_make(&plan, &terms, err);
}

static int setup_gdb_init(struct wire *w, const struct wire_options *o, struct err *err)
{
	((struct setup *)w)->words.protocol = WORDS_GDB;
	return setup_init(w, o, err);
}

/*
 * What came is used when setup_ask is called, right behind it: bytes are fed without their time,
 * and the clock is measured by that.
 */
static void setup_feed(struct wire *w, const uint8_t *data, size_t n)
{
	struct setup *s = (struct setup *)w;
	uint32_t word = 0;

	for (size_t i = 0; i < n; i++) {
		enum words_found found = words_take(&s->words, data[i], &word);

		if (found == WORDS_NOTHING)
			continue;
		s->found_now = found;
		s->word = word;
	}
	w->stats.bad_bytes = s->words.bad_bytes + s->words.rsp.stray;
}

static void setup_flush(struct wire *w, bool end)
{
	if (end)
		words_down(&((struct setup *)w)->words);
}

/* No answer in time. */
static void silence_use(struct setup *s)
{
	words_forget(&s->words);
	if (*s->wrong)
		return;
	wrong_tell(s, s->words.protocol == WORDS_TCL ?
		   "the server behind setup= answers nothing: is it OpenOCD's Tcl port (6666)?" :
		   "the server behind setup= answers nothing while the target runs: is it a gdb "
		   "server that can (OpenOCD's, J-Link's)?");
}

static void setup_ask(struct wire *w, uint64_t now, struct wire_out *out)
{
	struct setup *s = (struct setup *)w;

	s->now_ns = now;
	if (s->phase == PHASE_DOWN)
		setup_again(s);
	words_ack(&s->words, out);
	answer_use(s, s->found_now, s->word);
	s->found_now = WORDS_NOTHING;
	if (s->words.asked && now - s->sent_ns >= SETUP_NS)
		silence_use(s);
	if (!s->words.asked && now >= s->due_ns && setup_send(s, out))
		s->sent_ns = now;
}

static int setup_timeout(const struct wire *w, uint64_t now)
{
	const struct setup *s = (const struct setup *)w;

	if (s->phase == PHASE_DOWN || s->found_now != WORDS_NOTHING)
		return 0;
	if (words_owes(&s->words))
		return 1;
	return clock_ms_until(s->words.asked ? s->sent_ns + SETUP_NS : s->due_ns, now);
}

static void setup_down(struct wire *w)
{
	struct setup *s = (struct setup *)w;

	s->phase = PHASE_DOWN;
	s->found_now = WORDS_NOTHING;
	words_down(&s->words);
	s->due_ns = 0;
}

static void setup_watch(struct wire *w, const struct wire_watchpoint *points, size_t count)
{
	struct setup *s = (struct setup *)w;

	s->points = points;
	s->points_n = count;
	s->points_new = true;
	if (s->phase == PHASE_KEPT && !s->words.asked)
		s->due_ns = 0;
}

/* --- the end ---------------------------------------------------------------------------------- */

static void last_add(struct setup *s, uint32_t address, uint32_t value)
{
	s->last[s->last_n].address = address;
	s->last[s->last_n++].value = value;
}

/* What of it is not to outlive it; nothing, where no question was answered yet. */
static void last_plan(struct setup *s)
{
	uint32_t exceptions = s->ctrl & ~s->ctrl_found & SWO_CTRL_EXCTRCENA;
	uint8_t taken = 0;

	if (s->phase == PHASE_DOWN || s->phase == PHASE_BEGIN)
		return;
	if (exceptions)
		last_add(s, SWO_DWT_CTRL, s->ctrl & ~exceptions);
	for (size_t i = 0; i < s->watch.points_n; i++) {
		const struct wire_watched *w = &s->watch.points[i];

		if (w->way != WATCHED_COMPARATOR || taken >> w->comparator & 1)
			continue;
		taken |= (uint8_t)(1u << w->comparator);
		last_add(s, DWT_FUNCTION(w->comparator), 0);
	}
}

/* One is written when the answer before it has come. */
static bool setup_leave(struct wire *w, bool last, struct wire_out *out)
{
	struct setup *s = (struct setup *)w;
	struct words_question q = { .write = true };

	if (!s->leaves)
		last_plan(s);
	s->leaves = true;
	if (last || (s->last_at == s->last_n && !s->words.asked) || !s->last_n)
		return words_leave(&s->words, last, out);
	words_ack(&s->words, out);
	if (s->words.asked)
		return false;
	q.address = s->last[s->last_at].address;
	q.value = s->last[s->last_at].value;
	s->last_at += words_ask(&s->words, &q, out);
	return false;
}

#define SETUP_OPS(begin) { \
	.size = sizeof(struct setup), \
	.init = begin, \
	.feed = setup_feed, \
	.flush = setup_flush, \
	.ask = setup_ask, \
	.timeout = setup_timeout, \
	.down = setup_down, \
	.watch = setup_watch, \
	.leave = setup_leave, \
}

const struct wire_ops wire_setup_ops = SETUP_OPS(setup_init);
const struct wire_ops wire_setup_gdb_ops = SETUP_OPS(setup_gdb_init);
