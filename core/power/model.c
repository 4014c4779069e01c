#include "core/power/model.h"

#include <ini.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/file.h"
#include "core/base/mem.h"

enum { MODEL_BYTES = 1 << 16 };

double power_quantity(const char *text, const char *unit)
{
	static const struct { char letter; double scale; } prefixes[] = {
		{ 'm', 1e-3 }, { 'u', 1e-6 }, { 'n', 1e-9 }, { 'k', 1e3 }, { 'M', 1e6 },
	};
	double value, scale = 1;
	char *end;

	value = strtod(text, &end);
	if (end == text || !isfinite(value))
		return NAN;
	while (*end == ' ' || *end == '\t')
		end++;
	if (strncmp(end, "\xc2\xb5", 2) == 0 || strncmp(end, "\xce\xbc", 2) == 0) {
		scale = 1e-6;
		end += 2;
	} else if (strcmp(end, unit) != 0) {
		for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
			scale = *end == prefixes[i].letter ? prefixes[i].scale : scale;
		end += scale != 1;
	}
	return strcmp(end, unit) == 0 ? value * scale : (double)NAN;
}

struct model_reading {
	struct power_model *model;
	const char *name;
	struct err *err;
	int line;
};

static bool amps_read(const char *text, double *amps)
{
	char with[64];

	*amps = power_quantity(text, "A");
	if (isnan(*amps) && strlen(text) < sizeof(with) - 3) {
		snprintf(with, sizeof(with), "%smA", text);
		*amps = power_quantity(with, "A");
	}
	return *amps >= 0 && *amps < 1e6;
}

/* "S_TRANSMITTING 17.4 mA" */
static bool state_read(struct power_model *m, const char *what, const char *value)
{
	struct power_state *s = &m->states[m->count];
	size_t name = strcspn(value, " \t");

	if (m->count == POWER_STATES || !name || name >= sizeof(s->state) || !value[name] ||
	    strlen(what) >= sizeof(s->what))
		return false;
	snprintf(s->what, sizeof(s->what), "%s", what);
	snprintf(s->state, sizeof(s->state), "%.*s", (int)name, value);
	if (!amps_read(value + name + strspn(value + name, " \t"), &s->amps))
		return false;
	m->count++;
	return true;
}

static int on_value(void *ctx, const char *section, const char *name, const char *value)
{
	struct model_reading *r = ctx;
	struct power_model *m = r->model;
	bool ok;

	(void)section;
	if (!name || !value)
		return 1;
	if (strcmp(name, "active") == 0) {
		ok = amps_read(value, &m->active);
	} else if (strcmp(name, "idle") == 0) {
		ok = amps_read(value, &m->idle);
	} else if (strcmp(name, "sleep") == 0) {
		ok = amps_read(value, &m->sleep);
	} else if (strcmp(name, "volts") == 0) {
		m->volts = power_quantity(value, "");
		m->volts = isnan(m->volts) ? power_quantity(value, "V") : m->volts;
		ok = m->volts > 0 && m->volts < 1000;
	} else {
		ok = state_read(m, name, value);
	}
	if (!ok)
		err_set(r->err, ERR_FORMAT, "%s: \"%.40s = %.60s\" is no current: write NAME = "
			"4.4 mA, or VARIABLE = STATE 17.4 mA", r->name, name, value);
	return ok;
}

/* What one of both says holds for the other. */
static int model_complete(struct power_model *m, const char *name, struct err *err)
{
	if (isnan(m->active))
		return err_set(err, ERR_FORMAT, "%s: the current of a running processor is "
			       "missing: write active = 4.4 mA", name);
	if (isnan(m->idle))
		m->idle = isnan(m->sleep) ? m->active : m->sleep;
	if (isnan(m->sleep))
		m->sleep = m->idle;
	return 0;
}

int power_model_parse(struct power_model *m, const char *text, const char *name, struct err *err)
{
	struct err own = { 0 };
	struct model_reading r = { m, name, err ? err : &own, 0 };
	int line;

	*m = (struct power_model){ .active = NAN, .idle = NAN, .sleep = NAN, .volts = NAN };
	line = ini_parse_string(text, on_value, &r);
	if (err_is_set(r.err))
		return ERR_FORMAT;
	if (line)
		return err_set(r.err, ERR_FORMAT, "%s, line %d: no NAME = VALUE", name,
			       line < 0 ? 1 : line);
	return model_complete(m, name, r.err);
}

int power_model_read(struct power_model *m, const char *path, struct err *err)
{
	size_t size;
	char *text = file_read(path, MODEL_BYTES, &size, err);
	int ret;

	if (!text)
		return ERR_IO;
	ret = power_model_parse(m, text, path, err);
	mem_free(text);
	return ret;
}

double power_model_state(const struct power_model *m, const char *what, const char *state,
			 long long value)
{
	char number[24];

	snprintf(number, sizeof(number), "%lld", value);
	for (size_t i = 0; what && i < m->count; i++) {
		const struct power_state *s = &m->states[i];

		if (strcmp(s->what, what) == 0 &&
		    ((state && strcmp(s->state, state) == 0) || strcmp(s->state, number) == 0))
			return s->amps;
	}
	return 0;
}
