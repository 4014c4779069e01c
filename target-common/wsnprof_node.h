/*
 * wsnprof_node: the sender's state, for its parts: refreshes (wsnprof_send.c), the program's
 * checksum (wsnprof_identity.c), commands (wsnprof_receive.c), the text report (wsnprof_text.c). The main
 * program's alone; interrupts touch none of it.
 */
#ifndef WSNPROF_NODE_H
#define WSNPROF_NODE_H

#include "wsnprof_ring.h"

/* Slots of all tables, and a type that counts them. */
#define WSNPROF_PLUS(type, slots) + (slots)
#define WSNPROF_SLOTS (0 WSNPROF_TABLES(WSNPROF_PLUS))
#if WSNPROF_SLOTS > 255
typedef uint16_t wsnprof_slot;
#else
typedef uint8_t wsnprof_slot;
#endif

/* What is to be sent; the lowest bit first. */
enum {
	WSNPROF_SEND_HELLO = 0x01,
	WSNPROF_SEND_NAME = 0x02,
	WSNPROF_SEND_STATUS = 0x04,
	WSNPROF_SEND_SPARE = 0x08,	/* rows in turn, changed or not: a bound on how old any may be */
	WSNPROF_SEND_HOT = 0x10,
	WSNPROF_SEND_DIRTY = 0x20,
	WSNPROF_SEND_ALL = 0x3f,
};

struct wsnprof_node {
	uint8_t pending;		/* WSNPROF_SEND_ */
	bool running;
	uint8_t refreshes;		/* every fourth says HELLO */
	uint8_t spare;			/* frames left of SPARE */
	uint16_t last;			/* wsnprof_pace() at the last refresh */
	wsnprof_slot left;		/* slots that the pass under way has not seen */
	wsnprof_slot cursor[3];		/* where the next pass goes on, by enum wsnprof_want */
#if WSNPROF_RECEIVE
	uint16_t period;
	uint8_t select;			/* SELECT's bits */
#endif
};
extern struct wsnprof_node wsnprof_node;

/* Milliseconds in counts of wsnprof_pace(), at most half its round. */
#define WSNPROF_PACE(ms) ((uint64_t)(ms) * WSNPROF_PACE_NUM / WSNPROF_PACE_DEN / 1000)

/* Send everything, every row included. */
void wsnprof_send_all(void) WSNPROF_QUIET;

/*
 * Which program this is (PROTOCOL, section 4), as HELLO has it. The checksum is taken a slice a poll, and
 * the kind set when it is whole.
 */
struct wsnprof_identity {
	uint8_t kind;
	wsnprof_flash_address length;	/* bytes summed up so far */
	uint8_t pad[4 - sizeof(wsnprof_flash_address)];
	uint16_t a;
	uint16_t b;
} __attribute__((packed));
extern struct wsnprof_identity wsnprof_identity;

/* While its kind is NONE: the next slice. */
void wsnprof_identity_step(void) WSNPROF_QUIET;

/* Carry out a command that came in. */
void wsnprof_receive_step(void) WSNPROF_QUIET;

#endif
