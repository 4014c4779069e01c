/*
 * diff: what changed between two profiles, as a document: the comparison of
 * core/profile/look/compare.h, the largest regressions first. A row of `diff_formats` each.
 *
 * Loads are shares of wall time (of the time profiled, or of all time counted, where no more is
 * known). Rows that did not change are counted, and written if `all` is set.
 */
#ifndef WSNTOP_REPORT_DIFF_H
#define WSNTOP_REPORT_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/out.h"
#include "core/base/regex.h"
#include "core/profile/look/compare.h"

struct diff {
	struct compare compare;
	struct compare_least least;
	const char *then, *now;		/* what the two are called */
	uint32_t *rows;			/* of compare.rows, in order */
	size_t count;			/* of these */
	size_t left_out;		/* behind the limit */
};

struct diff_options {
	struct compare_least least;	/* changes that are relevant */
	const struct regex *filter;	/* over name and file; NULL: all */
	uint64_t limit;			/* rows at most; 0: no limit */
	bool all;			/* rows without a change, too */
};

/* Profiles and names are borrowed. 0 or ERR_NOMEM; release in both cases. */
int diff_init(struct diff *d, const struct profile *then, const struct profile *now,
	      const char *then_name, const char *now_name, const struct diff_options *o);
void diff_release(struct diff *d);

struct diff_format {
	const char *name, *help;
	void (*write)(const struct diff *d, struct out *out);
};

extern const struct diff_format diff_formats[];		/* end with a NULL name */

/* --- for the formats -------------------------------------------------------------------------- */

#define DIFF_CELL 48

const char *diff_verdict(const struct compare_row *r);	/* "worse"; "" where nothing is known */

/* "4.8 %" and the like; "" for NaN. dst has DIFF_CELL bytes. */
const char *diff_value(enum compare_measure m, double value, char *dst);

/* "+12.3 %" of then, "new", ""; a load in points: "+5.2 pt". */
const char *diff_change(enum compare_measure m, const struct compare_value *v, char *dst);

/* The two are to be shown: it changed, by more than these texts round to. */
bool diff_moved(const struct compare_value *v, const char *then, const char *now);

extern const char *const diff_measures[COMPARE_MEASURES];	/* headings: "load", "per call" */

/* "load 25.6 % -> 97.7 %; 5 worse, 2 mixed, 13 the same" */
void diff_summary(const struct diff *d, const char *arrow, struct out *out);

void diff_text(const struct diff *d, struct out *out);
void diff_json(const struct diff *d, struct out *out);
void diff_markdown(const struct diff *d, struct out *out);
void diff_html(const struct diff *d, struct out *out);

#endif
