/*
 * lpm01a: ST's X-NUCLEO-LPM01A ("PowerShield"), over USB, as text.
 *
 * A sample is a line of seven characters: "6409-07" is 6409e-7 A. Among them stand
 * "TimeStamp: 1s 000ms, buff 00%", and answers: "PowerShield > ack freq 10k", "error ...", "end".
 * Each command is answered before the next one is sent. Facts: ST's UM2269, by way of public
 * programs that speak it (x-nucleo-lpm01a-gui, core/protocol.py and data_parser.py). No board was
 * at hand.
 *
 * Samples have no numbers: a line that begins as one and cannot be read is one that is lost, and
 * where time stamps are ahead of the samples so far by more than 50 ms, the difference is.
 */
#include "core/wire/power/currents.h"
#include "core/wire/power/lines.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"

#define HZ_DEFAULT 10000.0
#define PPM 1000
#define ANSWER_NS CLOCK_SECOND
#define SILENT_NS (3 * CLOCK_SECOND)
#define AHEAD_S 0.05
#define AHEAD_MOST_S 1e7

enum step {
	STEP_DOWN,
	STEP_STOP, STEP_HTC, STEP_FORMAT, STEP_VOLT, STEP_FREQ, STEP_TIME, STEP_START,
	STEP_RUN,
};

struct lpm01a {
	struct wire wire;
	struct wire_meter_options options;
	struct currents out;
	struct lines lines;
	enum step step;
	bool sent, blocked, fresh;
	uint64_t due_ns;
	uint64_t index;			/* of the next sample */
	uint64_t begin;			/* index at its time zero */
	bool begun;
	char trouble[120], told[120];
};

static void lpm01a_tell(struct lpm01a *m)
{
	struct wire_meter meter = {
		.model = "LPM01A", .calibrated = true, .trouble = m->trouble,
	};

	snprintf(m->wire.note, sizeof(m->wire.note), "lpm01a: %.0f samples a second", m->out.hz);
	snprintf(m->told, sizeof(m->told), "%s", m->trouble);
	if (m->wire.sink.meter)
		m->wire.sink.meter(m->wire.sink.ctx, &meter);
}

static void lpm01a_trouble(struct lpm01a *m, const char *trouble)
{
	snprintf(m->trouble, sizeof(m->trouble), "%s", trouble);
	if (strcmp(m->told, m->trouble) != 0)
		lpm01a_tell(m);
}

/* --- lines ------------------------------------------------------------------------------------ */

/* DDDDsEE; false: it is none. */
static bool sample_read(const char *s, float *amps)
{
	int mantissa = 0, exponent;

	for (size_t i = 0; i < 7; i++) {
		if (i == 4 ? s[i] != '-' && s[i] != '+' : !isdigit((unsigned char)s[i]))
			return false;
	}
	if (s[7])
		return false;
	for (size_t i = 0; i < 4; i++)
		mantissa = 10 * mantissa + s[i] - '0';
	exponent = 10 * (s[5] - '0') + s[6] - '0';
	*amps = (float)(mantissa * pow(10, s[4] == '-' ? -exponent : exponent));
	return true;
}

static void samples_lose(struct lpm01a *m, uint64_t count)
{
	m->index += count;
	m->wire.stats.lost += count;
}

static void lpm01a_sample(struct lpm01a *m, const char *line)
{
	float amps;

	if (sample_read(line, &amps)) {
		currents_put(&m->out, &m->wire, m->index++, amps, 0);
		m->fresh = true;
		return;
	}
	m->wire.stats.bad_bytes += strlen(line) + 1;
	samples_lose(m, 1);
}

/* "TimeStamp: 12s 345ms, buff 00%" */
static void stamp_take(struct lpm01a *m, const char *line)
{
	unsigned long s, ms;
	double ahead;

	if (sscanf(line, "TimeStamp: %9lus %3lums", &s, &ms) != 2)
		return;
	ahead = (double)s + (double)ms / 1000 - (double)(m->index - m->begin) / m->out.hz;
	if (m->begun && ahead > AHEAD_S && ahead < AHEAD_MOST_S)
		samples_lose(m, (uint64_t)(ahead * m->out.hz));
}

/* "ack freq 10k" */
static void freq_take(struct lpm01a *m, const char *value)
{
	char *end;
	double hz = strtod(value, &end);

	if (*end == 'k')
		hz *= 1000;
	if (!(hz >= 1 && hz <= 100000) || hz == m->out.hz)
		return;
	currents_give(&m->out, &m->wire);
	m->out.hz = hz;
}

static void start_take(struct lpm01a *m)
{
	m->out.again |= m->index > 0;
	m->begin = m->index;
	m->begun = true;
	lpm01a_tell(m);
}

static const struct {
	const char *answer;
	enum step step;
} answers[] = {
	{ "stop", STEP_STOP }, { "htc", STEP_HTC }, { "format", STEP_FORMAT },
	{ "volt", STEP_VOLT }, { "freq", STEP_FREQ }, { "acqtime", STEP_TIME },
	{ "start", STEP_START },
};

static void step_next(struct lpm01a *m)
{
	m->step++;
	m->sent = false;
	if (m->step == STEP_VOLT && !(m->options.volts > 0))
		m->step++;
}

static void ack_take(struct lpm01a *m, const char *line)
{
	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
		if (text_begins(line, answers[i].answer) && m->step == answers[i].step && m->sent)
			step_next(m);
	}
	if (text_begins(line, "freq "))
		freq_take(m, line + strlen("freq "));
	else if (text_begins(line, "start"))
		start_take(m);
}

static void error_take(struct lpm01a *m, const char *line)
{
	char shown[64], trouble[120];

	if (m->step == STEP_STOP && m->sent) {	/* there was nothing to stop */
		step_next(m);
		return;
	}
	text_visible(shown, sizeof(shown), line, strlen(line));
	snprintf(trouble, sizeof(trouble), "the meter tells: %s", shown);
	lpm01a_trouble(m, trouble);
}

static void answer_line_take(struct lpm01a *m)
{
	const char *line = m->lines.text;
	size_t dropped = m->lines.dropped;

	m->lines.dropped = 0;
	if (text_begins(line, "PowerShield > "))
		line += strlen("PowerShield > ");
	if (dropped)
		m->wire.stats.bad_bytes += dropped;
	else if (isdigit((unsigned char)*line))
		lpm01a_sample(m, line);
	else if (text_begins(line, "TimeStamp: "))
		stamp_take(m, line);
	else if (text_begins(line, "ack "))
		ack_take(m, line + strlen("ack "));
	else if (text_begins(line, "err"))
		error_take(m, line);
}

/* --- the conversation ------------------------------------------------------------------------- */

static int command_write(const struct lpm01a *m, char *dst, size_t size)
{
	double hz = m->options.hz > 0 ? m->options.hz : HZ_DEFAULT;

	switch (m->step) {
	case STEP_HTC:
		return snprintf(dst, size, "htc\r\n");
	case STEP_FORMAT:
		return snprintf(dst, size, "format ascii_dec\r\n");
	case STEP_VOLT:
		return snprintf(dst, size, "volt %.0fm\r\n", m->options.volts * 1000);
	case STEP_FREQ:
		return hz >= 1000 ? snprintf(dst, size, "freq %.0fk\r\n", hz / 1000) :
				    snprintf(dst, size, "freq %.0f\r\n", hz);
	case STEP_TIME:
		return snprintf(dst, size, "acqtime inf\r\n");
	case STEP_START:
		return snprintf(dst, size, "start\r\n");
	default:			/* one that measures is stopped first */
		return snprintf(dst, size, "stop\r\n");
	}
}

static void step_ask(struct lpm01a *m, uint64_t now, struct wire_out *out)
{
	char command[48];
	int n = command_write(m, command, sizeof(command));

	m->blocked = !wire_out_add(out, command, (size_t)n);
	if (m->blocked)
		return;
	m->sent = true;
	m->due_ns = now + ANSWER_NS;
}

static void lpm01a_down(struct wire *w)
{
	struct lpm01a *m = (struct lpm01a *)w;

	currents_give(&m->out, w);
	m->step = STEP_DOWN;
	m->sent = m->blocked = m->fresh = m->begun = false;
	m->lines.count = m->lines.dropped = 0;
}

static void run_ask(struct lpm01a *m, uint64_t now)
{
	if (m->fresh || !m->sent) {
		m->due_ns = now + SILENT_NS;
		m->sent = true;
	}
	if (m->fresh)
		lpm01a_trouble(m, "");
	m->fresh = false;
	if (now < m->due_ns)
		return;
	lpm01a_trouble(m, "the meter was started and sends no samples");
	lpm01a_down(&m->wire);
}

static void lpm01a_ask(struct wire *w, uint64_t now, struct wire_out *out)
{
	struct lpm01a *m = (struct lpm01a *)w;

	if (m->step == STEP_DOWN)
		m->step = STEP_STOP;
	/* "stop" has no answer where nothing was measured. */
	if (m->sent && now >= m->due_ns && m->step == STEP_STOP)
		step_next(m);
	else if (m->sent && now >= m->due_ns && m->step < STEP_RUN) {
		if (!m->trouble[0])
			lpm01a_trouble(m, "no answer; is it an X-NUCLEO-LPM01A?");
		m->step = STEP_STOP;
		m->sent = false;
	}
	if (m->step == STEP_RUN)
		run_ask(m, now);
	else if (!m->sent)
		step_ask(m, now, out);
}

static int lpm01a_timeout(const struct wire *w, uint64_t now)
{
	const struct lpm01a *m = (const struct lpm01a *)w;

	if (m->blocked)
		return -1;
	return m->sent ? clock_ms_until(m->due_ns, now) : 0;
}

static bool lpm01a_leave(struct wire *w, bool last, struct wire_out *out)
{
	static const char bye[] = "stop\r\nhrc\r\n";

	(void)w;
	return wire_out_add(out, bye, sizeof(bye) - 1) || last;
}

/* --- as a decoder ----------------------------------------------------------------------------- */

static int lpm01a_init(struct wire *w, const struct wire_options *o, struct err *err)
{
	struct lpm01a *m = (struct lpm01a *)w;

	(void)err;
	if (o)
		m->options = o->meter;
	m->out.hz = m->options.hz > 0 ? m->options.hz : HZ_DEFAULT;
	m->out.ppm = PPM;
	snprintf(w->note, sizeof(w->note), "lpm01a: nothing from the meter yet");
	return 0;
}

static void lpm01a_feed(struct wire *w, const uint8_t *data, size_t n)
{
	struct lpm01a *m = (struct lpm01a *)w;

	for (size_t i = 0; i < n; i++) {
		if (lines_take(&m->lines, data[i]))
			answer_line_take(m);
	}
	currents_give(&m->out, w);
}

static void lpm01a_flush(struct wire *w, bool end)
{
	struct lpm01a *m = (struct lpm01a *)w;

	if (end && lines_end(&m->lines))
		answer_line_take(m);
	currents_give(&m->out, w);
}

const struct wire_ops wire_lpm01a_ops = {
	.size = sizeof(struct lpm01a),
	.init = lpm01a_init,
	.feed = lpm01a_feed,
	.flush = lpm01a_flush,
	.ask = lpm01a_ask,
	.timeout = lpm01a_timeout,
	.down = lpm01a_down,
	.leave = lpm01a_leave,
};
