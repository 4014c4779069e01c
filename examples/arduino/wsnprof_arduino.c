/* wsnprof_arduino: nobody needs to be woken, loop() looks by itself. */
#include "wsnprof.h"

void wsnprof_kick(void)
{
}
