#!/bin/bash
# x writes what is shown: the node on the screen, of several; a window of the past, in each format, which agree. (A
# filter: golden/test_imports.)
. "$(dirname "$0")/views.sh"
need_past
"$here/past.py" past.wsnrec 30
mkdir window other

# The keys that write each format into a folder.
formats="json callgrind pprof folded flamegraph prometheus csv html firefox speedscope"
declare -A ending=([pprof]=pb.gz [flamegraph]=svg [prometheus]=prom)
exports() {	# FOLDER
	local format file
	for format in $formats; do
		file=$1/a.${ending[$format]:-$format}
		printf 'keys :export %s<Enter>\nwait Write to:\nkeys <C-u>%s<Enter>\nwait written to %s\n' "$format" "$file" "$file"
	done
}

screen -s 80x24 "$WSNTOP" -p past.wsnrec -p uart.txt --speed=max -e fw.elf --theme=./test.ini <<END
wait 12:00:30  end of recording
keys [[[[[
wait || paused 12:00:25
keys w
wait w sets it
keys [[[[[
wait 12:00:19-12:00:25 6 s
keys w
wait w clear
$(exports window)
keys w
gone WINDOW
keys )
wait uart_write
$(exports other)
keys Q
exit 0
END

python3 - <<'PY' || exit 1
import json, sys
def functions(path):
    d = json.load(open(path))
    return d, {f["name"]: f for f in d["functions"]}
window, of = functions("window/a.json")
if of["sample"]["calls"] != 60 or abs(of["sample"]["total_s"] - 0.135) > 1e-3 or "crc16" in of and of["crc16"]["calls"]:
    sys.exit("FAILED: the window's: %s" % of["sample"])
other, of = functions("other/a.json")
if other["node"]["name"] == window["node"]["name"] or "uart" not in other["node"]["name"] or of["crc16"]["calls"] != 300:
    sys.exit("FAILED: the other node's: %s" % other["node"])
PY
for folder in window other; do
	python3 "$root/tests/golden/exports.py" $folder || exit 1
done
grep -q 'Window: ' window/a.callgrind || fail "the window is not said"
