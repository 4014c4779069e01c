#!/bin/bash
# SWO on the screen: handlers with their calls and times in the flat view, sleep, their nesting and a comparator's values
# on the time line; without an image by the manuals' names.
. "$(dirname "$0")/lib.sh"
make_app
python3 "$here/swo.py" "$work/swo.bin" || fail "no stream"
cd "$work" || exit 1

# SysTick: 2,000 calls of 100 us (100 of them 102: two more from one handler to the next); one's end is missing
screen -s 100x24 "$WSNTOP" -p 'swo:file:swo.bin?clock=1M' -e app.elf <<'END_OF_SCRIPT'
wait SysTick
expect 1
swo:file:swo.bin  read to its end  127 kB  23.4k events  lost 1  image app.elf 100 %  format itm
end
expect 4-9
 SELF%               SELF▼     TOTAL   CALLS  PER CALL        MIN        MAX   SAMPLES  FUNCTION
  61.4  ████████    750 ms    750 ms       -         -          -          -     6,000  sample
  20.5  ██▋         250 ms    250 ms       -         -          -          -     2,000  send
  16.4  ██▏         200 ms    200 ms   2,000    100 us     100 us     102 us         0  SysTick ISR
   1.3  ▏          16.0 ms   16.0 ms     400   40.0 us    40.0 us    40.0 us         0  IRQ 3 ISR
   0.5  ▏          6.00 ms   6.00 ms     100   60.0 us    60.0 us    60.0 us         0  IRQ 9 ISR
end
# one that follows another at once, in the one that both interrupt
keys 0
wait following
keys /IRQ 9<Enter>
wait 0.000072 s
keys +++++++
wait 390 us of
expect 4-10
window 390 us of 2.00 s  2,500 calls, others not told  1 frame lost
calls/s      █]█████████████████████████████████████████████████████████████████████████████████████
             ▼     │0.00010 s │0.00015 s │0.00020 s │0.00025 s  │0.00030 s │0.00035 s │0.00040 s │
handlers     <SysTick                    ]··························································
           1 [IRQ 9      ]

main         ·······················································································
end
wait IRQ 9  in handlers, depth 1  from SysTick
wait begins 0.000072 s  takes 60.0 us  usual 60.0 us
wait begin stamped  end stamped
keys <Esc><End>
wait following
keys ------
wait comparator 1 =
END_OF_SCRIPT

# without an image; the share of sleep
screen -s 120x24 "$WSNTOP" -p 'swo:file:swo.bin?clock=1M' <<'END_OF_SCRIPT'
wait 50.0 % of the samples asleep
keys /SysTick<Enter>
wait 2,000
END_OF_SCRIPT
