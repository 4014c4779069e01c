/*
 * draw: the source view's rows, titles, first and last line.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/part/delta.h"
#include "tui/part/table.h"
#include "tui/view/source/view.h"

enum {
	SOURCE_SHARE, SOURCE_BAR, SOURCE_SAMPLES, SOURCE_CALLS, SOURCE_TOTAL, SOURCE_PER_CALL,
	SOURCE_DELTA, SOURCE_MAX, SOURCE_LINE, SOURCE_JUMPS, SOURCE_TEXT, SOURCE_CELLS,
};

enum {					/* columns */
	WIDE = 160,
	WIDE_BAR = 20,
	NOTES_IN = 4,			/* notes stand in: the code's own left edge is seen */
};

static const struct { const char *title; struct table_column column; } cells[SOURCE_CELLS] = {
	[SOURCE_SHARE] = { "SHARE%", { 6, 6, 1 } },
	[SOURCE_BAR] = { "", { 5, 10, 6 } },
	[SOURCE_SAMPLES] = { "SAMPLES", { 7, 8, 4 } },
	[SOURCE_CALLS] = { "CALLS", { 7, 8, 2 } },
	[SOURCE_TOTAL] = { "TOTAL", { 7, 8, 3 } },
	[SOURCE_PER_CALL] = { "PER CALL", { 8, 8, 7 } },
	[SOURCE_DELTA] = { "", { 0, 0, 0 } },	/* delta.h */
	[SOURCE_MAX] = { "MAX", { 8, 8, 8 } },
	[SOURCE_LINE] = { "LINE", { 5, 6, 1 } },
	[SOURCE_JUMPS] = { "", { 0, 0, 0 } },	/* as many lanes as there is room for */
	[SOURCE_TEXT] = { "", { 0, 0, 0 } },
};

/* --- rows ------------------------------------------------------------------------------------- */

int source_top(const struct view *v)
{
	return v->height >= 8 ? 2 : 1;
}

int source_page(const struct view *v)
{
	return v->height - source_top(v) - (v->height >= 6);
}

static void lay_out_costs(const struct source_view *v, const struct view_shared *s, int width,
			  struct table_span *spans)
{
	const struct profile_function *f = source_function(v);
	bool samples = v->cost.samples > 0 && !v->cost.by_ticks;
	bool calls = v->cost.call_count || (f && f->called);
	bool times = v->cost.timed || (f && f->called && f->total_s > 0);
	int lanes = source_jumps_lanes(v, width);
	struct table_column c[SOURCE_CELLS];

	for (size_t i = 0; i < SOURCE_CELLS; i++)
		c[i] = cells[i].column;
	c[SOURCE_DELTA] = delta_column(s, 5);
	c[SOURCE_JUMPS] = (struct table_column){ lanes, lanes, 0 };
	c[SOURCE_TEXT] = (struct table_column){ width / 2 - (lanes ? lanes + 2 : 0), width, 0 };
	if (width >= WIDE)
		c[SOURCE_BAR].width = c[SOURCE_BAR].wants = WIDE_BAR;
	else
		c[SOURCE_MAX].width = 0;
	if (!samples)
		c[SOURCE_SAMPLES].width = 0;
	if (!v->cost.samples && !v->cost.timed && isnan(source_entry_share(v)))
		c[SOURCE_SHARE].width = c[SOURCE_BAR].width = 0;
	if (!calls)
		c[SOURCE_CALLS].width = 0;
	if (!times)
		c[SOURCE_TOTAL].width = c[SOURCE_PER_CALL].width = c[SOURCE_DELTA].width =
			c[SOURCE_MAX].width = 0;
	if (!v->rows.lines)
		c[SOURCE_LINE].width = 0;
	/* Columns that are left over belong to the text. */
	for (size_t i = 0; width < 100 && i < SOURCE_TEXT; i++)
		c[i].wants = c[i].width;
	table_layout(c, SOURCE_CELLS, width, spans);
}

static enum role text_role(const struct source_view *v, struct note n)
{
	const struct cost_line *l;

	switch (n.kind) {
	case NOTE_TEXT:
		if (v->first && n.line >= v->first && n.line <= v->last)
			return ROLE_NAME;
		l = cost_line(&v->cost, n.line);
		return l && (l->samples || l->sites) ? ROLE_NAME : ROLE_DIM;
	case NOTE_INSTRUCTION: return ROLE_NUMBER;
	case NOTE_CALL: return ROLE_NAME;
	case NOTE_PLACE:
	default: return ROLE_LABEL;
	}
}

/* The line's number; behind it an i where its code is inlined into this function. */
static void draw_line_number(const struct source_view *v, struct grid *g, struct table_span at,
			     int y, struct note n)
{
	const struct cost_line *l = cost_line(&v->cost, n.line);
	char text[16];

	if (!at.width || n.kind != NOTE_TEXT)
		return;
	snprintf(text, sizeof(text), "%" PRIu32 "%s", n.line, l && !l->own ? "i" : " ");
	grid_right(g, at.x, y, at.width, l ? ROLE_NUMBER : ROLE_DIM, text);
}

/* "<0.3": rounded up, so that it holds. */
static void draw_below(struct grid *g, struct table_span at, int y, double below)
{
	char text[16];

	if (!at.width)
		return;
	snprintf(text, sizeof(text), "<%.1f", ceil(below * 1000) / 10);
	grid_right(g, at.x, y, at.width, ROLE_DIM, text);
}

/* Unlike in other tables, most lines have no figures: no dashes. */
static void draw_figures(const struct source_view *v, struct grid *g, const struct table_span *at,
			 int y, const struct row_figures *f, double hottest)
{
	if (!isnan(f->share)) {
		double heat = hottest > 0 ? f->share / hottest : 0;

		part_percent(g, at[SOURCE_SHARE], y, f->share);
		part_bar(g, at[SOURCE_BAR], y, f->share, heat);
		if (!at[SOURCE_BAR].width)
			grid_role(g, at[SOURCE_SHARE].x, y, at[SOURCE_SHARE].width,
				  role_heat(heat > 1 ? 1 : heat));
	}
	if (!isnan(f->samples))
		part_count(g, at[SOURCE_SAMPLES], y, f->samples);
	if (!isnan(f->below))
		draw_below(g, at[SOURCE_SHARE], y, f->below);
	if (f->never && at[SOURCE_CALLS].width)
		grid_right(g, at[SOURCE_CALLS].x, y, at[SOURCE_CALLS].width, ROLE_WARNING, "never");
	if (isnan(f->calls))
		return;
	part_count(g, at[SOURCE_CALLS], y, f->calls);
	part_at_least(g, at[SOURCE_TOTAL], y, f->total_s, f->total_at_least);
	part_call_time(g, at[SOURCE_PER_CALL], y, v->profile, f->per_call_s, false);
	if (at[SOURCE_MAX].width && !isnan(f->max_s))
		part_call_time(g, at[SOURCE_MAX], y, v->profile, f->max_s, f->max_at_least);
}

/* Comparisons are of all calls from one function to another: only a single call site fits. */
static uint32_t edge_of_call(const struct profile *p, const struct cost_call *call)
{
	bool alone = call->site == PROFILE_NONE ? p->edges[call->edge].sites == 1 :
		     call->edge != PROFILE_NONE &&
		     p->edges[call->edge].first_site == call->site &&
		     p->sites[call->site].next == PROFILE_NONE;

	return alone ? call->edge : PROFILE_NONE;
}

/* The change of the time per call: of the function's own calls, or of a line's call. */
static void draw_change(const struct source_view *v, const struct view_shared *s, struct grid *g,
			struct table_span at, int y, struct note n)
{
	size_t call = source_call_of(v, n);

	if (!at.width || v->profile != s->model.profile)
		return;
	if (n.kind == NOTE_ENTRY && v->function != PROFILE_NONE)
		delta_function(g, at, y, s, v->function, COMPARE_PER_CALL);
	else if (call != SIZE_MAX)
		delta_edge(g, at, y, s, edge_of_call(v->profile, &v->cost.calls[call]),
			   COMPARE_PER_CALL);
}

static void draw_source_row(const struct source_view *v, const struct view_shared *s,
			    struct grid *g, const struct table_span *at, int y, size_t row)
{
	struct note n = annotation_at(&v->rows, row);
	struct row_figures f = source_figures(v, n);
	struct table_span text = at[SOURCE_TEXT];
	int in = v->rows.lines && n.kind != NOTE_TEXT ? NOTES_IN : 0;
	enum role role = text_role(v, n);
	char shown[4096];

	/* Between the lines the instructions that cost something stand out. */
	if (n.kind == NOTE_INSTRUCTION && in && isnan(f.samples) && isnan(f.calls))
		role = ROLE_LABEL;
	draw_figures(v, g, at, y, &f,
		     n.kind == NOTE_INSTRUCTION ? v->hottest_code : v->hottest);
	draw_change(v, s, g, at[SOURCE_DELTA], y, n);
	draw_line_number(v, g, at[SOURCE_LINE], y, n);
	source_row_text(v, n, shown, sizeof(shown), v->left, text.width - in);
	if (text.width > in)
		part_name(g, text.x + in, y, text.width - in, role, shown, s->search);
	if (row == v->list.cursor)
		grid_select_row(g, y);
}

/* --- around it -------------------------------------------------------------------------------- */

/* A measure's difference to the baseline, where there is one, behind the figure that it is of. */
static int draw_load_delta(const struct compare_row *r, struct grid *g, int x,
			   enum compare_measure m)
{
	char delta[DELTA_TEXT];

	if (!r || !*delta_text(delta, sizeof(delta), &r->value[m], m))
		return 0;
	return grid_textf(g, x, 0, g->width - x, delta_role(&r->value[m]), " %s", delta);
}

/* "sample  self 311 ms +3.1 pt  120 calls +12 %  1204 samples  src/app.c" */
static void draw_function(const struct source_view *v, const struct view_shared *s, struct grid *g)
{
	const struct profile_function *f = source_function(v);
	const struct compare *compare = s->model.compare;
	const struct compare_row *r = compare ? compare_function(compare, v->function) : NULL;
	const char *file = v->source ? source_path(v->source) : v->path;
	char self[24], count[32];
	int x = 0;

	if (f)
		x = naming_put(g, 0, 0, g->width / 2, ROLE_VALUE, f->name, NULL);
	if (f && !isnan(f->self_s)) {
		column_self_time(f, self, sizeof(self));
		x += grid_textf(g, x, 0, g->width - x, ROLE_LABEL, "  self %s", self);
		x += draw_load_delta(r, g, x, COMPARE_LOAD);
	}
	if (f && f->called) {
		x += grid_textf(g, x, 0, g->width - x, ROLE_LABEL, "  %s call%s",
				text_whole(count, sizeof(count), f->calls),
				f->calls == 1 ? "" : "s");
		x += draw_load_delta(r, g, x, COMPARE_PER_CALL);
	}
	if (v->cost.samples && !v->cost.by_ticks)
		x += grid_textf(g, x, 0, g->width - x, ROLE_LABEL, "  %s sample%s",
				text_whole(count, sizeof(count), v->cost.samples),
				v->cost.samples == 1 ? "" : "s");
	if (file)
		grid_textf(g, x, 0, g->width - x, ROLE_DIM, "  %s", file);
}

static const char *file_name(const struct source_view *v)
{
	return v->path ? text_basename(v->path) : "";
}

static void draw_cost_titles(const struct source_view *v, struct grid *g,
			     const struct table_span *at, int y)
{
	grid_fill(g, 0, y, g->width, ROLE_TITLE, ' ');
	for (size_t i = 0; i < SOURCE_TEXT; i++)
		part_title(g, at[i], y, cells[i].title, false, 0);
	delta_title(g, at[SOURCE_DELTA], y, 0);
	part_title(g, at[SOURCE_TEXT], y, v->rows.lines ? file_name(v) : "INSTRUCTIONS", true, 0);
}

static void draw_mode(const struct source_view *v, const struct view_shared *s, struct grid *g,
		      int y)
{
	const struct profile_function *f = source_function(v);
	bool listing = v->mode != SOURCE_MODE_TEXT && v->objdump;
	char plain[200], warning[700];

	snprintf(plain, sizeof(plain), "%s%s%s%s", source_mode_names[v->mode],
		 !listing ? "" : v->listed ? " by " : ": ",
		 listing ? text_basename(objdump_tool(v->objdump)) : "",
		 listing && !v->listed ? " runs" : "");
	snprintf(warning, sizeof(warning), "%s%s%s%s%s",
		 f && f->samples && !v->cost.samples ?
		 "the lines of its samples are not known here  " : "",
		 v->newer && v->rows.lines ?
		 "changed since the ELF was built: lines may be off  " : "",
		 listing && s->node && node_image_is_old(s->node) ?
		 "the ELF was rebuilt: instructions are of the new one  " : "",
		 v->mode != SOURCE_MODE_TEXT ? v->no_tool.text : "",
		 listing && v->listed ? objdump_trouble(v->objdump) : "");
	part_footer(g, y, plain, warning);
}

/* --- nothing to show -------------------------------------------------------------------------- */

static const char code_hint[] = "{mode} shows its instructions.";

static const char *const *lack_words(enum source_lack lack)
{
	static const char *const words[][4] = {
		[SOURCE_LACK_NOTHING] = { "the file is empty" },
		[SOURCE_LACK_FUNCTION] = {
			"this row stands for no single function",
			"Choose one in the flat view ({view-flat})." },
		[SOURCE_LACK_IMAGE] = {
			"no ELF: source lines come from its debug information",
			"Give the image that was flashed: -e APP.ELF" },
		[SOURCE_LACK_REFUSED] = {
			"the ELF does not match the node's flash: its lines are not used",
			"Give the image that was flashed: -e APP.ELF" },
		[SOURCE_LACK_READING] = { "the ELF's debug information is being read" },
		[SOURCE_LACK_DWARF] = {
			"the ELF has no debug information",
			"Compile with -g (avr-gcc: -gdwarf-2 or -ggdb).", code_hint },
		[SOURCE_LACK_ADDRESS] = { "no function of the ELF is at this address" },
		[SOURCE_LACK_LINES] = {
			"no line information for this function",
			"It comes from assembly or from a library built without -g.", code_hint },
	};

	return words[lack];
}

/* The places where the file was looked for, as many as there is room for. */
static void draw_missing(const struct source_view *v, const struct view_shared *s, struct grid *g,
			 int y)
{
	static const char *const cure[] = {
		"Set where sources are with --source-dir=DIR, --source-map=FROM=TO or {options}.",
		code_hint,
	};
	int room = g->height - y - 4, n = 0, left = 0;
	char line[KEYMAP_SENTENCE];

	grid_textf(g, 0, y++, -1, ROLE_VALUE, "%s not found. Looked for:", v->path);
	for (const char *at = buf_str(&v->places), *end; *at; at = end + 1) {
		end = strchr(at, '\n');
		if (n >= room && room > 0) {
			left++;
			continue;
		}
		snprintf(line, sizeof(line), "%.*s", (int)(end - at), at);
		grid_text(g, 2, y++, -1, ROLE_LABEL, line);
		n++;
	}
	if (left)
		grid_textf(g, 2, y++, -1, ROLE_DIM, "and %d place%s more", left,
			   left == 1 ? "" : "s");
	/* A file of another tool tells of lines without an ELF, which has the instructions. */
	for (size_t i = 0; i < (v->id == IMAGE_NONE ? 1 : 2); i++)
		grid_text(g, 0, y++, -1, ROLE_VALUE,
			  keymap_expand(&s->settings->keys, cure[i], line, sizeof(line)));
}

static void draw_lack(const struct source_view *v, const struct view_shared *s, struct grid *g,
		      int y)
{
	/* The mode's line at the bottom stays. */
	struct grid below = grid_sub(g, 0, y, g->width, g->height - y - 1);

	if (v->lack == SOURCE_LACK_FILE)
		draw_missing(v, s, &below, 0);
	else
		part_say(&below, s, lack_words(v->lack));
}

/* --- the frame -------------------------------------------------------------------------------- */

void source_draw(struct view *view, const struct view_shared *s, struct grid *g)
{
	struct source_view *v = (struct source_view *)view;
	struct table_span spans[SOURCE_CELLS];
	int page, top;

	view->width = g->width;
	view->height = g->height;
	if (v->profile != s->model.profile ||
	    (s->has_selected && v->address != s->selected_address))
		source_model_update(v, s);
	if (part_lacks(g, s, VIEW_NEEDS_PROFILE))
		return;
	top = source_top(view);
	page = source_page(view);
	if (top > 1)
		draw_function(v, s, g);
	if (v->list.count) {
		list_show(&v->list, page);
		lay_out_costs(v, s, g->width, spans);
		v->text_width = spans[SOURCE_TEXT].width;
		draw_cost_titles(v, g, spans, top - 1);
		source_jumps_draw(v, g, spans[SOURCE_JUMPS], spans[SOURCE_TEXT].x +
				  (v->rows.lines ? NOTES_IN : 0), top, page);
		for (int y = 0; y < page && v->list.top + (size_t)y < v->list.count; y++)
			draw_source_row(v, s, g, spans, top + y, v->list.top + (size_t)y);
	} else {
		draw_lack(v, s, g, top - 1);
	}
	if (top + page < g->height)
		draw_mode(v, s, g, g->height - 1);
}
