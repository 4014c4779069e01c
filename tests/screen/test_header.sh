#!/bin/bash
# The lines on top: what is left out where it is narrow, and what never is.
. "$(dirname "$0")/lib.sh"
make_app
cd "$work" || exit 1
mkdir -p a-rather-long-directory/and-another
cp app.elf application-for-the-node.elf
report node >node.txt
cp node.txt a-rather-long-directory/and-another/
# A row is missing, and one is torn.
sed -e 's/:6:20:/:7:20:/' -e 's/430:500:50:4000/430:50@/' node.txt >torn.txt
cp torn.txt a-capture-with-quite-a-long-name.txt

screen "$WSNTOP" -p a-rather-long-directory/and-another/node.txt \
	-e application-for-the-node.elf <<'END'
wait uart_write
expect 1-3
node.txt  read to its end  image application-for-the-node.elf 100 %  report node
██████████████████████████████████████▒▒▒▒▒▒▒▒▒▒▒▒ profiled 75.0 %  other 25.0 %
no debug information: build with -g for lines and files
end
size 200x24
expect 1-2
a-rather-long-directory/and-another/node.txt  read to its end  170 B  6 events  no losses  image application-for-the-node.elf 100 %  format prof  report node
████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒ profiled 75.0 %  other 25.0 %
end
size 40x10
expect 1
node.txt  read to its end  image 100 %
end
keys q
END

# What was lost is said at any size.
screen "$WSNTOP" -p torn.txt -e application-for-the-node.elf <<'END'
wait adc_read
expect 1-2
torn.txt  read to its end  lost 3  image application-for-the-node.elf 100 %
██████████████████████████████████████▒▒▒▒▒▒▒▒▒▒▒▒ profiled 75.0 %  other 25.0 %
end
keys q
END
screen -s 40x10 "$WSNTOP" -p a-capture-with-quite-a-long-name.txt -e app.elf <<'END'
wait adc_read
keys Z
wait FROZEN
expect 1
a-capture-with-quite-…  lost 3   FROZEN
end
keys q
END

# A warning stands where a note stood, and begins with what it is about.
sed 's/0:/3:/' node.txt >wrong.txt
screen "$WSNTOP" -f prof -p wrong.txt -e "$work/app.elf" <<'END'
wait is not the firmware that runs
expect 3
app.elf is not the firmware that runs; give the ELF that was flashed: only 50 %…
end
look firmware 231 on 160 bold
size 40x10
expect 2
app.elf is not the firmware that runs; …
end
look firmware 231 on 160 bold
keys q
END

# The tabs keep their names, whatever else there is to tell; a long pattern takes a third of the first line.
screen "$WSNTOP" -f prof -p node.txt -p torn.txt -e app.elf -e app.elf --filter=adc <<'END'
wait node 1/2
keys /a-pattern-that-is-rather-long<Enter>Z
expect 1
node.txt  node 1/2  read to its end          FROZEN   only adc: 1 of 6  /a-patt…
end
expect 4
 1flat 2callers 3tree 4flame 5hist 6source 7console 8diff 9node 0time elog ?
end
keys q
END

# Where the time goes: as much of it in words as there is room for, and nothing on a small screen.
command -v python3 >/dev/null || exit 0
python3 "$here/wsn.py" record node.rec app.elf refreshes=12 every=4
screen "$WSNTOP" -p node.rec -e app.elf --speed=max <<'END'
wait end of recording
expect 2
█████▒▒░░░░░░░ handlers  0  profiled 39  other 11  profiling cost  2  sleep 48 %
end
size 120x24
expect 2
██████████████▒▒▒▒▄░░░░░░░░░░░░░░░░░ handlers  0.0 %  profiled 38.7 %  other 11.3 %  profiling cost  1.9 %  sleep 48.1 %
end
size 70x24
expect 2
█████▒▒░░░░░░░ handlers  0  profiled 39  other 11  cost  2  sleep 48 %
end
size 59x24
gone profiled 39
size 80x13
gone profiled 39
keys q
END
screen -e LC_ALL=C "$WSNTOP" -p node.rec -e app.elf --speed=max <<'END'
wait end of recording
expect 2
#####::....... handlers  0  profiled 39  other 11  profiling cost  2  sleep 48 %
end
ascii
keys q
END

# Tasks are told apart in what is profiled, in tones of their own; at 80 columns the largest alone has its name.
python3 "$here/wsn.py" record tasks.rec app.elf refreshes=12 every=4 tasks=1
screen "$WSNTOP" -p tasks.rec -e app.elf --speed=max <<'END'
wait end of recording
expect 2
     ▒▒░░░░░░░ handlers  0  profiled 39 (send 26)  other 11  cost  2  sleep 48 %
end
look send 16 on 110
size 120x24
expect 2
send     main ▒▒▒▒░░░░░░░░░░░░░░░░░ handlers  0  profiled 39 (send 26, main 13)  other 11  profiling cost  2  sleep 48 %
end
look main 16 on 108
size 200x24
wait profiled 38.7 % (send 25.8 %, main 12.9 %)  other
size 70x24
expect 2
     ▒▒░░░░░░░ handlers  0  profiled 39  other 11  cost  2  sleep 48 %
end
keys q
END

# Hooks whose time the node does not take back (features without TAKEN_BACK): the cost is in the times.
python3 "$here/wsn.py" record within.rec app.elf refreshes=12 every=4 features=1799
screen -s 120x24 "$WSNTOP" -p within.rec -e app.elf --speed=max <<'END'
wait end of recording
wait incl. profiling cost
expect 2
████████████▒▒▒░░░░░░░░░░░░░░░ handlers  0.0 %  profiled 38.7 %  other 11.3 %  incl. profiling cost  1.9 %  sleep 50.0 %
end
keys q
END

# A recording of which a part cannot be read has losses.
python3 -c "
data = bytearray(open('node.rec', 'rb').read())
for i in range(len(data) // 2, len(data) // 2 + 120):
    data[i] ^= 0x5a
open('damaged.rec', 'wb').write(data)"
screen -s 100x24 "$WSNTOP" -p damaged.rec -e app.elf --speed=max <<'END'
wait end of recording
wait left out 533 B
gone no losses
keys q
END
