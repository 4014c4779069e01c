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
export WSNTOP_PORTS=/dev/ttyX7 XDG_STATE_HOME="$work/state"

screen "$WSNTOP" -f prof < <(sed "s/@VERSION@/$(cat "$root/VERSION")/" <<-'END'
	wait Serial ports
	expect 1-6
	 wsntop @VERSION@
	 Choose a node: a port, a recording or a demo

	 Serial ports
	   /dev/ttyX7       no such port
	 Recordings here
	end
	wait morning.capture
	wait not running; make demo starts it
	gone node.txt
	# what is the matter with the selected one stands below
	expect 23
	 no such port
	end
	keys <Down>
	look morning.capture default on 24
	keys <Up><Up>
	look /dev/ttyX7 default on 24
	# letters leave what has them; Esc brings all back
	keys /MORN
	gone Serial ports
	expect 4
	 Recordings here
	end
	keys <Enter>
	look morning.capture default on 24
	keys <Esc>
	wait Serial ports
	keys /zzz
	wait no entry matches; Esc shows all
	keys <Enter><Enter><Esc>
	wait Serial ports
	# Esc clears; it does not leave
	keys <Esc>
	keys /capture<Enter><Enter>
	wait Choose the firmware
	# the newest first, and the cursor on it
	expect 4
	 Firmware images
	end
	look app.elf default on 24
	wait 3 h ago
	expect 7-9
	   wrong.elf        16 B, 5 h ago
	 Or
	   type the path of an ELF file
	end
	# one that is none: said so, back at the start
	keys <Down><Down><Enter>
	wait wrong.elf: 
	wait Choose a node
	keys /capture<Enter><Enter>
	wait Choose the firmware
	keys <Enter>
	wait uart_write
	wait morning.capture
	keys q
	exit 0
	whole
	END
)

# A port that cannot be had says why when it is chosen all the same.
screen "$WSNTOP" -f prof -e app.elf <<-'END'
	wait Serial ports
	keys <Enter>
	wait /dev/ttyX7: no such
	wait Choose a node
	keys q
	exit 0
	END

# A source that is typed, no image.
screen -s 40x10 "$WSNTOP" -f prof <<-'END'
	wait Serial ports
	keys G<Enter>
	wait Source:
	keys nowhere.bin<Enter>
	wait Choose its firmware
	keys G<Enter>
	wait nowhere.bin
	keys G<Enter>
	keys file:node.txt<Enter>
	wait Choose its firmware
	keys G<Enter>
	wait 0x00400
	keys q
	exit 0
	whole
	END

# An image first: its node is looked for; and back.
screen "$WSNTOP" <<-'END'
	wait Or choose an image
	keys /other<Enter><Enter>
	wait Looking for the node that runs other.elf
	expect 5
	   /dev/ttyX7    no such port
	end
	keys q
	wait Choose a node
	keys q
	exit 0
	whole
	END

# With the mouse: a click selects, two choose, the wheel steps.
screen "$WSNTOP" -f prof <<-'END'
	wait Or choose an image
	click 6 7
	look morning.capture default on 24
	click 6 7 4
	look /dev/ttyX7 default on 24
	click 6 7 5
	look morning.capture default on 24
	click 6 1
	click 6 9
	look morning.capture default on 24
	click 6 7
	click 6 7
	wait Choose the firmware
	keys Q
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

# Sizes come and go.
screen -s 200x60 "$WSNTOP" <<-'END'
	wait Serial ports
	size 40x10
	wait Serial ports
	size 10x3
	size 1x1
	size 120x40
	wait Serial ports
	keys q
	exit 0
	whole
	END

# With the image given there is one question less. The demo node is there when it runs.
ln -s /dev/null demo.pty
screen -e WSNTOP_DEMO=demo.pty "$WSNTOP" -f prof -e app.elf <<-'END'
	wait Demo node
	gone Or choose an image
	keys G<Up>
	look demo.pty default on 24
	keys <Up><Enter>
	wait uart_write
	keys q
	exit 0
	whole
	END
