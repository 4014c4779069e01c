#!/bin/bash
# The README's pictures can be drawn from the running demo: each is XML, and shows its view with figures in it. The
# animated one shows its views one after the other, in a browser too, and asciinema plays its recording.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
docs/pictures "$work"
python3 - docs "$work" <<'PY'
import glob, os, re, sys
import xml.etree.ElementTree as xml
docs, drawn = ({os.path.basename(p): "".join(xml.parse(p).getroot().itertext()) for p in glob.glob(f"{d}/*.svg")}
               for d in sys.argv[1:])
assert drawn.keys() == docs.keys(), (sorted(drawn), sorted(docs))
words = lambda text: set(re.findall(r"[A-Z]{4,}", text))
for name, text in drawn.items():
    assert len(re.findall(r"\d", text)) > 20, f"{name}: no figures: {text}"
    assert words(docs[name]) <= words(text), f"{name}: lacks {words(docs[name]) - words(text)}"
    print("ok:", name)
PY

# That of the documents, and the one drawn now.
for drawn in docs "$work"; do
	python3 - "$drawn/tour.svg" "$drawn/tour.cast" <<'PY'
import json, os, sys
import xml.etree.ElementTree as xml
sys.path.insert(0, "tests/screen")
sys.dont_write_bytecode = True
import cast
assert os.path.getsize(sys.argv[1]) < 300000, os.path.getsize(sys.argv[1])
head, *events = (json.loads(line) for line in open(sys.argv[2], encoding="utf-8"))
assert 20 <= events[-1][0] <= 35, events[-1]
film = xml.parse(sys.argv[1]).getroot()
captions = [text for _, kind, text in events if kind == "m" and text]
seen, texts = set(), []
for percent in cast.moments(film):
    rows = {}
    for (x, y), (c, *_) in sorted(cast.picture(film, percent)[0].items()):
        rows.setdefault(float(y), []).append(c)
    texts.append("\n".join("".join(row) for _, row in sorted(rows.items())))
    seen |= {text for text in captions if text.replace(" ", "") in texts[-1]}
# A node whose hooks are in its times has no part of its own for them, be their cost known or not.
assert not any("profilingcost0" in text for text in texts), "a cost of 0"
assert seen == set(captions), set(captions) - seen
for word in ("SELF%", "Sortby", "bundle_write:", "SHARE%", "top-down:", "LINE", "handlers", "takes", "VERDICT", "Keysinthisview"):
    assert any(word in text for text in texts), f"no frame has {word}"
print("ok:", sys.argv[1], len(texts), "frames")
PY
done

if command -v asciinema >/dev/null; then
	script -qec "asciinema cat '$work/tour.cast'" /dev/null </dev/null >"$work/played"
	python3 - "$work/tour.cast" "$work/played" <<'PY'
import json, sys
events = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")][1:]
want = "".join(text for _, kind, text in events if kind == "o").encode()
got = open(sys.argv[2], "rb").read()
assert want in got or want.replace(b"\n", b"\r\n") in got, "asciinema plays something else"
print("ok: asciinema plays", len(want), "bytes")
PY
fi

# A browser shows another picture at another time, as a code host's page has it: an image of its own.
if command -v chromium >/dev/null; then
	for seconds in 1 12; do
		timeout 120 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=840,500 \
			--virtual-time-budget=${seconds}000 --screenshot="$work/$seconds.png" "file://$work/tour.svg" 2>/dev/null
	done
	! cmp -s "$work/1.png" "$work/12.png" || { echo "the picture stands still in a browser"; exit 1; }
	echo "ok: it moves in Chromium"
fi
