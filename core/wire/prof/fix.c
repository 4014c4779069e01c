#include "core/wire/prof/prof.h"

#include "core/base/mem.h"

#define TWO32 (UINT64_C(1) << 32)
#define NEGATIVE (UINT64_C(1) << 31)

/* --- numbers ---------------------------------------------------------------------------------- */

bool prof_max_may_be_cut(const struct wire_row *r)
{
	uint64_t longer = (uint64_t)r->max * 10;	/* the least with one more digit */

	if (r->max == 0 || longer > PROF_SATURATED || r->calls == 0)
		return false;
	return longer + (unsigned __int128)(r->calls - 1) * r->min <= r->total;
}

/*
 * A clock that raced gives one call a negative duration: its 16-bit minimum and maximum saturate,
 * and total goes below zero, modulo 2^32. A real total of that size needs 18 hours and more.
 */
static bool is_negative(const struct wire_row *r, uint64_t run)
{
	const uint64_t nested = 64;	/* a recursive site's total exceeds the run by its depth */

	if (r->max != PROF_SATURATED || r->total < NEGATIVE || r->total >= TWO32)
		return false;
	if (r->total < (r->calls - (r->calls > 0)) * (uint64_t)r->min)
		return false;
	if (run)
		return r->total / nested > run;
	return TWO32 - r->total < 1 << 20;
}

/*
 * Least multiples of 2^32 that make total and calls agree with min and max. Figures of a running
 * profiler are off by a call or two: `slack` is what that explains.
 */
static void row_unwrap(struct wire_row *r)
{
	const uint64_t slack = 16 * PROF_SATURATED;
	unsigned __int128 low, high;
	bool bounded = r->max != PROF_SATURATED;

	if (r->calls >= TWO32 || r->total >= TWO32 || r->min > r->max)
		return;		/* not of 32 bits, or not to be believed */
	high = (unsigned __int128)r->calls * r->max + slack;
	if (bounded && r->max && r->total > high) {
		uint64_t times = (r->total / r->max - r->calls) / TWO32;

		r->calls += (times + 1) * TWO32;
		r->flags |= ROW_WRAPPED;
	}
	low = (unsigned __int128)(r->calls - 1) * r->min + r->max;
	if (r->total + slack < low) {
		uint64_t times = (uint64_t)((low - slack - r->total + TWO32 - 1) / TWO32);
		uint64_t total = r->total + times * TWO32;

		high = (unsigned __int128)(r->calls - 1) * r->max + r->min + slack;
		if (bounded && total > high)
			return;		/* no multiple fits: not a wrap */
		r->total = total;
		r->flags |= ROW_WRAPPED;
	}
}

void prof_fix_numbers(struct wire_row *rows, size_t n, uint64_t run)
{
	for (size_t i = 0; i < n; i++) {
		struct wire_row *r = &rows[i];

		if (r->calls == 0 && r->total == 0)
			continue;
		if (r->max == PROF_SATURATED)
			r->flags |= ROW_MAX_AT_LEAST;
		if (r->min == PROF_SATURATED)
			r->flags |= ROW_MIN_AT_LEAST;
		if (is_negative(r, run)) {
			r->flags |= ROW_TOTAL_NEGATIVE;
			r->total = 0;
		} else if (r->calls == 0) {
			r->calls = TWO32;
			r->flags |= ROW_WRAPPED;
		} else {
			row_unwrap(r);
		}
	}
}

/* --- words ------------------------------------------------------------------------------------ */

void prof_fix_words(struct wire_sampled *s, size_t n, const struct codemap *code, bool *words)
{
	if (code && code->arch != CODE_UNKNOWN) {
		*words = code->arch == CODE_AVR;
	} else {
		for (size_t i = 0; i < n && !*words; i++)
			*words = s[i].pc & 1;
	}
	for (size_t i = 0; *words && i < n; i++)
		s[i].pc *= 2;
}

/* --- bit 16 ----------------------------------------------------------------------------------- */

/*
 * The profiler keeps AVR's word addresses in 16 bits and prints them doubled, in 16 bits again.
 * Each row so has a few readings: callee and caller plus k * 0x10000. The image says how well a
 * reading fits, the table's order how well two neighbours' do; the best way through all rows is
 * found as Viterbi does, and a row that has a second reading on a way as good is ambiguous.
 */
#define PAGES 4			/* 256 KB: AVR's largest */
#define DISORDER 8		/* what a row out of order costs */
#define UNSEEN (-1000000)

struct reading {
	uint64_t key;		/* callee, caller: the table's order */
	int32_t fit;
	int32_t forward, backward;	/* best way up to it, and from it on */
};

static int reading_fit(const struct codemap *code, uint64_t from, uint64_t to)
{
	unsigned caller = code_flags(code, from), callee = code_flags(code, to);
	int n = callee & CODE_ENTRY ? 6 : callee & CODE_TEXT ? 0 : -4;
	uint64_t target;

	if (!(caller & CODE_RETURN))
		return n + (caller & CODE_TEXT ? 0 : -4);
	target = code->target ? code->target(code->ctx, from) : CODE_NO_TARGET;
	return n + (target == to ? 5 : target == CODE_NO_TARGET ? 3 : 1);
}

static unsigned page_count(const struct codemap *code)
{
	uint64_t n = (code->base + code->size + 0xffff) >> 16;

	return n < PAGES ? (unsigned)n : PAGES;
}

/* Readings of a row; an address above 64 KB, as printed, has lost nothing. */
static unsigned row_readings(const struct codemap *code, const struct wire_row *r,
			     struct reading *v)
{
	unsigned callees = r->to > 0xffff ? 1 : page_count(code);
	unsigned callers = r->from > 0xffff ? 1 : page_count(code);
	unsigned n = 0;

	for (uint64_t t = 0; t < callees; t++) {
		for (uint64_t f = 0; f < callers; f++) {
			uint64_t to = r->to + (t << 16), from = r->from + (f << 16);

			v[n++] = (struct reading){ .key = to << 32 | from,
						   .fit = reading_fit(code, from, to) };
		}
	}
	return n;
}

/* Best value of a way that goes from one of the n readings v to one with `key`. */
static int32_t best_before(const struct reading *v, unsigned n, uint64_t key, bool sorted)
{
	int32_t best = UNSEEN;

	for (unsigned i = 0; i < n; i++) {
		int32_t x = v[i].forward - (sorted && v[i].key > key ? DISORDER : 0);

		best = x > best ? x : best;
	}
	return best;
}

static int32_t best_after(const struct reading *v, unsigned n, uint64_t key, bool sorted)
{
	int32_t best = UNSEEN;

	for (unsigned i = 0; i < n; i++) {
		int32_t x = v[i].backward + v[i].fit - (sorted && v[i].key < key ? DISORDER : 0);

		best = x > best ? x : best;
	}
	return best;
}

static void row_choose(struct wire_row *r, const struct reading *v, unsigned n)
{
	unsigned best = 0, equals = 0;

	for (unsigned i = 0; i < n; i++) {
		int32_t value = v[i].forward + v[i].backward;
		int32_t top = v[best].forward + v[best].backward;

		if (value > top) {
			best = i;
			equals = 0;
		}
		equals += value >= top;
	}
	if (equals > 1) {
		r->flags |= ROW_AMBIGUOUS;
		return;
	}
	if (best) {
		r->flags |= ROW_BIT16;
		r->to = (uint32_t)(v[best].key >> 32);
		r->from = (uint32_t)v[best].key;
	}
}

struct lattice {
	struct reading *v;	/* `width` a row, `n` of them in use */
	uint8_t *n;
	size_t rows, width;
};

static void lattice_walk(struct lattice *l, bool sorted)
{
	for (size_t i = 0; i < l->rows; i++) {
		struct reading *v = l->v + i * l->width;

		for (unsigned k = 0; k < l->n[i]; k++)
			v[k].forward = v[k].fit +
				(i ? best_before(v - l->width, l->n[i - 1], v[k].key, sorted) : 0);
	}
	for (size_t i = l->rows; i-- > 0;) {
		struct reading *v = l->v + i * l->width;

		for (unsigned k = 0; k < l->n[i]; k++)
			v[k].backward = i + 1 < l->rows ?
				best_after(v + l->width, l->n[i + 1], v[k].key, sorted) : 0;
	}
}

void prof_fix_bit16(struct wire_row *rows, size_t n, const struct codemap *code, bool sorted)
{
	struct lattice l = { .rows = n };

	if (!code || !prof_loses_bit16(code) || n == 0)
		return;
	l.width = page_count(code) * page_count(code);
	l.v = mem_alloc(n * l.width * sizeof(*l.v));
	l.n = mem_alloc(n);
	if (!l.v || !l.n) {
		for (size_t i = 0; i < n; i++)
			rows[i].flags |= ROW_AMBIGUOUS;
		goto out;
	}
	for (size_t i = 0; i < n; i++)
		l.n[i] = (uint8_t)row_readings(code, &rows[i], l.v + i * l.width);
	lattice_walk(&l, sorted);
	for (size_t i = 0; i < n; i++)
		row_choose(&rows[i], l.v + i * l.width, l.n[i]);
out:
	mem_free(l.v);
	mem_free(l.n);
}
