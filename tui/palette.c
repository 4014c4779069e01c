/*
 * palette: every action by name, with its key.
 */
#include "tui/ui.h"

void ui_ask_palette(struct ui *u)
{

	ui_say(u, true, "not there yet");
}
