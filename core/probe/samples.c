/* PCs and cycles for a second, as fast as the server answers. */
#include <math.h>
#include <stdlib.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/probe/parts.h"

enum { WORDS = 8, WORD_CYCCNT = 1, WORD_PCSR = 7, ROUNDS = 4096, REASONS = 64 };

enum { REFUSED_SURE = 16 };		/* so often it does not just wake up between two reads */

#define SAMPLE_NS CLOCK_SECOND
#define REASON_NS (CLOCK_SECOND / 4)
#define QUICK 2				/* times the quickest answer */
#define AWAKE_MOST 0.1			/* it woke up between two reads */
#define CODE_LEAST 0.9			/* share of PCs: the rest may be a boot ROM's */

struct trial {
	uint64_t samples, pcs, zero, none, in_code;	/* none: PCSR all ones */
	uint64_t asleep, halted, refused;		/* why there was none, of a few */
	double rounds[ROUNDS];
	/* Of the same: when the answer was there, and CYCCNT since the first. */
	uint64_t answered_ns[ROUNDS], cycles_sums[ROUNDS];
	size_t round_count;
	uint64_t first_ns, last_ns;	/* of the first and the last answer */
	uint32_t cycles;		/* of the last one */
	uint64_t cycles_sum;
	bool cycles_known;
};

/* --- one sample ------------------------------------------------------------------------------- */

static void pc_take(const struct chain *c, struct trial *t, uint32_t pc)
{
	t->samples++;
	t->zero += pc == 0;
	t->none += pc == UINT32_MAX;
	if (pc == 0 || pc == UINT32_MAX)
		return;
	t->pcs++;
	t->in_code += c->image && image_find(c->image, pc & ~1u) != IMAGE_NONE;
}

static bool trial_step(struct chain *c, struct trial *t, struct err *err)
{
	uint64_t before = clock_now(), after;
	uint32_t words[WORDS];

	if (target_read(c->target, REG_DWT_CTRL, words, WORDS, err) < 0)
		return false;
	after = clock_now();
	if (t->cycles_known)
		t->cycles_sum += words[WORD_CYCCNT] - t->cycles;
	else
		t->first_ns = after;
	t->cycles = words[WORD_CYCCNT];
	t->cycles_known = true;
	t->last_ns = after;
	if (t->round_count < ROUNDS) {
		t->answered_ns[t->round_count] = after;
		t->cycles_sums[t->round_count] = t->cycles_sum;
		t->rounds[t->round_count++] = (double)(after - before) / (double)CLOCK_SECOND;
	}
	pc_take(c, t, words[WORD_PCSR]);
	return true;
}

static int duration_compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* --- what it shows ---------------------------------------------------------------------------- */

/*
 * CYCCNT's rate, between the first and the last answer that came quickly: one that was held up, by
 * a busy host, tells a count of an unknown time.
 */
static double cycles_rate(const struct trial *t)
{
	size_t first = t->round_count, last = 0;
	double least = INFINITY;

	for (size_t i = 0; i < t->round_count; i++)
		least = fmin(least, t->rounds[i]);
	for (size_t i = 0; i < t->round_count; i++) {
		if (t->rounds[i] > QUICK * least)
			continue;
		first = first < t->round_count ? first : i;
		last = i;
	}
	if (last <= first)
		return 0;
	return (double)(t->cycles_sums[last] - t->cycles_sums[first]) * (double)CLOCK_SECOND /
	       (double)(t->answered_ns[last] - t->answered_ns[first]);
}

static void cycles_say(struct chain *c, const struct trial *t)
{

	if (c->dwt & DWT_NOCYCCNT) {
		chain_say(c, "cycles", DOCTOR_NOTE, NULL,
			  "no cycle counter: samples have the host's time only");
		return;
	}
	c->facts->cycles = t->cycles_sum > 0;
	if (!t->cycles_sum)
		chain_say(c, "cycles", DOCTOR_WARNING, NULL, "CYCCNT does not count%s",
			  t->asleep && !t->pcs ? ": the processor sleeps" : "");
	else
		chain_say(c, "cycles", DOCTOR_OK, NULL,
			  "CYCCNT counts %.2f MHz by the host's clock%s", c->facts->cycles_hz / 1e6,
			  t->none ? "; chips differ in whether it counts asleep" : "");
}

static void code_say(struct chain *c, const struct trial *t)
{
	bool most;

	if (!c->image || !t->pcs)
		return;
	c->facts->in_code = (double)t->in_code / (double)t->pcs;
	most = c->facts->in_code >= CODE_LEAST;
	chain_say(c, "code", most ? DOCTOR_OK : DOCTOR_WARNING,
		  most ? NULL : "is this the ELF that runs? Is there a boot loader, a ROM?",
		  "%.1f %% of the PCs are in functions of the ELF", 100 * c->facts->in_code);
}

/* The reason of which there is most. */
static void none_say(struct chain *c, const struct trial *t)
{
	if (t->zero > t->none)
		chain_say(c, "pcsr", DOCTOR_FAULT, "use swo:, or gdb: with ?stop=100",
			  "no PC samples: this core has no DWT_PCSR, which reads as 0");
	else if (t->halted > t->refused)
		chain_say(c, "pcsr", DOCTOR_FAULT, "`resume` in OpenOCD, or `continue` in gdb",
			  "no PC samples: the processor was halted");
	else
		chain_say(c, "pcsr", DOCTOR_FAULT,
			  "unlock debugging; with TrustZone, secure code needs secure debug",
			  "no PC samples: the processor runs, but debugging it is not permitted");
}

/*
 * One PC shows that they are permitted. Without any, it must have been asleep nearly whenever it
 * was looked at.
 */
static bool is_sampled(const struct trial *t)
{
	uint64_t awake = t->halted + t->refused;

	if (t->pcs || t->zero)
		return t->pcs > t->zero;
	return t->asleep && (double)awake < AWAKE_MOST * (double)(awake + t->asleep);
}

static void rate_say(struct chain *c, struct trial *t)
{
	double s = (double)(t->last_ns - t->first_ns) / (double)CLOCK_SECOND;
	double none = (double)t->none / (double)t->samples;
	bool refused = t->refused >= REFUSED_SURE && !t->asleep;
	char round[24];

	c->facts->pcsr = is_sampled(t);
	if (!c->facts->pcsr) {
		none_say(c, t);
		return;
	}
	qsort(t->rounds, t->round_count, sizeof(*t->rounds), duration_compare);
	c->facts->round_s = t->rounds[t->round_count / 2];
	c->facts->pcs_hz = s > 0 ? (double)(t->samples - 1) / s : 0;
	c->facts->asleep = refused ? 0 : none;
	chain_say(c, "pcsr", DOCTOR_OK, NULL,
		  "PCs without a halt: %.0f a second are reached (an answer takes %s), %.0f %% "
		  "asleep", c->facts->pcs_hz,
		  text_seconds(round, sizeof(round), c->facts->round_s), 100 * c->facts->asleep);
	if (refused)
		chain_say(c, "pcsr", DOCTOR_WARNING,
			  "with TrustZone, secure code needs secure debug",
			  "%.0f %% of the samples have no PC though the processor is awake",
			  100 * none);
}

/* --- the link --------------------------------------------------------------------------------- */

static bool cycles_start(struct chain *c)
{
	uint32_t back;

	if (!chain_read(c, "pcsr", "DWT_CTRL", REG_DWT_CTRL, &c->dwt, 1, true))
		return false;
	if (!(c->dwt & (DWT_NOCYCCNT | DWT_CYCCNTENA)))
		chain_try(c, REG_DWT_CTRL, c->dwt, c->dwt | DWT_CYCCNTENA, &back);
	return true;
}

/*
 * Why there is no PC is looked into later: another question for those samples alone would make
 * them the slower ones, of which there are fewer.
 */
static void reasons_read(struct chain *c, struct trial *t, struct err *err)
{
	uint64_t until = clock_now() + REASON_NS;

	while (t->none && clock_now() < until && t->asleep + t->halted + t->refused < REASONS) {
		uint32_t pcsr, dhcsr;

		if (target_read(c->target, REG_DWT_PCSR, &pcsr, 1, err) < 0 ||
		    target_read(c->target, REG_DHCSR, &dhcsr, 1, err) < 0)
			return;
		if (pcsr != UINT32_MAX)
			continue;
		t->asleep += (dhcsr & DHCSR_SLEEP) != 0;
		t->halted += !(dhcsr & DHCSR_SLEEP) && dhcsr & DHCSR_HALT;
		t->refused += !(dhcsr & (DHCSR_SLEEP | DHCSR_HALT));
	}
}

void chain_samples(struct chain *c)
{
	struct trial *t = c->trace ? mem_zalloc(sizeof(*t)) : NULL;
	uint64_t until = clock_now() + SAMPLE_NS;
	struct err err = { 0 };

	if (!t || !cycles_start(c)) {
		mem_free(t);
		return;
	}
	while (clock_now() < until && trial_step(c, t, &err))
		;
	if (!err_is_set(&err))
		reasons_read(c, t, &err);
	c->broken = err.code == ERR_IO;
	if (err_is_set(&err)) {
		chain_say(c, "pcsr", DOCTOR_FAULT, NULL, "no PC samples: %s", err.text);
	} else {
		c->facts->cycles_hz = cycles_rate(t);
		rate_say(c, t);
		code_say(c, t);
		cycles_say(c, t);
	}
	mem_free(t);
}
