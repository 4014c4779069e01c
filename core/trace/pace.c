/* trace/pace: the weights of gaps between events, by least squares. */
#include "core/trace/pace.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"

enum { FIRST_DUE = 16, SWEEPS = 60, ENOUGH = 4096, SELDOM = 16 };

#define RIDGE 0.3			/* of the usual weight: weights differ by so much */
#define NOISE 0.1			/* of its square: each gap's variance */
#define TOLD_SURE 3			/* of the ridge, as variances: */
#define STRUCK_UNSURE 64
#define LEAST 0.05			/* of the usual weight: no gap is believed to be shorter */
#define OUTLIER 3			/* deviations: an equation further off counts less */

void pace_init(struct pace *p)
{
	*p = (struct pace){ .usual = 1, .due = FIRST_DUE };
}

void pace_release(struct pace *p)
{
	for (size_t i = 0; i < p->row_count; i++)
		mem_free(p->rows[i].sum);
	mem_free(p->rows);
	mem_free(p->of);
}

size_t pace_memory(const struct pace *p)
{
	return p->id_cap * sizeof(*p->of) + p->row_cap * sizeof(*p->rows) +
	       p->row_count * (p->row_count + 1) / 2 * sizeof(double);
}

/* --- equations -------------------------------------------------------------------------------- */

static bool id_add(struct pace *p, uint32_t id)
{
	if (id < p->ids)
		return true;
	if (id >= PACE_IDS || mem_grow(&p->of, &p->id_cap, id + 1, sizeof(*p->of)) < 0)
		return false;
	for (; p->ids <= id; p->ids++) {
		p->of[p->ids] = (struct pace_of){ .row = { 0 } };
		for (int i = 0; i < PACE_GAPS; i++)
			p->of[p->ids].gap[i] = p->usual * pace_share[i];
	}
	return true;
}

/* NULL: no memory, or too many. */
static struct pace_row *row_of(struct pace *p, uint32_t id, enum pace_gap gap)
{
	double *sum;

	if (!id_add(p, id))
		return NULL;
	if (p->of[id].row[gap])
		return &p->rows[p->of[id].row[gap] - 1];
	if (p->row_count >= PACE_ROWS ||
	    mem_grow(&p->rows, &p->row_cap, p->row_count + 1, sizeof(*p->rows)) < 0)
		return NULL;
	sum = mem_zalloc((p->row_count + 1) * sizeof(*sum));
	if (!sum)
		return NULL;
	p->rows[p->row_count] = (struct pace_row){
		.sum = sum, .weight = (double)p->of[id].gap[gap], .id = id, .gap = gap,
	};
	p->of[id].row[gap] = (uint16_t)++p->row_count;
	return &p->rows[p->row_count - 1];
}

/* All are learned at first, then some. */
bool pace_wants(struct pace *p)
{
	return p->learned < ENOUGH || p->seen++ % SELDOM == 0;
}

void pace_tally(struct pace *p, uint32_t id, enum pace_gap gap, double count)
{
	struct pace_row *row = p->blind || count <= 0 ? NULL : row_of(p, id, gap);

	if (count <= 0)
		return;
	if (!row || (row->count == 0 && p->tally == PACE_TALLIED)) {
		p->blind = true;
		return;
	}
	if (row->count == 0)
		p->tallied[p->tally++] = (uint32_t)(row - p->rows);
	row->count += count;
	p->gaps += count;
}

/* Gaps between two calls that a call made, behind a leaf, and behind another. */
static void made_between(const struct pace_made *m, double *leaf, double *other)
{
	*leaf = (m->leaves >> 1) - (m->leaves & 1);
	*other = (double)(m->calls - 1) - *leaf;
}

double pace_call_weight(const struct pace *p, uint32_t id, const struct pace_made *m)
{
	double leaf, other;

	if (!m->calls)
		return pace_weight(p, id, PACE_WHOLE);
	made_between(m, &leaf, &other);
	return pace_weight(p, id, PACE_FIRST) + leaf * pace_weight(p, id, PACE_BETWEEN_LEAF) +
	       other * pace_weight(p, id, PACE_BETWEEN) +
	       pace_weight(p, id, m->leaves & 1 ? PACE_LAST_LEAF : PACE_LAST);
}

void pace_tally_call(struct pace *p, uint32_t id, const struct pace_made *m, double count)
{
	double leaf, other;

	if (!m->calls) {
		pace_tally(p, id, PACE_WHOLE, count);
		return;
	}
	made_between(m, &leaf, &other);
	pace_tally(p, id, PACE_FIRST, count);
	pace_tally(p, id, PACE_BETWEEN_LEAF, count * leaf);
	pace_tally(p, id, PACE_BETWEEN, count * other);
	pace_tally(p, id, m->leaves & 1 ? PACE_LAST_LEAF : PACE_LAST, count);
}

void pace_drop(struct pace *p)
{
	for (size_t i = 0; i < p->tally; i++)
		p->rows[p->tallied[i]].count = 0;
	p->tally = 0;
	p->gaps = 0;
	p->blind = false;
}

/* Its variance: the stamps' units, each gap's own, and more for one that fits badly. */
static double variance_of(const struct pace *p, double ticks, double unit)
{
	double usual = (p->ticks + ticks) / (p->all_gaps + p->gaps), sum = 0, off;
	double v = unit * unit / 6 + NOISE * usual * usual * p->gaps;

	for (size_t i = 0; i < p->tally; i++)
		sum += p->rows[p->tallied[i]].count * p->rows[p->tallied[i]].weight;
	off = fabs(ticks - sum);
	return p->generation && off > OUTLIER * sqrt(v) ? v * off / (OUTLIER * sqrt(v)) : v;
}

static void equation_add(struct pace *p, double ticks, double variance)
{
	for (size_t i = 0; i < p->tally; i++) {
		uint32_t at = p->tallied[i];
		struct pace_row *row = &p->rows[at];
		double part = row->count / variance;

		row->right += part * ticks;
		for (size_t k = 0; k < p->tally; k++) {
			if (p->tallied[k] <= at)
				row->sum[p->tallied[k]] += part * p->rows[p->tallied[k]].count;
		}
	}
}

/* --- solving ---------------------------------------------------------------------------------- */

/*
 * How sure a weight is of its share of the usual one, beside those of gaps. What telling takes is
 * much the same in all hooks, and gaps before returns are told with it always: equations do not
 * tell them apart. What a handler takes is its own.
 */
static double ridge_of(enum pace_gap gap, double ridge)
{
	if (gap == PACE_TOLD)
		return ridge * TOLD_SURE;
	return gap == PACE_STRUCK ? ridge / STRUCK_UNSURE : ridge;
}

/* What all other weights leave for this one. */
static double row_solve(const struct pace *p, size_t at, double usual_ridge)
{
	const struct pace_row *row = &p->rows[at];
	double ridge = ridge_of(row->gap, usual_ridge);
	double right = row->right + ridge * (double)(p->usual * pace_share[row->gap]);

	for (size_t k = 0; k < at; k++)
		right -= row->sum[k] * p->rows[k].weight;
	for (size_t k = at + 1; k < p->row_count; k++)
		right -= p->rows[k].sum[at] * p->rows[k].weight;
	return right / (row->sum[at] + ridge);
}

/* Gauss and Seidel's sweeps. */
static void weights_solve(struct pace *p)
{
	double usual = (double)p->usual, ridge = 1 / (RIDGE * usual * RIDGE * usual);
	double moved = usual;

	for (int i = 0; i < SWEEPS && moved > usual / 1000; i++) {
		moved = 0;
		for (size_t at = 0; at < p->row_count; at++) {
			double least = p->rows[at].gap == PACE_STRUCK ? 0 : LEAST * usual;
			double w = fmax(row_solve(p, at, ridge), least);

			moved = fmax(moved, fabs(w - p->rows[at].weight));
			p->rows[at].weight = w;
		}
	}
}

static void weights_renew(struct pace *p)
{
	p->usual = (float)(p->ticks / p->all_gaps);
	if (!(p->usual > 1e-3F))
		p->usual = 1e-3F;
	weights_solve(p);
	for (size_t id = 0; id < p->ids; id++) {
		for (int i = 0; i < PACE_GAPS; i++)
			p->of[id].gap[i] = p->usual * pace_share[i];
	}
	for (size_t i = 0; i < p->row_count; i++)
		p->of[p->rows[i].id].gap[p->rows[i].gap] = (float)p->rows[i].weight;
	p->generation++;
}

bool pace_learn(struct pace *p, double ticks, double unit)
{
	bool usable = !p->blind && p->tally && p->gaps < 1e9;

	if (usable) {
		equation_add(p, ticks, variance_of(p, ticks, unit));
		p->ticks += ticks;
		p->all_gaps += p->gaps;
		p->learned++;
	}
	pace_drop(p);
	if (!usable || p->learned < p->due)
		return false;
	p->due = p->learned + p->learned / 2;
	weights_renew(p);
	return true;
}
