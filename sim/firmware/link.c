/*
 * link: what is sent comes back, in frames, from a queue of memory blocks.
 *
 *	| sequence | offset | flags | length | payload, at most 15 | checksum |
 */
#include <stddef.h>
#include <string.h>

#include "app.h"

#define FRAME_PAYLOAD 15
#define FRAME_HEADER 4
#define FRAME_LAST 1

static struct queue air;
static uint8_t sequence;
static uint8_t *assembly;	/* a block: the bundle being put together */
static void (*deliver_to)(const uint8_t *data, uint8_t length);

/* Fletcher's sum: frames are short and a radio would have its own CRC. */
static uint8_t checksum(const uint8_t *data, uint8_t length)
{
	uint8_t a = 0, b = 0;

	while (length--) {
		a += *data++;
		b += a;
	}
	return a ^ b;
}

static bool frame_send(const uint8_t *data, uint8_t offset, uint8_t length, uint8_t flags)
{
	uint8_t *frame = pool_get();

	if (!frame)
		return false;
	frame[0] = sequence;
	frame[1] = offset;
	frame[2] = flags;
	frame[3] = length;
	memcpy(frame + FRAME_HEADER, data + offset, length);
	frame[FRAME_HEADER + length] = checksum(frame, FRAME_HEADER + length);
	if (queue_push(&air, frame))
		return true;
	pool_put(frame);
	return false;
}

static void frame_receive(const uint8_t *frame)
{
	uint8_t offset = frame[1], length = frame[3];

	if (length > FRAME_PAYLOAD || offset > POOL_BLOCK - FRAME_PAYLOAD ||
	    checksum(frame, FRAME_HEADER + length) != frame[FRAME_HEADER + length])
		return;
	if (!assembly)
		assembly = pool_get();
	if (!assembly)
		return;
	memcpy(assembly + offset, frame + FRAME_HEADER, length);
	if (!(frame[2] & FRAME_LAST))
		return;
	deliver_to(assembly, offset + length);
	pool_put(assembly);
	assembly = NULL;
}

void link_init(void (*deliver)(const uint8_t *data, uint8_t length))
{
	queue_init(&air);
	deliver_to = deliver;
}

bool link_send(const uint8_t *data, uint8_t length)
{
	uint8_t offset = 0;

	sequence++;
	while (length - offset > FRAME_PAYLOAD) {
		if (!frame_send(data, offset, FRAME_PAYLOAD, 0))
			return false;
		offset += FRAME_PAYLOAD;
	}
	return frame_send(data, offset, length - offset, FRAME_LAST);
}

void link_poll(void)
{
	uint8_t *frame;

	while ((frame = queue_pop(&air)) != NULL) {
		frame_receive(frame);
		pool_put(frame);
	}
}
