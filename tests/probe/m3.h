/*
 * m3: a Cortex-M3 as a debug probe sees it. The real OpenOCD takes it for silicon, by the
 * remote_bitbang protocol over JTAG.
 *
 *	jtag.c	TAP, JTAG-DP, MEM-AP (ADIv5.2, ARM IHI 0031)
 *	core.c	memory, debug registers, DWT, breakpoints (ARMv7-M, DDI 0403E.e, C1)
 *	swo.c	what comes out of the SWO pin
 *	rtt.c	a ring in its RAM that a debugger reads as a console
 *	main.c	options, sockets
 *
 * Its program is a run that was recorded (sim/cortexm/run's truth): at any time the PC is drawn
 * from how often each was executed, so that the shares that a profiler must find are known. Halting
 * stops its time.
 */
#ifndef WSNTOP_TESTS_PROBE_M3_H
#define WSNTOP_TESTS_PROBE_M3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	M3_CLOCK = 72000000,		/* Hz */
	M3_FLASH = 4 << 20, M3_RAM = 64 << 10,
	M3_RAM_AT = 0x20000000,
	M3_PC_HZ = 1000000,		/* PCs a second of its time */
	M3_WRITES = 4, M3_CALLS = 4,
	M3_BREAKS = 6,
	M3_TICK_US = 1000,		/* SysTick's period; it takes TICK_TAKES of it */
	M3_TICK_TAKES_US = 40,
};

/* What is wrong with it. */
enum m3_fault {
	M3_NO_TRACE = 1,		/* TRCENA does not stay set */
	M3_NO_PCSR = 2,			/* PCSR reads as 0 */
	M3_LOCKED = 4,			/* PCSR is all ones though it runs */
	M3_NO_CYCCNT = 8,		/* as an M0 has none */
	M3_NEEDS_PIN = 16,		/* SWO comes out once DBGMCU_CR.TRACE_IOEN is set (STM32) */
	M3_STAMPS_RUN = 32,		/* SWO's time stamps go on while it is halted */
};

/*
 * A variable that the program writes: its n-th write is n % below, at n periods of its own time.
 * Wider than a word it is written in two, the low one first. A watchpoint halts behind it.
 */
struct m3_write {
	uint32_t address;
	unsigned size;			/* 1, 2, 4, 8 */
	double period;			/* s */
	uint64_t below;
	uint32_t pc;			/* that writes it; 0: whatever runs */
	uint64_t done;			/* writes that were looked at: m3_run */
};

/*
 * A function that is called at each period of its own time, and takes so long. A breakpoint at its
 * entry, or where it returns to, halts there.
 */
struct m3_call {
	uint32_t entry, back;
	double period, takes;		/* s */
	uint64_t done;			/* entries and returns so far */
};

struct m3_pc {
	uint32_t address;
	uint64_t below;			/* counts of this and all before it */
};

struct m3 {
	unsigned faults;
	double asleep;			/* share of each 10 ms, 0 to 1 */
	uint32_t swo_baud;		/* of who listens; 0: nobody does */
	double rtt_hz;			/* bytes a second */

	struct m3_pc *pcs;
	size_t pc_count;
	struct m3_write writes[M3_WRITES];
	size_t write_count;
	struct m3_call calls[M3_CALLS];
	size_t call_count;

	uint8_t flash[M3_FLASH], ram[M3_RAM];
	bool halted;
	double ran, since;		/* s of its own time; host's time when it was set going */
	double halted_at, stood;	/* host's time; s that it was halted before */
	double cycles_from;		/* CYCCNT's 0, in its own time, */
	double counted;			/* up to which it was read: it does not go back */
	uint32_t dhcsr, dcrdr, demcr, dbgmcu, dwt_ctrl, dfsr;
	uint32_t registers[32], itm[1024], tpiu[1024], dwt[1024], fpb[16];

	struct m3_jtag {
		unsigned state, ir, dr_bits;
		uint64_t dr;
		uint32_t ir_shift;
		uint32_t csw, tar, ctrl_stat, select, answer;
		bool tck, tdo;
	} jtag;

	struct m3_swo {
		double sent;		/* its own time up to which all was sent */
		double room;		/* bytes that the pin could have sent by then */
		double sampled;		/* the last PC, at whatever rate */
		uint64_t ticks, written[M3_WRITES];	/* sent so far, or due */
		uint64_t stamp;		/* cycles of the last time stamp */
		bool overflow;
		uint8_t frame[16];	/* of the formatter, under way */
		unsigned frame_n;
	} swo;
	double rtt_told;
};

double m3_own(const struct m3 *m);		/* seconds of its own time */
bool m3_sleeps(const struct m3 *m, double own);
uint32_t m3_pc(const struct m3 *m, double own);
uint64_t m3_value(const struct m3_write *w, double own);
void m3_halt(struct m3 *m, bool on);
void m3_run(struct m3 *m);			/* up to now, or to a breakpoint before it */
void m3_reset(struct m3 *m);
uint32_t m3_load(struct m3 *m, uint32_t address);
void m3_store(struct m3 *m, uint32_t address, uint32_t value);

/* One character of remote_bitbang; what to answer, or 0. */
char m3_bitbang(struct m3 *m, char c);

/* Bytes that came out of the SWO pin since the last call, as many as there is room for. */
size_t m3_swo(struct m3 *m, uint8_t *dst, size_t size);

void m3_rtt_setup(struct m3 *m);
void m3_rtt(struct m3 *m);			/* the firmware's side, up to now */

#endif
