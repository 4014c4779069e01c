#include "tui/part/facts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "core/base/text.h"
#include "core/profile/look/rows.h"
#include "tui/part/table.h"

enum { SPOT_CELL_PLACE, SPOT_CELL_SHARE, SPOT_CELL_BAR, SPOT_CELL_TIME, SPOT_CELL_SAMPLES,
       SPOT_CELL_ADDRESS, SPOT_CELL_COUNT };

static const struct { const char *title; struct table_column column; } cells[SPOT_CELL_COUNT] = {
	[SPOT_CELL_PLACE] = { "", { 20, 48, 0 } },
	[SPOT_CELL_SHARE] = { "SHARE%", { 6, 6, 1 } },
	[SPOT_CELL_BAR] = { "", { 6, 12, 5 } },
	[SPOT_CELL_TIME] = { "SELF", { 8, 8, 3 } },
	[SPOT_CELL_SAMPLES] = { "SAMPLES", { 8, 8, 2 } },
	[SPOT_CELL_ADDRESS] = { "PC", { 10, 10, 4 } },
};

static void spots_refresh(struct spots *s, const struct profile *p, const struct image *im,
			  uint32_t function)
{
	/* A frozen picture knows no image. */
	struct profile with_image = *p;

	with_image.image = im;
	s->count = 0;
	if (p->functions[function].samples && spots_find(s, &with_image, function) < 0)
		s->count = 0;
}

static void draw_path(const struct spots *s, const struct table_span *at, struct grid *g, int y,
		      const struct profile_function *f)
{
	const char *path = f->path ? f->path : f->name;
	int width = s->count ? at[SPOT_CELL_PLACE].width : g->width;

	/* Of a path that does not fit the end is shown. */
	if (text_columns(path) > width && f->file)
		path = f->file;
	grid_fill(g, 0, y, g->width, ROLE_TITLE, ' ');
	grid_text(g, 0, y, width, ROLE_TITLE, path);
	for (size_t i = SPOT_CELL_SHARE; i < SPOT_CELL_COUNT && s->count; i++)
		part_title(g, at[i], y, cells[i].title, false, 0);
}

/* The uncertainty of a single time: large beside a short call. */
static void say_spread(const struct profile *p, const struct profile_function *f, char *dst,
		       size_t size)
{
	double spread = profile_seconds(p, profile_spread(p)), share;
	char text[16];
	int n;

	n = snprintf(dst, size, "  each time ±%s", text_seconds(text, sizeof(text), spread));
	share = f->per_call_s > 0 ? 100 * spread / f->per_call_s : 0;
	if (share >= 1)
		snprintf(dst + n, size - (size_t)n, ", %.0f %% of PER CALL", share);
}

static void draw_facts(const struct profile *p, struct grid *g, int y,
		       const struct profile_function *f)
{
	char self[COLUMN_TEXT], facts[200], samples[32];
	int n;

	columns[COLUMN_SELF].format(&(struct column_data){ .profile = p }, f, self, sizeof(self));
	if (profile_has_address(f))
		n = snprintf(facts, sizeof(facts), "0x%05" PRIx64 "  self %s", f->address,
			     *self ? self : "not known");
	else
		n = snprintf(facts, sizeof(facts), "%sself %s", f->address == PROFILE_RUNTIME ?
			     "the profiler itself  " : "", *self ? self : "not known");
	if (f->samples)
		n += snprintf(facts + n, sizeof(facts) - (size_t)n, "  %s sample%s",
			      text_whole(samples, sizeof(samples), f->samples),
			      f->samples == 1 ? "" : "s");
	if (f->cycle)
		n += snprintf(facts + n, sizeof(facts) - (size_t)n, "  in cycle %u", f->cycle);
	if (f->flags & ROW_HANDLER)
		n += snprintf(facts + n, sizeof(facts) - (size_t)n, "  interrupt handler");
	if (f->recursive)
		n += snprintf(facts + n, sizeof(facts) - (size_t)n, "  recursive");
	if (f->time == PROFILE_TIME_TIMED && profile_spread(p) > 0 && p->terms.ticks_per_second > 0)
		say_spread(p, f, facts + n, sizeof(facts) - (size_t)n);
	grid_text(g, 0, y, -1, ROLE_LABEL, facts);
}

/* True if there is a warning. */
static bool draw_warning(const struct profile *p, struct grid *g, int y,
			 const struct profile_function *f)
{
	const char *text = NULL;
	char line[100], slack[16];

	if (f->flags & ROW_TOTAL_NEGATIVE)
		text = "clock error on the node: a total went below zero and is not counted";
	else if (f->flags & ROW_STALE)
		text = "in part from an older report: the newest was cut short";
	else if (f->flags & ROW_LOST)
		text = "some of its calls were not counted, table full: build with a larger "
		       "WSNPROF_ARCS";
	else if (f->incomplete)
		text = "some of its calls were not counted: calls and total are at least these";
	else if (profile_self_rough(f))
		text = line;
	else if (profile_estimated(p))
		text = "~ estimate: the profiler's own cost subtracted";
	if (text == line)
		snprintf(line, sizeof(line), "~ self is an estimate, right to %s: its rows are of "
			 "different ages",
			 text_seconds(slack, sizeof(slack), f->self_slack_s));
	if (text)
		grid_text(g, 0, y, -1, ROLE_WARNING, text);
	return text != NULL;
}

static void draw_spot(const struct profile *p, const struct table_span *at, struct grid *g, int y,
		      const struct spot *s, uint64_t samples)
{
	double share = (double)s->samples / (double)samples;
	char text[256], address[16];

	grid_text(g, at[SPOT_CELL_PLACE].x, y, at[SPOT_CELL_PLACE].width, ROLE_NAME,
		  spot_name(s, text, sizeof(text)));
	part_percent(g, at[SPOT_CELL_SHARE], y, share);
	part_bar(g, at[SPOT_CELL_BAR], y, share, share);
	part_seconds(g, at[SPOT_CELL_TIME], y,
		     p->terms.hz > 0 ? (double)s->samples / p->terms.hz : NAN);
	part_count(g, at[SPOT_CELL_SAMPLES], y, (double)s->samples);
	snprintf(address, sizeof(address), "0x%05" PRIx32, s->pc);
	part_cell(g, at[SPOT_CELL_ADDRESS], y, ROLE_DIM, address);
}

int facts_draw(struct spots *s, const struct profile *p, const struct image *im, struct grid *g,
		int y, uint32_t function)
{
	const struct profile_function *f = &p->functions[function];
	struct table_column c[SPOT_CELL_COUNT];
	struct table_span at[SPOT_CELL_COUNT];

	spots_refresh(s, p, im, function);
	for (size_t i = 0; i < SPOT_CELL_COUNT; i++)
		c[i] = cells[i].column;
	table_layout(c, SPOT_CELL_COUNT, g->width, at);
	draw_path(s, at, g, y++, f);
	draw_facts(p, g, y++, f);
	y += draw_warning(p, g, y, f);
	for (size_t i = 0; i < s->count && y < g->height; i++, y++)
		draw_spot(p, at, g, y, &s->items[i], f->samples);
	return y;
}
