#!/bin/bash
# `wsntop as` on programs made at random (tests/sim/filter/random.py), on all chips of tests/sim/test_filter_*.sh: of the
# seeds 2 to LAST_SEED. LAST_SEED=60 takes five times as long.
cd "$(dirname "$0")/../.." || exit 1
SEEDS=$(seq 2 "${LAST_SEED:-12}")
export SEEDS
tests/sim/test_filter_avr.sh && tests/sim/test_filter_thumb.sh
