/*
 * setup_server: OpenOCD's Tcl server, or a gdb server, as SWO's set-up meets it, made by their
 * manuals apart from the code under test; a chip's registers behind it, all of which keep what is
 * written.
 */
#ifndef WSNTOP_TESTS_SETUP_SERVER_H
#define WSNTOP_TESTS_SETUP_SERVER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/wire/wire.h"

enum { SERVER_WORDS = 64 };

struct setup_server {
	struct wire *wire;
	uint64_t now;
	double hz;			/* of CYCCNT */
	struct {
		uint32_t address, value;
	} words[SERVER_WORDS];
	size_t count;
	uint32_t stuck;			/* it takes nothing; 0: none */
	bool mute, unreadable;
	bool gdb;			/* speaks gdb's remote protocol, and acknowledges */
	bool halted;			/* gdb: by the connection, until it is continued */
	unsigned acks;			/* gdb: sent by us, not yet by the client */
	uint64_t late_ns;		/* that a question is under way, beyond the usual */
	size_t piece;
	struct wire_setup heard;
	char wrong[200];
};

static inline uint32_t setup_server_word(const struct setup_server *s, uint32_t address)
{
	for (size_t i = 0; i < s->count; i++) {
		if (s->words[i].address == address)
			return s->words[i].value | (address == 0xe0001000 ? 0x40000000 : 0);
	}
	return 0;
}

static inline void setup_server_write(struct setup_server *s, uint32_t address, uint32_t value)
{
	size_t i = 0;

	while (i < s->count && s->words[i].address != address)
		i++;
	if (i == SERVER_WORDS)
		abort();
	s->count += i == s->count;
	s->words[i].address = address;
	s->words[i].value = address == s->stuck ? 0 : value;
}

static inline void setup_server_hear(void *ctx, const struct wire_setup *setup)
{
	struct setup_server *s = ctx;

	s->heard = *setup;
	snprintf(s->wrong, sizeof(s->wrong), "%s", setup->wrong);
}

/* Clock and baud rate as the user named them; 0: not. */
static inline struct setup_server *setup_server_begin(const char *format, double clock_hz,
						      double baud, const char *chip)
{
	struct setup_server *s = calloc(1, sizeof(*s));
	struct wire_sink sink = { .ctx = s, .setup = setup_server_hear };
	struct wire_options o = { .clock_hz = (uint64_t)clock_hz, .baud = baud, .chip = chip };

	if (!s)
		abort();
	s->now = CLOCK_SECOND;
	s->hz = 72e6;
	s->piece = SIZE_MAX;
	s->gdb = s->halted = strcmp(format, WIRE_SETUP_GDB) == 0;
	s->wire = wire_new(format, &o, &sink, NULL);
	if (!s->wire)
		abort();
	return s;
}

static inline struct setup_server *setup_server_new(double clock_hz, double baud, const char *chip)
{
	return setup_server_begin(WIRE_SETUP, clock_hz, baud, chip);
}

static inline void setup_server_free(struct setup_server *s)
{
	wire_free(s->wire);
	free(s);
}

static inline uint32_t setup_server_read(const struct setup_server *s, uint32_t address)
{
	return address == 0xe0001004 ? (uint32_t)(int64_t)((double)s->now / 1e9 * s->hz) :
				       setup_server_word(s, address);
}

static inline void setup_server_send(struct setup_server *s, const char *answer, size_t n)
{
	for (size_t at = 0; at < n && !s->mute; at += s->piece < n ? s->piece : n)
		wire_feed(s->wire, (const uint8_t *)answer + at,
			  s->piece < n - at ? s->piece : n - at);
}

static inline void setup_server_answer(struct setup_server *s, const char *command)
{
	char answer[120] = "";
	uint32_t address, value;
	unsigned number = 0;
	size_t n;

	if (sscanf(command, "write_memory 0x%x 32 0x%x; concat %u:", &address, &value,
		   &number) == 3) {
		setup_server_write(s, address, value);
		snprintf(answer, sizeof(answer), "%u:", number);
	} else if (sscanf(command, "concat %u: [read_memory 0x%x 32 1]", &number, &address) == 2) {
		snprintf(answer, sizeof(answer), "%u: 0x%x", number, setup_server_read(s, address));
	} else {
		abort();
	}
	if (s->unreadable)
		snprintf(answer, sizeof(answer), "read_memory: failed to read memory");
	n = strlen(answer) + 1;
	answer[n - 1] = 0x1a;
	setup_server_send(s, answer, n);
}

static inline uint32_t setup_server_swap(uint32_t v)
{
	return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24;
}

/* "$contents#sum", acknowledgements between them. */
static inline void setup_server_packet(struct setup_server *s, const char *contents)
{
	char answer[120] = "", packet[140];
	uint32_t address, value;
	unsigned sum = 0;
	bool silent = false;

	if (sscanf(contents, "M%x,4:%x", &address, &value) == 2 && !s->unreadable) {
		setup_server_write(s, address, setup_server_swap(value));
		snprintf(answer, sizeof(answer), "OK");
	} else if (sscanf(contents, "m%x,4", &address) == 1 && !s->unreadable) {
		snprintf(answer, sizeof(answer), "%08x",
			 setup_server_swap(setup_server_read(s, address)));
	} else if (strcmp(contents, "?") == 0) {
		snprintf(answer, sizeof(answer), "T05thread:01;");
	} else if (strcmp(contents, "c") == 0) {
		s->halted = false;
		silent = true;
	} else if (strncmp(contents, "qSupported", 10) == 0) {
		snprintf(answer, sizeof(answer), "PacketSize=4000;QStartNoAckMode+");
	} else {
		snprintf(answer, sizeof(answer), "E01");
	}
	for (const char *c = answer; *c; c++)
		sum += (unsigned char)*c;
	snprintf(packet, sizeof(packet), silent ? "+" : "+$%s#%02x", answer, sum & 0xff);
	s->acks += !silent;
	setup_server_send(s, packet, strlen(packet));
}

static inline void setup_server_packets(struct setup_server *s, char *bytes)
{
	for (char *at = bytes; *at; at++) {
		char *end = strchr(at, '#');

		if (*at == '+' && s->acks) {
			s->acks--;
			continue;
		}
		if (*at != '$' || !end || s->acks)
			abort();		/* a packet before ours was acknowledged */
		*end = '\0';
		setup_server_packet(s, at + 1);
		at = end + 2;
	}
}

static inline void setup_server_hears(struct setup_server *s, struct wire_out *out)
{
	if (s->gdb) {
		out->bytes[out->count] = '\0';
		setup_server_packets(s, (char *)out->bytes);
		return;
	}
	if (out->bytes[out->count - 1] != 0x1a)
		abort();
	out->bytes[out->count - 1] = '\0';
	setup_server_answer(s, (const char *)out->bytes);
}

/* Milliseconds of the host's time; an answer comes half a millisecond after its question. */
static inline void setup_server_run(struct setup_server *s, unsigned ms)
{
	uint64_t end = s->now + ms * UINT64_C(1000000);

	while (s->now < end) {
		struct wire_out out = { .room = WIRE_OUT_MAX - 1 };
		int wait;

		wire_ask(s->wire, s->now, &out);
		if (out.count) {
			s->now += 250000 + s->late_ns;
			setup_server_hears(s, &out);
			s->now += 250000;
			continue;
		}
		wait = wire_timeout(s->wire, s->now);
		if (wait < 0)
			abort();
		s->now += wait ? (uint64_t)wait * 1000000 : 1000;
	}
}

#endif
