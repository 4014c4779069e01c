/*
 * A node whose memory ends at any moment: what a gdb server was watched for, recorded; a power
 * meter; a model. It says so, or goes on with less; nothing is read or written that is not there.
 */
#include "tests/unit/node_made.h"

#include "core/base/mem.h"
#include "core/link/record.h"
#include "core/node/watched.h"
#include "core/power/power.h"

#define WALL (UINT64_C(1767355200) * CLOCK_SECOND)

enum { SERVICES = 64, GRANTS_ALL = 3500, GRANTS_MOST = 4000 };

static const char about[] =
	"format gdb\nsource gdb:localhost:3333\nwatch 4096 0 count\nwatch 4097 0 mem:0x20000000+4\n"
	"comparator 3 4096\n";

/* What a server's decoder kept of two watches; five times the same. */
static const char *const told[] = {
	"=s 72000000 0 0 1 64", "=w 5 2 7 1 0.001 0.02 1000 2 0 0 1001 3 0 1",
	"=e 2 0 0 100 1000 5 64", "=e 3 1 0 0 1001 ffffffffffffffff 128", "=e 0 0 0 100 0 0 200",
	"=e 1 0 0 0 0 0 300", "=c 100 200 7 0", "=p 0 100 0.01",
};

static void chunk_write(FILE *f, uint64_t ns, const char *text, bool is_about)
{
	static uint8_t chunk[RECORD_CHUNK_MAX];
	size_t n = strlen(text);

	fwrite(chunk, 1, is_about ? record_chunk_about(chunk, ns, text, n) :
				    record_chunk(chunk, ns, (const uint8_t *)text, n), f);
}

static FILE *recording_begin(const char *name)
{
	uint8_t header[RECORD_HEADER];
	FILE *f = fopen(path_of(name), "wb");

	assert_non_null(f);
	record_header(header, WALL);
	fwrite(header, 1, sizeof(header), f);
	return f;
}

static void packet_write(FILE *f, uint64_t ns, const char *text)
{
	char packet[160];
	unsigned sum = 0;

	for (const char *c = text; *c; c++)
		sum += (unsigned char)*c;
	snprintf(packet, sizeof(packet), "$%s#%02x", text, sum & 0xff);
	chunk_write(f, ns, packet, false);
}

static int files_make(void **state)
{
	char text[64];
	FILE *f;

	set_up(state);
	f = recording_begin("gdb.rec");
	chunk_write(f, 0, about, true);
	for (unsigned i = 0; i < 5 * COUNT(told); i++)
		packet_write(f, i * CLOCK_SECOND / 20, told[i % COUNT(told)]);
	fclose(f);
	f = recording_begin("node.rec");
	chunk_write(f, CLOCK_SECOND, reports, false);
	chunk_write(f, 3 * CLOCK_SECOND, reports, false);
	fclose(f);
	f = recording_begin("meter.rec");
	for (unsigned i = 0; i < 40; i++) {
		snprintf(text, sizeof(text), "%.1f,%u\n", i / 10., i % 7);
		chunk_write(f, i * CLOCK_SECOND / 10, text, false);
	}
	fclose(f);
	write_file("board.ini", "active = 4 mA\nsleep = 3 uA\ncount = 5 2 mA\n");
	return 0;
}

/* With all the memory that it wants. */
static void assert_whole(struct node *n)
{
	size_t count;
	const struct node_logged *logged = node_logged(n, &count);

	assert_true(count == 2 || node_power(n));
	for (size_t i = 0; i < count; i++)
		assert_int_equal(logged[i].hits, 5);
	if (node_power(n))
		assert_int_equal(power_count(node_power(n)), 40);
	assert_true(node_power(n) || node_trace(n));
}

/* False: it could not even be opened, and says why in one line. */
static bool node_starve(const struct node_options *o, long grants)
{
	struct err err = { 0 };
	struct node *n;

	mem_fail_after(grants);
	n = node_new(o, &err);
	if (!n) {
		mem_fail_after(-1);
		assert_true(err.text[0] && !strchr(err.text, '\n'));
		return false;
	}
	for (int i = 0; i < SERVICES && !node_ended(n); i++)
		node_service(n, clock_now(), 1 << 12);
	node_energy(n);
	mem_fail_after(-1);
	for (int i = 0; i < 1000 && !node_ended(n); i++)
		node_service(n, clock_now(), 1 << 20);
	assert_true(node_ended(n));
	node_energy(n);
	if (grants >= GRANTS_ALL)
		assert_whole(n);
	node_free(n);
	return true;
}

static void memory_may_end_at_any_time(void **state)
{
	static const struct { const char *source, *power, *kind; } cases[] = {
		{ "gdb.rec", NULL, "" }, { "node.rec", "meter.rec", "text:file:" },
		{ "gdb.rec", "board.ini", "model:" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char source[200], power[200], again[200];
		struct node_options o = { .source = source, .batch = true, .record = again };
		long opened = 0;

		snprintf(source, sizeof(source), "file:%s", path_of(cases[i].source));
		snprintf(power, sizeof(power), "%s%s", cases[i].kind,
			 cases[i].power ? path_of(cases[i].power) : "");
		o.power = cases[i].power ? power : NULL;
		for (long grants = 0; grants < GRANTS_MOST; grants += 1 + grants / 64) {
			snprintf(again, sizeof(again), "%s.%ld", path_of("again"), grants);
			opened += node_starve(&o, grants);
			unlink(again);
		}
		assert_true(opened > 50);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_may_end_at_any_time),
	};

	return cmocka_run_group_tests(tests, files_make, tear_down);
}
