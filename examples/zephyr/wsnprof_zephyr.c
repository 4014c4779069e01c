/*
 * wsnprof_zephyr: what Zephyr's scheduler tells, and the thread that sends. It starts by itself.
 *
 * Settings, in wsnprof_config.h: WSNPROF_ZEPHYR_THREADS, so many have a shadow stack of
 * WSNPROF_ZEPHYR_LEVELS calls; the calls of others are counted as lost. The UART is the devicetree's
 * `chosen { wsnprof,uart = ...; };`, or the console's: then printk() and printf() go between the
 * frames. docs/integration/zephyr.md
 */
#include <stddef.h>
#include <stdint.h>

#include <zephyr/device.h>
#include <zephyr/devicetree.h>
#include <zephyr/drivers/uart.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/util_macro.h>

#include "wsnprof_defaults.h"

#include "wsnprof.h"
#include "wsnprof_cortexm.h"

#ifndef WSNPROF_ZEPHYR_THREADS
#define WSNPROF_ZEPHYR_THREADS 8
#endif
#ifndef WSNPROF_ZEPHYR_LEVELS
#define WSNPROF_ZEPHYR_LEVELS 16
#endif
#ifndef WSNPROF_ZEPHYR_STACK
#define WSNPROF_ZEPHYR_STACK 1024
#endif

#define PAUSE_MS 10

/* --- threads: their shadow stacks are remembered in their custom data ------------------------- */

#if WSNPROF_TASKS
static unsigned used;
static uint32_t shadows[WSNPROF_ZEPHYR_THREADS][(WSNPROF_TASK_BYTES(WSNPROF_ZEPHYR_LEVELS) + 3) / 4];

static WSNPROF_QUIET struct wsnprof_task *shadow_take(void)
{
	if (used == WSNPROF_ZEPHYR_THREADS)
		return WSNPROF_NO_STACK;
	used++;
	return wsnprof_task_init(shadows[used - 1], sizeof(shadows[0]));
}

/* CONFIG_TRACING_USER: in the context switch; the current thread is the new one. */
void sys_trace_thread_switched_in_user(void);
WSNPROF_QUIET void sys_trace_thread_switched_in_user(void)
{
	if (!k_thread_custom_data_get())
		k_thread_custom_data_set(shadow_take());
	wsnprof_switch(k_thread_custom_data_get());
}
#endif

/* --- the UART --------------------------------------------------------------------------------- */

#if DT_HAS_CHOSEN(wsnprof_uart)
#define UART_NODE DT_CHOSEN(wsnprof_uart)
#define IS_CONSOLE 0
#else
#define UART_NODE DT_CHOSEN(zephyr_console)
#define IS_CONSOLE IS_ENABLED(CONFIG_UART_CONSOLE)
#endif

static const struct device *const uart = DEVICE_DT_GET(UART_NODE);

#ifdef CONFIG_UART_INTERRUPT_DRIVEN
void wsnprof_kick(void)
{
	uart_irq_tx_enable(uart);
}

static WSNPROF_QUIET void uart_handle(const struct device *from, void *unused)
{
	(void)unused;
	uart_irq_update(from);
	while (uart_irq_tx_ready(from)) {
		int16_t byte = wsnprof_take();
		uint8_t b = (uint8_t)byte;

		if (byte < 0) {
			uart_irq_tx_disable(from);
			break;
		}
		uart_fifo_fill(from, &b, 1);
	}
}

static WSNPROF_QUIET void uart_open(void)
{
	uart_irq_callback_set(uart, uart_handle);
}

static WSNPROF_QUIET void uart_send(void)
{
}
#else
void wsnprof_kick(void)
{
}

static WSNPROF_QUIET void uart_open(void)
{
}

/* The driver waits, in the thread that sends. */
static WSNPROF_QUIET void uart_send(void)
{
	for (int16_t byte = wsnprof_take(); byte >= 0; byte = wsnprof_take())
		uart_poll_out(uart, (unsigned char)byte);
}
#endif

/* --- text of the console ---------------------------------------------------------------------- */

#if IS_CONSOLE
void __printk_hook_install(int (*put)(int));
void __stdout_hook_install(int (*put)(int));

static WSNPROF_QUIET int char_put(int c)
{
	if (c == '\n')
		wsnprof_putchar('\r');
	wsnprof_putchar((char)c);
	return c;
}

/* As the console's driver does it, which was here before. */
static WSNPROF_QUIET void console_take(void)
{
#ifdef CONFIG_PRINTK
	__printk_hook_install(char_put);
#endif
#ifdef CONFIG_STDOUT_CONSOLE
	__stdout_hook_install(char_put);
#endif
	(void)char_put;
}
#else
static WSNPROF_QUIET void console_take(void)
{
}
#endif

/* --- the thread ------------------------------------------------------------------------------- */

static WSNPROF_QUIET void sender_run(void *a, void *b, void *c)
{
	(void)a;
	(void)b;
	(void)c;
	uart_open();
	wsnprof_init();
	console_take();
	wsnprof_start();
	for (;;) {
		while (wsnprof_poll())
			uart_send();
		uart_send();
		k_msleep(PAUSE_MS);
	}
}

K_THREAD_DEFINE(wsnprof_thread, WSNPROF_ZEPHYR_STACK, sender_run, NULL, NULL, NULL,
		K_LOWEST_APPLICATION_THREAD_PRIO, 0, 0);
