/* avr: what filter.h tells of AVR. */
#include <string.h>

#include "core/filter/chip.h"
#include "core/filter/job.h"

static struct insn avr_insn(struct piece op, struct piece args)
{
	struct insn in = { .kind = INSN_PLAIN };

	if (piece_is(op, "ret")) {
		in.kind = INSN_RETURN;
	} else if (piece_is(op, "reti")) {
		in.kind = INSN_RETURN_HANDLER;
	} else if (piece_is(op, "icall") || piece_is(op, "eicall")) {
		in.kind = INSN_CALL;
	} else if (piece_is(op, "ijmp") || piece_is(op, "eijmp")) {
		in.kind = INSN_JUMP_REGISTER;
	} else if (piece_is(op, "call") || piece_is(op, "rcall")) {
		in.kind = INSN_CALL;		/* "rcall ." only makes room on the stack */
		in.target = args.n ? args : (struct piece){ ".", 1 };
	} else if (piece_is(op, "jmp") || piece_is(op, "rjmp")) {
		in.kind = INSN_JUMP;
		in.target = args;
	}
	return in;
}

/* push rL, push rH, ret: gcc jumps so to a label whose address is not in Z. */
static bool avr_behind(struct insn *in, struct piece args, struct piece op_before,
		       struct piece args_before)
{
	(void)args;
	(void)args_before;
	if (in->kind != INSN_RETURN || !piece_is(op_before, "push"))
		return true;
	in->kind = INSN_GOTO;
	in->otherwise = INSN_UNKNOWN;
	return true;
}

/* gs(.L5), older: pm(.L5) */
static struct piece avr_label_taken(const struct statements *all, size_t i)
{
	struct piece p = statement_text(all, i), none = { "", 0 };
	const char *open = memmem(p.s, p.n, "gs(.L", 5);

	if (!open)
		open = memmem(p.s, p.n, "pm(.L", 5);
	if (!open)
		return none;
	p.n -= (size_t)(open + 3 - p.s);
	p.s = open + 3;
	for (size_t n = 0; n < p.n; n++)
		if (!piece_name_byte(p.s[n]))
			return (struct piece){ p.s, n };
	return p;
}

static const char *avr_file_refuse(const struct outline *s)
{
	struct piece text = { s->all.text, s->all.size };

	if (piece_has(text, "__prologue_saves__") || piece_has(text, "__epilogue_restores__"))
		return "-mcall-prologues: its functions return in libgcc; compile without it";
	return NULL;
}

static const char *avr_function_refuse(const struct outline *s, const struct function *f)
{
	struct piece section;

	if (f->section == OUTLINE_NONE)
		return NULL;
	section = statement_args(&s->all, f->section);
	return piece_begins(section, ".init") || piece_begins(section, ".fini") ?
	       "it is a part of the start-up code" : NULL;
}

static unsigned avr_size(const struct outline *s, size_t i)
{
	return s->all.v[i].kind == STATEMENT_INSN ? 4 : 0;
}

static const char *call_op(const struct filter_job *j)
{
	return j->s->long_calls ? "call" : "rcall";
}

static const char *jump_op(const struct filter_job *j)
{
	return j->s->long_calls ? "jmp" : "rjmp";
}

static void avr_align(struct filter_job *j)
{
	(void)j;
}

/*
 * With the operand that `call` and `jmp` have: words of their own are never made shorter (-mrelax),
 * on which the hooks' cycles and the callee's address depend.
 */
static void fixed_write(struct filter_job *j, bool calls, const char *hook)
{
	if (!j->s->long_calls) {
		job_line(j, "%s %s", calls ? "rcall" : "rjmp", hook);
		return;
	}
	job_line(j, ".word 0x%x", calls ? 0x940e : 0x940c);
	job_line(j, ".word gs(%s)", hook);
}

/* Timed or counted calls: the hook knows the function by the place that it is called from. */
static void timed_entry(struct filter_job *j)
{
	bool timed = j->o->use == FILTER_TIMED;

	if (j->f->handler) {
		fixed_write(j, true, timed ? "wsnprof_timed_handler" : "wsnprof_count_handler");
		return;
	}
	if (j->s->far_code) {
		job_line(j, "ldi r30,lo8(gs(%.*s))", PIECE(j->f->name));
		job_line(j, "ldi r31,hi8(gs(%.*s))", PIECE(j->f->name));
	}
	fixed_write(j, true, timed ? "wsnprof_timed_enter" : "wsnprof_count_enter");
}

static void timed_stub(struct filter_job *j, const struct stub *s)
{
	bool saves = s->kind == EXIT_TAIL_REGISTER;

	if (s->kind == EXIT_RETURN || s->kind == EXIT_HANDLER) {
		fixed_write(j, false, s->kind == EXIT_RETURN ? "wsnprof_timed_exit_mid" :
							     "wsnprof_timed_handler_exit");
		return;
	}
	if (saves)
		job_line(j, "push r30");
	if (saves)
		job_line(j, "push r31");
	fixed_write(j, true, saves ? "wsnprof_timed_tail_saved" : "wsnprof_timed_tail");
	if (saves)
		job_line(j, "pop r31");
	if (saves)
		job_line(j, "pop r30");
	job_line(j, "%.*s", PIECE(statement_text(&j->s->all, s->stmt)));
}

/* A return that no branch leads to: the hook takes none into account. */
static bool avr_stub_fallen(struct filter_job *j, const struct stub *s)
{
	if (j->o->use != FILTER_TIMED || s->kind != EXIT_RETURN)
		return false;
	fixed_write(j, false, "wsnprof_timed_exit");
	return true;
}

static void handler_enter(struct filter_job *j)
{
	job_line(j, "push r30");
	if (j->o->wide)
		job_line(j, "push r31");
	job_line(j, "ldi r30,lo8(wsntrace_id.%.*s+1)", PIECE(j->f->name));
	if (j->o->wide)
		job_line(j, "ldi r31,hi8(wsntrace_id.%.*s+1)", PIECE(j->f->name));
	job_line(j, "%s wsntrace_handler_enter%s", call_op(j), j->o->wide ? "_wide" : "");
	if (j->o->wide)
		job_line(j, "pop r31");
	job_line(j, "pop r30");
}

static void entry_outer(struct filter_job *j)
{
	bool wide = j->o->wide, leaf = j->f->leaf;

	job_line(j, "ldi r30,lo8(wsntrace_id.%.*s+%d)", PIECE(j->f->name),
		 leaf && !wide ? 0x81 : 1);
	if (wide)
		job_line(j, "ldi r31,hi8(wsntrace_id.%.*s+1)", PIECE(j->f->name));
	job_line(j, "%s wsntrace_%s%s", call_op(j), leaf ? "leaf" : "enter", wide ? "_wide" : "");
}

/* A function that is called by its second entry alone: --gc-sections keeps its records. */
static void entry_keep(struct filter_job *j)
{
	job_line(j, ".reloc .,R_AVR_NONE,wsntrace_id.%.*s", PIECE(j->f->name));
}

/* Nothing is told at the second entry: who calls it, and where, tells it. */
static void flow_entry(struct filter_job *j)
{
	if (scope_is_private(&j->names, j->f)) {
		entry_keep(j);
	} else {
		job_line(j, "ldi r30,lo8(wsntrace_id.%.*s+1)", PIECE(j->f->name));
		job_line(j, "%s wsntrace_enter", call_op(j));
	}
	buf_addf(j->out, "wsntrace_body.%.*s:\n", PIECE(j->f->name));
}

static void avr_entry(struct filter_job *j)
{
	bool local = j->o->codes != FILTER_GLOBAL;
	bool alone = local && scope_is_private(&j->names, j->f);

	if (j->o->use != FILTER_TRACE) {
		timed_entry(j);
		return;
	}
	if (j->f->handler) {
		handler_enter(j);
		return;
	}
	if (j->o->codes == FILTER_FLOW) {
		flow_entry(j);
		return;
	}
	if (!alone)
		entry_outer(j);
	if (!local)
		return;
	if (alone)
		entry_keep(j);
	else
		job_line(j, "rjmp .Lwsntrace_b%zu", j->f->label);
	buf_addf(j->out, "wsntrace_body.%.*s:\n", PIECE(j->f->name));
	job_line(j, "%s wsntrace_call%s", call_op(j), j->f->leaf ? "_leaf" : "");
	if (!alone)
		buf_addf(j->out, ".Lwsntrace_b%zu:\n", j->f->label);
}

static void avr_call_stub(struct filter_job *j, const struct scope_callee *c)
{
	job_line(j, "ldi r30,%u", c->code.bits);
	job_line(j, "ldi r31,%u", 1u << c->code.length);
	job_line(j, "%s wsntrace_body.%.*s", jump_op(j), PIECE(c->name));
}

static void avr_call_weak(struct filter_job *j, struct piece name)
{
	if (j->o->codes == FILTER_FLOW)
		flow_write_out(j, name);
	else
		job_line(j, "%s %.*s", jump_op(j), PIECE(name));
}

static void avr_branch(struct filter_job *j, const struct exit *e, const char *label)
{
	job_line(j, "%s %s", e->near ? "rjmp" : jump_op(j), label);
}

/* `op`: CALL or JMP. */
static void exit_go(struct filter_job *j, const char *op)
{
	const struct scope_code *code = &j->scope.leave;

	if (code->length) {
		job_line(j, "ldi r30,%u", code->bits);
		job_line(j, "ldi r31,%u", 1u << code->length);
	}
	job_line(j, "%s wsntrace_exit%s", op, code->length ? "_code" : "");
}

static void avr_stub(struct filter_job *j, const struct stub *s)
{
	struct piece insn = statement_text(&j->s->all, s->stmt);

	if (j->o->use == FILTER_TIMED) {
		timed_stub(j, s);
		return;
	}
	switch (s->kind) {
	case EXIT_RETURN:
		exit_go(j, jump_op(j));
		break;
	case EXIT_HANDLER:
		job_line(j, "%s wsntrace_handler_exit", jump_op(j));
		break;
	case EXIT_TAIL:
		exit_go(j, call_op(j));
		job_line(j, "%.*s", PIECE(insn));
		break;
	case EXIT_TAIL_REGISTER:
		job_line(j, "push r30");
		job_line(j, "push r31");
		exit_go(j, call_op(j));
		job_line(j, "pop r31");
		job_line(j, "pop r30");
		job_line(j, "%.*s", PIECE(insn));
		break;
	}
}

static bool avr_falls(const struct filter_job *j)
{
	(void)j;
	return true;
}

const struct chip chip_avr = {
	.name = "avr",
	.syntax = { .comment = ';', .separator = '$' },
	.mark = '@',
	.reach = 4000,
	.insn = avr_insn,
	.behind = avr_behind,
	.label_taken = avr_label_taken,
	.file_refuse = avr_file_refuse,
	.function_refuse = avr_function_refuse,
	.size = avr_size,
	.align = avr_align,
	.entry = avr_entry,
	.branch = avr_branch,
	.stub = avr_stub,
	.stub_fallen = avr_stub_fallen,
	.call_stub = avr_call_stub,
	.call_weak = avr_call_weak,
	.falls = avr_falls,
};
