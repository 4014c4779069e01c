#include "tui/doctor.h"

#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/json_out.h"
#include "core/base/text.h"
#include "core/doctor/doctor.h"
#include "core/probe/chain.h"

enum { STATUS_FAULT = 1, STATUS_USAGE = 2, COLUMNS = 80, INDENT = 9, PATH_SHOWN = 1024 };

static const char help[] =
	"usage: wsntop doctor -e APP.ELF [-e OTHER.ELF]...\n"
	"       wsntop doctor -p openocd:[HOST:PORT] [-e APP.ELF]\n"
	"       wsntop doctor -p gdb:[HOST:PORT|DEVICE] [-e APP.ELF]\n\n"
	"Checks a firmware image for problems with profiling, and shows what helps.\n"
	"It runs nothing and reads only the ELF. Each finding begins with its severity;\n"
	"\"warning\": the profile will be incomplete; \"fault\": the profile will be\n"
	"empty or wrong, or the firmware will fail.\n\n"
	"With -p it checks the chain from a debug probe to the chip instead: the server,\n"
	"the core, PC samples and their rate, cycles, comparators, ITM and SWO; and\n"
	"whether the ELF is what the flash holds. By OpenOCD's port the processor is not\n"
	"halted. A gdb server halts it as we connect; it is stopped again only where\n"
	"?stop=1 allows that. Registers that are written for a trial are restored.\n\n"
	"  -e, --elf=FILE             the firmware image\n"
	"  -p, --port=SOURCE          the debug server\n"
	"      --json                 findings and figures as JSON, one object each\n"
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

static int out_write(struct buf *out)
{
	int status = 0;

	if (out->failed || fputs(buf_str(out), stdout) == EOF || fflush(stdout) == EOF) {
		perror("wsntop: standard output");
		status = STATUS_FAULT;
	}
	buf_release(out);
	return status;
}

static void findings_text(struct buf *out, const struct doctor *d, const char *of)
{
	char shown[PATH_SHOWN];

	text_visible(shown, sizeof(shown), of, strlen(of));
	buf_addf(out, "%s: %s\n", shown, doctor_machine(d));
	for (size_t i = 0; i < doctor_count(d); i++)
		add_finding(out, doctor_finding(d, i), want_color());
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void figure_add(struct json_out *j, const char *key, double v)
{
	json_number(j, key, v > 0 ? v : NAN);
}

static void gdb_facts_add(struct json_out *j, const struct chain_gdb *g)
{
	json_begin_object(j, "gdb");
	json_bool(j, "no_acks", g->no_acks);
	json_bool(j, "target_xml", g->features);
	json_bool(j, "single_registers", g->registers);
	json_bool(j, "breakpoints", g->takes[0] || g->takes[1]);
	json_bool(j, "watch_writes", g->takes[2]);
	json_bool(j, "watch_reads", g->takes[3]);
	json_bool(j, "watch_both", g->takes[4]);
	json_bool(j, "reads_while_running", g->reads);
	figure_add(j, "stops_per_second", g->stops_hz);
	figure_add(j, "stop_seconds", g->stop_s);
	json_end_object(j);
}

static void facts_add(struct json_out *j, const struct chain_facts *f)
{
	json_begin_object(j, "facts");
	json_text(j, "server", f->server);
	json_text(j, "adapter", f->adapter);
	json_text(j, "target", f->target);
	json_text(j, "core", f->core);
	json_count(j, "cpuid", f->cpuid, f->cpuid);
	json_text(j, "maker", f->maker);
	figure_add(j, "cycles_hz", f->cycles_hz);
	json_bool(j, "pcsr", f->pcsr);
	figure_add(j, "pcs_per_second", f->pcs_hz);
	figure_add(j, "round_seconds", f->round_s);
	json_number(j, "asleep", f->pcsr ? f->asleep : NAN);
	figure_add(j, "in_code", f->in_code);
	json_count(j, "comparators", f->core[0], f->comparators);
	json_count(j, "comparators_used", f->core[0], f->comparators_used);
	json_count(j, "breakpoints", f->core[0], f->breakpoints);
	json_bool(j, "itm", f->itm);
	json_bool(j, "swo_uart", f->nrz);
	figure_add(j, "swo_baud", f->swo_baud);
	json_count(j, "flash_bytes", f->flash_bytes, f->flash_bytes);
	json_count(j, "flash_compared", f->flash_bytes, f->flash_compared);
	json_count(j, "flash_differ", f->flash_bytes, f->flash_off);
	figure_add(j, "flash_bytes_per_second", f->flash_rate);
	if (f->gdb.is_server)
		gdb_facts_add(j, &f->gdb);
	json_end_object(j);
}

/* `facts` may be NULL. */
static void findings_json(struct buf *out, const struct doctor *d, const char *of,
			  const struct chain_facts *facts)
{
	struct out o;
	struct json_out j = { .out = &o };

	out_open_buf(&o, out);
	json_begin_object(&j, NULL);
	json_number(&j, "wsntop", 1);
	json_text(&j, facts ? "source" : "elf", of);
	json_text(&j, "machine", doctor_machine(d));
	json_text(&j, "worst", doctor_severity_name(doctor_worst(d)));
	if (facts)
		facts_add(&j, facts);
	json_begin_array(&j, "findings");
	for (size_t i = 0; i < doctor_count(d); i++) {
		const struct doctor_finding *f = doctor_finding(d, i);

		json_begin_object(&j, NULL);
		json_text(&j, "severity", doctor_severity_name(f->severity));
		json_text(&j, "about", f->about);
		json_text(&j, "text", f->text);
		json_text(&j, "cure", f->cure);
		json_end_object(&j);
	}
	json_end_array(&j);
	json_end_object(&j);
	out->failed |= out_close(&o, NULL) < 0;
}

/* --- one examination -------------------------------------------------------------------------- */

/* d is freed. `facts` may be NULL. */
static int findings_print(struct doctor *d, const char *of, const struct chain_facts *facts,
			  bool json)
{
	struct buf out = BUF_INIT;
	int status = doctor_worst(d) == DOCTOR_FAULT ? STATUS_FAULT : 0;

	if (json)
		findings_json(&out, d, of, facts);
	else
		findings_text(&out, d, of);
	doctor_free(d);
	return out_write(&out) ? STATUS_FAULT : status;
}

static int image_examine(const char *path, bool json)
{
	struct err err = { 0 };
	struct doctor *d = doctor_new(path, &err);

	if (d)
		return findings_print(d, path, NULL, json);
	fprintf(stderr, "wsntop: %s\n", err.text);
	return STATUS_FAULT;
}

static int chip_examine(const char *source, const char *elf, bool json)
{
	struct err err = { 0 };
	struct chain_facts facts;
	struct doctor *d = chain_examine(source, elf, &facts, &err);

	if (d)
		return findings_print(d, source, &facts, json);
	fprintf(stderr, "wsntop: %s\n", err.text);
	return err.code == ERR_USAGE ? STATUS_USAGE : STATUS_FAULT;
}

/* --- the command line ------------------------------------------------------------------------- */

struct arguments {
	const char *source, *elf;	/* elf: the last one */
	int images;
	bool json;
};

static int usage_fail(const char *what, const char *why)
{
	char shown[PATH_SHOWN];

	text_visible(shown, sizeof(shown), what, strlen(what));
	fprintf(stderr, "wsntop: doctor: %s%s; wsntop doctor --help\n", shown, why);
	return STATUS_USAGE;
}

/* First all options are checked, then (`doing`) the images are examined. */
static int arguments_pass(int argc, char **argv, struct arguments *a, bool doing)
{
	static const struct option longs[] = {
		{ .name = "elf", .has_arg = required_argument, .val = 'e' },
		{ .name = "port", .has_arg = required_argument, .val = 'p' },
		{ .name = "json", .val = 'j' },
		{ .name = "help", .val = 'h' },
		{ 0 },
	};
	int c, status = 0;

	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":e:p:h", longs, NULL)) != -1) {
		if (c == 'h')
			return fputs(help, stdout) == EOF ? STATUS_FAULT : -1;
		if (c == ':')
			return usage_fail(argv[optind - 1], ": its argument is missing");
		if (c == '?')
			return usage_fail(argv[optind - 1], ": no such option");
		a->json |= c == 'j';
		if (c == 'p')
			a->source = optarg;
		if (c != 'e')
			continue;
		a->elf = optarg;
		a->images += !doing;
		if (doing && image_examine(optarg, a->json))
			status = STATUS_FAULT;
	}
	if (optind < argc)
		return usage_fail(argv[optind], ": not an option; give an image with -e");
	if (a->source && a->images > 1)
		return usage_fail(a->source, ": a chip runs one image; give one -e");
	return a->images || a->source ? status : usage_fail("", "no image; give -e APP.ELF");
}

int doctor_main(int argc, char **argv)
{
	struct arguments a = { .source = NULL };
	int status = arguments_pass(argc, argv, &a, false);

	if (status < 0)			/* --help */
		return 0;
	if (status)
		return status;
	return a.source ? chip_examine(a.source, a.elf, a.json)
			: arguments_pass(argc, argv, &a, true);
}
