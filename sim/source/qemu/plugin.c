/*
 * A plugin of QEMU: the calls of an ordinary firmware, told in the format of core/wire/sim/sim.h.
 *
 *	-plugin wsntop-qemu.so,table=FILE,fd=N,hz=HZ[,pace=PACE][,end=INSTRUCTIONS][,trace=0]
 *
 * TABLE, which wsntop-qemu writes: the ELF's functions, 12 bytes each: u32 address, size, 1: a
 * handler. (This process reads no ELF: QEMU itself loads it.) HZ: instructions a second. PACE:
 * times real time at most, 0: as fast as it goes.
 *
 * Calls are those that sim/cortexm/truth/observer.c sees: by branches and return addresses, as
 * plugins of QEMU 7.2 read no registers. Their durations are instructions.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/wire/wsn/wsn.h"
#include "sim/cortexm/truth/observer.h"
#include "sim/cortexm/truth/qemu_plugin.h"
#include "sim/source/shadow.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = 1;

enum { FUNCTIONS_MAX = UINT16_MAX - 1, TELLS = 5, FLUSHES = 50, ROW_BYTES = 12 };

#define LATE_MAX 0.2			/* s; a host further behind than this does not catch up */

static struct observer observer;
static struct shadow shadow;
static struct pack pack;
static struct plugin {
	uint64_t hz, end;
	double pace, began;		/* host's time of the first instruction */
	uint64_t told, flushed;		/* instructions */
	size_t task;
} plugin = { .pace = 1, .end = UINT64_MAX };

/* --- time ------------------------------------------------------------------------------------- */

static double host_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double pace_now(void)
{
	double host = host_now() - plugin.began;

	return host > 0 ? (double)observer.clock / (double)plugin.hz / host : 0;
}

static void pace_keep(void)
{
	double ahead = (double)observer.clock / (double)plugin.hz / plugin.pace -
		       (host_now() - plugin.began);
	double whole = ahead > 0 ? (double)(time_t)ahead : 0;
	struct timespec nap = { (time_t)whole, (long)((ahead - whole) * 1e9) };

	if (ahead > 0)
		nanosleep(&nap, NULL);
	else if (ahead < -LATE_MAX)
		plugin.began -= ahead;		/* it slept, or the host was busy */
}

static void plugin_end(void)
{
	shadow_tell(&shadow, observer.clock, pace_now());
	_exit(shadow.failed);
}

static void time_serve(void)
{
	if (observer.clock - plugin.told >= plugin.hz / TELLS) {
		plugin.told = observer.clock;
		shadow_tell(&shadow, observer.clock, pace_now());
	}
	if (observer.clock - plugin.flushed >= plugin.hz / FLUSHES) {
		plugin.flushed = observer.clock;
		pack_flush(&pack);
		if (plugin.pace > 0)
			pace_keep();
	}
	if (observer.clock >= plugin.end || pack.failed || shadow.failed)
		plugin_end();
}

/* --- what is seen ----------------------------------------------------------------------------- */

static void on_event(struct observer *o, enum truth_event type, const struct frame *f,
		     uint16_t id, uint64_t clock)
{
	(void)o;
	if (type == TRUTH_SWITCH)
		plugin.task = id;
	else if (type == TRUTH_CALL)
		shadow_enter(&shadow, id - 1u, f->handler ? 0 : f->from, f->handler, clock);
	else
		shadow_leave(&shadow, clock);
	if (type == TRUTH_SWITCH)
		shadow_stack(&shadow, plugin.task, clock);
}

static void on_arrive(unsigned int vcpu, void *user)
{
	(void)vcpu;
	if (!observer.clock)
		plugin.began = host_now();
	observer_arrive(&observer, user);
	if (observer.clock - plugin.flushed >= plugin.hz / FLUSHES)
		time_serve();
}

static void on_leave(unsigned int vcpu, void *user)
{
	(void)vcpu;
	observer_leave(&observer, user);
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
		qemu_plugin_register_vcpu_insn_exec_inline(q, QEMU_PLUGIN_INLINE_ADD_U64,
							   &observer.clock, 1);
		before = insn;
	}
}

static void on_exit_of_qemu(qemu_plugin_id_t id, void *user)
{
	(void)id;
	(void)user;
	shadow_tell(&shadow, observer.clock, pace_now());
}

/* --- begin ------------------------------------------------------------------------------------ */

static uint32_t function_find(const void *ctx, uint32_t address)
{
	const struct function *f = image_find(ctx, address);

	return f ? (uint32_t)(f - ((const struct image *)ctx)->function) : SHADOW_NONE;
}

static uint32_t function_entry(const void *ctx, uint32_t function)
{
	return ((const struct image *)ctx)->function[function].address;
}

static bool table_read(struct image *im, const char *path)
{
	FILE *f = fopen(path, "rb");
	uint32_t row[ROW_BYTES / 4];

	im->function = calloc(FUNCTIONS_MAX, sizeof(*im->function));
	while (f && im->function && im->functions < FUNCTIONS_MAX &&
	       fread(row, sizeof(row), 1, f) == 1) {
		im->function[im->functions] = (struct function){
			.address = row[0], .size = row[1], .handler = row[2], .name = "",
			.id = (uint16_t)(im->functions + 1),
		};
		im->functions++;
	}
	if (f)
		fclose(f);
	return im->functions > 0;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv)
{
	const char *table = "", *fd = "", *hz = "", *pace = "1", *end = "", *trace = "1";
	const struct { const char *name; const char **value; } options[] = {
		{ "table=", &table }, { "fd=", &fd }, { "hz=", &hz }, { "pace=", &pace },
		{ "end=", &end }, { "trace=", &trace },
	};
	struct shadow_code code = { &observer.image, function_find, function_entry };

	(void)info;
	for (int i = 0; i < argc; i++)
		for (size_t o = 0; o < sizeof(options) / sizeof(options[0]); o++)
			if (!strncmp(argv[i], options[o].name, strlen(options[o].name)))
				*options[o].value = strdup(argv[i] + strlen(options[o].name));
	plugin.hz = strtoull(hz, NULL, 10);
	plugin.pace = strtod(pace, NULL);
	plugin.end = *end ? strtoull(end, NULL, 10) : UINT64_MAX;
	if (plugin.hz < FLUSHES || !table_read(&observer.image, table)) {
		fprintf(stderr, "wsntop-qemu.so: no table of functions\n");
		return -1;
	}
	pack_begin(&pack, atoi(fd));
	pack_hello(&pack, plugin.hz, WSN_ARCH_ARMV7M, "QEMU", "instructions");
	shadow_init(&shadow, &code, &pack, plugin.hz);
	shadow.trace = strtol(trace, NULL, 10) != 0;
	observer.event = on_event;
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_atexit_cb(id, on_exit_of_qemu, NULL);
	return 0;
}
