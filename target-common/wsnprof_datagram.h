/*
 * wsnprof_datagram: for a node that sends datagrams itself: UDP, CoAP's payload, a radio. In place
 * of a transmit function:
 *
 *	void wsnprof_kick(void) { }
 *
 *	while (wsnprof_poll())			when the network may be used
 *		;
 *	n = 0;
 *	while ((got = wsnprof_take_frame(packet + n, sizeof(packet) - n)) > 0) {
 *		n += got;
 *		wsnprof_poll();			makes the next one
 *	}
 *	if (n)
 *		udp_send(packet, n);
 *
 * All in this header: who does not include it pays nothing.
 */
#ifndef WSNPROF_DATAGRAM_H
#define WSNPROF_DATAGRAM_H

#include "wsnprof_ring.h"

/*
 * The next frame, whole, at `to`: its bytes. Text that was put before it comes first, as much as
 * has room. 0: there is none, or it has no room in `size`; in WSNPROF_FRAME bytes any has. From
 * where wsnprof_poll() is called; nothing else takes bytes.
 */
WSNPROF_INLINE uint16_t wsnprof_take_frame(uint8_t *to, uint16_t size)
{
	const struct wsnprof_ring *r = &wsnprof_ring;
	uint16_t n = 0;

	while (n < size) {
		uint8_t whole = r->end;
		int16_t byte;

#if WSNPROF_RING > 0
		if (whole && r->tail == r->stop && r->at == 0 && (uint16_t)(size - n) < whole)
			break;
#else
		if (whole && r->at == 0 && (uint16_t)(size - n) < whole)
			break;
#endif
		byte = wsnprof_take();
		if (byte < 0)
			break;
		to[n++] = (uint8_t)byte;
		if (whole && !r->end)
			break;
	}
	return n;
}

#endif
