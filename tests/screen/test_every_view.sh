#!/bin/bash
# Every view, whole: at three sizes as text, and at each class of colours how every cell looks. What they
# should show is kept in tests/screen/expected; RENEW=1 writes it again (look at the difference).
. "$(dirname "$0")/views.sh"
command -v python3 >/dev/null || skip "python3 is not installed"
expected=$here/expected
cd "$work" || exit 1
export TZ=UTC
settled=$((${RENEW:-0} * 500))		# else it is tried until it is so

# What ran before, and what runs now: adc_read takes twice as long.
python3 "$here/wsn.py" record before.rec fw.elf refreshes=12 every=4 text=$'tick\n'
python3 "$here/wsn.py" record now.rec fw.elf refreshes=20 every=4 stack_full=5 features=1943 \
	slower=2 text=$'sensor 1: 23.4 C\n'
now=("$WSNTOP" -p now.rec -e fw.elf --speed=max --theme=./test.ini)

# view NAME KEY TEXT: what is pressed, and what stands there when it is drawn
views=(
	"flat 1 SELF%" "callers 2 SHARE%" "tree 3* main" "flame 4 100.0" "histogram 5 with durations"
	"source 6 no debug information" "console 7 sensor" "compare 8 worse" "node 9 Where the time goes"
	"timeline 0 no call trace" "log e no log"
	"help ? Keys in this view"
)

steps() {	# SIZE|CLASS, same|looks
	local view name keys text
	echo "wait end of recording"
	echo "wait 31.0 s of the 40.0 s"
	echo "wait vs before.rec"
	echo "wait +6.2"
	for view in "${views[@]}"; do
		read -r name keys text <<<"$view"
		# A tall tree opens by itself: * would close it.
		case $1 in 120x40|200x60) keys=${keys%\*} ;; esac
		echo "keys $keys"
		echo "wait $text"
		echo "pause $settled"
		echo "$2 $expected/$name-$1"
	done
	echo "keys Q"
}

for size in 80x24 120x40 200x60; do
	steps $size same >script
	screen -s $size "${now[@]}" --baseline=before.rec <script
done

# Without colours and with eight all is to be seen that 256 show; here, how.
class() {	# NAME TERM
	steps "$1" looks >script
	screen -s 80x24 -e TERM="$2" "$WSNTOP" -p now.rec -e fw.elf --speed=max --baseline=before.rec \
		--theme=default <script
}

class 256 xterm-256color
class 8 xterm
class mono vt100
