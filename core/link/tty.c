/*
 * Terminals that libserialport refuses: a pty (the far end of a simulator) and drivers outside
 * /sys/class/tty.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/link/holders.h"
#include "core/link/line.h"
#include "core/link/link_ops.h"

/*
 * A simulator's /dev/pts/5, once it is gone, may be the next terminal window's: taking it up again
 * would steal what somebody types there.
 */
static int check_unattended(int fd, struct err *err)
{
	char who[64];
	struct stat st;

	if (fstat(fd, &st) == 0 && holders_session("", st.st_rdev, who, sizeof(who)))
		return err_set(err, ERR_USAGE, "this is the terminal of %s, not a node's port",
			       who);
	return 0;
}

/* A program that took no lock has it open already: each byte goes to one of the two. */
static void others_note(struct link *l, const char *path)
{
	char real[PATH_MAX];
	struct holder h = { .device = real };

	if (l->starting && realpath(path, real))
		holders_find("", &h, 1);
	if (h.who[0])
		err_set(&l->why, ERR_IO, "%s has it open, too, and takes some of its bytes; close "
			"that", h.who);
}

int tty_claim(struct link *l, int fd, const char *path, struct err *err)
{
	if (check_unattended(fd, err) < 0)
		return ERR_USAGE;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) {
		errno = EBUSY;
		return link_refused(l, path, err);
	}
	/*
	 * A pty keeps the flag while its other end lives: after a crash of ours nobody could
	 * open it again. The lock above is enough there.
	 */
	if (!line_is_pty(fd)) {
		line_lock(fd, true);
		others_note(l, path);
	}
	return 0;
}

/* What the driver made of it. */
static void baud_check(struct link *l)
{
	long baud = line_baud(l->fd);

	if (baud)
		l->baud = baud;
	if (l->baud && labs(l->baud - l->options.baud) > l->options.baud / 50)
		err_set(&l->why, ERR_IO, "%ld baud requested, the driver uses %ld", l->options.baud,
			l->baud);
}

static int tty_set_baud(struct link *l, struct err *err)
{
	if (line_set_baud(l->fd, l->options.baud) < 0)
		return err_errno(err, "the driver refuses %ld baud", l->options.baud);
	baud_check(l);
	line_drop_input(l->fd);
	return 0;
}

static int tty_setup(struct link *l, struct err *err)
{
	bool has_baud = l->rated || !line_is_pty(l->fd);

	if (line_make_raw(l->fd, has_baud ? l->options.baud : 0) < 0)
		return err_errno(err, "cannot be set to raw mode");
	if (has_baud)
		baud_check(l);
	return 0;
}

static void claim_drop(struct link *l)
{
	close(l->fd);
	l->fd = -1;
}

static int tty_open(struct link *l, struct err *err)
{
	const int flags = O_NOCTTY | O_NONBLOCK | O_CLOEXEC;
	int ret;

	l->fd = open(l->where, O_RDWR | flags);
	if (l->fd < 0 && (errno == EACCES || errno == EROFS)) {
		l->fd = open(l->where, O_RDONLY | flags);
		l->read_only = true;
	}
	if (l->fd < 0)
		return link_refused(l, l->where, err);
	if (!line_is_terminal(l->fd)) {
		claim_drop(l);
		l->ops = &link_file;	/* a device, but no terminal: taken as it comes */
		return l->ops->open(l, err);
	}
	ret = tty_claim(l, l->fd, l->where, err);
	if (ret == 0)
		ret = tty_setup(l, err);
	if (ret < 0)
		claim_drop(l);
	return ret;
}

static void tty_close(struct link *l)
{
	if (!line_is_pty(l->fd))
		line_lock(l->fd, false);
}

const struct link_ops link_tty = {
	.kind = "tty",
	.gone = "the peer disconnected",
	.live = true,
	.open = tty_open,
	.close = tty_close,
	.read = link_tty_read,
	.write = link_tty_write,
	.set_baud = tty_set_baud,
};
