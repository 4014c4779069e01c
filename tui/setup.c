/*
 * setup: the options screen (F2).
 */
#include "tui/ui.h"

void ui_ask_options(struct ui *u)
{

	ui_say(u, true, "not there yet");
}
