/* A PPK2's stream: calibration, ranges, spikes, lost bytes, any split, the conversation. */
#include "tests/unit/unit.h"

#include <math.h>

#include "tests/power/part.h"
#include "tests/unit/meter_heard.h"

enum { SAMPLES = 60000, TEXT = 2048, STREAM = TEXT + 4 * SAMPLES };

/* Calibration and samples, as a recording has them; its length. */
static size_t stream_make(uint8_t *to, size_t samples)
{
	struct part p = { .running = true };
	size_t n = part_meta((char *)to, TEXT);

	for (size_t i = 0; i < samples; i++, n += 4)
		part_word(&p, to + n);
	return n;
}

static struct heard *stream_hear(const uint8_t *data, size_t n, size_t most)
{
	struct heard *h = heard_new("ppk2", NULL);

	assert_non_null(h);
	assert_non_null(h->wire);
	heard_feed(h, data, n, most);
	wire_flush(h->wire, true);
	assert_false(h->wrong);
	return h;
}

/* Nordic's filter, over the words themselves, as its program has it. */
struct filter {
	double rolling, rolling4;
	unsigned range, after, consecutive;
	bool begun;
	uint64_t replaced;
};

static double filter_next(struct filter *f, unsigned range, double adc)
{
	double before = f->rolling, before4 = f->rolling4;

	f->rolling = f->begun ? 0.18 * adc + 0.82 * before : adc;
	f->rolling4 = f->begun ? 0.06 * adc + 0.94 * before4 : adc;
	if (!f->begun)
		f->range = range;
	f->begun = true;
	if (f->range != range || f->after > 0) {
		f->consecutive = f->range != range ? 0 : f->consecutive + 1;
		if (f->range != range)
			f->after = 3;
		if (range == 4) {
			if (f->consecutive < 2) {
				f->rolling4 = before4;
				f->rolling = before;
			}
			adc = f->rolling4;
		} else {
			adc = f->rolling;
		}
		f->after--;
		f->replaced++;
	}
	f->range = range;
	return adc;
}

static void currents_are_those_that_were_drawn(void **state)
{
	static uint8_t stream[STREAM];
	size_t n = stream_make(stream, SAMPLES), at = n - 4 * (size_t)SAMPLES;
	struct heard *h = stream_hear(stream, n, 0);
	struct filter f = { 0 };
	const struct part p = { .mv = 3700 };

	(void)state;
	assert_int_equal(h->count, SAMPLES);
	assert_true(h->hz == 100000 && h->calibrated);
	assert_string_equal(h->model, "PPK2");
	for (size_t i = 0; i < SAMPLES; i++) {
		const uint8_t *b = stream + at + 4 * i;
		uint32_t w = b[0] | b[1] << 8 | (uint32_t)b[2] << 16;
		unsigned range = w >> 14 & 7;
		uint64_t replaced = f.replaced;
		double amps = filter_next(&f, range, part_amps_of(&p, range, w & 0x3fff));

		assert_int_equal(h->index[i], i);
		assert_true(fabs((double)h->amps[i] - amps) < 1e-6 * amps + 1e-12);
		assert_int_equal(h->logic[i], i % PART_PERIOD >= PART_BUSY);
		if (f.replaced == replaced)
			assert_true(fabs(amps - part_amps(i)) < 1e-3 * amps + 1e-3 * (range == 4));
	}
	assert_int_equal(heard_stats(h).replaced, f.replaced);
	assert_true(f.replaced > 300);
	assert_int_equal(heard_stats(h).lost, 0);
	assert_int_equal(heard_stats(h).bad_bytes, 0);
	heard_free(h);
}

static void any_split_gives_the_same(void **state)
{
	static uint8_t stream[STREAM];
	size_t n = stream_make(stream, 20000);
	struct heard *whole = stream_hear(stream, n, 0);

	(void)state;
	for (size_t most = 1; most < 40; most++) {
		struct heard *h = stream_hear(stream, n, most * most);

		assert_true(h->hash == whole->hash && h->count == whole->count);
		heard_free(h);
	}
	heard_free(whole);
}

/* What is told of that sample; not near a change of range, where a mean may stand for it. */
static void sample_check(uint64_t index, float amps, uint8_t logic, bool parts)
{
	uint64_t at = index % PART_PERIOD;
	double true_amps = part_amps(index);

	if (at < 60 || (at >= PART_BUSY && at < PART_BUSY + 60) || at >= PART_RADIO || parts)
		return;
	assert_int_equal(logic, at >= PART_BUSY);
	assert_true(fabs((double)amps - true_amps) < 0.005 * true_amps);
}

/* The same with bytes lost. Nothing false is told: each sample is that of its index. */
static void lost_bytes_are_lost_samples(void **state)
{
	static uint8_t stream[STREAM], cut[STREAM];
	static const size_t kinds[] = { 1, 2, 3, 4, 5, 8, 9, 64, 200 };
	size_t n = stream_make(stream, SAMPLES), begin = n - 4 * (size_t)SAMPLES;

	(void)state;
	for (size_t k = 0; k < COUNT(kinds); k++) {
		size_t to = begin, places = 0, hit = 0;
		struct heard *h, *split;

		memcpy(cut, stream, begin);
		for (size_t at = begin; at < n; at += 5003 + kinds[k], places++) {
			size_t run = n - at < 5003 ? n - at : 5003;
			size_t from = at + run - begin, end = from + kinds[k];

			memcpy(cut + to, stream + at, run);
			to += run;
			if (at + run < n)	/* the words that it hits */
				hit += (end + 3) / 4 - from / 4;
		}
		h = stream_hear(cut, to, 0);
		split = stream_hear(cut, to, 7);
		assert_true(h->hash == split->hash);
		assert_int_equal(h->count + heard_stats(h).lost, SAMPLES);
		assert_int_equal(h->holes, heard_stats(h).lost);
		if (kinds[k] % 4 == 0)	/* one less where parts of two words make one */
			assert_true(heard_stats(h).lost + places >= hit &&
				    heard_stats(h).lost <= hit);
		else			/* and those that may be torn */
			assert_true(heard_stats(h).lost >= hit &&
				    heard_stats(h).lost < hit + 2 * places);
		assert_int_equal(h->index[h->count - 1], SAMPLES - 1);
		for (size_t i = 0; i < h->count; i++)
			sample_check(h->index[i], h->amps[i], h->logic[i], kinds[k] % 4 == 0);
		if (kinds[k] % 4)
			assert_int_equal(heard_stats(h).resyncs, places - 1);
		heard_free(h);
		heard_free(split);
	}
}

/* Cut anywhere: the samples before. */
static void each_cut_gives_what_was_before(void **state)
{
	static uint8_t stream[STREAM];
	size_t n = stream_make(stream, 300), begin = n - 1200;

	(void)state;
	for (size_t at = 0; at <= n; at++) {
		struct heard *h = stream_hear(stream, at, 0);
		uint64_t words = at > begin ? (at - begin) / 4 : 0;

		assert_int_equal(h->count, words < 8 ? 0 : words);
		heard_free(h);
	}
}

static void a_recording_without_calibration_is_read(void **state)
{
	static uint8_t stream[STREAM];
	size_t n = stream_make(stream, 1000);
	struct heard *h = stream_hear(stream + n - 4000 + 3, 3997, 5);

	(void)state;
	assert_int_equal(h->count, 999);
	assert_false(h->calibrated);
	heard_free(h);
}

static void noise_is_no_current(void **state)
{
	struct heard *h = heard_new("ppk2", NULL);
	uint32_t seed = 9;

	(void)state;
	for (int i = 0; i < 1 << 20; i++) {
		uint8_t c;

		seed = seed * 1664525 + 1013904223;
		c = (uint8_t)(seed >> 24);
		wire_feed(h->wire, &c, 1);
	}
	wire_flush(h->wire, true);
	assert_int_equal(h->count, 0);
	assert_int_equal(heard_stats(h).bad_bytes + heard_stats(h).text_bytes, 1 << 20);
	heard_free(h);
}

/* --- the conversation ------------------------------------------------------------------------- */

struct talk {
	struct heard *heard;
	struct part part;
	uint64_t now;
	bool no_meta, mute;
	unsigned metas, commands;
	size_t room;
};

/* A millisecond: its requests are carried out, 100 samples come. */
static void talk_step(struct talk *t)
{
	struct wire_out out = { .room = t->room ? t->room : WIRE_OUT_MAX };
	uint8_t bytes[TEXT];

	wire_ask(t->heard->wire, t->now, &out);
	for (size_t at = 0; at < out.count;) {
		bool meta = false, bad = false;

		at += part_command(&t->part, out.bytes + at, out.count - at, &meta, &bad);
		assert_false(bad);
		t->commands++;
		t->metas += meta;
		if (meta && !t->no_meta && !t->mute)
			heard_feed(t->heard, bytes, part_meta((char *)bytes, sizeof(bytes)), 9);
	}
	for (int i = 0; t->part.running && !t->mute && i < 100; i++) {
		part_word(&t->part, bytes);
		wire_feed(t->heard->wire, bytes, 4);
	}
	t->now += CLOCK_SECOND / 1000;
	(void)wire_timeout(t->heard->wire, t->now);
}

static void talk_run(struct talk *t, unsigned ms)
{
	while (ms--)
		talk_step(t);
}

static void it_is_asked_and_started(void **state)
{
	static const struct {
		struct wire_meter_options options;
		unsigned mode, mv;
	} cases[] = {
		{ { .supplies = false }, 1, 0 },
		{ { .supplies = true, .volts = 3.3 }, 2, 3300 },
		{ { .supplies = true, .volts = 0.8 }, 2, 800 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct talk t = { .heard = heard_new("ppk2", &cases[i].options) };
		struct wire_out out = { .room = WIRE_OUT_MAX };

		t.part.running = true;		/* left so by somebody else */
		talk_run(&t, 1000);
		assert_int_equal(t.metas, 1);
		assert_int_equal(t.part.mode, cases[i].mode);
		assert_int_equal(t.part.mv, cases[i].mv);
		assert_true(t.part.powered && t.part.running && t.heard->calibrated);
		assert_true(t.heard->count > 70000 && t.heard->count <= 80000);
		assert_true(!t.heard->wrong && !t.heard->again && !t.heard->trouble[0]);
		assert_int_equal(heard_stats(t.heard).lost, 0);
		assert_true(wire_leave(t.heard->wire, false, &out));
		assert_true(out.count == 1 && out.bytes[0] == 0x07);
		heard_free(t.heard);
	}
}

static void without_calibration_typical_figures_do(void **state)
{
	struct talk t = { .heard = heard_new("ppk2", NULL), .no_meta = true };

	(void)state;
	talk_run(&t, 4000);
	assert_int_equal(t.metas, 3);
	assert_true(t.heard->count > 70000 && !t.heard->calibrated && !t.heard->wrong);
	heard_free(t.heard);
}

static void a_port_that_answers_nothing_is_told(void **state)
{
	struct talk t = { .heard = heard_new("ppk2", NULL), .mute = true };

	(void)state;
	talk_run(&t, 6000);
	assert_non_null(strstr(t.heard->trouble, "two ports"));
	t.mute = false;
	talk_run(&t, 6000);
	assert_true(t.heard->count > 0);
	assert_string_equal(t.heard->trouble, "");
	heard_free(t.heard);
}

/* Unplugged and back: the index goes on, what was between is not known. */
static void it_comes_back(void **state)
{
	struct talk t = { .heard = heard_new("ppk2", NULL) };
	uint64_t before;

	(void)state;
	talk_run(&t, 1000);
	before = t.heard->count;
	wire_down(t.heard->wire);
	t.part = (struct part){ 0 };
	t.now += 10 * CLOCK_SECOND;
	talk_run(&t, 1000);
	assert_true(t.heard->count > before + 70000);
	assert_int_equal(t.heard->again, 1);
	assert_int_equal(t.heard->next, t.heard->count);
	assert_int_equal(heard_stats(t.heard).lost, 0);
	assert_false(t.heard->wrong);
	heard_free(t.heard);
}

/* Samples stop while the line is up: it is started again. */
static void it_is_started_again(void **state)
{
	struct talk t = { .heard = heard_new("ppk2", NULL) };
	uint64_t before;

	(void)state;
	talk_run(&t, 1000);
	before = t.heard->count;
	t.part = (struct part){ 0 };
	talk_run(&t, 4000);
	assert_true(t.heard->count > before && t.heard->again == 1);
	assert_string_equal(t.heard->trouble, "");
	heard_free(t.heard);
}

/* No room for a message: it is offered again, and nobody spins for it. */
static void a_full_line_is_waited_for(void **state)
{
	struct heard *h = heard_new("ppk2", NULL);
	struct wire_out out = { .room = 0 };

	(void)state;
	wire_ask(h->wire, 1, &out);
	assert_int_equal(out.count, 0);
	assert_int_equal(wire_timeout(h->wire, 1), -1);
	out.room = 1;
	wire_ask(h->wire, 2, &out);
	assert_int_equal(out.count, 1);
	assert_true(wire_timeout(h->wire, 2) > 0);
	heard_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(currents_are_those_that_were_drawn),
		cmocka_unit_test(any_split_gives_the_same),
		cmocka_unit_test(lost_bytes_are_lost_samples),
		cmocka_unit_test(each_cut_gives_what_was_before),
		cmocka_unit_test(a_recording_without_calibration_is_read),
		cmocka_unit_test(noise_is_no_current),
		cmocka_unit_test(it_is_asked_and_started),
		cmocka_unit_test(without_calibration_typical_figures_do),
		cmocka_unit_test(a_port_that_answers_nothing_is_told),
		cmocka_unit_test(it_comes_back),
		cmocka_unit_test(it_is_started_again),
		cmocka_unit_test(a_full_line_is_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
