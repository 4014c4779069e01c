/*
 * name: the name that is proposed for a file: "demo-2026-11-22-1431.csv".
 */
#ifndef WSNTOP_EXPORT_NAME_H
#define WSNTOP_EXPORT_NAME_H

#include <stddef.h>
#include <stdint.h>

#define EXPORT_NAME 128		/* bytes that any such name fits in */

/*
 * Of a node, at a wall clock (ns since 1970, local time), for what is else called `file`:
 * "callgraph.dot" adds "callgraph", "profile.csv" only the ending. A node's name may be anything:
 * what is no letter, digit, dot, underline or dash becomes a dash, and it begins with neither dot
 * nor dash.
 */
const char *export_file_name(char *dst, size_t size, const char *node, uint64_t wall_ns,
			     const char *file);

#endif
