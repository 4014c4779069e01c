#!/bin/bash
# What keys and the mouse do, outside the views' own rectangles.
. "$(dirname "$0")/lib.sh"
list_alone
make_app
report node >"$work/node.txt"
cd "$work" || exit 1
export HOME=$work/home
mkdir "$HOME"
run=("$WSNTOP" -f prof -p node.txt -e app.elf)

sorting() { screen "${run[@]}" <<-'END'
	wait uart_write
	keys s
	wait Sort by
	keys <Down><Down><Enter>
	gone Sort by
	wait CALLS▼
	keys I
	wait CALLS▲
	keys >
	wait PER CALL▼
	keys <lt><lt>
	wait TOTAL▼
	keys <F6>
	wait Sort by
	keys <Esc>
	gone Sort by
	wait TOTAL▼
	keys q
	exit 0
	whole
	END
}

filtering() { screen "${run[@]}" <<-'END'
	wait uart_write
	keys f
	wait Filter:
	keys cr
	# it takes effect while it is typed
	gone uart_write
	wait crc16
	keys c[
	# a broken pattern says why and leaves the last good one in force
	wait missing terminating ]
	wait crc16
	keys <Enter>
	wait missing terminating ]
	# whatever the pattern is, it is not taken for a part of the reason
	keys <C-u>': [
	wait Filter: ': [
	gone [': missing
	keys <C-u>crc<Enter>
	gone Filter:
	wait only crc
	gone uart_write
	# Esc clears it
	keys <Esc>
	wait uart_write
	gone only crc
	# a prompt left with Esc changes nothing
	keys \xyz
	gone uart_write
	keys <Esc>
	wait uart_write
	keys q
	exit 0
	END
}

searching() { screen "${run[@]}" <<-'END'
	wait uart_write
	look send default on 24
	keys /adc<Enter>
	look adc_read 16 on 221
	look _read default on 24
	keys n
	look adc_read 16 on 221
	look _read default on 24
	keys /nothing<Enter>
	wait no match for /nothing
	keys <Esc><Esc>
	gone /nothing
	keys n
	wait no search pattern: press /
	keys q
	exit 0
	END
}

exporting() { screen "${run[@]}" <<-'END'
	wait uart_write
	keys x
	wait Export
	keys csv<Enter>
	wait Write to:
	keys <C-u>out.csv<Enter>
	wait csv written to out.csv
	run grep -q crc16 out.csv
	# by the mouse: a click chooses, one beside the box does nothing
	keys x
	wait Export
	click 2 24
	gone Export
	keys x
	wait Export
	click 40 12 5
	click 40 7
	wait Write to:
	keys <Esc>
	gone Write to:
	# where one cannot write it says so, and leaves nothing behind
	keys x<Enter>
	wait Write to:
	keys <C-u>no/such/folder/x<Enter>
	wait No such file
	keys xj<Enter>
	wait Write to:
	keys out.csv
	wait exists
	# replaced only after a question; an input of this run never
	keys <Enter>
	wait Replace out.csv (
	keys <Enter>
	wait not written: out.csv stays as it is
	run head -n 1 out.csv | grep -q ,
	keys x<Enter>out.csv<Enter>n<Enter>
	wait not written: out.csv stays as it is
	keys x<Enter>out.csv<Enter>other.txt<Enter>
	wait flat written to other.txt
	run head -n 1 out.csv | grep -q ,
	keys x<Enter>out.csv<Enter>y<Enter>
	wait flat written to out.csv
	run ! head -n 1 out.csv | grep -q ,
	keys x<Enter>app.elf
	wait an input of this run
	keys <Enter>
	wait not written: app.elf is an input of this run
	keys x<Enter>./node.txt<Enter>
	wait not written: ./node.txt is an input of this run
	run grep -q '^PROF' node.txt
	run ln node.txt node.link
	keys x<Enter>out.csv<Enter>node.link<Enter>
	wait not written: node.link is an input of this run
	# ~ is the home; the name proposed is replaced by typing, and edited after Right or End
	keys x<Enter>~/home.txt<Enter>
	wait home.txt
	run test -s "$HOME/home.txt"
	keys x<Enter>
	wait Write to: node-flat-20
	look node-flat default on 24
	keys <End>.old
	wait .txt.old
	keys <Home>my-
	wait my-node-flat-20
	keys <C-u><Esc>x<Enter><BS>
	gone node-flat
	keys <Esc>
	keys q
	exit 0
	END
}

moving_through_views() { screen "${run[@]}" <<-'END'
	wait uart_write
	keys 3
	wait TOTAL%
	keys <Tab>
	look flame 231 on 24 bold
	keys <Tab>
	wait with durations
	keys <S-Tab><S-Tab>
	wait TOTAL%
	keys ?
	wait Keys in this view
	# q goes back the way one came, then quits
	keys q
	wait TOTAL%
	keys q
	wait SELF▼
	keys q
	exit 0
	END
}

mouse() { screen "${run[@]}" <<-'END'
	wait uart_write
	# the row of adc_read, then the header over TOTAL, then a tab
	click 70 9
	look adc_read default on 24
	click 28 5
	wait TOTAL▼
	click 20 4
	wait TOTAL%
	click 4 4
	wait TOTAL▼
	# a key that comes at once with a click is not kept back
	send \e[M $$\e[M#$$2
	wait SHARE%
	keys q
	wait TOTAL▼
	# what the bottom line says can be done is done by a click on it; a message there goes with a key
	keys <Down><Up>
	wait open  s sort
	click 17 24
	wait Sort by
	keys <Esc>
	gone Sort by
	# far right, where X10's bytes are no text any more
	size 200x24
	wait functions
	click 160 7
	look sample default on 24
	keys q
	exit 0
	whole
	END
}

# At 80 columns each view of functions hints at the past, and a recording at its player.
hints() {
	command -v python3 >/dev/null || return 0
	python3 "$here/wsn.py" record node.rec app.elf refreshes=12 every=4
	screen "$WSNTOP" -p node.rec -e app.elf --speed=max <<-'END'
	wait end of recording
	expect 24
	Enter open  s sort  @ seek  f filter  / search  [ ] step  w window  b baseline
	end
	keys 4
	expect 24
	Enter zoom  u zoom out  @ seek  S sandwich  / search  [ ] step  w window
	end
	keys 5
	expect 24
	Enter callers  m rows  @ seek  s sort  / search  [ ] step  w window  b baseline
	end
	keys 6
	expect 24
	Enter callee  u back  @ seek  m instructions  / search  [ ] step  w window
	end
	keys 8
	expect 24
	b baseline  Enter open  @ seek  s sort  f filter  / search  [ ] step  w window
	end
	keys Q
	exit 0
	END
	screen "$WSNTOP" -p node.rec -e app.elf --speed=0.125 <<-'END'
	wait FUNCTION
	wait Enter open  s sort  Space pause  , . speed  @ seek  f filter  / search
	keys <Space>
	wait Enter open  s sort  Space play  , . speed  @ seek  f filter  / search
	keys 9
	wait m since start  Space play  , . speed  @ seek  R reset  y copy
	size 160x24
	keys 1@end<Enter>
	wait end of recording
	gone Space
	keys Q
	exit 0
	END
}

# A slow line brings the bytes of one character one by one.
characters_in_pieces() { screen "${run[@]}" <<-'END'
	wait uart_write
	keys f
	wait Filter:
	send \xd0
	idle
	send \xb0
	wait Filter: а
	send \xe2
	idle
	send \x82
	idle
	send \xac
	wait Filter: а€
	send \xd0
	idle
	size 90x24
	idle
	send \xb2
	wait Filter: а€в
	keys <BS>
	# a key that comes before the rest: the character is lost, the key is not
	send \xd0
	idle
	send b
	wait Filter: а€b
	send \xe2
	idle
	send \xd0\xb1
	wait Filter: а€bб
	send \xd0
	idle
	keys <BS><BS><BS>
	wait Filter: а
	gone €
	# the rest without its beginning is no character
	send \xb0
	idle
	send cr
	wait Filter: аcr
	# nor is a chord of Alt and a character one
	send \e\xd0\xb0
	idle
	send c
	wait Filter: аcrc
	keys <Esc>
	wait uart_write
	keys q
	exit 0
	END
}

sorting
filtering
searching
exporting
moving_through_views
mouse
hints
characters_in_pieces
