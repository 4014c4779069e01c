/* draw: the lines of the log. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/node/watched.h"
#include "tui/part/table.h"
#include "tui/view/log/view.h"

enum { WIDE = 100, NAME_MOST = 36 };	/* columns */
enum { STATE_ROLES = ROLE_BOX5 - ROLE_BOX0 + 1 };

enum log_column { LOG_AT, LOG_SINCE, LOG_LANE, LOG_WHAT, LOG_NAME, LOG_VALUE, LOG_WITHIN,
		  LOG_COLUMNS };

static const char *const titles[LOG_COLUMNS] = {
	[LOG_AT] = "TIME", [LOG_SINCE] = "SINCE", [LOG_LANE] = "LANE", [LOG_WHAT] = "WHAT",
	[LOG_NAME] = "NAME", [LOG_VALUE] = "VALUE", [LOG_WITHIN] = "IN",
};

int log_page(const struct view *v)
{
	return v->height > 3 ? v->height - 2 : v->height;
}

/* What a line that is shown takes; kept, so that columns do not go to and fro. */
static void columns_measure(struct log_view *v, const struct view_shared *s, int page)
{
	struct log_words w;
	double at, since;

	for (int y = 0; y < page && v->list.top + (size_t)y < v->list.count; y++) {
		if (!log_line_words(v, s, v->list.top + (size_t)y, &w, &at, &since))
			continue;
		const char *const words[] = { w.name, w.value, w.within };

		for (int i = 0; i < 3; i++)
			if (text_columns(words[i]) > v->longest[i])
				v->longest[i] = text_columns(words[i]);
		if (text_columns(w.lane) > v->longest_lane)
			v->longest_lane = text_columns(w.lane);
	}
}

/* Of what the two others leave unused, as much as one lacks. */
static void columns_share(const int *longest, int *widths)
{
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			int lacks = longest[i] - widths[i], spare = widths[j] - longest[j];
			int title = widths[j] - (j == 2 ? 2 : 5);	/* "IN", "VALUE" */

			spare = spare < title ? spare : title;
			spare = spare < lacks ? spare : lacks;
			if (j == i || spare <= 0)
				continue;
			widths[i] += spare;
			widths[j] -= spare;
		}
	}
}

/* What all have first; what is left is shared by names, values and the functions around. */
static void columns_lay(const struct log_view *v, int width, struct table_span *spans)
{
	static const int least[] = { [LOG_AT] = 11, [LOG_SINCE] = 8, [LOG_LANE] = 5,
				     [LOG_WHAT] = 5 };
	static const int wide[] = { [LOG_AT] = 12, [LOG_SINCE] = 9, [LOG_LANE] = 9,
				    [LOG_WHAT] = 7 };
	int x = 0, rest, name, value, widths[3];

	for (int i = LOG_AT; i <= LOG_WHAT; i++) {
		int takes = width < WIDE ? least[i] : wide[i];

		if (i == LOG_LANE && v->longest_lane > takes)
			takes = v->longest_lane < wide[i] ? v->longest_lane : wide[i];
		spans[i] = (struct table_span){ x, takes };
		x += spans[i].width + 1 + (width >= WIDE);
	}
	rest = width - x > 0 ? width - x : 0;
	name = rest * 3 / 10 < NAME_MOST ? rest * 3 / 10 : NAME_MOST;
	value = rest * 4 / 10 < NAME_MOST ? rest * 4 / 10 : NAME_MOST;
	widths[0] = name;
	widths[1] = value;
	widths[2] = rest - name - value - 2 > 0 ? rest - name - value - 2 : 0;
	columns_share(v->longest, widths);
	for (int i = 0; i < 3; i++) {
		spans[LOG_NAME + i] = (struct table_span){ x, widths[i] };
		x += widths[i] + 1;
	}
}

static void draw_titles(struct grid *g, const struct table_span *spans)
{
	for (int i = 0; i < LOG_COLUMNS; i++)
		if (spans[i].width > 0)
			part_title(g, spans[i], 0, titles[i], i > LOG_SINCE, 0);
}

static enum role value_role(const struct trace_log_entry *e)
{
	if (e->kind == TRACE_STATE)
		return (enum role)(ROLE_BOX0 + (uint64_t)e->value % STATE_ROLES);
	return e->kind == TRACE_LOST || e->kind == TRACE_GAP ? ROLE_WARNING : ROLE_VALUE;
}

static void draw_log_line(struct log_view *v, const struct view_shared *s, struct grid *g, int y,
			  size_t i, const struct table_span *spans)
{
	const struct trace_log_entry *e = log_line(v, i);
	struct log_words w;
	double at, since;
	char text[40];

	if (!e || !log_line_words(v, s, i, &w, &at, &since))
		return;
	snprintf(text, sizeof(text), "%s%.6f", trace_is_order_only(v->trace) ? "?" : "", at);
	part_cell(g, spans[LOG_AT], y, ROLE_VALUE, text);
	if (!isnan(since)) {
		text[0] = '+';
		text_seconds(text + 1, sizeof(text) - 1, since);
		part_cell(g, spans[LOG_SINCE], y, ROLE_DIM, text);
	}
	grid_text(g, spans[LOG_LANE].x, y, spans[LOG_LANE].width, ROLE_DIM, w.lane);
	grid_text(g, spans[LOG_WHAT].x, y, spans[LOG_WHAT].width, ROLE_LABEL, w.what);
	part_name(g, spans[LOG_NAME].x, y, spans[LOG_NAME].width, ROLE_DEFAULT, w.name, s->search);
	part_name(g, spans[LOG_VALUE].x, y, spans[LOG_VALUE].width, value_role(e), w.value,
		  s->search);
	if (*w.within)
		part_name(g, spans[LOG_WITHIN].x, y, spans[LOG_WITHIN].width, ROLE_DIM, w.within,
			  s->search);
	if (v->left && i == v->list.cursor)
		grid_select_row(g, y);
}

static void draw_log_state(struct log_view *v, const struct view_shared *s, struct grid *g)
{
	char text[240], lines[32], gone[48] = "", work[64] = "";
	uint64_t first = trace_log_first(v->log), end = trace_log_end(v->log);

	if (first)
		snprintf(gone, sizeof(gone), ", %" PRIu64 " older dropped", first);
	if (v->reads)
		snprintf(work, sizeof(work), ", reading the trace: %.0f %%",
			 100 * trace_log_share(v->log, v->trace));
	else if (v->matches)
		snprintf(work, sizeof(work), ", filtering: %.0f %%",
			 100 * (double)(v->fore_to - v->back_to) / (double)(end - first));
	snprintf(text, sizeof(text), "%s line%s%s%s, %s%s%s%s",
		 text_whole(lines, sizeof(lines), v->list.count), v->list.count == 1 ? "" : "s",
		 *v->filter ? v->list.count == 1 ? " matches" : " match" : "", gone,
		 s->frozen ? "frozen" : v->left ? "not following" : "following the end",
		 v->all_calls ? ", all calls" : "", work,
		 trace_is_order_only(v->trace) ? ", order only (?: host's clock)" : "");
	part_footer(g, g->height - 1, text, "");
}

static void draw_log_empty(struct log_view *v, const struct view_shared *s, struct grid *g)
{
	if (v->trace && (v->reads || v->matches))
		part_say(g, s, (const char *const[]){ v->reads ? "reading the trace ..." :
			"filtering ...", NULL });
	else if (v->trace && *v->filter && trace_log_end(v->log) > trace_log_first(v->log))
		part_say(g, s, (const char *const[]){ "no line matches the filter",
			"{filter} changes it, {cancel} clears it.", NULL });
	else if (s->node && node_can_log(s->node))
		part_say(g, s, (const char *const[]){ "nothing was logged yet",
			"{log-watch} logs a variable, a register, a call, interrupts; "
			"{mode} shows all calls.", NULL });
	else if (v->trace)
		part_say(g, s, (const char *const[]){
			"the node sends calls, but no marks, values or states",
			"{mode} shows all calls.", NULL });
	else
		part_say(g, s, (const char *const[]){
			"no log: the node tells no marks, values or states",
			"A debug probe or a simulator logs variables, calls, interrupts: "
			"-w VARIABLE.",
			"Firmware built with WSNPROF_TRACE sends marks, values and states.",
			NULL });
}

void log_draw(struct view *view, const struct view_shared *s, struct grid *g)
{
	struct log_view *v = (struct log_view *)view;
	struct table_span spans[LOG_COLUMNS];
	int page;

	view->width = g->width;
	view->height = g->height;
	log_refresh(v, s);
	if (!v->trace || !v->list.count) {
		draw_log_empty(v, s, g);
		return;
	}
	page = log_page(view);
	list_show(&v->list, page);
	columns_measure(v, s, page);
	columns_lay(v, g->width, spans);
	if (page < g->height)
		draw_titles(g, spans);
	for (int y = 0; y < page && v->list.top + (size_t)y < v->list.count; y++)
		draw_log_line(v, s, g, y + (page < g->height), v->list.top + (size_t)y, spans);
	if (page < g->height)
		draw_log_state(v, s, g);
}
