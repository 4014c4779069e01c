/*
 * crc: INGA's CRC-16. A computation in one function, two calls: what a profiler must not slow
 * down.
 */
#include "workload.h"
#include "workload_port.h"

/* Data without memory: what the byte at `i` of 64 KB shall be. */
static uint16_t crc_run(uint16_t crc, uint16_t kb)
{
	uint16_t i;
	uint8_t bit;

	while (kb--)
		for (i = 0; i < 1024; i++) {
			crc ^= (uint8_t)(i ^ kb);
			for (bit = 0; bit < 8; bit++)
				crc = crc & 1 ? crc >> 1 ^ 0x8408 : crc >> 1;
		}
	return crc;
}

WORKLOAD_QUIET uint32_t workload_crc(void)
{
	uint32_t sum = workload_mix(0, crc_run(0xffff, WORKLOAD_CRC_KB / 2));

	workload_breathe();
	return workload_mix(sum, crc_run(0, WORKLOAD_CRC_KB - WORKLOAD_CRC_KB / 2));
}
