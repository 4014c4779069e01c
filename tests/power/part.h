/*
 * part: a Power Profiler Kit II, written from Nordic's program and commands (pc-nrfconnect-ppk) and
 * apart from the decoder under test: what it answers to commands, and the words that it sends.
 *
 * What it measures: a node that draws 2 mA for 7 ms and 20 mA for 3 ms, with D0 high in the latter,
 * and 200 mA for the last 0.5 ms of each 10th period. Ranges change with the current; the first
 * three samples after a change are spikes of the switch, of three times the current.
 */
#ifndef WSNTOP_TESTS_POWER_PART_H
#define WSNTOP_TESTS_POWER_PART_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
	PART_PERIOD = 1000,		/* samples; 10 ms */
	PART_BUSY = 700,		/* from there on 20 mA */
	PART_RADIO = 950,		/* from there on 200 mA, each 10th period */
	PART_SPIKES = 3,
};

#define PART_ADC_MULT (1.8 / 163840)

/* Its own figures: none is the typical one. R2 is not told ("-nan"), UG1 is told as 0. */
static const struct {
	double r[5], gs[5], gi[5], o[5], s[5], i[5], ug[5];
} part_figures = {
	.r = { 1003.35, 101.58, 10.15, 0.9636, 0.0564 },
	.gs = { 1.2, 0.8, 1.5, 0.9, 0.04 },
	.gi = { 0.998, 1.003, 0.997, 1.001, 0.992 },
	.o = { 112, 78, 92, 80, 68 },
	.s = { 1e-8, 2e-7, 1e-6, 3e-6, 2e-5 },
	.i = { -2e-8, -1e-7, -1e-6, -5e-6, -3e-5 },
	.ug = { 1, 1, 1.01, 0.99, 1 },
};

struct part {
	bool running, powered;
	unsigned mode;			/* 1 meter, 2 source */
	unsigned mv;			/* 0: not set */
	uint64_t sent;			/* samples since its start */
	unsigned range, spikes;
};

static inline double part_volts(const struct part *p)
{
	return p->mv ? p->mv / 1000. : 3.7;
}

/* The current that is drawn at its n-th sample. */
static inline double part_amps(uint64_t n)
{
	uint64_t at = n % PART_PERIOD;

	if (at >= PART_RADIO && n / PART_PERIOD % 10 == 9)
		return 0.2;
	return at >= PART_BUSY ? 0.02 : 0.002;
}

static inline unsigned part_range(double amps)
{
	return amps < 50e-6 ? 0 : amps < 500e-6 ? 1 : amps < 5e-3 ? 2 : amps < 50e-3 ? 3 : 4;
}

static inline double part_amps_of(const struct part *p, unsigned k, unsigned adc)
{
	double r = (adc * 4. - part_figures.o[k]) * PART_ADC_MULT / part_figures.r[k];

	return part_figures.ug[k] * (r * (part_figures.gs[k] * r + part_figures.gi[k]) +
				     part_figures.s[k] * part_volts(p) + part_figures.i[k]);
}

/* The converter's count for this current: of all, the one whose current is nearest. */
static inline unsigned part_adc(const struct part *p, unsigned k, double amps)
{
	unsigned low = 0, high = 0x3fff;

	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (part_amps_of(p, k, middle) < amps)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The next sample's word, little-endian. */
static inline void part_word(struct part *p, uint8_t *to)
{
	double amps = part_amps(p->sent);
	unsigned k = part_range(amps), adc;
	uint32_t word, d0 = p->sent % PART_PERIOD >= PART_BUSY;

	if (p->sent && k != p->range)
		p->spikes = PART_SPIKES;
	p->range = k;
	adc = part_adc(p, k, p->spikes ? 3 * amps : amps);
	p->spikes -= p->spikes > 0;
	word = adc | k << 14 | (uint32_t)(p->sent & 63) << 18 | d0 << 24;
	for (int i = 0; i < 4; i++)
		to[i] = (uint8_t)(word >> 8 * i);
	p->sent++;
}

/* The answer to "get meta data"; its length. */
static inline size_t part_meta(char *to, size_t size)
{
	static const struct {
		const char *name;
		const double *v;
	} figures[] = {
		{ "R", part_figures.r }, { "GS", part_figures.gs }, { "GI", part_figures.gi },
		{ "O", part_figures.o }, { "S", part_figures.s }, { "I", part_figures.i },
		{ "UG", part_figures.ug },
	};
	size_t n = (size_t)snprintf(to, size, "Calibrated: 0\n");

	for (size_t f = 0; f < sizeof(figures) / sizeof(*figures); f++) {
		for (int k = 0; k < 5; k++) {
			bool untold = (f == 0 && k == 2) || (f == 6 && k == 1);

			n += (size_t)snprintf(to + n, size - n, "%s%d: ", figures[f].name, k);
			if (untold)
				n += (size_t)snprintf(to + n, size - n, f ? "0.00\n" : "-nan\n");
			else
				n += (size_t)snprintf(to + n, size - n, "%.10f\n", figures[f].v[k]);
		}
	}
	return n + (size_t)snprintf(to + n, size - n, "VDD: 3700\nHW: 9173\nmode: 2\nIA: 56\nEND");
}

/*
 * Bytes that the host sent; how many make a whole command. *meta: its data are asked for. A command
 * that is not known is *bad.
 */
static inline size_t part_command(struct part *p, const uint8_t *c, size_t n, bool *meta, bool *bad)
{
	size_t need = c[0] == 0x0d ? 3 : c[0] == 0x0c || c[0] == 0x11 ? 2 : 1;

	if (n < need)
		return 0;
	switch (c[0]) {
	case 0x06:
		p->running = true;
		p->sent = 0;
		p->spikes = 0;
		break;
	case 0x07:
		p->running = false;
		break;
	case 0x0c:
		p->powered = c[1];
		break;
	case 0x0d:
		p->mv = (unsigned)c[1] << 8 | c[2];
		break;
	case 0x11:
		p->mode = c[1];
		break;
	case 0x19:
		*meta = true;
		break;
	default:
		*bad = true;
	}
	return need;
}

#endif
