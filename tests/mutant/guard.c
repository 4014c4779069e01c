/*
 * guard: what each program of tests/mutate has beside the mutants. From the environment:
 *
 *	MUTANT		the number of the one that is on
 *	MUTANT_REACHED	a file of MUTANTS bytes, in which those that were reached are marked,
 *			by children, too
 *	MUTANT_MADE	a file that gets the names of temporary files and folders: a program
 *			that crashes leaves them
 *
 * Linked with --wrap=mkdtemp and --wrap=mkstemp.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/mutant/guard.h"

static unsigned char unheard[MUTANTS];
int mutant_number;
unsigned char *mutant_reached = unheard;

__attribute__((constructor(101))) static void guard_begin(void)
{
	const char *number = getenv("MUTANT"), *reached = getenv("MUTANT_REACHED");
	int fd = reached ? open(reached, O_RDWR) : -1;

	if (number)
		mutant_number = atoi(number);
	if (fd >= 0) {
		void *map = mmap(NULL, MUTANTS, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

		if (map != MAP_FAILED)
			mutant_reached = map;
		close(fd);
	}
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);	/* a failure is read as it happens */
}

static void guard_note(const char *made)
{
	const char *list = getenv("MUTANT_MADE");
	int fd = list ? open(list, O_WRONLY | O_APPEND | O_CREAT, 0666) : -1;

	if (fd >= 0) {
		dprintf(fd, "%s\n", made);
		close(fd);
	}
}

char *__real_mkdtemp(char *name);
int __real_mkstemp(char *name);
char *__wrap_mkdtemp(char *name);
int __wrap_mkstemp(char *name);

char *__wrap_mkdtemp(char *name)
{
	char *made = __real_mkdtemp(name);

	if (made)
		guard_note(made);
	return made;
}

int __wrap_mkstemp(char *name)
{
	int fd = __real_mkstemp(name);

	if (fd >= 0)
		guard_note(name);
	return fd;
}
