/*
 * wsnprof_raw: the gprof thesis' stream (WSNPROF_RAW): 'A' from to, 'P' pc, addresses 4 bytes,
 * high byte first. No tables, no frames: wsnprof_poll() is not to be called, and the application's
 * text would be taken for packets.
 *
 * Nothing waits: a packet that finds no room is dropped whole, and counted.
 */
#include "wsnprof_cache.h"
#include "wsnprof_cortexm.h"
#include "wsnprof_ring.h"

#if WSNPROF_RAW

/* Interrupts are off. */
static WSNPROF_QUIET void put(uint8_t byte)
{
	struct wsnprof_ring *r = &wsnprof_ring;

	r->text[r->head] = byte;
	r->head = wsnprof_ring_next(r->head);
}

static WSNPROF_QUIET void put_address(uint32_t address)
{
	address &= ~1u;
	for (int shift = 24; shift >= 0; shift -= 8)
		put((uint8_t)(address >> shift));
}

static WSNPROF_QUIET bool fits(unsigned bytes)
{
	unsigned used = (wsnprof_ring.head + (unsigned)WSNPROF_RING - wsnprof_ring.tail) %
			WSNPROF_RING;

	return used + bytes < WSNPROF_RING;
}

void wsnprof_count(uint32_t from, uint32_t to)
{
	wsnprof_mask mask = wsnprof_lock();

	if (!wsnprof_on) {
		wsnprof_unlock(mask);
		return;
	}
	if (fits(to ? 9 : 5)) {
		put(to ? 'A' : 'P');
		put_address(from);
		if (to)
			put_address(to);
	} else {
		++*(to ? &wsnprof_counts.arcs_lost : &wsnprof_counts.pcs_lost);
	}
	wsnprof_unlock(mask);
	wsnprof_kick();
}

uint32_t wsnprof_raw_lost(void)
{
	return wsnprof_counts.arcs_lost + wsnprof_counts.pcs_lost;
}

#endif
