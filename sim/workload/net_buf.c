/* net_buf: frames from a pool, queues of them, byte strings. */
#include <stddef.h>

#include "net.h"

static struct frame frames[NET_FRAMES];
static struct queue pool;

void queue_put(struct queue *q, struct frame *f)
{
	struct frame **at = &q->first;

	while (*at)
		at = &(*at)->next;
	f->next = NULL;
	*at = f;
	q->count++;
}

struct frame *queue_get(struct queue *q)
{
	struct frame *f = q->first;

	if (!f)
		return NULL;
	q->first = f->next;
	q->count--;
	return f;
}

void pool_give(struct frame *f)
{
	queue_put(&pool, f);
}

struct frame *pool_take(void)
{
	struct frame *f = queue_get(&pool);

	if (f)
		bytes_fill(f->data, 0, NET_FRAME);
	return f;
}

void pool_init(void)
{
	uint8_t i;

	pool.first = NULL;
	pool.count = 0;
	for (i = 0; i < NET_FRAMES; i++)
		pool_give(&frames[i]);
}

void bytes_copy(uint8_t *to, const uint8_t *from, uint8_t n)
{
	const uint8_t *end = from + n;

	while (from != end)
		*to++ = *from++;
}

void bytes_fill(uint8_t *to, uint8_t value, uint8_t n)
{
	uint8_t *end = to + n;

	while (to != end)
		*to++ = value;
}

void put16(uint8_t *p, uint16_t v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
}

uint16_t get16(const uint8_t *p)
{
	return (uint16_t)(p[0] | (uint16_t)(p[1] << 8));
}

uint16_t crc_add(uint16_t crc, uint8_t byte)
{
	uint8_t x = (uint8_t)(crc >> 8 ^ byte);

	x ^= x >> 4;
	return (uint16_t)(crc << 8) ^ (uint16_t)(x << 12) ^ (uint16_t)(x << 5) ^ x;
}

uint16_t crc_of(const uint8_t *data, uint8_t n)
{
	uint16_t crc = 0xffff;

	const uint8_t *end = data + n;

	while (data != end)
		crc = crc_add(crc, *data++);
	return crc;
}
