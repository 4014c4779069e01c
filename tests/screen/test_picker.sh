#!/bin/bash
# The start page: what it finds, what it says when something cannot be opened, and the way through.
. "$(dirname "$0")/lib.sh"
make_app
report node >"$work/node.txt"
cd "$work" || exit 1
mkdir build empty
cp app.elf build/other.elf
touch -d '3 hours ago' build/other.elf
"$WSNTOP" -B -f prof -p node.txt -r morning.capture >/dev/null 2>&1 || fail "no recording"
echo "no image at all" >wrong.elf
touch -d '5 hours ago' wrong.elf

screen "$WSNTOP" -f prof <<-'END'
	wait Serial ports
	wait Recordings here
	wait morning.capture
	wait not running; make demo starts it
	gone node.txt
	keys G<Up>
	look morning.capture default on 24
	keys <Enter>
	wait Which firmware
	# the newest first, and the cursor on it
	expect 4
	 Firmware images
	end
	look app.elf default on 24
	wait 3 h ago
	expect 7-9
	   wrong.elf                       16 B, 5 h ago
	 Or
	   type the path of an ELF file
	end
	# one that is none: said so, back at the start
	keys <Down><Down><Enter>
	wait wrong.elf
	wait Which node
	keys G<Up><Enter>
	wait Which firmware
	keys <Enter>
	wait uart_write
	wait morning.capture
	keys q
	exit 0
	whole
	END

# A source that is typed, no image.
screen -s 40x10 "$WSNTOP" -f prof <<-'END'
	wait Serial ports
	keys G<Enter>
	wait Source:
	keys nowhere.bin<Enter>
	wait Which firmware
	keys G<Enter>
	wait nowhere.bin
	keys G<Enter>
	keys file:node.txt<Enter>
	wait Which firmware
	keys G<Enter>
	wait 0x00400
	keys q
	exit 0
	whole
	END

# Left without choosing; asked to go.
screen "$WSNTOP" <<-'END'
	wait Serial ports
	keys q
	exit 0
	whole
	END
screen "$WSNTOP" <<-'END'
	wait Serial ports
	signal TERM
	exit 0
	whole
	END

# With the image given there is one question less. The demo node is there when it runs.
ln -s /dev/null demo.pty
screen -e WSNTOP_DEMO=demo.pty "$WSNTOP" -f prof -e app.elf <<-'END'
	wait Demo node
	keys G<Up><Up><Enter>
	wait uart_write
	keys q
	exit 0
	whole
	END
