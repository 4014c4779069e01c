/*
 * wsnprof_port: what the portable half needs of an AVR.
 *
 * Time is timer 1, free-running behind a prescaler, with its overflows counted: 32 bits of ticks.
 * Timer 1 belongs to the profiler whole. At 8 MHz and clk/64 a tick is 8 us, the 16-bit min and
 * max reach to 0.52 s and the totals to 9.5 hours. It runs on in idle sleep and stands still in the
 * deeper ones.
 *
 * Interrupts must not stay off for more than half an overflow period (0.26 s by default), or
 * the clock loses one.
 */
#ifndef WSNPROF_PORT_H
#define WSNPROF_PORT_H

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

#include "wsnprof.h"
#include "wsnprof_defaults.h"

/* Timer 1's prescaler: 1, 8, 64, 256 or 1024 cycles a tick. */
#ifndef WSNPROF_PRESCALE
#define WSNPROF_PRESCALE 64
#endif

#define WSNPROF_TICKS_PER_SECOND (F_CPU / WSNPROF_PRESCALE)

#define WSNPROF_INLINE \
	static inline __attribute__((always_inline, no_instrument_function, unused))

/* As the compiler passes them: word addresses, 16 bits for up to 128 KB of flash. */
typedef uint16_t wsnprof_address;

WSNPROF_INLINE uint32_t wsnprof_byte_address(wsnprof_address a)
{
	return (uint32_t)a << 1;
}

WSNPROF_INLINE uint8_t wsnprof_lock(void)
{
	uint8_t sreg = SREG;

	cli();
	return sreg;
}

WSNPROF_INLINE void wsnprof_unlock(uint8_t sreg)
{
	__asm__ volatile("" ::: "memory");
	SREG = sreg;
}

extern volatile uint16_t wsnprof_wraps;

/* Ticks; interrupts are off. An overflow still pending belongs to a counter read after it. */
WSNPROF_INLINE uint32_t wsnprof_now(void)
{
	union {
		struct {
			uint16_t low;
			uint16_t high;
		} half;
		uint32_t ticks;
	} now;			/* shifts and ors would cost 20 cycles */

	now.half.low = TCNT1;
	now.half.high = wsnprof_wraps;
	if ((TIFR1 & _BV(TOV1)) && !(now.half.low & 0x8000))
		now.half.high++;
	return now.ticks;
}

/* Start timer 1. */
void wsnprof_clock_init(void) WSNPROF_QUIET;

/* There are bytes in the ring: make the driver take them. Callable from interrupts. */
void wsnprof_port_kick(void) WSNPROF_QUIET;

#endif
