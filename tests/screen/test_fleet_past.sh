#!/bin/bash
# Of ten nodes that live: one whose function begins to take longer is UNLIKE ITSELF; all are given another firmware, and each
# is compared with itself before.
. "$(dirname "$0")/views.sh"
command -v python3 >/dev/null || skip "python3 is not installed"
cd "$work" || exit 1
sed '/\.size main/a .org 0x150\n.byte 7' fw.s >fw2.s
as -o fw2.o fw2.s && ld -Ttext=0 -e main -o fw2.elf fw2.o || exit 1

mkfifo orders
exec 9<>orders
python3 "$here/motes.py" orders 10 fw.elf >there &
motes=$!
trap 'kill $motes 2>/dev/null; rm -rf "$work"' EXIT
until [ -s there ]; do sleep 0.05; done
ports=()
for i in $(seq 10); do ports+=(-p "unix:m$i"); done

screen -s 200x24 "$WSNTOP" -f wsn "${ports[@]}" -e fw.elf -e fw2.elf --theme=./test.ini <<'END'
wait node 1/10
run sleep 1; echo all 20 >orders
wait uart_write
keys (
wait 10 nodes
keys <Tab>
wait functions over 10 nodes of fw.elf
wait 60,000
run echo slower 3 4 >orders; echo all 20 >orders
keys <S-Tab>
wait 10 nodes: 0 live, 1 unlike the others, 1 unlike itself
wait ×5 z 50.3 adc_read         ×2.9 z 31.1 adc_read
keys <lt><lt>
idle
keys <Home><Enter>
wait node 3/10
keys (<Tab>
wait functions over 10 nodes of fw.elf
run echo elf fw2.elf 2 >orders; echo all 20 >orders
wait functions over 0 nodes of fw.elf
keys <Right>
wait functions over 10 nodes of fw2.elf
wait 60,000
keys <Tab>
wait 10 nodes with both
expect 1-7
 fw2.elf (10 nodes) against fw.elf before (10 nodes), 10 nodes with both
FUNCTION                                  BEFORE%   NOW%   CHANGE  FROM..TO         VERDICT   NODES
send                                         40.8   38.9   +0.0 %  +0.0..+0.0       same      10 before and now
adc_read                                     14.5   32.0   +142 %  +112.7..+174.4   dearer    10 before and now
crc16                                        23.6   22.5   +0.0 %  +0.0..+0.0       same      10 before and now
sample                                       20.1    3.9  -80.4 %  -80.4..-80.4     cheaper   9 before and now
uart_write                                    3.1    3.0   +0.0 %  -0.0..+0.0       same      10 before and now
end
keys qQ
exit 0
END
