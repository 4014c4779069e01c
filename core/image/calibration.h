/*
 * calibration: an image's functions through calib/: looked at when they are first asked for, and
 * kept. Without the runtime's constants in the image there is none.
 *
 * The runtime leaves them as absolute symbols, in cycles. AVR, where a cycle is a tick:
 *
 *	wsnprof_calib_own	a duration, less the skew, is too short by this besides what the
 *				compiler put around the hooks
 *	wsnprof_calib_left	what the node takes back of a call besides its skew
 *	wsnprof_calib_short	of calls measured as shorter than this it takes back less
 *
 * Cortex-M, whose node measures itself, skew and cost, by empty calls of its hooks:
 *
 *	wsnprof_calib_left	what a call takes outside of the readings of the clock on the far
 *				sides of its hooks (before the first, behind the last) more than
 *				between them: 0 where both hooks begin and end alike
 *	wsnprof_calib_slow	instructions behind the last reading that a handler's enter hook
 *				has more
 *	wsnprof_calib_insns	the clock counts instructions: QEMU's, with -icount
 *
 * There a duration less the skew is that from behind the enter hook's call to the exit hook's,
 * less what the empty call had between its hooks; and a call leaves what is around its hooks, and
 * their own instructions outside of the readings, less what the node takes back: twice the
 * difference of the empty call's and the skew. How many ticks a cycle is the cost tells: the hooks'
 * code is in the image, too. So that is right for any timer, and wait states count, as often as
 * they did in the hooks. What remains: cores are told apart as v6-M and others (M0+'s branches are
 * a cycle shorter, M7 does two instructions at once), and a prologue may wait for the flash where
 * the hooks did not.
 */
#ifndef WSNTOP_IMAGE_CALIBRATION_H
#define WSNTOP_IMAGE_CALIBRATION_H

#include "core/base/map.h"
#include "core/image/calib/calib.h"
#include "core/image/code.h"
#include "core/image/elf.h"
#include "core/image/image.h"
#include "core/image/symbols.h"

/* A function's calls: so many of `calls` from `first` on. */
struct calibrated {
	uint32_t first, count;
};

struct calibration {
	const struct elf *elf;
	const struct code *code;
	const struct symbols *symbols;
	enum { CALIBRATION_UNKNOWN, CALIBRATION_NONE, CALIBRATION_HAS } state;
	double own, left, shortest;	/* the runtime's constants */
	double skews;			/* times the skew is left of a call */
	double empty;			/* cycles of an empty call that the cost tells; 0: of AVR */
	double slow;			/* cycles that a handler is measured too long */
	struct calib_code hooks;	/* but for the function */
	struct map by_entry;
	struct calibrated *functions;	size_t function_count, function_cap;
	struct calib_call *calls;	size_t call_count, call_cap;
};

/* They stay where they are; nothing is read of them yet. */
void calibration_init(struct calibration *k, const struct elf *e, const struct code *c,
		      const struct symbols *s);
void calibration_release(struct calibration *k);

/* See image_calibration. */
bool calibration_find(struct calibration *k, uint64_t from, uint64_t to,
		      struct image_calibration *c);
size_t calibration_memory(const struct calibration *k);

#endif
