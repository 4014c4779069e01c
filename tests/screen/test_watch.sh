#!/bin/bash
# Watches: a bound on a figure. In batch the status is 3 when one is passed; on the screen the row and the
# header turn red, ! lists them, goes to the moment, and they are kept in the settings.
. "$(dirname "$0")/views.sh"
command -v python3 >/dev/null || skip "python3 is not installed"
cd "$work" || exit 1
export TZ=UTC
python3 "$here/wsn.py" record watch.rec fw.elf refreshes=20 every=4 text=$'tick\n'

# batch STATUS "LINE" BOUND...: what is said on standard error.
batch() {
	local status=$1 line=$2 got
	shift 2
	"$WSNTOP" -B -p watch.rec -e fw.elf --speed=max "$@" >out 2>err
	got=$?
	[ "$got" = "$status" ] || fail "$*: status $got, not $status: $(cat err)"
	[ -z "$line" ] || grep -qx "wsntop: $line" err || fail "$*: $(cat err)"
}

batch 3 'send: max > 24 ms passed: 24.41 ms' -w 'send: max > 24 ms'
batch 0 '' -w 'send: max > 25 ms'
! grep -q 'send: max' err || fail "a bound that holds is spoken of: $(cat err)"
batch 3 'crc16: calls > 1 passed: 6000' -w 'send: max > 25 ms' -w 'crc16: calls > 1'
batch 0 'nobody: max > 1 s: not known in this profile' -w 'nobody: max > 1 s'
batch 1 "send: this source cannot watch; openocd:, gdb:, swo: with ?setup=, simavr: and qemu: can (a bound is FUNCTION: FIGURE > VALUE: clock_tick: max > 300 us)" -w send
batch 2 "--watch=send: max > 5: max: expected a time with its unit: s, ms, us or ns" -w 'send: max > 5'

run=("$WSNTOP" -p watch.rec -e fw.elf --speed=max --theme=default)

# From the command line: passed at once, not saved.
screen -s 100x24 -e TERM=xterm-256color "${run[@]}" -w 'send: max > 24 ms' <<-'END'
	wait 1 watch passed
	look send 231 on 160 bold
	keys !
	wait send: max > 24 ms
	wait passed at
	keys <Esc>Q
	exit 0
END
! grep -qs bound config/wsntop/config.ini || fail "a bound of the command line was saved"

# Nothing is proposed where nothing was measured.
screen -s 100x24 "${run[@]}" <<-'END'
	wait uart_write
	keys 3<Home>!
	wait Watch main:
	expect 24
	Watch main:
	end
	keys <Esc>Q
	exit 0
END

# A bound is proposed at what was reached; a larger one is not passed; a smaller one is.
screen -s 100x24 "${run[@]}" <<-'END'
	wait uart_write
	keys g!
	wait Watch send: max > 25 ms
	keys max > 20
	gone 25 ms
	wait expected a time with its unit
	keys <Space>ms<Enter>
	wait watching send: max > 20 ms
	wait 1 watch passed
	keys !
	wait a bound for send ...
	keys <Down><Enter>
	wait to the moment in which it was passed
	keys <Enter>
	gone Watches
	wait paused 12:00:04
	keys !<Down><Enter><Down><Enter>
	wait Watch send: max > 20 ms
	keys <C-u>max > 30 ms<Enter>
	wait watching send: max > 30 ms
	gone 1 watch passed
	wait 1 watch
	keys !
	wait not passed, now 24.41 ms
	keys <Esc>Q
	exit 0
END
grep -qx 'bound = fw.elf | send: max > 30 ms' config/wsntop/config.ini ||
	fail "not in the settings: $(cat config/wsntop/config.ini)"

# It is there again, for this image alone; and is removed.
sed -i 's/^bound = fw.elf.*/&\nbound = other.elf | main: max > 0 s/' config/wsntop/config.ini
screen -s 100x24 "${run[@]}" <<-'END'
	wait uart_write
	keys !
	wait send: max > 30 ms
	gone main: max
	keys <Down><Enter>
	wait the watch
	keys <Down><Enter>!
	wait Watch send:
	keys <Esc>Q
	exit 0
END
[ "$(grep -c '^bound = ' config/wsntop/config.ini)" = 1 ] && grep -q other.elf config/wsntop/config.ini ||
	fail "not removed alone: $(cat config/wsntop/config.ini)"
