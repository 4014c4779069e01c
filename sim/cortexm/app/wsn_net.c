/*
 * A packet: next hop and source, type, number, data encrypted, CRC:
 *
 *	0	2	4	5	7 ..		length - 2
 */
#include <stdbool.h>
#include <stddef.h>

#include "wsn.h"

enum { POOL = 8, ROUTES = 16, DATA = 48, HEADER = 7, TRAILER = 2, LIFE = 20 };

struct packet {
	struct packet *next;
	uint8_t used, length;
	uint8_t data[HEADER + DATA + TRAILER];
};

struct queue {
	struct packet *first;
	int length;
};

struct route {
	uint16_t target, next;
	uint8_t hops, life;
};

static struct packet pool[POOL];
static struct queue to_send, heard;
static struct route routes[ROUTES];
static uint16_t number;
static uint32_t sum;

void net_init(void)
{
	for (int i = 0; i < POOL; i++)
		pool[i].used = 0;
	for (int i = 0; i < ROUTES; i++)
		routes[i].life = 0;
	number = 0;
	sum = 0;
}

/* --- memory and queues ------------------------------------------------------------------------ */

static struct packet *packet_take(void)
{
	for (int i = 0; i < POOL; i++)
		if (!pool[i].used) {
			pool[i].used = 1;
			pool[i].next = NULL;
			return &pool[i];
		}
	return NULL;
}

static void packet_give(struct packet *p)
{
	p->used = 0;
}

static void queue_put(struct queue *q, struct packet *p)
{
	struct packet **last = &q->first;

	while (*last)
		last = &(*last)->next;
	*last = p;
	p->next = NULL;
	q->length++;
}

static struct packet *queue_take(struct queue *q)
{
	struct packet *p = q->first;

	if (p) {
		q->first = p->next;
		q->length--;
	}
	return p;
}

static void put16(uint8_t *p, uint16_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static uint16_t get16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static uint16_t crc_add(uint16_t crc, uint8_t byte)
{
	crc ^= byte;
	crc = (uint16_t)(crc >> 8 | crc << 8);
	crc ^= (uint16_t)((crc & 0xff00) << 4);
	crc ^= crc >> 8 >> 4;
	crc ^= (crc & 0xff00) >> 5;
	return crc;
}

static uint16_t crc_of(const uint8_t *data, int length)
{
	uint16_t crc = 0;

	while (length--)
		crc = crc_add(crc, *data++);
	return crc;
}

/* --- routes ----------------------------------------------------------------------------------- */

static struct route *route_find(uint16_t target)
{
	for (int i = 0; i < ROUTES; i++)
		if (routes[i].target == target && routes[i].life)
			return &routes[i];
	return NULL;
}

static struct route *route_add(uint16_t target, uint16_t next)
{
	struct route *r = route_find(target);

	if (!r)
		r = &routes[target % ROUTES];
	r->target = target;
	r->next = next;
	r->life = LIFE;
	r->hops = (uint8_t)(1 + (next & 3));
	return r;
}

void net_age(void)
{
	for (int i = 0; i < ROUTES; i++)
		if (routes[i].life)
			routes[i].life--;
}

/* --- out -------------------------------------------------------------------------------------- */

static void header_put(uint8_t *p, uint16_t next, uint8_t type)
{
	put16(p, next);
	put16(p + 2, 7);
	p[4] = type;
	put16(p + 5, number);
}

static void radio_send(struct packet *p)
{
	put16(p->data + p->length, crc_of(p->data, p->length));
	p->length += TRAILER;
	queue_put(&heard, p);
}

void net_send(uint16_t target, const uint8_t *data, int length)
{
	struct packet *p = packet_take();
	struct route *r;

	if (!p)
		return;
	r = route_find(target);
	if (!r)
		r = route_add(target, target ^ 3);
	header_put(p->data, r->next, target % 8 ? 1 : 0);
	for (int i = 0; i < length; i++)
		p->data[HEADER + i] = data[i];
	aes_counter(p->data + HEADER, length, number++);
	p->length = (uint8_t)(HEADER + length);
	queue_put(&to_send, p);
}

/* --- in --------------------------------------------------------------------------------------- */

static void on_beacon(const uint8_t *data, int length)
{
	(void)length;
	route_add(get16(data), get16(data) ^ 5);
}

static void on_data(const uint8_t *data, int length)
{
	for (int i = 0; i < length; i++)
		sum = sum * 31 + data[i];
}

static bool packet_whole(const struct packet *p)
{
	return crc_of(p->data, p->length - TRAILER) == get16(p->data + p->length - TRAILER);
}

static void packet_receive(struct packet *p)
{
	static void (*const on[])(const uint8_t *data, int length) = { on_beacon, on_data };
	int length = p->length - HEADER - TRAILER;

	if (packet_whole(p)) {
		aes_counter(p->data + HEADER, length, get16(p->data + 5));
		on[p->data[4] & 1](p->data + HEADER, length);
	}
	packet_give(p);
}

void net_poll(void)
{
	struct packet *p;

	while ((p = queue_take(&to_send)))
		radio_send(p);
	while ((p = queue_take(&heard)))
		packet_receive(p);
}

uint32_t net_sum(void)
{
	return sum;
}
