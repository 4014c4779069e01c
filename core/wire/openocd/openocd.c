/*
 * openocd: PCs of a running Cortex-M, by OpenOCD's Tcl server. The target is never halted.
 *
 * A command ends with 0x1a, and so does its answer (OpenOCD User's Guide, "Tcl RPC server"). One is
 * under way at a time: more in flight gain nothing there.
 *
 * First, tracing is switched on and read back (DEMCR.TRCENA, DWT_CTRL.CYCCNTENA; ARMv7-M ARM, DDI
 * 0403E.e, C1.6.5 and C1.8). Then eight words from DWT_CTRL on are read for each sample, of which
 * the second is CYCCNT and the eighth PCSR: a PC with the target's own time in one answer. Where
 * PCSR is all ones DHCSR tells why: asleep, halted, or not permitted.
 *
 * The pauses between samples vary, else a program of the same period would be met at the same
 * place.
 *
 * A recording has the answers alone. Each sample is eight words, which nothing else is, so that
 * these are read again without the questions.
 */
#include "core/wire/decoder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	END = 0x1a,
	ANSWER_MAX = 256,
	WORDS = 8, WORD_CTRL = 0, WORD_CYCCNT = 1, WORD_PCSR = 7,
	ROUNDS = 64,			/* of which the median is told */
};

#define ANSWER_NS CLOCK_SECOND		/* after which it is asked again */
#define REPORT_NS CLOCK_SECOND
#define HZ_DEFAULT 1000.0

#define CPUID 0xe000ed00u
#define DHCSR 0xe000edf0u
#define DEMCR 0xe000edfcu
#define DWT_CTRL 0xe0001000u
#define DEMCR_TRCENA (1u << 24)
#define CTRL_NOCYCCNT (1u << 25)
#define CTRL_CYCCNTENA 1u
#define DHCSR_HALT (1u << 17)
#define DHCSR_SLEEP (1u << 18)

enum step {
	STEP_DOWN,
	STEP_CPUID,
	STEP_TRACE, STEP_TRACE_SET, STEP_TRACE_BACK,
	STEP_CYCLES, STEP_CYCLES_SET,
	STEP_SAMPLE,
	STEP_WHY,			/* DHCSR: PCSR was all ones */
	STEPS
};

struct openocd {
	struct wire wire;
	enum step step;
	bool asked;			/* its answer is awaited */
	bool answered;			/* it came since it was looked at last */
	uint32_t value;			/* that a step writes */
	uint64_t sent_ns, due_ns, now_ns;
	uint32_t random;
	double hz;

	char answer[ANSWER_MAX];
	size_t answer_n;
	bool too_long;

	struct wire_probe probe;
	char core[32];
	uint32_t cycles;		/* of the last sample */
	uint64_t cycles_ns, cycles_sum, cycles_since_ns;
	bool cycles_known;
	uint64_t reported_ns, reported;	/* samples then */
	double rounds[ROUNDS];
	size_t round;
};

/* --- questions -------------------------------------------------------------------------------- */

static const struct {
	uint32_t address;
	unsigned words;			/* 0: it is written */
} questions[STEPS] = {
	[STEP_CPUID] = { CPUID, 1 },
	[STEP_TRACE] = { DEMCR, 1 }, [STEP_TRACE_SET] = { DEMCR, 0 },
	[STEP_TRACE_BACK] = { DEMCR, 1 },
	[STEP_CYCLES] = { DWT_CTRL, 1 }, [STEP_CYCLES_SET] = { DWT_CTRL, 0 },
	[STEP_SAMPLE] = { DWT_CTRL, WORDS },
	[STEP_WHY] = { DHCSR, 1 },
};

static bool question_send(const struct openocd *o, struct wire_out *out)
{
	char text[80];
	int n;

	if (questions[o->step].words)
		n = snprintf(text, sizeof(text), "read_memory 0x%08" PRIx32 " 32 %u%c",
			     questions[o->step].address, questions[o->step].words, END);
	else
		n = snprintf(text, sizeof(text),
			     "write_memory 0x%08" PRIx32 " 32 0x%08" PRIx32 "%c",
			     questions[o->step].address, o->value, END);
	return wire_out_add(out, text, (size_t)n);
}

/* Half to one and a half of the period. */
static uint64_t pause_next(struct openocd *o)
{
	double period = (double)CLOCK_SECOND / o->hz;

	o->random = o->random * 1664525 + 1013904223;
	return (uint64_t)(period * (0.5 + (double)o->random / (double)UINT32_MAX));
}

static void step_enter(struct openocd *o, enum step step)
{
	o->step = step;
	o->asked = false;
	o->due_ns = o->now_ns;
}

static void sample_plan(struct openocd *o)
{
	step_enter(o, STEP_SAMPLE);
	o->due_ns = o->sent_ns + pause_next(o);
}

/* --- how it goes ------------------------------------------------------------------------------ */

static int round_compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double round_median(const struct openocd *o)
{
	double sorted[ROUNDS];
	size_t n = o->round < ROUNDS ? o->round : ROUNDS;

	if (!n)
		return 0;
	memcpy(sorted, o->rounds, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), round_compare);
	return sorted[n / 2];
}

static void probe_report(struct openocd *o)
{
	double s = (double)(o->now_ns - o->reported_ns) / (double)CLOCK_SECOND;

	o->probe.core = o->core;
	o->probe.asked_hz = o->hz;
	o->probe.reached_hz = s > 0 ? (double)(o->probe.samples - o->reported) / s : 0;
	o->probe.round_s = round_median(o);
	o->reported_ns = o->now_ns;
	o->reported = o->probe.samples;
	if (o->probe.samples)
		snprintf(o->wire.note, sizeof(o->wire.note),
			 "openocd: %s, %.0f PCs/s of %.0f asked for, never halted, %.0f %% asleep",
			 o->core, o->probe.reached_hz, o->hz,
			 100.0 * (double)o->probe.asleep / (double)o->probe.samples);
	if (o->wire.sink.probe)
		o->wire.sink.probe(o->wire.sink.ctx, &o->probe);
}

static void trouble_set(struct openocd *o, enum wire_probe_trouble trouble)
{
	if (o->probe.trouble == trouble)
		return;
	o->probe.trouble = trouble;
	probe_report(o);
}

/* --- answers ---------------------------------------------------------------------------------- */

/* Numbers as C writes them, in any base; false: something else is there. */
static bool words_read(const char *s, uint32_t *words, unsigned *count)
{
	*count = 0;
	while (*s) {
		char *end;
		unsigned long value = strtoul(s, &end, 0);

		if (end == s || value > UINT32_MAX || *count == WORDS)
			return false;
		words[(*count)++] = (uint32_t)value;
		for (s = end; *s == ' ' || *s == '\n'; s++)
			;
	}
	return *count > 0;
}

/* CPUID.PARTNO (DDI 0403E.e, B3.2.3; the cores' technical reference manuals). */
static const struct {
	uint16_t part;
	const char *name;
	bool samples;			/* has DWT_PCSR */
} cores[] = {
	{ 0xc20, "Cortex-M0", true }, { 0xc60, "Cortex-M0+", true }, { 0xc21, "Cortex-M1", true },
	{ 0xc23, "Cortex-M3", true }, { 0xc24, "Cortex-M4", true }, { 0xc27, "Cortex-M7", true },
	{ 0xd20, "Cortex-M23", true }, { 0xd21, "Cortex-M33", true }, { 0xd22, "Cortex-M55", true },
};

static void core_take(struct openocd *o, uint32_t cpuid)
{
	const char *name = NULL;

	for (size_t i = 0; i < sizeof(cores) / sizeof(cores[0]); i++) {
		if (cores[i].part == (cpuid >> 4 & 0xfff))
			name = cores[i].name;
	}
	if (cpuid >> 24 != 0x41 || !name) {
		trouble_set(o, PROBE_NO_CORE);
		snprintf(o->core, sizeof(o->core), "CPUID 0x%08" PRIx32, cpuid);
	} else {
		snprintf(o->core, sizeof(o->core), "%s r%up%u", name, cpuid >> 20 & 15, cpuid & 15);
	}
	step_enter(o, STEP_TRACE);
}

static void cycles_take(struct openocd *o, uint32_t cycles)
{
	if (o->cycles_known)
		o->cycles_sum += cycles - o->cycles;
	else
		o->cycles_since_ns = o->sent_ns;
	o->cycles_known = true;
	o->cycles = cycles;
	o->cycles_ns = o->sent_ns;
	if (o->cycles_ns - o->cycles_since_ns >= CLOCK_SECOND)
		o->probe.cycles_hz = (double)o->cycles_sum * (double)CLOCK_SECOND /
				     (double)(o->cycles_ns - o->cycles_since_ns);
}

static void sample_give(struct openocd *o, uint32_t pc)
{
	o->probe.samples++;
	o->wire.stats.events++;
	if (o->wire.sink.samples)
		o->wire.sink.samples(o->wire.sink.ctx, &pc, 1);
	trouble_set(o, PROBE_FINE);
}

static void sample_take(struct openocd *o, const uint32_t *words)
{
	if (o->asked && !(words[WORD_CTRL] & CTRL_NOCYCCNT))
		cycles_take(o, words[WORD_CYCCNT]);
	if (words[WORD_PCSR] == UINT32_MAX && o->step == STEP_SAMPLE) {
		step_enter(o, STEP_WHY);
		return;
	}
	if (words[WORD_PCSR] == 0)
		trouble_set(o, PROBE_NO_PCSR);
	else
		sample_give(o, words[WORD_PCSR] & ~1u);
	if (o->step == STEP_SAMPLE)
		sample_plan(o);
}

static void why_take(struct openocd *o, uint32_t dhcsr)
{
	if (dhcsr & DHCSR_SLEEP) {
		o->probe.asleep++;
		o->probe.samples++;
		o->wire.stats.events++;
		if (o->wire.sink.asleep)
			o->wire.sink.asleep(o->wire.sink.ctx, 1);
		trouble_set(o, PROBE_FINE);
	} else {
		o->probe.refused++;
		trouble_set(o, dhcsr & DHCSR_HALT ? PROBE_HALTED : PROBE_NOT_PERMITTED);
	}
	sample_plan(o);
}

/* The answer to a question of one word. */
static void word_take(struct openocd *o, uint32_t word)
{
	switch (o->step) {
	case STEP_CPUID:
		core_take(o, word);
		return;
	case STEP_TRACE:
		o->value = word | DEMCR_TRCENA;
		step_enter(o, word & DEMCR_TRCENA ? STEP_CYCLES : STEP_TRACE_SET);
		return;
	case STEP_TRACE_BACK:
		if (!(word & DEMCR_TRCENA))
			trouble_set(o, PROBE_TRACE_OFF);
		step_enter(o, STEP_CYCLES);
		return;
	case STEP_CYCLES:
		o->value = word | CTRL_CYCCNTENA;
		step_enter(o, word & (CTRL_NOCYCCNT | CTRL_CYCCNTENA) ? STEP_SAMPLE :
									 STEP_CYCLES_SET);
		return;
	case STEP_WHY:
		why_take(o, word);
		return;
	default:
		return;
	}
}

static void answer_take(struct openocd *o)
{
	uint32_t words[WORDS];
	unsigned count = 0;
	bool numbers = !o->too_long && words_read(o->answer, words, &count);

	o->answered |= o->asked;
	if (numbers && count == WORDS) {
		sample_take(o, words);
	} else if (!o->asked) {
		o->wire.stats.bad_bytes += o->answer_n;
	} else if (o->step == STEP_TRACE_SET || o->step == STEP_CYCLES_SET) {
		step_enter(o, o->step + 1);
	} else if (numbers && count == 1) {
		word_take(o, words[0]);
	} else {			/* an error's sentence */
		o->wire.stats.bad_bytes += o->answer_n;
		snprintf(o->wire.note, sizeof(o->wire.note), "openocd: %.*s", (int)o->answer_n,
			 o->answer);
		trouble_set(o, PROBE_NO_ANSWER);
		o->asked = false;
		o->due_ns = o->sent_ns + ANSWER_NS;
	}
}

/* --- the decoder ------------------------------------------------------------------------------ */

static int openocd_init(struct wire *w, const struct wire_options *options, struct err *err)
{
	struct openocd *o = (struct openocd *)w;

	(void)err;
	o->hz = options && options->hz > 0 ? options->hz : HZ_DEFAULT;
	o->random = 1;
	snprintf(w->note, sizeof(w->note), "openocd: no answer yet");
	return 0;
}

static void openocd_feed(struct wire *w, const uint8_t *data, size_t n)
{
	struct openocd *o = (struct openocd *)w;

	for (size_t i = 0; i < n; i++) {
		if (data[i] != END) {
			o->too_long |= o->answer_n == ANSWER_MAX - 1;
			if (o->answer_n < ANSWER_MAX - 1)
				o->answer[o->answer_n++] = data[i] ? (char)data[i] : ' ';
			continue;
		}
		o->answer[o->answer_n] = '\0';
		answer_take(o);
		o->answer_n = 0;
		o->too_long = false;
	}
}

static void openocd_flush(struct wire *w, bool end)
{
	struct openocd *o = (struct openocd *)w;

	if (end)
		w->stats.bad_bytes += o->answer_n;
	if (end)
		o->answer_n = 0;
}

static void openocd_ask(struct wire *w, uint64_t now, struct wire_out *out)
{
	struct openocd *o = (struct openocd *)w;

	o->now_ns = now;
	if (o->answered)
		o->rounds[o->round++ % ROUNDS] = (double)(now - o->sent_ns) / (double)CLOCK_SECOND;
	o->answered = false;
	if (o->step == STEP_DOWN) {
		step_enter(o, STEP_CPUID);
		o->reported_ns = now;
	}
	if (o->asked && now - o->sent_ns >= ANSWER_NS) {
		trouble_set(o, PROBE_NO_ANSWER);
		o->asked = false;
	}
	if (now - o->reported_ns >= REPORT_NS)
		probe_report(o);
	if (o->asked || now < o->due_ns || !question_send(o, out))
		return;
	o->asked = true;
	o->sent_ns = now;
}

static int openocd_timeout(const struct wire *w, uint64_t now)
{
	const struct openocd *o = (const struct openocd *)w;

	if (o->step == STEP_DOWN)
		return 0;
	return clock_ms_until(o->asked ? o->sent_ns + ANSWER_NS : o->due_ns, now);
}

static void openocd_down(struct wire *w)
{
	struct openocd *o = (struct openocd *)w;

	o->step = STEP_DOWN;
	o->asked = false;
	o->answer_n = 0;
	o->cycles_known = false;
	o->cycles_sum = 0;
}

const struct wire_ops wire_openocd_ops = {
	.size = sizeof(struct openocd),
	.init = openocd_init,
	.feed = openocd_feed,
	.flush = openocd_flush,
	.ask = openocd_ask,
	.timeout = openocd_timeout,
	.down = openocd_down,
};
