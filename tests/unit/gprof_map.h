/*
 * gprof_map: a firmware as a decoder sees it, for tests that need no ELF: the functions and calls
 * of the gprof thesis' blinking LED (NXP KL25Z, 5 KB of code), at any base address.
 */
#ifndef WSNTOP_TESTS_GPROF_MAP_H
#define WSNTOP_TESTS_GPROF_MAP_H

#include <string.h>

#include "core/wire/codemap.h"

#define GPROF_MAP_SIZE 0x1800
#define INDIRECT UINT16_MAX

static const struct { uint16_t address, size; } gprof_map_functions[] = {
	{ 0x0410, 40 }, { 0x0438, 32 }, { 0x0458, 120 }, { 0x04d0, 32 }, { 0x04f0, 140 },
	{ 0x057c, 102 }, { 0x05e2, 220 }, { 0x06c0, 160 }, { 0x0760, 10 }, { 0x076a, 10 },
	{ 0x0774, 48 }, { 0x07a4, 36 }, { 0x07c8, 232 }, { 0x08b0, 260 }, { 0x09b4, 76 },
	{ 0x0a00, 22 }, { 0x0a18, 184 }, { 0x0ad0, 332 }, { 0x0c1c, 40 }, { 0x0c44, 20 },
	{ 0x0c58, 120 }, { 0x0cd0, 124 }, { 0x0d4c, 108 }, { 0x0db8, 36 }, { 0x0ddc, 36 },
	{ 0x0e00, 104 }, { 0x0e68, 32 }, { 0x0e88, 32 }, { 0x0ea8, 108 }, { 0x0f14, 36 },
	{ 0x0f38, 36 }, { 0x0f5c, 16 }, { 0x0f6c, 12 }, { 0x0f78, 12 }, { 0x0f84, 12 },
	{ 0x0f90, 12 }, { 0x0f9c, 12 }, { 0x0fa8, 12 }, { 0x0fb4, 12 }, { 0x0fc0, 12 },
	{ 0x0fcc, 12 }, { 0x0fd8, 12 }, { 0x0fe4, 12 }, { 0x0ff0, 12 }, { 0x0ffc, 12 },
	{ 0x1008, 12 }, { 0x1014, 12 }, { 0x1020, 12 }, { 0x102c, 12 }, { 0x1038, 12 },
	{ 0x1044, 12 }, { 0x1050, 12 }, { 0x105c, 12 }, { 0x1068, 12 }, { 0x1074, 12 },
	{ 0x1080, 12 }, { 0x108c, 12 }, { 0x1098, 12 }, { 0x10a4, 12 }, { 0x10b0, 12 },
	{ 0x10bc, 12 }, { 0x10c8, 12 }, { 0x10d4, 12 }, { 0x10e0, 12 }, { 0x10ec, 12 },
	{ 0x10f8, 12 }, { 0x1104, 12 }, { 0x1110, 12 }, { 0x111c, 12 }, { 0x1128, 12 },
	{ 0x1134, 12 }, { 0x1140, 12 }, { 0x114c, 12 }, { 0x1158, 12 }, { 0x1164, 12 },
	{ 0x1170, 12 }, { 0x117c, 380 }, { 0x12f8, 244 }, { 0x13ec, 32 }, { 0x140c, 32 },
	{ 0x142c, 32 }, { 0x144c, 16 }, { 0x145c, 10 }, { 0x1466, 38 }, { 0x148c, 74 },
	{ 0x14d8, 68 }, { 0x151c, 64 }, { 0x155c, 16 }, { 0x156c, 44 }, { 0x1598, 72 },
	{ 0x15e0, 16 }, { 0x15f0, 2 }, { 0x15f4, 4 }, { 0x15f8, 12 }, { 0x1604, 12 },
};

/* Return addresses of the calls, and where they go. */
static const struct { uint16_t ret, target; } gprof_map_calls[] = {
	{ 0x047a, 0x15e0 }, { 0x0482, INDIRECT }, { 0x048a, INDIRECT }, { 0x04a2, 0x1598 },
	{ 0x04aa, 0x057c }, { 0x04ae, 0x156c }, { 0x04e8, 0x07c8 }, { 0x04fc, 0x04d0 },
	{ 0x0526, 0x0f14 }, { 0x0532, 0x0f38 }, { 0x0544, 0x0db8 }, { 0x0550, 0x0ddc },
	{ 0x0562, 0x0e68 }, { 0x056e, 0x0e88 }, { 0x0588, 0x04d0 }, { 0x058c, 0x12f8 },
	{ 0x0590, 0x07a4 }, { 0x05bc, 0x04f0 }, { 0x05c6, 0x151c }, { 0x070c, 0x05e2 },
	{ 0x078c, 0x0760 }, { 0x0790, 0x117c }, { 0x0794, 0x06c0 }, { 0x0798, 0x076a },
	{ 0x079c, 0x0458 }, { 0x07ac, 0x0c1c }, { 0x07b0, 0x08b0 }, { 0x07b4, 0x0a18 },
	{ 0x083c, 0x0c44 }, { 0x085a, 0x0c58 }, { 0x09d4, 0x0c44 }, { 0x09de, 0x0cd0 },
	{ 0x0b22, 0x0a00 }, { 0x0b3c, 0x0a00 }, { 0x0bae, 0x0c44 }, { 0x0bca, 0x0c58 },
	{ 0x0d58, 0x04d0 }, { 0x0dc4, 0x04d0 }, { 0x0de8, 0x04d0 }, { 0x0e0c, 0x04d0 },
	{ 0x0e74, 0x04d0 }, { 0x0e94, 0x04d0 }, { 0x0eb4, 0x04d0 }, { 0x0f20, 0x04d0 },
	{ 0x0f44, 0x04d0 }, { 0x0f66, 0x04d0 }, { 0x13a2, 0x144c }, { 0x13a8, 0x0d4c },
	{ 0x13ac, 0x140c }, { 0x13b2, 0x0ea8 }, { 0x13b6, 0x142c }, { 0x13bc, 0x0e00 },
	{ 0x13c0, 0x13ec }, { 0x13c4, 0x155c }, { 0x13c8, 0x0f5c }, { 0x13f6, 0x04d0 },
	{ 0x1400, 0x0e88 }, { 0x1416, 0x04d0 }, { 0x1420, 0x0ddc }, { 0x1436, 0x04d0 },
	{ 0x1440, 0x0f38 }, { 0x1456, 0x04d0 }, { 0x1498, 0x04d0 }, { 0x14a4, 0x1466 },
	{ 0x14bc, 0x145c }, { 0x14e4, 0x04d0 }, { 0x14f0, 0x148c }, { 0x150c, 0x148c },
	{ 0x1528, 0x04d0 }, { 0x153c, 0x14d8 }, { 0x1566, 0x04d0 }, { 0x1588, INDIRECT },
	{ 0x158e, 0x15f0 }, { 0x15ae, 0x15f8 }, { 0x15c2, INDIRECT }, { 0x15cc, INDIRECT },
};

struct gprof_map {
	struct codemap code;
	uint8_t flags[GPROF_MAP_SIZE / 2];
};

static inline uint64_t gprof_map_target(const void *ctx, uint64_t ret)
{
	const struct gprof_map *m = ctx;

	for (size_t i = 0; i < sizeof(gprof_map_calls) / sizeof(gprof_map_calls[0]); i++) {
		if (gprof_map_calls[i].ret == ret - m->code.base &&
		    gprof_map_calls[i].target != INDIRECT)
			return m->code.base + gprof_map_calls[i].target;
	}
	return CODE_NO_TARGET;
}

static inline void gprof_map_init(struct gprof_map *m, enum code_arch arch, uint64_t base)
{
	memset(m, 0, sizeof(*m));
	m->code = (struct codemap){ .arch = arch, .base = base, .size = GPROF_MAP_SIZE,
				   .flags = m->flags,
				    .target = gprof_map_target, .ctx = m };
	for (size_t i = 0; i < sizeof(gprof_map_functions) / sizeof(gprof_map_functions[0]); i++) {
		unsigned at = gprof_map_functions[i].address / 2;

		for (unsigned k = 0; k < gprof_map_functions[i].size / 2u; k++)
			m->flags[at + k] |= CODE_TEXT | (k < 8 ? CODE_EARLY : 0);
		m->flags[at] |= CODE_ENTRY;
	}
	for (size_t i = 0; i < sizeof(gprof_map_calls) / sizeof(gprof_map_calls[0]); i++)
		m->flags[gprof_map_calls[i].ret / 2] |= CODE_RETURN;
}

#endif
