/*
 * scale: a stretch of time as columns of equal length: the load of the node in each.
 *
 * A moment (core/history) is in each column that its time touches; its end belongs to it. A column
 * has the highest value of its moments, so that a short peak is seen at any scale.
 */
#ifndef WSNTOP_TUI_APP_PANE_SCALE_H
#define WSNTOP_TUI_APP_PANE_SCALE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/history/history.h"

enum { SCALE_COLUMNS = 512 };		/* at most */

/* Load; where none is known calls a second, where there are none bytes a second. */
enum scale_measure { SCALE_LOAD, SCALE_CALLS, SCALE_BYTES };

struct scale_column {
	double value;
	bool known;
};

struct scale {
	uint64_t begin_ns, end_ns;	/* end > begin */
	int width;			/* 1 to SCALE_COLUMNS */
	enum scale_measure by;
	double most;			/* of all columns */
	struct scale_column columns[SCALE_COLUMNS];
	/* private: what it was made of */
	const void *of;
	uint64_t serial;
};

/* All the time of a history that has moments. */
void scale_ends(const struct history *h, uint64_t *begin_ns, uint64_t *end_ns);

/* The value of a moment. NaN: not known. */
double scale_value(enum scale_measure by, const struct history_moment *m);

/*
 * Time from begin_ns to end_ns in so many columns. Made again only if something changed. Linear in
 * the moments between.
 */
void scale_fill(struct scale *s, const struct history *h, uint64_t begin_ns, uint64_t end_ns,
		int width);

/* The column of a time: of the first or last where it is before or after them. */
int scale_column_of(const struct scale *s, uint64_t time_ns);

/* Likewise of the end of a stretch, which is part of it. */
int scale_column_of_end(const struct scale *s, uint64_t time_ns);

uint64_t scale_time_at(const struct scale *s, int column);	/* of its middle */

#endif
