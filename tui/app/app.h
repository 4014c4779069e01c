/*
 * app: the live screen: nodes, views, keys, one poll loop.
 *
 * The screen outside a view's rectangle is drawn by ui/draw.c, header/ and pane/timebar.c.
 */
#ifndef WSNTOP_TUI_APP_APP_H
#define WSNTOP_TUI_APP_APP_H

#include "core/base/err.h"
#include "tui/config/options.h"

/* The user left while nodes were being opened: a thread may read the options until we exit. */
#define APP_LEFT (-1)

/* Run until the user leaves. The exit status (when it is not 0, err says why), or APP_LEFT. */
int app_run(const struct options *o, struct err *err);

#endif
