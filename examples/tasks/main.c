/*
 * tasks: three tasks and an idle one under wsnprof. `sense` samples every other tick and posts to
 * `sink`, which waits for it; `crunch` computes for longer than a tick, and is preempted in the
 * middle of calls.
 */
#include <stdbool.h>
#include <stdint.h>

#include "kernel.h"
#include "port.h"
#include "wsnprof.h"

static struct task sense_task, sink_task, crunch_task;
static volatile uint16_t mailbox;
static volatile bool mail;
static volatile uint32_t result;

/* --- sense ------------------------------------------------------------------------------------ */

static uint16_t sense(void)
{
	static uint32_t noise = 0xace1;

	noise = noise >> 1 ^ (-(noise & 1) & 0xb400);
	return (uint16_t)noise;
}

static void post(uint16_t value)
{
	mailbox = value;
	mail = true;
}

static void sense_run(void)
{
	for (;;) {
		post(sense());
		task_sleep(2);
	}
}

/* --- sink ------------------------------------------------------------------------------------- */

/* Waits inside the call: its time is what it ran, not what it slept. */
static uint16_t receive(void)
{
	while (!mail)
		task_sleep(1);
	mail = false;
	return mailbox;
}

static uint32_t digest(uint32_t sum, uint16_t value)
{
	for (int i = 0; i < 16; i++)
		sum = (sum << 1 | sum >> 31) ^ (value >> i & 1u);
	return sum;
}

static void sink_run(void)
{
	uint32_t sum = 0;

	for (;;) {
		sum = digest(sum, receive());
		result = sum;
	}
}

/* --- crunch ----------------------------------------------------------------------------------- */

static uint32_t fib(uint32_t n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static void crunch_run(void)
{
	for (;;) {
		result = fib(14);
		task_sleep(20);
	}
}

/* --- main ------------------------------------------------------------------------------------- */

static WSNPROF_QUIET void idle(void)
{
	if (!wsnprof_poll())
		__asm__ volatile("wfi");
}

int main(void)
{
	port_init();
	wsnprof_init();
	task_create(&sense_task, sense_run);
	task_create(&sink_task, sink_run);
	task_create(&crunch_task, crunch_run);
	wsnprof_start();
	kernel_start(idle);
}
