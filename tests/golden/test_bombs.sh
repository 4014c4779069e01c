#!/bin/bash
# ELFs made to exhaust their reader: wsntop keeps its bounds of memory and time, and still names what it can.
. "$(dirname "$0")/lib.sh"
case $WSNTOP in *asan*) skip "a sanitizer takes memory of its own, and DWARF is read in this process there" ;; esac
case $WSNTOP in *covered*) skip "DWARF is read in this process there, so that its lines count" ;; esac
need_tools python3
python3 "$root/tests/golden/bombs.py" "$WSNTOP" "$work"
