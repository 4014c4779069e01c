/*
 * calibration: an image's functions through calib/: looked at when they are first asked for, and
 * kept. Without the runtime's constants in the image there is none.
 *
 * The runtime leaves them as absolute symbols, in cycles:
 *
 *	wsnprof_calib_own	a duration, less the skew, is too short by this besides what the
 *				compiler put around the hooks
 *	wsnprof_calib_left	what the node takes back of a call besides its skew
 *	wsnprof_calib_short	of calls measured as shorter than this it takes back less
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
