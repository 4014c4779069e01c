/*
 * Terminals that libserialport refuses: a pty (the far end of a simulator) and drivers outside
 * /sys/class/tty. Linux's termios2 throughout, since only it takes any baud rate; its header and
 * <termios.h> exclude each other.
 */
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "core/link/holders.h"
#include "core/link/link_ops.h"

/* Linux, Documentation/admin-guide/devices.txt: Unix98 pty slaves. */
enum { PTY_MAJOR_FIRST = 136, PTY_MAJOR_LAST = 143 };

static bool is_pty(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && major(st.st_rdev) >= PTY_MAJOR_FIRST &&
	       major(st.st_rdev) <= PTY_MAJOR_LAST;
}

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
	if (!is_pty(fd))
		ioctl(fd, TIOCEXCL);
	return 0;
}

/* cfmakeraw(3), 8N1, no flow control. */
static void make_raw(struct termios2 *t)
{
	t->c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL |
				  IXON | IXOFF | IXANY | INPCK);
	t->c_oflag &= ~(tcflag_t)OPOST;
	t->c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
	t->c_cflag &= ~(tcflag_t)(CSIZE | PARENB | CSTOPB | CRTSCTS);
	t->c_cflag |= CS8 | CLOCAL | CREAD;
	t->c_cc[VMIN] = 1;
	t->c_cc[VTIME] = 0;
}

static void set_baud(struct termios2 *t, long baud)
{
	t->c_cflag &= ~(tcflag_t)(CBAUD | CBAUD << IBSHIFT);
	t->c_cflag |= BOTHER | BOTHER << IBSHIFT;
	t->c_ospeed = t->c_ispeed = (speed_t)baud;
}

/* What the driver made of it. */
static void read_baud(struct link *l, struct termios2 *t)
{
	if (ioctl(l->fd, TCGETS2, t) == 0)
		l->baud = (long)t->c_ospeed;
	if (l->baud && labs(l->baud - l->options.baud) > l->options.baud / 50)
		err_set(&l->why, ERR_IO, "%ld baud requested, the driver uses %ld", l->options.baud,
			l->baud);
}

static int tty_set_baud(struct link *l, struct err *err)
{
	struct termios2 t;

	if (ioctl(l->fd, TCGETS2, &t) < 0)
		return err_errno(err, "its baud rate cannot be read");
	set_baud(&t, l->options.baud);
	if (ioctl(l->fd, TCSETS2, &t) < 0)
		return err_errno(err, "the driver refuses %ld baud", l->options.baud);
	read_baud(l, &t);
	ioctl(l->fd, TCFLSH, TCIFLUSH);
	return 0;
}

static int tty_setup(struct link *l, struct termios2 *t, struct err *err)
{
	bool has_baud = l->rated || !is_pty(l->fd);

	make_raw(t);
	if (has_baud)
		set_baud(t, l->options.baud);
	if (ioctl(l->fd, TCSETS2, t) < 0)
		return err_errno(err, "cannot be set to raw mode");
	if (has_baud)
		read_baud(l, t);
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
	struct termios2 t;
	int ret;

	l->fd = open(l->where, O_RDWR | flags);
	if (l->fd < 0 && (errno == EACCES || errno == EROFS)) {
		l->fd = open(l->where, O_RDONLY | flags);
		l->read_only = true;
	}
	if (l->fd < 0)
		return link_refused(l, l->where, err);
	if (ioctl(l->fd, TCGETS2, &t) < 0) {
		claim_drop(l);
		l->ops = &link_file;	/* a device, but no terminal: taken as it comes */
		return l->ops->open(l, err);
	}
	ret = tty_claim(l, l->fd, l->where, err);
	if (ret == 0)
		ret = tty_setup(l, &t, err);
	if (ret < 0)
		claim_drop(l);
	return ret;
}

static void tty_close(struct link *l)
{
	if (!is_pty(l->fd))
		ioctl(l->fd, TIOCNXCL);
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
