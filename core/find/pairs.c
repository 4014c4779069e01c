#include "core/find/pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/base/text.h"

enum { LINE_LONGEST = 2048 };

/* --- the file's text -------------------------------------------------------------------------- */

/* The next field of a line, up to a tab; false: it does not fit. */
static bool field_take(char **line, char *dst, size_t size)
{
	size_t n = strcspn(*line, "\t");
	bool fits = n < size;

	if (fits) {
		memcpy(dst, *line, n);
		dst[n] = '\0';
	}
	*line += n + ((*line)[n] == '\t');
	return fits;
}

static bool is_clean(const char *s)
{
	char shown[LINE_LONGEST];

	text_visible(shown, sizeof(shown), s, strlen(s));
	return strcmp(shown, s) == 0;
}

static bool is_valid(const struct pair *p)
{
	return p->port[0] && is_clean(p->port) && is_clean(p->id) && is_clean(p->elf) &&
	       is_clean(p->format) && (!p->elf[0] || p->elf[0] == '/') && p->baud >= 0;
}

static bool line_parse(char *line, struct pair *p)
{
	char baud[24], when[24];
	uint64_t n, seconds;

	*p = (struct pair){ .baud = 0 };
	if (!field_take(&line, p->port, sizeof(p->port)) ||
	    !field_take(&line, p->id, sizeof(p->id)) ||
	    !field_take(&line, p->elf, sizeof(p->elf)) ||
	    !field_take(&line, baud, sizeof(baud)) ||
	    !field_take(&line, p->format, sizeof(p->format)) ||
	    !field_take(&line, when, sizeof(when)) || *line)
		return false;
	if (!text_u64(baud, &n) || n > 100000000 || !text_u64(when, &seconds) ||
	    seconds > INT64_MAX)
		return false;
	p->baud = (long)n;
	p->when = (int64_t)seconds;
	return is_valid(p);
}

static bool is_same(const struct pair *p, const char *port, const char *id)
{
	return *id && *p->id ? strcmp(p->id, id) == 0 : strcmp(p->port, port) == 0;
}

static void pair_append(struct pairs *p, const struct pair *pair)
{
	for (size_t i = 0; i < p->count; i++)
		if (is_same(&p->v[i], pair->port, pair->id))
			return;		/* an older one */
	if (p->count < PAIRS_MAX)
		p->v[p->count++] = *pair;
}

void pairs_parse(struct pairs *p, const char *text, size_t n)
{
	char line[LINE_LONGEST];
	struct pair pair;

	p->count = 0;
	for (size_t at = 0, len; at < n; at += len + 1) {
		const char *end = memchr(text + at, '\n', n - at);

		len = end ? (size_t)(end - (text + at)) : n - at;
		if (len >= sizeof(line) || memchr(text + at, 0, len))
			continue;
		memcpy(line, text + at, len);
		line[len] = '\0';
		if (line_parse(line, &pair))
			pair_append(p, &pair);
	}
}

/* --- the pairs -------------------------------------------------------------------------------- */

const struct pair *pairs_find(const struct pairs *p, const char *port, const char *id)
{
	for (size_t i = 0; *id && i < p->count; i++)
		if (strcmp(p->v[i].id, id) == 0)
			return &p->v[i];
	for (size_t i = 0; i < p->count; i++)
		if (is_same(&p->v[i], port, id))
			return &p->v[i];
	return NULL;
}

void pairs_put(struct pairs *p, const struct pair *pair)
{
	size_t at = 0;

	if (!is_valid(pair))
		return;
	while (at < p->count && !is_same(&p->v[at], pair->port, pair->id))
		at++;
	if (at == p->count)
		p->count += p->count < PAIRS_MAX;
	if (at == PAIRS_MAX)
		at--;			/* the oldest is dropped */
	memmove(p->v + 1, p->v, at * sizeof(p->v[0]));
	p->v[0] = *pair;
}

/* --- the file --------------------------------------------------------------------------------- */

/* Its path; "" without a home directory. */
static const char *file_path(char *dst, size_t size)
{
	return file_place("XDG_STATE_HOME", ".local/state", "pairs", dst, size);
}

void pairs_load(struct pairs *p)
{
	char path[1024], *text;
	size_t n = 0;

	text = *file_path(path, sizeof(path)) ? file_read(path, PAIRS_FILE_MAX, &n, NULL) : NULL;
	pairs_parse(p, text, text ? n : 0);
	mem_free(text);
}

int pairs_remember(const struct pair *pair, struct err *err)
{
	struct pairs *p = mem_alloc(sizeof(*p));
	struct buf text = BUF_INIT;
	char path[1024];
	int ret;

	if (!p)
		return err_set(err, ERR_NOMEM, "out of memory");
	pairs_load(p);
	pairs_put(p, pair);
	for (const struct pair *v = p->v; v < p->v + p->count; v++)
		buf_addf(&text, "%s\t%s\t%s\t%ld\t%s\t%lld\n", v->port, v->id, v->elf, v->baud,
			 v->format, (long long)v->when);
	mem_free(p);
	if (!*file_path(path, sizeof(path)))
		ret = err_set(err, ERR_ABSENT, "no home directory: the port cannot be remembered");
	else if (text.failed)
		ret = err_set(err, ERR_NOMEM, "out of memory");
	else
		ret = file_folders(path, err);
	if (ret == 0)
		ret = file_write(path, buf_str(&text), text.len, err);
	buf_release(&text);
	return ret;
}
