#!/bin/bash
# A simulator as a source: an ordinary firmware in simavr. The flat view has the calls that -B counted, to the call;
# the time line has every call of the same two seconds.
. "$(dirname "$0")/lib.sh"
elf=$root/${O:-build}/sim/firmware/radio.elf
[ -f "$elf" ] || elf=$root/build/sim/firmware/radio.elf
[ -x "$(dirname "$WSNTOP")/wsntop-simavr" ] && [ -f "$elf" ] || skip "there is no wsntop-simavr; make sim"
source="simavr:atmega1284p@8M?pace=max&for=2"

"$WSNTOP" -B -p "$source" -e "$elf" -x "json:$work/batch.json" >/dev/null || fail "no batch run"
calls() {	# of a function, as the screen writes it
	python3 -c "import json, sys
print('{:,}'.format(next(f['calls'] for f in json.load(open(sys.argv[1]))['functions'] if f['name'] == sys.argv[2])))" \
		"$work/batch.json" "$1"
}
posts=$(calls task_post) starts=$(calls start_radio_task)
[ "${#posts}" -gt 5 ] && [ "${#starts}" -gt 5 ] || fail "few calls: $posts, $starts"

screen -s 100x30 "$WSNTOP" -p "$source" -e "$elf" <<END
wait read to its end
wait $posts
wait $starts
wait __vector_13 ISR
keys 0
wait handlers
wait calls, 100 % told
wait main     <main
keys Q
exit 0
END

# At four times real time the firmware's rates are its own: task_post runs half of its time, not twice of it.
screen -s 200x24 "$WSNTOP" -p "simavr:atmega1284p@8M?pace=4" -e "$elf" <<END
wait start_radio_task
wait LOAD%             50.
keys Q
exit 0
END
# A long name of what is watched is whole in the node view, and so are the stack's figures; charts are no wall.
screen -s 120x40 "$WSNTOP" -p "$source" -e "$elf" -w call:start_radio_task <<END
wait read to its end
keys 9
wait call:start_radio_task
wait 24 B, 16,312 B free
keys Q
exit 0
END
echo ok
