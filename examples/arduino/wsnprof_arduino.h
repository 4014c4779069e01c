/*
 * wsnprof_arduino: wsnprof in a sketch. Arduino's own Serial transmits: no interrupt of its own,
 * so that the sketch's prints and the profiler's frames go one after the other.
 *
 *	WSNPROF_QUIET void setup() { Serial.begin(115200); wsnprof_arduino_begin(); }
 *	void loop() { ...; wsnprof_arduino_send(); }
 *
 * Timer 1 is the profiler's: no analogWrite() on its pins (Uno: 9 and 10), no Servo. millis() and
 * delay() are timer 0's and stay as they are.
 */
#ifndef WSNPROF_ARDUINO_H
#define WSNPROF_ARDUINO_H

#include <Arduino.h>

#include "wsnprof.h"
#include "wsnprof_defaults.h"

/* At the end of setup(): counting begins. */
static inline WSNPROF_QUIET void wsnprof_arduino_begin(void)
{
	wsnprof_init();
	wsnprof_start();
}

/*
 * In loop(): a frame, when Serial has room for a whole one. So it never waits, and what the sketch
 * prints comes before a frame or behind it.
 */
static inline WSNPROF_QUIET void wsnprof_arduino_send(void)
{
	int16_t byte;

	wsnprof_poll();
	if (Serial.availableForWrite() < WSNPROF_FRAME)
		return;
	while ((byte = wsnprof_take()) >= 0)
		Serial.write((uint8_t)byte);
}

#endif
