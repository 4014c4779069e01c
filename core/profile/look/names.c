#include "core/profile/look/names.h"

#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/base/text.h"

enum { ATTEMPTS = 400 };		/* of all rows: hostile names may not hold up a frame */

void names_release(struct names *n)
{
	mem_free(n->rows);
	mem_free(n->text);
	mem_free(n->at);
	*n = (struct names){ 0 };
}

void names_begin(struct names *n)
{
	n->count = n->text_used = n->at_used = 0;
}

int names_add(struct names *n, const char *name, int width)
{
	if (mem_grow(&n->rows, &n->cap, n->count + 1, sizeof(*n->rows)) < 0)
		return ERR_NOMEM;
	n->rows[n->count++] = (struct names_row){ .name = name, .width = width,
						  .alike = UINT32_MAX };
	return 0;
}

/* FNV-1a. */
static uint32_t text_hash(const struct name_text *t)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < t->length; i++)
		hash = (hash ^ (unsigned char)t->text[i]) * 16777619u;
	return hash;
}

static int row_store(struct names *n, struct names_row *r, const struct name_text *t)
{
	if (mem_grow(&n->text, &n->text_cap, n->text_used + t->length + 1, 1) < 0 ||
	    mem_grow(&n->at, &n->at_cap, n->at_used + t->length + 1, sizeof(*n->at)) < 0)
		return ERR_NOMEM;
	r->text = (uint32_t)n->text_used;
	r->at = (uint32_t)n->at_used;
	memcpy(n->text + r->text, t->text, t->length + 1u);
	memcpy(n->at + r->at, t->at, (t->length + 1u) * sizeof(*n->at));
	n->text_used += t->length + 1u;
	n->at_used += t->length + 1u;
	r->length = t->length;
	r->columns = t->columns;
	r->cut = t->cut;
	r->hash = text_hash(t);
	return 0;
}

/* Another row's function that reads as this text; UINT32_MAX: none. */
static uint32_t row_alike(const struct names *n, size_t row, uint32_t hash, const char *text)
{
	size_t first = row > NAMES_NEAR ? row - NAMES_NEAR : 0;
	size_t end = row + NAMES_NEAR < n->count ? row + NAMES_NEAR : n->count;

	for (size_t i = first; i < end; i++) {
		if (i != row && n->rows[i].hash == hash && !strcmp(names_text(n, i), text) &&
		    strcmp(n->rows[i].name, n->rows[row].name))
			return (uint32_t)i;
	}
	return UINT32_MAX;
}

static int row_distinguish(struct names *n, size_t row, unsigned *attempts)
{
	struct names_row *r = &n->rows[row];
	struct name mine, its;
	struct name_text t;

	name_init(&mine, r->name, n->scope);
	name_init(&its, n->rows[r->alike].name, n->scope);
	for (unsigned i = 0; *attempts && name_distinguish(&mine, &its, r->width, i, &t); i++) {
		--*attempts;
		if (t.length && row_alike(n, row, text_hash(&t), t.text) == UINT32_MAX)
			return row_store(n, r, &t);
	}
	return 0;
}

int names_settle(struct names *n)
{
	unsigned attempts = ATTEMPTS;
	int status = 0;

	for (size_t i = 0; i < n->count && !status; i++) {
		struct name_text t;
		struct name name;

		name_init(&name, n->rows[i].name, n->scope);
		if (n->left)
			name_scroll(&name, n->left, n->rows[i].width, &t);
		else
			name_shorten(&name, n->rows[i].width, &t);
		status = row_store(n, &n->rows[i], &t);
	}
	for (size_t i = 0; i < n->count && !n->left && !status; i++)
		n->rows[i].alike = row_alike(n, i, n->rows[i].hash, names_text(n, i));
	/* Both of a pair, so that their differences stand at the same place. */
	for (size_t i = 0; i < n->count && !status; i++) {
		if (n->rows[i].alike != UINT32_MAX)
			status = row_distinguish(n, i, &attempts);
	}
	if (status)
		names_begin(n);
	return status;
}

bool names_find(const struct names *n, size_t row, size_t start, size_t end, int *from, int *to)
{
	const struct names_row *r = &n->rows[row];
	const char *text = names_text(n, row);
	const uint16_t *at = n->at + r->at;
	int x = 0;

	*from = *to = -1;
	for (size_t i = 0; i < r->length;) {
		uint32_t cp = '?';
		size_t step = text_utf8(text + i, r->length - i, &cp), next = i + (step ? step : 1);

		if (at[i] < end && at[next] > start) {
			*from = *from < 0 ? x : *from;
			*to = x + text_width(cp);
		}
		x += text_width(cp);
		i = next;
	}
	return *from >= 0;
}

/* --- the namespace in common ------------------------------------------------------------------ */

/* Bytes of the plain parts that a name begins with: "acme::io::" of acme::io::Ring<int>::push. */
static size_t scope_length(const char *name)
{
	size_t length = 0, i = 0;

	for (; name_is_word(name[i]) || (name[i] == ':' && name[i + 1] == ':'); i++) {
		if (name[i] == ':')
			length = ++i + 1;
	}
	return name[length] ? length : 0;
}

void names_scope_begin(struct names_scope *s, bool second)
{
	if (!second)
		*s = (struct names_scope){ 0 };
	s->second = second;
	s->inside = 0;
}

/* A majority vote (Boyer and Moore) finds the first part; then what its names have in common. */
void names_scope_add(struct names_scope *s, const char *name)
{
	size_t length = scope_length(name), first, i = 0;

	if (!length)
		return;
	first = (size_t)(strstr(name, "::") - name) + 2;
	if (s->first && first == s->first_length && !memcmp(name, s->first, first)) {
		s->votes++;
		s->inside++;
	} else if (!s->second && !s->votes) {
		s->first = name;
		s->first_length = first;
		s->votes = 1;
	} else if (!s->second) {
		s->votes--;
	}
	s->qualified += !s->second;
	if (!s->second || first != s->first_length || memcmp(name, s->first, first))
		return;
	if (s->inside == 1)
		s->common = length;
	while (i < s->common && i < length && name[i] == s->first[i])
		i++;
	s->common = i;
}

const char *names_scope_end(const struct names_scope *s, char *dst, size_t size)
{
	size_t n = s->common;

	*dst = '\0';
	if (s->inside < 3 || 2 * s->inside <= s->qualified)
		return dst;
	while (n && (s->first[n - 1] != ':' || s->first[n - 2] != ':'))
		n--;
	if (n >= size)
		n = 0;
	memcpy(dst, s->first, n);
	dst[n] = '\0';
	return dst;
}
