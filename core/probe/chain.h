/*
 * chain: from a debug server to the firmware, link by link: which of them work on this chip, and
 * what helps where one does not.
 *
 * It takes some four seconds. Registers that are written for a trial are restored; the target's
 * memory is only read. The processor is not halted by OpenOCD's Tcl port. A gdb server halts it as
 * we connect; it goes on after what the server can was tried, and is stopped again only where the
 * source allows that (?stop=, ?watch=).
 */
#ifndef WSNTOP_PROBE_CHAIN_H
#define WSNTOP_PROBE_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/doctor/doctor.h"

/* For other programs; 0 or "": not known, or not there. */
struct chain_facts {
	char server[64], adapter[64], target[64];
	char core[32];
	uint32_t cpuid;
	char maker[32];			/* of the chip */
	bool cycles;			/* CYCCNT counts */
	double cycles_hz;
	bool pcsr;
	double pcs_hz, round_s;		/* as fast as it answers; median time of an answer */
	double asleep, in_code;		/* shares of the samples; in_code of those awake */
	unsigned comparators, comparators_used, breakpoints;
	bool itm, nrz;
	double swo_baud;		/* as set up now, if the trace clock is the core's */
	uint64_t flash_bytes, flash_compared, flash_off;	/* off: bytes that differ */
	double flash_rate;		/* bytes a second */
	struct chain_gdb {
		bool is_server;		/* by gdb's protocol */
		bool no_acks, features, registers;
		bool takes[5];		/* Z0 to Z4 */
		bool reads;		/* memory, while the target runs */
		double stops_hz, stop_s;	/* reached; how long one is */
	} gdb;
};

/*
 * `elf` may be NULL. A link that does not work is a finding. NULL and the sentence: the ELF cannot
 * be read, memory is out, `source` is no debug server's.
 */
struct doctor *chain_examine(const char *source, const char *elf, struct chain_facts *facts,
			     struct err *err);

#endif
