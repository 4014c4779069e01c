#include "core/source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/base/text.h"

struct source {
	char *path;
	char *data;
	size_t size;
	uint32_t *starts;		/* of each line; SOURCE_FILE_MAX fits */
	size_t count, cap;
	struct timespec modified;
	off_t length;			/* as stat had it */
};

/* --- reading ---------------------------------------------------------------------------------- */

static bool read_data(struct source *s, int fd)
{
	s->data = mem_alloc((size_t)s->length + 1);
	if (!s->data)
		return false;
	while (s->size < (size_t)s->length) {
		ssize_t n = read(fd, s->data + s->size, (size_t)s->length - s->size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;		/* shorter than fstat said: keep what was read */
		s->size += (size_t)n;
	}
	s->data[s->size] = '\0';
	return true;
}

/* A newline at the end of the file begins no line. */
static bool find_lines(struct source *s)
{
	for (size_t at = 0; at < s->size; ) {
		const char *end = memchr(s->data + at, '\n', s->size - at);

		if (mem_grow(&s->starts, &s->cap, s->count + 1, sizeof(*s->starts)) < 0)
			return false;
		s->starts[s->count++] = (uint32_t)at;
		at = end ? (size_t)(end - s->data) + 1 : s->size;
	}
	return true;
}

/* Why it is not used; NULL: it is. */
static const char *read_file(struct source *s, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return strerror(errno);
	if (!S_ISREG(st.st_mode))
		return "not a regular file";
	if (st.st_size > SOURCE_FILE_MAX)
		return "larger than 16 MB";
	s->length = st.st_size;
	s->modified = st.st_mtim;
	return read_data(s, fd) && find_lines(s) ? NULL : "out of memory";
}

void source_close(struct source *s)
{
	if (!s)
		return;
	mem_free(s->path);
	mem_free(s->data);
	mem_free(s->starts);
	mem_free(s);
}

/* --- finding ---------------------------------------------------------------------------------- */

struct search {
	const struct source_paths *paths;	/* may be NULL */
	const char *beside;		/* the ELF; may be NULL */
	struct source *found;
	struct buf *places;		/* may be NULL */
	bool failed;			/* memory is out */
};

/* Each place once: the current directory may be a source directory too. */
static bool place_told(const struct buf *places, const char *path)
{
	size_t n = strlen(path);

	for (const char *line = buf_str(places); *line; line = strchr(line, '\n') + 1) {
		if (!strncmp(line, path, n) && (line[n] == '\n' || line[n] == ':'))
			return true;
	}
	return false;
}

static void place_tell(struct search *w, const char *path, const char *why)
{
	char shown[2048];

	if (!w->places)
		return;
	text_visible(shown, sizeof(shown), path, strlen(path));
	if (place_told(w->places, shown))
		return;
	buf_addf(w->places, "%s%s%s\n", shown, why ? ": " : "", why ? why : "");
}

/*
 * An ELF may name a device as its source, and opening a device can have effects: check the type
 * first. The file may be replaced in between: a FIFO without a writer must not block.
 */
static int open_regular(const char *path, const char **why)
{
	struct stat st;
	int fd;

	*why = NULL;
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		*why = "not a regular file";
		return -1;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 && errno != ENOENT && errno != ENOTDIR)
		*why = strerror(errno);
	return fd;
}

/* --- what may be shown ------------------------------------------------------------------------ */

/* Where toolchains and SDKs keep sources that everybody may read. */
static const char *const shared_roots[] = {
	"/usr/include", "/usr/lib", "/usr/local", "/usr/share", "/usr/src", "/opt", "/nix/store",
};

static bool is_below(const char *path, const char *root)
{
	size_t n = strlen(root);

	while (n > 1 && root[n - 1] == '/')
		n--;
	return !strncmp(path, root, n) && (path[n] == '/' || (n == 1 && *root == '/'));
}

/* A real path below a place; hidden folders (~/.ssh) are not part of it. */
static bool is_shown_below(const char *real, const char *place, bool hidden)
{
	char *root = realpath(place, NULL);
	bool below = root && is_below(real, root) &&
		     (hidden || !strstr(real + strlen(root), "/."));

	free(root);
	return below;
}

/* Whether version control keeps this folder: a project begins there. */
static bool is_project(const char *folder)
{
	static const char *const marks[] = { ".git", ".hg", ".svn", ".repo", ".west" };
	char mark[PATH_MAX + 8];

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		snprintf(mark, sizeof(mark), "%s/%s", folder, marks[i]);
		if (access(mark, F_OK) == 0)
			return true;
	}
	return false;
}

/* In the project that this folder is part of; without one, in the folder, or `up` above it. */
static bool is_in_tree(const char *real, const char *folder, int up)
{
	char tree[PATH_MAX], *end;

	if (!realpath(folder, tree))
		return false;
	for (end = tree + strlen(tree); end && end != tree; end = strrchr(tree, '/')) {
		*end = '\0';
		if (is_project(tree))
			return is_shown_below(real, tree, false);
	}
	if (!realpath(folder, tree))
		return false;
	for (; up && (end = strrchr(tree, '/')) && end != tree; up--)
		*end = '\0';
	return is_shown_below(real, tree, false);
}

/* A build's folder is beside the sources, or in it. */
static bool is_in_tree_of(const char *real, const char *elf)
{
	char folder[PATH_MAX], *slash;

	snprintf(folder, sizeof(folder), "%s", elf);
	slash = strrchr(folder, '/');
	if (slash)
		*slash = '\0';
	return is_in_tree(real, !slash ? "." : *folder ? folder : "/", 1);
}

/*
 * An ELF names files of this machine at will: shown is what is below the folders that the user
 * named, in the tree of the ELF or of the current folder, or where everybody's sources are. A link
 * is judged by where it leads.
 */
static bool path_is_shown(const struct search *w, const char *path)
{
	const struct source_paths *p = w->paths;
	char *real = realpath(path, NULL);
	bool shown = real && ((w->beside && is_in_tree_of(real, w->beside)) ||
			      is_in_tree(real, ".", 0));

	for (size_t i = 0; real && !shown && p && i < p->dir_count; i++)
		shown = p->dirs[i][0] && is_shown_below(real, p->dirs[i], true);
	for (size_t i = 0; real && !shown && p && i < p->map_count; i++)
		shown = is_shown_below(real, p->maps[i].to, true);
	for (size_t i = 0; real && !shown && i < sizeof(shared_roots) / sizeof(*shared_roots); i++)
		shown = is_below(real, shared_roots[i]);
	free(real);
	return shown;
}

static void path_try(struct search *w, const char *path)
{
	struct source *s;
	const char *why;
	int fd;

	if (w->found || w->failed)
		return;
	fd = open_regular(path, &why);
	if (fd >= 0 && !path_is_shown(w, path)) {
		close(fd);
		place_tell(w, path, "outside the source directories; name its own as one");
		return;
	}
	if (fd < 0) {
		place_tell(w, path, why);
		return;
	}
	s = mem_zalloc(sizeof(*s));
	if (s)
		s->path = mem_strdup(path);
	w->failed = !s || !s->path;
	why = w->failed ? "out of memory" : read_file(s, fd);
	close(fd);
	if (!why) {
		w->found = s;
		return;
	}
	source_close(s);
	place_tell(w, path, why);
}

/* "dir/a/b.c", "dir/b.c" for "/a/b.c". */
static void path_try_below(struct search *w, const char *dir, size_t n, const char *path)
{
	struct buf b = BUF_INIT;

	while (n > 1 && dir[n - 1] == '/')
		n--;
	for (const char *end = path; end && !w->found; end = strchr(end, '/')) {
		while (*end == '/')
			end++;
		if (!*end)
			break;
		buf_reset(&b);
		if (!(n == 1 && dir[0] == '.')) {
			buf_add(&b, dir, n);
			if (dir[n - 1] != '/')
				buf_addc(&b, '/');
		}
		buf_adds(&b, end);
		w->failed |= b.failed;
		path_try(w, buf_str(&b));
	}
	buf_release(&b);
}

struct source *source_open(const char *path, const char *beside, const struct source_paths *paths,
			   struct buf *places)
{
	struct search w = { .paths = paths, .beside = beside, .places = places };
	char *mapped = paths ? source_paths_map(paths, path) : NULL;
	const char *slash = beside ? strrchr(beside, '/') : NULL;

	if (mapped)
		path_try(&w, mapped);
	mem_free(mapped);
	if (path[0] == '/')
		path_try(&w, path);
	for (size_t i = 0; paths && i < paths->dir_count; i++) {
		if (paths->dirs[i][0])
			path_try_below(&w, paths->dirs[i], strlen(paths->dirs[i]), path);
	}
	if (slash)
		path_try_below(&w, beside, slash == beside ? 1 : (size_t)(slash - beside), path);
	path_try_below(&w, ".", 1, path);
	return w.found;
}

/* --- properties ------------------------------------------------------------------------------- */

const char *source_path(const struct source *s)
{
	return s->path;
}

static bool is_later(struct timespec a, struct timespec b)
{
	return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

bool source_is_newer(const struct source *s, const char *elf)
{
	struct stat st;

	return elf && stat(elf, &st) == 0 && is_later(s->modified, st.st_mtim);
}

bool source_changed(const struct source *s)
{
	struct stat st;

	return stat(s->path, &st) < 0 || st.st_size != s->length ||
	       is_later(st.st_mtim, s->modified) || is_later(s->modified, st.st_mtim);
}

size_t source_lines(const struct source *s)
{
	return s->count;
}

bool source_line(const struct source *s, size_t line, struct source_line *out)
{
	size_t end;

	if (line < 1 || line > s->count)
		return false;
	end = line < s->count ? s->starts[line] : s->size;
	out->text = s->data + s->starts[line - 1];
	out->length = end - s->starts[line - 1];
	if (out->length && out->text[out->length - 1] == '\n')
		out->length--;
	if (out->length && out->text[out->length - 1] == '\r')
		out->length--;
	return true;
}
