/* A meter beside a node: two recordings on one axis, one beside the node's, refused sources. */
#include "tests/unit/node_made.h"

#include <math.h>
#include <sys/stat.h>

#include "core/base/buf.h"
#include "core/link/record.h"

#define WALL (UINT64_C(1767355200) * CLOCK_SECOND)
#define AWAY (3 * CLOCK_SECOND)		/* the meter's recording began so much later */
#define LATE (CLOCK_SECOND / 50)	/* from the last sample of a chunk to its arrival */

enum { CHUNKS = 300, LINES = 10, HZ = 100 };

static void chunk_write(FILE *f, uint64_t ns, const char *text)
{
	static uint8_t chunk[RECORD_CHUNK_MAX];

	fwrite(chunk, 1, record_chunk(chunk, ns, (const uint8_t *)text, strlen(text)), f);
}

static FILE *recording_begin(const char *name, uint64_t wall)
{
	FILE *f = fopen(path_of(name), "wb");
	uint8_t header[RECORD_HEADER];

	assert_non_null(f);
	record_header(header, wall);
	fwrite(header, 1, sizeof(header), f);
	return f;
}

/* A node's reports for half a minute, and a meter's samples from its begin on, HZ a second. */
static void recordings_make(void)
{
	FILE *node = recording_begin("node.rec", WALL);
	FILE *meter = recording_begin("meter.rec", WALL + AWAY);

	chunk_write(node, CLOCK_SECOND, reports);
	chunk_write(node, 30 * CLOCK_SECOND, reports);
	fclose(node);
	for (uint64_t i = 0; i < CHUNKS; i++) {
		struct buf text = BUF_INIT;

		for (uint64_t k = i * LINES; k < (i + 1) * LINES; k++)
			buf_addf(&text, "%.2f,%u\n", (double)k / HZ, (unsigned)(k % 7));
		chunk_write(meter, (i * LINES + LINES - 1) * CLOCK_SECOND / HZ + LATE,
			    buf_str(&text));
		buf_release(&text);
	}
	fclose(meter);
}

static struct node *both_read(const char *source, const char *power, bool batch)
{
	struct node_options o = {
		.source = source, .power = power, .batch = batch, .link = { .speed = 0 },
	};
	struct node *n = node_run(&o);

	for (int i = 0; i < 100000 && node_meter_reads(n); i++)
		node_service(n, clock_now(), 1 << 12);
	assert_false(node_meter_reads(n));
	return n;
}

static void two_recordings_have_one_axis(void **state)
{
	char source[160], power[160];

	(void)state;
	recordings_make();
	snprintf(source, sizeof(source), "file:%s", path_of("node.rec"));
	snprintf(power, sizeof(power), "text:file:%s", path_of("meter.rec"));
	for (int batch = 0; batch < 2; batch++) {
		struct node *n = both_read(source, power, batch);
		const struct power *p = node_power(n);

		assert_int_equal(power_count(p), CHUNKS * LINES);
		assert_int_equal(power_missing(p), 0);
		assert_true(power_hz(p) == HZ);
		for (uint64_t tick = 0; tick < CHUNKS * LINES; tick += 97) {
			struct clock_moment m = power_host(p, tick);
			uint64_t expected = link_zero(node_link(n)) + AWAY + LATE +
					    tick * CLOCK_SECOND / HZ;

			assert_false(isnan(m.uncertainty));
			assert_true(fabs((double)m.ns - (double)expected) < 1e6 + m.uncertainty);
		}
		node_free(n);
	}
}

/* A file's lines come all at once: its samples have no place on the host's time. */
static void a_file_has_no_map(void **state)
{
	struct node_options o = options_of(NULL);
	char power[160];
	struct node *n;

	(void)state;
	write_file("plain.csv", "0,1\n0.5,2\n1,3\n");
	snprintf(power, sizeof(power), "%s", path_of("plain.csv"));
	n = both_read(o.source, power, true);
	assert_int_equal(power_count(node_power(n)), 3);
	assert_true(isnan(power_host(node_power(n), 1).uncertainty));
	assert_null(power_clock(node_power(n)));
	node_free(n);
}

static void its_bytes_are_recorded_beside(void **state)
{
	struct node_options o = options_of(NULL);
	char power[200], record[160], again[200];
	struct node *n;

	(void)state;
	write_file("kept.csv", "0,1\n0.5,2\n1,3\n1.5,4\n");
	snprintf(power, sizeof(power), "%s", path_of("kept.csv"));
	snprintf(record, sizeof(record), "%s", path_of("kept.rec"));
	o.power = power;
	o.record = record;
	n = node_run(&o);
	for (int i = 0; i < 1000 && node_meter_reads(n); i++)
		node_service(n, clock_now(), 1 << 12);
	node_free(n);
	snprintf(power, sizeof(power), "text:file:%s.power", record);
	snprintf(again, sizeof(again), "file:%s", record);
	n = both_read(again, power, true);
	assert_int_equal(power_count(node_power(n)), 4);
	assert_int_equal(calls_of(n, "0x00300"), 4);
	node_free(n);
}

static void what_is_no_meter_is_refused(void **state)
{
	static const struct {
		const char *power, *why;
	} cases[] = {
		{ "openocd:", "no power meter" },
		{ "swo:tcp:localhost:1", "no power meter" },
		{ "ppk2:x?mode=source", "at which voltage" },
		{ "ppk2:x?mode=on", "expected meter or source" },
		{ "ppk2:x?mv=100", "expected millivolts" },
		{ "lpm01a:x?hz=fast", "expected samples a second" },
		{ "text:x?unit=V", "expected A, mA, uA or nA" },
		{ "text:x?time_unit=days", "expected s, ms, us or ns" },
		{ "text:x?column=0", "expected its number" },
		{ "text:x?time=1000", "expected its column's number" },
		{ "text:x?separator=ab", "expected tab, space, comma" },
		{ "text:x?volts=3", "takes these options" },
		{ "ppk2:", "a name is missing" },
		{ "text:/nowhere/at/all", "no such" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct node_options o = options_of(NULL);
		struct err err = { 0 };

		o.power = cases[i].power;
		assert_null(node_new(&o, &err));
		if (!strstr(err.text, cases[i].why) || strchr(err.text, '\n'))
			fail_msg("%s: %s", cases[i].power, err.text);
	}
}

static void a_meter_is_no_node(void **state)
{
	struct node_options o = { .source = "ppk2:/dev/ttyACM0", .batch = true };
	struct err err = { 0 };

	(void)state;
	assert_null(node_new(&o, &err));
	assert_non_null(strstr(err.text, "give it with --power"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_recordings_have_one_axis),
		cmocka_unit_test(a_file_has_no_map),
		cmocka_unit_test(its_bytes_are_recorded_beside),
		cmocka_unit_test(what_is_no_meter_is_refused),
		cmocka_unit_test(a_meter_is_no_node),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
