/*
 * What test_stack.sh measures the stack of: frames of known sizes, a recursion, alloca, tail calls,
 * a handler, tasks (AVR), and what is written below a painted stack. AVR (ends asleep) and Cortex-M
 * (goes on).
 */
#include <stddef.h>
#include <stdint.h>

#ifndef ROUNDS
#define ROUNDS 3
#endif

#define NOINLINE __attribute__((noinline, noclone))
#define PAINT 0xa5

volatile uint16_t ticks;
volatile uint32_t sum;
volatile uint16_t vary_bytes;		/* 200, which compilers do not know */
/* Addresses of the lowest bytes whose paint is gone: of the program's stack, of two tasks'. */
volatile uint32_t lowest, lowest_first, lowest_second;
volatile uint32_t end_first, end_second;	/* behind the tasks' stacks */

NOINLINE static void handler_part(void)
{
	volatile uint8_t room[24];

	room[0] = room[23] = 1;
	ticks += room[0];
}

#if defined(__AVR__) || defined(TAIL)
#define ON_TICK handler_part()		/* Cortex-M: it jumps there */
#else
#define ON_TICK (handler_part(), ticks++)
#endif
#define CHIP_TIMERS (TCCR0B = _BV(CS00))
#define TICK_RELOAD 2500
#include "../chip.h"

#ifdef __AVR__
extern uint8_t __heap_start;
#define FLOOR (&__heap_start)
#define STACK_NOW ((uint8_t *)SP)
#else
extern uint8_t bss_end[];
#define FLOOR bss_end
#define STACK_NOW ((uint8_t *)__builtin_frame_address(0) - 256)
#endif

/* Below what is in use. Nothing else may run meanwhile. */
NOINLINE static void stack_paint(void)
{
	for (volatile uint8_t *p = FLOOR; p < STACK_NOW; p++)
		*p = PAINT;
}

NOINLINE static uint32_t paint_find(volatile uint8_t *p)
{
	while (*p == PAINT)
		p++;
	return (uint32_t)(uintptr_t)p;
}

/* Each byte of the frame is written. */
#define FILL(name, bytes)							\
	NOINLINE static uint8_t name(uint8_t x)					\
	{									\
		volatile uint8_t room[bytes];					\
										\
		for (uint16_t i = 0; i < (bytes); i++)				\
			room[i] = (uint8_t)(x + 1);				\
		return room[x % (bytes)];					\
	}

FILL(fill_small, 40)
FILL(fill_odd, 173)
FILL(fill_large, 600)

NOINLINE static uint16_t leaf(uint16_t x)
{
	return (uint16_t)(x * 5u + ticks);
}

NOINLINE static uint16_t descend(uint8_t levels)
{
	volatile uint8_t room[8];

	for (uint8_t i = 0; i < sizeof(room); i++)
		room[i] = levels;
	if (!levels)
		return leaf(room[3]);
	return (uint16_t)(descend((uint8_t)(levels - 1)) + room[levels % 8]);
}

NOINLINE static uint16_t tail_last(uint16_t x)
{
	return (uint16_t)(x + fill_small((uint8_t)x));
}

NOINLINE static uint16_t tail_first(uint16_t x)
{
	sum++;
	return tail_last((uint16_t)(x ^ 3));
}

NOINLINE static uint16_t vary(uint16_t bytes)
{
	volatile uint8_t *room = __builtin_alloca(bytes);

	for (uint16_t i = 0; i < bytes; i++)
		room[i] = (uint8_t)i;
	return (uint16_t)(room[bytes - 1] + leaf(bytes));
}

NOINLINE static void round_do(void)
{
	sum += fill_small(3);
	sum += fill_odd(4);
	sum += fill_large(5);
	sum += descend(20);
	sum += tail_first(6);
	sum += vary(vary_bytes);
}

#ifdef TASKS
enum { TASK_STACK = 200, TASK_SAVED = 18 };

static uint8_t stacks[2][TASK_STACK];
static uint8_t *saved[3];		/* the tasks', main's */

/* The stack pointer is written low half first, as FreeRTOS does it. */
void task_switch(uint8_t **from, uint8_t *to);
__asm__(".text\n\t.global task_switch\n\t.type task_switch, @function\ntask_switch:\n\t"
	".irp r,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,28,29\n\tpush \\r\n\t.endr\n\t"
	"movw r30, r24\n\t"
	"in r0, 0x3d\n\tst Z, r0\n\tin r0, 0x3e\n\tstd Z+1, r0\n\t"
	"out 0x3d, r22\n\tout 0x3e, r23\n\t"
	".irp r,29,28,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2\n\tpop \\r\n\t.endr\n\t"
	"ret\n\t.size task_switch, .-task_switch");

static void task_first(void)
{
	for (;;) {
		sum += fill_small(9);
		task_switch(&saved[0], saved[1]);
	}
}

static void task_second(void)
{
	for (;;) {
		sum += descend(4);
		task_switch(&saved[1], saved[2]);
	}
}

static void task_prepare(uint8_t task, void (*entry)(void))
{
	uint8_t *top = stacks[task] + TASK_STACK;

	for (uint8_t *p = stacks[task]; p < top; p++)
		*p = PAINT;
	*--top = (uint8_t)(uintptr_t)entry;
	*--top = (uint8_t)((uintptr_t)entry >> 8);
	saved[task] = top - TASK_SAVED - 1;
}

static void tasks_run(void)
{
	task_prepare(0, task_first);
	task_prepare(1, task_second);
	for (uint8_t i = 0; i < 5; i++)
		task_switch(&saved[2], saved[0]);
	lowest_first = paint_find(stacks[0]);
	lowest_second = paint_find(stacks[1]);
	end_first = (uint32_t)(uintptr_t)(stacks[0] + TASK_STACK);
	end_second = (uint32_t)(uintptr_t)(stacks[1] + TASK_STACK);
}
#else
#define tasks_run() ((void)0)
#endif

int main(void)
{
	stack_paint();
	vary_bytes = 200;
	round_do();
	tasks_run();
	lowest = paint_find(FLOOR);
	if (ROUNDS)
		chip_begin();
	for (int i = 0; i < ROUNDS; i++)
		round_do();
	chip_end();
	return 0;
}
