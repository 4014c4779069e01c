#include "core/collect/worst.h"

#include <math.h>

#include "core/fleet/odd.h"

double worst_share(const struct shares_node *node)
{
	return (double)node->share / SHARES_ONE;
}

double worst_mean(const struct shares_function *f)
{
	return (double)f->sum / SHARES_ONE / f->nodes;
}

void worst_spread(const struct shares_function *f, struct worst_spread *spread)
{
	struct sketch sketch;

	shares_sketch(f, &sketch);
	if (sketch_spread(&sketch, ODD_LEAST, &spread->median, &spread->deviation) < ODD_NODES)
		spread->median = spread->deviation = (double)NAN;
}

double worst_z(const struct worst_spread *spread, const struct shares_node *node)
{
	return odd_share_z(worst_share(node), (double)node->calls, spread->median,
			   spread->deviation);
}

/* In its place; a node that is there for another function stays by the one that is farther off. */
static size_t worst_put(struct worst_node *worst, size_t count, struct worst_node w)
{
	size_t at = 0;

	while (at < count && worst[at].node->id != w.node->id)
		at++;
	if (at < count ? worst[at].z >= w.z : count == WORST_NODES && worst[--at].z >= w.z)
		return count;
	count += at == count;
	for (; at > 0 && worst[at - 1].z < w.z; at--)
		worst[at] = worst[at - 1];
	worst[at] = w;
	return count;
}

size_t worst_find(const struct output_part *p, struct worst_node *worst)
{
	const struct profile *profile = p->profile;
	size_t count = 0;

	for (size_t i = 0; i < profile->function_count; i++) {
		const struct profile_function *f = &profile->functions[i];
		const struct shares_function *s = shares_find(&p->part->shares, f->address);
		struct worst_spread spread;

		if (!s)
			continue;
		worst_spread(s, &spread);
		for (size_t k = 0; k < s->worst_count; k++) {
			const struct worst_node w = {
				.function = f, .node = &s->worst[k],
				.z = worst_z(&spread, &s->worst[k]),
				.times = worst_share(&s->worst[k]) / exp(spread.median),
			};

			if (w.z >= ODD_Z)
				count = worst_put(worst, count, w);
		}
	}
	return count;
}
