/*
 * json_power: the power meter as a member of the JSON export's object; nothing without a meter.
 *
 *	"power":{"source":"ppk2:/dev/ttyACM1","model":"PPK2","calibrated":true,"hz":100000,
 *		"samples":..,"lost":..,"replaced":..,"bad_bytes":..,"seconds":..,
 *		"mean_a":..,"min_a":..,"max_a":..,"charge_c":..,"edges":..}
 *
 * lost: known to be missing between the first and the last sample. replaced: spikes for which a
 * mean stands. seconds: by the meter's clock, lost ones included. charge: of the samples that came.
 * edges: changes of the meter's logic inputs that are kept. Without a sample figures are null.
 */
#ifndef WSNTOP_EXPORT_JSON_POWER_H
#define WSNTOP_EXPORT_JSON_POWER_H

#include "core/base/json_out.h"
#include "core/export/export.h"

void json_power_write(struct json_out *o, const struct export_source *s);

#endif
