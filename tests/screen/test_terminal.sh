#!/bin/bash
# Every kind of terminal, every way out, and the terminal whole after each.
. "$(dirname "$0")/lib.sh"
make_app
report node >"$work/node.txt"
cd "$work" || exit 1
run=("$WSNTOP" -f prof -p node.txt -e app.elf)

leave_by() {	# a step, then the status
	screen "${run[@]}" <<-END
	wait uart_write
	$1
	exit $2
	whole
	END
}

leave_by 'keys q' 0
leave_by 'keys Q' 0
leave_by 'keys <F10>' 0
leave_by 'keys <C-c>' 0
leave_by 'signal TERM' 0
leave_by 'signal HUP' 0
leave_by 'signal INT' 0

# Crashes. A sanitizer reports its own way and ends with a status of its own.
if ! grep -q __asan_init "$WSNTOP"; then
	for signal in ILL TRAP ABRT BUS FPE USR1 SEGV USR2 ALRM STKFLT XCPU VTALRM PROF IO PWR SYS; do
		leave_by "signal $signal" $((128 + $(kill -l $signal)))
	done
fi

# Ctrl-Z and back: whole while stopped, redrawn afterwards, even at another size.
screen bash -i <<-END
	keys PS1=ready:<Enter>
	wait ready:
	keys ${run[*]@Q}<Enter>
	wait uart_write
	keys <C-z>
	wait Stopped
	gone 3tree
	size 100x30
	keys fg<Enter>
	wait uart_write
	wait 3tree
	keys q
	wait ready:
	gone 3tree
	keys exit<Enter>
	END

# Stopped and continued from outside; and asked to stop where no shell would continue it.
screen "${run[@]}" <<-'END'
	wait uart_write
	signal STOP
	stopped
	signal CONT
	keys 3
	wait TOTAL%
	signal TSTP
	keys 1
	wait SELF▼
	keys q
	keys q
	exit 0
	whole
	END

# Sizes, large to none.
screen "${run[@]}" <<-'END'
	wait uart_write
	size 200x60
	wait uart_write
	size 40x10
	wait uart_write
	size 39x10
	wait too small: 39x10
	size 40x9
	wait too small
	size 1x1
	idle
	size 3x50
	idle
	size 80x24
	wait uart_write
	keys q
	exit 0
	whole
	END

# No colours, eight, all.
screen -e NO_COLOR=1 "${run[@]}" <<-'END'
	wait uart_write
	colors -1
	look send default reverse
	keys q
	exit 0
	whole
	END

for term in vt100 vt220; do
	screen -e TERM=$term "${run[@]}" <<-'END'
		wait uart_write
		colors -1
		keys q
		exit 0
		END
done

# On the Linux console curses loads libgpm for the mouse, which leaks a few bytes of its own.
for term in xterm linux; do
	screen -e TERM=$term -e ASAN_OPTIONS=detect_leaks=0 "${run[@]}" <<-'END'
		wait uart_write
		colors 7
		look send 0 on 6
		keys q
		exit 0
		whole
		END
done

for term in xterm-256color tmux-256color screen-256color; do
	[ "$(tput -T $term colors 2>/dev/null)" = 256 ] || continue
	screen -e TERM=$term "${run[@]}" <<-'END'
		wait uart_write
		look send default on 24
		keys q
		exit 0
		whole
		END
done

# Only ASCII in a C locale, lines and bars included.
screen -e LC_ALL=C "${run[@]}" <<-'END'
	wait uart_write
	keys 3
	wait TOTAL%
	keys 5
	wait with durations
	keys x
	wait Export
	keys <Esc>q
	ascii
	keys qqq
	exit 0
	whole
	END

# Terminals that are none (curses leaks what it had begun).
screen -e TERM=nonsense -e ASAN_OPTIONS=detect_leaks=0 "${run[@]}" <<-'END'
	exit 2
	wait unknown terminal type
	END
screen -e TERM=dumb -e ASAN_OPTIONS=detect_leaks=0 "${run[@]}" <<-'END'
	exit 2
	wait cannot place the cursor
	END

# Wide and combining characters keep their columns; elsewhere they are as many question marks.
printf 'PROF:\346\270\254\350\251\246e\314\201|:1:20:65536:32768\n120:200:1:1:1:1\n' >wide.txt
screen "$WSNTOP" -f prof -p wide.txt -e app.elf <<-'END'
	wait sample
	expect 1
	wide.txt  read to its end  49 B  no losses  image app.elf 100 %  report 測試é|
	end
	keys q
	exit 0
	END
screen -e LC_ALL=C "$WSNTOP" -f prof -p wide.txt -e app.elf <<-'END'
	wait sample
	expect 1
	wide.txt  read to its end  49 B  no losses  image app.elf 100 %  report ????e|
	end
	ascii
	keys q
	exit 0
	END

# Hostile names from the node and from the file system show as text.
printf 'PROF:\033[2J\033]0;x\007evil:1:20:65536:32768\n120:200:1:1:1:1\n\033[5;5Hred\n' >hostile.txt
screen -s 100x24 "$WSNTOP" -f prof -p hostile.txt -e app.elf <<-'END'
	wait \x1b[2J
	keys 7
	wait \x1b[5;5Hred
	keys q
	keys q
	exit 0
	END

# Keys of the terminal at hand that TERM's description does not know: vt100 has no PgUp, no Home.
screen -e TERM=vt100 "${run[@]}" <<-'END'
	wait uart_write
	keys <End>
	look main default reverse
	keys <Home>
	look send default reverse
	keys <PgDn>
	look main default reverse
	send \e[1~
	look send default reverse
	keys <S-Tab>
	wait Keys in this view
	keys <F10>
	exit 0
	whole
	END
# A mouse as xterm reports it.
screen -e TERM=xterm-256color "${run[@]}" <<-'END'
	wait uart_write
	send \e[<0;70;9M\e[<0;70;9m
	look adc_read default on 24
	send \e[<0;20;4M\e[<0;20;4m
	wait TOTAL%
	keys Q
	exit 0
	whole
	END
