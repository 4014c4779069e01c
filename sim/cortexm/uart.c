/*
 * uart: the wire. A byte every ten bits while there are any, taken from the runtime's ring by an
 * interrupt; what comes in goes to the runtime.
 */
#include "board.h"
#include "chip_clock.h"
#include "settings.h"
#include "uart.h"
#include "wsnprof.h"

static volatile bool sending;

void wsnprof_kick(void)
{
	if (sending || !settings.baud)
		return;
	sending = true;
	board_pace(BOARD_HZ / (settings.baud / 10));
}

void board_pace_irq(void)
{
	int16_t byte;

	board_pace_ack();
	if (!board_uart_ready())
		return;
	byte = wsnprof_take();
	if (byte >= 0) {
		board_uart_put((uint8_t)byte);
		return;
	}
	/* A later put finds it off, and turns it on. */
	board_pace(0);
	sending = false;
}

void board_receive_irq(void)
{
	int16_t byte = board_uart_take();

	if (byte >= 0)
		wsnprof_receive((uint8_t)byte);
}

/* Where the runtime is built without one. */
__attribute__((weak)) bool wsnprof_receive(uint8_t byte)
{
	(void)byte;
	return false;
}

bool uart_is_quiet(void)
{
	return !sending;
}

/* What interrupts meanwhile is pending, and ends the sleep. A quiet line's pace goes off itself. */
void uart_doze(void)
{
	__asm__ volatile("cpsid i" ::: "memory");
	if (!sending)
		board_pace(BOARD_HZ / 1000);
	__asm__ volatile("wfi\n\tcpsie i" ::: "memory");
}
