#!/bin/bash
# `wsntop as` with the real compilers: functions that are not chosen keep every byte, what is refused is refused in a
# line and assembled as it was, ids are without gaps, the debugger's information stays, errors are the assembler's own.
# Sanitized: long: the filter has a fuzzer; most of its seconds are the compiler's.
. "$(dirname "$0")/lib.sh"
need_tools avr-gcc arm-none-eabi-gcc python3
cd "$root"
S=tests/sim/filter TMP=$work as=$WSNTOP
A="-mmcu=atmega1284p -w -std=gnu11 -ffunction-sections"
T="-mcpu=cortex-m3 -mthumb -w -std=gnu11 -ffunction-sections"
# A sanitizer sees the same of the filter at each level.
levels="Os $(long O0 O2)" thumb_levels="O3 $(long O0 O2 Os)"
[ "${O:-build}" = build ] || levels=O2 thumb_levels=O3
"$as" as --install "$TMP/avr" avr-
"$as" as --install "$TMP/arm" arm-none-eabi-

# compiled OBJECT TOOLS DIR FLAGS...: of features.c, assembled by the filter of DIR ("": by the assembler). gcc's own text is made
# once for the same flags.
compiled() {
	local object=$1 tools=$2 dir=$3 text
	shift 3
	text=$TMP/features.$(echo "$tools $*" | cksum | cut -d ' ' -f 1).s
	[ -e "$text" ] || ${tools}gcc "$@" -S -o "$text" $S/features.c
	# shellcheck disable=SC2046
	${tools}gcc $(printf '%s\n' "$@" | grep '^-m') ${dir:+-B "$dir"} -c -o "$object" "$text"
}

# --- what is not chosen -------------------------------------------------------------------------

# contents OBJECT TOOLS: the bytes of each section of code below "== NAME", its relocations below "=== NAME"; names in
# place of symbols' numbers
contents() {
	${2}objdump -s -r "$1" | awk '
		/^Contents of section / { mark = "=="; name = $4 }
		/^RELOCATION RECORDS FOR / { mark = "==="; name = $4; gsub(/[][]/, "", name) }
		/^Contents of section |^RELOCATION RECORDS FOR / {
			sub(/:$/, "", name)
			of_code = name ~ /^\.text\./
			if (of_code) print mark, name
			next
		}
		of_code && NF'
}

# unchosen TOOLS FLAGS...: with --only=^recursive$ all others are as without the filter
unchosen() {
	local tools=$1
	shift
	"$as" as --install "$TMP/only" "$tools" --only='^recursive$'
	compiled "$TMP/plain.o" $tools "" "$@"
	compiled "$TMP/only.o" $tools "$TMP/only" "$@"
	contents "$TMP/plain.o" $tools | awk '/^==/ { on = $2 != ".text.recursive" } on' >"$TMP/plain.txt"
	contents "$TMP/only.o" $tools | awk '/^==/ { on = $2 != ".text.recursive" } on' >"$TMP/only.txt"
	[ "$(grep -c '^== ' "$TMP/plain.txt")" -gt 30 ] || fail "$tools: few functions"
	cmp "$TMP/plain.txt" "$TMP/only.txt" || fail "$tools: a function that is not chosen changed"
	[ "$(${tools}nm "$TMP/only.o" | grep -c wsntrace_id)" = 1 ] || fail "$tools: more than one is followed"
}

# untouched TOOLS DIR FLAGS...: behind unchosen(): whatever leaves all functions out leaves the object as it was
untouched() {
	local tools=$1 dir=$2
	shift 2
	"$as" as --install "$TMP/none" "$tools" --only='^no_such$'
	compiled "$TMP/none.o" $tools "$TMP/none" "$@"
	cmp "$TMP/plain.o" "$TMP/none.o" || fail "$tools: nothing chosen, and the object differs"
	${tools}gcc "$@" -c -o "$TMP/hand.o" $S/hand.S
	${tools}gcc "$@" -B "$TMP/$dir" -c -o "$TMP/hand2.o" $S/hand.S
	cmp "$TMP/hand.o" "$TMP/hand2.o" || fail "$tools: hand-written assembly changed"
	WSNTOP_AS=--off compiled "$TMP/off.o" $tools "$TMP/$dir" "$@"
	cmp "$TMP/plain.o" "$TMP/off.o" || fail "$tools: --off"
	printf 'recursive\neven\n' >"$TMP/list"
	"$as" as --install "$TMP/listed" "$tools" --only=@"$TMP/list" --except=ev
	compiled "$TMP/listed.o" $tools "$TMP/listed" "$@"
	[ "$(${tools}nm "$TMP/listed.o" | grep -c wsntrace_id)" = 1 ] || fail "$tools: --only=@FILE, --except"
	"$as" as --install "$TMP/files" "$tools" --files=other
	${tools}gcc "$@" -g -B "$TMP/files" -c -o "$TMP/files.o" $S/features.c
	! ${tools}nm "$TMP/files.o" | grep -q wsntrace || fail "$tools: --files"
}
for level in $levels; do
	unchosen avr- $A -$level
done
untouched avr- avr $A -$level
for level in $levels; do
	unchosen arm-none-eabi- $T -$level
done
untouched arm-none-eabi- arm $T -$level

# --- what is refused ----------------------------------------------------------------------------

avr-gcc $A -Os -mcall-prologues -c -o "$TMP/plain.o" $S/features.c
avr-gcc $A -Os -mcall-prologues -B "$TMP/avr" -c -o "$TMP/refused.o" $S/features.c 2>"$TMP/said"
cmp "$TMP/plain.o" "$TMP/refused.o" || fail "-mcall-prologues: the object differs"
[ "$(wc -l <"$TMP/said")" = 1 ] && grep -q "features.c: -mcall-prologues: .*gets no hooks" "$TMP/said" ||
	fail "-mcall-prologues: $(cat "$TMP/said")"

for option in --only --except --files; do
	"$as" as --install "$TMP/refused" avr- "$option=" 2>"$TMP/said" && fail "an empty pattern is taken"
	grep -q -e "$option=: an empty pattern matches all" "$TMP/said" || fail "an empty pattern: $(cat "$TMP/said")"
done
"$as" as --install "$TMP/refused" avr- '--except=^(a' 2>"$TMP/said" && fail "a pattern that is none is taken"
[ "$(cat "$TMP/said")" = "wsntop: as: --except=^(a: missing closing parenthesis (at character 4); wsntop help as" ] ||
	fail "a pattern that is none: $(cat "$TMP/said")"

# --- timed and counted calls --------------------------------------------------------------------

# compared TOOLS FLAGS...: with the hooks of each, all but the chosen function and its clones (-O3) are as without
compared() {
	local tools=$1 use
	shift
	compiled "$TMP/plain.o" $tools "" "$@"
	contents "$TMP/plain.o" $tools | awk '/^==/ { on = $2 !~ /^\.text\.recursive(\.|$)/ } on' >"$TMP/plain.txt"
	[ "$(grep -c '^== ' "$TMP/plain.txt")" -gt 30 ] || fail "$*: few functions"
	for use in timed count; do
		compiled "$TMP/only.o" $tools "$TMP/$tools$use" "$@"
		contents "$TMP/only.o" $tools | awk '/^==/ { on = $2 !~ /^\.text\.recursive(\.|$)/ } on' >"$TMP/only.txt"
		cmp "$TMP/plain.txt" "$TMP/only.txt" || fail "$* --$use: a function that is not chosen changed"
		${tools}objdump -dr -j .text.recursive "$TMP/only.o" | grep -q "wsnprof_${use}_enter" || fail "$* --$use: no hook"
		! ${tools}nm "$TMP/only.o" | grep -q wsntrace || fail "$* --$use: an id"
	done
}
for use in timed count; do
	"$as" as --install "$TMP/avr-$use" avr- --$use --only='^recursive$'
	"$as" as --install "$TMP/arm-none-eabi-$use" arm-none-eabi- --$use --only='^recursive$'
done
for level in $levels; do
	compared avr- $A -$level
done
for cpu in cortex-m3 cortex-m0; do
	for level in $thumb_levels; do
		compared arm-none-eabi- -mcpu=$cpu ${T#* } -$level
	done
done
# -mcall-prologues and hand-written files, of every use: the object is as without the filter.
for use in timed count; do
	"$as" as --install "$TMP/all$use" avr- --$use
	avr-gcc $A -Os -mcall-prologues -c -o "$TMP/plain.o" $S/features.c
	avr-gcc $A -Os -mcall-prologues -B "$TMP/all$use" -c -o "$TMP/refused.o" $S/features.c 2>"$TMP/said"
	cmp "$TMP/plain.o" "$TMP/refused.o" || fail "--$use -mcall-prologues: the object differs"
	[ "$(wc -l <"$TMP/said")" = 1 ] || fail "--$use -mcall-prologues: $(cat "$TMP/said")"
	avr-gcc $A -c -o "$TMP/hand.o" $S/hand.S
	avr-gcc $A -B "$TMP/all$use" -c -o "$TMP/hand2.o" $S/hand.S
	cmp "$TMP/hand.o" "$TMP/hand2.o" || fail "--$use: hand-written assembly changed"
done
for use in --timed --count; do
	! "$as" as --install "$TMP/two" avr- --trace $use 2>"$TMP/said" || fail "--trace $use"
	grep -q "exclude each other" "$TMP/said" || fail "--trace $use: $(cat "$TMP/said")"
	! "$as" as --install "$TMP/two" avr- $use --wide 2>"$TMP/said" || fail "$use --wide"
	[ "$(wc -l <"$TMP/said")" = 1 ] || fail "$use --wide: $(cat "$TMP/said")"
done

# The assembler's own errors, once, and its status; then no object.
printf 'void f(void); void g(void) { f(); __asm__("no such"); f(); }\n' >"$TMP/bad.c"
! avr-gcc $A -B "$TMP/avr" -c -o "$TMP/bad.o" "$TMP/bad.c" 2>"$TMP/said" || fail "an error is lost"
[ "$(grep -c 'unknown opcode' "$TMP/said")" -ge 1 ] || fail "no error: $(cat "$TMP/said")"
[ ! -e "$TMP/bad.o" ] || fail "an object in spite of the error"

# What the filter's text breaks is assembled as it was.
printf 'void f(void); void g(void) { f(); __asm__(".ifdef wsntrace_id.g\\n.error \\"x\\"\\n.endif"); f(); }
__asm__(".set wsntrace_id.g, 1");\n' >"$TMP/bad.c"
avr-gcc $A -B "$TMP/avr" -c -o "$TMP/bad.o" "$TMP/bad.c" 2>"$TMP/said" || fail "it is not assembled as it was"
grep -q 'bad.c: the assembler refused the filtered text (Error: .*); this file gets no hooks' "$TMP/said" ||
	fail "no word of it: $(cat "$TMP/said")"

# --- ids ----------------------------------------------------------------------------------------

# ids N: how many, of a program of N functions whose half is unused
program() {
	local i
	for ((i = 0; i < $1; i++)); do
		printf '__attribute__((noinline)) int f%d(int x) { __asm__ volatile(""); return x + %d; }\n' $i $i
	done
	printf 'int main(void) { int x = 0;'
	for ((i = 0; i < $1; i += 2)); do printf ' x += f%d(x);' $i; done
	printf ' return x; }\n'
	printf 'void wsntrace_enter(void) {} void wsntrace_leaf(void) {} void wsntrace_exit(void) {}\n'
	printf 'void wsntrace_enter_wide(void) {} void wsntrace_leaf_wide(void) {} void wsntrace_exit_tail(void) {}\n'
}
ids() { python3 $S/addresses.py "$1" | wc -l; }
program 240 >"$TMP/many.c"
avr-gcc $A -Os -B "$TMP/avr" -Wl,--gc-sections -o "$TMP/gc.elf" "$TMP/many.c" || fail "120 functions do not fit"
[ "$(ids "$TMP/gc.elf")" = 121 ] || fail "$(ids "$TMP/gc.elf") ids, 121 functions"
for n in 123 124; do		# and main
	program $n | sed 's/^int main/__attribute__((noinline)) &/' >"$TMP/some.c"
	if avr-gcc $A -Os -B "$TMP/avr" -o "$TMP/some.elf" "$TMP/some.c" 2>"$TMP/said"; then
		[ $n = 123 ] || fail "125 functions in narrow ids"
	else
		[ $n = 124 ] || fail "124 functions do not fit: $(head -3 "$TMP/said")"
		grep -q 'more_than_124_functions_need_--wide_or_--only.*relocation truncated to fit' "$TMP/said" || fail "no word of too many functions"
	fi
done
"$as" as --install "$TMP/wide" avr- --wide
avr-gcc $A -Os -B "$TMP/wide" -o "$TMP/all.elf" "$TMP/many.c" || fail "--wide"
[ "$(ids "$TMP/all.elf")" = 241 ] || fail "$(ids "$TMP/all.elf") wide ids, 241 functions"
arm-none-eabi-gcc $T -Os -B "$TMP/arm" -Wl,--gc-sections --specs=nosys.specs -o "$TMP/gc.elf" "$TMP/many.c" 2>/dev/null
[ "$(ids "$TMP/gc.elf")" = 121 ] || fail "arm: $(ids "$TMP/gc.elf") ids, 121 functions"
# flash: nothing but the hooks' calls
arm-none-eabi-size -A "$TMP/gc.elf" | awk '/wsntrace/ { n++; if ($3 != 0) bad = 1 } END { exit bad || n != 2 }' ||
	fail "the ids have addresses"

# A chip without the long calls gets none, and a leaf's call may be its last.
printf 'int g(int), h(int); int f(int x) { return x & 1 ? g(x) : h(x) + 1; }\n' >"$TMP/small.c"
avr-gcc -mmcu=attiny85 -Os -B "$TMP/avr" -c -o "$TMP/small.o" "$TMP/small.c"
avr-objdump -dr "$TMP/small.o" >"$TMP/small.txt"
[ "$(grep -c 'R_AVR_13_PCREL.*wsntrace_' "$TMP/small.txt")" = 3 ] && ! grep -qP '\t(call|jmp)\t' "$TMP/small.txt" ||
	fail "attiny85: $(cat "$TMP/small.txt")"

# --- the debugger's information -----------------------------------------------------------------

# Each line that the plain object has, the filtered one has, and the unwinder's tables can be read.
lines() { ${2}objdump --dwarf=decodedline "$1" 2>&1 | awk '$2 ~ /^[0-9]+$/ { print $2 }' | sort -un; }
for use in timed count; do
	"$as" as --install "$TMP/armall$use" arm-none-eabi- --$use
done
# debug TOOLS DIR FLAGS...: of features.c, with the hooks of DIR
debug() {
	local tools=$1 dir=$2
	shift 2
	compiled "$TMP/plain.o" $tools "" "$@" -O2
	compiled "$TMP/hooked.o" $tools "$TMP/$dir" "$@" -O2
	${tools}nm "$TMP/hooked.o" | grep -q 'U wsn' || fail "$dir: no hooks"
	lines "$TMP/plain.o" $tools >"$TMP/plain.lines"
	lines "$TMP/hooked.o" $tools >"$TMP/hooked.lines"
	[ "$(wc -l <"$TMP/plain.lines")" -gt 100 ] || fail "$tools: few lines"
	cmp "$TMP/plain.lines" "$TMP/hooked.lines" || fail "$dir: lines differ"
	${tools}objdump --dwarf=info,frames,loc "$TMP/hooked.o" >/dev/null 2>"$TMP/said"
	# of the plain object, too: where it is not linked, AVR's steps are relocations
	[ $tools != avr- ] || sed -i '/unknown Dwarf Call Frame Instruction/d' "$TMP/said"
	! grep -v "view pair\|location view\|There is a hole\|offset.*loc" "$TMP/said" | grep -q . || fail "$dir: $(head -3 "$TMP/said")"
	${tools}objdump --dwarf=frames "$TMP/plain.o" 2>/dev/null | grep -c FDE >"$TMP/plain.fdes" || true
	${tools}objdump --dwarf=frames "$TMP/hooked.o" 2>/dev/null | grep -c FDE >"$TMP/hooked.fdes" || true
	cmp "$TMP/plain.fdes" "$TMP/hooked.fdes" || fail "$dir: functions without the unwinder's table"
}
for dir in avr alltimed allcount; do
	debug avr- $dir $A -gdwarf-2
done
for cpu in cortex-m3 cortex-m0; do
	for dir in arm armalltimed armallcount; do
		debug arm-none-eabi- $dir -mcpu=$cpu ${T#* } -g
	done
done
# At a stub's call the frame is as large as at the return that it stands for.
printf 'int g(int); int f(int x) { if (x) return g(x) + 1; g(1); return g(2); }\n' >"$TMP/f.c"
arm-none-eabi-gcc $T -O2 -g -B "$TMP/arm" -c -o "$TMP/f.o" "$TMP/f.c"
# A tail call's stub has none: all is restored before it.
stub=$(arm-none-eabi-objdump -dr "$TMP/f.o" | awk '/R_ARM_THM.*wsntrace_exit/ { sub(/:/, "", $1); print $3, $1 }')
[ "$(echo "$stub" | wc -w)" = 4 ] || fail "stubs: $stub"
while read -r hook stub; do
	[ $hook = wsntrace_exit ] && is=r13+8 || is=r13+0
	arm-none-eabi-objdump --dwarf=frames-interp "$TMP/f.o" | awk -v stub="$stub" -v is=$is '
		$2 ~ /^r13/ { loc = $1; sub(/^0+/, "", loc); if (sprintf("%8s", loc) <= sprintf("%8s", stub)) frame = $2 }
		END { exit frame != is }' || fail "the frame of the stub at $stub"
done <<<"$stub"

# --- the command --------------------------------------------------------------------------------

[ -x "$TMP/avr/as" ] && [ "$(wc -l <"$TMP/avr/as")" = 2 ] || fail "the script"
! "$as" as --install "$TMP/x" riscv64-unknown-elf- 2>/dev/null || fail "a chip that is not known"
! "$as" as --install "$TMP/x" no-such-avr- --chip=avr 2>/dev/null || fail "an assembler that is not there"
status=0; "$as" as --nonsense avr- -- x.s 2>"$TMP/said" || status=$?
[ $status = 2 ] && grep -q 'unknown or ambiguous option' "$TMP/said" || fail "usage: $status $(cat "$TMP/said")"
"$as" as --help | grep -q -- --only || fail "--help"
"$as" as avr- -- --version | grep -q 'GNU assembler' || fail "--version"
echo "ok"
