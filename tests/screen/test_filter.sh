#!/bin/bash
# The filter in each view: what stays, what stands for the rest, and how much of how much the tabs tell.
. "$(dirname "$0")/views.sh"

wsntop 80x24 <<'END'
wait 6 functions
keys fcrc<Enter>
wait only crc: 1 of 6
wait 5 hidden by the filter

# callers and callees that do not pass are one line
keys 2
wait only crc: 1 of 3
expect 6-9
                                                                    ┌─ (1 other)
                 1.00 s       50  20.0 ms   18.3 ms   24.4 ms     1 send
  36.6 ██▋       366 ms      100  3.66 ms   1.83 ms   9.16 ms     2 ├─ crc16
                                                                    └─ (1 other)
end

# ways to what passes are open and dim; what leads nowhere is one line; below what passes all is there
keys <Esc>fsend<Enter>3
wait only send: 1 of 6
expect 5-9
TOTAL%            TOTAL     SELF    CALLS FUNCTION
 100.0 ██████    1.50 s        -        - ▾ main
  66.7 ████      1.00 s   573 ms       50   ▸ send
  33.3 ██        500 ms                       (1 other)

end
look main 100
look (1 100
keys G
keys k<Enter>
wait uart_write
keys I
wait bottom-up
expect 5-11
 SELF%            TOTAL      SELF    CALLS FUNCTION
  38.2 ██▎       1.00 s    573 ms       50 ▸ send
  24.4 █▌        366 ms    366 ms      300 ▾ crc16
  24.4 █▌        366 ms    366 ms      100   ▸ send
   4.1 ▎        61.0 ms   61.0 ms       50 ▾ uart_write
   4.1 ▎        61.0 ms   61.0 ms       50   ▸ send
  33.3 ██             -                      (2 others)
end

# on the line of the others no key does harm; a way is closed by hand
keys G<Enter><Right><Left>ly
keys 1GI<Esc>fcrc16<Enter>3I
wait only crc16: 1 of 6
wait ▾ main
keys g<Left>
wait ▸ main
keys <Right>
wait ▾ main
keys <Esc>fnowhere<Enter>
wait no function passes the filter
wait (1 other)

# boxes that do not pass are dim, and the title has the share of those that do
keys <Esc>fsend<Enter>4
wait only send: 1 of 6
wait matches: 66.7 %
look sample 100
keys 5
wait only send: 1 of 6
wait 1 function with durations

# the tag stands only where the filter does something
keys 6
gone only send
keys 7
wait only send: 0 of
keys 9
gone only send
keys ?
gone only send
keys Q
END
