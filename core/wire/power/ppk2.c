/*
 * ppk2: Nordic's Power Profiler Kit II: 100,000 samples a second over USB, 4 bytes each.
 *
 * Little-endian words: converter 0..13 (times 4), range 14..16, counter 18..23, inputs D0 to D7
 * 24..31. The counter counts samples modulo 64: it keeps the words in step and tells how many are
 * missing. (More than 63 in a row are told modulo 64.) Facts: Nordic's program, as ppk2_gain.h
 * names it, whose constants.ts has the commands.
 *
 * In step, a word is a sample when its counter is the next one. In step again is where eight words'
 * counters follow one another. At a break that is no multiple of four bytes the words on both sides
 * may be torn (the counter is in the third byte alone), and one word may fit by chance: the first
 * one behind it is given up, and of the last two before it those that the break may have reached.
 * So no false current is told. There is no checksum: where a multiple of four bytes is lost from
 * the middle of a word, a sample is made of parts of two; whole words that are lost cost no other.
 *
 * The conversation, where somebody asks: stop; calibration, up to "END"; mode, voltage, power on,
 * start. Bytes out of step are looked at as text, so that a recording's calibration is found, too.
 */
#include "core/wire/power/currents.h"
#include "core/wire/power/lines.h"
#include "core/wire/power/ppk2_gain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HZ 100000.0
#define PPM 1000			/* its crystal is better; nobody tells how much */
#define VOLTS_DEFAULT 3.0
#define VOLTS_LEAST 0.8
#define VOLTS_MOST 5.0
#define DRAIN_NS (CLOCK_SECOND / 5)	/* after "stop" */
#define ANSWER_NS CLOCK_SECOND
#define SILENT_NS (2 * CLOCK_SECOND)

enum {
	CMD_START = 0x06, CMD_STOP = 0x07, CMD_POWER = 0x0c, CMD_VOLTAGE = 0x0d, CMD_MODE = 0x11,
	CMD_META = 0x19,
	MODE_METER = 1, MODE_SOURCE = 2,
	WORD = 4,
	IN_STEP = 8,			/* words */
	WORDS_DOUBTED = 2 * WORD,	/* bytes */
	TORN_MOST = WORD + 2,		/* from a word that is torn to words in step */
	WORK = 4096,			/* bytes of a feed at a time */
	META_TRIES = 3,
};

enum stage { STEP_DOWN, STEP_DRAIN, STEP_META, STEP_START, STEP_RUN };

struct ppk2 {
	struct wire wire;
	struct wire_meter_options options;
	struct ppk2_gain gain;
	struct currents out;
	struct lines lines;

	enum stage step;
	bool asked;			/* somebody asks: it is no recording */
	bool sent;			/* the step's message */
	bool blocked;			/* it found no room */
	bool fresh;			/* samples came since it was looked at last */
	unsigned tries;
	uint64_t due_ns;

	bool in_step;
	bool known;			/* next is */
	bool calibrated;
	const char *trouble;
	uint8_t next;			/* counter expected */
	uint64_t index;			/* of the next sample */
	size_t doubt;			/* bytes of the last words that fitted before a break */
	size_t since;			/* bytes dealt with since then */
	size_t count;
	uint8_t held[WORK + WORD * IN_STEP];
};

static uint32_t word_at(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint8_t counter_at(const uint8_t *p)
{
	return p[2] >> 2;
}

static void ppk2_tell(struct ppk2 *m)
{
	struct wire_meter meter = {
		.model = "PPK2", .calibrated = m->calibrated, .trouble = m->trouble,
	};

	snprintf(m->wire.note, sizeof(m->wire.note), "ppk2: %s",
		 m->calibrated ? "calibrated" : "typical figures, not its own");
	if (m->wire.sink.meter)
		m->wire.sink.meter(m->wire.sink.ctx, &meter);
}

static void ppk2_trouble(struct ppk2 *m, const char *trouble)
{
	if (m->trouble == trouble)
		return;
	m->trouble = trouble;
	ppk2_tell(m);
}

/* --- words in step ---------------------------------------------------------------------------- */

static void word_give(struct ppk2 *m, const uint8_t *p)
{
	uint32_t word = word_at(p);

	currents_put(&m->out, &m->wire, m->index++, (float)ppk2_gain_amps(&m->gain, word),
		     (uint8_t)(word >> 24));
	m->next = (counter_at(p) + 1) & 63;
}

/* Bytes of the words from `at` on whose counters follow. */
static size_t run_length(const struct ppk2 *m, size_t at)
{
	uint8_t next = m->next;
	size_t i = at;

	for (; i + WORD <= m->count && counter_at(m->held + i) == next; i += WORD)
		next = (next + 1) & 63;
	return i - at;
}

/* From `at` on; how many bytes are dealt with. The last words that fit wait for the next ones. */
static size_t words_take(struct ppk2 *m, size_t at, bool end)
{
	size_t run = run_length(m, at), waits = run < WORDS_DOUBTED ? run : WORDS_DOUBTED;
	bool broken = at + run + WORD <= m->count;

	m->doubt = broken ? waits : 0;
	m->since = 0;
	if (broken || !end)
		run -= waits;
	for (size_t i = 0; i < run; i += WORD)
		word_give(m, m->held + at + i);
	m->fresh |= run > 0;
	m->in_step = !broken;
	m->wire.stats.resyncs += broken;
	return run;
}

/* --- out of step ------------------------------------------------------------------------------ */

static void meta_end(struct ppk2 *m)
{
	m->calibrated = true;
	m->out.again |= m->known;
	m->known = false;
	if (m->step == STEP_META) {
		m->step = STEP_START;
		m->sent = false;
	}
	ppk2_tell(m);
}

static void meta_line(struct ppk2 *m)
{
	const char *line = m->lines.text;

	if (strcmp(line, "END") == 0) {
		meta_end(m);
	} else if (strncmp(line, "VDD: ", 5) == 0) {
		double volts = strtod(line + 5, NULL) / 1000;

		if (!(m->options.volts > 0) && volts >= VOLTS_LEAST && volts <= VOLTS_MOST)
			ppk2_gain_volts(&m->gain, volts);
	} else {
		ppk2_gain_line(&m->gain, line);
	}
}

/* Samples are expected. Before it was started, what comes is left from an earlier start. */
static bool samples_expected(const struct ppk2 *m)
{
	return m->step == STEP_RUN || !m->asked;
}

static void bytes_skip(struct ppk2 *m, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		uint8_t c = m->held[i];

		if (wire_is_plain(c))
			m->wire.stats.text_bytes++;
		else if (samples_expected(m))
			m->wire.stats.bad_bytes++;
		if (lines_take(&m->lines, c) ||
		    /* nothing need follow the last line */
		    (m->lines.count == 3 && memcmp(m->lines.text, "END", 3) == 0 &&
		     lines_end(&m->lines)))
			meta_line(m);
	}
}

static bool is_in_step(const uint8_t *p)
{
	for (size_t i = 1; i < IN_STEP; i++) {
		if (counter_at(p + i * WORD) != ((counter_at(p + (i - 1) * WORD) + 1) & 63))
			return false;
	}
	return true;
}

/*
 * In step again: what is missing. Nothing is known to be behind a calibration. `torn`: its first
 * word may be; how many bytes of it are given up.
 */
static size_t step_found(struct ppk2 *m, const uint8_t *p, bool torn)
{
	uint8_t lost = m->known ? (uint8_t)(counter_at(p) - m->next) & 63 : 0;

	torn &= m->known;
	m->wire.stats.lost += lost + torn;
	m->index += lost + torn;
	if (!m->known)
		ppk2_gain_begin(&m->gain);
	m->next = (counter_at(p) + torn) & 63;
	m->known = m->in_step = true;
	m->lines.count = 0;
	return torn ? WORD : 0;
}

/*
 * The first place from `at` on where words are in step; or, if there is none, the first that may
 * still become one.
 */
static size_t step_find(const struct ppk2 *m, size_t at, bool end)
{
	if (!samples_expected(m))
		return m->count;
	for (; at + WORD * IN_STEP <= m->count; at++) {
		if (is_in_step(m->held + at))
			return at;
	}
	return end ? m->count : at;
}

/*
 * Words in doubt from `at` on, with the place where words are in step again: those before it count,
 * but for one that the break may have reached. How many bytes count.
 */
static size_t doubt_end(struct ppk2 *m, size_t at, size_t place)
{
	size_t given = 0;

	while (given < m->doubt && (place == at + given + WORD || place > at + given + TORN_MOST)) {
		word_give(m, m->held + at + given);
		given += WORD;
	}
	m->doubt = 0;
	return given;
}

/* What is out of step from *at on. False: more bytes are needed. */
static bool step_search(struct ppk2 *m, size_t *at, bool end)
{
	size_t begin = *at, place = step_find(m, begin + (m->doubt > 0), end);
	bool found = place + WORD * IN_STEP <= m->count;

	if (m->doubt && !found) {
		if (!end && place <= begin + m->doubt + TORN_MOST)
			return false;
		*at += doubt_end(m, begin, SIZE_MAX);
	} else if (m->doubt) {
		*at += doubt_end(m, begin, place);
	}
	bytes_skip(m, *at, place);
	m->since += place - begin;
	*at = place;
	if (found)
		*at += step_found(m, m->held + place, m->since % WORD != 0);
	return m->in_step;
}

static void held_take(struct ppk2 *m, bool end)
{
	size_t at = 0;
	bool more = true;

	while (more) {
		if (m->in_step) {
			at += words_take(m, at, end);
			more = !m->in_step;
		} else {
			more = step_search(m, &at, end);
		}
	}
	if (end) {
		m->wire.stats.bad_bytes += m->count - at;
		at = m->count;
	}
	m->count -= at;
	memmove(m->held, m->held + at, m->count);
}

/* --- the conversation ------------------------------------------------------------------------- */

static bool message_add(struct ppk2 *m, struct wire_out *out, const uint8_t *bytes, size_t n)
{
	m->blocked = !wire_out_add(out, bytes, n);
	return !m->blocked;
}

static void stage_enter(struct ppk2 *m, enum stage step, uint64_t due_ns)
{
	m->step = step;
	m->due_ns = due_ns;
	m->sent = false;
	m->tries = 0;
}

static void stop_ask(struct ppk2 *m, uint64_t now, struct wire_out *out)
{
	if (message_add(m, out, (const uint8_t[]){ CMD_STOP }, 1))
		stage_enter(m, STEP_DRAIN, now + DRAIN_NS);
}

/* Calibration: without an answer it goes on with typical figures. */
static void meta_ask(struct ppk2 *m, uint64_t now, struct wire_out *out)
{
	if (m->sent && now < m->due_ns)
		return;
	if (m->tries == META_TRIES) {
		stage_enter(m, STEP_START, now);
		return;
	}
	if (!message_add(m, out, (const uint8_t[]){ CMD_META }, 1))
		return;
	m->lines.count = 0;
	m->tries++;
	m->sent = true;
	m->due_ns = now + ANSWER_NS;
}

static void start_ask(struct ppk2 *m, uint64_t now, struct wire_out *out)
{
	unsigned mv = (unsigned)lround(m->gain.volts * 1000);
	uint8_t message[8];
	size_t n = 0;

	message[n++] = CMD_MODE;
	message[n++] = m->options.supplies ? MODE_SOURCE : MODE_METER;
	if (m->options.supplies) {
		message[n++] = CMD_VOLTAGE;
		message[n++] = (uint8_t)(mv >> 8);
		message[n++] = (uint8_t)mv;
	}
	message[n++] = CMD_POWER;
	message[n++] = 1;
	message[n++] = CMD_START;
	if (message_add(m, out, message, n))
		stage_enter(m, STEP_RUN, now + SILENT_NS);
}

static void ppk2_down(struct wire *w)
{
	struct ppk2 *m = (struct ppk2 *)w;

	currents_give(&m->out, w);
	m->out.again |= m->known;
	m->in_step = m->known = m->fresh = m->blocked = false;
	m->count = m->lines.count = m->doubt = 0;
	stage_enter(m, STEP_DOWN, 0);
}

/* Samples stopped, or never came: it may have been reset. All is asked again. */
static void run_ask(struct ppk2 *m, uint64_t now)
{
	if (m->fresh) {
		m->fresh = false;
		m->due_ns = now + SILENT_NS;
		ppk2_trouble(m, "");
	} else if (now >= m->due_ns) {
		ppk2_trouble(m, m->calibrated ?
			     "the PPK2 sends no samples; unplug it and plug it in again" :
			     "no answer; the PPK2 has two ports: name the other one");
		ppk2_down(&m->wire);
	}
}

static void ppk2_ask(struct wire *w, uint64_t now, struct wire_out *out)
{
	struct ppk2 *m = (struct ppk2 *)w;

	m->asked = true;
	if (m->step == STEP_DRAIN && now >= m->due_ns)
		stage_enter(m, STEP_META, now);
	if (m->step == STEP_RUN)
		run_ask(m, now);
	if (m->step == STEP_DOWN)
		stop_ask(m, now, out);
	if (m->step == STEP_META)
		meta_ask(m, now, out);
	if (m->step == STEP_START)
		start_ask(m, now, out);
}

static int ppk2_timeout(const struct wire *w, uint64_t now)
{
	const struct ppk2 *m = (const struct ppk2 *)w;
	bool waits = m->step == STEP_DRAIN || m->step == STEP_RUN || m->sent;

	if (m->blocked)
		return -1;
	return waits ? clock_ms_until(m->due_ns, now) : 0;
}

static bool ppk2_leave(struct wire *w, bool last, struct wire_out *out)
{
	(void)w;
	return wire_out_add(out, (const uint8_t[]){ CMD_STOP }, 1) || last;
}

/* --- as a decoder ----------------------------------------------------------------------------- */

static int ppk2_init(struct wire *w, const struct wire_options *o, struct err *err)
{
	struct ppk2 *m = (struct ppk2 *)w;

	(void)err;
	if (o)
		m->options = o->meter;
	m->out.hz = HZ;
	m->out.ppm = PPM;
	m->out.has_logic = true;
	m->trouble = "";
	ppk2_gain_init(&m->gain, m->options.volts > 0 ? m->options.volts : VOLTS_DEFAULT);
	snprintf(w->note, sizeof(w->note), "ppk2: nothing from the meter yet");
	return 0;
}

static void ppk2_feed(struct wire *w, const uint8_t *data, size_t n)
{
	struct ppk2 *m = (struct ppk2 *)w;

	while (n) {
		size_t room = sizeof(m->held) - m->count, k = n < room ? n : room;

		memcpy(m->held + m->count, data, k);
		m->count += k;
		data += k;
		n -= k;
		held_take(m, false);
	}
	if (m->in_step)
		m->out.newest = m->index + m->count / WORD - 1;
	currents_give(&m->out, w);
}

static void ppk2_flush(struct wire *w, bool end)
{
	struct ppk2 *m = (struct ppk2 *)w;

	if (end)
		held_take(m, true);
	currents_give(&m->out, w);
}

static void ppk2_stats(const struct wire *w, struct wire_stats *stats)
{
	stats->replaced = ((const struct ppk2 *)w)->gain.replaced;
}

const struct wire_ops wire_ppk2_ops = {
	.size = sizeof(struct ppk2),
	.init = ppk2_init,
	.feed = ppk2_feed,
	.flush = ppk2_flush,
	.ask = ppk2_ask,
	.timeout = ppk2_timeout,
	.down = ppk2_down,
	.leave = ppk2_leave,
	.stats = ppk2_stats,
};
