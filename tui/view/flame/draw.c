/*
 * The boxes and the line above them.
 *
 * Each box begins with a character of its own, so that boxes can be told apart without colours:
 * | a box, > the selected one, * a match of the search, + and - more and less time than before.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/part/delta.h"
#include "tui/part/graph_text.h"
#include "tui/part/naming.h"
#include "tui/view/flame/flame.h"

enum { BOXES = 6, EDGE = 0x2502, EDGE_SELECTED = 0x25b8 };

/* Columns: " > "; " …", for those left out; a name, which is not cut further to show another. */
enum { CRUMB_GAP = 3, CRUMB_MORE = 2, CRUMB_LEAST = 12 };

static const char *const colour_names[FLAME_COLOURS] = {
	[FLAME_HEAT] = "colours: self time", [FLAME_FILE] = "colours: file",
	[FLAME_DELTA] = "+ more time  - less",
};

int flame_room(const struct view *v)
{
	return v->height - 1 - (v->height >= 8 ? 2 : v->height >= 5 ? 1 : 0);
}

/* --- one box ---------------------------------------------------------------------------------- */

const struct compare_value *flame_change(const struct flame *f, const struct view_shared *s,
					 const struct icicle_box *b)
{
	const struct compare_row *row = b->n.function == PROFILE_NONE ? NULL :
					compare_function(s->model.compare, b->n.function);

	return row ? &row->value[flame_icicle(f)->graph.times ? COMPARE_LOAD : COMPARE_RATE] : NULL;
}

static bool is_worse(const struct compare_value *v)
{
	return v && !v->minor && (v->verdict == COMPARE_WORSE || v->verdict == COMPARE_NEW);
}

static bool is_better(const struct compare_value *v)
{
	return v && !v->minor && v->verdict == COMPARE_BETTER;
}

/* Beside the hottest function of all; by the root, or all but that one would be cold. */
static enum role heat_of(const struct icicle *c, const struct icicle_box *b)
{
	double hottest = c->hottest / c->graph.whole;
	enum role heat = role_heat(hottest > 0 ? sqrt(icicle_own(c, b) / hottest) : 0);

	return (enum role)(ROLE_FLAME0 + (heat - ROLE_HEAT0));
}

/* FNV-1a: a file keeps its colour from run to run. */
static enum role file_role(const char *file)
{
	uint32_t hash = 2166136261u;

	if (!file)
		return ROLE_BOX_PLAIN;
	for (; *file; file++)
		hash = (hash ^ (unsigned char)*file) * 16777619u;
	return (enum role)(ROLE_BOX0 + (hash >> 8) % BOXES);
}

static enum role colour_of(const struct flame *f, const struct view_shared *s,
			   const struct icicle *c, const struct icicle_box *b)
{
	const struct compare_value *change;

	if (b->n.function == PROFILE_NONE)
		return ROLE_BOX_PLAIN;
	switch (f->colour) {
	case FLAME_FILE:
		return file_role(f->profile->functions[b->n.function].file);
	case FLAME_DELTA:
		change = flame_change(f, s, b);
		return is_worse(change) ? ROLE_FLAME4 :
		       is_better(change) ? ROLE_BOX_BETTER : ROLE_BOX_PLAIN;
	default:
		return heat_of(c, b);
	}
}

/* Where boxes are coloured by it. */
static const struct compare_value *coloured_change(const struct flame *f,
						   const struct view_shared *s,
						   const struct icicle_box *b)
{
	return f->colour == FLAME_DELTA ? flame_change(f, s, b) : NULL;
}

static uint32_t edge_of(const struct flame *f, const struct view_shared *s, const struct grid *g,
			const struct icicle_box *b)
{
	const struct compare_value *change = coloured_change(f, s, b);

	if (b == flame_box(f))
		return EDGE_SELECTED;
	if (b->rest && b->width == 1)
		return g->utf8 ? 0x2026 : '.';
	if (flame_matches(f, s, b))
		return '*';
	return is_worse(change) ? '+' : is_better(change) ? '-' : EDGE;
}

static enum role role_of(const struct flame *f, const struct view_shared *s,
			 const struct icicle *c, const struct icicle_box *b)
{
	if (b == flame_box(f))
		return ROLE_NAME;
	if (flame_matches(f, s, b))
		return ROLE_MATCH;
	if (b->n.function != PROFILE_NONE &&
	    !rows_match(&s->model.profile->functions[b->n.function], s->order.filter))
		return ROLE_DIM;
	return colour_of(f, s, c, b);
}

/* The figure behind the name, where there is room. */
static void figure_of(const struct flame *f, const struct view_shared *s,
		      const struct icicle_box *b, char *dst, size_t size)
{
	const struct compare_value *change = coloured_change(f, s, b);
	const char *file = b->n.function == PROFILE_NONE || f->colour != FLAME_FILE ? NULL :
			   f->profile->functions[b->n.function].file;

	*dst = '\0';
	if (change)
		delta_text(dst, size, change,
			   flame_icicle(f)->graph.times ? COMPARE_LOAD : COMPARE_RATE);
	else if (file)
		snprintf(dst, size, "%s", file);
	else if (flame_icicle(f)->graph.whole > 0)
		snprintf(dst, size, "%s%.1f %%", b->n.shared ? "~" : "",
			 100 * b->n.value / flame_icicle(f)->graph.whole);
}

/* "↻ " before a function that is among those above it. */
static int draw_again(const struct icicle_box *b, struct grid *g, int y, int room, enum role role)
{
	if (!b->again)
		return 0;
	grid_text(g, b->x + 1, y, room < 1 ? room : 1, role, g->utf8 ? "↻" : "@");
	return room < 2 ? room : 2;
}

/* Columns used. */
static int draw_box_name(const struct flame *f, struct grid *g, int y, const struct icicle_box *b,
			 enum role role)
{
	int room = b->width - 1, used = draw_again(b, g, y, room, role);

	if (b->rest)
		return grid_textf(g, b->x + 1, y, room, role, "%s%u", g->utf8 ? "…" : "..",
				  b->rest);
	return used + naming_put(g, b->x + 1 + used, y, room - used, role,
				 b->n.function == PROFILE_NONE ? "all" :
				 f->profile->functions[b->n.function].name, NULL);
}

static void draw_label(const struct flame *f, const struct view_shared *s, struct grid *g, int y,
		       const struct icicle_box *b, enum role role)
{
	int room = b->width - 1, used = draw_box_name(f, g, y, b, role) + 2;
	char figure[80];

	figure_of(f, s, b, figure, sizeof(figure));
	if (*figure && used + text_columns(figure) < room)
		grid_right(g, b->x + 1 + used, y, room - used - 1, role, figure);
}

static void draw_box(const struct flame *f, const struct view_shared *s, struct grid *g, int y,
		     const struct icicle *c, const struct icicle_box *b)
{
	enum role role = role_of(f, s, c, b);
	struct grid cells = grid_sub(g, b->x, y, b->width, 1);

	grid_fill(g, b->x, y, b->width, role, ' ');
	grid_fill(g, b->x, y, 1, role, edge_of(f, s, g, b));
	if (b->width > 1)
		draw_label(f, s, g, y, b, role);
	if (b == flame_box(f))
		grid_select_row(&cells, 0);
}

/* --- above: where one is ---------------------------------------------------------------------- */

/* The levels of a half that are seen, where these are not all. */
static size_t levels_text(const struct flame *f, bool callers, int rows, char *dst, size_t size)
{
	size_t first = flame_first(f, callers), levels = f->halves[callers].levels, last;

	last = first + (size_t)(rows > 1 ? rows : 1);
	last = last < levels ? last : levels;
	*dst = '\0';
	if (last - first >= levels || (callers && first == 1 && last == levels))
		return 0;
	return (size_t)snprintf(dst, size, "  %slevels %zu-%zu of %zu", callers ? "callers: " : "",
				first + 1, last, levels);
}

static size_t title_right(const struct flame *f, char *dst, size_t size)
{
	struct flame_rows rows = flame_rows(f);
	size_t n = 0;

	*dst = '\0';
	if (!isnan(f->through))
		n += (size_t)snprintf(dst + n, size - n, "  matches: %.1f %%", 100 * f->through);
	if (f->sandwich)
		n += levels_text(f, true, rows.up, dst + n, size - n);
	return n + levels_text(f, false, rows.down, dst + n, size - n);
}

/* What the first of the crumbs is. */
static int draw_whole(const struct flame *f, struct grid *g, int width)
{
	const struct icicle *c = flame_icicle(f);
	const char *what = f->callers ? "callers of " : "sandwich: ";
	char name[NAME_BYTES];

	if (!f->sandwich || c->focus >= f->profile->function_count)
		return grid_text(g, 0, 0, width, ROLE_TITLE,
				 f->inverted ? "bottom-up" : "top-down");
	naming_short(f->profile->functions[c->focus].name, width - text_columns(what), name,
		     sizeof(name));
	return grid_textf(g, 0, 0, width, ROLE_TITLE, "%s%s", what, name);
}

static int crumb_text(const struct flame *f, size_t i, int most, char *dst, size_t size)
{
	const struct profile_function *fn = &f->profile->functions[flame_icicle(f)->above[i]];

	return text_columns(naming_short(fn->name, most, dst, size));
}

/* From which one on they fit into `width`, of at most `most` columns each. */
static size_t crumbs_first(const struct flame *f, int width, int most)
{
	size_t first = flame_icicle(f)->zoom.n;
	char name[NAME_BYTES];

	while (first) {
		width -= crumb_text(f, first - 1, most, name, sizeof(name)) + CRUMB_GAP;
		if (width < (first > 1 ? CRUMB_MORE : 0))
			break;
		first--;
	}
	return first;
}

/*
 * "top-down > main > send": with long names cut in the middle where not all are whole, and only the
 * last ones where that is not enough.
 */
static void draw_crumbs(struct flame *f, struct grid *g, int width)
{
	size_t count = flame_icicle(f)->zoom.n;
	int x = draw_whole(f, g, width), left = width - x, most = left - CRUMB_GAP - CRUMB_MORE;
	char name[NAME_BYTES];

	while ((f->first_crumb = crumbs_first(f, left, most)) && most > CRUMB_LEAST)
		most = most * 3 / 4 > CRUMB_LEAST ? most * 3 / 4 : CRUMB_LEAST;
	if (f->first_crumb == count && count)
		f->first_crumb--;
	f->crumb_all = x + CRUMB_GAP;
	if (f->first_crumb)
		x += grid_text(g, x, 0, width - x, ROLE_TITLE, " …");
	for (size_t i = f->first_crumb; i < count; i++) {
		x += grid_text(g, x, 0, width - x, ROLE_TITLE, " > ");
		crumb_text(f, i, most < width - x ? most : width - x, name, sizeof(name));
		x += grid_text(g, x, 0, width - x, ROLE_TITLE, name);
		f->crumbs[i] = x;
	}
}

static void draw_zoom(struct flame *f, struct grid *g)
{
	char right[160];
	size_t n = title_right(f, right, sizeof(right));
	int width;

	grid_fill(g, 0, 0, g->width, ROLE_TITLE, ' ');
	if (g->width >= 60)
		snprintf(right + n, sizeof(right) - n, "  %s",
			 f->colour == FLAME_HEAT && !flame_icicle(f)->graph.times ?
			 "colours: calls" : colour_names[f->colour]);
	width = text_columns(right);
	grid_right(g, g->width - width, 0, width, ROLE_TITLE, right);
	draw_crumbs(f, g, g->width - width);
}

/* --- all -------------------------------------------------------------------------------------- */

/* Why there is only one level, or none. */
static const char *reason_of(const struct flame *f)
{
	const struct profile *p = f->profile;
	const struct graph *graph = &flame_icicle(f)->graph;

	if (!(graph->whole > 0))
		return "no call has ended yet: no times to draw";
	if (p->edge_count == 0)
		return "no calls are known, only samples: each function stands by itself";
	if (f->inverted && !graph->times && p->totals.time != PROFILE_TIME_NONE)
		return "by calls: self times need the image (-e)";
	return "";
}

/* Half of the sandwich, or all: `rows` lines from y on, step by step up or down. */
static void draw_half(struct flame *f, const struct view_shared *s, struct grid *g, bool callers,
		      int y, int rows)
{
	const struct icicle *c = &f->halves[callers];
	size_t level = flame_first(f, callers);

	for (; rows > 0 && level < c->levels; rows--, level++, y += callers ? -1 : 1) {
		for (size_t i = c->level[level]; i < c->level[level + 1]; i++)
			draw_box(f, s, g, y, c, &c->boxes[i]);
	}
}

void flame_draw_boxes(struct flame *f, const struct view_shared *s, struct grid *g)
{
	struct flame_rows rows = flame_rows(f);
	size_t seen = f->halves[0].levels - flame_first(f, false);
	int room = flame_room(&f->view), y = 1 + rows.up;
	const char *why = reason_of(f);

	draw_zoom(f, g);
	if (f->sandwich)
		draw_half(f, s, g, true, rows.up, rows.up);
	draw_half(f, s, g, false, 1 + rows.up, rows.down);
	y += seen < (size_t)rows.down ? (int)seen : rows.down;
	if (*why && y + 1 <= room) {
		grid_text(g, 0, y + 1, -1, ROLE_LABEL, why);
		y += 2;
	}
	flame_draw_tables(f, s, g, y, room + 1);
	flame_draw_selected(f, s, g, room + 1);
}
