/* trace/habit: when each event in a known call is: means of what stamps told. */
#include "core/trace/habit.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"

enum { RUNS_MOST = 64, ODD_MOST = 3 };	/* then a mean follows slowly; a new one begins */

#define SLACK 2				/* units */
#define STAMP 0.5			/* units: variance of the time between two stamps */
#define SURE 0.03			/* of what a habit takes: how far it is off */
#define FAR 2				/* deviations */
#define LEAST_DOUBT 1e-4

void habits_init(struct habits *s)
{
	*s = (struct habits){ .unit = 1 };
	map_init(&s->map);
}

static void habits_forget(struct habits *s)
{
	for (size_t i = 0; i < s->count; i++)
		mem_free(s->v[i].ticks);
	s->count = 0;
	s->bytes = 0;
	s->forgotten++;
	map_clear(&s->map);
}

void habits_release(struct habits *s)
{
	habits_forget(s);
	mem_free(s->v);
	map_release(&s->map);
}

size_t habits_memory(const struct habits *s)
{
	return s->cap * sizeof(*s->v) + map_memory(&s->map) + s->bytes;
}

const struct habit *habit_of(const struct habits *s, uint64_t key)
{
	uint32_t at = s->count ? map_get(&s->map, key) : MAP_NONE;

	return at != MAP_NONE ? &s->v[at] : NULL;
}

static struct habit *habit_new(struct habits *s, uint64_t key, size_t parts)
{
	size_t bytes = parts * (2 * sizeof(float) + 1);
	float *ticks;

	if (s->bytes + s->count * sizeof(*s->v) > HABIT_BYTES)
		habits_forget(s);
	if (mem_grow(&s->v, &s->cap, s->count + 1, sizeof(*s->v)) < 0)
		return NULL;
	ticks = mem_zalloc(bytes);
	if (!ticks || map_put(&s->map, key, (uint32_t)s->count) < 0) {
		mem_free(ticks);
		return NULL;
	}
	s->bytes += bytes;
	s->v[s->count] = (struct habit){
		.parts = (uint32_t)parts, .ticks = ticks, .at = ticks + parts,
		.told = (uint8_t *)(ticks + 2 * parts),
	};
	return &s->v[s->count++];
}

/* --- learning --------------------------------------------------------------------------------- */

/* Is it as long as ever? If not often in a row, this time does not count. */
static bool took_is_usual(struct habit *h, double ticks, double unit)
{
	double usual = (double)h->mean, slack = SLACK * unit + usual / 8;

	if (h->runs && fabs(ticks - usual) > slack && ++h->odd < ODD_MOST)
		return false;
	if (!h->runs || h->odd == ODD_MOST) {
		h->mean = (float)ticks;
		h->runs = 0;
		memset(h->told, 0, h->parts);
	}
	h->odd = 0;
	h->runs += h->runs < RUNS_MOST;
	h->mean += (float)((ticks - (double)h->mean) / h->runs);
	return true;
}

/* Of ticks; once all of a run is known, of a part of it. */
static void moments_average(struct habit *h, const struct moment *m, double unit)
{
	bool all = m[h->parts].told;
	double ticks = m[h->parts].clock - m[0].clock;

	if (!m[0].told || (all && !(ticks > 0 && took_is_usual(h, ticks, unit))))
		return;
	if (h->runs && !all)
		ticks = (double)h->mean;
	for (size_t i = 0; i + 1 < h->parts; i++) {
		double at = fmax(m[i + 1].clock - m[0].clock, 0);

		if (!m[i + 1].told)
			continue;
		at = h->runs ? fmin(at / ticks, 1) : at;
		h->told[i] += h->told[i] < RUNS_MOST;
		h->at[i] += (float)((at - (double)h->at[i]) / h->told[i]);
	}
}

/*
 * Where a moment is: what stamps told of it, and how long the parts before it and behind it should
 * take, each as sure as it is: Kalman's filter forth, Rauch, Tung and Striebel's smoother back.
 */
struct estimate {
	double at, doubt;		/* ticks since the call; its variance */
};

/* One that is far off counts less. */
static void estimate_correct(struct estimate *e, double told, double noise)
{
	double off = told - e->at, sure = FAR * FAR * (e->doubt + noise), gain;

	if (off * off > sure)
		noise *= off * off / sure;
	gain = e->doubt / (e->doubt + noise);
	e->at += gain * off;
	e->doubt *= 1 - gain;
}

static void estimates_filter(const struct habit *h, const struct moment *m, double stamp,
			     struct estimate *e)
{
	double scale = h->runs ? (double)h->mean : 1;
	struct estimate now = { 0, 0 };

	for (size_t i = 0; i < h->parts; i++) {
		now.at += (double)m[i + 1].part;
		now.doubt += (double)m[i + 1].doubt + LEAST_DOUBT;
		if (h->told[i])
			estimate_correct(&now, scale * (double)h->at[i], stamp / h->told[i]);
		e[i] = now;
	}
	if (h->runs)
		estimate_correct(&e[h->parts - 1], (double)h->mean, stamp / h->runs);
}

static void parts_renew(struct habit *h, const struct moment *m, double stamp)
{
	struct estimate *e = mem_alloc(h->parts * sizeof(*e));
	double since = 0;

	if (!e)
		return;
	estimates_filter(h, m, stamp, e);
	for (size_t i = h->parts - 1; i-- > 0; ) {
		double part = (double)m[i + 2].part, doubt = (double)m[i + 2].doubt + LEAST_DOUBT;

		e[i].at += e[i].doubt / (e[i].doubt + doubt) * (e[i + 1].at - e[i].at - part);
	}
	h->took = (float)fmax(e[h->parts - 1].at, 0);
	for (size_t i = 0; i < h->parts; i++) {
		double at = fmin(fmax(e[i].at, since), (double)h->took);

		h->ticks[i] = (float)(at - since);
		since = at;
	}
	mem_free(e);
}

void habit_ran(struct habits *s, uint64_t key, double ticks)
{
	struct habit *h = (struct habit *)habit_of(s, key);

	if (h && ticks > 0)
		took_is_usual(h, ticks, s->unit);
}

double habit_doubt(const struct habits *s, const struct habit *h)
{
	double off = SURE * (double)h->took;

	return off * off + STAMP * s->unit * s->unit / (h->runs ? h->runs : 1);
}

void habit_learn(struct habits *s, uint64_t key, const struct moment *moments, size_t count)
{
	struct habit *h = (struct habit *)habit_of(s, key);

	if (count < 2 || count - 1 > HABIT_PARTS)
		return;
	if (!h)
		h = habit_new(s, key, count - 1);
	if (!h || h->parts != count - 1)
		return;
	moments_average(h, moments, s->unit);
	parts_renew(h, moments, STAMP * s->unit * s->unit);
}
