/* glob: shell patterns over names of functions. */
#ifndef WSNTOP_GATE_GLOB_H
#define WSNTOP_GATE_GLOB_H

#include <stdbool.h>

/*
 * * any bytes, ? one byte, [a-z] [!a-z] one of a set or not, \x the byte x. A [ without its ] is
 * itself. Takes at most strlen(pattern) * strlen(name) steps, whatever the pattern: fnmatch() of
 * some libraries takes exponentially many.
 */
bool glob_match(const char *pattern, const char *name);

#endif
