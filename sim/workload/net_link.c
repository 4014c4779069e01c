/*
 * net_link: a bundle goes in frames over a radio that loops back, each frame acknowledged and, when
 * the radio lost it, sent again.
 *
 *	| kind | sequence | offset | length | payload, at most 26 | CRC-16 |
 */
#include <stddef.h>

#include "net.h"

#define HEADER 4
#define TRAILER 2
#define MOST (NET_FRAME - HEADER - TRAILER)
#define TRIES 3
#define LOSS 61			/* one frame in so many */

enum kind { KIND_DATA, KIND_LAST, KIND_ACK, KINDS };

static struct queue air;
static uint8_t sequence, acked, since_loss;
static uint8_t assembly[NET_BUNDLE];
static void (*deliver_to)(const uint8_t *data, uint8_t length);

/* --- radio --- */

static void radio_send(struct frame *f)
{
	if (++since_loss < LOSS) {
		queue_put(&air, f);
		return;
	}
	since_loss = 0;
	pool_give(f);
}

/* --- frames --- */

static void frame_seal(struct frame *f)
{
	uint8_t end = HEADER + f->data[3];

	put16(f->data + end, crc_of(f->data, end));
}

static bool frame_whole(const struct frame *f)
{
	uint8_t end = HEADER + f->data[3];

	if (end > NET_FRAME - TRAILER)
		return false;
	return get16(f->data + end) == crc_of(f->data, end);
}

static struct frame *frame_make(uint8_t kind, const uint8_t *data, uint8_t offset, uint8_t length)
{
	struct frame *f = pool_take();

	if (!f)
		return NULL;
	f->data[0] = kind;
	f->data[1] = sequence;
	f->data[2] = offset;
	f->data[3] = length;
	bytes_copy(f->data + HEADER, data, length);
	frame_seal(f);
	return f;
}

/* --- link: what is done with each kind of frame --- */

static void take_data(const struct frame *f)
{
	struct frame *answer;

	bytes_copy(assembly + f->data[2], f->data + HEADER, f->data[3]);
	answer = frame_make(KIND_ACK, f->data + 1, 0, 1);
	if (answer)
		radio_send(answer);
}

static void take_ack(const struct frame *f)
{
	acked = f->data[HEADER];
}

static void (*const take[KINDS])(const struct frame *f) = {
	[KIND_DATA] = take_data,
	[KIND_LAST] = take_data,
	[KIND_ACK] = take_ack,
};

static void link_input(struct frame *f)
{
	if (frame_whole(f) && f->data[0] < KINDS)
		take[f->data[0]](f);
	pool_give(f);
}

static void link_poll(void)
{
	struct frame *f;

	while ((f = queue_get(&air)) != NULL)
		link_input(f);
}

/* True: it was acknowledged, at the first try or a later one. */
static bool link_frame(uint8_t kind, const uint8_t *data, uint8_t offset, uint8_t length)
{
	struct frame *f;
	uint8_t i;

	sequence++;
	for (i = 0; i < TRIES; i++) {
		f = frame_make(kind, data + offset, offset, length);
		if (!f)
			return false;
		radio_send(f);
		link_poll();
		if (acked == sequence)
			return true;
	}
	return false;
}

bool link_send(const uint8_t *data, uint8_t length)
{
	uint8_t offset = 0;

	for (; length - offset > MOST; offset += MOST)
		if (!link_frame(KIND_DATA, data, offset, MOST))
			return false;
	if (!link_frame(KIND_LAST, data, offset, length - offset))
		return false;
	deliver_to(assembly, length);
	return true;
}

void link_init(void (*deliver)(const uint8_t *data, uint8_t length))
{
	pool_init();
	air.first = NULL;
	sequence = acked = since_loss = 0;
	bytes_fill(assembly, 0, sizeof(assembly));
	deliver_to = deliver;
}
