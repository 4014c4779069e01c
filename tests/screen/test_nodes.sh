#!/bin/bash
# All nodes in one table: of eight nodes of one firmware the one whose adc_read takes four times as long is unlike the
# others, and no other is; the table is sorted by a column, and a node is chosen and shown.
. "$(dirname "$0")/views.sh"
command -v python3 >/dev/null || skip "python3 is not installed"
cd "$work" || exit 1

ports=()
for i in 1 2 3 4 5 6 7 8; do
	more=
	[ $i != 5 ] || more="slower=4"
	# shellcheck disable=SC2086
	python3 "$here/wsn.py" record n$i.rec fw.elf refreshes=12 every=4 name="mote $i" $more
	ports+=(-p n$i.rec)
done
nodes() {	# COLSxROWS
	screen -s "$1" "$WSNTOP" "${ports[@]}" -e fw.elf --speed=max --theme=./test.ini
}

nodes 120x40 <<'END'
wait uart_write
keys (
wait 1 unlike
expect 1-10
 8 nodes: 0 live, 1 unlike the others
NODE          ID        STATE      FIRMWARE  LOAD%  COST%  LOST  MOST TIME IN  SELF%  UNLIKE ITSELF  UNLIKE THE OTHERS
mote 1        00000007  ended      fw.elf     51.9    1.9     0  send           40.9
mote 2        00000007  ended      fw.elf     51.9    1.9     0  send           40.9
mote 3        00000007  ended      fw.elf     51.9    1.9     0  send           40.9
mote 4        00000007  ended      fw.elf     51.9    1.9     0  send           40.9
mote 5        00000007  ended      fw.elf     51.9    1.9     0  adc_read       47.2                 ×3.9 z 32.5 adc_re…
mote 6        00000007  ended      fw.elf     51.9    1.9     0  send           40.9
mote 7        00000007  ended      fw.elf     51.9    1.9     0  send           40.9
mote 8        00000007  ended      fw.elf     51.9    1.9     0  send           40.9
end
keys <
expect 2-4
NODE          ID        STATE      FIRMWARE  LOAD%  COST%  LOST  MOST TIME IN  SELF%  UNLIKE ITSELF  UNLIKE THE OTHERS▼
mote 5        00000007  ended      fw.elf     51.9    1.9     0  adc_read       47.2                 ×3.9 z 32.5 adc_re…
mote 1        00000007  ended      fw.elf     51.9    1.9     0  send           40.9
end
keys <Enter>
wait node 5/8
END
nodes 80x24 <<'END'
wait uart_write
keys (
wait 1 unlike
expect 1-3
 8 nodes: 0 live, 1 unlike the others
NODE         STATE     LOAD% LOST MOST TIME IN UNLIKE ITSELF UNLIKE THE OTHERS
mote 1       ended      51.9    0 send
end
keys q
wait node 1/8
END

# It is open when all ends.
screen -s 80x24 "$WSNTOP" "${ports[@]}" -e fw.elf --speed=max --theme=./test.ini <<'END'
wait uart_write
keys (
wait 1 unlike
signal TERM
exit 0
END
