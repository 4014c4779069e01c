#!/bin/bash
# Themes: those that come with it, one's own, and broken ones.
. "$(dirname "$0")/lib.sh"
check=$(dirname "$screen")/theme_check
corpus="$root/tests/corpus/theme"
make_app
report node >"$work/node.txt"
cd "$work" || exit 1
run=("$WSNTOP" -f prof -p node.txt -e app.elf)

"$check" "$root"/themes/*.ini || fail "a theme of themes/"
"$check" -c "$root"/themes/*.ini || fail "something cannot be read"
"$check" -b "$root/themes/colorblind.ini" || fail "some eyes cannot tell things apart"
"$check" -b "$root/themes/dracula.ini" >/dev/null && fail "the check of colours cannot fail"
"$check" -d "$root/themes/default.ini" || fail "default.ini and the built-in theme differ"
for bad in color-range color-depth color-mono on-on on-nothing no-role no-section no-heading broken \
	   long-line nul order; do
	"$check" -r "$corpus/$bad" || fail "$bad was accepted"
done

shows() {	# THEME, how the selected row looks with 256, 8 and no colours
	local theme=$1 term
	shift
	for term in xterm-256color xterm vt100; do
		screen -e TERM=$term "${run[@]}" "--theme=$theme" <<-END
			wait uart_write
			look send $1
			keys q
			exit 0
			whole
			END
		shift
	done
}

shows default 'default on 24' '0 on 6' 'default reverse'
shows light 'default on 153' '7 on 4' 'default reverse'
shows mono 'default reverse' 'default reverse' 'default reverse'
shows high-contrast '16 on 14' '0 on 6' 'default reverse'

# One's own, by path and by name.
mkdir -p config/wsntop/themes
printf '[256]\nselected = 11 on 12 underline\n' >config/wsntop/themes/mine.ini
cp config/wsntop/themes/mine.ini here.ini
for theme in mine ./here.ini; do
	screen -e XDG_CONFIG_HOME="$work/config" "${run[@]}" --theme=$theme <<-'END'
		wait uart_write
		look send 11 on 12 underline
		keys q
		exit 0
		END
done

printf '[256]\nselected = beige\n' >broken.ini
screen "${run[@]}" --theme=./broken.ini <<-'END'
	exit 2
	wait broken.ini: line 2: "beige" is not a colour
	END

# What the search found stands out on the selected row as on any other.
finds() {	# THEME, how a match looks with 256, 8 and no colours
	local theme=$1 term
	shift
	for term in xterm-256color xterm vt100; do
		screen -e TERM=$term "${run[@]}" "--theme=$theme" <<-END
			wait uart_write
			keys /^s.nd<Enter>
			wait /^s.nd
			look send $1
			keys Q
			END
		shift
	done
}

finds default '16 on 221' '0 on 3' 'default bold underline reverse'
finds light '16 on 222' '0 on 3' 'default bold underline reverse'
finds high-contrast '16 on 11 bold' '0 on 3' 'default bold underline reverse'
finds mono 'default bold underline reverse' 'default bold underline reverse' 'default bold underline reverse'

# All that come with it: the selected row at 256 colours, and in true colour where the terminal says
# that it has it. A terminal that does not say so never gets it, nor one with NO_COLOR.
rgb() {	# THEME, LOOK in true colour, LOOK with 256
	screen -e TERM=xterm-256color -e COLORTERM=truecolor "${run[@]}" --theme=$1 <<-END
		wait uart_write
		look send $2
		keys q
		exit 0
		whole
		END
	screen -e TERM=xterm-256color "${run[@]}" --theme=$1 <<-END
		wait uart_write
		look send $3
		colors 255
		keys q
		END
}
if infocmp vte-direct >/dev/null 2>&1; then
	rgb default 'default on #005f87' 'default on 24'
	rgb solarized '#a8b5b5 on #0a4a5c' '249 on 23'
	rgb gruvbox '#ebdbb2 on #504945' '187 on 239'
	rgb nord '#d8dee9 on #46546e' '254 on 240'
	rgb dracula '#f8f8f2 on #4c506a' '255 on 240'
	rgb colorblind '#e6e6e6 on #1f4a70' '254 on 23'
	rgb paper '#2b2b2b on #cfe0ee' '235 on 254'
	rgb phosphor '#5fe08a on #1a5a32' '78 on 237'
	screen -e TERM=xterm-256color -e COLORTERM=truecolor -e NO_COLOR=1 "${run[@]}" <<-'END'
		wait uart_write
		colors -1
		keys q
		END
else
	echo "no terminal description with true colour here: not tried (ncurses-term)"
fi
