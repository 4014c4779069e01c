/*
 * The C half of the runtime in one file, for builds that name their files; all/wsnprof_hooks_all.S
 * is the other. Those who compile *.c and *.S of target-common and target-avr leave both out.
 */
#include "wsnprof_identity.c"
#include "wsnprof_receive.c"
#include "wsnprof_ring.c"
#include "wsnprof_send.c"
#include "wsnprof_text.c"
#include "wsntrace_jumps.c"
#include "wsntrace_lane.c"
#include "wsntrace_marks.c"
#include "wsntrace_pack.c"
#include "wsntrace_send.c"
#include "wsntrace_slow.c"
#include "wsntrace_start.c"
#include "wsntrace_take.c"
#include "wsntrace_tasks.c"

#include "wsnprof_rows.c"
#include "wsnprof_tasks.c"
#include "wsnprof_uart.c"
#include "wsntrace_bits.c"
#include "wsntrace_bits_jumps.c"
#include "wsntrace_clock.c"
#include "wsntrace_handlers.c"
