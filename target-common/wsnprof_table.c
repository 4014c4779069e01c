/* wsnprof_table: the slow paths, and on and off. */
#include <stddef.h>
#include <string.h>

#include "wsnprof_table.h"

struct wsnprof_table wsnprof_table;
volatile uint8_t wsnprof_running;

struct wsnprof_site *wsnprof_site_find(wsnprof_address from, wsnprof_address to)
{
	struct wsnprof_table *t = &wsnprof_table;
	uint16_t b = wsnprof_bucket(from, to);
	struct wsnprof_site *site;

	while (t->buckets[b] != &t->spill) {
		if (wsnprof_is(t->buckets[b], from, to))
			return t->buckets[b];
		b = (b + 1) & (WSNPROF_BUCKETS - 1);
	}
	if (t->count == WSNPROF_SITES)
		return &t->spill;
	site = &t->sites[t->count++];
	site->from = from;
	site->to = to;
	t->buckets[b] = site;
	return site;
}

/* A spilled call has lost its key: it is taken for the one that ends, as the topmost such frame is. */
struct wsnprof_frame *wsnprof_unwind(wsnprof_address from, wsnprof_address to)
{
	struct wsnprof_table *t = &wsnprof_table;
	struct wsnprof_frame *frame = t->top;

	while (frame-- > t->stack)
		if (frame->site == &t->spill || wsnprof_is(frame->site, from, to)) {
			t->cut += (uint16_t)(t->top - 1 - frame);
			return frame;
		}
	return NULL;
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
	t->top = t->stack;
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
		t->top = t->stack;
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
