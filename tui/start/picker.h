/*
 * picker: the start page, for wsntop without arguments: which port, which image; and for an image
 * alone: the ports, listened to until one's node says that it runs it.
 *
 * Lists what was used last time, the serial ports (looked for again every second), the recordings in
 * the current directory, the demo node and the images nearby. What cannot be opened is said here, with
 * what to do, and another can be chosen.
 */
#ifndef WSNTOP_TUI_START_PICKER_H
#define WSNTOP_TUI_START_PICKER_H

#include "core/node/node.h"
#include "tui/config/keymap.h"
#include "tui/config/options.h"
#include "tui/term/screen.h"

/* The node chosen, open; NULL: the user left. `signals` is signals_pipe()'s descriptor. */
struct node *picker_run(struct screen *screen, int signals, const struct options *o,
			const struct keymap *keys);

#endif
