/*
 * command: commands to the node (core/wire/wsn/command.h): a menu of them, a prompt if one takes a
 * number, and whether to reset the counters here or on the node. The outcome is the node's news.
 * Of a debug server that has to halt the target for samples: whether it may, and how often.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/text.h"
#include "core/wire/wsn/command.h"
#include "tui/app/ui/ui.h"

static void command_send(struct ui *u, const struct wsn_command_row *row, unsigned arg)
{
	struct err err = { 0 };

	if (node_command(ui_pane(u)->node, row->type, (uint16_t)arg, &err) < 0)
		ui_say(u, true, "%s", err.text);
	else
		ui_say(u, false, "sending to the node: %s ...", row->name);
}

/* --- a number --------------------------------------------------------------------------------- */

static bool number_of(const struct ui *u, uint64_t *n)
{
	return text_u64(u->prompt.text, n) && *n >= u->command->low && *n <= u->command->high;
}

static void number_refuse(struct ui *u)
{
	snprintf(u->prompt.trouble, sizeof(u->prompt.trouble), "a whole number from %u to %u",
		 u->command->low, u->command->high);
}

static void number_edited(struct ui *u)
{
	uint64_t n;

	ui_prompt_clear(u);
	if (u->prompt.len && !number_of(u, &n))
		number_refuse(u);
}

static struct dialog_reply number_done(struct ui *u)
{
	uint64_t n = 0;

	if (!number_of(u, &n)) {
		number_refuse(u);
		return (struct dialog_reply){ .stay = true };
	}
	command_send(u, u->command, (unsigned)n);
	return DIALOG_CLOSED;
}

static const struct dialog number_dialog = { .edited = number_edited, .done = number_done };

static void ask_number(struct ui *u)
{
	char now[16] = "";

	if (u->command->type == WSN_HZ)
		snprintf(now, sizeof(now), "%u", node_hello(ui_pane(u)->node)->hz);
	prompt_open(&u->prompt, u->command->ask, now, NULL);
	ui_open_dialog(u, &number_dialog);
}

/* --- what is sent ----------------------------------------------------------------------------- */

static struct dialog_reply select_done(struct ui *u)
{
	command_send(u, wsn_command_row(WSN_SELECT), wsn_select_rows[u->menu.list.cursor].bits);
	return DIALOG_CLOSED;
}

static const struct dialog select_dialog = { .done = select_done };

static void ask_select(struct ui *u)
{
	menu_open(&u->menu, "Data to send");
	for (const struct wsn_select_row *r = wsn_select_rows; r->name; r++)
		menu_add(&u->menu, r->name, r->help);
	ui_open_dialog(u, &select_dialog);
}

/* --- the menu --------------------------------------------------------------------------------- */

static struct dialog_reply command_done(struct ui *u)
{
	u->command = &wsn_command_rows[u->menu.list.cursor];
	if (u->command->ask)
		ask_number(u);
	else if (u->command->type == WSN_SELECT)
		ask_select(u);
	else
		command_send(u, u->command, 0);
	return DIALOG_CLOSED;
}

static const struct dialog command_dialog = { .done = command_done };

/* --- a server that gives PCs of a target that stands alone ------------------------------------ */

static const struct {
	const char *name, *help;
	double hz;
} stops[] = {
	{ "no", "the target is not halted, and no samples are taken", 0 },
	{ "10 a second", "each takes 0.2 to 3 ms of the target's time", 10 },
	{ "100 a second", "the header shows how much of the time it is halted", 100 },
	{ "1000 a second", "as often as the server can", 1000 },
};

static struct dialog_reply stops_done(struct ui *u)
{
	double hz = stops[u->menu.list.cursor].hz;

	if (hz > 0 && node_allow_stops(ui_pane(u)->node, hz))
		ui_say(u, false, "the target is halted %.0f times a second", hz);
	return DIALOG_CLOSED;
}

static const struct dialog stops_dialog = { .done = stops_done };

static bool stops_asked(struct ui *u)
{
	const struct wire_probe *p = node_probe(ui_pane(u)->node);

	if (!p || p->trouble != PROBE_MUST_STOP || !node_link(ui_pane(u)->node) ||
	    !link_is_live(node_link(ui_pane(u)->node)))
		return false;
	menu_open(&u->menu, "Halt the target to take samples?");
	for (size_t i = 0; i < sizeof(stops) / sizeof(stops[0]); i++)
		menu_add(&u->menu, stops[i].name, stops[i].help);
	ui_open_dialog(u, &stops_dialog);
	return true;
}

static bool command_refused(struct ui *u)
{
	const struct node *n = ui_pane(u)->node;

	if (node_listens(n))
		return false;
	ui_say(u, true, node_hello(n) ?
	       "the node does not listen: its firmware receives nothing" :
	       "the node accepts no commands: this stream has none");
	return true;
}

void ui_ask_command(struct ui *u)
{
	if (stops_asked(u) || command_refused(u))
		return;
	menu_open(&u->menu, "Node commands");
	for (const struct wsn_command_row *r = wsn_command_rows; r->name; r++)
		menu_add(&u->menu, r->name, r->help);
	ui_open_dialog(u, &command_dialog);
}

/* --- reset ------------------------------------------------------------------------------------ */

static void reset_on_node(struct ui *u)
{
	command_send(u, wsn_command_row(WSN_RESET), 0);
}

static const struct {
	const char *name, *help;
	void (*act)(struct ui *u);
} resets[] = {
	{ "in wsntop only", "the node continues to count", ui_reset_here },
	{ "on the node", "for every host", reset_on_node },
};

static struct dialog_reply reset_done(struct ui *u)
{
	resets[u->menu.list.cursor].act(u);
	return DIALOG_CLOSED;
}

static const struct dialog reset_dialog = { .done = reset_done };

void ui_ask_reset(struct ui *u)
{
	if (!node_listens(ui_pane(u)->node)) {
		ui_reset_here(u);
		return;
	}
	menu_open(&u->menu, "Reset counters");
	for (size_t i = 0; i < sizeof(resets) / sizeof(resets[0]); i++)
		menu_add(&u->menu, resets[i].name, resets[i].help);
	ui_open_dialog(u, &reset_dialog);
}
