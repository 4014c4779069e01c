#!/bin/bash
# The past: the time bar, steps, windows, intervals, peaks, and what is kept saved as a recording that replays.
. "$(dirname "$0")/views.sh"
need_past
recording=past.wsnrec
"$here/past.py" "$work/past.wsnrec" 30
"$here/past.py" "$work/boot.wsnrec" 30 boot=11 text

# All of the recording is there at once. A step back is a step of the player: all is as it was then.
past 80x24 <<'END'
wait 12:00:30  end of recording
expect 23
12:00:00 ▂▂▂▂▂▂▂██▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂ 12:00:30  end of recording
end
keys [
wait PAUSED
wait || paused 12:00:29
keys 2
wait SHARE%
keys 1
wait SELF▼
keys {
wait || paused 12:00:19
# as it was then
wait 1.88 s   1.90 s     95  20.0 ms
wait 683 ms   683 ms    190  3.59 ms
wait 24.4 ms  24.4 ms     50   488 us
keys {
wait || paused 12:00:09
keys {
wait || paused 12:00:01
wait 977 us
keys ]
wait || paused 12:00:02
keys }}
wait || paused 12:00:22
keys }
wait 12:00:30  end of recording
gone PAUSED
keys ]
wait 12:00:30  end of recording
# nothing plays at the end
keys <Space>
wait end of recording: [ steps back, @ goes to a time
gone FROZEN
keys [[
wait || paused 12:00:28
keys L
wait 12:00:30  end of recording
keys Q
exit 0
END

# A window: w begins it, steps move its end, w sets it, steps move all of it, w clears it. What is in it is what
# happened in it: crc16 was never called.
past 80x24 <<'END'
wait 12:00:30  end of recording
keys [[[[[
wait || paused 12:00:25
keys w
wait 12:00:24-12:00:25 1 s
wait w sets it
keys [[[[[
wait 12:00:19-12:00:25 6 s
wait WINDOW
wait 600 ms   600 ms     30  20.0 ms       5
wait 135 ms   135 ms     60  2.25 ms      10
gone crc16
keys w
wait w clear
keys ]]
wait 12:00:21-12:00:27 6 s
keys }
wait 12:00:24-12:00:30 6 s
keys {{{{
wait 12:00:00-12:00:06 6 s
# compared with another window, and live
keys b
wait Compare with
keys <Enter>
wait compared with window 12:00:00-12:00:06 (6 s)
keys }
wait 12:00:10-12:00:16 6 s
keys w
gone WINDOW
wait || paused 12:00:11
keys L
wait 12:00:30  end of recording
keys Q
END

# A mark: what came before it is the baseline, what comes after it is shown, on the recording's clock. A span has no effect
# on a window, and says how to come out of it.
past 80x24 <<'END'
wait 12:00:30  end of recording
keys b
wait now          the profile shown now
gone mark
keys <Enter>
wait compared with 12:00:30;
keys {
wait || paused 12:00:20
keys b
wait before/after  the time before this moment, against the time after
keys <Enter>
wait compared with before 12:00:20; figures are since then, i shows other times
keys L
wait AFTER   vs before 12:00:20
wait since 12:00:20
wait since the baseline
wait 255 ms        ~   255 ms    100  2.55 ms
gone crc16
keys 8
# crc16 was called in the first second alone: it is not gone
wait same                  - 0.12 %        ~        -        ~        ~ crc16
wait no relevant change, 3 the same
keys i
wait since the start, or the reset
gone AFTER
keys iii
wait since the baseline
wait AFTER
keys b<End><Enter>
wait baseline cleared
gone AFTER
keys 1[[w[[w
wait WINDOW
keys i
wait a window is shown: i has no effect; w clears the window
wait WINDOW
keys Q
END

# A pipe has no way back: its past is that of a live node.
mkfifo pipe
screen -s 80x24 bash -c "cat past.wsnrec >pipe & exec $WSNTOP -p pipe -e fw.elf --speed=max --theme=./test.ini" <<'END'
wait 12:00:30  end of recording
keys [
wait 12:00:30, 0:00 ago
keys [
wait PAST
wait 12:00:29, 0:01 ago
keys {
wait 12:00:19, 0:11 ago
wait 1.88 s   1.90 s     95  20.0 ms
keys ]
wait 12:00:20, 0:10 ago
keys L<Space>
wait FROZEN
wait frozen 12:00:30
keys i
wait frozen: i has no effect; Space continues
keys [
wait PAST
keys L
wait 12:00:30  end of recording
keys Q
END

# The mouse: a click goes to the moment, a right click sets the window's other end, the wheel steps.
past 80x24 <<'END'
wait 12:00:30  end of recording
click 19 23
wait || paused 12:00:08
click 19 23 4
wait || paused 12:00:07
click 19 23 5
wait || paused 12:00:08
click 36 23 3
wait 12:00:07-12:00:22 15 s
click 10 23
wait || paused 12:00:01
gone WINDOW
keys Q
END

# The last interval, and each function at its peak; other views show all since the start there.
past 80x24 <<'END'
wait 12:00:30  end of recording
keys i
wait last 1 s
wait INTERVAL
wait 100 ms   100 ms      5  20.0 ms       5
wait 30.0 ms  30.0 ms     10  3.00 ms      10
gone crc16
keys [[[[[
wait last 1 s
wait 25.0 ms  25.0 ms     10  2.50 ms      10
keys L
wait 100 ms   100 ms      5  20.0 ms       5
keys i
wait PEAKS
wait peak of each
wait 500 ms   500 ms     10  50.0 ms      10
wait 100 ms   100 ms      5  20.0 ms       5
wait 24.4 ms  24.4 ms     50   488 us      50
keys 2
wait SHARE%
gone PEAKS
keys 1i
wait 12:00:30  end of recording
gone PEAKS
keys Q
END

# What is kept, as a recording: the same bytes with the same times and the same clock.
past 80x24 <<'END'
wait 12:00:30  end of recording
keys W
wait Save 3.00 kB to: past-2026-01-02-1200.wsnrec
keys <Enter>
wait past-2026-01-02-1200.wsnrec: all 3.00 kB
keys W
wait exists
keys <Enter>
wait Replace past-2026-01-02-1200.wsnrec (3.51 kB)? yes, no, or another name:
keys <Esc>
gone Replace
keys Wpast.wsnrec<Enter>
wait not written: past.wsnrec is an input of this run
keys W<C-u><Enter>
wait no name was given
keys W<C-u>none/x<Enter>
wait none/x
keys Q
exit 0
END
cmp past.wsnrec past-2026-01-02-1200.wsnrec || fail "what was saved is not what was received"

# An export of a window says which; what is written at the end is all that was played.
past 80x24 -x json:live.json <<'END'
wait 12:00:30  end of recording
keys [[[[[w[[[[[
wait 12:00:19-12:00:25 6 s
keys x
wait Export
keys json<Enter>
wait Write to
keys <C-u>window.json<Enter>
wait window.json
keys L
wait end of recording
keys Q
exit 0
END
grep -q '"window":.*"window 12:00:19-12:00:25 (6 s)"' window.json || fail "the export does not say its window"
grep -q '"window"' live.json && fail "the export at the end is of a window"
grep -q '"calls":150' live.json || fail "the export at the end is not of all"

# The node restarted in second 11: its counts then are those since.
recording=boot.wsnrec past 120x40 <<'END'
wait 12:00:30
wait end of recording
expect 39
12:00:00 ▂▂▂▂▂▂▂▂▂▂▂▂██▂▂▂▂▂▂▂R▂▂▂▂▂▂▂▂▂▂██▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂ 12:00:30  end of recording  load 12 %, max 60 %
end
keys {{{
wait || paused 12:00:01
keys }
wait || paused 12:00:11  36 %
wait 101 ms of the 1.00 s
keys L
wait end of recording
keys 7
wait second 30
keys [[[[[
wait || paused 12:00:25
# the console has what was said by then
gone second 26
wait second 25
keys Q
END

# Other sizes; no bar where there is no room for it, or it is not wanted.
past 200x60 <<'END'
wait 12:00:30  end of recording
keys [[[[[w[[[[[
wait window 12:00:19-12:00:25 (6 s)
expect 59
12:00:00 ▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂█████▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▼▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂ 12:00:30  window 12:00:19-12:00:25 (6 s)  load 12 %, max 60 %
end
keys Q
END
past 40x14 <<'END'
wait end of recording
expect 13
▂▂▂██▂▂▂▂▂▂▂▂▂▂▂▂▂▂ end of recording
end
keys [[[[[w[[[[[
wait window of 6 s
keys t
gone window of
wait no time bar
keys t
wait window of 6 s
size 40x13
gone window of
keys Q
END
past "80x24 -e LC_ALL=C" <<'END'
wait 12:00:30  end of recording
keys [
wait || paused 12:00:29
ascii
keys Q
END
past "80x24 -e TERM=vt100" <<'END'
wait 12:00:30  end of recording
keys [[[[[w[[[[[
wait 12:00:19-12:00:25 6 s
colors -1
look 12:00:19 default bold
keys Q
END

# Nothing to go back to, nothing to save.
printf 'hello\n' >plain.txt
recording=plain.txt past 80x24 <<'END'
wait read to its end
keys ]
wait no moments yet
keys Q
END

# Live, moments come by and by; two nodes show the same time.
live 80x24 <<'END'
run echo accept >orders
wait connected 0:0
run cat first.txt >orders
wait uart_write
keys W
wait Save 
keys <Esc>
keys <Space>
wait FROZEN
run cat second.txt >orders
wait frozen
keys <Space>
wait 5.00 s
keys Q
END
