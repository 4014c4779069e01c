/*
 * tail: when the last bytes of a recording came, by its end alone: so that a share of its length is
 * known before it was read. The last chunks are found as behind damage (resync.h); where damage is
 * the end itself, or somebody still records, it is not known.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/link/file.h"

enum { TAIL = FILE_BUFFER };		/* holds a whole chunk, wherever it begins */

/* The last one of these bytes, which end where the file does. */
static bool tail_parse(struct resync *s, const uint8_t *bytes, size_t n, uint64_t *offset)
{
	bool found = false;
	size_t at = 0;

	while (resync_find(s, bytes, at, n, &at)) {
		struct record_chunk c;
		size_t size;

		if (record_parse(bytes + at, n - at, &c, &size) != RECORD_CHUNK)
			break;
		at += size;
		if (c.about || c.again)
			continue;
		*offset = c.offset_ns;
		found = true;
	}
	return found;
}

static bool tail_read(int fd, uint64_t *offset)
{
	struct resync *s = resync_new(TAIL);
	uint8_t *bytes = mem_alloc(TAIL);
	struct stat st;
	bool found = false;

	if (s && bytes && fstat(fd, &st) == 0 && st.st_size > RECORD_HEADER) {
		off_t from = st.st_size > RECORD_HEADER + TAIL ? st.st_size - TAIL : RECORD_HEADER;
		ssize_t n = pread(fd, bytes, TAIL, from);

		found = n > 0 && tail_parse(s, bytes, (size_t)n, offset);
	}
	mem_free(bytes);
	resync_free(s);
	return found;
}

/* False: it has none, or more will come. */
static bool tail_open(const char *path, uint64_t *offset)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	bool grows = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
	bool found = fd >= 0 && !grows && tail_read(fd, offset);

	if (fd >= 0)
		close(fd);
	return found;
}

static uint64_t tail_find(const struct link *l)
{
	const struct file_own *f = l->own;
	const struct part *last = f->parts.count ? &f->parts.of[f->parts.count - 1] : NULL;
	uint64_t offset;

	if (!f->named || !f->regular || f->begin ||
	    !tail_open(last ? last->path : l->where, &offset))
		return FILE_NOWHERE;
	return offset + (last && last->wall > f->wall ? last->wall - f->wall : 0);
}

uint64_t tail_offset(const struct link *l)
{
	struct file_own *f = l->own;

	if (!f->end_asked)
		f->end = tail_find(l);
	f->end_asked = true;
	return f->end;
}
