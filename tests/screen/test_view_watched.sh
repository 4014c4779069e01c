#!/bin/bash
# A task that keeps posting itself (sim/radio), found on the time line: the states of the radio by their names beside
# the calls, the task thousands of times between them; nothing of wsntop is in the firmware.
. "$(dirname "$0")/lib.sh"
R=$root/build/sim/firmware/radio.elf
[ -x "$(dirname "$WSNTOP")/wsntop-simavr" ] && [ -f "$R" ] || skip "there is no wsntop-simavr; make sim"

screen -s 120x40 "$WSNTOP" -p 'simavr:atmega1284p@8M?pace=max&for=2' -e "$R" -w radio_state -w tasks.count <<'END'
wait read to its end
wait start_radio_task
keys 0
wait calls, 100 % told
keys ---------
wait S_TRANSMITTING
expect 16-19
tasks.count     ▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂█▁▂
             4  ██████████████████████████████████████████████████████████████████████████████████████████████████████ █
             0                                                                                                         █
radio_state     |S_TRANSMITTING                                                                                      | |
end
keys /^start_radio_task<Enter>
wait start_radio_task  in main
END
echo ok
