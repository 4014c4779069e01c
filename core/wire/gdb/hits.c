/*
 * hits: a breakpoint or a watchpoint was met. What servers do differently, measured:
 *
 * - QEMU stops before what is watched is written, and at a breakpoint at the PC again and again:
 *   both are taken away, one instruction is run, and they are set again. simavr, mspdebug and chips
 *   pass over a breakpoint at the place where they go on: where that step ends on one, it is a hit.
 * - mspdebug does not say "watch": what was written is found by its value. simavr never stops.
 */
#include "core/wire/gdb/state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- calls and handlers ----------------------------------------------------------------------- */

static bool handler_is_at(const struct codemap *code, const struct wire_watchpoint *p, uint32_t pc)
{
	if (p->number != WATCH_ALL_HANDLERS)
		return p->number < code->handler_count && code->handlers[p->number] == pc;
	for (unsigned i = code->faults; i < code->handler_count; i++)
		if (code->handlers[i] == pc)
			return true;
	return false;
}

/* From the watch `from` on: the one whose function or handler begins at the PC; count: none. */
static size_t hit_entry_find(const struct gdb *g, size_t from)
{
	const struct gdb_watch *w = &g->watch;
	const struct codemap *code = g->wire.code;
	size_t i = from;

	for (; i < w->count; i++) {
		const struct wire_watchpoint *p = &w->points[i];

		if (p->kind == WATCH_CALL && gdb_pc(g, p->address) == w->at.pc)
			break;
		if (p->kind == WATCH_HANDLER && code && code->handlers &&
		    handler_is_at(code, p, w->at.pc))
			break;
	}
	return i;
}

static bool entry_is_handler(const struct gdb *g, size_t i)
{
	return g->watch.points[i].kind == WATCH_HANDLER ||
	       gdb_is_exception(g, g->watch.at.link);
}

static void entry_take(struct gdb *g, const uint8_t *stack)
{
	struct gdb_watch *w = &g->watch;
	bool handler = entry_is_handler(g, w->index);
	struct gdb_call call = {
		.function = w->at.pc, .note = w->of[w->index].note, .handler = handler,
		.lane = handler || w->at.in_handler,
	};

	if (gdb_return(g, handler, stack, &call)) {
		calls_enter(g, &call);
		return;
	}
	w->of[w->index].lost++;
	calls_begin(g, &call);
	watch_event(g, (struct wire_event){ .kind = EVENT_LOST, .lane = call.lane });
}

/* --- over what is set at the PC --------------------------------------------------------------- */

static void point_lift(struct gdb *g, struct point *p)
{
	if (!p)
		return;
	p->lifted = true;
	g->watch.over = true;
}

/* A breakpoint at the PC that is set, or is to be set once the step before is over. NULL: none. */
static struct point *break_find(struct gdb *g)
{
	struct point *p = points_break(&g->points, g->watch.at.pc);

	return p && !p->refused && (p->set || g->watch.over) ? p : NULL;
}

/* One that is wanted at the PC: what is there was told, and is run before it is set (again). */
static struct point *break_wanted(struct gdb *g)
{
	struct point *p = points_break(&g->points, g->watch.at.pc);

	return p && !p->refused ? p : NULL;
}

static void hit_end(struct gdb *g)
{
	struct gdb_watch *w = &g->watch;

	w->over = false;
	if (w->changed)
		watch_points(g);
	point_lift(g, break_wanted(g));
	if (w->ours && !w->hit && g->stop_hz > 0 && g->deaf)
		sampler_give(&g->sampler, w->at.pc);
	stop_next(g);
}

static void halt_leave(struct gdb *g)
{
	sampler_trouble(&g->sampler, PROBE_HALTED);
	gdb_step(g, STEP_QUIET);
}

static void marks_give(struct gdb *g)
{
	const struct gdb_watch *w = &g->watch;
	const struct codemap *code = g->wire.code;

	for (size_t i = 0; code && i < w->count; i++)
		for (size_t k = 0; w->points[i].kind == WATCH_MARK && k < code->mark_count; k++)
			if (code->marks[k].address == w->at.pc)
				watch_event(g, (struct wire_event){
					.kind = EVENT_MARK, .lane = w->at.in_handler,
					.address = w->at.pc, .note = w->of[i].note,
					.value = code->marks[k].number });
}

/* Values are read: is something set at the PC? */
static void places_look(struct gdb *g)
{
	struct gdb_watch *w = &g->watch;
	uint32_t address;
	unsigned bytes;

	w->looks = false;
	if (!w->handled && break_find(g)) {
		w->hit = w->handled = true;
		calls_return(g, w->at.pc, w->at.sp);
		marks_give(g);
		w->index = hit_entry_find(g, 0);
		if (w->index < w->count && gdb_stack(g, entry_is_handler(g, w->index), &address,
						     &bytes)) {
			gdb_step(g, STEP_STACK);
			return;
		}
		if (w->index < w->count)
			entry_take(g, NULL);
	}
	/* `changed`: it may be of what was watched before. */
	if (!w->hit && !w->ours && !w->late && !w->over && !w->changed) {
		halt_leave(g);
		return;
	}
	hit_end(g);
}

static void stack_take(struct gdb *g, const char *hex)
{
	uint8_t stack[STACK_BYTES] = { 0 };
	uint32_t address, byte;
	unsigned bytes = 0;

	gdb_stack(g, entry_is_handler(g, g->watch.index), &address, &bytes);
	if (strlen(hex) == 2 * bytes) {
		for (unsigned i = 0; i < bytes && rsp_word(hex + 2 * i, 1, &byte); i++)
			stack[i] = (uint8_t)byte;
		entry_take(g, stack);
	} else {
		g->watch.of[g->watch.index].lost++;
	}
	hit_end(g);
}

/* --- values ----------------------------------------------------------------------------------- */

static size_t value_find(const struct gdb *g)
{
	const struct gdb_watch *w = &g->watch;
	size_t i = 0;

	while (i < w->count && !w->of[i].due &&
	       (w->points[i].kind != WATCH_VALUE || w->of[i].known))
		i++;
	return i;
}

/* A neighbour's store is no store to a part of these bytes. */
static bool part_is_same(const struct wire_reading *r, const uint8_t *before, const uint8_t *now)
{
	return r->bits && wire_value(r, before) == wire_value(r, now);
}

static void value_give(struct gdb *g, size_t i)
{
	struct gdb_watch *w = &g->watch;
	const struct wire_reading *r = &w->points[i].reading;

	w->hit = true;
	watch_event(g, (struct wire_event){
		.kind = r->is_state ? EVENT_STATE : EVENT_VALUE, .note = w->of[i].note,
		.address = w->of[i].pc, .lane = w->at.in_handler,
		.value = r->bytes ? wire_value(r, w->of[i].value) : w->told_address,
	});
}

/* Nothing changed: where one alone is watched, it was written what it was; else unknown. */
static void blind_end(struct gdb *g)
{
	struct gdb_watch *w = &g->watch;
	size_t values = 0, last = 0;

	w->blind = false;
	if (w->weak)
		return;
	w->hit = true;
	for (size_t i = 0; i < w->count; i++) {
		if (w->points[i].kind != WATCH_VALUE)
			continue;
		values++;
		last = i;
	}
	if (values == 1 && !w->blind_found)
		value_give(g, last);
	else if (!w->blind_found)
		w->of[last].lost++;
}

/* The next value, or what follows when all are read. */
static void values_next(struct gdb *g)
{
	struct gdb_watch *w = &g->watch;

	w->index = value_find(g);
	if (w->index < w->count) {
		gdb_step(g, STEP_VALUE);
		return;
	}
	if (w->blind)
		blind_end(g);
	if (w->looks)
		places_look(g);
	else
		stop_next(g);
}

static void hit_value_take(struct gdb *g, const char *hex)
{
	struct gdb_watch *w = &g->watch;
	struct gdb_watched *of = &w->of[w->index];
	unsigned bytes = w->points[w->index].reading.bytes;
	uint8_t value[8] = { 0 };
	bool read = strlen(hex) == 2 * (bytes ? bytes : 1);
	bool same, part;
	uint32_t byte;

	for (unsigned i = 0; read && i < bytes && i < sizeof(value); i++) {
		read = rsp_word(hex + 2 * i, 1, &byte);
		value[i] = (uint8_t)byte;
	}
	same = of->known && memcmp(value, of->value, sizeof(value)) == 0;
	part = of->known && part_is_same(&w->points[w->index].reading, of->value, value);
	memcpy(of->value, value, sizeof(value));
	of->known = true;
	if (of->due && !read)
		of->lost++;
	else if (of->due && !part && !(w->blind && same))
		value_give(g, w->index);
	w->blind_found += of->due && w->blind && !same;
	of->due = false;
	values_next(g);
}

/* Of watches that are others now it is nothing: what the target stands for is looked at again. */
void hit_memory(struct gdb *g, const char *hex)
{
	struct gdb_watch *w = &g->watch;

	if (!w->stale && w->index < w->count) {
		(g->step == STEP_VALUE ? hit_value_take : stack_take)(g, hex);
		return;
	}
	w->stale = false;
	w->handled &= g->step == STEP_VALUE;
	if (w->looks || g->step == STEP_STACK)
		gdb_step(g, STEP_REGISTERS);
	else
		stop_next(g);
}

bool hit_question(const struct gdb *g, char *dst, size_t size)
{
	const struct gdb_watch *w = &g->watch;
	const struct wire_watchpoint *p = &w->points[w->index];
	uint32_t address = p->address;
	unsigned bytes = p->reading.bytes ? p->reading.bytes : 1;

	if (w->index >= w->count)
		return false;
	if (g->step == STEP_STACK)
		gdb_stack(g, entry_is_handler(g, w->index), &address, &bytes);
	return snprintf(dst, size, "m%" PRIx32 ",%x", address, bytes) > 0;
}

/* --- what the stop is of ---------------------------------------------------------------------- */

/* True: it is told before the access, which is still to be done. */
static bool told_take(struct gdb *g)
{
	struct gdb_watch *w = &g->watch;
	bool any = false;

	for (size_t i = 0; w->told && i < w->count; i++) {
		const struct wire_watchpoint *p = &w->points[i];

		if (p->kind != WATCH_VALUE || w->told_address - p->address >= p->size)
			continue;
		any = true;
		w->of[i].pc = g->many ? w->at.pc : w->at.pc - 2;  /* in the instruction before */
		w->of[i].due = !g->many;
		w->of[i].after = g->many;
	}
	w->hit |= any;
	w->knows |= any;
	if (!any || !g->many)
		return false;
	w->over |= points_lift(&g->points, w->told_address);
	return true;
}

static bool values_are_watched(const struct gdb_watch *w)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->points[i].kind == WATCH_VALUE)
			return true;
	return false;
}

static void blind_begin(struct gdb_watch *w)
{
	w->blind = true;
	w->blind_found = 0;
	for (size_t i = 0; i < w->count; i++) {
		w->of[i].due = w->points[i].kind == WATCH_VALUE;
		w->of[i].pc = w->weak ? 0 : w->at.pc - 2;
	}
}

/* The instruction at which something was lifted was run. */
static void step_end(struct gdb *g)
{
	struct gdb_watch *w = &g->watch;

	if (!points_unlift(&g->points))
		return;
	w->handled = false;
	for (size_t i = 0; i < w->count; i++) {
		w->of[i].due |= w->of[i].after;
		w->of[i].after = false;
	}
}

static void stop_look(struct gdb *g)
{
	struct gdb_watch *w = &g->watch;

	if (told_take(g)) {
		stop_next(g);
		return;
	}
	step_end(g);
	w->weak = w->over || break_find(g);
	if (!w->told && !g->many && !w->ours && (w->over || !w->knows) && w->trap &&
	    values_are_watched(w))
		blind_begin(w);
	w->looks = true;
	values_next(g);
}

void hit_registers(struct gdb *g, const char *hex)
{
	struct gdb_watch *w = &g->watch;

	if (!gdb_registers(g, hex, &w->at)) {
		g->wire.stats.bad_bytes += strlen(hex);
		sampler_trouble(&g->sampler, PROBE_NO_ANSWER);
		stop_next(g);
		return;
	}
	if (w->cycles)
		gdb_step(g, STEP_TIME);
	else
		stop_look(g);
}

void hit_time(struct gdb *g, const char *hex)
{
	uint32_t cycle;

	if (strlen(hex) == 8 && rsp_word(hex, 4, &cycle))
		watch_cycle(g, cycle);
	else
		g->wire.stats.bad_bytes += strlen(hex);
	if (g->watch.at.known)
		stop_look(g);
	else
		stop_next(g);
}
