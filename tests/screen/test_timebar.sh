#!/bin/bash
# The time bar: two scales, zoom, a window by dragging, marks.
. "$(dirname "$0")/views.sh"
need_past
recording=long.wsnrec
"$here/past.py" "$work/long.wsnrec" 600 boot=200 junk=560
"$here/past.py" "$work/short.wsnrec" 30

# All time above, its last minute below; both grow by the load's share of the most. Colours are of the load itself.
past 80x24 <<'END'
wait 12:10:01  end of recording
expect 22-23
12:00:00 █▂▂▃▃▃▃▄▄▄▄▄R▂▂▃▃▃▃▄▄▄▄▄▅▅▅▅▅▆▆▆[▇!▇▇]12:10:01  load 50 %, max 60 %
12:09:01 ▆▆▆▆▇▇▇▇▇▇▇!▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇ 12:10:01  end of recording
end
look ▄▄▄▄R 73
look ▂▂▃▃ 67
look █▂▂▃ 143
look ▆▆▆▆▇▇▇▇▇▇▇! 143
# a step leaves the neighbourhood where it is
keys [[[[[[[[
wait || paused 12:09:52
expect 22-23
12:00:00 █▂▂▃▃▃▃▄▄▄▄▄R▂▂▃▃▃▃▄▄▄▄▄▅▅▅▅▅▆▆▆[▇!▇▼]12:10:01  load 49 %, max 60 %
12:09:01 ▆▆▆▆▇▇▇▇▇▇▇!▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▼▇▇▇▇▇ 12:10:01  || paused 12:09:52
end
look ▆▆▆▆▇▇▇▇▇▇▇! 143
# until it is outside of it: one step after the other, as what is drawn between moves it
keys {
idle
keys {
idle
keys {
idle
keys {
idle
keys {
idle
keys {
idle
keys {
idle
wait || paused 12:08:41
wait 12:08:30
keys L
wait 12:10:01  end of recording
# zoom: in, and around the moment that is shown
keys [[[[[[[[+
wait time bar: 30 s around the moment shown
wait 12:09:31
keys +++
wait time bar: 2 s around
keys +
wait time bar: shortest zoom
keys -----
wait time bar: 2:00 around the moment shown
keys ---
wait time bar: all time
expect 23
12:00:00 █▂▂▃▃▃▃▄▄▄▄▄R▂▂▃▃▃▃▄▄▄▄▄▅▅▅▅▅▆▆▆▆▇!▇▼ 12:10:01  || paused 12:09:52
end
keys -
wait time bar: all time is shown
keys +
wait time bar: 5:00 around
# views whose branches + opens keep it; the action is there by its name
keys 3
wait top-down
keys +
gone time bar
keys :zoom-in<Enter>
wait time bar: 2:00 around
keys Q
END

# A click goes to the moment, in the line where it is; a drag sets a window; on a mark it goes to it.
past 80x24 <<'END'
wait 12:10:01  end of recording
click 40 23
wait || paused 12:09:52
click 10 22
wait || paused 12:00:09
# what is not played yet is dim
look ▄▄▄▄R 100
wait 12:01:00
keys L
wait 12:10:01  end of recording
drag 20 23 30 23
wait 12:09:18-12:09:35 17 s
wait window set: [ ] { } move
wait WINDOW
# backwards, and beyond the columns
drag 30 23 2 23
wait 12:09:02-12:09:35 33 s
# in the line of all time
drag 20 22 30 22
wait 12:02:50-12:05:33 2:43
# a drag that began elsewhere is none
drag 20 10 30 23
gone window set
wait 12:02:50-12:05:33 2:43
click 30 23
wait || paused 12:05:35
gone WINDOW
# a click on a sign
click 22 22
wait || paused 12:03:20
click 40 22 3
wait WINDOW
wait 12:03:19-12:08:16 4:57
# the terminal was given back, and is asked again
signal TSTP
keys L
wait 12:10:01  end of recording
drag 20 23 30 23
wait window set
keys Q
exit 0
whole
END

# Marks one after the other; from live back to the last one.
past 120x40 <<'END'
wait load 50 %, max 60 %
keys :mark-prev<Enter>
wait 12:09:21 1 lost
wait || paused 12:09:21
keys :mark-prev<Enter>
wait 12:03:20 node restarted
keys :mark-prev<Enter>
wait no mark before this moment
keys :mark-next<Enter>
wait 12:09:21 1 lost
keys :mark-next<Enter>
wait no mark after this moment
keys Q
END
recording=short.wsnrec past 80x24 <<'END'
wait 12:00:30  end of recording
keys :mark-next<Enter>
wait no marks: no bookmark, reset or loss
# little time has no neighbourhood but one that is asked for
keys +
wait time bar: the last 10 s
wait 12:00:20
keys Q
END

# Small screens have one line, or none; the mouse may be the terminal's.
past 80x23 <<'END'
wait 12:10:01  end of recording
keys +
wait zooming the time bar needs 24 lines or more
keys t
wait no time bar
keys +
wait no time bar to zoom: t shows it
# what is switched off is saved by who leaves in time: the next one has it again
keys t
wait 12:10:01  end of recording
keys Q
exit 0
END
past "80x24 -e LC_ALL=C" <<'END'
wait 12:10:01  end of recording
keys [
wait || paused 12:09:59
expect 22-23
12:00:00 #..----=====R..----=====+++++***[%!%v]12:10:01  load 50 %, max 60 %
12:09:01 ****%%%%%%%!%%%%%%%%%%%%%%%%%%%%%%%v% 12:10:01  || paused 12:09:59
end
ascii
keys Q
END

# Bookmarks: set with a note, kept beside the recording, listed with what happened, edited, deleted.
past 80x24 <<'END'
wait 12:10:01  end of recording
keys @12:08:21<Enter>M
wait Note for 12:08:21:
keys motor starts<Enter>
wait bookmark at 12:08:21, in long.wsnrec.marks
keys M
wait motor starts
keys <Esc>
keys LM<Enter>
wait bookmark at 12:10:01, in
keys '
wait Go to (Del deletes a bookmark)
wait 12:03:20  R  node restarted
wait 12:08:21  *  motor starts
wait 12:09:21  !  1 lost
wait 12:10:01  *  bookmark
keys <Up><Up><Enter>
wait || paused 12:08:21
keys Q
END
cat >want <<'END'
# wsntop bookmarks: a time (UTC) and a note each
2026-01-02T12:08:21.000Z motor starts
2026-01-02T12:10:01.000Z
END
cmp want long.wsnrec.marks || fail "the file of bookmarks: $(cat long.wsnrec.marks)"

# The file is edited by hand, also while wsntop runs; a bookmark of another time is none of this recording.
cat >>long.wsnrec.marks <<'END'
# from here by hand
2026-01-02T12:01:40.500Z by hand
2020-01-02T12:01:40.500Z years ago
END
past 80x24 <<'END'
wait 12:10:01  end of recording
keys '
wait 12:01:40  *  by hand
gone years ago
keys <Home><Enter>
wait || paused 12:01:40
run echo 2026-01-02T12:02:00.000Z meanwhile >>long.wsnrec.marks
keys ]M
wait Note for
keys two<Enter>
wait bookmark at 12:01:41, in
keys '
wait 12:02:00  *  meanwhile
keys <Home><Down>
wait two
keys <Del>
gone two
wait 12:01:40  *  by hand
# what happened is no bookmark
keys <End><Up><Up>
wait 12:08:21
keys <Up><Del>
wait only bookmarks can be deleted
wait 12:03:20  R
keys <Esc>
keys Q
END
cat >want <<'END'
# wsntop bookmarks: a time (UTC) and a note each
# from here by hand
2020-01-02T12:01:40.500Z years ago
2026-01-02T12:01:40.500Z by hand
2026-01-02T12:02:00.000Z meanwhile
2026-01-02T12:08:21.000Z motor starts
2026-01-02T12:10:01.000Z
END
cmp want long.wsnrec.marks || fail "the file of bookmarks: $(cat long.wsnrec.marks)"

# Never over another file; the bookmark is there for the session, and W writes it beside what it saves.
echo mine >short.wsnrec.marks
recording=short.wsnrec past 80x24 <<'END'
wait 12:00:30  end of recording
keys [M
wait Note for 12:00:29:
keys here<Enter>
wait short.wsnrec.marks: not a file of bookmarks; it is left as it is
keys '
wait 12:00:29  *  here
keys <Esc>L
wait end of recording
keys W<C-u>
keys saved.wsnrec<Enter>
wait saved.wsnrec: all
keys Q
END
[ "$(cat short.wsnrec.marks)" = mine ] || fail "another file was replaced"
grep -q '^2026-01-02T12:00:29.000Z here$' saved.wsnrec.marks || fail "the bookmark is not beside what was saved"
recording=saved.wsnrec past 80x24 <<'END'
wait 12:00:30  end of recording
keys :mark-prev<Enter>
wait 12:00:29 here
wait || paused 12:00:29
keys :mark-prev<Enter>
wait no mark before this moment
keys Q
END
rm short.wsnrec.marks && mkdir short.wsnrec.marks
recording=short.wsnrec past 80x24 <<'END'
wait 12:00:30  end of recording
keys M<Enter>
wait short.wsnrec.marks
wait not a file of bookmarks
keys Q
END

mkdir gone && cp saved.wsnrec gone
recording=gone/saved.wsnrec past 80x24 <<'END'
wait 12:00:30  end of recording
run rm -r gone
keys Mnote<Enter>
wait gone/saved.wsnrec.marks: cannot create a temporary file
keys '
wait 12:00:30  *  note
keys <Esc>Q
END

# Live, bookmarks go beside the recording that is written; without one they are the session's.
live 80x24 -r rec.wsnrec <<'END'
run echo accept >orders
wait nothing received yet
run cat first.txt >orders
wait uart_write
keys M
wait Note for
keys first<Enter>
wait in rec.wsnrec.marks
keys Q
END
grep -q 'Z first$' rec.wsnrec.marks || fail "the bookmark is not beside the recording"
live 80x24 <<'END'
run echo accept >orders
wait nothing received yet
run cat first.txt >orders
wait uart_write
keys Mnote<Enter>
wait for this session; W saves it with a recording
keys Q
END

# A disconnection is a mark.
live 80x24 <<'END'
run echo accept >orders
wait nothing received yet
run cat first.txt >orders
wait uart_write
run echo hang up >orders
wait disconnected
run echo listen >orders
run echo accept >orders
run cat second.txt >orders
wait x disconnected
keys :mark-prev<Enter>
wait node disconnected
keys '
wait x  node disconnected
keys Q
END

# Enter on a line of the console goes to its moment, and back: by Enter, Backspace or q. The time of day is the recording's.
"$here/past.py" "$work/said.wsnrec" 300 text
recording=said.wsnrec past 80x24 <<'END'
wait 12:05:00  end of recording
keys 7m
wait time of day
wait 12:05:00.000  second 300
keys <PgUp><PgUp><Enter>
wait PAUSED
wait the moment of this line; Enter goes back
keys 1
wait SELF
wait PAUSED
keys 7
keys <Enter>
wait 12:05:00  end of recording
keys <Enter>
wait PAUSED
keys <BS>
wait 12:05:00  end of recording
keys <Enter>
wait PAUSED
keys q
wait 12:05:00  end of recording
wait not following
# the moment of another line; then back to what was shown before the first
keys 1[[[[[w[[[
wait WINDOW
keys 7<Up><Up><Enter>
wait PAUSED
gone WINDOW
keys <Up><Up><Enter>
wait PAUSED
keys <Enter>
wait WINDOW
# whoever goes on from there has left it: q leaves the view
keys <Enter>
wait PAUSED
keys [q
wait SELF
keys Q
END
# a recording that was played goes on playing
screen -s 80x24 "$WSNTOP" -p said.wsnrec --speed=4 -e fw.elf --theme=./test.ini <<'END'
wait > 4x
keys 7
wait second 4
keys <Up><Up><Enter>
wait || paused
keys <Enter>
wait > 4x
keys <End>
wait second 20
keys Q
END
