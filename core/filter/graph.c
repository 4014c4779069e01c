/* graph: a function's instructions, and where each goes on. */
#include "core/filter/flow.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/filter/chip.h"

enum { TABLE_BACK = 8 };	/* instructions from the jump to the one that names its table */

/* --- instructions ----------------------------------------------------------------------------- */

static const struct { const char *op; uint8_t flag, sense; } branches[] = {
	{ "brcs", 0, 1 }, { "brlo", 0, 1 }, { "brcc", 0, 0 }, { "brsh", 0, 0 },
	{ "breq", 1, 1 }, { "brne", 1, 0 }, { "brmi", 2, 1 }, { "brpl", 2, 0 },
	{ "brvs", 3, 1 }, { "brvc", 3, 0 }, { "brlt", 4, 1 }, { "brge", 4, 0 },
	{ "brhs", 5, 1 }, { "brhc", 5, 0 }, { "brts", 6, 1 }, { "brtc", 6, 0 },
	{ "brie", 7, 1 }, { "brid", 7, 0 },
};

static bool op_is(struct piece op, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (piece_is(op, names[i]))
			return true;
	return false;
}

static bool op_is_skip(struct piece op)
{
	static const char *const skips[] = { "sbrc", "sbrs", "sbic", "sbis", "cpse" };

	return op_is(op, skips, sizeof(skips) / sizeof(skips[0]));
}

static uint8_t op_bytes(struct piece op)
{
	static const char *const longs[] = { "call", "jmp", "lds", "sts" };

	return op_is(op, longs, sizeof(longs) / sizeof(longs[0])) ? 4 : 2;
}

/* --- places ----------------------------------------------------------------------------------- */

static uint32_t label_node(const struct flow *w, const struct function *f, size_t stmt)
{
	return stmt > f->label && stmt - f->label < w->at_count ? w->at[stmt - f->label] :
								  FLOW_NONE;
}

/* "1f", "1b" */
static uint32_t number_find(const struct flow *w, const struct outline *s,
			    const struct function *f, size_t from, struct piece target)
{
	struct piece label = { target.s, target.n - 1 };
	bool back = target.s[target.n - 1] == 'b';

	for (size_t i = from; i > f->label && i < f->end; i += back ? (size_t)-1 : 1)
		if (s->all.v[i].kind == STATEMENT_LABEL &&
		    piece_equal(statement_text(&s->all, i), label))
			return label_node(w, f, i);
	return FLOW_NONE;
}

/* ".+4": bytes from the next instruction on */
static uint32_t distance_find(const struct flow *w, uint32_t node, struct piece target)
{
	char text[16];
	long left;

	if (target.n - 1 >= sizeof(text))
		return FLOW_NONE;
	memcpy(text, target.s + 1, target.n - 1);
	text[target.n - 1] = '\0';
	left = strtol(text, NULL, 10);
	for (node++; left > 0 && node < w->count; node++)
		left -= w->v[node].bytes;
	for (; left < 0 && node > 0; node--)
		left += w->v[node - 1].bytes;
	return left == 0 && node < w->count ? node : FLOW_NONE;
}

static uint32_t target_find(const struct flow *w, const struct outline *s,
			    const struct function *f, uint32_t node, struct piece target)
{
	uint32_t at;

	if (piece_is(target, "."))		/* as gas does: the next instruction */
		return node + 1;
	if (target.n > 1 && *target.s == '.' && (target.s[1] == '+' || target.s[1] == '-'))
		return distance_find(w, node, target);
	if (target.n > 1 && *target.s >= '0' && *target.s <= '9')
		return number_find(w, s, f, w->v[node].stmt, target);
	at = nameset_get(&s->labels, target);
	return at == MAP_NONE ? FLOW_NONE : label_node(w, f, at);
}

/* --- calls ------------------------------------------------------------------------------------ */

/* How a call of it is made. */
static enum flow_kind callee_kind(const struct filter_options *o, const struct outline *s,
				  const struct scope_names *names, struct piece name)
{
	if (outline_is_helper(s, name))
		return FLOW_PLAIN;
	for (size_t i = 0; i < s->count; i++)
		if (piece_equal(s->v[i].name, name))
			return s->v[i].fault || s->v[i].handler || !filter_wants(o, s, &s->v[i]) ||
			       nameset_has(&names->weak, name) ? FLOW_OUT : FLOW_CALL;
	return nameset_has(&s->functions, name) || name.n > FILTER_NAME_MAX ? FLOW_OUT : FLOW_CALL;
}

static const char *call_take(struct flow_node *n, const struct filter_options *o,
			     const struct outline *s, const struct scope_names *names,
			     struct piece name)
{
	if (!name.n) {
		n->kind = FLOW_OUT;
	} else if (piece_is(name, "setjmp") || piece_is(name, "_setjmp")) {
		return "setjmp returns twice";
	} else if (piece_is_name(name) && *name.s != '.') {
		n->kind = callee_kind(o, s, names, name);
		n->name = name;
	} else if (!piece_is(name, ".")) {
		return "it calls what has no name";
	}
	return NULL;
}

/* --- switches --------------------------------------------------------------------------------- */

static struct piece label_in(struct piece args)
{
	const char *at = memmem(args.s, args.n, ".L", 2);
	struct piece p = { at, 0 };

	while (at && at + p.n < args.s + args.n && piece_name_byte(at[p.n]))
		p.n++;
	return p;
}

static int target_add(struct flow *w, uint32_t node)
{
	if (mem_grow(&w->targets, &w->target_cap, w->target_count + 1, sizeof(*w->targets)) < 0)
		return ERR_NOMEM;
	w->targets[w->target_count++] = node;
	return 0;
}

/* .word gs(.L3) or rjmp .L3, one after the other, behind the table's label. */
static int table_read(struct flow *w, const struct outline *s, const struct function *f,
		      struct flow_node *n)
{
	uint32_t at = nameset_get(&s->labels, n->name);

	n->to = (uint32_t)w->target_count;
	if (at == MAP_NONE)
		return 0;
	for (size_t i = at + 1; i < s->all.count; i++) {
		struct piece args = statement_args(&s->all, i), label = label_in(args);
		uint32_t place = label.n ? nameset_get(&s->labels, label) : MAP_NONE;
		uint32_t node = place == MAP_NONE ? FLOW_NONE : label_node(w, f, place);

		if (s->all.v[i].kind == STATEMENT_COMMENT)
			continue;
		if (!piece_is(statement_op(&s->all, i), ".word") || node == FLOW_NONE)
			break;
		if (target_add(w, node) < 0)
			return ERR_NOMEM;
		n->count++;
	}
	return 0;
}

static int switch_take(struct flow *w, const struct outline *s, const struct function *f,
		       uint32_t node)
{
	struct flow_node *n = &w->v[node];

	n->kind = FLOW_SWITCH;
	for (uint32_t i = node; i > 0 && i + TABLE_BACK > node && !n->name.n; i--)
		if (piece_is(statement_op(&s->all, w->v[i - 1].stmt), "subi"))
			n->name = label_in(statement_args(&s->all, w->v[i - 1].stmt));
	if (n->name.n && table_read(w, s, f, n) < 0)
		return ERR_NOMEM;
	if (!n->count || n->count > 256)
		w->fault = "a computed goto without a table";
	return 0;
}

/* --- a function ------------------------------------------------------------------------------- */

/* What stands between .section and the function's own section again is no code of it. */
/* gcc does not repeat the flags where it returns to a section. */
static bool is_own_section(const struct outline *s, const struct function *f, size_t i)
{
	struct piece rest;

	return f->section != OUTLINE_NONE &&
	       piece_equal(piece_first(statement_args(&s->all, i), &rest),
			   piece_first(statement_args(&s->all, f->section), &rest));
}

static void section_follow(const struct outline *s, const struct function *f, size_t i, bool *away)
{
	static const char *const leaving[] = { ".section", ".pushsection", ".data", ".bss" };
	struct piece op = statement_op(&s->all, i);

	if (piece_is(op, ".text"))
		*away = f->section != OUTLINE_NONE;
	else if (piece_is(op, ".popsection") || piece_is(op, ".previous"))
		*away = false;
	else if (op_is(op, leaving, sizeof(leaving) / sizeof(leaving[0])))
		*away = !piece_is(op, ".section") || !is_own_section(s, f, i);
}

static int nodes_find(struct flow *w, const struct outline *s, const struct function *f)
{
	bool away = false;

	w->count = w->target_count = w->op_count = 0;
	w->fault = NULL;
	w->at_count = f->end - f->label;
	mem_free(w->at);
	w->at = mem_alloc((w->at_count + 1) * sizeof(*w->at));
	if (!w->at)
		return ERR_NOMEM;
	for (size_t i = f->label; i < f->end; i++) {
		const struct statement *st = &s->all.v[i];
		struct piece op = statement_op(&s->all, i);

		w->at[i - f->label] = away ? FLOW_NONE : (uint32_t)w->count;
		if (st->kind == STATEMENT_DIRECTIVE)
			section_follow(s, f, i, &away);
		if (st->kind != STATEMENT_INSN || away)
			continue;
		if (mem_grow(&w->v, &w->cap, w->count + 2, sizeof(*w->v)) < 0)
			return ERR_NOMEM;
		w->v[w->count] = (struct flow_node){
			.stmt = i, .bytes = op_bytes(op), .next = (uint32_t)w->count + 1,
			.to = FLOW_NONE,
		};
		w->count++;
	}
	if (mem_grow(&w->v, &w->cap, w->count + 1, sizeof(*w->v)) < 0)
		return ERR_NOMEM;
	w->v[w->count] = (struct flow_node){ .kind = FLOW_STOP, .stmt = f->end };
	w->count++;
	return 0;
}

static void branch_take(struct flow *w, const struct outline *s, const struct function *f,
			uint32_t node, struct piece op, struct piece args)
{
	struct flow_node *n = &w->v[node];

	for (size_t i = 0; i < sizeof(branches) / sizeof(branches[0]); i++) {
		if (!piece_is(op, branches[i].op))
			continue;
		n->kind = FLOW_BRANCH;
		n->flag = branches[i].flag;
		n->sense = branches[i].sense;
	}
	if (n->kind != FLOW_BRANCH && piece_begins(op, "br") && !piece_is(op, "break")) {
		w->fault = "a branch that is not known";
	} else if (n->kind == FLOW_BRANCH) {
		n->operand = args;
		n->to = target_find(w, s, f, node, args);
		if (n->to == FLOW_NONE)
			w->fault = "a branch out of the function";
	}
}

/* Inline assembly goes on behind itself; what it calls cannot be told. */
static void user_take(struct flow *w, struct piece args, const struct insn *in)
{
	if (in->kind == INSN_CALL && !piece_is(in->target, "."))
		w->fault = "its inline assembly calls";
	else if (in->kind == INSN_JUMP ? piece_begins(args, ".L") : label_in(args).n > 0)
		w->fault = "its inline assembly jumps to its labels";
}

static int jump_take(struct flow *w, const struct filter_options *o, const struct outline *s,
		     const struct scope_names *names, const struct function *f, uint32_t node,
		     struct piece target)
{
	struct flow_node *n = &w->v[node];

	n->operand = target;
	if (piece_begins(target, "__tablejump"))
		return switch_take(w, s, f, node);
	if (outline_is_tail(s, f, target)) {
		w->fault = call_take(n, o, s, names, target);
		if (n->kind == FLOW_PLAIN)
			n->kind = FLOW_OUT;		/* a helper's return is the function's */
		n->tail = true;
		return 0;
	}
	n->kind = FLOW_JUMP;
	n->to = target_find(w, s, f, node, target);
	if (n->to == FLOW_NONE)
		w->fault = "a jump to a place that is not known";
	return 0;
}

static int node_take(struct flow *w, const struct filter_options *o, const struct outline *s,
		     const struct scope_names *names, const struct function *f, uint32_t node)
{
	struct flow_node *n = &w->v[node];
	struct piece op = statement_op(&s->all, n->stmt), args = statement_args(&s->all, n->stmt);
	struct insn in = chip_insn(s, f, n->stmt);

	if (s->all.v[n->stmt].user) {
		user_take(w, args, &in);
		return 0;
	}
	switch (in.kind) {
	case INSN_CALL:
		w->fault = call_take(n, o, s, names, in.target);
		return 0;
	case INSN_RETURN:
	case INSN_RETURN_HANDLER:
		n->kind = FLOW_RETURN;
		return 0;
	case INSN_JUMP:
		return jump_take(w, o, s, names, f, node, in.target);
	case INSN_JUMP_REGISTER:
		n->kind = FLOW_OUT;
		n->tail = true;
		return 0;
	default:
		if (op_is_skip(op)) {
			n->kind = FLOW_SKIP;
			n->to = node + 2 < w->count ? node + 2 : (uint32_t)w->count - 1;
		} else {
			branch_take(w, s, f, node, op, args);
		}
		if (f->taken && (piece_is(op, "ijmp") || piece_is(op, "eijmp") ||
				 piece_is(op, "ret")))
			w->fault = "a computed goto without a table";
		return 0;
	}
}

/* What cannot stand behind a skip: that which grows. */
static void skips_check(struct flow *w)
{
	for (size_t i = 1; i < w->count && !w->fault; i++)
		if (w->v[i - 1].kind == FLOW_SKIP &&
		    (w->v[i].kind == FLOW_BRANCH || w->v[i].kind == FLOW_STOP))
			w->fault = "a branch that is skipped";
}

int flow_graph(struct flow *w, const struct filter_options *o, const struct outline *s,
	       const struct scope_names *names, const struct function *f)
{
	int ret = nodes_find(w, s, f);

	for (uint32_t i = 0; ret == 0 && !w->fault && i + 1 < w->count; i++)
		ret = node_take(w, o, s, names, f, i);
	for (size_t i = f->label + 1; ret == 0 && !w->fault && i < f->end; i++)
		if (s->all.v[i].kind == STATEMENT_LABEL &&
		    nameset_has(&s->functions, statement_text(&s->all, i)))
			w->fault = "its code is in two parts";
	if (ret == 0 && !w->fault)
		skips_check(w);
	return ret;
}
