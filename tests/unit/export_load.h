/*
 * export_load: a profile and a call trace of any size, made by a rule: what exporters are measured
 * with, for the bench and for the test of their memory.
 *
 * Function i calls so many others behind it, each from a site of its own, and gives them three
 * quarters of its time: there are more call paths than an exporter follows. The trace is a walk of
 * calls and returns with some values in it.
 */
#ifndef WSNTOP_TESTS_EXPORT_LOAD_H
#define WSNTOP_TESTS_EXPORT_LOAD_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/export/export.h"
#include "core/image/image.h"
#include "core/profile/raw/feed.h"

enum { LOAD_CALLS = 50, LOAD_NAME = 48, LOAD_DEEP = 24, LOAD_VALUE = 7 };

struct export_load {
	struct profile p;
	struct trace *trace;
	char (*names)[LOAD_NAME], (*files)[LOAD_NAME];
};

static inline uint32_t load_address(uint32_t function)
{
	return 0x1000 + 16 * function;
}

static inline int load_total(struct profile *p, uint32_t from, uint32_t to, uint64_t ticks,
			     uint16_t flags)
{
	uint64_t calls = ticks / 700 + 1;

	return profile_take_totals(p, &(struct wire_total){
		.kind = TOTAL_SITE, .from = from, .to = to, .calls = calls, .total = ticks,
		.min = ticks / calls / 2, .max = 3 * (ticks / calls) + 1,
		.has = TOTAL_TIMED | TOTAL_MINMAX, .flags = flags,
	}, 1);
}

static inline int load_sites(struct profile *p, uint32_t functions)
{
	uint64_t *ticks = calloc(functions, sizeof(*ticks));
	int ret = ticks ? 0 : -1;

	for (uint32_t i = 0; i < functions && ret == 0; i++) {
		if (i < 8) {		/* where it all begins */
			ticks[i] += 8000000000000u + i;
			ret = load_total(p, 0, load_address(i), ticks[i], ROW_HANDLER);
		}
		for (uint32_t k = 0; k < LOAD_CALLS && ret == 0; k++) {
			uint32_t to = i + 1 + (i * 7 + k * 131) % 997;
			uint64_t part = ticks[i] / 4 * 3 / LOAD_CALLS;

			if (to >= functions)
				continue;
			ticks[to] += part;
			ret = load_total(p, load_address(i), load_address(to), part, 0);
		}
	}
	free(ticks);
	return ret;
}

static inline void load_name(struct export_load *l)
{
	l->names = calloc(l->p.function_count, sizeof(*l->names));
	l->files = calloc(l->p.function_count, sizeof(*l->files));
	for (size_t i = 0; l->names && l->files && i < l->p.function_count; i++) {
		struct profile_function *f = &l->p.functions[i];

		snprintf(l->names[i], LOAD_NAME, "module_%zu_packet_%zu", i % 97, i);
		snprintf(l->files[i], LOAD_NAME, "src/module_%zu.c", i % 97);
		f->name = l->names[i];
		f->path = l->files[i];
		f->file = l->files[i] + 4;
		f->line = (uint32_t)(i % 700 + 1);
	}
}

static inline struct trace *load_trace(uint32_t calls)
{
	struct trace *t = trace_new();
	uint32_t open[LOAD_DEEP], state = 1, depth = 0;
	uint64_t ticks = 1;

	if (!t)
		return NULL;
	trace_setup_told(t, 8e6);
	trace_name(t, &(struct wire_naming){ .note = LOAD_VALUE, .name = "queue" });
	for (uint32_t i = 0; i < 2 * calls; i++) {
		struct trace_told told = { .kind = TRACE_CALL };

		state = state * 1664525 + 1013904223;	/* Numerical Recipes */
		ticks += state >> 24;
		told.ticks = ticks;
		if (i % 64 == 63) {
			told.kind = TRACE_VALUE;
			told.id = LOAD_VALUE;
			told.value = state >> 20;
		} else if (depth && (depth == LOAD_DEEP || state >> 31)) {
			told.kind = TRACE_RETURN;
			told.id = open[--depth];
		} else {
			told.id = open[depth++] = IMAGE_TOLD + 2 * (state >> 8 & 255);
		}
		if (trace_tell(t, &told) < 0)
			abort();
	}
	return t;
}

/* About functions * LOAD_CALLS edges, and so many calls. */
static inline int load_make(struct export_load *l, uint32_t functions, uint32_t calls)
{
	static const uint64_t bounds[WIRE_BUCKETS];	/* no durations are told */

	*l = (struct export_load){ .names = NULL };
	if (profile_init(&l->p, "load") < 0)
		return -1;
	l->p.named = true;
	profile_take_clock(&l->p, 8e6, bounds);
	if (load_sites(&l->p, functions) < 0 || profile_compute(&l->p) < 0)
		return -1;
	load_name(l);
	l->trace = load_trace(calls);
	return l->names && l->files && l->trace ? 0 : -1;
}

static inline void load_release(struct export_load *l)
{
	trace_free(l->trace);
	profile_release(&l->p);
	free(l->names);
	free(l->files);
}

/* With the profile alone, or with the call trace as well. */
static inline struct export_source load_source(const struct export_load *l, bool traced)
{
	return (struct export_source){
		.profile = &l->p, .node = "load", .format = "wsn",
		.image_match = "unknown", .agreement = (double)NAN, .hooks_share = (double)NAN,
		.order = { .column = COLUMN_SELF }, .trace = traced ? l->trace : NULL,
	};
}

#endif
