#!/bin/sh
# tests/corpus/wsn.sh: make seeds of fuzz_wsn again: the frames of made-* as other nodes send them, with an image and
# without, in wsn/NAME.NODE and NAME.NODE.image. The first byte says which (tests/fuzz/fuzz_wsn.c); the rest is the same.
set -eu
cd "$(dirname "$0")/wsn"
rm -f made-*.*
for seed in made-*; do
	first=$(od -An -tu1 -N1 "$seed" | tr -d ' ')
	for node in 0 1 2 3; do
		for image in 0 4; do
			byte=$((first & 0xe3 | node << 3 | image))
			[ $byte != "$first" ] || continue
			name=$seed.$node
			[ $image = 0 ] || name=$name.image
			{ printf "\\$(printf %o $byte)"; tail -c +2 "$seed"; } >"$name"
		done
	done
done
