/*
 * delta: how a difference to the baseline is drawn, the same in every view. For tui/view.
 *
 *	+12 %	more by so much: worse (yellow)		x14	more than tenfold
 *	-3.1 %	less: better (green)			+3.8 pt	a load: points of a percent
 *	new	only now (yellow)			gone	only then (green)
 *	~	within the noise (dim)			-	not known (dim)
 *
 * A difference beyond the noise that is not relevant (compare.h) is dim.
 *
 * Never by colour alone: the sign shows it too. A view that shows a table adds one column:
 *
 *	c[i] = delta_column(s, 4);			rank 4; width 0 where there is no baseline
 *	delta_title(g, spans[i], y, 0);
 *	delta_function(g, spans[i], y, s, function, COMPARE_PER_CALL);
 *
 * all of which do nothing where there is no baseline or the column has no width. s->model.compare
 * is of s->model.profile, so `function` and `edge` are the indices that the view has anyway;
 * COMPARE_LOAD goes with self time, COMPARE_PER_CALL with inclusive time (compare.h).
 */
#ifndef WSNTOP_TUI_PART_DELTA_H
#define WSNTOP_TUI_PART_DELTA_H

#include "core/profile/look/compare.h"
#include "tui/part/table.h"

#define DELTA_WIDTH 8
#define DELTA_TEXT 24			/* bytes that any text here fits in */

struct table_column delta_column(const struct view_shared *s, int rank);
void delta_title(struct grid *g, struct table_span at, int y, int sorted);

/* The cell of a function, of an edge of s->model.profile. */
void delta_function(struct grid *g, struct table_span at, int y, const struct view_shared *s,
		    uint32_t function, enum compare_measure m);
void delta_edge(struct grid *g, struct table_span at, int y, const struct view_shared *s,
		uint32_t edge, enum compare_measure m);

/* The cell of any value. */
void delta_cell(struct grid *g, struct table_span at, int y, const struct compare_value *v,
		enum compare_measure m);

/* Its text alone, and how it is drawn; "" where it is not known. */
const char *delta_text(char *dst, size_t size, const struct compare_value *v,
		       enum compare_measure m);
enum role delta_role(const struct compare_value *v);

/* A figure with its unit: "12.3 %", "4.56 us", "98.5/s"; "" for NaN. */
const char *delta_figure(char *dst, size_t size, double v, enum compare_measure m);

/*
 * A sentence for where there is room: "per call 4.56 us, was 4.00 us: +14 % (noise 0.2 %)"; ""
 * where nothing is known. Of 120 bytes.
 */
const char *delta_sentence(char *dst, size_t size, const struct compare_value *v,
			   enum compare_measure m);

/* A row's verdict and its reasons: "worse load, call"; "mixed load- call+"; "same"; "-". */
const char *delta_verdict(char *dst, size_t size, const struct compare_row *r);
enum role delta_row_role(const struct compare_row *r);

#endif
