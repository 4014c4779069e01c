/*
 * openocd: what others of core/wire need of its decoder.
 */
#ifndef WSNTOP_WIRE_OPENOCD_H
#define WSNTOP_WIRE_OPENOCD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is a whole answer to a question of wsntop's among these bytes? */
bool openocd_spot(const uint8_t *p, size_t n);

#endif
