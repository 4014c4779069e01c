#include "observer.h"

#include <stdio.h>
#include <stdlib.h>

static struct task *task_current(struct observer *o)
{
	return &o->task[o->current];
}

static struct frame *frame_top(struct observer *o)
{
	struct task *t = task_current(o);

	return &t->stack[t->depth - 1];
}

/* --- events ----------------------------------------------------------------------------------- */

/* Of the one that begins without what it follows itself. */
uint8_t observer_lane(const struct observer *o)
{
	const struct task *t = &o->task[o->current];
	uint8_t handlers = 0;
	bool in_handler = false, follows = false;

	for (size_t i = 0; i < t->depth; i++) {
		if (t->stack[i].handler) {
			handlers += in_handler && follows;
			in_handler = true;
			follows = false;
		}
		follows |= t->stack[i].traced != 0;
	}
	return handlers + in_handler;
}

static void event_tell_at(struct observer *o, enum truth_event type, const struct frame *f,
			  uint16_t id, uint64_t clock)
{
	if (o->event)
		o->event(o, type, f, id, clock);
}

/* A function begins in this frame, at its first instruction. */
static void event_begin(struct observer *o, struct frame *f)
{
	f->traced = f->function ? f->function->id : 0;
	if (f->traced)
		event_tell_at(o, TRUTH_CALL, f, f->traced, o->clock);
}

static void event_end(struct observer *o, struct frame *f, enum truth_event type)
{
	if (f->traced)
		event_tell_at(o, type, f, f->traced, o->clock);
	f->traced = 0;
}

/* --- frames ----------------------------------------------------------------------------------- */

/* Credit the instructions since the last change to what was under way. */
static void time_settle(struct observer *o)
{
	const struct frame *f = frame_top(o);

	if (f->in_hook)
		o->hooks += o->clock - o->settled;
	else
		task_current(o)->own[f->level] += o->clock - o->settled;
	o->settled = o->clock;
}

static struct frame *frame_push(struct observer *o, struct function *function, uint32_t from)
{
	struct task *t = task_current(o);
	const struct frame *below = t->depth ? frame_top(o) : NULL;

	if (t->depth == OBSERVER_DEPTH) {
		fprintf(stderr, "truth: more than %d calls deep\n", OBSERVER_DEPTH);
		exit(1);
	}
	if (below)
		time_settle(o);
	struct frame *f = &t->stack[t->depth++];

	*f = (struct frame){
		.function = function,
		.from = from,
		.level = below ? below->level : 0,
		.in_hook = below && below->in_hook,
	};
	f->called = t->own[f->level];
	return f;
}

/* --- instrumented calls ----------------------------------------------------------------------- */

/* The enter hook returns: `hook` was its frame, f has called it. */
static void timed_begin(struct observer *o, struct frame *f, const struct frame *hook)
{
	f->instrumented = true;
	f->era = o->running ? o->era : 0;
	f->own = task_current(o)->own[f->level];
	f->other = hook->other;
	f->ended = task_current(o)->ended[f->level];
}

/* The exit hook begins: `hook` is its frame, f has called it. */
static void timed_end(struct observer *o, const struct frame *f, struct frame *hook)
{
	struct tally *site;

	hook->in_hook = true;
	hook->era = 0;
	if (f->era == 0 || f->era != o->era || !o->running)
		return;
	site = tally_at(&o->sites, f->from, f->function->address);
	span_add(&site->own, site->done, task_current(o)->own[f->level] - f->own);
	site->inner += task_current(o)->ended[f->level]++ - f->ended;
	site->count++;
	site->done++;
	hook->ends = f->function->address;
	hook->ends_from = f->from;
	hook->other = f->other;
	hook->own = task_current(o)->own[f->level] - f->own;
	hook->ended = task_current(o)->ended[f->level] - 1 - f->ended;
}

/* And it returns. What struck until now may have struck before it read the clock. */
static void timed_ended(struct observer *o, const struct frame *hook)
{
	struct tally *site = tally_at(&o->sites, hook->ends_from, hook->ends);

	uint64_t other = task_current(o)->other[hook->level] - hook->other;
	size_t number = (size_t)(site - o->sites.row);
	struct tally *took = tally_at(&o->took, (uint32_t)number, (uint32_t)hook->own);

	span_add(&site->other, site->done, other);
	span_add(&took->other, took->count++, other);
	if (hook->ended > took->inner)
		took->inner = hook->ended;
}

/* --- calls and returns ------------------------------------------------------------------------ */

/*
 * A function begins in frame f, called by `caller` (the frame below, or what f was before it
 * jumped).
 */
static void function_begin(struct observer *o, struct frame *f, struct frame *caller,
			   uint32_t behind)
{
	if (!f->function)
		return;
	switch (f->function->role) {
	case ROLE_MCOUNT:
		if (o->running)
			tally_at(&o->arcs, caller->from, behind)->count++;
		f->in_hook = true;
		break;
	case ROLE_EXIT:
		timed_end(o, caller, f);
		caller->era = 0;
		break;
	case ROLE_ENTER:
		f->in_hook = f->enters = true;
		f->other = task_current(o)->other[f->level];
		break;
	case ROLE_COUNT:
		if (o->running)
			tally_at(&o->sites, caller->from, caller->function->address)->count++;
		/* fall through */
	case ROLE_TRACE_ENTER:
	case ROLE_TRACE_EXIT:
		f->in_hook = true;
		break;
	default:
		tally_at(&o->calls, f->from, f->function->address)->count++;
	}
}

static void call_begin(struct observer *o, const struct insn *insn, const struct insn *left)
{
	struct frame *f = frame_push(o, insn->function, left->end);

	if (insn_begins_function(insn))
		event_begin(o, f);
	if (f->function && f->function->role == ROLE_TRACE_EXIT)
		event_end(o, f - 1, TRUTH_RETURN);
	function_begin(o, f, f - 1, left->end);
}

static void frame_pop(struct observer *o)
{
	struct frame *f = frame_top(o);

	event_end(o, f, TRUTH_RETURN);
	time_settle(o);
	if (f->ends)
		timed_ended(o, f);
	if (f->function && f->function->role == ROLE_PLAIN && !f->handler) {
		struct tally *t = tally_at(&o->calls, f->from, f->function->address);

		span_add(&t->own, t->done++, task_current(o)->own[f->level] - f->called);
	}
	task_current(o)->depth--;
	if (f->enters)
		timed_begin(o, f - 1, f);
}

/*
 * A jump to a function's first instruction: it takes the frame over, and returns to the same
 * address.
 */
static void jump_begin(struct observer *o, const struct insn *insn, const struct insn *left)
{
	struct frame *f = frame_top(o), before = *f;

	time_settle(o);
	if (insn->function->role != ROLE_TRACE_EXIT)	/* that returns for it */
		event_end(o, f, TRUTH_RETURN);
	f->function = insn->function;
	if (insn->function->id)
		event_begin(o, f);
	if (insn->function->role == ROLE_EXIT) {
		timed_end(o, &before, f);
		return;
	}
	f->era = 0;
	function_begin(o, f, &before, left->end);
}

/* Drop frames until `depth` are left. */
static void frames_unwind(struct observer *o, size_t depth)
{
	while (task_current(o)->depth > depth) {
		o->cut += frame_top(o)->era != 0;
		event_end(o, frame_top(o), TRUTH_CUT);
		time_settle(o);
		task_current(o)->depth--;
	}
}

/* A return that is not the newest call's: of an older one, or into one's middle by longjmp. */
static void return_settle(struct observer *o, const struct insn *insn)
{
	const struct frame *stack = task_current(o)->stack;
	size_t i;

	for (i = task_current(o)->depth; i-- > 1 && !stack[i].handler;)
		if (stack[i].from == insn->address) {
			frames_unwind(o, i);
			return;
		}
	for (i = task_current(o)->depth; i-- > 0;) {
		if (stack[i].function == insn->function) {
			frames_unwind(o, i + 1);
			return;
		}
		if (stack[i].handler)
			break;
	}
	o->strays++;
}

/* --- interrupts ------------------------------------------------------------------------------- */

static bool task_is_fresh(const struct observer *o)
{
	return o->next != o->current && !o->task[o->next].depth;
}

/*
 * `bx` of a register other than LR returns from a handler that told the next task, or to the first
 * instruction of a task that has not run yet: there calls may be open that never return.
 */
static bool exception_returns(struct observer *o, const struct insn *insn, const struct insn *left)
{
	const struct frame *f = frame_top(o);

	if (!left)
		return false;
	if (left->flow == FLOW_BX)
		return (f->handler && f->switches) ||
		       (f->level && task_is_fresh(o) && insn_begins_function(insn));
	return left->flow == FLOW_RETURN && f->handler;
}

/* The next return is to another task: `f` has what is open here; afterwards, what is open there. */
static void task_switch(struct observer *o, struct frame *f)
{
	struct task *t = task_current(o);

	event_tell_at(o, TRUTH_SWITCH, f, (uint16_t)o->next, o->struck);
	t->left = f->left;
	t->samples = f->samples;
	o->current = o->next;
	t = task_current(o);
	f->left = t->left;
	f->samples = t->samples;
	t->samples = 0;
	if (!t->depth)
		frame_push(o, NULL, 0);
}

/*
 * A handler's frame goes. Who it interrupted goes on at `insn`; or that is where the next handler
 * begins, which takes its place. A handler that strikes between the telling of the first task, by
 * the main program, and the switch to it goes back to the main program: no function begins there.
 */
static struct frame handler_end(struct observer *o, const struct insn *insn)
{
	size_t depth = task_current(o)->depth;
	struct frame f;

	while (!task_current(o)->stack[depth - 1].handler)
		depth--;
	frames_unwind(o, depth);
	f = *frame_top(o);
	frame_pop(o);
	if (!f.instrumented)
		task_current(o)->other[frame_top(o)->level] += o->clock - f.begun;
	if (o->next != o->current && frame_top(o)->level == 0 &&
	    (f.switches || !task_is_fresh(o) ||
	     (insn_begins_function(insn) && !insn->function->handler))) {
		task_switch(o, &f);
		/* One part of it before the profiler was told, one after: either task's. */
		task_current(o)->other[0] += o->clock - f.begun;
	}
	return f;
}

static void handler_begin(struct observer *o, const struct insn *insn, const struct insn *left)
{
	struct frame before = { .left = left }, *f;

	/* Tail-chained: what is on the stack is what the one before interrupted. */
	if (exception_returns(o, insn, left))
		before = handler_end(o, insn);
	else if (frame_top(o)->level == 0)
		o->struck = o->clock;
	f = frame_push(o, insn->function, 0);
	if (f->level < OBSERVER_LEVELS - 1)
		f->level++;
	f->handler = true;
	f->in_hook = false;
	f->left = before.left;
	f->samples = before.samples + (o->running && insn->function->sampler);
	f->begun = o->clock;
	event_begin(o, f);
	tally_at(&o->interrupts, 0, insn->address)->count++;
}

/*
 * Out of a handler, to what it interrupted or to another task. The branch that was under way, if
 * any.
 */
static const struct insn *handler_return(struct observer *o, const struct insn *insn)
{
	struct frame f = handler_end(o, insn);

	if (!frame_top(o)->function) {
		frame_top(o)->function = insn->function;	/* a task's first instruction */
		event_begin(o, frame_top(o));
	}
	if (f.samples)
		tally_at(&o->samples, 0, insn->address)->count += f.samples;
	return f.left;
}

/* --- the flow --------------------------------------------------------------------------------- */

static bool flow_is_indirect(const struct insn *left)
{
	return left->flow == FLOW_RETURN || left->flow == FLOW_JUMP || left->flow == FLOW_BX;
}

/* `left` jumped to `insn` without calling. */
static void jump_or_return(struct observer *o, const struct insn *insn, const struct insn *left)
{
	const struct frame *f = frame_top(o);

	if (flow_is_indirect(left)) {
		if (!f->handler && f->from == insn->address && f->from) {
			frame_pop(o);
			return;
		}
	}
	if (insn->function == f->function) {
		/* it calls itself, at its end */
		if (f->function && f->function->id && insn_begins_function(insn)) {
			event_end(o, frame_top(o), TRUTH_RETURN);
			event_begin(o, frame_top(o));
		}
		return;
	}
	if (insn_begins_function(insn) &&
	    (insn->function->role == ROLE_ENTER || insn->function->role == ROLE_COUNT))
		call_begin(o, insn, left);	/* with ip for lr: it comes back */
	else if (insn_begins_function(insn))
		jump_begin(o, insn, left);
	else if (flow_is_indirect(left))
		return_settle(o, insn);
}

/* One instruction that jumps to itself is what most fault handlers are. */
static bool handler_repeats(struct observer *o, const struct insn *insn, const struct insn *left)
{
	const struct frame *f = frame_top(o);

	return left && left->function == insn->function && f->handler &&
	       f->function == insn->function && !exception_returns(o, insn, left);
}

/* Within the function that is on top: what most runs are, asked first. */
static bool run_stays(const struct observer *o, const struct insn *insn, const struct insn *left)
{
	const struct task *t = &o->task[o->current];

	return left && left->flow == FLOW_BRANCH && t->depth &&
	       t->stack[t->depth - 1].function == insn->function && !insn_begins_function(insn);
}

static __attribute__((noinline)) void run_begin(struct observer *o, const struct insn *insn,
						const struct insn *left)
{
	if (!task_current(o)->depth) {
		frame_push(o, insn->function, 0);
		return;
	}
	if (insn_begins_function(insn) && insn->function->handler) {
		if (!handler_repeats(o, insn, left))
			handler_begin(o, insn, left);
		return;
	}
	if (exception_returns(o, insn, left) && insn->address != left->end)
		left = handler_return(o, insn);
	if (!left || (insn->address == left->end &&
		      !(left->flow == FLOW_CALL && insn_begins_function(insn))))
		return;
	if (left->flow == FLOW_CALL)
		call_begin(o, insn, left);
	else
		jump_or_return(o, insn, left);
}

void observer_arrive(struct observer *o, const struct insn *insn)
{
	const struct insn *left = o->left;

	o->left = NULL;
	if (!run_stays(o, insn, left))
		run_begin(o, insn, left);
}

void observer_leave(struct observer *o, const struct insn *insn)
{
	o->left = insn;
}

void observer_next(struct observer *o, size_t task)
{
	struct task *t = task_current(o);

	if (task >= OBSERVER_TASKS) {
		fprintf(stderr, "truth: more than %d tasks\n", OBSERVER_TASKS);
		exit(1);
	}
	o->next = task;
	for (size_t i = t->depth; i-- > 0;) {
		if (t->stack[i].handler) {
			t->stack[i].switches = true;
			break;
		}
	}
}

void observer_run(struct observer *o, bool running)
{
	if (running == o->running)
		return;
	o->running = running;
	if (running) {
		o->era++;
		o->ran_since = o->clock;
	} else {
		o->ran += o->clock - o->ran_since;
	}
}
