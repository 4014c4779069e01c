#include "tui/view/timeline/ran.h"

#include <stdlib.h>

struct outer {
	uint64_t begin, end;
	uint32_t id;
	uint8_t lane;
};

/* A lane that is walked. */
struct runner {
	struct ran *ran;
	unsigned lane;
	uint32_t ids[SCENE_DEPTHS], depth;
	uint64_t last;			/* up to there time is given to functions */
	const struct outer *outer;	/* by begin: what may interrupt it */
	size_t outer_count, outer_at;
	uint64_t away;			/* up to there others' time is taken out already */
};

/* --- sums ------------------------------------------------------------------------------------- */

static struct ran_part *ran_part(struct ran *r, unsigned lane, uint32_t id)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->parts[i].id == id && r->parts[i].lane == lane)
			return &r->parts[i];
	if (r->count == RAN_PARTS)
		return NULL;
	r->parts[r->count] = (struct ran_part){ .id = id, .lane = (uint8_t)lane };
	return &r->parts[r->count++];
}

static void ran_strike(struct ran *r, unsigned lane, uint32_t id, const struct outer *by)
{
	struct ran_strike *s = r->strikes;
	size_t i = 0;

	while (i < r->strike_count && !(s[i].id == id && s[i].lane == lane && s[i].by == by->id &&
					s[i].by_lane == by->lane))
		i++;
	if (i == RAN_STRIKES)
		return;
	if (i == r->strike_count)
		s[r->strike_count++] = (struct ran_strike){
			.id = id, .by = by->id, .lane = (uint8_t)lane, .by_lane = by->lane,
		};
	s[i].count++;
	s[i].ticks += by->end - by->begin;
}

static uint64_t ran_clamp(const struct ran *r, uint64_t ticks)
{
	return ticks < r->begin ? r->begin : ticks < r->end ? ticks : r->end;
}

/* Ticks before `to` of what interrupts, that are not taken out yet. */
static uint64_t runner_away(struct runner *k, const struct outer *o, uint64_t to)
{
	uint64_t begin = o->begin > k->away ? o->begin : k->away, end = o->end < to ? o->end : to;

	if (end <= begin)
		return 0;
	k->away = end;
	return end - begin;
}

/* Up to a time this function ran, but for what interrupted it; 0: none. */
static void runner_spend(struct runner *k, uint64_t until, uint32_t id, bool runs)
{
	struct ran_part *p;
	uint64_t to = ran_clamp(k->ran, until), away = 0;

	for (; k->outer_at < k->outer_count && k->outer[k->outer_at].begin < to; k->outer_at++) {
		const struct outer *o = &k->outer[k->outer_at];

		if (!runs || o->lane == k->lane || o->begin < k->last ||
		    k->lane == TRACE_LANE_HANDLERS)
			continue;
		ran_strike(k->ran, k->lane, id, o);
		away += runner_away(k, o, to);
	}
	if (to <= k->last)
		return;
	p = runs ? ran_part(k->ran, k->lane, id) : NULL;
	if (p)
		p->ticks += to - k->last - away;
	if (runs)
		k->ran->busy[k->lane] += to - k->last - away;
	k->last = to;
}

static void runner_count(struct runner *k, uint32_t id, uint64_t begin, uint64_t calls)
{
	struct ran_part *p;

	if (begin < k->ran->begin || begin >= k->ran->end)
		return;
	k->ran->calls += calls;
	p = ran_part(k->ran, k->lane, id);
	if (p)
		p->calls++;
}

static void runner_take(struct runner *k, const struct trace_event *e)
{
	uint32_t top = k->depth && k->depth <= SCENE_DEPTHS ? k->ids[k->depth - 1] : 0;

	runner_spend(k, e->ticks, top, k->depth > 0);
	switch (e->kind) {
	case TRACE_CALL:
		runner_count(k, e->id, e->ticks, 1);
		/* fall through */
	case TRACE_HELD:
		if (k->depth < SCENE_DEPTHS)
			k->ids[k->depth] = e->id;
		k->depth++;
		break;
	case TRACE_RETURN:
		k->depth -= k->depth > 0;
		break;
	case TRACE_WHOLE:
	case TRACE_BOX:
	case TRACE_UNKNOWN:
		runner_count(k, e->id, e->ticks, e->count);
		runner_spend(k, e->until, e->id, true);
		break;
	case TRACE_AWAY:
		runner_spend(k, e->until, 0, false);
		break;
	case TRACE_LOST:
		k->depth = 0;
		break;
	default:
		break;
	}
}

/* --- walks ------------------------------------------------------------------------------------ */

static int outer_compare(const void *a, const void *b)
{
	const struct outer *x = a, *y = b;

	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Outermost calls of a lane that begin in the time; false: there are too many. */
static bool outer_find(const struct trace *t, unsigned lane, const struct ran *r,
		       struct outer *outer, size_t *count)
{
	struct trace_walk *w = trace_walk_new(t, lane);
	uint64_t since = 0;
	struct trace_event e;
	unsigned events = 0;

	if (!w)
		return false;
	trace_walk_seek(w, r->begin, UINT64_MAX);
	trace_walk_near(w, UINT32_MAX);
	while (trace_walk_next(w, &e) && e.ticks < r->end && ++events < RAN_EVENTS) {
		bool whole = e.kind == TRACE_WHOLE || e.kind == TRACE_BOX;
		uint64_t begin = whole ? e.ticks : since, end = whole ? e.until : e.ticks;

		if (e.depth == 0 && e.kind == TRACE_CALL)
			since = e.ticks;
		if (e.depth || !(whole || e.kind == TRACE_RETURN) || begin < r->begin)
			continue;
		if (*count == RAN_OUTER)
			break;
		outer[(*count)++] = (struct outer){ begin, end, e.id, (uint8_t)lane };
	}
	trace_walk_free(w);
	return events < RAN_EVENTS && *count < RAN_OUTER;
}

/* False: there are more events than `most`. */
static bool lane_run(struct runner *k, const struct trace *t, uint64_t whole, unsigned *events,
		     unsigned most)
{
	struct ran *r = k->ran;
	struct trace_walk *w = trace_walk_new(t, k->lane);
	struct trace_event e;
	bool more = false;

	if (!w)
		return false;
	trace_walk_seek(w, r->begin, whole);
	trace_walk_near(w, UINT32_MAX);
	trace_walk_only(w, UINT64_MAX);
	while (*events < most && (more = trace_walk_next(w, &e)) && e.ticks < r->end) {
		runner_take(k, &e);
		++*events;
	}
	if (*events < most && more && k->depth)
		runner_spend(k, r->end, k->depth <= SCENE_DEPTHS ? k->ids[k->depth - 1] : 0, true);
	trace_walk_free(w);
	return *events < most;
}

/* --- a sample --------------------------------------------------------------------------------- */

static uint64_t sample_share(uint64_t of_sample, uint64_t sample, uint64_t all)
{
	return sample ? (uint64_t)((double)of_sample / (double)sample * (double)all + 0.5) : 0;
}

/* What was found in the sample is to all of the lane as its time and calls are. */
static void sample_scale(struct ran *r, const struct ran *sample, unsigned lane, uint64_t calls)
{
	for (size_t i = 0; i < sample->count; i++) {
		const struct ran_part *of = &sample->parts[i];
		struct ran_part *p = ran_part(r, lane, of->id);

		if (!p)
			return;
		p->calls = sample_share(of->calls, sample->calls, calls);
		p->ticks = sample_share(of->ticks, sample->busy[lane], r->busy[lane]);
	}
	r->sampled += sample->calls;
}

/* From places all over the time, where a walk has nothing to skip. */
static void lane_sample(struct ran *r, const struct trace *t, unsigned lane, uint64_t calls,
			unsigned most)
{
	size_t from = trace_place_before(t, lane, r->begin);
	size_t places = trace_place_before(t, lane, r->end) - from;
	size_t samples = places < RAN_SAMPLES ? places : RAN_SAMPLES;
	struct ran sample = { .end = r->end };

	for (size_t i = 0; i < samples || i == 0; i++) {
		struct runner k = { .ran = &sample, .lane = lane };
		size_t place = samples ? from + 1 + i * places / samples : 0;
		unsigned events = 0;

		sample.begin = samples ? trace_place(t, lane, place).ticks : r->begin;
		k.last = sample.begin;
		lane_run(&k, t, 0, &events, most / (unsigned)(samples ? samples : 1));
	}
	sample_scale(r, &sample, lane, calls);
}

/* --- all of it -------------------------------------------------------------------------------- */

static int part_longer(const void *a, const void *b)
{
	const struct ran_part *x = a, *y = b;

	return x->ticks > y->ticks ? -1 : x->ticks < y->ticks;
}

static int strike_more(const void *a, const void *b)
{
	const struct ran_strike *x = a, *y = b;

	return x->count > y->count ? -1 : x->count < y->count;
}

/* Sums without a walk, and functions of a part. */
static void ran_estimate(const struct trace *t, struct ran *r)
{
	unsigned lanes = 0;

	for (unsigned lane = 0; lane < TRACE_LANES; lane++)
		lanes += r->used[lane];
	r->cut = true;
	r->count = r->strike_count = 0;
	r->calls = 0;
	for (unsigned lane = 0; lane < TRACE_LANES; lane++) {
		uint64_t calls = trace_calls_until(t, lane, r->end) -
				 trace_calls_until(t, lane, r->begin);

		r->calls += calls;
		r->busy[lane] = trace_busy_until(t, lane, r->end) -
				trace_busy_until(t, lane, r->begin);
		if (calls)
			lane_sample(r, t, lane, calls, RAN_EVENTS / (lanes ? lanes : 1));
	}
}

/* Many items: a walk would not get through. */
static bool ran_is_long(const struct trace *t, const struct ran *r)
{
	for (unsigned lane = 0; lane < TRACE_LANES; lane++) {
		size_t from = trace_place_before(t, lane, r->begin);
		size_t to = trace_place_before(t, lane, r->end);

		if (to > from && trace_place(t, lane, to).items -
				 trace_place(t, lane, from + 1).items > RAN_EVENTS)
			return true;
	}
	return false;
}

void ran_find(const struct trace *t, uint64_t begin, uint64_t end, struct ran *r)
{
	struct outer outer[RAN_OUTER];
	size_t outers = 0;
	unsigned events = 0;
	bool ok;

	*r = (struct ran){ .begin = begin, .end = end };
	for (unsigned lane = 0; lane < TRACE_LANES; lane++) {
		struct trace_stats stats;

		trace_lane_stats(t, lane, &stats);
		r->used[lane] = stats.frames;
	}
	ok = !ran_is_long(t, r);
	for (unsigned lane = 0; ok && lane < TRACE_LANES; lane++)
		ok = !r->used[lane] || outer_find(t, lane, r, outer, &outers);
	qsort(outer, outers, sizeof(*outer), outer_compare);
	for (unsigned lane = 0; ok && lane < TRACE_LANES; lane++) {
		struct runner k = { .ran = r, .lane = lane, .last = begin, .outer = outer,
				    .outer_count = outers };

		ok = !r->used[lane] || lane_run(&k, t, (end - begin) / 1024, &events, RAN_EVENTS);
	}
	if (!ok)
		ran_estimate(t, r);
	qsort(r->parts, r->count, sizeof(*r->parts), part_longer);
	qsort(r->strikes, r->strike_count, sizeof(*r->strikes), strike_more);
}
