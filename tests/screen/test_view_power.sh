#!/bin/bash
# The current beside the calls: a lane of the time line with the least, mean and greatest of every column, the node
# view's section, the columns of functions. A meter whose current was made of the exact trace; a model instead of it.
. "$(dirname "$0")/lib.sh"
R=$root/build/sim/firmware/radio.elf
[ -x "$(dirname "$WSNTOP")/wsntop-simavr" ] && [ -f "$R" ] || skip "there is no wsntop-simavr; make sim"
list_alone
node=(-p 'simavr:atmega1284p@8M?pace=max&for=3' -e "$R" -w radio_state)
"$WSNTOP" -B "${node[@]}" -x "trace:$work/trace" >/dev/null 2>&1 || fail "the trace"
python3 "$root/tests/sim/energy.py" make "$work/trace" "$work/a.csv" "$work/truth" --ahead=0.4137 || fail "the current"
cd "$work"

screen -s 120x40 "$WSNTOP" "${node[@]}" --power a.csv --volts=3.3 --battery=220mAh <<'END'
wait read to its end
wait UJ/CALL
wait ENERGY%
keys 9
wait by the current
wait S_TRANSMITTING: 22.3 mA
wait meter         text:a.csv (text)
wait current       15.5 mA in the mean, 0 A to 22.
wait energy        175 mJ: 53.0 mC at 3.3 V
# of sleep, so short and so little, some us of the alignment tell several uA
wait uA, 0.0 % of the energy
wait handlers      1
wait radio_state   S_STOPPED: 33
wait S_STARTED: too short to be told
wait a day         4425 J
wait battery       220 mAh: 0.6 days at this mean
keys 0
wait calls, 100 % told
keys ---------
wait S_TRANSMITTING
wait charge
wait aligned +-
wait by the current
wait max     2
wait mean
wait min
keys +++++
wait cursor
END

# A lane at any width, and zoomed to less than a sample.
screen -s 80x24 "$WSNTOP" "${node[@]}" --power a.csv <<'END'
wait read to its end
keys 0
wait calls, 100 % told
wait power       mean
keys -------------------
wait 3.00 s of 3.00 s
wait power       mean 17.7 mA, 3.00 uA to 22.
wait charge 53.0 mC  cursor 22.3 mA
wait max         ▂▁▁▁▁▁▁▁▁▁▁███████████████████████████████
wait mean        ▁▁▁▁▁▁▁▁▁▁▁▁
wait min         ▁▁▁▁▁▁▁▁▁▁▁▁
keys ++++++++++++++++++++++++++++++++++++
wait power       mean
keys 9
wait assumed: --volts tells it
wait S_TRANSMITTING: 22.3 mA
END

# Times of the past have their own: a second, then a window of two.
screen -s 120x40 "$WSNTOP" "${node[@]}" --power a.csv --volts=3.3 <<'END'
wait read to its end
keys 9
wait by the current
wait 3.41 s
keys [w[
wait WINDOW
wait Power, in the time shown
wait S_TRANSMITTING: 22.3 mA
keys 1
wait ENERGY%
END

# Estimates are marked everywhere.
printf 'active = 4.4 mA\nsleep = 3 uA\nradio_state = S_TRANSMITTING 17.4 mA\n' >board.ini
screen -s 80x24 "$WSNTOP" "${node[@]}" --power model:board.ini <<'END'
wait read to its end
wait ~21.8
keys 9
wait Power, estimated
wait estimates, nothing is measured
wait S_TRANSMITTING: ~21.8 mA
wait sleep         ~3.00 uA
wait V or --battery=220mAh
keys V
wait Battery (220mAh, 2Ah 3.3V):
keys fast<Enter>
wait expected a capacity, a voltage or both
keys <Esc>V
keys 2.2Ah,3.6V<Enter>
wait battery       2200 mAh: ~5.
wait ~5370 J
keys V
wait 2200mAh
keys <Esc>
keys 0
wait power       ~mean
keys -------------------
wait 3.00 s of 3.00 s
wait estimated by the model
wait max
wait min
END
echo ok
