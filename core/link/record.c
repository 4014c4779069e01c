#include "core/link/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/link/record_own.h"

/* Of a chunk: u64 time, u32 length, data, u32 check. */
enum { AT_LENGTH = 8, AT_DATA = 12 };

#define KINDS (RECORD_ABOUT | RECORD_BESIDE | RECORD_AGAIN)

/* Times beyond this are no times but damage that its check did not catch: 146 years. */
#define OFFSET_MAX (UINT64_MAX >> 2)

static void put_u32(uint8_t *to, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		to[i] = (uint8_t)(v >> 8 * i);
}

static void put_u64(uint8_t *to, uint64_t v)
{
	put_u32(to, (uint32_t)v);
	put_u32(to + 4, (uint32_t)(v >> 32));
}

static uint32_t get_u32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t get_u64(const uint8_t *p)
{
	return get_u32(p) | (uint64_t)get_u32(p + 4) << 32;
}

static uint32_t check_of(const uint8_t *data, size_t n)
{
	return (uint32_t)crc32(0, data, (uInt)n);
}

/* --- the format ------------------------------------------------------------------------------- */

void record_header(uint8_t *to, uint64_t wall_ns)
{
	memcpy(to, RECORD_MAGIC, RECORD_MAGIC_SIZE);
	put_u64(to + RECORD_MAGIC_SIZE, wall_ns);
}

uint64_t record_wall(const uint8_t *header)
{
	return get_u64(header + RECORD_MAGIC_SIZE);
}

static size_t chunk_put(uint8_t *to, uint64_t offset_ns, const void *data, size_t n, uint32_t kind)
{
	put_u64(to, offset_ns);
	put_u32(to + AT_LENGTH, (uint32_t)n | kind);
	memcpy(to + AT_DATA, data, n);
	put_u32(to + AT_DATA + n, check_of(to, AT_DATA + n));
	return AT_DATA + n + RECORD_CHECK;
}

size_t record_chunk(uint8_t *to, uint64_t offset_ns, const uint8_t *data, size_t n)
{
	return chunk_put(to, offset_ns, data, n, 0);
}

size_t record_chunk_about(uint8_t *to, uint64_t offset_ns, const char *text, size_t n)
{
	return chunk_put(to, offset_ns, text, n, RECORD_ABOUT);
}

/* --- writing ---------------------------------------------------------------------------------- */

/* The first name that is free: day-2.wsnrec. */
static void name_free(const char *path, struct buf *name)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
	size_t stem = dot && dot > (slash ? slash + 1 : path) ? (size_t)(dot - path) :
								 strlen(path);

	for (unsigned i = 2; i < 1000; i++) {
		buf_reset(name);
		buf_add(name, path, stem);
		buf_addf(name, "-%u%s", i, path + stem);
		if (access(buf_str(name), F_OK) < 0)
			return;
	}
}

/* A recording that holds more than its header: somebody's day. */
static int recording_refuse(const char *path, struct err *err)
{
	struct buf name = BUF_INIT;

	name_free(path, &name);
	err_advise(err, ERR_USAGE, ADVICE_FORCE, "%s: holds a recording already; record into %s",
		   path, buf_str(&name));
	buf_release(&name);
	return ERR_USAGE;
}

/* What stands under that name may go: nothing, an empty file, with `force` a recording. */
static int check_replaceable(int fd, const char *path, bool force, struct err *err)
{
	char magic[RECORD_MAGIC_SIZE];
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_errno(err, "%s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_USAGE, "%s: not a regular file: record into one", path);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		return err_set(err, ERR_USAGE, "%s: is being replayed or written: record into "
			       "another file", path);
	if (st.st_size == 0)
		return 0;
	if (pread(fd, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) &&
	    memcmp(magic, RECORD_MAGIC, sizeof(magic)) == 0)
		return force || st.st_size <= RECORD_HEADER ? 0 : recording_refuse(path, err);
	return err_set(err, ERR_USAGE, "%s: exists and is not a recording: move it or record into "
				       "another file", path);
}

/* One write(2), unless the disk gets full: then a second one learns what the matter is. */
int record_bytes(struct record *r, const uint8_t *data, size_t n)
{
	size_t at = 0;

	while (at < n) {
		ssize_t done = write(r->fd, data + at, n - at);

		if (done < 0 && errno != EINTR)
			return -1;
		if (done > 0)
			at += (size_t)done;
	}
	r->whole += (off_t)n;
	return 0;
}

void record_mend(struct record *r)
{
	if (ftruncate(r->fd, r->whole) < 0 || lseek(r->fd, r->whole, SEEK_SET) < 0) {
		/* A torn last chunk is what a reader steps over anyway. */
	}
}

/* The first failure ends the recording: with a hole in it it would replay as another stream. */
static int give_up(struct record *r, struct err *err)
{
	int ret = err_errno(err, "%s: recording stopped (it is complete up to here)", r->path);

	r->failed = true;
	record_mend(r);
	return ret;
}

void record_index(struct record *r, uint64_t wall)
{
	keys_end(&r->keys);
	if (r->rotate && r->rotate->unread)
		return;
	if (keys_begin(&r->keys, r->path, wall, (uint64_t)r->whole) == 0)
		keys_anew(&r->keys);
	if (r->rotate && r->rotate->tally.parts > 1)
		r->keys.due = (uint64_t)r->whole;	/* what was in the parts before it */
}

static int record_begin(struct record *r, bool force, struct err *err)
{
	uint8_t header[RECORD_HEADER];
	uint64_t wall = clock_wall();

	r->fd = open(r->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
	if (r->fd < 0)
		return err_errno(err, "%s: cannot record", r->path);
	if (check_replaceable(r->fd, r->path, force, err) < 0)
		return ERR_USAGE;
	record_header(header, wall);
	r->zero_ns = clock_now();
	if (ftruncate(r->fd, 0) < 0 || record_bytes(r, header, sizeof(header)) < 0)
		return err_errno(err, "%s: cannot record", r->path);
	record_index(r, wall);
	return 0;
}

struct record *record_new(const char *path, bool force, struct err *err)
{
	struct record *r = mem_zalloc(sizeof(*r));

	if (!r || !(r->path = mem_strdup(path))) {
		mem_free(r);
		err_set(err, ERR_NOMEM, "%s: out of memory", path);
		return NULL;
	}
	if (record_begin(r, force, err) < 0) {
		record_free(r);
		return NULL;
	}
	return r;
}

int record_sync(struct record *r, struct err *err)
{
	if (r->fd < 0 || r->failed || fsync(r->fd) == 0)
		return 0;
	return err_errno(err, "%s: the end of the recording may be missing", r->path);
}

void record_free(struct record *r)
{
	if (!r)
		return;
	rotate_free(r);
	keys_end(&r->keys);
	if (r->fd >= 0)
		close(r->fd);
	mem_free(r->path);
	mem_free(r);
}

void record_resumes(struct record *r, record_again_fn *again, void *ctx)
{
	r->again = again;
	r->again_ctx = ctx;
}

static uint64_t offset_of(struct record *r, uint64_t time_ns)
{
	uint64_t offset = time_ns > r->zero_ns ? time_ns - r->zero_ns : 0;

	if (offset > OFFSET_MAX)
		offset = OFFSET_MAX;
	if (offset > r->last_ns)
		r->last_ns = offset;
	return r->last_ns;
}

int record_chunks(struct record *r, uint64_t time_ns, const uint8_t *data, size_t n, uint32_t kind)
{
	uint64_t offset = offset_of(r, time_ns);

	while (n) {
		size_t length = n < RECORD_DATA_MAX ? n : RECORD_DATA_MAX;
		size_t size = chunk_put(r->chunk, offset, data, length, kind);

		if (record_bytes(r, r->chunk, size) < 0)
			return -1;
		data += length;
		n -= length;
	}
	return 0;
}

/*
 * A key of the index, of all that was written. It costs a decoder's tables once in a megabyte or
 * more; what is not whole is tried again a little later.
 */
static void key_make(struct record *r)
{
	struct key key = { .place = (uint64_t)r->whole, .offset_ns = r->last_ns };
	struct buf bytes = BUF_INIT;
	uint8_t before[RECORD_CHECK];

	if (!r->again || r->fd < 0 || !keys_due(&r->keys, key.place))
		return;
	if (r->again(r->again_ctx, &bytes) && !bytes.failed &&
	    pread(r->fd, before, RECORD_CHECK, r->whole - RECORD_CHECK) == RECORD_CHECK) {
		key.before = record_check(before);
		keys_put(&r->keys, &key, &bytes);
	} else {
		keys_later(&r->keys, key.place);
	}
	buf_release(&bytes);
}

/* In parts. What is written of it before a write failed is cut off, and it is tried as a whole. */
static void parts_chunks(struct record *r, uint64_t time_ns, const uint8_t *data, size_t n,
			 uint32_t kind)
{
	off_t before;
	bool again;

	if (kind != RECORD_AGAIN)	/* it is of what stands before it */
		rotate_before(r, time_ns, n);
	do {
		if (rotate_is_stuck(r)) {
			rotate_failed(r, time_ns, n);
			return;
		}
		before = r->whole;
		again = record_chunks(r, time_ns, data, n, kind) < 0;
		if (again)
			r->whole = before;
		else
			rotate_wrote(r, (size_t)(r->whole - before));
	} while (again && rotate_failed(r, time_ns, n));
}

static int chunks_add(struct record *r, uint64_t time_ns, const uint8_t *data, size_t n,
		      uint32_t kind, struct err *err)
{
	if (r->failed || !n)
		return 0;
	if (!kind)
		key_make(r);
	if (!r->rotate)
		return record_chunks(r, time_ns, data, n, kind) < 0 ? give_up(r, err) : 0;
	parts_chunks(r, time_ns, data, n, kind);
	return 0;
}

int record_add(struct record *r, uint64_t time_ns, const uint8_t *data, size_t n, struct err *err)
{
	return chunks_add(r, time_ns, data, n, 0, err);
}

int record_beside(struct record *r, uint64_t time_ns, const uint8_t *data, size_t n,
		  struct err *err)
{
	return chunks_add(r, time_ns, data, n, RECORD_BESIDE, err);
}

int record_keyframe(struct record *r, uint64_t time_ns, const uint8_t *data, size_t n,
		    struct err *err)
{
	return chunks_add(r, time_ns, data, n, RECORD_AGAIN, err);
}

int record_about(struct record *r, const char *text, struct err *err)
{
	size_t n = strlen(text);

	if (!n || n > RECORD_ABOUT_MAX)
		return 0;
	memcpy(r->about, text, n + 1);
	return chunks_add(r, clock_now(), (const uint8_t *)text, n, RECORD_ABOUT, err);
}

/* --- reading ---------------------------------------------------------------------------------- */

enum record_parsed record_parse(const uint8_t *in, size_t n, struct record_chunk *c, size_t *used)
{
	*used = 0;
	if (n < AT_DATA)
		return RECORD_MORE;
	c->offset_ns = get_u64(in);
	c->data = in + AT_DATA;
	c->length = get_u32(in + AT_LENGTH) & ~KINDS;
	c->about = get_u32(in + AT_LENGTH) & RECORD_ABOUT;
	c->beside = get_u32(in + AT_LENGTH) & RECORD_BESIDE;
	c->again = get_u32(in + AT_LENGTH) & RECORD_AGAIN;
	if (c->length == 0 || c->about + c->beside + c->again > 1 ||
	    c->length > (c->about ? RECORD_ABOUT_MAX : RECORD_DATA_MAX) ||
	    c->offset_ns > OFFSET_MAX)
		return RECORD_LOST;
	*used = (size_t)AT_DATA + c->length + RECORD_CHECK;
	return n < *used ? RECORD_MORE : RECORD_CHUNK;
}

uint32_t record_check(const uint8_t *in)
{
	return get_u32(in);
}

bool record_is_whole(const uint8_t *in, size_t used)
{
	return record_check(in + used - RECORD_CHECK) == check_of(in, used - RECORD_CHECK);
}
