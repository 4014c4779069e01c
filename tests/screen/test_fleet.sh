#!/bin/bash
# Pages of many nodes: functions over all nodes of a firmware, with the node where each is largest; a firmware against the
# one before, by ten nodes each.
. "$(dirname "$0")/views.sh"
command -v python3 >/dev/null || skip "python3 is not installed"
cd "$work" || exit 1
(cat fw.s; printf '\t.org 0x900\n\t.byte 7\n') >fw2.s
as -o fw2.o fw2.s && ld -Ttext=0 -e main -o fw2.elf fw2.o || exit 1

ports=()
for i in $(seq 20); do
	elf=fw.elf slower=1
	[ "$i" -le 10 ] || { elf=fw2.elf; slower=2; }
	[ "$i" != 3 ] || slower=4
	python3 "$here/wsn.py" record "n$i.rec" "$elf" refreshes=6 every=4 name="mote $i" "slower=$slower"
	ports+=(-p "n$i.rec")
done
nodes() {	# COLSxROWS
	screen -s "$1" "$WSNTOP" "${ports[@]}" -e fw.elf -e fw2.elf --speed=max --theme=./test.ini
}

nodes 120x24 <<'END'
wait uart_write
keys (
wait 20 nodes
keys <Tab>
wait functions over 10 nodes of fw2.elf
wait uart_write
expect 1-7
 functions over 10 nodes of fw2.elf
FUNCTION                                  NODES    CALLS  SELF%    P50    P99  P99/P50  LARGEST ON
send                                         10    3,000   40.9   40.9   40.9    ×1.00  40.9 mote 11
adc_read                                     10    6,000   28.3   28.0   28.0    ×1.00  28.3 mote 11
crc16                                        10   18,000   23.6   23.6   23.6    ×1.00  23.6 mote 11
sample                                       10    7,200    3.9    3.9    3.9    ×1.00   3.9 mote 11
uart_write                                   10    2,400    3.2    3.1    3.1    ×1.00   3.2 mote 11
end
keys <Left>
wait of fw.elf
expect 1-7
 functions over 10 nodes of fw.elf
FUNCTION                                  NODES    CALLS  SELF%    P50    P99  P99/P50  LARGEST ON
send                                         10    3,000   39.8   40.9   40.9    ×1.00  40.9 mote 1
crc16                                        10   18,000   23.0   23.6   23.6    ×1.00  23.6 mote 1
sample                                        9    7,200   17.6   20.1   20.1    ×1.00  20.1 mote 1
adc_read                                     10    6,000   16.6   12.1   12.1    ×1.00  47.2 mote 3
uart_write                                   10    2,400    3.1    3.1    3.1    ×1.00   3.2 mote 1
end
keys <Right><Tab>
wait with both
expect 1-7
 fw2.elf (10 nodes) against fw.elf before (10 nodes), 0 nodes with both
FUNCTION                                  BEFORE%   NOW%   CHANGE  FROM..TO         VERDICT   NODES
send                                         40.0   40.9   +0.0 %  +0.0..+0.0       same      10 against 10
adc_read                                     15.7   28.3  +97.9 %  +17.5..+233.2    dearer    10 against 10
crc16                                        23.1   23.6   +0.0 %  +0.0..+0.0       same      10 against 10
sample                                       20.1    3.9        -                   not sure
uart_write                                    3.1    3.2   +0.0 %  +0.0..+0.0       same      10 against 10
end
keys <Tab>
wait 20 nodes: 0 live
keys <S-Tab><S-Tab><Left>
wait over 10 nodes of fw.elf
keys <Down><Down><Down><Enter>
wait node 3/20
END
nodes 80x24 <<'END'
wait uart_write
keys (
wait 20 nodes
keys <Tab>
wait functions over 10 nodes of fw2.elf
wait uart_write
expect 1-3
 functions over 10 nodes of fw2.elf
FUNCTION                  NODES   CALLS SELF%   P50   P99 P99/P50 LARGEST ON
send                         10   3,000  40.9  40.9  40.9   ×1.00 40.9 mote 11
end
keys <Tab>
wait with both
expect 1-3
 fw2.elf (10 nodes) against fw.elf before (10 nodes), 0 nodes with both
FUNCTION         BEFORE%  NOW%  CHANGE FROM..TO        VERDICT  NODES
send                40.0  40.9  +0.0 % +0.0..+0.0      same     10 against 10
end
END
# One firmware alone.
screen -s 80x24 "$WSNTOP" -p n1.rec -p n2.rec -e fw.elf --speed=max --theme=./test.ini <<'END'
wait uart_write
keys (
wait 2 nodes
keys <S-Tab>
wait nothing to compare
expect 1-3
 a firmware against the one before

 All nodes run the same firmware: nothing to compare.
end
keys q
wait node 1/2
END
