#!/bin/bash
# docs/PORTING.md, section 6, names every file of the host that knows an architecture: its own
# commands find them.
# Sanitized: never
. "$(dirname "$0")/lib.sh"
cd "$root" || exit 1

section=$(sed -n '/^## 6/,/^## [^6]/p' docs/PORTING.md)
count=0
while read -r command; do
	for file in $(eval "${command/-rnE/-rlE}" --include='*.[ch]'); do
		# insn_avr.c stands there as insn_*.c
		family=${file%_*}_\*.${file##*.}
		[[ $section == *"\`$file\`"* || $section == *"\`$family\`"* ]] ||
			fail "docs/PORTING.md, section 6, does not name $file"
		count=$((count + 1))
	done
done < <(grep '^    grep' <<<"$section")
[ "$count" -gt 20 ] || fail "the commands of docs/PORTING.md find $count files only"

# And the files that it names exist.
for file in $(grep -o '`core/[a-z_0-9/]*\.[ch]`' <<<"$section" | tr -d '\`' | sort -u); do
	[ -f "$file" ] || fail "docs/PORTING.md names $file, which does not exist"
done
echo "ok: docs/PORTING.md names the $count places that know an architecture"
