/*
 * help: the previous view and its keys, the accuracy of this node, all actions with the user's
 * keys, columns, and the path of the settings.
 *
 * The lines are made for each frame: there are few, and they follow the width.
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
	struct list list;		/* top and count; the cursor is not used */
	size_t found;			/* the line found last */
};

/*
 * Every line goes through page_line, which draws it (g), matches it (search) or only counts it.
 */
struct help_page {
	struct grid *g;
	const struct regex *search;
	size_t top, line;
	size_t after, before;		/* a match in (after, ...) and in [0, before) */
	size_t next, previous, first, last;	/* lines that match; NO_LINE: none */
};

#define NO_LINE SIZE_MAX

/* Records a matching line: the first, the last, the next, the previous. */
static void page_note_match(struct help_page *p, size_t line)
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
static void page_line(struct help_page *p, enum role role, int column, const char *key,
		      const char *text)
{
	size_t at = p->line++;
	bool visible = p->g && at >= p->top && at - p->top < (size_t)p->g->height;
	int y = (int)(at - p->top);

	if (!p->g && p->search && (regex_match(p->search, text) || regex_match(p->search, key)))
		page_note_match(p, at);
	if (!visible)
		return;
	if (role == ROLE_TITLE)
		grid_fill(p->g, 0, y, -1, ROLE_TITLE, ' ');
	part_name(p->g, role == ROLE_TITLE ? 0 : 1, y, column ? column - 1 : 0, ROLE_KEY, key,
		  p->search);
	part_name(p->g, role == ROLE_TITLE ? 0 : column + 1, y, -1, role, text, p->search);
}

static void page_heading(struct help_page *p, const char *text)
{
	if (p->line)
		page_line(p, ROLE_DEFAULT, 0, "", "");
	page_line(p, ROLE_TITLE, 0, "", text);
}

#define READABLE 90		/* columns of a paragraph, at most */

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

static void page_paragraph(struct help_page *p, const char *text, int width)
{
	size_t room = width < 10 ? 10 : width > READABLE ? READABLE : (size_t)width;
	char part[READABLE + 1];

	while (*text) {
		size_t n = line_length(text, room);

		snprintf(part, sizeof(part), "%.*s", (int)n, text);
		page_line(p, ROLE_DEFAULT, 0, "", part);
		text += n;
		text += *text == ' ';
	}
}

/* A text with {action}s in it. */
static void page_paragraph_of_keys(struct help_page *p, const struct view_shared *s,
				   const char *text, int width)
{
	char expanded[KEYMAP_SENTENCE];

	page_paragraph(p, keymap_expand(&s->settings->keys, text, expanded, sizeof(expanded)),
		       width);
}

static int key_column(int width)
{
	return width < 60 ? KEY_COLUMN / 2 + 4 : KEY_COLUMN;
}

static void page_action(struct help_page *p, const struct view_shared *s, enum action action,
			const char *help, int width)
{
	char keys[KEYMAP_TEXT];

	keymap_text(&s->settings->keys, action, keys, sizeof(keys));
	page_line(p, ROLE_DEFAULT, key_column(width), *keys ? keys : "no key", help);
}

/* Cost and uncertainty of times exist only where calls are timed. */
static int clock_text(const struct node *n, char *dst, size_t size)
{
	const struct wire_hello *hello = node_hello(n);
	double tps = hello->ticks_per_second;
	char cost[16], spread[16], names[120];
	int used;

	if (!(hello->features & WSN_F_TIMED))
		return snprintf(dst, size, "This node counts calls; it measures no times.");
	used = snprintf(dst, size, "Its clock ticks %s times a second. Profiling costs %s a "
			"call, %s all times. Each time is ±%s; ~ marks times for which this error "
			"is a quarter or more.", TEXT_WHOLE(tps),
			text_seconds(cost, sizeof(cost), hello->cost / tps),
			hello->features & WSN_F_TAKEN_BACK ? "subtracted from" : "included in",
			text_seconds(spread, sizeof(spread),
				     profile_spread(node_profile(n)) / tps));
	if (node_handlers(n, false, names, sizeof(names)))
		used += snprintf(dst + used, size - (size_t)used, " Max and average include "
				 "interrupt handlers without hooks: %s.", names);
	return used;
}

/* The accuracy of a node that sends HELLO, and its losses. */
static void page_node(struct help_page *p, const struct view_shared *s, int width)
{
	const struct node *n = s->node;
	double hooks;
	char text[600];
	int used;

	if (!n || !node_hello(n) || !node_hello(n)->ticks_per_second)
		return;
	hooks = node_hooks(n);
	used = clock_text(n, text, sizeof(text));
	if (node_hello(n)->hz)
		used += snprintf(text + used, sizeof(text) - (size_t)used,
				 " It takes %u PC samples a second.", node_hello(n)->hz);
	if (!isnan(hooks))
		snprintf(text + used, sizeof(text) - (size_t)used,
			 " Profiling takes %.1f %% of the time awake.", 100 * hooks);
	page_heading(p, "This node");
	page_paragraph(p, text, width - 1);
	for (const struct loss *l = losses; node_status(n) && l->name; l++) {
		if (!loss_count(l, node_status(n)))
			continue;
		loss_say(l, node_status(n), text, sizeof(text));
		page_paragraph(p, text, width - 1);
	}
}

/* How to read the previous view, and its keys. */
static void page_view(struct help_page *p, const struct view_shared *s, int width)
{
	const struct view_ops *from = s->help_for;

	if (!from || !from->about)
		return;
	page_heading(p, from->title);
	if (*from->about)
		page_paragraph_of_keys(p, s, from->about, width - 1);
	if (from->hints[0] != ACTION_NONE)
		page_heading(p, "Keys in this view");
	for (size_t i = 0; i < view_hint_count(from); i++) {
		struct view_word w = view_word(from, from->hints[i]);

		if (w.help)
			page_action(p, s, w.action, w.help, width);
	}
}

static void page_actions(struct help_page *p, const struct view_shared *s, int width)
{
	const char *group = NULL;

	for (const struct action_row *r = actions; r->action != ACTION_COUNT; r++) {
		if (!group || strcmp(group, r->group) != 0) {
			group = r->group;
			page_heading(p, group);
		}
		page_action(p, s, r->action, r->help, width);
	}
}

static void page_setup(struct help_page *p, const struct view_shared *s, int width)
{
	char path[SETTINGS_PATH], text[SETTINGS_PATH + 100];

	settings_contract(s->settings->path, path, sizeof(path));
	page_heading(p, "Settings");
	if (*path)
		snprintf(text, sizeof(text),
			 "Settings file: %s (theme, columns, keys, source folders).", path);
	else
		snprintf(text, sizeof(text), "Settings are not saved (--config=none).");
	page_paragraph(p, text, width - 1);
	page_action(p, s, ACTION_OPTIONS, action_row(ACTION_OPTIONS)->help, width);
	page_action(p, s, ACTION_PALETTE, action_row(ACTION_PALETTE)->help, width);
}

static void page_fill(struct help_page *p, const struct view_shared *s, int width)
{
	page_view(p, s, width);
	page_node(p, s, width);
	page_actions(p, s, width);
	page_heading(p, "Mouse");
	page_paragraph_of_keys(p, s, "A click selects a row, sorts by a column or shows a view. A "
			       "double click is {enter}. The wheel scrolls.",
			       width - 1);
	page_heading(p, "Columns");
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		page_line(p, ROLE_DEFAULT, key_column(width), columns[i].header, columns[i].help);
	page_setup(p, s, width);
}

static void help_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	struct help *h = (struct help *)v;
	struct help_page count = { .g = NULL }, page = { .g = g, .search = s->search };
	size_t height = g->height > 0 ? (size_t)g->height : 1;

	v->width = g->width;
	v->height = g->height;
	page_fill(&count, s, g->width);
	h->list.count = count.line;
	if (h->list.top + height > count.line)
		h->list.top = count.line > height ? count.line - height : 0;
	page.top = h->list.top;
	page_fill(&page, s, g->width);
}

/* To the next matching line, wrapping at the end. */
static struct view_reply help_search(struct help *h, const struct view_shared *s, bool backwards)
{
	struct help_page p = { .search = s->search, .next = NO_LINE, .previous = NO_LINE,
			  .first = NO_LINE, .last = NO_LINE };
	size_t from = h->found < h->list.count ? h->found : h->list.top;
	size_t height = h->view.height > 0 ? (size_t)h->view.height : 1, at;

	/* From the line found last, if it is still visible. */
	if (from < h->list.top || from - h->list.top >= height)
		from = h->list.top;
	p.after = p.before = from;
	page_fill(&p, s, h->view.width);
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

/* There is no cursor: the page moves. */
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
	case ACTION_SEARCH_PREVIOUS: return help_search(h, s, a == ACTION_SEARCH_PREVIOUS);
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
	.brief = "",
	.title = "Help",
	.action = ACTION_VIEW_HELP,
	.size = sizeof(struct help),
	.draw = help_draw,
	.act = help_act,
	.mouse = help_mouse,
	.hints = help_hints,
};
