/*
 * wsnprof_node: the sender's state, for its parts: refreshes (wsnprof_send.c), the program's
 * checksum (wsnprof_identity.c), commands (wsnprof_receive.c), the text report (wsnprof_text.c).
 * The main program's alone; interrupts touch none of it.
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

/*
 * What is sent next. A refresh goes through these from STATUS, every fourth from HELLO. The last
 * three are passes over the tables, their lower two bits enum wsnprof_want's; each goes once around
 * from where the pass before stopped. SPARE stops after WSNPROF_SPARE_FRAMES: in turn it sends
 * every row, changed or not, which bounds how late any can be, however slow the line.
 */
enum wsnprof_step {
	WSNPROF_SEND_HELLO,
	WSNPROF_SEND_NAME,
	WSNPROF_SEND_STATUS,
	WSNPROF_SEND_SPARE,	/* 3 */
	WSNPROF_SEND_HOT,	/* 4 */
	WSNPROF_SEND_DIRTY,	/* 5 */
	WSNPROF_SENT,
};

struct wsnprof_node {
	bool running;
	uint8_t step;			/* enum wsnprof_step */
	uint8_t refreshes;		/* every fourth says HELLO */
	uint8_t spare;			/* frames left of SPARE */
	/*
	 * The next slot to look at, of all tables'. SPARE has its own, the second: it takes in turn
	 * what the others pass over for hot rows.
	 */
	wsnprof_slot cursor[2];
	wsnprof_slot left;		/* slots that the pass under way has not seen */
	uint16_t last;			/* wsnprof_pace() at the last refresh */
#if WSNPROF_RECEIVE
	uint16_t period;
	uint8_t select;			/* SELECT's bits */
#endif
#if WSNPROF_ARCS > 0 || WSNPROF_PCS > 0
	/* the refresh before did not come through: the line is slow */
	bool late;
	/* the last frame was the chip's: the sender's turn, if it has one */
	bool yield;
#endif
};
extern struct wsnprof_node wsnprof_node;

/* Milliseconds in counts of wsnprof_pace(). */
#define WSNPROF_PACE(ms) ((uint64_t)(ms) * WSNPROF_PACE_NUM / WSNPROF_PACE_DEN / 1000)

/* The next frame of a refresh, or a look for one; false: none is left. */
bool wsnprof_send(void) WSNPROF_QUIET;

/* Begin a refresh that says HELLO and every row, changed or not: start, stop, reset, a command. */
void wsnprof_refresh(void) WSNPROF_QUIET;

/*
 * Which program this is (PROTOCOL, section 4): a kind, and 12 bytes as HELLO has them. The checksum
 * is taken a slice a poll, and the kind set when it is whole. A build-id lies over it.
 */
struct wsnprof_identity {
	uint8_t kind;
#ifndef WSNPROF_ASSEMBLY
	uint32_t start;			/* else 0, and told without */
#endif
	wsnprof_flash_address length;	/* bytes summed up so far */
	uint8_t pad[4 - sizeof(wsnprof_flash_address)];
	uint16_t a;
	uint16_t b;
};
extern struct wsnprof_identity wsnprof_identity;

#define WSNPROF_IDENTITY_BYTES 12

/*
 * While its kind is NONE: the next slice. The first HELLO, and all behind it, waits until it is
 * whole. False: it cannot be known (nobody said where the program ends), so that nothing waits.
 */
bool wsnprof_identity_step(void) WSNPROF_QUIET;

#if WSNPROF_RECEIVE
/* Carry out a command that came in. */
void wsnprof_receive_step(void) WSNPROF_QUIET;
#endif

#if WSNPROF_TEXT
/* A report's next line; false: no report is under way. */
bool wsnprof_text_step(void) WSNPROF_QUIET;
bool wsnprof_text_idle(void) WSNPROF_QUIET;
#endif

#endif
