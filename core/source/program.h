/*
 * program: programs of this machine, found as the shell finds them, and run as children.
 */
#ifndef WSNTOP_SOURCE_PROGRAM_H
#define WSNTOP_SOURCE_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Where a program is, for mem_free(): `name` itself if it holds a slash, else the first of that
 * name in PATH that may be run. NULL: nowhere. Parts of PATH that are no absolute path are left
 * out.
 */
char *program_find(const char *name);

struct program {
	const char *path;
	char *const *argv;
	int in, out, errors;		/* its descriptors; -1: /dev/null */
	bool group;			/* of its own, to be killed as one */
};

/*
 * Start it with default signals and no other descriptor of ours; *pid is for the caller to wait
 * for. 0, or an errno value.
 */
int program_start(const struct program *p, pid_t *pid);

#endif
