/*
 * The C half of the runtime in one file, for builds that name their files; all/wsnprof_hooks_all.S
 * is the other. Those who compile *.c and *.S of target-common and target-cortexm leave both out.
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

#include "wsnprof_cache.c"
#include "wsnprof_clock.c"
#include "wsnprof_flash.c"
#include "wsnprof_port.c"
#include "wsnprof_raw.c"
#include "wsnprof_sites.c"
#include "wsnprof_table.c"
#include "wsnprof_tasks.c"
#include "wsntrace_lanes.c"
