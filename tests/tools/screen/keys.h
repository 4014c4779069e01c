/*
 * keys: what is typed at the program, and its mouse.
 */
#ifndef WSNTOP_TESTS_SCREEN_KEYS_H
#define WSNTOP_TESTS_SCREEN_KEYS_H

#include <stddef.h>

void keys_type(const char *bytes, size_t n);
void keys_click(int x, int y, int button);	/* from 0; nothing if it did not ask for a mouse */

#endif
