#!/bin/bash
# The README's pictures can be drawn from the running demo: each is XML, and shows its view with figures in it.
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
