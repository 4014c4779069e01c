#!/bin/bash
# What is set up: read from config.ini before the screen opens, changed by F2, written back whole.
. "$(dirname "$0")/lib.sh"
make_app
report node >"$work/node.txt"
cd "$work" || exit 1
export HOME=$work
config=$XDG_CONFIG_HOME/wsntop/config.ini
run=("$WSNTOP" -f prof -p node.txt -e app.elf)

is() {	# what the file says now
	diff -u - "$config" || fail "${BASH_LINENO[0]}: config.ini"
}

# Without a file all is as built in, and none is made by looking.
screen "${run[@]}" <<-'END'
	wait uart_write
	look send default on 24
	keys <F2>
	wait Options
	keys <Esc>
	gone Options
	keys q
	exit 0
	whole
	END
[ ! -e "$config" ] || fail "a file was made of nothing"

# Every option, by keys; it holds at once and is there the next time.
mkdir -p "$work/src" "$XDG_CONFIG_HOME/wsntop/themes"
printf '%s\n' [theme] 'name = zebra' 'description = stripes' [256] 'menu = 16 on 231' \
	>"$XDG_CONFIG_HOME/wsntop/themes/zebra.ini"
screen "${run[@]}" <<-'END'
	wait uart_write
	keys <F2>
	wait Options
	keys <Enter>
	wait Theme
	# themes are shown while one looks through them; Esc goes back to the one before
	look Theme 252 on 236
	keys zebra
	look stripes 231 on 24 bold
	look Theme 16 on 231
	keys <Enter>
	wait Options
	look Options 16 on 231
	wait zebra
	keys <Enter>
	wait for dark terminals
	keys def
	look Theme 252 on 236
	keys <Esc>
	wait Options
	look Options 16 on 231
	wait zebra
	keys f<Enter>
	wait follow    no
	keys i<Enter>
	wait Interval in seconds: 1
	keys <C-u>soon
	wait : expected a number of seconds
	keys <Enter>
	wait : expected a number of seconds
	keys <C-u>2.5<Enter>
	wait 2.5 s
	keys time<Enter>
	wait time bar  no
	keys so<Enter>
	wait Sorted by
	keys calls<Enter>
	wait sort      calls
	keys <Esc>
	gone Options
	wait CALLS▼
	wait saved in ~/config/wsntop/config.ini
	keys q
	exit 0
	whole
	END
is <<-'END'
	[screen]
	theme = zebra
	follow = no
	interval = 2.5
	timebar = no

	[columns]
	sort = calls
	END

screen "${run[@]}" <<-'END'
	wait CALLS▼
	keys o
	wait follow    no
	wait 2.5 s
	keys folders<Enter>
	wait Folders with sources
	keys <Enter>
	wait Folder with sources:
	keys ~/src<Enter>
	wait ~/src
	keys <Enter>
	wait Folder with sources:
	keys /nowhere<Enter>
	wait /nowhere
	# the same key takes one away
	keys <Down><Down><Enter>
	gone /nowhere
	keys <Esc>
	wait Options
	keys maps<Enter>
	wait Paths at build
	keys <Enter>/build<Enter>
	wait expected two paths
	keys <Space>~/src<Enter>
	wait /build  is  ~/src
	keys <Esc>
	wait Options
	keys edi<Enter>
	wait Editor
	keys code -g<Enter>
	wait code -g
	keys <Esc>
	wait saved in
	keys q
	exit 0
	END
is <<-'END'
	[screen]
	theme = zebra
	follow = no
	interval = 2.5
	timebar = no

	[columns]
	sort = calls

	[source]
	dir = ~/src
	map = /build ~/src
	editor = code -g
	END

# Options of the command line win for one run, and are not written.
screen "${run[@]}" --sort=max --theme=default --source-dir=/given --source-map=/from=/to <<-'END'
	wait MAX▼
	look send default on 24
	keys F
	wait follows its function
	keys F
	wait stays on its row
	keys <F2>
	wait folders   2
	keys <Esc>q
	exit 0
	END
grep -q 'sort = calls' "$config" || fail "--sort was written"
grep -q 'given\|/from' "$config" && fail "--source-dir was written"

# Keys: one more for an action; whose it was is said; none; as built in.
screen "${run[@]}" <<-'END'
	wait CALLS▼
	keys <F2>
	wait Options
	keys <End><Enter>
	wait Keys
	keys freeze<Enter>
	wait press a key
	wait now: Space Z
	keys <F9>
	wait F9 is freeze
	wait Space Z F9
	keys <Enter>
	wait press a key
	keys <Tab>
	wait Tab is now freeze, no longer view-next
	keys <Home>hottest<Enter>
	wait now: H
	keys <Del>
	gone now: H
	keys <Home>invert<Enter>
	wait now: I
	keys <F9>
	wait F9 is now invert, no longer freeze
	keys <Enter>
	wait now: I F9
	keys <BS>
	gone now:
	keys <Enter>
	wait now: I
	gone F9
	keys <Esc>
	gone press a key
	keys <Esc>
	wait Options
	wait 3 changed
	keys <Esc>
	wait saved in
	keys <Tab>
	wait FROZEN
	keys H
	gone saved in
	keys 3<Space>
	gone FROZEN
	keys Q
	exit 0
	END
sed -n '/keys/,$p' "$config" | diff -u - <(printf '%s\n' '[keys]' 'view-next = none' 'hottest = none' \
	'freeze = Space Z Tab') || fail "the keys"

# By the mouse: a row is chosen by a click, beside the box it closes, the wheel scrolls.
rm "$config"
screen "${run[@]}" <<-'END'
	wait uart_write
	keys <F2>
	wait Options
	click 5 8
	wait follow    no
	click 5 8
	wait follow    yes
	click 5 6
	wait Options
	click 5 18
	wait Folders with sources
	click 1 24
	wait Options
	keys <End><Enter>
	wait Keys
	gone palette
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	click 10 10 5
	wait palette
	wait the end
	click 2 24
	wait Options
	click 2 24
	gone Options
	# the mouse is given to the terminal, and taken again
	keys <F2>
	wait Options
	keys m
	look mouse 231 on 24 bold
	keys <Enter>
	wait mouse     no
	keys <Enter>
	wait mouse     yes
	keys <Esc>q
	exit 0
	whole
	END

# What stands in the file stays: comments, what means nothing, its order.
mkdir -p "${config%/*}"
printf '%s\n' '; mine' '[keys]' '# flames' 'view-flame = F9' '' '[source]' 'editor = vim' '' '[screen]' \
	'interval = 3   ; seconds' 'theme = light' >"$config"
screen "${run[@]}" <<-'END'
	wait uart_write
	keys F
	wait stays on its row
	keys <F9>
	wait F9flame
	keys q
	keys q
	exit 0
	END
is <<-'END'
	; mine
	[keys]
	# flames
	view-flame = F9

	[source]
	editor = vim

	[screen]
	interval = 3
	theme = light
	follow = no
	END
[ ! -e "$config.bak" ] || fail "a good file was kept beside"

# What is wrong is said once, on the bottom line, and the rest holds; the file that had it is kept.
said() {	# WHAT THE LINE SAYS, line...
	local words=$1
	shift
	printf '%s\n' "$@" >"$config"
	screen -s 120x24 "${run[@]}" <<-END
		wait ~/config/wsntop/config.ini: $words
		wait uart_write
		keys <End>
		gone config.ini
		keys q
		exit 0
		END
}
said 'line 2: unknown setting "intervall" in [screen]' '[screen]' 'intervall = 2'
said 'line 3: interval: "soon": expected a number of seconds' '[screen]' '' 'interval = soon'
said 'line 2: expected [section] or name = value' '[screen]' 'follow' 'timebar = no'
said 'line 1: unknown section' '[sceen]'
said 'line 2: follow: "maybe": expected yes or no; and 1 more line' '[screen]' 'follow = maybe' 'x = y'
said 'line 2: unknown action "view-flmae"; did you mean view-flame?' '[keys]' 'view-flmae = 4'
said 'line 2: up: unknown key "Upp"' '[keys]' 'up = Upp k'
said 'line 3: k is bound twice: to down, no longer to up' '[keys]' 'up = k' 'down = k'
said 'line 2: flat: unknown column "selff"' '[columns]' 'flat = self selff'
said 'line 2: map: expected two paths' '[source]' 'map = /build'
said "dusk: no such theme" '[screen]' 'theme = dusk'

printf '%s\n' '[screen]' 'interval = soon' 'follow = maybe' >"$config"
screen "${run[@]}" <<-'END'
	wait uart_write
	keys F
	wait stays on its row
	keys q
	exit 0
	END
is <<-'END'
	[screen]
	follow = no
	END
printf '%s\n' '[screen]' 'interval = soon' 'follow = maybe' | cmp - "$config.bak" || fail "the old file"

# A file of another name, or none; one that must be there and is not.
screen "${run[@]}" --config=mine.ini <<-'END'
	exit 2
	wait --config: mine.ini: cannot open: No such file
	END
echo >mine.ini
screen "${run[@]}" --config=mine.ini <<-'END'
	wait uart_write
	keys F
	wait stays on its row
	keys q
	exit 0
	END
printf '[screen]\nfollow = no\n' | cmp - mine.ini || fail "--config=mine.ini: $(cat mine.ini)"
cp "$config" before
screen "${run[@]}" --config=none <<-'END'
	wait uart_write
	keys F
	wait stays on its row
	keys q
	exit 0
	END
cmp before "$config" || fail "--config=none wrote"

# Where it cannot be written that is said, and the screen is left all the same.
rm -rf "$XDG_CONFIG_HOME" && echo >"$XDG_CONFIG_HOME"
screen "${run[@]}" <<-'END'
	wait uart_write
	keys F
	wait stays on its row
	keys <F2>
	wait Options
	keys <Esc>
	wait not saved:
	keys F
	wait follows its function
	keys q
	exit 0
	wait settings not saved
	END

# All keys taken from leaving: Ctrl-C does it.
printf '%s\n' '[keys]' 'quit = none' 'back = none' 'up = Ctrl-C' >mine.ini
screen "${run[@]}" --config=mine.ini <<-'END'
	wait uart_write
	keys qQ<F10>
	wait uart_write
	keys <C-c>
	exit 0
	whole
	END
exit 0
