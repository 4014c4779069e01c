#include "core/doctor/survey.h"

#include <stdatomic.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/sorted.h"
#include "core/base/text.h"
#include "core/doctor/roles.h"
#include "core/doctor/walk.h"
#include "core/image/demangle.h"
#include "core/image/runtime.h"

/* --- names ------------------------------------------------------------------------------------ */

uint64_t survey_symbol(const struct survey *s, const char *name)
{
	for (size_t i = 0; i < s->elf.symbol_count; i++) {
		if (strcmp(s->elf.symbols[i].name, name) == 0)
			return s->elf.symbols[i].address;
	}
	return CODE_NO_TARGET;
}

uint32_t survey_named(const struct survey *s, const char *name)
{
	uint64_t at = survey_symbol(s, name);

	return at == CODE_NO_TARGET ? SURVEY_NONE : spans_find(&s->symbols.spans, at);
}

/* The first of the names that the image has, else the last. */
static const char *hook_find(const struct survey *s, const char *const *names, uint64_t *at)
{
	const char *name = NULL;

	for (*at = CODE_NO_TARGET; *names && *at == CODE_NO_TARGET; names++)
		*at = survey_symbol(s, name = *names);
	return name;
}

static void find_hooks(struct survey *s)
{
	static const char *const *const names[HOOKS] = {
		[HOOK_ENTER] = runtime_enter_hooks,
		[HOOK_EXIT] = runtime_exit_hooks,
		[HOOK_ARC] = runtime_arc_hooks,
	};

	for (size_t i = 0; i < HOOKS; i++)
		s->hook_names[i] = hook_find(s, names[i], &s->hooks[i]);
	for (size_t i = 0; i < RUNTIME_OTHER_HOOKS; i++)
		s->other_hooks[i] = survey_symbol(s, runtime_other_hooks[i]);
	s->filtered = s->hooks[HOOK_ENTER] != CODE_NO_TARGET &&
		      text_begins(s->hook_names[HOOK_ENTER], RUNTIME_PREFIX);
}

static int make_functions(struct survey *s)
{
	s->count = (uint32_t)s->symbols.count;
	s->functions = mem_zalloc((s->count + (size_t)1) * sizeof(*s->functions));
	s->reach = mem_zalloc((s->count + (size_t)1) * sizeof(*s->reach));
	if (!s->functions || !s->reach)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < s->count; i++) {
		const struct symbol_function *f = &s->symbols.functions[i];

		s->functions[i].name = demangle(&s->strings, f->name, f->length);
		s->functions[i].address = f->address;
		if (!s->functions[i].name)
			return ERR_NOMEM;
	}
	for (size_t i = 0; i < s->symbols.spans.count; i++) {
		const struct span *span = &s->symbols.spans.v[i];

		s->functions[span->id].size += span->high - span->low;
	}
	return 0;
}

/* --- results ---------------------------------------------------------------------------------- */

static void count_instrumented(struct survey *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		if (survey_has_hooks(&s->functions[i]) &&
		    !(s->functions[i].traits & FUNCTION_RUNTIME))
			s->instrumented++;
	}
}

uint32_t survey_hook_function(const struct survey *s, enum survey_hook hook)
{
	return s->hooks[hook] == CODE_NO_TARGET ? SURVEY_NONE
						: spans_find(&s->symbols.spans, s->hooks[hook]);
}

/* Calls of one function: they are sorted by caller. */
static size_t calls_of(const struct survey *s, uint32_t from)
{
	return SORTED_WHERE(s->call_count, i, s->calls[i].from < from);
}

uint32_t survey_reach(struct survey *s, uint32_t from)
{
	uint32_t count = 0;
	struct map seen;

	map_init(&seen);
	if (from >= s->count || map_put(&seen, from, 0) < 0)
		goto out;
	s->reach[count++] = from;
	for (uint32_t next = 0; next < count; next++) {
		uint32_t f = s->reach[next];

		for (size_t i = calls_of(s, f); i < s->call_count && s->calls[i].from == f; i++) {
			uint32_t to = s->calls[i].to;

			if (map_get(&seen, to) != MAP_NONE)
				continue;
			if (map_put(&seen, to, 0) < 0)
				goto out;
			s->reach[count++] = to;
		}
	}
out:
	map_release(&seen);
	return count;
}

/* --- life ------------------------------------------------------------------------------------- */

static int survey_read(struct survey *s)
{
	const atomic_bool never = false;

	if (code_init(&s->code, &s->elf) < 0 ||
	    symbols_init(&s->symbols, &s->elf, &s->code) < 0 ||
	    objects_read(&s->objects, &s->elf) < 0)
		return ERR_NOMEM;
	if (debug_present(&s->elf)) {
		debug_read(&s->dwarf, &s->elf, &never, NULL);
		if (spans_flatten(&s->dwarf.code) < 0)
			return ERR_NOMEM;
	}
	find_hooks(s);
	if (make_functions(s) < 0 || roles_find(s) < 0 || walk_functions(s) < 0)
		return ERR_NOMEM;
	count_instrumented(s);
	return 0;
}

int survey_open(struct survey *s, const char *path, struct err *err)
{
	int ret;

	*s = (struct survey){ .path = path, .elf = { .fd = -1 } };
	arena_init(&s->strings);
	debug_init(&s->dwarf);
	ret = elf_open(&s->elf, path, err);
	if (ret < 0)
		return ret;
	return survey_read(s) < 0 ? err_set(err, ERR_NOMEM, "%s: out of memory", path) : 0;
}

void survey_release(struct survey *s)
{
	mem_free(s->functions);
	mem_free(s->reach);
	mem_free(s->calls);
	objects_release(&s->objects);
	debug_release(&s->dwarf);
	symbols_release(&s->symbols);
	code_release(&s->code);
	arena_release(&s->strings);
	elf_close(&s->elf);
}
