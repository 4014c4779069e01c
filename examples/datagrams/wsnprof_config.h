/* What is otherwise than in target-common/wsnprof_defaults.h. */
#define WSNPROF_SITES 32
#define WSNPROF_STACK 12
#define WSNPROF_NAME "datagrams"
#define WSNPROF_ID 0x2a			/* each node its own */
#define WSNPROF_UART 0			/* (1) no driver takes bytes */
