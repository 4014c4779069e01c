/*
 * Whether the application calls the runtime: a forgotten call makes an empty profile, without any
 * other symptom.
 */
#include <string.h>

#include "core/doctor/check.h"

static const struct {
	const char *name, *without;
} wanted[] = {
	{ "wsnprof_init", "there is no clock, all times are 0" },
	{ "wsnprof_start", "nothing is counted, unless the host starts it" },
	{ "wsnprof_poll", "nothing is sent" },
};

/* Tables to send; the gprof thesis' stream has none, and needs no poll. */
static bool has_tables(const struct survey *s)
{
	static const char *const tables[] = { "wsnprof_table", "wsnprof_sites", "wsnprof_rows" };

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (objects_find(&s->objects, tables[i]))
			return true;
	}
	return false;
}

static bool is_inlined(const struct survey *s, const char *name)
{
	for (size_t i = 0; i < s->dwarf.inlines.count; i++) {
		uint32_t f = s->dwarf.inlines.v[i].function;
		const char *n = f < s->dwarf.functions.count ? s->dwarf.functions.v[f].name : NULL;

		if (n && strcmp(n, name) == 0)
			return true;
	}
	return false;
}

/* By a function that is not the runtime's own: the host's commands call wsnprof_start(), too. */
static bool is_called(const struct survey *s, uint32_t id)
{
	for (size_t i = 0; i < s->call_count; i++) {
		const struct survey_call *c = &s->calls[i];

		if (c->to == id && !(s->functions[c->from].traits & FUNCTION_RUNTIME))
			return true;
	}
	return false;
}

/* A call through a pointer is not seen, and a linker's optimizer may leave no name. */
static bool is_used(const struct survey *s, const char *name)
{
	uint64_t at = survey_symbol(s, name);
	uint32_t id = at == CODE_NO_TARGET ? SURVEY_NONE : spans_find(&s->symbols.spans, at);

	if (is_inlined(s, name))
		return true;
	if (id == SURVEY_NONE)
		return s->dwarf.functions.count == 0;
	return is_called(s, id);
}

void check_use(struct doctor *d, struct survey *s)
{
	if (!s->runtime || !s->instrumented || s->indirect || !has_tables(s))
		return;
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		if (!is_used(s, wanted[i].name))
			doctor_say(d, DOCTOR_WARNING,
				   "in main: wsnprof_init(), wsnprof_start(); wsnprof_poll() in "
				   "its loop",
				   "no function calls %s(): %s", wanted[i].name, wanted[i].without);
	}
}
