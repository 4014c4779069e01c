/* test_trace_node again, with stamps below the top level, at times those of short calls, too. */
#define WSNPROF_TRACE_LONG 400
#define WSNPROF_TRACE_SAMPLE 50
#include "tests/unit/test_trace_node.c"
