/* Meters that send text: an LPM01A's lines and its conversation; lines of numbers of any kind. */
#include "tests/unit/unit.h"

#include <math.h>

#include "tests/unit/meter_heard.h"

static struct heard *lines_hear(const char *format, const struct wire_meter_options *o,
				const char *text, size_t most)
{
	struct heard *h = heard_new(format, o);

	assert_non_null(h);
	assert_non_null(h->wire);
	heard_feed(h, text, strlen(text), most);
	wire_flush(h->wire, true);
	assert_false(h->wrong);
	return h;
}

/* --- lines of numbers ------------------------------------------------------------------------- */

static const struct {
	const char *text;
	struct wire_meter_options options;
	uint64_t count, lost;
	double hz, mean, last;
	uint64_t bad;
} cases[] = {
	/* s, mA; the rate by the times */
	{ "0,1\n0.001,2\n0.002,3\n", { 0 }, 3, 0, 1000, 2e-3, 3e-3, 0 },
	{ "0.000 1\n0.001 2\n0.002 3\n", { 0 }, 3, 0, 1000, 2e-3, 3e-3, 0 },
	{ "0;1,5\n0,5;2,5\n", { 0 }, 2, 0, 2, 2e-3, 2.5e-3, 0 },
	{ "0\t1\r\n0.1\t2\r\n", { 0 }, 2, 0, 10, 1.5e-3, 2e-3, 0 },
	/* no end of the last line, empty lines, space around */
	{ "\n\n 0 , 1 \n\n 1 , 2 ", { 0 }, 2, 0, 1, 1.5e-3, 2e-3, 0 },
	/* a header and its units */
	{ "Timestamp(ms),Current(uA),D0-D7\n0.00,1000,1\n0.01,3000,0\n", { 0 }, 2, 0, 1e5, 2e-3,
	  3e-3, 0 },
	{ "# meter 1\n#time [us];I [A]\n0;1\n100;3\n", { 0 }, 2, 0, 1e4, 2, 3, 0 },
	{ "t,current_nA\n0,5\n1,5\n", { 0 }, 2, 0, 1, 5e-9, 5e-9, 0 },
	/* the options are stronger than the header */
	{ "t (ms),I (uA)\n0,1\n1,3\n", { .amps = 1, .seconds = 1 }, 2, 0, 1, 2, 3, 0 },
	/* columns */
	{ "7,0,1,4\n7,1,1,6\n", { .time = 2, .column = 4 }, 2, 0, 1, 5e-3, 6e-3, 0 },
	{ "4,0\n6,1\n", { .time = 2 }, 2, 0, 1, 5e-3, 6e-3, 0 },
	{ "9|0|4\n9|1|6\n", { .time = 2, .column = 3, .separator = '|' }, 2, 0, 1, 5e-3, 6e-3, 0 },
	/* no times */
	{ "1\n2\n3\n", { .hz = 50 }, 3, 0, 50, 2e-3, 3e-3, 0 },
	{ "1\n2\nx\n3\n", { .hz = 50 }, 3, 1, 50, 2e-3, 3e-3, 2 },
	{ "a,1\nb,2\n", { .hz = 50 }, 2, 0, 50, 1.5e-3, 2e-3, 0 },
	{ "1,9\n3,9\n", { .hz = 5, .column = 1 }, 2, 0, 5, 2e-3, 3e-3, 0 },
	{ "1\n2\n3\n", { 0 }, 0, 0, 0, 0, 0, 0 },
	/* a hole in the times; times that are rounded, that stay, that begin again */
	{ "0,1\n1,1\n2,1\n3,1\n8,1\n9,1\n", { 0 }, 6, 4, 1, 1e-3, 1e-3, 0 },
	{ "0.0,1\n0.3,1\n0.7,1\n1.0,1\n1.3,1\n", { .hz = 3, .time = 1 }, 5, 0, 3, 1e-3, 1e-3, 0 },
	{ "0,1\n1,1\n2,1\n2,1\n2,1\n2,5\n3,1\n", { .hz = 1, .time = 1 }, 5, 0, 1, 3.8e-3 / 3,
	  1e-3, 0 },
	{ "10,1\n11,2\n12,3\n0,4\n1,5\n", { 0 }, 5, 0, 1, 3e-3, 5e-3, 0 },
	/* bad lines */
	{ "0,1\n1,2\n2,nan\n3,0x10\n4,inf\n,\n5,1e3000\n6,2\n", { .hz = 1, .time = 1 }, 3, 4, 1,
	  5e-3 / 3, 2e-3, 30 },
};

static void numbers_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct heard *h = lines_hear("text", &cases[i].options, cases[i].text, 0);
		struct wire_stats stats = heard_stats(h);

		if (h->count != cases[i].count || stats.lost != cases[i].lost ||
		    (h->count && fabs(h->hz / cases[i].hz - 1) > 1e-6) ||
		    (h->count && fabs(h->sum / (double)h->count - cases[i].mean) >
		     1e-6 * cases[i].mean) ||
		    (h->count && fabs((double)h->amps[h->count - 1] - cases[i].last) >
		     1e-6 * cases[i].last) || stats.bad_bytes != cases[i].bad)
			fail_msg("case %zu: %llu samples, %llu lost, %g Hz, mean %g, %llu bad", i,
				 (unsigned long long)h->count, (unsigned long long)stats.lost,
				 h->hz, h->sum / (double)h->count,
				 (unsigned long long)stats.bad_bytes);
		heard_free(h);
	}
}

static void any_split_of_numbers_gives_the_same(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct heard *whole = lines_hear("text", &cases[i].options, cases[i].text, 0);

		for (size_t most = 1; most < 12; most++) {
			struct heard *h = lines_hear("text", &cases[i].options, cases[i].text,
						     most);

			assert_true(h->hash == whole->hash && h->count == whole->count);
			heard_free(h);
		}
		heard_free(whole);
	}
}

/* 3 kHz by times of whole milliseconds, 1 kHz that trembles: the rate is found. */
static void rates_are_found(void **state)
{
	static const struct {
		double hz, round, tremble, error;
	} rates[] = {
		{ 3000, 1e-3, 0, 0.02 }, { 1000, 1e-6, 1e-4, 0.01 }, { 1000, 1e-6, 0, 1e-9 },
		{ 99.9, 1e-4, 0, 0.005 }, { 12345, 1e-9, 0, 1e-4 }, { 0.1, 1e-3, 0, 1e-9 },
	};

	(void)state;
	for (size_t k = 0; k < COUNT(rates); k++) {
		struct heard *h = heard_new("text", NULL);
		uint32_t seed = 3;
		char line[64];

		for (int i = 0; i < 3000; i++) {
			double t = i / rates[k].hz;

			seed = seed * 1664525 + 1013904223;
			t += rates[k].tremble * (seed >> 8) / (1 << 24);
			t = floor(t / rates[k].round) * rates[k].round;
			snprintf(line, sizeof(line), "%.9f,1\n", t);
			wire_feed(h->wire, (uint8_t *)line, strlen(line));
		}
		wire_flush(h->wire, true);
		assert_false(h->wrong);
		assert_true(fabs(h->hz / rates[k].hz - 1) <= rates[k].error);
		/* All lines are in it: as samples, or in the mean of one. */
		assert_true(h->count > 2900);
		heard_free(h);
	}
}

static void what_is_missing_is_told(void **state)
{
	struct heard *h = lines_hear("text", NULL, "1\n2\n", 0);

	(void)state;
	assert_non_null(strstr(h->trouble, "?hz="));
	heard_free(h);
	h = heard_new("text", NULL);
	for (int i = 0; i < 300; i++)
		wire_feed(h->wire, (const uint8_t *)"5,1\n", 4);
	assert_non_null(strstr(h->trouble, "?hz="));
	heard_free(h);
}

/* --- LPM01A ----------------------------------------------------------------------------------- */

#define GREETING "\r\nPowerShield > ack freq 1k\r\n\r\nPowerShield > ack start\r\n\r\n"

static void samples_of_an_lpm01a(void **state)
{
	static const char text[] = GREETING "6409-07\r\n0000-00\r\n1234-08\r\n2500-09\r\n"
		"TimeStamp: 0s 004ms, buff 00%\r\n1000-06\r\nend\r\n";
	static const double amps[] = { 6409e-7, 0, 1234e-8, 2500e-9, 1000e-6 };

	(void)state;
	for (size_t most = 0; most < 20; most++) {
		struct heard *h = lines_hear("lpm01a", NULL, text, most);

		assert_int_equal(h->count, COUNT(amps));
		assert_true(h->hz == 1000);
		assert_string_equal(h->model, "LPM01A");
		for (size_t i = 0; i < COUNT(amps); i++) {
			assert_int_equal(h->index[i], i);
			assert_true(fabs((double)h->amps[i] - amps[i]) <= 1e-6 * amps[i]);
		}
		assert_int_equal(heard_stats(h).lost + heard_stats(h).bad_bytes, 0);
		heard_free(h);
	}
}

static void torn_lines_and_stamps_tell_losses(void **state)
{
	static const char text[] = GREETING "1000-06\r\n10-06\r\n1000-0\r\n1000-066\r\n"
		"1000-06\r\nTimeStamp: 0s 200ms, buff 99%\r\n1000-06\r\n";
	struct heard *h = lines_hear("lpm01a", NULL, text, 3);

	(void)state;
	assert_int_equal(h->count, 3);
	assert_int_equal(heard_stats(h).lost, 3 + 195);
	assert_int_equal(h->index[2], 200);
	assert_int_equal(heard_stats(h).bad_bytes, 6 + 7 + 9);
	heard_free(h);
}

static void each_cut_of_an_lpm01a(void **state)
{
	static const char text[] = GREETING "6409-07\r\n1234-08\r\n"
		"TimeStamp: 0s 004ms, buff 00%\r\n";
	char cut[sizeof(text)];

	(void)state;
	for (size_t at = 0; at < sizeof(text); at++) {
		struct heard *h;

		snprintf(cut, at + 1, "%s", text);
		h = lines_hear("lpm01a", NULL, cut, 0);
		assert_true(h->count <= 2);
		heard_free(h);
	}
}

struct shield {
	struct heard *heard;
	uint64_t now;
	bool mute, running, busy;
	char said[512], error[32];
	size_t n;
};

/* Its answer to a line. */
static void shield_answer(struct shield *s, const char *line)
{
	char answer[128];

	snprintf(s->said + strlen(s->said), sizeof(s->said) - strlen(s->said), "%s|", line);
	if (s->mute)
		return;
	if (strcmp(line, "stop") == 0 && !s->busy)
		snprintf(answer, sizeof(answer), "\r\nPowerShield > error stop\r\n");
	else if (s->error[0] && strncmp(line, s->error, strlen(s->error)) == 0)
		snprintf(answer, sizeof(answer), "\r\nPowerShield > error %s\r\n", line);
	else
		snprintf(answer, sizeof(answer), "\r\nPowerShield > ack %s\r\n\r\n", line);
	s->running = strcmp(line, "start") == 0 || (s->running && strcmp(line, "stop") != 0);
	wire_feed(s->heard->wire, (uint8_t *)answer, strlen(answer));
}

static void shield_run(struct shield *s, unsigned ms)
{
	while (ms--) {
		struct wire_out out = { .room = WIRE_OUT_MAX };
		char line[64];
		size_t n = 0;

		wire_ask(s->heard->wire, s->now, &out);
		for (size_t i = 0; i < out.count; i++) {
			assert_true(n < sizeof(line) - 1);
			line[n++] = (char)out.bytes[i];
			if (out.bytes[i] != '\n')
				continue;
			line[n - 2] = '\0';
			n = 0;
			shield_answer(s, line);
		}
		assert_int_equal(n, 0);
		if (s->running && !s->mute)
			wire_feed(s->heard->wire, (const uint8_t *)"1000-06\r\n", 9);
		s->now += CLOCK_SECOND / 1000;
		(void)wire_timeout(s->heard->wire, s->now);
	}
}

static void an_lpm01a_is_set_up(void **state)
{
	static const struct wire_meter_options options = { .hz = 1000, .volts = 3.3 };
	struct wire_out out = { .room = WIRE_OUT_MAX };

	(void)state;
	for (int busy = 0; busy < 2; busy++) {
		struct shield s = { .heard = heard_new("lpm01a", &options), .busy = busy };

		shield_run(&s, 500);
		assert_string_equal(s.said, "stop|htc|format ascii_dec|volt 3300m|freq 1k|"
				    "acqtime inf|start|");
		assert_true(s.heard->count > 400 && s.heard->hz == 1000);
		assert_string_equal(s.heard->trouble, "");
		assert_true(wire_leave(s.heard->wire, false, &out));
		heard_free(s.heard);
	}
	assert_memory_equal(out.bytes, "stop\r\nhrc\r\n", 11);
}

static void an_error_of_an_lpm01a_is_told(void **state)
{
	struct shield s = { .heard = heard_new("lpm01a", NULL), .error = "freq" };

	(void)state;
	shield_run(&s, 3000);
	assert_int_equal(s.heard->count, 0);
	assert_non_null(strstr(s.heard->trouble, "error freq 10k"));
	s.error[0] = '\0';
	shield_run(&s, 3000);
	assert_true(s.heard->count > 0);
	assert_string_equal(s.heard->trouble, "");
	heard_free(s.heard);
}

static void silence_of_an_lpm01a_is_told(void **state)
{
	struct shield s = { .heard = heard_new("lpm01a", NULL), .mute = true };

	(void)state;
	shield_run(&s, 4000);
	assert_non_null(strstr(s.heard->trouble, "no answer"));
	s.mute = false;
	shield_run(&s, 4000);
	assert_true(s.heard->count > 0);
	s.mute = true;
	shield_run(&s, 4000);
	assert_non_null(strstr(s.heard->trouble, "no samples"));
	heard_free(s.heard);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_read),
		cmocka_unit_test(any_split_of_numbers_gives_the_same),
		cmocka_unit_test(rates_are_found),
		cmocka_unit_test(what_is_missing_is_told),
		cmocka_unit_test(samples_of_an_lpm01a),
		cmocka_unit_test(torn_lines_and_stamps_tell_losses),
		cmocka_unit_test(each_cut_of_an_lpm01a),
		cmocka_unit_test(an_lpm01a_is_set_up),
		cmocka_unit_test(an_error_of_an_lpm01a_is_told),
		cmocka_unit_test(silence_of_an_lpm01a_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
