/*
 * cmsdk: board.h on ARM's CMSDK peripherals (Cortex-M System Design Kit TRM, 4): APB timers and
 * UART, the dual timer. Timer 0 samples, timer 1 paces the UART; of the dual timer, one half is
 * the clock and one the ticker.
 */
#include "board.h"
#include "chip_clock.h"
#include "wsnprof_cortexm.h"

struct timer {
	volatile uint32_t control;	/* bit 0: on, 3: interrupt */
	volatile uint32_t value;
	volatile uint32_t reload;
	volatile uint32_t clear;
};

struct dual {
	volatile uint32_t load;
	volatile uint32_t value;
	volatile uint32_t control;	/* bit 1: 32 bits, 5: interrupt, 6: periodic, 7: on */
	volatile uint32_t clear;
	volatile uint32_t raw, masked, background, reserved;
};

struct uart {
	volatile uint32_t data;
	volatile uint32_t state;	/* bit 0: full for sending, 1: a byte is there */
	volatile uint32_t control;	/* bit 0: send, 1: receive, 3: receive interrupt */
	volatile uint32_t clear;	/* bit 1: receive interrupt */
	volatile uint32_t divider;
};

#define SAMPLE ((struct timer *)CMSDK_TIMERS)
#define PACE ((struct timer *)(CMSDK_TIMERS + 0x1000))
#define CLOCK ((struct dual *)(CMSDK_TIMERS + 0x2000))
#define TICKER ((struct dual *)(CMSDK_TIMERS + 0x2020))
#define UART ((struct uart *)CMSDK_UART)

static void timer_set(struct timer *timer, uint32_t ticks)
{
	timer->control = 0;
	timer->clear = 1;
	if (!ticks)
		return;
	timer->reload = ticks - 1;
	timer->value = ticks - 1;
	timer->control = 9;
}

void board_init(void)
{
	UART->divider = 16;		/* as fast as it goes; the pace is the wire's */
	UART->control = 0xb;
	CLOCK->load = UINT32_MAX;
	CLOCK->control = 0x82;
	irq_priority(CHIP_IRQ_SAMPLE, PRIORITY_HIGHEST);
	irq_priority(CHIP_IRQ_TICKER, PRIORITY_LOW);
	irq_priority(CHIP_IRQ_RECEIVE, PRIORITY_LOWEST);
	irq_priority(CHIP_IRQ_PACE, PRIORITY_LOWEST);
	irq_enable(CHIP_IRQ_SAMPLE);
	irq_enable(CHIP_IRQ_TICKER);
	irq_enable(CHIP_IRQ_RECEIVE);
	irq_enable(CHIP_IRQ_PACE);
}

bool board_uart_ready(void)
{
	return !(UART->state & 1);
}

void board_uart_put(uint8_t byte)
{
	UART->data = byte;
}

int16_t board_uart_take(void)
{
	UART->clear = 2;
	return UART->state & 2 ? (int16_t)(UART->data & 0xff) : -1;
}

void board_pace(uint32_t ticks)
{
	timer_set(PACE, ticks);
}

void board_pace_ack(void)
{
	PACE->clear = 1;
}

void board_ticker(uint32_t ticks)
{
	TICKER->control = 0;
	TICKER->clear = 1;
	if (!ticks)
		return;
	TICKER->load = ticks;
	TICKER->control = 0xe2;
}

void board_ticker_ack(void)
{
	TICKER->clear = 1;
}

uint32_t board_clock(void)
{
	return ~CLOCK->value;
}

void wsnprof_sample_ack(void)
{
	SAMPLE->clear = 1;
}

void wsnprof_sample_period(uint32_t ticks)
{
	timer_set(SAMPLE, ticks);
}
