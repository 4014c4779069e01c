/*
 * picker: the start page. wsntop without arguments asks for a source and an image. Given an image
 * alone, it listens to all ports until a node reports that it runs that image.
 *
 * The page lists the pairs of last time, the serial ports (searched again every second), the
 * recordings in the current directory, the demo node and the images nearby. If a choice cannot be
 * opened the page shows the reason and what helps, and the user may choose again.
 */
#ifndef WSNTOP_TUI_START_PICKER_H
#define WSNTOP_TUI_START_PICKER_H

#include "core/node/node.h"
#include "tui/config/keymap.h"
#include "tui/config/options.h"
#include "tui/term/screen.h"

/* The chosen node, open; NULL: the user left. `signals` is signals_pipe()'s descriptor. */
struct node *picker_run(struct screen *screen, int signals, const struct options *o,
			const struct keymap *keys);

#endif
