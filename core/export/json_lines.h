/* json_lines: what source lines took, in the JSON export. */
#ifndef WSNTOP_EXPORT_JSON_LINES_H
#define WSNTOP_EXPORT_JSON_LINES_H

#include "core/base/json_out.h"
#include "core/export/export.h"

/*
 * "lines": LINE_COSTS_KEPT of each function (core/source/line_costs.h), by function and line. Their
 * texts are hashes: a snapshot has no source code in it. Left out where no line is known.
 * passing: export_passing(). 0 or ERR_NOMEM.
 */
int json_lines_write(struct json_out *o, const struct export_source *s,
		     const bool *passing);

#endif
