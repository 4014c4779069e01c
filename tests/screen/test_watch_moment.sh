#!/bin/bash
# The moment of a watch is the data's: where in a recording the bound was first passed, however fast it is read and
# whenever the bound was set.
. "$(dirname "$0")/views.sh"
command -v python3 >/dev/null || skip "python3 is not installed"
cd "$work" || exit 1
export TZ=UTC
# 12:00:00 to 12:00:59; at 12:00:31 send's longest call grows from 21.4 ms to 24.4 ms.
python3 "$here/wsn.py" record late.rec fw.elf refreshes=60 late=31
run=("$WSNTOP" -p late.rec -e fw.elf --speed=max --theme=default)

# It is read before the first look; Enter goes to the moment in which the call came, not one before.
screen -s 100x24 "${run[@]}" -w 'send: max > 22 ms' <<-'END'
	wait end of recording
	wait 1 watch passed
	keys !
	wait passed at 12:00:31, now 24.41 ms
	keys <Down><Enter>
	wait to the moment in which it was passed
	keys <Enter>
	gone Watches
	wait paused 12:00:31
	wait 24.4 ms
	keys [
	wait paused 12:00:30
	wait 21.4 ms
	keys Q
	exit 0
END

# Set when it was passed long ago. A rate is held from now on: of its past nothing is known but sums.
screen -s 100x24 "${run[@]}" <<-'END'
	wait end of recording
	keys g!
	wait Watch send
	keys <C-u>max > 22 ms<Enter>
	wait 1 watch passed
	keys !
	wait passed at 12:00:31, now 24.41 ms
	keys <Enter>
	wait Watch send
	keys <C-u>calls > 499<Enter>
	wait 2 watches passed
	keys !
	wait calls > 499
	wait passed at 12:00:09, now 3000
	keys <Enter>
	wait Watch send
	keys <C-u>calls/s > 30<Enter>
	wait 3 watches passed
	keys !
	wait calls/s > 30
	wait passed at 12:00:59, now 50
	keys <Esc>Q
	exit 0
END

# In JSON: the value at the end, and when the bound was first passed (Unix time). Speed changes neither.
for speed in max 600; do
	"$WSNTOP" -B -p late.rec -e fw.elf --speed=$speed -w 'send: max > 22 ms' -w 'send: max > 1 s' \
		-w 'nobody: max > 1 s' -w 'send: calls < 100' -x json:watch.json 2>err
	[ $? = 3 ] || fail "batch at $speed: status is not 3: $(cat err)"
	python3 - <<-'END' || fail "json at $speed: $(tr -d '\n' <watch.json | grep -o '"watches.*')"
		import json
		w = json.load(open('watch.json'))['watches']
		assert [x['expression'] for x in w] == ['send: max > 22 ms', 'send: max > 1 s', 'nobody: max > 1 s',
							'send: calls < 100']
		assert [x['function'] for x in w] == ['send', 'send', 'nobody', 'send']
		assert [x['passed'] for x in w] == [True, False, False, False]
		assert [x['value'] for x in w] == [800 / 32768, 800 / 32768, None, 3000]
		noon = 1767268800
		assert [x['moment'] for x in w] == [noon + 31, None, None, noon], w
	END
done
"$WSNTOP" -B -p late.rec -e fw.elf --speed=max -x json:none.json 2>err
! grep -q '"watches"' none.json || fail "watches without a bound"

# The deepest stack is a figure of the call graph: the header counts its bound as the row does.
sed -e '/^function /a .cfi_startproc\nnop\n.cfi_def_cfa_offset 48' \
	-e '/^\.size/i .cfi_endproc' fw.s >deep.s
as -g -o deep.o deep.s && ld -Ttext=0 -e main -o deep.elf deep.o || fail "deep.elf"
python3 "$here/wsn.py" record deep.rec deep.elf refreshes=20
screen -s 120x24 "$WSNTOP" -p deep.rec -e deep.elf --speed=max --theme=default -w 'send: stack > 95' \
	-w 'send: stack > 96' <<-'END'
	wait end of recording
	wait 1 of 2 watches passed
	keys !
	wait send: stack > 95
	wait passed at 12:00:01, now 96
	wait not passed, now 96
	keys <Esc>Q
	exit 0
END

# The column that sorts is proposed, with a bound that was not passed; a sum that only grows is not.
for sort in calls/s:crc16:calls/s p90:send:p90 calls:crc16:max; do
	rm -rf config/wsntop
	IFS=: read -r column function proposed <<<"$sort"
	screen -s 100x24 "${run[@]}" --sort="$column" <<-END
		wait end of recording
		keys g!
		wait Watch $function: $proposed > 
		keys <Enter>
		wait watching $function: $proposed > 
		gone passed
		keys Q
		exit 0
	END
done
