# A firmware with sources for the screen tests: $work/app.c, bits.h, app.elf and what it reports. Its
# addresses are the compiler's; `at` and `return_of` ask for them. Sourced; needs lib.sh.
make_source() {
	cat >"$work/bits.h" <<'END'
static inline __attribute__((always_inline)) unsigned spread(unsigned x)
{
	x = (x | x << 8) & 0x00ff00ffu;
	return (x | x << 4) & 0x0f0f0f0fu;
}
END
	cat >"$work/app.c" <<'END'
#include "bits.h"

volatile unsigned port;

static inline __attribute__((always_inline)) unsigned twist(unsigned x)
{
	return x * 2654435761u ^ x >> 7;
}

__attribute__((noinline)) unsigned adc_read(unsigned channel)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < channel; i++)
		sum += port;
	return sum;
}

__attribute__((noinline)) unsigned sample(unsigned n)
{
	unsigned value = adc_read(n);

	for (unsigned i = 0; i < n; i++) {
		value += twist(value);
		value ^= spread(i);
	}
	port = adc_read(value) + adc_read(value + 1);
	return value;
}

void main_(void)
{
	for (;;)
		sample(port);
}
END
	(cd "$work" && touch -d '2024-01-01' app.c bits.h &&
	 gcc -g -O1 -fcf-protection=none -ffreestanding -nostdlib -static -fno-pic -no-pie \
		-fdebug-prefix-map="$PWD=/build/app" -Wl,-Ttext=0x1000 -Wl,-e,main_ -Wl,--build-id=none \
		-o app.elf app.c && objdump -dl app.elf >app.dis) || skip "no compiler for this machine"
	grep -q x86-64 "$work/app.dis" || skip "the addresses here are those of an x86"
}

at() {		# FUNCTION FILE:LINE: the first instruction of a line, in hex
	awk -v f="<$1>:" -v l="/$2" '
		/^[0-9a-f]+ </ { inside = $2 == f }
		inside && $0 ~ "^/.*:[0-9]+" { split($1, part, " "); here = substr(part[1], length(part[1]) - length(l) + 1) == l }
		inside && here && /^ +[0-9a-f]+:\t/ { sub(":", "", $1); print $1; exit }' "$work/app.dis"
}

return_of() {	# FUNCTION N: where its Nth call returns to
	awk -v f="<$1>:" -v n="$2" '
		/^[0-9a-f]+ </ { inside = $2 == f }
		inside && /^ +[0-9a-f]+:\t/ { if (seen == n) { sub(":", "", $1); print $1; exit } }
		inside && /\tcall / { seen++ }' "$work/app.dis"
}

source_report() {	# calls, and samples if there is any argument
	local adc sample
	adc=$(awk '/<adc_read>:/ { print substr($1, 9) }' "$work/app.dis")
	sample=$(awk '/<sample>:/ { print substr($1, 9) }' "$work/app.dis")
	cat <<-END
	PROF:demo:4:20:65536:32768
	$(return_of sample 1):$adc:100:16384:64:512
	$(return_of sample 2):$adc:50:8192:60:800
	$(return_of sample 3):$adc:50:4096:60:700
	$(return_of main_ 1):$sample:100:40000:300:900
	END
	[ $# = 0 ] || cat <<-END
	SPROF:demo:5:20:200
	$(at adc_read app.c:15):40
	$(at sample app.c:23):30
	$(at sample app.c:7):17
	$(at sample bits.h:3):50
	$(at sample app.c:25):9
	END
	echo
}
