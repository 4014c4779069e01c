/* settings: wsntop_set. A row for each option of sources; export formats have their own. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/base/text.h"
#include "core/node/watched.h"
#include "core/power/model.h"
#include "core/wire/wire.h"
#include "lib/session.h"

/* What a value is that a row has no function for. */
enum setting_kind {
	SETTING_TEXT,			/* const char * */
	SETTING_SWITCH,			/* bool */
	SETTING_NUMBER,			/* double, above 0 */
};

struct setting {
	const char *name, *help;
	enum setting_kind kind;
	size_t offset;			/* in struct session_settings */
	/* value: of the arena, not NULL. NULL: it is stored by its kind. */
	int (*set)(struct session_settings *s, const char *value, struct err *err);
};

#define MEMBER(m) .offset = offsetof(struct session_settings, m)

/* --- values ----------------------------------------------------------------------------------- */

static int format_set(struct session_settings *s, const char *value, struct err *err)
{
	for (const struct wire_format *f = wire_formats; f->name; f++) {
		if (!strcmp(f->name, value)) {
			s->node.format = value;
			return 0;
		}
	}
	return err_set(err, ERR_USAGE, "format %s: unknown packet format", value);
}

static int baud_set(struct session_settings *s, const char *value, struct err *err)
{
	uint64_t baud;

	if (!text_u64(value, &baud) || baud < 50 || baud > INT_MAX)
		return err_set(err, ERR_USAGE, "baud %s: expected bits per second, 50 or more",
			       value);
	s->node.link.baud = (long)baud;
	return 0;
}

static int speed_set(struct session_settings *s, const char *value, struct err *err)
{
	double speed = 0;

	if (strcmp(value, "max") != 0 &&
	    !(text_double(value, &speed) && isfinite(speed) && speed > 0))
		return err_set(err, ERR_USAGE, "speed %s: expected a number above 0, or max",
			       value);
	s->node.link.speed = speed;
	return 0;
}

static int volts_set(struct session_settings *s, const char *value, struct err *err)
{
	double volts = power_quantity(value, "V");

	if (isnan(volts))
		volts = power_quantity(value, "");
	if (!(volts > 0 && volts <= 1000))
		return err_set(err, ERR_USAGE, "volts %s: expected the supply's voltage: 3.0, "
			       "3300mV", value);
	s->node.volts = volts;
	return 0;
}

static int trace_memory_set(struct session_settings *s, const char *value, struct err *err)
{
	double megabytes;

	if (!text_double(value, &megabytes) || !(megabytes >= 1 && megabytes <= 1 << 20))
		return err_set(err, ERR_USAGE, "trace-memory %s: expected megabytes, 1 to %d",
			       value, 1 << 20);
	s->node.trace_bytes = (size_t)(megabytes * (1 << 20));
	return 0;
}

static int elf_set(struct session_settings *s, const char *value, struct err *err)
{
	if (s->node.elf_count == SESSION_LIST)
		return err_set(err, ERR_USAGE, "elf: set more than %d times", SESSION_LIST);
	s->elfs[s->node.elf_count++] = value;
	return 0;
}

static int watch_set(struct session_settings *s, const char *value, struct err *err)
{
	if (!watch_is_logged(value))
		return err_set(err, ERR_USAGE, "watch %s: expected a variable, call:FUNCTION, "
			       "reg:, mem:, irq or mark", value);
	if (s->node.link.watch_count == SESSION_LIST)
		return err_set(err, ERR_USAGE, "watch: set more than %d times", SESSION_LIST);
	s->watches[s->node.link.watch_count++] = value;
	return 0;
}

static int filter_set(struct session_settings *s, const char *value, struct err *err)
{
	struct err why = { 0 };
	struct regex *filter = *value ? regex_new(value, &why) : NULL;

	if (err_is_set(&why))
		return err_set(err, ERR_USAGE, "filter %s: %s", value, why.text);
	regex_free(s->filter);
	s->order.filter = s->filter = filter;
	return 0;
}

static int sort_set(struct session_settings *s, const char *value, struct err *err)
{
	const struct column *c = column_find(value);

	if (!c)
		return err_set(err, ERR_USAGE, "sort %s: unknown column", value);
	s->order.column = c->id;
	return 0;
}

/* --- the table -------------------------------------------------------------------------------- */

static const struct setting settings[] = {
	{ "elf", "an ELF that a node may run, found by the identity that it sends; several",
	  .set = elf_set },
	{ "format", "packet format (auto)", .set = format_set },
	{ "baud", "baud rate of serial sources (detected)", .set = baud_set },
	{ "hz", "PC sampling rate of streams that do not state it (1000)",
	  SETTING_NUMBER, MEMBER(node.hz) },
	{ "speed", "replay speed of recordings; max: as fast as they decode (max)",
	  .set = speed_set },
	{ "report", "report of a prof stream, by name or #N counted from 1 (the last)",
	  SETTING_TEXT, MEMBER(node.report) },
	{ "record", "record every byte with its time into this file", SETTING_TEXT,
	  MEMBER(node.record) },
	{ "power", "source of a power meter beside the node", SETTING_TEXT, MEMBER(node.power) },
	{ "volts", "voltage of the node's supply (3.0)", .set = volts_set },
	{ "trace-memory", "megabytes for a node's call trace (no limit)",
	  .set = trace_memory_set },
	{ "correct", "subtract the profiler's own cost from prof reports", SETTING_SWITCH,
	  MEMBER(node.correct) },
	{ "watch", "a variable, call:FUNCTION, reg:, mem:, irq or mark to be logged; several",
	  .set = watch_set },
	{ "filter", "only functions whose name or file matches (PCRE2); empty: all",
	  .set = filter_set },
	{ "sort", "column that tables are sorted by (self%)", .set = sort_set },
};

enum { SETTINGS = sizeof(settings) / sizeof(settings[0]) };

const char *wsntop_setting_name(size_t i)
{
	const struct export_option *o = i < SETTINGS ? NULL : export_option_at(i - SETTINGS);

	return i < SETTINGS ? settings[i].name : o ? o->name : NULL;
}

const char *wsntop_setting_help(size_t i)
{
	const struct export_option *o = i < SETTINGS ? NULL : export_option_at(i - SETTINGS);

	return i < SETTINGS ? settings[i].help : o ? o->help : NULL;
}

/* --- set -------------------------------------------------------------------------------------- */

static int value_needed(const char *name, struct err *err)
{
	return err_set(err, ERR_USAGE, "%s: a value is needed", name);
}

static int setting_store(struct session_settings *s, const struct setting *row, const char *value,
			 struct err *err)
{
	void *at = (char *)s + row->offset;
	double number;

	switch (row->kind) {
	case SETTING_SWITCH:
		*(bool *)at = true;
		return 0;
	case SETTING_TEXT:
		*(const char **)at = *value ? value : NULL;
		return 0;
	case SETTING_NUMBER:
		if (!text_double(value, &number) || !isfinite(number) || number <= 0)
			return err_set(err, ERR_USAGE, "%s %s: expected a number above 0",
				       row->name, value);
		*(double *)at = number;
		return 0;
	}
	return ERR_USAGE;
}

static int export_set(struct session_settings *s, const struct export_option *o, const char *value,
		      struct err *err)
{
	struct export_value *v = export_value(&s->values, o);
	uint64_t number;

	switch (o->kind) {
	case EXPORT_BOOL:
		v->number = 1;
		return 0;
	case EXPORT_TEXT:
		v->text = value;
		return 0;
	case EXPORT_NUMBER:
		if (!text_u64(value, &number) || number > SIZE_MAX / 2)
			return err_set(err, ERR_USAGE, "%s %s: expected a number", o->name, value);
		v->number = number;
		return 0;
	}
	return ERR_USAGE;
}

static const struct setting *setting_find(const char *name)
{
	for (size_t i = 0; i < SETTINGS; i++)
		if (!strcmp(settings[i].name, name))
			return &settings[i];
	return NULL;
}

static const struct export_option *option_find(const char *name)
{
	const struct export_option *o;

	for (size_t i = 0; (o = export_option_at(i)); i++)
		if (!strcmp(o->name, name))
			return o;
	return NULL;
}

int settings_set(struct wsntop *w, const char *name, const char *value)
{
	const struct setting *row = setting_find(name);
	const struct export_option *o = row ? NULL : option_find(name);
	const char *kept = value ? arena_str(&w->arena, value) : "";

	if (!row && !o)
		return err_set(&w->err, ERR_USAGE, "%s: unknown setting", name);
	if (!kept)
		return err_set(&w->err, ERR_NOMEM, "out of memory");
	if (!value && !(row ? row->kind == SETTING_SWITCH : o->kind == EXPORT_BOOL))
		return value_needed(name, &w->err);
	if (!row)
		return export_set(&w->settings, o, kept, &w->err);
	return row->set ? row->set(&w->settings, kept, &w->err) :
	       setting_store(&w->settings, row, kept, &w->err);
}
