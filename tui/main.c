/*
 * wsntop: top for the firmware on a microcontroller. Reads the command line and starts the screen,
 * the batch run or a command.
 *
 * The only file that exits. Status: 0; 1 the input could not be used; 2 bad usage.
 */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/run/baseline.h"
#include "core/run/batch.h"
#include "core/profile/raw/copy.h"
#include "tui/app/app.h"
#include "tui/command/command.h"
#include "tui/config/options.h"
#include "tui/term/crash.h"
#include "tui/term/signals.h"

enum { STATUS_INPUT = 1, STATUS_USAGE = 2 };

/* Not set: the error was reported before. */
static int status_fail(const struct err *err, int status)
{
	if (err_is_set(err))
		command_say(NULL, err->advice, err->text);
	return status;
}

static int print_help(void)
{
	struct buf out = BUF_INIT, all = BUF_INIT;

	command_list(&all);
	options_help(&out, buf_str(&all));
	buf_release(&all);
	return command_print(&out);
}

static int print_version(void)
{
	struct buf out = BUF_INIT;

	buf_adds(&out, "wsntop " WSNTOP_VERSION "\n");
	return command_print(&out);
}

static int open_nodes(const struct options *o, struct nodes *nodes, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < o->ports.count; i++) {
		struct node_options node;

		options_node(o, i, &node);
		ret = nodes_open(nodes, &node, err);
	}
	return ret;
}

static struct profile *read_baseline(const struct options *o, struct err *err)
{
	struct node_options node;

	options_node(o, 0, &node);
	return baseline_read(o->baseline, &node, err);
}

static int run_batch(const struct options *o)
{
	struct nodes nodes;
	struct err err = { 0 };
	struct batch_options batch;
	struct profile *baseline = NULL;
	int status;

	signals_batch();
	options_batch(o, &batch);
	batch.stop = &signals_stop;
	batch.say = command_say;
	if (o->baseline) {
		baseline = read_baseline(o, &err);
		if (!baseline)
			return status_fail(&err, STATUS_INPUT);
		batch.baseline = baseline;
	}
	nodes_init(&nodes);
	status = open_nodes(o, &nodes, &err) < 0 ? STATUS_INPUT : batch_run(&nodes, &batch, &err);
	nodes_release(&nodes);
	profile_drop(baseline);
	return status ? status_fail(&err, status) : 0;
}

static int run_screen(const struct options *o)
{
	struct err err = { 0 };
	int status = app_run(o, &err);

	return status > 0 ? status_fail(&err, status) : status;
}

/*
 * If a standard descriptor is closed at the start, the first file that we open would get its
 * number: the image would be read as the node's stream, or messages written into a recording.
 * /dev/null takes its place, opened such that each use of it fails.
 */
static void keep_standard_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", fcntl(STDIN_FILENO, F_GETFD) < 0 ? O_WRONLY : O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

/* A run that went on with less must not look like one that has all. */
static int status_whole(int status)
{
	if (status || !mem_refused())
		return status;
	command_say(NULL, ADVICE_NONE,
		    "out of memory: what was shown and written may be incomplete");
	return STATUS_INPUT;
}

int main(int argc, char **argv)
{
	static struct options o;	/* a detached thread may still read them at the end */
	const struct command *command = argc > 1 ? command_find(argv[1]) : NULL;
	struct err err = { 0 };
	int status;

	keep_standard_descriptors();
	crash_init();
	signal(SIGXFSZ, SIG_IGN);	/* writing beyond a limit fails like a full disk */
	setlocale(LC_CTYPE, "");	/* not numbers: exports need the decimal point */
	if (command)
		return status_whole(command->run(command, argc - 1, argv + 1));
	if (options_parse(&o, argc, argv, &err) < 0)
		status = status_fail(&err, STATUS_USAGE);
	else if (o.help)
		status = print_help();
	else if (o.version)
		status = print_version();
	else
		status = o.batch ? run_batch(&o) : run_screen(&o);
	if (status == APP_LEFT)
		return 0;
	options_release(&o);
	return status_whole(status);
}
