#include "core/link/keys.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/base/sorted.h"
#include "core/link/parts.h"

#define MAGIC "wsnidx1\n"

enum { HEADER = 16, KEY_HEAD = 24, CHECK = 4 };

static void field_put(uint8_t *to, uint64_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		to[i] = (uint8_t)(v >> 8 * i);
}

static uint64_t field_get(const uint8_t *p, int bytes)
{
	uint64_t v = 0;

	for (int i = 0; i < bytes; i++)
		v |= (uint64_t)p[i] << 8 * i;
	return v;
}

static int index_open(const char *recording, int flags)
{
	struct buf path = BUF_INIT;
	int fd = -1;

	buf_addf(&path, "%s" PARTS_INDEX, recording);
	if (!path.failed)
		fd = open(buf_str(&path), flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
	buf_release(&path);
	return fd;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* An index, and of that recording. */
static bool index_fits(int fd, uint64_t wall)
{
	uint8_t header[HEADER];
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       pread(fd, header, sizeof(header), 0) == HEADER &&
	       memcmp(header, MAGIC, strlen(MAGIC)) == 0 &&
	       field_get(header + 8, 8) == wall;
}

static bool key_parse(const struct keys *k, struct key *key)
{
	const struct key *last = k->count ? &k->of[k->count - 1] : NULL;
	uint8_t head[KEY_HEAD];

	if (pread(k->fd, head, sizeof(head), (off_t)k->end) != KEY_HEAD)
		return false;
	*key = (struct key){
		.place = field_get(head, 8), .offset_ns = field_get(head + 8, 8),
		.length = (uint32_t)field_get(head + 16, 4), .at = k->end + KEY_HEAD,
		.before = (uint32_t)field_get(head + 20, 4),
	};
	return key->length <= KEYS_DATA_MAX && key->place <= INT64_MAX &&
	       key->offset_ns <= UINT64_MAX >> 2 &&
	       (!last || (key->place > last->place && key->offset_ns >= last->offset_ns));
}

/* Their checks are read when they are needed: only what is cut is told here. */
static void keys_list(struct keys *k)
{
	struct stat st;
	struct key key;

	if (fstat(k->fd, &st) < 0)
		return;
	while (k->count < KEYS_MOST && key_parse(k, &key)) {
		uint64_t end = key.at + key.length + CHECK;

		if (end > (uint64_t)st.st_size ||
		    mem_grow(&k->of, &k->cap, k->count + 1, sizeof(*k->of)) < 0)
			return;
		k->of[k->count++] = key;
		k->end = end;
	}
}

void keys_open(struct keys *k, const char *recording, uint64_t wall)
{
	*k = (struct keys){ .fd = index_open(recording, O_RDONLY), .end = HEADER };
	if (k->fd < 0)
		return;
	if (index_fits(k->fd, wall)) {
		keys_list(k);
		return;
	}
	close(k->fd);
	k->fd = -1;
}

void keys_close(struct keys *k)
{
	if (k->fd >= 0)
		close(k->fd);
	mem_free(k->of);
	*k = (struct keys){ .fd = -1 };
}

const struct key *keys_find(const struct keys *k, uint64_t offset_ns)
{
	size_t next = SORTED_ABOVE(k->of, k->count, offset_ns, offset_ns);

	return next ? &k->of[next - 1] : NULL;
}

void keys_within(struct keys *k, uint64_t size)
{
	while (k->count && k->of[k->count - 1].place > size)
		k->count--;
}

bool key_fits(const struct key *key, int recording)
{
	uint8_t before[CHECK];

	return key->place >= HEADER + CHECK &&
	       pread(recording, before, CHECK, (off_t)key->place - CHECK) == CHECK &&
	       field_get(before, CHECK) == key->before;
}

bool keys_read(const struct keys *k, const struct key *key, int recording, struct buf *bytes)
{
	size_t all = KEY_HEAD + (size_t)key->length, size = all + CHECK;
	uint8_t *data = key_fits(key, recording) ? mem_alloc(size) : NULL;
	bool right = data && pread(k->fd, data, size, (off_t)key->at - KEY_HEAD) == (ssize_t)size &&
		     field_get(data + all, CHECK) == crc32(0, data, (uInt)all);

	if (right)
		buf_add(bytes, data + KEY_HEAD, key->length);
	mem_free(data);
	return right && !bytes->failed;
}

/* --- writing ---------------------------------------------------------------------------------- */

int keys_begin(struct keys_writer *w, const char *recording, uint64_t wall, uint64_t from)
{
	*w = (struct keys_writer){ .recording = mem_strdup(recording), .wall = wall, .fd = -1,
				   .due = from + KEYS_APART };
	return w->recording ? 0 : ERR_NOMEM;
}

void keys_end(struct keys_writer *w)
{
	if (w->recording && w->fd >= 0)
		close(w->fd);
	mem_free(w->recording);
	*w = (struct keys_writer){ .fd = -1 };
}

static bool is_index(int fd)
{
	char magic[sizeof(MAGIC) - 1];

	return pread(fd, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) &&
	       memcmp(magic, MAGIC, sizeof(magic)) == 0;
}

void keys_anew(struct keys_writer *w)
{
	int fd = w->recording ? index_open(w->recording, O_RDWR) : -1;

	if (fd < 0)
		return;
	if (is_index(fd) && ftruncate(fd, 0) < 0)
		keys_end(w);
	close(fd);
}

bool keys_due(const struct keys_writer *w, uint64_t place)
{
	return w->recording && place >= w->due;
}

void keys_later(struct keys_writer *w, uint64_t place)
{
	w->wait = !w->wait ? KEYS_RETRY : w->wait < KEYS_APART ? 2 * w->wait : KEYS_APART;
	w->due = place + w->wait;
}

static bool index_begin(int fd, uint64_t wall)
{
	uint8_t header[HEADER];

	memcpy(header, MAGIC, strlen(MAGIC));
	field_put(header + 8, wall, 8);
	return ftruncate(fd, 0) == 0 && pwrite(fd, header, HEADER, 0) == HEADER;
}

/*
 * Behind the whole keys that there are; another recording's index begins again, and a file that is
 * none is left alone.
 */
static bool writer_open(struct keys_writer *w)
{
	struct keys k;
	struct stat st;

	if (w->fd >= 0)
		return true;
	keys_open(&k, w->recording, w->wall);
	w->last = k.count ? k.of[k.count - 1].place : 0;
	w->fd = index_open(w->recording, O_RDWR | O_CREAT);
	if (w->fd < 0 || fstat(w->fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    (st.st_size && !is_index(w->fd)) || flock(w->fd, LOCK_EX | LOCK_NB) < 0 ||
	    (k.fd < 0 ? !index_begin(w->fd, w->wall) : ftruncate(w->fd, (off_t)k.end) < 0)) {
		keys_close(&k);
		return false;
	}
	keys_close(&k);
	return lseek(w->fd, 0, SEEK_END) >= 0;
}

static bool key_write(const struct keys_writer *w, const struct key *key, const struct buf *bytes)
{
	size_t all = KEY_HEAD + bytes->len;
	uint8_t *data = mem_alloc(all + CHECK);
	bool done;

	if (!data)
		return false;
	field_put(data, key->place, 8);
	field_put(data + 8, key->offset_ns, 8);
	field_put(data + 16, bytes->len, 4);
	field_put(data + 20, key->before, 4);
	memcpy(data + KEY_HEAD, buf_str(bytes), bytes->len);
	field_put(data + all, crc32(0, data, (uInt)all), CHECK);
	done = write(w->fd, data, all + CHECK) == (ssize_t)(all + CHECK);
	mem_free(data);
	return done;
}

void keys_put(struct keys_writer *w, const struct key *key, const struct buf *bytes)
{
	uint64_t apart = KEYS_SHARE * (uint64_t)bytes->len;

	w->wait = 0;
	w->due = key->place + (apart > KEYS_APART ? apart : KEYS_APART);
	if (bytes->len > KEYS_DATA_MAX)
		return;
	if (!writer_open(w)) {		/* or another one writes it just now */
		keys_end(w);
		return;
	}
	if (key->place <= w->last) {
		w->due = w->last + KEYS_APART;
		return;
	}
	w->last = key->place;
	if (!key_write(w, key, bytes))
		keys_end(w);
}
