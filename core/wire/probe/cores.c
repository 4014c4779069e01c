#include "core/wire/probe/cores.h"

#include <inttypes.h>
#include <stdio.h>

#define ARM_LIMITED 0x41

static const struct core cores[] = {
	{ 0xc20, "Cortex-M0", false }, { 0xc60, "Cortex-M0+", false },
	{ 0xc21, "Cortex-M1", false }, { 0xc23, "Cortex-M3", true },
	{ 0xc24, "Cortex-M4", true }, { 0xc27, "Cortex-M7", true },
	{ 0xd20, "Cortex-M23", false }, { 0xd21, "Cortex-M33", true },
	{ 0xd22, "Cortex-M55", true },
};

const struct core *core_find(uint32_t cpuid)
{
	if (cpuid >> 24 != ARM_LIMITED)
		return NULL;
	for (size_t i = 0; i < sizeof(cores) / sizeof(cores[0]); i++) {
		if (cores[i].part == (cpuid >> 4 & 0xfff))
			return &cores[i];
	}
	return NULL;
}

void core_text(uint32_t cpuid, char *dst, size_t size)
{
	const struct core *core = core_find(cpuid);

	if (core)
		snprintf(dst, size, "%s r%up%u", core->name, cpuid >> 20 & 15, cpuid & 15);
	else
		snprintf(dst, size, "CPUID 0x%08" PRIx32, cpuid);
}
