#!/bin/bash
# The program and the library as they are built by default: position-independent, relocations read-only before main, no
# stack to execute, guarded stacks, checked copies; branches that only land where they may, where the compiler has it.
# Sanitized: never
. "$(dirname "$0")/lib.sh"
case $WSNTOP in *asan*) skip "a sanitizer has checks of its own" ;; esac
need_tools readelf objdump
# Debian and Ubuntu compile so by themselves; flags of the caller's may take it back.
[ -z "${CFLAGS-}" ] || skip "built with CFLAGS of the caller's"

cd "$work" || exit 1

hardened() {	# FILE TYPE
	readelf -hldW --dyn-syms "$1" >read || fail "$1: readelf"
	grep -q "Type: *DYN" read || fail "$1: addresses are fixed"
	grep -q "GNU_RELRO" read && grep -q "BIND_NOW\|Flags:.*NOW" read || fail "$1: relocations stay writable"
	grep "GNU_STACK" read | grep -q "RW " || fail "$1: its stack can be executed"
	grep -q "__stack_chk_fail" read || fail "$1: stacks are not guarded"
	grep -q "_chk@" read || fail "$1: copies are not checked"
}
hardened "$WSNTOP"
readelf -d "$WSNTOP" | grep -q "Flags:.*PIE" || fail "$WSNTOP: not a position-independent executable"
for lib in "$root"/build/libwsntop.so.*; do
	[ ! -e "$lib" ] || hardened "$lib"
done
case $(uname -m) in
x86_64) landing=endbr64 ;;
aarch64) landing='bti\|paciasp' ;;
*) exit 0 ;;
esac
objdump -d --no-show-raw-insn --disassemble=main "$WSNTOP" | grep -q "$landing" || fail "$WSNTOP: branches land anywhere"
