/*
 * tasks: three stacks that take turns in the middle of calls. A call's time is its own task's.
 * Task `second` has room for two open levels and opens three. With STACKLESS the first has none.
 */
#include "hooks.h"

struct task {
	uint16_t sp;
	struct wsnprof_task *profile;	/* NULL: main's */
	struct task *next;
	uint8_t stack[192];
	uint8_t memory[WSNPROF_TASK_BYTES(6)];
};

static struct task first, second, main_task = { .next = &first };
static struct task *current = &main_task;
static volatile uint16_t rounds;

/* Store the stack pointer there, go on with this one. Interrupts are off. */
static __attribute__((naked, noinline)) QUIET void swap(uint16_t *store __attribute__((unused)),
							uint16_t sp __attribute__((unused)))
{
	__asm__ volatile(
		".irp r, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,28,29\n\tpush \\r\n\t.endr\n\t"
		"movw	r30, r24\n\t"
		"in	r24, __SP_L__\n\tin r25, __SP_H__\n\t"
		"st	Z, r24\n\tstd Z+1, r25\n\t"
		"out	__SP_H__, r23\n\tout __SP_L__, r22\n\t"
		".irp r, 29,28,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2\n\tpop \\r\n\t.endr\n\t"
		"ret");
}

static QUIET NOINLINE void pass(void)
{
	struct task *from = current;

	cli();
	current = from->next;
	wsnprof_switch(current->profile);
	swap(&from->sp, current->sp);
	sei();
}

static NOINLINE void first_inner(void)
{
	BURN(20000);
	pass();
	BURN(70000);
	pass();
	BURN(3000);
}

static NOINLINE void first_work(void)
{
	BURN(4000);
	first_inner();
}

static NOINLINE void third_level(void)
{
	BURN(5000);
	pass();
	BURN(6000);
}

static NOINLINE void second_level(void)
{
	BURN(30000);
	third_level();
}

static NOINLINE void second_work(void)
{
	BURN(1000);
	second_level();
	BURN(2000);
	pass();
}

static QUIET void first_run(void)
{
	sei();
	for (;;)
		first_work();
}

static QUIET void second_run(void)
{
	sei();
	for (;;)
		second_work();
}

static NOINLINE void main_work(void)
{
	BURN(25000);
	pass();
	BURN(15000);
}

static NOINLINE void tick(void)
{
	BURN(900);
}

ISR(TIMER0_COMPA_vect)
{
	tick();
}

static QUIET void create(struct task *task, void (*run)(void), struct task *next, uint8_t levels)
{
	uint8_t *top = task->stack + sizeof(task->stack) - 1;
	uint16_t pc = (uint16_t)run;

	*top-- = (uint8_t)pc;
	*top-- = (uint8_t)(pc >> 8);
#ifdef __AVR_3_BYTE_PC__
	*top-- = 0;
#endif
	task->sp = (uint16_t)top - 18;
	task->next = next;
	task->profile = wsnprof_task_init(task->memory, WSNPROF_TASK_BYTES(levels));
}

void hooks_run(void)
{
	create(&first, first_run, &second, 6);
#ifdef STACKLESS
	first.profile = WSNPROF_NO_STACK;
#endif
	create(&second, second_run, &main_task, 2);
	TCCR0A = _BV(WGM01);
	OCR0A = 240;			/* 15,424 cycles */
	TCCR0B = _BV(CS01) | _BV(CS00);
	TIMSK0 = _BV(OCIE0A);
	for (rounds = 0; rounds < 100; rounds++)
		main_work();
	TIMSK0 = 0;
}
