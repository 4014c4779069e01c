#!/bin/bash
# Pictures of the screen read well in viewers that do not know textLength: each word stands at its own place, and
# no bar is made of glyphs.
. "$(dirname "$0")/views.sh"
command -v python3 >/dev/null || skip "python3 is not installed"

wsntop 110x28 <<END
wait crc16
show $work/flat.svg
keys Q
exit 0
END

python3 - "$work/flat.svg" <<'PY' || fail "the picture"
import sys
import xml.etree.ElementTree as xml
texts = [t for t in xml.parse(sys.argv[1]).getroot() if t.tag.endswith("text")]
rects = [r for r in xml.parse(sys.argv[1]).getroot() if r.tag.endswith("rect")][1:]
for t in texts:
    assert not set(t.text) & set(" \u00a0"), f"two words at one place: {t.text!r}"
    assert not any(0x2580 <= ord(c) <= 0x2593 for c in t.text), f"a bar of glyphs: {t.text!r}"
    assert (int(t.get("x")) - 10) % 8 == 0 and int(t.get("textLength")) == 8 * len(t.text), t.text
assert {"SELF%", "crc16", "38.2"} <= {t.text for t in texts}
# the bar of 38.2 %: three whole cells and a part of one
assert any(float(r.get("width")) == 24 for r in rects)
print(f"{len(texts)} words, {len(rects)} rectangles")
PY
