/* The server, the core behind it, whether it runs, whether its trace units can be switched on. */
#include <stdio.h>
#include <string.h>

#include "core/probe/parts.h"
#include "core/wire/probe/cores.h"

#define SERVER_NAME "Open On-Chip Debugger"

/* --- the server ------------------------------------------------------------------------------- */

/* A fact that OpenOCD has a command for; "" where it has none, or says nothing. */
static void answer_keep(struct chain *c, const char *command, char *dst, size_t size)
{
	const char *answer = c->broken ? NULL : target_ask(c->target, command, NULL);

	snprintf(dst, size, "%s", answer ? answer : "");
}

void chain_server(struct chain *c)
{
	static const char cure[] = "name OpenOCD's Tcl port (6666); 3333 is gdb's, 4444 telnet's";
	struct chain_facts *f = c->facts;
	struct err err = { 0 };
	const char *version = target_ask(c->target, "version", &err);
	char transport[32], speed[64];

	c->broken = !version || strncmp(version, SERVER_NAME, strlen(SERVER_NAME)) != 0;
	if (!version)
		chain_say(c, "server", DOCTOR_FAULT, cure, "%s", err.text);
	else if (c->broken)
		chain_say(c, "server", DOCTOR_FAULT, cure,
			  "the server does not answer as OpenOCD does: %s", version);
	if (c->broken)
		return;
	snprintf(f->server, sizeof(f->server), "OpenOCD%s", version + strlen(SERVER_NAME));
	answer_keep(c, "target current", f->target, sizeof(f->target));
	answer_keep(c, "adapter name", f->adapter, sizeof(f->adapter));
	answer_keep(c, "transport select", transport, sizeof(transport));
	answer_keep(c, "adapter speed", speed, sizeof(speed));
	chain_say(c, "server", DOCTOR_OK, NULL, "%s; probe %s, %s%s%s; target %s", f->server,
		  f->adapter, transport, *speed ? ", " : "", speed, f->target);
}

/* --- the core --------------------------------------------------------------------------------- */

void chain_core(struct chain *c)
{
	struct chain_facts *f = c->facts;

	if (!chain_read(c, "core", "the core's CPUID", REG_CPUID, &f->cpuid, 1, false))
		return;
	c->core = core_find(f->cpuid);
	core_text(f->cpuid, f->core, sizeof(f->core));
	if (c->core) {
		chain_say(c, "core", DOCTOR_OK, NULL, "%s", f->core);
		return;
	}
	c->broken = f->cpuid == 0 || f->cpuid == UINT32_MAX;
	chain_say(c, "core", c->broken ? DOCTOR_FAULT : DOCTOR_WARNING,
		  "select another target in OpenOCD: `targets NAME`",
		  "no Cortex-M that is known: %s", f->core);
}

/* JEP106, with the number of continuation codes. */
static const struct {
	uint8_t bank, code;
	const char *name;
} makers[] = {
	{ 0, 0x20, "STMicroelectronics" }, { 2, 0x44, "Nordic Semiconductor" },
	{ 0, 0x15, "NXP" }, { 0, 0x0e, "Freescale" }, { 0, 0x1f, "Atmel" },
	{ 0, 0x17, "Texas Instruments" }, { 4, 0x3b, "ARM" },
};

/* By the ROM table's PIDR0 to PIDR4; it may be anything, or not there. */
void chain_maker(struct chain *c)
{
	uint32_t pid[8];
	unsigned bank, code, part;

	if (target_read(c->target, REG_ROM_PIDR4, pid, 8, NULL) < 0)
		return;
	bank = pid[0] & 15;
	code = (pid[5] >> 4 & 15) | (pid[6] & 7) << 4;
	part = (pid[4] & 0xff) | (pid[5] & 15) << 8;
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++) {
		if (makers[i].bank != bank || makers[i].code != code)
			continue;
		snprintf(c->facts->maker, sizeof(c->facts->maker), "%s", makers[i].name);
		chain_say(c, "chip", DOCTOR_OK, NULL, "made by %s, part 0x%03x", makers[i].name,
			  part);
	}
}

void chain_running(struct chain *c)
{
	uint32_t dhcsr;

	if (!chain_read(c, "running", "DHCSR", REG_DHCSR, &dhcsr, 1, false))
		return;
	if (dhcsr & DHCSR_LOCKUP)
		chain_say(c, "running", DOCTOR_FAULT, "debug the fault handler; reset the target",
			  "the processor is locked up: a fault in a fault handler");
	else if (dhcsr & DHCSR_HALT)
		chain_say(c, "running", DOCTOR_FAULT, "`resume` in OpenOCD, or `continue` in gdb",
			  "the processor is halted: every sample would meet the same place");
	else
		chain_say(c, "running", DOCTOR_OK, NULL, "the processor runs");
}

/* --- the trace units -------------------------------------------------------------------------- */

void chain_trace(struct chain *c)
{
	uint32_t demcr, back;

	if (!chain_read(c, "trace", "DEMCR", REG_DEMCR, &demcr, 1, true))
		return;
	c->trace = demcr & DEMCR_TRCENA;
	if (!c->trace)
		c->trace = chain_try(c, REG_DEMCR, demcr, demcr | DEMCR_TRCENA, &back) &&
			   back & DEMCR_TRCENA;
	if (c->trace)
		chain_say(c, "trace", DOCTOR_OK, NULL, "the trace units are on (DEMCR.TRCENA)%s",
			  demcr & DEMCR_TRCENA ? "" : "; they were off before this examination");
	else
		chain_say(c, "trace", DOCTOR_FAULT,
			  "unlock debugging of the chip; look for writes of DEMCR in the firmware",
			  "DEMCR.TRCENA does not stay set: no PC samples, no SWO");
}
