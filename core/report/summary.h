/*
 * summary: what a profile and the stream that it came from hold, as lines of text: node, firmware,
 * time, counts, stack, the hottest line, what was lost. A name and a fact a line; what is not known
 * is left out.
 */
#ifndef WSNTOP_REPORT_SUMMARY_H
#define WSNTOP_REPORT_SUMMARY_H

#include "core/base/out.h"
#include "core/export/export.h"

/* path: the file; streamed: s is of a stream, whose counts tell something. 0 or ERR_NOMEM. */
int summary_write(const struct export_source *s, const char *path, bool streamed, struct out *out);

#endif
