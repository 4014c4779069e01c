#!/bin/bash
# The library's functions by the shipped list of wrappers (target-common/wrap): on AVR each has a row with as many calls
# as the firmware made; for Cortex-M the list compiles and links.
. "$(dirname "$0")/lib.sh"

command -v arm-none-eabi-gcc >/dev/null || { echo "skipped: arm-none-eabi-gcc is not installed"; exit 77; }

SOURCE=target-common/wrap/wsnprof_wrap.c
LIST=target-common/wrap/wsnprof_wrap.txt

diff <(arm-none-eabi-gcc -E -P $SOURCE | grep -o '__wrap_[a-z]*' | sed 's/__wrap_//' | sort -u) \
	<(sed 's/^--wrap=//' $LIST | sort) || { echo "FAILED: the two lists differ"; exit 1; }
echo "ok: source and list name the same $(wc -l <$LIST) functions"

cat >"$TMP/work.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

char from[32], to[32];
volatile size_t n = 20;

static void text(void)
{
	for (char i = 0; i < 6; i++)
		snprintf(to, sizeof(to), "%d of %u", i, (unsigned)n);
	strcpy(from, "a node");
	n = strlen(from) + strlen(to);
}

static void memory(void)
{
	for (char i = 0; i < 4; i++)
		free(malloc(n));
	for (char i = 0; i < 5; i++)
		memset(to, i, n);
	for (char i = 0; i < 3; i++)
		memcpy(to, from, n);
	memmove(to + 1, to, n);
}

void work(void)
{
	memory();
	text();
	if (memcmp(from, to, n) == 0 || strcmp(from, to) == 0)
		n = 19;
}
END
echo 'void work(void);' >"$TMP/work.h"
cat >"$TMP/main.c" <<'END'
#include <avr/interrupt.h>
#include <avr/sleep.h>

#include "work.h"
#include "wsnprof.h"
#include "wsnprof_uart.h"

int main(void)
{
	wsnprof_uart_init();
	wsnprof_init();
	wsnprof_start();
	sei();
	work();
	wsnprof_stop();
	while (!wsnprof_idle())
		wsnprof_poll();
	for (volatile unsigned i = 0; i < 20000; i++)
		continue;
	cli();
	sleep_mode();
	return 0;
}
END
: >"$TMP/wsnprof_config.h"

FLAGS=(-std=gnu99 -Os -fno-builtin -Wall -Wextra -Werror -ffunction-sections -Wl,--gc-sections -I"$TMP")
AVR=(avr-gcc -mmcu=atmega1284p -DF_CPU=8000000UL "${FLAGS[@]}" -ggdb -Itarget-common -Itarget-avr)
"${AVR[@]}" -finstrument-functions -c -o "$TMP/work.o" "$TMP/work.c"
"${AVR[@]}" -finstrument-functions -c -o "$TMP/wrap.o" $SOURCE
"${AVR[@]}" -Wl,@$LIST -o "$TMP/app.elf" "$TMP/main.c" "$TMP/work.o" "$TMP/wrap.o" target-avr/all/*.[cS]
"$NODE" --mcu=atmega1284p --fast --seconds=20 --uart="$TMP/app.bin" "$TMP/app.elf" >"$TMP/app.end"
ended app
export_json app "$TMP/app.elf"

python3 - "$TMP/app.json" <<'END'
import json
import sys
from truth import check

doc = json.load(open(sys.argv[1]))
calls = {f["name"]: f["calls"] for f in doc["functions"]}
made = {"memcpy": 3, "memmove": 1, "memset": 5, "memcmp": 1, "strcmp": 1, "strcpy": 1, "strlen": 2, "malloc": 4,
        "free": 4, "snprintf": 6}
found = {n: calls.get("__wrap_" + n) for n in made}
check(found == made, f"calls of the library as they were made: {found}")
edges = {(e["from"], e["to"]) for e in doc["edges"]}
check({("text", "__wrap_snprintf"), ("memory", "__wrap_memcpy")} <= edges, "and their callers")
END

arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb "${FLAGS[@]}" --specs=nano.specs --specs=nosys.specs -Wl,@$LIST \
	-o "$TMP/arm.elf" -x c "$TMP/work.c" $SOURCE - >"$TMP/arm.txt" 2>&1 <<'END' || { cat "$TMP/arm.txt"; exit 1; }
#include "work.h"
int main(void) { work(); return 0; }
END
[ "$(arm-none-eabi-nm "$TMP/arm.elf" | grep -c ' T __wrap_')" -ge 10 ] || { echo "FAILED: Cortex-M: not wrapped"; exit 1; }
echo "ok: on Cortex-M, too, they link"
