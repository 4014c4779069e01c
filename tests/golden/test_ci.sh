#!/bin/bash
# docs/CI.md: the commands of its two examples, as they stand there, on a repository with sim/radio: a merge request that
# breaks the radio's task fails and shows where, with the base from the cache, too; one that changes a name passes. What
# installs is left out.
# Sanitized: long: most of its seconds are make's and the simulators'.
. "$(dirname "$0")/lib.sh"
export WSNTOP_LIBEXEC=$root/build	# the simulators, of a sanitized wsntop too
need_tools git avr-gcc xmllint make
[ -x "$root/build/wsntop-simavr" ] || skip "no simulator: make sim"
WSNTOP=$(realpath "$WSNTOP")
PATH=$(dirname "$WSNTOP"):$PATH
export PATH GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.com GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@example.com
unset MAKEFLAGS MFLAGS MAKEOVERRIDES

# What the document has: perf.rules, and for each system the commands of its steps as a script. GitHub's expressions are
# replaced as its runner does: a cache that hits is a folder of that name, kept from job to job.
python=python3
$python -c 'import yaml' 2>/dev/null || python=/usr/bin/python3
$python - "$root/docs/CI.md" "$work" <<'END' || fail "docs/CI.md"
import pathlib
import re
import sys

import yaml

text, work = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2])
yamls = dict(re.findall(r"\n## ([^\n]+)\n(?:(?!\n## ).)*?```yaml\n(.*?)```", text, re.S))
(work / "perf.rules").write_text(re.search(r"```text\n(.*?)```", text, re.S)[1])


def script_write(name, source, main, after):
    (work / f"{name}.sh").write_text(f"export SOURCE='{source}'\n(\nset -e\n" + "\n".join(main) +
                                     "\n)\nstatus=$?\n" + "\n".join(after) + "\nexit $status\n")


github = yaml.safe_load(yamls["GitHub Actions"])["jobs"]["performance"]
steps = {s["name"]: s for s in github["steps"] if "run" in s and not s["name"].startswith("Install")}
assert list(steps) == ["Build", "Find the base", "Measure the base", "Gate", "Show"], list(steps)
assert steps["Measure the base"]["if"] == "steps.measured.outputs.cache-hit != 'true'"
assert steps["Show"]["if"] == "always()"
cache, save = (next(s for s in github["steps"] if s.get("uses", "").startswith("actions/cache/" + what))
               for what in ("restore@", "save@"))
assert save["with"] == cache["with"] and save["if"] == steps["Measure the base"]["if"]
cache = cache["with"]
key = cache["key"].replace("${{ steps.base.outputs.commit }}", "$(sed -n s/^commit=//p \"$GITHUB_OUTPUT\")")
script_write("github", github["env"]["SOURCE"], [
    steps["Build"]["run"], steps["Find the base"]["run"], f'kept="$CACHE/{key}"',
    f'if [ -d "$kept" ]; then cp -r "$kept" {cache["path"]}; else', steps["Measure the base"]["run"],
    f'cp -r {cache["path"]} "$kept"; fi', steps["Gate"]["run"]], [steps["Show"]["run"]])

gitlab = yaml.safe_load(yamls["GitLab"])["performance"]
(path,) = gitlab["cache"]["paths"]
assert len(gitlab["script"]) == 3 and len(gitlab["after_script"]) == 1
assert gitlab["cache"]["when"] == "always"      # a job that fails keeps it, too
script_write("gitlab", gitlab["variables"]["SOURCE"], [
    f'kept="$CACHE/{gitlab["cache"]["key"]}"', f'[ ! -d "$kept" ] || cp -r "$kept" {path}', *gitlab["script"]],
             [*gitlab["after_script"], f'[ -d "$CACHE/{gitlab["cache"]["key"]}" ] || cp -r {path} "$CACHE/{gitlab["cache"]["key"]}"'])
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

job() {	# SYSTEM, BRANCH, STATUS, NUMBER
	local status=0 at=$work/$1-$2-$4
	mkdir "$at"
	git clone -q -b "$2" "$work/origin" "$at/checkout" || fail "git clone"
	cd "$at/checkout" || exit 1
	CACHE=$work/cache-$1 GITHUB_BASE_REF=main GITHUB_STEP_SUMMARY=$at/summary GITHUB_OUTPUT=$at/outputs \
		CI_MERGE_REQUEST_DIFF_BASE_SHA=$(git rev-parse origin/main) \
		bash "$work/$1.sh" >"$at/said" 2>&1 || status=$?
	[ "$status" = "$3" ] || fail "$1 $2: status $status, not $3: $(cat "$at/said")"
	xmllint --noout --schema "$here/junit.xsd" perf.xml 2>"$at/err" || fail "$(cat "$at/err")"
	[ -s perf.md ] && [ -s perf.html ] && [ -s new.json ] || fail "$1 $2: nothing to show"
}

for system in github gitlab; do
	mkdir "$work/cache-$system"
	job $system broken 3 1
	[ -e .base/firmware.elf ] || fail "$system: the base was not built"
	grep '^failed:' ../said | head -n 1 | grep -q 'task_post self\|total self\|main max' || fail "$(cat ../said)"
	grep -q '^failed: task_post per-call .*main > task_post, +2\.50 us a call at radio\.c:34, .*; perf\.rules:2$' ../said || fail "$(cat ../said)"
	grep -q '| worse | task\\_post |' perf.md || fail "$(cat perf.md)"
	[ $system = gitlab ] || cmp perf.md ../summary || fail "the summary"
	# The same again, with the base from the cache, says the same.
	mv ../said ../../said
	job $system broken 3 2
	[ ! -e .base ] || fail "$system: the base was built again"
	diff <(grep '^failed:' ../../said) <(grep '^failed:' ../said) || fail "$system: with the base from the cache"
	job $system harmless 0 1
	! grep -q '^failed:' ../said || fail "$(cat ../said)"
	[ "$(xmllint --xpath 'count(//testcase) > 10 and count(//failure) = 0 and count(//skipped) = 0' perf.xml)" = true ] ||
		fail "$(cat perf.xml)"
done
echo "ok: CI"
