#!/bin/bash
# Each link of the documents into this repository leads to a file that is in it, and to a heading that is there; each
# script and source file that they name by its path exists.
# Sanitized: never
set -eu
cd "$(dirname "$0")/../.."
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
git rev-parse --git-dir >/dev/null 2>&1 || { echo "skipped: this is no git repository"; exit 77; }
python3 - <<'PY'
import os, re, subprocess, sys
files = set(subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")) - {""}
folders = {os.path.dirname(f) for f in files}
folders |= {"/".join(d.split("/")[:i + 1]) for d in folders for i in range(d.count("/") + 1)}
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
# `tests/sim/test_tour.sh`, target-avr/README.md: from the top, with an ending, and with no letters that stand for others.
NAMED = re.compile(r"(?<![\w/.<-])((?:tests|core|tui|docs|sim|examples|target-\w+|bench|lib|include|themes|debian)"
                   r"/[\w./+-]*\.(?:sh|c|h|py|md|S|svg|ini|mk|proto))\b(?![*{])")

def anchors(path):
    text = re.sub(r"^```.*?^```", "", open(path).read(), flags=re.S | re.M)
    slugs = [re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", h).strip().lower()).replace(" ", "-")
             for h in re.findall(r"^#+ +(.+)$", text, re.M)]
    return set(slugs)

bad, links, named = [], 0, 0
for path in sorted(f for f in files if f.endswith(".md")):
    text = open(path).read()
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        links += 1
        to, _, anchor = target.partition("#")
        full = os.path.normpath(os.path.join(os.path.dirname(path), to)) if to else path
        if full not in files and full not in folders:
            bad.append(f"{path}: {target}: not in the repository")
        elif anchor and anchor not in anchors(full):
            bad.append(f"{path}: {target}: no such heading in {full}")
    # Integrations name files of other projects.
    for name in () if path.startswith("docs/integration/") else NAMED.findall(text):
        named += 1
        here = os.path.normpath(os.path.join(os.path.dirname(path), name))
        if name not in files and here not in files and not re.search(r"NAME|VIEW", name):
            bad.append(f"{path}: {name}: not in the repository")
print("\n".join(bad) if bad else f"{links} links and {named} names of files lead somewhere")
assert links > 50 and named > 50, (links, named)
sys.exit(bool(bad))
PY
