/*
 * openocd_server: the Tcl server's side, made by its manual apart from the code under test:
 * commands end with 0x1a, so do answers; a core's registers behind it.
 */
#ifndef WSNTOP_TESTS_OPENOCD_SERVER_H
#define WSNTOP_TESTS_OPENOCD_SERVER_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/wire/wire.h"

enum { SERVER_BYTES = 1 << 22, SERVER_BASE = 0x8000000, SERVER_MEMORY = 1 << 14 };

struct server {
	struct wire *wire;
	uint64_t now;
	/* the core */
	uint32_t cpuid, demcr, dwt_ctrl, cyccnt, pc;
	bool asleep, halted, locked, trace_sticks, mute;
	unsigned wakes;			/* DHCSR says awake though PCSR did not, so many times */
	uint32_t memory[SERVER_MEMORY / 4];	/* from SERVER_BASE on */
	unsigned blocks_asked;
	char last[2048];		/* command */
	char unsaid[16][1200];		/* while it is mute */
	unsigned commands, writes, samples_asked;
	uint64_t events;		/* of what is watched, the last ones: */
	struct wire_event heard[64];
	double hz;			/* of their ticks */
	struct wire_watching watching;
	size_t piece;			/* how answers are cut */
	/* what was heard */
	uint64_t pcs, pc_sum, asleeps, told, identities;
	struct wire_identity identity;
	struct wire_probe probe;
	char core[64];
	/* all answers, for a replay; last, for it is large and never cleared */
	size_t said_n;
	char said[SERVER_BYTES];
};

static inline void server_hear_samples(void *ctx, const uint32_t *pcs, size_t n)
{
	struct server *s = ctx;

	s->pcs += n;
	for (size_t i = 0; i < n; i++)
		s->pc_sum += pcs[i];
}

static inline void server_hear_asleep(void *ctx, size_t n)
{
	((struct server *)ctx)->asleeps += n;
}

static inline void server_hear_probe(void *ctx, const struct wire_probe *probe)
{
	struct server *s = ctx;

	s->told++;
	s->probe = *probe;
	snprintf(s->core, sizeof(s->core), "%s", probe->core);
}

static inline void server_hear_identity(void *ctx, const struct wire_identity *identity)
{
	struct server *s = ctx;

	s->identities++;
	s->identity = *identity;
}

static inline void server_hear_events(void *ctx, const struct wire_event *events, size_t n)
{
	struct server *s = ctx;

	for (size_t i = 0; i < n; i++)
		s->heard[s->events++ % 64] = events[i];
}

static inline void server_hear_seeing(void *ctx, const struct wire_seeing *seeing)
{
	((struct server *)ctx)->hz = seeing->ticks_per_second;
}

static inline void server_hear_watching(void *ctx, const struct wire_watching *watching)
{
	((struct server *)ctx)->watching = *watching;
}

static inline struct wire_sink server_sink(struct server *s)
{
	return (struct wire_sink){ .ctx = s, .identity = server_hear_identity,
				   .samples = server_hear_samples,
				   .asleep = server_hear_asleep, .probe = server_hear_probe,
				   .events = server_hear_events, .seeing = server_hear_seeing,
				   .watching = server_hear_watching };
}

/* As new, in memory that is there already: its megabytes of answers cost nothing then. */
static inline void server_begin(struct server *s, double hz)
{
	struct wire_options o = { .hz = hz };
	struct wire_sink sink = server_sink(s);

	memset(s, 0, offsetof(struct server, said));
	s->now = CLOCK_SECOND;
	s->cpuid = 0x412fc231;
	s->dwt_ctrl = 0x40000000;
	s->pc = 0x1000;
	s->trace_sticks = true;
	s->piece = SIZE_MAX;
	s->wire = wire_new("openocd", &o, &sink, NULL);
	if (!s->wire)
		abort();
}

static inline void server_end(struct server *s)
{
	wire_free(s->wire);
}

static inline struct server *server_new(double hz)
{
	struct server *s = malloc(sizeof(*s));

	if (!s)
		abort();
	server_begin(s, hz);
	return s;
}

static inline void server_free(struct server *s)
{
	server_end(s);
	free(s);
}

static inline uint32_t server_pcsr(struct server *s)
{
	if (!(s->demcr >> 24 & 1) || s->halted || s->asleep || s->locked || s->wakes)
		return UINT32_MAX;
	return s->pc;
}

static inline uint32_t server_dhcsr(struct server *s)
{
	s->wakes -= s->wakes > 0;
	return s->halted ? 0x30000 : s->asleep ? 0x1050000 : 0x1010000;
}

static inline uint32_t server_register(const struct server *s, uint32_t address)
{
	return address == 0xe000ed00 ? s->cpuid : address == 0xe000edfc ? s->demcr :
	       address == 0xe0001000 ? s->dwt_ctrl : 0;
}

static inline void server_write(struct server *s, uint32_t address, uint32_t value)
{
	s->writes++;
	if (address == 0xe000edfc && s->trace_sticks)
		s->demcr = value;
	if (address == 0xe0001000)
		s->dwt_ctrl = value;
}

static inline void server_say(struct server *s, const char *text)
{
	size_t n = strlen(text);

	if (s->said_n + n + 1 > SERVER_BYTES)
		abort();
	memcpy(s->said + s->said_n, text, n);
	s->said[s->said_n + n] = 0x1a;
	for (size_t at = 0; at < n + 1; at += s->piece) {
		size_t left = n + 1 - at;

		wire_feed(s->wire, (const uint8_t *)s->said + s->said_n + at,
			  left < s->piece ? left : s->piece);
		if (s->piece == SIZE_MAX)
			break;
	}
	s->said_n += n + 1;
}

/* A block of code, with what stands before it; memory that is not there has no words. */
static inline bool server_block(struct server *s, const char *command, char *text, size_t size)
{
	unsigned address, index, count, again;
	const char *tag = strstr(command, "concat ");
	size_t n;

	if (sscanf(command, "if {[catch {read_memory 0x%x 32 16} s]} ", &address) != 1 || !tag ||
	    sscanf(tag, "concat %*u:%*u %u %u 0x%x $s", &index, &count, &again) != 3)
		return false;
	if (again != address || address % 4)
		abort();
	s->blocks_asked++;
	n = (size_t)snprintf(text, size, "%u %u 0x%x", index, count, address);
	for (unsigned i = 0; i < 16; i++) {
		uint32_t at = address - SERVER_BASE + 4 * i;

		if (at < SERVER_MEMORY)
			n += (size_t)snprintf(text + n, size - n, " 0x%x", s->memory[at / 4]);
	}
	return true;
}

/* Of one variable: what is there, in accesses of this width; nothing where there is no memory. */
static inline size_t server_variable(const struct server *s, const char *read, char *text,
				     size_t size)
{
	unsigned address, width, count;
	size_t n;

	if (sscanf(read, "read_memory 0x%x %u %u}", &address, &width, &count) != 3 ||
	    address % (width / 8))
		abort();
	n = (size_t)snprintf(text, size, " | 0x%08x %u ", address, width);
	for (unsigned i = 0; i < count; i++) {
		uint32_t at = address - SERVER_BASE + i * width / 8, value = 0;

		if (at >= SERVER_MEMORY)
			break;
		memcpy(&value, (const uint8_t *)s->memory + at, width / 8);
		n += (size_t)snprintf(text + n, size - n, " 0x%x", value);
	}
	return n;
}

/* What is read together with a sample. */
static inline void server_reads(struct server *s, const char *command, char *text, size_t size)
{
	size_t n = strlen(text);
	const char *at = strstr(command, "append s { | ");
	unsigned hz, counter;

	if (!at)
		return;
	if (sscanf(at, "append s { | %u %u}", &hz, &counter) == 2)
		n += (size_t)snprintf(text + n, size - n, " | %u %u", hz, counter);
	else if (sscanf(at, "append s { | %u}", &hz) == 1)
		n += (size_t)snprintf(text + n, size - n, " | %u", hz);
	else
		abort();
	for (at = strchr(at, ';'); (at = strstr(at, "catch {read_memory")); at++)
		n += server_variable(s, at + 7, text + n, size - n);
}

static inline void server_answer(struct server *s, const char *command)
{
	char text[1024] = "", answer[1100];
	const char *tag = strstr(command, "concat ");
	uint32_t address, value;
	unsigned step = 0, number = 0;

	snprintf(s->last, sizeof(s->last), "%.2000s", command);
	s->commands++;
	if (tag)
		sscanf(tag, "concat %u:%u", &step, &number);
	if (sscanf(command, "write_memory 0x%x 32 0x%x", &address, &value) == 2) {
		server_write(s, address, value);
	} else if (sscanf(command, "concat %*u:%*u [read_memory 0x%x 32 1]", &address) == 1) {
		snprintf(text, sizeof(text), "0x%x", server_register(s, address));
	} else if (strncmp(command, "set s [read_memory 0xE0001000 32 8]", 35) == 0) {
		uint32_t pcsr = server_pcsr(s);

		s->samples_asked++;
		s->cyccnt += 72000;
		snprintf(text, sizeof(text), "0x%x 0x%x 0x0 0x0 0x0 0x0 0x0 0x%x", s->dwt_ctrl,
			 s->cyccnt, pcsr);
		if (pcsr == UINT32_MAX)
			snprintf(text + strlen(text), 16, " 0x%x", server_dhcsr(s));
		server_reads(s, command, text, sizeof(text));
	} else if (!server_block(s, command, text, sizeof(text))) {
		abort();
	}
	snprintf(answer, sizeof(answer), *text ? "%u:%u %s" : "%u:%u", step, number, text);
	if (!s->mute)
		server_say(s, answer);
	else
		snprintf(s->unsaid[s->commands % 16], sizeof(s->unsaid[0]), "%s", answer);
}

/* Milliseconds of the host's time: it asks, the server answers half a millisecond later. */
static inline void server_run(struct server *s, unsigned ms)
{
	uint64_t end = s->now + ms * UINT64_C(1000000);

	while (s->now < end) {
		struct wire_out out = { .room = WIRE_OUT_MAX };
		int wait;

		wire_ask(s->wire, s->now, &out);
		if (out.count) {
			if (out.bytes[out.count - 1] != 0x1a)
				abort();
			out.bytes[out.count - 1] = '\0';
			s->now += 500000;
			server_answer(s, (const char *)out.bytes);
			continue;
		}
		wait = wire_timeout(s->wire, s->now);
		if (wait < 0)
			abort();
		s->now += wait ? (uint64_t)wait * 1000000 : 1000;
	}
}

#endif
