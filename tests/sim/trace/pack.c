/*
 * pack: what the packer takes for a token (target-common/wsntrace_pack.c), in cycles: of the demo's
 * main program, and of its handlers; then of a token that costs most. Prints, for each, how many,
 * their sum, the greatest, and the bytes.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <stdlib.h>

#include "wsntrace_pack.c"

struct token {
	uint8_t kind;
	uint16_t value;
};

static const struct token program[] PROGMEM = {
	{ 0, 36877 }, { 0, 36879 }, { 1, 49947 }, { 0, 37008 }, { 0, 37010 }, { 1, 49231 }, { 0,
	37109 }, { 0, 37131 }, { 1, 52 }, { 0, 37136 }, { 0, 41687 }, { 3, 43 }, { 2, 28 }, { 1,
	9954 }, { 2, 38 }, { 2, 40 }, { 2, 41 }, { 2, 28 }, { 1, 9954 }, { 2, 38 }, { 2, 40 }, { 2,
	41 }, { 2, 28 }, { 1, 9954 }, { 2, 38 }, { 2, 40 }, { 2, 41 }, { 2, 28 }, { 1, 9954 }, { 2,
	38 }, { 2, 40 }, { 2, 41 }, { 2, 28 }, { 4, 0 }, { 0, 41739 }, { 0, 41743 }, { 3, 49 }, { 2,
	28 }, { 3, 47 }, { 2, 44 }, { 1, 3603 }, { 2, 29 }, { 3, 5 }, { 1, 631 }, { 1, 631 }, { 1,
	631 }, { 1, 4 }, { 3, 16 }, { 2, 15 }, { 2, 15 }, { 2, 15 }, { 2, 15 }, { 2, 15 }, { 2, 15
	}, { 2, 15 }, { 2, 15 }, { 2, 15 }, { 2, 15 }, { 4, 0 }, { 4, 0 }, { 1, 21 }, { 1, 47320 },
	{ 2, 30 }, { 4, 0 }, { 2, 28 }, { 1, 48589 }, { 2, 28 }, { 4, 0 }, { 0, 41926 }, { 0, 41928
	}, { 3, 22 }, { 1, 9197 }, { 3, 19 }, { 2, 17 }, { 2, 29 }, { 3, 46 }, { 3, 6 }, { 1, 4 }, {
	1, 26916 }, { 2, 3 }, { 2, 3 }, { 2, 3 }, { 4, 0 }, { 4, 0 }, { 2, 30 }, { 4, 0 }, { 2, 30
	}, { 1, 9197 }, { 1, 417 }, { 2, 30 }, { 3, 36 }, { 4, 0 }, { 4, 0 }, { 0, 42053 }, { 0,
	42056 }, { 3, 51 },
};

static const struct token handlers[] PROGMEM = {
	{ 0, 62736 }, { 0, 63219 }, { 1, 63072 }, { 0, 63236 }, { 0, 63719 }, { 1, 63072 }, { 0,
	63736 }, { 0, 64219 }, { 1, 63072 }, { 0, 64236 }, { 0, 64719 }, { 1, 63072 }, { 0, 64736 },
	{ 0, 65219 }, { 1, 63072 }, { 0, 65236 }, { 0, 183 }, { 1, 63072 }, { 0, 200 }, { 0, 683 },
	{ 1, 63072 }, { 0, 700 }, { 0, 1183 }, { 1, 63072 }, { 0, 1200 }, { 0, 1683 }, { 1, 63072 },
	{ 0, 1700 }, { 0, 2183 }, { 1, 63072 }, { 0, 2200 }, { 0, 2683 }, { 1, 63072 }, { 0, 2700 },
	{ 0, 3183 }, { 1, 63072 }, { 0, 3200 }, { 0, 3683 }, { 1, 63072 }, { 0, 3700 }, { 0, 4183 },
	{ 1, 63072 }, { 0, 4200 }, { 0, 4683 }, { 1, 63072 }, { 0, 4700 }, { 0, 5183 }, { 1, 63072
	}, { 0, 5200 }, { 0, 5683 }, { 1, 63072 }, { 0, 5700 }, { 0, 6183 }, { 1, 63072 }, { 0, 6200
	}, { 0, 6683 }, { 1, 63072 }, { 0, 6700 }, { 0, 7183 }, { 1, 63072 }, { 0, 7200 }, { 0, 7683
	}, { 1, 63072 }, { 0, 7700 }, { 0, 8183 }, { 1, 63072 }, { 0, 8200 }, { 0, 8683 }, { 1,
	63072 }, { 0, 8700 }, { 0, 9183 }, { 1, 63072 }, { 0, 9200 }, { 0, 9683 }, { 1, 63072 }, {
	0, 9700 }, { 0, 10183 }, { 1, 63072 }, { 0, 10200 }, { 0, 10683 }, { 1, 63072 }, { 0, 10700
	}, { 0, 11183 }, { 1, 63072 }, { 0, 11200 }, { 0, 11683 }, { 1, 63072 }, { 0, 11700 }, { 0,
	12183 }, { 1, 63072 }, { 0, 12200 }, { 0, 12683 }, { 1, 63072 }, { 0, 12700 }, { 0, 13183 },
	{ 1, 63072 },
};

/* What is never predicted, of the longest number: none costs more. */
static const struct token dear[] PROGMEM = {
	{ 0, 1 }, { 0, 40000 }, { 1, 0x5a5a }, { 0, 5000 }, { 0, 60000 }, { 3, 30000 }, { 0, 10000 },
	{ 1, 0xa5a5 }, { 2, 12345 }, { 0, 64000 }, { 1, 0x1234 }, { 0, 7777 }, { 3, 32000 },
};

static struct wsntrace_pack pack;

static void text_say(const char *p)
{
	for (; *p; p++) {
		loop_until_bit_is_set(UCSR0A, UDRE0);
		UDR0 = (uint8_t)*p;
	}
}

static void number_say(uint32_t n, char end)
{
	char text[12] = "";
	uint8_t at = 10;

	text[at] = end;
	do
		text[--at] = (char)('0' + n % 10);
	while ((n /= 10) && at);
	text_say(text + at);
}

static void table_pack(const struct token *tokens, uint8_t count)
{
	uint32_t sum = 0;
	uint16_t most = 0, bytes = 0;

	wsntrace_pack_begin(&pack, 0);
	for (uint8_t i = 0; i < count; i++) {
		struct token t;
		uint16_t cycles;

		memcpy_P(&t, &tokens[i], sizeof(t));
		if (pack.full) {
			bytes += pack.at;
			wsntrace_pack_begin(&pack, 0);
		}
		TCNT1 = 0;
		wsntrace_pack_put(&pack, t.kind, t.value, NULL, 0);
		cycles = TCNT1;
		sum += cycles;
		if (cycles > most)
			most = cycles;
	}
	wsntrace_pack_end(&pack);
	number_say(count, ' ');
	number_say(sum, ' ');
	number_say(most, ' ');
	number_say(bytes + pack.at, '\n');
}

int main(void)
{
	UCSR0B = _BV(TXEN0);
	TCCR1B = _BV(CS10);
	table_pack(program, sizeof(program) / sizeof(program[0]));
	table_pack(handlers, sizeof(handlers) / sizeof(handlers[0]));
	table_pack(dear, sizeof(dear) / sizeof(dear[0]));
	cli();
	sleep_enable();
	for (;;)
		sleep_cpu();
}
