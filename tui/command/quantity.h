/* quantity: times and sizes of options: 10min, 64M. */
#ifndef WSNTOP_COMMAND_QUANTITY_H
#define WSNTOP_COMMAND_QUANTITY_H

#include "core/base/err.h"

/* Of --option=value. 0, or ERR_USAGE with the sentence. */
int quantity_time(const char *option, const char *value, double *seconds, struct err *err);
int quantity_period(const char *option, const char *value, double *seconds, struct err *err);
int quantity_size(const char *option, const char *value, double *bytes, struct err *err);
int quantity_shards(const char *value, unsigned *shards, struct err *err);

#endif
