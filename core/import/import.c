#include "core/import/parts.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/export/snapshot.h"
#include "core/profile/raw/copy.h"

static bool json_is(const uint8_t *head, size_t n)
{
	return snapshot_is((const char *)head, n);
}

static bool gmon_is(const uint8_t *head, size_t n)
{
	return n >= 20 && !memcmp(head, "gmon\1\0\0\0", 8);
}

/* Callgrind's own files begin with this line; older ones with their version. */
static bool callgrind_is(const uint8_t *head, size_t n)
{
	static const char *const begins[] = { "# callgrind format\n", "version: 1\ncreator: " };

	for (size_t i = 0; i < 2; i++)
		if (n >= strlen(begins[i]) && !memcmp(head, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* Without a row's `is` nothing in the bytes tells: any text, any gzip. */
const struct importer importers[] = {
	{ .name = "json", .help = "a snapshot: the export json of wsntop", .is = json_is },
	{ .name = "gmon", .help = "gmon.out of a target's or a host's gprof; an ELF names it",
	  .is = gmon_is, .raw = true, .read = gmon_read },
	{ .name = "callgrind", .help = "Callgrind's file format", .is = callgrind_is,
	  .read = callgrind_read },
	{ .name = "pprof", .help = "pprof's profile.proto, gzipped: *.pb.gz", .ending = ".pb.gz",
	  .read = pprof_read },
	{ .name = "folded", .help = "folded stacks in nanoseconds (with --hz: samples): *.folded",
	  .ending = ".folded", .read = folded_read },
	{ .name = NULL },
};

static bool path_ends(const char *path, const char *ending)
{
	size_t n = strlen(path), k = strlen(ending);

	return n > k && !strcmp(path + n - k, ending);
}

const struct importer *import_of(const char *path, const uint8_t *head, size_t n)
{
	for (const struct importer *i = importers; i->name; i++)
		if (i->is ? i->is(head, n) : path_ends(path, i->ending))
			return i;
	return NULL;
}

/*
 * Looked at before it is opened: to open a serial port resets many boards, and a FIFO's writer
 * would find a reader that leaves.
 */
const struct importer *import_of_file(const char *path)
{
	uint8_t head[IMPORT_HEAD];
	struct stat st;
	ssize_t n;
	int fd;

	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return NULL;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return NULL;
	n = pread(fd, head, sizeof(head), 0);
	close(fd);
	return n > 0 ? import_of(path, head, (size_t)n) : NULL;
}

static struct profile *profile_of(const struct importer *i, const struct import_bytes *b,
				  struct err *err)
{
	struct profile *p;

	if (!i->read)
		return snapshot_parse((const char *)b->data, b->size, err);
	p = mem_zalloc(sizeof(*p));
	if (!p || profile_init(p, "") < 0) {
		mem_free(p);
		err_set(err, ERR_NOMEM, "out of memory");
		return NULL;
	}
	if (i->read(p, b, err) == 0)
		return p;
	profile_drop(p);
	return NULL;
}

struct profile *import_read(const char *path, double hz, struct err *err)
{
	const struct importer *i = import_of_file(path);
	struct import_bytes b = { .hz = hz };
	struct profile *p = NULL;
	struct err why = { 0 };
	char *data;

	if (!i) {
		err_set(err, ERR_FORMAT, "%s: no format that is known", path);
		return NULL;
	}
	data = file_read(path, IMPORT_MAX, &b.size, err);
	if (!data)
		return NULL;
	b.data = (const uint8_t *)data;
	p = profile_of(i, &b, &why);
	if (!p)
		err_set(err, why.code, "%s: %s", path, why.text);
	mem_free(data);
	return p;
}
