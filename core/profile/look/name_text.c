/*
 * name_text: what is shown of a name: by steps, cut in the middle, with a difference, scrolled.
 */
#include <string.h>

#include "core/base/text.h"
#include "core/profile/look/name.h"

/* --- texts ------------------------------------------------------------------------------------ */

static void byte_put(struct name_text *t, char c, size_t at)
{
	if (t->length >= sizeof(t->text) - 1)
		return;
	t->text[t->length] = c;
	t->at[t->length++] = (uint16_t)at;
}

static void text_end(struct name_text *t, size_t at)
{
	t->text[t->length] = '\0';
	t->at[t->length] = (uint16_t)at;
}

/* Bytes of the character at s, which is visible text, and its columns. */
static size_t character_take(const char *s, size_t n, int *columns)
{
	uint32_t cp = ' ';
	size_t step = (unsigned char)*s < 0x80 ? 1 : text_utf8(s, n, &cp);

	*columns = step > 1 ? text_width(cp) : 1;
	return step ? step : 1;
}

static int columns_between(const char *s, size_t from, size_t to)
{
	int sum = 0, columns;

	while (from < to) {
		from += character_take(s + from, to - from, &columns);
		sum += columns;
	}
	return sum;
}

void name_at_step(const struct name *n, enum name_step step, struct name_text *out)
{
	size_t i = 0;

	out->length = 0;
	out->cut = false;
	for (size_t k = 0; k <= n->cut_count; k++) {
		const struct name_cut *c = k < n->cut_count ? &n->cuts[k] : NULL;
		bool dots = c && c->dots && c->to - c->from > 2;

		if (c && (c->step > step || (c->dots && !dots)))
			continue;
		while (i < (c ? c->from : n->length)) {
			byte_put(out, n->text[i], i);
			i++;
		}
		if (!c)
			break;
		if (dots) {
			byte_put(out, '.', i);
			byte_put(out, '.', i);
		}
		out->cut |= c->step > NAME_UNSCOPED;
		i = c->to;
	}
	text_end(out, n->length);
	out->columns = columns_between(out->text, 0, out->length);
}

/* A stretch of columns that stays. */
struct kept {
	int from, to;
};

static void mark_put(struct name_text *t, size_t at)
{
	byte_put(t, '\xe2', at);
	byte_put(t, '\x80', at);
	byte_put(t, '\xa6', at);
	t->columns++;
}

/* Stretches in order; what is between them, and before and behind them, is marked. */
static void text_keep(const struct name_text *t, const struct kept *kept, size_t n,
		      struct name_text *out)
{
	size_t i = 0, k = 0, step;
	int x = 0, columns;
	bool gap = false;

	out->length = 0;
	out->columns = 0;
	out->cut = true;
	for (; i < t->length; i += step, x += columns) {
		step = character_take(t->text + i, t->length - i, &columns);
		while (k < n && columns && (x >= kept[k].to || kept[k].to <= kept[k].from))
			k++;
		/* A combining character goes with the one before it. */
		if (!columns && gap)
			continue;
		if (columns && (k == n || x < kept[k].from || x + columns > kept[k].to)) {
			if (!gap)
				mark_put(out, t->at[i]);
			gap = true;
			continue;
		}
		gap = false;
		for (size_t b = 0; b < step; b++)
			byte_put(out, t->text[i + b], t->at[i + b]);
		out->columns += columns;
	}
	text_end(out, t->at[t->length]);
}

/* The first columns and the last ones. */
static void text_keep_ends(const struct name_text *t, int head, int tail, struct name_text *out)
{
	text_keep(t, (const struct kept[]){ { 0, head }, { t->columns - tail, t->columns } }, 2,
		  out);
}

/* Columns behind the first :: from where on all fits; -1: there is none. */
static int tail_fitting(const struct name_text *t, int room, bool *qualified)
{
	int left = t->columns, columns;

	*qualified = false;
	for (size_t i = 0; i < t->length;) {
		i += character_take(t->text + i, t->length - i, &columns);
		left -= columns;
		if (i < 2 || t->text[i - 1] != ':' || t->text[i - 2] != ':')
			continue;
		*qualified = true;
		if (left <= room)
			return left;
	}
	return -1;
}

/* Of what is too wide for `width`: the last parts of a qualified name tell most. */
static void text_shorten(const struct name_text *t, int width, struct name_text *out)
{
	bool qualified;
	int tail, head;

	if (width < 4) {
		text_keep(t, &(struct kept){ 0, width }, 1, out);
		/* No room for a mark. */
		while (out->length && out->columns > width) {
			out->length -= 3;
			out->columns--;
		}
		text_end(out, t->at[t->length]);
		return;
	}
	tail = tail_fitting(t, width - 1, &qualified);
	head = tail >= 0 ? width - 1 - tail : qualified ? (width - 1) / 3 : width < 8 ? width - 1 :
	       (width - 1) / 2;
	if (tail < 0)
		tail = width - 1 - head;
	text_keep_ends(t, head < 3 && qualified ? 0 : head, tail, out);
}

void name_shorten(const struct name *n, int width, struct name_text *out)
{
	struct name_text t;

	for (unsigned step = NAME_UNSCOPED; step < NAME_STEPS; step++) {
		name_at_step(n, (enum name_step)step, out);
		if (out->columns <= width)
			return;
	}
	t = *out;
	text_shorten(&t, width > 0 ? width : 0, out);
}

/* --- one beside another ----------------------------------------------------------------------- */

static bool is_within(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Columns of `a` that both begin with, and end with. */
static void texts_compare(const struct name_text *a, const struct name_text *b, int *first,
			  int *last)
{
	size_t n = a->length < b->length ? a->length : b->length, i = 0, k = 0;

	while (i < n && a->text[i] == b->text[i])
		i++;
	while (i && is_within(a->text[i]))
		i--;
	while (k < n && a->text[a->length - 1 - k] == b->text[b->length - 1 - k])
		k++;
	while (k && is_within(a->text[a->length - k]))
		k--;
	*first = columns_between(a->text, 0, i);
	*last = columns_between(a->text, a->length - k, a->length);
}

/* A way to show where two texts differ, at column `first`, which is `last` columns from the end. */
static bool text_distinguish(const struct name_text *t, int first, int last, int width,
			     unsigned way, struct name_text *out)
{
	int room = width - 1, part = (width - 2) / 4, from, to;

	if (way == 0 && first + 3 <= 2 * room / 3) {
		from = first + 4 > room / 2 ? first + 4 : room / 2;
		text_keep_ends(t, from, room - from, out);
	} else if (way == 1 && last + 3 <= 2 * room / 3) {
		to = last + 4 > room / 2 ? last + 4 : room / 2;
		text_keep_ends(t, room - to, to, out);
	} else if (way == 2 && width >= 8) {
		from = first - 1 > part ? first - 1 : part;
		to = from + width - 2 - 2 * part;
		if (to > t->columns - part) {
			to = t->columns - part;
			from = to - (width - 2 - 2 * part);
		}
		text_keep(t, (const struct kept[]){ { 0, part }, { from, to },
			  { t->columns - part, t->columns } }, 3, out);
	} else {
		return false;
	}
	return out->columns <= width;
}

bool name_distinguish(const struct name *n, const struct name *other, int width, unsigned attempt,
		      struct name_text *out)
{
	static const enum name_step steps[] = { NAME_COLLAPSED, NAME_BARE, NAME_UNSCOPED,
						NAME_WHOLE };
	enum { WAYS = 3, STEPS = sizeof(steps) / sizeof(steps[0]) };
	enum name_step step = attempt < STEPS * WAYS ? steps[attempt / WAYS] : NAME_WHOLE;
	struct name_text mine, its;
	int first, last, head = (int)attempt - STEPS * WAYS;

	if (width < 4 || head >= width)
		return false;
	name_at_step(n, step, &mine);
	name_at_step(other, step, &its);
	out->length = 0;
	if (!strcmp(mine.text, its.text))
		return true;
	if (mine.columns <= width) {
		*out = mine;
	} else if (head >= 0) {			/* whatever it looks like */
		text_keep_ends(&mine, head, width - 1 - head, out);
	} else {
		texts_compare(&mine, &its, &first, &last);
		if (!text_distinguish(&mine, first, last, width, attempt % WAYS, out))
			out->length = 0;
	}
	return true;
}

void name_scroll(const struct name *n, int left, int width, struct name_text *out)
{
	struct name_text t;

	name_at_step(n, NAME_UNSCOPED, &t);
	if (left <= 0 && t.columns <= width) {
		*out = t;
		return;
	}
	/* The last columns stay. */
	if (left > t.columns - width + 1)
		left = t.columns > width ? t.columns - width + 1 : 0;
	if (left <= 0 && t.columns <= width) {
		*out = t;
		return;
	}
	text_keep(&t, &(struct kept){ left > 0 ? left : 0,
		  t.columns - left < width ? t.columns : left + width - 1 - (left > 0) }, 1, out);
}
