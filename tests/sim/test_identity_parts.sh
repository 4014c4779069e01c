#!/bin/bash
# AVR: what the node's checksum covers. .data's initial values are in it, sections behind them only where the
# application says so; wsntop is not sure of an ELF of which it covers less than nine tenths.
. "$(dirname "$0")/lib.sh"

cat >"$TMP/app.c" <<'END'
#include <avr/interrupt.h>
#include <avr/sleep.h>

#include "wsnprof.h"
#include "wsnprof_uart.h"

volatile uint8_t out = 5;
volatile uint8_t table[64] = { VALUE };
extern const uint8_t config[];
const uint8_t *volatile keep = config;

static void work(void)
{
	out += table[0];
}

WSNPROF_QUIET int main(void)
{
	wsnprof_uart_init();
	wsnprof_init();
	wsnprof_start();
	sei();
	do {
		work();
	} while (wsnprof_poll() || !wsnprof_idle());
	cli();
	sleep_mode();
	return 0;
}
END
cat >"$TMP/config.S" <<'END'
	.section .config, "a", @progbits
	.global config
config:	.skip 4096, SETTING
	.global config_end
config_end:
END
echo >"$TMP/wsnprof_config.h"

# build NAME VALUE SETTING OPTION...: $TMP/NAME.elf
build() {
	local name=$1 value=$2 setting=$3
	shift 3
	avr-gcc -mmcu=atmega1284p -DF_CPU=8000000UL -w -std=c99 -Os -finstrument-functions \
		-finstrument-functions-exclude-file-list=util/ -I"$TMP" -Itarget-common -Itarget-avr \
		-DVALUE="$value" -DSETTING="$setting" "$@" -Wl,--section-start=.config=0x8000 -o "$TMP/$name.elf" \
		"$TMP/app.c" "$TMP/config.S" target-common/*.c target-avr/*.c target-avr/*.S
}

# expect WHAT EXPECTED RUN ELF
expect() {
	local got
	"$WSNTOP" -B -p "file:$TMP/$3.bin" -f wsn -e "$TMP/$4.elf" -x "json:$TMP/out.json" >/dev/null 2>"$TMP/err" || true
	got=$(python3 -c 'import json, sys
print(json.load(open(sys.argv[1]))["node"]["image_match"])' "$TMP/out.json"; grep -o 'not sure.*' "$TMP/err" || true)
	# shellcheck disable=SC2053
	[[ ${got//$'\n'/ } == $2 ]] || { echo "FAILED: $1: '$got', not '$2'"; exit 1; }
	echo "ok: $1: $got"
}

# run_elf NAME: as a programmer writes it. (The simulator loads .text and .data alone.)
run_elf() {
	avr-objcopy -O binary --gap-fill 0xff -R .eeprom "$TMP/$1.elf" "$TMP/flash.bin"
	avr-objcopy -I binary -O elf32-avr --rename-section .data=.text,alloc,load,readonly,code,contents \
		"$TMP/flash.bin" "$TMP/flash.elf"
	"$NODE" --mcu=atmega1284p --fast --seconds=60 --uart="$TMP/$1.bin" "$TMP/flash.elf" >"$TMP/$1.end"
	ended "$1"
}

for kind in plain relax; do
	options=(-DWSNPROF_FLASH_END=config_end)
	[ $kind = plain ] || options+=(-mrelax "-Wl,--relax")
	build $kind 7 90 "${options[@]}"
	build $kind-value 8 90 "${options[@]}"
	build $kind-setting 7 91 "${options[@]}"
	run_elf $kind
	expect "$kind: the right ELF" yes $kind $kind
	expect "$kind: an initial value changed" no $kind $kind-value
	expect "$kind: a section behind .data changed" no $kind $kind-setting
done

build short 7 90
build short-value 8 90
build short-setting 7 91
run_elf short
expect "a section that the checksum does not cover" "unknown not sure*covers * of * bytes" short short
expect "it changed" "unknown not sure*" short short-setting
expect "an initial value changed" no short short-value
"$WSNTOP" doctor -e "$TMP/short.elf" | tr -s '\n ' ' ' >"$TMP/doctor"
grep -q "note the node's checksum covers [0-9]* of [0-9]* bytes in flash, unless WSNPROF_FLASH_END is set" "$TMP/doctor" ||
	{ echo "FAILED: doctor: $(cat "$TMP/doctor")"; exit 1; }
echo "ok: doctor tells it"
