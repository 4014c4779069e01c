/*
 * plugin: QEMU reports every instruction; the plugin records all calls and samples.
 *
 *	qemu-system-arm ... -plugin truth.so,elf=APP.ELF,out=FILE[,sampler=HANDLER]
 *			[,events=FILE][,limit=MILLIONS][,end=MILLIONS]
 *
 * events: of a program with a call trace (wsntop as), every call and return (sim/truth.h).
 *
 * A firmware that has not ended after `limit` instructions is ended, with status 3 and without the
 * file; one that never ends is ended well after `end`. The file: text, tab-separated, one fact a
 * line, numbers decimal, addresses 0x... without the Thumb bit.
 *
 *	insns TOTAL RAN HOOKS
 *		instructions: all; while profiling was on; in hooks and what they call
 *	odd STRAYS CUT LEFT
 *		jumps that nothing explains (0, or the rest is doubtful); calls cut off by longjmp;
 *		samples in tasks that never went on, so that their PC is not known
 *	function ADDRESS NAME ENTRIES INSNS RAN
 *		every one that ran: how often it was begun, its instructions, those while profiling
 *		was on
 *	call FROM TO COUNT DONE TOTAL MIN MAX
 *		every call (jumps to functions too): return address, callee; from 0: no caller.
 *		DONE: returned; their instructions, hooks left out
 *	arc FROM TO COUNT
 *		while profiling: calls that called __gnu_mcount_nc; TO is behind that call
 *	site FROM TO CALLS TOTAL MIN MAX OTHER OTHER_MAX INNER
 *		while profiling: calls from the enter hook to the exit hook, in instructions; OTHER:
 *		in handlers not instrumented; INNER: instrumented calls made within
 *	took FROM TO INSNS CALLS INNER OTHER
 *		of a site's calls those of so many instructions; INNER, OTHER: the most
 *	sample PC COUNT
 *		where the sampler's interrupts hit, while profiling
 *	interrupt HANDLER COUNT
 *		interrupts taken
 *	pc ADDRESS COUNT RAN
 *		how often the instruction there ran; of these, while profiling was on
 *
 * Profiling is on from a store to wsnprof_on after wsnprof_start() or wsnprof_port_start() began,
 * to one after wsnprof_stop() or wsnprof_port_stop() did. Stores to truth_task[i] say that the
 * next return from an exception goes to task i.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "observer.h"
#include "qemu_plugin.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = 1;

static struct observer observer;
static bool starting;		/* the last of wsnprof_start() and _stop() was the first */
static const char *out_path;
static uint64_t limit = UINT64_MAX, end = UINT64_MAX;	/* instructions */

static void on_end(qemu_plugin_id_t id, void *user);

/* sim/truth.h has the record; the last halfword is the task. */
static void on_event(struct observer *o, enum truth_event type, const struct frame *f,
		     uint16_t id, uint64_t clock)
{
	uint8_t e[16] = { type, observer_lane(o), (uint8_t)id, (uint8_t)(id >> 8), o->running,
			  (uint8_t)o->task[o->current].depth, (uint8_t)o->current };

	(void)f;
	if (!o->events)
		return;
	for (size_t i = 0; i < 8; i++)
		e[8 + i] = (uint8_t)(clock >> 8 * i);
	fwrite(e, sizeof(e), 1, o->events);
}

static void on_arrive(unsigned int vcpu, void *user)
{
	const struct insn *insn = user;

	(void)vcpu;
	if (observer.clock > limit) {
		fprintf(stderr, "truth: it has not ended after %" PRIu64 " instructions\n", limit);
		_exit(3);
	}
	if (observer.clock > end) {
		on_end(0, NULL);
		_exit(0);
	}
	if (insn_begins_function(insn) && insn->function->role == ROLE_START)
		starting = true;
	else if (insn_begins_function(insn) && insn->function->role == ROLE_STOP)
		starting = false;
	observer_arrive(&observer, user);
}

static void on_leave(unsigned int vcpu, void *user)
{
	(void)vcpu;
	observer_leave(&observer, user);
}

/* What ran since the last change between on and off. */
static void insn_settle(struct insn *insn, void *user)
{
	const bool *was_running = user;

	if (!*was_running)
		insn->paused += insn->count - insn->mark;
	insn->mark = insn->count;
}

static void run_set(bool running)
{
	if (running != observer.running)
		insn_each(insn_settle, &observer.running);
	observer_run(&observer, running);
}

static void on_store(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *user)
{
	const struct insn *insn = user;
	uint32_t at = (uint32_t)address;

	(void)vcpu;
	if (!qemu_plugin_mem_is_store(info))	/* 7.2 asks for loads too */
		return;
	if (observer.image.task && at - observer.image.task < observer.image.tasks) {
		observer_next(&observer, at - observer.image.task);
	} else if (observer.image.on && at == observer.image.on && insn->function) {
		run_set(starting);
	}
}

/*
 * Only a store from the functions that may be meant; others cost too much. What is meant are
 * bytes; start-up clears memory by words.
 */
static bool may_be_meant(const struct insn *insn)
{
	return insn_stores_byte(insn) &&
	       (observer.image.task ||
		(insn->function && !strncmp(insn->function->name, "wsnprof", 7)));
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	const struct insn *before = NULL;

	(void)id;
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *q = qemu_plugin_tb_get_insn(tb, i);
		struct insn *insn = insn_at(&observer.image, (uint32_t)qemu_plugin_insn_vaddr(q),
					    qemu_plugin_insn_data(q), qemu_plugin_insn_size(q),
					    before);

		if (i == 0)
			qemu_plugin_register_vcpu_insn_exec_cb(q, on_arrive, QEMU_PLUGIN_CB_NO_REGS,
							       insn);
		if (insn->flow != FLOW_ON)
			qemu_plugin_register_vcpu_insn_exec_cb(q, on_leave, QEMU_PLUGIN_CB_NO_REGS,
							       insn);
		if (may_be_meant(insn))
			qemu_plugin_register_vcpu_mem_cb(q, on_store, QEMU_PLUGIN_CB_NO_REGS,
							 QEMU_PLUGIN_MEM_W, insn);
		qemu_plugin_register_vcpu_insn_exec_inline(q, QEMU_PLUGIN_INLINE_ADD_U64,
							   &insn->count, 1);
		qemu_plugin_register_vcpu_insn_exec_inline(q, QEMU_PLUGIN_INLINE_ADD_U64,
							   &observer.clock, 1);
		before = insn;
	}
}

/* --- the file --------------------------------------------------------------------------------- */

struct totals {
	uint64_t insns, ran;
};

static void write_pc(struct insn *insn, void *user)
{
	fprintf(user, "pc\t0x%" PRIx32 "\t%" PRIu64 "\t%" PRIu64 "\n", insn->address, insn->count,
		insn->count - insn->paused);
}

static void add_function(struct insn *insn, void *user)
{
	struct totals *total = user;

	if (insn->function) {
		total += insn->function - observer.image.function;
		total->insns += insn->count;
		total->ran += insn->count - insn->paused;
	}
}

static void add_entries(struct insn *insn, void *user)
{
	uint64_t *entries = user;

	if (insn_begins_function(insn))
		entries[insn->function - observer.image.function] = insn->count;
}

static void write_functions(FILE *f)
{
	const struct image *image = &observer.image;
	struct totals *total = calloc(image->functions, sizeof(*total));
	uint64_t *entries = calloc(image->functions, sizeof(*entries));

	insn_each(add_function, total);
	insn_each(add_entries, entries);
	for (size_t i = 0; i < image->functions; i++)
		if (total[i].insns)
			fprintf(f, "function\t0x%" PRIx32 "\t%s\t%" PRIu64 "\t%" PRIu64
				"\t%" PRIu64 "\n", image->function[i].address,
				image->function[i].name, entries[i], total[i].insns, total[i].ran);
	free(total);
	free(entries);
}

enum { WITH_FROM = 1, WITH_TIME = 2, WITH_INNER = 4 };

static void write_tallies(FILE *f, const char *what, const struct tallies *t, int with)
{
	for (size_t i = 0; i < t->rows; i++) {
		const struct tally *r = &t->row[i];

		fprintf(f, "%s", what);
		if (with & WITH_FROM)
			fprintf(f, "\t0x%" PRIx32, r->from);
		fprintf(f, "\t0x%" PRIx32 "\t%" PRIu64, r->to, r->count);
		if (with & WITH_TIME && !(with & WITH_INNER))
			fprintf(f, "\t%" PRIu64, r->done);
		if (with & WITH_TIME)
			fprintf(f, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, r->own.total,
				r->own.min, r->own.max);
		if (with & WITH_INNER)
			fprintf(f, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, r->other.total,
				r->other.max, r->inner);
		fprintf(f, "\n");
	}
}

/* The durations of each site's calls. */
static void write_took(FILE *f)
{
	const struct tallies *t = &observer.took;

	for (size_t i = 0; i < t->rows; i++) {
		const struct tally *r = &t->row[i], *site = &observer.sites.row[r->from];

		fprintf(f, "took\t0x%" PRIx32 "\t0x%" PRIx32 "\t%" PRIu32 "\t%" PRIu64
			"\t%" PRIu64 "\t%" PRIu64 "\n", site->from, site->to, r->to, r->count,
			r->inner, r->other.max);
	}
}

static void on_end(qemu_plugin_id_t id, void *user)
{
	FILE *f = fopen(out_path, "w");
	uint32_t left = 0;

	(void)id, (void)user;
	if (observer.events)
		fclose(observer.events);
	observer.events = NULL;
	if (!f) {
		perror(out_path);
		return;
	}
	insn_each(insn_settle, &observer.running);
	observer_run(&observer, false);
	fprintf(f, "insns\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", observer.clock, observer.ran,
		observer.hooks);
	for (size_t i = 0; i < OBSERVER_TASKS; i++)
		left += observer.task[i].samples;
	fprintf(f, "odd\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\n", observer.strays, observer.cut,
		left);
	write_functions(f);
	write_tallies(f, "call", &observer.calls, WITH_FROM | WITH_TIME);
	write_tallies(f, "arc", &observer.arcs, WITH_FROM);
	write_tallies(f, "site", &observer.sites, WITH_FROM | WITH_TIME | WITH_INNER);
	write_took(f);
	write_tallies(f, "sample", &observer.samples, 0);
	write_tallies(f, "interrupt", &observer.interrupts, 0);
	insn_each(write_pc, f);
	fclose(f);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv)
{
	const char *elf = NULL, *sampler = "wsnprof_sample_irq", *why;
	const char *limit_millions = NULL, *end_millions = NULL, *events = NULL;
	const struct { const char *name; const char **value; } options[] = {
		{ "elf=", &elf }, { "out=", &out_path }, { "sampler=", &sampler },
		{ "limit=", &limit_millions }, { "end=", &end_millions }, { "events=", &events },
	};

	(void)info;
	for (int i = 0; i < argc; i++)
		for (size_t o = 0; o < sizeof(options) / sizeof(options[0]); o++)
			if (!strncmp(argv[i], options[o].name, strlen(options[o].name)))
				*options[o].value = strdup(argv[i] + strlen(options[o].name));
	if (!elf || !out_path) {
		fprintf(stderr, "truth: elf= and out= are needed\n");
		return -1;
	}
	if (limit_millions)
		limit = strtoull(limit_millions, NULL, 10) * 1000000;
	if (end_millions)
		end = strtoull(end_millions, NULL, 10) * 1000000;
	why = image_open(&observer.image, elf, sampler);
	if (why) {
		fprintf(stderr, "truth: %s: %s\n", elf, why);
		return -1;
	}
	if (events && observer.image.traced)
		observer.events = fopen(events, "wb");
	observer.event = on_event;
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_atexit_cb(id, on_end, NULL);
	return 0;
}
