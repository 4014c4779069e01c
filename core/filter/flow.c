/* flow: graph, dataflow; then what the host reads of them: calls, logged branches, jumps. */
#include "core/filter/flow.h"

#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"

/* --- the program ------------------------------------------------------------------------------ */

struct flow_writer {
	struct flow *w;
	uint32_t *op_at;		/* node -> operation; FLOW_NONE */
	uint32_t *todo;			/* nodes that are jumped to */
	size_t todo_count;
	bool failed;
};

static struct flow_op *way_op(struct flow_writer *x, enum flow_op_kind kind, uint32_t node)
{
	struct flow *w = x->w;

	if (mem_grow(&w->ops, &w->op_cap, w->op_count + 1, sizeof(*w->ops)) < 0) {
		x->failed = true;
		return NULL;
	}
	w->ops[w->op_count] = (struct flow_op){ .kind = (uint8_t)kind, .node = node };
	return &w->ops[w->op_count++];
}

/* `to` is a node until all is written. */
static void way_jump(struct flow_writer *x, enum flow_op_kind kind, uint32_t node, uint8_t arg,
		     uint32_t to)
{
	struct flow_op *op = way_op(x, kind, node);

	if (!op)
		return;
	op->arg = arg;
	op->to = to;
	x->todo[x->todo_count++] = to;
}

static void way_switch(struct flow_writer *x, uint32_t node)
{
	const struct flow_node *n = &x->w->v[node];
	struct flow_op *op = way_op(x, FLOW_OP_SWITCH, node);

	if (op)
		op->to = n->count;
	for (uint32_t i = 0; i < n->count && !x->failed; i++)
		way_jump(x, FLOW_OP_JUMP, node, 0, x->w->targets[n->to + i]);
}

static void way_call(struct flow_writer *x, uint32_t node)
{
	const struct flow_node *n = &x->w->v[node];

	if (n->tail)
		way_op(x, FLOW_OP_CLOSE, node);
	way_op(x, n->kind == FLOW_OUT ? FLOW_OP_OUT : FLOW_OP_CALL, node);
	if (n->tail)
		way_op(x, FLOW_OP_END, node);
}

/* Where the node goes on; FLOW_NONE: nowhere, or told by what was written. */
static uint32_t way_node(struct flow_writer *x, uint32_t node)
{
	const struct flow_node *n = &x->w->v[node];

	switch ((enum flow_kind)n->kind) {
	case FLOW_PLAIN:
		return n->next;
	case FLOW_CALL:
	case FLOW_OUT:
		way_call(x, node);
		return n->tail ? FLOW_NONE : n->next;
	case FLOW_BRANCH:
	case FLOW_SKIP:
		if (!n->logged)
			return n->chosen;
		/* a skip logs 0 where it skips */
		way_jump(x, FLOW_OP_BRANCH, node, n->kind == FLOW_BRANCH ? n->sense : 0, n->to);
		return n->next;
	case FLOW_JUMP:
		if (n->logged)
			way_op(x, FLOW_OP_TICK, node);
		return n->to;
	case FLOW_SWITCH:
		if (!n->logged)
			return n->chosen;
		way_switch(x, node);
		return FLOW_NONE;
	case FLOW_RETURN:
		way_op(x, FLOW_OP_CLOSE, node);
		way_op(x, FLOW_OP_END, node);
		return FLOW_NONE;
	case FLOW_STOP:
		break;
	}
	way_op(x, FLOW_OP_STOP, node);
	return FLOW_NONE;
}

/* What follows the node, up to what was written already. */
static void way_write(struct flow_writer *x, uint32_t node)
{
	while (!x->failed && x->w->op_count < FLOW_OPS_MAX) {
		if (node >= x->w->count) {		/* a loop that does nothing */
			way_op(x, FLOW_OP_STOP, 0);
			return;
		}
		if (x->op_at[node] != FLOW_NONE) {
			way_jump(x, FLOW_OP_JUMP, node, 0, node);
			return;
		}
		x->op_at[node] = (uint32_t)x->w->op_count;
		node = way_node(x, node);
		if (node == FLOW_NONE)
			return;
	}
}

static int program_make(struct flow *w)
{
	struct flow_writer x = { .w = w };
	size_t jumps = 2 * w->count + w->target_count + 1;

	x.op_at = mem_alloc(w->count * sizeof(*x.op_at));
	x.todo = mem_alloc(2 * jumps * sizeof(*x.todo));
	x.failed = !x.op_at || !x.todo;
	if (!x.failed) {
		memset(x.op_at, 0xff, w->count * sizeof(*x.op_at));
		way_write(&x, 0);
	}
	while (!x.failed && x.todo_count && w->op_count < FLOW_OPS_MAX) {
		uint32_t node = x.todo[--x.todo_count];

		if (x.op_at[node] == FLOW_NONE)
			way_write(&x, node);
	}
	if (w->op_count >= FLOW_OPS_MAX)
		w->fault = "it is too large";
	for (size_t i = 0; !x.failed && !w->fault && i < w->op_count; i++)
		if (w->ops[i].kind == FLOW_OP_BRANCH || w->ops[i].kind == FLOW_OP_JUMP)
			w->ops[i].to = x.op_at[w->ops[i].to];
	mem_free(x.op_at);
	mem_free(x.todo);
	return x.failed ? ERR_NOMEM : 0;
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Only what can be given a hook may be logged. */
static void logged_check(struct flow *w)
{
	for (size_t i = 0; i + 1 < w->count && !w->fault; i++) {
		const struct flow_node *n = &w->v[i], *next = &w->v[i + 1];

		if (n->logged && n->kind == FLOW_BRANCH && n->flag == 7)
			w->fault = "a branch by the interrupt flag";
		if (n->kind == FLOW_SKIP && !n->logged && next->logged)
			w->fault = "a branch that is skipped";
	}
}

int flow_make(struct flow *w, const struct filter_options *o, const struct outline *s,
	      const struct scope_names *names, const struct function *f)
{
	int ret = flow_graph(w, o, s, names, f);

	if (ret == 0 && !w->fault)
		ret = flow_must(w);
	if (ret == 0 && !w->fault)
		logged_check(w);
	if (ret == 0 && !w->fault)
		ret = program_make(w);
	return ret;
}

void flow_release(struct flow *w)
{
	mem_free(w->v);
	mem_free(w->targets);
	mem_free(w->at);
	mem_free(w->ops);
	*w = (struct flow){ .count = 0 };
}

int flow_judge(const struct filter_options *o, struct outline *s)
{
	struct scope_names names = { .global = { .count = 0 } };
	struct flow w = { .count = 0 };
	int ret = scope_names_find(&names, o, s);

	for (size_t i = 0; ret == 0 && i < s->count; i++) {
		if (s->v[i].fault || !filter_wants(o, s, &s->v[i]))
			continue;
		ret = flow_make(&w, o, s, &names, &s->v[i]);
		s->v[i].fault = w.fault;
	}
	flow_release(&w);
	scope_names_release(&names);
	return ret;
}
