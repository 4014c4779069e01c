/*
 * columns_dialog: which columns the flat view has, in which order, how wide.
 */
#include "tui/ui.h"

void ui_ask_columns(struct ui *u)
{
	ui_say(u, true, "not yet");
}
