/* command: the table of commands and what all of them use. */
#include "tui/command/command.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/config/advice.h"

const struct command *const commands[] = {
	&command_check,
	&command_diff,
	&command_report,
	&command_convert,
	&command_record,
	&command_relay,
	&command_collect,
	&command_init,
	&command_doctor,
	&command_as,
	&command_help,
	NULL,
};

const struct command *command_find(const char *name)
{
	for (const struct command *const *c = commands; *c; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	return NULL;
}

/* --- help ------------------------------------------------------------------------------------- */

void command_list(struct buf *out)
{
	buf_adds(out, "\nCommands (wsntop help COMMAND)\n");
	for (const struct command *const *c = commands; *c; c++)
		option_name_help(out, (*c)->name, (*c)->summary);
}

void command_describe(const struct command *c, struct buf *out)
{
	struct option_row r;

	for (size_t i = 0; c->usage[i]; i++)
		buf_addf(out, "%s wsntop %s%s%s\n", i ? "      " : "usage:", c->name,
			 *c->usage[i] ? " " : "", c->usage[i]);
	buf_addf(out, "\n%s\n", c->about);
	for (size_t i = 0; option_table_row(&c->options, i, &r); i++) {
		if (i == 0)
			buf_addc(out, '\n');
		option_row_help(out, &r);
	}
	buf_addf(out, "\n%s\n", c->status);
}

static const char *const help_usage[] = { "[COMMAND]", NULL };

static int help_run(const struct command *c, int argc, char **argv)
{
	const struct command *of = argc > 1 ? command_find(argv[1]) : NULL;
	struct buf out = BUF_INIT, all = BUF_INIT;
	struct err err = { 0 };
	char shown[COMMAND_SHOWN];

	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
		of = c;
	if (argc > 2 || (argc > 1 && !of)) {
		err_set(&err, ERR_USAGE, "%s: no such command",
			command_visible(shown, argv[argc > 2 ? 2 : 1]));
		return command_fail(c, &err);
	}
	if (of) {
		command_describe(of, &out);
	} else {
		command_list(&all);
		options_help(&out, buf_str(&all));
	}
	buf_release(&all);
	return command_print(&out);
}

const struct command command_help = {
	.name = "help", .summary = "help: of wsntop, or of a command",
	.usage = help_usage,
	.about = "Prints how a command is used; without one, how wsntop is.",
	.status = "Exit status: 0; 2 no such command.", .operand = OPERAND_COMMAND,
	.run = help_run,
	.options.own = &(const struct option_row){ .name = NULL },
};

/* --- for the commands ------------------------------------------------------------------------- */

const char *command_visible(char *dst, const char *text)
{
	text_visible(dst, COMMAND_SHOWN, text, strlen(text));
	return dst;
}

int command_print(struct buf *text)
{
	int status = 0;

	if (text->failed || fputs(buf_str(text), stdout) == EOF || fflush(stdout) == EOF) {
		perror("wsntop: standard output");
		status = COMMAND_INPUT;
	}
	buf_release(text);
	return status;
}

void command_say(void *ctx, enum advice advice, const char *line)
{
	char text[1024];

	(void)ctx;
	fprintf(stderr, "wsntop: %s\n", advice_text(advice, line, text, sizeof(text)));
}

int command_files(struct options *o, int argc, char **argv, int first, size_t least, size_t most,
		  const char *what, struct err *err)
{
	for (; first < argc; first++)
		if (option_list_add(&o->ports, argv[first], err) < 0)
			return ERR_NOMEM;
	if (o->ports.count < least || o->ports.count > most)
		return err_set(err, ERR_USAGE, "expected %s", what);
	o->batch = true;
	return 0;
}

int command_fail(const struct command *c, const struct err *err)
{
	char text[1024];

	if (!err_is_set(err))
		return COMMAND_INPUT;		/* it was reported before */
	fprintf(stderr, "wsntop: %s: %s", c->name,
		advice_text(err->advice, err->text, text, sizeof(text)));
	if (err->code == ERR_USAGE)
		fprintf(stderr, "; wsntop help %s", c->name);
	fputc('\n', stderr);
	return err->code == ERR_USAGE ? COMMAND_USAGE : COMMAND_INPUT;
}

int command_parse(const struct command *c, struct options *o, void *own, const bool *help,
		  int argc, char **argv, int *operands)
{
	struct option_line line = { .table = &c->options, .o = o, .own = own, .is_command = true };
	struct buf out = BUF_INIT;
	struct err err = { 0 };

	if (o)
		options_init(o);
	if (options_words(&line, argc, argv, operands, &err) < 0)
		return command_fail(c, &err);
	if (!*help)
		return -1;
	command_describe(c, &out);
	return command_print(&out);
}
