/*
 * The whole way of a byte: any bytes as what a node's source says -> node -> profile -> every
 * exporter; the JSON is read back and must be the profile that was written: each function, edge and
 * sum, and nothing that a comparison finds changed. What was read back is written and read again:
 * the same profile once more.
 *
 * The first byte: the packet format (one of `formats`; auto finds recordings, reports and others),
 * whether the past is kept (16), hooks are corrected (32), functions have names (64).
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/export/export.h"
#include "core/export/snapshot.h"
#include "core/node/node.h"
#include "core/profile/look/compare.h"
#include "core/profile/raw/copy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Most of what fails here was inlined: it says itself what it is. */
#define REQUIRE(what) do { if (!(what)) requirement_fail(#what, __LINE__); } while (0)

enum { PAST = 16, CORRECT = 32, NAMED = 64, TURNS = 1 << 16, NAME = 4096 };

static _Noreturn void requirement_fail(const char *what, int line)
{
	fprintf(stderr, "fuzz_pipeline.c:%d: not so: %s\n", line, what);
	abort();
}

static const char *const formats[] = {
	NULL, "wsn", "prof", "gprof", "gprof-hex", "itm", "sim", "openocd", "gdb",
};

/* The host's clock stands: each run does the same. */
uint64_t __wrap_clock_now(void);

uint64_t __wrap_clock_now(void)
{
	return CLOCK_SECOND;
}

/* --- the source ------------------------------------------------------------------------------- */

/* One file for all inputs: a new one costs more than most inputs do. */
static const char *source_write(const uint8_t *data, size_t size)
{
	static char path[64];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("source", MFD_CLOEXEC);
		snprintf(path, sizeof(path), "file:/proc/self/fd/%d", fd);
	}
	REQUIRE(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
	return path;
}

/* As batch_run does it. */
static struct node *node_read(uint8_t how, const uint8_t *data, size_t size)
{
	struct node_options o = {
		.source = source_write(data, size),
		.format = formats[how % 16 % (sizeof(formats) / sizeof(formats[0]))],
		.batch = !(how & PAST), .correct = how & CORRECT,
		.elf = how & NAMED ? "tests/corpus/pipeline.elf" : NULL,
	};
	struct err err = { 0 };
	struct node *n = node_new(&o, &err);
	size_t turns = 0;

	REQUIRE((n == NULL) == err_is_set(&err));
	for (; n && !node_ended(n); node_service(n, clock_now(), 1 << 20))
		REQUIRE(++turns < TURNS);
	if (n && node_image(n)) {
		node_image_wait(n);
		node_service(n, clock_now(), 0);
	}
	return n;
}

/* --- exports ---------------------------------------------------------------------------------- */

static void profile_write(const struct exporter *e, const struct export_source *s, struct buf *text)
{
	static struct out out;
	struct err err = { 0 };

	buf_reset(text);
	out_open_buf(&out, text);
	/* Of what a profile does not hold (a trace), it says so. */
	REQUIRE((export_write(e, s, &out, &err) < 0) == err_is_set(&err));
	REQUIRE(out_close(&out, NULL) == 0);
}

/* JSON is the last, for it is read back. */
static void exports_write(const struct export_source *s, struct buf *text)
{
	const struct exporter *json = exporter_find("json");

	for (const struct exporter *e = exporters; e->name; e++)
		if (e != json)
			profile_write(e, s, text);
	profile_write(json, s, text);
}

/* --- read back -------------------------------------------------------------------------------- */

/* What a reader of JSON makes of a count: a double, none beyond 2^63. */
static bool count_is(uint64_t read, uint64_t written)
{
	double v = (double)written;

	return read == (v < 9.2e18 ? (uint64_t)v : INT64_MAX);
}

static bool number_is(double a, double b)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * fabs(a);
}

static bool name_is(const char *read, const char *written)
{
	char shown[NAME];

	if (!read || !written)
		return read == written;
	text_visible(shown, sizeof(shown), written, strlen(written));
	return strcmp(read, shown) == 0;
}

static void function_compare(const struct profile_function *read,
			     const struct profile_function *written)
{
	REQUIRE(name_is(read->name, written->name) && name_is(read->file, written->file));
	REQUIRE(name_is(read->path, written->path) && read->line == written->line);
	REQUIRE(read->address == written->address);
	REQUIRE(read->called == written->called && read->recursive == written->recursive);
	REQUIRE(!written->called || count_is(read->calls, written->calls));
	REQUIRE(count_is(read->samples, written->samples));
	REQUIRE(read->time == written->time && read->cycle == written->cycle);
	REQUIRE((read->flags & ROW_HANDLER) == (written->flags & ROW_HANDLER));
	REQUIRE(read->incomplete == written->incomplete);
}

static void edge_compare(const struct profile_edge *read, const struct profile_edge *written)
{
	REQUIRE(read->from == written->from && read->to == written->to);
	REQUIRE(count_is(read->calls, written->calls) && read->sites == written->sites);
	REQUIRE(read->timed == written->timed);
	REQUIRE(!written->timed || count_is(read->total, written->total));
}

static void profile_compare(const struct profile *read, const struct profile *written)
{
	struct compare c = { 0 };

	REQUIRE(read->function_count == written->function_count);
	REQUIRE(read->edge_count == written->edge_count);
	for (size_t i = 0; i < read->function_count; i++)
		function_compare(&read->functions[i], &written->functions[i]);
	for (size_t i = 0; i < read->edge_count; i++)
		edge_compare(&read->edges[i], &written->edges[i]);
	REQUIRE(count_is(read->totals.samples, written->totals.samples));
	REQUIRE(number_is(read->totals.run_s, written->totals.run_s));
	REQUIRE(compare_build(&c, read, written, NULL) == 0);
	REQUIRE(compare_is_same(&c));
	compare_release(&c);
}

/* `text` is the JSON of s: read, and compared with that. NULL: it has no functions. */
static struct profile *json_read(const struct export_source *s, struct buf *text)
{
	struct err err = { 0 };
	struct profile *p;

	p = snapshot_parse(text->data, text->len, &err);
	REQUIRE((p == NULL) == err_is_set(&err));
	REQUIRE((p == NULL) == (s->profile->function_count == 0));
	if (p)
		profile_compare(p, s->profile);
	return p;
}

static void json_compare(const struct export_source *s, struct buf *text)
{
	struct profile *first = json_read(s, text);
	struct export_source again = {
		.profile = first, .agreement = NAN, .hooks_share = NAN,
	};

	if (!first)
		return;
	again.node = first->name;
	profile_write(exporter_find("json"), &again, text);
	profile_drop(json_read(&again, text));
	profile_drop(first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct buf text = BUF_INIT;
	struct export_source s;
	struct node *n;

	if (!size)
		return 0;
	n = node_read(data[0], data + 1, size - 1);
	for (size_t i = 0; n && i < node_profiles(n); i++) {
		node_select(n, i);
		node_export_source(n, &s);
		exports_write(&s, &text);
		json_compare(&s, &text);
	}
	node_free(n);
	return 0;
}
