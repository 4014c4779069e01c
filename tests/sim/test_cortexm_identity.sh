#!/bin/bash
# Cortex-M: wsntop tells a wrong ELF, whatever linker script the firmware was made with, and never takes one for the
# right one because the node's checksum ends before the bytes that differ.
. "$(dirname "$0")/cortexm.sh"

# script [OPTION...]: a linker script. Options: what differs from the usual
#   orphans		.text.* is not named: these sections come behind _etext, .data is loaded into RAM
#   end			the runtime's own symbol says where the program ends
#   cube		STM32Cube's names; else only __etext, as bare projects have
#   apart		the vectors, the code and .data's image lie far from each other
#   fonts		data in an external flash
#   id			wsnprof_build_id
#   at=ADDRESS		the program begins there
#   boot		a bootloader before it, which is not in the program's own ELF
script() {
	local options=" $* " at=0 text="*(.text .text.*)" load="AT >FLASH"
	has() { [[ $options == *" $1 "* ]]; }
	[[ $options =~ \ at=([^ ]*) ]] && at=${BASH_REMATCH[1]}
	! has orphans || { text="*(.text)"; load=; }
	cat <<END
ENTRY(Reset_Handler)
MEMORY
{
	BOOT (rx) : ORIGIN = 0, LENGTH = 16K
	FLASH (rx) : ORIGIN = $at, LENGTH = 4M - $at
	RAM (rwx) : ORIGIN = 0x20000000, LENGTH = 4M
	PSRAM (r) : ORIGIN = 0x21000000, LENGTH = 4M
}
SECTIONS
{
	$(! has boot || echo ".boot : { KEEP(*(.boot)) } >BOOT")
	.vectors : { KEEP(*(.vectors)) } >FLASH
	$(has apart && echo ". = $at + 0x8000;")
	.text : {
		$text
		*(.rodata .rodata.*)
		. = ALIGN(4);
		$(has cube || has orphans && echo "_etext = .;" || echo "__etext = .;")
	} >FLASH
	$(! has id || echo ".note.gnu.build-id : { wsnprof_build_id = .; KEEP(*(.note.gnu.build-id)) } >FLASH")
	$(has apart && echo ".gap $at + 0x40000 : { LONG(1) } >FLASH")
	.data : {
		data_start = .;
		$(has cube && echo "_sdata = .;")
		*(.data .data.*)
		. = ALIGN(4);
		data_end = .;
		$(has cube && echo "_edata = .;")
	} >RAM $load
	data_load = LOADADDR(.data);
	$(has cube && echo "_sidata = LOADADDR(.data);")
	.bss (NOLOAD) : { bss_start = .; *(.bss .bss.* COMMON) . = ALIGN(4); bss_end = .; } >RAM
	.noinit (NOLOAD) : { *(.noinit .noinit.*) . = ALIGN(4); end = .; } >RAM
	stack_top = ORIGIN(RAM) + LENGTH(RAM);
	.fonts : { *(.fonts) } >PSRAM
	$(has end && echo ".wsnprof_end : { wsnprof_flash_end = .; } >FLASH")
	/DISCARD/ : { *(.boot) $(has id || echo "*(.note.gnu.build-id)") *(.ARM.exidx*) }
}
END
}

# What the linker adds to the nodes of sim/cortexm: 4 KB of initial values, 64 KB of fonts, a bootloader.
cat >"$TMP/more.S" <<'END'
	.cpu cortex-m3
	.section .data.table, "aw"
	.global table
	.type table, %object
table:	.fill 1024, 4, 0x12345678
	.size table, . - table
	.section .fonts, "a"
	.global fonts
	.type fonts, %object
fonts:	.fill 16384, 4, 0x87654321
	.size fonts, . - fonts
	.section .boot, "ax"
	.syntax unified
	.word	stack_top, boot_reset
	.thumb_func
boot_reset:
	ldr	r0, =0xe000ed08		@ VTOR
	ldr	r1, =vectors
	str	r1, [r0]
	ldr	pc, =Reset_Handler
	.ltorg
	.fill	1000, 4, 0xb007b007
END

# link NAME LD_OPTION... -- SCRIPT_OPTION...
link() {
	local name=$1 flags=(-u table)
	shift
	while [ "$1" != -- ]; do flags+=("$1"); shift; done
	shift
	[[ " $* " != *" fonts "* ]] || flags+=(-u fonts)
	script "$@" >"$TMP/$name.ld"
	arm-none-eabi-gcc -mthumb -mcpu=cortex-m3 -nostartfiles --specs=nano.specs --specs=nosys.specs \
		-Wl,--gc-sections,--no-warn-rwx-segments "${flags[@]/#/-Wl,}" -T "$TMP/$name.ld" -o "$TMP/an385-$name.elf" \
		"$FW/an385.o" "${RUNTIME:-$FW/an385-arcs.o}" "$FW/an385-arcs-Os.o" "$TMP/more.S"
}

# play NAME [ELF]: run it; $TMP/NAME.uart. The runs are short: the identity is said at their beginning.
play() {
	sim/cortexm/run -u -o "$TMP/$1" an385 "$TMP/an385-${2:-$1}.elf" run=deep baud=115200 \
		>"$TMP/$1.log" 2>&1 || { echo "FAILED: $1: $(cat "$TMP/$1.log")"; exit 1; }
}

# other NAME SYMBOL: an ELF that differs in one bit of it: $TMP/an385-NAME-SYMBOL.elf
other() {
	cp "$TMP/an385-$1.elf" "$TMP/an385-$1-$2.elf"
	python3 - "$TMP/an385-$1-$2.elf" "$2" <<'END'
import re
import subprocess
import sys

path, name = sys.argv[1:]
out = lambda *command: subprocess.run(command, capture_output=True, text=True, check=True).stdout
at = [int(line.split()[1], 16) & ~1 for line in out("arm-none-eabi-readelf", "-sW", path).replace(":", " ").splitlines()
      if line.split()[-1:] == [name] and len(line.split()) > 7]
for line in out("arm-none-eabi-readelf", "-SW", path).splitlines():
    m = re.match(r"\s*\[ *\d+\] \S+ +PROGBITS +(\w+) (\w+) (\w+)", line)
    address, offset, size = (int(x, 16) for x in m.groups()) if m else (0, 0, 0)
    if address <= at[0] < address + size:
        with open(path, "r+b") as f:
            f.seek(offset + at[0] - address + 8)
            byte = f.read(1)[0]
            f.seek(-1, 1)
            f.write(bytes([byte ^ 1]))
        sys.exit(0)
sys.exit(f"{name}: in no section")
END
}

# said NAME ELF: "yes", "no" or "unknown", and what wsntop warns of
said() {
	rm -f "$TMP/out.json"
	"$WSNTOP" -B -p "file:$TMP/$1.uart" -f wsn -e "$2" -x "json:$TMP/out.json" >/dev/null 2>"$TMP/err" || true
	sed -n 's/.*"image_match": *"\([a-z]*\)".*/\1/p' "$TMP/out.json"
	grep -o 'not sure.*' "$TMP/err" || true
}

# judge WHAT NAME SYMBOL EXPECTED: of the right ELF (SYMBOL "-"), or of one that differs there
judge() {
	local elf=$TMP/an385-$2.elf got
	[ "$3" = - ] || { other "$2" "$3"; elf=$TMP/an385-$2-$3.elf; }
	got=$(said "$2" "$elf" | tr '\n' ' ')
	# shellcheck disable=SC2053 # a pattern
	[[ $got == $4 ]] || { echo "FAILED: $1: '$got', not '$4'"; exit 1; }
	echo "ok: $1: $got"
}

link usual -- cube
link bare --
link apart -- cube apart
link orphans -- orphans
link named -- orphans end
link fonts -- cube fonts
link id --build-id -- cube id
link short-id --build-id=0x0123456789abcdef -- cube id
link no-id -- cube id
for name in usual bare apart orphans named fonts id short-id no-id; do
	play $name
done

for name in usual bare apart fonts; do
	judge "$name: the right ELF" $name - "yes "
	judge "$name: a changed function" $name workload_deep "no "
	judge "$name: a changed initial value" $name table "no "
done
judge "fonts: data in the external flash moves no name" fonts fonts "yes "

# A note of 12 bytes or more is sent. Where the script keeps one and the linker makes none, the checksum is.
for name in id short-id no-id; do
	judge "$name: the right ELF" $name - "yes "
	[ $name = id ] || judge "$name: a changed function" $name workload_deep "no "
	python3 - "$TMP/$name.uart" <<'END'
import sys
from cortexm import check
from wsn import Node

hello = Node(open(sys.argv[1], "rb").read()).hello
check(hello.identity == (2 if sys.argv[1].endswith("/id.uart") else 1), f"it sends kind {hello.identity}")
END
done

judge "orphans: the right ELF" orphans - "unknown not sure*checksum covers*"
judge "orphans: a changed function behind _etext" orphans workload_deep "unknown not sure*"
# Of several ELFs one that may be the right one is better than one that is not.
"$WSNTOP" -B -p "file:$TMP/orphans.uart" -f wsn -e "$TMP/an385-usual.elf" -e "$TMP/an385-orphans.elf" \
	-x "json:$TMP/out.json" >/dev/null 2>&1
grep -q '"image":.*an385-orphans.elf' "$TMP/out.json" || { echo "FAILED: several: $(head -c 400 "$TMP/out.json")"; exit 1; }
echo "ok: several: the one that fits as far as the checksum goes"

judge "named: the right ELF" named - "yes "
judge "named: a changed function behind _etext" named workload_deep "no "

# doctor says what will be sent, before it is flashed.
doctor() {	# NAME TEXT...
	local text
	"$WSNTOP" doctor -e "$TMP/an385-$1.elf" | tr -s '\n ' ' ' >"$TMP/doctor"
	for text in "${@:2}"; do
		grep -qF "$text" "$TMP/doctor" || { echo "FAILED: $1: doctor: no '$text': $(cat "$TMP/doctor")"; exit 1; }
		echo "ok: $1: doctor: $text"
	done
	grep -qE 'wsnprof takes [0-9]{2},[0-9]{3} of' "$TMP/doctor" || { echo "FAILED: $1: doctor: its RAM"; exit 1; }
}
doctor id "ok a build-id is in flash"
doctor no-id "wsnprof_build_id stands before no build-id" "link with -Wl,--build-id"
said orphans "$TMP/an385-orphans.elf" | grep -o 'covers.*' >"$TMP/covers"
doctor orphans "the node's checksum $(cat "$TMP/covers") in flash: wsntop will not be sure" "wsnprof_flash_end = .;"
for name in usual named bare; do
	doctor $name "no build-id in flash"
	! grep -q "will not be sure" "$TMP/doctor" || { echo "FAILED: $name: doctor is not sure"; exit 1; }
done

# A host that joins late, on a slow line.
sim/cortexm/run -u -o "$TMP/long" an385 "$TMP/an385-usual.elf" run=wsn rounds=24 baud=9600
python3 tests/sim/identity_late.py "$TMP/long.uart" "$TMP/late.uart"
late() {	# ELF REFUSED
	local refused
	refused=$("$WSNTOP" -B -p "file:$TMP/late.uart" -f wsn -e "$TMP/an385-$1.elf" 2>&1 |
		grep -c "is not the firmware" || true)
	[ "$refused" = "$2" ] || { echo "FAILED: joined late: $1: refused $refused, not $2"; exit 1; }
	echo "ok: joined late: $1: refused $refused"
}
late usual 0
late usual-workload_deep 1

# Behind a bootloader: the vectors tell where the program begins. Where they do not, the host cannot know the bytes in
# front.
for name in boot blind; do
	RUNTIME=$FW/an385-arcs.o
	if [ $name = blind ]; then
		RUNTIME=$TMP/blind.o
		arm-none-eabi-gcc -mthumb -mcpu=cortex-m3 -std=c99 -Os -ffunction-sections -fdata-sections -r -nostdlib \
			-Isim/cortexm -Isim/cortexm/boards/mps2 -Itarget-common -Itarget-cortexm -DWSNPROF_SITES=0 \
			-DWSNPROF_ARCS=64 -DWSNPROF_RECEIVE=1 -DWSNPROF_FLASH_START=0u -o "$RUNTIME" \
			target-common/*.c target-cortexm/*.c target-cortexm/*.S
	fi
	link $name -- cube at=0x4000
	link $name-whole -- cube at=0x4000 boot
	play $name $name-whole
done
judge "a bootloader: the right ELF" boot - "yes "
judge "a bootloader: a changed function" boot workload_deep "no "
judge "a bootloader in the checksum" blind - "unknown not sure*starts 16384 bytes before*"
