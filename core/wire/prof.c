#include "core/wire/prof.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"

/* What ended a report. */
enum ending {
	ENDING_OVER,		/* its blank line, other text, the end of the stream */
	ENDING_HEADER,		/* a new report: if rows are missing, the last one may be cut short */
	ENDING_BOOT,		/* a reset: the last row may be cut short */
};

static void add_to(uint64_t *counter, uint64_t n)
{
	*counter = *counter > UINT64_MAX - n ? UINT64_MAX : *counter + n;
}

/* --- text -------------------------------------------------------------------------------------- */

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

/* --- held lines -------------------------------------------------------------------------------- */

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
static void release_first(struct prof *p)
{
	struct prof_line *l = &p->held[0].line;

	count_torn(p, l);
	if (!l->own || p->table != TABLE_NONE)
		give_line(p, l);
	p->held_n--;
	for (unsigned i = 0; i < p->held_n; i++)
		held_set(&p->held[i], &p->held[i + 1].line);
}

static void release_held(struct prof *p)
{
	while (p->held_n)
		release_first(p);
}

static void hold(struct prof *p, const struct prof_line *l)
{
	if (p->held_n == PROF_HELD_MAX)
		release_first(p);
	held_set(&p->held[p->held_n++], l);
}

/* Keep the line if it, or one before it, may be torn. */
static void hold_torn(struct prof *p, const struct prof_line *l)
{
	if (!p->held_n && !may_be_torn(p, l)) {
		give_line(p, l);
		return;
	}
	hold(p, l);
	while (p->held_n && !may_be_torn(p, &p->held[0].line))
		release_first(p);
}

/* Give out what of the held lines is not in the joined one. */
static void release_foreign(struct prof *p, const struct prof_joint *j)
{
	for (unsigned i = 0; i < j->first; i++)
		release_first(p);
	for (unsigned i = 0; i < p->held_n; i++) {
		const struct prof_line *l = &p->held[i].line;
		const char *s = l->s + j->cut[i + j->first], *end = l->raw + l->raw_n;

		if (j->cut[i + j->first] == 0) {
			give_line(p, l);
			continue;
		}
		if (end - s > 1 && s[0] == '\r' && s[1] != '\n')
			s++;		/* the row's own */
		prof_shape_learn(p, prof_shape(s, (size_t)(end - s)));
		give_text(p, s, (size_t)(end - s));
	}
	p->held_n = 0;
}

/* --- a report's end ---------------------------------------------------------------------------- */

static void give_stack(struct prof *p, bool corrupted)
{
	struct wire_stack stack = {
		.announced = corrupted ? 0 : p->header.num,
		.ticks_per_second = corrupted ? 0 : p->header.tps,
		.corrupted = corrupted,
	};

	if (!corrupted && mem_grow(&p->frames, &p->frames_cap, p->count, sizeof(*p->frames)) == 0) {
		prof_fix_bit16(p->rows, p->count, p->wire.code, false);
		for (size_t i = 0; i < p->count; i++) {
			const struct wire_row *r = &p->rows[i];

			p->frames[i] = (struct wire_frame){ r->from, r->to, r->total };
		}
		stack.frames = p->frames;
		stack.count = p->count;
	}
	p->wire.stats.events += stack.count;
	if (p->wire.sink.stack)
		p->wire.sink.stack(p->wire.sink.ctx, &stack);
}

static void give_report(struct prof *p)
{
	const struct prof_header *h = &p->header;
	struct wire_report report = {
		.kind = p->table == TABLE_PROF ? REPORT_PROF : REPORT_SPROF,
		.name = p->name,
		.index = p->index,
		.num_sites = h->num,
		.max_sites = h->max,
		.ticks_run = h->run,
		.ticks_per_second = h->tps,
		.samples = h->samples,
		.complete = p->count >= h->num,
		.torn = p->torn,
		.after_boot = p->booted,
		.count = p->count,
	};

	if (p->table == TABLE_PROF) {
		prof_fix_bit16(p->rows, p->count, p->wire.code, true);
		prof_fix_numbers(p->rows, p->count, h->run);
		report.rows = p->rows;
	} else {
		prof_fix_words(p->sampled, p->count, p->wire.code, &p->words);
		report.sampled = p->sampled;
	}
	p->booted = false;
	p->wire.stats.events += p->count;
	if (p->wire.sink.report)
		p->wire.sink.report(p->wire.sink.ctx, &report);
}

/* All counts, `last` included, add up to what the header of a sampled profile announced. */
static bool sum_is_right(const struct prof *p, size_t before, const struct prof_entry *last)
{
	uint64_t sum = last->row.calls;

	for (size_t i = 0; i < before; i++)
		sum += p->sampled[i].count;
	return before + 1 == p->header.num && sum == p->header.samples;
}

/*
 * A line that something else than its own newline ended may lack digits at its end. Is `last`, with
 * `before` rows before it, whole all the same?
 */
static bool is_whole(const struct prof *p, size_t before, const struct prof_entry *last)
{
	switch (p->table) {
	case TABLE_PROF:
		return prof_row_sound(&last->row) && !prof_max_may_be_cut(&last->row);
	case TABLE_SPROF:
		return sum_is_right(p, before, last);
	default:
		return false;
	}
}

/* A boot message begins with CR LF: it may be that, and not its own, which ended the last row. */
static bool last_is_suspect(const struct prof *p, enum ending ending)
{
	if (!p->count || !p->direct || p->crcr || ending == ENDING_OVER)
		return false;
	if (ending == ENDING_HEADER && p->count >= p->header.num)
		return false;
	return !is_whole(p, p->count - 1, &p->last);
}

static void count_lost(struct prof *p)
{
	uint64_t lost = p->header.num > p->count ? p->header.num - p->count : 0;

	if (lost > PROF_ROWS_MAX)
		lost = PROF_ROWS_MAX;	/* a header may announce anything */
	add_to(&p->wire.stats.lost, lost > p->torn ? lost : p->torn);
}

/* Give the report out. The first `pieces` of the held lines are pieces of its rows, if of any. */
static void close_table(struct prof *p, enum ending ending, unsigned pieces)
{
	if (p->table == TABLE_NONE)
		return;
	for (unsigned i = 0; i < pieces; i++)
		count_torn(p, &p->held[i].line);
	if (last_is_suspect(p, ending)) {
		p->count--;
		p->torn++;
	}
	count_lost(p);
	if (p->table == TABLE_STACK)
		give_stack(p, false);
	else
		give_report(p);
	p->table = TABLE_NONE;
}

/* --- a report's rows --------------------------------------------------------------------------- */

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

/* --- headers and other marks ------------------------------------------------------------------- */

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
	p->seen++;
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
	release_held(p);
	if (h->lead > l->shown)
		give_text(p, l->raw + l->shown, h->lead - l->shown);
	open_table(p, h);
}

static void take_corrupted(struct prof *p)
{
	close_table(p, ENDING_HEADER, p->held_n);
	release_held(p);
	p->seen++;
	give_stack(p, true);
}

static void take_boot(struct prof *p, const struct prof_line *l)
{
	close_table(p, ENDING_BOOT, p->held_n);
	release_held(p);
	p->booted = true;
	if (p->wire.sink.boot)
		p->wire.sink.boot(p->wire.sink.ctx);
	give_line(p, l);
}

/* --- lines ------------------------------------------------------------------------------------- */

/* Try to make something of the held lines and this one. */
static bool take_joined(struct prof *p, const struct prof_line *l)
{
	struct prof_joint j;

	switch (prof_join(p, l, &j)) {
	case JOIN_ENTRY:
		release_foreign(p, &j);
		j.entry.row.flags |= ROW_REJOINED;
		add_entry(p, &j.entry, l->returns);
		return true;
	case JOIN_HEADER:
		close_table(p, ENDING_HEADER, j.first);
		release_foreign(p, &j);
		open_table(p, &j.header);
		return true;
	case JOIN_AMBIGUOUS:
		release_held(p);	/* which counts the torn row */
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
		release_held(p);
		return;
	}
	own.own = !p->limbo;
	p->limbo = true;
	hold(p, &own);
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
		hold_torn(p, l);
		return;
	}
	if (p->held_n < PROF_HELD_MAX) {
		hold(p, l);
		return;
	}
	close_table(p, ENDING_OVER, p->held_n);
	while (p->held_n && !may_be_torn(p, &p->held[0].line))
		release_first(p);
	hold_torn(p, l);
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
		release_held(p);
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
		hold_torn(p, &l);
}

/* The line is longer than any of a report. */
static void take_overlong(struct prof *p, const char *s, size_t n)
{
	if (p->limbo || (p->table != TABLE_NONE && p->count >= p->header.num))
		close_table(p, ENDING_OVER, p->held_n);
	release_held(p);
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

/* --- silence and end --------------------------------------------------------------------------- */

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
	if (row && !p->held_n && is_whole(p, p->count, &j.entry)) {
		add_entry(p, &j.entry, 1);
		return;
	}
	if (p->held_n && prof_join(p, &l, &j) == JOIN_ENTRY && is_whole(p, p->count, &j.entry)) {
		release_foreign(p, &j);
		j.entry.row.flags |= ROW_REJOINED;
		add_entry(p, &j.entry, 1);
		return;
	}
	release_held(p);
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
	release_held(p);
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
	release_held(p);
	if (p->len > p->shown && !prof_header_prefix(p->line, p->len)) {
		give_text(p, p->line + p->shown, p->len - p->shown);
		p->shown = p->len;
	}
}

/* --- the decoder ------------------------------------------------------------------------------- */

static int prof_init(struct wire *w, const struct wire_options *o, struct err *err)
{
	(void)o;
	(void)err;
	snprintf(w->note, sizeof(w->note), "prof: as asked for");
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
