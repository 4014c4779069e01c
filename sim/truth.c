/* truth: a shadow call stack, one instruction at a time. */
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/file.h"
#include "core/base/mem.h"
#include "sim/truth.h"

#define OP_NOP 0x0000
#define OP_RET 0x9508
#define OP_RETI 0x9518
#define OP_IJMP 0x9409
#define OP_EIJMP 0x9419
#define OP_ICALL 0x9509
#define OP_EICALL 0x9519

/* In truth.at: nothing, a mark + 1, or a function behind them. */
enum { AT_NOTHING = 0, AT_FUNCTION = SYMBOLS_MARKS + 1 };

static const char *const hook_name[TRUTH_HOOK_KINDS] = {
	[TRUTH_ENTER] = "enter",
	[TRUTH_EXIT] = "exit",
};

int truth_init(struct truth *t, avr_t *avr, const struct symbols *symbols, struct err *err)
{
	uint32_t words = (avr->flashend + 1) / 2;
	size_t i;

	memset(t, 0, sizeof(*t));
	t->avr = avr;
	t->symbols = symbols;
	map_init(&t->site_at);
	t->tasks = 1;
	t->at = mem_zalloc(words * sizeof(*t->at));
	if (!t->at)
		return err_set(err, ERR_NOMEM, "out of memory");
	for (i = 0; i < SYMBOLS_MARKS; i++)
		if (symbols->mark[i] / 2 < words)
			t->at[symbols->mark[i] / 2] = (uint16_t)(i + 1);
	for (i = 0; i < symbols->count; i++)
		if (symbols->function[i].address / 2 < words)
			t->at[symbols->function[i].address / 2] = (uint16_t)(AT_FUNCTION + i);
	return 0;
}

void truth_release(struct truth *t)
{
	mem_free(t->counts);
	map_release(&t->site_at);
	for (size_t i = 0; i < TRUTH_TASKS; i++)
		mem_free(t->task[i].call);
	mem_free(t->site);
	mem_free(t->at);
}

static uint16_t stack_pointer(const avr_t *avr)
{
	return (uint16_t)(avr->data[R_SPL] | avr->data[R_SPH] << 8);
}

/* The return address that a call has just pushed, in bytes. */
static uint32_t return_address(const avr_t *avr, uint16_t sp)
{
	uint32_t words = 0;
	int i;

	for (i = 1; i <= avr->address_size; i++)
		words = words << 8 | avr->data[(uint16_t)(sp + i)];
	return words << 1;
}

static bool is_call(uint16_t op)
{
	return (op & 0xfe0e) == 0x940e || (op & 0xf000) == 0xd000 || op == OP_ICALL ||
	       op == OP_EICALL;
}

/* Vectors, the linker's stubs, tail calls: between the call and the function. */
static bool is_jump(uint16_t op)
{
	return (op & 0xfe0e) == 0x940c || (op & 0xf000) == 0xc000 || op == OP_IJMP ||
	       op == OP_EIJMP;
}

/* --- events ---------------------------------------------------------------------------------- */

void truth_events(struct truth *t, FILE *to)
{
	t->events = to;
}

int truth_counts_begin(struct truth *t, struct err *err)
{
	t->counts = mem_zalloc(((size_t)t->avr->flashend / 2 + 1) * sizeof(*t->counts));
	return t->counts ? 0 : err_set(err, ERR_NOMEM, "out of memory");
}

int truth_counts_write(const struct truth *t, const char *path, struct err *err)
{
	return file_write(path, t->counts,
			  ((size_t)t->avr->flashend / 2 + 1) * sizeof(*t->counts), err);
}

static void event_write(const struct truth *t, enum truth_event type, uint16_t id, size_t depth,
			uint64_t cycle)
{
	uint16_t task = t->task[t->current].name;
	uint8_t e[16] = {
		(uint8_t)type, (uint8_t)t->handlers, (uint8_t)id, (uint8_t)(id >> 8),
		t->running, (uint8_t)depth, (uint8_t)task, (uint8_t)(task >> 8),
	};
	int i;

	if (!t->events)
		return;
	for (i = 0; i < 8; i++)
		e[8 + i] = (uint8_t)(cycle >> 8 * i);
	fwrite(e, sizeof(e), 1, t->events);
}

static void event_put(const struct truth *t, enum truth_event type, const struct truth_call *c,
		      uint64_t cycle)
{
	event_write(t, type, t->symbols->function[c->function].id, (size_t)(c - t->call), cycle);
}

/* The call is over, whatever ended it. */
static void call_leave(struct truth *t, struct truth_call *c, enum truth_event type, uint64_t cycle)
{
	if (!t->symbols->traced || c->left)
		return;
	c->left = true;
	event_put(t, type, c, cycle);
	if (t->symbols->function[c->function].handler && t->handlers)
		t->handlers--;
}

/* --- sites ---------------------------------------------------------------------------------- */

static struct truth_site *site_of(struct truth *t, const struct truth_call *c)
{
	uint64_t key = (uint64_t)c->from << 32 | c->function;
	uint32_t i = map_get(&t->site_at, key);

	if (i != MAP_NONE)
		return &t->site[i];
	if (mem_grow(&t->site, &t->sites_cap, t->sites + 1, sizeof(*t->site)) < 0 ||
	    map_put(&t->site_at, key, (uint32_t)t->sites) < 0) {
		t->failed = true;
		return NULL;
	}
	t->site[t->sites] = (struct truth_site){ .from = c->from, .function = c->function };
	return &t->site[t->sites++];
}

static void sites_forget(struct truth *t)
{
	map_clear(&t->site_at);
	t->sites = 0;
}

static void call_cut(struct truth *t, const struct truth_call *c)
{
	struct truth_site *site = NULL;

	if (t->running && c->era == t->era)
		site = site_of(t, c);
	if (site)
		site->cut++;
}

/* It has ended now: its caller's own time is without it. */
static uint64_t call_own(struct truth *t, const struct truth_call *c)
{
	uint64_t whole = t->now - c->since;

	if (t->calls)
		t->call[t->calls - 1].within += whole;
	return whole - c->within;
}

static void call_count(struct truth *t, const struct truth_call *c, uint64_t own)
{
	struct truth_site *site;
	uint64_t took = c->end.cycle - c->begin.cycle - (c->end.out - c->begin.out);

	site = site_of(t, c);
	if (!site)
		return;
	if (!site->calls || took < site->min)
		site->min = took;
	if (took > site->max)
		site->max = took;
	site->total += took;
	site->own += own;
	site->inner += c->end.calls - c->begin.calls;
	site->struck += c->end.handlers - c->begin.handlers;
	site->calls++;
	t->past.calls++;
	if (t->symbols->function[c->function].handler)
		t->handler_cycles += took;
}

/* --- calls ---------------------------------------------------------------------------------- */

/* Calls last from the first instruction to the last, whatever hooks are in them. */
static bool is_bare(const struct truth *t)
{
	return t->symbols->plain || t->symbols->traced || t->symbols->counted;
}

static struct truth_past past_now(const struct truth *t)
{
	struct truth_past p = t->past;

	p.cycle = t->now;
	return p;
}

static void call_begin(struct truth *t)
{
	struct truth_call *c;

	if (!t->calls)
		return;
	c = &t->call[t->calls - 1];
	c->begin = past_now(t);
	c->era = t->running ? t->era : 0;
}

static void call_end(struct truth *t, struct truth_past now)
{
	struct truth_call *c;

	if (!t->calls)
		return;
	c = &t->call[t->calls - 1];
	c->end = now;
	c->ended = t->running && c->era == t->era;
}

/* Another call is made with its stack pointer, or one above: it has jumped there, or a longjmp. */
static void call_overtake(struct truth *t, struct truth_call *c, uint16_t sp)
{
	if (c->sp == sp && t->symbols->counted) {
		c->end = past_now(t);
		c->ended = t->running && c->era == t->era;
	}
	if (c->ended) {
		call_count(t, c, call_own(t, c));	/* its hook has told that it leaves */
	} else {
		call_leave(t, c, TRUTH_CUT, t->now);
		call_cut(t, c);
	}
}

static void call_push(struct truth *t, uint32_t function, uint16_t sp)
{
	bool handler = t->symbols->function[function].handler;

	while (t->calls && t->call[t->calls - 1].sp <= sp)
		call_overtake(t, &t->call[--t->calls], sp);
	if (t->calls == TRUTH_DEPTH) {
		t->failed = true;
		return;
	}
	t->call[t->calls++] = (struct truth_call){
		.function = function,
		.from = handler ? 0 : return_address(t->avr, sp),
		.sp = sp,
		.since = t->now,
	};
	if (handler && t->nesting > 0 && t->nesting <= TRUTH_HANDLERS)
		t->handler[t->nesting - 1].followed = true;
	if (t->symbols->traced) {
		t->handlers += handler;
		event_put(t, TRUTH_CALL, &t->call[t->calls - 1], t->now);
	}
	if (is_bare(t))
		call_begin(t);
}

/* --- hooks ---------------------------------------------------------------------------------- */

/* `left`: the stack pointer of the function that an exit hook leaves, or less. */
static void hook_push(struct truth *t, enum truth_hook_kind kind, uint16_t sp, uint16_t left)
{
	struct truth_hook *h;

	if (t->hooks == TRUTH_HOOKS) {
		t->failed = true;
		return;
	}
	h = &t->hook[t->hooks++];
	*h = (struct truth_hook){
		.kind = kind, .sp = sp, .nesting = t->nesting, .cycles = t->last_cost,
	};
	if (kind == TRUTH_EXIT) {
		struct truth_past now = past_now(t);

		now.cycle -= t->last_cost;
		while (t->calls && t->call[t->calls - 1].sp < left)
			call_overtake(t, &t->call[--t->calls], left);
		call_end(t, now);
		if (t->calls)
			call_leave(t, &t->call[t->calls - 1], TRUTH_RETURN, now.cycle);
	}
	t->past.out += t->last_cost;		/* the call */
}

static void hook_pop(struct truth *t)
{
	struct truth_hook *h = &t->hook[--t->hooks];
	struct truth_cost *cost = &t->cost[h->kind];

	if (h->kind == TRUTH_ENTER && !is_bare(t))
		call_begin(t);
	if (!t->running)
		return;
	cost->calls++;
	cost->cycles += h->cycles;
	if (h->cycles > cost->max)
		cost->max = h->cycles;
}

/* The hook that runs at this nesting of interrupts, or NULL. */
static struct truth_hook *hook_at(struct truth *t, int nesting)
{
	struct truth_hook *h = t->hooks ? &t->hook[t->hooks - 1] : NULL;

	return h && h->nesting == nesting ? h : NULL;
}

/* --- profiling on and off ------------------------------------------------------------------- */

static void run_begin(struct truth *t)
{
	t->starting_sp = 0;
	if (t->running)
		return;
	t->running = true;
	t->era++;
	t->run_since = t->now;
	t->run_out_since = t->past.out;
}

static uint64_t run_now(const struct truth *t)
{
	return t->run + (t->running ? t->now - t->run_since : 0);
}

static uint64_t run_net_now(const struct truth *t)
{
	uint64_t out = t->past.out - t->run_out_since;

	return t->run_net + (t->running ? t->now - t->run_since - out : 0);
}

static void run_end(struct truth *t)
{
	t->run = run_now(t);
	t->run_net = run_net_now(t);
	t->running = false;
}

static void counts_forget(struct truth *t)
{
	sites_forget(t);
	t->run = t->run_net = t->handler_cycles = 0;
	t->run_since = t->now;
	t->run_out_since = t->past.out;
	memset(t->cost, 0, sizeof(t->cost));
}

void truth_restart(struct truth *t)
{
	t->calls = t->hooks = 0;
	t->nesting = 0;
	t->tasks = 1;
	t->current = 0;
	t->now = t->avr->cycle;
	t->running = false;
	t->calling = CALLING_NONE;
	t->starting_sp = 0;
	counts_forget(t);
}

/* --- tasks ---------------------------------------------------------------------------------- */

static void task_save(struct truth *t, struct truth_task *task)
{
	if (mem_grow(&task->call, &task->cap, t->calls, sizeof(*task->call)) < 0) {
		t->failed = true;
		return;
	}
	for (task->calls = 0; task->calls < t->calls; task->calls++)
		task->call[task->calls] = t->call[task->calls];
	memcpy(task->hook, t->hook, sizeof(task->hook));
	memcpy(task->handler, t->handler, sizeof(task->handler));
	task->hooks = t->hooks;
	task->nesting = t->nesting;
	task->handlers = t->handlers;
	task->calling = t->calling;
	task->last_cost = t->last_cost;
}

static void task_load(struct truth *t, const struct truth_task *task)
{
	for (t->calls = 0; t->calls < task->calls; t->calls++)
		t->call[t->calls] = task->call[t->calls];
	memcpy(t->hook, task->hook, sizeof(t->hook));
	memcpy(t->handler, task->handler, sizeof(t->handler));
	t->hooks = task->hooks;
	t->nesting = task->nesting;
	t->handlers = task->handlers;
	t->calling = task->calling;
	t->last_cost = task->last_cost;
}

static void task_change(struct truth *t)
{
	size_t i = 0;

	while (i < t->tasks && t->task[i].name != t->next)
		i++;
	if (i == TRUTH_TASKS) {
		t->failed = true;
		return;
	}
	if (i == t->current)
		return;
	task_save(t, &t->task[t->current]);
	t->current = i;
	if (i < t->tasks) {
		task_load(t, &t->task[i]);
		return;
	}
	t->task[t->tasks++].name = t->next;
	t->calls = t->hooks = 0;
	t->nesting = 0;
	t->handlers = 0;
	t->fresh = true;
}

/* An `out` to the stack pointer, half of it. */
static bool is_stack_write(uint16_t op)
{
	return (op & 0xfe0f) == 0xbe0d || (op & 0xfe0f) == 0xbe0e;
}

static void task_announce(struct truth *t, uint16_t sp)
{
	t->next = (uint16_t)(t->avr->data[24] | t->avr->data[25] << 8);
	t->switching_sp = sp;
	if (t->next != t->task[t->current].name)
		event_write(t, TRUTH_SWITCH, t->next, t->calls, t->now);
}

/* --- one step ------------------------------------------------------------------------------- */

/* A `ret` with this stack pointer ends a hook, or calls; a hook reached by a jump ends both. */
static void return_settle(struct truth *t, const struct truth_hook *hook, uint16_t sp)
{
	if (hook && hook->sp == sp)
		hook_pop(t);
	if (t->starting_sp && t->starting_sp == sp)
		run_begin(t);
	if (t->switching_sp && t->switching_sp == sp) {
		t->switching_sp = 0;
		t->switching = 2;
	}
	while (t->calls && t->call[t->calls - 1].sp <= sp) {
		struct truth_call *c = &t->call[--t->calls];
		uint64_t own = call_own(t, c);

		call_leave(t, c, c->sp == sp ? TRUTH_RETURN : TRUTH_CUT, t->now);

		if (c->ended)
			call_count(t, c, own);
		else
			call_cut(t, c);
	}
}

/* An interrupt was taken behind the instruction that ended now. */
static void interrupt_begin(struct truth *t)
{
	if (t->nesting < TRUTH_HANDLERS)
		t->handler[t->nesting] = (struct truth_handler){
			.calling = t->calling,
			.last_cost = t->last_cost,
			.cycle = t->now,
			.out = t->past.out,
			.within = t->calls ? t->call[t->calls - 1].within : 0,
		};
	t->nesting++;
	t->calling = CALLING_CALL;
}

/* `reti` was executed: the interrupt's time is no call's but the handler's own. */
static void interrupt_end(struct truth *t)
{
	struct truth_handler *h;

	if (t->nesting == 0)
		return;
	t->nesting--;
	if (t->nesting >= TRUTH_HANDLERS)
		return;
	h = &t->handler[t->nesting];
	t->calling = h->calling;
	t->last_cost = h->last_cost;
	t->past.out = h->out + (t->now - h->cycle);
	if (t->calls)
		t->call[t->calls - 1].within = h->within + (t->now - h->cycle);
	if (h->followed)
		t->past.handlers++;
}

/* A jump to the function's own beginning: a loop, where no hook has told that it leaves. */
static bool loops_back(const struct truth *t, uint32_t function, uint16_t sp)
{
	const struct truth_call *c = t->calls ? &t->call[t->calls - 1] : NULL;

	return t->calling == CALLING_JUMP && t->symbols->traced && c && !c->left && c->sp == sp &&
	       t->symbols->function[c->function].id == t->symbols->function[function].id;
}

/* A call out by a jump: the function has returned, though its stack pointer is the callee's. */
static void tail_leave(struct truth *t, uint16_t sp)
{
	struct truth_call *c = t->calls ? &t->call[t->calls - 1] : NULL;

	if (!c || c->sp != sp)
		return;
	call_end(t, past_now(t));
	call_leave(t, c, TRUTH_RETURN, t->now);
}

static void address_arrive(struct truth *t, uint32_t pc, uint16_t sp)
{
	uint16_t at = t->at[pc >> 1], left;

	if (at == AT_NOTHING)
		return;
	if (at >= AT_FUNCTION) {
		if (t->calling && !loops_back(t, at - AT_FUNCTION, sp))
			call_push(t, at - AT_FUNCTION, sp);
		return;
	}
	switch ((enum symbols_mark)(at - 1)) {
	case SYMBOLS_ENTER:
	case SYMBOLS_TIMED_ENTER:
	case SYMBOLS_TIMED_HANDLER:
	case SYMBOLS_COUNT_ENTER:
	case SYMBOLS_COUNT_HANDLER:
	case SYMBOLS_TRACE_ENTER:
	case SYMBOLS_TRACE_LEAF:
	case SYMBOLS_TRACE_CALL:
	case SYMBOLS_TRACE_CALL_LEAF:
	case SYMBOLS_TRACE_ENTER_WIDE:
	case SYMBOLS_TRACE_LEAF_WIDE:
	case SYMBOLS_TRACE_HANDLER_ENTER:
	case SYMBOLS_TRACE_HANDLER_ENTER_WIDE:
		if (!hook_at(t, t->nesting))	/* else one hook goes on as another */
			hook_push(t, TRUTH_ENTER, sp, 0);
		break;
	case SYMBOLS_EXIT:
	case SYMBOLS_TIMED_EXIT:
	case SYMBOLS_TIMED_EXIT_MID:
	case SYMBOLS_TIMED_HANDLER_EXIT:
	case SYMBOLS_TRACE_EXIT:
	case SYMBOLS_TRACE_EXIT_CODE:
	case SYMBOLS_TRACE_HANDLER_EXIT:
		hook_push(t, TRUTH_EXIT, sp, sp);
		break;
	case SYMBOLS_TIMED_TAIL:		/* called, with two bytes pushed */
	case SYMBOLS_TIMED_TAIL_SAVED:
		left = (uint16_t)(sp + t->avr->address_size);
		if (at - 1 == SYMBOLS_TIMED_TAIL_SAVED)
			left += 2;
		hook_push(t, TRUTH_EXIT, sp, left);
		break;
	case SYMBOLS_TRACE_OUT:
		tail_leave(t, sp);
		break;
	case SYMBOLS_START: t->starting_sp = sp; break;
	case SYMBOLS_STOP: run_end(t); break;
	case SYMBOLS_RESET: counts_forget(t); break;
	case SYMBOLS_SWITCH: task_announce(t, sp); break;
	case SYMBOLS_MARKS: break;
	}
}

static void watch_mask(struct truth *t, bool was_on, bool in_hook, uint32_t pc)
{
	bool is_on = t->avr->sreg[S_I];

	if (was_on && !is_on) {
		t->masked_since = t->avr->cycle;
		t->masked_by_hook = in_hook && !t->entry_cycles;
	}
	if (!was_on && is_on) {
		uint64_t masked = t->avr->cycle - t->masked_since;

		if (t->unmasked_once && masked > t->masked_max) {
			t->masked_max = masked;
			t->masked_pc = pc;
		}
		if (t->masked_by_hook && masked > t->masked_hook) {
			t->masked_hook = masked;
			t->masked_hook_pc = pc;
		}
		t->unmasked_once = true;
	}
}

/* The instruction to come. None while the processor sleeps, though the next may be a `ret`. */
static uint16_t opcode_at(const avr_t *avr)
{
	if (avr->state != cpu_Running)
		return OP_NOP;
	return (uint16_t)(avr->flash[avr->pc] | avr->flash[avr->pc + 1] << 8);
}

/*
 * What the instruction did comes first, then the interrupt that was taken behind it: the end of a
 * handler that lets itself be interrupted may be both.
 */
int truth_step(struct truth *t)
{
	avr_t *avr = t->avr;
	uint32_t pc = avr->pc;
	uint16_t sp = stack_pointer(avr);
	uint16_t op = opcode_at(avr);
	bool was_on = avr->sreg[S_I];
	bool leaves = op == OP_RET || op == OP_RETI;
	struct truth_hook *hook;
	int state;

	t->now = avr->cycle;
	if (avr->state == cpu_Running) {
		if (t->counts && t->running)
			t->counts[pc >> 1]++;
		address_arrive(t, pc, sp);
	}
	hook = hook_at(t, t->nesting);
	if (leaves && !hook && is_bare(t) && t->calls && t->call[t->calls - 1].sp == sp)
		call_end(t, past_now(t));
	t->entry_cycles = 0;
	/* A function with hooks saves registers first: nothing loops there, it is a tail call. */
	if (is_call(op))
		t->calling = CALLING_CALL;
	else if (!is_jump(op))
		t->calling = CALLING_NONE;
	else if (!t->calling && !t->symbols->plain)
		t->calling = CALLING_JUMP;
	state = avr_run(avr);
	t->last_cost = avr->cycle - t->entry_cycles - t->now;
	t->now += t->last_cost;
	if (hook) {
		t->past.out += t->last_cost;
		hook->cycles += t->last_cost;
	}
	watch_mask(t, was_on, hook, pc);
	if (leaves)
		return_settle(t, hook, sp);
	if (op == OP_RETI)
		interrupt_end(t);
	if (leaves && t->fresh) {
		t->fresh = false;
		t->calling = CALLING_CALL;
	}
	if (t->switching && is_stack_write(op) && --t->switching == 0)
		task_change(t);
	if (t->entry_cycles)
		interrupt_begin(t);
	return state;
}

void truth_interrupt(struct truth *t, uint64_t cycles)
{
	t->entry_cycles = cycles;
}

static void write_site(const struct truth *t, const struct truth_site *s, struct buf *b)
{
	buf_addf(b, "site\t%#" PRIx32 "\t%#" PRIx32 "\t%" PRIu64 "\t%" PRIu64, s->from,
		 t->symbols->function[s->function].address, s->calls, s->cut);
	buf_addf(b, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, s->total, s->min, s->max,
		 s->inner);
	buf_addf(b, "\t%" PRIu64 "\t%" PRIu64 "\n", s->struck, s->own);
}

int truth_write(const struct truth *t, const char *path, struct err *err)
{
	struct buf b = BUF_INIT;
	size_t i;
	int rc;

	if (t->failed)
		return err_set(err, ERR_NOMEM, "%s: out of memory, or calls too deep", path);
	buf_addf(&b, "hz\t%" PRIu32 "\ncycles\t%" PRIu64 "\n", t->avr->frequency, t->avr->cycle);
	buf_addf(&b, "run\t%" PRIu64 "\t%" PRIu64 "\nisr\t%" PRIu64 "\n",
		 run_now(t), run_net_now(t),
		 t->handler_cycles);
	for (i = 0; i < TRUTH_HOOK_KINDS; i++)
		buf_addf(&b, "hook\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", hook_name[i],
			 t->cost[i].calls, t->cost[i].cycles, t->cost[i].max);
	buf_addf(&b, "masked\t%" PRIu64 "\t%#" PRIx32 "\n", t->masked_max, t->masked_pc);
	buf_addf(&b, "masked_hook\t%" PRIu64 "\t%#" PRIx32 "\n", t->masked_hook,
		 t->masked_hook_pc);
	for (i = 0; i < t->symbols->count; i++)
		buf_addf(&b, "function\t%#" PRIx32 "\t%s\n", t->symbols->function[i].address,
			 t->symbols->function[i].name);
	for (i = 0; i < t->sites; i++)
		write_site(t, &t->site[i], &b);
	rc = b.failed ? err_set(err, ERR_NOMEM, "out of memory")
		      : file_write(path, b.data, b.len, err);
	buf_release(&b);
	return rc;
}
