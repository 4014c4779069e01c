/*
 * What test_rules.sh runs in simavr: a timer's interrupt 100 times a second, after which a block is
 * summed. Each define plants the change that one rule finds; "planted" marks its line.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

#define APART __attribute__((noinline))

static uint8_t block[32];
static volatile uint16_t sum;
static volatile uint8_t due;

static APART uint16_t crc16_byte(uint16_t crc, uint8_t byte)
{
	crc ^= byte;
	for (uint8_t i = 0; i < 8; i++)
		crc = crc & 1 ? crc >> 1 ^ 0xa001 : crc >> 1;
#ifdef SLOW_CRC
	for (volatile uint8_t i = 0; i < 3; i++);	/* planted: self */
#endif
	return crc;
}

static APART uint16_t crc16_block(const uint8_t *p, uint8_t n)
{
	uint16_t crc = 0xffff;

	while (n--)
		crc = crc16_byte(crc, *p++);
	return crc;
}

static APART void tick_count(void)
{
	sum++;
}

#ifdef DEEP
static APART uint16_t row_sum(uint8_t n)
{
	volatile uint8_t row[200];

	row[0] = n;
	return n ? (uint16_t)(row[0] + row_sum((uint8_t)(n - 1))) : row[0];
}
#endif

#ifdef LARGE_DATA
static const uint16_t table[] = { [700] = 1 };
#endif

#ifdef LARGE_CODE
static APART void code_run(void)
{
	__asm__ volatile (".rept 700\n nop\n .endr");
}
#endif

static APART void timer_isr(void)
{
	due = 1;
#ifdef SLOW_ISR
	for (volatile uint8_t i = 0; i < 200; i++);	/* planted: max */
#endif
}

ISR(TIMER1_COMPA_vect)
{
	timer_isr();
}

int main(void)
{
	OCR1A = 3124;			/* 20 MHz / 64 / 3125 */
	TCCR1B = 1 << WGM12 | 1 << CS11 | 1 << CS10;
	TIMSK1 = 1 << OCIE1A;
	sei();
	for (;;) {
		while (!due)
			;
		due = 0;
		sum += crc16_block(block, sizeof(block));
		tick_count();
#ifdef MANY
		for (uint16_t i = 0; i < 6000; i++)
			tick_count();	/* planted: calls */
#endif
#ifdef DEEP
		sum += row_sum(3);
#endif
#ifdef LARGE_DATA
		sum += table[sum & 511];
#endif
#ifdef LARGE_CODE
		code_run();
#endif
	}
}
