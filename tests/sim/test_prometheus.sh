#!/bin/bash
# Debian's Prometheus asks a collector: what it has at the end is the sum over all nodes, to the count. The figures of a
# thousand nodes and of more are long/test_collect_many's, which this is with few.
export NODES=${NODES:-60} PERIOD=${PERIOD:-1} SECONDS_LONG=${SECONDS_LONG:-3}
exec "$(dirname "$0")/../long/test_collect_many.sh"
