/*
 * palette: everything that can be asked for, by name, with its keys: first the actions of the view
 * shown, then all others; options, columns to sort by, exports and themes as well. Typed words
 * narrow the list down: each must be in the name or the help, or its letters in the name.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/export/export.h"
#include "tui/app/ui/ui.h"

enum { ENTRIES = 320, THEMES = 48 };

/* The table that an entry is a row of, at `index`. */
enum kind { KIND_ACTION, KIND_THEME, KIND_OPTION, KIND_SORT, KIND_EXPORT };

struct entry {
	enum kind kind;
	unsigned index;
	int score;			/* the smaller, the better it fits */
	bool here;			/* an action that means something in the view at hand */
	char name[64];
	const char *help;
};

struct palette {
	struct entry entries[ENTRIES];	/* all there are, those of the view first */
	size_t count;
	struct entry *shown[ENTRIES + 2];	/* as in the menu; NULL: a heading */
	size_t shown_count;
	struct theme_name themes[THEMES];
};

/* --- the entries ------------------------------------------------------------------------------ */

static void entry_add(struct palette *p, enum kind kind, size_t index, const char *prefix,
		      const char *name, const char *help)
{
	struct entry *e = &p->entries[p->count];

	if (p->count == ENTRIES)
		return;
	p->count++;
	*e = (struct entry){ .kind = kind, .index = (unsigned)index, .help = help };
	snprintf(e->name, sizeof(e->name), "%s%s", prefix, name);
}

static void add_actions(struct palette *p, const struct view *v)
{
	const enum action *hints = v->ops->hints;
	size_t n = view_hint_count(v->ops);

	for (size_t i = 0; i < n; i++) {
		const struct action_row *r = action_row(hints[i]);

		if (r && !ui_hint_is_among(hints, i, hints[i])) {
			entry_add(p, KIND_ACTION, (size_t)(r - actions), "", r->name, r->help);
			p->entries[p->count - 1].here = true;
		}
	}
	for (const struct action_row *r = actions; r->action != ACTION_COUNT; r++)
		if (!ui_hint_is_among(hints, n, r->action) && r->action != ACTION_PALETTE)
			entry_add(p, KIND_ACTION, (size_t)(r - actions), "", r->name, r->help);
}

static void entries_gather(struct palette *p, const struct view *v)
{
	size_t themes = theme_list(p->themes, THEMES);
	const char *name, *help;

	p->count = 0;
	add_actions(p, v);
	for (size_t i = 0; ui_option(i, &name, &help); i++)
		entry_add(p, KIND_OPTION, i, "set ", name, help);
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		entry_add(p, KIND_SORT, i, "sort ", columns[i].name, columns[i].help);
	for (size_t i = 0; exporters[i].name; i++)
		entry_add(p, KIND_EXPORT, i, "export ", exporters[i].name, exporters[i].help);
	for (size_t i = 0; i < themes; i++)
		entry_add(p, KIND_THEME, i, "theme ", p->themes[i].name, "colour theme");
}

/* --- the search ------------------------------------------------------------------------------- */

static bool letters_in_order(const char *text, const char *word, size_t n)
{
	for (; n && *text; text++) {
		if (tolower((unsigned char)*text) == tolower((unsigned char)*word)) {
			word++;
			n--;
		}
	}
	return n == 0;
}

static const char *text_find(const char *text, const char *word, size_t n)
{
	for (; *text; text++)
		if (!strncasecmp(text, word, n))
			return text;
	return NULL;
}

/* How well one word fits; -1: not at all. */
static int fit_word(const struct entry *e, const char *word, size_t n)
{
	const char *at = text_find(e->name, word, n), *later;

	if (at == e->name)
		return e->name[n] ? 1 : 0;
	for (later = at; later; later = text_find(later + 1, word, n))
		if (!isalnum((unsigned char)later[-1]))
			return 2;
	if (at)
		return 3;
	if (text_find(e->help, word, n))
		return 4;
	return n > 1 && letters_in_order(e->name, word, n) ? 5 : -1;
}

static bool entry_fits(struct entry *e, const char *query)
{
	e->score = 0;
	while (*(query += strspn(query, " "))) {
		size_t n = strcspn(query, " ");
		int fit = fit_word(e, query, n);

		if (fit < 0)
			return false;
		e->score += 10 * fit;
		query += n;
	}
	e->score -= e->here;
	return true;
}

static int by_score(const void *a, const void *b)
{
	const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;

	if (x->score != y->score)
		return x->score < y->score ? -1 : 1;
	return x < y ? -1 : x > y;	/* as they were */
}

/* --- the list --------------------------------------------------------------------------------- */

static void show_heading(struct ui *u, const char *text)
{
	u->palette->shown[u->palette->shown_count++] = NULL;
	menu_heading(&u->menu, text);
}

static void show_entry(struct ui *u, struct entry *e)
{
	char keys[KEYMAP_TEXT] = "";

	if (e->kind == KIND_ACTION)
		keymap_text(&u->settings.keys, actions[e->index].action, keys, sizeof(keys));
	u->palette->shown[u->palette->shown_count++] = e;
	menu_add_right(&u->menu, e->name, e->help, keys);
}

static void list_all(struct ui *u)
{
	struct palette *p = u->palette;

	for (size_t i = 0; i < p->count; i++) {
		struct entry *e = &p->entries[i];

		if (i == 0 && e->here)
			show_heading(u, "In this view:");
		else if (i > 0 && p->entries[i - 1].here && !e->here)
			show_heading(u, "Everywhere:");
		show_entry(u, e);
	}
}

static void list_fitting(struct ui *u, const char *query)
{
	struct palette *p = u->palette;
	struct entry *found[ENTRIES];
	size_t n = 0;

	for (size_t i = 0; i < p->count; i++)
		if (entry_fits(&p->entries[i], query))
			found[n++] = &p->entries[i];
	qsort(found, n, sizeof(*found), by_score);
	for (size_t i = 0; i < n; i++)
		show_entry(u, found[i]);
}

static void list_fill(struct ui *u)
{
	const char *query = u->prompt.text + strspn(u->prompt.text, " ");

	menu_open(&u->menu, "Commands");
	u->menu.searched = u->menu.wide = true;
	u->menu.at_least = (int)u->palette->count + 2;
	u->palette->shown_count = 0;
	if (*query)
		list_fitting(u, query);
	else
		list_all(u);
	snprintf(u->prompt.trouble, sizeof(u->prompt.trouble), "%s",
		 u->menu.list.count ? "" : "no matching command");
}

/* --- carried out ------------------------------------------------------------------------------ */

static void close_palette(struct ui *u)
{
	mem_free(u->palette);
	u->palette = NULL;
}

/* An action is the reply: act.c, which has the table of actions, opens this dialog. */
static struct dialog_reply entry_carry_out(struct ui *u)
{
	size_t at = u->menu.list.cursor;
	struct entry *e = at < u->palette->shown_count ? u->palette->shown[at] : NULL;
	struct entry chosen;

	if (!e)
		return (struct dialog_reply){ .stay = true };
	chosen = *e;
	prompt_remember(&u->palettes, u->prompt.text);
	close_palette(u);
	switch (chosen.kind) {
	case KIND_ACTION:	return (struct dialog_reply){ .go = actions[chosen.index].action };
	case KIND_SORT:		ui_sort(u, columns[chosen.index].id); break;
	case KIND_EXPORT:	ui_ask_export_file(u, &exporters[chosen.index]); break;
	case KIND_THEME:	ui_set_theme(u, chosen.name + strlen("theme ")); break;
	case KIND_OPTION:	ui_set_option(u, chosen.index); break;
	}
	return DIALOG_CLOSED;
}

static struct dialog_reply list_answered(struct ui *u, enum menu_answer answer)
{
	if (answer == MENU_CHOSEN)
		return entry_carry_out(u);
	if (answer != MENU_CANCELLED)
		return (struct dialog_reply){ .stay = true };
	close_palette(u);
	return DIALOG_CLOSED;
}

/* Up and Down are the list's; all that writes is the prompt's. */
static struct dialog_reply palette_key(struct ui *u, uint32_t key, const struct screen_mouse *mouse)
{
	enum prompt_answer answer;

	if (key == KEY_MOUSE_)
		return list_answered(u, ui_prompt_click(u, mouse) ? MENU_NOTHING :
				     menu_mouse(&u->menu, mouse));
	if (key == '\r' || key == KEY_UP_ || key == KEY_DOWN_ || key == KEY_PAGE_UP_ ||
	    key == KEY_PAGE_DOWN_)
		return list_answered(u, menu_key(&u->menu, &u->settings.keys, key));
	answer = prompt_key(&u->prompt, key);
	if (answer == PROMPT_EDITED)
		list_fill(u);
	return list_answered(u, answer == PROMPT_CANCELLED ? MENU_CANCELLED : MENU_NOTHING);
}

static void palette_draw(struct ui *u, struct grid *g)
{
	menu_draw(&u->menu, g, u->body_y);
}

static const struct dialog palette_dialog = {
	.edited = list_fill, .draw = palette_draw, .key = palette_key,
};

void ui_ask_palette(struct ui *u)
{
	u->palette = mem_zalloc(sizeof(*u->palette));
	if (!u->palette) {
		ui_say(u, true, "out of memory");
		return;
	}
	entries_gather(u->palette, ui_pane(u)->views[u->view]);
	prompt_open(&u->prompt, ":", "", &u->palettes);
	list_fill(u);
	ui_open_dialog(u, &palette_dialog);
}
