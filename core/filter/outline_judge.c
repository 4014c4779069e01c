/* outline_judge: which instructions leave a function, and what a function is. */
#include "core/filter/outline_judge.h"

#include <string.h>

#include "core/filter/chip.h"

enum { LOOK_BACK = 8 };		/* instructions, for what makes a computed goto */

/* --- names ------------------------------------------------------------------------------------ */

bool outline_is_code_label(struct piece label)
{
	const char *u;

	if (!label.n)
		return false;
	if (label.s[0] >= '0' && label.s[0] <= '9')
		return true;
	if (!piece_begins(label, ".L"))
		return true;
	if (label.n > 2 && label.s[2] >= '0' && label.s[2] <= '9')
		return true;
	/* clang: .LBB0_1; gcc's .LBB12 is a mark for the debugger */
	u = memchr(label.s, '_', label.n);
	return u && piece_begins(label, ".LBB");
}

/* The name that a mode of the compiler's arithmetic ends: __mulsi3, __adddf3, __fixunssfsi. */
static bool mode_ends(struct piece p)
{
	static const char *const modes[] = {
		"qi", "hi", "si", "di", "ti", "hf", "sf", "df", "tf", "qq", "hq", "sq", "dq", "ha",
		"sa", "da", "ta",
	};

	while (p.n && p.s[p.n - 1] >= '0' && p.s[p.n - 1] <= '9')
		p.n--;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (p.n > 4 && memcmp(p.s + p.n - 2, modes[i], 2) == 0)
			return true;
	return false;
}

bool outline_is_helper(const struct outline *s, struct piece name)
{
	static const char *const families[] = {
		"__aeabi_", "__gnu_thumb1_case", "__gnu_h2f", "__gnu_f2h", "__tablejump",
		"__load_", "__xload_", "__movmem", "__fp_",
	};

	if (!piece_begins(name, "__") || nameset_has(&s->functions, name))
		return false;
	if (piece_begins(name, "__aeabi_mem"))		/* may be a memcpy that is followed */
		return false;
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (piece_begins(name, families[i]))
			return true;
	if (name.n > 3 && memcmp(name.s + name.n - 3, "_s8", 3) == 0)
		name.n -= 3;
	for (size_t i = 2; i < name.n; i++)
		if (!((name.s[i] >= 'a' && name.s[i] <= 'z') ||
		      (name.s[i] >= '0' && name.s[i] <= '9')))
			return false;
	return mode_ends(name);
}

/* --- a function ------------------------------------------------------------------------------- */

static bool jump_is_local(const struct outline *s, const struct function *f, struct piece target)
{
	uint32_t at;

	if (!piece_is_name(target))
		return true;			/* "1f", ".+2" */
	if (outline_is_part(target) && target.n > f->name.n &&
	    memcmp(target.s, f->name.s, f->name.n) == 0)
		return true;
	if (piece_begins(target, ".L") || piece_is(target, "."))
		return true;
	if (nameset_has(&s->functions, target))
		return false;
	at = nameset_get(&s->labels, target);
	return at != MAP_NONE && at > f->label && at < f->end;
}

bool outline_is_tail(const struct outline *s, const struct function *f, struct piece target)
{
	return !jump_is_local(s, f, target) && !piece_begins(target, "__tablejump");
}

static const char *user_judge(const struct outline *s, const struct function *f, struct insn in)
{
	if (in.kind == INSN_JUMP && jump_is_local(s, f, in.target))
		return NULL;
	return in.kind == INSN_PLAIN || in.kind == INSN_CALL ? NULL :
	       "its inline assembly leaves it";
}

static const char *insn_judge(const struct outline *s, struct function *f, struct insn in)
{
	bool named = piece_is_name(in.target) && *in.target.s != '.';

	switch (in.kind) {
	case INSN_CALL:
		if (!in.target.n || (named && !outline_is_helper(s, in.target)))
			f->leaf = false;
		return NULL;
	case INSN_JUMP:
		if (!jump_is_local(s, f, in.target) && !outline_is_helper(s, in.target))
			f->leaf = false;
		return NULL;
	case INSN_JUMP_REGISTER:
		f->leaf = false;
		/* Thumb-1's are `mov pc` */
		return f->taken && !s->thumb1 ?
		       "a computed goto cannot be told from a tail call" : NULL;
	case INSN_RETURN_HANDLER:
		f->handler = true;
		f->leaf = false;	/* its return is told, too */
		return NULL;
	case INSN_UNKNOWN:
		return "it returns in a way that is not known";
	default:
		return NULL;
	}
}

/* The instruction before; SIZE_MAX: none, or a label that may be jumped to is between. */
static size_t insn_before(const struct outline *s, const struct function *f, size_t i)
{
	while (--i > f->label) {
		if (s->all.v[i].kind == STATEMENT_INSN)
			return i;
		if (s->all.v[i].kind == STATEMENT_LABEL &&
		    outline_is_code_label(statement_text(&s->all, i)))
			break;
	}
	return SIZE_MAX;
}

struct insn chip_insn(const struct outline *s, const struct function *f, size_t i)
{
	struct piece args = statement_args(&s->all, i);
	struct insn in = s->chip->insn(statement_op(&s->all, i), args);
	size_t before = i;
	bool done = in.kind != INSN_RETURN && in.kind != INSN_JUMP_REGISTER;

	for (int n = 0; n < LOOK_BACK && !done; n++) {
		before = insn_before(s, f, before);
		done = before == SIZE_MAX ||
		       s->chip->behind(&in, args, statement_op(&s->all, before),
				       statement_args(&s->all, before));
	}
	if (in.kind == INSN_GOTO)
		in.kind = f->taken ? INSN_PLAIN : in.otherwise;
	return in;
}

static bool label_taken_in(const struct outline *s, const struct function *f)
{
	for (size_t i = f->label + 1; i < f->end; i++)
		if (s->all.v[i].kind == STATEMENT_LABEL &&
		    nameset_has(&s->taken, statement_text(&s->all, i)))
			return true;
	return false;
}

void outline_judge(const struct outline *s, struct function *f)
{
	const char *fault = piece_is_name(f->name) ? s->chip->function_refuse(s, f) :
						     "its name needs quotes";

	f->taken = s->taken.count && label_taken_in(s, f);
	f->leaf = true;
	for (size_t i = f->label + 1; i < f->end && !fault; i++) {
		struct insn in;

		if (s->all.v[i].kind != STATEMENT_INSN)
			continue;
		in = chip_insn(s, f, i);
		if (s->all.v[i].user)
			fault = user_judge(s, f, in);
		if (!fault)
			fault = insn_judge(s, f, in);
	}
	f->fault = fault;
}
