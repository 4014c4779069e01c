/*
 * must: the dataflow. Values are interned lists: a call and the value behind it, or a place
 * where bits tell on.
 */
#include "core/filter/flow.h"

#include "core/base/err.h"
#include "core/base/map.h"
#include "core/base/mem.h"

enum {
	UNSET = UINT32_MAX - 1,
	SINGLE_MAX = 300,		/* branches; above, several become logged at once */
	SWEEPS_MAX = 4000,
};

/* What a value begins with. */
#define EVENT_PLACE (UINT64_C(1) << 40)		/* where bits tell on: + the node */
#define EVENT_CLOSE (UINT64_C(2) << 40)
#define EVENT_OUT (UINT64_C(3) << 40)
#define EVENT_END (UINT64_C(4) << 40)
#define EVENT_STOP (UINT64_C(5) << 40)
#define EVENT_CALL (UINT64_C(6) << 40)		/* + the name's first node */

struct value {
	uint64_t event;
	uint32_t rest;
	uint32_t before;		/* another of the same hash */
};

struct solver {
	struct flow *w;
	struct value *v;
	size_t count, cap;
	struct map index;
	uint32_t *name;			/* node -> the first node that calls the same */
	size_t branches;
	bool changed, marked, failed;
};

static uint32_t value_make(struct solver *x, uint64_t event, uint32_t rest)
{
	uint64_t hash = event * 0x9e3779b97f4a7c15u + rest;
	uint32_t first = map_get(&x->index, hash);

	for (uint32_t i = first; i != MAP_NONE; i = x->v[i].before)
		if (x->v[i].event == event && x->v[i].rest == rest)
			return i;
	if (mem_grow(&x->v, &x->cap, x->count + 1, sizeof(*x->v)) < 0 ||
	    map_put(&x->index, hash, (uint32_t)x->count) < 0) {
		x->failed = true;
		return UNSET;
	}
	x->v[x->count] = (struct value){ .event = event, .rest = rest, .before = first };
	return (uint32_t)x->count++;
}

/* Of the ways: `same` as before, or another one. */
static void way_join(struct solver *x, struct flow_node *n, uint32_t to, uint32_t *same)
{
	uint32_t v = x->w->v[to].value;

	if (v == UNSET)
		return;
	if (*same == UNSET) {
		*same = v;
		if (n->value == UNSET)
			n->chosen = to;
	} else if (*same != v) {
		n->logged = true;
	}
}

static uint32_t branch_value(struct solver *x, uint32_t node)
{
	struct flow_node *n = &x->w->v[node];
	uint32_t same = UNSET;
	bool before = n->logged;

	if (!n->logged && n->kind == FLOW_SWITCH) {
		for (uint32_t i = 0; i < n->count; i++)
			way_join(x, n, x->w->targets[n->to + i], &same);
	} else if (!n->logged) {
		way_join(x, n, n->next, &same);
		way_join(x, n, n->to, &same);
	}
	x->marked |= n->logged != before;
	return n->logged ? value_make(x, EVENT_PLACE + node, UNSET) : same;
}

static uint32_t call_value(struct solver *x, uint32_t node)
{
	struct flow_node *n = &x->w->v[node];
	uint64_t event = n->kind == FLOW_OUT ? EVENT_OUT : EVENT_CALL + x->name[node];
	uint32_t rest;

	if (n->tail) {
		rest = value_make(x, EVENT_END, UNSET);
		return value_make(x, EVENT_CLOSE, x->failed ? UNSET :
				  value_make(x, event, rest));
	}
	rest = x->w->v[n->next].value;
	return rest == UNSET ? UNSET : value_make(x, event, rest);
}

static uint32_t node_value(struct solver *x, uint32_t node)
{
	struct flow_node *n = &x->w->v[node];

	switch ((enum flow_kind)n->kind) {
	case FLOW_PLAIN:
		return x->w->v[n->next].value;
	case FLOW_CALL:
	case FLOW_OUT:
		return call_value(x, node);
	case FLOW_BRANCH:
	case FLOW_SKIP:
	case FLOW_SWITCH:
		return branch_value(x, node);
	case FLOW_JUMP:
		return n->endless ? value_make(x, EVENT_PLACE + node, UNSET) :
				    x->w->v[n->to].value;
	case FLOW_RETURN:
		return value_make(x, EVENT_CLOSE, value_make(x, EVENT_END, UNSET));
	case FLOW_STOP:
		break;
	}
	return value_make(x, EVENT_STOP, UNSET);
}

/* Until nothing changes, or a branch becomes logged: then all values are found out anew. */
static void values_find(struct solver *x)
{
	struct flow *w = x->w;

	for (size_t i = 0; i < w->count; i++)
		w->v[i].value = w->v[i].chosen = UNSET;
	x->marked = false;
	for (unsigned n = 0; n < SWEEPS_MAX; n++) {
		x->changed = false;
		for (size_t i = w->count; i-- > 0 && !x->failed;) {
			uint32_t v = node_value(x, (uint32_t)i);

			x->changed |= v != w->v[i].value;
			w->v[i].value = v;
			if (x->marked && x->branches <= SINGLE_MAX)
				return;
		}
		if (!x->changed || x->marked || x->failed)
			return;
	}
	w->fault = "its ways are too many";
}

static int names_number(struct solver *x)
{
	struct flow *w = x->w;
	struct nameset names = { .count = 0 };
	int ret = 0;

	x->name = mem_alloc((w->count + 1) * sizeof(*x->name));
	if (!x->name)
		return ERR_NOMEM;
	for (uint32_t i = 0; ret == 0 && i < w->count; i++) {
		const struct flow_node *n = &w->v[i];
		uint32_t first;

		x->branches += n->kind == FLOW_BRANCH || n->kind == FLOW_SKIP;
		x->name[i] = i;
		if (n->kind != FLOW_CALL)
			continue;
		first = nameset_get(&names, n->name);
		if (first == MAP_NONE)
			ret = nameset_put(&names, n->name, i);
		else
			x->name[i] = first;
	}
	nameset_release(&names);
	return ret;
}

/*
 * A loop without an end has no values: they begin where it jumps back. It must log something each
 * time round, if it makes calls: one through a register or of what is not followed does. True:
 * values are to be found out anew.
 */
static bool endless_find(struct solver *x)
{
	struct flow *w = x->w;
	uint32_t at = (uint32_t)w->count;
	bool calls = false, logs = false;

	while (at-- > 0)
		if (w->v[at].kind == FLOW_JUMP && w->v[at].value == UNSET)
			break;
	if (at == UINT32_MAX)
		return false;
	for (uint32_t i = w->v[at].to; i < at; i++) {
		calls |= w->v[i].kind == FLOW_CALL;
		logs |= w->v[i].kind == FLOW_OUT && !w->v[i].tail;
	}
	w->v[at].endless = true;
	w->v[at].logged = !logs && (calls || w->v[at].to > at);
	if (w->v[at].logged && at > 0 && w->v[at - 1].kind == FLOW_SKIP)
		w->fault = "an endless loop behind a skip";
	return true;
}

int flow_must(struct flow *w)
{
	struct solver x = { .w = w };
	int ret;

	map_init(&x.index);
	ret = names_number(&x);
	if (ret == 0)
		do {
			x.count = 0;
			map_clear(&x.index);
			values_find(&x);
		} while ((x.marked || endless_find(&x)) && !x.failed && !w->fault);
	map_release(&x.index);
	mem_free(x.name);
	mem_free(x.v);
	return ret < 0 || x.failed ? ERR_NOMEM : 0;
}
