/*
 * send: a line that is typed goes to the node, as from any serial terminal. Tab changes what
 * ends it, Up brings back what was sent before, Esc closes.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/app/ui/ui.h"

static const struct {
	const char *name, *bytes;
} ends[] = {
	{ "CR LF", "\r\n" }, { "LF", "\n" }, { "CR", "\r" }, { "nothing", "" },
};

enum { ENDS = sizeof(ends) / sizeof(ends[0]) };

static const struct dialog send_dialog;

static void open_line(struct ui *u, const char *text)
{
	snprintf(u->asked, sizeof(u->asked), "Send (%s at the end, Tab changes):",
		 ends[u->line_end].name);
	prompt_open(&u->prompt, u->asked, text, &u->sent);
	ui_open_dialog(u, &send_dialog);
}

/* A line is sent whole or not at all. A line that still waits will be sent: that is no failure. */
static struct dialog_reply send_done(struct ui *u)
{
	struct node *n = ui_pane(u)->node;
	char line[PROMPT_TEXT + 4];
	int size = snprintf(line, sizeof(line), "%s%s", u->prompt.text, ends[u->line_end].bytes);
	int sent = node_send(n, line, (size_t)size);

	prompt_remember(&u->sent, u->prompt.text);
	open_line(u, "");
	if (sent == LINK_DEAF)
		snprintf(u->prompt.trouble, sizeof(u->prompt.trouble), "not sent: %s",
			 link_state(node_link(n)) == LINK_UP ? "the source can only be read" :
								"node disconnected");
	else if (sent == LINK_FULL)
		snprintf(u->prompt.trouble, sizeof(u->prompt.trouble),
			 "not sent: %s bytes already wait",
			 TEXT_WHOLE(link_unsent(node_link(n))));
	else if (link_unsent(node_link(n)))
		snprintf(u->prompt.trouble, sizeof(u->prompt.trouble), "%s bytes wait to be sent",
			 TEXT_WHOLE(link_unsent(node_link(n))));
	return DIALOG_CLOSED;
}

static void send_other(struct ui *u, uint32_t key)
{
	char text[PROMPT_TEXT];

	if (key != '\t')
		return;
	snprintf(text, sizeof(text), "%s", u->prompt.text);
	u->line_end = (u->line_end + 1) % ENDS;
	open_line(u, text);
}

static const struct dialog send_dialog = {
	.edited = ui_prompt_clear, .done = send_done, .other = send_other,
};

void ui_ask_send(struct ui *u)
{
	const struct node *n = ui_pane(u)->node;

	if (!link_is_live(node_link(n)))
		ui_say(u, true, "not sent: %s has no link to a node", node_source(n));
	else
		open_line(u, "");
}
