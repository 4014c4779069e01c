#include "tui/term/line.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "core/base/clock.h"

enum {
	SHARE_LEAST = 64,		/* bytes: any row makes some progress */
	LOOK_MS = 20,			/* between two looks at a terminal that takes no more */
	MEASURE = 4096,			/* bytes */
	BITS = 10,			/* a byte, with start and stop */
};

/* It is full. Over MEASURE bytes the coarse steps in which the kernel gives room matter no more. */
static void speed_measure(struct line *l, uint64_t now)
{
	if (!l->full_at || l->since_full > MEASURE)
		l->since = 0;
	if (!l->since)
		l->full_at = now;
	l->since_full = 0;
	if (l->since < MEASURE || now == l->full_at)
		return;
	/* A fifth less: what is thought to be too fast piles up, however little it is. */
	l->speed = 0.8 * (double)l->since * CLOCK_SECOND / (double)(now - l->full_at);
	l->behind = LINE_QUEUE;
	l->full_at = 0;
}

static void behind_update(struct line *l, uint64_t now)
{
	l->behind -= l->speed * (double)(now - l->at) / CLOCK_SECOND;
	if (l->behind < 0 || !(l->speed > 0))
		l->behind = 0;
	l->at = now;
}

void line_note(struct line *l, int queued, double baud, bool full, uint64_t now)
{
	behind_update(l, now);
	l->full = full;
	if (queued > 0 || l->serial) {
		l->behind = queued;
		l->speed = queued > 0 ? baud / BITS : l->speed;
		l->serial = true;
	} else if (full) {
		speed_measure(l, now);
	} else if (!full && l->behind > 2 * LINE_QUEUE) {
		l->speed = 0;		/* so much does not fit: it is faster than we thought */
	}
}

/* The cfsetospeed() constants are numbers on some systems only. */
static double baud_of(int fd)
{
	static const struct { speed_t code; double baud; } speeds[] = {
		{ B1200, 1200 }, { B2400, 2400 }, { B4800, 4800 }, { B9600, 9600 },
		{ B19200, 19200 }, { B38400, 38400 }, { B57600, 57600 }, { B115200, 115200 },
		{ B230400, 230400 },
	};
	struct termios t;

	if (tcgetattr(fd, &t) < 0)
		return 0;
	for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++)
		if (cfgetospeed(&t) == speeds[i].code)
			return speeds[i].baud;
	return 1e6;			/* others are faster */
}

void line_look(struct line *l, int fd, uint64_t now)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	int queued = 0;

	if (ioctl(fd, TIOCOUTQ, &queued) < 0)
		queued = 0;
	line_note(l, queued, queued > 0 ? baud_of(fd) : 0, poll(&p, 1, 0) == 0, now);
}

void line_sent(struct line *l, size_t bytes, uint64_t now)
{
	behind_update(l, now);
	l->behind += (double)bytes;
	l->since += bytes;
	l->since_full += bytes;
}

uint64_t line_room_at(const struct line *l)
{
	return l->full ? l->at + LOOK_MS * (CLOCK_SECOND / 1000) : 0;
}

uint64_t line_clear_at(const struct line *l)
{
	double seconds = l->speed > 0 ? l->behind / l->speed : 0;
	uint64_t clear = seconds > 0 ? l->at + (uint64_t)(seconds * CLOCK_SECOND) + 1 : 0;

	return clear > line_room_at(l) ? clear : line_room_at(l);
}

size_t line_share(const struct line *l)
{
	double share = l->speed / 4;

	if (!(l->speed > 0))
		return SIZE_MAX;
	return share > SHARE_LEAST ? (size_t)share : SHARE_LEAST;
}
