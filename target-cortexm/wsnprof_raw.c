/*
 * wsnprof_raw: the stream of the gprof thesis (WSNPROF_RAW): 'A' from to, 'P' pc, addresses 4
 * bytes, high byte first. No tables, no frames: wsnprof_poll() is not to be called, and the
 * application's text would be taken for packets.
 *
 * Nothing waits: a packet that finds no room is dropped whole, and counted.
 */
#include "wsnprof_cache.h"
#include "wsnprof_cortexm.h"
#include "wsnprof_ring.h"

#if WSNPROF_RAW

/* Interrupts are off. */
static WSNPROF_QUIET void byte_put(uint8_t byte)
{
	struct wsnprof_ring *r = &wsnprof_ring;

	r->text[r->head] = byte;
	r->head = wsnprof_ring_next(r->head);
}

static WSNPROF_QUIET void address_put(uint32_t address)
{
	address &= ~1u;
	for (int shift = 24; shift >= 0; shift -= 8)
		byte_put((uint8_t)(address >> shift));
}

static WSNPROF_QUIET bool packet_fits(unsigned bytes)
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
	if (packet_fits(to ? 9 : 5)) {
		byte_put(to ? 'A' : 'P');
		address_put(from);
		if (to)
			address_put(to);
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
