#include "core/image/table.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/image/demangle.h"

void table_release(struct table *t)
{
	mem_free(t->entries);
	spans_release(&t->spans);
	*t = (struct table){ NULL };
}

static struct table_entry *entry_add(struct table *t)
{
	if (mem_grow(&t->entries, &t->cap, t->count + 1, sizeof(*t->entries)) < 0)
		return NULL;
	t->entries[t->count] = (struct table_entry){ .raw = "" };
	return &t->entries[t->count++];
}

static int from_symbol(struct table *t, const struct symbol_function *f, struct arena *strings)
{
	struct table_entry *e = entry_add(t);

	if (!e)
		return ERR_NOMEM;
	e->raw = f->name;
	e->length = f->length;
	e->shown.address = f->address;
	if (f->file) {
		e->shown.path = demangle(strings, f->file, strlen(f->file));
		if (!e->shown.path)
			return ERR_NOMEM;
		e->shown.file = text_basename(e->shown.path);
	}
	return 0;
}

/* Sizes are the sums of the ranges. */
static void entries_measure(struct table *t)
{
	for (size_t i = 0; i < t->spans.count; i++) {
		const struct span *s = &t->spans.v[i];

		t->entries[s->id].shown.size += s->high - s->low;
	}
}

int table_from_symbols(struct table *t, const struct symbols *s, struct arena *strings)
{
	*t = (struct table){ NULL };
	for (size_t i = 0; i < s->count; i++) {
		if (from_symbol(t, &s->functions[i], strings) < 0)
			return ERR_NOMEM;
	}
	for (size_t i = 0; i < s->spans.count; i++) {
		if (spans_add(&t->spans, s->spans.v[i]) < 0)
			return ERR_NOMEM;
	}
	entries_measure(t);
	return 0;
}

const struct image_function *table_function(struct table *t, uint32_t id, struct arena *strings)
{
	struct table_entry *e = &t->entries[id];

	if (!e->shown.name) {
		e->shown.name = demangle(strings, e->raw, e->length);
		if (!e->shown.name)
			e->shown.name = "?";		/* out of memory */
	}
	return &e->shown;
}

/* --- DWARF over symbols ----------------------------------------------------------------------- */

struct merger {
	struct table *table;
	const struct symbols *symbols;
	struct debug_data *dwarf;
	const struct elf *elf;
	struct arena *strings;
	struct spans accepted;		/* DWARF's ranges that hold; ids: instances */
	uint32_t *of_function;		/* debug_function -> entry, MAP_NONE: none yet */
	uint32_t *of_symbol;		/* symbol_function -> entry */
	struct map by_source;		/* hash of name, path and line -> entry */
};

static bool same_name(const char *name, const struct elf_symbol *s)
{
	return name && strlen(name) == demangle_base(s->name) &&
	       strncmp(name, s->name, strlen(name)) == 0;
}

/*
 * How plausible a range of DWARF is; 0: not at all. Functions discarded by the linker stay in
 * .debug_info with a low_pc of 0 or a little more, where (AVR, Cortex-M) other code lives.
 */
static unsigned range_credit(const struct merger *m, const struct span *range)
{
	const struct debug_function *f =
		&m->dwarf->functions.v[m->dwarf->instances.v[range->id].function];
	const struct elf_code *code = elf_code_at(m->elf, range->low);
	const struct elf_symbol *s;

	if (!code || range->high > code->address + code->size)
		return 0;
	if (!m->elf->has_symbols)
		return 1;
	s = symbols_at(m->elf, range->low);
	if (s && (same_name(f->linkage, s) || same_name(f->name, s)))
		return 3;
	if (s && s->kind == ELF_KIND_FUNCTION && s->size)
		return s->size == range->high - range->low ? 2 : 0;
	if (s)
		return range->low && s->kind != ELF_KIND_DATA ? 1 : 0;
	return spans_index(&m->symbols->spans, range->low) == SIZE_MAX ? 1 : 0;
}

static int accept_ranges(struct merger *m)
{
	struct debug_data *d = m->dwarf;

	for (size_t i = 0; i < d->code.count; i++) {
		struct span s = d->code.v[i];

		s.depth =
			/* Of two that start together the better one is the inner. */
			range_credit(m, &s);
		if (!s.depth)
			continue;
		d->instances.v[s.id].accepted = true;
		if (spans_add(&m->accepted, s) < 0)
			return ERR_NOMEM;
	}
	return spans_flatten(&m->accepted);
}

/* Instances of one name, declared at one place, are one function, even in different units. */
static uint64_t source_key(const struct debug_function *f)
{
	const char *name = f->linkage ? f->linkage : f->name ? f->name : "";

	return (elf_name_hash(name, strlen(name)) * 31 + f->path) * 31 + f->line;
}

/*
 * C++ and Rust: the linkage name has the scope. Otherwise the plain one, unless a clone's symbol
 * has its source's.
 */
static void name_entry(struct table_entry *e, const struct debug_function *f,
		       const struct elf_symbol *at)
{
	size_t base = at ? demangle_base(at->name) : 0;

	e->raw = f->linkage && demangle_is(f->linkage) ? f->linkage
		 : f->name			       ? f->name
						       : f->linkage;
	if (at && at->name[base] && !demangle_is(at->name)) {
		e->raw = at->name;
		e->length = base;
	} else if (e->raw) {
		e->length = strlen(e->raw);
	} else {
		e->raw = at ? at->name : "?";
		e->length = at ? base : 1;
	}
}

static bool is_clone(const struct elf *e, uint64_t address)
{
	const struct elf_symbol *s = symbols_at(e, address);

	return s && s->name[demangle_base(s->name)];
}

/*
 * Name and file: shared by a clone and its source where DWARF does not link them.
 */
static uint64_t name_key(const struct debug_function *f, const struct table_entry *e)
{
	return ~((elf_name_hash(e->raw, e->length) * 31 + f->path) * 31);
}

static int from_dwarf(struct merger *m, uint32_t function, uint64_t address)
{
	const struct debug_function *f = &m->dwarf->functions.v[function];
	struct table_entry *e = entry_add(m->table);
	uint32_t id = (uint32_t)(m->table->count - 1);

	if (!e)
		return ERR_NOMEM;
	name_entry(e, f, symbols_at(m->elf, address));
	e->shown.address = address;
	e->shown.line = f->line;
	if (f->path != DEBUG_NONE) {
		e->shown.path = m->dwarf->paths.v[f->path].path;
		e->shown.file = m->dwarf->paths.v[f->path].file;
	}
	m->of_function[function] = id;
	if (f->path == DEBUG_NONE || !f->line)
		return 0;
	return map_put(&m->by_source, source_key(f), id) < 0
		       ? ERR_NOMEM
		       : map_put(&m->by_source, name_key(f, e), id);
}

/* The entry that an instance at this address joins, or MAP_NONE. */
static uint32_t known_entry(const struct merger *m, uint32_t function, uint64_t address)
{
	const struct debug_function *f = &m->dwarf->functions.v[function];
	struct table_entry named = { .raw = "" };
	uint32_t id = m->of_function[function];

	if (id != MAP_NONE || f->path == DEBUG_NONE || !f->line)
		return id;
	id = map_get(&m->by_source, source_key(f));
	if (id != MAP_NONE)
		return id;
	name_entry(&named, f, symbols_at(m->elf, address));
	id = map_get(&m->by_source, name_key(f, &named));
	if (id != MAP_NONE &&
	    (is_clone(m->elf, address) || is_clone(m->elf, m->table->entries[id].shown.address)))
		return id;
	return MAP_NONE;
}

/*
 * The entry of an accepted range, made if it is the first; an entry's address is where its source's
 * name stands.
 */
static int own_range(struct merger *m, const struct span *s)
{
	uint32_t function = m->dwarf->instances.v[s->id].function,
		 id = known_entry(m, function, s->low);
	const struct debug_function *f = &m->dwarf->functions.v[function];
	struct table_entry *e;

	if (id == MAP_NONE)
		return from_dwarf(m, function, s->low);
	m->of_function[function] = id;
	e = &m->table->entries[id];
	if (is_clone(m->elf, e->shown.address) && !is_clone(m->elf, s->low)) {
		e->shown.address = s->low;
		e->shown.line = f->line;
		name_entry(e, f, symbols_at(m->elf, s->low));
	}
	return 0;
}

static int own_ranges(struct merger *m)
{
	for (size_t i = 0; i < m->accepted.count; i++) {
		const struct span *s = &m->accepted.v[i];
		uint32_t id;

		if (own_range(m, s) < 0)
			return ERR_NOMEM;
		id = m->of_function[m->dwarf->instances.v[s->id].function];
		if (spans_add(&m->table->spans, (struct span){ s->low, s->high, id, 1 }) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

/* Symbol functions that start where one of DWARF's does are that one. */
static void join_symbols(struct merger *m)
{
	for (size_t i = 0; i < m->symbols->spans.count; i++) {
		const struct span *s = &m->symbols->spans.v[i];
		size_t at = spans_index(&m->accepted, s->low);

		if (at != SIZE_MAX && m->accepted.v[at].low == s->low &&
		    m->of_symbol[s->id] == MAP_NONE)
			m->of_symbol[s->id] =
				m->of_function[m->dwarf->instances.v[m->accepted.v[at].id]
						       .function];
	}
}

/* [low, high) of a symbol's span that DWARF leaves free. */
static int add_free(struct merger *m, const struct span *s, uint64_t low, uint64_t high)
{
	const struct symbol_function *f = &m->symbols->functions[s->id];

	if (low >= high)
		return 0;
	if (m->of_symbol[s->id] == MAP_NONE) {
		if (!f->sized && low != s->low)
			return 0; /* a label in DWARF's function, and nothing behind that */
		if (from_symbol(m->table, f, m->strings) < 0)
			return ERR_NOMEM;
		m->of_symbol[s->id] = (uint32_t)(m->table->count - 1);
	}
	return spans_add(&m->table->spans, (struct span){ low, high, m->of_symbol[s->id], 0 });
}

static int add_symbols(struct merger *m)
{
	size_t d = 0;

	for (size_t i = 0; i < m->symbols->spans.count; i++) {
		const struct span *s = &m->symbols->spans.v[i];
		uint64_t at = s->low;

		while (d < m->accepted.count && m->accepted.v[d].high <= s->low)
			d++;
		for (size_t j = d; j < m->accepted.count && m->accepted.v[j].low < s->high; j++) {
			if (add_free(m, s, at, m->accepted.v[j].low) < 0)
				return ERR_NOMEM;
			at = m->accepted.v[j].high;
		}
		if (add_free(m, s, at, s->high) < 0)
			return ERR_NOMEM;
	}
	return spans_flatten(&m->table->spans);
}

static int tables_merge(struct merger *m)
{
	size_t functions = m->dwarf->functions.count, symbols = m->symbols->count;

	m->of_function = mem_alloc((functions + 1) * sizeof(*m->of_function));
	m->of_symbol = mem_alloc((symbols + 1) * sizeof(*m->of_symbol));
	if (!m->of_function || !m->of_symbol)
		return ERR_NOMEM;
	memset(m->of_function, 0xff, (functions + 1) * sizeof(*m->of_function));
	memset(m->of_symbol, 0xff, (symbols + 1) * sizeof(*m->of_symbol));
	if (accept_ranges(m) < 0 || own_ranges(m) < 0)
		return ERR_NOMEM;
	join_symbols(m);
	if (add_symbols(m) < 0)
		return ERR_NOMEM;
	entries_measure(m->table);
	return 0;
}

int table_from_dwarf(struct table *t, const struct symbols *s, struct debug_data *d,
		     const struct elf *e, struct arena *strings)
{
	struct merger m = { .table = t, .symbols = s, .dwarf = d, .elf = e, .strings = strings };
	int ret;

	*t = (struct table){ NULL };
	map_init(&m.by_source);
	ret = tables_merge(&m);
	map_release(&m.by_source);
	spans_release(&m.accepted);
	mem_free(m.of_function);
	mem_free(m.of_symbol);
	return ret;
}
