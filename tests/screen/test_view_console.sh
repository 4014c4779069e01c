#!/bin/bash
# The console at several sizes: time stamps, the end followed, scrolling, search, filter, long lines; and the
# serial terminal that it is where no packets come.
. "$(dirname "$0")/views.sh"

wsntop 80x24 <<'END'
wait 6 functions
keys 7
wait following the end
expect 5-8
     0.000  hello from the node
     0.000  tick 1
     0.000  tick 2

end
keys /tick<Enter>
wait not following
keys n
wait not following
keys y
wait copied: tick
keys <Esc><End>
wait following the end
# only lines that match; the cursor stays where it was
keys ftick<Enter>
wait 2 lines match, following
expect 5-6
     0.000  tick 1
     0.000  tick 2
end
keys f<C-u>nothing<Enter>
wait no line matches the filter
keys <Esc><Esc>
wait 3 lines, following
# time stamps: since the first line, of day, since the line above, none
keys mm
wait since the line above
expect 5
    +0.000  hello from the node
end
keys m
wait no time stamps
expect 5
hello from the node
end
keys m
expect 5
     0.000  hello from the node
end
# a file takes nothing: Enter goes to the line's moment
keys <Enter>
wait PAST
wait the moment of this line
keys <Enter>
gone PAST
keys Q
END

# Time of day.
wsntop 80x24 -e TZ=UTC <<'END'
wait 7console
keys 7m
wait time of day
wait   hello from the node
gone      0.000
keys Q
END

# More than fits: up stops following, the end follows again. Colours are left out, all else that could move
# the cursor is shown, not obeyed.
seq -f 'line %g' 100 >"$work/uart.txt"
printf '\033[1;31mred\033[0m and \033[2J%s\n' "$(printf 'long %.0s' $(seq 60))" >>"$work/uart.txt"
echo 'END. of it' >>"$work/uart.txt"
wsntop 40x10 --format prof <<'END'
wait waiting for the first report
keys 7
wait END. of it
expect 5-7
    0.0 line 99
    0.0 line 100
    0.0 red and \x1b[2Jlong long long l…
end
keys <Right><Right><Right>
wait ng long
keys <Left><Left><Left>
keys <PgUp><PgUp>
wait not following
gone END. of it
keys <Home>
wait line 1
keys G
wait END. of it
click 5 5 4
wait not following
keys m
wait time of day
keys Q
END

# No packets at all: what to do, as many words as there is room for.
wsntop 120x16 --format prof <<'END'
wait waiting for the first report
keys 7
wait no packets in 1
expect 5
To profile: put the runtime into the firmware (docs/PORTING.md); wsntop doctor -e APP.ELF checks it; -f: its format
end
expect 15
102 lines, following the end
end
size 60x20
wait To profile: docs/PORTING.md; wsntop doctor -e APP.ELF
size 40x18
wait To profile: docs/PORTING.md
keys Q
END

# It stays where one reads while lines come, and while the picture is frozen.
live 80x14 <<'END'
run echo accept >orders
wait connected 0:0
keys 7
run seq -f 'first %g' 50 >orders
wait first 50
keys <Home>
wait first 1
run seq -f 'second %g' 50 >orders
pause 300
wait first 1
keys <End>
wait second 50
keys <Space>
run seq -f 'third %g' 50 >orders
pause 300
wait second 50
gone third
keys <Space>
wait third 50
# a filter while lines come
keys fthird 1<Enter>
wait third 19
gone second
run echo 'third 111' >orders
wait third 111
run echo 'fourth' >orders
pause 200
gone fourth
keys Q
END

# A terminal: what is typed goes out with its end of line; Up brings it back; a line is shown before it ends.
export WSNTOP_PORTS=
python3 "$here/ptys.py" "$work" shell=echo &
nodes=$!
trap 'kill $nodes 2>/dev/null; rm -rf "$work"' EXIT
until [ -e "$work/ready" ]; do sleep 0.05; done
screen -s 80x20 "$WSNTOP" -p "$work/shell" <<END
wait 7console
keys 7
wait node>
keys <Enter>
wait Send (CR LF at the end, Tab changes):
keys help<Enter>
wait you said help\x0d
wait Send (CR LF
keys <Tab>
wait Send (LF at the end
keys <Up>
wait Tab changes): help
keys  me<Enter>
wait you said help me
keys <Tab><Tab>
wait Send (nothing at the end
keys x<Enter><Esc>
wait following the end
keys Q
exit 0
whole
END
kill $nodes
wait $nodes 2>/dev/null
trap 'rm -rf "$work"' EXIT
[ "$(cat "$work/shell.sent")" = "$(printf 'help\r\nhelp me\nx')" ] || fail "sent: $(od -c "$work/shell.sent")"
