/* metered: a power meter beside the node, as a second input. */
#include "core/node/parts.h"

#include <stdio.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/find/inputs.h"
#include "core/link/source.h"
#include "core/wire/power/columns.h"

#define VOLTS_LEAST 0.8
#define VOLTS_MOST 5.0
#define GRAIN_NS (CLOCK_SECOND / 1000)	/* USB's frames */

/* --- what SOURCE names ------------------------------------------------------------------------ */

#define METERS "ppk2:PORT, lpm01a:PORT, text:SOURCE, model:FILE or a CSV file"

/* "tab", "space", or the character itself. */
static bool separator_read(const char *value, char *separator)
{
	*separator = strcmp(value, "tab") == 0 ? '\t' : strcmp(value, "space") == 0 ? ' ' :
		     strcmp(value, "comma") == 0 ? ',' : value[0];
	return *separator != value[0] || (!value[1] && strchr(",;:|", value[0]));
}

static bool column_read(const char *value, unsigned *column)
{
	uint64_t n;

	if (!text_u64(value, &n) || n > COLUMNS_MOST)
		return false;
	*column = (unsigned)n;
	return true;
}

static bool mode_read(const char *value, bool *supplies)
{
	*supplies = strcmp(value, "source") == 0;
	return *supplies || strcmp(value, "meter") == 0;
}

static bool volts_read(const char *value, double *volts)
{
	double mv;

	*volts = text_double(value, &mv) ? mv / 1000 : 0;
	return *volts >= VOLTS_LEAST && *volts <= VOLTS_MOST;
}

/* One option; NULL: its value is right, or it is not given. Else what is expected. */
static const char *option_read(struct wire_meter_options *o, const char *source, const char *name)
{
	char v[32];

	if (!source_option(source, name, v, sizeof(v)))
		return NULL;
	if (strcmp(name, "mode") == 0)
		return mode_read(v, &o->supplies) ? NULL : "meter or source";
	if (strcmp(name, "mv") == 0)
		return volts_read(v, &o->volts) ? NULL : "millivolts, 800 to 5000";
	if (strcmp(name, "hz") == 0)
		return (o->hz = source_number(source, name)) > 0 ? NULL : "samples a second";
	if (strcmp(name, "unit") == 0)
		return (o->amps = unit_amps(v)) > 0 ? NULL : "A, mA, uA or nA";
	if (strcmp(name, "time_unit") == 0)
		return (o->seconds = unit_seconds(v)) > 0 ? NULL : "s, ms, us or ns";
	if (strcmp(name, "column") == 0)
		return column_read(v, &o->column) && o->column ? NULL : "its number, from 1";
	if (strcmp(name, "time") == 0)
		return column_read(v, &o->time) ? NULL : "its column's number, 0: there is none";
	return separator_read(v, &o->separator) ? NULL : "tab, space, comma, or one of ,;:|";
}

int metered_options(const char *source, struct wire_meter_options *o, struct err *err)
{
	static const char *const names[] = {
		"mode", "mv", "hz", "unit", "time_unit", "column", "time", "separator",
	};
	char value[32];

	*o = (struct wire_meter_options){ 0 };
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *expected = option_read(o, source, names[i]);

		if (!expected)
			continue;
		source_option(source, names[i], value, sizeof(value));
		return err_set(err, ERR_USAGE, "%s: %s=%s: expected %s", source, names[i], value,
			       expected);
	}
	o->untimed = !o->time && source_option(source, "time", value, sizeof(value));
	if (o->supplies && !(o->volts > 0))
		return err_set(err, ERR_USAGE, "%s: mode=source: at which voltage? add &mv=3000",
			       source);
	return 0;
}

static bool is_meter(const char *format)
{
	return strcmp(format, "ppk2") == 0 || strcmp(format, "lpm01a") == 0 ||
	       strcmp(format, "text") == 0;
}

bool metered_speaks(const char *source)
{
	const char *format = link_format(source);

	return format && is_meter(format);
}

/* A plain source brings lines of numbers. NULL: out of memory. */
static char *source_full(const char *source)
{
	struct buf full = BUF_INIT;

	buf_addf(&full, "%s%s", link_format(source) ? "" : "text:", source);
	return buf_detach(&full);
}

/*
 * Bytes of a file were there before: when they are read tells nothing. A recording has times for
 * another recording alone.
 */
bool metered_arrives(const struct node *n)
{
	const struct link *l = n->metered.input ? n->inputs[n->metered.input].link : NULL;

	return l && (link_is_live(l) || strcmp(link_kind(l), "stdin") == 0 ||
		     (link_has_pace(l) && !link_is_live(n->inputs[0].link)));
}

/* --- its life --------------------------------------------------------------------------------- */

#define POWER_MODEL "model:"

static int model_open(struct node *n, const char *path, struct err *err)
{
	n->energy.model = mem_zalloc(sizeof(*n->energy.model));
	if (!n->energy.model)
		return err_set(err, ERR_NOMEM, "out of memory");
	return power_model_read(n->energy.model, path, err);
}

bool metered_is_simulated(const struct node *n)
{
	return n->inputs[0].simulated && metered_arrives(n);
}

/* A meter that measures now knows no time but the host's: the simulator must keep it. */
static int times_check(const struct node *n, struct err *err)
{
	char pace[16];

	if (strcmp(link_kind(n->inputs[0].link), "simulator") != 0 || !metered_arrives(n) ||
	    !source_option(n->options.source, "pace", pace, sizeof(pace)) ||
	    strcmp(pace, "1") == 0)
		return 0;
	return err_set(err, ERR_USAGE, "--power: the meter measures in real time, %s does not: "
		       "give pace=1, or a file of currents with the simulation's times",
		       n->options.source);
}

int metered_open(struct node *n, struct err *err)
{
	/* A recording is read at once, whatever pace the node's has: its samples have times. */
	const struct link_options link = { .follow = n->options.link.follow };
	struct wire_meter_options options;
	char *source;

	if (!n->options.power)
		return 0;
	if (strncmp(n->options.power, POWER_MODEL, strlen(POWER_MODEL)) == 0)
		return model_open(n, n->options.power + strlen(POWER_MODEL), err);
	source = source_full(n->options.power);
	if (!source)
		return err_set(err, ERR_NOMEM, "out of memory");
	mem_free((void *)n->options.power);
	n->options.power = source;
	if (!metered_speaks(source))
		return err_set(err, ERR_USAGE, "--power=%s: no power meter; expected " METERS,
			       source);
	if (metered_options(source, &options, err) < 0)
		return ERR_USAGE;
	n->metered.power = power_new(0);
	if (!n->metered.power)
		return err_set(err, ERR_NOMEM, "out of memory");
	n->metered.input = n->input_count;
	if (input_open(&n->inputs[n->input_count++], n, &(struct input_options){
		.source = source, .terms = source, .format = link_format(source),
		.link = link,
	}, err) < 0)
		return ERR_IO;
	if (times_check(n, err) < 0)
		return ERR_USAGE;
	return n->options.record ? metered_record(n, n->options.record, err) : 0;
}

int metered_record(struct node *n, const char *path, struct err *err)
{
	struct input *in = &n->inputs[n->metered.input];
	struct buf name = BUF_INIT;
	struct record *record = NULL;

	if (!n->metered.input)
		return 0;
	buf_addf(&name, "%s" INPUTS_METER, path);
	if (name.failed)
		err_set(err, ERR_NOMEM, "out of memory");
	else
		record = record_new(buf_str(&name), n->options.force, err);
	buf_release(&name);
	if (!record)
		return ERR_IO;
	record_free(in->record);
	in->record = record;
	return 0;
}

void metered_release(struct node *n)
{
	power_free(n->metered.power);
	n->metered.power = NULL;
}

/* On the axis of the node's own data: two recordings have their wall clocks in common. */
static uint64_t arrival_of(const struct node *n)
{
	const struct link *own = n->inputs[0].link, *meter = n->inputs[n->metered.input].link;
	int64_t own_ns, meter_ns;

	if (!link_has_pace(own) || !link_has_pace(meter) || !link_wall(own, &own_ns) ||
	    !link_wall(meter, &meter_ns))
		return n->arrival_ns;
	return n->arrival_ns + (uint64_t)(meter_ns - own_ns);
}

static void on_current(void *ctx, const struct wire_current *c)
{
	struct input *in = ctx;
	struct node *n = in->node;
	struct power *p = n->metered.power;

	if (!p)
		return;
	power_set_rate(p, c->hz, c->ppm);
	if (c->again)
		power_restart(p);
	if (power_add(p, c->first, c->amps, c->count, c->logic) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: samples of the meter are missing");
	if (metered_arrives(n))
		power_arrived(p, c->newest, arrival_of(n), link_is_live(in->link) ? GRAIN_NS : 0);
	n->changes |= NODE_DATA;
}

static void on_meter(void *ctx, const struct wire_meter *meter)
{
	struct input *in = ctx;
	struct node_metered *m = &in->node->metered;

	m->calibrated = meter->calibrated;
	snprintf(m->model, sizeof(m->model), "%s", meter->model);
	snprintf(m->trouble, sizeof(m->trouble), "%s", meter->trouble);
	in->node->changes |= NODE_STATE;
}

void metered_sink(struct wire_sink *sink)
{
	sink->current = on_current;
	sink->meter = on_meter;
}

bool metered_warning(const struct node *n, char *dst, size_t size)
{
	const struct node_metered *m = &n->metered;
	const struct link *l = m->input ? n->inputs[m->input].link : NULL;

	if (l && link_state(l) != LINK_UP && link_state(l) != LINK_ENDED && link_why(l)[0])
		snprintf(dst, size, "the power meter is away: %s", link_why(l));
	else if (l && m->trouble[0])
		snprintf(dst, size, "power meter: %s", m->trouble);
	else
		return false;
	return true;
}

const struct power *node_power(const struct node *n)
{
	return n->metered.power;
}

/* A file, a recording or standard input that is not at its end. */
bool node_meter_reads(const struct node *n)
{
	const struct input *in = &n->inputs[n->metered.input];

	return n->metered.input && !link_is_live(in->link) && !in->ended;
}

const struct link *node_meter_link(const struct node *n)
{
	return n->metered.input ? n->inputs[n->metered.input].link : NULL;
}

bool node_meter(const struct node *n, struct export_meter *meter)
{
	const struct node_metered *m = &n->metered;
	const struct input *in = &n->inputs[m->input];

	*meter = (struct export_meter){ .source = "", .model = "" };
	if (!m->input)
		return false;
	*meter = (struct export_meter){
		.source = n->options.power, .model = m->model, .calibrated = m->calibrated,
		.replaced = in->stats.replaced, .bad = in->stats.bad_bytes,
	};
	return true;
}
