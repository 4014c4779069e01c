/*
 * doctor: `wsntop doctor`: what is wrong with images for profiling, or between a debug probe and
 * its chip, as text or JSON.
 */
#include "tui/command/command.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/json_out.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/doctor/doctor.h"
#include "core/probe/chain.h"

enum { STATUS_FAULT = 1, COLUMNS = 80, INDENT = 9 };

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

static void findings_text(struct buf *out, const struct doctor *d, const char *of)
{
	char shown[COMMAND_SHOWN];

	buf_addf(out, "%s: %s\n", command_visible(shown, of), doctor_machine(d));
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
	return command_print(&out) ? STATUS_FAULT : status;
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
	return err.code == ERR_USAGE ? COMMAND_USAGE : STATUS_FAULT;
}

/* --- the command line ------------------------------------------------------------------------- */

struct arguments {
	struct option_list elfs;
	const char *source;
	bool json, help;
};

static int arguments_check(const struct arguments *a, int argc, char **argv, int first,
			   struct err *err)
{
	char shown[COMMAND_SHOWN];

	if (first < argc)
		return err_set(err, ERR_USAGE, "%s: not an option; an image is given with -e",
			       command_visible(shown, argv[first]));
	if (a->source && a->elfs.count > 1)
		return err_set(err, ERR_USAGE, "%s: a chip runs one image; give one -e",
			       command_visible(shown, a->source));
	if (!a->source && !a->elfs.count)
		return err_set(err, ERR_USAGE, "no image; give -e APP.ELF");
	return 0;
}

static int doctor_examine(const struct arguments *a)
{
	int status = 0;

	if (a->source)
		return chip_examine(a->source, a->elfs.count ? a->elfs.items[0] : NULL, a->json);
	for (size_t i = 0; i < a->elfs.count; i++)
		if (image_examine(a->elfs.items[i], a->json))
			status = STATUS_FAULT;
	return status;
}

/* First all options are checked, then the images are examined. */
static int doctor_run(const struct command *c, int argc, char **argv)
{
	struct arguments a = { .source = NULL };
	struct err err = { 0 };
	int first, status = command_parse(c, NULL, &a, &a.help, argc, argv, &first);

	if (status < 0)
		status = arguments_check(&a, argc, argv, first, &err) < 0 ?
			 command_fail(c, &err) : doctor_examine(&a);
	mem_free(a.elfs.items);
	return status;
}

#define MEMBER(name) .own = true, .offset = offsetof(struct arguments, name)

static const struct option_row rows[] = {
	{ .name = "elf", .letter = 'e', .argument = "FILE", .kind = OPTION_LIST, MEMBER(elfs),
	  .help = "the firmware image; repeatable" },
	{ .name = "port", .letter = 'p', .argument = "SOURCE", .kind = OPTION_TEXT, MEMBER(source),
	  .help = "the debug server" },
	{ .name = "json", .kind = OPTION_FLAG, MEMBER(json),
	  .help = "findings and figures as JSON, one object each" },
	OPTION_HELP(struct arguments, help),
	{ .name = NULL },
};

static const char *const usage[] = {
	"-e APP.ELF [-e OTHER.ELF]...",
	"-p openocd:[HOST:PORT] [-e APP.ELF]",
	"-p gdb:[HOST:PORT|DEVICE] [-e APP.ELF]",
	NULL,
};

const struct command command_doctor = {
	.name = "doctor", .summary = "check an image, or a debug probe and its chip",
	.usage = usage,
	.about = "Checks a firmware image for problems with profiling, and shows what helps.\n"
		 "It runs nothing and reads only the ELF. Each finding begins with its severity;\n"
		 "\"warning\": the profile will be incomplete; \"fault\": the profile will be\n"
		 "empty or wrong, or the firmware will fail.\n\n"
		 "With -p it checks the chain from a debug probe to the chip instead: the server,\n"
		 "the core, PC samples and their rate, cycles, comparators, ITM and SWO; and\n"
		 "whether the ELF is what the flash holds. By OpenOCD's port the processor is not\n"
		 "halted. A gdb server halts it as we connect; it is stopped again only where\n"
		 "?stop=1 allows that. Registers that are written for a trial are restored.",
	.status = "Exit status: 0; 1 a fault was found, or an image cannot be read; 2 bad usage.",
	.options.own = rows,
	.run = doctor_run,
};
