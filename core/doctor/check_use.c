/*
 * Whether the application calls the runtime: a forgotten call makes an empty profile, without any
 * other symptom.
 */
#include <string.h>

#include "core/base/text.h"
#include "core/doctor/check.h"
#include "core/image/runtime.h"

static const struct {
	const char *name, *without;
} wanted[] = {
	{ "wsnprof_init", "there is no clock, all times are 0" },
	{ "wsnprof_start", "nothing is counted, unless the host starts it" },
	{ "wsnprof_poll", "nothing is sent" },
};

enum { COUNT = sizeof(wanted) / sizeof(wanted[0]) };

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

static const char *inlined_name(const struct survey *s, uint32_t id)
{
	const struct debug_data *d = &s->dwarf;
	uint32_t f = id < d->inlines.count ? d->inlines.v[id].function : DEBUG_NONE;

	return f < d->functions.count ? d->functions.v[f].name : NULL;
}

/* Is that inlined body in code of the runtime's, itself inlined or not? */
static bool is_in_runtime(const struct survey *s, const struct span *span)
{
	const char *parent = inlined_name(s, s->dwarf.inlines.v[span->id].parent);
	uint32_t in = spans_find(&s->symbols.spans, span->low);

	return (parent && runtime_is_own(parent, NULL)) ||
	       (in != SPAN_NONE && (s->functions[in].traits & FUNCTION_RUNTIME));
}

/* In any function; wsnprof_start() in the runtime's own does not count. */
static bool is_inlined(const struct survey *s, const char *name)
{
	bool start = strcmp(name, "wsnprof_start") == 0;

	for (size_t i = 0; i < s->dwarf.inlined.count; i++) {
		const struct span *span = &s->dwarf.inlined.v[i];
		const char *n = inlined_name(s, span->id);

		if (n && strcmp(n, name) == 0 && !(start && is_in_runtime(s, span)))
			return true;
	}
	return false;
}

/*
 * By anything but the host's commands, which call wsnprof_start() too. An application's file may
 * have the runtime's prefix: who calls another of the three is not the runtime. Calls are sorted
 * by caller.
 */
static bool is_called(const struct survey *s, uint32_t id)
{
	uint32_t own[COUNT], from = SURVEY_NONE, start = survey_named(s, "wsnprof_start");
	bool called = false, other = false;

	for (size_t w = 0; w < COUNT; w++)
		own[w] = survey_named(s, wanted[w].name);
	for (size_t i = 0; i < s->call_count; i++) {
		const struct survey_call *c = &s->calls[i];

		if (c->from != from)
			called = other = false;
		from = c->from;
		called |= c->to == id;
		for (size_t w = 0; w < COUNT; w++)
			other |= c->to == own[w] && own[w] != id;
		if (called && (id != start || other ||
			       !(s->functions[from].traits & FUNCTION_RUNTIME)))
			return true;
	}
	return false;
}

static bool is_runtime_source(const char *file)
{
	return file && runtime_is_own("", file) && text_ends(file, ".c");
}

static bool has_runtime_file(const struct survey *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		if (is_runtime_source(s->symbols.functions[i].file))
			return true;
	}
	for (size_t i = 0; i < s->objects.count; i++) {
		if (is_runtime_source(s->objects.v[i].file))
			return true;
	}
	return false;
}

/*
 * Would the image show that a function of the runtime is inlined elsewhere? Only link-time
 * optimization does that. It leaves no symbols of files, and where the runtime has no debug
 * information, inlined bodies without a name.
 */
static bool is_inlining_visible(const struct survey *s)
{
	const struct debug_data *d = &s->dwarf;

	if (has_runtime_file(s))
		return true;
	for (size_t i = 0; i < d->inlines.count; i++) {
		uint32_t f = d->inlines.v[i].function;

		if (f >= d->functions.count || !d->functions.v[f].name)
			return false;
	}
	for (size_t i = 0; i < d->functions.count; i++) {
		uint32_t path = d->functions.v[i].path;

		if (path != DEBUG_NONE && is_runtime_source(d->paths.v[path].file))
			return true;
	}
	return false;
}

/* A call through a pointer is not seen, and a linker's optimizer may leave no name. */
bool check_used(const struct survey *s, const char *name)
{
	uint32_t id = survey_named(s, name);

	if (is_inlined(s, name))
		return true;
	return id == SURVEY_NONE ? !is_inlining_visible(s) : is_called(s, id);
}

void check_use(struct doctor *d, struct survey *s)
{
	if (!s->runtime || !s->instrumented || s->indirect || !has_tables(s))
		return;
	for (size_t i = 0; i < COUNT; i++) {
		if (!check_used(s, wanted[i].name))
			doctor_say(d, DOCTOR_WARNING,
				   "in main: wsnprof_init(), wsnprof_start(); wsnprof_poll() in "
				   "its loop",
				   "no function calls %s(): %s", wanted[i].name, wanted[i].without);
	}
}
