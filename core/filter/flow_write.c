/* flow_write: a function's text with its hooks, and its program as records. */
#include "core/filter/flow.h"

#include <stdio.h>

#include "core/base/err.h"
#include "core/filter/chip.h"
#include "core/filter/job.h"
#include "core/filter/records.h"

enum {
	BRANCH_REACH = 118,		/* bytes; 126, less what an estimate may be off */
	JUMP_REACH = 4040,
	ROUNDS_MAX = 1000,
};

struct writer {
	struct filter_job *j;
	struct flow *w;
	unsigned call_bytes;
};

/* --- how far ---------------------------------------------------------------------------------- */

static bool node_is_jump(const struct flow_node *n)
{
	return n->kind == FLOW_BRANCH || n->kind == FLOW_JUMP;
}

static bool node_is_handler_return(const struct writer *x, uint32_t node)
{
	const struct flow_node *n = &x->w->v[node];

	return n->kind == FLOW_RETURN && !n->tail &&
	       piece_is(statement_op(&x->j->s->all, n->stmt), "reti");
}

/* Hooks before the instruction, itself, and hooks behind it. */
static unsigned node_size(const struct writer *x, uint32_t node)
{
	const struct flow_node *n = &x->w->v[node];
	unsigned size = n->bytes;

	if ((n->kind == FLOW_OUT && !n->name.n) || node_is_handler_return(x, node))
		size = x->call_bytes;
	if (n->far)
		size = n->kind == FLOW_BRANCH ? 2 + x->call_bytes : 4;
	if (n->logged)
		size += n->kind == FLOW_SKIP ? 2 * x->call_bytes + 4 : x->call_bytes;
	return size;
}

/* Bytes between two nodes, the first one's included. */
static unsigned nodes_apart(const struct writer *x, uint32_t a, uint32_t b, unsigned enough)
{
	uint32_t from = a < b ? a : b, to = a < b ? b : a;
	unsigned bytes = 0;

	for (uint32_t i = from; i <= to && bytes <= enough; i++)
		bytes += node_size(x, i);
	return bytes;
}

/* "rjmp .+4" */
static bool jumps_by_bytes(const struct flow_node *n)
{
	return node_is_jump(n) && n->operand.n > 1 && n->operand.s[0] == '.' &&
	       (n->operand.s[1] == '+' || n->operand.s[1] == '-');
}

static void far_find(struct writer *x)
{
	bool changed = true;

	for (unsigned n = 0; changed && n < ROUNDS_MAX; n++) {
		changed = false;
		for (uint32_t i = 0; i < x->w->count; i++) {
			struct flow_node *node = &x->w->v[i];
			unsigned reach = node->kind == FLOW_BRANCH ? BRANCH_REACH : JUMP_REACH;

			if (!node_is_jump(node) || node->far || node->bytes == 4 ||
			    (node->kind == FLOW_JUMP && x->call_bytes == 2) ||
			    nodes_apart(x, i, node->to, reach) <= reach)
				continue;
			node->far = changed = true;
		}
	}
	/* a distance in bytes becomes a label; one is behind what a logged skip skips */
	for (uint32_t i = 0; i < x->w->count; i++)
		if ((x->w->v[i].kind == FLOW_SKIP && x->w->v[i].logged) ||
		    jumps_by_bytes(&x->w->v[i]))
			x->w->v[x->w->v[i].to].target = true;
}

/* --- lines ------------------------------------------------------------------------------------ */

static const char *call_op(const struct writer *x)
{
	return x->call_bytes == 4 ? "call" : "rcall";
}

static const char *jump_op(const struct writer *x)
{
	return x->call_bytes == 4 ? "jmp" : "rjmp";
}

static size_t target_stmt(const struct writer *x, const struct flow_node *n)
{
	return x->w->v[n->to].stmt;
}

/* The label that a jump goes to, as text of at most `size` bytes. */
static void target_name(const struct writer *x, const struct flow_node *n, struct buf *out)
{
	if (x->w->v[n->to].target && *n->operand.s == '.' &&
	    (n->operand.s[1] == '+' || n->operand.s[1] == '-'))
		buf_addf(out, ".Lwsntrace_t%zu", target_stmt(x, n));
	else
		buf_add(out, n->operand.s, n->operand.n);
}

/* The first call of this name has the stub. */
static uint32_t stub_node(const struct writer *x, uint32_t node)
{
	uint32_t i = 0;

	while (i < node && !(x->w->v[i].kind == FLOW_OUT && x->w->v[i].name.n &&
			     piece_equal(x->w->v[i].name, x->w->v[node].name)))
		i++;
	return i;
}

static void callee_name(const struct writer *x, uint32_t node, struct buf *out)
{
	const struct flow_node *n = &x->w->v[node];

	if (n->kind == FLOW_CALL)
		buf_addf(out, "wsntrace_body.%.*s", PIECE(n->name));
	else
		buf_addf(out, ".Lwsntrace_c%zu", x->w->v[stub_node(x, node)].stmt);
}

/* The statement is left out, its line's rest stays. */
static void statement_drop(struct writer *x, const struct flow_node *n)
{
	const struct statement *st = &x->j->s->all.v[n->stmt];

	x->j->done = st->at + st->size;
}

/* `piece` of the text becomes what `text` says. */
static void piece_replace(struct writer *x, struct piece p, const struct buf *text)
{
	job_copy(x->j, (size_t)(p.s - x->j->s->all.text));
	buf_add(x->j->out, text->data, text->len);
	x->j->done += p.n;
}

static void branch_write(struct writer *x, uint32_t node)
{
	const struct flow_node *n = &x->w->v[node];
	struct buf to = BUF_INIT;

	target_name(x, n, &to);
	x->j->out->failed |= to.failed;
	if (to.failed) {
		buf_release(&to);
		return;
	}
	if (!n->far) {
		piece_replace(x, n->operand, &to);
	} else if (n->kind == FLOW_JUMP) {
		buf_addf(x->j->out, "jmp %s", buf_str(&to));
		statement_drop(x, n);
	} else {
		buf_addf(x->j->out, "brb%c %u,.Lwsntrace_u%zu\n", n->sense ? 'c' : 's', n->flag,
			 n->stmt);
		job_line(x->j, "%s %s", jump_op(x), buf_str(&to));
		buf_addf(x->j->out, ".Lwsntrace_u%zu:", n->stmt);
		statement_drop(x, n);
	}
	buf_release(&to);
}

static void call_write(struct writer *x, uint32_t node)
{
	const struct flow_node *n = &x->w->v[node];
	struct buf name = BUF_INIT;

	if (!n->name.n) {
		buf_addf(x->j->out, "%s wsntrace_out", n->tail ? jump_op(x) : call_op(x));
		statement_drop(x, n);
	} else {
		callee_name(x, node, &name);
		if (name.failed)
			x->j->out->failed = true;
		else
			piece_replace(x, n->name, &name);
		buf_release(&name);
	}
	if (!n->tail) {
		job_copy(x->j, x->j->s->all.v[n->stmt].at + x->j->s->all.v[n->stmt].size);
		buf_addf(x->j->out, "\n.Lwsntrace_r%zu:", n->stmt);
	}
}

/* What it skips may be jumped to: it stays as it is, behind the hooks of both ways. */
static void skip_write(struct writer *x, uint32_t node)
{
	const struct flow_node *n = &x->w->v[node];

	job_copy_line(x->j, n->stmt);
	job_line(x->j, "rjmp .Lwsntrace_s%zu", n->stmt);
	job_line(x->j, "%s wsntrace_bit_0", call_op(x));
	job_line(x->j, "rjmp .Lwsntrace_t%zu", target_stmt(x, n));
	buf_addf(x->j->out, ".Lwsntrace_s%zu:\n", n->stmt);
	job_line(x->j, "%s wsntrace_bit_1", call_op(x));
}

static void statement_write(struct writer *x, uint32_t node)
{
	const struct flow_node *n = &x->w->v[node];

	if (n->kind == FLOW_SKIP) {
		skip_write(x, node);
	} else if (node_is_jump(n)) {
		branch_write(x, node);
	} else if (n->kind == FLOW_CALL || n->kind == FLOW_OUT) {
		call_write(x, node);
	} else if (node_is_handler_return(x, node)) {
		buf_addf(x->j->out, "%s wsntrace_handler_exit", jump_op(x));
		statement_drop(x, n);
	}
}

static void hook_write(struct writer *x, uint32_t node)
{
	static const char flags[] = "cznvsht";
	const struct flow_node *n = &x->w->v[node];

	if (n->kind == FLOW_BRANCH)
		job_line(x->j, "%s wsntrace_flag_%c", call_op(x), flags[n->flag]);
	else
		job_line(x->j, "%s wsntrace_%s", call_op(x),
			 n->kind == FLOW_SWITCH ? "switch" : "bit_0");
}

static bool node_is_changed(const struct writer *x, uint32_t node)
{
	const struct flow_node *n = &x->w->v[node];

	return n->target || n->far || n->kind == FLOW_CALL || n->kind == FLOW_OUT || n->logged ||
	       node_is_handler_return(x, node) ||
	       (node_is_jump(n) && x->w->v[n->to].target);
}

static void hooked_write(struct writer *x, uint32_t node)
{
	const struct flow_node *n = &x->w->v[node];

	job_copy_before(x->j, n->stmt);
	if (n->target)
		buf_addf(x->j->out, ".Lwsntrace_t%zu:\n", n->stmt);
	if (n->logged && n->kind != FLOW_SKIP)
		hook_write(x, node);
	if (n->kind != FLOW_STOP) {
		job_copy(x->j, x->j->s->all.v[n->stmt].at);
		statement_write(x, node);
	}
}

/* --- behind the code -------------------------------------------------------------------------- */

void flow_write_out(struct filter_job *j, struct piece name)
{
	job_line(j, "ldi r30,lo8(gs(%.*s))", PIECE(name));
	job_line(j, "ldi r31,hi8(gs(%.*s))", PIECE(name));
	job_line(j, "%s wsntrace_out", j->s->long_calls ? "jmp" : "rjmp");
}

static void stubs_write(struct writer *x)
{
	for (uint32_t i = 0; i < x->w->count; i++) {
		const struct flow_node *n = &x->w->v[i];

		if (n->kind != FLOW_OUT || !n->name.n || stub_node(x, i) != i)
			continue;
		buf_addf(x->j->out, ".Lwsntrace_c%zu:\n", n->stmt);
		flow_write_out(x->j, n->name);
	}
}

void flow_write(struct filter_job *j, struct flow *w)
{
	struct writer x = { .j = j, .w = w, .call_bytes = j->s->long_calls ? 4 : 2 };

	far_find(&x);
	for (uint32_t i = 0; i < w->count; i++)
		if (node_is_changed(&x, i) && i + 1 < w->count)
			hooked_write(&x, i);
	if (w->count > 1) {
		job_copy_line(j, w->v[w->count - 2].stmt);
		if (w->v[w->count - 1].target)
			buf_addf(j->out, ".Lwsntrace_t%zu:\n", w->v[w->count - 1].stmt);
		stubs_write(&x);
	}
}

/* --- records ---------------------------------------------------------------------------------- */

static void op_write(struct filter_job *j, const struct flow *w, const struct flow_op *op)
{
	const struct flow_node *n = &w->v[op->node];
	bool place = (op->kind == FLOW_OP_CALL || op->kind == FLOW_OP_OUT) && !n->tail;

	job_line(j, ".byte %u,%u", op->kind, op->arg);
	job_line(j, ".short %u", op->to);
	if (op->kind == FLOW_OP_CALL)
		job_line(j, ".long wsntrace_body.%.*s", PIECE(n->name));
	else if (op->kind == FLOW_OP_SWITCH)
		job_line(j, ".long %.*s", PIECE(n->name));
	else
		job_line(j, ".long 0");
	if (place)
		job_line(j, ".long .Lwsntrace_r%zu", n->stmt);
	else
		job_line(j, ".long 0");
}

void flow_records(struct filter_job *j, const struct flow *w)
{
	records_section(j, ".wsntrace_flow");
	job_line(j, ".byte %u,0", FLOW_OP_FUNCTION);
	job_line(j, ".short %zu", w->op_count);
	job_line(j, ".long %.*s,0", PIECE(j->f->name));
	for (size_t i = 0; i < w->op_count; i++)
		op_write(j, w, &w->ops[i]);
	job_line(j, ".popsection");
}
