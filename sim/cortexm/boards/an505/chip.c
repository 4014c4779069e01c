/* board.h, on the peripherals of chip_clock.h. */
#include "boards/cmsdk.c"
