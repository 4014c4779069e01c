/*
 * net: a delay-tolerant network's stack in little, looped back: 50 functions, 86 call sites that
 * are reached.
 *
 *	application	three of INGA's: one-way, ping-pong, sample-send	net_app.c
 *	bundle		numbers of variable length, a payload, a CRC		net_bundle.c
 *	link		frames of 32 bytes, numbered, acknowledged		net_link.c
 *	radio		a queue: what is sent is received; loses every 61st	net_link.c
 *	memory		blocks, queues, byte strings, checksums			net_buf.c
 *
 * Under 500 bytes of RAM. No interrupts: the same calls in the same order, always.
 */
#ifndef NET_H
#define NET_H

#include <stdbool.h>
#include <stdint.h>

#define NET_PAYLOAD 80		/* INGA: bundles of 80 bytes */
#define NET_BUNDLE 112
#define NET_FRAME 32
#define NET_FRAMES 5

/* --- net_buf.c --- */

struct frame {
	struct frame *next;
	uint8_t data[NET_FRAME];
};

struct queue {
	struct frame *first;
	uint8_t count;
};

void pool_init(void);
struct frame *pool_take(void);		/* NULL: none left */
void pool_give(struct frame *f);

void queue_put(struct queue *q, struct frame *f);
struct frame *queue_get(struct queue *q);	/* NULL: empty */

void bytes_copy(uint8_t *to, const uint8_t *from, uint8_t n);
void bytes_fill(uint8_t *to, uint8_t value, uint8_t n);
void put16(uint8_t *p, uint16_t v);
uint16_t get16(const uint8_t *p);
uint16_t crc_add(uint16_t crc, uint8_t byte);
uint16_t crc_of(const uint8_t *data, uint8_t n);

/* --- net_link.c --- */

void link_init(void (*deliver)(const uint8_t *data, uint8_t length));
bool link_send(const uint8_t *data, uint8_t length);	/* one bundle; true: acknowledged */

/* --- net_bundle.c --- */

struct bundle {
	uint16_t source;
	uint16_t target;
	uint32_t created;
	uint8_t service;
	uint8_t length;
	const uint8_t *payload;
};

void bundle_init(void (*deliver)(const struct bundle *b));
bool bundle_send(const struct bundle *b);

/* --- net_app.c: a round of each application; the checksum of what arrived --- */

void app_init(void);
void app_one_way(void);
void app_ping_pong(void);
void app_sample(void);
uint32_t app_sum(void);

#endif
