/* truth: a shadow call stack, one instruction at a time. */
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/file.h"
#include "core/base/mem.h"
#include "sim/truth.h"

#define OP_RET 0x9508
#define OP_RETI 0x9518

static const char *const hook_name[TRUTH_HOOK_KINDS] = {
	[TRUTH_ENTER] = "enter",
	[TRUTH_EXIT] = "exit",
};

int truth_init(struct truth *t, avr_t *avr, const struct symbols *symbols, struct err *err)
{
	size_t i;

	memset(t, 0, sizeof(*t));
	t->avr = avr;
	t->symbols = symbols;
	map_init(&t->function_at);
	map_init(&t->site_at);
	for (i = 0; i < symbols->count; i++)
		if (map_put(&t->function_at, symbols->function[i].address, (uint32_t)i) < 0)
			return err_set(err, ERR_NOMEM, "out of memory");
	return 0;
}

void truth_release(struct truth *t)
{
	map_release(&t->function_at);
	map_release(&t->site_at);
	mem_free(t->site);
	mem_free(t->report);
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

static void span_add(struct truth_span *s, uint64_t v, bool first)
{
	s->total += v;
	if (first || v < s->min)
		s->min = v;
	if (v > s->max)
		s->max = v;
}

static struct truth_site *site_of(struct truth *t, const struct truth_call *c)
{
	uint64_t key = (uint64_t)c->from << 32 | c->function;
	uint32_t i = map_get(&t->site_at, key);

	if (i != MAP_NONE)
		return &t->site[i];
	if (mem_grow(&t->site, &t->sites_cap, t->sites + 1, sizeof(*t->site)) < 0 ||
	    map_put(&t->site_at, key, (uint32_t)t->sites) < 0)
		return NULL;
	t->site[t->sites] = (struct truth_site){ .from = c->from, .function = c->function };
	return &t->site[t->sites++];
}

static void call_count(struct truth *t, const struct truth_call *c)
{
	struct truth_site *site;
	uint64_t took = c->end - c->begun;

	if (!c->era || !c->ended)
		return;
	site = site_of(t, c);
	if (!site) {
		t->failed = true;
		return;
	}
	span_add(&site->total, took, !site->calls);
	span_add(&site->net, took - (c->end_hooks - c->begun_hooks), !site->calls);
	site->calls++;
}

static void call_push(struct truth *t, uint32_t function, uint16_t sp)
{
	if (t->calls == TRUTH_DEPTH) {
		t->failed = true;
		return;
	}
	t->call[t->calls++] = (struct truth_call){
		.function = function,
		.from = return_address(t->avr, sp),
		.sp = sp,
	};
}

static void call_begin(struct truth *t)
{
	struct truth_call *c;

	if (!t->calls)
		return;
	c = &t->call[t->calls - 1];
	c->begun = t->avr->cycle;
	c->begun_hooks = t->hook_cycles;
}

static void call_end(struct truth *t, uint64_t cycle, uint64_t hooks)
{
	struct truth_call *c;

	if (!t->calls)
		return;
	c = &t->call[t->calls - 1];
	c->end = cycle;
	c->end_hooks = hooks;
	c->ended = t->running && c->era == t->era;
}

static void hook_push(struct truth *t, enum truth_hook_kind kind, uint16_t sp)
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
	if (kind == TRUTH_ENTER && t->calls)
		t->call[t->calls - 1].era = t->running ? t->era : 0;
	if (kind == TRUTH_EXIT && !t->avr->sreg[S_I]) {
		call_end(t, t->avr->cycle - t->last_cost, t->hook_cycles);
		h->timed = true;
	}
	t->hook_cycles += t->last_cost;		/* the call */
}

static void hook_pop(struct truth *t)
{
	struct truth_hook *h = &t->hook[--t->hooks];
	struct truth_cost *cost = &t->cost[h->kind];

	if (h->kind == TRUTH_ENTER && !h->timed)
		call_begin(t);
	if (!t->running)
		return;
	cost->calls++;
	cost->cycles += h->cycles;
	if (h->cycles > cost->max)
		cost->max = h->cycles;
}

/* The hook's section with interrupts off ends (enter) or starts (exit): the interval's bounds. */
static void hook_watch(struct truth *t, struct truth_hook *h, bool was_on)
{
	bool is_on = t->avr->sreg[S_I];

	if (h->timed || was_on == is_on || is_on != (h->kind == TRUTH_ENTER))
		return;
	h->timed = true;
	if (h->kind == TRUTH_ENTER)
		call_begin(t);
	else
		call_end(t, t->avr->cycle, t->hook_cycles);
}

/* The hook that runs at this nesting of interrupts, or NULL. */
static struct truth_hook *hook_at(struct truth *t, int nesting)
{
	struct truth_hook *h = t->hooks ? &t->hook[t->hooks - 1] : NULL;

	return h && h->nesting == nesting ? h : NULL;
}

/* A `ret` with this stack pointer ends a hook, or calls; a hook reached by a jump ends both. */
static void returned(struct truth *t, const struct truth_hook *hook, uint16_t sp)
{
	if (hook && hook->sp == sp)
		hook_pop(t);
	while (t->calls && t->call[t->calls - 1].sp <= sp) {
		struct truth_call *c = &t->call[--t->calls];

		if (c->sp == sp)	/* else skipped by a longjmp */
			call_count(t, c);
	}
}

static void watch_running(struct truth *t)
{
	uint32_t at = t->symbols->running;
	bool running = at == SYMBOLS_NONE || t->avr->data[at];

	if (running && !t->running)
		t->era++;
	t->running = running;
}

static void watch_mask(struct truth *t, bool was_on, uint32_t pc)
{
	bool is_on = t->avr->sreg[S_I];

	if (was_on && !is_on)
		t->masked_since = t->avr->cycle;
	if (!was_on && is_on) {
		uint64_t masked = t->avr->cycle - t->masked_since;

		if (t->unmasked_once && masked > t->masked_max) {
			t->masked_max = masked;
			t->masked_pc = pc;
		}
		t->unmasked_once = true;
	}
}

static void arrive(struct truth *t, uint32_t pc, uint16_t sp)
{
	uint32_t function;

	if (pc == t->symbols->enter) {
		hook_push(t, TRUTH_ENTER, sp);
	} else if (pc == t->symbols->exit) {
		hook_push(t, TRUTH_EXIT, sp);
	} else {
		function = map_get(&t->function_at, pc);
		if (function != MAP_NONE)
			call_push(t, function, sp);
	}
}

int truth_step(struct truth *t)
{
	avr_t *avr = t->avr;
	uint32_t pc = avr->pc;
	uint16_t sp = stack_pointer(avr);
	uint16_t op = (uint16_t)(avr->flash[pc] | avr->flash[pc + 1] << 8);
	bool was_on = avr->sreg[S_I];
	uint64_t before = avr->cycle;
	int nesting = t->nesting;
	struct truth_hook *hook;
	int state;

	arrive(t, pc, sp);
	hook = hook_at(t, nesting);
	t->entry_cycles = 0;
	state = avr_run(avr);
	t->last_cost = avr->cycle - before;
	if (hook) {
		t->hook_cycles += t->last_cost - t->entry_cycles;
		hook->cycles += t->last_cost - t->entry_cycles;
		if (t->nesting == nesting)
			hook_watch(t, hook, was_on);
	}
	watch_running(t);
	watch_mask(t, was_on, pc);
	if (op == OP_RETI)
		t->nesting--;
	else if (op == OP_RET)
		returned(t, hook, sp);
	return state;
}

void truth_interrupt(struct truth *t, uint64_t cycles)
{
	t->nesting++;
	t->entry_cycles = cycles;
}

void truth_line(struct truth *t, const char *line)
{
	if (strncmp(line, "PROF:", 5))
		return;
	if (mem_grow(&t->report, &t->reports_cap, t->reports + 1, sizeof(*t->report)) < 0)
		t->failed = true;
	else
		t->report[t->reports++] = t->avr->cycle;
}

static void write_site(const struct truth *t, const struct truth_site *s, struct buf *b)
{
	buf_addf(b, "site\t%#" PRIx32 "\t%#" PRIx32 "\t%" PRIu64, s->from,
		 t->symbols->function[s->function].address, s->calls);
	buf_addf(b, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, s->total.total, s->total.min,
		 s->total.max);
	buf_addf(b, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", s->net.total, s->net.min,
		 s->net.max);
}

int truth_write(const struct truth *t, const char *path, struct err *err)
{
	struct buf b = BUF_INIT;
	size_t i;
	int rc;

	if (t->failed)
		return err_set(err, ERR_NOMEM, "%s: out of memory, or calls too deep", path);
	buf_addf(&b, "hz\t%" PRIu32 "\ncycles\t%" PRIu64 "\n", t->avr->frequency, t->avr->cycle);
	for (i = 0; i < TRUTH_HOOK_KINDS; i++)
		buf_addf(&b, "hook\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", hook_name[i],
			 t->cost[i].calls, t->cost[i].cycles, t->cost[i].max);
	buf_addf(&b, "masked\t%" PRIu64 "\t%#" PRIx32 "\n", t->masked_max, t->masked_pc);
	for (i = 0; i < t->reports; i++)
		buf_addf(&b, "report\t%zu\t%" PRIu64 "\n", i + 1, t->report[i]);
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
