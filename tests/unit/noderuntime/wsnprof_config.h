/*
 * The settings that test_node_runtime builds the runtime with: all of it, slots above 255, small
 * rings.
 */
#define WSNPROF_SITES 256
#define WSNPROF_PCS 64
#define WSNPROF_STACK 8
#define WSNPROF_RECEIVE 1
#define WSNPROF_TEXT 1
#define WSNPROF_NAME "bench"
#define WSNPROF_ID_VARIABLE 1
#define WSNPROF_PERIOD_MS 1000
