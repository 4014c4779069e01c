/*
 * itm/comparators: what a DWT's comparators are to match, so that their data trace tells what the
 * user watches, and the registers for it. Nothing is halted. A table of facts; setup.c carries it
 * out.
 *
 *	v7-M	a comparator matches the addresses of a block, 2^MASK bytes, and sends for each
 *		read, write or both the value with the PC of the instruction, or with the low 16
 *		bits of the address (DDI 0403E.e, C1.8.14 to C1.8.16, table C1-21). Instructions are
 *		matched for debug events alone: calls cannot be told.
 *	v8-M	one matches accesses to one value of 1, 2 or 4 bytes; value and PC (DDI 0553, DWT_
 *		FUNCTIONn, "Data Address With Value"), or the entry of a function ("Instruction
 *		Address", a match packet). Not tried with any chip.
 *
 * A comparator that makes debug events is a debugger's, and is left alone; any other is ours.
 */
#ifndef WSNTOP_WIRE_ITM_COMPARATORS_H
#define WSNTOP_WIRE_ITM_COMPARATORS_H

#include "core/wire/itm/registers.h"
#include "core/wire/wire.h"

enum { COMPARATORS_MOST = 4 };		/* that packets can tell */

#define DWT_DEVARCH 0xe0001fbcu
#define DWT_FUNCTION(i) (0xe0001028u + 16 * (i))

/* As the chip tells it. */
struct comparators {
	unsigned count;			/* COMPARATORS_MOST at most */
	bool v8;
	bool high;			/* the highest first: a gdb server takes the others */
	uint32_t functions[COMPARATORS_MOST];
};

/* DWT_CTRL and DWT_DEVARCH, as read; the functions follow. */
struct comparators comparators_of(uint32_t ctrl, uint32_t devarch);

struct comparators_match {
	uint32_t address, function;
	unsigned block;			/* v7-M: log2 of its bytes */
	uint8_t id;			/* v8-M: what it must be able to do */
};

struct comparators_plan {
	struct swo_register rows[4 * COMPARATORS_MOST];
	uint8_t row_points[4 * COMPARATORS_MOST];	/* of which point; POINT_NONE */
	size_t rows_n;
	struct wire_watched points[WIRE_WATCHES];	/* way, refusal, comparator of each, */
	struct comparators_match matches[WIRE_WATCHES];	/* and what that matches */
	size_t points_n;
	unsigned used;			/* a debugger's, too */
};

enum { POINT_NONE = 0xff };

/*
 * For these watchpoints, the first first. *plan has the plan before, or is zeroed: what was watched
 * before keeps its comparator, without a gap. Those that are not wanted any more are switched off.
 */
void comparators_make(struct comparators_plan *plan, const struct comparators *c,
		      const struct wire_watchpoint *points, size_t count);

#endif
