/*
 * Room in the runtime's tables, against what the code may ask for.
 */
#include <stdio.h>

#include "core/doctor/check.h"

enum { AVR_SITES = 512 };		/* the most there */

struct table {
	enum survey_hook hook;
	const char *capacity;		/* the symbol */
	const char *setting, *rows;
	uint32_t num, den;		/* rows to a place that calls: more make it slower */
	const char *full;		/* what happens to calls that find no row */
};

static const struct table tables[] = {
	{ HOOK_ENTER, "wsnprof_sites_max", "WSNPROF_SITES", "call sites", 3, 2,
	  "calls from further ones are counted as lost" },
	{ HOOK_ARC, "wsnprof_arcs_max", "WSNPROF_ARCS", "arcs", 2, 1,
	  "further ones make each call more expensive, and calls are lost" },
};

bool check_setting(const struct survey *s, const char *name, uint64_t *value)
{
	const struct object *o = objects_find(&s->objects, name);

	if (o && o->absolute)
		*value = o->address;
	return o && o->absolute;
}

/*
 * Places that call a function with this hook: direct calls, and one for each that is called by
 * pointer alone (handlers, tasks). A body that is inlined has a hook of its own where it is.
 */
static uint64_t count_places(struct survey *s, enum survey_hook hook)
{
	uint64_t places = 0;

	for (uint32_t i = 0; i < s->count; i++)
		s->reach[i] = 0;
	for (size_t i = 0; i < s->call_count; i++)
		s->reach[s->calls[i].to]++;
	for (uint32_t i = 0; i < s->count; i++) {
		const struct survey_function *f = &s->functions[i];

		if (f->hooks[hook] && !(f->traits & FUNCTION_RUNTIME))
			places += (s->reach[i] ? s->reach[i] : 1) + f->hooks[hook] - 1;
	}
	return places;
}

static bool is_avr(const struct survey *s)
{
	return s->elf.machine->isa == ELF_ISA_AVR;
}

static void check_one(struct doctor *d, struct survey *s, const struct table *t)
{
	uint64_t places = count_places(s, t->hook), room = 0, wanted = 2;
	char cure[96] = "fewer instrumented modules";

	if (!places || !check_setting(s, t->capacity, &room) || !room)
		return;
	while (wanted * t->den < places * t->num && (wanted < AVR_SITES || !is_avr(s)))
		wanted *= 2;
	if (wanted > room)
		snprintf(cure, sizeof(cure), "#define %s %llu, or fewer instrumented modules",
			 t->setting, (unsigned long long)wanted);
	if (places > room)
		doctor_say(d, DOCTOR_WARNING, cure,
			   "%llu places call instrumented functions, and the table has room for "
			   "%llu %s: %s", (unsigned long long)places, (unsigned long long)room,
			   t->rows, t->full);
	else if (wanted > room)
		doctor_say(d, DOCTOR_NOTE, cure,
			   "%llu places call instrumented functions, and the table has room for "
			   "%llu %s: when it is nearly full, calls cost more",
			   (unsigned long long)places, (unsigned long long)room, t->rows);
	else
		doctor_say(d, DOCTOR_OK, NULL,
			   "%llu places call instrumented functions: the table has room for %llu "
			   "%s", (unsigned long long)places, (unsigned long long)room, t->rows);
}

/* --- tasks ------------------------------------------------------------------------------------ */

/* FreeRTOS', RIOT's. A call in a loop makes more, and some of them are made elsewhere. */
uint64_t check_task_places(const struct survey *s)
{
	static const char *const makers[] = { "xTaskCreate", "xTaskCreateStatic", "thread_create" };
	uint64_t tasks = 0;

	for (size_t m = 0; m < sizeof(makers) / sizeof(makers[0]); m++) {
		uint32_t id = survey_named(s, makers[m]);

		for (size_t i = 0; i < s->call_count; i++)
			tasks += s->calls[i].to == id;
	}
	return tasks;
}

static void check_tasks(struct doctor *d, struct survey *s)
{
	uint64_t tasks = check_task_places(s), room;
	char cure[64];

	if (!check_setting(s, "wsnprof_tasks_max", &room) || tasks <= room)
		return;
	snprintf(cure, sizeof(cure), "#define WSNPROF_TASKS_MAX %llu, or more",
		 (unsigned long long)tasks);
	doctor_say(d, DOCTOR_WARNING, cure,
		   "%llu places create tasks, and there are shadow stacks for %llu: further tasks "
		   "lose the calls that are open at a switch", (unsigned long long)tasks,
		   (unsigned long long)room);
}

/* wsnprof_config.h is read by both; a -D may reach one alone. */
static void check_built(struct doctor *d, const struct survey *s)
{
	uint64_t c, assembly;

	if (check_setting(s, "wsnprof_built_c", &c) &&
	    check_setting(s, "wsnprof_built_s", &assembly) && c != assembly)
		doctor_say(d, DOCTOR_FAULT,
			   "settings in wsnprof_config.h, or the same -D for .c and .S",
			   "the runtime's C and its assembly were compiled with different settings "
			   "(level, call sites, stack or tasks)");
}

void check_table(struct doctor *d, struct survey *s)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		check_one(d, s, &tables[i]);
	check_tasks(d, s);
	check_built(d, s);
}
