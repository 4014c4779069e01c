/* The chain by way of a gdb server: what it can, and what takes a target that stands. */
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/link/source.h"
#include "core/probe/parts.h"
#include "core/probe/remote.h"

#define STOPS_NS CLOCK_SECOND
#define STOP_GAP_MS 5

static enum code_arch arch_of(const struct chain *c)
{
	const struct remote_abilities *can = remote_abilities(c->remote);

	if (c->image)
		return image_codemap(c->image)->arch;
	return strstr(can->arch, "arm") ? CODE_ARM : CODE_UNKNOWN;
}

static const char *yes_no(bool yes)
{
	return yes ? "yes" : "no";
}

/* QEMU has a version of its own command; others that have none say that it is unknown. */
static void server_name(struct chain *c, char *dst, size_t size)
{
	const struct remote_abilities *can = remote_abilities(c->remote);
	const char *said = can->simavr ? "" :
			   remote_monitor(c->remote, can->many ? "info version" : "version");

	if (can->simavr || can->many)
		snprintf(dst, size, "%s%s%.50s", can->simavr ? "simavr" : "QEMU",
			 *said ? " " : "", said);
	else
		snprintf(dst, size, "%.60s", *said && !strstr(said, "nknown") ? said :
						"gdb server");
}

void chain_remote_server(struct chain *c)
{
	const struct remote_abilities *can = remote_abilities(c->remote);
	struct chain_facts *f = c->facts;

	server_name(c, f->server, sizeof(f->server));
	f->gdb.no_acks = can->no_acks;
	f->gdb.features = can->features;
	f->gdb.registers = can->registers;
	chain_say(c, "server", DOCTOR_OK, NULL, "%s, by gdb's protocol; without acknowledgements: "
		  "%s; target.xml: %s; single registers: %s", f->server, yes_no(can->no_acks),
		  yes_no(can->features), yes_no(can->registers));
}

/* --- breakpoints and watchpoints -------------------------------------------------------------- */

/* It is set and taken away at once, while the target stands. */
static bool point_try(struct chain *c, unsigned type, uint32_t address, unsigned size)
{
	const char *answer;
	char text[40];

	snprintf(text, sizeof(text), "Z%u,%" PRIx32 ",%x", type, address, size);
	answer = remote_ask(c->remote, text, NULL);
	if (!answer || strcmp(answer, "OK") != 0)
		return false;
	*text = 'z';
	answer = remote_ask(c->remote, text, NULL);
	return answer && strcmp(answer, "OK") == 0;
}

static bool stop_is_allowed(const struct chain *c)
{
	return source_number(c->source, "stop") > 0 || source_number(c->source, "watch") > 0;
}

static void watchpoints_say(struct chain *c)
{
	const bool *takes = c->facts->gdb.takes;

	if (!remote_stands(c->remote))
		chain_say(c, "watch", DOCTOR_NOTE, "add ?watch=1 to the source to allow stops",
			  "watchpoints are not tried: the target would have to be halted");
	else if (remote_abilities(c->remote)->simavr)
		chain_say(c, "watch", DOCTOR_WARNING, "simavr: watches without a stop",
			  "watchpoints are taken, but none ever fires here");
	else if (takes[2])
		chain_say(c, "watch", DOCTOR_OK, NULL, "watchpoints, with a stop each time: "
			  "writes%s%s", takes[3] ? ", reads" : "", takes[4] ? ", both" : "");
	else
		chain_say(c, "watch", DOCTOR_NOTE, NULL, "no watchpoints");
}

void chain_remote_points(struct chain *c)
{
	static const uint32_t data[] = { [CODE_ARM] = 0x20000000, [CODE_AVR] = 0x800100,
					 [CODE_MSP430] = 0x200, [CODE_RISCV] = 0x80000000 };
	enum code_arch arch = arch_of(c);
	uint32_t ram = arch < sizeof(data) / sizeof(data[0]) && data[arch] ? data[arch] :
									    0x20000000;
	bool *takes = c->facts->gdb.takes;
	uint64_t low = 0, high = 0;

	if (c->image)
		image_text(c->image, &low, &high);
	if (!remote_stands(c->remote) && stop_is_allowed(c))
		remote_stop(c->remote, NULL);
	for (unsigned type = 0; type <= 4 && (type < 2 || remote_stands(c->remote)); type++)
		takes[type] = point_try(c, type, type < 2 ? (uint32_t)low : ram,
					type < 2 || arch == CODE_MSP430 ? 2 : 4);
	if (takes[0] || takes[1])
		chain_say(c, "breakpoints", DOCTOR_OK, NULL, "breakpoints, with a stop each time%s",
			  takes[1] ? "" : ": in the program alone, no hardware's");
	else
		chain_say(c, "breakpoints", DOCTOR_NOTE, NULL, "no breakpoints");
	watchpoints_say(c);
}

/* --- while it runs, or stands ----------------------------------------------------------------- */

static bool runs_read(struct chain *c)
{
	const struct remote_abilities *can = remote_abilities(c->remote);
	uint32_t cpuid;

	return arch_of(c) == CODE_ARM && can->no_acks && !can->many &&
	       remote_read(c->remote, REG_CPUID, &cpuid, 1, NULL) == 0;
}

/* It goes on. What it stood for until now was the server's doing. */
void chain_remote_runs(struct chain *c)
{
	struct err err = { 0 };
	char stood[24];

	if (remote_go(c->remote, &err) < 0) {
		c->broken = true;
		chain_say(c, "running", DOCTOR_FAULT, NULL, "the target does not go on: %s",
			  err.text);
		return;
	}
	text_seconds(stood, sizeof(stood), (double)remote_stood(c->remote) / 1e9);
	if (remote_stood(c->remote))
		chain_say(c, "halted", DOCTOR_NOTE, NULL, "the target runs; connecting to it, and "
			  "what was tried, halted it for %s", stood);
	else
		chain_say(c, "halted", DOCTOR_OK, NULL,
			  "the target runs, and was not halted as we connected");
	c->facts->gdb.reads = runs_read(c);
	c->stands = false;
	if (c->facts->gdb.reads) {
		chain_say(c, "reads", DOCTOR_OK, NULL,
			  "memory is read while the target runs: nothing has to stop it");
		return;
	}
	chain_say(c, "reads", stop_is_allowed(c) ? DOCTOR_NOTE : DOCTOR_WARNING,
		  "add ?stop=100 for PCs, ?watch=1 for watches",
		  "memory is not read while the target runs: each PC takes a halt");
	if (!stop_is_allowed(c)) {
		chain_say(c, "stops", DOCTOR_NOTE, "add ?stop=100 to the source to allow halts",
			  "the flash and the rate of stops are not examined: the target would have "
			  "to stop");
		c->broken = true;	/* of the chain what can be walked was */
		return;
	}
	c->broken = remote_stop(c->remote, &err) < 0;
	c->stands = !c->broken;
	if (c->broken)
		chain_say(c, "stops", DOCTOR_FAULT, NULL, "%s", err.text);
}

/* How often it can be stopped for a PC, and what that takes. */
void chain_remote_stops(struct chain *c)
{
	uint64_t begin, stood, until;
	struct err err = { 0 };
	unsigned stops = 0;
	char each[24];

	if (!c->stands)
		return;
	remote_go(c->remote, &err);
	begin = clock_now();
	stood = remote_stood(c->remote);
	for (until = begin + STOPS_NS; clock_now() < until && !err_is_set(&err); stops++) {
		poll(NULL, 0, STOP_GAP_MS);
		if (remote_stop(c->remote, &err) == 0)
			remote_ask(c->remote, "g", &err);
		if (!err_is_set(&err))
			remote_go(c->remote, &err);
	}
	c->stands = false;
	c->broken = err_is_set(&err);
	if (c->broken) {
		chain_say(c, "stops", DOCTOR_FAULT, NULL, "%s", err.text);
		return;
	}
	c->facts->gdb.stop_s = (double)(remote_stood(c->remote) - stood) / 1e9 / stops;
	c->facts->gdb.stops_hz = (double)stops * 1e9 / (double)(clock_now() - begin);
	text_seconds(each, sizeof(each), c->facts->gdb.stop_s);
	chain_say(c, "stops", DOCTOR_OK, NULL, "%.0f stops a second are reached, of %s each",
		  c->facts->gdb.stops_hz, each);
}

bool chain_is_arm(const struct chain *c)
{
	return !c->remote || arch_of(c) == CODE_ARM;
}
