/* time: the map of the meter's time to the host's; edges of its logic inputs. */
#include "core/power/parts.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/sorted.h"

#define FINE_TICKS 1000			/* the clock's ticks of a sample: rates need not be whole */
/* The map rests on the last minute: it knows the middle of it best. */
#define SETTLED_S 30

enum { ANCHORS_AT_ONCE = 64 };

void time_forget(struct power *p)
{
	mem_free(p->time.anchors);
}

/* --- edges ------------------------------------------------------------------------------------ */

static void edge_add(struct power *p, uint64_t tick, uint8_t bits)
{
	if (p->edge_count == POWER_EDGES) {
		size_t half = p->edge_count / 2;

		memmove(p->edges, p->edges + half, (p->edge_count - half) * sizeof(*p->edges));
		p->edge_count -= half;
		p->edges_gone += half;
	}
	if (mem_grow(&p->edges, &p->edge_cap, p->edge_count + 1, sizeof(*p->edges)) < 0) {
		p->edges_gone++;
		return;
	}
	p->edges[p->edge_count++] = (struct power_edge){ tick, bits };
}

void edges_add(struct power *p, uint64_t first, const uint8_t *logic, size_t n)
{
	bool known = p->edge_count > 0;
	uint8_t bits = known ? p->edges[p->edge_count - 1].bits : 0;

	for (size_t i = 0; i < n; i++) {
		if (known && logic[i] == bits)
			continue;
		known = true;
		bits = logic[i];
		edge_add(p, first + i, bits);
	}
}

size_t power_edges(const struct power *p, const struct power_edge **edges)
{
	*edges = p->edges;
	return p->edge_count;
}

uint64_t power_edges_gone(const struct power *p)
{
	return p->edges_gone;
}

/* --- the map ---------------------------------------------------------------------------------- */

/* By the clock's own map. It begins with its first arrival, whose samples are a little older. */
static struct clock_moment map_host(const struct power *p, const struct clock *c, uint64_t tick)
{
	uint64_t fine = tick < UINT64_MAX / FINE_TICKS ? tick * FINE_TICKS : UINT64_MAX;
	struct clock_moment m = clock_host(c, fine > c->base_ticks ? fine : c->base_ticks);
	double before = fine < c->base_ticks ? (double)(c->base_ticks - fine) / FINE_TICKS : 0;
	double before_ns = before / p->hz * CLOCK_SECOND;

	/* Times of a text can be ages apart: their ns are more than 64 bits hold. */
	m.ns -= before_ns < (double)m.ns ? (uint64_t)before_ns : m.ns;
	return m;
}

/* The older half: of what was before it no place on the host's axis is known any more. */
static void anchors_forget(struct power *p)
{
	size_t half = p->time.count / 2;

	p->time.count -= half;
	memmove(p->time.anchors, p->time.anchors + half,
		p->time.count * sizeof(*p->time.anchors));
	p->time.known_from = p->time.anchors[0].tick;
}

/* Twice as far from each other. Ends of maps stay: where there is little else, the oldest go. */
static void anchors_thin(struct power *p)
{
	size_t to = 0;

	for (size_t i = 0; i < p->time.count; i++) {
		const struct power_anchor *a = &p->time.anchors[i];
		bool ends = i == 0 || i + 1 == p->time.count || a[-1].map != a->map ||
			    a[1].map != a->map;

		if (ends || i % 2 == 0)
			p->time.anchors[to++] = *a;
	}
	p->time.count = to;
	if (to > POWER_ANCHORS / 4 * 3)
		anchors_forget(p);
	else
		p->time.step *= 2;
}

static void anchor_add(struct power *p, const struct clock *c, uint64_t tick)
{
	struct clock_moment m = map_host(p, c, tick);

	if (isnan(m.uncertainty))
		return;
	if (p->time.count >= POWER_ANCHORS)
		anchors_thin(p);
	if (mem_grow(&p->time.anchors, &p->time.cap, p->time.count + 1,
		     sizeof(*p->time.anchors)) < 0)
		return;
	p->time.anchors[p->time.count++] = (struct power_anchor){
		.tick = tick, .ns = m.ns, .uncertainty = m.uncertainty, .map = p->time.map };
}

/* Up to this tick. Of a hole only its end has some: ticks may jump as far as they like. */
static void anchors_add(struct power *p, const struct clock *c, uint64_t to)
{
	if (p->time.next <= to && (to - p->time.next) / p->time.step > ANCHORS_AT_ONCE)
		p->time.next = to - ANCHORS_AT_ONCE * p->time.step;
	for (; p->time.next <= to; p->time.next += p->time.step)
		anchor_add(p, c, p->time.next);
}

/* What follows has another map. `c`: as it knew the ticks so far. */
static void map_end(struct power *p, const struct clock *c, uint64_t last)
{
	anchors_add(p, c, last);
	if (p->time.count && p->time.anchors[p->time.count - 1].tick < last)
		anchor_add(p, c, last);
	p->time.map++;
	p->time.begin = p->time.next = last + 1;
}

void power_restart(struct power *p)
{
	if (!p->time.used)
		return;
	if (p->end > p->begin)
		map_end(p, &p->time.clock, p->end - 1);
	p->time.used = false;
}

static void map_begin(struct power *p, uint64_t grain_ns)
{
	struct clock_terms terms = {
		.ticks_per_second = (uint64_t)llround(p->hz * FINE_TICKS), .bits = 64,
		.ppm = p->ppm,
	};
	unsigned restarts = p->time.clock.restarts + (p->time.map > 0);

	clock_init(&p->time.clock, &terms, grain_ns);
	p->time.clock.restarts = restarts;
	p->time.used = true;
	if (p->time.step)
		return;
	p->time.step = p->hz >= 1 ? (uint64_t)p->hz : 1;
	p->time.begin = p->time.next = p->begin;
}

void power_arrived(struct power *p, uint64_t newest, uint64_t arrival_ns, uint64_t grain_ns)
{
	uint64_t settled = (uint64_t)(SETTLED_S * p->hz);

	if (p->end == p->begin || !(p->hz > 0) || newest > UINT64_MAX / FINE_TICKS)
		return;
	if (!p->time.used)
		map_begin(p, grain_ns);
	p->time.before = p->time.clock;
	clock_note(&p->time.clock, newest * FINE_TICKS, arrival_ns);
	if (p->time.clock.restarts != p->time.before.restarts)
		map_end(p, &p->time.before, p->time.before.ticks / FINE_TICKS);
	else if (newest > settled)
		anchors_add(p, &p->time.clock, newest - settled);
}

const struct clock *power_clock(const struct power *p)
{
	return p->time.used ? &p->time.clock : NULL;
}

/* Between two anchors, or beyond one, at the nominal rate. */
static struct clock_moment anchor_host(const struct power *p, uint64_t tick)
{
	size_t i = SORTED_ABOVE(p->time.anchors, p->time.count, tick, tick);
	const struct power_anchor *a = &p->time.anchors[i ? i - 1 : 0];
	double ns = CLOCK_SECOND / p->hz, away = (double)tick - (double)a->tick;
	double uncertainty = a->uncertainty;

	if (i && i < p->time.count && a[1].map == a->map) {
		ns = (double)(a[1].ns - a->ns) / (double)(a[1].tick - a->tick);
		uncertainty = fmax(uncertainty, a[1].uncertainty);
	} else {
		uncertainty += fabs(away) * ns * (p->ppm ? p->ppm : CLOCK_PPM) * 1e-6;
	}
	return (struct clock_moment){ .ns = a->ns + (uint64_t)(int64_t)llround(away * ns),
				      .uncertainty = uncertainty };
}

struct clock_moment power_host(const struct power *p, uint64_t tick)
{
	const struct clock_moment none = { .uncertainty = NAN };
	size_t count = p->time.count;

	if (tick < p->time.known_from)
		return none;
	if (tick < p->time.begin || (count && tick <= p->time.anchors[count - 1].tick))
		return count ? anchor_host(p, tick) : none;
	return p->time.used ? map_host(p, &p->time.clock, tick) : none;
}

/*
 * The map is monotonic in each part, and parts follow one another: so the tick is found by halving.
 * A part without a map ends the search.
 */
double power_tick(const struct power *p, uint64_t host_ns, double *uncertainty)
{
	uint64_t low = p->begin > p->time.known_from ? p->begin : p->time.known_from;
	uint64_t high = p->end;
	struct clock_moment m;
	double since;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		m = power_host(p, middle);
		if (isnan(m.uncertainty))
			break;
		if (m.ns <= host_ns)
			low = middle + 1;
		else
			high = middle;
	}
	*uncertainty = NAN;
	if (low < high || p->end == p->begin)
		return 0;
	low -= low > p->begin && low > p->time.known_from;
	m = power_host(p, low);
	if (isnan(m.uncertainty))
		return 0;
	*uncertainty = m.uncertainty * p->hz / CLOCK_SECOND;
	since = ((double)host_ns - (double)m.ns) * p->hz / CLOCK_SECOND;
	return (double)low + (low + 1 < p->end ? fmin(since, 1) : since);
}
