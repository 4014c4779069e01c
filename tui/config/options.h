/*
 * options: the command line. One row for each option (the export formats have rows for theirs): the
 * parser, --help and docs/wsntop.1 come from it (tests/screen/test_manual.sh checks the last).
 * options.c has values and rows, options_parse.c the words and what must fit together,
 * options_help.c the text.
 *
 * Values are checked here, so that a wrong value is bad usage and is reported before anything is
 * opened. Strings are borrowed from argv.
 */
#ifndef WSNTOP_TUI_CONFIG_OPTIONS_H
#define WSNTOP_TUI_CONFIG_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/regex.h"
#include "core/run/batch.h"
#include "core/node/node.h"
#include "core/profile/look/watch.h"
#include "core/source/source.h"

#define OPTIONS_EXPORTS 16
#define OPTIONS_WATCHES 16

/* The values of an option that may be given more than once. */
struct option_list {
	const char **items;			/* the words are argv's */
	size_t count, cap;
};

struct options {
	struct option_list ports, elfs, records, powers;
	struct option_list variables;		/* to watch */
	struct batch_export exports[OPTIONS_EXPORTS];
	char *export_paths[OPTIONS_EXPORTS];	/* ~ expanded; NULL: as given */
	size_t export_count;
	struct span span;			/* of a recording */
	struct watch watches[OPTIONS_WATCHES];	/* bounds */
	size_t watch_count;
	struct source_paths source;		/* owned: --source-dir, --source-map */
	const char *format, *report, *theme, *config;	/* NULL: not given */
	const char *baseline;			/* a file to compare with; NULL: none */
	long baud;
	double least_load, least_call;		/* percent; negative: not given */
	double trace_memory, nodes_memory;	/* MB; 0: not given */
	double volts, battery_c;		/* V; A s; 0: not given */
	double hz, seconds, speed;		/* 0: not given, or speed: as fast as it decodes */
	struct regex *filter;			/* owned */
	enum column_id sort;
	struct export_values values;		/* options of the formats */
	bool sorted;				/* --sort was given */
	bool seek;				/* an image alone: find the node that runs it */
	bool batch, correct, force, help, version;
};

enum option_kind {
	OPTION_FLAG,			/* bool, becomes true */
	OPTION_NUMBER,			/* double, above 0 */
	OPTION_TEXT,			/* const char *, not empty */
	OPTION_LIST,			/* struct option_list of such texts */
};

struct option_row {
	const char *name;		/* without the dashes */
	const char *argument;		/* the value's form, for the help; NULL: no value */
	const char *help;		/* lines of at most 54 columns */
	const char *group;		/* heading in the help; NULL: as the row before */
	char letter;			/* 0: long only */
	/* Stored by its kind into a member of struct options, or set by a function. */
	enum option_kind kind;
	size_t offset;
	int (*set)(struct options *o, const char *value, struct err *err);
	const struct export_option *export;	/* of the formats: the source of this row */
	bool last;			/* the words behind it are not read: --help */
	/* A row of a command: a member of the command's own struct, or this function sets it. */
	bool own;
	int (*set_own)(void *own, const char *value, struct err *err);
};

/* The rows that a command line takes. All zero: wsntop's own, all of them. */
struct option_table {
	const struct option_row *own;	/* end with a NULL name; NULL: none */
	const char *const *shared;	/* names of wsntop's own rows, end with NULL */
	bool in_order;			/* the first operand ends the options */
};

/* A row of a command that sets a flag of its own struct when help is asked for. */
#define OPTION_HELP(type, member)						\
	{ .name = "help", .letter = 'h', .kind = OPTION_FLAG, .last = true, .own = true, \
	  .offset = offsetof(type, member), .help = "print this" }

/* A command line to be read. */
struct option_line {
	const struct option_table *table;
	struct options *o;		/* what wsntop's rows store into; NULL: it has none */
	void *own;			/* what the command's do */
	bool is_command;		/* messages do not name wsntop --help */
};

/* The i-th row, the formats' options among them; false behind the last. */
bool option_row_at(size_t i, struct option_row *row);
/* The same of a command line: the command's own rows first. */
bool option_table_row(const struct option_table *t, size_t i, struct option_row *row);

/* "call graph for Graphviz (--cluster, --per-site)": a format's help and its options. */
void options_describe(const struct exporter *e, struct buf *out);

/* One more value at the end. 0, or ERR_NOMEM. */
int option_list_add(struct option_list *l, const char *value, struct err *err);

/* The value of one row (NULL: it takes none), checked and stored. 0, or ERR_USAGE. */
int option_set(const struct option_line *l, const struct option_row *r, const char *value,
	       struct err *err);

/* Nothing is given. */
void options_init(struct options *o);

/*
 * The options among argv's words. *operands: the index of the first word that is none; they stand
 * at the end, but where the table is in order. 0, or ERR_USAGE with the sentence.
 */
int options_words(const struct option_line *l, int argc, char **argv, int *operands,
		  struct err *err);

/* What takes more than one option, and operands: ELF files and sources. */
int options_operand(struct options *o, const char *word, struct err *err);
int options_check(struct options *o, struct err *err);

/* wsntop's own command line: all of these. 0, or ERR_USAGE. Release in both cases. */
int options_parse(struct options *o, int argc, char **argv, struct err *err);
/* It is read or written by this run: an ELF, a source, a recording, a baseline, the settings. */
bool options_use_file(const struct options *o, const char *path);

void options_release(struct options *o);

/* The text of --help; `commands`: lines about them, behind the usage. */
void options_help(struct buf *out, const char *commands);
/* The line of one row, and of a name with its help. */
void option_row_help(struct buf *out, const struct option_row *r);
void option_name_help(struct buf *out, const char *name, const char *help);

/* The i-th source as the options of a node. The picker may replace .source. */
void options_node(const struct options *o, size_t i, struct node_options *node);

/* The least relevant changes that were given; those that were not are as in `least`. */
struct compare_least options_least(const struct options *o, struct compare_least least);

/* The options of a run without a screen; baseline, stop and say are the caller's. */
void options_batch(const struct options *o, struct batch_options *batch);

#endif
