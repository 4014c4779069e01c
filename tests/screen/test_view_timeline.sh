#!/bin/bash
# The time line of a recorded trace at three sizes: lanes, boxes, calls that were counted or lost, the
# console; moving from call to call, zoom, search, the next call that takes longer than usual, the mark.
. "$(dirname "$0")/lib.sh"
need_traced
"$made" traced.rec || fail "no recording"

timeline() {	# SIZE; the script on standard input
	screen -s "$1" "$WSNTOP" -p traced.rec -e traced.elf --speed=max
}

timeline 80x24 <<'END'
wait end of recording
keys 0-
wait following
expect 4-22
window 20.0 ms of 20.0 s  following  115,010 calls, 64.82 % told  7 frames lost
calls/s  █████████████████████████████████████████████████████████████████████[█
                     ▼19.995 s         │20.000 s         │20.005 s         │
console
handlers ··▁·············▁·············▂·············▁··············▁···········

main     ··········▂█▃··························································

task 1   ·······································································





link_poll  in main, depth 0
begins 19.994872 s  takes 24.0 us  usual 24.0 us  (median of 21 around it)
calls in it 0  begin stamped  end stamped

▃ share of short calls  · idle
end
# a function is searched; into its call, to a callee, out again
keys /^bundle_task<Enter>
wait 0.019576 s
keys +++
wait 2.50 ms of
expect 4-22
window 2.50 ms of 20.0 s  115,010 calls, 64.82 % told  7 frames lost
calls/s  █]█████████████████████████████████████████████████████████████████████
             │0.0185 s      │0.0190 s     │ ▼           │0.0200 s     │0.0205 s
console
handlers ···············································▃▇▁·····················

main     ······················[samp…task]··[bundle_task              ]·········
       1                        ▇(smoo…) █   (bun…rite)   (link_send )
       2                          ▃▅▆▇▅▃      █▅▆█▃█▃█▄    ▇▄(c) ▂█▁▆▅
       3

task 1   ······································································▃


bundle_task  in main, depth 0
begins 0.019576 s  takes 936 us  usual 856 us  (median of the first 52)
calls in it 14  interrupted 44.0 us  begin stamped  end stamped

[ ] stamped  ( ) interpolated  ▃ share of short calls  · idle
end
keys <Enter><Down><Down>
wait from bundle_write
expect 4-22
window 994 us of 20.0 s  115,010 calls, 64.82 % told  7 frames lost
calls/s  █]█████████████████████████████████████████████████████████████████████
            │ ▼            │0.0198 s     │0.0200 s     │0.0202 s     │0.0204 s
console
handlers ································▆▃[)···································

main     ··[bundle_task                                                     ]···
       1     (bundle_write           )        (link_send                  )
       2      (crc) (cr)  (cr)  (cr)            (p)   (copy…)   (c)   (qu)
       3        ()   ()    ()    ()

task 1   ·······································································


crc16  in main, depth 2  from bundle_write  < bundle_task
begins 0.019630 s  takes ~57.0 us  usual ~56.0 us  (median of 88 around it)
calls in it 1  begin interpolated  end interpolated

[ ] stamped  ( ) interpolated  ▃ share of short calls  · idle
end
keys u<Esc>
wait 2.50 ms of
# up to the caller; along the row; the next call of the function under the cursor
keys <Up><Right>
wait link_send  in main, depth 1
keys <Up>nn
expect 18-19
bundle_task  in main, depth 0
begins 0.063168 s  takes 880 us  usual 856 us  (median of the first 52)
end
# the next call of link_send that takes 1.5 times its usual time or more
keys <Home>/^link_send<Enter><Esc>
wait link_send  in main, depth 1
keys d
wait times its usual
expect 4-22
window 2.50 ms of 20.0 s  115,010 calls, 64.82 % told  7 frames lost
calls/s  █]█████████████████████████████████████████████████████████████████████
                    │0.2020 s     │0.2025 s ▼   │0.2030 s      │0.2035 s     │
console
handlers ····································································▃··

main     ··········[samp…task]··[bundle_task                                   >
       1            ▇(smoo…) █   (bun…rite) (link_send                         >
       2              ▃▅▆▇▅▃      ▆▇▄█▃█▃█▆  ▆▅(c) ▁█▂▅▅▂█▁(c) ▅▆▁█▂▅▆(c) ▁█▂ ▆▅
       3

task 1   ·······································································
       1

link_send  in main, depth 1  from bundle_task
begins 0.202847 s  takes ~1.26 ms  3.06 times its usual ~410 us  (median of the…
calls in it 12  interrupted 13.0 us  begin interpolated  end interpolated

[ ] stamped  ( ) interpolated  < > goes on  ▃ share of short calls  · idle
end
# the mark, and the time from there
keys m]]<Right>
wait cursor behind it by
expect 4-22
window 2.50 ms of 20.0 s  115,010 calls, 64.82 % told  7 frames lost
calls/s  █]█████████████████████████████████████████████████████████████████████
         ▼          │0.2045 s     │0.2050 s     │0.2055 s      │0.2060 s     │
console
handlers ·······································································

main     <······································································
       1 <
       2
       3

task 1   ·········[tcp_poll]····················································
       1             ()  ▁

link_send  in main, depth 1  from bundle_task
begins 0.202847 s  takes ~1.26 ms  3.06 times its usual ~410 us  (median of the…
calls in it 12  interrupted 13.0 us  begin interpolated  end interpolated
mark at 0.202847 s  cursor behind it by 0 s
[ ] stamped  ( ) interpolated  < > goes on  ▃ share of short calls  · idle
end
# to the begin of the trace: a box; all of it: frames were lost
keys <Home>/^fib$<Enter>
expect 4-22
window 2.50 ms of 20.0 s  115,010 calls, 64.82 % told  7 frames lost
calls/s  █]█████████████████████████████████████████████████████████████████████
         │0.0000 s    ▼│0.0005 s     │0.0010 s     │0.0015 s     │0.0020 s
console             ▾sample 0
handlers ·······································································

main     [samp…task]··[fib_task                                                >
       1 ▁█(smo…) ▃▇  (= 465 calls in fib =====================================>
       2    ▆▅▅▆▇
       3

task 1   ·······································································
       1

fib  in main, depth 1  from fib_task
begins 0.000492 s  takes ~3.22 ms  70.7 times its usual ~45.5 us  (median of 22…
465 calls: counted by the node, not told  begin interpolated  end interpolated
mark at 0.202847 s  cursor before it by 202.355 ms
[ stamped  ( interpolated  > goes on  ▃ short calls  = not told  · idle
end
keys -------------
wait 20.0 s of 20.0 s
expect 4-22
window 20.0 s of 20.0 s, coarse  115,010 calls, 64.82 % told  7 frames lost
calls/s  ███████████████████████████████████████████████████████████████████████
         ▼0 s   │2 s   │4 s   │6 s   │8 s   │10 s  │12 s  │14 s  │16 s  │18 s  │
console  ▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾▾
handlers ███████████████████████████████████████████████████████████████████████
   0.5 % ███████████████████████████████████████████████████████████████████████

main     █████████████▇▇▇▇▇▇▇██████████████████████████████████████████████████▇
   9.4 % ████████████x██████x████████████x█████x████████████x██████x█████x██████

task 1   ▆▂▅▁▁▆▁▆▁▁▆▁▆▂ ▆▁▆▁▁▇▁▆ ▁▆▁▄▂▁█▁▆▁▂▅▁▇▁▆▂▁▆▂▆▂▆ ▂▆▁▆ ▁▇▁▆▂ ▆▁▆▂▁▆▂▆▁▆▁▁
   1.4 % ███████████████████████▇███████████████████████▇████▇█████▇████████████


fib  in main, depth 1  from fib_task
begins 0.000492 s  takes ~3.22 ms  73.1 times its usual ~44.0 us  (median of th…
465 calls: counted by the node, not told  begin interpolated  end interpolated
mark at 0.202847 s  cursor before it by 202.355 ms
▃ share of short calls  xxx lost  · idle
end
# two marks by dragging, the time between them; to it, and a time that is typed
keys <Home>/^bundle_task<Enter><Esc>+++++++++++++
wait 2.44 ms of
drag 20 10 60 10
wait between them
expect 6
                  M▼ │0.0200 s     │0.0205 s      │0.0210 sM     │0.0215 s     │
end
expect 21
marks at 0.019916 s  and 0.021327 s  between them 1.411 ms
end
keys w
wait 1.50 ms of
keys m
wait mark at 0.019576 s
keys m
wait marks cleared
keys @5.25<Enter>
wait 5.250000 s
keys @+0.5<Enter>
wait 5.750
keys @99<Enter>
wait end of the trace
keys @start<Enter>
wait 0.000000 s
keys --------------
wait 20.0 s of
# a row of short calls: to the lane above
keys <Home><PgUp>
wait timer_tick  in handlers, depth 0
keys <Esc>N
wait no call of this function before it
keys /nothing<Enter>
wait no match for /nothing
# the last one; a function's next call ends the search, a name goes on from the other end
keys <Esc>@end<Enter>
wait 20.0113
keys /^retransmit<Enter>
wait retransmit  in task 1
wait begins 0.065135 s
keys N
wait begins 19.436603 s
keys n
wait begins 0.065135 s
keys N<Esc>
wait begins 19.436603 s
keys n
wait no call of this function behind it
wait begins 19.436603 s
keys d
wait no later call of this function takes 1.5 times its usual
keys <Esc><End>
wait following
# the wheel zooms at the pointer; a click puts the cursor there
click 40 9 4
wait 10.0 s of
gone following
keys <Esc><Home>/^bundle_task<Enter>++++++++++++
wait 2.44 ms of
click 30 11
wait link_send  in main, depth 1
keys q
END

# Above the first row the console's lines: from one to the next, marks at two of them, what ran between.
timeline 120x40 <<'END'
wait end of recording
keys 0-
wait following
keys -----<PgUp><Up>
wait sample 1728  arrived at 19.949410 s
keys m<Left><Left>m
wait sample 1712  arrived at 19.751730 s
wait marks at 19.751730 s  and 19.949410 s  between them 197.680 ms
wait WHAT RAN between the marks
# a line before the window
keys <Left><Left><Left><Left><Left>
wait sample 1680  arrived at 19.
wait window 640 ms of 20.0 s
# down: to the call there
keys <Down>
gone arrived at
wait begins 19.3
# by a click on its text
click 90 10
wait sample 1688  arrived at
keys <Home>
gone arrived at
keys q
END

# Low: lanes, and two lines of facts.
timeline 60x14 <<'END'
wait end of recording
keys 0-
wait link_poll  in main
keys /^bundle_task<Enter>+++
wait 0.0200 s
expect 3-14
 1  2  3  4  5  6  7  8  9  0 time line  e  ?
            │0.0185 s │0.0190 s │ ▼        │0.0200 s │
handlers ··································▅▃···············
main     ················[sampl…]·[bundle_task      ]·······
       1                 ▃(smo) ▇  (bund…)  (link_…)
       2                   ▅▅▅▅    ▄▇▆▄█▄▆   █() ▂▆▄
       3
task 1   ··················································▂
bundle_task  in main, depth 0
begins 0.019576 s  takes 936 us  usual 856 us  (median of t…
12:00:00 ███!▇!█!█!█!█!██! 12:00:20  end of recording
n next  N previous  Esc clear  + zoom  - out  @ go to
end
END

timeline 120x40 <<'END'
wait end of recording
keys 0-
wait following
keys /^bundle_task<Enter>+++m
wait mark at
expect 4-38
window 2.50 ms of 20.0 s  115,010 calls, 64.82 % told  7 frames lost
calls/s   3.95k █]███████████████████▇██████████████████████████████████████████████████████████████████████████████████
handlers  0.5 % ████████████████████████████████████████████████████████████████████████████████████████████████████████
main      9.4 % ████████████████████████████████████████████████████████████████████████████████████████████████████████
task 1    0.9 % ████████████████████████████████████████████████████████████████████████████████████████████████████████
                       │0.0185 s            │0.0190 s           │   ▼                │0.0200 s            │0.0205 s
console
handlers        ·····································································▃▄█································

main            ································[sample_task    ]···[bundle_task                         ]··············
              1                                   █▆(smooth ) ▁█▅    (bundle_write )    (link_send      )
              2                                      ▄▆▅▅▆▄▇▃         () () (c) ()       ▄█▄ (co)  ▆█▁▂█▆
              3                                                       ▁█  ▆  ▃▇ ▁█

task 1          ·······································································································▄

RHYTHM bundle_task                                          WHERE ITS TIME WENT bundle_task, 936 us
52 calls     LEAST  MEDIAN    MEAN     P95     P99    MOST  uart_sent in handlers: 30.0 us more than usual, 1 call for …
duration    856 us  856 us  916 us 1.67 ms 1.70 ms 1.70 ms                   CALLS  USUAL      TIME     USUAL      MORE
   856 us █▂·▁······························▁·▁ 1.70 ms     uart_sent in h…      1 0.0312   31.0 us    969 ns  +30.0 us
interval   12.5 ms 23.7 ms 23.5 ms 33.0 ms 36.0 ms 36.0 ms  itself                           120 us   91.8 us  +28.2 us
  12.5 ms ▂▄·▅▂▄▇▂▂·▂▂▂·▅▄▂▄▄▄·▅▅█▂··▂▄▂▄▂·▂··▂ 36.0 ms     timer_tick in …      1  0.188   13.0 us   2.44 us  +10.6 us
period 23.7 ms  phase 19.6 ms  jitter 23.4 ms               bundle_write         1      1    358 us    356 us  +1.84 us
                                                            link_send            1      1    414 us    413 us  +1.16 us






bundle_task  in main, depth 0
begins 0.019576 s  takes 936 us  usual 856 us  (median of the first 52 calls)
calls in it 14  interrupted 2 times, 44.0 us  begin stamped  end stamped
mark at 0.019576 s  cursor behind it by 0 s
[ ] stamped  ( ) interpolated  ▃ share of short calls  · idle
end
keys ]]]<Right>
expect 4-38
window 2.50 ms of 20.0 s  115,010 calls, 64.82 % told  7 frames lost
calls/s   3.95k █]███████████████████▇██████████████████████████████████████████████████████████████████████████████████
handlers  0.5 % ████████████████████████████████████████████████████████████████████████████████████████████████████████
main      9.4 % ████████████████████████████████████████████████████████████████████████████████████████████████████████
task 1    0.9 % ████████████████████████████████████████████████████████████████████████████████████████████████████████
                  │0.0240 s           │0.0245 s            │0.0250 s            │0.0255 s            │      ▼
console
handlers        ··▅·····································································································

main            ····························································································[samp…_task>
              1                                                                                               ▆▇(smooth>
              2                                                                                                  ▂█▃▇▄▆▅
              3

task 1          ········································································································
              1

RHYTHM sample_task                                          WHERE ITS TIME WENT sample_task, 408 us
73 calls     LEAST  MEDIAN    MEAN     P95     P99    MOST  as long as usual
duration    408 us  408 us  411 us  432 us  488 us  488 us                   CALLS  USUAL      TIME     USUAL      MORE
   408 us █·········▁·························▁ 488 us      timer_tick in …      0  0.104       0 s   1.35 us  -1.35 us
interval   4.82 ms 11.1 ms 11.6 ms 18.2 ms 19.5 ms 19.5 ms  uart_sent in h…      0 0.0417       0 s   1.29 us  -1.29 us
  4.82 ms ▃·█·▃▄·▅▂▃▃·▇·▅▅·▆▂▆▄▂▂·▄▂▃▄·▅▂▂▃··▃▂ 19.5 ms     smooth               1      1    222 us    223 us   -854 ns
period 11.1 ms  phase 3.94 ms  jitter 14.6 ms               adc_read             1      1   40.0 us   40.5 us   -542 ns
this call: 7.07 ms after the one before, 4.05 ms early      put_sample           1      1   40.0 us   40.4 us   -417 ns
                                                            itself                           106 us    106 us   -375 ns




sample_task  in main, depth 0
begins 0.026184 s  takes 408 us  usual 408 us  (median of the first 73 calls)
calls in it 7  begin stamped  end stamped
mark at 0.019576 s  cursor behind it by 6.608 ms
[ ] stamped  ( ) interpolated  < > goes on  ▃ share of short calls  · idle
end
END

timeline 200x60 <<'END'
wait end of recording
keys 0-
wait following
keys /retransmit<Enter>++
wait retransmit  in task 1
expect 4-58
window 5.00 ms of 20.0 s  115,010 calls, 64.82 % told  7 frames lost
calls/s   3.95k █]███████████████████████████████████▇██▇██▇███▇████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████
handlers  0.5 % ████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████
main      9.4 % ███████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████▇
task 1    0.9 % ▇██████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████▇
                             │0.0630 s         │0.0635 s          │0.0640 s         │0.0645 s          │    ▼            │0.0655 s         │0.0660 s          │0.0665 s         │0.0670 s          │
console
handlers        ··················································▄·····································································································································

main            ··[sample_task  ]··[bundle_task                   ][fib]································································································································
              1    ▅█(smooth) ▂█▃   (bundl…write) (link_send    )    ▆█
              2       ▄▅▇▃█▄▅        () () () ()   ▃█▃(co)  ▇▇ ▆█
              3                       ▇  █ ▁█ ▁█

task 1          ···································································[tcp_poll                                               ]····························································
              1                                                                            (cop…ytes)       (retransmit            )















RHYTHM retransmit                                                 WHERE ITS TIME WENT retransmit, 663 us                            WHAT RAN in the window
29 calls      LEAST   MEDIAN     MEAN      P95      P99     MOST  as long as usual                                                  main 27.7 %  handlers 0.26 %  task 1 30.9 %  29 calls
duration     660 us   663 us   665 us   691 us   691 us   691 us                        CALLS  USUAL      TIME     USUAL      MORE                                          CALLS      SELF     LOAD%
   660 us ▃··█···▁·······························▂ 691 us         itself                                663 us    666 us  -2.57 us  retransmit                                  1    663 us      13.3
interval     621 ms   694 ms   692 ms   722 ms   733 ms   733 ms                                                                    tcp_poll                                    1    616 us      12.3
   621 ms ▃·····▃···▆·····▆·▃▃▆▆·▆··▃·▃·▃▃▆██▃···▃ 733 ms                                                                           copy_bytes in task 1                        1    265 us       5.3
period 694 ms  phase 65.1 ms  jitter 111 ms                                                                                         put_var                                     8    230 us       4.6
                                                                                                                                    link_send                                   1    170 us       3.4
                                                                                                                                    bundle_write                                1    128 us       2.6
                                                                                                                                    crc16                                       4    110 us       2.2
                                                                                                                                    bundle_task                                 1    108 us       2.2
                                                                                                                                    sample_task                                 1    106 us       2.1
                                                                                                                                    smooth                                      1    106 us       2.1
                                                                                                                                    copy_bytes in main                          1    103 us       2.1
                                                                                                                                    fib_task                                    1   68.0 us       1.4
                                                                                                                                    pool_get                                    1   46.0 us       0.9
                                                                                                                                    checksum                                    1   44.0 us       0.9
                                                                                                                                    bundle_task interrupted by timer_tick in handlers: 1 time, 13.0 us

retransmit  in task 1, depth 1  from tcp_poll
begins 0.065135 s  takes ~663 us  usual ~663 us  (median of 29 calls around it)
calls in it 0  begin interpolated  end interpolated

[ ] stamped  ( ) interpolated  ▃ share of short calls  · idle
end
END

# ASCII stand-ins.
screen -s 80x24 -e LC_ALL=C "$WSNTOP" -p traced.rec -e traced.elf --speed=max <<'END'
wait end of recording
keys 0-
wait following
keys /^bundle_task<Enter>++
wait 5.00 ms of
expect 4-22
window 5.00 ms of 20.0 s  115,010 calls, 64.82 % told  7 frames lost
calls/s  #]#####################################################################
                      |0.018 s      |0.019 sv     |0.020 s      |0.021 s      |
console
handlers .........................................--............................

main     ............................[sam~].[bundle_task].......................
       1                              +(s). (bun)  (lin~)
       2                               =+*   ****  .=#+*+

task 1   .....................................................[tc]..............
       1                                                       +%_


bundle_task  in main, depth 0
begins 0.019576 s  takes 936 us  usual 856 us  (median of the first 52)
calls in it 14  interrupted 44.0 us  begin stamped  end stamped

[ ] stamped  ( ) interpolated  bars: short calls  . idle
end
END

# The longest call of a function: from a list, by {enter} where it is sorted by the maximum, by a click.
timeline 80x24 <<'END'
wait end of recording
keys /link_send<Enter>X
wait link_send  in main, depth 1
expect 18-19
link_send  in main, depth 1  from bundle_task
begins 1.799946 s  takes ~1.31 ms  3.19 times its usual ~410 us  (median of 42 …
end
# panels: the function's rhythm, where the call's time went, none
keys ||
wait WHERE ITS TIME WENT link_send
expect 13-17
itself: 338 us more than usual
                                     CALLS  USUAL      TIME     USUAL      MORE
itself                                               510 us    172 us   +338 us
copy_bytes                               3      1    315 us    105 us   +210 us

end
keys |
wait WHAT RAN
keys |
wait no panels
keys |
wait panels: as many as fit
# back to the list, at the function of the call that was chosen there
keys <Left><Right><Up>1
wait 22 functions
look bundle_task default on 24
keys smax<Enter>
wait MAX▼
keys /retransmit<Enter><Enter>
wait retransmit  in task 1, depth 1  from tcp_poll
keys q
wait MAX▼
click 65 5
click 65 5
wait 465 calls in fib
keys 5/timer_tick<Enter><Enter>
wait timer_tick  in handlers, depth 0
END

timeline 120x40 <<'END'
wait end of recording
keys /crc16<Enter>
wait of the trace: X shows it
click 80 21
wait crc16  in main, depth 2
END

# A node that sends no trace.
report app >app.txt
make_app
screen -s 80x24 "$WSNTOP" -f prof -p app.txt -e app.elf <<'END'
wait 6 functions
keys 0
wait no call trace
expect 4-12
 1flat 2callers 3tree 4flame 5hist 6source 7console 8diff 9node 0time elog ?





   no call trace: the node does not send one
   Build its firmware through wsntop as --trace, with WSNPROF_TRACE defined:
   it then sends every call and return, which are shown here in order.
end
END

# The node next to it sends one.
screen -s 80x24 "$WSNTOP" -p app.txt -e app.elf -p traced.rec -e traced.elf --speed=max <<'END'
wait 6 functions
keys 0
wait The node "mote 7" sends one: ) shows the next node.
keys )
wait window 10.0 ms of 20.0 s  following
END

command -v python3 >/dev/null || skip "python3 is not installed"
# A node that lives: the end is followed; a cursor that was moved, and a frozen screen, stay.
mkfifo orders
python3 "$here/peer.py" socket orders &
peer=$!
trap 'kill $peer 2>/dev/null; rm -rf "$work"' EXIT
exec 9<>orders
until [ -S socket ]; do sleep 0.05; done
parts() {	# FILE.rec SECONDS...: part.1 up to the first of them, and so on
	python3 - "$@" <<'END_PYTHON'
import struct
import sys

data, ends, at, parts = open(sys.argv[1], "rb").read(), [int(s) * 10**9 for s in sys.argv[2:]], 16, {}
while at < len(data):
    time, length = struct.unpack_from("<QI", data, at)
    number = sum(time >= end for end in ends)
    parts[number] = parts.get(number, b"") + data[at + 12:at + 12 + length]
    at += 16 + length
for number, part in parts.items():
    open(f"part.{number + 1}", "wb").write(part)
END_PYTHON
}
parts traced.rec 4 8 12
screen -s 80x24 "$WSNTOP" -p unix:socket -e traced.elf <<'END'
run echo accept >orders
run echo file part.1 >orders
keys 0
wait of 3.98 s
wait following
keys -
wait begins 3.969688
keys <Left><Left>
gone following
wait sample_task  in main
run echo file part.2 >orders
wait of 8.00 s
wait sample_task  in main
keys <End>
wait following
wait begins 7.994600
# frozen
keys Z
wait frozen
run echo file part.3 >orders
pause 1000
wait begins 7.994600
keys Z
wait following
wait begins 11.9
# from the trace's begin, and a time behind what came so far
keys @start<Enter>
wait 0.000000 s
gone following
keys @+100ms<Enter>
wait 0.100
keys @50%<Enter>
wait 6.0
keys @-1s<Enter>
wait 5.0
END

# The README has the picture of the long call.
sed -n '/^    window /,/^    \[ \] stamped/s/^    //p' "$root/README.md" >picture
[ "$(wc -l <picture)" -gt 12 ] || fail "the README has no picture of the time line"
while IFS= read -r line; do
	grep -qxF -e "$line" "$here/test_view_timeline.sh" || fail "README: the time line shows no \"$line\""
done <picture
