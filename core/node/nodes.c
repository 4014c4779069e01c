#include "core/node/nodes.h"

#include "core/base/clock.h"
#include "core/base/mem.h"

struct nodes_carrier {
	struct carrier *carrier;
	struct node_options options;	/* of each node that it brings */
};

void nodes_init(struct nodes *ns)
{
	*ns = (struct nodes){ 0 };
	history_budget_init(&ns->budget);
}

void nodes_share(struct nodes *ns, struct quota *quota)
{
	history_draw(&ns->budget, quota);
}

void nodes_release(struct nodes *ns)
{
	for (size_t i = 0; i < ns->count; i++)
		node_free(ns->items[i]);
	for (size_t i = 0; i < ns->carrier_count; i++)
		carrier_free(ns->carriers[i].carrier);
	history_part(&ns->budget);
	mem_free(ns->items);
	mem_free(ns->carriers);
	*ns = (struct nodes){ 0 };
}

int nodes_add(struct nodes *ns, struct node *n)
{
	if (mem_grow(&ns->items, &ns->cap, ns->count + 1, sizeof(struct node *)) < 0) {
		node_free(n);
		return ERR_NOMEM;
	}
	ns->items[ns->count++] = n;
	return 0;
}

static int nodes_open_one(struct nodes *ns, const struct node_options *o, struct err *err)
{
	struct node *n = node_new(o, err);

	if (!n)
		return ERR_ABSENT;
	return nodes_add(ns, n) < 0 ? err_set(err, ERR_NOMEM, "out of memory") : 0;
}

/* Nodes added, or negative with the sentence. */
static int carrier_take(struct nodes *ns, struct nodes_carrier *k, uint64_t now, struct err *err)
{
	struct node_options o = k->options;
	int added = 0;

	while ((o.source = carrier_next(k->carrier, now))) {
		int ret = nodes_open_one(ns, &o, err);

		if (ret < 0)
			return ret;
		added++;
		o.record = k->options.record = NULL;	/* one file holds one stream: the first's */
	}
	return added;
}

int nodes_carry(struct nodes *ns, struct carrier *c, const struct node_options *o, struct err *err)
{
	struct nodes_carrier k = { .carrier = c, .options = *o };
	int ret;

	if (mem_grow(&ns->carriers, &ns->carrier_cap, ns->carrier_count + 1,
		     sizeof(*ns->carriers)) < 0) {
		carrier_free(c);
		return err_set(err, ERR_NOMEM, "out of memory");
	}
	k.options.budget = &ns->budget;
	k.options.carrier = c;
	ns->carriers[ns->carrier_count++] = k;
	ret = carrier_take(ns, &ns->carriers[ns->carrier_count - 1], clock_now(), err);
	return ret < 0 ? ret : 0;
}

int nodes_open(struct nodes *ns, const struct node_options *o, struct err *err)
{
	struct carrier *c = carrier_new(o->source, ns->ear, err);

	return c ? nodes_carry(ns, c, o, err) : ERR_USAGE;
}

int nodes_service(struct nodes *ns, uint64_t now, struct err *err)
{
	int added = 0;

	for (size_t i = 0; i < ns->carrier_count; i++) {
		int ret = carrier_take(ns, &ns->carriers[i], now, err);

		if (ret < 0)
			return ret;
		added += ret;
	}
	return added;
}

int nodes_open_told(struct nodes *ns, const char *name, struct err *err)
{
	for (size_t i = 0; i < ns->carrier_count; i++) {
		struct node_options o = ns->carriers[i].options;

		if (!carrier_has(ns->carriers[i].carrier, name))
			continue;
		o.source = name;
		o.record = NULL;
		return nodes_open_one(ns, &o, err);
	}
	return err_set(err, ERR_ABSENT, "%s: no such node", name);
}

void nodes_drop(struct nodes *ns, size_t index)
{
	node_free(ns->items[index]);
	ns->count--;
	for (size_t i = index; i < ns->count; i++)
		ns->items[i] = ns->items[i + 1];
}

struct carrier_count nodes_told(const struct nodes *ns)
{
	struct carrier_count sum = { 0 };

	for (size_t i = 0; i < ns->carrier_count; i++) {
		struct carrier_count c = carrier_count(ns->carriers[i].carrier);

		sum.nodes += c.nodes;
		sum.most += c.most;
		sum.most_sites += c.most_sites;
		sum.messages += c.messages;
		sum.bytes += c.bytes;
		sum.refused += c.refused;
		sum.by_nodes += c.by_nodes;
		sum.by_sites += c.by_sites;
		sum.by_memory += c.by_memory;
	}
	return sum;
}

size_t nodes_fds_max(const struct nodes *ns)
{
	return ns->count * NODE_FDS + ns->carrier_count;
}

size_t nodes_poll_fds(const struct nodes *ns, struct pollfd *fds)
{
	uint64_t now = clock_now();
	size_t count = 0;

	for (size_t i = 0; i < ns->count; i++)
		count += node_poll_fds(ns->items[i], fds + count);
	for (size_t i = 0; i < ns->carrier_count; i++) {
		carrier_poll(ns->carriers[i].carrier, now, &fds[count]);
		count += fds[count].fd >= 0;
	}
	return count;
}

bool nodes_overflow(const struct nodes *ns)
{
	for (size_t i = 0; i < ns->count; i++)
		if (link_overflows(node_link(ns->items[i])))
			return true;
	return false;
}

void nodes_relieve(struct nodes *ns)
{
	for (size_t i = 0; i < ns->count; i++)
		node_relieve(ns->items[i]);
}

int nodes_timeout(const struct nodes *ns, uint64_t now)
{
	struct pollfd unused;
	int ms = -1;

	for (size_t i = 0; i < ns->count; i++)
		ms = clock_sooner(ms, node_timeout(ns->items[i], now));
	for (size_t i = 0; i < ns->carrier_count; i++)
		ms = clock_sooner(ms, carrier_poll(ns->carriers[i].carrier, now, &unused));
	return ms;
}
