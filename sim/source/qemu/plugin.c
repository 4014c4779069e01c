/*
 * A plugin of QEMU: the calls of an ordinary firmware, told in the format of core/wire/sim/sim.h.
 *
 *	-plugin wsntop-qemu.so,table=FILE,fd=N,hz=HZ[,pace=PACE][,end=INSTRUCTIONS][,trace=0]
 *
 * TABLE, which wsntop-qemu writes: the ELF's functions and marks, three words each (table.h). (This
 * process reads no ELF: QEMU itself loads it.) FD: records of sim.h, both ways. HZ: instructions a
 * second. PACE: times real time at most, 0: as fast as it goes.
 *
 * Calls are those that sim/cortexm/truth/observer.c sees: by branches and return addresses, as
 * plugins of QEMU 7.2 read no registers. Their durations are instructions. The stack pointer: sp.h.
 */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/wire/wsn/wsn.h"
#include "sim/cortexm/truth/observer.h"
#include "sim/cortexm/truth/qemu_plugin.h"
#include "sim/source/commands.h"
#include "sim/source/qemu/sp.h"
#include "sim/source/qemu/table.h"
#include "sim/source/shadow.h"
#include "sim/source/watch.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = 1;

enum { FUNCTIONS_MAX = UINT16_MAX - 1, TELLS = 5, FLUSHES = 50, ROW_BYTES = 12 };

/* The system's memory map (ARMv7-M, B3.1): devices, whose values are not to be read twice. */
#define DEVICES_BEGIN 0x40000000u
#define DEVICES_END 0x60000000u
#define SYSTEM_BEGIN 0xe0000000u

#define LATE_MAX 0.2			/* s; a host further behind than this does not catch up */

static struct observer observer;
static struct shadow shadow;
static struct pack pack;
static struct watches watches;
static struct commands commands;
static struct plugin {
	qemu_plugin_id_t id;
	bool ordered;			/* what to watch was said */
	bool loads, stores;		/* what is translated tells of these */
	struct code_mark *marks;
	size_t mark_count;
	uint64_t hz, end;
	double pace, began;		/* host's time of the first instruction */
	uint64_t told, flushed;		/* instructions */
	size_t task;
	/* The stack pointer; it has to be read: so often it changed as nobody knows. */
	uint64_t sp, sp_unsure;
	uint32_t sp_struck;		/* before the outermost handler that runs; 0: not known */
	unsigned handlers;
	bool handler_ended;		/* in the step under way, and it had these: */
	bool handler_apart;
	uint32_t handler_base;
} plugin = { .pace = 1, .end = UINT64_MAX };

/* --- what is watched -------------------------------------------------------------------------- */

static void translations_begin(qemu_plugin_id_t id);

static bool memory_read(void *ctx, uint32_t address, uint8_t *dst, unsigned n)
{
	(void)ctx;
	cpu_physical_memory_rw(address, dst, n, false);
	return true;
}

static enum wire_watch_refusal point_refuse(void *ctx, const struct wire_watchpoint *p)
{
	bool device = (p->address >= DEVICES_BEGIN && p->address < DEVICES_END) ||
		      p->address >= SYSTEM_BEGIN;

	(void)ctx;
	return p->kind == WATCH_VALUE && p->reading.bytes && (device || !cpu_physical_memory_rw) ?
	       REFUSED_KIND : REFUSED_NOT;
}

/* What was translated without callbacks for these accesses is translated again. */
static void watch_take(const struct command *c)
{
	plugin.ordered = true;
	if (!watches_take(&watches, c->body, c->n, observer.clock))
		return;
	if ((watches.loads && !plugin.loads) || (watches.stores && !plugin.stores)) {
		plugin.loads |= watches.loads;
		plugin.stores |= watches.stores;
		if (observer.clock)
			qemu_plugin_reset(plugin.id, translations_begin);
	}
}

static void commands_take(void)
{
	struct command c;

	while (commands_next(&commands, &c))
		if (c.type == SIM_WATCH)
			watch_take(&c);
}

static void commands_serve(void)
{
	struct pollfd in = { .fd = commands.fd, .events = POLLIN };

	while (poll(&in, 1, 0) > 0 && commands_read(&commands))
		commands_take();
}

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

static void insn_tell(struct insn *insn, void *user)
{
	(void)user;
	if (insn->count != insn->told)
		pack_spent(&pack, insn->address, insn->count);
	insn->told = insn->count;
}

static void all_tell(void)
{
	shadow_tell(&shadow, observer.clock, pace_now());
	insn_each(insn_tell, NULL);
	pack_flush(&pack);
}

static void plugin_end(void)
{
	watches_flush(&watches);
	all_tell();
	_exit(shadow.failed ? 1 : 0);
}

static void time_serve(void)
{
	commands_serve();
	if (observer.clock - plugin.told >= plugin.hz / TELLS) {
		plugin.told = observer.clock;
		all_tell();
	}
	if (observer.clock - plugin.flushed >= plugin.hz / FLUSHES) {
		plugin.flushed = observer.clock;
		plugin.sp_unsure++;	/* as a precaution */
		pack_flush(&pack);
		if (plugin.pace > 0)
			pace_keep();
	}
	if (observer.clock >= plugin.end || pack.failed || shadow.failed)
		plugin_end();
}

/* --- what is seen ----------------------------------------------------------------------------- */

/* True: the stack pointer was not known, and is. */
static bool sp_settle(void)
{
	bool unsure = shadow.depths.known && plugin.sp_unsure;

	if (unsure)
		plugin.sp = sp_read();
	plugin.sp_unsure = 0;
	return unsure;
}

/* What an exception pushed is its handler's, if that runs on the same stack. */
static void handler_enter(struct shadow_entry *e)
{
	uint32_t before = plugin.sp_unsure ? 0 : (uint32_t)plugin.sp;

	plugin.sp_unsure = 1;
	sp_settle();
	e->sp = (uint32_t)plugin.sp;
	e->apart = !sp_exception(e->sp, &e->base);
	if (!plugin.handlers++)
		plugin.sp_struck = e->apart ? before : e->base;
}

static void call_enter(const struct frame *f, uint32_t function, uint64_t clock)
{
	struct shadow_entry e = {
		.function = function, .from = f->handler ? 0 : f->from, .handler = f->handler,
		.base = (uint32_t)plugin.sp, .sp = (uint32_t)plugin.sp,
	};

	if (f->handler && plugin.handler_ended) {	/* it jumped there */
		plugin.handler_ended = false;
		e.base = plugin.handler_base;
		e.apart = plugin.handler_apart;
	} else if (f->handler && shadow.depths.known) {
		handler_enter(&e);
	}
	shadow_enter(&shadow, &e, clock);
}

static void call_leave(const struct frame *f, uint64_t clock)
{
	const struct shadow_stack *k = &shadow.stacks[shadow.current];

	if (f->handler && k->count) {
		plugin.handler_ended = true;
		plugin.handler_base = k->frames[k->count - 1].base;
		plugin.handler_apart = k->frames[k->count - 1].apart;
	}
	shadow_leave(&shadow, clock);
}

/* Another task goes on where the stack pointer is not what it was. */
static void handler_leave(void)
{
	plugin.handler_ended = false;
	plugin.handlers -= plugin.handlers > 0;
	plugin.sp_unsure = 1;
	if (sp_settle() && !plugin.handlers && plugin.sp_struck &&
	    (uint32_t)plugin.sp != plugin.sp_struck)
		shadow_stack_lost(&shadow);
}

static void on_event(struct observer *o, enum truth_event type, const struct frame *f,
		     uint16_t id, uint64_t clock)
{
	(void)o;
	if (type == TRUTH_SWITCH)
		plugin.task = id;
	else if (type == TRUTH_CALL)
		call_enter(f, id - 1u, clock);
	else
		call_leave(f, clock);
	if (type == TRUTH_SWITCH)
		shadow_stack(&shadow, plugin.task, clock);
}

/* How deep the run that begins at this instruction goes. */
static void run_reach(const struct insn *insn, bool settled)
{
	uint32_t low = (uint32_t)plugin.sp + (uint32_t)insn->reach;

	if (low < shadow.depths.low)
		shadow_depth(&shadow, low, settled);
}

static void on_begin(void)
{
	plugin.began = host_now();
	plugin.sp_unsure = 1;
	if (sp_settle())
		shadow_stack_begins(&shadow, (uint32_t)plugin.sp);
}

static void on_arrive(unsigned int vcpu, void *user)
{
	const struct insn *insn = user;
	bool settled;

	(void)vcpu;
	if (!observer.clock)
		on_begin();
	if (watches.waiting)
		watches_settle(&watches, observer.clock);
	/* A handler's is another one than what it interrupted had. */
	settled = plugin.sp_unsure && !(insn_begins_function(insn) && insn->function->handler) &&
		  sp_settle();
	observer_arrive(&observer, insn);
	if (plugin.handler_ended)
		handler_leave();
	run_reach(insn, settled);
	if (observer.clock - plugin.flushed >= plugin.hz / FLUSHES)
		time_serve();
}

static void on_leave(unsigned int vcpu, void *user)
{
	(void)vcpu;
	observer_leave(&observer, user);
}

static void on_access(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *user)
{
	(void)vcpu;
	(void)user;
	watches_access(&watches, (uint32_t)address, 1u << qemu_plugin_mem_size_shift(info),
		       qemu_plugin_mem_is_store(info), observer.clock);
}

static void on_mark(unsigned int vcpu, void *user)
{
	const struct code_mark *m = user;

	(void)vcpu;
	if (watches.marks)
		watches_mark(&watches, m->number, observer.clock);
}

static void insn_watch(struct qemu_plugin_insn *q)
{
	int rw = plugin.loads * QEMU_PLUGIN_MEM_R + plugin.stores * QEMU_PLUGIN_MEM_W;
	uint32_t address = (uint32_t)qemu_plugin_insn_vaddr(q);

	if (rw)
		qemu_plugin_register_vcpu_mem_cb(q, on_access, QEMU_PLUGIN_CB_NO_REGS, rw, NULL);
	for (size_t i = 0; i < plugin.mark_count; i++)
		if (plugin.marks[i].address == address)
			qemu_plugin_register_vcpu_insn_exec_cb(q, on_mark, QEMU_PLUGIN_CB_NO_REGS,
							       &plugin.marks[i]);
}

/* A straight run that is translated: where its stack pointer is, as far as that is known. */
struct run {
	struct insn *first;
	int32_t at;
	unsigned conditional;		/* instructions of an IT block that follow */
	bool lost;
};

static void insn_follow_sp(struct qemu_plugin_insn *q, struct run *run)
{
	const uint8_t *code = qemu_plugin_insn_data(q);
	size_t size = qemu_plugin_insn_size(q);
	int32_t delta;
	enum sp_move move = sp_move_of(code, size, &delta);

	if (run->conditional) {
		run->conditional--;
		move = move == SP_STAYS ? SP_STAYS : SP_CHANGES;
	} else {
		run->conditional = sp_conditional(code, size);
	}
	if (move == SP_CHANGES)
		qemu_plugin_register_vcpu_insn_exec_inline(q, QEMU_PLUGIN_INLINE_ADD_U64,
							   &plugin.sp_unsure, 1);
	else if (move == SP_MOVES)
		qemu_plugin_register_vcpu_insn_exec_inline(q, QEMU_PLUGIN_INLINE_ADD_U64,
							   &plugin.sp, (uint64_t)(int64_t)delta);
	run->lost |= move == SP_CHANGES;
	run->at += delta;
	if (!run->lost && run->at < run->first->reach)
		run->first->reach = run->at;
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	const struct insn *before = NULL;
	struct run run = { .first = NULL };

	(void)id;
	/* Nothing runs before it is known what to watch; the memory is there by now. */
	while (!plugin.ordered && commands_read(&commands))
		commands_take();
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *q = qemu_plugin_tb_get_insn(tb, i);
		struct insn *insn = insn_at(&observer.image, (uint32_t)qemu_plugin_insn_vaddr(q),
					    qemu_plugin_insn_data(q), qemu_plugin_insn_size(q),
					    before);

		if (i == 0)
			qemu_plugin_register_vcpu_insn_exec_cb(q, on_arrive, QEMU_PLUGIN_CB_NO_REGS,
							       insn);
		run.first = i == 0 ? insn : run.first;
		insn_watch(q);
		if (shadow.depths.known)
			insn_follow_sp(q, &run);
		if (insn->flow != FLOW_ON)
			qemu_plugin_register_vcpu_insn_exec_cb(q, on_leave, QEMU_PLUGIN_CB_NO_REGS,
							       insn);
		qemu_plugin_register_vcpu_insn_exec_inline(q, QEMU_PLUGIN_INLINE_ADD_U64,
							   &observer.clock, 1);
		qemu_plugin_register_vcpu_insn_exec_inline(q, QEMU_PLUGIN_INLINE_ADD_U64,
							   &insn->count, 1);
		before = insn;
	}
}

static void on_exit_of_qemu(qemu_plugin_id_t id, void *user)
{
	(void)id;
	(void)user;
	watches_flush(&watches);
	all_tell();
}

static void translations_begin(qemu_plugin_id_t id)
{
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_atexit_cb(id, on_exit_of_qemu, NULL);
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

static void mark_add(const uint32_t *row)
{
	struct code_mark *marks = realloc(plugin.marks, (plugin.mark_count + 1) * sizeof(*marks));

	if (!marks)
		return;
	plugin.marks = marks;
	marks[plugin.mark_count++] = (struct code_mark){ row[0], (uint16_t)row[1] };
}

static bool table_read(struct image *im, const char *path)
{
	FILE *f = fopen(path, "rb");
	uint32_t row[ROW_BYTES / 4];

	im->function = calloc(FUNCTIONS_MAX, sizeof(*im->function));
	while (f && im->function && im->functions < FUNCTIONS_MAX &&
	       fread(row, sizeof(row), 1, f) == 1) {
		if (row[2] == TABLE_MARK) {
			mark_add(row);
			continue;
		}
		im->function[im->functions] = (struct function){
			.address = row[0], .size = row[1], .name = "",
			.handler = row[2] == TABLE_HANDLER,
			.id = (uint16_t)(im->functions + 1),
		};
		im->functions++;
	}
	if (f)
		fclose(f);
	return im->functions > 0;
}

static void calls_begin(bool trace)
{
	struct shadow_code code = { &observer.image, function_find, function_entry };

	shadow_init(&shadow, &code, &pack, plugin.hz);
	shadow.trace = trace;
	shadow.watches = &watches;
	shadow.depths.known = sp_readable();
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv)
{
	const char *table = "", *fd = "", *hz = "", *pace = "1", *end = "", *trace = "1";
	const struct { const char *name; const char **value; } options[] = {
		{ "table=", &table }, { "fd=", &fd }, { "hz=", &hz }, { "pace=", &pace },
		{ "end=", &end }, { "trace=", &trace },
	};

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
	calls_begin(strtol(trace, NULL, 10) != 0);
	commands.fd = atoi(fd);
	watches.read = memory_read;
	watches.refuse = point_refuse;
	watches_init(&watches, &pack);
	plugin.id = id;
	observer.event = on_event;
	translations_begin(id);
	return 0;
}
