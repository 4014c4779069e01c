#include "core/wire/probe/cycles.h"

#define ODD (UINT32_C(1) << 31)
enum { ODD_EACH = 100 };		/* more than one pair of so many: it is not left alone */

void cycles_read(struct cycles *c, uint32_t count)
{
	c->count = count;
	c->read = true;
}

void cycles_gap(struct cycles *c)
{
	c->read = c->known = false;
}

void cycles_sample(struct cycles *c, bool asleep)
{
	uint32_t span = c->count - c->last;

	if (!c->read) {
		cycles_gap(c);
		return;
	}
	if (c->known && span >= ODD) {
		c->odd++;
	} else if (c->known) {
		c->sums[c->asleep][asleep] += span;
		c->pairs[c->asleep][asleep]++;
	}
	c->last = c->count;
	c->asleep = asleep;
	c->known = true;
	c->read = false;
}

static double cycles_mean(const struct cycles *c, bool asleep)
{
	return (double)c->sums[asleep][asleep] / (double)c->pairs[asleep][asleep];
}

/* Asleep, less than half of what passes awake: it stands, but for the moments around a wake-up. */
static bool cycles_stand(const struct cycles *c)
{
	return c->pairs[0][0] && c->pairs[1][1] &&
	       cycles_mean(c, true) < cycles_mean(c, false) / 2;
}

double cycles_period(const struct cycles *c)
{
	uint64_t awake = c->pairs[0][0] + c->pairs[1][0];
	uint64_t all = awake + c->pairs[0][1] + c->pairs[1][1];
	uint64_t sum = c->sums[0][0] + c->sums[0][1] + c->sums[1][0] + c->sums[1][1];
	uint64_t by = cycles_stand(c) ? awake : all;

	if (all < CYCLES_LEAST || c->odd > all / ODD_EACH || !by)
		return 0;
	return (double)sum / (double)by;
}
