/*
 * How long an image takes to open: bench_image [ELF...]; without one, two made here, of 2 and of 50
 * MB. `symbols` is image_new, what the first frame waits for; `dwarf` is the thread behind it.
 */
#include "bench/bench.h"
#include "bench/made.h"

#include <unistd.h>

#include "core/base/text.h"
#include "core/image/image.h"

struct figures {
	double symbols_ms, dwarf_ms;
	size_t bytes;
	uint32_t functions;
};

static double ms_since(uint64_t start)
{
	return (double)(clock_now() - start) / 1e6;
}

static int image_measure(const char *path, struct figures *f)
{
	struct err err;
	struct image *im;
	uint64_t start;

	err_clear(&err);
	start = clock_now();
	im = image_new(path, &err);
	f->symbols_ms = ms_since(start);
	if (!im) {
		fprintf(stderr, "bench_image: %s\n", err.text);
		return -1;
	}
	start = clock_now();
	image_wait(im);
	f->dwarf_ms = ms_since(start);
	f->bytes = image_memory(im);
	f->functions = image_function_count(im);
	image_free(im);
	return 0;
}

static void figure_print(const char *what, const char *name, double value, const char *unit)
{
	char label[64];

	snprintf(label, sizeof(label), "image %s, %s", what, name);
	bench_print(label, value, unit);
}

/* The best of some rounds: what it costs, not what else the machine did. */
static int image_bench(const char *path)
{
	const char *name = text_basename(path);
	struct figures best = { 1e9, 1e9, 0, 0 }, now;

	for (int i = 0; i < bench_rounds(); i++) {
		if (image_measure(path, &now) < 0)
			return 1;
		now.symbols_ms =
			now.symbols_ms < best.symbols_ms ? now.symbols_ms : best.symbols_ms;
		now.dwarf_ms = now.dwarf_ms < best.dwarf_ms ? now.dwarf_ms : best.dwarf_ms;
		best = now;
	}
	figure_print("symbols", name, best.symbols_ms, "ms");
	figure_print("dwarf", name, best.dwarf_ms, "ms");
	figure_print("memory", name, (double)best.bytes / 1e6, "MB");
	figure_print("functions", name, best.functions, "functions");
	return 0;
}

static int made_bench(const char *folder, unsigned mb)
{
	char elf[128];
	int ret = made_elf(folder, mb, elf, sizeof(elf));

	if (ret == 0)
		ret = image_bench(elf);
	unlink(elf);
	return ret;
}

int main(int argc, char **argv)
{
	char folder[] = "/tmp/wsntop-bench.XXXXXX";
	int failed = 0;

	for (int i = 1; i < argc; i++)
		failed |= image_bench(argv[i]);
	if (argc > 1)
		return failed;
	if (!mkdtemp(folder))
		return 1;
	failed = made_bench(folder, 2) | made_bench(folder, 50);
	rmdir(folder);
	return failed;
}
