#include "core/link/parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/link/record.h"

#define MILLISECOND UINT64_C(1000000)

bool parts_is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static char *path_of(const char *folder, const char *name)
{
	size_t n = strlen(folder);
	struct buf path = BUF_INIT;

	buf_addf(&path, "%s%s%s", folder, n && folder[n - 1] == '/' ? "" : "/", name);
	return buf_detach(&path);
}

/* --- the list --------------------------------------------------------------------------------- */

void parts_release(struct parts *p)
{
	for (size_t i = 0; i < p->count; i++)
		mem_free(p->of[i].path);
	mem_free(p->of);
	*p = (struct parts){ 0 };
}

static int part_put(struct parts *p, struct part part)
{
	if (!part.path || mem_grow(&p->of, &p->cap, p->count + 1, sizeof(*p->of)) < 0) {
		mem_free(part.path);
		return ERR_NOMEM;
	}
	p->of[p->count++] = part;
	p->bytes += part.size;
	return 0;
}

int parts_add(struct parts *p, const char *path, uint64_t wall)
{
	return part_put(p, (struct part){ .path = mem_strdup(path), .wall = wall });
}

void parts_grown(struct parts *p, uint64_t bytes)
{
	p->of[p->count - 1].size += bytes;
	p->bytes += bytes;
}

/* --- the folder ------------------------------------------------------------------------------- */

static bool part_is_named(const char *name)
{
	size_t n = strlen(name), suffix = strlen(PARTS_SUFFIX);

	return *name != '.' && n > suffix && strcmp(name + n - suffix, PARTS_SUFFIX) == 0;
}

/* What is no recording (cut in its header, another file of that name) has no wall clock. */
static bool part_look(struct part *part)
{
	int fd = open(part->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	uint8_t header[RECORD_HEADER];
	struct stat st;
	bool there = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);

	if (there) {
		part->size = (uint64_t)st.st_size;
		if (pread(fd, header, sizeof(header), 0) == (ssize_t)sizeof(header) &&
		    memcmp(header, RECORD_MAGIC, RECORD_MAGIC_SIZE) == 0)
			part->wall = record_wall(header);
	}
	if (fd >= 0)
		close(fd);
	return there;
}

static int part_compare(const void *a, const void *b)
{
	return strcmp(((const struct part *)a)->path, ((const struct part *)b)->path);
}

static int folder_read(struct parts *p, DIR *d, const char *folder)
{
	const struct dirent *e;

	while (p->count < PARTS_MOST && (e = readdir(d))) {
		struct part part = { .path = NULL };

		if (!part_is_named(e->d_name))
			continue;
		part.path = path_of(folder, e->d_name);
		if (part.path && !part_look(&part))
			mem_free(part.path);
		else if (part_put(p, part) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

int parts_read(struct parts *p, const char *folder, struct err *err)
{
	DIR *d = opendir(folder);
	int ret;

	*p = (struct parts){ 0 };
	if (!d)
		return err_errno(err, "%s", folder);
	ret = folder_read(p, d, folder);
	closedir(d);
	if (ret < 0) {
		parts_release(p);
		return err_set(err, ERR_NOMEM, "%s: out of memory", folder);
	}
	if (p->count)
		qsort(p->of, p->count, sizeof(*p->of), part_compare);
	return 0;
}

int parts_drop_oldest(struct parts *p)
{
	struct part *oldest = &p->of[0];
	struct buf index = BUF_INIT;

	if (unlink(oldest->path) < 0 && errno != ENOENT)
		return ERR_IO;
	buf_addf(&index, "%s" PARTS_INDEX, oldest->path);
	if (!index.failed)
		unlink(buf_str(&index));
	buf_release(&index);
	p->bytes -= oldest->size;
	mem_free(oldest->path);
	p->count--;
	memmove(p->of, p->of + 1, p->count * sizeof(*p->of));
	return 0;
}

/* --- names ------------------------------------------------------------------------------------ */

static char *part_name(const char *folder, uint64_t wall)
{
	time_t seconds = (time_t)(wall / (1000 * MILLISECOND));
	char name[64], when[32];
	struct tm tm;

	if (!gmtime_r(&seconds, &tm) || !strftime(when, sizeof(when), "%Y%m%dT%H%M%S", &tm))
		when[0] = '\0';
	snprintf(name, sizeof(name), "%s.%03uZ" PARTS_SUFFIX, when,
		 (unsigned)(wall / MILLISECOND % 1000));
	return path_of(folder, name);
}

/*
 * A clock that was set back gives a name before the newest: then the newest one's gets a letter
 * more, which sorts behind it ('Z' + "z" > "Z.").
 */
char *parts_next(const struct parts *p, const char *folder, uint64_t wall)
{
	const char *newest = p->count ? p->of[p->count - 1].path : NULL;
	char *name = part_name(folder, wall);
	struct buf behind = BUF_INIT;

	if (!name || !newest || strcmp(name, newest) > 0)
		return name;
	mem_free(name);
	buf_add(&behind, newest, strlen(newest) - strlen(PARTS_SUFFIX));
	buf_adds(&behind, "z" PARTS_SUFFIX);
	return buf_detach(&behind);
}
