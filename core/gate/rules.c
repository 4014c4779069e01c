#include "core/gate/rules.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/base/text.h"

/* --- the tables ------------------------------------------------------------------------------- */

const struct rule_figure rule_figures[] = {
	{ RULE_NODE, "loss", RULE_COUNT, "calls and samples that the profile lacks" },
	{ RULE_NODE, "damaged", RULE_COUNT, "frames of the stream that arrived damaged" },
	{ RULE_NODE, "lost", RULE_COUNT, "packets, frames or rows of the stream that were lost" },
	{ RULE_NODE, "bad-bytes", RULE_COUNT, "bytes of the stream that are of no packet" },
	{ RULE_NODE, "hooks", RULE_SHARE, "share of the time awake that profiling takes" },
	{ RULE_IMAGE, "flash", RULE_BYTES, "bytes of code, constants and initial values" },
	{ RULE_IMAGE, "ram", RULE_BYTES, "bytes of variables" },
	{ RULE_STACK, "max", RULE_BYTES, "the deepest stack: measured by a simulator; else by the "
	  "frames on the deepest way of main or a task, and of an interrupt on it" },
	{ RULE_STACK, "free", RULE_BYTES, "the least that was left below a stack, as measured" },
	{ .name = NULL },
};

static const char *const subject_words[RULE_SUBJECTS] = {
	[RULE_TOTAL] = "total", [RULE_NODE] = "node", [RULE_IMAGE] = "image",
	[RULE_STACK] = "stack",
};

static const char *const operators[] = {
	[RULE_AT_MOST] = "<=", [RULE_BELOW] = "<", [RULE_AT_LEAST] = ">=", [RULE_ABOVE] = ">",
	[RULE_EQUAL] = "==", [RULE_UNEQUAL] = "!=",
};

enum { OPERATORS = sizeof(operators) / sizeof(operators[0]) };

/* The first of a kind is the unit of `bound`; `named`: a number alone is none of it. */
static const struct {
	const char *name;
	enum rule_unit unit;
	double per;			/* so many are 1 */
} units[] = {
	{ "s", RULE_TIME, 1 }, { "ms", RULE_TIME, 1e3 }, { "us", RULE_TIME, 1e6 },
	{ "\302\265s", RULE_TIME, 1e6 }, { "ns", RULE_TIME, 1e9 },
	{ "%", RULE_SHARE, 1e2 },
	{ "", RULE_COUNT, 1 },
	{ "", RULE_BYTES, 1 }, { "B", RULE_BYTES, 1 }, { "kB", RULE_BYTES, 1e-3 },
	{ "KB", RULE_BYTES, 1.0 / 1024 }, { "KiB", RULE_BYTES, 1.0 / 1024 },
	{ "MB", RULE_BYTES, 1.0 / 1048576 }, { "MiB", RULE_BYTES, 1.0 / 1048576 },
	{ "mA", RULE_CURRENT, 1 }, { "uA", RULE_CURRENT, 1e3 }, { "A", RULE_CURRENT, 1e-3 },
	{ "uJ", RULE_ENERGY, 1 }, { "nJ", RULE_ENERGY, 1e3 }, { "mJ", RULE_ENERGY, 1e-3 },
	{ "J", RULE_ENERGY, 1e-6 },
	{ "", RULE_RATE, 1 }, { "/s", RULE_RATE, 1 },
};

static const char *const unit_expected[] = {
	[RULE_TIME] = "a time: s, ms, us, ns", [RULE_SHARE] = "a share: %",
	[RULE_COUNT] = "a number", [RULE_BYTES] = "bytes: B, kB, KB, MB",
	[RULE_CURRENT] = "a current: A, mA, uA", [RULE_ENERGY] = "an energy: J, mJ, uJ, nJ",
	[RULE_RATE] = "a number a second",
};

static enum rule_unit column_unit(enum column_id id)
{
	switch (id) {
	case COLUMN_SELF: case COLUMN_TOTAL: case COLUMN_PER_CALL: case COLUMN_MIN:
	case COLUMN_P50: case COLUMN_P90: case COLUMN_P99: case COLUMN_MAX: case COLUMN_RAN_SELF:
		return RULE_TIME;
	case COLUMN_SELF_PERCENT: case COLUMN_LOAD: case COLUMN_ENERGY:
		return RULE_SHARE;
	case COLUMN_RATE: case COLUMN_RAN_RATE:
		return RULE_RATE;
	case COLUMN_CURRENT:
		return RULE_CURRENT;
	case COLUMN_ENERGY_CALL:
		return RULE_ENERGY;
	case COLUMN_STACK: case COLUMN_STACK_MAX: case COLUMN_STACK_USE: case COLUMN_FRAME:
		return RULE_BYTES;
	default:
		return RULE_COUNT;
	}
}

/* --- one line --------------------------------------------------------------------------------- */

static const char *rule_blanks(const char *s)
{
	return s + strspn(s, " \t");
}

/* The end of the line's rule: a # at its begin or behind a blank. */
static void comment_cut(char *line)
{
	bool quoted = false;

	for (char *s = line; *s; s++) {
		quoted ^= *s == '"';
		if (*s == '#' && !quoted && (s == line || s[-1] == ' ' || s[-1] == '\t'))
			*s = '\0';
		if (!*s)
			break;
	}
}

static int word_read(const char **s, const char *stop, char *dst, size_t size, struct err *err)
{
	const char *end;
	bool quoted = **s == '"';

	*s += quoted;
	end = quoted ? strchrnul(*s, '"') : *s + strcspn(*s, stop);
	if (quoted && !*end)
		return err_set(err, ERR_FORMAT, "a quote is not closed");
	if (end == *s || (size_t)(end - *s) >= size)
		return err_set(err, ERR_FORMAT, "expected SUBJECT FIGURE OPERATOR BOUND, such as "
			       "crc16_* self <= +5 %%");
	memcpy(dst, *s, (size_t)(end - *s));
	dst[end - *s] = '\0';
	*s = rule_blanks(end + quoted);
	return 0;
}

static void subject_take(struct rule *r, bool quoted)
{
	r->subject = RULE_FUNCTION;
	for (int i = 0; i < RULE_SUBJECTS && !quoted; i++)
		if (subject_words[i] && !strcmp(subject_words[i], r->pattern))
			r->subject = (enum rule_subject)i;
}

static int column_take(struct rule *r, const char *word, struct err *err)
{
	const struct column *c = column_find(word);

	if (c && !c->value)
		return err_set(err, ERR_FORMAT, "%s: a column of words; a bound needs a number, "
			       "such as self, calls, max", word);
	if (!c)
		return err_set(err, ERR_FORMAT, "%s: no figure of this name; %s is the nearest "
			       "(columns: wsntop --help)", word, column_nearest(word)->name);
	if (r->subject == RULE_TOTAL && !c->sums)
		return err_set(err, ERR_FORMAT, "%s: does not add up over functions; total has "
			       "self, calls, samples, load%%, calls/s", word);
	r->column = c->id;
	r->unit = column_unit(c->id);
	return 0;
}

static int figure_take(struct rule *r, const char *word, struct err *err)
{
	char names[160] = "";

	if (r->subject == RULE_FUNCTION || r->subject == RULE_TOTAL)
		return column_take(r, word, err);
	for (const struct rule_figure *f = rule_figures; f->name; f++) {
		size_t n = strlen(names);

		if (f->subject != r->subject)
			continue;
		if (!strcmp(f->name, word)) {
			r->figure = f;
			r->unit = f->unit;
			return 0;
		}
		snprintf(names + n, sizeof(names) - n, "%s%s", n ? ", " : "", f->name);
	}
	return err_set(err, ERR_FORMAT, "%s: no figure of %s; there are %s", word, r->pattern,
		       names);
}

static int operator_take(struct rule *r, const char **s, struct err *err)
{
	size_t n = strspn(*s, "<>=!");

	for (int i = 0; i < OPERATORS; i++) {
		if (strlen(operators[i]) == n && !memcmp(operators[i], *s, n)) {
			r->op = (enum rule_operator)i;
			*s = rule_blanks(*s + n);
			return 0;
		}
	}
	return err_set(err, ERR_FORMAT, "expected <=, <, >=, >, == or != behind %s",
		       rule_figure_name(r));
}

/* "1,000", "5.5", "1e6" */
static bool bound_number(const char **s, double *value)
{
	char digits[40];
	size_t n = 0;
	const char *p = *s;

	for (; isdigit((unsigned char)*p) || *p == '.' || *p == ',' ||
	       (n && (*p == 'e' || *p == 'E') && (isdigit((unsigned char)p[1]) || p[1] == '-' ||
						  p[1] == '+')); p++) {
		if (*p == ',')
			continue;
		if (n + 2 >= sizeof(digits))
			return false;
		digits[n++] = *p;
		if ((*p == 'e' || *p == 'E') && !isdigit((unsigned char)p[1]))
			digits[n++] = *++p;
	}
	digits[n] = '\0';
	*s = rule_blanks(p);
	return n && text_double(digits, value) && isfinite(*value);
}

static int bound_unit(struct rule *r, const char *s, struct err *err)
{
	size_t n = strcspn(s, " \t");

	if (*rule_blanks(s + n))
		return err_set(err, ERR_FORMAT, "%s: expected nothing behind the bound",
			       rule_blanks(s + n));
	if (r->relative && n == 1 && *s == '%') {
		r->percent = true;
		r->bound /= 100;
		return 0;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (units[i].unit == r->unit && strlen(units[i].name) == n &&
		    !memcmp(units[i].name, s, n)) {
			r->bound /= units[i].per;
			return 0;
		}
	}
	return err_set(err, ERR_FORMAT, "%s: expected %s%s", rule_figure_name(r),
		       unit_expected[r->unit],
		       r->relative && r->unit != RULE_SHARE ? ", or a change in %" : "");
}

static int bound_take(struct rule *r, const char *s, struct err *err)
{
	bool minus = *s == '-';

	r->relative = minus || *s == '+';
	s = rule_blanks(s + r->relative);
	if (!bound_number(&s, &r->bound))
		return err_set(err, ERR_FORMAT, "%s %s: expected a number", rule_figure_name(r),
			       operators[r->op]);
	if (minus)
		r->bound = -r->bound;
	if (r->relative && r->subject == RULE_NODE)
		return err_set(err, ERR_FORMAT, "%s: no baseline has it; give a bound without a "
			       "sign", rule_figure_name(r));
	return bound_unit(r, s, err);
}

/* Its blanks as one each, but for those of a name in quotes. */
static void rule_text_keep(struct rule *r, const char *line)
{
	bool quoted = false;
	size_t n = 0;

	for (line = rule_blanks(line); *line && n + 1 < sizeof(r->text); line++) {
		bool blank = *line == ' ' || *line == '\t';

		quoted ^= *line == '"';
		if (!blank || quoted)
			r->text[n++] = *line;
		else if (*rule_blanks(line) && r->text[n - 1] != ' ')
			r->text[n++] = ' ';
	}
	r->text[n] = '\0';
}

static int rule_parse(struct rule *r, const char *line, struct err *err)
{
	const char *s = rule_blanks(line);
	bool quoted = *s == '"';
	char word[64];

	rule_text_keep(r, line);
	if (word_read(&s, " \t", r->pattern, sizeof(r->pattern), err) < 0)
		return ERR_FORMAT;
	subject_take(r, quoted);
	if (word_read(&s, " \t<>=!", word, sizeof(word), err) < 0 ||
	    figure_take(r, word, err) < 0 || operator_take(r, &s, err) < 0)
		return ERR_FORMAT;
	return bound_take(r, s, err);
}

/* --- the file --------------------------------------------------------------------------------- */

static void line_refuse(struct rules *r, unsigned number, const struct err *why, rules_say *say,
			void *ctx)
{
	char text[640];

	r->wrong++;
	snprintf(text, sizeof(text), "%.255s:%u: %s", r->file, number, why->text);
	if (say)
		say(ctx, text);
}

static int rule_line_take(struct rules *r, const char *from, size_t n, unsigned number,
			  rules_say *say, void *ctx)
{
	struct err why = { 0 };
	char line[RULE_TEXT];
	struct rule *rule;

	if (r->count == RULES_MOST)
		err_set(&why, ERR_FORMAT, "more than %d rules", RULES_MOST);
	else if (n >= sizeof(line))
		err_set(&why, ERR_FORMAT, "longer than %zu bytes", sizeof(line) - 1);
	else if (text_visible(line, sizeof(line), from, n) != n)
		err_set(&why, ERR_FORMAT, "control bytes, or no UTF-8");
	if (err_is_set(&why)) {
		line_refuse(r, number, &why, say, ctx);
		return 0;
	}
	comment_cut(line);
	if (!*rule_blanks(line))
		return 0;
	if (mem_grow(&r->items, &r->cap, r->count + 1, sizeof(*r->items)) < 0)
		return ERR_NOMEM;
	rule = &r->items[r->count];
	*rule = (struct rule){ .line = number };
	if (rule_parse(rule, line, &why) < 0)
		line_refuse(r, number, &why, say, ctx);
	else
		r->count++;
	return 0;
}

int rules_parse(struct rules *r, const char *file, const char *text, size_t n, rules_say *say,
		void *ctx, struct err *err)
{
	size_t size = strlen(file) * 4 + 1;
	unsigned number = 0;

	*r = (struct rules){ .file = mem_alloc(size) };
	if (!r->file)
		return err_set(err, ERR_NOMEM, "out of memory");
	text_visible(r->file, size, file, strlen(file));
	for (size_t at = 0; at < n; ) {
		const char *end = memchr(text + at, '\n', n - at);
		size_t length = end ? (size_t)(end - text) - at : n - at;
		bool returns = length && text[at + length - 1] == '\r';

		if (rule_line_take(r, text + at, length - returns, ++number, say, ctx) < 0)
			return err_set(err, ERR_NOMEM, "out of memory");
		at += length + 1;
	}
	if (r->wrong)
		return ERR_USAGE;
	return r->count ? 0 : err_set(err, ERR_FORMAT, "%s: holds no rule", r->file);
}

int rules_read(struct rules *r, const char *path, rules_say *say, void *ctx, struct err *err)
{
	size_t n;
	char *text = file_read(path, RULES_BYTES, &n, err);
	int ret;

	*r = (struct rules){ .file = NULL };
	if (!text)
		return ERR_IO;
	ret = rules_parse(r, path, text, n, say, ctx, err);
	mem_free(text);
	return ret;
}

void rules_release(struct rules *r)
{
	mem_free(r->file);
	mem_free(r->items);
	*r = (struct rules){ .file = NULL };
}

bool rules_need(const struct rules *r, enum rule_subject subject, bool relative)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->items[i].subject == subject && r->items[i].relative >= relative)
			return true;
	return false;
}

bool rules_relative(const struct rules *r)
{
	for (int i = 0; i < RULE_SUBJECTS; i++)
		if (rules_need(r, (enum rule_subject)i, true))
			return true;
	return false;
}

/* --- words ------------------------------------------------------------------------------------ */

const char *rule_figure_name(const struct rule *r)
{
	return r->figure ? r->figure->name : columns[r->column].name;
}

const char *rule_operator_text(enum rule_operator op)
{
	return operators[op];
}

const char *rule_value(const struct rule *r, double v, char *dst)
{
	const char *sign = v < 0 ? "-" : "";
	double size = fabs(v);
	char text[32];

	if (isnan(v)) {
		snprintf(dst, RULE_VALUE, "?");
		return dst;
	}
	switch (r->unit) {
	case RULE_TIME:
		snprintf(dst, RULE_VALUE, "%s%s", sign, text_seconds(text, sizeof(text), size));
		break;
	case RULE_SHARE:
		snprintf(dst, RULE_VALUE, "%.3g %%", 100 * v);
		break;
	case RULE_BYTES:
		snprintf(dst, RULE_VALUE, "%s%s B", sign,
			 text_whole(text, sizeof(text), (uint64_t)fmin(size + 0.5, 1e18)));
		break;
	case RULE_COUNT:
		snprintf(dst, RULE_VALUE, "%s%s", sign,
			 text_whole(text, sizeof(text), (uint64_t)fmin(size + 0.5, 1e18)));
		break;
	case RULE_CURRENT:
		snprintf(dst, RULE_VALUE, "%.4g mA", v);
		break;
	case RULE_ENERGY:
		snprintf(dst, RULE_VALUE, "%.4g uJ", v);
		break;
	case RULE_RATE:
		snprintf(dst, RULE_VALUE, "%.4g/s", v);
		break;
	}
	return dst;
}
