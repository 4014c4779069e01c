/*
 * Below the compare view's table: the totals in a line, and one row in sentences.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/view/compare/changes.h"
#include "tui/part/delta.h"
#include "tui/part/table.h"

static void verdict_count_add(char *dst, size_t size, size_t n, const char *word)
{
	size_t used = strlen(dst);

	if (n)
		snprintf(dst + used, size - used, "%s%s %s", used ? ", " : "",
			 TEXT_WHOLE(n), word);
}

static void load_text(const struct compare *c, char *dst, size_t size)
{
	/* Loads from samples alone, or shares, add up to 100 % whatever changed. */
	bool whole = c->shares || (c->load.then > 0.999 && c->load.now > 0.999);
	char then[DELTA_TEXT], now[DELTA_TEXT], change[DELTA_TEXT];

	dst[0] = '\0';
	if (!whole && c->load.verdict != COMPARE_UNKNOWN)
		snprintf(dst, size, "load %s, was %s: %s; ",
			 delta_figure(now, sizeof(now), c->load.now, COMPARE_LOAD),
			 delta_figure(then, sizeof(then), c->load.then, COMPARE_LOAD),
			 c->load.verdict == COMPARE_SAME ? "within noise" :
			 delta_text(change, sizeof(change), &c->load, COMPARE_LOAD));
}

/* "load 35.0 %, was 31.2 %: +3.8 pt; 3 worse, 1 better, 40 same" */
void changes_draw_totals(const struct changes *c, struct grid *g, int y)
{
	const struct compare *k = c->compare;
	const char *note = k->shares ? "loads are shares: the stream has no profiling time" :
		!k->wall && k->now->terms.gathers ?
		"per second profiled: the baseline has no wall time" : "";
	char counts[160] = "", load[120], line[300];
	int room = g->width - (*note ? text_columns(note) + 2 : 0);

	if (compare_is_same(k))
		snprintf(counts, sizeof(counts), "no relevant change");
	verdict_count_add(counts, sizeof(counts), k->verdicts[COMPARE_WORSE], "worse");
	verdict_count_add(counts, sizeof(counts), k->verdicts[COMPARE_MIXED], "mixed");
	verdict_count_add(counts, sizeof(counts), k->verdicts[COMPARE_BETTER], "better");
	verdict_count_add(counts, sizeof(counts), k->verdicts[COMPARE_NEW], "new");
	verdict_count_add(counts, sizeof(counts), k->verdicts[COMPARE_GONE], "gone");
	verdict_count_add(counts, sizeof(counts), k->verdicts[COMPARE_SAME], "the same");
	verdict_count_add(counts, sizeof(counts), c->hidden, "hidden by the filter");
	load_text(k, load, sizeof(load));
	/* The counts and the note take precedence over the load. */
	snprintf(line, sizeof(line), "%s%s",
		 text_columns(load) + text_columns(counts) <= room ? load : "", counts);
	part_footer(g, y, line, note);
}

/* The selected row in sentences, with the noise: as many as fit, the load's first. */
void changes_draw_line(const struct changes *c, size_t line, struct grid *g, int y, int lines)
{
	const struct compare_row *r = changes_row(c, line);
	char text[120];
	int x, last = y + lines;

	if (!r)
		return;
	grid_fill(g, 0, y++, g->width, ROLE_DIM, g->utf8 ? 0x2500 : '-');
	x = naming_put(g, 0, y, g->width / 2, ROLE_NAME, changes_subject(c, line)->name, NULL);
	x += 2;
	for (int m = 0; m < COMPARE_MEASURES; m++) {
		delta_sentence(text, sizeof(text), &r->value[m], (enum compare_measure)m);
		if (!text[0])
			continue;
		if (x > 2 && x + text_columns(text) > g->width) {
			x = 2;
			y++;
		}
		if (y > last)
			break;
		x += grid_text(g, x, y, -1, delta_role(&r->value[m]), text) + 3;
	}
}
