/* wsntrace_port: what call traces (target-common/wsntrace_send.h) need of an AVR. */
#ifndef WSNTRACE_PORT_H
#define WSNTRACE_PORT_H

#include "wsntrace_lane.h"

uint32_t wsntrace_ticks(void) WSNPROF_QUIET;

WSNPROF_INLINE uint16_t wsntrace_units(void)
{
	wsnprof_mask mask = wsnprof_lock();	/* handlers read it, too */
	uint16_t t = WSNPROF_T;

	wsnprof_unlock(mask);
	return t;
}

WSNPROF_INLINE uint32_t wsntrace_hash(void)
{
	return GPIOR0 | (uint16_t)(GPIOR1 << 8) | (uint32_t)GPIOR2 << 16;
}

WSNPROF_INLINE void wsntrace_hash_set(uint32_t hash)
{
	GPIOR0 = (uint8_t)hash;
	GPIOR1 = (uint8_t)(hash >> 8);
	GPIOR2 = (uint8_t)(hash >> 16);
}

WSNPROF_INLINE uint8_t wsntrace_page(struct wsntrace_lane *l)
{
	return (uint8_t)((uint16_t)l->tokens >> 8);
}

WSNPROF_INLINE struct wsntrace_lane *wsntrace_lane_at(uint8_t page)
{
	return (struct wsntrace_lane *)(uint16_t)((page - 1) << 8);
}

WSNPROF_INLINE struct wsntrace_lane *wsntrace_lane_live(void)
{
	return wsntrace_lane_at(wsntrace_live.page);
}

WSNPROF_INLINE void wsntrace_live_set(uint8_t page)
{
	struct wsnprof_trace_lane *out = &wsntrace_lane_live()->is;
	struct wsnprof_trace_lane *in = &wsntrace_lane_at(page)->is;

	out->hash[0] = GPIOR0;
	out->hash[1] = GPIOR1;
	out->hash[2] = GPIOR2;
	out->w = wsntrace_live.w;
	out->sp = wsntrace_live.sp;
	out->limit = wsntrace_live.limit;
	GPIOR0 = in->hash[0];
	GPIOR1 = in->hash[1];
	GPIOR2 = in->hash[2];
	wsntrace_live.w = in->w;
	wsntrace_live.sp = in->sp;
	wsntrace_live.limit = in->limit;
	wsntrace_live.page = page;
}

#endif
