/*
 * rotate: a recording in parts: when a part ends, what goes when there is too much of it, and what
 * is done where there is no room.
 *
 * Times are those that record_add is given. The wall clock in a part's header is the first part's
 * and the time since, so that parts of one run lie on one axis to the nanosecond; where the wall
 * clock was set by more than a second meanwhile it is taken as it is.
 *
 *	written --- write fails, no part may go ---> stuck: counted, tried each second
 *	   `<-------- a new part could be begun ------'
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/link/record_own.h"

#define RETRY_NS CLOCK_SECOND
#define SET_NS CLOCK_SECOND		/* by more than that the wall clock was set */

static void line_say(const struct rotate *o, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void line_say(const struct rotate *o, const char *fmt, ...)
{
	char line[512];
	va_list ap;

	if (!o->rule.say)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	o->rule.say(o->rule.ctx, line);
}

/* --- old parts -------------------------------------------------------------------------------- */

static bool oldest_remove(struct rotate *o, const char *why)
{
	char name[256];

	if (!o->rule.keep || o->parts.count < 2)
		return false;
	snprintf(name, sizeof(name), "%s", text_basename(o->parts.of[0].path));
	if (parts_drop_oldest(&o->parts) < 0)
		return false;
	o->tally.removed++;
	line_say(o, "%s: removed %s, the oldest part: %s", o->folder, name, why);
	return true;
}

static void bound_keep(struct rotate *o)
{
	while (o->rule.keep && o->parts.bytes > o->rule.keep)
		if (!oldest_remove(o, "the parts exceed --keep"))
			return;
}

/* --- a part begins ---------------------------------------------------------------------------- */

static uint64_t wall_of(struct rotate *o, uint64_t time_ns)
{
	uint64_t wall = clock_wall(), now = clock_now();
	uint64_t then = o->wall_ns + (now - o->mono_ns);

	if (wall > then + SET_NS || then > wall + SET_NS) {
		o->wall_ns = wall;
		o->mono_ns = now;
	}
	return o->wall_ns + (time_ns - o->mono_ns);
}

static void part_close(struct record *r)
{
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
	mem_free(r->path);
	r->path = NULL;
}

/* What must stand before its first byte, so that it can be read alone. */
static int part_introduce(struct record *r, uint64_t time_ns)
{
	struct buf bytes = BUF_INIT;
	int ret = 0;

	if (*r->about)
		ret = record_chunks(r, time_ns, (const uint8_t *)r->about, strlen(r->about),
				    RECORD_ABOUT);
	if (ret == 0 && r->again)
		r->again(r->again_ctx, &bytes);
	if (ret == 0 && bytes.len && !bytes.failed)
		ret = record_chunks(r, time_ns, (const uint8_t *)bytes.data, bytes.len,
				    RECORD_AGAIN);
	buf_release(&bytes);
	return ret;
}

static int part_fill(struct record *r, uint64_t time_ns, uint64_t wall)
{
	uint8_t header[RECORD_HEADER];

	r->fd = open(r->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
	if (r->fd < 0)
		return -1;
	if (flock(r->fd, LOCK_EX | LOCK_NB) < 0) {
		/* A file system without locks: who follows it takes it for ended. */
	}
	record_header(header, wall);
	return record_bytes(r, header, sizeof(header)) < 0 || part_introduce(r, time_ns) < 0 ? -1 :
									     0;
}

/* 0, or -1 with errno: none is open. */
static int part_begin(struct record *r, uint64_t time_ns)
{
	struct rotate *o = r->rotate;
	uint64_t wall = wall_of(o, time_ns);
	int error, before = r->fd;

	r->fd = -1;
	part_close(r);
	r->zero_ns = o->begun_ns = time_ns;
	r->last_ns = 0;
	r->whole = 0;
	r->path = parts_next(&o->parts, o->folder, wall);
	errno = ENOMEM;
	if (r->path && part_fill(r, time_ns, wall) == 0 &&
	    parts_add(&o->parts, r->path, wall) == 0) {
		o->tally.parts++;
		o->introduced = r->whole;
		record_index(r, wall);
		if (before >= 0)	/* who follows it finds the next one when this is free */
			close(before);
		rotate_wrote(r, (size_t)r->whole);
		return 0;
	}
	error = errno;
	if (before >= 0)
		close(before);
	if (r->fd >= 0)
		unlink(r->path);
	part_close(r);
	errno = error;
	return -1;
}

/* --- no room ---------------------------------------------------------------------------------- */

static bool is_full(int error)
{
	return error == ENOSPC || error == EDQUOT;
}

static void stuck_begin(struct record *r, uint64_t time_ns)
{
	struct rotate *o = r->rotate;

	if (!o->stuck)
		line_say(o, "%s: %s: recording waits for room; what comes is not kept", o->folder,
			 strerror(errno));
	o->stuck = o->unread = true;
	o->retry_ns = time_ns + RETRY_NS;
	part_close(r);
}

/* A part, if need be in the place of old ones. */
static void part_try(struct record *r, uint64_t time_ns)
{
	struct rotate *o = r->rotate;

	while (part_begin(r, time_ns) < 0) {
		if (is_full(errno) && oldest_remove(o, "the disk is full"))
			continue;
		stuck_begin(r, time_ns);
		return;
	}
	if (o->stuck)
		line_say(o, "%s: there is room again: recording goes on (%" PRIu64
			 " bytes were not kept)", o->folder, o->tally.unkept);
	o->stuck = false;
}

bool rotate_is_stuck(const struct record *r)
{
	return r->rotate->stuck;
}

bool rotate_failed(struct record *r, uint64_t time_ns, size_t n)
{
	struct rotate *o = r->rotate;

	if (!o->stuck) {
		int error = errno;

		record_mend(r);
		if (error == EFBIG && r->whole > o->introduced) {
			part_try(r, time_ns);	/* no file may be larger here: another one */
			return true;
		}
		if (is_full(error) && oldest_remove(o, "the disk is full"))
			return true;
		errno = error;
		stuck_begin(r, time_ns);
	}
	o->tally.unkept += n;
	return false;
}

/* --- as it goes ------------------------------------------------------------------------------- */

static bool part_is_over(const struct record *r, uint64_t time_ns, size_t n)
{
	const struct record_rule *rule = &r->rotate->rule;
	uint64_t size = (uint64_t)r->whole;

	if (r->whole <= r->rotate->introduced)
		return false;
	return (rule->each && size + n + RECORD_CHUNK_MAX - RECORD_DATA_MAX > rule->each) ||
	       (rule->every_ns && time_ns >= r->rotate->begun_ns + rule->every_ns);
}

void rotate_before(struct record *r, uint64_t time_ns, size_t n)
{
	struct rotate *o = r->rotate;

	if (o->stuck ? time_ns >= o->retry_ns : part_is_over(r, time_ns, n))
		part_try(r, time_ns);
}

void rotate_wrote(struct record *r, size_t n)
{
	struct rotate *o = r->rotate;

	parts_grown(&o->parts, n);
	o->tally.bytes += n;
	bound_keep(o);
}

void record_tally(const struct record *r, struct record_tally *t)
{
	*t = r->rotate ? r->rotate->tally : (struct record_tally){ .bytes = (uint64_t)r->whole };
}

/* --- life ------------------------------------------------------------------------------------- */

/* Two that record into one folder would mix two streams. */
static int folder_claim(const struct rotate *o, struct err *err)
{
	const char *newest = o->parts.count ? o->parts.of[o->parts.count - 1].path : NULL;
	int fd = newest ? open(newest, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
	bool held = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;

	if (fd >= 0)
		close(fd);
	return held ? err_set(err, ERR_USAGE, "%s: another wsntop records into it; give another "
			      "folder", o->folder) : 0;
}

static int folder_open(struct rotate *o, struct err *err)
{
	if (mkdir(o->folder, 0777) < 0 && errno != EEXIST)
		return err_errno(err, "%s: cannot record", o->folder);
	if (!parts_is_folder(o->folder))
		return err_set(err, ERR_USAGE, "%s: not a folder", o->folder);
	return parts_read(&o->parts, o->folder, err) < 0 ? ERR_IO : folder_claim(o, err);
}

static int rotate_open(struct record *r, const char *folder, const struct record_rule *rule,
		       struct err *err)
{
	struct rotate *o = r->rotate = mem_zalloc(sizeof(*o));

	if (!o || !(o->folder = mem_strdup(folder)))
		return err_set(err, ERR_NOMEM, "%s: out of memory", folder);
	o->rule = *rule;
	o->mono_ns = clock_now();
	o->wall_ns = clock_wall();
	if (folder_open(o, err) < 0)
		return ERR_IO;
	o->unread = o->parts.count > 0;
	while (part_begin(r, o->mono_ns) < 0) {
		if (!is_full(errno) || !oldest_remove(o, "the disk is full"))
			return err_errno(err, "%s: cannot record", folder);
	}
	return 0;
}

struct record *record_new_parts(const char *folder, const struct record_rule *rule,
				struct err *err)
{
	struct record *r = mem_zalloc(sizeof(*r));

	if (!r) {
		err_set(err, ERR_NOMEM, "%s: out of memory", folder);
		return NULL;
	}
	r->fd = -1;
	if (rotate_open(r, folder, rule, err) < 0) {
		record_free(r);
		return NULL;
	}
	return r;
}

/* A part in which nothing came is none. */
void rotate_free(struct record *r)
{
	struct rotate *o = r->rotate;

	if (!o)
		return;
	if (r->fd >= 0 && r->whole <= o->introduced && o->tally.parts == 1)
		unlink(r->path);
	parts_release(&o->parts);
	mem_free(o->folder);
	mem_free(o);
	r->rotate = NULL;
}
