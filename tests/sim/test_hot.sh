#!/bin/bash
# A slow line and more hot call sites than it carries: those that were called twice, long ago, are told all the same.
. "$(dirname "$0")/lib.sh"

cat >"$TMP/app.c" <<'END'
#include <avr/interrupt.h>
#include <avr/sleep.h>

#include "wsnprof.h"
#include "wsnprof_uart.h"

#define FOUR(x) x x x x
#define SIXTEEN(x) FOUR(FOUR(x))

volatile uint8_t out;

static void leaf(void)
{
	out++;
}

static void hot(void)
{
	FOUR(SIXTEEN(leaf();))
}

static void rare(void)
{
	SIXTEEN(leaf();)
	FOUR(leaf();)
}

WSNPROF_QUIET int main(void)
{
	uint16_t i;

	wsnprof_uart_init();
	wsnprof_init();
	wsnprof_start();
	sei();
	for (i = 0; i < ROUNDS; i++) {
		if (i == 0 || i == ROUNDS / 4)
			rare();
		hot();
		wsnprof_poll();
	}
	cli();
	sleep_mode();
	return 0;
}
END
: >"$TMP/wsnprof_config.h"

for sites in 128 256; do
	avr-gcc -mmcu=atmega1284p -DF_CPU=8000000UL -std=gnu99 -Os -fno-inline -finstrument-functions -DWSNPROF_BAUD=2400UL \
		-DWSNPROF_SITES=$sites -DROUNDS=12000 -I"$TMP" -Itarget-common -Itarget-avr -o "$TMP/$sites.elf" "$TMP/app.c" \
		target-avr/all/*.[cS]
	"$NODE" --mcu=atmega1284p --fast --seconds=100 --uart="$TMP/$sites.bin" "$TMP/$sites.elf" >"$TMP/$sites.end"
	ended $sites
done

python3 - "$TMP" <<'END'
import sys
from truth import check, rows_of_node
from wsn import Node

for sites in (128, 256):
    data = open(f"{sys.argv[1]}/{sites}.bin", "rb").read()
    node = Node(data[:data.rindex(b"\0") + 1])
    rows = rows_of_node(node).values()
    twice = [r for r in rows if r.calls == 2]
    hot = [r for r in rows if r.calls > 1000]
    check(len(twice) == 21 and len(hot) == 65, f"{sites} slots: {len(hot)} hot rows, and {len(twice)} of 21 that rest, "
          f"in {sum(node.frames.values())} frames")
END
