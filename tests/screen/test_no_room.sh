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

# A disk that fails while the settings are saved, in each of the steps, or that is read-only: said, and the older ones stay.
faulty=$root/build/tests/tools/faulty.so
[ -x "$faulty" ] || fail "no $faulty: make tools"
nm "$WSNTOP" 2>/dev/null | grep -q __asan_init && exit 0	# a sanitizer's own library comes first
mkdir -p config/wsntop
printf '%s\n' '[screen]' 'mouse = no' >config/wsntop/config.ini
cp config/wsntop/config.ini kept.ini
for fault in write@config.ini=EIO write@config.ini=ENOSPC sync@config.ini=EIO close@config.ini=EIO rename@config.ini=EIO \
		open@config.ini=EROFS; do
	case $fault in open*) n=2 ;; *) n=1 ;; esac	# it is read first
	screen -s 100x24 -e FAULTY="$fault:$n+" -e LD_PRELOAD="$faulty" "${run[@]}" <<-END
		wait uart_write
		keys <F2>
		wait Options
		keys <Down><Enter>
		wait follow    no
		keys <Esc>
		wait config.ini: cannot
		keys t
		keys Q
		exit 0
		wait settings not saved
		whole
		END
	cmp -s config/wsntop/config.ini kept.ini || fail "$fault: $(cat config/wsntop/config.ini)"
	[ "$(ls config/wsntop)" = config.ini ] || fail "$fault: left behind: $(ls config/wsntop)"
done
