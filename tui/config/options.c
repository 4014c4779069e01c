/* options: what each option takes and where it is stored; the table of all. See options.h. */
#include "tui/config/options.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/node/watched.h"
#include "core/power/model.h"
#include "core/wire/wire.h"

/* --- values --------------------------------------------------------------------------------- */

int option_list_add(struct option_list *l, const char *value, struct err *err)
{
	if (mem_grow(&l->items, &l->cap, l->count + 1, sizeof(const char *)) < 0)
		return err_set(err, ERR_NOMEM, "out of memory");
	l->items[l->count++] = value;
	return 0;
}

static int value_empty(const char *name, struct err *err)
{
	return err_set(err, ERR_USAGE, "--%s: the value is empty", name);
}

static int number_read(const char *name, const char *value, double *out, struct err *err)
{
	double d;

	if (!text_double(value, &d) || !isfinite(d) || d <= 0)
		return err_set(err, ERR_USAGE, "--%s=%s: expected a number above 0", name, value);
	*out = d;
	return 0;
}

static int integer_read(const char *name, const char *value, uint64_t max, uint64_t *out,
			struct err *err)
{
	uint64_t n;

	if (!text_u64(value, &n) || n == 0 || n > max)
		return err_set(err, ERR_USAGE, "--%s=%s: expected a whole number from 1 to %llu",
			       name, value, (unsigned long long)max);
	*out = n;
	return 0;
}

static int set_baud(struct options *o, const char *value, struct err *err)
{
	uint64_t n = 0;
	int e = integer_read("baud", value, 100000000, &n, err);

	o->baud = (long)n;
	return e;
}

/* The names of a table, for the message that a value is not among them. */
static void name_list(struct buf *names, const char *name)
{
	buf_addf(names, "%s%s", names->len ? ", " : "", name);
}

static int name_refuse(const char *option, const char *kind, const char *value, int n,
		       struct buf *names, struct err *err)
{
	err_set(err, ERR_USAGE, "--%s=%.*s: unknown %s; known are %s", option, n, value, kind,
		buf_str(names));
	buf_release(names);
	return ERR_USAGE;
}

static int set_format(struct options *o, const char *value, struct err *err)
{
	struct buf names = BUF_INIT;

	for (const struct wire_format *f = wire_formats; f->name; f++) {
		if (!strcmp(f->name, value)) {
			o->format = value;
			buf_release(&names);
			return 0;
		}
		name_list(&names, f->name);
	}
	return name_refuse("format", "packet format", value, -1, &names, err);
}

static int set_speed(struct options *o, const char *value, struct err *err)
{
	if (!strcmp(value, "max")) {
		o->speed = 0;
		return 0;
	}
	if (number_read("speed", value, &o->speed, NULL) < 0)
		return err_set(err, ERR_USAGE, "--speed=%s: expected a number above 0, or max",
			       value);
	return 0;
}

/* The shell leaves the ~ of csv:~/file. What is too long for a path is refused as such later. */
static const char *export_path(struct options *o, const char *path)
{
	char **expanded = &o->export_paths[o->export_count];
	char text[2 * PATH_MAX];

	if (*path != '~' || strlen(path) >= PATH_MAX)
		return path;
	*expanded = mem_strdup(file_expand(path, text, sizeof(text)));
	return *expanded ? *expanded : path;
}

static int set_export(struct options *o, const char *value, struct err *err)
{
	const char *colon = strchrnul(value, ':');
	size_t n = (size_t)(colon - value);
	struct batch_export *x = &o->exports[o->export_count];
	struct buf names = BUF_INIT;

	if (o->export_count == OPTIONS_EXPORTS)
		return err_set(err, ERR_USAGE, "--export: given more than %d times",
			       OPTIONS_EXPORTS);
	for (const struct exporter *e = exporters; e->name; e++) {
		if (strlen(e->name) == n && !memcmp(e->name, value, n)) {
			x->exporter = e;
			x->path = colon[0] && colon[1] ? export_path(o, colon + 1) : "-";
			o->export_count++;
			buf_release(&names);
			return 0;
		}
		name_list(&names, e->name);
	}
	return name_refuse("export", "format", value, (int)n, &names, err);
}

static int set_filter(struct options *o, const char *value, struct err *err)
{
	struct err why = { 0 };
	struct regex *r = regex_new(value, &why);

	if (!r)
		return err_set(err, ERR_USAGE, "--filter=%s: %s", value, why.text);
	regex_free(o->filter);
	o->filter = r;
	return 0;
}

/* As the setting of that name in [compare]. */
static int least_read(const char *option, const char *value, double most, double *least,
		      struct err *err)
{
	if (!text_double(value, least) || !(*least >= 0 && *least <= most))
		return err_set(err, ERR_USAGE, "--%s=%s: expected 0 to %g percent", option, value,
			       most);
	return 0;
}

static int set_compare_load(struct options *o, const char *value, struct err *err)
{
	return least_read("compare-load", value, 100, &o->least_load, err);
}

static int set_compare_call(struct options *o, const char *value, struct err *err)
{
	return least_read("compare-call", value, 1000, &o->least_call, err);
}

static int set_volts(struct options *o, const char *value, struct err *err)
{
	o->volts = power_quantity(value, "V");
	if (isnan(o->volts))
		o->volts = power_quantity(value, "");
	if (o->volts > 0 && o->volts <= 1000)
		return 0;
	return err_set(err, ERR_USAGE, "--volts=%s: expected the supply's voltage: 3.0, 3300mV",
		       value);
}

static int set_battery(struct options *o, const char *value, struct err *err)
{
	o->battery_c = 3600 * power_quantity(value, "Ah");
	if (o->battery_c > 0 && o->battery_c < 1e12)
		return 0;
	return err_set(err, ERR_USAGE, "--battery=%s: expected a capacity: 220mAh, 2.5Ah", value);
}

enum { MEMORY_MOST = 1 << 20 };

static int megabytes_read(const char *name, const char *value, double *mb, struct err *err)
{
	if (text_double(value, mb) && *mb >= 1 && *mb <= MEMORY_MOST)
		return 0;
	return err_set(err, ERR_USAGE, "--%s=%s: expected megabytes, 1 to %d", name, value,
		       MEMORY_MOST);
}

static int set_trace_memory(struct options *o, const char *value, struct err *err)
{
	return megabytes_read("trace-memory", value, &o->trace_memory, err);
}

static int set_nodes_memory(struct options *o, const char *value, struct err *err)
{
	return megabytes_read("nodes-memory", value, &o->nodes_memory, err);
}

static int set_watch(struct options *o, const char *value, struct err *err)
{
	struct err why = { 0 };

	if (watch_is_logged(value))
		return option_list_add(&o->variables, value, err);
	if (o->watch_count == OPTIONS_WATCHES)
		return err_set(err, ERR_USAGE, "--watch: given more than %d times",
			       OPTIONS_WATCHES);
	if (watch_parse(value, &o->watches[o->watch_count], &why) < 0)
		return err_set(err, ERR_USAGE, "--watch=%s: %s", value, why.text);
	o->watch_count++;
	return 0;
}

static int moment_take(const char *option, const char *value, struct moment *m, bool *given,
		       struct err *err)
{
	if (!moment_parse(value, m))
		return err_set(err, ERR_USAGE, "--%s=%s: not a time: 12:03:41, 3:20, 90s, 2h, "
			       "start, end", option, value);
	*given = true;
	return 0;
}

static int set_from(struct options *o, const char *value, struct err *err)
{
	return moment_take("from", value, &o->span.from, &o->span.begins, err);
}

static int set_until(struct options *o, const char *value, struct err *err)
{
	return moment_take("until", value, &o->span.until, &o->span.ends, err);
}

static int set_sort(struct options *o, const char *value, struct err *err)
{
	const struct column *c = column_find(value);
	struct buf names = BUF_INIT;

	if (c) {
		o->sort = c->id;
		o->sorted = true;
		return 0;
	}
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		name_list(&names, columns[i].name);
	return name_refuse("sort", "column", value, -1, &names, err);
}

static int set_export_option(struct export_values *values, const struct export_option *e,
			     const char *value, struct err *err)
{
	struct export_value *v = export_value(values, e);

	switch (e->kind) {
	case EXPORT_BOOL:
		v->number = 1;
		return 0;
	case EXPORT_NUMBER:
		return integer_read(e->name, value, SIZE_MAX / 2, &v->number, err);
	case EXPORT_TEXT:
		v->text = value;
		return *value ? 0 : value_empty(e->name, err);
	}
	return ERR_USAGE;
}

static int set_report(struct options *o, const char *value, struct err *err)
{
	uint64_t n;

	if (!*value)
		return value_empty("report", err);
	if (value[0] == '#' && (!text_u64(value + 1, &n) || n == 0))
		return err_set(err, ERR_USAGE, "--report=%s: reports are counted from #1", value);
	o->report = value;
	return 0;
}

/* `status` of source_paths, in words. */
static int source_status(const char *name, const char *value, int status, int max,
			 struct err *err)
{
	if (status == ERR_USAGE)
		return err_set(err, status, "--%s=%s: given more than %d times", name, value, max);
	return status ? err_set(err, status, "out of memory") : 0;
}

static int set_source_dir(struct options *o, const char *value, struct err *err)
{
	if (!*value)
		return value_empty("source-dir", err);
	return source_status("source-dir", value, source_paths_add_dir(&o->source, value),
			     SOURCE_DIRS, err);
}

static int set_source_map(struct options *o, const char *value, struct err *err)
{
	const char *equals = strchr(value, '=');

	if (!equals || equals == value || !equals[1])
		return err_set(err, ERR_USAGE, "--source-map=%s: expected FROM=TO (path at build "
					       "time = path on this machine)", value);
	return source_status("source-map", value, source_paths_add_equation(&o->source, value),
			     SOURCE_MAPS, err);
}

/* --- the table ------------------------------------------------------------------------------ */

#define MEMBER(name) .offset = offsetof(struct options, name)

/* The place of the rows of the formats' options. */
#define FORMATS_OPTIONS ""

static const struct option_row option_rows[] = {
	{ .name = "port", .letter = 'p', .argument = "SOURCE", .kind = OPTION_LIST, MEMBER(ports),
	  .group = "Input",
	  .help = "data source: /dev/ttyACM0,\n"
		  "serial:/dev/ttyUSB0?baud=115200, tcp:HOST:PORT,\n"
		  "unix:PATH, file:PATH, - for standard input,\n"
		  "openocd:HOST:PORT, gdb:HOST:PORT, swo:SOURCE,\n"
		  "simavr:CHIP@HZ, qemu:MACHINE, ssh:HOST:DEVICE,\n"
		  "mqtt://BROKER/SITE/+, udp:PORT;\n"
		  "repeatable: one node each" },
	{ .name = "elf", .letter = 'e', .argument = "FILE", .kind = OPTION_LIST, MEMBER(elfs),
	  .help = "the firmware image; reloaded after a rebuild;\n"
		  "repeatable: a node gets the image whose identity it\n"
		  "reports, else they pair with -p in order" },
	{ .name = "baud", .letter = 'b', .argument = "N", .set = set_baud,
	  .help = "baud rate of serial sources (detected, starting at\n"
		  "115200)" },
	{ .name = "format", .letter = 'f', .argument = "NAME", .set = set_format,
	  .help = "packet format (auto)" },
	{ .name = "hz", .argument = "N", .kind = OPTION_NUMBER, MEMBER(hz),
	  .help = "PC sampling rate of streams that do not state it\n"
		  "(1000)" },
	{ .name = "trace-memory", .argument = "MB", .set = set_trace_memory,
	  .help = "memory for a node's call trace: older calls are\n"
		  "dropped, counts stay (1024; with -B no limit)" },
	{ .name = "nodes-memory", .argument = "MB", .set = set_nodes_memory,
	  .help = "memory for all nodes on a broker, and for the past of\n"
		  "those that are open; nodes beyond are counted (512)" },
	{ .name = "volts", .argument = "V", .set = set_volts,
	  .help = "voltage of the node's supply, for energy (3.0, or\n"
		  "the meter's ?mv=)" },
	{ .name = "battery", .argument = "CAPACITY", .set = set_battery,
	  .help = "the battery's capacity, for its life: 220mAh, 2Ah" },
	{ .name = "report", .argument = "NAME|#N", .set = set_report,
	  .help = "which report of a prof stream, by name or counted\nfrom 1 (the last)" },
	{ .name = "power", .argument = "SOURCE", .kind = OPTION_LIST, MEMBER(powers),
	  .help = "power meter beside the node: ppk2:/dev/ttyACM1\n"
		  "(?mode=source&mv=3300: it supplies the node),\n"
		  "lpm01a:PORT, or lines of numbers, \"s,mA\" or \"mA\":\n"
		  "text:SOURCE?unit=uA&column=2&time=1&hz=1000,\n"
		  "a file, - for standard input; repeatable: meters\n"
		  "pair with -p in order" },
	{ .name = "correct", .kind = OPTION_FLAG, MEMBER(correct),
	  .help = "subtract the profiler's own cost from prof reports\n"
		  "(an estimate)" },
	{ .name = "baseline", .argument = "FILE", .kind = OPTION_TEXT, MEMBER(baseline),
	  .help = "baseline to compare with: a snapshot (-x json), a\n"
		  "recording (-r), gmon.out, callgrind, pprof, folded" },
	{ .name = "compare-load", .argument = "PERCENT", .set = set_compare_load,
	  .help = "smallest relevant change of a load since the\n"
		  "baseline, in percent of a core (1 %)" },
	{ .name = "compare-call", .argument = "PERCENT", .set = set_compare_call,
	  .help = "smallest relevant change of the time per call (5 %)" },
	{ .name = "speed", .argument = "N|max", .set = set_speed,
	  .help = "replay speed of a recording, which is followed\n"
		  "while it is still written: 2 is twice as fast, max is\n"
		  "as fast as possible (1)" },
	{ .name = "from", .argument = "TIME", .set = set_from,
	  .help = "of a recording, with -B: what was counted from this\n"
		  "time on: 12:03:41 of the day, 3:20 into it, 90s, 2h" },
	{ .name = "until", .argument = "TIME", .set = set_until,
	  .help = "up to this time; +1h: so long from --from on" },
	{ .name = "record", .letter = 'r', .argument = "FILE", .kind = OPTION_LIST, MEMBER(records),
	  .group = "Output",
	  .help = "record every byte with its time, and what was\n"
		  "watched, for -p FILE, which needs no -f;\n"
		  "repeatable: recordings pair with -p in order" },
	{ .name = "force", .kind = OPTION_FLAG, MEMBER(force),
	  .help = "-r may replace a recording" },
	{ .name = "export", .letter = 'x', .argument = "FORMAT[:FILE]", .set = set_export,
	  .help = "export at the end; FILE - or none is standard\n"
		  "output; repeatable" },
	{ .name = "filter", .argument = "REGEX", .set = set_filter,
	  .help = "only functions whose name or file matches (PCRE2)" },
	{ .name = "sort", .argument = "COLUMN", .set = set_sort,
	  .help = "order of the rows (self)" },
	{ .name = "watch", .letter = 'w', .argument = "BOUND", .set = set_watch,
	  .help = "bound on a figure, such as\n\"clock_tick: max > 300 us\"; repeatable; with -B\n"
		  "the status is 3 if one is passed. Or to be logged,\n"
		  "from outside: a variable (radio.state), call:f,\n"
		  "reg:ADDRESS/SIZE, mem:ADDRESS+LENGTH, irq, mark" },
	{ .name = FORMATS_OPTIONS },
	{ .name = "batch", .letter = 'B', .kind = OPTION_FLAG, MEMBER(batch), .group = "How to run",
	  .help = "no screen: read to the end, print the flat profile" },
	{ .name = "for", .argument = "SECONDS", .kind = OPTION_NUMBER, MEMBER(seconds),
	  .help = "stop after this time" },
	{ .name = "theme", .argument = "NAME", .kind = OPTION_TEXT, MEMBER(theme),
	  .help = "colour theme: a name (an unknown name lists all) or\n"
		  "the path of a theme file" },
	{ .name = "config", .argument = "FILE", .kind = OPTION_TEXT, MEMBER(config),
	  .help = "settings file, or none\n"
		  "($XDG_CONFIG_HOME/wsntop/config.ini)" },
	{ .name = "source-dir", .argument = "DIR", .set = set_source_dir,
	  .help = "folder with source files; repeatable" },
	{ .name = "source-map", .argument = "FROM=TO", .set = set_source_map,
	  .help = "sources whose path begins with FROM are below TO;\n"
		  "repeatable" },
	{ .name = "version", .kind = OPTION_FLAG, MEMBER(version), .last = true,
	  .help = "print the version" },
	{ .name = "help", .letter = 'h', .kind = OPTION_FLAG, MEMBER(help), .last = true,
	  .help = "print this" },
	{ .name = NULL },
};

bool option_row_at(size_t i, struct option_row *row)
{
	const struct export_option *e;

	for (const struct option_row *r = option_rows; r->name; r++) {
		if (*r->name && i-- == 0) {
			*row = *r;
			return true;
		}
		for (size_t k = 0; !*r->name && (e = export_option_at(k)); k++) {
			if (i-- > 0)
				continue;
			*row = (struct option_row){
				.name = e->name, .argument = e->argument, .help = e->help,
				.export = e,
			};
			return true;
		}
	}
	return false;
}

static bool name_listed(const char *const *names, const char *name)
{
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

bool option_table_row(const struct option_table *t, size_t i, struct option_row *row)
{
	for (const struct option_row *r = t->own; r && r->name; r++) {
		*row = *r;
		row->own = true;
		if (i-- == 0)
			return true;
	}
	if (!t->shared)
		return !t->own && option_row_at(i, row);
	for (size_t k = 0; option_row_at(k, row); k++)
		if (name_listed(t->shared, row->name) && i-- == 0)
			return true;
	return false;
}

int option_set(const struct option_line *l, const struct option_row *r, const char *value,
	       struct err *err)
{
	void *member = (char *)(r->own ? l->own : l->o) + r->offset;

	if (r->export)
		return set_export_option(&l->o->values, r->export, value, err);
	if (r->set_own)
		return r->set_own(l->own, value, err);
	if (r->set)
		return r->set(l->o, value, err);
	if (r->kind == OPTION_NUMBER)
		return number_read(r->name, value, member, err);
	if (r->kind == OPTION_FLAG)
		*(bool *)member = true;
	else if (!*value)
		return value_empty(r->name, err);
	else if (r->kind == OPTION_LIST)
		return option_list_add(member, value, err);
	else
		*(const char **)member = value;
	return 0;
}

/* --- what others need of it ----------------------------------------------------------------- */

void options_release(struct options *o)
{
	regex_free(o->filter);
	mem_free(o->ports.items);
	mem_free(o->elfs.items);
	mem_free(o->records.items);
	mem_free(o->powers.items);
	for (size_t i = 0; i < OPTIONS_EXPORTS; i++) {
		mem_free(o->export_paths[i]);
		o->export_paths[i] = NULL;
	}
	o->filter = NULL;
	mem_free(o->variables.items);
	o->ports = o->elfs = o->records = o->powers = o->variables = (struct option_list){ 0 };
	source_paths_release(&o->source);
}

void options_node(const struct options *o, size_t i, struct node_options *node)
{
	/* One image for several sources: a fleet that runs the same firmware. */
	const char *elf = o->elfs.count == 1 ? o->elfs.items[0] :
			  i < o->elfs.count ? o->elfs.items[i] : NULL;

	*node = (struct node_options){
		.source = i < o->ports.count ? o->ports.items[i] : NULL,
		.elf = elf,
		.elfs = o->elfs.items,
		.elf_count = o->elfs.count,
		.format = o->format,
		.record = i < o->records.count ? o->records.items[i] : NULL,
		.force = o->force,
		.report = o->report,
		.power = i < o->powers.count ? o->powers.items[i] : NULL,
		.link = { .baud = o->baud, .speed = o->speed, .follow = !o->batch,
			  .watches = o->variables.items, .watch_count = o->variables.count },
		.hz = o->hz,
		.trace_bytes = (size_t)(o->trace_memory * (1 << 20)),
		.volts = o->volts, .battery_c = o->battery_c,
		.correct = o->correct,
		.batch = o->batch,
	};
	if (o->span.begins || o->span.ends)
		span_options(node);
}

struct compare_least options_least(const struct options *o, struct compare_least least)
{
	if (o->least_load >= 0)
		least.load = o->least_load / 100;
	if (o->least_call >= 0)
		least.call = o->least_call / 100;
	return least;
}

void options_batch(const struct options *o, struct batch_options *batch)
{
	*batch = (struct batch_options){
		.seconds = o->seconds,
		.exports = o->exports,
		.export_count = o->export_count,
		.order = { .column = o->sort, .filter = o->filter },
		.values = &o->values,
		.least = options_least(o, COMPARE_LEAST_DEFAULT),
		.watches = o->watches,
		.watch_count = o->watch_count,
		.span = o->span.begins || o->span.ends ? &o->span : NULL,
	};
}
