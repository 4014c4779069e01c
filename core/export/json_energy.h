/*
 * json_energy: whose charge it was, as "power" of the JSON object: how the clocks are aligned, what
 * sleep, handlers and states drew, what a day takes. null: not known, or not to be told.
 */
#ifndef WSNTOP_EXPORT_JSON_ENERGY_H
#define WSNTOP_EXPORT_JSON_ENERGY_H

#include "core/base/json_out.h"
#include "core/power/energy.h"

/* The object; NULL: nothing. */
void json_energy_write(struct json_out *o, const struct energy_report *r);
/* How long, and the current then. */
void json_energy_figures(struct json_out *o, const struct energy_report *r);
/* What is in it beside the meter's own figures. */
void json_energy_fields(struct json_out *o, const struct energy_report *r);

#endif
