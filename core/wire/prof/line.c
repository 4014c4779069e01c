#include "core/wire/prof/prof.h"

#include <string.h>

#define ESC '\x1b'
#define SHAPE_LEN 24		/* characters of a line that make its shape */
#define LEAD_MAX 16		/* characters of a prompt before a header */

/* --- characters and numbers ------------------------------------------------------------------- */

/* 1 + value of a hex digit; 0: none. */
static const uint8_t hex_digit[256] = {
	['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8,
	['8'] = 9, ['9'] = 10,
	['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
	['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

static bool is_digit(char c)
{
	return (unsigned)(c - '0') < 10;
}

static bool is_alnum(char c)
{
	return is_digit(c) || (unsigned)((c | 32) - 'a') < 26;
}

/* What is left of a line. A reader returns false when what it wants is not there. */
struct line_cursor {
	const char *s, *end;
};

static bool take_char(struct line_cursor *c, char want)
{
	if (c->s == c->end || *c->s != want)
		return false;
	c->s++;
	return true;
}

static bool take_word(struct line_cursor *c, const char *want)
{
	size_t n = strlen(want);

	if ((size_t)(c->end - c->s) < n || memcmp(c->s, want, n) != 0)
		return false;
	c->s += n;
	return true;
}

/* As printf's %lu: digits, no zero in front of others. */
static bool take_number(struct line_cursor *c, uint64_t *value)
{
	const char *s = c->s;
	uint64_t v = 0;

	while (s < c->end && is_digit(*s))
		v = v * 10 + (uint64_t)(*s++ - '0');
	if (s == c->s || s - c->s > 18 || (*c->s == '0' && s - c->s > 1))
		return false;
	c->s = s;
	*value = v;
	return true;
}

static bool take_small(struct line_cursor *c, uint32_t *value)
{
	uint64_t v;

	if (!take_number(c, &v) || v > UINT32_MAX)
		return false;
	*value = (uint32_t)v;
	return true;
}

/*
 * An address. avr-libc's %p: "0x" and lower-case digits without padding, but 0 is plain "0"; others
 * print digits alone. All addresses of one row are of one style.
 */
static bool take_address(struct line_cursor *c, struct prof_entry *e, uint32_t *value)
{
	enum prof_style style = STYLE_BARE;
	const char *s = c->s, *start;
	uint32_t v = 0;

	if (c->end - s > 2 && s[0] == '0' && (s[1] | 32) == 'x') {
		style = STYLE_0X;
		s += 2;
	}
	for (start = s; s < c->end && hex_digit[(uint8_t)*s]; s++)
		v = v << 4 | (uint32_t)(hex_digit[(uint8_t)*s] - 1);
	if (s == start || s - start > 8)
		return false;
	if (s - start == 1 && v == 0 && style == STYLE_BARE)
		style = STYLE_ANY;
	else if (*start == '0')
		e->padded = true;
	if (style != STYLE_ANY && e->style != STYLE_ANY && e->style != style)
		return false;
	if (style != STYLE_ANY)
		e->style = style;
	c->s = s;
	*value = v;
	return true;
}

/* --- rows ------------------------------------------------------------------------------------- */

static void entry_clear(struct prof_entry *e)
{
	e->level = 0;
	e->row.flags = 0;
	e->style = STYLE_ANY;
	e->padded = false;
}

static bool row_parse(const char *s, size_t n, struct prof_entry *e)
{
	struct line_cursor c = { s, s + n };
	struct wire_row *r = &e->row;

	entry_clear(e);
	return take_address(&c, e, &r->from) && take_char(&c, ':') &&
	       take_address(&c, e, &r->to) && take_char(&c, ':') &&
	       take_number(&c, &r->calls) && take_char(&c, ':') &&
	       take_number(&c, &r->total) && take_char(&c, ':') &&
	       take_small(&c, &r->min) && take_char(&c, ':') &&
	       take_small(&c, &r->max) && c.s == c.end;
}

static bool parse_sampled(const char *s, size_t n, struct prof_entry *e)
{
	struct line_cursor c = { s, s + n };

	return take_address(&c, e, &e->row.from) && take_char(&c, ':') &&
	       take_number(&c, &e->row.calls) && c.s == c.end;
}

/* "0: 0x6e4->0x5e0 @23328" */
static bool parse_frame(const char *s, size_t n, struct prof_entry *e)
{
	struct line_cursor c = { s, s + n };

	return take_number(&c, &e->level) && take_word(&c, ": ") &&
	       take_address(&c, e, &e->row.from) && take_word(&c, "->") &&
	       take_address(&c, e, &e->row.to) && take_word(&c, " @") &&
	       take_number(&c, &e->row.total) && c.s == c.end;
}

bool prof_parse_entry(enum prof_table table, const char *s, size_t n, struct prof_entry *e)
{
	if (table == TABLE_PROF)
		return row_parse(s, n, e);
	memset(e, 0, sizeof(*e));
	switch (table) {
	case TABLE_SPROF:
		return parse_sampled(s, n, e);
	case TABLE_STACK:
		return parse_frame(s, n, e);
	default:
		return false;
	}
}

size_t prof_row_run(enum prof_table table, const struct prof_line *l)
{
	static const char frame[] = " ->@";
	size_t i;

	for (i = 0; i < l->n; i++) {
		char ch = l->s[i];

		if (!hex_digit[(uint8_t)ch] && ch != ':' && (ch | 32) != 'x' &&
		    !(table == TABLE_STACK && memchr(frame, ch, sizeof(frame) - 1)))
			break;
	}
	return i;
}

/* --- headers ---------------------------------------------------------------------------------- */

/* PROF:name:sites:max:time_run:ticks/s and SPROF:name:sites:max:samples; a name holds no colon. */
static bool parse_plain(struct line_cursor c, struct prof_header *h)
{
	const char *colon = memchr(c.s, ':', (size_t)(c.end - c.s));

	if (!colon)
		return false;
	h->name = c.s;
	h->name_n = (size_t)(colon - c.s);
	c.s = colon + 1;
	if (!take_number(&c, &h->num) || !take_char(&c, ':') ||
	    !take_number(&c, &h->max) || !take_char(&c, ':'))
		return false;
	if (h->table == TABLE_SPROF)
		return take_number(&c, &h->samples) && c.s == c.end;
	return take_number(&c, &h->run) && take_char(&c, ':') &&
	       take_number(&c, &h->tps) && c.s == c.end;
}

/*
 *	PROF: "name" N sites M max sites T ticks spent R ticks/s
 *	SPROF: "name" N sites M max_sites S samples
 *
 * The name may hold quotes: its end is the line's last one.
 */
static bool parse_pretty(struct line_cursor c, struct prof_header *h)
{
	const char *quote;

	if (!take_word(&c, " \""))
		return false;
	quote = memrchr(c.s, '"', (size_t)(c.end - c.s));
	if (!quote)
		return false;
	h->pretty = true;
	h->name = c.s;
	h->name_n = (size_t)(quote - c.s);
	c.s = quote + 1;
	if (!take_char(&c, ' ') || !take_number(&c, &h->num) || !take_word(&c, " sites ") ||
	    !take_number(&c, &h->max))
		return false;
	if (h->table == TABLE_SPROF)
		return take_word(&c, " max_sites ") && take_number(&c, &h->samples) &&
		       take_word(&c, " samples") && c.s == c.end;
	return take_word(&c, " max sites ") && take_number(&c, &h->run) &&
	       take_word(&c, " ticks spent ") &&
	       take_number(&c, &h->tps) && take_word(&c, " ticks/s") && c.s == c.end;
}

/* "Stacktrace: 5 frames, 32768 ticks/s" */
static bool parse_stack_header(struct line_cursor c, struct prof_header *h)
{
	return take_char(&c, ' ') && take_number(&c, &h->num) && take_word(&c, " frames, ") &&
	       take_number(&c, &h->tps) && take_word(&c, " ticks/s") && c.s == c.end;
}

static const struct prof_word {
	const char *word;
	size_t n;
	enum prof_table table;
} header_words[] = {
	{ "PROF:", 5, TABLE_PROF },
	{ "SPROF:", 6, TABLE_SPROF },
	{ "Stacktrace:", 11, TABLE_STACK },
};

#define HEADER_WORDS (sizeof(header_words) / sizeof(header_words[0]))

bool prof_parse_header(const char *s, size_t n, struct prof_header *h)
{
	size_t lead = 0;

	while (lead < n && lead < LEAD_MAX && !is_alnum(s[lead]))
		lead++;
	for (size_t i = 0; i < HEADER_WORDS; i++) {
		const struct prof_word *w = &header_words[i];
		struct line_cursor c = { s + lead, s + n };

		if (!take_word(&c, w->word))
			continue;
		*h = (struct prof_header){ .table = w->table, .lead = lead };
		if (w->table == TABLE_STACK)
			return parse_stack_header(c, h);
		if (parse_plain(c, h))
			return true;
		*h = (struct prof_header){ .table = w->table, .lead = lead };
		return parse_pretty(c, h);
	}
	return false;
}

bool prof_header_begins(const struct prof_line *l)
{
	return l->n && (l->s[0] == 'P' || l->s[0] == 'S');
}

bool prof_header_prefix(const char *s, size_t n)
{
	for (size_t i = 0; i < HEADER_WORDS; i++) {
		const struct prof_word *w = &header_words[i];

		if (memcmp(s, w->word, n < w->n ? n : w->n) == 0)
			return true;
	}
	return false;
}

bool prof_is_corrupted_stack(const char *s, size_t n)
{
	static const char text[] = "Stack corrupted or not recorded.";

	return n == sizeof(text) - 1 && memcmp(s, text, n) == 0;
}

/* The column titles of the pretty forms; six columns follow the first all the same. */
bool prof_is_title(const char *s, size_t n)
{
	struct line_cursor c = { s, s + n };

	return take_word(&c, "from:to:calls:time") || take_word(&c, "pc:calls");
}

/* "*******Booting Contiki 3.0*******", perhaps behind half a row. */
bool prof_is_boot(const char *s, size_t n)
{
	const char *word = n && s[n - 1] == '*' ? memmem(s, n, "Booting", 7) : NULL;

	while (word && word > s && word[-1] == ' ')
		word--;
	return word && word > s && word[-1] == '*';
}

/* --- dress ------------------------------------------------------------------------------------ */

/* Length of a colour sequence, ESC [ ... m, at s; 0: none. */
static size_t colour_len(const char *s, size_t n)
{
	size_t i = 2;

	if (n < 3 || s[0] != ESC || s[1] != '[')
		return 0;
	while (i < n && (is_digit(s[i]) || s[i] == ';'))
		i++;
	return i < n && s[i] == 'm' ? i + 1 : 0;
}

/* simavr's console: ESC[0mESC[32m before a line and a dot for each control character in it. */
static void undress_simulator(struct prof_line *l)
{
	size_t k;

	while ((k = colour_len(l->s, l->n)) > 0) {
		l->s += k;
		l->n -= k;
		l->dressed = true;
	}
	for (int i = 0; l->dressed && i < 2 && l->n && l->s[l->n - 1] == '.'; i++)
		l->n--;
}

/* "20131014 120000: node " as test.py logs it; the node's name is any word without a colon. */
static void undress_log(struct prof_line *l)
{
	static const char shape[] = "00000000 000000: ";
	const size_t fixed = sizeof(shape) - 1;
	size_t i;

	if (l->n + 1 < fixed)
		return;
	for (i = 0; i < fixed && i < l->n; i++) {
		if (shape[i] == '0' ? !is_digit(l->s[i]) : l->s[i] != shape[i])
			return;
	}
	while (i < l->n && l->s[i] != ' ' && l->s[i] != ':')
		i++;
	if (i < l->n && l->s[i] == ':')
		i = fixed;		/* no name: the line itself */
	else if (i < l->n)
		i++;
	l->s += i;
	l->n -= i;
}

void prof_line_init(struct prof_line *l, const char *raw, size_t n)
{
	*l = (struct prof_line){ .raw = raw, .raw_n = n, .s = raw, .n = n };
	if (l->n && l->s[l->n - 1] == '\n') {
		l->n--;
		l->ended = true;
	}
	while (l->n && l->s[l->n - 1] == '\r') {
		l->n--;
		l->returns++;
	}
	undress_simulator(l);
	undress_log(l);
}

/* --- shapes ----------------------------------------------------------------------------------- */

uint32_t prof_shape(const char *s, size_t n)
{
	uint32_t h = 2166136261u;	/* FNV-1a */
	bool number = false, any = false;

	if (n > SHAPE_LEN)
		n = SHAPE_LEN;
	for (size_t i = 0; i < n; i++) {
		char ch = s[i];

		if (ch == '\r' || ch == '\n')
			continue;
		any = true;
		if (is_digit(ch)) {
			if (number)
				continue;
			ch = '0';
		}
		number = ch == '0';
		h = (h ^ (uint8_t)ch) * 16777619u;
	}
	if (!any)
		return 0;
	return h ? h : 1;
}

bool prof_shape_known(const struct prof *p, uint32_t shape)
{
	for (unsigned i = 0; i < PROF_SHAPES; i++) {
		if (p->shapes[i] == shape)
			return shape != 0;
	}
	return false;
}

void prof_shape_learn(struct prof *p, uint32_t shape)
{
	if (shape && !prof_shape_known(p, shape))
		p->shapes[p->shape_n++ % PROF_SHAPES] = shape;
}
