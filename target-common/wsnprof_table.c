/* wsnprof_table: the slow paths, and on and off. */
#include <stddef.h>
#include <string.h>

#include "wsnprof_table.h"

struct wsnprof_table wsnprof_table;
volatile uint8_t wsnprof_running;

static WSNPROF_QUIET bool is(const struct wsnprof_site *site, wsnprof_address from,
			     wsnprof_address to)
{
	return site->from == from && site->to == to;
}

/*
 * Found further on than its first bucket, or made; the spill site when the table is full. A site
 * found changes places with the one in its first bucket: whichever is called more is quick.
 * (Nothing is ever removed, so every bucket from the first to where the other goes stays taken.)
 */
static WSNPROF_QUIET struct wsnprof_site *find(wsnprof_address from, wsnprof_address to)
{
	struct wsnprof_table *t = &wsnprof_table;
	uint16_t first = wsnprof_bucket(from, to);
	uint16_t b = first;
	struct wsnprof_site *site;

	for (; t->buckets[b] != &t->spill; b = (b + 1) & (WSNPROF_BUCKETS - 1)) {
		site = t->buckets[b];
		if (is(site, from, to)) {
			t->buckets[b] = t->buckets[first];
			t->buckets[first] = site;
			return site;
		}
	}
	if (t->count == WSNPROF_SITES)
		return &t->spill;
	site = &t->sites[t->count++];
	site->from = from;
	site->to = to;
	t->buckets[b] = site;
	return site;
}

void wsnprof_enter_slowly(wsnprof_address from, wsnprof_address to, uint8_t lock)
{
	struct wsnprof_table *t = &wsnprof_table;
	struct wsnprof_frame *frame = t->top;

	if (frame >= WSNPROF_STACK_END) {
		t->top = WSNPROF_STACK_END + 1;
		t->deep++;
		t->lost_deep++;
	} else {
		frame->site = find(from, to);
		t->top = frame + 1;
		frame->since = wsnprof_now();
	}
	wsnprof_unlock(lock);
}

/*
 * The frame of the call that ends; those above it are cut. A spilled call has lost its key and is
 * taken for the one that ends. NULL: no such call was begun, or not since wsnprof_start().
 */
static WSNPROF_QUIET struct wsnprof_frame *unwind(wsnprof_address from, wsnprof_address to)
{
	struct wsnprof_table *t = &wsnprof_table;
	struct wsnprof_frame *frame = t->top;

	while (--frame >= WSNPROF_STACK_BASE)
		if (frame->site == &t->spill || is(frame->site, from, to)) {
			t->cut += (uint16_t)(t->top - 1 - frame);
			return frame;
		}
	return NULL;
}

void wsnprof_leave_slowly(wsnprof_address from, wsnprof_address to, uint32_t now, uint8_t lock)
{
	struct wsnprof_table *t = &wsnprof_table;
	struct wsnprof_frame *frame;

	if (t->deep) {
		if (--t->deep == 0)
			t->top = WSNPROF_STACK_END;
	} else {
		frame = unwind(from, to);
		if (frame) {
			t->top = frame;
			wsnprof_site_add(frame->site, now - frame->since);
		}
	}
	wsnprof_unlock(lock);
}

static WSNPROF_QUIET void site_clear(struct wsnprof_site *site)
{
	memset(site, 0, sizeof(*site));
	site->min = UINT16_MAX;
}

void wsnprof_reset(void)
{
	struct wsnprof_table *t = &wsnprof_table;
	bool was_running = wsnprof_running;
	uint16_t i;

	wsnprof_stop();			/* so that clearing needs no interrupts off */
	memset(t, 0, sizeof(*t));
	t->stack[0].site = &t->spill;
	t->stack[WSNPROF_STACK + 1].site = &t->spill;
	t->top = WSNPROF_STACK_BASE;
	site_clear(&t->spill);
	for (i = 0; i < WSNPROF_SITES; i++)
		site_clear(&t->sites[i]);
	for (i = 0; i < WSNPROF_BUCKETS; i++)
		t->buckets[i] = &t->spill;
	if (was_running)
		wsnprof_start();
}

void wsnprof_init(void)
{
	wsnprof_running = 0;
	wsnprof_clock_init();
	wsnprof_reset();
}

void wsnprof_start(void)
{
	struct wsnprof_table *t = &wsnprof_table;
	uint8_t lock = wsnprof_lock();

	if (!wsnprof_running) {
		t->top = WSNPROF_STACK_BASE;
		t->deep = 0;
		t->started = wsnprof_now();
		wsnprof_running = 1;
	}
	wsnprof_unlock(lock);
}

void wsnprof_stop(void)
{
	uint8_t lock = wsnprof_lock();

	if (wsnprof_running) {
		wsnprof_running = 0;
		wsnprof_table.ran += wsnprof_now() - wsnprof_table.started;
	}
	wsnprof_unlock(lock);
}

uint32_t wsnprof_ran(void)
{
	uint8_t lock = wsnprof_lock();
	uint32_t ran = wsnprof_table.ran;

	if (wsnprof_running)
		ran += wsnprof_now() - wsnprof_table.started;
	wsnprof_unlock(lock);
	return ran;
}
