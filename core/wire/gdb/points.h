/*
 * points: breakpoints and watchpoints at a gdb server: which are wanted, which are set there
 * ("Debugging with GDB", appendix E.2, packets z0 to z4). A server that has one and a server that
 * should have one differ by a packet each:
 *
 *	points_unwant(&p); points_want(&p, POINT_BREAK, address, 2); ...
 *	while ((point = points_due(&p)))
 *		... point_text(); its answer: points_told(&p, point, ok); ...
 */
#ifndef WSNTOP_WIRE_GDB_POINTS_H
#define WSNTOP_WIRE_GDB_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { POINTS = 384 };

enum point_type { POINT_BREAK = 1, POINT_WRITE, POINT_READ, POINT_ACCESS };	/* Z's number */

struct point {
	enum point_type type;
	uint32_t address, size;
	bool wanted;
	bool set;			/* the server has it, or may have it */
	bool taken;			/* it took it, though it may be lifted now */
	bool refused;			/* it does not take it; asked again when another goes */
	bool lifted;			/* taken away for a step over what is there */
};

/* Starts zeroed. */
struct points {
	struct point of[POINTS];
	size_t count;
};

void points_unwant(struct points *p);
/* NULL: there is no room. Once for each place, however often it is wanted. */
struct point *points_want(struct points *p, enum point_type type, uint32_t address, uint32_t size);
/* The breakpoint there; NULL: none is wanted. */
struct point *points_break(struct points *p, uint32_t address);
/* All watchpoints of this byte. False: there is none. */
bool points_lift(struct points *p, uint32_t address);

/*
 * The next that differs, those that go first. NULL: the server has what is wanted, as far as can be
 * while something is lifted.
 */
struct point *points_due(struct points *p);
bool point_goes(const struct point *point);	/* due: it is to be taken away */
size_t point_text(const struct point *point, char *dst, size_t size);
void points_told(struct points *p, struct point *point, bool ok);

bool points_unlift(struct points *p);		/* false: none was */
size_t points_set(const struct points *p, bool breaks);	/* how many of breakpoints, or the others */
struct point *points_any_set(struct points *p);	/* NULL: none is */
void points_forget(struct points *p);		/* the server has none */

#endif
