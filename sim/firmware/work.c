/* work: the tasks that use everything else. */
#include <avr/pgmspace.h>
#include <stddef.h>
#include <stdio.h>

#include "app.h"

static uint16_t sent, delivered, broken;
static uint32_t fib_last;
static volatile bool report_due;

/* From the link, for every bundle that arrives. */
static void bundle_deliver(const uint8_t *data, uint8_t length)
{
	struct bundle b;

	if (bundle_read(&b, data, length))
		delivered++;
	else
		broken++;
}

/* In the timer interrupt, every two seconds: asks for the line that report_task prints. */
static void report_ask(void)
{
	report_due = true;
}

void bundle_init(void)
{
	link_init(bundle_deliver);
	clock_every(1, 2 * CLOCK_TICKS_PER_SECOND, report_ask);
}

static bool bundle_send(void)
{
	uint8_t payload[16];
	uint8_t length = sample_take(payload, sizeof(payload));
	struct bundle b = { 0x1234, sent, clock_now(), length, payload };
	uint8_t *block = pool_get();
	bool done = false;

	if (!block)
		return false;
	length = bundle_write(&b, block, POOL_BLOCK);
	if (length)
		done = link_send(block, length);
	pool_put(block);
	return done;
}

void bundle_task(void)
{
	uint8_t i;

	for (i = 0; i < phase_now()->bundles; i++)
		if (bundle_send())
			sent++;
}

uint32_t fib(uint8_t n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

void fib_task(void)
{
	uint8_t n = phase_now()->fib;

	if (n)
		fib_last = fib(n);
}

void report_task(void)
{
	if (!report_due)
		return;
	report_due = false;
	printf_P(PSTR("%s: %u sent, %u delivered, %u broken, fib %lu, %u blocks free\n"),
		 phase_now()->name, sent, delivered, broken, fib_last, pool_free());
}
