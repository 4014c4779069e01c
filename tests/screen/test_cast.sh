#!/bin/bash
# What the terminal is sent is recorded as an asciicast, and the animated picture made of it ends with what the screen
# shows at its end.
. "$(dirname "$0")/views.sh"
command -v python3 >/dev/null || skip "python3 is not installed"
cast_svg=$(dirname "$screen")/cast_svg
[ -x "$cast_svg" ] || skip "there is no cast_svg; make tools"

wsntop 110x28 <<END
wait crc16
cast $work/views.cast
mark the <flat> list
pause 400
mark the callers
keys <Down>2
wait SHARE%
pause 400
keys 3*
wait top-down
pause 400
keys 5
wait longest call
pause 400
show $work/end.svg
end-cast
keys Q
exit 0
END

python3 - "$work/views.cast" <<'PY' || fail "the recording"
import json, sys
head, *events = (json.loads(line) for line in open(sys.argv[1], encoding="utf-8"))
assert (head["version"], head["width"], head["height"]) == (2, 110, 28), head
assert all(kind in "om" for _, kind, _ in events)
assert [at for at, _, _ in events] == sorted(at for at, _, _ in events)
assert [text for _, kind, text in events if kind == "m"] == ["the <flat> list", "the callers", ""]
PY
"$cast_svg" <"$work/views.cast" >"$work/views.svg" || fail "cast_svg"
python3 "$here/cast.py" "$work/views.svg" "$work/end.svg" || fail "the picture"

# What is no recording, or breaks off, is told.
for bad in '' '{}' '[]' '{"width": 80}' '{"width": 80, "height": 24}' '{"width": 80, "height": 24}
[1, "o"' '{"width": -1, "height": 0}' '{"width": 1e9, "height": 1e9}'; do
	! "$cast_svg" <<<"$bad" >/dev/null 2>"$work/why" || fail "taken: $bad"
	grep -q '^cast_svg: ' "$work/why" || fail "not told: $bad: $(cat "$work/why")"
done
