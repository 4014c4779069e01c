#!/bin/bash
# docs/CI.md: the commands of its two examples, as they stand there, on a repository with sim/radio: a merge request that
# breaks the radio's task fails and shows where; one that changes a name passes. What installs is left out.
. "$(dirname "$0")/lib.sh"
export WSNTOP_LIBEXEC=$root/build	# the simulators, of a sanitized wsntop too
need_tools git avr-gcc xmllint make
[ -x "$root/build/wsntop-simavr" ] || skip "no simulator: make sim"
WSNTOP=$(realpath "$WSNTOP")
PATH=$(dirname "$WSNTOP"):$PATH
export PATH GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.com GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@example.com
unset MAKEFLAGS MFLAGS MAKEOVERRIDES

# What the document has: perf.rules, and for each system the commands of its steps as a script.
python3 - "$root/docs/CI.md" "$work" <<'END' || fail "docs/CI.md"
import pathlib
import re
import sys

text, work = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2])
blocks = dict(re.findall(r"\n## ([^\n]+)\n[^#]*?```(?:yaml|text)\n(.*?)```", text, re.S) + [
    ("rules", re.search(r"```text\n(.*?)```", text, re.S)[1])])
(work / "perf.rules").write_text(blocks["rules"])


def source(block):
    return re.search(r'SOURCE: "(.*)"', block)[1]


github = blocks["GitHub Actions"]
steps = re.findall(r"      - name: (.*)\n(?:        if: .*\n)?        run: (.*(?:\n          .*)*)", github)
steps = [(name, re.sub(r"^\|\n", "", body).replace("\n          ", "\n")) for name, body in steps
         if not name.startswith("Install")]
assert [name for name, _ in steps] == ["Build", "Measure the base", "Gate", "Show"], steps
gitlab = blocks["GitLab"]
items = {key: re.findall(r"    - (.*)\n", body) for key, body in
         re.findall(r"  (script|after_script):\n((?:    - .*\n)+)", gitlab)}
assert len(items["script"]) == 5 and len(items["after_script"]) == 1, items
for name, block, main, after in (
        ("github", github, [body.strip() for name, body in steps[:3]], [steps[3][1].strip()]),
        ("gitlab", gitlab, items["script"], items["after_script"])):
    (work / f"{name}.sh").write_text(f"export SOURCE='{source(block)}'\n(\nset -e\n" + "\n".join(main) +
                                     "\n)\nstatus=$?\n" + "\n".join(after) + "\nexit $status\n")
END

# The repository: main is sound; two branches.
mkdir "$work/origin" && cd "$work/origin" || exit 1
git init -q -b main . || fail "git"
sed 's/#ifdef RADIO_FIXED/#if FIXED/' "$root/sim/radio/radio.c" >radio.c
grep -q '#if FIXED' radio.c || fail "sim/radio/radio.c has another form"
cp "$work/perf.rules" .
printf 'FIXED = 1\nfirmware.elf: radio.c Makefile\n\tavr-gcc -mmcu=atmega1284p -DF_CPU=8000000UL -std=c99 -Os -fno-inline -ggdb -gdwarf-2 -DFIXED=$(FIXED) -o $@ radio.c\n' >Makefile
git add . && git commit -qm sound || fail "git commit"
git checkout -q -b broken && sed -i 's/^FIXED = 1/FIXED = 0/' Makefile && git commit -qam broken || fail "git commit"
git checkout -q -b harmless main && sed -i 's/\brounds\b/turns/g' radio.c && git commit -qam harmless || fail "git commit"
git checkout -q main

job() {	# SYSTEM, BRANCH, STATUS
	local status=0 at=$work/$1-$2
	mkdir "$at"
	git clone -q -b "$2" "$work/origin" "$at/checkout" || fail "git clone"
	cd "$at/checkout" || exit 1
	GITHUB_BASE_REF=main GITHUB_STEP_SUMMARY=$at/summary \
		CI_MERGE_REQUEST_DIFF_BASE_SHA=$(git rev-parse origin/main) \
		bash "$work/$1.sh" >"$at/said" 2>&1 || status=$?
	[ "$status" = "$3" ] || fail "$1 $2: status $status, not $3: $(cat "$at/said")"
	xmllint --noout --schema "$here/junit.xsd" perf.xml 2>"$at/err" || fail "$(cat "$at/err")"
	[ -s perf.md ] && [ -s perf.html ] && [ -s new.json ] || fail "$1 $2: nothing to show"
}

for system in github gitlab; do
	job $system broken 3
	grep '^failed:' ../said | head -n 1 | grep -q 'task_post self\|total self\|main max' || fail "$(cat ../said)"
	grep -q '^failed: task_post per-call .*main > task_post, +2\.50 us a call at radio\.c:34, .*; perf\.rules:2$' ../said || fail "$(cat ../said)"
	grep -q '| worse | task\\_post |' perf.md || fail "$(cat perf.md)"
	[ $system = gitlab ] || cmp perf.md ../summary || fail "the summary"
	job $system harmless 0
	! grep -q '^failed:' ../said || fail "$(cat ../said)"
	[ "$(xmllint --xpath 'count(//testcase) > 10 and count(//failure) = 0 and count(//skipped) = 0' perf.xml)" = true ] ||
		fail "$(cat perf.xml)"
done
echo "ok: CI"
