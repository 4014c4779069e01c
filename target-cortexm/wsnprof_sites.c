#include <stddef.h>

#include "wsnprof_clock.h"

#if WSNPROF_SITES > 0

/* Call sites from here on are no addresses but EXC_RETURN: the function is a handler. */
#define EXC_RETURN 0xffffff00u

#if WSNPROF_LEVEL == 0
/* --- level 0: calls alone ------------------------------------------------------------------ */

void wsnprof_enter_slow(uint32_t function, uint32_t site, uint32_t stamp, uint32_t sp)
{
	wsnprof_mask mask = wsnprof_lock();
	uint32_t *row;

	(void)stamp;
	(void)sp;
	if (wsnprof_on) {
		row = wsnprof_site_row(site < EXC_RETURN ? site : 0, function);
		++*(row ? row + WSNPROF_CALLS : &wsnprof_counts.table_full);
	}
	wsnprof_unlock(mask);
}

/* So that the hook finds nothing while profiling is off, and again what was there. */
static WSNPROF_QUIET void sites_flip(void)
{
	for (unsigned slot = 0; slot < WSNPROF_SITES; slot++)
		wsnprof_sites[slot * WSNPROF_SITE_WORDS + WSNPROF_SITE] ^= 1;
}

void wsnprof_sites_start(void)
{
	sites_flip();
}

void wsnprof_sites_stop(void)
{
	sites_flip();
}

#else
/* --- levels 1 to 3: the shadow stack ------------------------------------------------------- */

/* Where lr is in the words at `sp`: r4 to r10, on v6-M r4 to r7, lie before it. */
#define LR_WORD (WSNPROF_THUMB1 ? 4 : 7)

/* A row that fits no function: below the first frame, and for uncounted calls. */
static const uint32_t no_function[2];

struct wsnprof_frame wsnprof_frames[WSNPROF_FRAMES(WSNPROF_STACK)];
uint16_t wsnprof_level;

/* WSNPROF_AS: the exit hook knows a frame by its sp alone, and must not take the marker for one. */
#define MARKER(sp) (WSNPROF_AS ? (sp) >> 2 : (sp))

/* More calls than frames: the marker is there. */
WSNPROF_INLINE bool has_uncounted_calls(void)
{
	return wsnprof_hook.top > wsnprof_hook.limit;
}

/* An end of the segment that is searched: everything else in it has the same stack. */
WSNPROF_INLINE bool is_edge(const struct wsnprof_frame *f)
{
	return f->sp & WSNPROF_EDGE;
}

/* The frame is not there any more; a call that was under way is cut off. */
WSNPROF_INLINE void frame_drop(void)
{
	wsnprof_hook.top--;
	wsnprof_counts.cut++;
}

struct wsnprof_frame *wsnprof_first_handler(void)
{
	struct wsnprof_frame *f = wsnprof_hook.top;
	struct wsnprof_frame *first = f;

	while ((--f)->row != no_function) {
		if (is_edge(f))
			first = f;
	}
	return first;
}

/*
 * The thread runs: no handler is under way. Frames of one that never left are dropped, and what
 * it called.
 */
static WSNPROF_QUIET void handlers_leave(void)
{
	if (wsnprof_level == 0)
		return;
	if (has_uncounted_calls())
		wsnprof_hook.top = wsnprof_hook.limit;
	struct wsnprof_frame *first = wsnprof_first_handler();
	wsnprof_counts.cut += (uint32_t)(wsnprof_hook.top - first);
	wsnprof_hook.top = first;
	wsnprof_level = 0;
}

/*
 * The stack is full. A frame whose sp is not above that of a call made later, on the same stack,
 * has been left by a longjmp: drop all of those. Walks from the youngest to the edge; the kept
 * ones move down. True: there is room.
 */
static WSNPROF_QUIET bool frames_drop_stale(uint32_t sp)
{
	struct wsnprof_frame *top = wsnprof_hook.top;
	struct wsnprof_frame *first = top;

	while (!is_edge(first - 1)) {
		first--;
		if (first->sp > sp)
			sp = first->sp;
		else
			first->row = NULL;
	}
	struct wsnprof_frame *to = first;
	for (struct wsnprof_frame *f = first; f < top; f++) {
		if (f->row)
			*to++ = *f;
	}
	wsnprof_counts.cut += (uint32_t)(top - to);
	wsnprof_hook.top = to;
	return to < top;
}

/* A frame for this call. False: there is none, a marker for the first such call is left. */
static WSNPROF_QUIET bool frame_push(uint32_t stamp, uint32_t *row, uint32_t sp, uint32_t own_sp)
{
	if (!has_uncounted_calls()) {
		bool room = wsnprof_hook.top < wsnprof_hook.limit || frames_drop_stale(own_sp);
		struct wsnprof_frame *f = wsnprof_hook.top++;

		f->start = stamp;
		f->row = room ? row : (uint32_t *)no_function;
		f->sp = room ? sp : MARKER(own_sp);
		if (room)
			return true;
	}
	wsnprof_counts.stack_full++;
	return false;
}

#if WSNPROF_AS
/* Of calls that found no room in the table; the short way may write it. */
static uint32_t no_row[WSNPROF_SITE_WORDS];

/* The last frame of a counted call. */
WSNPROF_INLINE struct wsnprof_frame *frames_end(void)
{
	return has_uncounted_calls() ? wsnprof_hook.limit : wsnprof_hook.top;
}

/*
 * The exit hook takes back what its call's enter hook took: until then, the time of each open call
 * is ahead by that.
 */
static WSNPROF_QUIET uint32_t stamp_ahead(uint32_t stamp, const struct wsnprof_frame *end)
{
	int32_t ahead = (int32_t)(wsnprof_hook.cost / 2) * (int32_t)(frames_end() - end);

	return WSNPROF_COUNTS_DOWN ? stamp - (uint32_t)ahead : stamp + (uint32_t)ahead;
}
#endif

/* `function`, `site`: of the call's row. */
static WSNPROF_QUIET void call_enter(uint32_t function, uint32_t site, uint32_t stamp, uint32_t sp)
{
	uint32_t exception = wsnprof_exception();
	uint32_t mark = sp;
	uint32_t *row;

	if (!wsnprof_on)
		return;
	if (exception == 0) {
		handlers_leave();
	} else if (exception != wsnprof_level || site >= EXC_RETURN) {
		site = 0;
		mark = (uint32_t)wsnprof_level << 2 | WSNPROF_EDGE;
	}
	row = wsnprof_site_row(site, function);
	if (!row) {
		wsnprof_counts.table_full++;
#if WSNPROF_AS
		/* its frame tells that this call returns, not its caller */
		if (!frame_push(stamp, no_row, mark, sp))
			wsnprof_counts.stack_full--;
		else if (site == 0)
			wsnprof_level = (uint16_t)exception;
#endif
		return;
	}
	if (frame_push(stamp, row, mark, sp) && site == 0)
		wsnprof_level = (uint16_t)exception;
}

#if WSNPROF_AS
uint32_t wsnprof_enter_slow(uint32_t function, uint32_t site, uint32_t stamp, uint32_t sp)
{
	const struct wsnprof_frame *end = frames_end();

	call_enter(function, site, stamp, sp);
	return stamp_ahead(stamp, end);
}
#else
void wsnprof_enter_slow(uint32_t function, uint32_t site, uint32_t stamp, uint32_t sp)
{
	call_enter(function, site, stamp, sp);
}
#endif

/* A handler returns: the time that it took did not pass for what it hit. */
static WSNPROF_QUIET uint32_t handler_exit(const struct wsnprof_frame *f, uint32_t stamp)
{
	uint32_t duration = wsnprof_since(f->start, stamp);
	uint32_t isr = wsnprof_counts.isr_low + duration;

	wsnprof_counts.isr_high += isr < duration;
	wsnprof_counts.isr_low = isr;
	wsnprof_level = (uint16_t)(f->sp >> 2);
	wsnprof_site_add(f->row, duration);
	return f->start;
}

#if WSNPROF_SYSTICK
void wsnprof_handler_delay(uint32_t late)
{
	struct wsnprof_frame *f = wsnprof_hook.top;

	if (!wsnprof_on || wsnprof_level != WSNPROF_EXCEPTION_SYSTICK)
		return;
	do
		(--f)->start += late;
	while (!is_edge(f));
}
#endif

/*
 * Whose exit is it? At an ordinary exit sp is what it was at the function's entry (or lower:
 * alloca). When the compiler jumps to the hook instead (lr is the call site), its frame is gone
 * and sp is higher, but not above what it was at the entry of its caller. So frames with a lower
 * sp have been left by a longjmp, but for the last of them when jumped to.
 *
 *	sp		   high						    low
 *	frames		   | A		| B		| C  (top)
 *	exit of B		        ^ ordinary: C is stale
 *	exit of B	                ...^ jumped to: C is stale, B is not above, A is
 */
static WSNPROF_QUIET struct wsnprof_frame *frame_of_exit(uint32_t sp, bool jumped)
{
	struct wsnprof_frame *f = wsnprof_hook.top - 1;

	while (!is_edge(f) && f->sp < sp && !(jumped && (is_edge(f - 1) || f[-1].sp >= sp))) {
		frame_drop();
		f--;
	}
	return f;
}

/* With calls too many: is this the exit of one of them? */
#if WSNPROF_AS
static WSNPROF_QUIET bool is_uncounted_exit(uint32_t sp)
{
	if (!has_uncounted_calls())
		return false;
	if (wsnprof_hook.limit->sp >= MARKER(sp))
		return true;		/* the marker may stay: there is no room but for its call */
	wsnprof_hook.top = wsnprof_hook.limit;
	return false;
}
#else
static WSNPROF_QUIET bool is_uncounted_exit(uint32_t sp, bool jumped)
{
	if (!has_uncounted_calls())
		return false;
	uint32_t first = wsnprof_hook.limit->sp;
	if (first > sp || (first == sp && jumped))
		return true;
	wsnprof_hook.top = wsnprof_hook.limit;
	return first == sp;
}
#endif

#if WSNPROF_AS
uint32_t wsnprof_exit_slow(uint32_t stamp, uint32_t sp)
{
	const struct wsnprof_frame *end = frames_end();
	uint32_t exception = wsnprof_exception();
	struct wsnprof_frame *f;

	if (!wsnprof_on)
		return stamp;
	if (exception == 0)
		handlers_leave();
	if (exception != wsnprof_level || is_uncounted_exit(sp))
		return stamp_ahead(stamp, end);
	f = frame_of_exit(sp, false);
	if (f->row == no_function)
		return stamp_ahead(stamp, end);
	if (is_edge(f)) {
		wsnprof_hook.top = f;
		return handler_exit(f, stamp);
	}
	if (WSNPROF_THUMB1 || f->sp == sp) {
		wsnprof_hook.top = f;
		wsnprof_site_add(f->row, wsnprof_since(f->start, stamp));
	}
	return stamp_ahead(stamp, end);
}
#else
uint32_t wsnprof_exit_slow(uint32_t function, uint32_t site, uint32_t stamp, uint32_t sp)
{
	bool jumped = ((const uint32_t *)sp)[LR_WORD] == site;
	uint32_t exception = wsnprof_exception();

	if (!wsnprof_on)
		return stamp;
	if (exception == 0)
		handlers_leave();
	if (exception != wsnprof_level || is_uncounted_exit(sp, jumped))
		return stamp;

	struct wsnprof_frame *f = frame_of_exit(sp, jumped);
	if (f->row[WSNPROF_FUNCTION] != function)
		return stamp;
	if (is_edge(f)) {
		wsnprof_hook.top = f;
		return handler_exit(f, stamp);
	}
	if (f->row[WSNPROF_SITE] == site && (f->sp < sp) == jumped) {
		wsnprof_hook.top = f;
		wsnprof_site_add(f->row, wsnprof_since(f->start, stamp));
	}
	return stamp;
}
#endif

/* --- on, off ------------------------------------------------------------------------------- */

struct wsnprof_frame *wsnprof_stack_empty(struct wsnprof_frame *frame)
{
	frame->row = (uint32_t *)no_function;
	frame->sp = WSNPROF_EDGE;
	return frame + 1;
}

void wsnprof_sites_start(void)
{
	wsnprof_level = 0;
	wsnprof_hook.limit = wsnprof_frames + 1 + WSNPROF_STACK;
	wsnprof_hook.top = wsnprof_stack_empty(wsnprof_frames);
#if WSNPROF_TASKS
	wsnprof_tasks_start();
#endif
}

void wsnprof_sites_stop(void)
{
	wsnprof_hook.limit = NULL;
#if WSNPROF_AS_V7M
	wsnprof_hook.top = (struct wsnprof_frame *)wsnprof_no_frame + 1;
#else
	wsnprof_hook.top = NULL;
#endif
}
#endif

#endif
