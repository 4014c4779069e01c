/* wsnprof_port: the host as a node whose calls are traced, for test_trace_node. */
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

#define WSNPROF_PACE_NUM 12207
#define WSNPROF_PACE_DEN 100

#define WSNPROF_TABLES(X)
#define WSNPROF_ROW_SIZE 30
#define WSNPROF_ARCH WSNPROF_ARCH_AVR
#define WSNPROF_UNIT 2
#define WSNPROF_BASE 0
#define WSNPROF_LEVELS (WSNPROF_STACK - 1)
#define WSNPROF_FEATURES WSNPROF_F_TRACE
#define WSNPROF_BUCKET_BYTE 0
#define WSNPROF_TICKS_PER_SECOND 125000
#define WSNPROF_SPREAD 0
#define WSNPROF_ASIDE 0
#define WSNPROF_FLASH_START 0
#define WSNPROF_FLASH_END 0
#define WSNPROF_FLASH_WORD
typedef uint32_t wsnprof_flash_address;

/* What target-avr/wsntrace_port.h needs of the chip: its registers; an address has 16 bits. */
extern uint16_t chip_timer(void);
extern struct wsntrace_lane *chip_lane(uint8_t page);
extern uint8_t chip_page(const struct wsntrace_lane *l);
extern uint8_t chip_hash[3];
#define WSNPROF_T chip_timer()
#define GPIOR0 chip_hash[0]
#define GPIOR1 chip_hash[1]
#define GPIOR2 chip_hash[2]
#define WSNTRACE_AT(page) chip_lane(page)
#define WSNTRACE_PAGE(lane) chip_page(lane)
#include "target-avr/wsntrace_port.h"

#endif
