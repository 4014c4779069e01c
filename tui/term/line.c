#include "tui/term/line.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <termios.h>

#include "core/base/clock.h"

enum {
	SHARE_LEAST = 64,		/* bytes: any row makes some progress */
	LOOK_MS = 20,			/* between two looks at a terminal that takes no more */
	ALIKE = 3,			/* speeds that differ by less than this factor */
	BLOCKED_MS = 10,		/* a write that waits so long waits for the terminal */
	BITS = 10,			/* a byte, with start and stop */
};

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
	} else if (!full && l->behind > 2 * LINE_QUEUE) {
		l->speed = 0;		/* so much does not fit: it is faster than we thought */
	}
}

void line_sent(struct line *l, size_t bytes, uint64_t now)
{
	behind_update(l, now);
	l->behind += (double)bytes;
	l->since += bytes;
	l->last = bytes;
}

void line_blocked(struct line *l, uint64_t from, uint64_t to)
{
	double drained = LINE_QUEUE / ((double)(to - from) / CLOCK_SECOND);
	double seconds = (double)(from - l->blocked_at + 1) / CLOCK_SECOND;
	double most = ((double)l->since - LINE_QUEUE) / seconds;
	double least = most - (double)l->last / seconds;

	/* A fifth less: what is thought to be too fast piles up, however little it is. */
	if (l->blocked_at && least < ALIKE * drained && drained < ALIKE * most)
		l->speed = 0.8 * drained;
	l->blocked_at = to;
	l->since = 0;
	l->behind = 0;
	l->at = to;
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

/* A thread that only has to share the processor does not wait of its own accord. */
static long thread_waits(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) < 0 ? 0 : usage.ru_nvcsw;
}

void line_write_begin(struct line *l)
{
	l->write.began = clock_now();
	l->write.waits = thread_waits();
}

void line_write_end(struct line *l, int fd, size_t bytes)
{
	uint64_t now = clock_now();

	line_sent(l, bytes, now);
	if (!l->serial && now - l->write.began > BLOCKED_MS * (CLOCK_SECOND / 1000) &&
	    thread_waits() > l->write.waits)
		line_blocked(l, l->write.began, now);
	line_look(l, fd, now);
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
