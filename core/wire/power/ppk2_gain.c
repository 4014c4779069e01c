/* ppk2_gain: see ppk2_gain.h. */
#include "core/wire/power/ppk2_gain.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define ADC_MULT (1.8 / 163840)
#define WEIGHT 0.18
#define WEIGHT4 0.06

enum { SPIKES = 3, RANGE_HIGH = 4, HIGH_UNCOUNTED = 2 };

static const struct {
	const char *name;
	size_t at;
	double typical[PPK2_RANGES];
} figures[] = {
	{ "UG", offsetof(struct ppk2_gain, ug), { 1, 1, 1, 1, 1 } },
	{ "GS", offsetof(struct ppk2_gain, gs), { 1, 1, 1, 1, 1 } },
	{ "GI", offsetof(struct ppk2_gain, gi), { 1, 1, 1, 1, 1 } },
	{ "R", offsetof(struct ppk2_gain, r), { 1031.64, 101.65, 10.15, 0.94, 0.043 } },
	{ "O", offsetof(struct ppk2_gain, o), { 0 } },
	{ "S", offsetof(struct ppk2_gain, s), { 0 } },
	{ "I", offsetof(struct ppk2_gain, i), { 0 } },
};

enum { FIGURES = sizeof(figures) / sizeof(*figures) };

static double *figure_of(struct ppk2_gain *g, size_t figure)
{
	return (double *)(void *)((char *)g + figures[figure].at);
}

static void curve_update(struct ppk2_gain *g, size_t k)
{
	double x = ADC_MULT / g->r[k];

	g->curve[k] = (struct ppk2_curve){
		.o = g->o[k], .square = g->ug[k] * g->gs[k] * x * x,
		.line = g->ug[k] * g->gi[k] * x,
		.constant = g->ug[k] * (g->s[k] * g->volts + g->i[k]),
	};
}

void ppk2_gain_volts(struct ppk2_gain *g, double volts)
{
	g->volts = volts;
	for (size_t k = 0; k < PPK2_RANGES; k++)
		curve_update(g, k);
}

void ppk2_gain_init(struct ppk2_gain *g, double volts)
{
	*g = (struct ppk2_gain){ .range = -1 };
	for (size_t i = 0; i < FIGURES; i++)
		memcpy(figure_of(g, i), figures[i].typical, sizeof(figures[i].typical));
	ppk2_gain_volts(g, volts);
}

bool ppk2_gain_line(struct ppk2_gain *g, const char *line)
{
	for (size_t i = 0; i < FIGURES; i++) {
		size_t n = strlen(figures[i].name), k;
		double value;

		if (strncmp(line, figures[i].name, n) != 0 || line[n] < '0' ||
		    line[n] >= '0' + PPK2_RANGES || line[n + 1] != ':')
			continue;
		k = (size_t)(line[n] - '0');
		value = strtod(line + n + 2, NULL);
		if (isfinite(value) && value != 0 && fabs(value) < 1e9)
			figure_of(g, i)[k] = value;
		curve_update(g, k);
		return true;
	}
	return false;
}

void ppk2_gain_begin(struct ppk2_gain *g)
{
	g->range = -1;
	g->spikes = g->in_range = 0;
}

/* In place of a spike. */
static double spike_replace(struct ppk2_gain *g, int range, double mean, double mean4)
{
	if (g->range != range) {
		g->in_range = 0;
		g->spikes = SPIKES;
	} else {
		g->in_range++;
	}
	g->spikes--;
	g->replaced++;
	g->range = range;
	if (range != RANGE_HIGH)
		return g->mean;
	if (g->in_range < HIGH_UNCOUNTED) {
		g->mean = mean;
		g->mean4 = mean4;
	}
	return g->mean4;
}

double ppk2_gain_amps(struct ppk2_gain *g, uint32_t word)
{
	int range = (int)(word >> 14 & 7);
	double mean = g->mean, mean4 = g->mean4, x, amps;
	const struct ppk2_curve *c;

	if (range > RANGE_HIGH)
		range = RANGE_HIGH;
	c = &g->curve[range];
	x = (double)(word & 0x3fff) * 4 - c->o;
	amps = x * (c->square * x + c->line) + c->constant;
	if (g->range < 0) {
		g->mean = g->mean4 = amps;
		g->range = range;
		return amps;
	}
	g->mean = WEIGHT * amps + (1 - WEIGHT) * mean;
	g->mean4 = WEIGHT4 * amps + (1 - WEIGHT4) * mean4;
	if (g->range == range && !g->spikes)
		return amps;
	return spike_replace(g, range, mean, mean4);
}
