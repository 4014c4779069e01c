/*
 * The demo application: a sensor node in little. Samples go into bundles, bundles through a link
 * that loops back, in frames, and are checked and delivered on the other side. The load changes
 * with the phase, so that a profile taken live has something to show.
 */
#ifndef DEMO_APP_H
#define DEMO_APP_H

#include <stdbool.h>
#include <stdint.h>

/* --- clock.c: timer 2, 250 ticks a second, and callbacks that run in its interrupt --- */

#define CLOCK_TICKS_PER_SECOND 250
#define CLOCK_TICKS_PER_ROUND 10

extern volatile bool clock_round_due;

void clock_init(void);
uint16_t clock_now(void);
void clock_every(uint8_t timer, uint16_t ticks, void (*expired)(void));

/* --- log.c: printf and plain text on the profiler's port --- */

void log_init(void);
void log_text(const char *text);	/* from interrupts too */

/* --- phase.c: what the node is busy with --- */

struct phase {
	char name[8];
	uint8_t seconds;
	uint8_t samples;	/* a round */
	uint8_t bundles;	/* a round */
	uint8_t fib;		/* n, 0: none */
};

void phase_init(void);
const struct phase *phase_now(void);

/* --- crc.c --- */

uint16_t crc16_add(uint16_t crc, uint8_t byte);
uint16_t crc16(const uint8_t *data, uint8_t length);

/* --- pool.c: memory blocks of one size --- */

#define POOL_BLOCK 64

void pool_init(void);
uint8_t *pool_get(void);	/* NULL: none left */
void pool_put(uint8_t *block);
uint8_t pool_free(void);

/* --- queue.c: pointers, first in, first out --- */

#define QUEUE_LENGTH 8

struct queue {
	uint8_t *item[QUEUE_LENGTH];
	uint8_t first;
	uint8_t count;
};

void queue_init(struct queue *q);
bool queue_push(struct queue *q, uint8_t *item);
uint8_t *queue_pop(struct queue *q);

/* --- bundle.c: RFC 5050 in little: numbers of variable length, a payload, a CRC --- */

struct bundle {
	uint16_t source;
	uint16_t sequence;
	uint32_t created;
	uint8_t length;
	const uint8_t *payload;
};

uint8_t bundle_write(const struct bundle *b, uint8_t *out, uint8_t size);	/* 0: too small */
bool bundle_read(struct bundle *b, const uint8_t *in, uint8_t length);

/* --- link.c: frames of 20 bytes, looped back --- */

void link_init(void (*deliver)(const uint8_t *data, uint8_t length));
bool link_send(const uint8_t *data, uint8_t length);
void link_poll(void);

/* --- sample.c, work.c: the tasks --- */

void sample_init(void);
void sample_task(void);
uint8_t sample_take(uint8_t *out, uint8_t size);

void bundle_init(void);
void bundle_task(void);
void fib_task(void);
uint32_t fib(uint8_t n);
void report_task(void);

#endif
