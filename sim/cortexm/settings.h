/*
 * settings: read from QEMU's command line, so that one image serves many tests:
 *
 *	-append 'run=net baud=9600 breathe=1'
 */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdint.h>

struct settings {
	uint32_t run;		/* bit i: workload i of the table in main.c; 0: all */
	uint32_t baud;		/* of the line; 0: no byte is ever sent */
	uint32_t late;		/* baud rate from the end on; 0: as before */
	/*
	 * 1: wsnprof_poll() between units of work, 0: send nothing before the end, more: for so
	 * many milliseconds less 1
	 */
	uint32_t breathe;
	/*
	 * 1: asleep between the polls of so many milliseconds, because nine instructions in ten
	 * are these polls; the clock's ticks are no measure of instructions then
	 */
	uint32_t doze;
	uint32_t rounds;	/* of each workload */
	uint32_t reset;		/* 1: reset at the end: no count may be sent */
	uint32_t finish;	/* milliseconds to send in, after the end */
	uint32_t report;	/* 1: and the text report, if it is built in */
	uint32_t raw;		/* 1: the raw stream: nothing else may be sent */
	uint32_t stacks;	/* tasks that have a shadow stack, besides the main program */
	uint32_t bits;		/* of the clock, 24; 0: as the board has it */
	/* lanes.c: ticks in microseconds, how many, and those from one switch to the next */
	uint32_t tick, ticks, every;
	uint32_t forever;	/* 1: the workloads again and again: the demonstration */
};

extern struct settings settings;

/* `find`: the number of the workload of this name, or -1. */
void settings_read(const char *line, int (*find)(const char *name, uint32_t length));

#endif
