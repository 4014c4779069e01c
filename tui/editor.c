/*
 * editor: open the editor at a line and come back whole.
 */
#include "tui/ui.h"

void ui_edit(struct ui *u)
{

	ui_say(u, true, "not there yet");
}
