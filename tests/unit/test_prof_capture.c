/*
 * Real reports of Contiki on INGA, row by row against what the profiler's own table in the node's
 * memory held. The code map is made from image.json here, so that no ELF reader is between.
 */
#include "tests/unit/unit.h"

#include <cjson/cJSON.h>

#include "core/base/err.h"
#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/wire/wire.h"

#define DATA "../shared/data/"
#define ROWS_MAX 200
#define REPORTS_MAX 80

/* --- the code map ----------------------------------------------------------------------------- */

struct map {
	struct codemap code;
	uint8_t flags[0x20000 / 2];
	uint32_t target[0x20000 / 2];	/* of the call before; 0: none or indirect */
};

static uint64_t map_target(const void *ctx, uint64_t ret)
{
	const struct map *m = ctx;

	return ret / 2 < COUNT(m->target) && m->target[ret / 2] ? m->target[ret / 2] :
	       CODE_NO_TARGET;
}

static double number_read(const cJSON *o, const char *key)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);

	assert_true(cJSON_IsNumber(v));
	return v->valuedouble;
}

static void map_add(struct map *m, const cJSON *f)
{
	uint32_t start = (uint32_t)number_read(f, "addr"), size = (uint32_t)number_read(f, "size");
	const cJSON *call;

	assert_in_range(start + size, 0, 0x20000);
	for (uint32_t a = start; a < start + size; a += 2)
		m->flags[a / 2] |= CODE_TEXT;
	m->flags[start / 2] |= CODE_ENTRY;
	if (start + size > m->code.size)
		m->code.size = start + size;
	cJSON_ArrayForEach(call, cJSON_GetObjectItemCaseSensitive(f, "calls")) {
		uint32_t ret = start + (uint32_t)cJSON_GetArrayItem(call, 0)->valuedouble +
			       (uint32_t)cJSON_GetArrayItem(call, 1)->valuedouble;
		const cJSON *target = cJSON_GetArrayItem(call, 2);

		m->flags[ret / 2] |= CODE_RETURN;
		m->target[ret / 2] = cJSON_IsNumber(target) ? (uint32_t)target->valuedouble : 0;
	}
}

static cJSON *json_read(const char *dir, const char *file)
{
	char path[256];
	size_t n;
	char *text;
	cJSON *json;

	snprintf(path, sizeof(path), DATA "%s/%s", dir, file);
	text = file_read(path, 1 << 24, &n, NULL);
	if (!text)
		return NULL;
	json = cJSON_Parse(text);
	assert_non_null(json);
	mem_free(text);
	return json;
}

static struct map *map_new(const char *dir)
{
	cJSON *image = json_read(dir, "image.json");
	struct map *m = calloc(1, sizeof(*m));
	const cJSON *f;

	assert_non_null(image);
	assert_non_null(m);
	cJSON_ArrayForEach(f, cJSON_GetObjectItemCaseSensitive(image, "functions"))
		map_add(m, f);
	m->code.arch = CODE_AVR;
	m->code.flags = m->flags;
	m->code.target = map_target;
	m->code.ctx = m;
	cJSON_Delete(image);
	return m;
}

/* --- what was decoded ------------------------------------------------------------------------- */

struct got {
	enum { GOT_PROF, GOT_SPROF, GOT_STACK } kind;
	char name[64];
	uint64_t num, max, run, tps;
	unsigned torn;
	bool complete, boot;
	size_t count;
	struct wire_row rows[ROWS_MAX];	/* SPROF: from, calls; frames: from, to, total */
};

struct capture {
	struct got got[REPORTS_MAX];
	size_t n;
	char *text;
	size_t text_n;
};

static struct got *got_next(struct capture *c, size_t count)
{
	assert_in_range(c->n, 0, REPORTS_MAX - 1);
	assert_in_range(count, 0, ROWS_MAX);
	memset(&c->got[c->n], 0, sizeof(c->got[0]));
	c->got[c->n].count = count;
	return &c->got[c->n++];
}

static void take_report(void *ctx, const struct wire_report *r)
{
	struct got *g = got_next(ctx, r->count);

	g->kind = r->kind == REPORT_PROF ? GOT_PROF : GOT_SPROF;
	snprintf(g->name, sizeof(g->name), "%s", r->name);
	g->num = r->num_sites;
	g->max = r->max_sites;
	g->run = r->kind == REPORT_PROF ? r->ticks_run : r->samples;
	g->tps = r->ticks_per_second;
	g->torn = r->torn;
	g->complete = r->complete;
	g->boot = r->after_boot;
	for (size_t i = 0; i < r->count; i++) {
		if (r->kind == REPORT_PROF)
			g->rows[i] = r->rows[i];
		else
			g->rows[i] = (struct wire_row){ .from = r->sampled[i].pc,
							.calls = r->sampled[i].count };
	}
}

static void take_stack(void *ctx, const struct wire_stack *s)
{
	struct got *g = got_next(ctx, s->count);

	g->kind = GOT_STACK;
	g->num = s->announced;
	g->tps = s->ticks_per_second;
	for (size_t i = 0; i < s->count; i++)
		g->rows[i] = (struct wire_row){ s->frames[i].from, s->frames[i].to, 0,
						s->frames[i].ticks };
}

static void take_text(void *ctx, const char *s, size_t n)
{
	struct capture *c = ctx;

	memcpy(c->text + c->text_n, s, n);
	c->text_n += n;
}

static void capture_decode(struct capture *c, const char *in, size_t n, size_t step,
			   const struct codemap *code,
			   struct wire_stats *stats)
{
	struct wire_options o = { .code = code };
	struct wire_sink sink = { .ctx = c, .report = take_report, .stack = take_stack,
				  .text = take_text };
	struct wire *w = wire_new("prof", &o, &sink, NULL);

	assert_non_null(w);
	c->n = 0;
	c->text_n = 0;
	for (size_t i = 0; i < n; i += step)
		wire_feed(w, (const uint8_t *)in + i, n - i < step ? n - i : step);
	wire_flush(w, true);
	if (stats)
		wire_stats(w, stats);
	wire_free(w);
}

/* --- what was expected ------------------------------------------------------------------------ */

static void check_prof(const struct got *g, const cJSON *want, bool addresses)
{
	const cJSON *ram = cJSON_GetObjectItemCaseSensitive(want, "ram_rows");
	const cJSON *rows = ram && cJSON_GetArraySize(ram) > 0 && g->run && g->complete ? ram :
			    cJSON_GetObjectItemCaseSensitive(want, "rows");
	const cJSON *row;
	size_t i = 0;

	assert_int_equal(g->kind, GOT_PROF);
	assert_string_equal(g->name, cJSON_GetObjectItemCaseSensitive(want, "name")->valuestring);
	assert_int_equal(g->num, number_read(want, "num_sites"));
	assert_int_equal(g->max, number_read(want, "max_sites"));
	assert_int_equal(g->run, number_read(want, "time_run"));
	assert_int_equal(g->tps, number_read(want, "ticks_per_sec"));
	cJSON_ArrayForEach(row, rows) {
		const struct wire_row *r = &g->rows[i++];
		const char *from = addresses && rows != ram ? "from" : "raw_from";
		const char *to = addresses && rows != ram ? "to" : "raw_to";

		assert_in_range(i, 1, g->count);
		assert_int_equal(r->from, number_read(row, from));
		assert_int_equal(r->to, number_read(row, to));
		assert_int_equal(r->calls, number_read(row, "calls"));
		assert_int_equal(r->total, number_read(row, "total"));
		assert_int_equal(r->min, number_read(row, "min"));
		assert_int_equal(r->max, number_read(row, "max"));
		assert_int_equal(r->flags & ROW_AMBIGUOUS, 0);
		if (rows != ram && addresses)
			assert_int_equal(!!(r->flags & ROW_BIT16),
					 number_read(row, "raw_from") != r->from ||
					 number_read(row, "raw_to") != r->to);
	}
	/*
	 * expected.json stops where the header said; the table went on growing while it was
	 * printed.
	 */
	if (g->run || i < g->num)
		assert_int_equal(i, g->count);
}

static void check_other(const struct got *g, const cJSON *want, bool stack)
{
	const cJSON *row;
	size_t i = 0;

	assert_int_equal(g->kind, stack ? GOT_STACK : GOT_SPROF);
	assert_int_equal(g->num, number_read(want, stack ? "frames" : "num_sites"));
	cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(want, "rows")) {
		const struct wire_row *r = &g->rows[i++];

		assert_in_range(i, 1, g->count);
		assert_int_equal(r->from, number_read(row, stack ? "from" : "addr"));
		if (stack)
			assert_int_equal(r->to, number_read(row, "to"));
		assert_int_equal(stack ? r->total : r->calls,
				 number_read(row, stack ? "time" : "samples"));
	}
	assert_int_equal(i, g->count);
}

static void capture_check(const struct capture *c, const cJSON *expected, bool addresses)
{
	const cJSON *want;
	size_t i = 0;

	cJSON_ArrayForEach(want, cJSON_GetObjectItemCaseSensitive(expected, "reports")) {
		const char *kind = cJSON_GetObjectItemCaseSensitive(want, "kind")->valuestring;
		const struct got *g = &c->got[i++];

		assert_in_range(i, 1, c->n);
		if (strcmp(kind, "PROF") == 0)
			check_prof(g, want, addresses);
		else
			check_other(g, want, strcmp(kind, "STACK") == 0);
	}
	assert_int_equal(i, c->n);
}

/* --- the tests -------------------------------------------------------------------------------- */

/* One capture folder, loaded. */
struct data {
	struct capture *capture;
	struct map *map;
	cJSON *expected;
	char *in;
	size_t n;
};

static void captures_load(struct data *d, const char *dir)
{
	char path[256];

	snprintf(path, sizeof(path), DATA "%s/uart.txt", dir);
	d->in = file_read(path, 1 << 20, &d->n, NULL);
	if (!d->in) {
		printf("SKIP: %s: not here\n", path);
		skip();
	}
	d->expected = json_read(dir, "expected.json");
	assert_non_null(d->expected);
	d->map = map_new(dir);
	d->capture = calloc(1, sizeof(*d->capture));
	assert_non_null(d->capture);
	d->capture->text = malloc(d->n + 256);
	assert_non_null(d->capture->text);
}

static void captures_unload(struct data *d)
{
	cJSON_Delete(d->expected);
	mem_free(d->in);
	free(d->map);
	free(d->capture->text);
	free(d->capture);
}

static void test_captures(void **state)
{
	static const char *const dirs[] = {
		"inga-paper-tasks", "inga-profile-test", "inga-profile-test-wide",
		"inga-profile-test-stat", "inga-live", "inga-truncated",
	};
	static const size_t steps[] = { 1, 2, 3, 7, 29, 64, 1000, 1 << 20 };

	(void)state;
	for (size_t i = 0; i < COUNT(dirs); i++) {
		struct data d;

		captures_load(&d, dirs[i]);
		for (size_t k = 0; k < COUNT(steps); k++) {
			capture_decode(d.capture, d.in, d.n, steps[k], &d.map->code, NULL);
			capture_check(d.capture, d.expected, true);
		}
		capture_decode(d.capture, d.in, d.n, 100, NULL, NULL);
		capture_check(d.capture, d.expected, false);
		captures_unload(&d);
	}
}

/*
 * The report of the expected ones that is whole in the node's memory: all of this capture are
 * equal.
 */
static const cJSON *ram_report(const cJSON *expected)
{
	const cJSON *reports = cJSON_GetObjectItemCaseSensitive(expected, "reports");

	return cJSON_GetArrayItem(reports, 1);
}

/* Interrupts printed "tick N" into nearly every report, headers included: all come out whole. */
static void test_interleaved(void **state)
{
	struct wire_stats stats;
	struct data d;
	unsigned ticks = 0;

	(void)state;
	captures_load(&d, "inga-interleaved");
	for (int with = 0; with < 2; with++) {
		capture_decode(d.capture, d.in, d.n, 50, with ? &d.map->code : NULL, &stats);
		assert_int_equal(d.capture->n, 22);
		check_other(&d.capture->got[0],
			    cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(d.expected,
										"reports"), 0),
			    true);
		for (size_t i = 1; i < d.capture->n; i++) {
			check_prof(&d.capture->got[i], ram_report(d.expected), true);
			assert_int_equal(d.capture->got[i].torn, 0);
		}
		assert_int_equal(stats.lost, 0);
	}
	d.capture->text[d.capture->text_n] = 0;
	for (const char *s = d.capture->text; (s = strstr(s, "tick ")) != NULL; s++) {
		char want[32];

		snprintf(want, sizeof(want), "tick %u\r\n", ticks++);
		assert_true(strncmp(s, want, strlen(want)) == 0 || !strchr(s, '\n'));
	}
	assert_int_equal(ticks, 68);
	captures_unload(&d);
}

static bool same_row(const struct wire_row *a, const struct wire_row *b)
{
	return a->from == b->from && a->to == b->to && a->calls == b->calls &&
	       a->total == b->total &&
	       a->min == b->min && a->max == b->max;
}

/*
 * Whatever byte the stream ends at, and if the node then restarts: no row comes out that was not
 * sent, and rows that are missing are counted.
 */
static void check_cut(const struct capture *whole, const struct capture *cut,
		      const struct wire_stats *stats)
{
	uint64_t missing = 0;

	assert_in_range(cut->n, 0, whole->n);
	for (size_t i = 0; i < cut->n; i++) {
		const struct got *a = &whole->got[i], *b = &cut->got[i];

		assert_string_equal(a->name, b->name);
		assert_in_range(b->count, 0, a->count);
		for (size_t k = 0; k < b->count; k++)
			assert_true(same_row(&a->rows[k], &b->rows[k]));
		missing += a->num > b->count ? a->num - b->count : 0;
	}
	assert_true(stats->lost >= missing);
}

static void cut_everywhere(const char *dir, const char *then, bool image, size_t from)
{
	struct capture *whole;
	struct wire_stats stats;
	struct data d;
	char *in;

	captures_load(&d, dir);		/* first: it may skip */
	whole = calloc(1, sizeof(*whole));
	assert_non_null(whole);
	*whole = *d.capture;
	capture_decode(whole, d.in, d.n, d.n, image ? &d.map->code : NULL, &stats);
	in = malloc(d.n + 256);
	assert_non_null(in);
	for (size_t n = from; n < d.n; n++) {
		memcpy(in, d.in, n);
		memcpy(in + n, then, strlen(then));
		capture_decode(d.capture, in, n + strlen(then), 4096, image ? &d.map->code : NULL,
			       &stats);
		check_cut(whole, d.capture, &stats);
	}
	free(in);
	free(whole);
	captures_unload(&d);
}

#define BOOT "\r\n*******Booting Contiki 3.0*******\r\nReset reason: Watchdog \r\n"

static void test_cut(void **state)
{
	(void)state;
	cut_everywhere("inga-paper-tasks", "", true, 0);
	cut_everywhere("inga-paper-tasks", BOOT, true, 0);
	cut_everywhere("inga-profile-test-stat", "", true, 0);
	cut_everywhere("inga-profile-test-stat", BOOT, true, 0);
	cut_everywhere("inga-live", "", false, 0);
	cut_everywhere("inga-live", BOOT, true, 0);
	cut_everywhere("inga-interleaved", "", true, 8000);
	cut_everywhere("inga-interleaved", BOOT, true, 8000);
	cut_everywhere("inga-profile-test-wide", BOOT, false, 5500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_captures),
		cmocka_unit_test(test_interleaved),
		cmocka_unit_test(test_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
