/*
 * The model: arcs per second into a small table, a compute over it, and what a million distinct
 * call sites take. bench_exports has what is written of them.
 */
#include <unistd.h>

#include "bench/bench.h"
#include "core/profile/profile.h"
#include "core/profile/raw/feed.h"

#define BATCH 256
#define ARCS 100

struct load {
	struct profile p;
	struct wire_arc arcs[BATCH];
};

static void add_arcs(void *ctx)
{
	struct load *l = ctx;

	for (int i = 0; i < 20000; i++)
		profile_add_arcs(&l->p, l->arcs, BATCH);
}

/* A linear congruential generator (Numerical Recipes): the same arcs every time. */
static uint32_t seed_next(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

static void few_arcs(void)
{
	struct load l;
	uint32_t state = 1;
	double s;

	profile_init(&l.p, "");
	for (int i = 0; i < BATCH; i++) {
		uint32_t which = seed_next(&state) % ARCS;

		l.arcs[i] = (struct wire_arc){ 0x1000 + which * 6, 0x4000 + which % 37 * 64 };
	}
	s = bench_best(add_arcs, &l);
	bench_print("profile_add_arcs", 20000.0 * BATCH / s / 1e6, "M arcs/s");
	profile_release(&l.p);
}

/* A firmware of so many functions that make 50 calls each, assembled here. */
#define CALLS 50
#define CALL_BYTES 5

static uint32_t callee_of(uint32_t function, uint32_t call, uint32_t functions)
{
	return (function * 7 + call * 131) % functions;
}

static struct image *big_image(const char *dir, uint32_t functions)
{
	char path[128], command[512];
	struct err err = { 0 };
	struct image *im;
	FILE *f;

	snprintf(path, sizeof(path), "%s/fw.s", dir);
	f = fopen(path, "w");
	for (uint32_t i = 0; f && i < functions; i++) {
		fprintf(f, ".globl f%u\n.type f%u,@function\nf%u:\n", i, i, i);
		for (uint32_t k = 0; k < CALLS; k++)
			fprintf(f, "call f%u\n", callee_of(i, k, functions));
		fprintf(f, "ret\n.size f%u,.-f%u\n", i, i);
	}
	if (!f || fclose(f))
		return NULL;
	snprintf(command, sizeof(command),
		 "gcc -nostdlib -static -no-pie -Wl,-e,f0 -o %s/fw.elf %s", dir, path);
	if (system(command))
		return NULL;
	snprintf(path, sizeof(path), "%s/fw.elf", dir);
	im = image_new(path, &err);
	if (!im)
		fprintf(stderr, "%s\n", err.text);
	return im;
}

static void profile_fill(struct profile *p, const struct image *im, uint32_t functions)
{
	for (uint32_t i = 0; i < functions; i++) {
		uint32_t at = (uint32_t)image_function(im, i)->address;

		for (uint32_t k = 0; k < CALLS; k++) {
			struct wire_arc arc = { at + (k + 1) * CALL_BYTES,
				(uint32_t)image_function(im, callee_of(i, k, functions))->address };

			profile_add_arcs(p, &arc, 1);
		}
	}
}

static void profile_recompute(void *ctx)
{
	struct profile *p = ctx;

	p->dirty = true;
	profile_compute(p);
}

static void many_sites(uint32_t functions)
{
	char dir[] = "/tmp/wsntop-bench-XXXXXX", command[64];
	struct image *im;
	struct profile p;
	double before;

	if (!mkdtemp(dir))
		return;
	im = big_image(dir, functions);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	if (system(command) || !im)
		return;
	before = bench_peak_mb();
	profile_init(&p, "");
	profile_set_image(&p, im);
	profile_fill(&p, im, functions);
	profile_compute(&p);
	bench_print("call sites", (double)p.site_count, "");
	bench_print("edges", (double)p.edge_count, "");
	bench_print("functions", (double)p.function_count, "");
	bench_print("model", (double)profile_memory(&p) / 1e6, "MB");
	bench_print("peak above the image", bench_peak_mb() - before, "MB");
	bench_print("profile_compute", bench_best(profile_recompute, &p) * 1000, "ms");
	profile_release(&p);
	image_free(im);
}

/* bench_profile [arcs]: the first alone, for callgrind. */
int main(int argc, char **argv)
{
	few_arcs();
	if (argc < 2 || strcmp(argv[1], "arcs"))
		many_sites(20000);
	return 0;
}
