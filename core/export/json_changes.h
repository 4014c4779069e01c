/*
 * json_changes: the changes since the baseline as members of the JSON export's object:
 *
 *	"relevance":{"load":0.01,"per_call":0.05},
 *	"changes":[{"name":..,"verdict":"worse","relevant":["load","per_call_s"],
 *		"load":{"then":..,"now":..,"noise":..,"verdict":..},"per_call_s":{..},..},..]
 *
 * A verdict that is not known is null. Without a baseline there is neither.
 */
#ifndef WSNTOP_EXPORT_JSON_CHANGES_H
#define WSNTOP_EXPORT_JSON_CHANGES_H

#include "core/base/json_out.h"
#include "core/export/format.h"
#include "core/profile/look/compare.h"

/* Into one that is all zero; without a baseline it stays that. 0 or ERR_NOMEM. */
int json_changes_build(struct compare *c, const struct export_source *s);
void json_changes_write(struct json_out *o, const struct compare *c, const struct export_source *s);

#endif
