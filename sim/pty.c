/* pty: openpty(3) and its habits. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "sim/pty.h"

/* Through the master: it applies to the other end, and is forgotten with the last close there. */
static void tty_make_raw(int fd)
{
	struct termios t;

	if (tcgetattr(fd, &t) < 0)
		return;
	cfmakeraw(&t);
	tcsetattr(fd, TCSANOW, &t);
}

static int link_make(const char *link, const char *name, struct err *err)
{
	struct stat st;

	if (!lstat(link, &st)) {
		if (!S_ISLNK(st.st_mode))
			return err_set(err, ERR_USAGE, "%s: exists and is no link", link);
		unlink(link);
	}
	if (symlink(name, link) < 0)
		return err_errno(err, "%s", link);
	return 0;
}

int pty_open(struct pty *p, const char *link, struct err *err)
{
	int slave;

	*p = (struct pty){ .master = -1 };
	if (openpty(&p->master, &slave, p->name, NULL, NULL) < 0)
		return err_errno(err, "openpty");
	close(slave);		/* POLLHUP then shows whether any program has it open */
	fcntl(p->master, F_SETFL, O_NONBLOCK);
	fcntl(p->master, F_SETFD, FD_CLOEXEC);
	if (link && link_make(link, p->name, err) < 0) {
		close(p->master);
		return err->code;
	}
	p->link = link;
	return 0;
}

void pty_close(struct pty *p)
{
	char now[sizeof(p->name)];
	ssize_t n;

	close(p->master);
	if (!p->link)
		return;
	n = readlink(p->link, now, sizeof(now) - 1);	/* a later node may have taken the name */
	if (n > 0) {
		now[n] = '\0';
		if (!strcmp(now, p->name))
			unlink(p->link);
	}
}

bool pty_update(struct pty *p)
{
	struct pollfd pfd = { .fd = p->master, .events = POLLOUT };
	bool was_open = p->open;

	p->open = poll(&pfd, 1, 0) >= 0 && !(pfd.revents & POLLHUP);
	if (p->open && !was_open)
		tty_make_raw(p->master);
	return p->open;
}

void pty_put(struct pty *p, uint8_t byte)
{
	if (p->out_len == sizeof(p->out))
		pty_flush(p);
	p->out[p->out_len++] = byte;
}

void pty_flush(struct pty *p)
{
	ssize_t n = p->open && p->out_len ? write(p->master, p->out, p->out_len) : 0;

	p->dropped += p->out_len - (n > 0 ? (size_t)n : 0);
	p->out_len = 0;
}

int pty_get(struct pty *p)
{
	uint8_t byte;

	return p->open && read(p->master, &byte, 1) == 1 ? byte : -1;
}
