#!/bin/bash
# Long names: how they are shortened in the lists, where the selected one is in full, and scrolling them.
. "$(dirname "$0")/views.sh"
cd "$work" || exit 1

# Functions of these linker names in named.elf, each called once from main, and a report in named.txt.
make_named() {
	local i=0 name
	{
		echo ".text; .globl main; .type main, @function; main:"
		for name in "$@"; do echo "call $name"; done
		echo "ret; .size main, . - main"
		for name in "$@"; do
			echo ".org $((++i * 64 + 960)); .globl $name; .type $name, @function"
			echo "$name: .rept 32; nop; .endr; ret; .size $name, . - $name"
		done
	} >named.s
	as -o named.o named.s && ld -Ttext=0 -e main -o named.elf named.o ||
		skip "no assembler for this machine"
	i=0
	echo "PROF:named:$#:20:65536:32768"
	for name in "$@"; do
		printf '%x:%x:%d:%d:20:400\n' $((i * 5 + 5)) $((++i * 64 + 960)) 10 $((5000 - i * 100))
	done
	echo
}

named() {	# SIZE, options
	local size=$1
	shift
	screen -s "$size" "$WSNTOP" -p named.txt -e named.elf --theme=./test.ini "$@"
}

ns=35very_long_namespace_of_the_firmware
make_named process_thread_led_test process_thread_led_blink process_thread_led_blink2 \
	_ZN${ns}10Controller4stepEv _ZN${ns}10Controller4stopEv \
	_ZN${ns}10Controller24process_event_from_queueEv _ZN${ns}6Driver24process_event_from_queueEv \
	_ZN${ns}4RingIjE4pushEv _ZN${ns}4RingIcE4pushEv _ZN${ns}4RinglsERKS0_ \
	_ZN${ns}27MessageQueueOfTheDispatcherIjNS_4RingIhEEE23take_the_oldest_messageEv >named.txt

# The namespace is left out; rows that would read the same show what differs; the selected name is below
# the list in full, where that shows less of it.
printf '%s\n' [columns] 'flat = calls function:22' >columns.ini
named 80x24 --config=columns.ini <<'END'
wait 12 functions
expect 5-17
  CALLS FUNCTION
     10 process_th…ad_led_test
     10 process_th…d_led_blink
     10 process_th…_led_blink2
     10 Controller::step
     10 Controller::stop
     10 Control…ent_from_queue
     10 Driver:…ent_from_queue
     10 Ring<..>::push
     10 Ring<char>::push
     10 Ring::operator<<
     10 Message…oldest_message
      - main
end
expect 22-23
12 functions, 1.48 s of the 2.00 s that the program ran
process_thread_led_test
end
keys jjj
wait Controller::step
expect 23
very_long_namespace_of_the_firmware::Controller::step
end

# over the last lines where one is not enough; where the cursor is there, above it
keys Gk
wait take_the_oldest_message
expect 20-23

very_long_namespace_of_the_firmware::MessageQueueOfTheDispatcher<unsigned int,
very_long_namespace_of_the_firmware::Ring<unsigned char> >::
take_the_oldest_message
end

# the names alone are scrolled, as they are; another view begins at their beginning
keys <Right><Right>
wait …eDispatcher<unsigned…
expect 8-10
     10 …ess_thread_led_blink2
     10 Controller::step
     10 Controller::stop
end
keys <Right><Right><Right><Right><Right><Right><Right><Right><Right><Right><Right><Right>
wait …ke_the_oldest_message
keys <Left><Left><Left><Left><Left><Left><Left><Left><Left><Left><Left><Left><Left><Left>
wait Message…oldest_message
keys <Right>21
wait Message…oldest_message

# what the search finds is marked as far as it is shown, else the place where it was left out
keys /thread<Enter>
wait n next
look …d_led_blink 16 on 200
keys <Esc>/stop<Enter>
wait n next
keys <Esc>

# the other views
keys 2
wait Controller::stop
expect 23
very_long_namespace_of_the_firmware::Controller::stop
end
keys 3
wait MessageQue…take_the_oldest_message
keys 4
wait │Cont…e│Driv…e│
keys 5
wait Contro…t_from_queue
keys Q
END

# Names that fit stand as they are; the title says which namespace is left out.
named 140x40 <<'END'
keys |
wait FUNCTION (very_long_namespace_of_the_firmware:: hidden)
wait Ring<unsigned int>::push
wait process_thread_led_blink2
keys Q
END

# ... which is a setting.
printf '%s\n' [screen] 'hide-namespace = no' >config.ini
named 80x24 --config=config.ini <<'END'
wait …Controller::step
wait very_long_…char>::push
wait very_…Ring::operator<<
keys Q
END

# Beside a list the selected function's name stands whole, those of callers and callees differ from each other.
make_named process_thread_led_test process_thread_led_blink _ZN${ns}10Controller4stepEv \
	_ZN${ns}27MessageQueueOfTheDispatcherIjNS_4RingIhEEE23take_the_oldest_messageEv >named.txt
printf '%s\n' [columns] 'flat = calls function:22' >columns.ini
named 120x24 --config=columns.ini <<'END'
wait 5 functions
keys <End>
wait CALLEES  4
expect 5-12
  CALLS FUNCTION                                                          │ main
     10 process_th…ad_led_test                                            │ CONTEXT         main
     10 process_th…d_led_blink                                            │
     10 very_…Controller::step                                            │ CALLERS  0           SHARE%   CALLS PER CALL
     10 very_lo…oldest_message                                            │ (none measured)
      - main                                                              │
                                                                          │ CALLEES  4           SHARE%   CALLS PER CALL
                                                                          │ process_t…d_led_test   25.8      10  15.0 ms
end
keys <Up>
gone CALLEES  4
expect 5-8
  CALLS FUNCTION                                                          │ very_long_namespace_of_the_firmware::Messag
     10 process_th…ad_led_test                                            │ eQueueOfTheDispatcher<unsigned int,
     10 process_th…d_led_blink                                            │ very_long_namespace_of_the_firmware::Ring<u
     10 very_…Controller::step                                            │ nsigned char> >::take_the_oldest_message
end
keys Q
END
