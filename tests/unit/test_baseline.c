/*
 * baseline: a snapshot and a recording are read alike; what is neither is said to be neither.
 */
#include "tests/unit/unit.h"

#include "core/base/clock.h"
#include "core/baseline.h"
#include "core/export/export.h"
#include "core/link/record.h"
#include "core/profile/copy.h"

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

static void write_recording(const char *name, const char *text)
{
	static uint8_t chunk[RECORD_CHUNK_MAX], header[RECORD_HEADER];
	FILE *f = fopen(path_of(name), "wb");

	assert_non_null(f);
	record_header(header, WALL);
	fwrite(header, 1, sizeof(header), f);
	fwrite(chunk, 1, record_chunk(chunk, CLOCK_SECOND, (const uint8_t *)text, strlen(text)), f);
	fclose(f);
}

/* What -x json makes of a profile. */
static void write_snapshot(const char *name, const struct profile *p)
{
	struct export_source s = { .profile = p, .node = "mote", .format = "prof" };
	struct buf out = BUF_INIT;
	struct err err = { 0 };

	assert_int_equal(exporter_find("json")->write(&s, &out, &err), 0);
	write_file(name, buf_str(&out));
	buf_release(&out);
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
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	return unit_shell(command);
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
	assert_string_equal(err.text, "quiet.wsnrec: nothing in it that counts");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_and_its_snapshot_are_alike),
		cmocka_unit_test(what_is_neither_is_said),
		cmocka_unit_test(a_recording_without_counts_is_no_baseline),
	};

	return cmocka_run_group_tests_name("baseline", tests, files_make, files_drop);
}
