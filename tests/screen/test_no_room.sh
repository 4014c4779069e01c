#!/bin/bash
# A full disk, no home, folders that are none: what could not be written is said, nothing half is left.
. "$(dirname "$0")/views.sh"
cd "$work" || exit 1
run=("$WSNTOP" -f prof -p first.txt -e fw.elf --theme=./test.ini)
full=(bash -c 'ulimit -f 0; exec "$@"' -)	# no file may grow
before=$(ls)

# What is asked for is answered at once; what is kept at the end is said at the end.
screen -s 100x24 "${full[@]}" "${run[@]}" <<-'END'
	wait uart_write
	keys x<Enter>
	wait Write to:
	keys <C-u>flat.txt<Enter>
	wait flat.txt: cannot write: File too large
	keys W
	wait B to:
	keys <C-u>bytes.wsnrec<Enter>
	wait bytes.wsnrec: cannot write: File too large
	keys <F2>
	wait Options
	keys <Down><Enter>
	wait follow    no
	keys <Esc>
	wait config.ini: cannot write: File too large
	keys t
	keys Q
	exit 0
	wait settings not saved
	whole
	END
[ "$before" = "$(ls -I config)" ] || fail "left behind: $(ls)"
[ -z "$(find config -type f)" ] || fail "left behind: $(find config -type f)"

# No home, one that is not there, folders that are files: all works, and what is set up is not kept.
nowhere() {	# what is said at the end, NAME=VALUE...
	local said=$1
	shift
	screen -s 100x24 env -u HOME -u XDG_CONFIG_HOME -u XDG_STATE_HOME "$@" "${run[@]}" <<-END
		wait uart_write
		keys :theme
		wait Commands
		keys <Esc>
		gone Commands
		keys t
		keys b
		wait Compare with
		keys <Esc>
		keys Q
		exit 0
		$said
		whole
		END
}

nowhere 'pause 0' A=1
nowhere 'wait settings not saved' HOME=/proc/nonexistent
nowhere 'wait settings not saved' HOME="$work" XDG_CONFIG_HOME="$work/fw.elf"
nowhere 'wait settings not saved' HOME=/dev/null XDG_STATE_HOME=/dev/null
