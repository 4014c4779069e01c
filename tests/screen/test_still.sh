#!/bin/bash
# A terminal that stands still holds no node up.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || skip "python3 is not installed"
python3 "$here/still.py" "$WSNTOP" "$work" || fail "bytes of the node are lost"
