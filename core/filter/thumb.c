/* thumb: what filter.h tells of Thumb-1 and Thumb-2. */
#include <string.h>

#include "core/filter/chip.h"
#include "core/filter/job.h"

/* --- instructions ----------------------------------------------------------------------------- */

static bool condition_is(struct piece p)
{
	static const char conditions[] = "eqnecshsccloplmivsvchilsgeltgtleal";

	if (!p.n)
		return true;
	for (size_t i = 0; p.n == 2 && i + 2 < sizeof(conditions); i += 2)
		if (memcmp(conditions + i, p.s, 2) == 0)
			return true;
	return false;
}

/* `op` is `base` and a condition, which may be empty. */
static bool op_is(struct piece op, const char *base, struct piece *condition)
{
	size_t n = strlen(base);

	if (!piece_begins(op, base))
		return false;
	condition->s = op.s + n;
	condition->n = op.n - n;
	return condition_is(*condition);
}

static struct piece op_plain(struct piece op)
{
	if (op.n > 2 && op.s[op.n - 2] == '.' && (op.s[op.n - 1] == 'w' || op.s[op.n - 1] == 'n'))
		op.n -= 2;
	return op;
}

/* "{r4-r7, pc}": pc is the last of a list. */
static bool list_has_pc(struct piece list)
{
	if (list.n < 3 || list.s[list.n - 1] != '}')
		return false;
	list.n--;
	list = piece_trim(list);
	if (list.n < 3 || memcmp(list.s + list.n - 2, "pc", 2) != 0)
		return false;
	return !piece_name_byte(list.s[list.n - 3]) || list.s[list.n - 3] == '{';
}

static enum insn_kind load_kind(struct piece args)
{
	struct piece rest, first = piece_first(args, &rest), offset;

	if (!piece_is(first, "pc"))
		return INSN_PLAIN;
	first = piece_first(rest, &offset);
	if (piece_is(first, "[sp]") && piece_begins(offset, "#"))
		return INSN_RETURN;
	return piece_begins(first, "[sp") ? INSN_UNKNOWN : INSN_PLAIN;
}

static enum insn_kind multiple_kind(struct piece args)
{
	struct piece list, base = piece_first(args, &list);

	if (!list_has_pc(list))
		return INSN_PLAIN;
	return piece_is(base, "sp!") ? INSN_RETURN : INSN_UNKNOWN;
}

static bool insn_is_unknown(struct piece op, struct piece args)
{
	static const char *const unknown[] = {
		"bxns", "bxj", "rfe", "bti", "pac", "pacg", "pacbti", "aut", "autg", "bxaut",
	};

	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		if (piece_is(op, unknown[i]))
			return true;
	return piece_begins(args, "pc,") && (piece_begins(op, "movs") || piece_begins(op, "subs"));
}

/* For speed: most instructions cannot. */
static bool insn_may_leave(struct piece op, struct piece args)
{
	switch (op.n ? *op.s : '\0') {
	case 'a':
	case 'b':
	case 'p':
	case 'r':
		return true;
	case 'l':
	case 'm':
	case 's':
		return piece_has(args, "pc");
	default:
		return false;
	}
}

static struct insn thumb_insn(struct piece op, struct piece args)
{
	struct insn in = { .kind = INSN_PLAIN };

	if (!insn_may_leave(op, args))
		return in;
	op = op_plain(op);
	if (op_is(op, "blx", &in.condition) || op_is(op, "blxns", &in.condition)) {
		in.kind = INSN_CALL;
		if (!piece_begins(args, "r") && !piece_is(args, "ip") && !piece_is(args, "lr"))
			in.target = args;
	} else if (op_is(op, "bl", &in.condition)) {	/* not "blt": that is b with lt */
		in.kind = INSN_CALL;
		in.target = args.n ? args : (struct piece){ ".", 1 };
	} else if (op_is(op, "bx", &in.condition)) {
		in.kind = piece_is(args, "lr") ? INSN_RETURN : INSN_JUMP_REGISTER;
	} else if (op_is(op, "b", &in.condition)) {
		in.kind = INSN_JUMP;
		in.target = args;
	} else if (op_is(op, "pop", &in.condition)) {
		in.kind = list_has_pc(args) ? INSN_RETURN : INSN_PLAIN;
	} else if (op_is(op, "ldm", &in.condition) || op_is(op, "ldmia", &in.condition) ||
		   op_is(op, "ldmfd", &in.condition)) {
		in.kind = multiple_kind(args);
	} else if (op_is(op, "ldmdb", &in.condition) || op_is(op, "ldmea", &in.condition)) {
		in.kind = list_has_pc(args) ? INSN_UNKNOWN : INSN_PLAIN;
	} else if (op_is(op, "ldr", &in.condition)) {
		in.kind = load_kind(args);
	} else if (op_is(op, "mov", &in.condition)) {
		in.kind = piece_is(args, "pc, lr") || piece_is(args, "pc,lr") ? INSN_RETURN :
									       INSN_PLAIN;
	}
	if (in.kind == INSN_PLAIN && insn_is_unknown(op, args))
		in.kind = INSN_UNKNOWN;
	return in;
}

/* orr rN, rX, #1 .. bx rN: a label's address gets its Thumb bit, a function's has it. */
static bool thumb_behind(struct insn *in, struct piece args, struct piece op_before,
			 struct piece args_before)
{
	struct piece rest, to = piece_first(args_before, &rest);

	if (in->kind != INSN_JUMP_REGISTER)
		return true;
	if (!piece_equal(to, args))
		return false;
	if (piece_is(op_plain(op_before), "orr") && rest.n > 1 &&
	    memcmp(rest.s + rest.n - 2, "#1", 2) == 0) {
		in->kind = INSN_GOTO;
		in->otherwise = INSN_JUMP_REGISTER;
	}
	return true;
}

static struct piece label_read(struct piece p)
{
	size_t n = 2;

	if (!piece_begins(p, ".L") || p.n < 3 || p.s[2] < '0' || p.s[2] > '9')
		return (struct piece){ "", 0 };
	while (n < p.n && piece_name_byte(p.s[n]))
		n++;
	p.n = n;
	return p;
}

/* .word .L5; a switch's table has .L5+1 or a difference. Or movw r3, #:lower16:.L5 */
static struct piece thumb_label_taken(const struct statements *all, size_t i)
{
	struct piece op = statement_op(all, i), args = statement_args(all, i), label;
	struct piece none = { "", 0 };
	const char *at;

	if (piece_is(op, ".word") || piece_is(op, ".long") || piece_is(op, ".4byte") ||
	    piece_is(op, ".int")) {
		label = label_read(args);
		return label.n == args.n ? label : none;
	}
	at = memmem(args.s, args.n, "16:.L", 5);
	return at ? label_read((struct piece){ at + 3, args.n - (size_t)(at + 3 - args.s) }) : none;
}

/* "r4", "r4-r7", "pc": none above r7 but pc. */
static bool register_is_low(struct piece p)
{
	static const char *const high[] = { "fp", "ip", "sl", "lr", "sb", "sp" };

	for (size_t i = 0; i < sizeof(high) / sizeof(high[0]); i++)
		if (piece_has(p, high[i]))
			return false;
	for (size_t i = 0; i + 1 < p.n; i++)
		if (p.s[i] == 'r' && (p.s[i + 1] > '7' ||
				      (i + 2 < p.n && p.s[i + 2] >= '0' && p.s[i + 2] <= '9')))
			return false;
	return true;
}

/* Whether it takes 2 bytes: a list of low registers and pc, bx, mov. */
static bool insn_is_narrow(struct piece op, struct piece args)
{
	struct piece condition, list = args;

	if ((op.n > 2 && memcmp(op.s + op.n - 2, ".w", 2) == 0) ||
	    op_is(op_plain(op), "ldr", &condition))
		return false;
	if (piece_begins(op, "bx") || piece_begins(op, "mov"))
		return true;
	if (piece_begins(op, "ldm"))
		piece_first(args, &list);
	if (list.n < 2 || *list.s != '{')
		return false;
	list.s++;
	list.n -= 2;
	while (list.n) {
		struct piece reg = piece_first(list, &list);

		if (!register_is_low(reg))
			return false;
	}
	return true;
}

/* --- refusals, sizes -------------------------------------------------------------------------- */

static const char *thumb_file_refuse(const struct outline *s)
{
	(void)s;
	return NULL;
}

static const char *thumb_function_refuse(const struct outline *s, const struct function *f)
{
	struct piece rest, flags, section;

	if (f->arm)
		return "it is ARM code, not Thumb";
	if (f->nested)
		return "a nested function, which gets its frame in ip";
	if (f->secure)
		return "a secure entry function";
	if (f->section == OUTLINE_NONE)
		return NULL;
	section = piece_first(statement_args(&s->all, f->section), &rest);
	/* ARMv6-M: what the linker puts between far sections goes through ip */
	if (s->thumb1 && !piece_begins(section, ".text") &&
	    !piece_begins(section, ".gnu.linkonce.t"))
		return "its section may be far from the hooks";
	flags = piece_first(rest, &rest);
	return piece_has(flags, "y") ? "its section cannot be read (-mpure-code)" : NULL;
}

static unsigned thumb_size(const struct outline *s, size_t i)
{
	const struct statement *st = &s->all.v[i];
	struct piece op;

	if (st->kind == STATEMENT_INSN) {
		op = statement_op(&s->all, i);
		return s->thumb1 && !st->user && !piece_begins(op, "bl") &&
		       !piece_begins(op, "m") && !piece_begins(op, "dmb") ? 2 : 4;
	}
	if (st->kind != STATEMENT_DIRECTIVE)
		return 0;
	op = statement_op(&s->all, i);
	if (piece_begins(op, ".loc") || piece_begins(op, ".cfi") || piece_begins(op, ".syntax") ||
	    piece_begins(op, ".thumb") || piece_begins(op, ".code") || piece_begins(op, ".save"))
		return 0;
	return st->size < 16 ? 8 : st->size;	/* data: text is longer than what it makes */
}

/* --- writers ---------------------------------------------------------------------------------- */

static void thumb_align(struct filter_job *j)
{
	if (j->o->use != FILTER_TRACE) {	/* no byte: the section's alignment, for adr */
		if (!j->s->thumb1)
			job_line(j, ".p2align 2,,1");
		return;
	}
	if (j->f->align >= 2 && j->f->align <= 8)
		job_line(j, ".space %u", (1u << j->f->align) - 2);
	job_line(j, ".hword wsntrace_id.%.*s+%u", PIECE(j->f->name), j->f->leaf ? 129u : 1u);
}

/* The hook returns to where ip is, so lr stays; Thumb-1 has no adr that reaches ip. */
static void entry_jump(struct filter_job *j, const char *hook)
{
	job_line(j, "adr.w\tip, .Lwsntrace_b%zu+1", j->f->label);
	job_line(j, "b.w\t%s", hook);
	buf_addf(j->out, ".Lwsntrace_b%zu:\n", j->f->label);
}

static void thumb_entry(struct filter_job *j)
{
	static const char *const enters[] = {
		[FILTER_TIMED] = "wsnprof_timed_enter", [FILTER_COUNT] = "wsnprof_count_enter",
	};
	const char *hook = j->o->use != FILTER_TRACE ? enters[j->o->use] :
			   j->f->leaf ? "wsntrace_leaf" : "wsntrace_enter";

	if (j->o->use != FILTER_TRACE && !j->s->thumb1) {
		entry_jump(j, hook);
		return;
	}
	job_line(j, "mov\tip, lr");
	if (j->unwound)
		job_line(j, ".cfi_register 14, 12");
	job_line(j, "bl\t%s", hook);
	if (j->unwound)
		job_line(j, ".cfi_restore 14");
}

static void thumb_branch(struct filter_job *j, const struct exit *e, const char *label)
{
	const struct statements *all = &j->s->all;
	struct piece op = statement_op(all, e->stmt), args = statement_args(all, e->stmt);
	enum exit_kind kind = j->exits.stub[e->stub].kind;
	const char *b = "b", *width = "";

	if (j->s->thumb1) {
		if (!e->near && kind == EXIT_RETURN && piece_begins(op, "pop"))
			b = "bl";		/* lr is free there, and nothing else reaches */
	} else if (kind == EXIT_TAIL) {
		width = nameset_has(&j->s->labels, args) ? "" : ".w";
	} else if (!insn_is_narrow(op, args)) {
		width = ".w";
	}
	job_line(j, "%s%.*s%s\t%s", b, PIECE(e->condition), width, label);
}

/*
 * The return as it was, or into lr: then the stack pointer is the function's own, by which the hook
 * knows the call. "{r4, pc}": the list's last.
 */
static void return_write(struct filter_job *j, size_t stmt, bool into_lr)
{
	const struct statements *all = &j->s->all;
	struct piece op = statement_op(all, stmt), args = statement_args(all, stmt), list = args;
	struct piece condition;

	if (op_is(op_plain(op), "ldr", &condition)) {
		piece_first(args, &list);
		job_line(j, "ldr\t%s, %.*s", into_lr ? "lr" : "pc", PIECE(list));
		return;
	}
	if (piece_begins(op, "ldm"))
		piece_first(args, &list);
	if (into_lr) {
		list.n--;
		list = piece_trim(list);
		list.n -= 2;
	}
	job_line(j, into_lr ? "pop\t%.*slr}" : "pop\t%.*s", PIECE(list));
}

static void return_stub(struct filter_job *j, size_t stmt)
{
	struct piece op = statement_op(&j->s->all, stmt);
	bool timed = j->o->use == FILTER_TIMED, leaves = true;
	const char *hook = timed ? "wsnprof_timed_exit" : "wsntrace_exit";

	if (piece_begins(op, "bx") || piece_begins(op, "mov"))
		leaves = false;
	if (!j->s->thumb1 && (timed || !leaves)) {
		if (leaves)
			return_write(j, stmt, true);
		job_line(j, timed ? "b.w\t%s" : "b\t%s", hook);
		return;
	}
	if (!leaves)
		job_line(j, "push\t{lr}");
	job_line(j, "bl\t%s", hook);
	if (leaves)
		return_write(j, stmt, false);
	else
		job_line(j, "pop\t{pc}");
}

/* Thumb-2's exit hook of timed calls keeps ip, too. */
static const char *tail_hook(const struct filter_job *j, bool saved)
{
	if (j->o->use == FILTER_TRACE)
		return "wsntrace_exit_tail";
	return saved ? "wsnprof_timed_tail_saved" :
	       j->s->thumb1 ? "wsnprof_timed_tail" : "wsnprof_timed_exit";
}

static void thumb_stub(struct filter_job *j, const struct stub *s)
{
	struct piece args = statement_args(&j->s->all, s->stmt);

	if (s->kind == EXIT_RETURN || s->kind == EXIT_HANDLER) {
		return_stub(j, s->stmt);
	} else if (s->kind == EXIT_TAIL_REGISTER && piece_is(args, "ip")) {
		job_line(j, "push\t{ip, lr}");
		job_line(j, "bl\t%s", tail_hook(j, true));
		job_line(j, "pop\t{ip, lr}");
		job_line(j, "bx\tip");
	} else {
		job_line(j, "mov\tip, lr");
		job_line(j, "bl\t%s", tail_hook(j, false));
		job_line(j, "mov\tlr, ip");
		job_line(j, "%s\t%.*s", s->kind == EXIT_TAIL ? "b" : "bx", PIECE(args));
	}
}

static bool thumb_falls(const struct filter_job *j)
{
	return j->o->use == FILTER_TIMED;
}

const struct chip chip_thumb = {
	.name = "thumb",
	.syntax = { .comment = '@', .separator = ';' },
	.mark = '%',
	.frame_base = 13,
	.reach = 2000,
	.insn = thumb_insn,
	.behind = thumb_behind,
	.label_taken = thumb_label_taken,
	.file_refuse = thumb_file_refuse,
	.function_refuse = thumb_function_refuse,
	.size = thumb_size,
	.align = thumb_align,
	.entry = thumb_entry,
	.branch = thumb_branch,
	.stub = thumb_stub,
	.falls = thumb_falls,
	.literals_reach = 900,		/* ldr, adr: 1,020 */
};

const struct chip *chip_find(const char *name, const char *cross)
{
	static const struct chip *const chips[] = { &chip_avr, &chip_thumb };

	for (size_t i = 0; i < sizeof(chips) / sizeof(chips[0]); i++)
		if (name && strcmp(name, chips[i]->name) == 0)
			return chips[i];
	if (name || !cross)
		return NULL;
	cross = strrchr(cross, '/') ? strrchr(cross, '/') + 1 : cross;
	return strncmp(cross, "avr", 3) == 0 ? &chip_avr :
	       strncmp(cross, "arm", 3) == 0 ? &chip_thumb : NULL;
}
