#!/bin/bash
# The player: a recording is paused, played at other speeds and sought, also where nothing was read yet; what has no
# times says so. No step waits for the clock: at 1/8 nothing of what is waited for comes by itself.
# Sanitized: long: recordings have a fuzzer and sanitized unit tests; monkey, sanitized, plays one, too.
. "$(dirname "$0")/views.sh"
need_past
"$here/past.py" "$work/past.wsnrec" 30
"$here/past.py" "$work/text.wsnrec" 30 boot=11 text
python3 "$here/wsn.py" record "$work/wsn.wsnrec" "$work/fw.elf" refreshes=20 text="tick"

played() {	# RECORDING SPEED [COLSxROWS]
	screen -s "${3:-80x24}" "$WSNTOP" -p "$1" --speed="$2" -e fw.elf --theme=./test.ini
}

# Slow: the whole is known at once all the same, and can be gone to.
played past.wsnrec 0.125 <<'END'
wait > 1/8x
wait 12:00:30
keys <Space>
wait || paused
wait PAUSED
keys @12:00:25<Enter>
wait || paused 12:00:25
wait 818 ms   818 ms    250
keys @-5s<Enter>
wait || paused 12:00:20
wait 2.00 s
keys @+1<Enter>
wait || paused 12:00:21
keys @0:07<Enter>
wait || paused 12:00:07
keys @50 %<Enter>
wait || paused 12:00:15
keys ]
wait || paused 12:00:16
keys {
wait || paused 12:00:06
keys @end<Enter>
wait 12:00:30  end of recording
gone PAUSED
keys @start<Enter>
wait || paused
wait 0 % read
keys @yesterday
wait not a time
keys <Esc>
gone not a time
# an export beyond the end, and before the start
keys @+1h<Enter>
wait end of recording
keys @-1d<Enter>
wait start of recording
keys Q
exit 0
END

# Speed: doubled and halved, from 1/8 to 64 and maximum.
played past.wsnrec 0.125 <<'END'
wait > 1/8x
keys ,
wait speed 1/8x
keys .
wait speed 1/4x
keys ..
wait speed 1x
keys ,,
wait speed 1/4x
keys <Space>
wait || paused
keys ........
wait speed 64x
wait || paused
keys .
wait speed max
keys ,
wait speed 64x
keys .<Space>
wait end of recording
keys Q
exit 0
END

# Whatever the way to a time, all is as it was then, in each view: read until then; from the end; step by step.
views_same() {	# RECORDING
	for view in 1 2 3 4 5 7 9; do
		printf 'keys %s\nidle\nsame at-%s-%s\n' $view "$1" $view
	done
}

for recording in past.wsnrec text.wsnrec wsn.wsnrec; do
	{ printf '%s\n' "wait > 1/8x" "keys <Space>" "wait || paused" "keys @0:12<Enter>" "idle"; views_same $recording; } >script
	RENEW=1 played $recording 0.125 120x40 <script
	{
		printf '%s\n' "wait end of recording" "keys @0:12<Enter>" "idle"
		views_same $recording
		printf '%s\n' "keys @0:03<Enter>" "idle" "keys @0:12<Enter>" "idle"
		views_same $recording
		printf '%s\n' "keys ]]]" "idle" "keys [[[[[[" "idle" "keys @0:12<Enter>" "idle"
		views_same $recording
	} >script
	played $recording max 120x40 <script
done

# What plays when it is sent to a time plays on from there; the start has a time before anything is shown of it.
played past.wsnrec 0.125 <<'END'
wait > 1/8x
wait 12:00:30
keys @12:00:25<Enter>
wait > 1/8x 12:00:25
wait 818 ms   818 ms    250
gone PAUSED
keys @start<Enter>
wait > 1/8x 12:00:0
keys <Space>@start<Enter>
wait || paused 12:00:00
keys <Space>
wait > 1/8x 12:00:0
keys @end<Enter>
wait 12:00:30  end of recording
gone PAUSED
# it had ended: at an earlier time it is paused
keys @start<Enter>
wait || paused 12:00:00
keys Q
exit 0
END

# A seek that takes longer than a key may wait is stopped by Esc; then it is paused where it has come to.
"$here/past.py" "$work/long.wsnrec" 40000
played long.wsnrec 0.125 <<'END'
wait > 1/8x
keys @end<Enter><Esc>
wait seek stopped at
wait PAUSED
wait || paused
keys Q
exit 0
END

# Two recordings move together, and play on together.
"$here/past.py" "$work/other.wsnrec" 20 boot=5 text
screen -s 80x24 "$WSNTOP" -p past.wsnrec -p other.wsnrec --speed=0.125 -e fw.elf --theme=./test.ini <<'END'
wait > 1/8x
keys <Space>@0:15<Enter>
wait || paused 12:00:15
keys )
wait other.wsnrec
wait || paused 12:00:15
keys 3{
wait || paused 12:00:05
keys )
wait past.wsnrec
wait || paused 12:00:05
keys @end<Enter>
wait 12:00:30  end of recording
keys )@0:03<Enter>
wait || paused 12:00:03
keys <Space>
wait > 1/8x
keys )
wait > 1/8x
keys Q
exit 0
END

# Space plays on from what is shown.
played past.wsnrec max <<'END'
wait end of recording
keys @0:20<Enter>
wait || paused
keys [
keys <Space>
wait end of recording
wait 12:00:30
keys Q
exit 0
END

# A pipe: it is paused, and there is no way back; a file of plain bytes has no times.
mkfifo pipe
screen bash -c "cat past.wsnrec >pipe & exec $WSNTOP -p pipe --speed=max -e fw.elf" <<'END'
wait end of recording
keys @
wait cannot seek: the recording is read from a pipe
keys [
wait PAST
keys L
wait end of recording
keys Q
exit 0
END
printf 'PROF:demo:1:20:32768:32768\n120:200:10:320:32:32\n\n' >plain.txt
played plain.txt 1 <<'END'
wait read to its end
keys @
wait cannot seek: not a recording
keys .
wait only a recording has a speed
keys Q
exit 0
END

# Damaged and cut: the rest is played, and sought.
python3 - <<'PY'
data = bytearray(open('past.wsnrec', 'rb').read())
data[900] ^= 1
open('damaged.wsnrec', 'wb').write(data[:-30])
PY
played damaged.wsnrec max <<'END'
wait end of recording
keys @0:20<Enter>
wait || paused 12:00:20
wait 2.00 s
keys @0:04<Enter>
wait || paused 12:00:04
keys L
wait end of recording
keys Q
exit 0
END
