/*
 * cast: what the terminal is sent and when, as an asciicast (version 2: a line of JSON an event),
 * which asciinema plays and tests/tools/cast_svg makes an animated picture of.
 *
 * It begins at the step "cast", which asks the program for a whole frame (Ctrl-L). The step "mark"
 * adds a marker, whose text the picture has as its caption.
 */
#ifndef WSNTOP_TESTS_SCREEN_CAST_H
#define WSNTOP_TESTS_SCREEN_CAST_H

#include <stddef.h>

/* Nothing while none is written. */
void cast_output(const char *data, size_t n);

#endif
