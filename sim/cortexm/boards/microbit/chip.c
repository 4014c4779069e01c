/*
 * board.h on the nRF51822 (nRF51 Series Reference Manual). TIMER0 is the clock, TIMER1 samples,
 * TIMER2 paces the UART; the ticker is SysTick, which QEMU's nRF51 has and the chip has not.
 */
#include "board.h"
#include "chip_clock.h"
#include "wsnprof_cortexm.h"

struct nrf_timer {
	volatile uint32_t start, stop, count, clear, shutdown, reserved0[11];	/* 0x000 */
	volatile uint32_t capture[4], reserved1[60];				/* 0x040 */
	volatile uint32_t compare[4], reserved2[44];				/* 0x140 */
	volatile uint32_t shorts, reserved3[64];				/* 0x200 */
	volatile uint32_t intenset, intenclr, reserved4[126];			/* 0x304 */
	volatile uint32_t mode, bitmode, reserved5, prescaler, reserved6[11];	/* 0x504 */
	volatile uint32_t cc[4];						/* 0x540 */
};

#define CLOCK ((struct nrf_timer *)NRF_TIMER0)
#define SAMPLE ((struct nrf_timer *)NRF_TIMER1)
#define PACE ((struct nrf_timer *)NRF_TIMER2)

#define UART(offset) REG32(NRF_UART + (offset))
#define UART_STARTRX UART(0x000)
#define UART_STARTTX UART(0x008)
#define UART_RXDRDY UART(0x108)
#define UART_INTENSET UART(0x304)
#define UART_ENABLE UART(0x500)
#define UART_PSELTXD UART(0x50c)
#define UART_PSELRXD UART(0x514)
#define UART_RXD UART(0x518)
#define UART_TXD UART(0x51c)
#define UART_BAUDRATE UART(0x524)

static void timer_set(struct nrf_timer *timer, uint32_t ticks)
{
	timer->stop = 1;
	timer->clear = 1;
	timer->compare[0] = 0;
	if (!ticks)
		return;
	timer->prescaler = 0;
	timer->bitmode = 3;		/* 32 bits; QEMU's TIMER1 and 2 have them, the chip's 16 */
	timer->cc[0] = ticks;
	timer->shorts = 1;		/* from the compare to 0 */
	timer->intenset = 1ul << 16;
	timer->start = 1;
}

void board_init(void)
{
	UART_BAUDRATE = 0x10000000;	/* 1 Mbaud; the pace is the wire's */
	UART_PSELTXD = 24;
	UART_PSELRXD = 25;
	UART_ENABLE = 4;
	UART_INTENSET = 1ul << 2;
	UART_STARTTX = 1;
	UART_STARTRX = 1;
	CLOCK->bitmode = 3;
	CLOCK->prescaler = 0;
	CLOCK->start = 1;
	irq_priority(CHIP_IRQ_SAMPLE, PRIORITY_HIGHEST);
	system_priority(EXCEPTION_SYSTICK, PRIORITY_LOW);
	irq_priority(CHIP_IRQ_RECEIVE, PRIORITY_LOWEST);
	irq_priority(CHIP_IRQ_PACE, PRIORITY_LOWEST);
	irq_enable(CHIP_IRQ_SAMPLE);
	irq_enable(CHIP_IRQ_RECEIVE);
	irq_enable(CHIP_IRQ_PACE);
}

/*
 * The pace is slower than the UART, and its TXDRDY does not come after a reader was slow: not
 * asked.
 */
bool board_uart_ready(void)
{
	return true;
}

void board_uart_put(uint8_t byte)
{
	UART_TXD = byte;
}

int16_t board_uart_take(void)
{
	if (!UART_RXDRDY)
		return -1;
	UART_RXDRDY = 0;
	return (int16_t)(UART_RXD & 0xff);
}

void board_pace(uint32_t ticks)
{
	timer_set(PACE, ticks);
}

void board_pace_ack(void)
{
	PACE->compare[0] = 0;
}

void board_ticker(uint32_t ticks)
{
	SYST_CSR = 0;
	if (!ticks)
		return;
	SYST_RVR = ticks - 1;
	SYST_CVR = 0;
	SYST_CSR = 7;
}

void board_ticker_ack(void)
{
}

static uint32_t clock_mask = UINT32_MAX;

void board_clock_bits(uint32_t bits)
{
	CLOCK->stop = 1;
	CLOCK->bitmode = bits == 24 ? 2 : 3;
	clock_mask = UINT32_MAX >> (32 - bits);
	CLOCK->start = 1;
}

uint32_t board_clock(void)
{
	static uint32_t last, count;

	CLOCK->capture[1] = 1;
	count += (CLOCK->cc[1] - last) & clock_mask;
	last = CLOCK->cc[1];
	return count;
}

void wsnprof_sample_ack(void)
{
	SAMPLE->compare[0] = 0;
}

void wsnprof_sample_period(uint32_t ticks)
{
	timer_set(SAMPLE, ticks);
}
