/*
 * Output of interrupts lands inside a report's line, mostly as a line of its own:
 *
 *	0x556:0x446:1:24:24tick 0	a row's beginning, then foreign text
 *	:24				its end
 *
 * Where the row ends and the foreign text begins cannot be seen when that begins with a digit. So
 * every cut is tried, and what results must keep what is known of rows: grammar, its own numbers'
 * invariants, the table's order, and the image.
 */
#include "core/wire/prof/prof.h"

#include <string.h>

#define JOINED_MAX 128		/* no row is longer */

/* The best so far. Candidates that give the same entry are one. */
struct join_search {
	const struct prof *p;
	const struct prof_line *l;
	struct prof_joint *joint;
	unsigned first;
	size_t cut[PROF_HELD_MAX];
	char text[JOINED_MAX];
	int points, known;	/* of the best; points -1: none */
	unsigned equals;	/* how many different ones are as good */
	bool natural;		/* the first of those, tried first, is cut at the obvious place */
};

/* --- what is known of rows -------------------------------------------------------------------- */

bool prof_row_sound(const struct wire_row *r)
{
	unsigned __int128 others;

	if (r->calls == 0)
		return r->total == 0 && r->max == 0;
	if (r->min > r->max)
		return false;
	others = r->calls - 1;
	if (r->total < others * r->min + r->max)
		return false;
	return r->max == PROF_SATURATED || r->total <= others * r->max + r->min;
}

bool prof_loses_bit16(const struct codemap *code)
{
	return !code || (code->arch == CODE_AVR && code->base + code->size > 0x10000);
}

/* Rows are sorted by their true (callee, caller); lost bits make the printed ones fall. */
bool prof_in_order(const struct prof *p, const struct wire_row *r)
{
	const struct wire_row *last = &p->last.row;

	if (p->count == 0 || r->to > last->to || (r->to == last->to && r->from > last->from))
		return true;
	return p->wire.code && prof_loses_bit16(p->wire.code);
}

/* A function starts at `to`, and `from` follows a call of it: 0 to 2 points. */
static int in_code(const struct codemap *code, uint32_t from, uint32_t to)
{
	uint64_t step = 0x10000, end = prof_loses_bit16(code) ? code->base + code->size : 1;
	int best = 0;

	for (uint64_t t = to; t == to || t < end; t += step) {
		if (!(code_flags(code, t) & CODE_ENTRY))
			continue;
		best = best > 1 ? best : 1;
		for (uint64_t f = from; f == from || f < end; f += step) {
			uint64_t target;

			if (!(code_flags(code, f) & CODE_RETURN))
				continue;
			target = code->target ? code->target(code->ctx, f) : CODE_NO_TARGET;
			if (target == t || target == CODE_NO_TARGET)
				best = 2;
		}
	}
	return best;
}

static int entry_points(const struct prof *p, const struct prof_entry *e, int *need)
{
	const struct codemap *code = p->wire.code;
	const struct wire_row *r = &e->row;
	uint32_t pc = r->from;

	switch (p->table) {
	case TABLE_PROF:
		*need = code ? 3 : 2;
		return prof_row_sound(r) + prof_in_order(p, r) +
		       (code ? in_code(code, r->from, r->to) : 0);
	case TABLE_STACK:
		*need = code ? 3 : 2;
		return (e->level == p->count) + (p->count == 0 || r->total >= p->last.row.total) +
		       (code ? in_code(code, r->from, r->to) : 0);
	default:
		*need = code ? 1 : 0;
		if (code && code->arch == CODE_AVR)
			pc *= 2;
		return code && code_flags(code, pc) & CODE_TEXT;
	}
}

/* --- entries ---------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
	return (unsigned)((c | 32) - 'a') < 26;
}

/*
 * The obvious cut: behind the last character that a row may hold, in a decimal field, with a letter
 * (or the row's own carriage return) behind it. In hexadecimal fields nothing is obvious.
 */
static bool is_natural(const struct join_search *s)
{
	static const unsigned colons[] = { [TABLE_PROF] = 2, [TABLE_SPROF] = 1, [TABLE_STACK] = 1 };
	unsigned seen = 0;

	for (unsigned i = s->first; i < s->p->held_n; i++) {
		const struct prof_line *l = &s->p->held[i].line;
		size_t cut = s->cut[i];

		if (cut != prof_row_run(s->p->table, l))
			return false;
		if (i > s->first && cut == 0)
			continue;
		for (size_t k = 0; k < cut; k++)
			seen += l->s[k] == ':';
		if (seen < colons[s->p->table])
			return false;
		if (cut < l->n && !is_letter(l->s[cut]) && l->s[cut] != '\r')
			return false;
	}
	return true;
}

/* How many of the foreign pieces look like lines that were seen before. */
static int known_pieces(const struct join_search *s)
{
	int known = 0;

	for (unsigned i = s->first; i < s->p->held_n; i++) {
		const struct prof_line *l = &s->p->held[i].line;

		known += prof_shape_known(s->p, prof_shape(l->s + s->cut[i], l->n - s->cut[i]));
	}
	return known;
}

static bool same_entry(const struct prof_entry *a, const struct prof_entry *b)
{
	return a->row.from == b->row.from && a->row.to == b->row.to &&
	       a->row.calls == b->row.calls && a->row.total == b->row.total &&
	       a->row.min == b->row.min && a->row.max == b->row.max && a->level == b->level;
}

static void entry_consider(struct join_search *s, size_t n)
{
	struct prof_entry e;
	int need, got, known;
	bool better;

	if (!prof_parse_entry(s->p->table, s->text, n, &e) || e.padded ||
	    (e.style && s->p->style && e.style != s->p->style))
		return;
	got = entry_points(s->p, &e, &need);
	known = known_pieces(s);
	if (got < need || got < s->points || (got == s->points && known < s->known))
		return;
	better = got > s->points || known > s->known;
	if (!better) {
		s->equals += !same_entry(&e, &s->joint->entry);
		return;
	}
	s->equals = 1;
	s->natural = is_natural(s);
	s->points = got;
	s->known = known;
	s->joint->first = s->first;
	memcpy(s->joint->cut, s->cut, sizeof(s->cut));
	s->joint->entry = e;
}

static int count_colons(const char *s, size_t n)
{
	int colons = 0;

	for (size_t i = 0; i < n; i++)
		colons += s[i] == ':';
	return colons;
}

/*
 * Try every cut of held line i and of those after it; n characters are put together already, and
 * the held lines have to give `colons` more. That bounds the work a hostile line can make.
 */
static void try_cuts(struct join_search *s, unsigned i, size_t n, int colons, unsigned torn)
{
	const struct prof_line *l;
	size_t run;
	int here;

	if (i == s->p->held_n) {
		if (colons == 0 && n + s->l->n <= JOINED_MAX) {
			memcpy(s->text + n, s->l->s, s->l->n);
			entry_consider(s, n + s->l->n);
		}
		return;
	}
	l = &s->p->held[i].line;
	run = torn < 2 ? prof_row_run(s->p->table, l) : 0;	/* in three places: too rare */
	if (run > JOINED_MAX - n)
		run = JOINED_MAX - n;
	here = count_colons(l->s, run);
	for (size_t k = run + 1; k-- > 0;) {
		if (k < run)
			here -= l->s[k] == ':';
		if (here > colons)
			continue;
		if (k == 0 && i == s->first)
			break;
		memcpy(s->text + n, l->s, k);
		s->cut[i] = k;
		try_cuts(s, i + 1, n + k, colons - here, torn + (k > 0));
	}
}

/* Colons that the held lines from `first` on can give. */
static int held_colons(const struct prof *p, unsigned first)
{
	int colons = 0;

	for (unsigned i = first; i < p->held_n; i++) {
		const struct prof_line *l = &p->held[i].line;

		colons += count_colons(l->s, prof_row_run(p->table, l));
	}
	return colons;
}

static enum prof_joined join_entry(const struct prof *p, const struct prof_line *l,
				   struct prof_joint *j)
{
	static const int colons[] = { [TABLE_PROF] = 5, [TABLE_SPROF] = 1, [TABLE_STACK] = 1 };
	int missing;

	if (p->table == TABLE_NONE || l->n > JOINED_MAX || prof_row_run(p->table, l) != l->n)
		return JOIN_NO;
	missing = colons[p->table] - count_colons(l->s, l->n);
	for (unsigned first = 0; missing >= 0 && first < p->held_n; first++) {
		struct join_search s = { .p = p, .l = l, .joint = j, .first = first, .points = -1 };

		if (prof_row_run(p->table, &p->held[first].line) == 0 ||
		    held_colons(p, first) < missing)
			continue;
		try_cuts(&s, first, 0, missing, 0);
		if (s.equals == 1 || s.natural)
			return JOIN_ENTRY;
		if (s.equals)
			return JOIN_AMBIGUOUS;
	}
	return JOIN_NO;
}

/* --- headers ---------------------------------------------------------------------------------- */

static int header_points(const struct prof *p, const struct prof_header *h, uint32_t foreign)
{
	return 4 * prof_shape_known(p, foreign) +
	       2 * (p->known_tps && prof_shape(h->name, h->name_n) == p->known_name) +
	       (h->max == p->known_max) + (h->tps == p->known_tps);
}

/* The longest of equally good cuts: a row is never thrown away for its report's name. */
static enum prof_joined join_header(const struct prof *p, const struct prof_line *l,
				    struct prof_joint *j)
{
	struct prof_header h;
	int best = -1, got;

	if (!l->n || !memchr("0123456789s", l->s[l->n - 1], 11) ||
	    (l->n > 5 && memcmp(l->s, "PROF:", 5) == 0))
		return JOIN_NO;
	for (unsigned i = 0; i < p->held_n && best < 0; i++) {
		const struct prof_line *piece = &p->held[i].line;

		for (size_t k = prof_header_begins(piece) ? piece->n : 0; k > 0; k--) {
			memcpy(j->text, piece->s, k);
			memcpy(j->text + k, l->s, l->n);
			if (!prof_parse_header(j->text, k + l->n, &h))
				continue;
			got = header_points(p, &h, prof_shape(piece->s + k, piece->n - k));
			if (got <= best)
				continue;
			best = got;
			memset(j->cut, 0, sizeof(j->cut));
			j->first = i;
			j->cut[i] = k;
		}
	}
	if (best < 0)
		return JOIN_NO;
	memcpy(j->text, p->held[j->first].line.s, j->cut[j->first]);
	memcpy(j->text + j->cut[j->first], l->s, l->n);
	prof_parse_header(j->text, j->cut[j->first] + l->n, &j->header);
	return JOIN_HEADER;
}

enum prof_joined prof_join(const struct prof *p, const struct prof_line *l, struct prof_joint *j)
{
	enum prof_joined kind = join_entry(p, l, j);

	return kind == JOIN_NO ? join_header(p, l, j) : kind;
}
