/*
 * leap: a replay that begins at a key of its index (keys.h), and the keys that it makes as it reads
 * where there are none.
 *
 * A key's bytes are handed out as a chunk of its time, then those of the recording behind it. Keys
 * are made of a decoder that has read all from the beginning, or from a key: not of a part that is
 * read alone.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/link/file.h"

/*
 * A shorter way is read: what is on it, the console's text, is not in a key. Where bytes are few
 * the history's moments, one a second, cost more than they do.
 */
#define LEAP_BYTES (UINT64_C(16) << 20)
#define LEAP_NS (1000 * CLOCK_SECOND)

enum { TRIES = 4 };			/* keys, until it is read from the beginning */

struct leap {
	size_t part;
	struct key key;
};

/* --- where ------------------------------------------------------------------------------------ */

static const char *part_path(const struct link *l, size_t part)
{
	const struct file_own *f = l->own;

	return f->parts.count ? f->parts.of[part].path : l->where;
}

static uint64_t part_zero(const struct file_own *f, size_t part)
{
	uint64_t wall = f->parts.count ? f->parts.of[part].wall : f->wall;

	return wall > f->wall ? wall - f->wall : 0;
}

static void leap_index(const struct link *l, size_t part)
{
	struct file_own *f = ((struct link *)l)->own;
	struct stat st;
	uint64_t wall = f->parts.count ? f->parts.of[part].wall : f->wall;

	keys_close(&f->keys);
	keys_open(&f->keys, part_path(l, part), wall);
	if (f->keys.count && stat(part_path(l, part), &st) == 0)
		keys_within(&f->keys, (uint64_t)st.st_size);
}

static bool key_before(const struct link *l, uint64_t offset, struct leap *leap)
{
	const struct file_own *f = l->own;
	size_t part = f->parts.count ? f->parts.count : 1;

	while (part-- > 0) {
		const struct key *key;

		if (part_zero(f, part) > offset)
			continue;
		leap_index(l, part);
		key = keys_find(&f->keys, offset - part_zero(f, part));
		if (!key)
			continue;
		*leap = (struct leap){ .part = part, .key = *key };
		return true;
	}
	return false;
}

/* --- the leap --------------------------------------------------------------------------------- */

/* Of the recording: bytes of parts before it count. */
static uint64_t place_now(const struct file_own *f)
{
	return f->taken - f->len - f->left;
}

bool leap_is_due(const struct link *l, uint64_t offset, bool back)
{
	const struct file_own *f = l->own;
	struct leap leap;

	if (!f->named || !f->regular || !f->resume || !key_before(l, offset, &leap))
		return false;
	return chain_before(f, leap.part) + leap.key.place >
	       (back ? 0 : place_now(f)) + LEAP_BYTES ||
	       part_zero(f, leap.part) + leap.key.offset_ns > (back ? 0 : f->told) + LEAP_NS;
}

static bool leap_land(struct link *l, const struct leap *leap)
{
	struct file_own *f = l->own;

	if (f->parts.count && chain_part(l, leap->part) < 0)
		return false;
	if (lseek(l->fd, (off_t)(uint64_t)f->begin + (off_t)leap->key.place, SEEK_SET) < 0)
		return false;
	f->taken = chain_before(f, leap->part) + leap->key.place;
	f->data = (const uint8_t *)f->told_bytes.data;
	f->left = f->told_bytes.len;
	f->offset = f->told = part_zero(f, leap->part) + leap->key.offset_ns;
	f->place = leap->key.place;
	f->check = leap->key.before;
	f->alone = f->begun = f->beside = false;
	return true;
}

static bool leap_try(struct link *l, const struct leap *leap)
{
	struct file_own *f = l->own;
	int fd = open(part_path(l, leap->part), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	bool done;

	if (fd < 0)
		return false;
	buf_reset(&f->told_bytes);
	done = keys_read(&f->keys, &leap->key, fd, &f->told_bytes) && f->told_bytes.len &&
	       leap_land(l, leap);
	close(fd);
	return done;
}

/* Of a key that is damaged, or of other bytes, the one before it is tried. */
bool leap_take(struct link *l, uint64_t offset)
{
	struct file_own *f = l->own;
	struct leap leap;
	bool done = false;

	for (int tries = 0; !done && tries < TRIES && key_before(l, offset, &leap); tries++) {
		done = leap_try(l, &leap);
		offset = part_zero(f, leap.part) + leap.key.offset_ns;
		if (!offset--)
			break;
	}
	keys_close(&f->keys);
	return done;
}

/* --- keys of what is read --------------------------------------------------------------------- */

/* The keys are of another recording whose header has the same time: one that was mended, say. */
static bool keys_are_stale(const struct link *l, size_t part)
{
	const struct keys *k = &((const struct file_own *)l->own)->keys;
	int fd = k->count ? open(part_path(l, part), O_RDONLY | O_NONBLOCK | O_NOCTTY |
				 O_CLOEXEC) : -1;
	bool stale = fd >= 0 && !key_fits(&k->of[k->count - 1], fd);

	if (fd >= 0)
		close(fd);
	return stale;
}

/* The writer for the part that is read: behind the keys that it has. */
static void making_begin(struct link *l)
{
	struct file_own *f = l->own;
	uint64_t last;
	bool stale;

	if (f->making_begun && f->making_part == f->part)
		return;
	keys_end(&f->making);
	f->making_begun = true;
	f->making_part = f->part;
	leap_index(l, f->part);
	stale = keys_are_stale(l, f->part);
	last = f->keys.count && !stale ? f->keys.of[f->keys.count - 1].place : 0;
	keys_begin(&f->making, part_path(l, f->part),
		   f->parts.count ? f->parts.of[f->part].wall : f->wall, last);
	if (stale)
		keys_anew(&f->making);
	if (!last && f->part)
		f->making.due = 0;	/* what was in the parts before it */
	keys_close(&f->keys);
}

void leap_pass(struct link *l)
{
	struct file_own *f = l->own;
	struct buf bytes = BUF_INIT;
	struct key key = { .place = f->place, .before = f->check };

	if (!f->resume || !f->named || !f->regular || f->begin || f->unsure)
		return;
	making_begin(l);
	if (!f->place || !keys_due(&f->making, f->place))
		return;
	key.offset_ns = f->told - part_zero(f, f->part);
	if (f->told < part_zero(f, f->part) || !f->resume(f->resume_ctx, &bytes))
		keys_later(&f->making, f->place);
	else
		keys_put(&f->making, &key, &bytes);
	buf_release(&bytes);
}

void leap_release(struct file_own *f)
{
	keys_end(&f->making);
	keys_close(&f->keys);
	buf_release(&f->told_bytes);
}
