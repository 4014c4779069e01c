/*
 * gdb: PCs by gdb's remote serial protocol, as servers of debug probes and simulators speak it.
 *
 * A server halts its target when a client connects; it is set going at once. Then
 *
 * - a server that answers memory reads while the target runs is asked for DWT's words, as
 *   core/wire/openocd does: a PC with the target's own time, nothing is halted;
 * - of another the target is stopped for each sample, its PC read, and set going again: only where
 *   the user allowed that, and no more often than that.
 *
 * What servers do beside the protocol is in the table of quirks below; measured with QEMU 7.2,
 * OpenOCD 0.12, simavr 1.6 and mspdebug 0.22.
 *
 * Where memory is read, a block of code is read instead of a sample now and then: the node compares
 * them with its image (core/wire/probe/blocks.h).
 *
 * Whoever ends this leaves the target running (gdb_leave).
 *
 * A recording has the answers alone: 32 bytes are a sample's words, a stop reply with a PC, or the
 * word behind one, a sample by a stop.
 */
#include "core/wire/decoder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/wire/gdb/rsp.h"
#include "core/wire/probe/blocks.h"
#include "core/wire/probe/cores.h"

enum {
	WORDS = 8, WORD_CTRL = 0, WORD_CYCCNT = 1, WORD_PCSR = 7,
	REFUSALS = 8,			/* in a row: it does not just wake up each time */
	INTERRUPT = 3,			/* the byte that stops a target */
};

#define ANSWER_NS CLOCK_SECOND		/* after which the conversation begins anew */
#define TRIAL_NS (CLOCK_SECOND / 2)	/* does it answer while the target runs? */
#define AGAIN_NS (CLOCK_SECOND / 20)	/* without a stop: it is asked for once more */
#define REPORT_NS CLOCK_SECOND
#define REFUSED_NS (CLOCK_SECOND / 10)
#define BLOCK_NS (CLOCK_SECOND / 50)	/* between two blocks of code: first, */
#define BLOCK_LATER_NS (CLOCK_SECOND / 4)	/* and after a round of them */
#define GRAIN_NS (CLOCK_SECOND / 1000)
#define HZ_DEFAULT 1000.0

#define DEMCR_TRCENA (1u << 24)
#define CTRL_NOCYCCNT (1u << 25)
#define CTRL_CYCCNTENA 1u
#define DHCSR_HALT (1u << 17)
#define DHCSR_SLEEP (1u << 18)

enum step {
	STEP_DOWN,
	STEP_SUPPORTED, STEP_FEATURES, STEP_NOACK, STEP_STATE, STEP_GO,
	STEP_CPUID, STEP_TRACE, STEP_TRACE_SET, STEP_TRACE_BACK, STEP_CYCLES, STEP_CYCLES_SET,
	STEP_SAMPLE, STEP_WHY, STEP_BLOCK,
	STEP_QUIET,			/* it runs, and may not be stopped */
	STEP_PAUSE,			/* it runs until the next stop */
	STEP_STOP, STEP_PC, STEP_ALL,
	STEPS
};

struct gdb {
	struct wire wire;
	struct rsp rsp;
	enum step step;
	bool live;			/* somebody asks */
	bool asked;			/* its answer is awaited */
	bool acks;			/* packets are acknowledged: "+" is owed for each */
	bool noack_offered, many;	/* qSupported: QStartNoAckMode+; multiprocess+ (QEMU) */
	bool deaf;			/* it reads no memory while the target runs */
	bool begun;			/* of a recording: the state at its beginning was told */
	bool taken;			/* the server acknowledged what was sent last */
	bool stands;			/* the target: nothing runs */
	bool leaves;			/* nobody listens any more */
	bool trace_off;
	unsigned owed;			/* acknowledgements to send: '+', or '-' where negative */
	bool nak_owed;
	uint32_t value;
	uint64_t sent_ns, due_ns, now_ns, stopped_ns;
	uint64_t sample_ns;		/* when the last sample was asked for */
	bool planned;
	uint32_t random;
	double hz, stop_hz;

	struct blocks blocks;
	uint64_t block_ns;		/* when one was asked for last */

	struct wire_probe probe;
	char core[32];
	unsigned refusals;
	uint64_t reported_ns, reported, reported_asleep, reported_halted, halted_ns;
	uint32_t cycles;
	uint64_t cycles_sum, cycles_since_ns;
	bool cycles_known;
};

/* --- what is asked ---------------------------------------------------------------------------- */

static const char *const questions[STEPS] = {
	[STEP_SUPPORTED] = "qSupported:swbreak+;hwbreak+", [STEP_NOACK] = "QStartNoAckMode",
	[STEP_FEATURES] = "qXfer:features:read:target.xml:0,100",
	[STEP_STATE] = "?", [STEP_GO] = "c",
	[STEP_CPUID] = "me000ed00,4", [STEP_TRACE] = "me000edfc,4",
	[STEP_TRACE_BACK] = "me000edfc,4", [STEP_CYCLES] = "me0001000,4",
	[STEP_SAMPLE] = "me0001000,20", [STEP_WHY] = "me000edf0,4", [STEP_ALL] = "g",
};

/* By architecture: the PC's number in the protocol, where it is among all registers, its size. */
static const struct gdb_pc {
	uint8_t number;
	uint16_t at;			/* hex digits before it */
	uint8_t bytes;
} pcs[] = {
	[CODE_UNKNOWN] = { 0xf, 15 * 8, 4 }, [CODE_ARM] = { 0xf, 15 * 8, 4 },
	[CODE_AVR] = { 0x22, 32 * 2 + 2 + 4, 4 }, [CODE_MSP430] = { 0, 0, 2 },
	[CODE_RISCV] = { 0x20, 32 * 8, 4 }, [CODE_HOST] = { 0xf, 15 * 8, 4 },
};

static const struct gdb_pc *pc_terms(const struct gdb *g)
{
	return &pcs[g->wire.code ? g->wire.code->arch : CODE_UNKNOWN];
}

static void write_text(const struct gdb *g, char *dst, size_t size)
{
	uint32_t v = g->value;

	snprintf(dst, size, "M%s,4:%02x%02x%02x%02x",
		 g->step == STEP_TRACE_SET ? "e000edfc" : "e0001000", v & 0xff, v >> 8 & 0xff,
		 v >> 16 & 0xff, v >> 24);
}

static bool question_send(const struct gdb *g, struct wire_out *out)
{
	char text[64], packet[80];
	size_t n;

	if (g->step == STEP_STOP) {
		packet[0] = INTERRUPT;
		return wire_out_add(out, packet, 1);
	}
	if (g->step == STEP_TRACE_SET || g->step == STEP_CYCLES_SET)
		write_text(g, text, sizeof(text));
	else if (g->step == STEP_BLOCK)
		snprintf(text, sizeof(text), "m%x,%x", g->blocks.address[g->blocks.next],
			 WIRE_BLOCK_BYTES);
	else if (g->step == STEP_PC)
		snprintf(text, sizeof(text), "p%x", pc_terms(g)->number);
	else
		snprintf(text, sizeof(text), "%s", questions[g->step] ? questions[g->step] : "");
	n = rsp_write(packet, sizeof(packet), text);
	return n && wire_out_add(out, packet, n);
}

static void step_enter(struct gdb *g, enum step step)
{
	g->step = step;
	g->asked = false;
	g->planned = true;
	g->due_ns = g->now_ns;
}

/* --- how it goes ------------------------------------------------------------------------------ */

static void probe_tell(const struct gdb *g)
{
	if (g->wire.sink.probe)
		g->wire.sink.probe(g->wire.sink.ctx, &g->probe);
}

static bool by_stops(const struct gdb *g)
{
	return g->deaf;
}

static void rate_note(struct gdb *g)
{
	if (by_stops(g))
		snprintf(g->wire.note, sizeof(g->wire.note),
			 "gdb: %.0f stops/s of %.0f allowed, %.1f %% of the time halted",
			 g->probe.reached_hz, g->stop_hz, 100 * g->probe.halted);
	else
		snprintf(g->wire.note, sizeof(g->wire.note),
			 "gdb: %s, %.0f PCs/s of %.0f asked for, never halted", g->core,
			 g->probe.reached_hz, g->hz);
}

static void probe_report(struct gdb *g)
{
	double s = (double)(g->now_ns - g->reported_ns) / (double)CLOCK_SECOND;
	uint64_t samples = g->probe.samples - g->reported;

	g->probe.asked_hz = by_stops(g) ? g->stop_hz : g->hz;
	g->probe.reached_hz = s > 0 ? (double)samples / s : 0;
	g->probe.asleep_now = samples ? (double)(g->probe.asleep - g->reported_asleep) /
					(double)samples : 0;
	g->probe.halted = s > 0 ? (double)(g->halted_ns - g->reported_halted) /
				  (s * (double)CLOCK_SECOND) : 0;
	g->probe.halted = g->probe.halted < 1 ? g->probe.halted : 1;
	g->reported_ns = g->now_ns;
	g->reported = g->probe.samples;
	g->reported_asleep = g->probe.asleep;
	g->reported_halted = g->halted_ns;
	rate_note(g);
	probe_tell(g);
}

static void trouble_set(struct gdb *g, enum wire_probe_trouble trouble)
{
	if (g->probe.trouble == trouble)
		return;
	if (trouble == PROBE_FINE)
		blocks_again(&g->blocks);	/* it may have been programmed */
	g->probe.trouble = trouble;
	probe_tell(g);
}

static double random_part(struct gdb *g)
{
	g->random = g->random * 1664525 + 1013904223;
	return (double)g->random / (double)UINT32_MAX;
}

/* Half to one and a half of the period behind the sample before, by the poll's milliseconds. */
static uint64_t sample_due(struct gdb *g, double hz)
{
	double due = (double)g->sample_ns + (double)CLOCK_SECOND / hz * (0.5 + random_part(g));
	double grains = (due - (double)g->now_ns) / (double)GRAIN_NS;

	if (!(grains > 0))
		return g->now_ns;
	return g->now_ns + (uint64_t)(grains + random_part(g)) * GRAIN_NS;
}

static void sample_plan(struct gdb *g, enum step step)
{
	step_enter(g, step);
	g->planned = false;		/* by the next ask, which knows the time */
}

/* What is left are stops, if they are allowed. */
static void reads_give_up(struct gdb *g)
{
	g->deaf = true;
	if (g->stop_hz > 0)
		sample_plan(g, STEP_PAUSE);
	else
		step_enter(g, STEP_QUIET);
	if (g->step == STEP_QUIET)
		trouble_set(g, PROBE_MUST_STOP);
}

static void sample_count(struct gdb *g)
{
	g->wire.stats.events++;
	if (!g->probe.samples++)
		probe_tell(g);
}

static void sample_give(struct gdb *g, uint32_t pc)
{
	sample_count(g);
	if (g->wire.sink.samples)
		g->wire.sink.samples(g->wire.sink.ctx, &pc, 1);
	g->refusals = 0;
	trouble_set(g, PROBE_FINE);
}

/* --- by memory reads -------------------------------------------------------------------------- */

static void cycles_take(struct gdb *g, uint32_t cycles)
{
	if (g->cycles_known)
		g->cycles_sum += cycles - g->cycles;
	else
		g->cycles_since_ns = g->sent_ns;
	g->cycles_known = true;
	g->cycles = cycles;
	if (g->sent_ns - g->cycles_since_ns >= CLOCK_SECOND)
		g->probe.cycles_hz = (double)g->cycles_sum * (double)CLOCK_SECOND /
				     (double)(g->sent_ns - g->cycles_since_ns);
}

static void words_take(struct gdb *g, const uint32_t *words)
{
	if (g->live && !(words[WORD_CTRL] & CTRL_NOCYCCNT))
		cycles_take(g, words[WORD_CYCCNT]);
	if (words[WORD_PCSR] == UINT32_MAX) {
		step_enter(g, STEP_WHY);
		return;
	}
	sample_plan(g, STEP_SAMPLE);
	if (words[WORD_PCSR] == 0)
		trouble_set(g, PROBE_NO_PCSR);
	else
		sample_give(g, words[WORD_PCSR] & ~1u);
}

/* DHCSR, a little later: it may have woken up in between, but not again and again. */
static void why_take(struct gdb *g, uint32_t dhcsr)
{
	bool sleeps = dhcsr & DHCSR_SLEEP;

	g->refusals = sleeps ? 0 : g->refusals + 1;
	if (sleeps || (!(dhcsr & DHCSR_HALT) && g->probe.samples && g->refusals < REFUSALS)) {
		g->probe.asleep++;
		sample_count(g);
		if (g->wire.sink.asleep)
			g->wire.sink.asleep(g->wire.sink.ctx, 1);
		trouble_set(g, PROBE_FINE);
		sample_plan(g, STEP_SAMPLE);
		return;
	}
	g->probe.refused++;
	trouble_set(g, dhcsr & DHCSR_HALT ? PROBE_HALTED :
		       g->trace_off ? PROBE_TRACE_OFF : PROBE_NOT_PERMITTED);
	step_enter(g, STEP_TRACE);
	g->due_ns = g->sent_ns + REFUSED_NS;
}

static void word_take(struct gdb *g, uint32_t word)
{
	switch (g->step) {
	case STEP_CPUID:
		core_text(word, g->core, sizeof(g->core));
		if (!core_find(word))
			trouble_set(g, PROBE_NO_CORE);
		step_enter(g, STEP_TRACE);
		return;
	case STEP_TRACE:
		g->value = word | DEMCR_TRCENA;
		g->trace_off = false;
		step_enter(g, word & DEMCR_TRCENA ? STEP_CYCLES : STEP_TRACE_SET);
		return;
	case STEP_TRACE_BACK:
		g->trace_off = !(word & DEMCR_TRCENA);
		step_enter(g, STEP_CYCLES);
		return;
	case STEP_CYCLES:
		g->value = word | CTRL_CYCCNTENA;
		step_enter(g, word & (CTRL_NOCYCCNT | CTRL_CYCCNTENA) ? STEP_SAMPLE :
									 STEP_CYCLES_SET);
		return;
	case STEP_WHY:
		why_take(g, word);
		return;
	default:
		return;
	}
}

static bool words_read(const char *s, uint32_t *words, size_t count)
{
	if (strlen(s) != 8 * count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!rsp_word(s + 8 * i, 4, &words[i]))
			return false;
	return true;
}

/* What cannot be read has another answer. */
static void block_read_take(struct gdb *g, const char *text)
{
	uint32_t words[WIRE_BLOCK_WORDS];
	struct blocks *b = &g->blocks;
	bool read = words_read(text, words, WIRE_BLOCK_WORDS);

	if (blocks_take(b, b->next, b->count, b->address[b->next], read ? words : NULL) &&
	    g->wire.sink.identity)
		g->wire.sink.identity(g->wire.sink.ctx, &b->identity);
	sample_plan(g, STEP_SAMPLE);
}

/* An answer to a read or write of memory. An error: the server cannot do that now. */
static void memory_take(struct gdb *g, const char *text)
{
	uint32_t words[WORDS];
	bool written = g->step == STEP_TRACE_SET || g->step == STEP_CYCLES_SET;

	if (g->step == STEP_BLOCK) {
		block_read_take(g, text);
	} else if (written && strcmp(text, "OK") == 0) {
		step_enter(g, g->step + 1);
	} else if (g->step == STEP_SAMPLE && words_read(text, words, WORDS)) {
		words_take(g, words);
	} else if (g->step != STEP_SAMPLE && !written && strlen(text) == 8 &&
		   rsp_word(text, 4, words)) {
		word_take(g, words[0]);
	} else if (g->step == STEP_CPUID) {
		reads_give_up(g);
	} else {
		g->wire.stats.bad_bytes += strlen(text);
		trouble_set(g, PROBE_NO_ANSWER);
		step_enter(g, STEP_TRACE);
		g->due_ns = g->now_ns + ANSWER_NS;
	}
}

/* --- by stops --------------------------------------------------------------------------------- */

static void register_take(struct gdb *g, const char *hex)
{
	uint32_t pc;

	if (rsp_word(hex, pc_terms(g)->bytes, &pc)) {
		sample_give(g, g->wire.code && g->wire.code->arch == CODE_ARM ? pc & ~1u : pc);
		step_enter(g, STEP_GO);
	} else if (g->step == STEP_PC) {
		step_enter(g, STEP_ALL);	/* it knows no single registers */
	} else {
		g->wire.stats.bad_bytes += strlen(hex);
		trouble_set(g, PROBE_NO_ANSWER);
		step_enter(g, STEP_GO);
	}
}

/* "T05thread:01;0f:34120000;": the PC's value, or NULL. */
static const char *reply_pc(const struct gdb *g, const char *text)
{
	char want[8];

	if (text[0] != 'T' || strlen(text) < 3)
		return NULL;
	snprintf(want, sizeof(want), "%02x:", pc_terms(g)->number);
	for (const char *s = text + 3; s; s = strchr(s, ';') ? strchr(s, ';') + 1 : NULL)
		if (strncmp(s, want, 3) == 0)
			return s + 3;
	return NULL;
}

static bool is_stop(const char *text)
{
	return (text[0] == 'T' || text[0] == 'S') && rsp_digit(text[1]) >= 0;
}

/* It stopped, for us or by itself. */
static void stop_take(struct gdb *g, const char *text)
{
	const char *pc = reply_pc(g, text);
	bool ours = g->step == STEP_STOP || !g->live;

	g->stands = true;
	if (!g->live && !g->begun) {
		g->begun = true;
		return;
	}
	if (g->step == STEP_STATE) {
		step_enter(g, STEP_GO);
		return;
	}
	if (!ours) {
		trouble_set(g, PROBE_HALTED);
		g->asked = false;
		return;
	}
	step_enter(g, STEP_PC);
	if (pc)
		register_take(g, pc);
}

/* --- packets ---------------------------------------------------------------------------------- */

static void text_take(struct gdb *g, const char *hex)
{
	char text[RSP_MAX / 2];
	size_t n = 0;
	uint32_t byte;

	for (; rsp_word(hex, 1, &byte) && n < sizeof(text); hex += 2)
		text[n++] = (char)byte;
	g->wire.stats.text_bytes += n;
	if (n && g->wire.sink.text)
		g->wire.sink.text(g->wire.sink.ctx, text, n);
}

/* Nobody asks: what a packet is its looks tell. */
static void recorded_take(struct gdb *g, const char *text)
{
	uint32_t words[WORDS];

	if (words_read(text, words, WORDS)) {
		g->step = STEP_SAMPLE;
		words_take(g, words);
	} else if (strlen(text) == 8 && g->step == STEP_WHY && rsp_word(text, 4, words)) {
		why_take(g, words[0]);
	} else if (g->step == STEP_PC || g->step == STEP_ALL) {
		register_take(g, strlen(text) > pc_terms(g)->at && g->step == STEP_ALL ?
			   text + pc_terms(g)->at : text);
	}
}

static void answer_take(struct gdb *g, const char *text)
{
	switch (g->step) {
	case STEP_SUPPORTED:
		g->noack_offered = strstr(text, "QStartNoAckMode+");
		g->many = strstr(text, "multiprocess+");
		g->acks = !g->many;
		if (strstr(text, "qXfer:features:read+"))
			step_enter(g, STEP_FEATURES);
		else
			step_enter(g, g->noack_offered ? STEP_NOACK : STEP_STATE);
		return;
	case STEP_FEATURES:		/* QEMU tells single registers to who has read them */
		step_enter(g, g->noack_offered ? STEP_NOACK : STEP_STATE);
		return;
	case STEP_NOACK:
		g->acks &= strcmp(text, "OK") != 0;
		step_enter(g, STEP_STATE);
		return;
	case STEP_STATE:		/* neither T nor S: it is not there, or runs */
		step_enter(g, STEP_GO);
		return;
	case STEP_PC:
		register_take(g, text);
		return;
	case STEP_ALL:
		register_take(g, strlen(text) > pc_terms(g)->at ? text + pc_terms(g)->at : "");
		return;
	default:
		if (g->step >= STEP_CPUID && g->step <= STEP_BLOCK)
			memory_take(g, text);
	}
}

static bool is_console(const char *text)
{
	return text[0] == 'O' && text[1] && strcmp(text, "OK") != 0;
}

static void reply_take(struct gdb *g, const char *text)
{
	if (is_console(text))
		text_take(g, text + 1);
	else if (is_stop(text) && g->step != STEP_FEATURES && g->step != STEP_NOACK)
		stop_take(g, text);
	else if (!g->live)
		recorded_take(g, text);
	else if (g->asked)
		answer_take(g, text);
	g->owed += g->acks;
}

/* --- what is due ------------------------------------------------------------------------------ */

/* It goes on: what comes next. */
static void target_went(struct gdb *g)
{
	if (g->stopped_ns)
		g->halted_ns += g->now_ns - g->stopped_ns;
	g->stopped_ns = 0;
	g->stands = false;
	g->taken = !g->acks;
	if (g->noack_offered && !g->many && !g->deaf)
		step_enter(g, STEP_CPUID);
	else
		reads_give_up(g);
}

/* Without an answer in time. */
static void answer_missed(struct gdb *g)
{
	g->asked = false;
	if (g->step == STEP_CPUID) {
		reads_give_up(g);
		return;
	}
	if (g->step == STEP_STOP)
		return;			/* once more */
	trouble_set(g, PROBE_NO_ANSWER);
	step_enter(g, STEP_SUPPORTED);
}

static uint64_t answer_time(const struct gdb *g)
{
	return g->step == STEP_CPUID ? TRIAL_NS : g->step == STEP_STOP ? AGAIN_NS : ANSWER_NS;
}

static void acks_send(struct gdb *g, struct wire_out *out)
{
	for (; g->owed && wire_out_add(out, "+", 1); g->owed--)
		;
	if (g->nak_owed && wire_out_add(out, "-", 1))
		g->nak_owed = false;
}

/* The pause before a stop is over: the server has taken the last command. */
static void pause_end(struct gdb *g)
{
	if (g->step == STEP_PAUSE && (g->taken || g->now_ns - g->sent_ns > AGAIN_NS)) {
		step_enter(g, STEP_STOP);
		g->stopped_ns = g->now_ns;
	}
}

/* In the place of a sample that is due, where those work. */
static void block_ask(struct gdb *g)
{
	uint64_t pause = g->blocks.rounds ? BLOCK_LATER_NS : BLOCK_NS;

	if (g->step != STEP_SAMPLE || g->now_ns - g->block_ns < pause || !g->blocks.count ||
	    g->probe.trouble != PROBE_FINE || !g->probe.samples)
		return;
	g->block_ns = g->now_ns;
	step_enter(g, STEP_BLOCK);
}

static void gdb_ask(struct wire *w, uint64_t now, struct wire_out *out)
{
	struct gdb *g = (struct gdb *)w;

	g->now_ns = now;
	g->live = true;
	acks_send(g, out);
	if (g->step == STEP_DOWN) {
		step_enter(g, STEP_SUPPORTED);
		g->reported_ns = now;
	}
	if (g->asked && now - g->sent_ns >= answer_time(g))
		answer_missed(g);
	if (now - g->reported_ns >= REPORT_NS)
		probe_report(g);
	if (!g->planned)
		g->due_ns = sample_due(g, g->step == STEP_PAUSE ? g->stop_hz : g->hz);
	g->planned = true;
	if (g->asked || now < g->due_ns || g->step == STEP_QUIET)
		return;
	pause_end(g);
	block_ask(g);
	if (g->step == STEP_PAUSE || !question_send(g, out))
		return;
	g->asked = true;
	g->sent_ns = now;
	if (g->step == STEP_SAMPLE || g->step == STEP_STOP)
		g->sample_ns = now;
	if (g->step == STEP_GO)
		target_went(g);
}

static int gdb_timeout(const struct wire *w, uint64_t now)
{
	const struct gdb *g = (const struct gdb *)w;

	if (g->step == STEP_DOWN || g->owed || g->nak_owed)
		return 0;
	if (g->step == STEP_QUIET)
		return clock_ms_until(g->reported_ns + REPORT_NS, now);
	if (g->step == STEP_PAUSE && now >= g->due_ns && !g->taken)
		return 1;
	return clock_ms_until(g->asked ? g->sent_ns + answer_time(g) : g->due_ns, now);
}

/* --- the decoder ------------------------------------------------------------------------------ */

static int gdb_init(struct wire *w, const struct wire_options *o, struct err *err)
{
	struct gdb *g = (struct gdb *)w;

	(void)err;
	g->hz = o && o->hz > 0 ? o->hz : HZ_DEFAULT;
	g->stop_hz = o ? o->stop_hz : 0;
	g->random = 1;
	g->acks = true;
	g->probe.core = g->core;
	blocks_choose(&g->blocks, w->code);
	snprintf(w->note, sizeof(w->note), "gdb: no answer yet");
	return 0;
}

/* Of what comes behind gdb_leave, only that it is the answer and that the target stopped count. */
static void leaving_take(struct gdb *g, const char *text)
{
	g->stands |= is_stop(text);
	g->asked &= is_console(text);
	g->owed += g->acks;
}

static void gdb_feed(struct wire *w, const uint8_t *data, size_t n)
{
	struct gdb *g = (struct gdb *)w;

	for (size_t i = 0; i < n; i++) {
		switch (rsp_take(&g->rsp, data[i])) {
		case RSP_PACKET:
			(g->leaves ? leaving_take : reply_take)(g, g->rsp.packet);
			break;
		case RSP_BAD:
			w->stats.bad_bytes += g->rsp.n;
			w->stats.damaged++;
			g->nak_owed = g->acks;
			break;
		case RSP_ACK:
			g->taken = true;
			break;
		case RSP_NAK:
			g->asked = false;	/* it is asked again */
			break;
		case RSP_NOTHING:
			break;
		}
	}
}

static void gdb_set_code(struct wire *w)
{
	struct gdb *g = (struct gdb *)w;

	blocks_choose(&g->blocks, w->code);
	if (g->step == STEP_BLOCK)
		sample_plan(g, STEP_SAMPLE);	/* that one is not asked for any more */
}

static void gdb_flush(struct wire *w, bool end)
{
	(void)w;
	(void)end;
}

static void gdb_down(struct wire *w)
{
	struct gdb *g = (struct gdb *)w;

	g->step = STEP_DOWN;
	g->asked = g->stands = g->cycles_known = g->nak_owed = g->deaf = false;
	g->acks = true;
	g->owed = g->refusals = 0;
	g->cycles_sum = g->stopped_ns = 0;
	g->rsp = (struct rsp){ .state = RSP_OUT };
}

/*
 * A target that we stopped, or are about to, goes on; and one that the server halted for us, when
 * we connected. Behind a question that was not answered yet nothing is sent: simavr and mspdebug
 * lose what comes behind a stop.
 */
static bool gdb_leave(struct wire *w, bool last, struct wire_out *out)
{
	struct gdb *g = (struct gdb *)w;
	bool begins = g->live && g->step > STEP_DOWN && g->step <= STEP_GO;
	char packet[8];

	g->leaves = true;
	acks_send(g, out);
	if (g->asked && (begins || by_stops(g)) && !last)
		return false;
	if (g->stands || g->stopped_ns || begins)
		wire_out_add(out, packet, rsp_write(packet, sizeof(packet), "c"));
	return true;
}

static void gdb_stats(const struct wire *w, struct wire_stats *stats)
{
	*stats = w->stats;
	stats->bad_bytes += ((const struct gdb *)w)->rsp.stray;
}

const struct wire_ops wire_gdb_ops = {
	.size = sizeof(struct gdb),
	.init = gdb_init,
	.feed = gdb_feed,
	.flush = gdb_flush,
	.set_code = gdb_set_code,
	.ask = gdb_ask,
	.timeout = gdb_timeout,
	.down = gdb_down,
	.leave = gdb_leave,
	.stats = gdb_stats,
};
