/*
 * gdb_server: a server of gdb's remote protocol, made by gdb's manual apart from the code under
 * test, with the habits of those that there are.
 */
#ifndef WSNTOP_TESTS_GDB_SERVER_H
#define WSNTOP_TESTS_GDB_SERVER_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/wire/wire.h"

enum { GDB_SAID = 1 << 22, GDB_POINTS = 16, GDB_VARIABLE = 0x20000000, GDB_EVENTS = 4096 };

/* An instruction of a program: where, with which registers, and what it writes. */
struct gdb_insn {
	uint32_t pc, sp, link;
	bool writes;			/* the variable */
	uint32_t value, psr;
};

struct gdb_server {
	struct wire *wire;
	uint64_t now;
	/* its habits */
	const char *supported;		/* answer to qSupported */
	bool reads;			/* memory, while the target runs */
	bool single;			/* registers, by p */
	bool stop_pc;			/* the stop reply has the PC */
	bool needs_ack;			/* says a packet again until it is acknowledged */
	bool mute, no_flash;
	bool scans;			/* a Black Magic Probe: its target is to be found first */
	unsigned scanned, attached;
	bool left_running;		/* as somebody connects */
	bool says_nothing;		/* of why it stands */
	bool tells_connect;		/* a stop, of its own accord, before its first answer */
	bool clocked;			/* CYCCNT counts 72 MHz of this clock */
	uint64_t delay_ns;		/* that it takes for an answer; one question at a time */
	uint8_t queue[4096];		/* heard, not looked at yet */
	size_t queue_n;
	uint64_t ready_ns;
	const char *stale;		/* said first: answers to somebody before us */
	bool slow;			/* a stop is told later; what comes meanwhile is lost */
	bool stopping;
	uint32_t firmware;		/* another one has other words */
	unsigned blocks_asked;
	/* a program, again and again, 10 us an instruction; watched */
	const struct gdb_insn *program;
	size_t program_n, program_at;
	uint64_t ran_ns;		/* until then */
	uint32_t variable, fp_ctrl;
	bool stops_before;		/* what it watches is written */
	bool stops_again;		/* at a breakpoint where it goes on */
	bool blind;			/* says no "watch" */
	bool no_cycles;
	size_t room;			/* for breakpoints; 0: any number */
	struct gdb_set {
		unsigned type, address;
	} set[GDB_POINTS];
	size_t set_n;
	uint32_t frame[2];		/* at any stack pointer, an exception's end */
	/* the target */
	bool runs, asleep;
	uint32_t demcr, dwt_ctrl, pc, cyccnt;
	uint64_t stood_ns, since_ns;
	unsigned stops, goes, reads_running, acks, spoiled, greetings;
	unsigned spoil;			/* each so many-th packet has a wrong sum */
	char unacked[2048];
	char in[4096];
	size_t in_n;
	size_t piece;
	/* what was heard */
	uint64_t pcs, pc_sum, asleeps;
	struct wire_probe probe;
	uint64_t identities;
	struct wire_identity identity;
	char text[64];
	struct wire_watching watching;
	struct wire_seeing seeing;
	uint64_t totals;
	/* events, and all that it said; last, for they are large and never cleared */
	size_t event_n, said_n;
	struct wire_event events[GDB_EVENTS];
	char said[GDB_SAID];
};

static inline void gdb_hear_samples(void *ctx, const uint32_t *pcs, size_t n)
{
	struct gdb_server *s = ctx;

	for (size_t i = 0; i < n; i++)
		s->pc_sum += pcs[i];
	s->pcs += n;
}

static inline void gdb_hear_asleep(void *ctx, size_t n)
{
	((struct gdb_server *)ctx)->asleeps += n;
}

static inline void gdb_hear_probe(void *ctx, const struct wire_probe *p)
{
	((struct gdb_server *)ctx)->probe = *p;
	((struct gdb_server *)ctx)->probe.core = NULL;
}

static inline void gdb_hear_identity(void *ctx, const struct wire_identity *identity)
{
	struct gdb_server *s = ctx;

	s->identities++;
	s->identity = *identity;
}

static inline void gdb_hear_text(void *ctx, const char *text, size_t n)
{
	struct gdb_server *s = ctx;

	snprintf(s->text, sizeof(s->text), "%.*s", (int)n, text);
}

static inline void gdb_hear_events(void *ctx, const struct wire_event *events, size_t n)
{
	struct gdb_server *s = ctx;

	for (size_t i = 0; i < n && s->event_n < GDB_EVENTS; i++)
		s->events[s->event_n++] = events[i];
}

static inline void gdb_hear_watching(void *ctx, const struct wire_watching *watching)
{
	((struct gdb_server *)ctx)->watching = *watching;
}

static inline void gdb_hear_seeing(void *ctx, const struct wire_seeing *seeing)
{
	((struct gdb_server *)ctx)->seeing = *seeing;
}

static inline void gdb_hear_totals(void *ctx, const struct wire_total *totals, size_t n)
{
	(void)totals;
	((struct gdb_server *)ctx)->totals += n;
}

/* As new, in memory that is there already: its megabytes of answers cost nothing then. */
static inline void gdb_server_begin(struct gdb_server *s, struct wire_options o)
{
	struct wire_sink sink = { .ctx = s, .samples = gdb_hear_samples,
				  .asleep = gdb_hear_asleep, .probe = gdb_hear_probe,
				  .text = gdb_hear_text, .identity = gdb_hear_identity,
				  .events = gdb_hear_events, .watching = gdb_hear_watching,
				  .seeing = gdb_hear_seeing, .totals = gdb_hear_totals };

	memset(s, 0, offsetof(struct gdb_server, events));
	s->now = s->since_ns = CLOCK_SECOND;
	s->supported = "PacketSize=4000;QStartNoAckMode+;qXfer:features:read+;vContSupported+";
	s->reads = s->single = true;
	s->dwt_ctrl = 0x40000000;
	s->pc = 0x1000;
	s->piece = SIZE_MAX;
	s->wire = wire_new("gdb", &o, &sink, NULL);
	if (!s->wire)
		abort();
}

static inline void gdb_server_end(struct gdb_server *s)
{
	wire_free(s->wire);
}

static inline struct gdb_server *gdb_server_open(struct wire_options o)
{
	struct gdb_server *s = malloc(sizeof(*s));

	if (!s)
		abort();
	gdb_server_begin(s, o);
	return s;
}

static inline struct gdb_server *gdb_server_new(double hz, double stop_hz)
{
	return gdb_server_open((struct wire_options){ .hz = hz, .stop_hz = stop_hz });
}

static inline void gdb_server_free(struct gdb_server *s)
{
	gdb_server_end(s);
	free(s);
}

static inline void gdb_feed_pieces(struct gdb_server *s, const char *text, size_t n)
{
	if (s->said_n + n > GDB_SAID)
		abort();
	memcpy(s->said + s->said_n, text, n);
	s->said_n += n;
	for (size_t at = 0; at < n; at += s->piece < n ? s->piece : n)
		wire_feed(s->wire, (const uint8_t *)text + at,
			  n - at < s->piece ? n - at : s->piece);
}

/* Two hex digits. fuzz_gdb says thousands of packets an input, and printf is slow. */
static inline void gdb_byte_hex(char *dst, uint8_t byte)
{
	static const char digits[] = "0123456789abcdef";

	dst[0] = digits[byte >> 4];
	dst[1] = digits[byte & 15];
}

static inline void gdb_say(struct gdb_server *s, const char *contents)
{
	enum { CONTENTS_MAX = 1800 };
	char packet[CONTENTS_MAX + 4];
	size_t n = strnlen(contents, CONTENTS_MAX);
	uint8_t sum = 0;

	if (s->mute)
		return;
	for (const char *p = contents; *p; p++)
		sum += (uint8_t)*p;
	if (s->spoil && ++s->spoiled % s->spoil == 0)
		sum++;
	packet[0] = '$';
	memcpy(packet + 1, contents, n);
	packet[n + 1] = '#';
	gdb_byte_hex(packet + n + 2, sum);
	if (contents != s->unacked)
		memmove(s->unacked, contents, strnlen(contents, sizeof(s->unacked) - 1) + 1);
	gdb_feed_pieces(s, packet, n + 4);
}

static inline void gdb_hex(char *dst, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		gdb_byte_hex(dst + 2 * i, (uint8_t)(value >> 8 * i));
	dst[8] = '\0';
}

static inline void gdb_stop_reply(struct gdb_server *s)
{
	char text[64] = "T05thread:01;", hex[9];

	gdb_hex(hex, s->pc);
	if (s->stop_pc)
		sprintf(text + strlen(text), "0f:%s;", hex);
	gdb_say(s, text);
}

/* --- a program -------------------------------------------------------------------------------- */

static inline bool gdb_is_set(const struct gdb_server *s, unsigned type, uint32_t address)
{
	for (size_t i = 0; i < s->set_n; i++)
		if (s->set[i].type == type && s->set[i].address == address)
			return true;
	return false;
}

static inline void gdb_point(struct gdb_server *s, const char *c)
{
	struct gdb_set p;
	size_t breaks = 0, at = s->set_n;

	if (sscanf(c + 1, "%u,%x", &p.type, &p.address) != 2 || (s->runs && *c == 'z'))
		abort();
	if (s->runs) {
		gdb_say(s, "E0E");
		return;
	}
	for (size_t i = 0; i < s->set_n; i++) {
		breaks += s->set[i].type == 1;
		if (s->set[i].type == p.type && s->set[i].address == p.address)
			at = i;
	}
	if (*c == 'z') {
		if (at == s->set_n)
			abort();	/* never set, or twice taken away */
		s->set[at] = s->set[--s->set_n];
	} else if (at < s->set_n) {
		abort();
	} else if (s->set_n == GDB_POINTS || (s->room && p.type == 1 && breaks == s->room)) {
		gdb_say(s, "E01");
		return;
	} else {
		s->set[s->set_n++] = p;
	}
	gdb_say(s, "OK");
}

static inline void gdb_stop_tell(struct gdb_server *s, bool watch)
{
	char text[64] = "T05thread:01;";

	s->runs = false;
	s->since_ns = s->now;
	if (watch && !s->blind)
		sprintf(text + strlen(text), "watch:%x;", GDB_VARIABLE);
	gdb_say(s, text);
}

/* Runs the instruction at hand. True: it stops for that. */
static inline bool gdb_insn_run(struct gdb_server *s)
{
	const struct gdb_insn *i = &s->program[s->program_at];
	bool watch = i->writes && gdb_is_set(s, 2, GDB_VARIABLE);

	if (watch && s->stops_before) {
		gdb_stop_tell(s, true);
		return true;
	}
	s->program_at = (s->program_at + 1) % s->program_n;
	s->cyccnt += 720;
	if (i->writes)
		s->variable = i->value;
	if (watch)
		gdb_stop_tell(s, true);
	return watch;
}

static inline void gdb_program_run(struct gdb_server *s)
{
	while (s->program && s->runs && s->ran_ns < s->now) {
		s->ran_ns += 10000;
		if (gdb_insn_run(s))
			return;
		if (gdb_is_set(s, 1, s->program[s->program_at].pc)) {
			gdb_stop_tell(s, false);
			return;
		}
	}
}

static inline void gdb_program_go(struct gdb_server *s, bool step)
{
	s->ran_ns = s->now;
	if (!step && s->stops_again && gdb_is_set(s, 1, s->program[s->program_at].pc)) {
		gdb_stop_tell(s, false);
		return;
	}
	if (step && !gdb_insn_run(s))
		gdb_stop_tell(s, false);
}

/* --- commands --------------------------------------------------------------------------------- */

static inline bool gdb_program_read(struct gdb_server *s, unsigned address, unsigned bytes)
{
	char text[80] = "";

	if (!s->program || address >= 0xe0000000)
		return false;
	if (address == GDB_VARIABLE && bytes == 4)
		gdb_hex(text, s->variable);
	else if (bytes == 8)		/* the end of an exception's frame */
		for (unsigned i = 0; i < 2; i++)
			gdb_hex(text + 8 * i, s->frame[i]);
	else
		return false;
	gdb_say(s, text);
	return true;
}

static inline void gdb_memory_reply(struct gdb_server *s, const char *command)
{
	unsigned address, bytes;
	char text[160] = "";

	if (sscanf(command, "m%x,%x", &address, &bytes) != 2)
		abort();
	if (bytes > sizeof(text) / 2 - 1)
		abort();
	if (gdb_program_read(s, address, bytes))
		return;
	s->blocks_asked += address < 0xe0000000;
	if (s->no_flash && address < 0xe0000000) {
		gdb_say(s, "E01");
		return;
	}
	s->reads_running += s->runs;
	s->cyccnt += s->program ? 0 : 72000;
	if (s->clocked)
		s->cyccnt = (uint32_t)(s->now * 72 / 1000);
	for (unsigned i = 0; i < bytes / 4; i++) {
		unsigned a = address + 4 * i;
		bool on = s->demcr >> 24 & 1;

		gdb_hex(text + 8 * i, a == 0xe000ed00 ? 0x412fc231 : a == 0xe000edfc ? s->demcr :
			a == 0xe0002000 ? s->fp_ctrl : a == 0xe0001000 ? s->dwt_ctrl :
			a == 0xe0001004 ? s->cyccnt :
			a == 0xe000101c ? (on && !s->asleep ? s->pc : UINT32_MAX) :
			a == 0xe000edf0 ? (s->asleep ? 0x1050000 : 0x1010000) :
			a < 0xe0000000 ? a * 2654435761u ^ s->firmware : 0);
	}
	gdb_say(s, text);
}

static inline void gdb_write_take(struct gdb_server *s, const char *command)
{
	unsigned address, b[4];

	if (sscanf(command, "M%x,4:%2x%2x%2x%2x", &address, &b[0], &b[1], &b[2], &b[3]) != 5)
		abort();
	if (address == 0xe000edfc)
		s->demcr = b[0] | b[1] << 8 | b[2] << 16 | b[3] << 24;
	else if (address == 0xe0001000 && s->no_cycles)
		s->dwt_ctrl = 0;
	else if (address == 0xe0001000)
		s->dwt_ctrl = b[0] | b[1] << 8 | b[2] << 16 | b[3] << 24;
	else
		abort();		/* nothing else is to be written */
	gdb_say(s, "OK");
}

static inline void gdb_registers(struct gdb_server *s)
{
	char text[200];

	memset(text, '0', 17 * 8);
	text[17 * 8] = '\0';
	gdb_hex(text + 15 * 8, s->pc);
	if (s->program) {
		const struct gdb_insn *i = &s->program[s->program_at];

		gdb_hex(text + 13 * 8, i->sp);
		gdb_hex(text + 14 * 8, i->link);
		gdb_hex(text + 15 * 8, i->pc);
		gdb_hex(text + 16 * 8, i->psr);
	}
	gdb_say(s, text);
}

static inline void gdb_command(struct gdb_server *s, const char *c)
{
	char hex[9];

	if (strncmp(c, "qSupported", 10) == 0) {
		s->greetings++;
		if (s->tells_connect && s->greetings == 1)
			gdb_say(s, "T02thread:p01.01;");
		if (s->stale && s->greetings == 1)
			gdb_say(s, s->stale);
		gdb_say(s, s->supported);
	} else if (strcmp(c, "QStartNoAckMode") == 0) {
		gdb_say(s, "OK");
	} else if (strncmp(c, "qXfer:features", 14) == 0) {
		gdb_say(s, "m<target>T05</target>");
	} else if (strcmp(c, "qRcmd,737764705f7363616e") == 0 && s->scans) {
		s->scanned++;
		gdb_say(s, "O5461726765740a");
		gdb_say(s, s->scanned > 1 ? "OK" : "E01");	/* found at the second look */
	} else if (strcmp(c, "vAttach;1") == 0 && s->scans) {
		s->attached++;
		gdb_say(s, s->scanned > 1 ? "T05thread:1;" : "E01");
	} else if (s->scans && !s->attached) {
		gdb_say(s, "E01");
	} else if (strcmp(c, "?") == 0) {
		s->runs = s->left_running;
		gdb_say(s, s->left_running ? "S00" : s->says_nothing ? "S00" : "S05");
	} else if (strcmp(c, "c") == 0) {
		s->goes++;
		s->stood_ns += s->runs ? 0 : s->now - s->since_ns;
		s->runs = true;
		s->unacked[0] = '\0';
		if (s->program)
			gdb_program_go(s, false);
	} else if (strcmp(c, "s") == 0) {
		gdb_program_go(s, true);
	} else if ((*c == 'Z' || *c == 'z') && s->program) {
		gdb_point(s, c);
	} else if (*c == 'm') {
		if (!s->runs || s->reads)
			gdb_memory_reply(s, c);
	} else if (*c == 'M') {
		gdb_write_take(s, c);
	} else if (*c == 'p') {
		gdb_hex(hex, s->pc);
		gdb_say(s, s->single ? hex : "");
	} else if (*c == 'g') {
		gdb_registers(s);
	} else {
		gdb_say(s, "");
	}
}

static inline void gdb_interrupt(struct gdb_server *s)
{
	if (!s->runs)
		return;
	s->stops++;
	s->stopping = s->slow;
	s->since_ns = s->now;
	if (s->slow)
		return;
	s->runs = false;
	gdb_stop_reply(s);
}

/* A slow one has stopped. */
static inline void gdb_stopped(struct gdb_server *s)
{
	if (!s->stopping)
		return;
	s->stopping = s->runs = false;
	s->since_ns = s->now;
	gdb_stop_reply(s);
}

/* Bytes of the client's. */
static inline void gdb_take(struct gdb_server *s, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n && !s->stopping; i++) {
		if (s->in_n == 0 && p[i] != '$') {
			s->acks += p[i] == '+';
			if (p[i] == 3)
				gdb_interrupt(s);
			else if (p[i] == '-' && s->unacked[0])
				gdb_say(s, s->unacked);
			else if (p[i] != '+' && p[i] != '-')
				abort();
			continue;
		}
		s->in[s->in_n++] = (char)p[i];
		if (s->in_n > 3 && s->in[s->in_n - 3] == '#') {
			s->in[s->in_n - 3] = '\0';
			s->in_n = 0;
			if (s->needs_ack)
				gdb_feed_pieces(s, "+", 1);
			gdb_command(s, s->in + 1);
		}
	}
}

/* What a slow one heard, a command at a time. */
static inline void gdb_queue_look(struct gdb_server *s)
{
	uint8_t *end;
	size_t n;

	if (!s->queue_n || s->now < s->ready_ns)
		return;
	end = memchr(s->queue, '#', s->queue_n);
	n = end ? (size_t)(end - s->queue) + 3 : s->queue_n;
	if (n > s->queue_n)
		abort();
	gdb_take(s, s->queue, n);
	s->queue_n -= n;
	memmove(s->queue, s->queue + n, s->queue_n);
	s->ready_ns = s->now + s->delay_ns;
}

static inline void gdb_hear(struct gdb_server *s, const struct wire_out *out)
{
	if (!s->delay_ns) {
		gdb_take(s, out->bytes, out->count);
		return;
	}
	if (s->queue_n + out->count > sizeof(s->queue))
		abort();		/* asked for ever */
	if (!s->queue_n)
		s->ready_ns = s->now + s->delay_ns;
	memcpy(s->queue + s->queue_n, out->bytes, out->count);
	s->queue_n += out->count;
}

static inline void gdb_run(struct gdb_server *s, unsigned ms)
{
	uint64_t end = s->now + ms * UINT64_C(1000000);

	while (s->now < end) {
		struct wire_out out = { .room = WIRE_OUT_MAX };
		int wait;

		gdb_queue_look(s);
		gdb_program_run(s);
		wire_ask(s->wire, s->now, &out);
		if (out.count) {
			s->now += 300000;
			gdb_hear(s, &out);
			continue;
		}
		wait = wire_timeout(s->wire, s->now);
		if (wait < 0)
			abort();
		if (s->stopping && s->now >= s->since_ns + UINT64_C(20000000))
			gdb_stopped(s);
		s->now += s->queue_n || s->program || !wait ? 1000000 : (uint64_t)wait * 1000000;
	}
}

#endif
