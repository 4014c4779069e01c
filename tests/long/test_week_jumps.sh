#!/bin/bash
# A day's recording of 86 MB is sought on the screen as soon as it is open: by its share before it was read; with its index
# each jump is to a key, a step goes on from there, and the time bar has the whole day at once.
. "$(dirname "$0")/../screen/lib.sh"
made=$(dirname "$screen")/week_made
[ -x "$made" ] || skip "there is no week_made; make tools"
export TZ=UTC
cd "$work" || exit 1
"$made" -d 1 -r 1000 -s 40 -n 1000 day.wsnrec || fail "week_made"

# Without an index.
screen -s 120x40 "$WSNTOP" -p day.wsnrec --config=/dev/null <<'END'
wait > 1x
keys <Space>
wait || paused
keys @0.1d<Enter>
wait || paused 02:24:00
keys @50 %<Enter>
wait || paused 12:00:
keys Q
exit 0
END

"$WSNTOP" -B -p day.wsnrec --from=0.999d -x json:/dev/null 2>err || fail "an index: $(cat err)"
[ "$(stat -c %s day.wsnrec.idx)" -gt 50000 ] || fail "the index has $(stat -c %s day.wsnrec.idx) bytes"

screen -s 120x40 "$WSNTOP" -p day.wsnrec --config=/dev/null <<'END'
wait > 1x
keys <Space>
wait || paused
keys L
wait end of recording
keys @25 %<Enter>
wait || paused 06:00:
keys @0.8d<Enter>
wait || paused 19:12:00
keys ]
wait || paused 19:12:01
keys @75 %<Enter>
wait || paused 18:00:
# all of the day is on the bar
wait 00:00:0
keys Q
exit 0
END
