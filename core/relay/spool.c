#include "core/relay/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/link/parts.h"

enum { PARTS_EACH = 8 };		/* of the bound: a part has that share of it at most */

/* A pass through the parts. */
struct reader {
	char *path;			/* of the part that it is in, or was in last; NULL: none */
	int fd;				/* -1: not open */
	uint64_t wall;
	off_t at, behind;		/* the next chunk; behind the item */
	bool ready;			/* the item is at hand */
	struct buf item;
	uint64_t item_wall;
};

struct spool {
	char *folder;
	struct spool_rule rule;
	record_again_fn *again;
	void *again_ctx;
	struct record *record;		/* NULL: nothing is written now */
	struct record_tally told;	/* its tally, when the parts were looked at */
	struct parts parts;
	char *thinned;			/* the last part that was; NULL: none */
	bool thin_told, ends_told;
	struct reader reader[SPOOL_PASSES];
	struct spool_tally tally;
	uint8_t chunk[RECORD_CHUNK_MAX];
};

__attribute__((format(printf, 2, 3)))
static void spool_say(const struct spool *s, const char *format, ...)
{
	char line[512];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	s->rule.say(s->rule.ctx, line);
}

/* --- its parts -------------------------------------------------------------------------------- */

static void parts_look(struct spool *s)
{
	parts_release(&s->parts);
	if (s->record)
		record_tally(s->record, &s->told);
	if (parts_is_folder(s->folder) && parts_read(&s->parts, s->folder, NULL) < 0)
		s->parts = (struct parts){ 0 };
}

/* The chunk at `at` of a part, in s->chunk. */
static enum record_parsed chunk_read(struct spool *s, int fd, off_t at, struct record_chunk *c,
				     size_t *used)
{
	ssize_t n = pread(fd, s->chunk, 12, at);
	enum record_parsed parsed = record_parse(s->chunk, n > 0 ? (size_t)n : 0, c, used);

	if (n != 12 || parsed == RECORD_LOST || *used > sizeof(s->chunk))
		return n == 12 ? RECORD_LOST : RECORD_MORE;
	n = pread(fd, s->chunk, *used, at);
	if (n != (ssize_t)*used)
		return RECORD_MORE;
	parsed = record_parse(s->chunk, *used, c, used);
	return parsed == RECORD_CHUNK && !record_is_whole(s->chunk, *used) ? RECORD_LOST : parsed;
}

static int part_open(const char *path)
{
	return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

static bool is_written(const struct spool *s, size_t part)
{
	return s->record && part + 1 == s->parts.count;
}

/* --- thinning --------------------------------------------------------------------------------- */

/*
 * What of a part must stay: keyframes behind its first bytes. False: all of it, it was thinned
 * before, by a relay that was here before us.
 */
static bool part_ends(struct spool *s, int fd, struct buf *keep)
{
	off_t at = RECORD_HEADER;
	struct record_chunk c;
	bool bytes = false;
	size_t used;

	for (; chunk_read(s, fd, at, &c, &used) == RECORD_CHUNK; at += (off_t)used) {
		bytes |= !c.again;
		if (c.again && bytes)
			buf_add(keep, s->chunk, used);
	}
	return bytes;
}

static int part_rewrite(const struct spool *s, const struct part *part, const struct buf *keep)
{
	struct buf path = BUF_INIT;
	uint8_t header[RECORD_HEADER];
	int fd, ret = -1;

	buf_addf(&path, "%s/.thin", s->folder);
	fd = path.failed ? -1 : open(buf_str(&path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
				     0666);
	record_header(header, part->wall);
	if (fd >= 0 && write(fd, header, sizeof(header)) == (ssize_t)sizeof(header) &&
	    write(fd, keep->data, keep->len) == (ssize_t)keep->len &&
	    rename(buf_str(&path), part->path) == 0)
		ret = 0;
	if (fd >= 0)
		close(fd);
	if (ret < 0)
		unlink(buf_str(&path));
	buf_release(&path);
	return ret;
}

static void index_remove(const struct part *part)
{
	struct buf path = BUF_INIT;

	buf_addf(&path, "%s" PARTS_INDEX, part->path);
	if (!path.failed)
		unlink(buf_str(&path));
	buf_release(&path);
}

static void reader_leave(struct reader *r)
{
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
	r->ready = false;
}

/* Who is in a part that changed begins it again. */
static void readers_reset(struct spool *s, const char *path)
{
	for (size_t i = 0; i < SPOOL_PASSES; i++) {
		struct reader *r = &s->reader[i];

		if (!r->path || strcmp(r->path, path) != 0)
			continue;
		reader_leave(r);
		r->at = RECORD_HEADER;
	}
}

static int part_shrink(struct spool *s, const struct part *part, const struct buf *keep)
{
	uint64_t left = keep->len ? keep->len + RECORD_HEADER : 0;

	if (keep->failed || (keep->len && part_rewrite(s, part, keep) < 0) ||
	    (!keep->len && unlink(part->path) < 0 && errno != ENOENT))
		return ERR_IO;
	index_remove(part);
	readers_reset(s, part->path);
	s->tally.thinned += part->size - (left < part->size ? left : part->size);
	return 0;
}

/* 0, or negative: it is as it was. */
static int part_thin(struct spool *s, const struct part *part)
{
	struct buf keep = BUF_INIT;
	int fd = part_open(part->path), ret = 0;

	if (fd >= 0) {
		if (part_ends(s, fd, &keep))
			ret = part_shrink(s, part, &keep);
		close(fd);
	}
	mem_free(s->thinned);
	s->thinned = mem_strdup(part->path);
	buf_release(&keep);
	return ret;
}

/* The oldest that is not thinned yet; parts.count: there is none. */
static size_t part_to_thin(const struct spool *s)
{
	size_t i = 0;

	while (i < s->parts.count && s->thinned && strcmp(s->parts.of[i].path, s->thinned) <= 0)
		i++;
	return i < s->parts.count && !is_written(s, i) ? i : s->parts.count;
}

static bool oldest_thin(struct spool *s, const char *why)
{
	size_t i = part_to_thin(s);

	if (i == s->parts.count || part_thin(s, &s->parts.of[i]) < 0)
		return false;
	if (!s->thin_told)
		spool_say(s, "%s: old tables are let go: %s; newer ones have their counts",
			  s->folder, why);
	s->thin_told = true;
	parts_look(s);
	return true;
}

/* Keyframes of ended epochs alone are too much. */
static bool ends_drop(struct spool *s)
{
	int fd;

	if (s->parts.count < 2 || !s->thinned || strcmp(s->parts.of[0].path, s->thinned) > 0)
		return false;
	fd = part_open(s->parts.of[0].path);
	if (fd >= 0) {
		struct record_chunk c;
		size_t used;

		for (off_t at = RECORD_HEADER;
		     chunk_read(s, fd, at, &c, &used) == RECORD_CHUNK; at += (off_t)used)
			s->tally.ends_lost += c.again;
		close(fd);
	}
	readers_reset(s, s->parts.of[0].path);
	if (parts_drop_oldest(&s->parts) < 0)
		return false;
	if (!s->ends_told)
		spool_say(s, "%s: last counts of epochs are lost: they exceed the spool's size",
			  s->folder);
	s->ends_told = true;
	return true;
}

void spool_keep(struct spool *s)
{
	struct record_tally now = s->told;
	uint64_t wall = clock_wall();
	size_t i;

	if (s->record)
		record_tally(s->record, &now);
	if (now.parts != s->told.parts || now.unkept != s->told.unkept) {
		bool full = now.unkept != s->told.unkept;

		s->tally.unkept += now.unkept - s->told.unkept;
		parts_look(s);
		if (full)
			oldest_thin(s, "the disk is full");
	}
	while (s->parts.bytes + now.bytes - s->told.bytes > s->rule.keep)
		if (!oldest_thin(s, "they exceed the spool's size") && !ends_drop(s))
			break;
	while ((i = part_to_thin(s)) + 1 < s->parts.count && wall > s->rule.age_ns &&
	       s->parts.of[i + 1].wall < wall - s->rule.age_ns)
		if (!oldest_thin(s, "they are too old"))
			break;
}

/* --- writing ---------------------------------------------------------------------------------- */

static int record_open(struct spool *s, uint64_t now)
{
	const struct record_rule rule = {
		.every_ns = s->rule.every_ns, .each = s->rule.keep / PARTS_EACH,
		.say = s->rule.say, .ctx = s->rule.ctx,
	};
	struct buf first = BUF_INIT;
	struct err err = { 0 };

	s->record = record_new_parts(s->folder, &rule, &err);
	if (!s->record) {
		spool_say(s, "%s", err.text);
		return ERR_IO;
	}
	if (s->again) {
		record_resumes(s->record, s->again, s->again_ctx);
		s->again(s->again_ctx, &first);
		record_keyframe(s->record, now, (const uint8_t *)first.data, first.len, NULL);
	}
	buf_release(&first);
	parts_look(s);
	return 0;
}

void spool_add(struct spool *s, uint64_t now, const uint8_t *data, size_t n)
{
	if (!s->record && record_open(s, now) < 0) {
		s->tally.unkept += n;
		return;
	}
	s->tally.kept += n;
	record_add(s->record, now, data, n, NULL);
	spool_keep(s);
}

void spool_end(struct spool *s, uint64_t now, const uint8_t *keyframe, size_t n)
{
	if (!s->record && record_open(s, now) < 0) {
		s->tally.ends_lost++;
		return;
	}
	record_keyframe(s->record, now, keyframe, n, NULL);
	spool_keep(s);
}

/* --- reading ---------------------------------------------------------------------------------- */

static void passed_remove(struct spool *s)
{
	const struct reader *a = &s->reader[0], *b = &s->reader[1];

	while (s->parts.count > 1 && a->path && b->path &&
	       strcmp(s->parts.of[0].path, a->path) < 0 && strcmp(s->parts.of[0].path, b->path) < 0)
		if (parts_drop_oldest(&s->parts) < 0)
			return;
}

/* The part behind the one that it was in. */
static bool reader_next(struct spool *s, struct reader *r)
{
	size_t i = 0;
	uint8_t header[RECORD_HEADER];

	while (i < s->parts.count && r->path && strcmp(s->parts.of[i].path, r->path) <= 0)
		i++;
	if (i == s->parts.count)
		return false;
	reader_leave(r);
	mem_free(r->path);
	r->path = mem_strdup(s->parts.of[i].path);
	r->at = RECORD_HEADER;
	r->fd = part_open(s->parts.of[i].path);
	if (r->fd >= 0 && pread(r->fd, header, sizeof(header), 0) == (ssize_t)sizeof(header))
		r->wall = record_wall(header);
	passed_remove(s);
	return r->path != NULL;
}

static bool reader_open(struct spool *s, struct reader *r)
{
	if (!r->path)
		return reader_next(s, r);
	if (r->fd < 0)
		r->fd = part_open(r->path);
	return true;
}

/* A keyframe may take several chunks; they have one time. */
static bool item_take(struct spool *s, struct reader *r, struct record_chunk *c, size_t used)
{
	uint64_t offset = c->offset_ns;
	bool again = c->again;

	buf_reset(&r->item);
	r->behind = r->at;
	do {
		buf_add(&r->item, c->data, c->length);
		r->behind += (off_t)used;
	} while (again && c->length == RECORD_DATA_MAX &&
		 chunk_read(s, r->fd, r->behind, c, &used) == RECORD_CHUNK && c->again &&
		 c->offset_ns == offset);
	r->item_wall = r->wall + offset;
	r->ready = !r->item.failed;
	return r->ready;
}

/* Where no whole chunk follows: torn by a kill, or damaged. */
static void part_unread(struct spool *s, enum spool_pass pass, struct reader *r)
{
	struct stat st;

	if (r->fd < 0 || fstat(r->fd, &st) < 0 || st.st_size <= r->at)
		return;
	if (pass == SPOOL_BYTES)
		s->tally.unread += (uint64_t)(st.st_size - r->at);
	r->at = st.st_size;
}

bool spool_next(struct spool *s, enum spool_pass pass, struct spool_item *item)
{
	struct reader *r = &s->reader[pass];
	struct record_chunk c;
	size_t used;

	while (!r->ready && reader_open(s, r)) {
		if (r->fd >= 0 && chunk_read(s, r->fd, r->at, &c, &used) == RECORD_CHUNK) {
			if (c.about || c.beside || c.again != (pass == SPOOL_KEYS))
				r->at += (off_t)used;
			else
				item_take(s, r, &c, used);
			continue;
		}
		if (!s->parts.count ||
		    (s->record && strcmp(s->parts.of[s->parts.count - 1].path, r->path) == 0))
			break;			/* all that was written so far */
		part_unread(s, pass, r);
		if (!reader_next(s, r))
			break;
	}
	if (r->ready)
		*item = (struct spool_item){ .wall_ns = r->item_wall, .n = r->item.len,
					     .data = (const uint8_t *)r->item.data };
	return r->ready;
}

void spool_pass(struct spool *s, enum spool_pass pass)
{
	struct reader *r = &s->reader[pass];

	r->at = r->ready ? r->behind : r->at;
	r->ready = false;
}

uint64_t spool_skip(struct spool *s, enum spool_pass pass)
{
	struct spool_item item;
	uint64_t bytes = 0;

	for (; spool_next(s, pass, &item); spool_pass(s, pass))
		bytes += item.n;
	return bytes;
}

static bool part_bytes(struct spool *s, size_t part, struct buf *bytes)
{
	int fd = part_open(s->parts.of[part].path);
	off_t at = RECORD_HEADER;
	struct record_chunk c;
	bool some = false;
	size_t used;

	buf_reset(bytes);
	for (; fd >= 0 && chunk_read(s, fd, at, &c, &used) == RECORD_CHUNK; at += (off_t)used) {
		some |= !c.again && !c.about;
		if (!c.about && (!c.again || !some))
			buf_add(bytes, c.data, c.length);
	}
	if (fd >= 0)
		close(fd);
	return some;
}

void spool_newest(struct spool *s, struct buf *bytes)
{
	for (size_t i = s->parts.count; i-- > 0;)
		if (part_bytes(s, i, bytes))
			return;
	buf_reset(bytes);
}

/* --- life ------------------------------------------------------------------------------------- */

bool spool_is_empty(const struct spool *s)
{
	return !s->record && !s->parts.count;
}

void spool_clear(struct spool *s)
{
	record_free(s->record);
	s->record = NULL;
	for (size_t i = 0; i < SPOOL_PASSES; i++) {
		reader_leave(&s->reader[i]);
		mem_free(s->reader[i].path);
		s->reader[i].path = NULL;
	}
	parts_look(s);
	while (s->parts.count && parts_drop_oldest(&s->parts) == 0)
		;
	rmdir(s->folder);
	mem_free(s->thinned);
	s->thinned = NULL;
	s->thin_told = s->ends_told = false;
	s->told = (struct record_tally){ 0 };
}

void spool_tally(const struct spool *s, struct spool_tally *t)
{
	*t = s->tally;
}

void spool_resumes(struct spool *s, record_again_fn *again, void *ctx)
{
	s->again = again;
	s->again_ctx = ctx;
}

struct spool *spool_new(const char *folder, const struct spool_rule *rule, struct err *err)
{
	struct spool *s = mem_zalloc(sizeof(*s));

	if (!s || !(s->folder = mem_strdup(folder))) {
		mem_free(s);
		err_set(err, ERR_NOMEM, "out of memory");
		return NULL;
	}
	s->rule = *rule;
	for (size_t i = 0; i < SPOOL_PASSES; i++)
		s->reader[i] = (struct reader){ .fd = -1, .item = BUF_INIT };
	parts_look(s);
	return s;
}

void spool_free(struct spool *s)
{
	if (!s)
		return;
	record_free(s->record);
	for (size_t i = 0; i < SPOOL_PASSES; i++) {
		reader_leave(&s->reader[i]);
		mem_free(s->reader[i].path);
		buf_release(&s->reader[i].item);
	}
	parts_release(&s->parts);
	mem_free(s->thinned);
	mem_free(s->folder);
	mem_free(s);
}
