/*
 * ring: text from an interrupt at every moment while the main program puts frames and text into the ring
 * and the UART's interrupt takes them out. On the other side every "<i>" must be whole, and every frame.
 * The sum is how often the interrupt spoke, and how often the main program did.
 */
#include "workload.h"
#include "workload_port.h"

#define SPOKEN 600

uint32_t workload_ring(void) WORKLOAD_QUIET;

static volatile uint16_t spoken;
static volatile uint16_t sink;

static void ring_speak(void)
{
	if (spoken == SPOKEN)
		return;
	workload_say("<i>");
	spoken++;
}

static void ring_work(uint16_t n)
{
	sink = n;
}

uint32_t workload_ring(void)
{
	uint16_t n = 0, dots = 0;

	spoken = 0;
	workload_ticker_start(1731, ring_speak);
	while (spoken < SPOKEN) {
		ring_work(n);
		workload_breathe();
		if (++n % 256 == 0) {
			workload_say(".");
			dots++;
		}
	}
	workload_ticker_stop();
	return (uint32_t)spoken << 16 | dots;
}
