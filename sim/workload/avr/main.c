/*
 * main: runs the workloads that the build names, prints the checksum of each, sends what was
 * counted and ends the simulation.
 *
 *	-DWORKLOAD_RUN='RUN(crc) RUN(fib)'	these, one after the other
 *	-DWORKLOAD_MUTE				send nothing before the end: durations without the
 *						UART's interrupts
 *	-DWORKLOAD_REPORT			at the end also the text report
 *	-DWORKLOAD_TAIL_MS=N			continue to send for N ms after counting has stopped
 *	-DWORKLOAD_PAD=BYTES			the code comes behind so many bytes (pad.c)
 *	-DWORKLOAD_IDS=N			traced: so many ids are used up here
 */
#include <avr/interrupt.h>
#include <avr/sleep.h>

#include "workload.h"
#include "workload_port.h"
#include "wsnprof.h"
#include "wsnprof_arch.h"
#include "wsnprof_defaults.h"
#include "wsnprof_port.h"
#include "wsnprof_uart.h"

#ifndef WORKLOAD_TAIL_MS
#define WORKLOAD_TAIL_MS (2 * WSNPROF_PERIOD_MS + 1)
#endif

static WORKLOAD_QUIET void poll_for(uint16_t milliseconds)
{
	while (milliseconds--) {
		wsnprof_poll();
		__builtin_avr_delay_cycles(F_CPU / 1000);
	}
}

/* Until all is sent, or for as long as that may take at 9,600 baud: no host may be reading it. */
static WORKLOAD_QUIET void drain(void)
{
	uint16_t milliseconds;

	for (milliseconds = 0; milliseconds < 10000 && !wsnprof_idle(); milliseconds++)
		poll_for(1);
}

/* "NAME 0badcafe" */
static WORKLOAD_QUIET void say_sum(const char *name, uint32_t sum)
{
	char text[12];
	uint8_t i;

	text[0] = ' ';
	for (i = 8; i > 0; i--, sum >>= 4)
		text[i] = "0123456789abcdef"[sum & 15];
	text[9] = '\n';
	text[10] = '\0';
	workload_say(name);
	workload_say(text);
	drain();
}

/*
 * The refresh that begins after the stop has the final figures of all rows; twice, for a host that
 * loses one.
 */
static WORKLOAD_QUIET void finish(void)
{
	poll_for(WORKLOAD_TAIL_MS);
	drain();
#ifdef WORKLOAD_REPORT
	wsnprof_report();
	drain();
#endif
	/* two bytes are in the UART, 9,600 baud at the slowest */
	__builtin_avr_delay_cycles(F_CPU / 50);
	cli();
	sleep_enable();
	for (;;)
		sleep_cpu();
}

#ifdef WORKLOAD_PAD
extern const uint8_t workload_pad[];
static const uint8_t *volatile pad;		/* a reference: the linker keeps it */
#define PAD() (pad = workload_pad)
#else
#define PAD() ((void)0)
#endif

#ifdef WORKLOAD_IDS
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
__asm__(".pushsection .wsntrace_id,\"\",@progbits\n\t.space " TEXT(WORKLOAD_IDS) "\n\t.popsection");
#endif

/* Those of tests/sim/firmware stand in no header. */
#define RUN(name) uint32_t workload_##name(void) WORKLOAD_QUIET;
WORKLOAD_RUN
#undef RUN

#define RUN(name) sums[count++] = workload_##name();
#define SAY(name) say_sum(#name, sums[count++]);

#if WSNPROF_TIMER_READ == 2
ISR(WSNPROF_T_OVERFLOW_VECT, WORKLOAD_QUIET)
{
	wsnprof_clock_tick();
}
#endif

/* An application's timer, which the runtime only reads. */
static WORKLOAD_QUIET void timer_begin(void)
{
#if WSNPROF_TIMER_READ
	WSNPROF_T_SELECT = _BV(CS10);
#endif
#if WSNPROF_TIMER_READ == 2
	WSNPROF_T_INTERRUPTS = _BV(WSNPROF_T_OVERFLOW_ENABLE);
#endif
}

WORKLOAD_QUIET int main(void)
{
	uint32_t sums[16];
	uint8_t count = 0;

	PAD();
	wsnprof_uart_init();
	wsnprof_init();
	timer_begin();
	sei();
	wsnprof_start();
	WORKLOAD_RUN
	wsnprof_stop();
#undef RUN
#define RUN SAY
	count = 0;
	WORKLOAD_RUN
	finish();
}
