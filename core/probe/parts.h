/* parts: what the links of the chain share. Private to core/probe. */
#ifndef WSNTOP_PROBE_PARTS_H
#define WSNTOP_PROBE_PARTS_H

#include <inttypes.h>
#include <stddef.h>

#include "core/doctor/doctor.h"
#include "core/image/identity.h"
#include "core/image/image.h"
#include "core/probe/chain.h"
#include "core/probe/target.h"

/* DDI 0403E.e: B3.2 system control, C1.6 debug, C1.7 ITM, C1.8 DWT, C1.10 TPIU, C1.11 FPB. */
#define REG_CPUID 0xe000ed00u
#define REG_DHCSR 0xe000edf0u
#define REG_DEMCR 0xe000edfcu
#define REG_DWT_CTRL 0xe0001000u	/* the next word: CYCCNT */
#define REG_DWT_PCSR 0xe000101cu
#define REG_DWT_COMP0 0xe0001020u	/* each 16 bytes one; two words on: FUNCTION */
#define REG_FP_CTRL 0xe0002000u
#define REG_ITM_TER 0xe0000e00u
#define REG_ITM_TCR 0xe0000e80u
#define REG_ITM_LAR 0xe0000fb0u
#define REG_TPIU_ACPR 0xe0040010u
#define REG_TPIU_SPPR 0xe00400f0u
#define REG_TPIU_DEVID 0xe0040fc8u
#define REG_ROM_PIDR4 0xe00fffd0u	/* of the chip's ROM table (IHI 0029, D7.2) */

#define DHCSR_HALT (1u << 17)
#define DHCSR_SLEEP (1u << 18)
#define DHCSR_LOCKUP (1u << 19)
#define DEMCR_TRCENA (1u << 24)
#define DWT_CYCCNTENA 1u
#define DWT_NOCYCCNT (1u << 25)
#define DWT_NOTRCPKT (1u << 27)

enum { CHAIN_WRITES = 8 };

struct core;

struct chain {
	struct target *target;
	struct remote *remote;		/* of a gdb server; NULL: OpenOCD's Tcl port */
	bool stands;			/* ..., and it was stopped for what follows */
	struct doctor *doctor;
	struct chain_facts *facts;
	const char *source;
	struct image *image;		/* NULL: no ELF was given */
	struct identity identity;
	const struct core *core;	/* NULL: not known */
	uint32_t dwt;			/* DWT_CTRL */
	bool broken;			/* what follows cannot work */
	bool trace;			/* TRCENA is set */
	struct {
		uint32_t address, word;	/* what was there before */
	} writes[CHAIN_WRITES];
	size_t write_count;
};

/* A finding about a link. */
void chain_say(struct chain *c, const char *about, enum doctor_severity severity,
	       const char *cure, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/*
 * Reads; false: a finding was made, and without `optional` the chain is broken. `what`: the name
 * of what is read.
 */
bool chain_read(struct chain *c, const char *about, const char *what, uint32_t address,
		uint32_t *words, size_t count, bool optional);

/* Writes, to be restored, and reads back into *back. False: the server refused. */
bool chain_try(struct chain *c, uint32_t address, uint32_t before, uint32_t word, uint32_t *back);
void chain_restore(struct chain *c);

void chain_remote_server(struct chain *c);	/* remote_links.c */
void chain_remote_points(struct chain *c);
void chain_remote_runs(struct chain *c);
void chain_remote_stops(struct chain *c);
bool chain_is_arm(const struct chain *c);

void chain_server(struct chain *c);	/* links.c: one each, in order */
void chain_core(struct chain *c);
void chain_maker(struct chain *c);
void chain_running(struct chain *c);
void chain_flash(struct chain *c);	/* compare.c */
void chain_trace(struct chain *c);
void chain_samples(struct chain *c);	/* samples.c */
void chain_units(struct chain *c);	/* units.c */
void chain_itm(struct chain *c);
void chain_swo(struct chain *c);

#endif
