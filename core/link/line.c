#include "core/link/line.h"

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/types.h>

/* On Linux termios2 throughout, since only it takes any rate; its header excludes <termios.h>. */
#if defined(__linux__)
#include <asm/termbits.h>
#include <sys/sysmacros.h>

/* musl has not all of asm/ioctls.h, and that header is not for both. */
#ifndef TCGETS2
#define TCGETS2 _IOR('T', 0x2a, struct termios2)
#define TCSETS2 _IOW('T', 0x2b, struct termios2)
#endif

typedef struct termios2 line_settings;

static int settings_get(int fd, line_settings *t)
{
	return ioctl(fd, TCGETS2, t);
}

static int settings_put(int fd, const line_settings *t)
{
	return ioctl(fd, TCSETS2, t);
}

static void settings_baud(line_settings *t, long baud)
{
	t->c_cflag &= ~(tcflag_t)(CBAUD | CBAUD << IBSHIFT);
	t->c_cflag |= BOTHER | BOTHER << IBSHIFT;
	t->c_ospeed = t->c_ispeed = (speed_t)baud;
}

/* The rate is one of the settings. */
static int driver_baud(int fd, long baud)
{
	(void)fd;
	(void)baud;
	return 0;
}

void line_drop_input(int fd)
{
	ioctl(fd, TCFLSH, TCIFLUSH);
}

/* Linux, Documentation/admin-guide/devices.txt: Unix98 pty slaves. */
enum { PTY_MAJOR_FIRST = 136, PTY_MAJOR_LAST = 143 };

bool line_is_pty(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && major(st.st_rdev) >= PTY_MAJOR_FIRST &&
	       major(st.st_rdev) <= PTY_MAJOR_LAST;
}

#else
#include <string.h>
#include <termios.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <IOKit/serial/ioss.h>
#endif

typedef struct termios line_settings;

static int settings_get(int fd, line_settings *t)
{
	return tcgetattr(fd, t);
}

static int settings_put(int fd, const line_settings *t)
{
	return tcsetattr(fd, TCSANOW, t);
}

#if defined(__APPLE__)
/* Settings take the usual rates alone, and the driver takes any, after them. */
static void settings_baud(line_settings *t, long baud)
{
	(void)baud;
	cfsetspeed(t, B9600);
}

static int driver_baud(int fd, long baud)
{
	speed_t speed = (speed_t)baud;

	return ioctl(fd, IOSSIOSPEED, &speed);
}
#else
/* FreeBSD: the number is the rate. */
static void settings_baud(line_settings *t, long baud)
{
	cfsetspeed(t, (speed_t)baud);
}

static int driver_baud(int fd, long baud)
{
	(void)fd;
	(void)baud;
	return 0;
}
#endif

void line_drop_input(int fd)
{
	tcflush(fd, TCIFLUSH);
}

/* By name: macOS /dev/ttys003, FreeBSD /dev/pts/3. */
bool line_is_pty(int fd)
{
	const char *name = ttyname(fd);

	return name && (!strncmp(name, "/dev/pts/", 9) || !strncmp(name, "/dev/ttys", 9));
}
#endif

bool line_is_terminal(int fd)
{
	line_settings t;

	return settings_get(fd, &t) == 0;
}

static void settings_raw(line_settings *t)
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

int line_make_raw(int fd, long baud)
{
	line_settings t;

	if (settings_get(fd, &t) < 0)
		return -1;
	settings_raw(&t);
	if (baud)
		settings_baud(&t, baud);
	if (settings_put(fd, &t) < 0)
		return -1;
	return baud ? driver_baud(fd, baud) : 0;
}

int line_set_baud(int fd, long baud)
{
	line_settings t;

	if (settings_get(fd, &t) < 0)
		return -1;
	settings_baud(&t, baud);
	if (settings_put(fd, &t) < 0)
		return -1;
	return driver_baud(fd, baud);
}

/* macOS does not say what the driver made of IOSSIOSPEED. */
long line_baud(int fd)
{
#if defined(__APPLE__)
	(void)fd;
	return 0;
#else
	line_settings t;

	return settings_get(fd, &t) == 0 ? (long)t.c_ospeed : 0;
#endif
}

void line_lock(int fd, bool locked)
{
	ioctl(fd, locked ? TIOCEXCL : TIOCNXCL);
}
