/*
 * What the hooks write down: how often each function was entered, in which order, whether each
 * return belongs to the call that is innermost, and whether the stack is where it was. Handlers have a lane of their
 * own. Compiled without the filter.
 */
#include "features.h"

#ifdef __AVR_3_BYTE_PC__
enum { IDS = 200, DEPTH = 100, PC = 3 };
#else
enum { IDS = 200, DEPTH = 100, PC = 2 };	/* PC: bytes of a return address (AVR) */
#endif

static struct lane {
	uint16_t count[IDS];
	struct {
		uint16_t id;
		uintptr_t sp;
	} open[DEPTH];
	uint16_t depth, deepest;
	uint32_t enters, exits, order;	/* order: of all entries, summed up */
	uint16_t faults;
} lanes[2];

static volatile uint8_t in_handler;
static volatile uint8_t stopped;

static struct lane *lane_now(void)
{
#ifndef __AVR__
	uint32_t ipsr;

	__asm__ volatile("mrs %0, ipsr" : "=r"(ipsr));
	return &lanes[(ipsr & 0x1ff) != 0];
#else
	return &lanes[in_handler != 0];
#endif
}

static void count_add(struct lane *l, uint16_t id)
{
	l->order = l->order * 31 + id;
	if (id == 0 || id >= IDS)
		l->faults++;
	else
		l->count[id]++;
}

void record_leaf(uint16_t id)
{
	struct lane *l = lane_now();

	if (stopped)
		return;
	count_add(l, id);
}

void record_enter(uint16_t id, uintptr_t sp)
{
	struct lane *l = lane_now();

	if (stopped)
		return;
	l->enters++;
	count_add(l, id);
	if (l->depth == DEPTH) {
		l->faults++;
		return;
	}
	if (l->depth && l->open[l->depth - 1].sp < sp)
		l->faults++;
	l->open[l->depth].id = id;
	l->open[l->depth++].sp = sp;
	if (l->depth > l->deepest)
		l->deepest = l->depth;
}

/* AVR: the stack is as at the beginning, but for the address of a call and a saved pointer. */
void record_exit(uintptr_t sp)
{
	struct lane *l = lane_now();
	uintptr_t above;

	if (stopped)
		return;
	l->exits++;
	if (!l->depth) {
		l->faults++;
		return;
	}
	above = l->open[--l->depth].sp - sp;
#ifdef __AVR__
	if (above != 0 && above != PC && above != PC + 2)
#else
	if (above > 1024)
#endif
		l->faults++;
}

void record_handler_enter(uint16_t id, uintptr_t sp)
{
	in_handler++;
	record_enter(id, sp);
}

void record_handler_exit(uintptr_t sp)
{
	record_exit(sp);
	in_handler--;
}

static void line_put(const char *name, long lane, long a, long b)
{
	say("@", lane);
	say(name, a);
	say(name, b);
}

void record_print(void)
{
	stopped = 1;
	for (int i = 0; i < 2; i++) {
		struct lane *l = &lanes[i];

		line_put("@calls", i, (long)(l->enters), (long)l->exits);
		line_put("@order", i, (long)(l->order >> 16), (long)(l->order & 0xffff));
		line_put("@state", i, (long)l->depth, (long)l->faults);
		for (int at = 1; at < l->depth; at++)
			line_put("@open", i, l->open[at].id, at);
		for (int id = 0; id < IDS; id++)
			if (l->count[id])
				line_put("@id", i, id, l->count[id]);
	}
}
