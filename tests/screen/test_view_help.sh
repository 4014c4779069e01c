#!/bin/bash
# Help: first the view one came from and its keys, then all keys from the table of actions, as the user
# has bound them, and where that is kept; searchable; at two sizes.
. "$(dirname "$0")/views.sh"

wsntop 80x24 <<'END'
wait 6 functions
keys ?
wait All functions, most expensive first
wait Keys in this view
wait s F6                  choose the column to sort by
keys q5?
wait How long single calls take
keys <End>
expect 22-23
 F2 o                  options: show and change settings
 :                     all commands, by name
end
keys <Home>
wait How long
keys <PgDn>
gone How long
keys <Home>
wait How long
keys <C-d>
gone How long
keys <C-u>
wait How long
# a search goes to the line, and on to the next, round the end
keys /OSC 52<Enter>
wait copy the row to the clipboard (OSC 52)
keys <C-u><C-u><C-u><C-u><C-u><C-u>
wait How long
keys n
wait copy the row to the clipboard (OSC 52)
keys /no such thing<Enter>
wait no match for /no such thing
keys <Esc>
gone no match
keys q
wait with durations
# Esc leaves it, too, once the search is cleared
keys ?
wait half a page up
keys <Esc>
gone /no such
keys <Esc>
gone half a page up
wait with durations
keys Q
END

# The user's own keys stand there; what no key asks for says so.
mkdir -p "$XDG_CONFIG_HOME/wsntop"
printf '%s\n' '[keys]' 'freeze = F9' 'hottest = none' >"$XDG_CONFIG_HOME/wsntop/config.ini"
wsntop 80x24 <<'END'
wait F9 freeze
keys ?
wait Keys in this view
keys <PgDn>
wait F9                    freeze
keys /to the most expensive<Enter>
wait no key                to the most expensive
keys <End>
wait config/wsntop/config.ini
keys <F9>
wait FROZEN
keys Q
END

wsntop 40x10 <<'END'
wait 6 functions
keys 3h
wait The call tree
keys <Down><Down>
gone The call tree
keys <Up><Up>
wait The call tree
click 5 5 5
gone The call tree
keys Q
END
