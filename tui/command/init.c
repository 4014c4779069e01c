/*
 * init: `wsntop init`: the profiler's runtime put into a firmware tree (core/kit/).
 */
#include "tui/command/command.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/file.h"
#include "core/base/os.h"
#include "core/base/text.h"
#include "core/kit/kit.h"

struct arguments {
	const char *rtos, *elf, *chip, *clock;
	bool help;
};

/* --- where the runtime's files are ------------------------------------------------------------ */

static bool share_judge(const char *path)
{
	struct buf probe = BUF_INIT;
	bool is;

	buf_addf(&probe, "%s/target-common/wsnprof.h", path);
	is = !probe.failed && file_is_regular(buf_str(&probe));
	buf_release(&probe);
	return is;
}

/*
 * The source tree above a binary that was built in it, the share folder beside an installed bin/,
 * or the one that was compiled in.
 */
static int share_find(struct buf *share, struct err *err)
{
	static const char *const beside[] = { ".", "..", "../..", "../share/wsntop" };
	char self[PATH_MAX];
	const char *slash = strrchr(os_program(self, sizeof(self)), '/');

	for (size_t i = 0; slash && i < sizeof(beside) / sizeof(beside[0]); i++) {
		buf_reset(share);
		buf_addf(share, "%.*s/%s", (int)(slash - self), self, beside[i]);
		if (share_judge(buf_str(share)))
			return 0;
	}
	buf_reset(share);
	buf_adds(share, WSNTOP_DATADIR);
	if (share_judge(buf_str(share)))
		return 0;
	return err_set(err, ERR_ABSENT, "%s: the runtime's files are not there: install them "
		       "(make install, or the package wsntop-firmware)", WSNTOP_DATADIR);
}

/* --- the plan, shown -------------------------------------------------------------------------- */

static void lines_indent(struct buf *out, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		buf_addf(out, "    %.*s\n", (int)n, text);
		text += n + (text[n] == '\n');
	}
}

static int differences_say(const struct kit *k, const char *dir)
{
	char shown[COMMAND_SHOWN];
	size_t n = kit_count(k, KIT_DIFFERENT);

	command_visible(shown, dir);
	for (size_t i = 0; i < n; i++)
		fprintf(stderr, "wsntop: init: %s/%s: exists and differs: rename or remove it; "
			"nothing was written\n", shown, kit_path(k, KIT_DIFFERENT, i));
	return COMMAND_INPUT;
}

static int outcome_print(const struct kit *k, const char *dir, size_t written)
{
	struct buf out = BUF_INIT, part = BUF_INIT;
	char shown[COMMAND_SHOWN];

	buf_addf(&out, "%s: %zu files written, %zu were there\n", command_visible(shown, dir),
		 written, kit_count(k, KIT_SAME));
	kit_choices(k, &part);
	if (part.len)
		buf_adds(&out, "\nSettings (wsnprof_config.h):\n");
	lines_indent(&out, buf_str(&part));
	buf_reset(&part);
	kit_steps(k, &part);
	buf_adds(&out, "\nTo add:\n");
	lines_indent(&out, buf_str(&part));
	buf_adds(&out, "\nThen rebuild all; wsntop doctor -e APP.ELF; wsntop -p PORT -e APP.ELF\n");
	out.failed |= part.failed;
	buf_release(&part);
	return command_print(&out);
}

static int order_run(const struct command *c, const struct kit_order *order)
{
	struct err err = { 0 };
	struct kit *k = kit_new(order, &err);
	int status;

	if (!k)
		return command_fail(c, &err);
	if (kit_count(k, KIT_DIFFERENT))
		status = differences_say(k, order->dir);
	else if (kit_write(k, &err) < 0)
		status = command_fail(c, &err);
	else
		status = outcome_print(k, order->dir, kit_count(k, KIT_NEW));
	kit_free(k);
	return status;
}

/* --- the command line ------------------------------------------------------------------------- */

static int chip_take(struct kit_order *order, const char *name, struct err *err)
{
	static const unsigned chips[] = { LAYOUT_AVR, LAYOUT_CORTEXM };

	for (size_t i = 0; name && i < sizeof(chips) / sizeof(chips[0]); i++)
		if (strcmp(name, layout_chip_name(chips[i])) == 0)
			order->chip = chips[i];
	if (name && !order->chip)
		return err_set(err, ERR_USAGE, "--chip=%s: avr or cortexm", name);
	/* A layout for one chip alone says which. */
	if (!order->chip && !order->elf && order->layout->chips != LAYOUT_ANY)
		order->chip = order->layout->chips;
	if (!order->chip && !order->elf)
		return err_set(err, ERR_USAGE, "which chip: give -e APP.ELF, or --chip=avr or "
			       "--chip=cortexm");
	return 0;
}

static int dir_take(struct kit_order *order, int argc, char **argv, int first, struct err *err)
{
	char shown[COMMAND_SHOWN];
	struct stat st;

	if (first >= argc)
		return err_set(err, ERR_USAGE, "the folder of the firmware is missing");
	if (first + 1 < argc)
		return err_set(err, ERR_USAGE, "%s: one folder at a time",
			       command_visible(shown, argv[first + 1]));
	order->dir = argv[first];
	if (stat(order->dir, &st) < 0)
		return err_errno(err, "%s", command_visible(shown, order->dir));
	return S_ISDIR(st.st_mode) ? 0 : err_set(err, ERR_USAGE, "%s: not a folder",
						 command_visible(shown, order->dir));
}

static int order_make(struct kit_order *order, const struct arguments *a, struct err *err)
{
	order->elf = a->elf;
	order->layout = layout_find(a->rtos ? a->rtos : layouts[0].name);
	if (!order->layout)
		return err_set(err, ERR_USAGE, "--rtos=%s: none, freertos, zephyr, contiki, riot "
			       "or arduino", a->rtos);
	if (a->clock && (!text_u64(a->clock, &order->clock_hz) || !order->clock_hz ||
			 order->clock_hz > UINT32_MAX))
		return err_set(err, ERR_USAGE, "--clock=%s: expected Hz, as 64000000", a->clock);
	return chip_take(order, a->chip, err);
}

static int init_run(const struct command *c, int argc, char **argv)
{
	struct arguments a = { .rtos = NULL };
	struct kit_order order = { .dir = NULL };
	struct buf share = BUF_INIT;
	struct err err = { 0 };
	int first, status = command_parse(c, NULL, &a, &a.help, argc, argv, &first);

	if (status >= 0)
		return status;
	if (dir_take(&order, argc, argv, first, &err) < 0 || order_make(&order, &a, &err) < 0 ||
	    share_find(&share, &err) < 0) {
		status = command_fail(c, &err);
	} else {
		order.share = buf_str(&share);
		status = order_run(c, &order);
	}
	buf_release(&share);
	return status;
}

/* --- its row ---------------------------------------------------------------------------------- */

#define MEMBER(name) .kind = OPTION_TEXT, .own = true, .offset = offsetof(struct arguments, name)

static const struct option_row rows[] = {
	{ .name = "rtos", .argument = "NAME", MEMBER(rtos),
	  .help = "none (default), freertos, zephyr, contiki, riot,\narduino" },
	{ .name = "elf", .letter = 'e', .argument = "FILE", MEMBER(elf),
	  .help = "the firmware as it is: machine, RAM, calls, timers" },
	{ .name = "chip", .argument = "NAME", MEMBER(chip),
	  .help = "avr or cortexm, where no image tells" },
	{ .name = "clock", .argument = "HZ", MEMBER(clock),
	  .help = "Cortex-M: the core's clock" },
	OPTION_HELP(struct arguments, help),
	{ .name = NULL },
};

static const char *const usage[] = { "DIR [--rtos=NAME] [-e APP.ELF] [OPTION]...", NULL };

const struct command command_init = {
	.name = "init", .summary = "put the profiler's runtime into a firmware tree",
	.usage = usage, .operand = OPERAND_FILE,
	.about = "Puts the profiler's runtime into a firmware tree and writes a wsnprof_config.h\n"
		 "whose settings fit the image: call sites by the calls and the free RAM, a timer\n"
		 "that the firmware leaves free, the clock, where flash begins. Prints the lines\n"
		 "to add to the build and the program. A file that exists is never changed: one\n"
		 "that differs is named, and then nothing is written.",
	.status = "Exit status: 0; 1 a file differs or cannot be written; 2 bad usage.",
	.options = { .own = rows },
	.run = init_run,
};
