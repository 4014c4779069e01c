/*
 * cortexm-bare: a main loop with jobs of different sizes, SysTick, and wsnprof. What the profiler
 * needs is marked (1) to (4).
 */
#include <stdbool.h>
#include <stdint.h>

#include "mps2.h"
#include "port.h"
#include "wsnprof.h"
#include "wsnprof_cortexm.h"

enum { HZ = 100, SAMPLES = 64 };

void SysTick_Handler(void);

static volatile uint32_t ticks;
static uint16_t samples[SAMPLES];
static uint32_t next;

/* --- the application -------------------------------------------------------------------------- */

void SysTick_Handler(void)
{
	ticks++;
	wsnprof_clock_tick();				/* (4) SysTick is its clock, too */
}

static uint16_t sense(void)
{
	static uint32_t noise = 0xace1;

	noise = noise >> 1 ^ (-(noise & 1) & 0xb400);
	return (uint16_t)noise;
}

static void sample(void)
{
	samples[next] = sense();
	next = (next + 1) % SAMPLES;
}

static uint16_t median(const uint16_t *v, uint32_t n)
{
	uint16_t sorted[SAMPLES];

	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = i;

		for (; at && sorted[at - 1] > v[i]; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = v[i];
	}
	return sorted[n / 2];
}

static uint32_t crc_step(uint32_t crc, uint8_t byte)
{
	crc ^= byte;
	for (int i = 0; i < 8; i++)
		crc = crc >> 1 ^ (-(crc & 1) & 0xedb88320);
	return crc;
}

static uint32_t checksum(const void *data, uint32_t n)
{
	const uint8_t *p = data;
	uint32_t crc = 0xffffffff;

	while (n--)
		crc = crc_step(crc, *p++);
	return ~crc;
}

static void say(const char *text)
{
	while (*text)
		wsnprof_putchar(*text++);		/* (3) text goes through the same ring */
}

static void report(void)
{
	static uint32_t seen;
	uint32_t now = checksum(samples, sizeof(samples));

	if (now != seen && median(samples, SAMPLES) > 0xf000)
		say("a high median\n");
	seen = now;
}

static void tick(uint32_t now)
{
	sample();
	if (now % 4 == 0)
		report();
}

/* --- main ------------------------------------------------------------------------------------- */

int main(void)
{
	uint32_t done = 0;

	port_init();
	SYST_RVR = CORE_HZ / HZ - 1;
	SYST_CVR = 0;
	PRIORITY_SYSTICK = LOW;
	SYST_CSR = 7;
	wsnprof_init();					/* (1) */
	wsnprof_start();
	for (;;) {
		while (ticks == done && !wsnprof_poll())	/* (2) when there is time */
			__asm__ volatile("wfi");
		while (ticks != done)
			tick(++done);
	}
}
