#!/bin/bash
# The console at two sizes: time stamps, the end followed, scrolling, search, long lines, no packets.
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
keys <End>
wait following the end
keys Q
END

# More than fits: up stops following, the end follows again; hostile bytes are shown, not obeyed.
seq -f 'line %g' 100 >"$work/uart.txt"
printf 'red \033[31m and %s\n' "$(printf 'long %.0s' $(seq 60))" >>"$work/uart.txt"
echo 'END. of it' >>"$work/uart.txt"
wsntop 40x10 --format prof <<'END'
wait waiting for the first report
keys 7
wait END. of it
expect 5-7
    0.0 line 99
    0.0 line 100
    0.0 red \x1b[31m and long long long…
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
keys Q
END

# No packets at all: what to do.
wsntop 120x12 --format prof <<'END'
wait waiting for the first report
keys 7
wait no packets yet
expect 11
102 lines, following the end  no packets yet: does the firmware print reports? -f names the format
end
keys Q
END

# It stays where one reads while lines come, and while the picture is frozen.
live 80x12 <<'END'
run echo accept >orders
wait up 0:0
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
keys Q
END
