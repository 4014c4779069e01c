/*
 * table: a profile's functions as a table of text, with the columns of the screen: those of which
 * something is known, each as wide as it needs to be.
 */
#ifndef WSNTOP_REPORT_TABLE_H
#define WSNTOP_REPORT_TABLE_H

#include "core/base/out.h"
#include "core/export/export.h"

/* In the source's order, with its filter; `limit` rows at most, 0: all. 0 or ERR_NOMEM. */
int table_write(const struct export_source *s, uint64_t limit, struct out *out);

#endif
