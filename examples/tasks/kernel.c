#include "kernel.h"

#include <stdbool.h>
#include <stddef.h>

#include "mps2.h"

#define XPSR_THUMB 0x01000000u

void SysTick_Handler(void);
void PendSV_Handler(void);
uint32_t *kernel_switch(uint32_t *sp) __attribute__((used));

static struct task idle_task;
static struct task *tasks;		/* ring; not the idle one */
static struct task *current = &idle_task;
static volatile uint32_t now;

/* --- switching -------------------------------------------------------------------------------- */

static bool task_is_ready(const struct task *task)
{
	return (int32_t)(now - task->wake) >= 0;
}

/* The next in the ring that is ready, else the idle one. */
static struct task *task_choose(void)
{
	struct task *first = current == &idle_task ? tasks : current->next, *task = first;

	do {
		if (task_is_ready(task))
			return task;
		task = task->next;
	} while (task != first);
	return &idle_task;
}

/*
 * PendSV's C half: the stack pointer of the task that is left in, the other's out. From
 * wsnprof_switch() on, calls are the new task's; nothing instrumented may run between it and the
 * switch, so that interrupts are off.
 */
uint32_t *kernel_switch(uint32_t *sp)
{
	current->sp = sp;
	__asm__ volatile("cpsid i" : : : "memory");
	current = task_choose();
	wsnprof_switch(current->profile);
	return current->sp;
}

/* Exception entry has saved r0-r3, r12, lr, pc and flags on the process stack; r4-r11 go below. */
__attribute__((naked)) void PendSV_Handler(void)
{
	__asm__ volatile(
		"mrs	r0, psp\n\t"
		"stmdb	r0!, {r4-r11}\n\t"
		"push	{r3, lr}\n\t"
		"bl	kernel_switch\n\t"	/* interrupts are off now */
		"pop	{r3, lr}\n\t"
		"ldmia	r0!, {r4-r11}\n\t"
		"msr	psp, r0\n\t"
		"cpsie	i\n\t"
		"bx	lr");
}

void SysTick_Handler(void)
{
	now++;
	wsnprof_clock_tick();
	ICSR = ICSR_PENDSV;
}

void task_yield(void)
{
	ICSR = ICSR_PENDSV;
	__asm__ volatile("dsb\n\tisb");
}

void task_sleep(uint32_t ticks)
{
	current->wake = now + ticks;
	task_yield();
}

/* --- starting --------------------------------------------------------------------------------- */

static void task_ended(void)
{
	for (;;)
		task_sleep(KERNEL_HZ);
}

/* As if PendSV had just left it at its first instruction. */
static void frame_make(struct task *task, void (*run)(void))
{
	uint32_t *sp = task->stack + TASK_STACK;

	*--sp = XPSR_THUMB;
	*--sp = (uint32_t)(uintptr_t)run;
	*--sp = (uint32_t)(uintptr_t)task_ended;
	sp -= 5 + 8;				/* r12, r3-r0; r11-r4 */
	task->sp = sp;
}

void task_create(struct task *task, void (*run)(void))
{
	frame_make(task, run);
	task->profile = wsnprof_task_init(task->shadow, sizeof(task->shadow));
	task->next = tasks ? tasks->next : task;
	if (tasks)
		tasks->next = task;
	tasks = task;
}

/* The idle task's profile is NULL: main's own shadow stack. */
__attribute__((naked, noreturn)) static void become_idle(uint32_t *top, void (*idle)(void))
{
	__asm__ volatile(
		"msr	psp, r0\n\t"
		"movs	r0, #2\n\t"
		"msr	control, r0\n\t"
		"isb\n\t"
		"mov	r4, r1\n"
		"1:	blx	r4\n\t"
		"b	1b");
	(void)top, (void)idle;
}

void kernel_start(void (*idle)(void))
{
	PRIORITY_PENDSV = 0xff;
	PRIORITY_SYSTICK = LOWEST;
	SYST_RVR = CORE_HZ / KERNEL_HZ - 1;
	SYST_CVR = 0;
	SYST_CSR = 7;
	become_idle(idle_task.stack + TASK_STACK, idle);
}
