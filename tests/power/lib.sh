# The simulated PPK2 (main.c). Sourced, with $root and $work.
#
#	ppk2_start [its options]	PPK2: its port's name, which stays the same
#	ppk2_order unplug|plug
#	ppk2_stop			$work/ppk2.said has its commands, and what it sent
PPK2=$work/ttyPPK2

ppk2_start() {
	rm -f "$work/ppk2.in"
	mkfifo "$work/ppk2.in"
	: >"$work/ppk2.port"
	"$root/build/tests/power/ppk2" -n "$PPK2" "$@" <"$work/ppk2.in" >"$work/ppk2.port" 2>"$work/ppk2.said" &
	PPK2_PID=$!
	exec 9>"$work/ppk2.in"
	trap 'ppk2_stop; rm -rf "$work"' EXIT
	for _ in $(seq 300); do
		grep -q '^port' "$work/ppk2.port" && return
		sleep 0.1
	done
	fail "no PPK2: make tools"
}

ppk2_order() {
	echo "$1" >&9
}

ppk2_stop() {
	exec 9>&-
	[ -z "${PPK2_PID:-}" ] || wait "$PPK2_PID" 2>/dev/null
	PPK2_PID=
}
