/*
 * single_calls: would runs of PC samples tell single calls, as figure 14 of the third paper does?
 *
 *	single_calls CHIP ELF SECONDS PERIOD_US
 *
 * CHIP (simavr) runs the ELF at 8 MHz; its PC is sampled each PERIOD_US, varied by half. A call is
 * told as a run of samples in its function and in what that calls, as in the paper; which functions
 * call which is known from the run itself, more than a static graph knows. Of functions whose calls
 * take ten periods and more on average, at least CALLS_LEAST of them, prints
 *
 *	calls N found N told N several N
 *
 * calls of 12 periods and more; of these, told by one run that overlaps no other call and begins
 * and ends within two periods of it; runs of five samples and more; of these, runs over several
 * calls.
 */
#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>
#include <simavr/sim_elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/image/image.h"

enum {
	FUNCTIONS = 1024, DEPTH = 256, CLOCK = 8000000,
	HANDLER = FUNCTIONS - 1,	/* any interrupt's: its samples are left out */
	CALLS_LEAST = 3, PERIODS_LEAST = 10, PERIODS_LONG = 12, PERIODS_OFF = 2, RUN_LEAST = 5,
};

struct span {
	uint32_t function;
	uint64_t begin, end;
};

struct spans {
	struct span *v;
	size_t count, cap;
};

static struct image *image;
static struct spans calls, runs;
static bool edge[FUNCTIONS][FUNCTIONS];		/* calls, then in any number of steps */
static uint32_t *samples;			/* functions */
static uint64_t *times;
static unsigned handlers;			/* open */
static size_t sample_count, sample_cap, time_cap;
static struct { uint32_t function; uint16_t sp; uint64_t begin; } open_calls[DEPTH];
static unsigned depth;

static void trial_fail(const char *what)
{
	fprintf(stderr, "single_calls: %s\n", what);
	exit(1);
}

static void span_add(struct spans *s, uint32_t function, uint64_t begin, uint64_t end)
{
	if (mem_grow(&s->v, &s->cap, s->count + 1, sizeof(*s->v)) < 0)
		trial_fail("out of memory");
	s->v[s->count++] = (struct span){ function, begin, end };
}

/* --- the run ---------------------------------------------------------------------------------- */

static uint16_t stack_of(const avr_t *avr)
{
	return (uint16_t)(avr->data[R_SPL] | avr->data[R_SPH] << 8);
}

/* Behind an instruction: what returned, what began. */
static void calls_follow(const avr_t *avr, uint16_t before)
{
	uint16_t sp = stack_of(avr);
	uint32_t f = image_find(image, avr->pc);

	while (depth && sp > open_calls[depth - 1].sp) {
		depth--;
		handlers -= open_calls[depth].function == HANDLER;
		span_add(&calls, open_calls[depth].function, open_calls[depth].begin, avr->cycle);
	}
	if (depth && f < HANDLER)	/* jumps at the end of a function, shared prologues */
		edge[open_calls[depth - 1].function][f] = true;
	if (sp + 2 != before || f >= HANDLER || image_function(image, f)->address != avr->pc ||
	    depth == DEPTH)
		return;
	open_calls[depth].function = f;
	open_calls[depth].sp = sp;
	open_calls[depth++].begin = avr->cycle;
}

static void handler_enter(const avr_t *avr)
{
	if (depth == DEPTH)
		return;
	open_calls[depth].function = HANDLER;
	open_calls[depth].sp = stack_of(avr);
	open_calls[depth++].begin = avr->cycle;
	handlers++;
}

static void sample_add(const avr_t *avr)
{
	if (handlers)
		return;
	if (mem_grow(&samples, &sample_cap, sample_count + 1, sizeof(*samples)) < 0 ||
	    mem_grow(&times, &time_cap, sample_count + 1, sizeof(*times)) < 0)
		trial_fail("out of memory");
	samples[sample_count] = avr->state == cpu_Sleeping ? IMAGE_NONE :
							     image_find(image, avr->pc);
	times[sample_count++] = avr->cycle;
}

static void chip_step(avr_t *avr)
{
	avr_flashaddr_t behind = avr->pc;
	uint16_t before = stack_of(avr);
	avr_cycle_count_t sleep;

	avr->run_cycle_count = 1;
	if (avr->state == cpu_Running)
		behind = avr_run_one(avr);
	sleep = avr_cycle_timer_process(avr);
	avr->pc = behind;
	calls_follow(avr, before);
	if (avr->state == cpu_Sleeping)
		avr->cycle += 1 + (sleep < 64 ? sleep : 64);
	before = stack_of(avr);
	avr_service_interrupts(avr);
	if (stack_of(avr) != before)
		handler_enter(avr);
}

static void program_run(avr_t *avr, double seconds, double period)
{
	uint64_t due = 0, end = (uint64_t)(seconds * CLOCK);
	uint32_t random = 1;

	while (avr->cycle < end && avr->state != cpu_Done && avr->state != cpu_Crashed) {
		chip_step(avr);
		if (avr->cycle < due)
			continue;
		sample_add(avr);
		random = random * 1664525 + 1013904223;
		due = avr->cycle + (uint64_t)(period * (0.5 + random / 4294967296.0));
	}
}

/* --- what is told ----------------------------------------------------------------------------- */

static void edges_close(uint32_t count)
{
	for (uint32_t k = 0; k < count; k++)
		for (uint32_t i = 0; i < count; i++)
			for (uint32_t j = 0; edge[i][k] && j < count; j++)
				edge[i][j] |= edge[k][j];
}

static void runs_tell(uint32_t f)
{
	size_t from = 0, own = 0;

	for (size_t i = 0; i <= sample_count; i++) {
		uint32_t s = i < sample_count ? samples[i] : IMAGE_NONE;

		if (s == f || (s < FUNCTIONS && edge[f][s])) {
			own += s == f;
			continue;
		}
		if (own && i - from >= RUN_LEAST)
			span_add(&runs, f, times[from], times[i - 1]);
		from = i + 1;
		own = 0;
	}
}

static size_t stretch_overlaps(const struct spans *s, const struct span *of, size_t *last)
{
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++) {
		if (s->v[i].function != of->function || s->v[i].begin > of->end ||
		    s->v[i].end < of->begin)
			continue;
		*last = i;
		n++;
	}
	return n;
}

static bool is_near(uint64_t a, uint64_t b, double most)
{
	return (a > b ? a - b : b - a) <= most;
}

static void trial_judge(double period)
{
	size_t found = 0, several = 0, all = 0, call = 0, run = 0;

	for (size_t i = 0; i < runs.count; i++)
		several += stretch_overlaps(&calls, &runs.v[i], &call) > 1;
	for (size_t i = 0; i < calls.count; i++) {
		const struct span *c = &calls.v[i];

		if ((double)(c->end - c->begin) < PERIODS_LONG * period)
			continue;
		all++;
		found += stretch_overlaps(&runs, c, &run) == 1 &&
			 stretch_overlaps(&calls, &runs.v[run], &call) == 1 &&
			 is_near(runs.v[run].begin, c->begin, PERIODS_OFF * period) &&
			 is_near(runs.v[run].end, c->end, PERIODS_OFF * period);
	}
	printf("calls %zu found %zu told %zu several %zu\n", all, found, runs.count, several);
}

/* Calls of functions that are long enough are kept, the others are left out. */
static void long_functions(double period)
{
	static double ticks[FUNCTIONS], counts[FUNCTIONS];
	size_t kept = 0;

	for (size_t i = 0; i < calls.count; i++) {
		ticks[calls.v[i].function] += (double)(calls.v[i].end - calls.v[i].begin);
		counts[calls.v[i].function]++;
	}
	for (size_t i = 0; i < calls.count; i++) {
		uint32_t f = calls.v[i].function;

		if (f != HANDLER && counts[f] >= CALLS_LEAST &&
		    ticks[f] >= PERIODS_LEAST * period * counts[f])
			calls.v[kept++] = calls.v[i];
	}
	calls.count = kept;
	for (uint32_t f = 0; f < HANDLER; f++)
		if (counts[f] >= CALLS_LEAST && ticks[f] >= PERIODS_LEAST * period * counts[f])
			runs_tell(f);
}

static void log_nothing(avr_t *avr, const int level, const char *format, va_list ap)
{
	(void)avr;
	(void)level;
	(void)format;
	(void)ap;
}

int main(int argc, char **argv)
{
	static elf_firmware_t firmware;
	struct err err = { 0 };
	double period;
	avr_t *avr;

	if (argc != 5 || !(atof(argv[4]) > 0))
		trial_fail("CHIP ELF SECONDS PERIOD_US");
	period = atof(argv[4]) * CLOCK / 1e6;
	avr_global_logger_set(log_nothing);
	image = image_new(argv[2], &err);
	if (!image)
		trial_fail(err.text);
	image_wait(image);
	avr = avr_make_mcu_by_name(argv[1]);
	if (!avr || avr_init(avr) != 0 || elf_read_firmware(argv[2], &firmware) != 0)
		trial_fail("no such chip or firmware");
	avr_load_firmware(avr, &firmware);
	avr->frequency = CLOCK;
	program_run(avr, atof(argv[3]), period);
	edges_close(image_function_count(image) < FUNCTIONS ? image_function_count(image) :
							      FUNCTIONS);
	long_functions(period);
	trial_judge(period);
	return 0;
}
