/*
 * time: clicks on the time bar. Its keys come as actions (ui_time).
 */
#ifndef WSNTOP_TUI_APP_TIME_H
#define WSNTOP_TUI_APP_TIME_H

#include "tui/term/screen.h"

struct ui;

void ui_time_mouse(struct ui *u, const struct screen_mouse *m);

#endif
