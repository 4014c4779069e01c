#include "core/wire/prof/prof.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"

/* --- text ------------------------------------------------------------------------------------- */

static void give_text(struct prof *p, const char *s, size_t n)
{
	if (!n)
		return;
	p->wire.stats.text_bytes += n;
	if (p->wire.sink.text)
		p->wire.sink.text(p->wire.sink.ctx, s, n);
}

static void give_line(struct prof *p, const struct prof_line *l)
{
	prof_shape_learn(p, prof_shape(l->s, l->n));
	give_text(p, l->raw + l->shown, l->raw_n - l->shown);
}

/* --- held lines ------------------------------------------------------------------------------- */

static void held_set(struct prof_held *h, const struct prof_line *l)
{
	memcpy(h->bytes, l->raw, l->raw_n);
	h->line = *l;
	h->line.raw = h->bytes;
	h->line.s = h->bytes + (l->s - l->raw);
}

/* Beyond doubt a piece of a row: it holds a colon, or the beginning of an address. */
static bool is_piece(const struct prof *p, const struct prof_line *l)
{
	size_t run = prof_row_run(p->table, l);

	return memchr(l->s, ':', run) || (run > 2 && l->s[0] == '0' && (l->s[1] | 32) == 'x');
}

/* Could the rest of the line's beginning follow in a later line? */
static bool may_be_torn(const struct prof *p, const struct prof_line *l)
{
	if (prof_header_begins(l))
		return true;
	if (p->table == TABLE_NONE || !l->n)
		return false;
	if (p->table != TABLE_STACK && p->style == STYLE_0X)
		return l->s[0] == '0';
	return prof_row_run(p->table, l) > 0 && l->s[0] != ':' && (l->s[0] | 32) != 'x';
}

static void count_torn(struct prof *p, const struct prof_line *l)
{
	if (p->table != TABLE_NONE && p->count < p->header.num && is_piece(p, l)) {
		p->torn++;
		p->wire.stats.resyncs++;
	}
}

/* The first of them is nobody's piece. */
static void held_release_first(struct prof *p)
{
	struct prof_line *l = &p->held[0].line;

	count_torn(p, l);
	if (!l->own || p->table != TABLE_NONE)
		give_line(p, l);
	p->held_n--;
	for (unsigned i = 0; i < p->held_n; i++)
		held_set(&p->held[i], &p->held[i + 1].line);
}

static void held_release(struct prof *p)
{
	while (p->held_n)
		held_release_first(p);
}

static void held_add(struct prof *p, const struct prof_line *l)
{
	if (p->held_n == PROF_HELD_MAX)
		held_release_first(p);
	held_set(&p->held[p->held_n++], l);
}

/* Keep the line if it, or one before it, may be torn. */
static void held_add_torn(struct prof *p, const struct prof_line *l)
{
	if (!p->held_n && !may_be_torn(p, l)) {
		give_line(p, l);
		return;
	}
	held_add(p, l);
	while (p->held_n && !may_be_torn(p, &p->held[0].line))
		held_release_first(p);
}

/* Give out what of the held lines is not in the joined one. */
static void held_release_foreign(struct prof *p, const struct prof_joint *j)
{
	for (unsigned i = 0; i < j->first; i++)
		held_release_first(p);
	for (unsigned i = 0; i < p->held_n; i++) {
		const struct prof_line *l = &p->held[i].line;
		const char *s = l->s + j->cut[i + j->first], *end = l->raw + l->raw_n;

		if (j->cut[i + j->first] == 0) {
			give_line(p, l);
			continue;
		}
		if (end - s > 1 && s[0] == '\r' && s[1] != '\n')
			s++;		/* the row's own */
		if (s < l->raw + l->shown)
			s = l->raw + l->shown;	/* silence showed it before it was a piece */
		prof_shape_learn(p, prof_shape(s, (size_t)(end - s)));
		give_text(p, s, (size_t)(end - s));
	}
	p->held_n = 0;
}

/* Give the report out. The first `pieces` of the held lines are pieces of its rows, if of any. */
static void close_table(struct prof *p, enum prof_ending ending, unsigned pieces)
{
	for (unsigned i = 0; i < pieces; i++)
		count_torn(p, &p->held[i].line);
	prof_close(p, ending);
}

/* --- a report's rows -------------------------------------------------------------------------- */

static int make_room(struct prof *p)
{
	size_t need = p->count + 1;

	if (need > PROF_ROWS_MAX)
		return -1;
	if (p->table == TABLE_SPROF)
		return need <= p->sampled_cap ? 0 :
		       mem_grow(&p->sampled, &p->sampled_cap, need, sizeof(*p->sampled));
	return need <= p->rows_cap ? 0 : mem_grow(&p->rows, &p->rows_cap, need, sizeof(*p->rows));
}

static void add_entry(struct prof *p, const struct prof_entry *e, unsigned returns)
{
	p->limbo = false;
	p->direct = true;
	p->crcr = returns > 1;
	if (make_room(p) < 0) {
		p->torn++;
		return;
	}
	if (p->table == TABLE_SPROF)
		p->sampled[p->count++] = (struct wire_sampled){ e->row.from, e->row.calls };
	else
		p->rows[p->count++] = e->row;
	p->last = *e;
	if (e->style != STYLE_ANY)
		p->style = e->style;
}

/* Is the line a row of the table as it stands? Half a "0x" row can look like one without it. */
static bool is_entry(const struct prof *p, const char *s, size_t n, struct prof_entry *e)
{
	return prof_parse_entry(p->table, s, n, e) &&
	       (!e->style || !p->style || e->style == p->style);
}

/* Nearly all lines of a report: nothing is odd about them. */
static bool plain_entry(struct prof *p, const char *raw, size_t n)
{
	struct prof_entry e;
	unsigned returns = 0;

	if (n && raw[n - 1] == '\n')
		n--;
	while (n && raw[n - 1] == '\r') {
		n--;
		returns++;
	}
	if (!is_entry(p, raw, n, &e))
		return false;
	add_entry(p, &e, returns);
	return true;
}

/* --- headers and other marks ------------------------------------------------------------------ */

static void say_found(struct prof *p)
{
	static const char *const what[] = {
		[TABLE_PROF] = "PROF, %llu call sites, report ",
		[TABLE_SPROF] = "SPROF, %llu addresses, report ",
		[TABLE_STACK] = "Stacktrace of %llu frames",
	};
	char kind[64], name[48];

	snprintf(kind, sizeof(kind), what[p->table], (unsigned long long)p->header.num);
	text_visible(name, sizeof(name), p->name, strlen(p->name));
	snprintf(p->wire.note, sizeof(p->wire.note), "prof: first header %s%s", kind, name);
}

static void open_table(struct prof *p, const struct prof_header *h)
{
	text_visible(p->name, sizeof(p->name), h->name ? h->name : "", h->name_n);
	p->header = *h;
	p->header.name = NULL;
	p->table = h->table;
	p->style = STYLE_ANY;
	p->count = 0;
	p->torn = 0;
	p->direct = p->crcr = p->limbo = false;
	if (p->seen++ == 0)
		say_found(p);
	if (h->table == TABLE_STACK)
		return;
	p->index++;
	p->known_max = h->max;
	p->known_name = prof_shape(h->name, h->name_n);
	p->known_tps = h->tps;
}

static void take_header(struct prof *p, const struct prof_line *l, const struct prof_header *h)
{
	close_table(p, ENDING_HEADER, p->held_n);
	held_release(p);
	if (h->lead > l->shown)
		give_text(p, l->raw + l->shown, h->lead - l->shown);
	open_table(p, h);
}

static void take_corrupted(struct prof *p)
{
	close_table(p, ENDING_HEADER, p->held_n);
	held_release(p);
	if (p->seen++ == 0)
		snprintf(p->wire.note, sizeof(p->wire.note), "prof: a Stacktrace, corrupted");
	prof_give_stack(p, true);
}

static void take_boot(struct prof *p, const struct prof_line *l)
{
	close_table(p, ENDING_BOOT, p->held_n);
	held_release(p);
	p->booted = true;
	if (p->wire.sink.boot)
		p->wire.sink.boot(p->wire.sink.ctx);
	give_line(p, l);
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Try to make something of the held lines and this one. */
static bool take_joined(struct prof *p, const struct prof_line *l)
{
	struct prof_joint j;

	switch (prof_join(p, l, &j)) {
	case JOIN_ENTRY:
		held_release_foreign(p, &j);
		j.entry.row.flags |= ROW_REJOINED;
		add_entry(p, &j.entry, l->returns);
		return true;
	case JOIN_HEADER:
		close_table(p, ENDING_HEADER, j.first);
		held_release_foreign(p, &j);
		open_table(p, &j.header);
		return true;
	case JOIN_AMBIGUOUS:
		held_release(p);	/* which counts the torn row */
		give_line(p, l);
		p->direct = false;
		return true;
	default:
		return false;
	}
}

static void take_blank(struct prof *p, const struct prof_line *l)
{
	struct prof_line own = *l;

	p->direct = false;
	if (p->count >= p->header.num) {
		close_table(p, ENDING_OVER, p->held_n);
		held_release(p);
		return;
	}
	own.own = !p->limbo;
	p->limbo = true;
	held_add(p, &own);
}

/*
 * Neither row nor blank. Before all rows are there it is an interrupt's output. Behind them, or
 * behind a blank line, it may be the same: the report is over when some such lines have come.
 */
static void take_foreign(struct prof *p, const struct prof_line *l)
{
	p->direct = false;
	if (p->count >= p->header.num)
		p->limbo = true;
	if (!p->limbo) {
		held_add_torn(p, l);
		return;
	}
	if (p->held_n < PROF_HELD_MAX) {
		held_add(p, l);
		return;
	}
	close_table(p, ENDING_OVER, p->held_n);
	while (p->held_n && !may_be_torn(p, &p->held[0].line))
		held_release_first(p);
	held_add_torn(p, l);
}

static void take_in_table(struct prof *p, const struct prof_line *l)
{
	struct prof_entry e;
	bool own = is_entry(p, l->s, l->n, &e);

	if (own && p->limbo && p->table == TABLE_PROF && !prof_in_order(p, &e.row))
		own = false;
	/* Without "0x" the second half of a row can look like a whole one. */
	if (p->held_n && !(own && e.style == STYLE_0X) && take_joined(p, l))
		return;
	if (own) {
		held_release(p);
		add_entry(p, &e, l->returns);
	} else if (!l->n) {
		take_blank(p, l);
	} else if (p->header.pretty && !p->count && prof_is_title(l->s, l->n)) {
		return;
	} else {
		take_foreign(p, l);
	}
}

static void take_line(struct prof *p, const char *raw, size_t n)
{
	struct prof_header h;
	struct prof_line l;

	if (p->table != TABLE_NONE && !p->held_n && plain_entry(p, raw, n))
		return;
	prof_line_init(&l, raw, n);
	l.shown = p->shown;
	if (prof_is_boot(l.s, l.n))
		take_boot(p, &l);
	else if (prof_parse_header(l.s, l.n, &h))
		take_header(p, &l, &h);
	else if (prof_is_corrupted_stack(l.s, l.n))
		take_corrupted(p);
	else if (p->table != TABLE_NONE)
		take_in_table(p, &l);
	else if (!p->held_n || !take_joined(p, &l))
		held_add_torn(p, &l);
}

/* The line is longer than any of a report. */
static void take_overlong(struct prof *p, const char *s, size_t n)
{
	if (p->limbo || (p->table != TABLE_NONE && p->count >= p->header.num))
		close_table(p, ENDING_OVER, p->held_n);
	held_release(p);
	p->direct = false;
	give_text(p, p->line + p->shown, p->len - p->shown);
	give_text(p, s, n);
	p->len = p->shown = 0;
}

/* One line, or the piece of it that this feed has. */
static void take_piece(struct prof *p, const char *s, size_t n, bool ended)
{
	if (p->overlong) {
		give_text(p, s, n);
		p->overlong = !ended;
	} else if (p->len + n > PROF_LINE_MAX) {
		take_overlong(p, s, n);
		p->overlong = !ended;
	} else if (p->len == 0 && ended) {
		take_line(p, s, n);
	} else {
		memcpy(p->line + p->len, s, n);
		p->len += n;
		if (ended) {
			take_line(p, p->line, p->len);
			p->len = p->shown = 0;
		}
	}
}

static void prof_feed(struct wire *w, const uint8_t *data, size_t n)
{
	struct prof *p = (struct prof *)w;

	while (n) {
		const uint8_t *newline = memchr(data, '\n', n);
		size_t k = newline ? (size_t)(newline - data) + 1 : n;

		take_piece(p, (const char *)data, k, newline != NULL);
		data += k;
		n -= k;
	}
}

/* --- silence and end -------------------------------------------------------------------------- */

/* The stream ended within a line. */
static void take_last(struct prof *p)
{
	struct prof_line l;
	struct prof_header h;
	struct prof_joint j;
	bool row;

	prof_line_init(&l, p->line, p->len);
	l.shown = p->shown;
	if (p->len && (l.returns || prof_is_boot(l.s, l.n))) {
		take_line(p, p->line, p->len);	/* but for its newline it is all there */
		return;
	}
	if (!l.raw_n)
		return;
	row = p->table != TABLE_NONE && is_entry(p, l.s, l.n, &j.entry);
	if (row && !p->held_n && prof_is_whole(p, p->count, &j.entry)) {
		add_entry(p, &j.entry, 1);
		return;
	}
	if (p->held_n && prof_join(p, &l, &j) == JOIN_ENTRY &&
	    prof_is_whole(p, p->count, &j.entry)) {
		held_release_foreign(p, &j);
		j.entry.row.flags |= ROW_REJOINED;
		add_entry(p, &j.entry, 1);
		return;
	}
	held_release(p);
	if (row)
		p->torn++;
	else if (!prof_parse_header(l.s, l.n, &h))
		count_torn(p, &l);
	give_line(p, &l);
}

static void flush_end(struct prof *p)
{
	take_last(p);
	p->len = p->shown = 0;
	p->overlong = false;
	close_table(p, ENDING_OVER, p->held_n);
	held_release(p);
}

/* Does the line that is not all there begin as a row does? Then more of the report comes. */
static bool row_begins(const struct prof *p)
{
	struct prof_line l;

	prof_line_init(&l, p->line, p->len);
	return may_be_torn(p, &l);
}

static void prof_flush(struct wire *w, bool end)
{
	struct prof *p = (struct prof *)w;

	if (end) {
		flush_end(p);
		return;
	}
	if (p->table != TABLE_NONE) {
		if ((p->count < p->header.num && !p->limbo) || row_begins(p))
			return;
		close_table(p, ENDING_OVER, p->held_n);
	}
	held_release(p);
	if (p->len > p->shown && !prof_header_prefix(p->line, p->len)) {
		give_text(p, p->line + p->shown, p->len - p->shown);
		p->shown = p->len;
	}
}

/* --- the decoder ------------------------------------------------------------------------------ */

static int prof_init(struct wire *w, const struct wire_options *o, struct err *err)
{
	(void)o;
	(void)err;
	snprintf(w->note, sizeof(w->note), "prof: no report yet");
	return 0;
}

static void prof_release(struct wire *w)
{
	struct prof *p = (struct prof *)w;

	mem_free(p->rows);
	mem_free(p->sampled);
	mem_free(p->frames);
}

unsigned prof_seen(const struct wire *w)
{
	return ((const struct prof *)w)->seen;
}

const struct wire_ops wire_prof_ops = {
	.size = sizeof(struct prof),
	.init = prof_init,
	.release = prof_release,
	.feed = prof_feed,
	.flush = prof_flush,
};
