#!/bin/bash
# In every view and in every dialog: any size, stopped and continued, told to end, its terminal gone.
. "$(dirname "$0")/views.sh"
command -v python3 >/dev/null || skip "python3 is not installed"
cd "$work" || exit 1
python3 "$here/wsn.py" record before.wsnrec fw.elf kinds=sap refreshes=10
python3 "$here/wsn.py" record now.wsnrec fw.elf kinds=sap refreshes=20 slower=2 text='tick '

# keys, what stands there then
places=(
	"1 SELF%" "2 SHARE%" "3* main" "4 100.0" "5 durations" "6 source" "6m source" "7 tick" "8 worse"
	"9 Where" "? Keys"
	"/ad ad" "fad ad" "s Sort" "c Columns" "x Export" "x<Enter> Write" "W Save" ": Commands"
	":ex ex" "b Compare" "<F2> Options" "<F2><Enter> Theme"
)

# Any size at once, and back at a usual one all is there; then stopped and continued.
steps() {	# KEYS TEXT
	cat <<-END
		wait end of recording
		keys $1
		wait $2
		size 1x1
		keys <Down>
		size 500x200
		keys <Up>
		size 2x300
		size 300x2
		size 40x10
		pause 20
		size 100x30
		wait $2
		signal STOP
		stopped
		signal CONT
		wait $2
		$3
		exit 0
	END
}

for place in "${places[@]}"; do
	for end in "signal TERM" "signal HUP" "hangup"; do
		steps ${place% *} "${place##* }" "$end" >script
		screen -s 100x30 "$WSNTOP" -p now.wsnrec -e fw.elf --speed=max --baseline=before.wsnrec <script
	done
done
