/* itm/tpiu: see tpiu.h. */
#include "core/wire/itm/tpiu.h"

#include <stdbool.h>

enum { TPIU_SYNC = 4 };

#define SYNC_WORD 0xffffff7fu

static size_t frame_take(struct tpiu *t, struct tpiu_piece *out)
{
	uint8_t low = t->frame[TPIU_FRAME - 1], next = 0;
	size_t n = 0;
	bool later = false;

	t->frames++;
	for (size_t i = 0; i < TPIU_DATA; i++) {
		uint8_t byte = t->frame[i];
		bool even = i % 2 == 0, bit = low >> i / 2 & 1;

		if (even && byte & 1) {
			next = byte >> 1;
			later = bit && i < TPIU_DATA - 1;
			if (!later)
				t->stream = next;
			continue;
		}
		out[n++] = (struct tpiu_piece){ t->stream, even ? (uint8_t)(byte | bit) : byte };
		if (later)
			t->stream = next;
		later = false;
	}
	return n;
}

/* Behind these two bytes, at an even place: they are none of a frame. */
static bool is_filler(const uint8_t *two)
{
	return two[0] == 0xff && two[1] == 0x7f;
}

/*
 * Behind it a frame begins: wherever it stands, for no frame has FF FF FF in it. Where bytes were
 * lost, the frame that it cuts short may have ended within it.
 */
static void sync_take(struct tpiu *t)
{
	t->syncs++;
	t->dropped += t->have > TPIU_SYNC ? t->have - TPIU_SYNC : 0;
	t->have = 0;
}

size_t tpiu_take(struct tpiu *t, uint8_t byte, struct tpiu_piece out[TPIU_DATA])
{
	t->last = t->last << 8 | byte;
	t->frame[t->have++] = byte;
	if (t->last == SYNC_WORD) {
		sync_take(t);
	} else if (t->have % 2 == 0 && is_filler(t->frame + t->have - 2)) {
		t->have -= 2;
	} else if (t->have == TPIU_FRAME) {
		t->have = 0;
		return frame_take(t, out);
	}
	return 0;
}
