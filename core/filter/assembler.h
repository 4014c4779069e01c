/*
 * assembler: the real assembler, run on filtered text with the options that gcc gave.
 *
 * gcc calls DIR/as with the assembler's own options, the last of them the .s file (with -pipe:
 * none; standard input). The text is filtered in memory and handed to the real one on its standard
 * input, from a file without a name: there is nothing to remove, however it ends. If the assembler
 * refuses the filtered text, it gets the original, and a line tells that.
 */
#ifndef WSNTOP_FILTER_ASSEMBLER_H
#define WSNTOP_FILTER_ASSEMBLER_H

#include "core/base/err.h"
#include "core/filter/filter.h"

struct assembler {
	const char *path;		/* the real assembler; looked for in PATH without a slash */
	char *const *argv;		/* its options, argv[0] too; NULL ends them */
	bool filters;			/* false: it runs as it was called */
	struct filter_options filter;
	int errors;			/* descriptor for its messages */
	void (*say)(void *ctx, const char *file, const char *line);
	void *ctx;
};

/* Runs it and returns its status; 128 + N: killed by signal N. Negative: it could not be run. */
int assembler_run(struct assembler *a, struct err *err);

/* What its options tell: for tests. `input`: index in argv of the .s file, 0: standard input. */
struct assembler_call {
	size_t input;
	bool unclear;			/* several files, @FILE, --version: not to be filtered */
	const char *fault;		/* a chip that cannot be filtered; NULL */
	struct outline_options outline;
};

void assembler_read(const struct chip *chip, char *const *argv, struct assembler_call *call);

#endif
