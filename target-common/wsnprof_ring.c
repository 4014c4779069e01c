/* wsnprof_ring: reserve, fill, release; a frame gets its number, CRC and COBS on the way in. */
#include "wsnprof_ring.h"

#ifndef wsnprof_crc
WSNPROF_INLINE uint16_t wsnprof_crc(uint16_t crc, uint8_t byte)
{
	uint8_t x = crc >> 8 ^ byte;

	x ^= x >> 4;
	return (uint16_t)(crc << 8 ^ x << 12 ^ x << 5 ^ x);
}
#endif

struct wsnprof_ring wsnprof_ring;
struct wsnprof_counts wsnprof_counts;

/* Free bytes. Without the lock it may be old by what interrupts put and take meanwhile. */
static WSNPROF_QUIET uint8_t ring_room(void)
{
	uint8_t head = wsnprof_ring.head;
	uint8_t tail = wsnprof_ring.tail;
	uint8_t used = head - tail;

	if (head < tail)
		used += WSNPROF_RING;
	return WSNPROF_RING - 1 - used;
}

/* One further, round the end. */
WSNPROF_INLINE uint8_t ring_next(uint8_t at)
{
	return ++at == WSNPROF_RING ? 0 : at;
}

int16_t wsnprof_take(void)
{
	wsnprof_mask mask = wsnprof_lock();
	int16_t byte = -1;

	if (wsnprof_ring_waits())
		byte = wsnprof_ring_next();
	wsnprof_unlock(mask);
	return byte;
}

bool wsnprof_putchar(char c)
{
	struct wsnprof_ring *r = &wsnprof_ring;
	wsnprof_mask mask = wsnprof_lock();
	bool fits = ring_room() > r->promised;

	if (fits) {
		uint8_t head = r->head;

		r->data[head] = (uint8_t)c;
		r->head = head = ring_next(head);
		if (!r->busy)
			r->ready = head;
		if (r->share & (WSNPROF_HUNGRY - 1))
			r->share--;
	} else {
		wsnprof_counts.text++;
		r->share |= WSNPROF_HUNGRY;
	}
	wsnprof_unlock(mask);
	if (fits)
		wsnprof_kick();
	return fits;
}

bool wsnprof_ring_claim(void)
{
	struct wsnprof_ring *r = &wsnprof_ring;

	r->promised = WSNPROF_FRAME;
	return r->head == r->tail || (r->share <= WSNPROF_HUNGRY && ring_room() >= WSNPROF_FRAME);
}

/*
 * Number and CRC; then COBS in one pass from the end: a zero becomes the distance to the zero behind it,
 * the byte before everything the distance to the first. The bytes go backwards into the ring.
 *
 *	frame	0 head seq body... crc crc 0
 *	ring  0 n head seq body... crc crc 0		its first byte is already there
 */
static WSNPROF_QUIET void frame_fill(uint8_t *frame, uint8_t *end, uint8_t at)
{
	uint16_t crc = WSNPROF_CRC_INIT;
	uint8_t distance = UINT8_MAX;	/* so that the last zero stays one */
	uint8_t *p = frame + 1;

	frame[2] = wsnprof_ring.seq++;
	do
		crc = wsnprof_crc(crc, *p++);
	while (p != end);
	*p++ = (uint8_t)crc;
	*p++ = crc >> 8;
	*p++ = 0;
	frame[0] = 0;
	do {
		uint8_t byte = *--p;

		distance++;
		if (byte == 0) {
			byte = distance;
			distance = 0;
		}
		if (at == 0)
			at = WSNPROF_RING;
		wsnprof_ring.data[--at] = byte;
	} while (p != frame);
}

bool wsnprof_frame_put(uint8_t type, uint8_t *frame, uint8_t *end, uint8_t leave)
{
	struct wsnprof_ring *r = &wsnprof_ring;
	uint8_t n = (uint8_t)(end - frame) + 4;
	wsnprof_mask mask = wsnprof_lock();
	bool fits = !r->busy && ring_room() >= n + leave;

	if (fits) {
		uint8_t at = r->head;

		r->data[at] = 0;
		at = at >= WSNPROF_RING - n ? at - (WSNPROF_RING - n) : at + n;
		r->head = at;
		r->busy = true;
		wsnprof_unlock(mask);
		frame[1] = type | (uint8_t)(wsnprof_epoch << 5);
		frame_fill(frame, end, at);
		mask = wsnprof_lock();
		r->ready = r->head;
		r->busy = false;
	}
	wsnprof_unlock(mask);
	if (fits)
		wsnprof_kick();
	return fits;
}

#if WSNPROF_ARCS > 0 || WSNPROF_PCS > 0
bool wsnprof_frame_send(uint8_t type, uint8_t *frame, uint8_t *end)
{
	return wsnprof_frame_put(type, frame, end, wsnprof_ring.promised);
}
#endif
