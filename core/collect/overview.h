/*
 * overview: what a collector knows as one JSON object (RFC 8259), by function, for scripts:
 *
 *	{"wsntop_fleet":1,"group":"eu","time":"2026-11-28T20:31:50Z",
 *	 "unknown_nodes":0,"doubtful_nodes":0,"refused_payloads":0,
 *	 "builds":[
 *	  {"site":"plant1","build":"6f6a8a2b","image":"app.elf","nodes":16,"epochs_ended":2,
 *	   "profiled_s":960.1,
 *	   "worst":[{"node":"0000002a","function":"crc16","share":..,"times":..,"z":..}],
 *	   "functions":[{"name":..,"file":..,"line":..,"address":..,"calls":..,"self_s":..,
 *	    "total_s":..,"nodes":16,"share":{"mean":..,"p50":..,"p90":..,"p99":..,"max":..},
 *	    "worst":[{"node":"0000002a","share":..,"calls":..,"z":..}]}]}]}
 *
 * calls, self_s and total_s are those of `-x json`, of all epochs, in sum; share is of a node's
 * self time in the epoch that it is in, over the nodes; each function has the nodes where it is
 * largest, and a build those that are unlike the others (worst.h). null: not known, never 0.
 */
#ifndef WSNTOP_COLLECT_OVERVIEW_H
#define WSNTOP_COLLECT_OVERVIEW_H

#include "core/collect/outputs.h"

void overview_write(const char *group, const struct sum *all, const struct output_part *parts,
		   size_t count, struct out *out);

#endif
