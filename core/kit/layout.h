/*
 * layout: where a kind of firmware tree wants the runtime's files: one row for each RTOS, with the
 * lines that its build needs (docs/integration/ explains them).
 */
#ifndef WSNTOP_KIT_LAYOUT_H
#define WSNTOP_KIT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

enum layout_chip { LAYOUT_AVR = 1, LAYOUT_CORTEXM = 2, LAYOUT_ANY = 3 };

/* A folder of the share, or one file of it. */
struct layout_rule {
	unsigned chips;
	const char *from, *to;		/* of a file, too: `to` is the folder that it goes to */
	const char *begins;		/* of a folder: names that begin so; NULL: all */
	const char *const *except;	/* but these; NULL: none */
};

/* A line that the program of a layout needs in wsnprof_config.h. */
struct layout_setting {
	unsigned chips;
	const char *name, *value, *why;
};

/* Lines to add, indented as they are printed. */
struct layout_step {
	unsigned chips;
	const char *text;
};

struct layout {
	const char *name, *about;
	unsigned chips;
	const char *config;		/* path of wsnprof_config.h in the tree */
	bool guarded;			/* its settings may be given by flags, too: #ifndef */
	bool no_uart;			/* the runtime's driver of USART 0 is not used */
	bool keeps_timer;		/* timer 1 stays: its start-up code writes all timers */
	unsigned timers;		/* 1 << N: the RTOS has an AVR's timer N, once it is used */
	unsigned sites_max;		/* call sites that are enough to begin with; 0: no limit */
	const char *tasks_max;		/* the setting of how many tasks there are; NULL: none */
	const char *clock;		/* which clock the user writes; NULL: the core's */
	const struct layout_rule *rules;	/* end with .from NULL */
	const struct layout_setting *settings;	/* end with .name NULL; NULL: none */
	const struct layout_step *steps;	/* end with .text NULL */
};

extern const struct layout layouts[];		/* the first: no RTOS; end with .name NULL */

/* By name; NULL: there is none. */
const struct layout *layout_find(const char *name);

const char *layout_chip_name(unsigned chip);	/* "avr", "cortexm" */

#endif
