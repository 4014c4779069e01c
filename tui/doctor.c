#include "tui/doctor.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/text.h"
#include "core/doctor/doctor.h"

enum { STATUS_FAULT = 1, STATUS_USAGE = 2, COLUMNS = 80, INDENT = 9, PATH_SHOWN = 1024 };

static const char help[] =
	"usage: wsntop doctor -e APP.ELF [-e OTHER.ELF]...\n\n"
	"Checks a firmware image for problems with profiling, and shows what helps.\n"
	"It runs nothing and reads only the ELF. Each finding begins with its severity;\n"
	"\"warning\": the profile will be incomplete; \"fault\": the profile will be\n"
	"empty or wrong, or the firmware will fail.\n\n"
	"  -e, --elf=FILE             the firmware image\n"
	"  -h, --help                 print this\n\n"
	"Exit status: 0; 1 a fault was found, or an image cannot be read; 2 bad usage.\n";

/* --- text ------------------------------------------------------------------------------------- */

static const char *color_of(enum doctor_severity severity)
{
	static const char *const colors[] = {
		[DOCTOR_OK] = "\033[32m",
		[DOCTOR_NOTE] = "\033[36m",
		[DOCTOR_WARNING] = "\033[33m",
		[DOCTOR_FAULT] = "\033[1;31m",
	};

	return colors[severity];
}

/* Words from column INDENT, where the cursor is, wrapped before COLUMNS. */
static void text_wrap(struct buf *out, const char *text)
{
	int column = INDENT;

	while (*text) {
		size_t n = strcspn(text, " ");
		char word[COLUMNS * 4];
		int width;

		if (n >= sizeof(word))
			n = sizeof(word) - 1;		/* a long name */
		memcpy(word, text, n);
		word[n] = '\0';
		width = text_columns(word);
		if (column > INDENT && column + 1 + width > COLUMNS) {
			buf_addf(out, "\n%*s", INDENT, "");
			column = INDENT;
		} else if (column > INDENT) {
			buf_addc(out, ' ');
			column++;
		}
		buf_adds(out, word);
		column += width;
		text += n;
		text += strspn(text, " ");
	}
	buf_addc(out, '\n');
}

static void add_finding(struct buf *out, const struct doctor_finding *f, bool color)
{
	buf_addf(out, "%s%-*s%s", color ? color_of(f->severity) : "", INDENT,
		 doctor_severity_name(f->severity), color ? "\033[0m" : "");
	text_wrap(out, f->text);
	if (f->cure) {
		struct buf cure = BUF_INIT;

		buf_addf(&cure, "cure: %s", f->cure);
		buf_addf(out, "%*s", INDENT, "");
		text_wrap(out, buf_str(&cure));
		buf_release(&cure);
	}
}

static bool want_color(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

static int image_examine(const char *path)
{
	struct err err = { 0 };
	struct doctor *d = doctor_new(path, &err);
	struct buf out = BUF_INIT;
	char shown[PATH_SHOWN];
	int status;

	if (!d) {
		fprintf(stderr, "wsntop: %s\n", err.text);
		return STATUS_FAULT;
	}
	text_visible(shown, sizeof(shown), path, strlen(path));
	buf_addf(&out, "%s: %s\n", shown, doctor_machine(d));
	for (size_t i = 0; i < doctor_count(d); i++)
		add_finding(&out, doctor_finding(d, i), want_color());
	status = doctor_worst(d) == DOCTOR_FAULT ? STATUS_FAULT : 0;
	doctor_free(d);
	if (out.failed || fputs(buf_str(&out), stdout) == EOF || fflush(stdout) == EOF) {
		perror("wsntop: standard output");
		status = STATUS_FAULT;
	}
	buf_release(&out);
	return status;
}

/* --- the command line ------------------------------------------------------------------------- */

static int usage_fail(const char *what, const char *why)
{
	char shown[PATH_SHOWN];

	text_visible(shown, sizeof(shown), what, strlen(what));
	fprintf(stderr, "wsntop: doctor: %s%s; wsntop doctor --help\n", shown, why);
	return STATUS_USAGE;
}

/* First all options are checked, then (`doing`) the images are examined. */
static int arguments_pass(int argc, char **argv, bool doing)
{
	static const struct option longs[] = {
		{ .name = "elf", .has_arg = required_argument, .val = 'e' },
		{ .name = "help", .val = 'h' },
		{ 0 },
	};
	int c, images = 0, status = 0;

	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":e:h", longs, NULL)) != -1) {
		if (c == 'h')
			return fputs(help, stdout) == EOF ? STATUS_FAULT : -1;
		if (c == ':')
			return usage_fail(argv[optind - 1], ": a file is missing");
		if (c != 'e')
			return usage_fail(argv[optind - 1], ": no such option");
		images++;
		if (doing && image_examine(optarg))
			status = STATUS_FAULT;
	}
	if (optind < argc)
		return usage_fail(argv[optind], ": not an option; give an image with -e");
	return images ? status : usage_fail("", "no image; give -e APP.ELF");
}

int doctor_main(int argc, char **argv)
{
	int status = arguments_pass(argc, argv, false);

	if (status < 0)			/* --help */
		return 0;
	return status ? status : arguments_pass(argc, argv, true);
}
