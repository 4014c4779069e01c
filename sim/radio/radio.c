/*
 * radio: a node whose task keeps posting itself. After the first beacon, start_radio_task finds the
 * radio started already, takes that for a failure and tries again, some 3,000 times, until the
 * beacon is out and the radio was stopped. A bug of TinyOS's low-power listening, found with a
 * trace of tasks and radio states (Tancreti et al., "Aveksha", fig. 9 to 11), rebuilt for an
 * ATmega1284P.
 * With RADIO_FIXED the task lets a started radio be.
 *
 * Nothing of wsntop is in this program: it is watched from outside.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdbool.h>
#include <stdint.h>

/* --- tasks, as TinyOS has them: each waits once at most, in the order of posting -------------- */

typedef void (*task_fn)(void);

enum { TASKS = 8 };

static struct {
	task_fn waiting[TASKS];
	uint8_t first, count;
} tasks;

static void task_post(task_fn task)
{
	uint8_t flags = SREG;

	cli();
	for (uint8_t i = 0; i < tasks.count; i++) {
		if (tasks.waiting[(tasks.first + i) % TASKS] == task) {
			SREG = flags;
			return;
		}
	}
	if (tasks.count < TASKS)
		tasks.waiting[(tasks.first + tasks.count++) % TASKS] = task;
	SREG = flags;
}

static task_fn task_next(void)
{
	task_fn task = 0;

	cli();
	if (tasks.count) {
		task = tasks.waiting[tasks.first];
		tasks.first = (uint8_t)(tasks.first + 1) % TASKS;
		tasks.count--;
	}
	sei();
	return task;
}

/* --- time: timer 1, units of 8 us ------------------------------------------------------------- */

#define MS(ms) ((uint16_t)((ms) * 125.0))

static void alarm_set(uint16_t units)
{
	OCR1A = TCNT1 + units;
	TIFR1 = 1 << OCF1A;
	TIMSK1 |= 1 << OCIE1A;
}

/* --- the console ------------------------------------------------------------------------------ */

static void text_send(const char *text)
{
	for (; *text; text++) {
		while (!(UCSR0A & (1 << UDRE0)))
			;
		UDR0 = (uint8_t)*text;
	}
}

/* --- the radio -------------------------------------------------------------------------------- */

enum radio_state { S_STOPPED, S_STARTING, S_STARTED, S_TRANSMITTING };
enum outcome { SUCCESS, EALREADY, EBUSY };

volatile enum radio_state radio_state;
volatile uint16_t beacons, copies, starts_refused;

static void get_cca_task(void);
static void send_task(void);
static void send_done_task(void);

static enum outcome radio_start(void)
{
	switch (radio_state) {
	case S_STOPPED:
		radio_state = S_STARTING;
		alarm_set(MS(3.4));
		return SUCCESS;
	case S_STARTING:
		return SUCCESS;
	case S_STARTED:
		return EALREADY;
	default:
		return EBUSY;
	}
}

static void radio_stop(void)
{
	radio_state = S_STOPPED;
}

/* The alarm of the radio: it has started, or the beacon is out. */
ISR(TIMER1_COMPA_vect)
{
	TIMSK1 &= (uint8_t)~(1 << OCIE1A);
	if (radio_state == S_STARTING) {
		radio_state = S_STARTED;
		task_post(get_cca_task);
		task_post(send_task);
	} else if (radio_state == S_TRANSMITTING) {
		task_post(send_done_task);
	}
}

/* --- the tasks -------------------------------------------------------------------------------- */

static uint8_t rounds;

static void start_radio_task(void)
{
	enum outcome outcome = radio_start();

#ifdef RADIO_FIXED
	if (outcome == EALREADY || radio_state == S_TRANSMITTING)
		return;
#endif
	if (outcome != SUCCESS) {
		starts_refused++;
		task_post(start_radio_task);
	}
}

/* Is the channel clear? The radio is started for that, though it is. */
static void get_cca_task(void)
{
	task_post(start_radio_task);
}

/* Low-power listening sends the beacon again and again, until each neighbour was awake once. */
static void resend_task(void)
{
	if (radio_state == S_TRANSMITTING)
		task_post(resend_task);
}

/* Waits for the end of a copy. */
static void copy_done_task(void)
{
	if (radio_state == S_TRANSMITTING) {
		copies++;
		task_post(copy_done_task);
	}
}

static void send_task(void)
{
	radio_state = S_TRANSMITTING;
	alarm_set(MS(128));
	task_post(resend_task);
	task_post(copy_done_task);
}

static void send_done_task(void)
{
	beacons++;
	radio_stop();
	text_send("beacon sent\r\n");
}

static void send_beacon_task(void)
{
	task_post(start_radio_task);
}

/* Each half second: a beacon. */
ISR(TIMER1_OVF_vect)
{
	if (radio_state == S_STOPPED)
		task_post(send_beacon_task);
}

static void task_run(task_fn task)
{
	task();
}

int main(void)
{
	UCSR0B = 1 << TXEN0;
	UBRR0 = 8;			/* 57,600 baud of 8 MHz */
	TCCR1B = 1 << CS11 | 1 << CS10;	/* 1/64 */
	TIMSK1 = 1 << TOIE1;
	text_send("radio\r\n");
	for (rounds = 0; ; ) {
		task_fn task = task_next();

		if (task)
			task_run(task);
		else
			sleep_mode();
	}
}
