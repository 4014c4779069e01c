/* options_parse: the words of a command line, and the checks that take more than one option. */
#include "tui/config/options.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/find/inputs.h"
#include "core/link/link.h"
#include "core/node/watched.h"

/* --- words to rows --------------------------------------------------------------------------- */

enum { ROWS_MAX = 64, LONG_VALUE = 0x100 };

static void getopt_tables(const struct option_table *t, char *letters, struct option *longs)
{
	struct option_row r;
	int i;

	if (t->in_order)
		*letters++ = '+';
	*letters++ = ':';	/* tell a missing argument from an unknown option */
	for (i = 0; option_table_row(t, (size_t)i, &r); i++) {
		assert(i < ROWS_MAX);
		longs[i] = (struct option){
			.name = r.name,
			.has_arg = r.argument ? required_argument : no_argument,
			.val = LONG_VALUE + i,
		};
		if (r.letter)
			*letters++ = r.letter;
		if (r.letter && r.argument)
			*letters++ = ':';
	}
	*letters = 0;
	longs[i] = (struct option){ 0 };
}

/* The row that getopt_long means by c: a long option's value or a letter. */
static bool row_of(const struct option_table *t, int c, struct option_row *row)
{
	if (c >= LONG_VALUE)
		return option_table_row(t, (size_t)(c - LONG_VALUE), row);
	for (size_t i = 0; c && option_table_row(t, i, row); i++)
		if (row->letter == c)
			return true;
	return false;
}

/* The word at which getopt_long stopped: ':' its argument is missing, '?' anything else. */
static int word_refuse(const struct option_line *l, int c, const char *word, struct err *err)
{
	const char *where = l->is_command ? "" : "; wsntop --help lists them";
	struct option_row r;
	bool known = row_of(l->table, optopt, &r);

	if (c == ':' && known)
		return err_set(err, ERR_USAGE, "--%s: a value is missing: --%s=%s", r.name, r.name,
			       r.argument);
	if (known)
		return err_set(err, ERR_USAGE, "--%s: takes no value", r.name);
	if (optopt)
		return err_set(err, ERR_USAGE, "-%c: unknown option%s", optopt, where);
	return err_set(err, ERR_USAGE, "%s: unknown or ambiguous option%s", word, where);
}

int options_words(const struct option_line *l, int argc, char **argv, int *operands,
		  struct err *err)
{
	char letters[2 * ROWS_MAX + 3];
	struct option longs[ROWS_MAX + 1];
	struct option_row row;
	int c, e = 0;

	getopt_tables(l->table, letters, longs);
	opterr = 0;
	optind = 0;
	while (e == 0 && (c = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		if (c != '?' && c != ':' && row_of(l->table, c, &row))
			e = option_set(l, &row, optarg, err);
		else
			return word_refuse(l, c, argv[optind - 1], err);
		if (row.last)
			break;
	}
	*operands = optind;
	return e;
}

/* --- checks ---------------------------------------------------------------------------------- */

static bool list_has_file(const struct option_list *l, const char *path)
{
	for (size_t i = 0; i < l->count; i++)
		if (inputs_is_source(l->items[i], path))
			return true;
	return false;
}

static bool is_meter_file(const struct options *o, const char *path)
{
	for (size_t i = 0; i < o->powers.count; i++) {
		if (inputs_is_meter(o->powers.items[i], path))
			return true;
	}
	for (size_t i = 0; o->powers.count && i < o->records.count; i++) {
		if (inputs_is_meter_record(o->records.items[i], path))
			return true;
	}
	return false;
}

bool options_use_file(const struct options *o, const char *path)
{
	if (is_meter_file(o, path))
		return true;
	return list_has_file(&o->ports, path) || list_has_file(&o->elfs, path) ||
	       list_has_file(&o->records, path) || inputs_same(o->baseline, path) ||
	       inputs_same(o->config, path);
}

/* With several nodes the second writes to FILE.2 (core/run/batch.c). */
static int exports_check(const struct options *o, struct err *err)
{
	struct buf path = BUF_INIT;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < o->export_count; i++) {
		const struct batch_export *x = &o->exports[i];

		for (size_t k = 0; ret == 0 && k < o->ports.count && strcmp(x->path, "-"); k++) {
			path.len = 0;
			buf_adds(&path, x->path);
			if (k)
				buf_addf(&path, ".%zu", k + 1);
			if (!path.failed && options_use_file(o, buf_str(&path)))
				ret = err_set(err, ERR_USAGE, "--export=%s: %s is an input of this "
					      "run; give another file", x->exporter->name,
					      buf_str(&path));
		}
	}
	buf_release(&path);
	return ret;
}

static bool exports_changes(const struct options *o)
{
	for (size_t i = 0; i < o->export_count; i++)
		if (!strcmp(o->exports[i].exporter->name, "changes") ||
		    !strcmp(o->exports[i].exporter->name, "json"))
			return true;
	return false;
}

/* A recording says itself what was watched, and refuses what was not. */
static bool port_is_file(const char *port)
{
	struct stat st;

	if (strcmp(port, "-") == 0)
		return true;
	if (strncmp(port, "file:", 5) == 0)
		port += 5;
	return stat(port, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

/* A word is logged where a source can do that; else it is a bound cut short. */
static int logged_check(const struct options *o, struct err *err)
{
	struct watch_words words;

	for (size_t i = 0; i < o->variables.count; i++)
		if (watch_parse_words(o->variables.items[i], &words, err) < 0)
			return ERR_USAGE;
	for (size_t i = 0; i < o->ports.count; i++)
		if (link_format(o->ports.items[i]) || port_is_file(o->ports.items[i]))
			return 0;
	if (!o->variables.count || (o->format && strcmp(o->format, "auto") != 0))
		return 0;		/* a recording's format is named: it may be one that can */
	return err_set(err, ERR_USAGE, "--watch=%s: expected FUNCTION: FIGURE > VALUE, such as "
		       "clock_tick: max > 300 us (variables, calls, interrupts: by openocd:, gdb:, "
		       "swo:, simavr:, qemu:)", o->variables.items[0]);
}

/* The checks that take more than one option. */
int options_check(struct options *o, struct err *err)
{
	size_t n = o->ports.count;

	o->seek = o->seek && n == 0 && o->elfs.count == 1;
	if (logged_check(o, err) < 0)
		return ERR_USAGE;
	if (o->batch && n == 0)
		return err_set(err, ERR_USAGE, "--batch: no source; give -p SOURCE");
	if ((o->span.begins || o->span.ends) && !o->batch)
		return err_set(err, ERR_USAGE, "--from, --until: with -B; on the screen mark a "
					       "window");
	if (o->batch && o->baseline && !exports_changes(o))
		return err_set(err, ERR_USAGE, "--baseline: with -B it needs -x changes or "
					       "-x json, which list the changes");
	if (o->records.count && o->records.count != (n ? n : 1))
		return err_set(err, ERR_USAGE, "--record: %zu recording%s for %zu source%s; "
			       "each needs its own", o->records.count,
			       o->records.count == 1 ? "" : "s", n, n == 1 ? "" : "s");
	if (o->powers.count > (n ? n : 1))
		return err_set(err, ERR_USAGE, "--power: %zu meters for %zu source%s; they pair "
			       "with -p in order", o->powers.count, n, n == 1 ? "" : "s");
	for (size_t i = 0; i < o->export_count; i++)
		if (o->exports[i].exporter->binary && !strcmp(o->exports[i].path, "-") &&
		    isatty(STDOUT_FILENO))
			return err_set(err, ERR_USAGE, "--export=%s: it is binary, unfit for a "
				       "terminal; give a file: %s:%s", o->exports[i].exporter->name,
				       o->exports[i].exporter->name, o->exports[i].exporter->file);
	return exports_check(o, err);
}

/* --- operands: an ELF file is the image, all else a source ---------------------------------- */

static bool is_elf(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char magic[4];
	bool is = fd >= 0 && read(fd, magic, sizeof(magic)) == (ssize_t)sizeof(magic) &&
		  !memcmp(magic, "\177ELF", sizeof(magic));

	if (fd >= 0)
		close(fd);
	return is;
}

int options_operand(struct options *o, const char *word, struct err *err)
{
	struct stat st;

	if (stat(word, &st) < 0) {
		if (strncmp(word, "tcp:", 4) == 0 || strncmp(word, "unix:", 5) == 0 ||
		    strncmp(word, "file:", 5) == 0 || strncmp(word, "serial:", 7) == 0)
			return option_list_add(&o->ports, word, err);
		return err_set(err, ERR_USAGE, "%s: not an option, and %s; "
			       "a source is given with -p, an image with -e", word,
			       errno == ENOENT ? "no such file" : strerror(errno));
	}
	if (S_ISDIR(st.st_mode))
		return err_set(err, ERR_USAGE, "%s: a folder; "
			       "give an ELF file, a recording or a port", word);
	if (!S_ISREG(st.st_mode) || !is_elf(word))
		return option_list_add(&o->ports, word, err);
	o->seek = true;
	return option_list_add(&o->elfs, word, err);
}

/* --- all ------------------------------------------------------------------------------------- */

void options_init(struct options *o)
{
	*o = (struct options){ .speed = 1, .sort = COLUMN_SELF, .least_load = -1,
			       .least_call = -1 };
}

int options_parse(struct options *o, int argc, char **argv, struct err *err)
{
	static const struct option_table all = { 0 };
	struct option_line line = { .table = &all, .o = o };
	int i, e;

	options_init(o);
	e = options_words(&line, argc, argv, &i, err);
	if (e < 0 || o->help || o->version)
		return e;
	for (; argv[i]; i++)
		if ((e = options_operand(o, argv[i], err)) < 0)
			return e;
	return options_check(o, err);
}
