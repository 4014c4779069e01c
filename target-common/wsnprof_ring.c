/* wsnprof_ring: the text's way out, and a frame's number, CRC and COBS. */
#include "wsnprof_ring.h"

struct wsnprof_ring wsnprof_ring;
#ifndef WSNPROF_ASSEMBLY
struct wsnprof_counts wsnprof_counts;
#endif

int16_t wsnprof_take(void)
{
	wsnprof_mask mask = wsnprof_lock();
	int16_t byte = wsnprof_ring_take();

	wsnprof_unlock(mask);
	return byte;
}

#if WSNPROF_RING > 0

uint8_t wsnprof_room(void)
{
	wsnprof_mask mask = wsnprof_lock();
	uint8_t head = wsnprof_ring.head;
	uint8_t tail = wsnprof_ring.tail;

	wsnprof_unlock(mask);
	return (uint8_t)(tail > head ? tail - head - 1 : WSNPROF_RING - 1 - head + tail);
}

/* The character, if it fits; else so many are lost. */
static WSNPROF_QUIET bool char_offer(char c, uint8_t lost)
{
	struct wsnprof_ring *r = &wsnprof_ring;
	wsnprof_mask mask = wsnprof_lock();
	uint8_t head = r->head;
	uint8_t next = wsnprof_ring_next(head);
	bool fits = next != r->tail;

	if (fits) {
		r->text[head] = (uint8_t)c;
		r->head = next;
	} else {
		wsnprof_counts.text += lost;
	}
	wsnprof_unlock(mask);
	if (fits)
		wsnprof_kick();
	return fits;
}

bool wsnprof_putchar(char c)
{
	return char_offer(c, 1);
}

bool wsnprof_try(char c)
{
	return char_offer(c, 0);
}

/* False: nothing will make room. */
static WSNPROF_QUIET bool room_wait(void)
{
	wsnprof_mask mask = wsnprof_lock();
	bool waits = wsnprof_pump || !WSNPROF_WAS_LOCKED(mask);

	if (wsnprof_pump)
		wsnprof_pump();
	wsnprof_unlock(mask);
	return waits;
}

bool wsnprof_write(const char *text, uint16_t n)
{
	for (; n; n--, text++) {
		while (!wsnprof_try(*text)) {
			wsnprof_mask mask;

			if (room_wait())
				continue;
			mask = wsnprof_lock();
			wsnprof_counts.text += n;
			wsnprof_unlock(mask);
			return false;
		}
	}
	return true;
}

#endif

#ifndef WSNPROF_ASSEMBLY

/*
 * COBS in one pass from the end: a zero becomes the distance to the zero behind it, the byte before
 * everything the distance to the first.
 */
static WSNPROF_QUIET void cobs_encode(uint8_t *p)
{
	uint8_t distance = 1;

	do {
		if (*p == 0) {
			*p = distance;
			distance = 0;
		}
		distance++;
	} while (p-- != wsnprof_ring.frame + 1);
}

void wsnprof_frame_end(uint8_t type, uint8_t *end)
{
	struct wsnprof_ring *r = &wsnprof_ring;
	uint16_t crc = WSNPROF_CRC_INIT;
	uint8_t *p = r->frame;
	wsnprof_mask mask;

	*p++ = 0;
	*p++ = 0;
	p[0] = type | (uint8_t)(wsnprof_epoch << 5);
	p[1] = r->seq++;
	do
		crc = wsnprof_crc(crc, *p++);
	while (p != end);
	*p++ = (uint8_t)crc;
	*p = (uint8_t)(crc >> 8);
	cobs_encode(p);
	*++p = 0;
	mask = wsnprof_lock();
#if WSNPROF_RING > 0
	r->stop = r->head;
#endif
	r->end = (uint8_t)(p - r->frame) + 1;
	wsnprof_unlock(mask);
	wsnprof_kick();
}

#endif

/* A symbol of no bytes: see WSNPROF_BUILT. */
#if defined(__AVR__) || defined(__arm__)
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
__asm__(".globl wsnprof_built_c\nwsnprof_built_c = " TEXT(WSNPROF_BUILT));
#endif
