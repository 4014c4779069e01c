/* wsnprof_arduino: wsnprof_kick() is empty, because loop() polls. */
#include "wsnprof.h"

void wsnprof_kick(void)
{
}
