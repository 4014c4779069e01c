# Sourced: an ELF for tests/tools/load_made. Functions where it has its callees and callers, and a call in front of each return
# address. Fails where there is no assembler.
sites_elf() {	# SITES FILE
	awk -v n="$1" 'BEGIN {
		callees = int(n / 8) + 1
		print ".text"
		for (i = 0; i < callees; i++)
			printf ".org %d\n.globl callee_%05d\n.type callee_%05d,@function\ncallee_%05d:\n.size callee_%05d,48\n",
				4096 + 48 * i, i, i, i, i
		for (i = 0; i < n; i++) {
			if (i % 8 == 0)
				printf ".org %d\n.globl caller_%05d\n.type caller_%05d,@function\ncaller_%05d:\n.size caller_%05d,208\n",
					524288 + 26 * i - 16, i / 8, i / 8, i / 8, i / 8
			printf ".org %d\ncall callee_%05d\n", 524288 + 26 * i - 5, i % callees
		}
		printf ".org %d\nnop\n", 524288 + 26 * n + 256
	}' >"$2.s"
	as -o "$2.o" "$2.s" && ld -Ttext=0 -e callee_00000 -o "$2" "$2.o"
}
