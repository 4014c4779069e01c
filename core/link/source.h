/*
 * source: the options behind a SOURCE: "openocd:HOST?hz=500&clock=72M". Names and values are as
 * written; there is no escaping.
 */
#ifndef WSNTOP_LINK_SOURCE_H
#define WSNTOP_LINK_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

/* The value of an option, cut to the room that there is. False: it is not given. */
bool source_option(const char *source, const char *name, char *dst, size_t size);

/* Of a number, with k, M or G behind it; 0: not given, or no number above 0. */
double source_number(const char *source, const char *name);

/*
 * Every option is one of `known` ("baud hz"), and has a value. 0, or ERR_USAGE with the sentence:
 * of which kind is `scheme`.
 */
int source_check(const char *source, const char *scheme, const char *known, struct err *err);

#endif
