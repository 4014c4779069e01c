/* scope: which functions a function calls, by name, and the code of each. */
#include "core/filter/scope.h"

#include <string.h>

#include "core/base/arena.h"
#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/filter/chip.h"
#include "core/filter/filter.h"
#include "core/image/demangle.h"

/* One that stands in this file and has no hooks; or one that never has. */
static bool callee_is_bare(const struct filter_options *o, const struct outline *s,
			   struct piece name)
{
	if (!piece_is_name(name) || *name.s == '.' || name.n > FILTER_NAME_MAX ||
	    outline_is_helper(s, name))
		return true;
	for (size_t i = 0; i < s->count; i++)
		if (piece_equal(s->v[i].name, name))
			return s->v[i].fault || !filter_wants(o, s, &s->v[i]);
	return !filter_wants_name(o, name);
}

/* Index of the callee; SCOPE_CALLEES: it has none. */
static size_t callee_find(struct scope *s, const struct filter_options *o,
			  const struct outline *outline, struct piece name)
{
	for (size_t i = 0; i < s->count; i++)
		if (piece_equal(s->v[i].name, name))
			return i;
	if (s->count == SCOPE_CALLEES || callee_is_bare(o, outline, name))
		return SCOPE_CALLEES;
	s->v[s->count] = (struct scope_callee){ .name = name };
	return s->count++;
}

static int calls_find(struct scope *s, const struct filter_options *o,
		      const struct outline *outline, const struct function *f)
{
	for (size_t i = f->label + 1; i < f->end; i++) {
		const struct statement *st = &outline->all.v[i];
		struct insn in;
		size_t callee;

		if (st->kind != STATEMENT_INSN || st->user)
			continue;
		in = chip_insn(outline, f, i);
		if (in.kind != INSN_CALL || !in.target.n)
			continue;
		callee = callee_find(s, o, outline, in.target);
		if (callee == SCOPE_CALLEES)
			continue;
		if (mem_grow(&s->calls, &s->cap, s->call_count + 1, sizeof(*s->calls)) < 0)
			return ERR_NOMEM;
		s->calls[s->call_count++] = (struct scope_call){
			.at = (size_t)(in.target.s - outline->all.text), .size = in.target.n,
			.callee = callee,
		};
	}
	return 0;
}

/* 1, and as many bits as the last number needs. */
static void codes_fix(struct scope *s)
{
	uint8_t length = 1;

	while ((size_t)1 << (length - 1) < s->count)
		length++;
	for (size_t i = 0; i < s->count; i++)
		s->v[i].code = (struct scope_code){ (uint16_t)(i << 1 | 1), length };
}

/* --- codes by frequency ----------------------------------------------------------------------- */

/* As the profile has it: readable, without the suffixes of clones. */
static uint64_t name_hash(struct piece name)
{
	struct arena a;
	const char *symbol, *shown;
	uint64_t h = 0xcbf29ce484222325u;

	arena_init(&a);
	symbol = arena_strn(&a, name.s, name.n);
	shown = symbol ? demangle(&a, symbol, demangle_base(symbol)) : NULL;
	for (; shown && *shown; shown++)
		h = (h ^ (unsigned char)*shown) * 0x100000001b3u;
	arena_release(&a);
	return h;
}

static uint64_t pair_key(uint64_t from, uint64_t to)
{
	return from * 0x9e3779b97f4a7c15u + to;
}

static int pair_add(struct scope_counts *c, uint64_t key, uint64_t calls)
{
	uint32_t before = map_get(&c->calls, key);
	uint64_t sum = calls + (before == MAP_NONE ? 0 : before);

	return map_put(&c->calls, key, sum < MAP_NONE - 1 ? (uint32_t)sum : MAP_NONE - 1);
}

int scope_counts_add(struct scope_counts *c, const char *from, const char *to, uint64_t calls)
{
	uint64_t callee = name_hash((struct piece){ to, strlen(to) });
	uint64_t caller = name_hash((struct piece){ from, strlen(from) });

	if (pair_add(c, pair_key(caller, callee), calls) < 0)
		return ERR_NOMEM;
	return pair_add(c, pair_key(0, callee), calls);	/* returns */
}

static uint64_t weight_of(const struct scope_counts *c, uint64_t key)
{
	uint32_t calls = map_get(&c->calls, key);

	return calls == MAP_NONE ? 1 : 1 + 16 * (uint64_t)calls;
}

enum { KRAFT = 1 << SCOPE_LENGTH, ESCAPE_SHARE = KRAFT / 16 };

/*
 * All have SCOPE_LENGTH bits; then, again and again, that becomes shorter by one whose gain is
 * greatest for what it takes of the room that the others have.
 */
static void lengths_make(uint8_t *length, const uint64_t *weight, size_t count)
{
	unsigned room = KRAFT - ESCAPE_SHARE - (unsigned)count;

	for (size_t i = 0; i < count; i++)
		length[i] = SCOPE_LENGTH;
	for (;;) {
		size_t best = count;

		for (size_t i = 0; i < count; i++) {
			if (length[i] == 1 || (unsigned)KRAFT >> length[i] > room)
				continue;
			if (best == count ||
			    weight[i] << length[i] > weight[best] << length[best])
				best = i;
		}
		if (best == count)
			return;
		room -= (unsigned)KRAFT >> length[best];
		length[best]--;
	}
}

static struct scope_code code_at(unsigned place, uint8_t length)
{
	struct scope_code code = { 0, length };

	for (uint8_t i = 0; i < length; i++)	/* the highest bit is the first */
		code.bits |= (uint16_t)((place >> (SCOPE_LENGTH - 1 - i) & 1) << i);
	return code;
}

/* The shortest first, from the top down: the lowest sixteenth is the escape's. */
static void codes_huffman(struct scope *s, const struct filter_options *o, struct piece caller)
{
	uint64_t from = name_hash(caller), weight[SCOPE_CALLEES + 1];
	uint8_t length[SCOPE_CALLEES + 1];
	unsigned place = KRAFT;

	weight[s->count] = weight_of(o->counts, pair_key(0, from));
	for (size_t i = 0; i < s->count; i++)
		weight[i] = weight_of(o->counts, pair_key(from, name_hash(s->v[i].name)));
	lengths_make(length, weight, s->count + 1);
	for (uint8_t n = 1; n <= SCOPE_LENGTH; n++) {
		for (size_t i = 0; i <= s->count; i++) {
			if (length[i] != n)
				continue;
			place -= (unsigned)KRAFT >> n;
			*(i < s->count ? &s->v[i].code : &s->leave) = code_at(place, n);
		}
	}
}

int scope_find(struct scope *s, const struct filter_options *o, const struct outline *outline,
	       const struct function *f, size_t stubs)
{
	bool huffman = o->codes == FILTER_HUFFMAN;

	s->count = s->call_count = 0;
	s->leave = (struct scope_code){ 1, huffman && f->handler };
	if (o->codes == FILTER_GLOBAL || f->leaf || s->leave.length)
		return 0;
	if (calls_find(s, o, outline, f) < 0)
		return ERR_NOMEM;
	if (huffman)
		codes_huffman(s, o, f->name);
	else
		codes_fix(s);
	for (size_t i = 0; i < s->count; i++)
		s->v[i].stub = stubs + i;
	return 0;
}

void scope_release(struct scope *s)
{
	mem_free(s->calls);
	*s = (struct scope){ .count = 0 };
}

/* --- names of a file -------------------------------------------------------------------------- */

/* Each function that a statement names, but for those that it defines. */
static int names_mention(struct scope_names *n, const struct outline *s, struct piece text)
{
	size_t i = 0;

	while (i < text.n) {
		struct piece name = { text.s + i, 0 };

		while (i < text.n && piece_name_byte(text.s[i])) {
			name.n++;
			i++;
		}
		if (name.n && nameset_has(&s->functions, name) &&
		    nameset_put(&n->strange, name, 0) < 0)
			return ERR_NOMEM;
		i += !name.n;
	}
	return 0;
}

/* What the debugger reads takes no address for the program. */
static bool names_directive(struct scope_names *n, const struct outline *s, size_t i, bool *debug,
			    int *ret)
{
	struct piece op = statement_op(&s->all, i), args = statement_args(&s->all, i);

	if (piece_is(op, ".section") || piece_is(op, ".pushsection") || piece_is(op, ".text") ||
	    piece_is(op, ".data") || piece_is(op, ".bss") || piece_is(op, ".previous") ||
	    piece_is(op, ".popsection"))
		*debug = piece_begins(args, ".debug") || piece_begins(args, ".stab");
	else if (piece_is(op, ".global") || piece_is(op, ".globl"))
		*ret = nameset_put(&n->global, args, 0);
	else if (piece_is(op, ".weak"))
		*ret = nameset_put(&n->weak, args, 0);
	else
		return !*debug && !piece_is(op, ".type") && !piece_is(op, ".size") &&
		       !piece_begins(op, ".stab");
	return false;
}

/* Calls of f are in its scope, whatever it calls. */
static bool function_has_scope(const struct filter_options *o, const struct outline *s,
			       const struct function *f)
{
	size_t calls = 0;

	if (f->leaf || f->fault || (f->handler && o->codes == FILTER_HUFFMAN) ||
	    !filter_wants(o, s, f))
		return false;
	for (size_t i = f->label + 1; i < f->end; i++)
		calls += s->all.v[i].kind == STATEMENT_INSN &&
			 chip_insn(s, f, i).kind == INSN_CALL;
	return calls <= SCOPE_CALLEES || o->codes == FILTER_FLOW;
}

int scope_names_find(struct scope_names *n, const struct filter_options *o, const struct outline *s)
{
	const struct function *f = s->v, *end = s->count ? s->v + s->count : f;
	bool debug = false, scoped = false;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < s->all.count; i++) {
		const struct statement *st = &s->all.v[i];

		while (f < end && i >= f->end)
			f++;
		if (f < end && i == f->label)
			scoped = function_has_scope(o, s, f);
		if (st->kind == STATEMENT_INSN && f < end && i > f->label && scoped &&
		    !st->user && chip_insn(s, f, i).kind == INSN_CALL)
			continue;
		if (st->kind == STATEMENT_INSN ||
		    (st->kind == STATEMENT_DIRECTIVE && names_directive(n, s, i, &debug, &ret)))
			ret = ret < 0 ? ret : names_mention(n, s, statement_text(&s->all, i));
	}
	return ret;
}

void scope_names_release(struct scope_names *n)
{
	nameset_release(&n->global);
	nameset_release(&n->weak);
	nameset_release(&n->strange);
}

bool scope_is_private(const struct scope_names *n, const struct function *f)
{
	return !nameset_has(&n->global, f->name) && !nameset_has(&n->weak, f->name) &&
	       !nameset_has(&n->strange, f->name);
}
