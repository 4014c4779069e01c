/* test_trace_node again, with stamps below the top level. */
#define WSNPROF_TRACE_LONG 400
#include "tests/unit/test_trace_node.c"
