/*
 * attributes: the processor, from the build attributes of an ARM ELF.
 *
 * Addenda to, and Errata in, the ABI for the Arm Architecture (IHI 0045), 2.2 and 2.3.
 */
#ifndef WSNTOP_IMAGE_ATTRIBUTES_H
#define WSNTOP_IMAGE_ATTRIBUTES_H

#include <stdbool.h>

#include "core/image/elf.h"

/* Tag_CPU_arch. */
enum arm_arch { ARM_V7 = 10, ARM_V6_M = 11, ARM_V6S_M = 12, ARM_V7E_M = 13, ARM_V8_M_BASE = 16,
		ARM_V8_M_MAIN = 17, ARM_V8_1_M_MAIN = 21 };

/* Tag_CPU_arch of the whole file; 0: not given, or not ARM. */
unsigned attributes_arm_arch(const struct elf *e);

/* Thumb-1 reaches r8 to r11 only by way of the low registers. */
static inline bool arm_arch_is_thumb1(unsigned arch)
{
	return arch == ARM_V6_M || arch == ARM_V6S_M || arch == ARM_V8_M_BASE;
}

#endif
