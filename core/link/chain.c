/*
 * chain: a folder of parts (parts.h), read as one recording.
 *
 * Its axis is the first part's: a part lies behind it by as much as their wall clocks differ. Its
 * bytes are those of all parts, so what a part says for who reads it alone is left out but in the
 * one that the reading begins with. A part that has gone, or is no recording, is passed over.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/link/file.h"

static uint64_t bytes_before(const struct parts *p, size_t part)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < part; i++)
		sum += p->of[i].size;
	return sum;
}

uint64_t chain_before(const struct file_own *f, size_t part)
{
	return bytes_before(&f->parts, f->parts.count ? part : 0);
}

static int part_open(const struct part *p, uint64_t *wall)
{
	int fd = open(p->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	uint8_t header[RECORD_HEADER];

	if (fd < 0)
		return -1;
	if (read(fd, header, sizeof(header)) != (ssize_t)sizeof(header) ||
	    memcmp(header, RECORD_MAGIC, RECORD_MAGIC_SIZE) != 0) {
		close(fd);
		return -1;
	}
	*wall = record_wall(header);
	return fd;
}

int chain_part(struct link *l, size_t part)
{
	struct file_own *f = l->own;
	uint64_t wall;
	int fd = part_open(&f->parts.of[part], &wall);

	if (fd < 0)
		return ERR_IO;
	close(l->fd);
	l->fd = fd;
	f->part = part;
	f->part_zero = wall > f->wall ? wall - f->wall : 0;
	f->taken = bytes_before(&f->parts, part) + RECORD_HEADER;
	f->head = f->len = f->left = 0;
	f->eof = f->lost = f->dry = false;
	f->grows = part + 1 == f->parts.count && l->options.follow && file_is_written(l);
	resync_forget(f->resync);
	return 0;
}

/* Parts that were begun since the folder was read. */
static void folder_again(struct link *l)
{
	struct file_own *f = l->own;
	const char *newest = f->parts.of[f->parts.count - 1].path;
	struct parts now;

	if (!l->options.follow || parts_read(&now, l->where, NULL) < 0)
		return;
	for (size_t i = 0; i < now.count; i++) {
		if (strcmp(now.of[i].path, newest) <= 0 ||
		    parts_add(&f->parts, now.of[i].path, now.of[i].wall) < 0)
			continue;
		parts_grown(&f->parts, now.of[i].size);
		newest = f->parts.of[f->parts.count - 1].path;
	}
	f->size = f->parts.bytes;
	parts_release(&now);
}

bool chain_next(struct link *l)
{
	struct file_own *f = l->own;

	if (!f->parts.count)
		return false;
	if (f->part + 1 == f->parts.count)
		folder_again(l);
	for (size_t i = f->part + 1; i < f->parts.count; i++)
		if (chain_part(l, i) == 0)
			return true;
	return false;
}

void chain_size(struct file_own *f, uint64_t size)
{
	struct part *p = &f->parts.of[f->part];

	f->parts.bytes += size - p->size;
	p->size = size;
	f->size = f->parts.bytes;
}

/* --- open ------------------------------------------------------------------------------------- */

/* The first that is a recording. */
static int first_open(struct link *l, const struct parts *p, size_t *part)
{
	uint64_t wall;

	for (*part = 0; *part < p->count; (*part)++) {
		l->fd = part_open(&p->of[*part], &wall);
		if (l->fd >= 0)
			return lseek(l->fd, 0, SEEK_SET) < 0 ? ERR_IO : 0;
	}
	return ERR_USAGE;
}

int chain_open(struct link *l, struct err *err)
{
	struct parts p;
	struct file_own *f;
	size_t part;
	int ret;

	if (parts_read(&p, l->where, NULL) < 0)
		return link_refused(l, l->where, err);
	ret = first_open(l, &p, &part);
	if (ret < 0)
		err_set(err, ERR_USAGE, "a folder without recordings (*%s)", PARTS_SUFFIX);
	if (ret == 0)
		ret = file_begin(l, err);
	if (ret < 0) {
		parts_release(&p);
		return ret;
	}
	f = l->own;
	f->parts = p;
	f->part = part;
	f->size = p.bytes;
	f->taken += bytes_before(&p, part);
	f->grows &= part + 1 == p.count;
	f->named = true;
	return 0;
}
