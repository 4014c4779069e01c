/*
 * calib: what the compiler put around the hooks of one function, counted in its instructions.
 *
 * A node measures from hook to hook. The plain program's call is longer by its prologue and
 * epilogue, and shorter by what exists for the hooks' sake alone:
 *
 *	entry  push ..  args  call enter | body  args  call exit | result  pop ..  ret
 *	       <------ beside ---------->       <-- within -----> <--- beside ----->
 *	       <-- missing -->                                    <---- missing ---->
 *
 * `within` and `beside` are the compiler's additions, calls of the hooks included; `missing` is the
 * program's own. So a call takes, in the plain program,
 *
 *	from hook to hook + missing - within
 *
 * and leaves within + beside in its caller's time, less what the node takes back.
 *
 * Which instructions are additions: those that are dead when the hooks take no arguments (strong
 * liveness: Khedker, Sanyal, Karkare, Data Flow Analysis, 2009, section 4.4, "faint variables");
 * copies that keep arguments and results across a hook; saving and restoring of registers that no
 * value needs across a call of the program's own. The last is an estimate: how the compiler would
 * allot registers without hooks can be bounded, not known. The bounds are in `low` and `high`.
 *
 * Pure: bytes in, cycles out. Code is hostile; every walk is bounded.
 */
#ifndef WSNTOP_IMAGE_CALIB_CALIB_H
#define WSNTOP_IMAGE_CALIB_CALIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct calib_machine;
struct elf_mode;

/* Whose cycles: each instruction one; Cortex-M0's; M3's, which M4's and M33's resemble. */
enum calib_core { CALIB_INSNS, CALIB_M0, CALIB_M3 };

/* A function and what it may call; addresses are byte addresses. */
struct calib_code {
	const struct calib_machine *machine;
	const uint8_t *bytes;		/* of its section */
	uint64_t address, size;
	uint64_t low, high;		/* the function, within the section */
	uint64_t enter, exit;		/* the hooks */
	/* AVR's -mcall-prologues: libgcc's functions; empty: not there */
	uint64_t saves_low, saves_high, restores_low, restores_high;
	bool wide;			/* AVR: a 22-bit program counter */
	/* Thumb: the core; v6-M's instructions; data between the code: mapping symbols, sorted */
	enum calib_core core;
	bool thumb1;
	const struct elf_mode *modes;
	size_t mode_count;
};

struct calib_range {
	double low, high;		/* cycles */
};

/* The hooks of one function: its own, or of one that was inlined there. */
struct calib_call {
	uint64_t callee;		/* the hooks' first argument, a byte address */
	struct calib_range missing, within, beside;
};

#define CALIB_CALLS_MAX 32

/*
 * Up to CALIB_CALLS_MAX calls, the function's own first; how many. 0: it has no hooks, or they are
 * not understood. ERR_NOMEM.
 */
int calib_count(const struct calib_code *code, struct calib_call *calls);

/* Cycles from a function's first instruction to its return, no branch taken; 0: none. */
double calib_straight(const struct calib_code *code);

#endif
