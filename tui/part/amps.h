/* amps: currents, charges, energies and how clocks are aligned, as words. dst has 16 bytes. */
#ifndef WSNTOP_TUI_PART_AMPS_H
#define WSNTOP_TUI_PART_AMPS_H

#include <stddef.h>

#include "core/power/energy.h"

/* "17.4 mA", "3.00 uA": three digits. "" for NaN. */
const char *amps_text(char *dst, size_t size, double amps);
const char *coulombs_text(char *dst, size_t size, double coulombs);
const char *joules_text(char *dst, size_t size, double joules);

/* "arrival", "the current", "edges on D0" */
const char *align_words(enum align_method method);

#endif
