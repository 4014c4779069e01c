/*
 * watch: bounds on figures: the list of those of this firmware, a prompt for a new one, and what to
 * do with one.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/app/ui/ui.h"
#include "tui/part/naming.h"
#include "tui/part/watched.h"

enum { NAME_COLUMNS = 32 };

/* The settings' watch in line `line` of the list, whose first line is for a new one. */
static size_t watch_of_line(struct ui *u, size_t line)
{
	const char *image = watched_image(ui_pane(u)->node);
	const struct settings *s = &u->settings;

	for (size_t i = 0; i < s->watch_count; i++)
		if (settings_watch_is_for(&s->watches[i], image) && --line == 0)
			return i;
	return SETTINGS_WATCHES;
}

static void watches_changed(struct ui *u)
{
	u->settings.changed = true;
	for (size_t i = 0; i < u->pane_count; i++)
		u->panes[i]->watching.look_ns = 0;
}

/* --- a bound is typed ------------------------------------------------------------------------- */

static int typed_read(struct ui *u, struct watch *w, struct err *err)
{
	char line[WATCH_FUNCTION + PROMPT_TEXT + 4];

	snprintf(line, sizeof(line), "%s: %s", u->watched, u->prompt.text);
	return watch_parse(line, w, err);
}

static void typed_check(struct ui *u)
{
	struct err err = { 0 };
	struct watch w;

	typed_read(u, &w, &err);
	snprintf(u->prompt.trouble, sizeof(u->prompt.trouble), "%s", err.text);
}

static struct dialog_reply typed_done(struct ui *u)
{
	const char *image = watched_image(ui_pane(u)->node);
	char text[WATCH_TEXT];
	struct err err = { 0 };
	struct watch w;

	typed_check(u);
	if (u->prompt.trouble[0])
		return (struct dialog_reply){ .stay = true };
	typed_read(u, &w, NULL);
	if (u->watch_line)
		settings_drop(&u->settings, settings_watch_row(),
			      watch_of_line(u, u->watch_line));
	/* Without an image, or with a name too long for the file, it is for this run. */
	if (*image && settings_add_watch(&u->settings, image, &w, false, &err) == 0)
		ui_say(u, false, "watching %s", watch_text(&w, text, sizeof(text)));
	else if (settings_add_watch(&u->settings, "", &w, true, &err) == 0)
		ui_say(u, false, "watching %s; not saved", watch_text(&w, text, sizeof(text)));
	else
		ui_say(u, true, "not added: %s", err.text);
	watches_changed(u);
	return DIALOG_CLOSED;
}

static const struct dialog typed_dialog = { .edited = typed_check, .done = typed_done };

/* It reads as the bound does: "Watch send: max > 300 us". What is typed replaces the proposal. */
static void bound_ask(struct ui *u, const char *function, const char *proposed)
{
	char name[4 * NAME_COLUMNS + 1];

	snprintf(u->watched, sizeof(u->watched), "%s", function);
	snprintf(u->asked, sizeof(u->asked), "Watch %s:",
		 naming_short(function, NAME_COLUMNS, name, sizeof(name)));
	prompt_open(&u->prompt, u->asked, proposed, NULL);
	prompt_propose(&u->prompt);
	ui_open_dialog(u, &typed_dialog);
}

/* --- one of them ------------------------------------------------------------------------------ */

enum watch_choice { WATCH_GO, WATCH_CHANGE, WATCH_REMOVE, WATCH_CHOICES };

static const struct {
	const char *name, *help;
} choices[WATCH_CHOICES] = {
	[WATCH_GO] = { "go", "to the moment in which it was passed" },
	[WATCH_CHANGE] = { "change", "the bound" },
	[WATCH_REMOVE] = { "remove", "the watch" },
};

static struct dialog_reply choice_done(struct ui *u)
{
	size_t i = watch_of_line(u, u->watch_line);
	size_t choice = u->menu.list.cursor;
	char bound[WATCH_TEXT];

	if (i == SETTINGS_WATCHES)
		return DIALOG_CLOSED;
	choice += !ui_pane(u)->watching.states[i].passed;
	if (choice == WATCH_GO) {
		ui_seek(u, ui_pane(u)->watching.states[i].at_ns);
	} else if (choice == WATCH_CHANGE) {
		bound_ask(u, u->settings.watches[i].watch.function,
			  watch_bound(&u->settings.watches[i].watch, bound, sizeof(bound)));
	} else {
		settings_drop(&u->settings, settings_watch_row(), i);
		watches_changed(u);
	}
	return DIALOG_CLOSED;
}

static const struct dialog choice_dialog = { .done = choice_done, .cancelled = ui_ask_watch };

static void choice_ask(struct ui *u, size_t i)
{
	char text[WATCH_TEXT];

	menu_open(&u->menu, watch_text(&u->settings.watches[i].watch, text, sizeof(text)));
	for (size_t k = ui_pane(u)->watching.states[i].passed ? WATCH_GO : WATCH_CHANGE;
	     k < WATCH_CHOICES; k++)
		menu_add(&u->menu, choices[k].name, choices[k].help);
	ui_open_dialog(u, &choice_dialog);
}

/* --- the list --------------------------------------------------------------------------------- */

/* The next value of two digits. */
static double rounded_up(double value)
{
	double digit = value > 0 ? pow(10, floor(log10(value)) - 1) : 1;

	return ceil(value / digit) * digit;
}

/*
 * The column that sorts, unless it only ever grows; else the longest call, the rate or the share,
 * whichever is known.
 */
static enum column_id column_proposed(const struct view_shared *s, const struct column_data *d,
				      const struct profile_function *f)
{
	enum column_id id = s->order.column;

	if (id != COLUMN_SELF && id != COLUMN_TOTAL && id != COLUMN_CALLS &&
	    id != COLUMN_SAMPLES && id != COLUMN_RAN && columns[id].value &&
	    !isnan(columns[id].value(d, f)))
		return id;
	return !isnan(f->max_s) ? COLUMN_MAX : !isnan(f->rate_calls) ? COLUMN_RATE :
	       COLUMN_SELF_PERCENT;
}

/* A bound on the selected function, just above what it reached so far. */
static void bound_add(struct ui *u)
{
	const struct view_shared *s = &ui_pane(u)->shared;
	uint32_t number = view_selected(s);
	struct column_data d = { s->model.profile, s->model.contexts };
	const struct profile_function *f;
	struct watch w = { .bound = 0 };
	char bound[WATCH_TEXT];

	if (number == PROFILE_NONE) {
		ui_say(u, true, "no function is selected: choose one in {view-flat}");
		return;
	}
	f = &s->model.profile->functions[number];
	w.column = column_proposed(s, &d, f);
	w.bound = rounded_up(columns[w.column].value(&d, f));
	u->watch_line = 0;
	/* Nothing is measured of a root that has no hook: no figure to propose. */
	bound_ask(u, f->name, isnan(w.bound) ? "" : watch_bound(&w, bound, sizeof(bound)));
}

static struct dialog_reply list_done(struct ui *u)
{
	u->watch_line = u->menu.list.cursor;
	if (u->watch_line == 0)
		bound_add(u);
	else
		choice_ask(u, watch_of_line(u, u->watch_line));
	return DIALOG_CLOSED;
}

static const struct dialog list_dialog = { .done = list_done };

void ui_ask_watch(struct ui *u)
{
	const struct pane *p = ui_pane(u);
	uint32_t number = view_selected(&p->shared);
	char text[WATCH_TEXT], name[4 * NAME_COLUMNS + 1], add[WATCH_TEXT], now[96];
	size_t i;

	if (watch_of_line(u, 1) == SETTINGS_WATCHES) {
		bound_add(u);
		return;
	}
	snprintf(add, sizeof(add), "a bound for %s ...", number == PROFILE_NONE ?
		 "the selected function" :
		 naming_short(p->shared.model.profile->functions[number].name, NAME_COLUMNS, name,
			      sizeof(name)));
	menu_open(&u->menu, "Watches");
	menu_add(&u->menu, add, "");
	for (size_t line = 1; (i = watch_of_line(u, line)) < SETTINGS_WATCHES; line++)
		menu_add(&u->menu, watch_text(&u->settings.watches[i].watch, text, sizeof(text)),
			 watching_describe(&p->watching, i, p->node, now, sizeof(now)));
	ui_open_dialog(u, &list_dialog);
}
