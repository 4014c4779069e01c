#include "core/doctor/doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/arena.h"
#include "core/base/mem.h"
#include "core/doctor/check.h"

struct doctor {
	struct arena strings;
	struct buf machine;
	struct doctor_finding *findings;
	size_t count, cap;
	bool failed;			/* out of memory */
};

static void (*const checks[])(struct doctor *d, struct survey *s) = {
	check_symbols,
	check_instrumented,
	check_runtime,
	check_recursion,
	check_use,
	check_handlers,
	check_avr,
	check_arm,
	check_debug,
	check_inlined,
	check_wrapped,
	check_identity,
	check_table,
	check_noinit,
	check_ram,
	check_flash,
	check_short,
};

/* --- findings --------------------------------------------------------------------------------- */

void doctor_note(struct doctor *d, const char *about, enum doctor_severity severity,
		 const char *cure, const char *text)
{
	struct doctor_finding f = { .severity = severity, .about = about };

	f.text = arena_str(&d->strings, text);
	f.cure = cure ? arena_str(&d->strings, cure) : NULL;
	if (!f.text || (cure && !f.cure) ||
	    mem_grow(&d->findings, &d->cap, d->count + 1, sizeof(f)) < 0)
		d->failed = true;
	else
		d->findings[d->count++] = f;
}

void doctor_say(struct doctor *d, enum doctor_severity severity, const char *cure, const char *fmt,
		...)
{
	char line[2048];
	va_list args;

	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	doctor_note(d, NULL, severity, cure, line);
}

const char *doctor_severity_name(enum doctor_severity severity)
{
	static const char *const names[] = {
		[DOCTOR_OK] = "ok",
		[DOCTOR_NOTE] = "note",
		[DOCTOR_WARNING] = "warning",
		[DOCTOR_FAULT] = "fault",
	};

	return names[severity];
}

size_t doctor_count(const struct doctor *d)
{
	return d->count;
}

const struct doctor_finding *doctor_finding(const struct doctor *d, size_t i)
{
	return &d->findings[i];
}

enum doctor_severity doctor_worst(const struct doctor *d)
{
	enum doctor_severity worst = DOCTOR_OK;

	for (size_t i = 0; i < d->count; i++) {
		if (d->findings[i].severity > worst)
			worst = d->findings[i].severity;
	}
	return worst;
}

/* --- picks ------------------------------------------------------------------------------------ */

enum { NAMES = 6 };			/* that a finding lists */

bool check_picks(const struct check_pick *p, const struct survey_function *f)
{
	uint32_t hooks = 0;

	for (uint32_t i = 0; i < HOOKS; i++)
		hooks |= f->hooks[i] ? 1u << i : 0;
	return (f->traits & p->with) == p->with && !(f->traits & p->without) &&
	       (!p->hooks || (hooks & p->hooks));
}

void check_list_add(struct check_list *l, const char *name)
{
	if (l->count++ < NAMES)
		l->used += (size_t)snprintf(l->text + l->used, sizeof(l->text) - l->used,
					    "%s%.80s", l->used ? ", " : "", name);
}

const char *check_list_names(struct check_list *l)
{
	if (l->count > NAMES)
		snprintf(l->text + l->used, sizeof(l->text) - l->used, " and %u more",
			 l->count - NAMES);
	return l->text;
}

struct check_list check_list_of(const struct survey *s, const struct check_pick *p)
{
	struct check_list list = { .count = 0 };

	for (uint32_t i = 0; i < s->count; i++) {
		if (check_picks(p, &s->functions[i]))
			check_list_add(&list, s->functions[i].name);
	}
	return list;
}

/* --- life ------------------------------------------------------------------------------------- */

static void name_machine(struct doctor *d, const struct survey *s)
{
	buf_adds(&d->machine, s->elf.machine->name);
	if (s->objects.device[0])
		buf_addf(&d->machine, ", %s", s->objects.device);
}

struct doctor *doctor_blank(void)
{
	struct doctor *d = mem_zalloc(sizeof(*d));

	if (d)
		arena_init(&d->strings);
	return d;
}

struct doctor *doctor_finish(struct doctor *d, const char *machine, struct err *err)
{
	buf_adds(&d->machine, machine);
	if (!d->failed && !d->machine.failed)
		return d;
	err_set(err, ERR_NOMEM, "out of memory");
	doctor_free(d);
	return NULL;
}

struct doctor *doctor_new(const char *path, struct err *err)
{
	struct doctor *d = doctor_blank();
	struct survey *s = mem_zalloc(sizeof(*s));
	int ret;

	if (!d || !s) {
		err_set(err, ERR_NOMEM, "%s: out of memory", path);
		mem_free(s);
		doctor_free(d);
		return NULL;
	}
	ret = survey_open(s, path, err);
	if (ret == 0) {
		name_machine(d, s);
		for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
			checks[i](d, s);
	}
	survey_release(s);
	mem_free(s);
	if (ret == 0 && !d->failed && !d->machine.failed)
		return d;
	err_set(err, ERR_NOMEM, "%s: out of memory", path);
	doctor_free(d);
	return NULL;
}

void doctor_free(struct doctor *d)
{
	if (!d)
		return;
	arena_release(&d->strings);
	buf_release(&d->machine);
	mem_free(d->findings);
	mem_free(d);
}

const char *doctor_machine(const struct doctor *d)
{
	return buf_str(&d->machine);
}
