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
#include <string.h>

#include "core/base/clock.h"
#include "core/wire/probe/cores.h"
#include "core/wire/probe/rsp.h"
#include "core/wire/probe/sampler.h"

enum { INTERRUPT = 3 };			/* the byte that stops a target */

/* Does it answer while the target runs? At least so long, or so many times what it took before. */
#define TRIAL_NS (CLOCK_SECOND / 2)
#define TRIAL_TIMES 4
#define AGAIN_NS (CLOCK_SECOND / 20)	/* without a stop: it is asked for once more */
#define LOST_NS (5 * CLOCK_SECOND)	/* who takes longer for an answer will give none */

enum step {
	STEP_DOWN,
	STEP_SUPPORTED, STEP_FEATURES, STEP_NOACK, STEP_STATE, STEP_GO,
	STEP_READS,			/* what the sampler asks for */
	STEP_QUIET,			/* it runs, and may not be stopped */
	STEP_PAUSE,			/* it runs until the next stop */
	STEP_STOP, STEP_PC, STEP_ALL,
	STEPS
};

struct gdb {
	struct wire wire;
	struct rsp rsp;
	struct sampler sampler;		/* its times and `asked` are of every question */
	enum step step;
	bool acks;			/* packets are acknowledged: "+" is owed for each */
	bool noack_offered, many;	/* qSupported: QStartNoAckMode+; multiprocess+ (QEMU) */
	bool deaf;			/* it reads no memory while the target runs */
	bool begun;			/* of a recording: the state at its beginning was told */
	bool taken;			/* the server acknowledged what was sent last */
	bool stands;			/* the target: nothing runs */
	bool leaves;			/* nobody listens any more */
	bool nak_owed;
	unsigned owed;			/* acknowledgements to send */
	double stop_hz;
	uint64_t stopped_ns, halted_ns, halted_before;
	bool awaited;			/* an answer, when it was asked last */
	uint64_t slowest_ns;		/* answer to a greeting */
};

/* --- what is asked ---------------------------------------------------------------------------- */

static const char *const questions[STEPS] = {
	[STEP_SUPPORTED] = "qSupported:swbreak+;hwbreak+", [STEP_NOACK] = "QStartNoAckMode",
	[STEP_FEATURES] = "qXfer:features:read:target.xml:0,100",
	[STEP_STATE] = "?", [STEP_GO] = "c",
	[STEP_ALL] = "g",
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

static void memory_text(const struct gdb *g, char *dst, size_t size)
{
	struct sampler_question q = sampler_question(&g->sampler);

	if (q.words)
		snprintf(dst, size, "m%x,%x", q.address, q.words * 4);
	else
		snprintf(dst, size, "M%x,4:%02x%02x%02x%02x", q.address, q.value & 0xff,
			 q.value >> 8 & 0xff, q.value >> 16 & 0xff, q.value >> 24);
}

static bool question_send(const struct gdb *g, struct wire_out *out)
{
	char text[64], packet[80];
	size_t n;

	if (g->step == STEP_STOP) {
		packet[0] = INTERRUPT;
		return wire_out_add(out, packet, 1);
	}
	if (g->step == STEP_READS)
		memory_text(g, text, sizeof(text));
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
	sampler_enter(&g->sampler, SAMPLER_NONE);
}

/* --- how it goes ------------------------------------------------------------------------------ */

static bool by_stops(const struct gdb *g)
{
	return g->deaf;
}

static void rate_note(struct gdb *g)
{
	const struct wire_probe *p = &g->sampler.probe;

	if (by_stops(g))
		snprintf(g->wire.note, sizeof(g->wire.note),
			 "gdb: %.0f stops/s of %.0f allowed, %.1f %% of the time halted",
			 p->reached_hz, g->stop_hz, 100 * p->halted);
	else
		snprintf(g->wire.note, sizeof(g->wire.note),
			 "gdb: %s, %.0f PCs/s of %.0f asked for, never halted", g->sampler.core,
			 p->reached_hz, g->sampler.hz);
}

static void probe_report(struct gdb *g)
{
	struct sampler *s = &g->sampler;
	double ns = (double)(s->now_ns - s->reported_ns);
	double halted = ns > 0 ? (double)(g->halted_ns - g->halted_before) / ns : 0;

	s->probe.halted = halted < 1 ? halted : 1;
	g->halted_before = g->halted_ns;
	sampler_report(s, by_stops(g) ? g->stop_hz : s->hz);
	rate_note(g);
}

static void pause_plan(struct gdb *g)
{
	step_enter(g, STEP_PAUSE);
	g->sampler.planned = false;	/* by the next ask, which knows the time */
}

/* What is left are stops, if they are allowed. */
static void reads_give_up(struct gdb *g)
{
	g->deaf = true;
	if (g->stop_hz > 0)
		pause_plan(g);
	else
		step_enter(g, STEP_QUIET);
	if (g->step == STEP_QUIET)
		sampler_trouble(&g->sampler, PROBE_MUST_STOP);
}

/* --- by memory reads -------------------------------------------------------------------------- */

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
static void block_words_take(struct sampler *s, const char *text)
{
	uint32_t words[WIRE_BLOCK_WORDS];
	struct blocks *b = &s->blocks;
	bool read = words_read(text, words, WIRE_BLOCK_WORDS);

	sampler_block(s, b->next, b->count, b->address[b->next], read ? words : NULL);
}

/* An answer to a read or write of memory. An error: the server cannot do that now. */
static void memory_take(struct gdb *g, const char *text)
{
	struct sampler *s = &g->sampler;
	unsigned count = sampler_question(s).words;
	uint32_t words[WIRE_BLOCK_WORDS];

	if (s->step == SAMPLER_BLOCK) {
		block_words_take(s, text);
		return;
	}
	if ((count ? words_read(text, words, count) : strcmp(text, "OK") == 0) &&
	    sampler_take(s, words, count))
		return;
	if (s->step == SAMPLER_CPUID) {
		reads_give_up(g);
		return;
	}
	g->wire.stats.bad_bytes += strlen(text);
	sampler_trouble(s, PROBE_NO_ANSWER);
	sampler_enter(s, SAMPLER_TRACE);
	s->due_ns = s->now_ns + SAMPLER_ANSWER_NS;
}

/* --- by stops --------------------------------------------------------------------------------- */

static void register_take(struct gdb *g, const char *hex)
{
	uint32_t pc;

	if (rsp_word(hex, pc_terms(g)->bytes, &pc)) {
		if (g->wire.code && g->wire.code->arch == CODE_ARM)
			pc &= ~1u;
		sampler_give(&g->sampler, pc);
		step_enter(g, STEP_GO);
	} else if (g->step == STEP_PC) {
		step_enter(g, STEP_ALL);	/* it knows no single registers */
	} else {
		g->wire.stats.bad_bytes += strlen(hex);
		sampler_trouble(&g->sampler, PROBE_NO_ANSWER);
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
	bool ours = g->step == STEP_STOP || !g->sampler.live;

	g->stands = true;
	cycles_gap(&g->sampler.period);	/* a new connection, too */
	if (!g->sampler.live && !g->begun) {
		g->begun = true;
		return;
	}
	if (g->sampler.live && g->step < STEP_STATE)
		return;			/* QEMU tells that we connected before it answers */
	if (g->step == STEP_STATE) {
		step_enter(g, STEP_GO);
		return;
	}
	if (!ours) {
		sampler_trouble(&g->sampler, PROBE_HALTED);
		g->sampler.asked = false;
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
	struct sampler *s = &g->sampler;
	uint32_t words[SAMPLER_WORDS];

	if (words_read(text, words, SAMPLER_WORDS)) {
		sampler_enter(s, SAMPLER_SAMPLE);
		sampler_take(s, words, SAMPLER_WORDS);
	} else if (s->step == SAMPLER_WHY && words_read(text, words, 1)) {
		sampler_take(s, words, 1);
	} else if (!s->core[0] && words_read(text, words, 1) && core_find(words[0])) {
		core_text(words[0], s->core, sizeof(s->core));
	} else if (g->step == STEP_PC || g->step == STEP_ALL) {
		register_take(g, strlen(text) > pc_terms(g)->at && g->step == STEP_ALL ?
			   text + pc_terms(g)->at : text);
	}
}

/*
 * Behind a line that was not closed there is a server that still answers who asked before us: what
 * is no answer to this question is none of ours.
 */
static bool answer_fits(const struct gdb *g, const char *text)
{
	switch (g->step) {
	case STEP_SUPPORTED:
		return !*text || strspn(text, "0123456789abcdefABCDEFxX") < strlen(text);
	case STEP_FEATURES:
		return !*text || strchr("mlE", *text);
	case STEP_NOACK:
		return !*text || *text == 'E' || strcmp(text, "OK") == 0;
	default:
		return true;
	}
}

static void answer_take(struct gdb *g, const char *text)
{
	if (!answer_fits(g, text)) {
		g->wire.stats.bad_bytes += strlen(text);
		return;
	}
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
		if (g->step == STEP_READS)
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
	else if (!g->sampler.live)
		recorded_take(g, text);
	else if (g->sampler.asked)
		answer_take(g, text);
	g->owed += g->acks;
}

/* --- what is due ------------------------------------------------------------------------------ */

/* It goes on: what comes next. */
static void target_went(struct gdb *g)
{
	if (g->stopped_ns)
		g->halted_ns += g->sampler.now_ns - g->stopped_ns;
	g->stopped_ns = 0;
	g->stands = false;
	g->taken = !g->acks;
	if (g->noack_offered && !g->many && !g->deaf) {
		g->step = STEP_READS;
		sampler_enter(&g->sampler, SAMPLER_CPUID);
	} else {
		reads_give_up(g);
	}
}

/* Does it answer while the target runs? */
static bool is_trial(const struct gdb *g)
{
	return g->step == STEP_READS && g->sampler.step == SAMPLER_CPUID;
}

/*
 * Without an answer in time. It may be a slow server's: who asks again is answered twice, and out
 * of step from then on.
 */
static void answer_missed(struct gdb *g)
{
	if (is_trial(g)) {
		reads_give_up(g);
		return;
	}
	if (g->step == STEP_STOP) {
		g->sampler.asked = false;	/* once more */
		return;
	}
	sampler_trouble(&g->sampler, PROBE_NO_ANSWER);
	if (g->sampler.now_ns - g->sampler.sent_ns >= LOST_NS)
		step_enter(g, STEP_SUPPORTED);
}

/* After which answer_missed() is to be called. */
static uint64_t answer_time(const struct gdb *g)
{
	if (is_trial(g))
		return TRIAL_TIMES * g->slowest_ns > TRIAL_NS ? TRIAL_TIMES * g->slowest_ns :
								TRIAL_NS;
	return g->step == STEP_STOP ? AGAIN_NS :
	       g->sampler.probe.trouble == PROBE_NO_ANSWER ? LOST_NS : SAMPLER_ANSWER_NS;
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
	struct sampler *s = &g->sampler;

	if (g->step == STEP_PAUSE && (g->taken || s->now_ns - s->sent_ns > AGAIN_NS)) {
		step_enter(g, STEP_STOP);
		g->stopped_ns = s->now_ns;
	}
}

static void slowness_note(struct gdb *g, uint64_t now)
{
	uint64_t took = now - g->sampler.sent_ns;

	if (g->awaited && !g->sampler.asked && g->step <= STEP_GO && took > g->slowest_ns)
		g->slowest_ns = took;
	g->awaited = g->sampler.asked;
}

/* Once a second, and what is due is planned. */
static void time_pass(struct gdb *g, uint64_t now)
{
	struct sampler *s = &g->sampler;

	slowness_note(g, now);
	s->now_ns = now;
	s->live = true;
	if (g->step == STEP_DOWN) {
		step_enter(g, STEP_SUPPORTED);
		s->reported_ns = now;
	}
	if (s->asked && now - s->sent_ns >= answer_time(g))
		answer_missed(g);
	if (now - s->reported_ns >= CLOCK_SECOND)
		probe_report(g);
	if (g->step == STEP_PAUSE && !s->planned)
		s->due_ns = sampler_due(s, g->stop_hz);
	sampler_tick(s, now);
}

static void gdb_ask(struct wire *w, uint64_t now, struct wire_out *out)
{
	struct gdb *g = (struct gdb *)w;
	struct sampler *s = &g->sampler;

	acks_send(g, out);
	time_pass(g, now);
	if (s->asked || now < s->due_ns || g->step == STEP_QUIET)
		return;
	pause_end(g);
	if (g->step == STEP_PAUSE || !question_send(g, out))
		return;
	sampler_asked(s);
	g->awaited = true;
	if (g->step == STEP_STOP)
		s->sample_ns = now;
	if (g->step == STEP_GO)
		target_went(g);
}

static int gdb_timeout(const struct wire *w, uint64_t now)
{
	const struct gdb *g = (const struct gdb *)w;
	const struct sampler *s = &g->sampler;

	if (g->step == STEP_DOWN || g->owed || g->nak_owed)
		return 0;
	if (g->step == STEP_QUIET)
		return clock_ms_until(s->reported_ns + CLOCK_SECOND, now);
	if (g->step == STEP_PAUSE && now >= s->due_ns && !g->taken)
		return 1;
	return clock_ms_until(s->asked ? s->sent_ns + answer_time(g) : s->due_ns, now);
}

/* --- the decoder ------------------------------------------------------------------------------ */

static int gdb_init(struct wire *w, const struct wire_options *o, struct err *err)
{
	struct gdb *g = (struct gdb *)w;

	(void)err;
	sampler_init(&g->sampler, w, o ? o->hz : 0);
	g->sampler.why_apart = true;
	g->stop_hz = o ? o->stop_hz : 0;
	g->acks = true;
	snprintf(w->note, sizeof(w->note), "gdb: no answer yet");
	return 0;
}

/* Of what comes behind gdb_leave, only that it is the answer and that the target stopped count. */
static void leaving_take(struct gdb *g, const char *text)
{
	g->stands |= is_stop(text);
	g->sampler.asked &= is_console(text);
	g->owed += g->acks;
}

/* It is asked again, but not at once: who refuses all would be asked without end. */
static void nak_take(struct sampler *s)
{
	if (s->asked)
		s->due_ns = s->now_ns + AGAIN_NS;
	s->asked = false;
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
			nak_take(&g->sampler);
			break;
		case RSP_NOTHING:
			break;
		}
	}
}

static void gdb_set_code(struct wire *w)
{
	sampler_set_code(&((struct gdb *)w)->sampler);
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
	g->stands = g->nak_owed = g->deaf = false;
	g->acks = true;
	g->owed = 0;
	g->stopped_ns = g->slowest_ns = 0;
	g->awaited = false;
	g->rsp = (struct rsp){ .state = RSP_OUT };
	sampler_down(&g->sampler);
}

/*
 * A target that we stopped, or are about to, goes on; and one that the server halted for us, when
 * we connected. Behind a question that was not answered yet nothing is sent: simavr and mspdebug
 * lose what comes behind a stop.
 */
static bool gdb_leave(struct wire *w, bool last, struct wire_out *out)
{
	struct gdb *g = (struct gdb *)w;
	bool begins = g->sampler.live && g->step > STEP_DOWN && g->step <= STEP_GO;
	char packet[8];

	g->leaves = true;
	acks_send(g, out);
	if (g->sampler.asked && (begins || by_stops(g)) && !last)
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
