#!/bin/bash
# The manual page and the shells' completion say what the program's tables say (`make manual` puts it
# there), and so does --help; the shells complete what there is.
. "$(dirname "$0")/lib.sh"
manual=$(dirname "$screen")/manual
docs=$root/docs

mkdir "$work/docs"
cp -r "$docs/wsntop.1" "$docs/EXPORTS.md" "$docs/completion" "$work/docs"
MANUAL=$manual "$docs/renew" "$work/docs" || fail "docs/renew"
diff -u "$docs/wsntop.1" "$work/docs/wsntop.1" || fail "docs/wsntop.1 is not the tables': make manual"
diff -u "$docs/EXPORTS.md" "$work/docs/EXPORTS.md" || fail "docs/EXPORTS.md is not the tables': make manual"
diff -ru "$docs/completion" "$work/docs/completion" || fail "docs/completion is not the tables': make manual"

"$WSNTOP" --help >"$work/help"
"$manual" names options >"$work/names"
[ "$(wc -l <"$work/names")" -ge 18 ] || fail "too few options were found: $(cat "$work/names")"
while read -r name; do
	grep -q -- "$name" "$work/help" || fail "--help does not know $name"
done <"$work/names"
for table in formats exports columns; do
	"$manual" names $table | while read -r name; do
		grep -q "^  $name " "$work/help" || { echo "$name"; break; }
	done >"$work/missing"
	[ ! -s "$work/missing" ] || fail "--help does not know $(cat "$work/missing") of the $table"
done

# What is found when TAB is pressed behind these words.
completed() {	# WORDS..., the last being typed
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	_wsntop
	printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort -u | tr '\n' ' '
}

gives() {	# EXPECTED, WORDS...
	local expected=$1 got
	shift
	got=$(completed "$@")
	[ "$got" = "$expected" ] || fail "behind \"$*\": \"$got\", not \"$expected\""
}

bash -n "$docs/completion/wsntop.bash" || fail "bash -n"
# shellcheck source=/dev/null
. "$docs/completion/wsntop.bash"
complete -p wsntop | grep -q _wsntop || fail "nothing completes wsntop"
mkdir "$work/here" "$work/here/src" && cd "$work/here" || exit 1
touch app.elf "a file.elf" old.wsnrec
mkdir -p "$XDG_CONFIG_HOME/wsntop/themes" && touch "$XDG_CONFIG_HOME/wsntop/themes/zzmine.ini"

gives '--sort= --source-dir= --source-map= ' wsntop --so
gives '--baseline= --batch --battery= --baud= ' wsntop -B --ba
gives 'calls calls/s context ' wsntop --sort = c
gives 'calls calls/s context ' wsntop --sort=c
gives 'calls calls/s context ' wsntop --sort c
gives 'gprof gprof-hex ' wsntop -f gp
gives 'json ' wsntop -p x -x j
gives 'a file.elf app.elf ' wsntop -x json : a
gives 'a file.elf app.elf ' wsntop --export = json : a
gives 'old.wsnrec ' wsntop -p file : o
gives 'file: ' wsntop -p fi
gives 'zzmine ' wsntop --theme = zz
gives 'src ' wsntop --source-dir = s
gives 'none ' wsntop --config = n
gives 'max ' wsntop --speed = m
gives 'doctor ' wsntop doc
gives 'help ' wsntop he
gives "$("$manual" names commands | LC_ALL=C sort | tr '\n' ' ')" wsntop help ""
gives 'arm-none-eabi- ' wsntop as ar
gives 'a file.elf app.elf ' wsntop doctor -e a
gives '--elf= --help --json --port= ' wsntop doctor --
gives 'old.wsnrec ' wsntop app.elf o
gives '--unsure= ' wsntop check --uns
gives 'fail pass warn ' wsntop check --unsure = ""
gives '--baseline-elf= --baseline= --baud= ' wsntop check --ba
gives 'old.wsnrec ' wsntop diff o
gives 'html ' wsntop diff -x h
gives 'callgrind ' wsntop convert old.wsnrec -x call
gives 'a file.elf app.elf ' wsntop convert old.wsnrec -x callgrind : a
gives 'json ' wsntop check -x js
gives 'p50 p90 p99 per-call ' wsntop report --sort = p
gives '--junit= ' wsntop check --rules perf.rules --ju
gives 'app.elf ' wsntop check --baseline-elf = ap
[ -z "$(completed wsntop --filter = a | tr -d ' \n')" ] || fail "a pattern is completed"
"$manual" names columns | LC_ALL=C sort | diff - <(completed wsntop --sort = "" | tr ' ' '\n' | sed '/^$/d') ||
	fail "bash completes other columns"

# The other two offer the same, without the = behind options.
offers() {	# EXPECTED, LINE
	local shell got
	for shell in zsh fish; do
		command -v $shell >/dev/null || continue
		got=$("offers_$shell" "$2" | LC_ALL=C sort -u | tr '\n' ' ')
		[ "$got" = "$1" ] || fail "$shell behind \"$2\": \"$got\", not \"$1\""
	done
}

offers_zsh() {
	zsh -f "$root/tests/screen/completed.zsh" "$docs/completion/wsntop.zsh" "$1" | sed 's/=$//'
}

offers_fish() {
	HOME=$work fish --no-config -c ". $docs/completion/wsntop.fish; complete -C '$1'" |
		sed 's/	.*//; s/^--[a-z-]*=\(.\)/\1/; s/=$//'
}

if command -v zsh >/dev/null; then
	zsh -n "$docs/completion/wsntop.zsh" || fail "zsh -n"
fi
if command -v fish >/dev/null; then
	HOME=$work fish -n "$docs/completion/wsntop.fish" || fail "fish -n"
fi
offers 'doctor ' 'wsntop doc'
offers '--sort --source-dir --source-map ' 'wsntop --so'
offers '--elf --help --json --port ' 'wsntop doctor --'
offers "$("$manual" names commands | LC_ALL=C sort | tr '\n' ' ')" 'wsntop help '
offers "$("$manual" names columns | LC_ALL=C sort | tr '\n' ' ')" 'wsntop --sort='
offers 'a file.elf app.elf ' 'wsntop doctor --elf=a'
offers 'fail pass warn ' 'wsntop check --unsure='
offers '--baseline --baseline-elf --baud ' 'wsntop check --ba'
offers 'p50 p90 p99 per-call ' 'wsntop report --sort=p'
offers 'html ' 'wsntop diff --export=ht'
offers 'callgrind ' 'wsntop convert old.wsnrec --export=call'
offers 'old.wsnrec ' 'wsntop report o'
offers 'app.elf ' 'wsntop doctor -e ap'

# A command's help is one text, and every command and option is in the manual page.
"$manual" names commands | while read -r name; do
	"$WSNTOP" help "$name" >"$work/help.$name" || { echo "$name"; break; }
	"$WSNTOP" "$name" --help | diff - "$work/help.$name" >/dev/null || { echo "$name --help"; break; }
	grep -q "^  $name " "$work/help" || { echo "$name in --help"; break; }
	grep -q "^\.SS wsntop $name\$" "$docs/wsntop.1" || { echo "$name in the page"; break; }
	awk 'length > 80' "$work/help.$name" | grep . && { echo "$name: wider than 80 columns"; break; }
done >"$work/missing"
[ ! -s "$work/missing" ] || fail "of the commands: $(cat "$work/missing")"
"$WSNTOP" help | diff - "$work/help" || fail "wsntop help is not wsntop --help"
for wrong in 'help nonsense' 'help help help' 'doctor --nonsense' 'as'; do
	# shellcheck disable=SC2086
	"$WSNTOP" $wrong >"$work/out" 2>"$work/err" && fail "wsntop $wrong: accepted"
	[ $? = 2 ] && [ "$(wc -l <"$work/err")" = 1 ] && grep -q '; wsntop help [a-z]*$' "$work/err" ||
		fail "wsntop $wrong: $(cat "$work/err")"
done

command -v groff >/dev/null || exit 0
groff -man -Tutf8 -ww "$docs/wsntop.1" >"$work/page" 2>"$work/warnings" || fail "groff"
[ ! -s "$work/warnings" ] || fail "$(cat "$work/warnings")"
