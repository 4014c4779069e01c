#!/bin/bash
# INGA's profiler: every report of every capture, against what is known of it (compare.py).
# Sanitized: long: the decoder has a fuzzer and sanitized unit tests.
. "$(dirname "$0")/lib.sh"
need_data inga-paper-tasks
need_tools python3
failed=0
for d in "$DATA"/inga-*; do
	python3 "$here/compare.py" "$WSNTOP" "$d" || failed=1
done
exit $failed
