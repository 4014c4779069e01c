/*
 * cores: which Cortex-M it is, by CPUID (DDI 0403E.e, B3.2.3; DDI 0553; the cores' technical
 * reference manuals).
 */
#ifndef WSNTOP_WIRE_PROBE_CORES_H
#define WSNTOP_WIRE_PROBE_CORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct core {
	uint16_t part;			/* CPUID.PARTNO */
	const char *name;
	bool itm;			/* may have an ITM: not Baseline, not v6-M */
};

/* NULL: none that is known. */
const struct core *core_find(uint32_t cpuid);

/* "Cortex-M3 r2p1", "CPUID 0x00000000". */
void core_text(uint32_t cpuid, char *dst, size_t size);

#endif
