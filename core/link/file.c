/*
 * Files, FIFOs and standard input: a descriptor whose end is the end. What begins with RECORD_MAGIC
 * is a recording and is replayed with its pace, out of a pipe too.
 *
 *	buffer_fill() --> [ buffer ] --> plain: as it comes
 *	                     `--> recording: chunk by chunk, when each is due
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/link/link_ops.h"
#include "core/link/record.h"

enum { BUFFER = 2 * RECORD_CHUNK_MAX };

struct file_own {
	bool regular;			/* always ready, and it has a length */
	bool eof;			/* the descriptor gave all it had */
	bool sniffed;			/* recording or not: known */
	bool lost;			/* past damage that nothing can be read behind */
	uint64_t size, taken;		/* of the file; read from it */
	uint64_t damaged;		/* bytes of a recording left out */
	size_t head, len;		/* of buffer: what was read and not used */
	/* the chunk being replayed */
	bool hungry;			/* for more than the buffer holds */
	const uint8_t *data;		/* in buffer */
	size_t left;
	uint64_t start;			/* of the replay */
	uint64_t wall;			/* when the recording was begun */
	uint64_t offset, due;		/* of the chunk: as kept; when, at our speed */
	uint8_t buffer[BUFFER];
};

/* --- open ------------------------------------------------------------------------------------- */

static void file_release(struct link *l)
{
	mem_free(l->own);
	l->own = NULL;
}

static int file_refused(struct link *l, struct err *err)
{
	int error = errno;

	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
	errno = error;
	return link_refused(l, l->where, err);
}

/* l->fd, just opened, is made a stream. */
static int file_begin(struct link *l, struct err *err)
{
	struct file_own *f;
	struct stat st;
	off_t at;

	if (fstat(l->fd, &st) < 0)
		return file_refused(l, err);
	f = l->own = mem_alloc(sizeof(*f));
	if (!f) {
		close(l->fd);
		l->fd = -1;
		return err_set(err, ERR_NOMEM, "out of memory");
	}
	memset(f, 0, offsetof(struct file_own, buffer));
	f->start = l->now;
	f->regular = S_ISREG(st.st_mode);
	if (f->regular)
		flock(l->fd, LOCK_SH | LOCK_NB);	/* nobody records into what is replayed */
	at = lseek(l->fd, 0, SEEK_CUR);	/* standard input may be half read */
	if (f->regular && st.st_size > at)
		f->size = (uint64_t)(st.st_size - at);
	return 0;
}

static int file_open(struct link *l, struct err *err)
{
	l->fd = open(l->where, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return l->fd < 0 ? file_refused(l, err) : file_begin(l, err);
}

static int stdin_open(struct link *l, struct err *err)
{
	l->fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (l->fd < 0)
		return err_set(err, ERR_IO, "standard input is closed");
	return file_begin(l, err);
}

/* --- bytes from the descriptor ---------------------------------------------------------------- */

/*
 * Standard input's descriptor is shared with whoever started us, so it is not made non-blocking but
 * asked first. That also tells a FIFO that nobody writes to yet (not ready) from one at its end
 * (ready, and reads 0).
 */
static ssize_t bytes_read(struct link *l, uint8_t *to, size_t room)
{
	struct file_own *f = l->own;
	struct pollfd p = { .fd = l->fd, .events = POLLIN };
	ssize_t n;

	if (f->eof)
		return 0;
	if (!f->regular && poll(&p, 1, 0) <= 0)
		return 0;
	n = read(l->fd, to, room);
	if (n > 0) {
		f->taken += (uint64_t)n;
		return n;
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n < 0) {
		err_clear(&l->why);
		err_set(&l->why, ERR_IO, "read error: %s", strerror(errno));
	}
	f->eof = true;
	return 0;
}

static void buffer_fill(struct link *l)
{
	struct file_own *f = l->own;

	assert(!f->left);		/* f->data points into the buffer */
	if (f->head) {
		memmove(f->buffer, f->buffer + f->head, f->len);
		f->head = 0;
	}
	if (f->len < BUFFER)
		f->len += (size_t)bytes_read(l, f->buffer + f->len, BUFFER - f->len);
}

static void buffer_use(struct file_own *f, size_t n)
{
	f->head += n;
	f->len -= n;
}

static ssize_t hand_out(struct file_own *f, uint8_t *buf, size_t size)
{
	size_t n = f->len < size ? f->len : size;

	memcpy(buf, f->buffer + f->head, n);
	buffer_use(f, n);
	return (ssize_t)n;
}

/* --- a recording ------------------------------------------------------------------------------ */

/* Cut, or damaged so that nothing tells where the next chunk begins: the rest is left out. */
static ssize_t leave_rest(struct link *l)
{
	struct file_own *f = l->own;

	f->lost = true;
	f->hungry = true;
	f->damaged += f->len;
	buffer_use(f, f->len);
	buffer_fill(l);			/* for the next call: an endless pipe must not hold us */
	return f->eof && !f->len ? LINK_EOF : 0;
}

static void say_damaged(struct link *l)
{
	const struct file_own *f = l->own;

	if (f->damaged && !err_is_set(&l->why))
		err_set(&l->why, ERR_FORMAT, "recording cut or damaged: %" PRIu64 " bytes left out",
			f->damaged);
}

static uint64_t due_at(const struct link *l, const struct file_own *f)
{
	const double longest = 9e18;	/* and start + that is still a time */
	double ns = (double)f->offset / l->options.speed;

	return f->start + (uint64_t)(ns < longest ? ns : longest);
}

static void begin_chunk(struct link *l, const struct record_chunk *c)
{
	struct file_own *f = l->own;

	if (c->offset_ns > f->offset)	/* times never go back */
		f->offset = c->offset_ns;
	f->due = l->options.speed > 0 ? due_at(l, f) : 0;
	f->data = c->data;
	f->left = c->length;
}

/* 1 a chunk stands ready, 0 none now, LINK_EOF. */
static int next_chunk(struct link *l)
{
	struct file_own *f = l->own;
	struct record_chunk c;
	bool fresh = false;
	size_t used;

	while (!f->lost) {
		switch (record_parse(f->buffer + f->head, f->len, &c, &used)) {
		case RECORD_CHUNK:
			buffer_use(f, used);
			begin_chunk(l, &c);
			f->hungry = false;
			return 1;
		case RECORD_DAMAGED:
			buffer_use(f, used);
			f->damaged += used;
			break;
		case RECORD_MORE:
			if (!fresh && !f->eof) {
				buffer_fill(l);
				fresh = true;
				break;
			}
			f->hungry = true;
			if (!f->eof)
				return 0;
			/* fall through */
		case RECORD_LOST:
			return (int)leave_rest(l);
		}
	}
	return (int)leave_rest(l);
}

static ssize_t recording_read(struct link *l, uint8_t *buf, size_t size, uint64_t *time_ns)
{
	struct file_own *f = l->own;
	size_t n;

	if (!f->left) {
		int ret = next_chunk(l);

		if (ret == LINK_EOF)
			say_damaged(l);
		if (ret <= 0)
			return ret;
	}
	if (l->now < f->due)
		return 0;
	n = f->left < size ? f->left : size;
	memcpy(buf, f->data, n);
	f->data += n;
	f->left -= n;
	*time_ns = f->start + f->offset;
	return (ssize_t)n;
}

/* --- which of the two ------------------------------------------------------------------------- */

/* Whether enough was seen to tell. A recording's header is taken off. */
static bool recording_sniff(struct link *l)
{
	struct file_own *f = l->own;
	size_t n = f->len < RECORD_MAGIC_SIZE ? f->len : RECORD_MAGIC_SIZE;
	bool same = memcmp(f->buffer, RECORD_MAGIC, n) == 0;

	if (same && f->len < RECORD_HEADER && !f->eof)
		return false;
	f->sniffed = true;
	if (!same || n < RECORD_MAGIC_SIZE)
		return true;
	l->ops = &link_recording;
	if (f->len >= RECORD_HEADER) {
		f->wall = record_wall(f->buffer + f->head);
		buffer_use(f, RECORD_HEADER);
	}
	return true;
}

static ssize_t file_read(struct link *l, uint8_t *buf, size_t size, uint64_t *time_ns)
{
	struct file_own *f = l->own;
	ssize_t n;

	if (!f->sniffed) {
		buffer_fill(l);
		if (!recording_sniff(l))
			return 0;
		if (l->ops == &link_recording)
			return l->ops->read(l, buf, size, time_ns);
	}
	if (f->len)
		return hand_out(f, buf, size);
	n = bytes_read(l, buf, size);
	return n == 0 && f->eof ? LINK_EOF : n;
}

/* --- polling, progress ------------------------------------------------------------------------ */

static int file_fd(const struct link *l)
{
	const struct file_own *f = l->own;

	return f->regular || f->eof ? -1 : l->fd;
}

static int file_timeout(const struct link *l, uint64_t now)
{
	const struct file_own *f = l->own;

	(void)now;
	return f->regular || f->eof || (f->sniffed && f->len) ? 0 : -1;
}

/* Paced, the descriptor waits until the chunk in hand was due. */
static int recording_fd(const struct link *l)
{
	const struct file_own *f = l->own;

	return f->left ? -1 : file_fd(l);
}

static int recording_timeout(const struct link *l, uint64_t now)
{
	const struct file_own *f = l->own;

	if (f->left)
		return clock_ms_until(f->due, now);
	return f->hungry && !f->regular && !f->eof ? -1 : 0;
}

static double file_progress(const struct link *l)
{
	const struct file_own *f = l->own;
	uint64_t done = f->taken - f->len - f->left;

	if (!f->regular)
		return -1;
	return done < f->size ? (double)done / (double)f->size : 1;
}

static bool recording_wall(const struct link *l, int64_t *ns)
{
	const struct file_own *f = l->own;

	*ns = (int64_t)(f->wall - f->start);
	return true;
}

static uint64_t file_damaged(const struct link *l)
{
	return ((const struct file_own *)l->own)->damaged;
}

const struct link_ops link_file = {
	.kind = "file",
	.open = file_open,
	.read = file_read,
	.release = file_release,
	.fd = file_fd,
	.timeout = file_timeout,
	.progress = file_progress,
};

const struct link_ops link_stdin = {
	.kind = "stdin",
	.open = stdin_open,
	.read = file_read,
	.release = file_release,
	.fd = file_fd,
	.timeout = file_timeout,
	.progress = file_progress,
};

const struct link_ops link_recording = {
	.kind = "recording",
	.open = file_open,
	.read = recording_read,
	.release = file_release,
	.fd = recording_fd,
	.timeout = recording_timeout,
	.progress = file_progress,
	.damaged = file_damaged,
	.wall = recording_wall,
};
