#!/bin/bash
# The palette: all commands by name, with their keys; and the prompts and menus that other keys open.
. "$(dirname "$0")/lib.sh"
make_app
report node >"$work/node.txt"
cd "$work" || exit 1
mkdir -p "$XDG_CONFIG_HOME/wsntop/themes"
printf '%s\n' [theme] 'name = zebra' 'description = stripes' [256] 'title-sorted = 16 on 231' \
	'tab-active = 16 on 231' >"$XDG_CONFIG_HOME/wsntop/themes/zebra.ini"
run=("$WSNTOP" -f prof -p node.txt -e app.elf)

screen "${run[@]}" <<-'END'
	wait uart_write
	keys :
	# what means something in this view first, then all, scrolled
	expect 5-8
	┌─ Commands ───────────────────────────────────────────────────────────────────┐
	│ In this view:                                                                │
	│ enter                open the callers, the branch or the box    Enter        │
	│ sort                 choose the column to sort by               s F6         │
	end
	wait Everywhere:
	look enter 231 on 24 bold
	# the selected row of the view does not shine through
	look filter 252 on 236
	wait more ─┘
	# the help of the selected one is whole on the frame where its row has no room for it
	keys <PgDn><PgDn><Up><Up><Up><Up><Up><Up><Up><Up>
	wait view-callers         callers and callees of the selected funct… 2
	look view-callers 231 on 24 bold
	wait └ callers and callees of the selected function ─
	keys <PgUp><PgUp>
	# what is typed narrows it: words in any order, in the name or the help
	keys icicle
	expect 5-7
	┌─ Commands ───────────────────────────────────────────────────────────────────┐
	│ view-flame  the call tree as an icicle: width is time                      4 │
	│                                                                              │
	end
	keys <C-u>column next
	wait sort-next
	gone sort-previous
	# letters in order will do
	keys <C-u>vhst
	expect 5-7
	┌─ Commands ───────────────────────────────────────────────────────────────────┐
	│ view-histogram  durations of calls: minimum to maximum, distribution       5 │
	│                                                                              │
	end
	keys <Enter>
	wait with durations
	# no matching command: Enter does nothing, Esc leaves
	keys :qwertz
	wait no matching command
	keys <Enter>
	wait no matching command
	keys <Esc>
	gone qwertz
	# columns, exports and themes are there, too
	keys 1:sort max<Enter>
	wait MAX▼
	keys :export csv<Enter>
	wait Write to:
	keys <C-u>palette.csv<Enter>
	wait csv written to palette.csv
	keys :theme zebra<Enter>
	look MAX▼ 16 on 231
	# an option is set as in F2, and one comes back to it there
	keys :set follow<Enter>
	wait follow    no
	look follow 231 on 24 bold
	keys <Esc>
	wait saved in
	# Up and Down are the list's; what was typed before comes back by Ctrl-P
	keys :<Down><Down><Enter>
	wait Filter:
	keys <Esc>
	keys :<C-p>
	wait : set follow
	keys <C-p>
	wait : theme zebra
	keys <C-p>
	wait : export csv
	keys <Esc>
	# the mouse: a click carries out, the wheel scrolls, beside it closes
	keys :
	wait In this view
	click 10 20 5
	click 10 20 5
	click 10 20 5
	gone In this view
	keys compar
	wait : compar
	click 10 6
	look diff 16 on 231
	keys :
	wait In this view
	click 40 23
	gone In this view
	# an action that asks for something asks for it
	keys :filter<Enter>
	wait Filter:
	keys crc<Enter>
	wait only crc
	keys :quit<Enter>
	exit 0
	whole
	END
[ -s palette.csv ] || fail "the export"

# Forty columns by ten lines.
screen -s 40x10 "${run[@]}" <<-'END'
	wait send
	keys :
	wait In this view:
	wait more ─┘
	keys freeze
	expect 1-3
	┌─ Commands ───────────────────────────┐
	│ freeze  freeze the screen; … Space Z │
	│                                      │
	end
	keys <Enter>
	wait FROZEN
	keys Q
	exit 0
	whole
	END

# A prompt's line: edited as in readline, the past by Up and Down, the cursor by a click.
screen "${run[@]}" <<-'END'
	wait uart_write
	keys /first<Enter>
	wait no match for /first
	keys /second one<Enter>
	wait no match for /second one
	keys /<Up>
	wait / second one
	keys <Up>
	wait / first
	keys <Up>
	wait / first
	keys <Down><Down>
	gone / second
	keys third<Up><Down>
	wait / third
	keys <C-u>a bc def<C-w>
	wait / a bc
	keys <C-a>x<C-e>y
	wait / xa bc y
	keys <C-a><C-f><C-f><C-k>
	gone bc y
	wait / xa
	keys <C-u>send.*
	click 5 24
	keys 1
	wait / se1nd.*
	click 70 24
	keys 2
	wait / se1nd.*2
	click 1 24
	keys 3
	wait / 3se1nd.*2
	# a click elsewhere is not for the prompt
	click 70 9
	wait / 3se1nd.*2
	keys <C-c>
	gone se1nd
	keys q
	exit 0
	whole
	END

# Menus: more items than lines scroll; letters spell out an item, beginning or within.
screen -s 80x12 "${run[@]}" <<-'END'
	wait send
	keys s
	wait Sort by
	wait more ─┘
	keys per-call
	look per-call 231 on 24 bold
	wait ─ per-call ─
	keys <End>
	wait the end
	keys <Home>
	gone the end
	keys all
	keys <Enter>
	wait CALLS▼
	keys s
	wait Sort by
	click 10 5 5
	click 10 5 5
	click 10 5 5
	click 10 5 5
	click 10 5 5
	click 10 5 5
	click 10 5 5
	click 10 5 5
	click 10 5 5
	wait the end
	click 1 1
	gone Sort by
	keys q
	exit 0
	whole
	END
