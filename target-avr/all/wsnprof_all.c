/*
 * The C half of the runtime in one file, for builds that name their files; all/wsnprof_hooks_all.S is the other. Those who
 * compile *.c and *.S of target-common and target-avr leave both out.
 *
 * WSNPROF_UART 0 in wsnprof_config.h leaves the driver of USART 0 out: the application has its own (wsnprof_uart.h).
 */
#include "wsnprof_defaults.h"

#ifndef WSNPROF_UART
#define WSNPROF_UART 1
#endif

#include "wsnprof_identity.c"
#include "wsnprof_receive.c"
#include "wsnprof_ring.c"
#include "wsnprof_send.c"
#include "wsnprof_text.c"

#include "wsnprof_rows.c"
#include "wsnprof_tasks.c"
#if WSNPROF_UART
#include "wsnprof_uart.c"
#endif
