/*
 * Four tasks and the main program, preempted in turn by a timer wherever they are, or going by
 * themselves in the middle of a call; a traced handler interrupts all of them. Main polls.
 */
#include <avr/interrupt.h>
#include <avr/sleep.h>

#include "wsnprof.h"
#include "wsnprof_port.h"
#include "wsnprof_uart.h"

#define QUIET WSNPROF_QUIET
#define NOINLINE __attribute__((noinline))

#ifndef TASKS
#define TASKS 4
#endif
#ifndef TICKS
#define TICKS 1000
#endif

struct task {
	uint16_t sp;
	struct wsnprof_task *traced;
	uint8_t stack[320];
};

static struct task tasks[TASKS + 1];	/* the first is main's */
static volatile uint8_t current;
static volatile uint16_t ticks;
static volatile uint8_t over;
volatile uint16_t sink;
volatile uint8_t interrupts;

uint16_t kernel_switch(uint16_t sp) QUIET;
void kernel_yield(void) QUIET;
void kernel_tick(void) QUIET;
uint8_t work_fib(uint8_t n);
void work_leaf(uint8_t n);
void work_burst(uint8_t n);
void work_wait(void);
void work_deep(uint8_t n);
void task_fib(void);
void task_burst(void);
void task_wait(void);
void task_deep(void);

/* --- the kernel: not traced -------------------------------------------------------------------- */

#define REGISTERS "2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"

#define SAVE_SWITCH_RESTORE						\
	"push	r0\n\tin	r0, __SREG__\n\tcli\n\tpush	r0\n\t"		\
	"push	r1\n\tclr	r1\n\t"					\
	".irp r, " REGISTERS "\n\tpush \\r\n\t.endr\n\t"		\
	"in	r24, __SP_L__\n\tin	r25, __SP_H__\n\t"		\
	"call	kernel_switch\n\t"					\
	"out	__SP_H__, r25\n\tout	__SP_L__, r24\n\t"		\
	".irp r, 31,30,29,28,27,26,25,24,23,22,21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2\n\t" \
	"pop \\r\n\t.endr\n\t"						\
	"pop	r1\n\tpop	r0\n\tout	__SREG__, r0\n\tpop	r0\n\treti"

ISR(TIMER0_COMPA_vect, ISR_NAKED)
{
	__asm__ volatile(SAVE_SWITCH_RESTORE);
}

/* A task's sleep, in a function that is called. */
void __attribute__((naked, noinline)) kernel_yield(void)
{
	__asm__ volatile(SAVE_SWITCH_RESTORE);
}

uint16_t kernel_switch(uint16_t sp)
{
	static uint8_t last;

	ticks++;
	if (!over) {
		tasks[current].sp = sp;
		if (current)
			current = 0;
		else
			current = last = last == TASKS ? 1 : (uint8_t)(last + 1);
		wsnprof_switch(tasks[current].traced);
		sp = tasks[current].sp;
	}
	return sp;
}

static QUIET void task_make(uint8_t i, void (*run)(void))
{
	uint8_t *top = tasks[i].stack + sizeof(tasks[i].stack) - 1;

	*top-- = (uint8_t)(uint16_t)run;
	*top-- = (uint8_t)((uint16_t)run >> 8);
	for (uint8_t n = 0; n < 33; n++)		/* r0, SREG, r1 to r31 */
		*top-- = 0;
	tasks[i].sp = (uint16_t)top;
	tasks[i].traced = wsnprof_task_init(tasks[i].stack, 1);
}

/* --- what the tasks do ------------------------------------------------------------------------- */

ISR(TIMER2_COMPA_vect)
{
	work_leaf(interrupts++ & 3);
}

NOINLINE void work_leaf(uint8_t n)
{
	sink += n;
}

NOINLINE uint8_t work_fib(uint8_t n)
{
	return n < 2 ? n : (uint8_t)(work_fib(n - 1) + work_fib(n - 2));
}

NOINLINE void work_burst(uint8_t n)
{
	while (n--)
		work_leaf(n);
}

NOINLINE void work_wait(void)
{
	work_leaf(7);
	kernel_yield();
	work_leaf(8);
}

NOINLINE void work_deep(uint8_t n)
{
	sink++;
	if (n)
		work_deep(n - 1);
	__asm__ volatile("");
}

NOINLINE void task_fib(void)
{
	for (uint8_t i = 0;; i++)
		work_fib(i & 7);
}

NOINLINE void task_burst(void)
{
	for (uint8_t i = 0;; i++)
		work_burst(i);
}

NOINLINE void task_wait(void)
{
	for (uint8_t i = 0;; i++) {
		work_wait();
		wsnprof_value(WSNPROF_MARK("turn"), i);
		work_burst(i & 15);
	}
}

NOINLINE void task_deep(void)
{
	for (uint8_t i = 0;; i++)
		work_deep(i & 15);
}

static void (*const runs[TASKS])(void) = { task_fib, task_burst, task_wait, task_deep };

int main(void)
{
	wsnprof_uart_init();
	wsnprof_init();
	for (uint8_t i = 0; i < TASKS; i++)
		task_make((uint8_t)(i + 1), runs[i]);
	wsnprof_start();
	TCCR0A = TCCR2A = _BV(WGM01);
	OCR0A = TICK_COUNT;
	OCR2A = 251;
	TCCR0B = _BV(CS01) | _BV(CS00);	/* 64 cycles */
	TCCR2B = _BV(CS22);
	TIMSK0 = _BV(OCIE0A);
	TIMSK2 = _BV(OCIE2A);
	sei();
	while (ticks < TICKS)
		wsnprof_poll();
	cli();
	over = 1;
	TIMSK0 = TIMSK2 = 0;
	sei();
	wsnprof_stop();
	do
		wsnprof_poll();
	while (!wsnprof_idle());
	__builtin_avr_delay_cycles(F_CPU / 1000);	/* two bytes are in the UART */
	cli();
	sleep_enable();
	sleep_cpu();
}
