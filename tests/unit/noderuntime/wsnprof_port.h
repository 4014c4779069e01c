/*
 * wsnprof_port: the host as a node, for test_node_runtime. Tables that the test fills, a clock that
 * it turns, and an interrupt wherever interrupts come on again.
 */
#ifndef WSNPROF_PORT_H
#define WSNPROF_PORT_H

#include <stdint.h>

#include "target-common/wsnprof_protocol.h"

#define WSNPROF_INLINE static inline __attribute__((always_inline, unused))

typedef unsigned wsnprof_mask;
wsnprof_mask wsnprof_lock(void);
void wsnprof_unlock(wsnprof_mask mask);
uint16_t wsnprof_pace(void);
#define WSNPROF_WAS_LOCKED(mask) (mask)

#define WSNPROF_PACE_NUM 12207		/* 122.07 a second: AVR's at 8 MHz */
#define WSNPROF_PACE_DEN 100

#define WSNPROF_TABLES(X) X(WSNPROF_TYPE_SITES, WSNPROF_SITES) X(WSNPROF_TYPE_PCS, WSNPROF_PCS)
#define WSNPROF_ROW_SIZE 30

#define WSNPROF_ARCH WSNPROF_ARCH_ARMV7M
#define WSNPROF_UNIT 2
#define WSNPROF_BASE 0x8000
#define WSNPROF_FEATURES (WSNPROF_F_SITES | WSNPROF_F_TIMED | WSNPROF_F_MINMAX | WSNPROF_F_PCS)
#define WSNPROF_BUCKET_BYTE 0
#define WSNPROF_TICKS_PER_SECOND 8000000
#define WSNPROF_SPREAD 32
#define WSNPROF_ASIDE 0

/* Flash is an array of the test's. */
#define WSNPROF_FLASH_START 0x100
#define WSNPROF_FLASH_END (0x100 + 1234)
#define WSNPROF_FLASH_WORD
typedef uint32_t wsnprof_flash_address;
uint16_t wsnprof_flash_word(uint32_t address);

#endif
