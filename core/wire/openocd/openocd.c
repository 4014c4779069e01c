/*
 * openocd: PCs of a running Cortex-M, by OpenOCD's Tcl server. The target is never halted.
 *
 * A command ends with 0x1a, and so does its answer (OpenOCD User's Guide, "Tcl RPC server"). One is
 * under way at a time: more in flight gain nothing there.
 *
 * First, tracing is switched on and read back (DEMCR.TRCENA, DWT_CTRL.CYCCNTENA; ARMv7-M ARM, DDI
 * 0403E.e, C1.6.5 and C1.8). Then eight words from DWT_CTRL on are read for each sample, of which
 * the second is CYCCNT and the eighth PCSR: a PC with the target's own time in one answer. Where
 * PCSR is all ones a ninth, DHCSR, tells why: asleep, halted, or not permitted.
 *
 * The pauses between samples vary, else a program of the same period would be met at the same
 * place.
 *
 * Now and then a block of code is read instead of a sample: the node compares them with its image.
 *
 * A recording has the answers alone. Each begins with the step that it answers, so that one that
 * begins in the middle is read as well.
 */
#include "core/wire/openocd/openocd.h"

#include "core/wire/decoder.h"
#include "core/wire/probe/blocks.h"
#include "core/wire/probe/cores.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	END = 0x1a,
	ANSWER_MAX = 256,
	WORDS = 8, WORD_CTRL = 0, WORD_CYCCNT = 1, WORD_PCSR = 7,
	WORD_DHCSR = 8, WORDS_MOST,	/* if PCSR was all ones */
	WORD_BLOCK = 3,			/* behind its index, their count and its address */
	WORDS_ANSWER = WORD_BLOCK + WIRE_BLOCK_WORDS,
	NUMBERS = 10000,
	REFUSALS = 8,			/* in a row: it does not just wake up each time */
	ROUNDS = 64,			/* of which the median is told */
	TOLD_EACH = 256,		/* samples of a recording */
};

#define ANSWER_NS CLOCK_SECOND		/* after which it is asked again */
#define REPORT_NS CLOCK_SECOND
#define REFUSED_NS (CLOCK_SECOND / 10)
#define BLOCK_NS (CLOCK_SECOND / 50)	/* between two blocks of code: first, */
#define BLOCK_LATER_NS (CLOCK_SECOND / 4)	/* and after a round of them */
#define GRAIN_NS (CLOCK_SECOND / 1000)
#define HZ_DEFAULT 1000.0

#define CPUID 0xe000ed00u
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
	STEP_BLOCK,
	STEPS
};

struct openocd {
	struct wire wire;
	enum step step;
	bool asked;			/* its answer is awaited */
	bool answered;			/* it came since it was looked at last */
	bool live;			/* somebody asks */
	bool planned;			/* due_ns is the next sample's */
	unsigned number;		/* of the question asked last */
	unsigned refusals;		/* in a row */
	bool trace_off;			/* it did not stay on */
	uint32_t value;			/* that a step writes */
	uint64_t sent_ns, due_ns, now_ns;
	uint32_t random;
	double hz;

	char answer[ANSWER_MAX];
	size_t answer_n;
	bool too_long;

	struct blocks blocks;
	uint64_t block_ns;		/* when one was asked for last */

	struct wire_probe probe;
	char core[32];
	uint32_t cycles;		/* of the last sample */
	uint64_t cycles_ns, cycles_sum, cycles_since_ns;
	bool cycles_known;
	uint64_t reported_ns, reported, reported_asleep;	/* samples then */
	double rounds[ROUNDS];
	size_t round;
};

/* --- questions -------------------------------------------------------------------------------- */

static const struct {
	uint32_t address;
	bool read;			/* else it is written */
} questions[STEPS] = {
	[STEP_CPUID] = { CPUID, true },
	[STEP_TRACE] = { DEMCR, true }, [STEP_TRACE_SET] = { DEMCR, false },
	[STEP_TRACE_BACK] = { DEMCR, true },
	[STEP_CYCLES] = { DWT_CTRL, true }, [STEP_CYCLES_SET] = { DWT_CTRL, false },
};

/*
 * Each answer begins with its step and number, so that one that comes late answers nothing else.
 * Where PCSR is all ones the server itself reads DHCSR, as soon after it as can be.
 */
#define TAG "concat %u:%u "
#define SAMPLE_TCL "set s [read_memory 0xE0001000 32 8]; " \
	"if {[lindex $s 7] == 0xffffffff} {append s { } [read_memory 0xE000EDF0 32 1]}; " TAG "$s"

/* What cannot be read is an answer without its words. */
#define BLOCK_TCL "if {[catch {read_memory 0x%08" PRIx32 " 32 %d} s]} {set s {}}; " TAG \
	"%u %u 0x%08" PRIx32 " $s"

static bool question_send(struct openocd *o, struct wire_out *out)
{
	uint32_t address = questions[o->step].address;
	unsigned step = o->step, number = (o->number + 1) % NUMBERS, index = o->blocks.next;
	char text[160];
	int n;

	if (o->step == STEP_BLOCK)
		n = snprintf(text, sizeof(text), BLOCK_TCL "%c", o->blocks.address[index],
			     WIRE_BLOCK_WORDS, step, number, index, o->blocks.count,
			     o->blocks.address[index], END);
	else if (o->step == STEP_SAMPLE)
		n = snprintf(text, sizeof(text), SAMPLE_TCL "%c", step, number, END);
	else if (questions[o->step].read)
		n = snprintf(text, sizeof(text), TAG "[read_memory 0x%08" PRIx32 " 32 1]%c", step,
			     number, address, END);
	else
		n = snprintf(text, sizeof(text),
			     "write_memory 0x%08" PRIx32 " 32 0x%08" PRIx32 "; " TAG "%c", address,
			     o->value, step, number, END);
	if (!wire_out_add(out, text, (size_t)n))
		return false;
	o->number = number;
	return true;
}

static double random_part(struct openocd *o)
{
	o->random = o->random * 1664525 + 1013904223;
	return (double)o->random / (double)UINT32_MAX;
}

/*
 * Half to one and a half of the period behind the sample before. Who polls does so by the
 * millisecond: what remains of one is rounded by chance, so that the mean is right.
 */
static uint64_t sample_due(struct openocd *o)
{
	double period = (double)CLOCK_SECOND / o->hz;
	double due = (double)o->sent_ns + period * (0.5 + random_part(o));
	double grains = (due - (double)o->now_ns) / (double)GRAIN_NS;

	if (!(grains > 0))
		return o->now_ns;
	return o->now_ns + (uint64_t)(grains + random_part(o)) * GRAIN_NS;
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
	o->planned = false;		/* by the next ask, which knows the time */
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

static void probe_tell(const struct openocd *o)
{
	if (o->wire.sink.probe)
		o->wire.sink.probe(o->wire.sink.ctx, &o->probe);
}

static void probe_report(struct openocd *o)
{
	double s = (double)(o->now_ns - o->reported_ns) / (double)CLOCK_SECOND;

	o->probe.asked_hz = o->hz;
	o->probe.reached_hz = s > 0 ? (double)(o->probe.samples - o->reported) / s : 0;
	o->probe.asleep_now = o->probe.samples > o->reported ?
			      (double)(o->probe.asleep - o->reported_asleep) /
			      (double)(o->probe.samples - o->reported) : 0;
	o->probe.round_s = round_median(o);
	o->reported_ns = o->now_ns;
	o->reported = o->probe.samples;
	o->reported_asleep = o->probe.asleep;
	if (o->probe.samples)
		snprintf(o->wire.note, sizeof(o->wire.note),
			 "openocd: %s, %.0f PCs/s of %.0f asked for, never halted, %.0f %% asleep",
			 o->core, o->probe.reached_hz, o->hz,
			 100.0 * (double)o->probe.asleep / (double)o->probe.samples);
	probe_tell(o);
}

static void trouble_set(struct openocd *o, enum wire_probe_trouble trouble)
{
	if (o->probe.trouble == trouble)
		return;
	if (trouble == PROBE_FINE)
		blocks_again(&o->blocks);	/* it may have been programmed */
	o->probe.trouble = trouble;
	probe_tell(o);
}

/* --- answers ---------------------------------------------------------------------------------- */

/* Numbers as C writes them, in any base; false: something else is there. */
static bool words_read(const char *s, uint32_t *words, unsigned *count)
{
	*count = 0;
	while (*s) {
		char *end;
		unsigned long value = strtoul(s, &end, 0);

		if (end == s || value > UINT32_MAX || *count == WORDS_ANSWER)
			return false;
		words[(*count)++] = (uint32_t)value;
		for (s = end; *s == ' ' || *s == '\n'; s++)
			;
	}
	return *count > 0;
}

static void core_take(struct openocd *o, uint32_t cpuid)
{
	o->probe.core = o->core;
	core_text(cpuid, o->core, sizeof(o->core));
	if (!core_find(cpuid))
		trouble_set(o, PROBE_NO_CORE);
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

/* Of a recording nobody asks: what there is to tell is told by the number of samples. */
static void sample_count(struct openocd *o)
{
	o->wire.stats.events++;
	if (o->probe.samples++ % (o->live ? UINT64_MAX : TOLD_EACH))
		return;
	if (!o->live)
		o->probe.asleep_now = (double)o->probe.asleep / (double)o->probe.samples;
	probe_tell(o);
}

static void sample_give(struct openocd *o, uint32_t pc)
{
	sample_count(o);
	if (o->wire.sink.samples)
		o->wire.sink.samples(o->wire.sink.ctx, &pc, 1);
	o->refusals = 0;
	trouble_set(o, PROBE_FINE);
}

static void asleep_give(struct openocd *o)
{
	o->probe.asleep++;
	sample_count(o);
	if (o->wire.sink.asleep)
		o->wire.sink.asleep(o->wire.sink.ctx, 1);
	trouble_set(o, PROBE_FINE);
}

/*
 * No PC, though DHCSR, read a little later, says that it is awake: it woke up in between, unless
 * that goes on.
 */
static void refusal_take(struct openocd *o, uint32_t dhcsr)
{
	if (dhcsr & DHCSR_SLEEP)
		o->refusals = 0;
	if (dhcsr & DHCSR_SLEEP || (!(dhcsr & DHCSR_HALT) && o->probe.samples &&
				    ++o->refusals < REFUSALS)) {
		asleep_give(o);
		return;
	}
	o->probe.refused++;
	trouble_set(o, dhcsr & DHCSR_HALT ? PROBE_HALTED :
		       o->trace_off ? PROBE_TRACE_OFF : PROBE_NOT_PERMITTED);
	step_enter(o, STEP_TRACE);	/* a reset switches it off */
	o->due_ns = o->sent_ns + REFUSED_NS;
}

static void sample_take(struct openocd *o, const uint32_t *words, unsigned count)
{
	if (o->live && !(words[WORD_CTRL] & CTRL_NOCYCCNT))
		cycles_take(o, words[WORD_CYCCNT]);
	sample_plan(o);
	if (count == WORDS_MOST)
		refusal_take(o, words[WORD_DHCSR]);
	else if (words[WORD_PCSR] == 0)
		trouble_set(o, PROBE_NO_PCSR);
	else if (words[WORD_PCSR] != UINT32_MAX)
		sample_give(o, words[WORD_PCSR] & ~1u);
}

static void block_take(struct openocd *o, const uint32_t *words, unsigned count)
{
	sample_plan(o);
	if (count != WORD_BLOCK && count != WORDS_ANSWER)
		o->wire.stats.bad_bytes += o->answer_n;
	else if (blocks_take(&o->blocks, words[0], words[1], words[2],
			     count == WORDS_ANSWER ? words + WORD_BLOCK : NULL) &&
		 o->wire.sink.identity)
		o->wire.sink.identity(o->wire.sink.ctx, &o->blocks.identity);
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
		o->trace_off = false;
		step_enter(o, word & DEMCR_TRCENA ? STEP_CYCLES : STEP_TRACE_SET);
		return;
	case STEP_TRACE_BACK:
		o->trace_off = !(word & DEMCR_TRCENA);
		if (o->trace_off)
			trouble_set(o, PROBE_TRACE_OFF);
		step_enter(o, STEP_CYCLES);
		return;
	case STEP_CYCLES:
		o->value = word | CTRL_CYCCNTENA;
		step_enter(o, word & (CTRL_NOCYCCNT | CTRL_CYCCNTENA) ? STEP_SAMPLE :
									 STEP_CYCLES_SET);
		return;
	default:
		return;
	}
}

/* Its step and number; what is behind them. NULL: it has none, as an error's sentence. */
static const char *tag_read(const char *s, unsigned long *step, unsigned long *number)
{
	char *end;

	*step = strtoul(s, &end, 10);
	if (end == s || *end != ':' || *step >= STEPS)
		return NULL;
	s = end + 1;
	*number = strtoul(s, &end, 10);
	return end == s ? NULL : end + strspn(end, " ");
}

/* Without words it could be much else. */
static bool answer_is_tagged(const char *s)
{
	uint32_t words[WORDS_ANSWER];
	unsigned long step, number;
	unsigned count;
	const char *text = tag_read(s, &step, &number);

	return text && step && strncmp(text, "0x", 2) == 0 && words_read(text, words, &count);
}

bool openocd_spot(const uint8_t *p, size_t n)
{
	char answer[ANSWER_MAX];
	const uint8_t *end;

	for (; (end = memchr(p, END, n)); p = end + 1) {
		size_t length = (size_t)(end - p);

		if (length < sizeof(answer)) {
			memcpy(answer, p, length);
			answer[length] = '\0';
			if (answer_is_tagged(answer))
				return true;
		}
		n -= length + 1;
	}
	return false;
}

static void error_take(struct openocd *o)
{
	o->wire.stats.bad_bytes += o->answer_n;
	if (!o->asked)
		return;
	snprintf(o->wire.note, sizeof(o->wire.note), "openocd: %.*s", (int)o->answer_n, o->answer);
	trouble_set(o, PROBE_NO_ANSWER);
	o->asked = false;
	o->due_ns = o->sent_ns + ANSWER_NS;
}

/* Of a recording it is what the tag says, of a conversation what was asked for. */
static void answer_take(struct openocd *o)
{
	uint32_t words[WORDS_ANSWER];
	unsigned long step, number;
	unsigned count = 0;
	const char *text = o->too_long ? NULL : tag_read(o->answer, &step, &number);
	bool numbers = text && words_read(text, words, &count);

	if (!text || (!numbers && *text)) {
		error_take(o);
		return;
	}
	if (o->live && (!o->asked || step != o->step || number != o->number))
		return;			/* it comes late: another was asked */
	o->answered = o->asked;
	if (!o->live)
		step_enter(o, (enum step)step);
	if (o->step == STEP_BLOCK && count >= WORD_BLOCK)
		block_take(o, words, count);
	else if (o->step == STEP_SAMPLE && (count == WORDS || count == WORDS_MOST))
		sample_take(o, words, count);
	else if (o->step == STEP_TRACE_SET || o->step == STEP_CYCLES_SET)
		step_enter(o, o->step + 1);
	else if (count == 1)
		word_take(o, words[0]);
	else
		error_take(o);
}

/* --- the decoder ------------------------------------------------------------------------------ */

static int openocd_init(struct wire *w, const struct wire_options *options, struct err *err)
{
	struct openocd *o = (struct openocd *)w;

	(void)err;
	o->hz = options && options->hz > 0 ? options->hz : HZ_DEFAULT;
	o->random = 1;
	o->probe.core = o->core;
	blocks_choose(&o->blocks, w->code);
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

static void openocd_set_code(struct wire *w)
{
	struct openocd *o = (struct openocd *)w;

	blocks_choose(&o->blocks, w->code);
	if (o->step == STEP_BLOCK)
		sample_plan(o);		/* that one is not asked for any more */
}

/* In the place of a sample that is due, where those work: a halted target may be programmed now. */
static void block_ask(struct openocd *o)
{
	uint64_t pause = o->blocks.rounds ? BLOCK_LATER_NS : BLOCK_NS;

	if (o->step != STEP_SAMPLE || o->asked || o->now_ns < o->due_ns ||
	    o->now_ns - o->block_ns < pause || !o->blocks.count ||
	    o->probe.trouble != PROBE_FINE || !o->probe.samples)
		return;
	o->block_ns = o->now_ns;
	step_enter(o, STEP_BLOCK);
}

static void openocd_ask(struct wire *w, uint64_t now, struct wire_out *out)
{
	struct openocd *o = (struct openocd *)w;

	o->now_ns = now;
	o->live = true;
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
		o->due_ns = now;
	}
	if (now - o->reported_ns >= REPORT_NS)
		probe_report(o);
	if (o->step == STEP_SAMPLE && !o->planned)
		o->due_ns = sample_due(o);
	o->planned = true;
	block_ask(o);
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
	if (o->live)			/* a recording is never up: its answer goes on */
		o->answer_n = 0;
	o->refusals = 0;
	o->cycles_known = false;
	o->cycles_sum = 0;
}

const struct wire_ops wire_openocd_ops = {
	.size = sizeof(struct openocd),
	.init = openocd_init,
	.feed = openocd_feed,
	.flush = openocd_flush,
	.set_code = openocd_set_code,
	.ask = openocd_ask,
	.timeout = openocd_timeout,
	.down = openocd_down,
};
