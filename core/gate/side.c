#include "core/gate/side.h"

#include <math.h>
#include <string.h>

#include "core/export/losses.h"
#include "core/profile/look/estimate.h"

#define CONFIDENT 3.92		/* standard deviations that a 95 % interval is wide */

static const struct gate_figure unknown = { .value = NAN };

int side_init(struct side *s, const struct gate_input *in, enum noise_scale scale)
{
	*s = (struct side){ .in = *in, .scale = scale };
	if (noise_init(&s->noise, in->profile, scale) < 0)
		return ERR_NOMEM;
	return contexts_build(&s->contexts, in->profile, in->image);
}

void side_release(struct side *s)
{
	noise_release(&s->noise);
	contexts_release(&s->contexts);
	line_costs_release(&s->lines);
}

int side_lines(struct side *s)
{
	return line_costs_build(&s->lines, s->in.profile, s->in.image);
}

bool side_is_sum(enum column_id column)
{
	switch (column) {
	case COLUMN_SELF: case COLUMN_SELF_PERCENT: case COLUMN_TOTAL: case COLUMN_CALLS:
	case COLUMN_SAMPLES: case COLUMN_RAN: case COLUMN_RAN_RATE: case COLUMN_RATE:
	case COLUMN_LOAD: case COLUMN_ENERGY:
		return true;
	default:
		return false;
	}
}

/* --- functions -------------------------------------------------------------------------------- */

static double column_of(const struct side *s, enum column_id id, const struct profile_function *f)
{
	struct column_data d = { .profile = s->in.profile, .contexts = &s->contexts };

	return columns[id].value(&d, f);
}

static double sigma_known(double sigma)
{
	return isnan(sigma) ? 0 : sigma;
}

/* A figure of noise.h times so much. */
static struct gate_figure figure_scaled(const struct noise_figure *n, double times)
{
	return (struct gate_figure){ n->value * times, sigma_known(n->sigma) * times, false };
}

/* The bucket that an estimated percentile is in: uniform between its bounds. */
static double percentile_sigma(const struct side *s, double value)
{
	const struct profile *p = s->in.profile;
	const uint64_t *below = p->terms.bucket_below;
	double low = 0, high;

	if (p->fine_count)			/* all durations are known */
		return s->noise.clock;
	for (size_t i = 0; i < WIRE_BUCKETS - 1; i++) {
		high = profile_seconds(p, (double)below[i]);
		if (value < high)
			return (high - low) / sqrt(12);
		low = high;
	}
	return low / sqrt(12);
}

/* Samples of a run, or calls estimated from them: a count that grows with it. */
static struct gate_figure count_figure(const struct side *s, double count, double sigma, double run)
{
	double times = isnan(run) || isnan(s->noise.run) ? 1 : run / s->noise.run;

	return (struct gate_figure){ count * times, sigma * times, false };
}

static struct gate_figure estimate_figure(const struct side *s, const struct profile_function *f,
					  enum estimate_kind kind, double run)
{
	struct estimate e = estimate_of(s->in.profile, f, kind);
	double sigma = (e.high - e.low) / CONFIDENT;

	if (kind == ESTIMATE_CALLS)
		return count_figure(s, e.value, sigma_known(sigma), run);
	return (struct gate_figure){ e.value, sigma_known(sigma), false };
}

/* Times that the calls took together: their number and the mean both vary. */
static struct gate_figure total_figure(const struct side *s, const struct profile_function *f,
				       const struct noise_figure n[COMPARE_MEASURES], double run)
{
	double calls = n[COMPARE_RATE].sigma / n[COMPARE_RATE].value;
	double call = n[COMPARE_PER_CALL].sigma / n[COMPARE_PER_CALL].value;
	struct gate_figure g = count_figure(s, f->total_s, 0, run);

	g.sigma = sigma_known(hypot(calls, call)) * g.value;
	g.at_least = f->incomplete;
	return g;
}

static struct gate_figure max_figure(const struct side *s, const struct profile_function *f,
				     const struct noise_figure *max)
{
	bool at_least = f->has_minmax && f->flags & ROW_MAX_AT_LEAST;

	if (isnan(max->value) && f->has_minmax)
		return (struct gate_figure){ f->max_s, s->noise.clock, at_least };
	return figure_scaled(max, 1);
}

static struct gate_figure calls_figure(const struct profile_function *f,
				       const struct noise_figure *rate, double run)
{
	struct gate_figure g = { f->called ? (double)f->calls : (double)NAN, 0, f->incomplete };

	if (!isnan(run) && !isnan(rate->value))
		g = figure_scaled(rate, run);
	g.at_least = f->incomplete;
	return g;
}

static struct gate_figure self_figure(const struct side *s, const struct profile_function *f,
				      const struct noise_figure *load, double run)
{
	struct gate_figure g = figure_scaled(load, isnan(run) ? s->noise.run : run);

	if (isnan(g.value) || isnan(run))
		g.value = f->self_s;
	g.sigma = hypot(sigma_known(g.sigma), f->self_slack_s);
	return g;
}

static struct gate_figure load_figure(const struct side *s, const struct profile_function *f,
				      const struct noise_figure *load)
{
	return isnan(load->value) ? (struct gate_figure){ column_of(s, COLUMN_LOAD, f), 0, false } :
				    figure_scaled(load, 1);
}

static struct gate_figure share_figure(const struct side *s, const struct profile_function *f,
				       const struct noise_figure *load)
{
	double seconds = s->in.profile->totals.shares_s;

	return (struct gate_figure){ column_of(s, COLUMN_SELF_PERCENT, f),
				     sigma_known(load->sigma * s->noise.run / seconds), false };
}

static struct gate_figure stack_figure(const struct side *s, uint32_t function)
{
	const struct context *c = function < s->contexts.count ? &s->contexts.items[function] :
								 NULL;

	if (!c || c->stack < 0)
		return unknown;
	return (struct gate_figure){ c->stack, 0, c->stack_at_least };
}

struct gate_figure side_function(const struct side *s, const struct rule *r, uint32_t function,
				 double run)
{
	const struct profile_function *f = &s->in.profile->functions[function];
	struct noise_figure n[COMPARE_MEASURES];
	double value = column_of(s, r->column, f);

	noise_function(&s->noise, function, n);
	switch (r->column) {
	case COLUMN_SELF:		return self_figure(s, f, &n[COMPARE_LOAD], run);
	case COLUMN_SELF_PERCENT:	return share_figure(s, f, &n[COMPARE_LOAD]);
	case COLUMN_LOAD:		return load_figure(s, f, &n[COMPARE_LOAD]);
	case COLUMN_TOTAL:		return total_figure(s, f, n, run);
	case COLUMN_CALLS:		return calls_figure(f, &n[COMPARE_RATE], run);
	case COLUMN_RATE:		return figure_scaled(&n[COMPARE_RATE], 1);
	case COLUMN_PER_CALL:		return figure_scaled(&n[COMPARE_PER_CALL], 1);
	case COLUMN_MAX:		return max_figure(s, f, &n[COMPARE_MAX]);
	case COLUMN_STACK:		return stack_figure(s, function);
	case COLUMN_SAMPLES:		return count_figure(s, value, sqrt(value + 1), run);
	case COLUMN_RAN:		return estimate_figure(s, f, ESTIMATE_CALLS, run);
	case COLUMN_RAN_RATE:		return estimate_figure(s, f, ESTIMATE_RATE, run);
	case COLUMN_RAN_SELF:		return estimate_figure(s, f, ESTIMATE_SELF, run);
	case COLUMN_P50: case COLUMN_P90: case COLUMN_P99:
		return (struct gate_figure){ value, percentile_sigma(s, value), false };
	case COLUMN_MIN:
		return (struct gate_figure){ value, s->noise.clock, false };
	default:
		return (struct gate_figure){ value, 0, false };
	}
}

/* --- the others ------------------------------------------------------------------------------- */

struct gate_figure side_total(const struct side *s, const struct rule *r, double run)
{
	struct gate_figure sum = { .value = NAN };
	double squares = 0;

	for (uint32_t i = 0; i < s->in.profile->function_count; i++) {
		struct gate_figure f = side_function(s, r, i, run);

		if (isnan(f.value))
			continue;
		sum.value = isnan(sum.value) ? f.value : sum.value + f.value;
		squares += f.sigma * f.sigma;
		sum.at_least |= f.at_least;
	}
	sum.sigma = sqrt(squares);
	return sum;
}

static struct gate_figure node_figure(const struct side *s, const char *name)
{
	const struct wire_stats *w = s->in.stream;

	if (!strcmp(name, "hooks"))
		return (struct gate_figure){ s->in.hooks, 0, false };
	if (!strcmp(name, "loss") && s->in.status)
		return (struct gate_figure){ (double)losses_missing(s->in.status), 0, false };
	if (!w)
		return unknown;
	/* A stream without such counts lacks what never came. */
	return (struct gate_figure){
		(double)(!strcmp(name, "damaged") ? w->damaged :
			 !strcmp(name, "bad-bytes") ? w->bad_bytes : w->lost), 0, false,
	};
}

/* An interrupt comes on top of the deepest of what it interrupts. */
static struct gate_figure stack_deepest(const struct side *s)
{
	struct gate_figure deep = { .value = NAN };
	double handler = 0;

	for (size_t i = 0; i < s->contexts.count; i++) {
		const struct context *c = &s->contexts.items[i];

		if (c->stack < 0)
			continue;
		deep.at_least |= c->stack_at_least;
		if (c->handler)
			handler = fmax(handler, c->stack);
		else
			deep.value = fmax(deep.value, c->stack);	/* NaN: of the other */
	}
	deep.value += handler;
	return deep;
}

/* Handlers included. */
static struct gate_figure stack_measured(const struct side *s)
{
	struct gate_figure deep = { .value = 0 };

	for (size_t i = 0; i < s->in.mark_count; i++)
		deep.value = fmax(deep.value, (double)s->in.marks[i].base -
					      (double)s->in.marks[i].low);
	return deep;
}

/* The least of what is left below the stacks. */
static struct gate_figure stack_free(const struct side *s)
{
	struct gate_figure left = { .value = NAN };

	for (size_t i = 0; i < s->in.mark_count && s->in.image; i++) {
		int64_t room = image_stack_room(s->in.image, s->in.marks[i].low);

		if (room >= 0)
			left.value = fmin(left.value, (double)room);	/* NaN: of the other */
	}
	return left;
}

struct gate_figure side_other(const struct side *s, const struct rule *r, bool measured)
{
	const struct image_sizes *sizes = s->in.sizes;

	if (r->subject == RULE_NODE)
		return node_figure(s, r->figure->name);
	if (r->subject == RULE_STACK && !strcmp(r->figure->name, "free"))
		return stack_free(s);
	if (r->subject == RULE_STACK)
		return measured && s->in.mark_count ? stack_measured(s) : stack_deepest(s);
	if (!sizes)
		return unknown;
	return (struct gate_figure){
		(double)(!strcmp(r->figure->name, "ram") ? sizes->ram : sizes->flash), 0, false,
	};
}
