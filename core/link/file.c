/*
 * Files, FIFOs and standard input: a descriptor whose end is the end. What begins with RECORD_MAGIC
 * is a recording and is replayed with its pace (replay.c), out of a pipe too.
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
#include "core/link/file.h"

#define LOOK_NS CLOCK_SECOND		/* between two looks for more of a recording */

/* --- open ------------------------------------------------------------------------------------- */

void file_release(struct link *l)
{
	struct file_own *f = l->own;

	if (f) {
		resync_free(f->resync);
		leap_release(f);
		parts_release(&f->parts);
	}
	mem_free(f);
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

/* A recorder holds the lock; else it is ours: nobody records into what is replayed. */
bool file_is_written(const struct link *l)
{
	return flock(l->fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
}

static bool recording_sniff(struct link *l);

/* What a recording says of itself is known before its bytes are read. */
static void recording_ahead(struct link *l)
{
	file_fill(l);
	if (recording_sniff(l) && l->ops == &link_recording)
		replay_about(l);
}

int file_begin(struct link *l, struct err *err)
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
	f->pace.since = l->now;
	f->start = l->options.zero_ns ? l->options.zero_ns : l->now;
	f->pace.goal = FILE_NOWHERE;
	f->alone = true;
	f->keys.fd = f->making.fd = -1;
	f->regular = S_ISREG(st.st_mode);
	f->grows = f->regular && file_is_written(l) && l->options.follow;
	at = lseek(l->fd, 0, SEEK_CUR);	/* standard input may be half read */
	f->begin = at > 0 ? at : 0;
	if (f->regular && st.st_size > at)
		f->size = (uint64_t)(st.st_size - at);
	if (f->size >= RECORD_HEADER)
		recording_ahead(l);
	return 0;
}

int file_open(struct link *l, struct err *err)
{
	int ret;

	if (parts_is_folder(l->where))
		return chain_open(l, err);
	l->fd = open(l->where, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	ret = l->fd < 0 ? file_refused(l, err) : file_begin(l, err);
	if (ret == 0)
		((struct file_own *)l->own)->named = true;
	return ret;
}

static int stdin_open(struct link *l, struct err *err)
{
	l->fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (l->fd < 0)
		return err_set(err, ERR_IO, "standard input is closed");
	return file_begin(l, err);
}

/* --- bytes from the descriptor ---------------------------------------------------------------- */

/* All was read. Whether more may come: what the recorder wrote last is read after it has ended. */
static bool growth_await(struct link *l)
{
	struct file_own *f = l->own;

	if (!f->grows)
		return false;
	f->grows = f->dry = file_is_written(l);
	f->look_ns = l->now + LOOK_NS;
	return true;
}

static void size_note(struct link *l)
{
	struct file_own *f = l->own;
	struct stat st;

	if (!f->grows || fstat(l->fd, &st) < 0 || st.st_size <= f->begin)
		return;
	if (f->parts.count)
		chain_size(f, (uint64_t)st.st_size);
	else
		f->size = (uint64_t)(st.st_size - f->begin);
}

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

	if (f->eof || (f->dry && l->now < f->look_ns))
		return 0;
	if (!f->regular && poll(&p, 1, 0) <= 0)
		return 0;
	n = read(l->fd, to, room);
	if (n > 0) {
		f->taken += (uint64_t)n;
		f->dry = false;
		size_note(l);
		return n;
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n == 0 && growth_await(l))
		return 0;
	if (n < 0) {
		err_clear(&l->why);
		err_set(&l->why, ERR_IO, "read error: %s", strerror(errno));
	}
	f->eof = true;
	return 0;
}

void file_fill(struct link *l)
{
	struct file_own *f = l->own;

	assert(!f->left);		/* f->data points into the buffer */
	if (f->head) {
		memmove(f->buffer, f->buffer + f->head, f->len);
		f->head = 0;
		resync_forget(f->resync);
	}
	if (f->len < FILE_BUFFER)
		f->len += (size_t)bytes_read(l, f->buffer + f->len, FILE_BUFFER - f->len);
}

void file_use(struct file_own *f, size_t n)
{
	f->head += n;
	f->len -= n;
}

static ssize_t hand_out(struct file_own *f, uint8_t *buf, size_t size)
{
	size_t n = f->len < size ? f->len : size;

	memcpy(buf, f->buffer + f->head, n);
	file_use(f, n);
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
	f->grows = f->grows && same && n == RECORD_MAGIC_SIZE;
	if (!same || n < RECORD_MAGIC_SIZE)
		return true;
	l->ops = &link_recording;
	if (f->len >= RECORD_HEADER) {
		f->wall = record_wall(f->buffer + f->head);
		file_use(f, RECORD_HEADER);
	}
	return true;
}

static ssize_t file_read(struct link *l, uint8_t *buf, size_t size, uint64_t *time_ns)
{
	struct file_own *f = l->own;
	ssize_t n;

	if (!f->sniffed) {
		file_fill(l);
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

int file_fd(const struct link *l)
{
	const struct file_own *f = l->own;

	return f->regular || f->eof ? -1 : l->fd;
}

static int file_timeout(const struct link *l, uint64_t now)
{
	const struct file_own *f = l->own;

	if (f->dry)
		return clock_ms_until(f->look_ns, now);
	return f->regular || f->eof || (f->sniffed && f->len) ? 0 : -1;
}

double file_progress(const struct link *l)
{
	const struct file_own *f = l->own;
	uint64_t done = f->taken - f->len - f->left;

	if (!f->regular)
		return -1;
	return done < f->size ? (double)done / (double)f->size : 1;
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
