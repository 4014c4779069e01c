#!/bin/bash
# O opens the editor at the line, with the node still heard, and the screen comes back whole; y copies.
. "$(dirname "$0")/lib.sh"
. "$here/source.sh"
make_source
source_report samples >"$work/both.txt"
cd "$work" || exit 1
mkdir -p bin "$XDG_CONFIG_HOME/wsntop"
printf '%s\n' '[screen]' 'timebar = no' >"$XDG_CONFIG_HOME/wsntop/config.ini"

# An editor that says how it was called, shows that it has the terminal, and waits for a key.
cat >bin/ed1 <<'END'
#!/bin/bash
{ echo "$0" | sed 's,.*/,,'; printf '<%s>\n' "$@"; } >"$OUT"
echo $$ >"$OUT.pid"
exec </dev/tty
stty -echo raw
printf '\e[2J\e[HEDITING %s' "$(basename "$0")"
read -r -n 1
stty sane
printf '\e[2J\e[H'
exit "${STATUS:-0}"
END
chmod +x bin/ed1
for name in code subl kate vim; do ln -s ed1 bin/$name; done
export PATH=$work/bin:$PATH OUT=$work/called

called() {	# ARGUMENT...: how the editor was called, its name first
	printf '%s\n' "$1" >want
	printf '<%s>\n' "${@:2}" >>want
	diff -u want called || fail "${FUNCNAME[0]} ${BASH_LINENO[0]}"
}

# With or without spaces in its command; what it leaves of the terminal's modes is put right.
edit() {	# "NAME=VALUE" of its environment, what it shows; called with...
	screen -s 80x24 -e "$1" "$WSNTOP" -p both.txt -e app.elf <<-END
	wait functions
	keys <Down>6
	wait LINE
	keys H
	keys O
	wait EDITING $2
	keys x
	gone EDITING
	wait unsigned value
	keys y
	copied app.c:21: unsigned value = adc_read(n);
	keys Q
	exit 0
	whole
	END
	called "$2" "${@:3}"
}
edit EDITOR=vim vim +21 app.c
edit "VISUAL=vim -u '/tmp/a b'" vim -u "/tmp/a b" +21 app.c
edit "VISUAL=code --wait" code --wait -g app.c:21
edit "VISUAL=code -g" code -g app.c:21
edit "VISUAL=subl" subl app.c:21
edit "VISUAL=$work/bin/kate" kate -l 21 app.c

# Without a place in the view: where the selected function is declared. Settings win.
printf '%s\n' '[source]' 'editor = ed1 -n' >>"$XDG_CONFIG_HOME/wsntop/config.ini"
screen -s 80x24 -e EDITOR=vim "$WSNTOP" -p both.txt -e app.elf <<'END'
wait functions
keys <Down>
keys O
wait EDITING ed1
keys x
wait SELF%
keys Q
exit 0
END
called ed1 -n +19 app.c
sed -i /editor/d "$XDG_CONFIG_HOME/wsntop/config.ini"

# One that is not there, one that fails, one that is killed, one that returns at once.
screen -s 80x24 -e EDITOR=no-such-editor "$WSNTOP" -p both.txt -e app.elf <<'END'
wait functions
keys O
wait no-such-editor: no such program; set $VISUAL or $EDITOR, or press F2
keys Q
exit 0
END
screen -s 80x24 -e EDITOR=vim -e STATUS=3 "$WSNTOP" -p both.txt -e app.elf <<'END'
wait functions
keys O
wait EDITING
keys x
wait vim ended with status 3
keys O
wait EDITING
run kill -KILL "$(cat called.pid)"
wait vim ended with status 137
keys Q
exit 0
whole
END
screen -s 80x24 -e EDITOR=true "$WSNTOP" -p both.txt -e app.elf <<'END'
wait functions
keys OOO
wait functions
keys 6
wait LINE
keys Q
exit 0
whole
END

# Ctrl-C in an editor that leaves it to the terminal is the editor's end, not ours.
printf '#!/bin/sh\nprintf "\\033[2J\\033[HLISTENING"\nexec cat >/dev/null\n' >bin/listener
chmod +x bin/listener
screen -s 80x24 -e EDITOR=listener "$WSNTOP" -p both.txt -e app.elf <<'END'
wait functions
keys O
wait LISTENING
keys <C-c>
wait listener ended with status 130
keys Q
exit 0
whole
END

# Resized meanwhile.
screen -s 80x24 -e EDITOR=vim "$WSNTOP" -p both.txt -e app.elf <<'END'
wait functions
keys 6O
wait EDITING
size 100x30
keys x
gone EDITING
wait LINE
expect 30
Enter callee  u back  m instructions  / search  [ ] past  w window  H hottest  O edit  b baseline
end
keys Q
END

# Ctrl-Z inside it stops the job; without a shell around nobody would start it again, and it goes on.
cat >bin/stopper <<'END'
#!/bin/bash
printf '\e[2J\e[HSTOPPING'
kill -TSTP $$
printf '\e[2J\e[HCONTINUED'
read -r -n 1 </dev/tty
printf '\e[2J\e[H'
END
chmod +x bin/stopper
screen -s 80x24 -e EDITOR=stopper "$WSNTOP" -p both.txt -e app.elf <<'END'
wait functions
keys O
wait CONTINUED
keys x
wait SELF%
keys Q
exit 0
whole
END
# With one it does stop, and comes back with fg.
screen -s 80x24 -e EDITOR=stopper bash --norc -i <<'END'
run true
keys PS1='ready> '<Enter>
wait ready>
send clear; $WSNTOP -p both.txt -e app.elf\r
wait functions
keys O
wait Stopped
keys fg<Enter>
wait CONTINUED
keys x
wait SELF%
keys Q
wait ready>
END

# What the node says meanwhile is taken: a recording has all of it.
command -v python3 >/dev/null || skip "python3 is not installed"
mkfifo orders
python3 "$here/peer.py" node orders &
peer=$!
exec 9<>orders
until [ -S node ]; do sleep 0.05; done
source_report >more.txt
"$screen" -s 80x24 -e EDITOR=vim "$WSNTOP" -f prof -p unix:node -e app.elf -r kept <<'END'
run echo accept >orders
wait connected 0:0
run cat both.txt >orders
wait functions
keys 6O
wait EDITING
run for i in 1 2 3 4 5; do cat more.txt; done >orders
run until [ "$(grep -ac PROF:demo kept)" -ge 6 ]; do sleep 0.05; done
keys x
gone EDITING
wait LINE
keys Q
exit 0
END
status=$?
kill $peer 2>/dev/null
wait $peer 2>/dev/null
[ $status = 0 ] || fail "not heard while the editor ran"

# y in a view without a row of its own: the function's name; through tmux; visible characters alone.
screen -s 80x24 -e TMUX=/tmp/tmux-0/default,1,0 "$WSNTOP" -p both.txt -e app.elf <<'END'
wait functions
keys <Down>2
wait SHARE%
keys y
wait copied: 
keys 6
wait LINE
keys Hy
copied app.c:21: unsigned value = adc_read(n);
passed app.c:21: unsigned value = adc_read(n);
keys Q
END
