#include "core/find/finds.h"

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/link/parts.h"
#include "core/link/record.h"
#include "core/import/import.h"

/* Counts by address are read as a recording is: by a node, whose image names them. */
static enum find_kind kind_of_head(const char *path, const char *head, size_t n)
{
	const struct importer *i;

	if (n >= RECORD_HEADER && !memcmp(head, RECORD_MAGIC, RECORD_MAGIC_SIZE))
		return FIND_RECORDING;
	i = import_of(path, (const uint8_t *)head, n);
	return !i ? FIND_NEITHER : i->raw ? FIND_RECORDING : FIND_SNAPSHOT;
}

/* Opening must not wait (a FIFO), and only regular files are read. */
static enum find_kind kind_of_file(int directory, const char *path)
{
	int fd = openat(directory, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	char head[IMPORT_HEAD];
	struct stat st;
	ssize_t n = -1;

	if (fd < 0)
		return FIND_NEITHER;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		n = pread(fd, head, sizeof(head), 0);
	close(fd);
	return n > 0 ? kind_of_head(path, head, (size_t)n) : FIND_NEITHER;
}

enum find_kind finds_kind_of(const char *path)
{
	return parts_is_folder(path) ? FIND_RECORDING : kind_of_file(AT_FDCWD, path);
}

/* a after b: newer first, then by name. */
static bool is_after(const struct find *a, const struct find *b)
{
	if (a->changed.tv_sec != b->changed.tv_sec)
		return a->changed.tv_sec < b->changed.tv_sec;
	if (a->changed.tv_nsec != b->changed.tv_nsec)
		return a->changed.tv_nsec < b->changed.tv_nsec;
	return strcmp(a->name, b->name) > 0;
}

static void find_insert(struct finds *f, const struct find *new, size_t most)
{
	size_t at = 0;

	while (at < f->count && is_after(new, &f->items[at]))
		at++;
	f->more += f->count == most;
	if (at == most)
		return;
	f->count += f->count < most;
	memmove(&f->items[at + 1], &f->items[at], (f->count - at - 1) * sizeof(*new));
	f->items[at] = *new;
}

/* Looked at before it is opened: to open a serial port resets many boards. */
static void file_offer(struct finds *f, int directory, const char *name, unsigned kinds,
		       size_t most)
{
	struct find new = { .kind = FIND_NEITHER };
	struct stat st;

	if (strlen(name) >= sizeof(new.name) || fstatat(directory, name, &st, 0) < 0 ||
	    !S_ISREG(st.st_mode))
		return;
	if (kinds)
		new.kind = kind_of_file(directory, name);
	if (kinds && !(new.kind & kinds))
		return;
	strcpy(new.name, name);
	new.changed = st.st_mtim;
	new.size = (uint64_t)st.st_size;
	find_insert(f, &new, most);
}

void finds_look(struct finds *f, const char *directory)
{
	DIR *d = opendir(directory);
	const struct dirent *e;

	f->count = f->more = 0;
	for (int looked = 0; d && looked < FINDS_LOOKED && (e = readdir(d)); looked++)
		if (e->d_name[0] != '.')
			file_offer(f, dirfd(d), e->d_name, FIND_SNAPSHOT | FIND_RECORDING,
				   FINDS_MOST);
	if (d)
		closedir(d);
}

void finds_match(struct finds *f, size_t most, const char *const *patterns, unsigned kinds)
{
	f->count = f->more = 0;
	for (; *patterns; patterns++) {
		glob_t g;

		if (glob(*patterns, 0, NULL, &g))
			continue;
		for (size_t i = 0; i < g.gl_pathc && i < FINDS_LOOKED; i++)
			file_offer(f, AT_FDCWD, g.gl_pathv[i], kinds, most);
		globfree(&g);
	}
}
