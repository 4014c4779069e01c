/* What is otherwise than in target-common/wsnprof_defaults.h. */
#define WSNPROF_SITES 32
#define WSNPROF_STACK 12
#define WSNPROF_NAME "avr-bare"
