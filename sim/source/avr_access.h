/*
 * avr_access: which memory an AVR's next instruction reads or writes, by the instruction set's
 * manual: addresses of the data space, I/O registers from 0x20 on, the stack's words of calls.
 */
#ifndef WSNTOP_SIM_SOURCE_AVR_ACCESS_H
#define WSNTOP_SIM_SOURCE_AVR_ACCESS_H

#include <simavr/sim_avr.h>
#include <stdbool.h>
#include <stdint.h>

struct avr_access {
	uint16_t address;
	uint8_t size;			/* 0: none */
	bool loads, stores;		/* sbi and cbi do both */
};

/* Before it runs. */
struct avr_access avr_access_of(const avr_t *avr);

#endif
