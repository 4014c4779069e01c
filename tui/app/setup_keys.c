/*
 * setup_keys: which key does what: an action is chosen, and the new key pressed.
 */
#include <stdio.h>
#include <string.h>

#include "tui/app/setup.h"

static const struct action_row *chosen_action(const struct ui *u)
{
	return &actions[u->setup->key_line];
}

static void bind(struct ui *u, const struct action_row *row, uint32_t key)
{
	enum action before = keymap_bind(&u->settings.keys, row->action, key);
	char text[16];

	key_text(key, text, sizeof(text));
	if (before != ACTION_NONE)
		ui_say(u, true, "%s is %s now, and no more %s", text, row->name,
		       action_row(before)->name);
	else if (keymap_of_key(&u->settings.keys, key) == row->action)
		ui_say(u, false, "%s is %s", text, row->name);
	else
		ui_say(u, true, "%s has %d keys already", row->name, KEYMAP_KEYS);
}

/* Any key but those that say something here. */
static bool key_pressed(struct ui *u, uint32_t key, const struct screen_mouse *mouse)
{
	const struct action_row *row = chosen_action(u);

	(void)mouse;
	if (key == KEY_MOUSE_)
		return true;
	if (key == KEY_DELETE_)
		keymap_unbind(&u->settings.keys, row->action);
	else if (key == KEY_BACKSPACE_)
		keymap_restore(&u->settings.keys, row->action);
	else if (key != 27)
		bind(u, row, key);
	if (key != 27)
		setup_changed(u);
	setup_ask_keys(u);
	return true;
}

static void key_draw(struct ui *u, struct grid *g)
{
	const struct action_row *row = chosen_action(u);
	char keys[KEYMAP_TEXT], now[KEYMAP_TEXT + 16];

	keymap_text(&u->settings.keys, row->action, keys, sizeof(keys));
	snprintf(now, sizeof(now), "now: %s", *keys ? keys : "no key");
	menu_open(&u->menu, row->name);
	menu_heading(&u->menu, row->help);
	menu_heading(&u->menu, now);
	menu_heading(&u->menu, "");
	menu_add(&u->menu, "press a key", "to have it, too");
	menu_add(&u->menu, "Del", "no key");
	menu_add(&u->menu, "Backspace", "as built in");
	menu_add(&u->menu, "Esc", "leave it as it is");
	menu_draw(&u->menu, g);
}

static const struct dialog key_dialog = { .draw = key_draw, .key = key_pressed };

static void keys_done(struct ui *u)
{
	u->setup->key_line = u->menu.list.cursor;
	ui_open_dialog(u, &key_dialog);
}

static const struct dialog keys_dialog = { .done = keys_done, .cancelled = setup_open };

void setup_ask_keys(struct ui *u)
{
	char keys[KEYMAP_TEXT];

	menu_open(&u->menu, "Keys");
	for (const struct action_row *r = actions; r->action != ACTION_COUNT; r++)
		menu_add_right(&u->menu, r->name, r->help,
			       keymap_text(&u->settings.keys, r->action, keys, sizeof(keys)));
	menu_go(&u->menu, u->setup->key_line);
	ui_open_dialog(u, &keys_dialog);
}

void setup_say_keys(struct ui *u, char *dst, size_t size)
{
	int n = 0;

	for (const struct action_row *r = actions; r->action != ACTION_COUNT; r++)
		n += keymap_changed(&u->settings.keys, r->action);
	if (n)
		snprintf(dst, size, "%d changed", n);
	else
		snprintf(dst, size, "as built in");
}
