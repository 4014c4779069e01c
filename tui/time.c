/*
 * time: carry out what concerns time: the past, windows, intervals.
 */
#include "tui/ui.h"

void ui_time(struct ui *u, enum action a)
{
	(void)a;
	ui_say(u, true, "not there yet");
}
