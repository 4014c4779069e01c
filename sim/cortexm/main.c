/*
 * main: runs the workloads that the command line names (settings.h), all of them if none, prints
 * the checksum of each, sends what was counted and ends the simulation. The applications (app/)
 * are workloads like the others.
 */
#include <stddef.h>
#include <string.h>

#include "app/app.h"
#include "board.h"
#include "chip_clock.h"
#include "settings.h"
#include "uart.h"
#include "workload.h"
#include "workload_port.h"
#include "wsnprof_cortexm.h"

static const struct workload {
	const char *name;
	uint32_t (*run)(void);
} workloads[] = {
#define ROW(name, files, sites, levels, what) { #name, workload_##name },
	WORKLOADS(ROW)
	APPS(ROW)
#undef ROW
};

enum { COUNT = sizeof(workloads) / sizeof(workloads[0]) };

static uint32_t sums[COUNT];

static int workload_find(const char *name, uint32_t length)
{
	int i;

	for (i = 0; i < COUNT; i++)
		if (!strncmp(name, workloads[i].name, length) && !workloads[i].name[length])
			return i;
	return -1;
}

static bool workload_is_wanted(uint32_t i)
{
	return !settings.run || settings.run >> i & 1;
}

/* What polls seldom or never has its tokens sent behind it, where the polls take time. */
static void workload_run(uint32_t i)
{
	sums[i] = workloads[i].run();
	if (settings.breathe > 1)
		workload_breathe();
}

static void workloads_run(void)
{
	uint32_t i, n;

	for (i = 0; i < COUNT; i++)
		for (n = 0; workload_is_wanted(i) && n < settings.rounds; n++)
			workload_run(i);
}

/* The processor sleeps between the ticks; simulated, that takes no time at all. */
static WORKLOAD_QUIET void tick_ignore(void)
{
}

static void node_poll_for(uint32_t milliseconds)
{
	uint32_t begun = board_clock();

	workload_ticker_start(1000, tick_ignore);
	while (board_clock() - begun < milliseconds * (BOARD_HZ / 1000)) {
		while (wsnprof_poll())
			workload_sleep();
		workload_sleep();
	}
	while (settings.baud && !(wsnprof_idle() && uart_is_quiet())) {
		wsnprof_poll();
		workload_sleep();
	}
	workload_ticker_stop();
}

/* Where the runtime is built without. */
__attribute__((weak)) bool wsnprof_putchar(char c)
{
	(void)c;
	return false;
}

__attribute__((weak)) void wsnprof_report(void)
{
}

__attribute__((weak)) uint32_t wsnprof_raw_lost(void)
{
	return 0;
}

/* "NAME 0badcafe" */
static const char *number_text(uint32_t number)
{
	static char text[11] = " ";
	uint32_t i;

	for (i = 8; i > 0; i--, number >>= 4)
		text[i] = "0123456789abcdef"[number & 15];
	text[9] = '\n';
	return text;
}

static void tables_say(void)
{
	uint32_t i;

	for (i = 0; i < COUNT; i++) {
		if (!workload_is_wanted(i))
			continue;
		workload_say(workloads[i].name);
		workload_say(number_text(sums[i]));
		node_poll_for(1);
	}
	if (settings.report)
		wsnprof_report();
	node_poll_for(settings.finish);
}

/* The rest of the raw stream; then, outside of it, the counts that it does not contain. */
static void raw_end(void)
{
	while (!uart_is_quiet())
		workload_sleep();
	board_say("lost");
	board_say(number_text(wsnprof_raw_lost()));
}

int main(void)
{
	const char *line = board_command_line();

	board_init();
	if (!line)
		board_exit();
	settings_read(line, workload_find);
	if (settings.bits && board_clock_bits)
		board_clock_bits(settings.bits);
	wsnprof_init();
	wsnprof_start();
	do
		workloads_run();
	while (settings.forever);
	if (settings.reset)
		wsnprof_reset();
	wsnprof_stop();
	if (settings.late) {
		settings.baud = settings.late;
		wsnprof_kick();
	}
	if (settings.raw)
		raw_end();
	else
		tables_say();
	board_exit();
}
