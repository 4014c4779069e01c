#!/bin/bash
# Help: first the view one came from, then the keys from the table of actions; at two sizes.
. "$(dirname "$0")/views.sh"

wsntop 80x24 <<'END'
wait 6 functions
keys ?
wait Every function, dearest first
expect 5-15
Every function, dearest first
 SELF is the time in a function itself, TOTAL with all that it called. The bar
 is its share of all self time. MIN and MAX are single calls; >= says the node
 could not count higher. A dash is not known: a dim function is only known as a
 caller. ISR: an interrupt's handler, whose time is in nobody else's.

Moving
 Up k                  one line up
 Down j                one line down
 PgUp Ctrl-B           one page up
 PgDn Ctrl-F           one page down
end
keys q5?
wait How long single calls take
keys <End>
wait source file and line
keys <Home>
wait How long
keys <PgDn>
gone How long
keys q
wait AVERAGE
keys Q
END

wsntop 40x10 <<'END'
wait 6 functions
keys 3h
wait The call tree
expect 4-9
 A line's time is the time of the calls
 on its own path. Where a function has
 several ways to it, its time is
 apportioned by what each caller's calls
 took: ~ marks that. A function that is
 among its own callers is marked and not
end
keys <Down><Down>
gone The call tree
keys Q
END
