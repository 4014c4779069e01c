/* clock: 8 MHz / 256 / 125 = 250 ticks a second from timer 2. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "app.h"

#define TIMERS 3

volatile bool clock_round_due;

static volatile uint16_t now;
static struct timer {
	uint16_t left;
	uint16_t period;
	void (*expired)(void);
} timers[TIMERS];

void clock_init(void)
{
	OCR2A = F_CPU / 256 / CLOCK_TICKS_PER_SECOND - 1;
	TCCR2A = _BV(WGM21);
	TCCR2B = _BV(CS22) | _BV(CS21);
	TIMSK2 = _BV(OCIE2A);
}

uint16_t clock_now(void)
{
	uint16_t t = 0;

	ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
		t = now;
	return t;
}

void clock_every(uint8_t timer, uint16_t ticks, void (*expired)(void))
{
	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
		timers[timer].left = ticks;
		timers[timer].period = ticks;
		timers[timer].expired = expired;
	}
}

static void timer_step(struct timer *t)
{
	if (--t->left)
		return;
	t->left = t->period;
	t->expired();
}

static void clock_tick(void)
{
	uint8_t i;

	now++;
	if (now % CLOCK_TICKS_PER_ROUND == 0)
		clock_round_due = true;
	for (i = 0; i < TIMERS; i++)
		if (timers[i].expired)
			timer_step(&timers[i]);
}

ISR(TIMER2_COMPA_vect)
{
	clock_tick();
}
