#!/bin/bash
# A recording that another wsntop still writes is followed: at its end it waits for more, until the recorder ends.
. "$(dirname "$0")/lib.sh"
export TZ=UTC
make_app
cd "$work" || exit 1

for calls in 100 200 300 400 500; do
	report demo $calls >$calls.txt && echo >>$calls.txt
done
mkfifo feed
sleep 1000 >feed &		# more may come
more=$!
"$WSNTOP" -B -f prof -p feed -e app.elf -r live.wsnrec >batch.txt 2>&1 &
recorder=$!
trap 'kill $more $recorder 2>/dev/null; rm -rf "$work"' EXIT
printf 'on\n' >feed
until [ -s live.wsnrec ] && [ "$(stat -c %s live.wsnrec)" -gt 16 ]; do sleep 0.1; done
cat 100.txt >feed

for size in 80x24 120x40; do
	first=$([ $size = 80x24 ] && echo 100 || echo 500)
	screen -s $size "$WSNTOP" -f prof -p live.wsnrec --speed=max -e app.elf <<-END
		wait still being recorded
		wait $first
		keys 9
		wait following: still being recorded
		keys 1
		$([ $size = 80x24 ] && cat <<-'STEPS'
			run cat 200.txt >feed
			wait    200
			wait > following
			# paused it stays, and goes on behind what came meanwhile
			keys <Space>
			wait || paused
			run cat 300.txt >feed
			pause 1500
			wait    200
			keys <Space>
			wait    300
			wait > following
			# back, and to the end again
			keys [[
			wait || paused
			keys @end<Enter>
			wait    300
			run cat 400.txt >feed
			run cat 500.txt >feed
			keys L
			wait    500
			wait > following
			# and sleeps, when the rate in the header has settled
			pause 2500
			bytes 99999
			quiet 300
		STEPS
		)
		keys Q
		exit 0
	END
done

# Its end: read to the last byte.
screen "$WSNTOP" -f prof -p live.wsnrec --speed=max -e app.elf <<END
wait > following
run kill $more
wait end of recording
gone still being recorded
keys Q
exit 0
END
wait $recorder || fail "the recorder: $(cat batch.txt)"
