#!/bin/bash
# Memory ends at each allocation of golden/test_starved and screen/test_starved, once at that one and once from there on.
here=$(cd "$(dirname "$0")/.." && pwd)
export STARVED_SAMPLE=1
"$here/golden/test_starved.sh" && "$here/screen/test_starved.sh"
