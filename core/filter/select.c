#include "core/filter/select.h"

#include <string.h>

#include "core/base/arena.h"
#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/image/demangle.h"

static int list_add(struct select_rules *r, const char *path, struct err *err)
{
	size_t size, begin = 0;
	char *text = file_read(path, SELECT_LIST_MAX, &size, err);

	if (!text)
		return err ? (int)err->code : ERR_IO;
	if (mem_grow(&r->list, &r->lists_cap, r->lists + 1, sizeof(*r->list)) < 0) {
		mem_free(text);
		return err_set(err, ERR_NOMEM, "out of memory");
	}
	r->list[r->lists++] = text;
	for (size_t i = 0; i <= size; i++) {
		struct piece name;

		if (i < size && text[i] != '\n')
			continue;
		name = piece_trim((struct piece){ text + begin, i - begin });
		begin = i + 1;
		if (name.n && *name.s != '#' && nameset_put(&r->names, name, 0) < 0)
			return err_set(err, ERR_NOMEM, "out of memory");
	}
	return 0;
}

int select_add(struct select *s, enum select_kind kind, const char *pattern, struct err *err)
{
	struct select_rules *r = &s->rules[kind];
	struct regex *regex;

	if (!*pattern)
		return err_set(err, ERR_USAGE, "an empty pattern matches all: leave it out");
	if (*pattern == '@')
		return list_add(r, pattern + 1, err);
	if (mem_grow(&r->regex, &r->cap, r->count + 1, sizeof(*r->regex)) < 0)
		return err_set(err, ERR_NOMEM, "out of memory");
	regex = regex_new(pattern, err);
	if (!regex)
		return err ? (int)err->code : ERR_USAGE;
	r->regex[r->count++] = regex;
	return 0;
}

void select_release(struct select *s)
{
	for (size_t k = 0; k < SELECT_KINDS; k++) {
		struct select_rules *r = &s->rules[k];

		for (size_t i = 0; i < r->count; i++)
			regex_free(r->regex[i]);
		for (size_t i = 0; i < r->lists; i++)
			mem_free(r->list[i]);
		mem_free(r->regex);
		mem_free(r->list);
		nameset_release(&r->names);
	}
	memset(s, 0, sizeof(*s));
}

static bool rules_match(const struct select_rules *r, const char *name)
{
	for (size_t i = 0; i < r->count; i++)
		if (regex_match(r->regex[i], name))
			return true;
	return nameset_has(&r->names, (struct piece){ name, strlen(name) });
}

static bool rules_any(const struct select_rules *r)
{
	return r->count || r->lists;
}

/* The three ways in which a function is called. */
struct spelling {
	const char *symbol, *base, *readable;
};

static bool spelling_match(const struct select_rules *r, const struct spelling *s)
{
	return rules_match(r, s->symbol) || rules_match(r, s->base) || rules_match(r, s->readable);
}

static bool function_match(const struct select *s, struct arena *a, struct piece name)
{
	struct spelling sp;

	sp.symbol = arena_strn(a, name.s, name.n);
	sp.base = sp.symbol ? arena_strn(a, name.s, demangle_base(sp.symbol)) : NULL;
	sp.readable = sp.symbol ? demangle(a, sp.symbol, strlen(sp.symbol)) : NULL;
	if (!sp.base || !sp.readable)
		return false;
	if (rules_any(&s->rules[SELECT_ONLY]) && !spelling_match(&s->rules[SELECT_ONLY], &sp))
		return false;
	return !spelling_match(&s->rules[SELECT_EXCEPT], &sp);
}

bool select_has(const struct select *s, struct piece name, struct piece file)
{
	const struct select_rules *files = &s->rules[SELECT_FILES];
	struct arena a;
	const char *path;
	bool has = true;

	arena_init(&a);
	if (rules_any(files)) {
		path = arena_strn(&a, file.s ? file.s : "", file.n);
		has = path && rules_match(files, path);
	}
	if (has && (rules_any(&s->rules[SELECT_ONLY]) || rules_any(&s->rules[SELECT_EXCEPT])))
		has = function_match(s, &a, name);
	arena_release(&a);
	return has;
}

bool select_has_name(const struct select *s, struct piece name)
{
	struct arena a;
	bool has = true;

	arena_init(&a);
	if (rules_any(&s->rules[SELECT_ONLY]) || rules_any(&s->rules[SELECT_EXCEPT]))
		has = function_match(s, &a, name);
	arena_release(&a);
	return has;
}
