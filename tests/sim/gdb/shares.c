/*
 * A firmware for simulators with a gdb server: of two functions, one works three times as long.
 */
#include <stdint.h>
#ifdef __AVR__
#include <avr/io.h>
#endif

volatile uint16_t worked;

__attribute__((noinline)) static void work_once(void)
{
	for (uint16_t i = 0; i < 100; i++)
		worked = (uint16_t)(worked + i);
}

__attribute__((noinline)) static void work_thrice(void)
{
	for (uint16_t i = 0; i < 300; i++)
		worked = (uint16_t)(worked ^ i);
}

/* A line each 32 rounds says that it runs: simavr with a server takes seconds for 512. */
static void round_tell(void)
{
#ifdef __AVR__
	static uint16_t rounds;

	UCSR0B = 1 << TXEN0;
	if (++rounds % 16 == 0)
		UDR0 = rounds & 16 ? '.' : '\n';
#endif
}

int main(void)
{
	for (;;) {
		work_once();
		work_thrice();
		round_tell();
	}
}

#ifdef __MSP430__		/* clang has no start-up code for it */
void start(void);

__attribute__((naked, used, section(".start"))) void start(void)
{
	__asm__("mov #0x0a00, r1\n\tbr #main");
}

__attribute__((used, section(".reset"))) void (*const reset)(void) = start;
#endif
