/*
 * ppk2_gain: from what a PPK2's converter counted to amperes. Private to core/wire/power.
 *
 * Facts: Nordic's own program (pc-nrfconnect-ppk, src/device/serialDevice.ts, getAdcResult and
 * parseMeta). For each of five ranges:
 *
 *	r = (4 * adc - o) * 1.8 / 163840 / R
 *	A = ug * (r * (gs * r + gi) + s * volts + i)
 *
 * The figures come as text: "R0: 1003.3506", "GS0: ...", ... "END". A figure that is 0 or no number
 * ("-nan" occurs) leaves the typical one in its place, as Nordic's program does.
 *
 * The first three samples after a change of range are spikes of the switch. A running mean stands
 * for each (weight of the new sample 0.18; 0.06 in range 4, whose first two do not count in it).
 */
#ifndef WSNTOP_WIRE_POWER_PPK2_GAIN_H
#define WSNTOP_WIRE_POWER_PPK2_GAIN_H

#include <stdbool.h>
#include <stdint.h>

enum { PPK2_RANGES = 5 };

struct ppk2_gain {
	/* as told */
	double r[PPK2_RANGES], gs[PPK2_RANGES], gi[PPK2_RANGES], o[PPK2_RANGES], s[PPK2_RANGES],
	       i[PPK2_RANGES], ug[PPK2_RANGES], volts;
	/* A = x * (square * x + line) + constant, x = 4 * adc - o */
	struct ppk2_curve {
		double o, square, line, constant;
	} curve[PPK2_RANGES];
	/* of the running means; none yet while range is negative */
	double mean, mean4;
	int range;
	unsigned spikes, in_range;	/* spikes that are expected; samples since the change */
	uint64_t replaced;
};

void ppk2_gain_init(struct ppk2_gain *g, double volts);	/* typical figures */

/* A line of the text: true if it is one of its figures. */
bool ppk2_gain_line(struct ppk2_gain *g, const char *line);

void ppk2_gain_volts(struct ppk2_gain *g, double volts);	/* of the supply */

/* A new series of samples begins. */
void ppk2_gain_begin(struct ppk2_gain *g);

/* The current of a sample's word. */
double ppk2_gain_amps(struct ppk2_gain *g, uint32_t word);

#endif
