/*
 * probe: the baud rate found from what a UART at another rate hears of a line: bits resampled as a
 * receiver samples them.
 */
#include "tests/unit/itm_stream.h"
#include "tests/unit/wsn_stream.h"

#include <math.h>

#include "core/find/probe.h"

/* --- a line ----------------------------------------------------------------------------------- */

struct line {
	const uint8_t *bytes;		/* sent again and again */
	size_t count, burst;		/* burst: sent, then a pause as long */
	double rate;			/* bits a second */
};

/* Its level at a time: idle high, start bit, eight bits from the lowest, stop bit. */
static int level_of(const struct line *l, double seconds)
{
	double bits = seconds * l->rate;
	size_t frame = (size_t)(bits / 10), at = (size_t)fmod(bits, 10);

	if (l->burst && frame / l->burst % 2)
		return 1;
	if (l->burst)
		frame -= frame / l->burst / 2 * l->burst;
	if (at == 0 || at == 9)
		return at == 9;
	return l->bytes[frame % l->count] >> (at - 1) & 1;
}

struct receiver {
	double now, rate;
};

/*
 * The next byte: from a falling edge, each bit in its middle. A wrong stop bit is not told on
 * (INPCK is off). False: nothing within a second.
 */
static bool line_receive(struct receiver *r, const struct line *l, uint8_t *byte)
{
	double step = 1 / r->rate / 16, end = r->now + 1;

	while (!level_of(l, r->now) && r->now < end)
		r->now += step;
	while (level_of(l, r->now) && r->now < end)
		r->now += step;
	if (r->now >= end)
		return false;
	*byte = 0;
	for (int i = 0; i < 8; i++)
		*byte |= (uint8_t)(level_of(l, r->now + (1.5 + i) / r->rate) << i);
	r->now += 9.5 / r->rate;
	return true;
}

/* Until an answer is final; the number of changes in *changes. */
static enum probe_answer probe_hear(struct probe *p, const struct line *l, unsigned *changes)
{
	struct receiver r = { 0.3, (double)p->baud };
	enum probe_answer answer = PROBE_LISTEN;
	uint8_t byte;
	size_t used;

	*changes = 0;
	while (answer == PROBE_LISTEN || answer == PROBE_CHANGE) {
		bool got = line_receive(&r, l, &byte);
		uint64_t now = (uint64_t)(r.now * 1e9);

		answer = got ? probe_feed(p, now, &byte, 1, &used) : probe_wait(p, now);
		if (answer == PROBE_CHANGE) {
			++*changes;
			r.rate = (double)p->baud;
			probe_changed(p, now);
		}
		assert_true(r.now < 120);
	}
	return answer;
}

/* --- what is sent ----------------------------------------------------------------------------- */

static const char log_text[] =
	"[00:00:01.234] <inf> sensor: temperature 23.50, humidity 41 %\r\n"
	"[00:00:01.334] <wrn> radio: retry 3 of 5, channel 26\r\n"
	"\033[1;32mI (1234) wifi: connected\033[0m\r\n";

static const char report_text[] =
	"PROF:node:3:20:65536:32768\r\n120:200:100:16384:64:512\r\n130:400:50:32768:600:800\r\n"
	"220:300:100:8192:40:120\r\n\r\n";

/* Arcs and PCs of the gprof thesis, two bytes an address. */
static size_t arcs_write(uint8_t *dst)
{
	size_t n = 0;

	for (unsigned i = 0; i < 60; i++) {
		unsigned from = 0x1000 + 22 * (i * 7 % 40), to = 0x0800 + 36 * (i * 5 % 23);
		const uint8_t arc[] = { 'A', from >> 8, from & 255, to >> 8, to & 255 },
			      pc[] = { 'P', to >> 8, (to + 6) & 255 };

		memcpy(dst + n, arc, sizeof(arc));
		n += sizeof(arc);
		memcpy(dst + n, pc, i % 3 ? 0 : sizeof(pc));
		n += i % 3 ? 0 : sizeof(pc);
	}
	return n;
}

#define WSN_SCRIPT \
	"H|T 65536 0 1600 0 0 0 0 0 0 0 0 0 0 0|N mote|" \
	"S 0 288 512 100 16384 64 512 60 30 5 2 2 1 0 0|" \
	"S 1 304 1024 50 32768 600 800 0 0 50 0 0 0 0 0|T 131072 0 1600 0 0 0 0 0 0 0 0 0 0 0"

static void each_rate_is_found(void **state)
{
	struct stream wsn = { .epoch = 0 };
	uint8_t packets[1024];
	size_t packet_bytes = arcs_write(packets);
	struct { const char *what; const uint8_t *bytes; size_t count; } sent[] = {
		{ "text", (const uint8_t *)log_text, sizeof(log_text) - 1 },
		{ "prof packets", (const uint8_t *)report_text, sizeof(report_text) - 1 },
		{ "wsn packets", NULL, 0 },
		{ "gprof packets", packets, packet_bytes },
	};

	(void)state;
	stream_script(&wsn, WSN_SCRIPT);
	sent[2].bytes = (const uint8_t *)wsn.out.data;
	sent[2].count = wsn.out.len;
	for (size_t k = 0; k < COUNT(sent); k++) {
		for (const long *rate = probe_rates; *rate; rate++) {
			struct line l = { sent[k].bytes, sent[k].count, 0, (double)*rate };
			struct probe p;
			unsigned changes;

			probe_init(&p, 0, NULL, NULL);
			if (probe_hear(&p, &l, &changes) != PROBE_FOUND || p.baud != *rate ||
			    (strcmp(p.score.what, sent[k].what) && k != 1))
				fail_msg("%s at %ld: %s at %ld", sent[k].what, *rate,
					 p.score.what, p.baud);
			assert_int_equal(changes, (unsigned)(rate - probe_rates));
			assert_int_equal(p.tried, changes);
		}
	}
	stream_release(&wsn);
}

/* In bursts with pauses: nothing comes in between, and that is no reason to go on. */
static void bursts_are_waited_for(void **state)
{
	struct line l = { (const uint8_t *)log_text, sizeof(log_text) - 1, 700, 38400 };
	struct probe p;
	unsigned changes;

	(void)state;
	probe_init(&p, 0, NULL, NULL);
	assert_int_equal(probe_hear(&p, &l, &changes), PROBE_FOUND);
	assert_int_equal(p.baud, 38400);
}

/* What a port had last time is tried first, and not twice. */
static void the_likely_rate_comes_first(void **state)
{
	struct line l = { (const uint8_t *)log_text, sizeof(log_text) - 1, 0, 57600 };
	struct probe p;
	unsigned changes;

	(void)state;
	probe_init(&p, 57600, "auto", NULL);
	assert_int_equal(probe_hear(&p, &l, &changes), PROBE_FOUND);
	assert_int_equal(changes, 0);
	l.rate = 38400;
	probe_init(&p, 57600, "auto", NULL);
	assert_int_equal(probe_hear(&p, &l, &changes), PROBE_FOUND);
	assert_int_equal(p.baud, 38400);
	assert_int_equal(changes, 3);		/* 115200, 9600, 38400 */
}

/* Noise at any rate: all are tried once, then it is where it began. */
static void noise_ends_where_it_began(void **state)
{
	struct probe p;
	uint32_t seed = 1;
	unsigned changes = 0;
	enum probe_answer answer = PROBE_LISTEN;
	uint64_t now = 1;
	size_t used;

	(void)state;
	probe_init(&p, 0, NULL, NULL);
	while (answer == PROBE_LISTEN || answer == PROBE_CHANGE) {
		uint8_t byte = (uint8_t)((seed = seed * 1664525u + 1013904223u) >> 24);

		now += CLOCK_SECOND / 2000;
		answer = probe_feed(&p, now, &byte, 1, &used);
		if (answer == PROBE_CHANGE) {
			changes++;
			probe_changed(&p, now);
		}
	}
	assert_int_equal(answer, PROBE_LOST);
	assert_int_equal(p.baud, 115200);
	assert_int_equal(changes, 12);
	assert_true(now < 12 * CLOCK_SECOND);
}

/* Nothing heard: it waits at the first rate for ever; one line, however short, is enough. */
static void silence_changes_nothing(void **state)
{
	struct probe p;
	size_t used;

	(void)state;
	probe_init(&p, 0, NULL, NULL);
	for (uint64_t s = 1; s < 100; s++)
		assert_int_equal(probe_wait(&p, s * CLOCK_SECOND), PROBE_LISTEN);
	assert_int_equal(probe_due(&p), 0);
	assert_int_equal(
		probe_feed(&p, 200 * CLOCK_SECOND, (const uint8_t *)"tick 1\r\n", 8, &used),
		PROBE_LISTEN);
	assert_int_equal(probe_due(&p), 202 * CLOCK_SECOND);
	assert_int_equal(probe_wait(&p, 202 * CLOCK_SECOND), PROBE_FOUND);
	assert_int_equal(p.count, 8);
	assert_string_equal(p.score.what, "text");
}

/* Any pieces, the same answer and all bytes: heard, or left with the caller. */
static void pieces_of_any_size(void **state)
{
	(void)state;
	for (size_t piece = 1; piece <= 700; piece += piece / 3 + 1) {
		struct probe p;
		enum probe_answer answer = PROBE_LISTEN;
		size_t at = 0, used = 0, n = sizeof(log_text) - 1;

		probe_init(&p, 0, NULL, NULL);
		while (answer == PROBE_LISTEN && at < n) {
			size_t part = n - at < piece ? n - at : piece;

			answer = probe_feed(&p, CLOCK_SECOND, (const uint8_t *)log_text + at, part,
					    &used);
			at += used;
		}
		assert_int_equal(answer, PROBE_FOUND);
		assert_int_equal(at, 64);
		assert_memory_equal(p.bytes, log_text, p.count);
	}
}

/* A format that was asked for: most bytes must be its own. */
static void an_asked_format_is_judged_by_its_packets(void **state)
{
	uint8_t packets[1024], noise[512];
	size_t n = arcs_write(packets);
	uint32_t seed = 7;

	(void)state;
	for (size_t i = 0; i < sizeof(noise); i++)
		noise[i] = (uint8_t)((seed = seed * 1664525u + 1013904223u) >> 24);
	assert_int_equal(probe_score(packets, n, "gprof", NULL).sense, PROBE_PACKETS);
	assert_int_equal(probe_score(noise, sizeof(noise), "gprof", NULL).sense, PROBE_NONSENSE);
	assert_int_equal(probe_score(noise, sizeof(noise), "wsn", NULL).sense, PROBE_NONSENSE);
	assert_int_equal(probe_score(noise, 0, NULL, NULL).sense, PROBE_NONSENSE);
	memset(noise, 'U', sizeof(noise));
	assert_int_equal(probe_score(noise, sizeof(noise), NULL, NULL).sense, PROBE_NONSENSE);
}

/* PCs, handlers and their times at any rate of a UART on the SWO pin. */
static void a_trace_port_is_found(void **state)
{
	static struct itm_stream s;
	uint32_t seed = 5, now = 0;

	(void)state;
	while (s.n < 6000) {
		seed = seed * 1664525u + 1013904223u;
		itm_pc(&s, 0x08000000 + (seed >> 16 & 0x1ffe));
		itm_time(&s, 6000 + (seed >> 24) - now % 7);
		if (now++ % 9 == 0) {
			itm_exception(&s, 1, 15);
			itm_time(&s, 700);
			itm_exception(&s, 3, 0);
			itm_time(&s, 900);
		}
	}
	for (const long *rate = probe_rates_swo; *rate; rate++) {
		struct line l = { s.bytes, s.n, 0, (double)*rate };
		struct probe p;
		unsigned changes;

		probe_init(&p, 0, "itm", NULL);
		assert_int_equal(p.baud, 2000000);
		if (probe_hear(&p, &l, &changes) != PROBE_FOUND || p.baud != *rate)
			fail_msg("at %ld: %s at %ld", *rate, p.score.what, p.baud);
		assert_string_equal(p.score.what, "itm packets");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_rate_is_found),
		cmocka_unit_test(bursts_are_waited_for),
		cmocka_unit_test(the_likely_rate_comes_first),
		cmocka_unit_test(noise_ends_where_it_began),
		cmocka_unit_test(silence_changes_nothing),
		cmocka_unit_test(pieces_of_any_size),
		cmocka_unit_test(an_asked_format_is_judged_by_its_packets),
		cmocka_unit_test(a_trace_port_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
