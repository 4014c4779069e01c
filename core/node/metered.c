/* metered: a power meter beside the node, as a second input. */
#include "core/node/parts.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

#define GRAIN_NS (CLOCK_SECOND / 1000)	/* USB's frames */

int metered_open(struct node *n, struct err *err)
{
	struct input *in;

	if (!n->options.power || n->options.index)
		return 0;
	n->metered.power = power_new(0);
	if (!n->metered.power)
		return err_set(err, ERR_NOMEM, "out of memory");
	n->metered.input = n->input_count;
	in = &n->inputs[n->input_count++];
	return input_open(in, n, &(struct input_options){
		.source = n->options.power, .terms = n->options.power, .link = n->options.link,
	}, err);
}

void metered_release(struct node *n)
{
	power_free(n->metered.power);
	n->metered.power = NULL;
}

/* Bytes of a file were there before: when they are read says nothing. */
static bool arrivals_count(const struct link *l)
{
	return link_is_live(l) || link_has_pace(l) || strcmp(link_kind(l), "stdin") == 0;
}

static void on_current(void *ctx, const struct wire_current *c)
{
	struct input *in = ctx;
	struct node *n = in->node;
	struct power *p = n->metered.power;

	if (!p)
		return;
	power_set_rate(p, c->hz, c->ppm);
	if (c->again)
		power_restart(p);
	if (power_add(p, c->first, c->amps, c->count, c->logic) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: samples of the meter are missing");
	if (arrivals_count(in->link))
		power_arrived(p, n->arrival_ns, link_is_live(in->link) ? GRAIN_NS : 0);
	n->changes |= NODE_DATA;
}

static void on_meter(void *ctx, const struct wire_meter *meter)
{
	struct input *in = ctx;
	struct node_metered *m = &in->node->metered;

	m->calibrated = meter->calibrated;
	snprintf(m->model, sizeof(m->model), "%s", meter->model);
	snprintf(m->trouble, sizeof(m->trouble), "%s", meter->trouble);
	in->node->changes |= NODE_STATE;
}

void metered_sink(struct wire_sink *sink)
{
	sink->current = on_current;
	sink->meter = on_meter;
}

bool metered_warning(const struct node *n, char *dst, size_t size)
{
	const struct node_metered *m = &n->metered;
	const struct link *l = m->input ? n->inputs[m->input].link : NULL;

	if (l && link_state(l) != LINK_UP && link_state(l) != LINK_ENDED && link_why(l)[0])
		snprintf(dst, size, "the power meter is away: %s", link_why(l));
	else if (l && m->trouble[0])
		snprintf(dst, size, "power meter: %s", m->trouble);
	else
		return false;
	return true;
}

const struct power *node_power(const struct node *n)
{
	return n->metered.power;
}

bool node_meter(const struct node *n, struct node_meter *meter)
{
	const struct node_metered *m = &n->metered;
	const struct input *in = &n->inputs[m->input];

	if (!m->input)
		return false;
	*meter = (struct node_meter){
		.source = n->options.power, .model = m->model, .calibrated = m->calibrated,
		.replaced = in->stats.replaced, .bad = in->stats.bad_bytes,
		.state = link_state(in->link), .ended = in->ended,
	};
	return true;
}
