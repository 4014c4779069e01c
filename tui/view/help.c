/*
 * help: the view one came from and its keys, then every key, from the table of actions, as the user
 * has bound it; how the node at hand measures; and where what is set up is kept.
 *
 * The lines are made anew when drawn: there are few, and they follow the width.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/export/losses.h"
#include "core/wire/wsn/wsn.h"
#include "tui/part/table.h"
#include "tui/view/views.h"

#define KEY_COLUMN 22

struct help {
	struct view view;
	struct list list;		/* top and count; it has no cursor to be seen */
	size_t found;			/* the line that was searched for last */
};

/*
 * The lines are told one after the other, to be drawn, counted or searched: a place to draw at (g), or
 * a pattern to look for, or neither.
 */
struct page {
	struct grid *g;
	const struct regex *search;
	size_t top, line;
	size_t after, before;		/* a match in (after, ...) and in [0, before) */
	size_t next, previous, first, last;	/* lines that match; NO_LINE: none */
};

#define NO_LINE SIZE_MAX

/* The line was found to match: where it stands to where one is. */
static void note_match(struct page *p, size_t line)
{
	if (p->first == NO_LINE)
		p->first = line;
	p->last = line;
	if (line > p->after && p->next == NO_LINE)
		p->next = line;
	if (line < p->before)
		p->previous = line;
}

/* A line of the page, `key` in front of the text; "" none. */
static void line(struct page *p, enum role role, int column, const char *key, const char *text)
{
	size_t at = p->line++;
	bool visible = p->g && at >= p->top && at - p->top < (size_t)p->g->height;
	int y = (int)(at - p->top);

	if (!p->g && p->search && (regex_match(p->search, text) || regex_match(p->search, key)))
		note_match(p, at);
	if (!visible)
		return;
	if (role == ROLE_TITLE)
		grid_fill(p->g, 0, y, -1, ROLE_TITLE, ' ');
	part_name(p->g, role == ROLE_TITLE ? 0 : 1, y, column ? column - 1 : 0, ROLE_KEY, key,
		  p->search);
	part_name(p->g, role == ROLE_TITLE ? 0 : column + 1, y, -1, role, text, p->search);
}

static void heading(struct page *p, const char *text)
{
	if (p->line)
		line(p, ROLE_DEFAULT, 0, "", "");
	line(p, ROLE_TITLE, 0, "", text);
}

#define READABLE 90		/* longer lines tire */

/* The bytes of text that make a line of `width` columns (the text is ASCII): broken at a blank. */
static size_t line_length(const char *text, size_t width)
{
	size_t n = strlen(text), end = width;

	if (n <= width)
		return n;
	while (end > 0 && text[end] != ' ')
		end--;
	return end ? end : width;
}

static void paragraph(struct page *p, const char *text, int width)
{
	size_t room = width < 10 ? 10 : width > READABLE ? READABLE : (size_t)width;
	char part[READABLE + 1];

	while (*text) {
		size_t n = line_length(text, room);

		snprintf(part, sizeof(part), "%.*s", (int)n, text);
		line(p, ROLE_DEFAULT, 0, "", part);
		text += n;
		text += *text == ' ';
	}
}

/* A text of the program's own: with keys in it. */
static void paragraph_of_keys(struct page *p, const struct view_shared *s, const char *text,
			      int width)
{
	char expanded[KEYMAP_SENTENCE];

	paragraph(p, keymap_expand(&s->settings->keys, text, expanded, sizeof(expanded)), width);
}

static int key_column(int width)
{
	return width < 60 ? KEY_COLUMN / 2 + 4 : KEY_COLUMN;
}

static void action_line(struct page *p, const struct view_shared *s, enum action action,
			const char *help, int width)
{
	char keys[KEYMAP_TEXT];

	keymap_text(&s->settings->keys, action, keys, sizeof(keys));
	line(p, ROLE_DEFAULT, key_column(width), *keys ? keys : "no key", help);
}

/* Only where calls are timed there is a cost in times, and an uncertainty of them. */
static int said_clock(const struct wire_hello *hello, char *dst, size_t size)
{
	double tps = hello->ticks_per_second;
	char cost[16], spread[16];

	if (!(hello->features & WSN_F_TIMED))
		return snprintf(dst, size, "It counts calls, and times none.");
	return snprintf(dst, size, "Its clock ticks %.0f times a second. Profiling costs %s a call, which %s "
			"in the times; each time +- %s. A ~ marks times of which that is a quarter or more.",
			tps, text_seconds(cost, sizeof(cost), hello->cost / tps),
			hello->features & WSN_F_TAKEN_BACK ? "is not" : "is",
			text_seconds(spread, sizeof(spread), hello->spread / tps));
}

/* A node that says who it is says how good its times are, too. */
static void said(struct page *p, const struct view_shared *s, int width)
{
	const struct node *n = s->node;
	double hooks;
	char text[400];
	int used;

	if (!n || !node_hello(n) || !node_hello(n)->ticks_per_second)
		return;
	hooks = node_hooks(n);
	used = said_clock(node_hello(n), text, sizeof(text));
	if (node_hello(n)->hz)
		used += snprintf(text + used, sizeof(text) - (size_t)used,
				 " It takes %u PC samples a second.", node_hello(n)->hz);
	if (!isnan(hooks))
		snprintf(text + used, sizeof(text) - (size_t)used,
			 " Now its hooks take %.1f %% of the processor.", 100 * hooks);
	heading(p, "This node");
	paragraph(p, text, width - 1);
	for (const struct loss *l = losses; node_status(n) && l->name; l++) {
		if (!loss_count(l, node_status(n)))
			continue;
		loss_say(l, node_status(n), text, sizeof(text));
		paragraph(p, text, width - 1);
	}
}

/* How to read the view one came from, and what its keys are. */
static void this_view(struct page *p, const struct view_shared *s, int width)
{
	const struct view_ops *from = s->help_for;

	if (!from || !from->about)
		return;
	heading(p, from->title);
	if (*from->about)
		paragraph_of_keys(p, s, from->about, width - 1);
	if (from->hints[0] != ACTION_NONE)
		heading(p, "Its keys");
	for (size_t i = 0; i < view_hint_count(from); i++) {
		struct view_word w = view_word(from, from->hints[i]);

		if (w.help)
			action_line(p, s, w.action, w.help, width);
	}
}

static void all_actions(struct page *p, const struct view_shared *s, int width)
{
	const char *group = NULL;

	for (const struct action_row *r = actions; r->action != ACTION_COUNT; r++) {
		if (!group || strcmp(group, r->group) != 0) {
			group = r->group;
			heading(p, group);
		}
		action_line(p, s, r->action, r->help, width);
	}
}

static void setup_lines(struct page *p, const struct view_shared *s, int width)
{
	char path[SETTINGS_PATH], text[SETTINGS_PATH + 100];

	settings_contract(s->settings->path, path, sizeof(path));
	heading(p, "What is set up");
	if (*path)
		snprintf(text, sizeof(text), "is in %s: theme, columns, keys, folders of sources.", path);
	else
		snprintf(text, sizeof(text), "is kept nowhere: --config=none.");
	paragraph(p, text, width - 1);
	action_line(p, s, ACTION_OPTIONS, action_row(ACTION_OPTIONS)->help, width);
	action_line(p, s, ACTION_PALETTE, action_row(ACTION_PALETTE)->help, width);
}

static void lines(struct page *p, const struct view_shared *s, int width)
{
	this_view(p, s, width);
	said(p, s, width);
	all_actions(p, s, width);
	heading(p, "Mouse");
	paragraph_of_keys(p, s, "A click selects a line, on a column's title it sorts, on a tab it "
			  "goes there. A double click is {enter}. The wheel scrolls.", width - 1);
	heading(p, "Columns");
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		line(p, ROLE_DEFAULT, key_column(width), columns[i].header, columns[i].help);
	setup_lines(p, s, width);
}

static void help_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	struct help *h = (struct help *)v;
	struct page count = { .g = NULL }, page = { .g = g, .search = s->search };
	size_t height = g->height > 0 ? (size_t)g->height : 1;

	v->width = g->width;
	v->height = g->height;
	lines(&count, s, g->width);
	h->list.count = count.line;
	if (h->list.top + height > count.line)
		h->list.top = count.line > height ? count.line - height : 0;
	page.top = h->list.top;
	lines(&page, s, g->width);
}

/* To the next line that matches from the top one on, round the end. */
static struct view_reply search(struct help *h, const struct view_shared *s, bool backwards)
{
	struct page p = { .search = s->search, .next = NO_LINE, .previous = NO_LINE,
			  .first = NO_LINE, .last = NO_LINE };
	size_t from = h->found < h->list.count ? h->found : h->list.top;
	size_t height = h->view.height > 0 ? (size_t)h->view.height : 1, at;

	/* From where it was found last, if that is still to be seen. */
	if (from < h->list.top || from - h->list.top >= height)
		from = h->list.top;
	p.after = p.before = from;
	lines(&p, s, h->view.width);
	if (p.first == NO_LINE)
		return view_no_match();
	at = backwards ? p.previous : p.next;
	if (at == NO_LINE)
		at = backwards ? p.last : p.first;
	h->found = at;
	if (at < h->list.top || at - h->list.top >= height)
		h->list.top = at > height / 3 ? at - height / 3 : 0;
	return view_redraw();
}

/* There is no cursor: what moves is the page. */
static struct view_reply help_act(struct view *v, struct view_shared *s, enum action a)
{
	struct help *h = (struct help *)v;
	size_t height = v->height > 0 ? (size_t)v->height : 1;
	size_t last = h->list.count > height ? h->list.count - height : 0;
	size_t half = height > 1 ? height / 2 : 1, top = h->list.top;

	switch (a) {
	case ACTION_UP: top = top ? top - 1 : 0; break;
	case ACTION_DOWN: top++; break;
	case ACTION_PAGE_UP: top = top > height ? top - height : 0; break;
	case ACTION_PAGE_DOWN: top += height; break;
	case ACTION_HALF_UP: top = top > half ? top - half : 0; break;
	case ACTION_HALF_DOWN: top += half; break;
	case ACTION_TOP: top = 0; break;
	case ACTION_BOTTOM: top = last; break;
	case ACTION_SEARCH_NEXT:
	case ACTION_SEARCH_PREVIOUS: return search(h, s, a == ACTION_SEARCH_PREVIOUS);
	default: return view_pass();
	}
	h->list.top = top < last ? top : last;
	return view_redraw();
}

static struct view_reply help_mouse(struct view *v, struct view_shared *s, int x, int y, int button)
{
	struct help *h = (struct help *)v;

	(void)s;
	(void)x;
	(void)y;
	return list_wheel(&h->list, button, v->height) ? view_redraw() : view_pass();
}

static const enum action help_hints[] = {
	ACTION_PAGE_DOWN, ACTION_PAGE_UP, ACTION_SEARCH, ACTION_SEARCH_NEXT, ACTION_OPTIONS,
	ACTION_PALETTE, ACTION_NONE,
};

const struct view_ops view_help_ops = {
	.name = "help",
	.title = "Help",
	.action = ACTION_VIEW_HELP,
	.size = sizeof(struct help),
	.draw = help_draw,
	.act = help_act,
	.mouse = help_mouse,
	.hints = help_hints,
};
