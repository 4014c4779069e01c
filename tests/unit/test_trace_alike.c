/* test_trace_node again, with a table that keeps how long calls took. */
#define WSNPROF_TRACE_ALIKE 8
#include "tests/unit/test_trace_node.c"
