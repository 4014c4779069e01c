#include "core/history/bookmarks.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/base/sorted.h"
#include "core/base/text.h"

#define FIRST_LINE "# wsntop bookmarks"
#define MILLISECOND (CLOCK_SECOND / 1000)

#define YEAR_2500 (UINT64_C(16725225600) * CLOCK_SECOND)	/* times are before it */

enum { TIME_CHARS = 24 };		/* 2026-01-02T12:00:07.250Z */

void bookmarks_release(struct bookmarks *b)
{
	mem_free(b->items);
	buf_release(&b->others);
	*b = (struct bookmarks){ 0 };
}

/* --- the list --------------------------------------------------------------------------------- */

/* The place of the first one that is not before this time. */
static size_t place_of(const struct bookmarks *b, uint64_t wall_ns)
{
	return SORTED_FROM(b->items, b->count, wall_ns, wall_ns);
}

static bool is_at(const struct bookmarks *b, size_t i, uint64_t wall_ns)
{
	return i < b->count && b->items[i].wall_ns == wall_ns;
}

const struct bookmark *bookmarks_find(const struct bookmarks *b, uint64_t wall_ns)
{
	size_t i = place_of(b, wall_ns - wall_ns % MILLISECOND);

	return is_at(b, i, wall_ns - wall_ns % MILLISECOND) ? &b->items[i] : NULL;
}

static int put_text(struct bookmarks *b, uint64_t wall_ns, const char *note, size_t n)
{
	uint64_t at = wall_ns - wall_ns % MILLISECOND;
	size_t i = place_of(b, at);

	if (at >= YEAR_2500)
		return ERR_USAGE;
	for (; n && (*note == ' ' || *note == '\t'); n--)
		note++;
	if (!is_at(b, i, at)) {
		if (b->count >= BOOKMARKS_MAX)
			return ERR_USAGE;
		if (mem_grow(&b->items, &b->cap, b->count + 1, sizeof(*b->items)) < 0)
			return ERR_NOMEM;
		memmove(&b->items[i + 1], &b->items[i], (b->count - i) * sizeof(*b->items));
		b->items[i].wall_ns = at;
		b->count++;
	}
	text_visible(b->items[i].note, BOOKMARK_NOTE, note, n);
	b->serial++;
	return 0;
}

int bookmarks_put(struct bookmarks *b, uint64_t wall_ns, const char *note)
{
	return put_text(b, wall_ns, note, strlen(note));
}

bool bookmarks_drop(struct bookmarks *b, uint64_t wall_ns)
{
	const struct bookmark *found = bookmarks_find(b, wall_ns);
	size_t i = found ? (size_t)(found - b->items) : 0;

	if (!found)
		return false;
	b->count--;
	memmove(&b->items[i], &b->items[i + 1], (b->count - i) * sizeof(*b->items));
	b->serial++;
	return true;
}

int bookmarks_join(struct bookmarks *b, const struct bookmarks *from)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct bookmark *k = &from->items[i];

		if (!bookmarks_find(b, k->wall_ns) &&
		    bookmarks_put(b, k->wall_ns, k->note) == ERR_NOMEM)
			return ERR_NOMEM;
	}
	return 0;
}

/* --- the text --------------------------------------------------------------------------------- */

static bool digits_take(const char **at, int count, char end, int *value)
{
	*value = 0;
	for (int i = 0; i < count; i++) {
		if ((*at)[i] < '0' || (*at)[i] > '9')
			return false;
		*value = 10 * *value + (*at)[i] - '0';
	}
	*at += count + 1;
	return (*at)[-1] == end;
}

/* Of at least TIME_CHARS bytes. Strict: what is read is printed as the same. */
static bool time_parse(const char *at, uint64_t *wall_ns)
{
	struct tm tm = { 0 }, same;
	int ms;
	time_t t;

	if (!digits_take(&at, 4, '-', &tm.tm_year) || !digits_take(&at, 2, '-', &tm.tm_mon) ||
	    !digits_take(&at, 2, 'T', &tm.tm_mday) || !digits_take(&at, 2, ':', &tm.tm_hour) ||
	    !digits_take(&at, 2, ':', &tm.tm_min) || !digits_take(&at, 2, '.', &tm.tm_sec) ||
	    !digits_take(&at, 3, 'Z', &ms) || tm.tm_year < 1970 || tm.tm_year >= 2500)
		return false;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	same = tm;
	t = timegm(&same);		/* makes another date of one that does not exist */
	if (t < 0 || same.tm_mday != tm.tm_mday || same.tm_mon != tm.tm_mon ||
	    same.tm_hour != tm.tm_hour || same.tm_min != tm.tm_min || same.tm_sec != tm.tm_sec)
		return false;
	*wall_ns = (uint64_t)t * CLOCK_SECOND + (uint64_t)ms * MILLISECOND;
	return true;
}

static int mark_parse(struct bookmarks *b, const char *line, size_t n)
{
	size_t at = TIME_CHARS;
	uint64_t wall_ns;

	if (n < TIME_CHARS || !time_parse(line, &wall_ns) ||
	    (n > at && line[at] != ' ' && line[at] != '\t') || b->count >= BOOKMARKS_MAX) {
		buf_add(&b->others, line, n);
		buf_addc(&b->others, '\n');
		return 0;
	}
	return put_text(b, wall_ns, line + at, n - at);
}

int bookmarks_parse(struct bookmarks *b, const char *text, size_t n)
{
	size_t first = strlen(FIRST_LINE);

	if (!n)
		return 0;
	if (n < first || memcmp(text, FIRST_LINE, first))
		return ERR_FORMAT;
	for (size_t at = 0, len; at < n; at += len + 1) {
		const char *end = memchr(text + at, '\n', n - at);
		size_t shown;

		len = end ? (size_t)(end - (text + at)) : n - at;
		for (shown = len; shown && text[at + shown - 1] == '\r';)
			shown--;
		if (at && shown && mark_parse(b, text + at, shown) < 0)
			return ERR_NOMEM;
	}
	return b->others.failed ? ERR_NOMEM : 0;
}

static void time_print(uint64_t wall_ns, struct buf *out)
{
	time_t t = (time_t)(wall_ns / CLOCK_SECOND);
	char text[40] = "";
	struct tm tm;

	if (gmtime_r(&t, &tm))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	buf_addf(out, "%s.%03uZ", text, (unsigned)(wall_ns % CLOCK_SECOND / MILLISECOND));
}

void bookmarks_print(const struct bookmarks *b, struct buf *out)
{
	buf_adds(out, FIRST_LINE ": a time (UTC) and a note each\n");
	buf_add(out, buf_str(&b->others), b->others.len);
	for (size_t i = 0; i < b->count; i++) {
		time_print(b->items[i].wall_ns, out);
		buf_addf(out, *b->items[i].note ? " %s\n" : "\n", b->items[i].note);
	}
}

/* --- the file --------------------------------------------------------------------------------- */

int bookmarks_load(struct bookmarks *b, const char *path, struct err *err)
{
	struct stat st;
	char *text;
	size_t n;
	int ret;

	if (stat(path, &st) < 0)
		return errno == ENOENT ? 0 : err_errno(err, "%s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_FORMAT, "%s: not a file of bookmarks", path);
	text = file_read(path, BOOKMARKS_FILE, &n, err);
	if (!text)
		return ERR_IO;
	ret = bookmarks_parse(b, text, n);
	mem_free(text);
	if (ret == ERR_FORMAT)
		return err_set(err, ret, "%s: not a file of bookmarks; it is left as it is", path);
	return ret < 0 ? err_set(err, ret, "%s: out of memory", path) : 0;
}

int bookmarks_save(const struct bookmarks *b, const char *path, struct err *err)
{
	struct bookmarks there = { 0 };
	struct buf text = BUF_INIT;
	struct stat st;
	int ret = bookmarks_load(&there, path, err);

	bookmarks_release(&there);
	if (ret < 0)
		return ret;
	if (!b->count && !b->others.len && stat(path, &st) < 0)
		return 0;
	bookmarks_print(b, &text);
	ret = text.failed ? err_set(err, ERR_NOMEM, "out of memory") :
			    file_write(path, buf_str(&text), text.len, err);
	buf_release(&text);
	return ret;
}
