/*
 * picker: the start page, for wsntop without arguments: which port, which image.
 *
 * Lists the serial ports (looked for again every second), the recordings in the current directory
 * and the demo node, then the firmware images found nearby. What cannot be opened is said here, and
 * another can be chosen.
 */
#ifndef WSNTOP_TUI_PICKER_H
#define WSNTOP_TUI_PICKER_H

#include "core/node.h"
#include "tui/options.h"
#include "tui/screen.h"

/* The node chosen, open; NULL: the user left. `signals` is signals_pipe()'s descriptor. */
struct node *picker_run(struct screen *screen, int signals, const struct options *o);

#endif
