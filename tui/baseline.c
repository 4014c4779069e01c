/*
 * baseline: what is compared with: now, a snapshot, a recording, what ran before.
 */
#include "tui/ui.h"

void ui_ask_baseline(struct ui *u)
{

	ui_say(u, true, "not there yet");
}
