/*
 * baseline: a snapshot and a recording are read alike; what is neither is said to be neither.
 */
#include "tests/unit/unit.h"

#include "core/base/clock.h"
#include "core/run/baseline.h"
#include "core/export/export.h"
#include "core/link/record.h"
#include "core/profile/raw/copy.h"
#include "core/export/snapshot.h"
#include "tests/unit/noise_same.h"
#include "tests/unit/wsn_stream.h"

#define WALL UINT64_C(1767355200000000000)

static const char report[] = "PROF:cpu:2:10:1000:1000\n120:200:100:500:1:9\n220:300:40:80:1:2\n\n";

static char dir[64];

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(path_of(name), "wb");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* In pieces, each a second after the one before. */
static void write_bytes(const char *name, const char *bytes, size_t n, size_t piece)
{
	static uint8_t chunk[RECORD_CHUNK_MAX], header[RECORD_HEADER];
	FILE *f = fopen(path_of(name), "wb");

	assert_non_null(f);
	record_header(header, WALL);
	fwrite(header, 1, sizeof(header), f);
	for (size_t at = 0, k = 1; at < n; at += piece, k++) {
		size_t part = n - at < piece ? n - at : piece;

		fwrite(chunk, 1, record_chunk(chunk, k * CLOCK_SECOND,
					      (const uint8_t *)bytes + at, part), f);
	}
	fclose(f);
}

static void write_recording(const char *name, const char *text)
{
	write_bytes(name, text, strlen(text), strlen(text));
}

/* What -x json makes of a profile. */
static void write_snapshot(const char *name, const struct profile *p)
{
	struct export_source s = { .profile = p, .node = "mote", .format = "prof" };
	struct err err = { 0 };

	assert_int_equal(export_file(exporter_find("json"), &s, path_of(name), &err), 0);
}

static struct profile *read_as(const char *name, struct err *err)
{
	static const struct node_options like = { .source = "-", .record = "never.wsnrec" };

	*err = (struct err){ 0 };
	return baseline_read(path_of(name), &like, err);
}

static uint64_t calls_of(const struct profile *p, const char *name)
{
	uint32_t i = profile_find_name(p, name);

	return i == PROFILE_NONE ? 0 : p->functions[i].calls;
}

static int files_make(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/wsntop-baseline-XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int files_drop(void **state)
{
	(void)state;
	return unit_remove(dir);
}

static void a_recording_and_its_snapshot_are_alike(void **state)
{
	struct profile *recorded, *snapshot;
	struct err err;

	(void)state;
	write_recording("a.wsnrec", report);
	recorded = read_as("a.wsnrec", &err);
	assert_string_equal(err.text, "");
	assert_int_equal(calls_of(recorded, "0x00200"), 100);
	write_snapshot("a.json", recorded);
	snapshot = read_as("a.json", &err);
	assert_string_equal(err.text, "");
	assert_int_equal(snapshot->function_count, recorded->function_count);
	assert_int_equal(calls_of(snapshot, "0x00300"), 40);
	profile_drop(recorded);
	profile_drop(snapshot);
	assert_int_not_equal(access("never.wsnrec", F_OK), 0);	/* reading records nothing */
}

/* Decoded as the screen does: with a history. */
static struct node *live_node(const char *name)
{
	static char source[160];
	struct node_options o = { .source = source };
	struct err err = { 0 };
	struct node *n;

	snprintf(source, sizeof(source), "file:%s", path_of(name));
	n = node_new(&o, &err);
	assert_string_equal(err.text, "");
	while (!node_ended(n))
		node_service(n, clock_now(), 1 << 20);
	assert_int_equal(profile_compute(node_profile(n)), 0);
	return n;
}

static struct profile *snapshot_of(struct node *n)
{
	struct export_source s;
	struct buf text = BUF_INIT;
	struct profile *p;
	struct out out;

	node_export_source(n, &s);
	out_open_buf(&out, &text);
	assert_int_equal(export_write(exporter_find("json"), &s, &out, NULL), 0);
	assert_int_equal(out_close(&out, NULL), 0);
	p = snapshot_parse(text.data, text.len, NULL);
	buf_release(&text);
	return p;
}

/*
 * The same 20 s: as they are, in a copy (a frozen picture, the last run), from the history, out of
 * a snapshot and out of a recording. wsn's rows are of unlike age, which is half of a rate's noise.
 */
static void whoever_has_the_counts_has_their_noise(void **state)
{
	static const struct { const char *name, *script; } streams[] = {
		{ "sites", "H f=0x407 g=0x25|N mote|T 160000000|"
			   "S 0 0x110 0x80 1000 4000000 100 20000 0 10 90 300 500 100 0 0"
			   " 0 0x91 0x200 1000 900000 30 9000 2 8 590 390 10 0 0 0|T 160000000" },
		{ "all", "H f=0x5e3|N mote|T 160000000|S 0 0x110 0x80 1000 4000000 100 20000|"
			 "A 0 0x120 0x300 77|P 0 0x84 400 0 0x310 20|T 160000000" },
	};
	struct err err;

	(void)state;
	for (size_t i = 0; i < COUNT(streams); i++) {
		struct stream s = { 0 };
		struct profile *other[4];
		struct node *n;

		stream_script(&s, streams[i].script);
		write_bytes(streams[i].name, s.out.data, s.out.len, 40);
		stream_release(&s);
		n = live_node(streams[i].name);
		assert_true(node_profile(n)->terms.gathers);
		other[0] = profile_copy(node_profile(n));
		other[1] = history_window(node_history(n), 0, SIZE_MAX, &err);
		other[2] = snapshot_of(n);
		other[3] = read_as(streams[i].name, &err);
		for (size_t k = 0; k < COUNT(other); k++) {
			assert_non_null(other[k]);
			assert_true(assert_noise_same(node_profile(n), other[k]) >= 8);
			profile_drop(other[k]);
		}
		node_free(n);
	}
}

static void what_is_neither_is_said(void **state)
{
	static const struct { const char *name, *text, *says; } files[] = {
		{ "none", NULL, "No such file" },
		{ "empty", "", "neither a snapshot" },
		{ "text", "PROF:cpu:1:1:1:1\n", "neither a snapshot" },
		{ "other.json", "{\"a\": 1}", "" },
	};
	struct err err;

	(void)state;
	for (size_t i = 0; i < COUNT(files); i++) {
		if (files[i].text)
			write_file(files[i].name, files[i].text);
		assert_null(read_as(files[i].name, &err));
		assert_true(err_is_set(&err) && strstr(err.text, files[i].says));
	}
}

static void a_recording_without_counts_is_no_baseline(void **state)
{
	struct err err;

	(void)state;
	write_recording("quiet.wsnrec", "hello\n");
	assert_null(read_as("quiet.wsnrec", &err));
	assert_string_equal(err.text, "quiet.wsnrec: it contains no counts");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_and_its_snapshot_are_alike),
		cmocka_unit_test(whoever_has_the_counts_has_their_noise),
		cmocka_unit_test(what_is_neither_is_said),
		cmocka_unit_test(a_recording_without_counts_is_no_baseline),
	};

	return cmocka_run_group_tests_name("baseline", tests, files_make, files_drop);
}
