/*
 * hooks: firmware for tests/sim/test_hooks.sh, a case a file: the AVR's hooks where they are most
 * likely to be wrong. hooks.py holds what the node then says against the simulator's truth. around
 * is Cortex-M's, too.
 */
#ifndef HOOKS_H
#define HOOKS_H

#ifdef __AVR__
#include <avr/interrupt.h>
#include <avr/io.h>
#endif
#include <stdint.h>

#include "wsnprof_send.h"

#define QUIET __attribute__((no_instrument_function))
#define NOINLINE __attribute__((noinline))

/* CPU cycles, exactly; a constant. Cortex-M: instructions. */
#ifdef __AVR__
#define BURN(cycles) __builtin_avr_delay_cycles(cycles)
#else
#define BURN(cycles) __asm__ volatile(".rept %c0\n\tnop\n\t.endr" : : "i" (cycles))
#endif

/* The case. Profiling is on when it is called and goes off behind it. */
void hooks_run(void) QUIET;

/* Look at the run's ticks: they must never get less. */
void hooks_watch(void) QUIET;

/* Text: "NAME 0000002a". */
void hooks_say(const char *name, uint32_t value) QUIET;

/* Stop profiling, send everything, end the simulation. */
void hooks_end(void) QUIET __attribute__((noreturn));

/* The table's row of the function, whose address is in words as in the row; NULL: none. */
uint8_t *hooks_row(void (*function)(void)) QUIET;

extern uint8_t wsnprof_table[];
extern volatile uint8_t hooks_sink;

#endif
