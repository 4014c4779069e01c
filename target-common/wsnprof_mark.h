/*
 * wsnprof_mark: marks for who watches the firmware from outside: a simulator, a debugger.
 *
 *	wsnprof_mark(7);
 *
 * is one instruction that does nothing, a nop: two or four bytes of code, a cycle. Its place and
 * its number, a constant from 0 to 65535, are in the section .debug_wsnprof_mark of the ELF, which
 * is not loaded: 8 bytes each, u32 address and u32 number. wsntop -w mark logs each time that one
 * is passed, from simavr: and qemu: on, to the cycle or instruction.
 *
 * This file needs nothing of the profiler. In a program that has its runtime with WSNPROF_TRACE and
 * that includes wsnprof.h as well, the same line sends a mark in the trace: see wsnprof.h, which
 * has names for marks; use numbers or names in one program, not both.
 */
#ifndef WSNPROF_MARK_H
#define WSNPROF_MARK_H

#ifdef __riscv
#define WSNPROF_MARK_NUMBER "%0"
#else
#define WSNPROF_MARK_NUMBER "%c0"	/* without the sign of a constant */
#endif

/* The nop of AVR, ARM, MSP430, RISC-V. */
#define WSNPROF_PLACE(n) \
	__asm__ volatile("8701:\tnop\n\t.pushsection .debug_wsnprof_mark,\"\",%%progbits\n\t" \
			 ".4byte 8701b, " WSNPROF_MARK_NUMBER "\n\t.popsection" : : "i"(n))

#ifndef WSNPROF_MARK_SEND
#define WSNPROF_MARK_SEND(n) ((void)0)
#endif

#define wsnprof_mark(n) \
	do { \
		WSNPROF_PLACE(n); \
		WSNPROF_MARK_SEND(n); \
	} while (0)

#endif
