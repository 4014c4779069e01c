/*
 * A Power Profiler Kit II (part.h) on a pty:
 *
 *	ppk2 [-l BYTES]... [-s SAMPLES] [-n LINK] [-m] [-q]
 *
 * Says "port PATH" on stdout; on stderr each command, and at its end what it sent. -l: after each
 * 20,000 samples so many bytes are lost, one kind after the other. -s: it sends so many samples,
 * then none. -n: a link that is its name. -m: it tells no calibration. -q: it answers nothing. It
 * ends with its input; a line "unplug" there closes the port, "plug" opens another one.
 */
#include "tests/power/part.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { KINDS = 4, EACH = 20000, CHUNK = 400 };

struct host {
	struct part part;
	int fd, slave;			/* the pty; -1: unplugged. slave: it never hangs up */
	const char *link;		/* a name that stays: a symbolic link; NULL: none */
	unsigned lose[KINDS], kinds;
	uint64_t most;			/* samples; 0: no end */
	bool no_meta, mute;
	uint64_t begin_ns, lost_samples, losses, total;
	uint8_t command[64];
	size_t count;
};

static void host_fail(const char *what)
{
	perror(what);
	exit(2);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void port_open(struct host *h)
{
	struct termios t;

	h->fd = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	if (h->fd < 0 || grantpt(h->fd) < 0 || unlockpt(h->fd) < 0)
		host_fail("pty");
	h->slave = open(ptsname(h->fd), O_RDWR | O_NOCTTY);
	if (h->slave < 0 || tcgetattr(h->slave, &t) < 0)
		host_fail("pty");
	cfmakeraw(&t);
	tcsetattr(h->slave, TCSANOW, &t);
	if (h->link) {
		unlink(h->link);
		if (symlink(ptsname(h->fd), h->link) < 0)
			host_fail(h->link);
	}
	printf("port %s\n", h->link ? h->link : ptsname(h->fd));
	fflush(stdout);
}

static void port_close(struct host *h)
{
	if (h->link)
		unlink(h->link);
	close(h->slave);
	close(h->fd);
	h->fd = -1;
	h->part.running = false;
	h->count = 0;
}

/* All of it: the host is slow at times. */
static void bytes_send(struct host *h, const uint8_t *p, size_t n)
{
	while (n) {
		ssize_t k = write(h->fd, p, n);
		struct pollfd fd = { .fd = h->fd, .events = POLLOUT };

		if (k > 0) {
			p += k;
			n -= (size_t)k;
		} else if (poll(&fd, 1, 1000) <= 0) {
			return;
		}
	}
}

static void commands_take(struct host *h)
{
	ssize_t k = read(h->fd, h->command + h->count, sizeof(h->command) - h->count);
	char text[2048];

	if (k <= 0)
		return;
	h->count += (size_t)k;
	while (h->count) {
		bool meta = false, bad = false, ran = h->part.running;
		size_t n = part_command(&h->part, h->command, h->count, &meta, &bad);

		if (!n)
			return;
		fprintf(stderr, "command");
		for (size_t i = 0; i < n; i++)
			fprintf(stderr, " %02x", h->command[i]);
		fprintf(stderr, "%s\n", bad ? " unknown" : "");
		if (h->part.running && !ran)
			h->begin_ns = now_ns();
		if (meta && !h->no_meta && !h->mute)
			bytes_send(h, (uint8_t *)text, part_meta(text, sizeof(text)));
		h->count -= n;
		memmove(h->command, h->command + n, h->count);
	}
}

/* Samples that are due, some of their bytes lost. */
static void samples_send(struct host *h)
{
	uint64_t due = (now_ns() - h->begin_ns) / 10000;
	uint8_t bytes[4 * CHUNK];

	if (h->most && due > h->most)
		due = h->most;
	while (h->part.sent + CHUNK <= due) {
		size_t n = sizeof(bytes), lose = 0;

		for (size_t i = 0; i < CHUNK; i++)
			part_word(&h->part, bytes + 4 * i);
		h->total += CHUNK;
		if (h->kinds && h->part.sent % EACH == 0) {
			lose = h->lose[h->losses++ % h->kinds];
			h->lost_samples += (lose + 6) / 4;	/* that it hits, from byte 2 on */
			memmove(bytes + 802, bytes + 802 + lose, n - 802 - lose);
		}
		bytes_send(h, bytes, n - lose);
	}
}

/* False: its input ended. */
static bool order_take(struct host *h)
{
	char line[64];
	ssize_t n = read(STDIN_FILENO, line, sizeof(line) - 1);

	if (n <= 0)
		return false;
	line[n] = '\0';
	if (strncmp(line, "unplug", 6) == 0 && h->fd >= 0)
		port_close(h);
	else if (strncmp(line, "plug", 4) == 0 && h->fd < 0)
		port_open(h);
	return true;
}

int main(int argc, char **argv)
{
	static struct host h;
	bool more = true;
	int c;

	while ((c = getopt(argc, argv, "l:s:n:mq")) != -1) {
		switch (c) {
		case 'l':
			if (h.kinds < KINDS)
				h.lose[h.kinds++] = (unsigned)atoi(optarg);
			break;
		case 's':
			h.most = strtoull(optarg, NULL, 10);
			break;
		case 'n':
			h.link = optarg;
			break;
		case 'm':
			h.no_meta = true;
			break;
		case 'q':
			h.mute = true;
			break;
		default:
			return 2;
		}
	}
	port_open(&h);
	while (more) {
		struct pollfd fds[] = {
			{ .fd = STDIN_FILENO, .events = POLLIN }, { .fd = h.fd, .events = POLLIN },
		};

		poll(fds, 2, h.part.running ? 2 : 100);
		if (fds[0].revents)
			more = order_take(&h);
		if (h.fd >= 0 && fds[1].revents & POLLIN)
			commands_take(&h);
		if (h.fd >= 0 && h.part.running && !h.mute)
			samples_send(&h);
	}
	fprintf(stderr, "sent %llu samples, %llu of them lost in %llu places\n",
		(unsigned long long)h.total, (unsigned long long)h.lost_samples,
		(unsigned long long)h.losses);
	fprintf(stderr, "mode %u, %u mV, power %d, running %d\n", h.part.mode, h.part.mv,
		h.part.powered, h.part.running);
	return 0;
}
