/*
 * Profile: a sketch under wsnprof. Compile it with
 *
 *	-ggdb -finstrument-functions
 *	-finstrument-functions-exclude-file-list=/cores/,/wsnprof/,avr/include
 *
 * (arduino-cli compile --build-property "compiler.cpp.extra_flags=..."), upload it, then
 *
 *	wsntop -p /dev/ttyACM0 -b 115200 -e Profile.ino.elf
 */
#include <wsnprof_arduino.h>

static uint16_t history[16];
static uint8_t used;

static uint16_t sense()
{
	static uint16_t noise = 0xace1;

	noise = noise >> 1 ^ (-(noise & 1) & 0xb400);
	return noise;
}

static uint16_t average(const uint16_t *v, uint8_t n)
{
	float sum = 0;

	for (uint8_t i = 0; i < n; i++)
		sum += v[i];
	return sum / n;
}

static void remember(uint16_t value)
{
	history[used++ % 16] = value;
}

static void report()
{
	Serial.print(F("average "));
	Serial.println(average(history, 16));
}

/* Before the profiler is there. */
WSNPROF_QUIET void setup()
{
	Serial.begin(115200);
	pinMode(LED_BUILTIN, OUTPUT);
	wsnprof_arduino_begin();
}

void loop()
{
	static unsigned long last;

	if (millis() - last >= 10) {
		last += 10;
		remember(sense());
		digitalWrite(LED_BUILTIN, used & 1);
		if (used % 64 == 0)
			report();
	}
	wsnprof_arduino_send();
}
