/* statement: one pass over the bytes, one over the statements for inline assembly's marks. */
#include "core/filter/statement.h"

#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"

/* --- pieces ----------------------------------------------------------------------------------- */

static bool blank_is(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

struct piece piece_trim(struct piece p)
{
	while (p.n && (blank_is(p.s[p.n - 1]) || p.s[p.n - 1] == '\n'))
		p.n--;
	while (p.n && (blank_is(*p.s) || *p.s == '\n')) {
		p.s++;
		p.n--;
	}
	return p;
}

bool piece_has(struct piece p, const char *s)
{
	return p.n && memmem(p.s, p.n, s, strlen(s)) != NULL;
}

bool piece_equal(struct piece a, struct piece b)
{
	return a.n == b.n && (!a.n || memcmp(a.s, b.s, a.n) == 0);
}

bool piece_is_name(struct piece p)
{
	if (!p.n || (*p.s >= '0' && *p.s <= '9'))
		return false;
	for (size_t i = 0; i < p.n; i++)
		if (!piece_name_byte(p.s[i]))
			return false;
	return true;
}

struct piece piece_first(struct piece args, struct piece *rest)
{
	struct piece first = args;
	size_t depth = 0, i;
	bool quoted = false;

	for (i = 0; i < args.n; i++) {
		char c = args.s[i];

		if (quoted && c == '\\')
			i++;
		else if (c == '"')
			quoted = !quoted;
		else if (!quoted && (c == '{' || c == '[' || c == '('))
			depth++;
		else if (!quoted && depth && (c == '}' || c == ']' || c == ')'))
			depth--;
		else if (!quoted && !depth && c == ',')
			break;
	}
	first.n = i < args.n ? i : args.n;
	rest->s = args.s + (i < args.n ? i + 1 : args.n);
	rest->n = args.n - (size_t)(rest->s - args.s);
	*rest = piece_trim(*rest);
	return piece_trim(first);
}

/* --- statements ------------------------------------------------------------------------------- */

struct reader {
	struct statements *all;
	const struct statement_syntax *syntax;
	size_t at;
	bool line_begins;		/* nothing but blanks in this line so far */
};

static char byte_at(const struct reader *r, size_t at)
{
	return at < r->all->size ? r->all->text[at] : '\n';
}

static int statement_keep(struct reader *r, enum statement_kind kind, size_t at, size_t end)
{
	struct statements *all = r->all;
	size_t word = 0;

	if (mem_grow(&all->v, &all->cap, all->count + 1, sizeof(*all->v)) < 0)
		return ERR_NOMEM;
	while (word < UINT16_MAX && at + word < end && piece_name_byte(all->text[at + word]))
		word++;
	all->v[all->count++] = (struct statement){
		.at = (uint32_t)at, .size = (uint32_t)(end - at), .kind = (uint8_t)kind,
		.op = (uint16_t)word,
	};
	return 0;
}

static size_t line_end(const struct reader *r, size_t at)
{
	const char *end = at < r->all->size ?
			  memchr(r->all->text + at, '\n', r->all->size - at) : NULL;

	return end ? (size_t)(end - r->all->text) : r->all->size;
}

static bool comment_opens(const struct reader *r, size_t at)
{
	return byte_at(r, at) == '/' && byte_at(r, at + 1) == '*';
}

/* A comment at `at`, if there is one: `at` moves behind it. 0, 1 there was one, or negative. */
static int comment_read(struct reader *r)
{
	const char *text = r->all->text, *close;
	char c = byte_at(r, r->at);
	size_t end, from = r->at + 1;

	if (comment_opens(r, r->at)) {
		from++;
		close = from < r->all->size ?
			memmem(text + from, r->all->size - from, "*/", 2) : NULL;
		end = close ? (size_t)(close - text) : r->all->size;
		r->at = close ? end + 2 : end;
	} else if (c == r->syntax->comment || (c == '#' && r->line_begins)) {
		end = line_end(r, from);
		r->at = end;
	} else {
		return 0;
	}
	if (from > end)
		from = end;
	return statement_keep(r, STATEMENT_COMMENT, from, end) < 0 ? ERR_NOMEM : 1;
}

/* Behind a string that begins at `at`. A line's end does not end it: gas goes on, too. */
static size_t string_end(const struct reader *r, size_t at)
{
	for (at++; at < r->all->size; at++) {
		if (r->all->text[at] == '\\')
			at++;
		else if (r->all->text[at] == '"')
			return at + 1;
	}
	return r->all->size;
}

/* A label at `at`: behind its colon; else `at`. */
static size_t label_end(const struct reader *r, size_t at)
{
	size_t end = at;

	if (byte_at(r, at) == '"')
		end = string_end(r, at);
	else
		while (end < r->all->size && piece_name_byte(r->all->text[end]))
			end++;
	return end > at && byte_at(r, end) == ':' ? end + 1 : at;
}

/* Up to the statement's end: a separator, a comment, the line's end. */
static int body_read(struct reader *r)
{
	size_t from = r->at, end;
	char first = byte_at(r, from);
	bool assigns = false;
	struct piece p;

	while (r->at < r->all->size) {
		char c = r->all->text[r->at];

		if (c == '\n' || c == r->syntax->separator || c == r->syntax->comment ||
		    comment_opens(r, r->at))
			break;
		if (c == '=')
			assigns = true;
		if (c == '"')
			r->at = string_end(r, r->at);
		else
			r->at += c == '\'' && byte_at(r, r->at + 1) != '\n' ? 2 : 1;
	}
	end = r->at < r->all->size ? r->at : r->all->size;
	p = piece_trim((struct piece){ r->all->text + from, end - from });
	/* "ldr r0, =x" is no assignment: a name and a blank come first */
	if (assigns) {
		size_t n = 0;

		while (n < p.n && piece_name_byte(p.s[n]))
			n++;
		while (n < p.n && blank_is(p.s[n]))
			n++;
		assigns = n < p.n && p.s[n] == '=';
	}
	return statement_keep(r, first == '.' || assigns ? STATEMENT_DIRECTIVE : STATEMENT_INSN,
			      from, from + p.n);
}

static int statement_read(struct reader *r)
{
	size_t end;
	int ret = comment_read(r);

	if (ret)
		return ret < 0 ? ret : 0;
	r->line_begins = false;
	end = label_end(r, r->at);
	if (end > r->at) {
		ret = statement_keep(r, STATEMENT_LABEL, r->at, end - 1);
		r->at = end;
		return ret;
	}
	return body_read(r);
}

/* --- inline assembly -------------------------------------------------------------------------- */

/*
 * gcc writes around it (avr)	#APP in a comment .. #NOAPP
 *		      (arm)	.syntax X .. .thumb, .syntax unified
 * and around each statement a comment: LINE "FILE" 1 .. 0 "" 2. clang: APP .. NO_APP. Within the
 * latter two nothing else ends it, because the user's text may have the same directives.
 */
struct marks {
	bool span, inside, mode;
};

static bool comment_is_opening(struct piece p)
{
	size_t n = 0;

	while (n < p.n && p.s[n] >= '0' && p.s[n] <= '9')
		n++;
	return n && p.n > n + 4 && p.s[n] == ' ' && p.s[n + 1] == '"' &&
	       memcmp(p.s + p.n - 3, "\" 1", 3) == 0;
}

static void comment_mark(struct marks *m, struct piece p)
{
	p = piece_trim(p);
	if (piece_is(p, "#APP") || piece_is(p, "APP"))
		m->span = true;
	else if (!m->inside && (piece_is(p, "#NOAPP") || piece_is(p, "NO_APP")))
		m->span = false;
	else if (piece_is(p, "0 \"\" 2"))
		m->inside = false;
	else if (comment_is_opening(p))
		m->span = m->inside = true;
}

static void directive_mark(struct marks *m, struct piece op)
{
	bool mode = piece_is(op, ".thumb") || piece_is(op, ".code") || piece_is(op, ".arm");

	if (m->inside)
		return;
	if (mode)
		m->span = false;
	else if (piece_is(op, ".syntax") && !m->mode)
		m->span = true;
	m->mode = mode;
}

static void user_mark(struct statements *all)
{
	struct marks m = { false, false, false };

	for (size_t i = 0; i < all->count; i++) {
		struct statement *s = &all->v[i];

		if (s->kind == STATEMENT_COMMENT)
			comment_mark(&m, statement_text(all, i));
		else if (s->kind == STATEMENT_DIRECTIVE)
			directive_mark(&m, statement_op(all, i));
		else
			m.mode = false;
		s->user = m.span;
	}
}

/* --- entries ---------------------------------------------------------------------------------- */

int statements_parse(struct statements *all, const char *text, size_t size,
		     const struct statement_syntax *syntax)
{
	struct reader r = { .all = all, .syntax = syntax, .line_begins = true };
	int ret = 0;

	memset(all, 0, sizeof(*all));
	all->text = text;
	all->size = size < STATEMENT_TEXT_MAX ? size : STATEMENT_TEXT_MAX;
	while (ret == 0 && r.at < all->size) {
		char c = text[r.at];

		if (c == '\n') {
			r.line_begins = true;
			r.at++;
		} else if (blank_is(c) || c == syntax->separator) {
			r.at++;
		} else {
			ret = statement_read(&r);
		}
	}
	if (ret < 0)
		statements_release(all);
	else
		user_mark(all);
	return ret;
}

void statements_release(struct statements *all)
{
	mem_free(all->v);
	memset(all, 0, sizeof(*all));
}

struct piece statement_args(const struct statements *all, size_t i)
{
	struct piece p = statement_text(all, i), op = statement_op(all, i);

	return piece_trim((struct piece){ p.s + op.n, p.n - op.n });
}
