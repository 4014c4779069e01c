#include "core/image/symbols.h"

#include <string.h>

#include "core/base/err.h"
#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/base/sorted.h"
#include "core/base/text.h"
#include "core/image/demangle.h"

/* A place where a function may start: one a distinct address. */
struct start {
	uint64_t low, high;			/* high 0: not known yet */
	const struct elf_symbol *symbol;	/* the best of those here */
	bool is_function;
	uint32_t function;			/* id, once given */
};

struct builder {
	const struct elf *elf;
	const struct code *code;
	struct start *starts;			/* by address */
	size_t count;
	struct spans sized, data; /* sized function symbols; data objects. Flat, ids index starts */
};

/* --- which symbol, of several at one address -------------------------------------------------- */

/* Made by linker scripts around things: worth a name only where there is no other. */
static bool is_marker(const char *name)
{
	return text_ends(name, "_start") || text_ends(name, "_end") ||
	       text_begins(name, "__start_") || text_begins(name, "__stop_");
}

static int symbol_rank(const struct elf_symbol *s)
{
	int kind = s->kind == ELF_KIND_FUNCTION ? (s->size ? 0 : 1) :
		   s->kind == ELF_KIND_LABEL ? 2 : 3;
	int bind = s->bind == ELF_BIND_GLOBAL ? 0 : s->bind == ELF_BIND_WEAK ? 1 : 2;
	int under = (int)strspn(s->name, "_");

	return kind * 1000 + is_marker(s->name) * 500 + bind * 100 + (under < 9 ? under : 9);
}

/* Symbols from `i` on that share its address: the best one, and where the next address begins. */
static const struct elf_symbol *best_of(const struct elf *e, size_t i, size_t *next)
{
	const struct elf_symbol *best = &e->symbols[i];
	size_t j;

	for (j = i + 1; j < e->symbol_count && e->symbols[j].address == best->address; j++) {
		if (symbol_rank(&e->symbols[j]) < symbol_rank(best))
			best = &e->symbols[j];
	}
	*next = j;
	return best;
}

/* Index of the first symbol after an address. */
static size_t symbol_after(const struct elf *e, uint64_t address)
{
	return SORTED_ABOVE(e->symbols, e->symbol_count, address, address);
}

const struct elf_symbol *symbols_before(const struct elf *e, uint64_t address)
{
	size_t i = symbol_after(e, address), next;

	if (!i)
		return NULL;
	i--;
	while (i && e->symbols[i - 1].address == e->symbols[i].address)
		i--;
	return best_of(e, i, &next);
}

const struct elf_symbol *symbols_at(const struct elf *e, uint64_t address)
{
	const struct elf_symbol *s = symbols_before(e, address);

	return s && s->address == address ? s : NULL;
}

/* --- extents ---------------------------------------------------------------------------------- */

static uint64_t section_end(const struct elf *e, uint64_t address)
{
	const struct elf_code *c = elf_code_at(e, address);

	return c ? c->address + c->size : address;
}

static int collect_starts(struct builder *b)
{
	const struct elf *e = b->elf;

	b->starts = mem_zalloc((e->symbol_count + 1) * sizeof(*b->starts));
	if (!b->starts)
		return ERR_NOMEM;
	for (size_t i = 0, next; i < e->symbol_count; i = next) {
		const struct elf_symbol *s = best_of(e, i, &next);
		struct spans *to = s->kind == ELF_KIND_FUNCTION ? &b->sized
				   : s->kind == ELF_KIND_DATA   ? &b->data
							   : NULL;
		uint64_t end = section_end(e, s->address), left = end - s->address;

		if (!left)
			continue;
		b->starts[b->count] = (struct start){ .symbol = s, .low = s->address };
		if (to && s->size &&
		    spans_add(to,
			      (struct span){ .low = s->address,
					     .high = s->size < left ? s->address + s->size : end,
					     .id = (uint32_t)b->count }) < 0)
			return ERR_NOMEM;
		b->count++;
	}
	return spans_flatten(&b->sized) < 0 || spans_flatten(&b->data) < 0 ? ERR_NOMEM : 0;
}

static bool begins_with_name(const char *s, const char *name)
{
	size_t n = strlen(name);

	return n && strncmp(s, name, n) == 0 && s[n] == '_';
}

/* Whether a symbol bears the name of one at the function's address, and more: __udivmodsi4_loop. */
static bool named_after(const struct builder *b, const char *label, uint64_t address)
{
	size_t i = symbol_after(b->elf, address);

	for (int aliases = 0; i && aliases < 16 && b->elf->symbols[i - 1].address == address;
	     aliases++) {
		if (begins_with_name(label, b->elf->symbols[--i].name))
			return true;
	}
	return false;
}

/*
 * Whether `s`, unsized and outside all sized functions, is a label of `current` (NULL: nothing runs
 * on until here).
 */
static bool is_label(const struct builder *b, const struct elf_symbol *s,
		     const struct start *current)
{
	if (!current || s->kind == ELF_KIND_FUNCTION)
		return false;
	if (s->name[0] == '.' || named_after(b, s->name, current->low))
		return true;
	return s->bind == ELF_BIND_LOCAL && current->symbol->bind != ELF_BIND_LOCAL &&
	       !(code_flags(&b->code->map, s->address) & CODE_CALLED);
}

/*
 * Where it ends at the latest. A label's size is its author's: what runs behind libgcc's
 * __do_clear_bss (the call of main) is not in it.
 */
static uint64_t start_stop(const struct elf *e, const struct start *s)
{
	uint64_t end = section_end(e, s->low), size = s->symbol->size;

	return size && size < end - s->low ? s->low + size : end;
}

/*
 * The unsized ones: each function among them runs on to the next start of anything but its own
 * labels.
 */
static int extend_unsized(struct builder *b, struct spans *all)
{
	struct start *current = NULL;
	uint64_t stop = 0;

	for (size_t i = 0; i <= b->count; i++) {
		struct start *s = i < b->count ? &b->starts[i] : NULL;
		bool sized = s && spans_find(&b->sized, s->low) != SPAN_NONE;
		bool data = s && (s->symbol->kind == ELF_KIND_DATA ||
				  spans_find(&b->data, s->low) != SPAN_NONE);

		if (s && s->low < stop && !sized && !data && is_label(b, s->symbol, current))
			continue;
		if (current)
			current->high = s && s->low < stop ? s->low : stop;
		if (current &&
		    spans_add(all, (struct span){ current->low, current->high,
						  (uint32_t)(current - b->starts), 0 }) < 0)
			return ERR_NOMEM;
		current = NULL;
		if (!s || sized || data)
			continue;
		s->is_function = true;
		current = s;
		stop = start_stop(b->elf, s);
	}
	return 0;
}

static int add_sized(struct builder *b, struct spans *all)
{
	for (size_t i = 0; i < b->sized.count; i++) {
		struct span s = b->sized.v[i];

		b->starts[s.id].is_function = true;
		s.depth = 1;
		if (spans_add(all, s) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

/* --- from starts to functions ----------------------------------------------------------------- */

struct namer {
	struct builder *builder;
	struct symbols *out;
	struct map by_name;		/* hash of base name and file -> function */
};

static uint64_t name_key(const char *name, size_t n, const char *file)
{
	return elf_name_hash(name, n) * 31 + (file ? elf_name_hash(file, strlen(file)) : 0);
}

/* The function that a clone's base name means: of its own file, else the global one. */
static uint32_t source_function(const struct namer *n, const struct elf_symbol *s, size_t length)
{
	const char *files[] = { s->file, NULL };

	for (size_t i = 0; i < 2; i++) {
		uint32_t id = map_get(&n->by_name, name_key(s->name, length, files[i]));
		const struct symbol_function *f = id == MAP_NONE ? NULL : &n->out->functions[id];

		if (f && f->length == length && strncmp(f->name, s->name, length) == 0)
			return id;
	}
	return MAP_NONE;
}

static int new_function(struct namer *n, struct start *at, size_t length)
{
	const struct elf_symbol *s = at->symbol;
	uint64_t key = name_key(s->name, length, s->file);

	at->function = (uint32_t)n->out->count;
	n->out->functions[n->out->count++] = (struct symbol_function){
		.name = s->name,
		.length = length,
		.file = s->file,
		.address = s->address,
		.sized = s->size != 0,
	};
	if (map_get(&n->by_name, key) != MAP_NONE)
		return 0; /* a namesake in the same file: clones go to the first */
	return map_put(&n->by_name, key, at->function);
}

static struct start *start_at(const struct builder *b, uint64_t address)
{
	size_t i = SORTED_FROM(b->starts, b->count, low, address);

	return i < b->count && b->starts[i].low == address ? &b->starts[i] : NULL;
}

enum pass { PASS_FUNCTIONS, PASS_CLONES, PASS_VENEERS };

static enum pass pass_of(const struct namer *n, const struct start *s, size_t *length)
{
	uint64_t to = code_normal(n->builder->code, s->low);
	const struct start *target = to == s->low ? NULL : start_at(n->builder, to);

	*length = demangle_base(s->symbol->name);
	if (target && target->is_function &&
	    code_normal(n->builder->code, target->low) == target->low)
		return PASS_VENEERS;
	return s->symbol->name[*length] ? PASS_CLONES : PASS_FUNCTIONS;
}

static int name_one(struct namer *n, struct start *s, enum pass pass, size_t length)
{
	uint32_t known;

	if (pass == PASS_VENEERS) {
		s->function = start_at(n->builder, code_normal(n->builder->code, s->low))->function;
		return 0;
	}
	known = pass == PASS_CLONES ? source_function(n, s->symbol, length) : MAP_NONE;
	if (known == MAP_NONE)
		return new_function(n, s, length);
	s->function = known;
	return 0;
}

static int name_all(struct namer *n)
{
	for (enum pass pass = PASS_FUNCTIONS; pass <= PASS_VENEERS; pass++) {
		for (size_t i = 0; i < n->builder->count; i++) {
			struct start *s = &n->builder->starts[i];
			size_t length;

			if (s->is_function && pass_of(n, s, &length) == pass &&
			    name_one(n, s, pass, length) < 0)
				return ERR_NOMEM;
		}
	}
	return 0;
}

static int functions_build(struct builder *b, struct symbols *s)
{
	struct namer n = { .builder = b, .out = s };
	int ret;

	if (collect_starts(b) < 0 || add_sized(b, &s->spans) < 0 ||
	    extend_unsized(b, &s->spans) < 0 || spans_flatten(&s->spans) < 0)
		return ERR_NOMEM;
	s->functions = mem_zalloc((b->count + 1) * sizeof(*s->functions));
	if (!s->functions)
		return ERR_NOMEM;
	map_init(&n.by_name);
	ret = name_all(&n);
	map_release(&n.by_name);
	for (size_t i = 0; i < s->spans.count; i++)
		s->spans.v[i].id = b->starts[s->spans.v[i].id].function;
	return ret;
}

int symbols_init(struct symbols *s, const struct elf *e, const struct code *c)
{
	struct builder b = { .elf = e, .code = c };
	int ret;

	*s = (struct symbols){ NULL };
	ret = functions_build(&b, s);
	spans_release(&b.sized);
	spans_release(&b.data);
	mem_free(b.starts);
	return ret;
}

void symbols_release(struct symbols *s)
{
	mem_free(s->functions);
	spans_release(&s->spans);
	*s = (struct symbols){ NULL };
}
