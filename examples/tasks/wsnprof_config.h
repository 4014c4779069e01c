/* What is otherwise than in target-common/wsnprof_defaults.h. */
#define WSNPROF_CLOCK_HZ 25000000
#define WSNPROF_SITES 32
#define WSNPROF_STACK 12
#define WSNPROF_PCS 128
#define WSNPROF_TASKS 1
#define WSNPROF_NAME "tasks"
