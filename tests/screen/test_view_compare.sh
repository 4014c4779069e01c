#!/bin/bash
# The compare view: baselines of every kind, what got worse first, what is within the noise dim; new
# and gone functions; a firmware that is exchanged; and the differences that other views draw.
. "$(dirname "$0")/views.sh"
command -v python3 >/dev/null || skip "python3 is not installed"
cd "$work" || exit 1

# A node's report of 20 s: main calls sample 10000 times, which takes so many ticks; sample calls
# adc_read; and what else is given.
changed() {	# SAMPLE'S TICKS, ROWS...
	printf 'PROF:demo:%d:20:655360:32768\n' $(($# + 1))
	printf '120:200:10000:%d:10:30\n220:300:10000:81920:5:12\n' "$1"
	shift
	[ $# = 0 ] || printf '%s\n' "$@"
	echo
}

# Then: there was send. Now: sample is more expensive by half, send is gone, and there is uart_write.
changed 163840 130:400:5000:100000:10:40 420:500:5000:40000:6:12 >then.txt
changed 245760 130:500:5000:40000:6:12 520:600:5000:20000:3:6 >now.txt
"$WSNTOP" -B -p then.txt -e fw.elf -x json:then.json >out || fail "no snapshot"
"$WSNTOP" -B -p then.txt -e fw.elf -r then.rec >out || fail "no recording"
touch -d '2026-01-01 12:00' then.rec
touch -d '2026-01-01 12:01' then.json

now() {	# COLSxROWS, what else wsntop is given; the script on standard input
	local size=$1
	shift
	# shellcheck disable=SC2086
	screen -s $size "$WSNTOP" -p now.txt -e fw.elf --theme=./test.ini "$@"
}

# Without a baseline it says how to come by one.
now 80x24 <<'END'
wait 5 functions
keys 8
wait no baseline set: press b or use --baseline
wait A baseline can be the time before this moment, what is shown, the state
wait before the firmware changed, a snapshot (x, json) or a recording (W).
keys <Enter><Up>sI<Esc>
wait no baseline set
keys Q
END
# A snapshot and a recording say the same; what they are is told by what is in them.
now 80x24 <<'END'
wait 5 functions
keys 8b
wait Compare with
wait now        the profile shown now
wait then.json  snapshot of 2026-01-01
wait then.rec   recording of 2026-01-01
wait a file...  a snapshot or a recording: type its path
keys <Down><Enter>
wait compared with then.json
wait vs then.json
expect 5-11
VERDICT▼          LOAD%    WAS   Δ LOAD PER CALL   Δ CALL   Δ RATE FUNCTION
worse load, call 25.0 % 12.5 % +12.5 pt   750 us    +50 %        ~ sample
new               3.1 %      -      new   122 us      new      new uart_write
gone                  -  9.2 %     gone        -     gone     gone send
better load       3.1 %  6.1 %  -3.1 pt   244 us        ~        ~ crc16
same             12.5 % 12.5 %        ~   250 us        ~        ~ adc_read
-                     -      -        -        -        -        - main
end
expect 21-23
────────────────────────────────────────────────────────────────────────────────
sample  load 25.0 %, was 12.5 %: +12.5 pt (noise 0.30 %)
load 43.6 %, was 40.3 %: +3.3 pt; 1 worse, 1 better, 1 new, 1 gone, 1 the same
end
look adc_read 100
look same 100
look crc16 plain
keys b<Down><Down><Enter>
wait vs then.rec
expect 6-10
worse load, call 25.0 % 12.5 % +12.5 pt   750 us    +50 %        ~ sample
new               3.1 %      -      new   122 us      new      new uart_write
gone                  -  9.2 %     gone        -     gone     gone send
better load       3.1 %  6.1 %  -3.1 pt   244 us        ~        ~ crc16
same             12.5 % 12.5 %        ~   250 us        ~        ~ adc_read
end
# against itself nothing is different; and with nothing there is nothing to see
keys b<Enter>
wait 4 the same
gone worse
keys b<End><Enter>
wait baseline cleared
wait no baseline set
keys Q
END

# From the start; every column there is room for, or few.
now 160x40 --baseline=then.json <<'END'
wait 5 functions
keys 8
wait VERDICT
expect 5-10
VERDICT▼                 LOAD%     WAS    Δ LOAD  PER CALL      WAS    Δ CALL  CALLS/S      WAS    Δ RATE      MAX      WAS     Δ MAX  FUNCTION
worse load, call        25.0 %  12.5 %  +12.5 pt    750 us   500 us     +50 %    500/s    500/s         ~   916 us   916 us         ~  sample
new                      3.1 %       -       new    122 us        -       new    250/s        -       new   183 us        -       new  uart_write
gone                         -   9.2 %      gone         -   610 us      gone        -    250/s      gone        -  1.22 ms      gone  send
better load              3.1 %   6.1 %   -3.1 pt    244 us   244 us         ~    250/s    250/s         ~   366 us   366 us         ~  crc16
same                    12.5 %  12.5 %         ~    250 us   250 us         ~    500/s    500/s         ~   366 us   366 us         ~  adc_read
end
expect 37-38
sample  load 25.0 %, was 12.5 %: +12.5 pt (noise 0.30 %)   per call 750 us, was 500 us: +50 % (noise 3.94 us)
  calls 500/s, was 500/s: within the noise (noise 7.1/s)   max 916 us, was 916 us: within the noise (noise 17.6 us)
end
keys Q
END
now 40x10 --baseline=then.json <<'END'
wait uart_write
keys 8
wait VERDICT
expect 3-9
VERDICT▼           Δ LOAD FUNCTION
worse load, call +12.5 pt sample
new                   new uart_write
gone                 gone send
better load       -3.1 pt crc16
same                    ~ adc_read
1 worse, 1 better, 1 new, 1 gone, 1 the…
end
keys Q
END
now "80x24 -e LC_ALL=C -e TERM=screen" --baseline=then.json <<'END'
wait 5 functions
keys 8
wait VERDICTv
expect 5-6
VERDICTv          LOAD%    WAS   d LOAD PER CALL   d CALL   d RATE FUNCTION
worse load, call 25.0 % 12.5 % +12.5 pt   750 us    +50 %        ~ sample
end
ascii
keys Q
END

# Order, search, filter, mouse; what is gone cannot be opened, what is there can.
now 80x24 --baseline=then.json <<'END'
wait 5 functions
keys 8
wait VERDICT▼
keys I
wait VERDICT▲
expect 6-8
-                     -      -        -        -        -        - main
same             12.5 % 12.5 %        ~   250 us        ~        ~ adc_read
better load       3.1 %  6.1 %  -3.1 pt   244 us        ~        ~ crc16
end
keys >
wait LOAD%▼
expect 6-7
worse load, call 25.0 % 12.5 % +12.5 pt   750 us    +50 %        ~ sample
same             12.5 % 12.5 %        ~   250 us        ~        ~ adc_read
end
keys <lt><lt>
wait FUNCTION▼
expect 6-7
same             12.5 % 12.5 %        ~   250 us        ~        ~ adc_read
better load       3.1 %  6.1 %  -3.1 pt   244 us        ~        ~ crc16
end
keys s
wait Sort by
keys load-c<Enter>
wait Δ LOAD▼
click 38 5
wait Δ LOAD▲
click 4 5
wait VERDICT▼
keys /send<Enter>
wait send  load 9.2 %: gone   per call 610 us: gone
keys <Enter>
wait this function is gone: nothing to open
click 70 9
wait crc16  load 3.1 %, was 6.1 %: -3.1 pt
keys f^s<Enter>
wait 4 hidden by the filter
expect 6-7
worse load, call 25.0 % 12.5 % +12.5 pt   750 us    +50 %        ~ sample
gone                  -  9.2 %     gone        -     gone     gone send
end
keys f<C-u><Enter>
gone hidden by
click 70 6 1
keys <Enter>
wait SHARE%
keys 1
wait SELF%
keys Q
END

# The other tables can be in the order of what got worse, too: from the menu, by a click on the title.
now 80x24 --baseline=then.json <<'END'
wait SELF▼
keys s<End>
wait change      largest regressions since the baseline first
keys <Enter>
wait Δ LOAD▼
expect 5-10
 SELF%                SELF  Δ LOAD▼    TOTAL  CALLS PER CALL   Δ CALL FUNCTION
  57.3 ██████████   5.00 s +12.5 pt   7.50 s 10,000   750 us    +50 % sample
   7.0 █▎           610 ms      new   610 ms  5,000   122 us      new uart_write
  28.7 █████        2.50 s        ~   2.50 s 10,000   250 us        ~ adc_read
   7.0 █▎           610 ms  -3.1 pt   1.22 s  5,000   244 us        ~ crc16
     -                   -        -        -      -        -        - main
end
click 30 5
wait Δ LOAD▲
expect 7-7
   7.0 █▎           610 ms  -3.1 pt   1.22 s  5,000   244 us        ~ crc16
end
keys 5
wait Δ▲
keys I
wait Δ▼
keys 1>
wait TOTAL▼
click 30 5
wait Δ LOAD▼
click 22 5
wait SELF▼
keys Q
END

# A file elsewhere, one that is neither, one that is not there.
mkdir -p sub && cp then.json sub/other
echo '{"wsntop":1,"functions":[' >sub/broken
now 80x24 <<'END'
wait 5 functions
keys ba<Enter>
wait Compare with:
keys sub/other<Enter>
wait compared with other; 8 shows the changes
wait vs other
keys ba<Enter>fw.s<Enter>
wait fw.s: neither a snapshot nor a recording
keys ba<Enter>nowhere<Enter>
wait nowhere: No such file or directory
keys ba<Enter>sub/broken<Enter>
wait sub/broken: not a wsntop snapshot
wait vs other
keys Q
END
"$WSNTOP" -p now.txt --baseline=fw.s >out 2>&1 && fail "any file is a baseline"
grep -qx "wsntop: fw.s: neither a snapshot nor a recording" out || fail "$(cat out)"
"$WSNTOP" -B -p now.txt --baseline=then.json >out 2>&1
[ $? = 2 ] || fail "batch compares, and nobody sees it"

# For scripts: the same as csv, from a snapshot or a recording.
for then in then.json then.rec; do
	"$WSNTOP" -B -p now.txt -e fw.elf --baseline=$then -x changes 2>/dev/null >out || fail "-x changes"
	cut -d, -f1,2,4,5,7 out | tr -d '\r' | sed 's/\(0\.[0-9]\{4\}\)[0-9]*/\1/g' >cut
	cmp cut - <<-'END' || fail "$(cat cut)"
		verdict,name,load_then,load_now,load_verdict
		worse,"sample",0.125,0.25,worse
		new,"uart_write",,0.0305,new
		same,"adc_read",0.125,0.125,same
		better,"crc16",0.0610,0.0305,better
		gone,"send",0.0915,,gone
		,"main",,,
	END
done

"$WSNTOP" -B -p now.txt -e fw.elf --baseline=then.json -x json:both.json 2>/dev/null || fail "-x json"
python3 - <<'END' || fail "json"
import json
p = json.load(open('both.json'))
rows = {r['name']: r for r in p['changes']}
assert p['relevance'] == {'load': 0.01, 'per_call': 0.05} and p['changes_time'] == 'profiled'
assert [rows[n]['verdict'] for n in ('sample', 'uart_write', 'adc_read', 'crc16', 'send', 'main')] == \
	['worse', 'new', 'same', 'better', 'gone', None]
assert rows['sample']['relevant'] == ['load', 'per_call_s'] and rows['crc16']['relevant'] == ['load']
load = rows['sample']['load']
assert load['then'] == 0.125 and load['now'] == 0.25 and load['verdict'] == 'worse' and load['noise'] > 0
assert rows['send']['per_call_s']['now'] is None and rows['sample']['calls_per_s']['verdict'] == 'same'
END
"$WSNTOP" -B -p now.txt -e fw.elf --baseline=both.json -x changes 2>/dev/null | grep -q '^same,"sample"' ||
	fail "a snapshot with changes is no baseline"
"$WSNTOP" -B -p now.txt -e fw.elf -x json 2>/dev/null | grep -q '"changes"' && fail "changes since nothing"

# What is relevant can be given; on the screen, too, before the settings.
relevance() {	# OPTION..., and the verdicts of sample and crc16
	local want=${*: -1}
	"$WSNTOP" -B -p now.txt -e fw.elf --baseline=then.json -x changes "${@:1:$# - 1}" 2>/dev/null |
		awk -F, -v want="$want" '{ verdict[$2] = $1 }
			END { exit verdict["\"sample\""] " " verdict["\"crc16\""] != want }' || fail "$*: not $want"
}
relevance "worse better"
relevance --compare-load=5 "worse same"
relevance --compare-load=5 --compare-call=2 "worse same"
relevance --compare-load=12 --compare-call=1000 "worse same"
relevance --compare-load=20 --compare-call=1000 "same same"
relevance --compare-load=0 --compare-call=0 "worse better"
"$WSNTOP" -B -p now.txt -e fw.elf --baseline=then.json -x json --compare-load=20 2>/dev/null |
	grep -q '"relevance":{"load":0.2,"per_call":0.05}' || fail "relevance in json"
for wrong in compare-load=-1 compare-load=101 compare-load=much compare-call=1001; do
	"$WSNTOP" -B -p now.txt --$wrong >out 2>&1
	[ $? = 2 ] && grep -q "wsntop: --$wrong: expected 0 to 10*00* percent" out || fail "$wrong: $(cat out)"
done
screen -s 80x24 "$WSNTOP" -p now.txt -e fw.elf --baseline=then.json --compare-load=20 --compare-call=1000 <<-'END'
	keys 8
	wait 4 the same
	gone worse
	keys Q
END

# Seconds of gprof are those of its samples; arcs alone have none.
for samples in "" 50000210500004105000041050000410; do
	make_arcs
	printf %s "$samples" >>arcs.hex
	"$WSNTOP" -B -p arcs.hex -f gprof-hex -e fw.elf -x json:arcs.json 2>/dev/null || fail "arcs"
	"$WSNTOP" -B -p arcs.hex -f gprof-hex -e fw.elf --baseline=arcs.json -x json 2>/dev/null |
		grep -o '"changes_time":"[a-z]*"'
done >times
[ "$(tr -d '\n' <times)" = '"changes_time":"counted""changes_time":"profiled"' ] || fail "gprof: $(cat times)"

# Now, while it lives: nothing differs until something does.
live 80x24 <<'END'
run echo accept >orders
wait connected 0:0
run cat then.txt >orders
wait 5 functions
keys b<Down><Enter>8
wait 4 the same
gone worse
wait load 40.3 %, was 40.3 %: within noise
run cat now.txt >orders
wait 1 worse, 1 better, 1 new, 1 gone, 1 the same
expect 6-7
worse load, call 25.0 % 12.5 % +12.5 pt   750 us    +50 %        ~ sample
new               3.1 %      -      new   122 us      new      new uart_write
end
keys y
wait copied: sample: worse load, call; load 25.0 %, was 12.5 %: +12.5 pt
# held, and again live
keys <Space>b<Enter>
wait vs frozen
wait 4 the same
keys Q
END

# A node whose firmware is rebuilt and flashed: what ran before is kept, and offered; a baseline that
# was set by hand stays.
sed 's/function uart_write, 0x600/function uart_write, 0x600\n.byte 0x91/' fw.s >new.s
as -o new.o new.s && ld -Ttext=0 -e main -o new.elf new.o
cp fw.elf old.elf
python3 "$here/wsn.py" stream old.elf >old.wsn
python3 "$here/wsn.py" stream new.elf epoch=2 >new.wsn
reflash() {	# COLSxROWS; the script on standard input: `run touch flash` exchanges the firmware
	local status
	cp old.elf fw.elf
	rm -f sock flash
	python3 - <<-'END' &
	import os, socket, time
	server = socket.socket(socket.AF_UNIX)
	server.bind('sock')
	server.listen(1)
	peer = server.accept()[0]
	peer.sendall(open('old.wsn', 'rb').read())
	while not os.path.exists('flash'):
	    time.sleep(0.05)
	peer.sendall(open('new.wsn', 'rb').read())
	time.sleep(60)
	END
	peer=$!
	until [ -S sock ]; do sleep 0.05; done
	("$screen" -s "$1" "$WSNTOP" -f wsn -p unix:sock -e fw.elf --theme=./test.ini)
	status=$?
	kill $peer 2>/dev/null
	wait $peer 2>/dev/null
	[ $status = 0 ] || fail "reflash ${BASH_LINENO[0]}"
}
reflash 100x24 <<'END'
wait image fw.elf matches
wait 6 functions
run cp new.elf fw.tmp && mv fw.tmp fw.elf
wait fw.elf was rebuilt; the node still runs the old one
run touch flash
wait the node runs the rebuilt firmware now; b compares with the previous firmware
keys b
wait before the change
keys be<Enter>
wait vs before the change
keys 8
wait VERDICT
wait 5 the same
keys Q
END
reflash 100x24 <<'END'
wait image fw.elf matches
wait 6 functions
keys b<Down><Enter>
wait compared with
run cp new.elf fw.tmp && mv fw.tmp fw.elf
wait fw.elf was rebuilt; the node still runs the old one
run touch flash
wait the node runs the rebuilt firmware now; b compares with the previous firmware
wait vs
gone vs before the change
keys Q
END

# An image that changes under a node that does not say what it runs.
cp old.elf fw.elf
now 100x24 <<'END'
wait 5 functions
run cp new.elf fw.tmp && mv fw.tmp fw.elf
wait fw.elf changed: its counts are kept; b compares with the previous firmware
keys R
wait counters reset
keys b
wait before the reset
keys Q
END
