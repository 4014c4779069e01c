/* outline: one pass for names, sections and functions, one over each function's instructions. */
#include "core/filter/outline.h"

#include <stdio.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/filter/chip.h"
#include "core/filter/outline_judge.h"

/* --- the file that it came from ------------------------------------------------------------- */

struct piece outline_file(const struct outline *s, const struct function *f)
{
	struct piece p = s->file, args, rest;
	char number[16];
	uint32_t of = f ? f->file : 0;
	int n = snprintf(number, sizeof(number), "%u", (unsigned)of);
	uint32_t at = of ? nameset_get(&s->files, (struct piece){ number, (size_t)n }) :
				MAP_NONE;

	if (at != MAP_NONE) {
		args = statement_args(&s->all, at);
		piece_first(args, &rest);	/* the number */
		/* DWARF 5 writes the directory between them: the last string is the file */
		rest = piece_trim((struct piece){ args.s + n, args.n - (size_t)n });
		for (size_t i = rest.n - (rest.n > 0); i > 0; i--)
			if (rest.s[i - 1] == '"' && i > 1 && rest.s[i - 2] == ' ') {
				rest.n -= i - 1;
				rest.s += i - 1;
				break;
			}
		p = rest;
	}
	if (p.n && *p.s == '"') {
		p.s++;
		p.n--;
	}
	if (p.n && p.s[p.n - 1] == '"')
		p.n--;
	return p.n <= OUTLINE_TEXT_MAX ? p : (struct piece){ "", 0 };
}

/* --- the file --------------------------------------------------------------------------------- */

struct scan {
	struct outline *s;
	size_t section, before, stack[OUTLINE_SECTIONS];
	unsigned depth;
	size_t align;
	struct function open;
	bool opened, arm;
	bool jumps;			/* a long call or jump was seen */
};

static void section_enter(struct scan *c, size_t section)
{
	c->before = c->section;
	c->section = section;
}

static void section_scan(struct scan *c, struct piece op, size_t i)
{
	if (c->s->all.v[i].size > OUTLINE_TEXT_MAX)
		return;
	if (piece_is(op, ".section")) {
		section_enter(c, i);
	} else if (piece_is(op, ".text") || piece_is(op, ".data") || piece_is(op, ".bss")) {
		section_enter(c, OUTLINE_NONE);
	} else if (piece_is(op, ".previous")) {
		section_enter(c, c->before);
	} else if (piece_is(op, ".pushsection")) {
		if (c->depth < OUTLINE_SECTIONS)
			c->stack[c->depth] = c->section;
		c->depth++;
		section_enter(c, i);
	} else if (piece_is(op, ".popsection") && c->depth) {
		if (--c->depth < OUTLINE_SECTIONS)
			section_enter(c, c->stack[c->depth]);
	}
}

static int type_scan(struct scan *c, struct piece args)
{
	struct piece rest, name = piece_first(args, &rest);

	if (rest.n > 1 && (*rest.s == '@' || *rest.s == '%' || *rest.s == '#')) {
		rest.s++;
		rest.n--;
	}
	if (!piece_is(rest, "function") && !piece_is(rest, "STT_FUNC"))
		return 0;
	return nameset_put(&c->s->functions, name, 0);
}

static int file_scan(struct scan *c, struct piece args, size_t i)
{
	size_t n = 0;

	while (n < args.n && args.s[n] >= '0' && args.s[n] <= '9')
		n++;
	if (args.n > OUTLINE_TEXT_MAX)
		return 0;
	if (n)
		return nameset_put(&c->s->files, (struct piece){ args.s, n }, (uint32_t)i);
	c->s->file = args;
	return 0;
}

static uint32_t digits_value(struct piece p)
{
	uint32_t n = 0;

	for (size_t i = 0; i < p.n && p.s[i] >= '0' && p.s[i] <= '9' && n < 100000000; i++)
		n = n * 10 + (uint32_t)(p.s[i] - '0');
	return n;
}

/* In powers of 2. .balign counts bytes, .align in ARM's and AVR's gas powers. */
static void align_scan(struct scan *c, struct piece op, struct piece args)
{
	uint32_t n = digits_value(args), power = 0;

	if (piece_begins(op, ".balign"))
		while (power < 16 && (1u << power) < n)
			power++;
	else
		power = n;
	if (power > c->align)
		c->align = power < 16 ? power : 16;
}

/* Cores and architectures without Thumb-2. */
static void core_scan(struct scan *c, struct piece args)
{
	static const char *const small[] = {
		"cortex-m0", "cortex-m1", "cortex-m23", "armv6-m", "armv6s-m", "armv6", "armv4t",
		"armv5t", "armv8-m.base", "arm7tdmi",
	};
	bool is = false;

	for (size_t i = 0; i < sizeof(small) / sizeof(small[0]); i++)
		is |= piece_begins(args, small[i]) && !piece_begins(args, "armv6t2");
	c->s->thumb1 = is;
}

static int directive_scan(struct scan *c, size_t i)
{
	struct statements *all = &c->s->all;
	struct piece op = statement_op(all, i), args = statement_args(all, i);

	if (piece_is(op, ".type"))
		return type_scan(c, args);
	if (piece_is(op, ".file"))
		return file_scan(c, args, i);
	if (piece_is(op, ".align") || piece_begins(op, ".p2align") || piece_begins(op, ".balign"))
		align_scan(c, op, args);
	else if (piece_is(op, ".cpu") || piece_is(op, ".arch"))
		core_scan(c, args);
	else if (piece_is(op, ".arm") || piece_is(op, ".code"))
		c->arm = piece_is(op, ".arm") || piece_is(args, "32");
	else if (piece_is(op, ".thumb"))
		c->arm = false;
	else if (piece_is(op, ".loc") && c->opened && !c->open.file)
		c->open.file = digits_value(args);
	section_scan(c, op, i);
	return 0;
}

static void comment_scan(struct scan *c, struct piece p)
{
	struct function *f = &c->open;

	f->compiled |= piece_begins(p, " args = ") || piece_begins(p, " prologue: ");
	f->naked |= piece_begins(p, " Naked Function") || piece_begins(p, " prologue: naked");
	f->handler |= piece_begins(p, " prologue: Signal") ||
		      piece_begins(p, " prologue: Interrupt");
	f->nested |= piece_begins(p, " Nested: ");
	f->secure |= piece_begins(p, " Non-secure entry function");
	f->quiet |= piece_has(p, "wsntrace quiet");
}

/* ".cold" parts of a function stand within it, or right behind its .size. */
bool outline_is_part(struct piece name)
{
	return memmem(name.s, name.n, ".cold", 5) != NULL;
}

static int label_scan(struct scan *c, size_t i)
{
	struct piece name = statement_text(&c->s->all, i);
	size_t align = c->align;
	int ret = nameset_put(&c->s->labels, name, (uint32_t)i);

	c->align = 0;
	if (ret < 0 || !nameset_has(&c->s->functions, name) || outline_is_part(name))
		return ret;
	c->open = (struct function){
		.name = name, .label = i, .section = c->section, .align = align, .arm = c->arm,
	};
	c->opened = true;
	return 0;
}

static int size_scan(struct scan *c, struct piece args, size_t i)
{
	struct outline *s = c->s;
	struct piece rest, name = piece_first(args, &rest);

	if (!c->opened || !piece_equal(name, c->open.name))
		return 0;
	c->opened = false;
	c->open.end = i;
	c->open.compiled |= piece_begins(rest, ".Lfunc_end");
	if (mem_grow(&s->v, &s->cap, s->count + 1, sizeof(*s->v)) < 0)
		return ERR_NOMEM;
	s->v[s->count++] = c->open;
	return 0;
}

/* Tables of switch statements and what the debugger reads hold labels, too. */
static bool section_takes(const struct scan *c)
{
	struct piece args;

	if (c->section == OUTLINE_NONE)
		return true;
	args = statement_args(&c->s->all, c->section);
	return !piece_has(args, "gcc_sw_table") && !piece_has(args, ".jumptables") &&
	       !piece_begins(args, ".debug") && !piece_begins(args, ".stab");
}

static int statement_scan(struct scan *c, size_t i)
{
	struct outline *s = c->s;
	const struct statement *st = &s->all.v[i];
	struct piece taken, op;
	int ret = 0;

	if (st->kind == STATEMENT_LABEL)
		return label_scan(c, i);
	if (st->kind == STATEMENT_COMMENT) {
		if (c->opened)
			comment_scan(c, statement_text(&s->all, i));
		return 0;
	}
	taken = s->chip->label_taken(&s->all, i);
	if (taken.n && section_takes(c))
		ret = nameset_put(&s->taken, taken, 0);
	op = statement_op(&s->all, i);
	if (st->kind == STATEMENT_INSN) {
		c->align = 0;
		c->jumps |= piece_is(op, "call") || piece_is(op, "jmp");
		return ret;
	}
	if (ret == 0 && piece_is(op, ".size"))
		return size_scan(c, statement_args(&s->all, i), i);
	return ret < 0 ? ret : directive_scan(c, i);
}

/* --- entries ---------------------------------------------------------------------------------- */

int outline_make(struct outline *s, const struct chip *chip, const struct outline_options *o,
		const char *text, size_t size)
{
	struct scan c = { .s = s, .section = OUTLINE_NONE, .before = OUTLINE_NONE };
	int ret;

	memset(s, 0, sizeof(*s));
	s->chip = chip;
	s->thumb1 = o->thumb1 == 1;
	ret = statements_parse(&s->all, text, size, &chip->syntax);
	for (size_t i = 0; ret == 0 && i < s->all.count; i++)
		ret = statement_scan(&c, i);
	if (ret < 0) {
		outline_release(s);
		return ret;
	}
	s->far_code = o->far_code == 1;
	s->long_calls = o->long_calls < 0 ? c.jumps : o->long_calls == 1;
	s->fault = chip->file_refuse(s);
	for (size_t i = 0; i < s->count && !s->fault; i++)
		if (s->v[i].compiled && !s->v[i].naked && !s->v[i].quiet)
			outline_judge(s, &s->v[i]);
	return 0;
}

void outline_release(struct outline *s)
{
	statements_release(&s->all);
	nameset_release(&s->functions);
	nameset_release(&s->labels);
	nameset_release(&s->taken);
	nameset_release(&s->files);
	mem_free(s->v);
	memset(s, 0, sizeof(*s));
}
