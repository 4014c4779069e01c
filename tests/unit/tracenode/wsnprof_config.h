/*
 * The settings that test_trace_node builds the runtime with: few levels, so that calls become
 * boxes.
 */
#define WSNPROF_TRACE 1
#define WSNPROF_STACK 12
#define WSNPROF_TRACE_HANDLERS 6
#define WSNPROF_TRACE_JUMPS 2
#define WSNPROF_RING 0
#define WSNPROF_IDENTITY 0
#define WSNPROF_PERIOD_MS 1000
