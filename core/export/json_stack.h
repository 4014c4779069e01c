/*
 * json_stack: the deepest points of the node's stacks as a member of the JSON export's object;
 * nothing where no simulator measures them.
 *
 *	"stack":[{"number":0,"begin_address":..,"lowest_address":..,"most_bytes":..,"free_bytes":..,
 *		"open_calls":..,"path":["main","net_poll",..]}]
 *
 * number: 0 the program's, others tasks'. most_bytes: handlers included. free_bytes: to the end of
 * static data; null: not known (core/image/ram.h). path: the innermost of the calls that were open
 * there, outermost first.
 */
#ifndef WSNTOP_EXPORT_JSON_STACK_H
#define WSNTOP_EXPORT_JSON_STACK_H

#include "core/base/json_out.h"
#include "core/export/export.h"

void json_stack_write(struct json_out *o, const struct export_source *s);

#endif
