#include "core/filter/exits.h"

#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/filter/chip.h"

enum { STUB_BYTES = 24 };		/* at most */

/* What is known at a statement while the part is read. */
struct walk {
	struct exits *e;
	const struct outline *s;
	const struct function *f;
	struct cfi_reader cfi;
	size_t loc, position, last;	/* last: instruction or data of the part so far */
	size_t first;
	bool last_is_exit;
};

static uint64_t stub_hash(const struct walk *w, enum exit_kind kind, struct piece text)
{
	uint64_t h = 0xcbf29ce484222325u ^ (uint64_t)kind;
	const struct cfi *c = &w->cfi.now;

	for (size_t i = 0; i < CFI_REGISTERS; i++)
		h = (h ^ (uint64_t)(uint32_t)c->value[i] ^ (uint64_t)c->rule[i] << 40) *
		    0x100000001b3u;
	for (size_t i = 0; i < text.n; i++)
		h = (h ^ (unsigned char)text.s[i]) * 0x100000001b3u;
	return (h ^ (uint64_t)(uint32_t)c->offset) * 0x100000001b3u;
}

/* Without the condition: "popeq {pc}" and "pop {pc}" are the same stub. */
static struct piece stub_key(const struct outline *s, size_t stmt)
{
	return statement_args(&s->all, stmt);
}

/* The stub of this exit: one that there is, or a new one. SIZE_MAX: out of memory. */
static size_t stub_find(struct walk *w, enum exit_kind kind, size_t stmt)
{
	struct exits *e = w->e;
	struct piece key = stub_key(w->s, stmt);
	uint64_t hash = stub_hash(w, kind, key);
	uint32_t last = map_get(&e->stub_at, hash), i;

	for (i = last; i != MAP_NONE; i = e->stub[i].before) {
		struct stub *b = &e->stub[i];
		const char *a = statement_op(&w->s->all, stmt).s;
		const char *c = statement_op(&w->s->all, b->stmt).s;

		if (b->kind == kind && piece_equal(stub_key(w->s, b->stmt), key) && *a == *c &&
		    cfi_equal(&b->cfi, &w->cfi.now))
			return i;
	}
	if (mem_grow(&e->stub, &e->stubs_cap, e->stubs + 1, sizeof(*e->stub)) < 0 ||
	    map_put(&e->stub_at, hash, (uint32_t)e->stubs) < 0)
		return SIZE_MAX;
	e->stub[e->stubs] = (struct stub){
		.kind = kind, .stmt = stmt, .loc = w->loc, .cfi = w->cfi.now, .before = last,
		.number = w->first + e->stubs,
	};
	return e->stubs++;
}

static bool exit_kind_of(const struct walk *w, const struct insn *in, enum exit_kind *kind)
{
	switch (in->kind) {
	case INSN_RETURN:
		*kind = EXIT_RETURN;
		return !w->f->handler;
	case INSN_RETURN_HANDLER:
		*kind = EXIT_HANDLER;
		return true;
	case INSN_JUMP:
		*kind = EXIT_TAIL;
		return outline_is_tail(w->s, w->f, in->target);
	case INSN_JUMP_REGISTER:
		*kind = EXIT_TAIL_REGISTER;
		return true;
	default:
		return false;
	}
}

static int exit_take(struct walk *w, size_t i, const struct insn *in, enum exit_kind kind)
{
	struct exits *e = w->e;
	size_t stub = stub_find(w, kind, i);

	if (stub == SIZE_MAX ||
	    mem_grow(&e->v, &e->cap, e->count + 1, sizeof(*e->v)) < 0)
		return ERR_NOMEM;
	e->v[e->count++] = (struct exit){
		.stmt = i, .stub = stub, .next = EXITS_NONE, .position = w->position,
		.condition = in->condition,
	};
	return 0;
}

static int insn_walk(struct walk *w, size_t i)
{
	struct insn in = chip_insn(w->s, w->f, i);
	enum exit_kind kind;

	w->last = i;
	w->last_is_exit = false;
	if (w->s->all.v[i].user || !exit_kind_of(w, &in, &kind))
		return 0;
	w->last_is_exit = !in.condition.n;
	return exit_take(w, i, &in, kind);
}

/* Behind the part's code, where it is not code's section or the function's any more. */
static bool directive_closes(struct piece op)
{
	static const char *const closing[] = {
		".cfi_endproc", ".cantunwind", ".personality", ".personalityindex", ".handlerdata",
		".fnend", ".size", ".section", ".text", ".pushsection", ".previous",
	};

	for (size_t i = 0; i < sizeof(closing) / sizeof(closing[0]); i++)
		if (piece_is(op, closing[i]))
			return true;
	return false;
}

static bool label_closes(struct piece label)
{
	return piece_begins(label, ".LFE") || piece_begins(label, ".Lfunc_end");
}

/* The first statement behind the part's code and literals. */
static size_t part_end(const struct outline *s, size_t from, size_t end)
{
	for (; from < end; from++) {
		uint8_t kind = s->all.v[from].kind;

		if (kind == STATEMENT_DIRECTIVE && directive_closes(statement_op(&s->all, from)))
			break;
		if (kind == STATEMENT_LABEL && label_closes(statement_text(&s->all, from)))
			break;
	}
	return from;
}

/* Which stubs and exits each exit can jump to. */
static int exits_reach(struct exits *e, const struct chip *chip, size_t end_position)
{
	size_t *next = mem_alloc((e->stubs + 1) * sizeof(*next));

	if (!next)
		return ERR_NOMEM;
	for (size_t i = 0; i < e->stubs; i++)
		next[i] = EXITS_NONE;
	for (size_t i = e->count; i-- > 0;) {
		struct exit *x = &e->v[i];
		size_t stub_position = end_position + (x->stub + 1) * STUB_BYTES;

		x->next = next[x->stub];
		x->near = stub_position - x->position < chip->reach;
		if (!x->near && x->next != EXITS_NONE &&
		    e->v[x->next].position - x->position < chip->reach)
			x->near = x->chained = e->v[x->next].target = true;
		if (!x->condition.n)
			next[x->stub] = i;
	}
	mem_free(next);
	return 0;
}

/* The stubs go right behind the last exit, at statement `at`, if nothing gets out of reach. */
static bool stubs_take_place(struct exits *e, const struct chip *chip, size_t at, size_t size)
{
	if (size + e->stubs * STUB_BYTES >= chip->literals_reach || at > e->end)
		return false;
	e->end = at;
	return true;
}

int exits_find(struct exits *e, const struct outline *s, const struct function *f, size_t begin,
	       size_t end, size_t first, bool falls)
{
	struct walk w = {
		.e = e, .s = s, .f = f, .loc = EXITS_NONE, .last = begin, .first = first,
	};
	int ret = 0;

	e->count = e->stubs = 0;
	memset(&e->cfi, 0, sizeof(e->cfi));
	map_clear(&e->stub_at);
	e->fallen = EXITS_NONE;
	for (size_t i = begin; ret == 0 && i < end; i++) {
		const struct statement *st = &s->all.v[i];
		struct piece op = statement_op(&s->all, i);

		if (st->kind == STATEMENT_DIRECTIVE) {
			cfi_read(&w.cfi, op, statement_args(&s->all, i), s->chip->frame_base);
			if (piece_is(op, ".loc"))
				w.loc = i;
		} else if (st->kind == STATEMENT_INSN) {
			ret = insn_walk(&w, i);
		}
		w.position += s->chip->size(s, i);
		if (w.cfi.now.open)
			e->cfi = w.cfi.now;	/* that before .cfi_endproc */
	}
	if (ret < 0)
		return ret;
	e->end = part_end(s, w.last + 1 < end ? w.last + 1 : end, end);
	if (falls && w.last_is_exit && s->chip->literals_reach)
		falls = stubs_take_place(e, s->chip, w.last + 1, w.position);
	if (falls && w.last_is_exit)
		e->fallen = e->count - 1;
	return exits_reach(e, s->chip, w.position);
}

void exits_release(struct exits *e)
{
	mem_free(e->v);
	mem_free(e->stub);
	map_release(&e->stub_at);
	memset(e, 0, sizeof(*e));
}
