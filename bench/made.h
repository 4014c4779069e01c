/*
 * made: a firmware image of about so many megabytes, assembled here: functions of 800 bytes that
 * call the next one, with source lines.
 */
#ifndef WSNTOP_BENCH_MADE_H
#define WSNTOP_BENCH_MADE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Writes `folder`/N_MB.elf and puts its path in `elf`. 0, or 1 when there is no assembler. */
static inline int made_elf(const char *folder, unsigned mb, char *elf, size_t size)
{
	char source[128], command[512];
	unsigned n = mb * 1200;
	FILE *f;
	int ret;

	snprintf(source, sizeof(source), "%s/made.s", folder);
	snprintf(elf, size, "%s/%u_MB.elf", folder, mb);
	f = fopen(source, "w");
	if (!f)
		return 1;
	for (unsigned i = 0; i < n; i++)
		fprintf(f, ".globl f%u\n.type f%u,@function\nf%u: call f%u\n.fill 795,1,0x90\n"
			".size f%u,.-f%u\n", i, i, i, (i + 1) % n, i, i);
	fclose(f);
	snprintf(command, sizeof(command), "cc -g -nostdlib -static -Wl,-e,f0 %s -o %s", source,
		 elf);
	ret = system(command) ? 1 : 0;
	unlink(source);
	return ret;
}

#endif
