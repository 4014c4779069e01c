/*
 * command: the subcommands of the command line, `wsntop doctor`. One row of `commands` for each:
 * wsntop --help, `wsntop help NAME`, the man page and the shells' completion come from it.
 *
 * A command's options are rows of its own, which store into a struct of its own, and rows of
 * wsntop's (options.h) that it names: then it parses them into a struct options as wsntop does.
 * An argument of wsntop that has a command's name is the command; a file of that name is ./NAME.
 */
#ifndef WSNTOP_TUI_COMMAND_COMMAND_H
#define WSNTOP_TUI_COMMAND_COMMAND_H

#include "core/base/buf.h"
#include "core/base/err.h"
#include "tui/config/options.h"

enum { COMMAND_INPUT = 1, COMMAND_USAGE = 2, COMMAND_FAILED = 3 };	/* exit status */

/* What an operand of a command is, for the completion. */
enum command_operand { OPERAND_NONE, OPERAND_FILE, OPERAND_COMMAND, OPERAND_CROSS };

struct command {
	const char *name;
	const char *summary;		/* a line of wsntop --help: at most 50 columns */
	const char *const *usage;	/* the words behind the name, a line each; ends with NULL */
	const char *about;		/* lines of at most 80 columns; a blank line: a paragraph */
	const char *status;		/* a line: "Exit status: 0; 2 bad usage." */
	enum command_operand operand;
	struct option_table options;
	/* argv[0] is the name. The exit status. */
	int (*run)(const struct command *c, int argc, char **argv);
};

/* As doctor.c and the others have them. */
extern const struct command command_as, command_check, command_collect, command_convert,
			    command_diff, command_doctor, command_help, command_init,
			    command_record, command_relay, command_report;

extern const struct command *const commands[];	/* end with NULL */
const struct command *command_find(const char *name);	/* NULL: there is none */

/* Lines of all for wsntop --help, and the help of one. */
void command_list(struct buf *out);
void command_describe(const struct command *c, struct buf *out);

/* --- for the commands ------------------------------------------------------------------------- */

/*
 * The words of a command line. o may be NULL where no rows are shared; `help` is the flag that the
 * command's row sets, and then the help was printed. -1: go on; else the exit status.
 */
int command_parse(const struct command *c, struct options *o, void *own, const bool *help,
		  int argc, char **argv, int *operands);

/*
 * The operands, argv from `first` on, which are files, as o's sources. Fewer than `least` or more
 * than `most` are bad usage, as "expected WHAT". 0, or negative with the sentence.
 */
int command_files(struct options *o, int argc, char **argv, int first, size_t least, size_t most,
		  const char *what, struct err *err);

/* "wsntop: NAME: WHY" on standard error, with where the help is for bad usage; the exit status. */
int command_fail(const struct command *c, const struct err *err);

/* To standard output, released. 0, or COMMAND_INPUT, reported. */
int command_print(struct buf *text);

/* Of batch runs: on standard error, with its advice. */
void command_say(void *ctx, enum advice advice, const char *line);

/* A file name or a name of a stream, made visible. dst has COMMAND_SHOWN bytes. */
enum { COMMAND_SHOWN = 1024 };
const char *command_visible(char *dst, const char *text);

#endif
