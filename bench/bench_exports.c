/*
 * Every format of the table: what it writes a second, and the heap that it takes beside the model,
 * of a million edges and of a million calls.
 *
 *	bench_exports				all
 *	bench_exports FORMAT [FUNCTIONS]	one, once, of 50 edges a function: bytes written
 *	bench_exports formats			their names: those that need neither a baseline nor
 *						anything that the made profile has not
 *
 * A format of the call trace is told by its name: "perfetto, calls".
 */
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bench/bench.h"
#include "tests/unit/peak.h"
#include "tests/unit/export_load.h"

enum { FUNCTIONS = 20200, CALLS = 1000000 };

struct exported {
	const struct export_source *source;
	const struct exporter *exporter;
	const char *path;
	struct err err;
};

static void export_once(void *ctx)
{
	struct exported *x = ctx;

	x->err = (struct err){ 0 };
	export_file(x->exporter, x->source, x->path, &x->err);
}

/* What its file takes, or its files in their directory; -1: the source has nothing for it. */
static double bytes_written(struct exported *x)
{
	static const char *const names[] = { "", "/metadata", "/events" };
	char dir[] = "/tmp/wsntop-bench-XXXXXX", to[64], path[96];
	struct stat st;
	double bytes = 0;

	if (!mkdtemp(dir))
		return -1;
	snprintf(to, sizeof(to), "%s/out", dir);
	x->path = to;
	export_once(x);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s%s", to, names[i]);
		if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
			bytes += (double)st.st_size;
	}
	snprintf(path, sizeof(path), "rm -rf %s", dir);
	if (system(path))
		perror(dir);
	x->path = x->exporter->parts ? NULL : "/dev/null";
	return err_is_set(&x->err) ? -1 : bytes;
}

/* Into nothing, but a directory into /tmp. */
static void export_speed(void *ctx)
{
	struct exported *x = ctx;

	if (x->path)
		export_once(x);
	else
		bytes_written(x);
}

/* Of a processor: other programs may run. */
static double seconds_best(struct exported *x)
{
	double best = 1e9;

	for (int i = 0; i < bench_rounds(); i++) {
		clock_t begun = clock();
		double s;

		export_speed(x);
		s = (double)(clock() - begun) / CLOCKS_PER_SEC;
		best = s < best ? s : best;
	}
	return best;
}

static void format_bench(const struct export_load *l, const struct exporter *e, bool traced)
{
	struct export_source s = load_source(l, traced);
	struct exported x = { .source = &s, .exporter = e };
	double bytes, seconds;
	size_t before = peak_now;
	char name[64];

	if (!strcmp(e->name, "changes"))
		s.baseline = &l->p;
	bytes = bytes_written(&x);
	if (bytes < 0)
		return;
	peak_reset();
	export_speed(&x);
	seconds = seconds_best(&x);
	snprintf(name, sizeof(name), "export %s%s", e->name, traced ? ", calls" : "");
	bench_print(name, seconds * 1000, "ms");
	bench_print("", bytes / 1e6, "MB");
	bench_print("", bytes / seconds / 1e6, "MB/s");
	bench_print("", (double)(peak_most - before) / 1e6, "MB beside the model");
}

/* Those that differ with a call trace; the others would be written twice. */
static bool format_traces(const struct exporter *e)
{
	static const char *const names[] = {
		"speedscope", "trace", "perfetto", "ctf", "log", "log-csv", "log-json", "vcd",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(e->name, names[i]))
			return true;
	return false;
}

static bool format_needs_trace(const struct exporter *e)
{
	return format_traces(e) && strcmp(e->name, "speedscope");
}

static int one_export(const char *name, uint32_t functions)
{
	bool traced = strstr(name, ", calls") != NULL;
	char format[32];
	struct export_load l;
	struct export_source s;
	struct exported x = { .source = &s, .path = "/dev/null" };

	snprintf(format, sizeof(format), "%.*s", (int)strcspn(name, ","), name);
	x.exporter = exporter_find(format);
	if (!x.exporter || load_make(&l, functions, traced ? functions * LOAD_CALLS : 1) < 0)
		return fprintf(stderr, "usage: bench_exports [FORMAT [FUNCTIONS]]\n"), 2;
	s = load_source(&l, traced);
	bench_print("bytes", bytes_written(&x), "bytes");
	load_release(&l);
	return 0;
}

static int formats_list(void)
{
	for (const struct exporter *e = exporters; e->name; e++) {
		if (!strcmp(e->name, "changes"))
			continue;
		if (!format_needs_trace(e))
			puts(e->name);
		if (format_traces(e))
			printf("%s, calls\n", e->name);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct export_load l;

	if (argc > 1 && !strcmp(argv[1], "formats"))
		return formats_list();
	if (argc > 1)
		return one_export(argv[1], argc > 2 ? (uint32_t)atoi(argv[2]) : FUNCTIONS);
	if (load_make(&l, FUNCTIONS, CALLS) < 0)
		return 1;
	bench_print("edges", (double)l.p.edge_count, "");
	bench_print("model", (double)profile_memory(&l.p) / 1e6, "MB");
	for (const struct exporter *e = exporters; e->name; e++) {
		format_bench(&l, e, false);
		if (format_traces(e))
			format_bench(&l, e, true);
	}
	load_release(&l);
	return 0;
}
