#include "core/find/finds.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/link/record.h"
#include "core/export/snapshot.h"

static enum find_kind kind_of_head(const char *head, size_t n)
{
	if (n >= RECORD_HEADER && !memcmp(head, RECORD_MAGIC, RECORD_MAGIC_SIZE))
		return FIND_RECORDING;
	return snapshot_is(head, n) ? FIND_SNAPSHOT : FIND_NEITHER;
}

/* Opening must not wait (a FIFO), and only of a regular file anything is read. */
static enum find_kind look_at(int directory, const char *path, struct stat *st)
{
	int fd = openat(directory, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	char head[SNAPSHOT_HEAD];
	ssize_t n = -1;

	if (fd < 0)
		return FIND_NEITHER;
	if (fstat(fd, st) == 0 && S_ISREG(st->st_mode))
		n = pread(fd, head, sizeof(head), 0);
	close(fd);
	return n > 0 ? kind_of_head(head, (size_t)n) : FIND_NEITHER;
}

enum find_kind find_kind_of(const char *path)
{
	struct stat st;

	return look_at(AT_FDCWD, path, &st);
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

static void insert(struct finds *f, const struct find *new)
{
	size_t at = 0;

	while (at < f->count && is_after(new, &f->items[at]))
		at++;
	f->more += f->count == FINDS_MOST;
	if (at == FINDS_MOST)
		return;
	f->count += f->count < FINDS_MOST;
	memmove(&f->items[at + 1], &f->items[at], (f->count - at - 1) * sizeof(*new));
	f->items[at] = *new;
}

void finds_look(struct finds *f, const char *directory)
{
	DIR *d = opendir(directory);
	const struct dirent *e;
	struct stat st;

	*f = (struct finds){ .count = 0 };
	for (int looked = 0; d && looked < FINDS_LOOKED && (e = readdir(d)); looked++) {
		struct find new = { .kind = FIND_NEITHER };
		bool maybe = e->d_type == DT_REG || e->d_type == DT_LNK || e->d_type == DT_UNKNOWN;

		if (e->d_name[0] == '.' || !maybe)
			continue;
		new.kind = look_at(dirfd(d), e->d_name, &st);
		if (new.kind == FIND_NEITHER)
			continue;
		snprintf(new.name, sizeof(new.name), "%s", e->d_name);
		new.changed = st.st_mtim;
		new.size = (uint64_t)st.st_size;
		insert(f, &new);
	}
	if (d)
		closedir(d);
}
