#!/bin/bash
# Where a dialog stands: below the header and the tabs, and no text of the view touches its border. And the one
# sign that takes two columns where there is only ASCII.
. "$(dirname "$0")/views.sh"

wsntop 80x24 <<'END'
wait 1flat
keys s
wait ┌─ Sort by
wait profiled
wait 1flat
expect 24
Enter choose  Esc back  type to select
end
keys <Esc>
gone ┌─ Sort by
keys :
wait ┌─ Commands
wait 1flat
keys <Esc>
gone ┌─ Commands
keys <F2>
wait ┌─ Options
wait 1flat
# too low for the header and a list: the list matters more
size 80x12
wait ┌─ Options
gone 1flat
keys <Esc>Q
exit 0
END

# What is left of a row beside it: "38.2" of send is not cut by the border, but a column before it.
wsntop 80x24 <<'END'
wait 1flat
keys x
expect 6
 │ flat        gprof's flat profile, with min and max: a table of functions   │
end
keys <Esc>Q
exit 0
END

command -v python3 >/dev/null || exit 0
cd "$work" || exit 1
python3 "$here/wsn.py" record now.wsnrec fw.elf kinds=sap refreshes=20
each_time() {	# LOCALE TEXT
	screen -e LC_ALL="$1" "$WSNTOP" -p now.wsnrec -e fw.elf --speed=max <<-END
		wait SELF%
		keys <Enter>
		wait each time $2
		keys Q
		exit 0
	END
}
each_time C.UTF-8 '±45.8 us'
each_time C '+-45.8 us'
