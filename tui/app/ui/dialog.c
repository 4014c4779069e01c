/*
 * dialog: keys and clicks while a dialog is open.
 */
#include <stdio.h>
#include <string.h>

#include "tui/app/ui/ui.h"

bool ui_dialog_is_menu(const struct ui *u)
{
	return u->dialog && !u->dialog->edited && !u->dialog->draw;
}

bool ui_prompt_click(struct ui *u, const struct screen_mouse *mouse)
{
	if (mouse->y != u->height - 1 || mouse->button > 2)
		return false;
	prompt_click(&u->prompt, u->width, mouse->x);
	return true;
}

void ui_prompt_clear(struct ui *u)
{
	u->prompt.trouble[0] = 0;
}

/* Answered: closed, unless it opened another or is to stay. */
static enum action dialog_finish(struct ui *u, bool done)
{
	const struct dialog *d = u->dialog;
	struct dialog_reply reply = DIALOG_CLOSED;

	u->dialog = NULL;
	if (done)
		reply = d->done(u);
	else if (d->cancelled)
		d->cancelled(u);
	if (reply.stay)
		u->dialog = d;
	return reply.go;
}

static enum action menu_answered(struct ui *u, enum menu_answer answer, uint32_t key)
{
	if (answer == MENU_CHOSEN || answer == MENU_CANCELLED)
		return dialog_finish(u, answer == MENU_CHOSEN);
	if (answer == MENU_MOVED && u->dialog->moved)
		u->dialog->moved(u);
	else if (answer == MENU_NOTHING && u->dialog->other)
		u->dialog->other(u, key);
	return ACTION_NONE;
}

static enum action prompt_answered(struct ui *u, enum prompt_answer answer, uint32_t key)
{
	if (answer == PROMPT_DONE || answer == PROMPT_CANCELLED)
		return dialog_finish(u, answer == PROMPT_DONE);
	if (answer == PROMPT_EDITED)
		u->dialog->edited(u);
	else if (answer == PROMPT_NOTHING && u->dialog->other)
		u->dialog->other(u, key);
	return ACTION_NONE;
}

static enum action own_key(struct ui *u, uint32_t key, const struct screen_mouse *mouse)
{
	const struct dialog *d = u->dialog;
	struct dialog_reply reply;

	u->dialog = NULL;
	reply = d->key(u, key, mouse);
	if (reply.stay)
		u->dialog = d;
	return reply.go;
}

enum action ui_dialog_key(struct ui *u, uint32_t key, const struct screen_mouse *mouse)
{
	u->draw_now = true;
	u->message[0] = 0;
	if (u->dialog->draw)
		return own_key(u, key, mouse);
	if (ui_dialog_is_menu(u))
		return menu_answered(u, key == KEY_MOUSE_ ? menu_mouse(&u->menu, mouse) :
				     menu_key(&u->menu, &u->settings.keys, key), key);
	if (key != KEY_MOUSE_)
		return prompt_answered(u, prompt_key(&u->prompt, key), key);
	ui_prompt_click(u, mouse);
	return ACTION_NONE;
}
