#include "core/profile/look/watch.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/text.h"

#define EXPECTED "expected FUNCTION: FIGURE > VALUE, such as clock_tick: max > 300 us"

enum watch_unit { UNIT_TIME, UNIT_SHARE, UNIT_NUMBER };

static enum watch_unit unit_of(enum column_id id)
{
	switch (id) {
	case COLUMN_SELF: case COLUMN_TOTAL: case COLUMN_PER_CALL: case COLUMN_MIN:
	case COLUMN_P50: case COLUMN_P90: case COLUMN_P99: case COLUMN_MAX:
		return UNIT_TIME;
	case COLUMN_SELF_PERCENT: case COLUMN_LOAD: case COLUMN_ENERGY:
		return UNIT_SHARE;
	default:
		return UNIT_NUMBER;
	}
}

static const struct {
	const char *name;
	enum watch_unit unit;
	double per;			/* so many are 1 */
} units[] = {
	{ "s", UNIT_TIME, 1 }, { "ms", UNIT_TIME, 1e3 }, { "us", UNIT_TIME, 1e6 },
	{ "µs", UNIT_TIME, 1e6 }, { "ns", UNIT_TIME, 1e9 }, { "%", UNIT_SHARE, 1e2 },
	{ "", UNIT_NUMBER, 1 }, { "/s", UNIT_NUMBER, 1 }, { "B", UNIT_NUMBER, 1 },
};

/* --- a line ----------------------------------------------------------------------------------- */

/* [from, to) without blanks around it. */
static size_t span_trim(const char **from, const char *to)
{
	while (*from < to && isspace((unsigned char)**from))
		++*from;
	while (to > *from && isspace((unsigned char)to[-1]))
		to--;
	return (size_t)(to - *from);
}

/* "1,000", "300 us", "20 %": the number, and the unit that follows. */
static bool value_read(const char *text, double *value, const char **unit)
{
	char digits[40];
	size_t n = 0;

	text += strspn(text, " \t");
	for (; *text && (isdigit((unsigned char)*text) || strchr(".,", *text)); text++) {
		if (*text == ',')
			continue;
		if (n + 1 >= sizeof(digits))
			return false;
		digits[n++] = *text;
	}
	digits[n] = 0;
	*unit = text + strspn(text, " \t");
	return n && text_double(digits, value) && isfinite(*value);
}

static int bound_read(const char *text, struct watch *w, struct err *err)
{
	const char *unit;
	size_t n;

	if (!value_read(text, &w->bound, &unit))
		return err_set(err, ERR_FORMAT, EXPECTED);
	n = span_trim(&unit, unit + strlen(unit));
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strlen(units[i].name) != n || memcmp(units[i].name, unit, n))
			continue;
		if (w->column == COLUMN_SELF && units[i].unit == UNIT_SHARE)
			w->column = COLUMN_SELF_PERCENT;
		if (units[i].unit != unit_of(w->column))
			continue;
		w->bound /= units[i].per;
		return 0;
	}
	switch (unit_of(w->column)) {
	case UNIT_TIME:
		return err_set(err, ERR_FORMAT, "%s: expected a time with its unit: s, ms, us or "
			       "ns", columns[w->column].name);
	case UNIT_SHARE:
		return err_set(err, ERR_FORMAT, "%s: expected a share in %%",
			       columns[w->column].name);
	default:
		return err_set(err, ERR_FORMAT, "%s: expected a number",
			       columns[w->column].name);
	}
}

/* From its end, because names of C++ hold colons, blanks, < and >. */
int watch_parse(const char *text, struct watch *w, struct err *err)
{
	const char *sign = NULL, *figure, *colon = NULL, *name = text;
	const struct column *c;
	size_t n;

	*w = (struct watch){ 0 };
	for (const char *s = text; *s; s++)
		if (*s == '>' || *s == '<')
			sign = s;
	for (const char *s = text; sign && s < sign; s++)
		if (*s == ':')
			colon = s;
	if (!colon)
		return err_set(err, ERR_FORMAT, EXPECTED);
	figure = colon + 1;
	n = span_trim(&figure, sign);
	c = column_find_word(figure, n);
	if (!c || !c->value)
		return err_set(err, ERR_FORMAT, "\"%.*s\": no figure of this name; there are "
			       "self, total, calls, per-call, min, max, calls/s, load%% ...",
			       n > 40 ? 40 : (int)n, figure);
	n = span_trim(&name, colon);
	if (!n || n >= WATCH_FUNCTION)
		return err_set(err, ERR_FORMAT, n ? "the function's name is longer than %d bytes" :
			       EXPECTED, WATCH_FUNCTION - 1);
	memcpy(w->function, name, n);
	w->column = c->id;
	w->below = *sign == '<';
	return bound_read(sign + 1, w, err);
}

/* To so many digits, in the first unit in which it is 1 or more, else the last of its kind. */
static const char *value_write(const struct watch *w, double value, int digits, char *dst,
			       size_t size)
{
	enum watch_unit unit = unit_of(w->column);
	size_t i = 0;

	while (units[i].unit != unit ||
	       (unit == UNIT_TIME && strcmp(units[i].name, "ns") && value * units[i].per < 1))
		i++;
	value *= units[i].per;
	if (value >= 1e6)	/* without an exponent, which watch_parse does not read */
		digits = (int)ceil(log10(value)) + 1;
	snprintf(dst, size, "%.*g%s%s", digits, value, *units[i].name ? " " : "", units[i].name);
	return dst;
}

const char *watch_value(const struct watch *w, double value, char *dst, size_t size)
{
	return value_write(w, value, 4, dst, size);
}

const char *watch_bound(const struct watch *w, char *dst, size_t size)
{
	char value[40];

	snprintf(dst, size, "%s %c %s", columns[w->column].name, w->below ? '<' : '>',
		 value_write(w, w->bound, 7, value, sizeof(value)));
	return dst;
}

const char *watch_text(const struct watch *w, char *dst, size_t size)
{
	char bound[64];

	snprintf(dst, size, "%s: %s", w->function, watch_bound(w, bound, sizeof(bound)));
	return dst;
}

bool watch_same(const struct watch *a, const struct watch *b)
{
	return !strcmp(a->function, b->function) && a->column == b->column &&
	       a->below == b->below && a->bound == b->bound;
}

bool watch_lasts(const struct watch *w)
{
	switch (w->column) {
	case COLUMN_MIN:
		return w->below;
	case COLUMN_SELF: case COLUMN_TOTAL: case COLUMN_CALLS: case COLUMN_SAMPLES:
	case COLUMN_RAN: case COLUMN_MAX: case COLUMN_STACK:
	case COLUMN_STACK_MAX: case COLUMN_STACK_USE: case COLUMN_FRAME:
		return !w->below;
	default:
		return false;
	}
}

/* --- the profile ------------------------------------------------------------------------------ */

/* NaN, which is not known, is beyond nothing. */
static bool is_beyond(const struct watch *w, double value)
{
	return w->below ? value < w->bound : value > w->bound;
}

bool watch_function_passed(const struct watch *w, const struct column_data *d,
			   const struct profile_function *f)
{
	return is_beyond(w, columns[w->column].value(d, f));
}

bool watch_passed(const struct watch *w, const struct column_data *d, double *value)
{
	const struct profile *p = d->profile;
	double most = NAN;

	for (size_t i = 0; i < p->function_count; i++) {
		double v;

		if (strcmp(p->functions[i].name, w->function) != 0)
			continue;
		v = columns[w->column].value(d, &p->functions[i]);
		if (isnan(most) || (w->below ? v < most : v > most))
			most = v;
	}
	if (value)
		*value = most;
	return is_beyond(w, most);
}
