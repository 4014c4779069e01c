/* sample: a simulated analogue input (a slow wave and noise), smoothed and kept until taken. */
#include "app.h"

#define HISTORY 4
#define KEPT 32

static uint16_t lfsr = 0xace1;
static uint16_t history[HISTORY];
static uint8_t kept[KEPT];
static uint8_t kept_count;
static uint16_t angle;

/* A Galois shift register: the converter's noise. */
static uint8_t noise(void)
{
	uint8_t i;

	for (i = 0; i < 8; i++)
		lfsr = lfsr & 1 ? lfsr >> 1 ^ 0xb400 : lfsr >> 1;
	return (uint8_t)lfsr;
}

static uint16_t clamp(int16_t v)
{
	return v < 0 ? 0 : v > 1023 ? 1023 : (uint16_t)v;
}

static uint16_t adc_read(void)
{
	uint16_t wave;

	angle += 13;
	wave = angle & 0x200 ? 0x3ff - (angle & 0x3ff) : angle & 0x3ff;
	return clamp((int16_t)(256 + wave) + (int16_t)(noise() & 63) - 32);
}

static uint16_t smooth(uint16_t value)
{
	uint16_t sum = 0;
	uint8_t i;

	for (i = HISTORY - 1; i > 0; i--)
		history[i] = history[i - 1];
	history[0] = value;
	for (i = 0; i < HISTORY; i++)
		sum += history[i];
	return sum / HISTORY;
}

static void keep(uint8_t value)
{
	if (kept_count < KEPT)
		kept[kept_count++] = value;
}

void sample_init(void)
{
	uint8_t i;

	for (i = 0; i < HISTORY; i++)
		smooth(512);
}

void sample_task(void)
{
	uint8_t i;

	for (i = 0; i < phase_now()->samples; i++)
		keep((uint8_t)(smooth(adc_read()) >> 2));
}

uint8_t sample_take(uint8_t *out, uint8_t size)
{
	uint8_t n = kept_count < size ? kept_count : size;
	uint8_t i;

	for (i = 0; i < n; i++)
		out[i] = kept[i];
	kept_count = 0;
	return n;
}
