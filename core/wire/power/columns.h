/*
 * columns: a line of numbers in columns, as scripts and instruments write them. Private to
 * core/wire/power.
 *
 * The separator is the first of these that the line has: semicolon, tab, comma, white space. Where
 * it is a semicolon or a tab, a number may have a decimal comma. A line whose wanted columns are no
 * numbers may be a header: "Timestamp(ms),Current(uA)", "time [s];I [mA]", from which the units
 * are read.
 */
#ifndef WSNTOP_WIRE_POWER_COLUMNS_H
#define WSNTOP_WIRE_POWER_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

enum { COLUMNS_MOST = 64 };

struct columns {
	const char *at[COLUMNS_MOST];	/* borrowed from the line */
	size_t length[COLUMNS_MOST];
	size_t count;
	bool comma;			/* a decimal comma may be meant */
};

/* separator 0: found by itself. Columns beyond COLUMNS_MOST are left out. */
void columns_split(struct columns *c, const char *line, char separator);

/* Column `i` from 0 as a number; false: it is none. */
bool columns_number(const struct columns *c, size_t i, double *value);

/* The unit that column `i` of a header names, behind a bracket or at its end; 0: none. */
double columns_amps(const struct columns *c, size_t i);
double columns_seconds(const struct columns *c, size_t i);

/* "mA", "uA" or "ms", "us" as amperes, seconds; 0: it is none. */
double unit_amps(const char *unit);
double unit_seconds(const char *unit);

#endif
