#!/bin/bash
# No text names a key that does something else: texts name actions, and the key map has the key. In the
# tables, in the source, and on the screen of a user who has bound every key otherwise.
. "$(dirname "$0")/views.sh"
export LC_ALL=C.UTF-8
texts=$(dirname "$screen")/texts
command -v python3 >/dev/null || skip "python3 is not installed"

"$texts" >"$work/wrong" || fail "$(cat "$work/wrong")"
[ "$("$texts" built-in | wc -l)" -gt 200 ] || fail "the tables are nearly empty"
"$texts" built-in | grep -q '^flat: .* T groups the functions' || fail "the tables do not name the keys as built in"
python3 "$here/literals.py" "$root" >"$work/wrong" || fail "$(cat "$work/wrong")"

cd "$work" || exit 1
mkdir -p config/wsntop
"$texts" keys >config/wsntop/config.ini
cp config/wsntop/config.ini keys.ini

# The keys of ACTIONS. Each is two bytes, to be sent in one piece.
of() {
	local action
	for action; do sed -n "s/^$action = //p" keys.ini | tr -d '\n'; done
}

# What was shown names none of the keys as built in, neither in a sentence nor as a hint.
clean() {	# FILE
	! sed 's/An i behind//' "$1" | grep -nP '(^|[ (])([bmfgjklnuyxtwcopiILWORCTFGNQZ/?]|F[12]|Esc|Enter|Tab|Space) +(?=[a-z]{2})|'`
		`'\([1-9bmfixWLRO]\)|; [1-9] [a-z]|press (?![а-ѿ:])' || fail "a key as built in is named in $1"
}

# Every view and its help, page by page.
{
	echo "wait SELF"
	for view in flat callers tree flame histogram source console compare node timeline log; do
		printf 'send %s\npause 50\nshow\n' "$(of view-$view)"
		printf 'send %s\nwait Keys in this view\nshow\n' "$(of view-help)"
		printf 'send %s\nshow\n' "$(of page-down)" "$(of page-down)" "$(of page-down)" "$(of page-down)"
		printf 'send %s\n' "$(of top)"
	done
	printf 'send %s\nexit 0\n' "$(of quit)"
} >script
"$screen" -s 90x24 "$WSNTOP" -p uart.txt -e fw.elf --theme=./test.ini <script >every_view ||
	fail "$(tail -n 40 every_view)"
[ "$(grep -c 'wsntop\|SELF is the time' every_view)" -gt 1 ] || fail "no view was shown: $(cat every_view)"
clean every_view

# Sentences: what is empty, what is answered.
screen -s 100x24 "$WSNTOP" -p uart.txt -e fw.elf --theme=./test.ini <<-END
	wait SELF
	send $(of view-compare)
	wait no baseline set: press $(of baseline) or use
	wait ($(of export), json) or a recording ($(of save))
	send $(of search-next)
	wait no search pattern: press $(of search)
	send $(of export)
	wait Export
	keys changes<Enter>
	wait Write to:
	keys <Enter>
	wait changes: no baseline set; press $(of baseline) to set one
	send $(of view-flat baseline)
	wait Compare with
	keys <Enter>
	wait $(of view-compare) shows the changes
	send $(of view-source parent)
	wait $(of view-callers) shows the callers
	send $(of view-console filter)
	keys nothing<Enter>
	wait $(of filter) changes it, $(of cancel) clears it
	send $(of cancel view-histogram mode mode mode)
	wait functions; $(of enter) opens one
	send $(of view-flat editor)
	wait $(of view-source) shows why
	send $(of quit)
	exit 0
END

# The same fact where there is no screen names the option.
"$WSNTOP" -B -p uart.txt -e fw.elf -x changes 2>&1 | grep -q 'no baseline set; set one with --baseline=FILE' ||
	fail "batch does not name the option"

# The past's; an action without a key is named as the palette takes it.
python3 "$here/wsn.py" record past.rec fw.elf refreshes=12 every=4
sed -i "s/^time-window = .*/time-window = none/; s/^view-compare = .*/view-compare = X/; s/^baseline = .*/baseline = %/" \
	config/wsntop/config.ini
screen -s 100x24 "$WSNTOP" -p past.rec -e fw.elf --speed=max --theme=./test.ini <<-END
	wait end of recording
	send $(of palette)time-window\r
	wait begins here: $(of time-back) $(of time-forward) $(of time-back-far) $(of time-forward-far) move
	wait its other end, $(of palette)time-window sets it
	send $(of palette)time-window\r
	wait move, % baseline, $(of palette)time-window clear
	keys %
	wait Compare with
	keys <Enter>
	wait X shows the changes
	keys X
	wait VERDICT
	send $(of quit)
	exit 0
END

# The palette on "%": in a sentence that is a format, a command of it is text.
sed -i "s/^baseline = .*/baseline = none/; s/^palette = .*/palette = %/; s/^search = .*/search = none/" \
	config/wsntop/config.ini
screen -s 100x24 "$WSNTOP" -p uart.txt -e fw.elf --theme=./test.ini <<-END
	wait SELF
	send $(of search-next)
	wait no search pattern: press %search
	send $(of quit)
	exit 0
END
