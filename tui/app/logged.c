/*
 * logged: what is logged of the node while it runs (-w): the list of it, with how each thing is
 * watched, what that costs and what the chip has left; another one, typed with the names of the
 * ELF's variables and functions below; what to do with one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/image/variables.h"
#include "core/node/watched.h"
#include "tui/app/ui/ui.h"

enum {
	NAMES_MOST = 1 << 16,
	SHOWN_MOST = 200,		/* names in the list at a time */
	WHY_COLUMNS = 64,
};

/* While one is typed. */
struct logging {
	char **names;			/* sorted: variables, "call:" and each function */
	size_t count, cap;
	bool variables;			/* the ELF's debug information has some */
	char shown[SHOWN_MOST][LOGGED_TEXT];	/* as in the menu */
	size_t shown_count;
	size_t changes;			/* 1 + the one that it takes the place of; 0: none */
};

/* --- names ------------------------------------------------------------------------------------ */

static bool name_keep(struct logging *l, const char *prefix, const char *name)
{
	char text[LOGGED_TEXT];
	int n = snprintf(text, sizeof(text), "%s%s", prefix, name);

	if (n < 0 || (size_t)n >= sizeof(text) || !watch_is_logged(text))
		return true;
	if (l->count == NAMES_MOST ||
	    mem_grow(&l->names, &l->cap, l->count + 1, sizeof(*l->names)) < 0)
		return false;
	l->names[l->count] = mem_strdup(text);
	l->count += l->names[l->count] != NULL;
	return true;
}

static bool variable_keep(void *ctx, const char *name)
{
	return name_keep(ctx, "", name);
}

static int names_order(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	bool call_x = !strncmp(x, "call:", 5), call_y = !strncmp(y, "call:", 5);

	return call_x != call_y ? call_x - call_y : strcmp(x, y);
}

static void names_gather(struct logging *l, const struct image *im)
{
	size_t n = 0;

	if (!im)
		return;
	variables_each(image_path(im), variable_keep, l, NULL);
	l->variables = l->count > 0;
	for (uint32_t i = 0; i < image_function_count(im); i++)
		if (!name_keep(l, "call:", image_function(im, i)->name))
			break;
	if (!l->count)
		return;
	qsort(l->names, l->count, sizeof(*l->names), names_order);
	for (size_t i = 0; i < l->count; i++) {
		if (n && !strcmp(l->names[n - 1], l->names[i]))
			mem_free(l->names[i]);
		else
			l->names[n++] = l->names[i];
	}
	l->count = n;
}

void ui_logged_close(struct ui *u)
{
	struct logging *l = u->logging;

	for (size_t i = 0; l && i < l->count; i++)
		mem_free(l->names[i]);
	if (l)
		mem_free(l->names);
	mem_free(l);
	u->logging = NULL;
}

/* --- what is typed, and the names that have it ------------------------------------------------ */

/* Beginnings: choosing one goes on with it. */
static const struct {
	const char *text, *help;
	bool whole;
} forms[] = {
	{ "irq", "all interrupt handlers", true },
	{ "irq:", "one interrupt handler, by its number", false },
	{ "call:", "a function: each call, from its entry to its end", false },
	{ "reg:", "a register: reg:0x40011010/4; :r behind it: reads, :rw both", false },
	{ "mem:", "memory: mem:0x20000100+64: accesses, by their address", false },
	{ "mark", "marks of the firmware: wsnprof_mark()", true },
};

static bool text_has(const char *text, const char *part)
{
	size_t n = strlen(part);

	for (; *text; text++)
		if (!strncasecmp(text, part, n))
			return true;
	return n == 0;
}

static void shown_add(struct ui *u, const char *text, const char *help)
{
	struct logging *l = u->logging;

	if (l->shown_count == SHOWN_MOST)
		return;
	snprintf(l->shown[l->shown_count++], LOGGED_TEXT, "%s", text);
	menu_add(&u->menu, text, help);
}

static const char *name_help(const char *name)
{
	return strncmp(name, "call:", 5) ? strchr(name, '.') ? "member" : "variable" : "function";
}

/* What begins with it comes first, then what has it within; what is no name stands for itself. */
static void names_show(struct ui *u, const char *typed)
{
	struct logging *l = u->logging;
	size_t n = strlen(typed);

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (n && !strncmp(forms[i].text, typed, n))
			shown_add(u, forms[i].text, forms[i].help);
	for (size_t i = 0; i < l->count; i++)
		if (!strncasecmp(l->names[i], typed, n))
			shown_add(u, l->names[i], name_help(l->names[i]));
	for (size_t i = 0; i < l->count && n; i++)
		if (strncasecmp(l->names[i], typed, n) && text_has(l->names[i], typed))
			shown_add(u, l->names[i], name_help(l->names[i]));
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]) && !n; i++)
		shown_add(u, forms[i].text, forms[i].help);
	if (!l->shown_count && n)
		shown_add(u, typed, "as typed");
}

static void typed_changed(struct ui *u)
{
	menu_open(&u->menu, "Log a variable, a register, a call, interrupts");
	u->menu.searched = u->menu.wide = true;
	u->menu.at_least = 12;
	u->logging->shown_count = 0;
	names_show(u, u->prompt.text);
	u->prompt.trouble[0] = '\0';
}

/* A beginning, of which the rest is to be typed. */
static bool text_is_begun(const char *text)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (!forms[i].whole && !strcmp(forms[i].text, text))
			return true;
	return false;
}

static void typed_replace(struct ui *u, const char *text)
{
	char label[sizeof(u->asked)];

	snprintf(label, sizeof(label), "%s", u->asked);
	prompt_open(&u->prompt, u->asked, text, NULL);
	typed_changed(u);
}

static struct dialog_reply typed_stays(struct ui *u, const char *text)
{
	typed_replace(u, text);
	return (struct dialog_reply){ .stay = true };
}

static struct dialog_reply logging_done(struct ui *u)
{
	struct logging *l = u->logging;
	struct node *n = ui_pane(u)->node;
	size_t at = u->menu.list.cursor, count;
	struct err err = { 0 };
	char text[LOGGED_TEXT], before[LOGGED_TEXT] = "";

	if (at >= l->shown_count)
		return (struct dialog_reply){ .stay = true };
	snprintf(text, sizeof(text), "%s", l->shown[at]);
	if (text_is_begun(text))
		return typed_stays(u, text);
	if (l->changes && l->changes <= (node_logged(n, &count), count)) {
		snprintf(before, sizeof(before), "%s", node_logged(n, &count)[l->changes - 1].text);
		node_log_remove(n, l->changes - 1);
	}
	if (node_log_add(n, text, &err) < 0) {
		if (before[0])
			node_log_add(n, before, NULL);
		typed_replace(u, text);
		l->changes = 0;
		snprintf(u->prompt.trouble, sizeof(u->prompt.trouble), "%s", err.text);
		return (struct dialog_reply){ .stay = true };
	}
	ui_logged_close(u);
	ui_say(u, false, "logging %s: {view-log} shows it", text);
	pane_stale(ui_pane(u));
	return DIALOG_CLOSED;
}

/* Up and Down are the list's, Tab completes; all that writes is the prompt's. */
static struct dialog_reply typed_key(struct ui *u, uint32_t key, const struct screen_mouse *mouse)
{
	enum menu_answer answer = MENU_NOTHING;

	if (key == '\t' && u->menu.list.cursor < u->logging->shown_count)
		return typed_stays(u, u->logging->shown[u->menu.list.cursor]);
	if (key == KEY_MOUSE_)
		answer = ui_prompt_click(u, mouse) ? MENU_NOTHING : menu_mouse(&u->menu, mouse);
	else if (key == '\r' || key == KEY_UP_ || key == KEY_DOWN_ || key == KEY_PAGE_UP_ ||
		 key == KEY_PAGE_DOWN_)
		answer = menu_key(&u->menu, &u->settings.keys, key);
	else
		switch (prompt_key(&u->prompt, key)) {
		case PROMPT_EDITED: typed_changed(u); break;
		case PROMPT_CANCELLED: answer = MENU_CANCELLED; break;
		default: break;
		}
	if (answer == MENU_CHOSEN)
		return logging_done(u);
	if (answer != MENU_CANCELLED)
		return (struct dialog_reply){ .stay = true };
	ui_logged_close(u);
	return DIALOG_CLOSED;
}

static void typed_draw(struct ui *u, struct grid *g)
{
	menu_draw(&u->menu, g, u->body_y);
}

static const struct dialog typed_dialog = {
	.edited = typed_changed, .draw = typed_draw, .key = typed_key,
};

static void logged_type(struct ui *u, const char *text, size_t changes)
{
	u->logging = mem_zalloc(sizeof(*u->logging));
	if (!u->logging) {
		ui_say(u, true, "out of memory");
		return;
	}
	names_gather(u->logging, node_image(ui_pane(u)->node));
	u->logging->changes = changes;
	snprintf(u->asked, sizeof(u->asked), "Log:");
	prompt_open(&u->prompt, u->asked, text, NULL);
	typed_changed(u);
	ui_open_dialog(u, &typed_dialog);
}

/* --- one of them ------------------------------------------------------------------------------ */

enum logged_choice { LOGGED_CHANGE, LOGGED_REMOVE };

static struct dialog_reply chosen_done(struct ui *u)
{
	struct node *n = ui_pane(u)->node;
	size_t count, i = u->watch_line - 1;
	const struct node_logged *l = node_logged(n, &count);
	char text[LOGGED_TEXT];

	if (i >= count)
		return DIALOG_CLOSED;
	snprintf(text, sizeof(text), "%s", l[i].text);
	if (u->menu.list.cursor == LOGGED_CHANGE) {
		logged_type(u, text, i + 1);
	} else {
		node_log_remove(n, i);
		ui_say(u, false, "%s is logged no more", text);
		pane_stale(ui_pane(u));
	}
	return DIALOG_CLOSED;
}

static const struct dialog chosen_dialog = { .done = chosen_done, .cancelled = ui_ask_logged };

/* A sentence that is longer than a narrow screen, in lines. */
static void sentence_add(struct ui *u, const char *text)
{
	char line[WHY_COLUMNS + 1];

	while (*text) {
		size_t n = strlen(text) > WHY_COLUMNS ? WHY_COLUMNS : strlen(text);

		while (text[n] && n > 1 && text[n - 1] != ' ')
			n--;
		snprintf(line, sizeof(line), "%.*s", (int)n, text);
		menu_heading(&u->menu, line);
		text += n;
	}
}

/* Below, how it is watched, or why it is not, in full. */
static void chosen_ask(struct ui *u, const struct watching_item *i)
{
	char how[320];

	menu_open(&u->menu, i->text);
	menu_add(&u->menu, "change", "another variable, register or call in its place");
	menu_add(&u->menu, "remove", "do not log it any more");
	sentence_add(u, watching_how(i, how, sizeof(how)));
	ui_open_dialog(u, &chosen_dialog);
}

/* --- the list --------------------------------------------------------------------------------- */

static struct dialog_reply logged_done(struct ui *u)
{
	struct watching_item items[WIRE_WATCHES];
	size_t count = node_watching_items(ui_pane(u)->node, items);

	u->watch_line = u->menu.list.cursor;
	if (u->watch_line == 0)
		logged_type(u, "", 0);
	else if (u->watch_line <= count)
		chosen_ask(u, &items[u->watch_line - 1]);
	return DIALOG_CLOSED;
}

static void line_add(struct ui *u, const struct watching_item *i)
{
	char help[320], how[200], hits[64], lost[64] = "";

	snprintf(hits, sizeof(hits), "%s hit%s", TEXT_WHOLE(i->hits), i->hits == 1 ? "" : "s");
	if (i->lost)
		snprintf(lost, sizeof(lost), ", %s lost", TEXT_WHOLE(i->lost));
	if (watching_is_refused(i))
		snprintf(help, sizeof(help), "refused: %s", watching_how(i, how, sizeof(how)));
	else
		snprintf(help, sizeof(help), "%s%s%s%s; %s", i->value, *i->value ? ", " : "", hits,
			 lost, watching_how(i, how, sizeof(how)));
	menu_add(&u->menu, i->text, help);
}

/* As it stands: the line that is chosen stays. */
static void logged_fill(struct ui *u)
{
	struct node *n = ui_pane(u)->node;
	struct watching_item items[WIRE_WATCHES];
	size_t count = node_watching_items(n, items), cursor = u->menu.list.cursor;
	const struct wire_watching *w = node_watching(n);
	char title[200], cost[160];

	snprintf(title, sizeof(title), "Logged%s%s", w ? ": " : "",
		 w ? watching_cost(w, cost, sizeof(cost)) : "");
	menu_open(&u->menu, title);
	u->menu.wide = true;
	menu_add(&u->menu, "another ...", "a variable, a register, a call, interrupts");
	for (size_t i = 0; i < count; i++)
		line_add(u, &items[i]);
	if (w)
		sentence_add(u, watching_port(w, cost, sizeof(cost)));
	menu_go(&u->menu, cursor);
}

static void logged_draw(struct ui *u, struct grid *g)
{
	static const struct ui_key_hint keys[] = {
		{ "Enter", "choose" }, { "Esc", "back" },
	};

	logged_fill(u);
	menu_draw(&u->menu, g, u->body_y);
	ui_draw_keys(g, keys, sizeof(keys) / sizeof(keys[0]));
}

static struct dialog_reply logged_key(struct ui *u, uint32_t key, const struct screen_mouse *mouse)
{
	switch (key == KEY_MOUSE_ ? menu_mouse(&u->menu, mouse) :
				    menu_key(&u->menu, &u->settings.keys, key)) {
	case MENU_CHOSEN:	return logged_done(u);
	case MENU_CANCELLED:	return DIALOG_CLOSED;
	default:		return (struct dialog_reply){ .stay = true };
	}
}

static const struct dialog list_dialog = { .draw = logged_draw, .key = logged_key };

void ui_ask_logged(struct ui *u)
{
	struct node *n = ui_pane(u)->node;
	struct watching_item items[WIRE_WATCHES];
	size_t count = node_watching_items(n, items);

	if (!node_can_log(n) && !count) {
		ui_say(u, true, "this source cannot log variables or calls: openocd:, gdb:, swo: "
		       "with ?setup=, simavr: and qemu: can");
		return;
	}
	if (!count) {
		logged_type(u, "", 0);
		return;
	}
	menu_open(&u->menu, "");
	logged_fill(u);
	ui_open_dialog(u, &list_dialog);
}
