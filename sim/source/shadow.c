/* shadow: see shadow.h. */
#include "sim/source/shadow.h"

#include <string.h>

#include "core/base/mem.h"
#include "sim/source/depth_frame.h"

enum { LANE_MAIN = 0, LANE_HANDLERS = 1, LANE_TASKS = 2, LANES = 16 };

void shadow_init(struct shadow *s, const struct shadow_code *code, struct pack *pack, uint64_t hz)
{
	memset(s, 0, sizeof(*s));
	s->code = *code;
	s->pack = pack;
	s->hz = hz;
	s->stack_count = 1;
	map_init(&s->row_at);
}

void shadow_release(struct shadow *s)
{
	for (size_t i = 0; i < s->stack_count; i++)
		mem_free(s->stacks[i].frames);
	depth_release(s);
	mem_free(s->rows);
	mem_free(s->rooted);
	map_release(&s->row_at);
}

static uint32_t function_at(const struct shadow *s, uint32_t address)
{
	return s->code.find(s->code.ctx, address);
}

static uint32_t entry_of(const struct shadow *s, uint32_t function)
{
	return s->code.entry(s->code.ctx, function);
}

static struct shadow_stack *stack_now(struct shadow *s)
{
	return &s->stacks[s->current];
}

static struct shadow_frame *frame_top(struct shadow_stack *k)
{
	return k->count ? &k->frames[k->count - 1] : NULL;
}

/* The first stack is the main program's, each other a task's. */
static uint8_t stack_lane(size_t stack)
{
	return stack ? (uint8_t)(LANE_TASKS + (stack - 1) % (LANES - LANE_TASKS)) : LANE_MAIN;
}

static uint8_t lane_of(const struct shadow *s, const struct shadow_stack *k)
{
	return k->handlers ? LANE_HANDLERS : stack_lane((size_t)(k - s->stacks));
}

/* --- rows ------------------------------------------------------------------------------------- */

static struct pack_row *row_of(struct shadow *s, const struct shadow_frame *f)
{
	uint32_t to = entry_of(s, f->function);
	uint64_t key = (uint64_t)f->from << 32 | to;
	uint32_t at = map_get(&s->row_at, key);

	if (at == MAP_NONE) {
		at = (uint32_t)s->row_count;
		if (mem_grow(&s->rows, &s->row_cap, at + 1, sizeof(*s->rows)) < 0 ||
		    mem_grow(&s->rooted, &s->rooted_cap, at + 1, 1) < 0 ||
		    map_put(&s->row_at, key, at) < 0) {
			s->failed = true;
			return NULL;
		}
		s->row_count++;
		s->rooted[at] = 0;
		s->rows[at] = (struct pack_row){ .handler = f->handler, .from = f->from, .to = to,
						 .min = UINT64_MAX };
	}
	return &s->rows[at];
}

static void call_count(struct shadow *s, const struct shadow_frame *f, uint64_t took)
{
	struct pack_row *r = row_of(s, f);

	if (!r)
		return;
	r->calls++;
	r->total += took;
	r->min = took < r->min ? took : r->min;
	r->max = took > r->max ? took : r->max;
	r->bucket[sim_bucket(s->hz, took)]++;
}

/* --- frames ----------------------------------------------------------------------------------- */

static void event_tell(struct shadow *s, enum sim_event kind, uint8_t lane, uint64_t now,
		       uint32_t what)
{
	if (s->trace || (s->watches && s->watches->count))
		pack_event(s->pack, kind, lane, now, what);
}

static bool frame_is_watched(const struct shadow *s, const struct shadow_frame *f)
{
	return s->watches && watches_want(s->watches, entry_of(s, f->function), f->handler);
}

static void frame_tell(struct shadow *s, struct shadow_frame *f)
{
	if (f->function == SHADOW_NONE || (!s->trace && !frame_is_watched(s, f)))
		return;
	f->told = true;
	event_tell(s, f->handler ? SIM_HANDLER : SIM_CALL, f->lane, f->begin,
		   entry_of(s, f->function));
}

static void handlers_note(struct shadow *s, uint64_t now)
{
	if (s->watches)
		watches_handlers(s->watches, stack_now(s)->handlers > 0, now);
}

static void frame_push(struct shadow *s, const struct shadow_frame *frame)
{
	struct shadow_stack *k = stack_now(s);
	struct shadow_frame *f;

	if (k->count == SHADOW_DEPTH ||
	    mem_grow(&k->frames, &k->cap, k->count + 1, sizeof(*k->frames)) < 0) {
		s->failed = true;
		return;
	}
	k->handlers += frame->handler;
	handlers_note(s, frame->begin);
	f = &k->frames[k->count++];
	*f = *frame;
	f->out = k->out;
	f->lane = lane_of(s, k);
	s->deepest = k->count > s->deepest ? k->count : s->deepest;
	depth_begin(s, k, f);
	frame_tell(s, f);
}

/* A handler's time is none of those that it interrupted, whatever struck meanwhile. */
static void handler_end(struct shadow *s, struct shadow_stack *k, const struct shadow_frame *f,
			uint64_t now, uint64_t took)
{
	k->handlers--;
	handlers_note(s, now);
	k->out = f->out + (now - f->begin);
	s->handlers += took;
}

static void frame_pop(struct shadow *s, uint64_t now)
{
	struct shadow_stack *k = stack_now(s);
	struct shadow_frame f = k->frames[--k->count];
	uint64_t took = now - f.begin - (k->out - f.out);

	depth_end(s, k, &f);
	if (f.told)
		event_tell(s, SIM_RETURN, f.lane, now, 0);
	if (f.function != SHADOW_NONE)
		call_count(s, &f, took);
	if (f.handler)
		handler_end(s, k, &f, now, took);
}

/* The frame of a return, searched from the top; SIZE_MAX: none. */
static size_t frame_find(const struct shadow_stack *k, uint32_t to, uint32_t sp)
{
	for (size_t i = k->count; i-- > 0; ) {
		if (k->frames[i].sp == sp && k->frames[i].ret == to)
			return i;
		if (k->frames[i].sp > sp + SHADOW_NEAR)
			break;
	}
	return SIZE_MAX;
}

/* --- stacks ----------------------------------------------------------------------------------- */

/* In the lane of the handlers nobody is away: what is open there is told to end. */
static void stack_leave(struct shadow *s, uint64_t now, uint8_t next)
{
	struct shadow_stack *k = stack_now(s);

	for (size_t i = k->count; k->handlers && i-- > 0 && k->frames[i].lane == LANE_HANDLERS; ) {
		if (k->frames[i].told)
			event_tell(s, SIM_RETURN, LANE_HANDLERS, now, 0);
		k->frames[i].told = false;
	}
	event_tell(s, SIM_AWAY, stack_lane(s->current), now, next);
	k->away = now;
}

static void stack_switch(struct shadow *s, size_t next, uint64_t now)
{
	struct shadow_stack *k = &s->stacks[next];

	stack_leave(s, now, stack_lane(next));
	depth_leave(s, stack_now(s));
	s->current = next;
	depth_resume(s);
	k->out += now - k->away;
	handlers_note(s, now);
}

static bool stack_new(struct shadow *s, uint64_t now)
{
	if (s->stack_count == SHADOW_STACKS)
		return false;
	s->stacks[s->stack_count].away = now;
	stack_switch(s, s->stack_count++, now);
	return true;
}

/* --- calls that another follows --------------------------------------------------------------- */

void shadow_enter(struct shadow *s, const struct shadow_entry *e, uint64_t now)
{
	frame_push(s, &(struct shadow_frame){ .from = e->from, .function = e->function,
					      .begin = now, .handler = e->handler,
					      .apart = e->apart, .base = e->base,
					      .low = e->sp });
}

void shadow_leave(struct shadow *s, uint64_t now)
{
	if (stack_now(s)->count)
		frame_pop(s, now);
}

void shadow_stack(struct shadow *s, size_t stack, uint64_t now)
{
	if (stack >= SHADOW_STACKS || stack == s->current)
		return;
	for (; s->stack_count <= stack; s->stack_count++)
		s->stacks[s->stack_count].away = now;
	stack_switch(s, stack, now);
}

/* --- what the instructions do ----------------------------------------------------------------- */

void shadow_call(struct shadow *s, uint32_t to, uint32_t ret, uint32_t sp, uint64_t now)
{
	struct shadow_frame f = { .from = ret, .sp = sp, .ret = ret, .begin = now,
				  .base = sp + s->depths.word, .low = sp };

	f.function = function_at(s, to);
	if (f.function != SHADOW_NONE)
		frame_push(s, &f);
}

void shadow_settle(struct shadow *s, uint32_t at, uint64_t now)
{
	struct shadow_frame *f = frame_top(stack_now(s));

	(void)now;
	f->function = function_at(s, at);
	if (f->function == SHADOW_NONE)
		f->function = 0;
	frame_tell(s, f);
}

void shadow_jump(struct shadow *s, uint32_t from, uint32_t to, uint32_t sp, uint64_t now)
{
	struct shadow_frame *top = frame_top(stack_now(s)), f;
	uint32_t function = function_at(s, to);

	if (!top || function == SHADOW_NONE)
		return;
	if (top->function == SHADOW_NONE) {
		shadow_settle(s, to, now);
		return;
	}
	if (entry_of(s, function) != to || top->sp != sp ||
	    function == top->function || function_at(s, from) != top->function ||
	    top->handler)
		return;
	f = *top;
	frame_pop(s, now);
	f.function = function;
	f.begin = now;
	f.low = sp;
	frame_push(s, &f);
}

/*
 * A return into a function that is open further out, of no frame: a longjmp. How many frames stay;
 * 0: it is none.
 */
static size_t jump_find(const struct shadow *s, const struct shadow_stack *k, uint32_t to,
			uint32_t sp)
{
	uint32_t function = function_at(s, to);
	size_t count = k->count;

	while (count && k->frames[count - 1].sp <= sp)
		count--;
	return count && count < k->count && k->frames[count - 1].function == function ? count : 0;
}

static void frames_pop(struct shadow *s, size_t left, uint64_t now)
{
	while (stack_now(s)->count > left)
		frame_pop(s, now);
}

/* Nobody returns from it. */
static void task_begin(struct shadow *s, uint32_t to, uint32_t sp, uint64_t now)
{
	struct shadow_frame f = { .sp = UINT32_MAX, .begin = now, .base = sp, .low = sp };

	f.function = function_at(s, to);
	if (f.function != SHADOW_NONE)
		frame_push(s, &f);
}

void shadow_return(struct shadow *s, uint32_t to, uint32_t sp, uint64_t now)
{
	struct shadow_stack *k = stack_now(s);
	const struct shadow_frame *top = frame_top(k);
	size_t at = frame_find(k, to, sp), left;

	for (size_t i = 0; at == SIZE_MAX && i < s->stack_count; i++) {
		if (i == s->current || (at = frame_find(&s->stacks[i], to, sp)) == SIZE_MAX)
			continue;
		stack_switch(s, i, now);
	}
	if (at != SIZE_MAX)
		frames_pop(s, at, now);
	else if ((left = jump_find(s, k, to, sp)))
		frames_pop(s, left, now);
	else if (top && sp <= top->sp && top->sp - sp < SHADOW_NEAR)
		shadow_jump(s, to, to, top->sp, now);	/* to what was pushed */
	else if (stack_new(s, now))
		task_begin(s, to, sp + s->depths.word, now);
}

void shadow_interrupt(struct shadow *s, uint32_t ret, uint32_t sp, uint64_t now)
{
	struct shadow_frame f = { .sp = sp, .ret = ret, .begin = now, .handler = true,
				  .function = SHADOW_NONE, .low = sp,
				  .base = sp + s->depths.word };

	frame_push(s, &f);
}

void shadow_sleep(struct shadow *s, uint64_t ticks)
{
	s->asleep += ticks;
	stack_now(s)->out += ticks;
}

/*
 * What a stack began with, main or a task's function, does not return as a rule: its time up to now
 * is told with the calls that did.
 */
static void root_tell(struct shadow *s, const struct shadow_stack *k, uint64_t now)
{
	const struct shadow_frame *f = k->frames;
	uint64_t away = k == stack_now(s) ? 0 : now - k->away;
	struct pack_row *known, row;
	uint64_t took;

	if (!k->count || f->handler || !(known = row_of(s, f)))
		return;
	took = now - f->begin - (k->out + away - f->out);
	row = *known;
	row.calls++;
	row.total += took;
	row.min = took < row.min ? took : row.min;
	row.max = took > row.max ? took : row.max;
	row.bucket[sim_bucket(s->hz, took)]++;
	pack_rows(s->pack, &row, 1);
	s->rooted[known - s->rows] = 1;
}

static void rows_tell(struct shadow *s)
{
	for (size_t i = 0, n; i < s->row_count; i += n) {
		struct pack_row rows[64];
		size_t count = 0;

		for (n = 0; n < 64 && i + n < s->row_count; n++)
			if (s->rows[i + n].calls && !s->rooted[i + n])
				rows[count++] = s->rows[i + n];
		if (count)
			pack_rows(s->pack, rows, count);
	}
}

void shadow_tell(struct shadow *s, uint64_t now, double pace)
{
	pack_flush(s->pack);
	pack_status(s->pack, now, s->asleep, s->handlers, pace);
	if (s->row_count)
		memset(s->rooted, 0, s->row_count);
	for (size_t i = 0; i < s->stack_count; i++)
		root_tell(s, &s->stacks[i], now);
	rows_tell(s);
	depth_tell(s);
}
