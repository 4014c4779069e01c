/* sampler: see sampler.h. */
#include "core/wire/probe/sampler.h"

#include <stdlib.h>
#include <string.h>

#include "core/wire/probe/cores.h"

enum {
	WORD_CTRL = 0, WORD_CYCCNT = 1, WORD_PCSR = 7, WORD_DHCSR = 8,
	REFUSALS = 8,			/* in a row: it does not just wake up each time */
	TOLD_EACH = 256,		/* samples of a recording */
};

#define REPORT_NS CLOCK_SECOND
#define REFUSED_NS (CLOCK_SECOND / 10)
#define BLOCK_NS (CLOCK_SECOND / 50)	/* between two blocks of code: first, */
#define BLOCK_LATER_NS (CLOCK_SECOND / 4)	/* and after a round of them */
#define GRAIN_NS (CLOCK_SECOND / 1000)
#define HZ_DEFAULT 1000.0
#define CYCLES_OFF 0.002		/* of CYCCNT's rate: good enough */

#define CPUID 0xe000ed00u
#define DEMCR 0xe000edfcu
#define DEMCR_TRCENA (1u << 24)
#define CTRL_NOCYCCNT (1u << 25)
#define CTRL_CYCCNTENA 1u
#define DHCSR_HALT (1u << 17)
#define DHCSR_SLEEP (1u << 18)

/* --- questions -------------------------------------------------------------------------------- */

static const struct sampler_question questions[SAMPLER_STEPS] = {
	[SAMPLER_CPUID] = { .address = CPUID, .words = 1 },
	[SAMPLER_TRACE] = { .address = DEMCR, .words = 1 },
	[SAMPLER_TRACE_SET] = { .address = DEMCR },
	[SAMPLER_TRACE_BACK] = { .address = DEMCR, .words = 1 },
	[SAMPLER_CYCLES] = { .address = SAMPLER_DWT_CTRL, .words = 1 },
	[SAMPLER_CYCLES_SET] = { .address = SAMPLER_DWT_CTRL },
	[SAMPLER_SAMPLE] = { .address = SAMPLER_DWT_CTRL, .words = SAMPLER_WORDS },
	[SAMPLER_WHY] = { .address = SAMPLER_DHCSR, .words = 1 },
};

struct sampler_question sampler_question(const struct sampler *s)
{
	struct sampler_question q = questions[s->step];

	if (s->step == SAMPLER_BLOCK)
		return (struct sampler_question){ .address = s->blocks.address[s->blocks.next],
						  .words = WIRE_BLOCK_WORDS };
	q.value = s->value;
	return q;
}

void sampler_asked(struct sampler *s)
{
	s->asked = true;
	s->sent_ns = s->now_ns;
	if (s->step == SAMPLER_SAMPLE)
		s->sample_ns = s->now_ns;
}

double sampler_random(struct sampler *s)
{
	s->random = s->random * 1664525 + 1013904223;
	return (double)s->random / (double)UINT32_MAX;
}

/*
 * Half to one and a half of the period behind the sample before. Who polls does so by the
 * millisecond: what remains of one is rounded by chance, so that the mean is right.
 */
uint64_t sampler_due(struct sampler *s, double hz)
{
	double period = (double)CLOCK_SECOND / hz;
	double due = (double)s->sample_ns + period * (0.5 + sampler_random(s));
	double grains = (due - (double)s->now_ns) / (double)GRAIN_NS;

	if (!(grains > 0))
		return s->now_ns;
	return s->now_ns + (uint64_t)(grains + sampler_random(s)) * GRAIN_NS;
}

void sampler_enter(struct sampler *s, enum sampler_step step)
{
	s->step = step;
	s->asked = false;
	s->planned = true;
	s->due_ns = s->now_ns;
}

void sampler_plan(struct sampler *s)
{
	sampler_enter(s, SAMPLER_SAMPLE);
	s->planned = false;		/* by the next tick, which knows the time */
}

/* --- how it goes ------------------------------------------------------------------------------ */

static int round_compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double round_median(const struct sampler *s)
{
	double sorted[SAMPLER_ROUNDS];
	size_t n = s->round < SAMPLER_ROUNDS ? s->round : SAMPLER_ROUNDS;

	if (!n)
		return 0;
	memcpy(sorted, s->rounds, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), round_compare);
	return sorted[n / 2];
}

void sampler_tell(const struct sampler *s)
{
	if (s->wire->sink.probe)
		s->wire->sink.probe(s->wire->sink.ctx, &s->probe);
}

void sampler_report(struct sampler *s, double asked_hz)
{
	double seconds = (double)(s->now_ns - s->reported_ns) / (double)CLOCK_SECOND;
	uint64_t samples = s->probe.samples - s->reported;

	s->probe.asked_hz = asked_hz;
	s->probe.reached_hz = seconds > 0 ? (double)samples / seconds : 0;
	s->probe.asleep_now = samples ? (double)(s->probe.asleep - s->reported_asleep) /
					(double)samples : 0;
	s->probe.round_s = round_median(s);
	s->reported_ns = s->now_ns;
	s->reported = s->probe.samples;
	s->reported_asleep = s->probe.asleep;
	sampler_tell(s);
}

void sampler_trouble(struct sampler *s, enum wire_probe_trouble trouble)
{
	if (s->probe.trouble == trouble)
		return;
	if (trouble == PROBE_FINE)
		blocks_again(&s->blocks);	/* it may have been programmed */
	s->probe.trouble = trouble;
	sampler_tell(s);
}

/* --- samples ---------------------------------------------------------------------------------- */

/* Of a recording nobody asks: what there is to tell is told by the number of samples. */
static void sample_count(struct sampler *s)
{
	s->wire->when.sample_cycles = cycles_period(&s->period);
	s->wire->stats.events++;
	if (s->probe.samples++ % (s->live ? UINT64_MAX : TOLD_EACH))
		return;
	if (!s->live)
		s->probe.asleep_now = (double)s->probe.asleep / (double)s->probe.samples;
	sampler_tell(s);
}

void sampler_give(struct sampler *s, uint32_t pc)
{
	cycles_sample(&s->period, false);
	sample_count(s);
	if (s->wire->sink.samples)
		s->wire->sink.samples(s->wire->sink.ctx, &pc, 1);
	s->refusals = 0;
	sampler_trouble(s, PROBE_FINE);
}

/* Sleep tells nothing of whether PCs are to be had: only one of them ends that trouble. */
static void asleep_give(struct sampler *s)
{
	enum wire_probe_trouble trouble = s->probe.trouble;

	cycles_sample(&s->period, true);
	s->probe.asleep++;
	sample_count(s);
	if (s->wire->sink.asleep)
		s->wire->sink.asleep(s->wire->sink.ctx, 1);
	if (trouble != PROBE_NOT_PERMITTED && trouble != PROBE_TRACE_OFF)
		sampler_trouble(s, PROBE_FINE);
}

static void cycles_take(struct sampler *s, uint32_t cycles)
{
	s->cycles_sum += s->cycles_known ? cycles - s->cycles : 0;
	s->cycles = cycles;
	s->look = true;
}

static void cycles_begin(struct sampler *s, uint64_t middle, uint64_t width)
{
	s->cycles_sum = 0;
	s->cycles_since_ns = middle;
	s->cycles_width_ns = width;
	s->cycles_known = true;
}

/* The shortest look of a second is the beginning, or a later one that is much shorter. */
static bool cycles_begins(const struct sampler *s, uint64_t since, uint64_t width, double off)
{
	return !s->cycles_known || (since < CLOCK_SECOND && width < s->cycles_width_ns) ||
	       (off > CYCLES_OFF && width < s->cycles_width_ns / 2);
}

/*
 * By the host's clock: a look is right to half of its question and answer. One that is long, on a
 * busy host, changes nothing where a better one was.
 */
static void cycles_look(struct sampler *s, uint64_t now)
{
	uint64_t width = now - s->sent_ns, middle = s->sent_ns + width / 2;
	uint64_t since = middle - s->cycles_since_ns;
	double off = (double)(width + s->cycles_width_ns) / 2 / (double)(since + 1);

	s->look = false;
	if (cycles_begins(s, since, width, off)) {
		cycles_begin(s, middle, width);
		return;
	}
	if (off > CYCLES_OFF && (since < CLOCK_SECOND || (s->probe.cycles_hz > 0 &&
							  off >= s->cycles_off)))
		return;
	s->cycles_off = off;
	s->probe.cycles_hz = (double)s->cycles_sum * (double)CLOCK_SECOND / (double)since;
}

/*
 * No PC, though DHCSR, read a little later, says that it is awake: it woke up in between, unless
 * that goes on.
 */
static void refusal_take(struct sampler *s, uint32_t dhcsr)
{
	if (dhcsr & DHCSR_SLEEP)
		s->refusals = 0;
	if (dhcsr & DHCSR_SLEEP || (!(dhcsr & DHCSR_HALT) && s->probe.samples &&
				    ++s->refusals < REFUSALS)) {
		asleep_give(s);
		sampler_plan(s);
		return;
	}
	cycles_gap(&s->period);
	s->probe.refused++;
	sampler_trouble(s, dhcsr & DHCSR_HALT ? PROBE_HALTED :
			   s->trace_off ? PROBE_TRACE_OFF : PROBE_NOT_PERMITTED);
	sampler_enter(s, SAMPLER_TRACE);	/* a reset switches it off */
	s->due_ns = s->sent_ns + REFUSED_NS;
}

static void sampler_words_take(struct sampler *s, const uint32_t *words, unsigned count)
{
	if (!(words[WORD_CTRL] & CTRL_NOCYCCNT))
		cycles_read(&s->period, words[WORD_CYCCNT]);
	if (s->live && !(words[WORD_CTRL] & CTRL_NOCYCCNT))
		cycles_take(s, words[WORD_CYCCNT]);
	sampler_plan(s);
	if (count == SAMPLER_WORDS_WHY)
		refusal_take(s, words[WORD_DHCSR]);
	else if (words[WORD_PCSR] == 0)
		sampler_trouble(s, PROBE_NO_PCSR);
	else if (words[WORD_PCSR] != UINT32_MAX)
		sampler_give(s, words[WORD_PCSR] & ~1u);
	else if (s->why_apart)
		sampler_enter(s, SAMPLER_WHY);
}

void sampler_block(struct sampler *s, unsigned index, unsigned count, uint32_t address,
		   const uint32_t *words)
{
	s->answered = s->asked;
	sampler_plan(s);
	if (blocks_take(&s->blocks, index, count, address, words) && s->wire->sink.identity)
		s->wire->sink.identity(s->wire->sink.ctx, &s->blocks.identity);
}

/* --- set-up ----------------------------------------------------------------------------------- */

static void core_take(struct sampler *s, uint32_t cpuid)
{
	cycles_gap(&s->period);		/* a new connection, also in a recording */
	core_text(cpuid, s->core, sizeof(s->core));
	if (!core_find(cpuid))
		sampler_trouble(s, PROBE_NO_CORE);
	sampler_enter(s, SAMPLER_TRACE);
}

/* The answer to a question of one word. */
static void word_take(struct sampler *s, uint32_t word)
{
	switch (s->step) {
	case SAMPLER_CPUID:
		core_take(s, word);
		return;
	case SAMPLER_TRACE:
		s->value = word | DEMCR_TRCENA;
		s->trace_off = false;
		sampler_enter(s, word & DEMCR_TRCENA ? SAMPLER_CYCLES : SAMPLER_TRACE_SET);
		return;
	case SAMPLER_TRACE_BACK:
		s->trace_off = !(word & DEMCR_TRCENA);
		if (s->trace_off)
			sampler_trouble(s, PROBE_TRACE_OFF);
		else if (s->probe.trouble == PROBE_TRACE_OFF)
			sampler_trouble(s, PROBE_FINE);
		sampler_enter(s, SAMPLER_CYCLES);
		return;
	case SAMPLER_CYCLES:
		s->value = word | CTRL_CYCCNTENA;
		sampler_enter(s, word & (CTRL_NOCYCCNT | CTRL_CYCCNTENA) ? SAMPLER_SAMPLE :
									 SAMPLER_CYCLES_SET);
		return;
	case SAMPLER_WHY:
		refusal_take(s, word);
		return;
	default:
		return;
	}
}

bool sampler_take(struct sampler *s, const uint32_t *words, unsigned count)
{
	bool written = s->step == SAMPLER_TRACE_SET || s->step == SAMPLER_CYCLES_SET;

	s->answered = s->asked;
	if (s->step == SAMPLER_SAMPLE && (count == SAMPLER_WORDS || count == SAMPLER_WORDS_WHY))
		sampler_words_take(s, words, count);
	else if (written && !count)
		sampler_enter(s, s->step + 1);
	else if (!written && s->step != SAMPLER_SAMPLE && s->step != SAMPLER_BLOCK && count == 1)
		word_take(s, words[0]);
	else
		return false;
	return true;
}

/* --- time ------------------------------------------------------------------------------------- */

void sampler_init(struct sampler *s, struct wire *wire, double hz)
{
	s->wire = wire;
	s->hz = hz > 0 ? hz : HZ_DEFAULT;
	s->random = 1;
	s->probe.core = s->core;
	blocks_choose(&s->blocks, wire->code);
}

void sampler_down(struct sampler *s)
{
	s->step = SAMPLER_NONE;
	s->asked = false;
	s->refusals = 0;
	s->cycles_known = s->look = false;
	s->cycles_sum = 0;
}

void sampler_set_code(struct sampler *s)
{
	blocks_choose(&s->blocks, s->wire->code);
	if (s->step == SAMPLER_BLOCK)
		sampler_plan(s);	/* that one is not asked for any more */
}

/* In the place of a sample that is due, where those work: a halted target may be programmed now. */
static void block_plan(struct sampler *s)
{
	uint64_t pause = s->blocks.rounds ? BLOCK_LATER_NS : BLOCK_NS;

	if (s->step != SAMPLER_SAMPLE || s->asked || s->now_ns < s->due_ns ||
	    s->now_ns - s->block_ns < pause || !s->blocks.count ||
	    s->probe.trouble != PROBE_FINE || !s->probe.samples)
		return;
	s->block_ns = s->now_ns;
	sampler_enter(s, SAMPLER_BLOCK);
}

void sampler_tick(struct sampler *s, uint64_t now)
{
	s->now_ns = now;
	s->live = true;
	if (s->answered)
		s->rounds[s->round++ % SAMPLER_ROUNDS] = (double)(now - s->sent_ns) /
							 (double)CLOCK_SECOND;
	s->answered = false;
	if (s->look)
		cycles_look(s, now);
	if (now - s->reported_ns >= REPORT_NS)
		sampler_report(s, s->hz);
	if (s->step == SAMPLER_SAMPLE && !s->planned)
		s->due_ns = sampler_due(s, s->hz);
	s->planned = true;
	block_plan(s);
}

int sampler_timeout(const struct sampler *s, uint64_t now)
{
	return clock_ms_until(s->asked ? s->sent_ns + SAMPLER_ANSWER_NS : s->due_ns, now);
}
