/*
 * link: where bytes come from. One source, non-blocking, for one poll loop.
 *
 * SOURCE is what -p takes: a serial device, serial:DEV?baud=N, tcp:HOST:PORT,
 * unix:PATH, file:PATH or a regular file's path, - for standard input. Each
 * kind fills in a const struct link_ops (serial.c, tty.c, socket.c, file.c);
 * link.c picks one and keeps the life line: a device or peer that goes is
 * waited for and taken up again, and nothing above notices but the state.
 *
 * Nothing here blocks, save opening a regular file. The poll loop:
 *
 *	pfd.fd = link_fd(l);  pfd.events = link_events(l);
 *	poll(&pfd, 1, link_timeout(l, now));
 *	n = link_read(l, now, buf, sizeof(buf), &time);
 */
#ifndef WSNTOP_LINK_LINK_H
#define WSNTOP_LINK_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/err.h"

enum link_state {
	LINK_CONNECTING,	/* a socket's connect is under way */
	LINK_UP,
	LINK_WAITING,		/* gone; tried again twice a second */
	LINK_ENDED,		/* a file or standard input came to its end */
};

struct link_options {
	long baud;		/* bits per second, serial only; 0: 115200. ?baud= in SOURCE wins */
	double speed;		/* replaying a recording: 1 its own pace, 2 twice that, 0 as fast as it decodes */
	bool wait;		/* absent at the start: wait for it too, instead of failing */
};

struct link;
struct poll_set;

/*
 * Open. On failure NULL and the sentence with its cure (no such port, no
 * permission: the dialout group; busy: who might hold it). `o` may be NULL.
 */
struct link *link_new(const char *source, const struct link_options *o, struct err *err);
void link_free(struct link *l);

/* What to poll; -1 while there is nothing to poll (waiting, or a file that is always ready). */
int link_fd(const struct link *l);
short link_events(const struct link *l);	/* POLLIN, or POLLOUT while connecting */

/* Milliseconds until link_read wants to be called though nothing is ready; 0 at once, -1 never. */
int link_timeout(const struct link *l, uint64_t now);

/*
 * Take what is there. Returns the bytes read (> 0), 0 when there are none now, -1 once the link
 * has LINK_ENDED and everything was read. *time_ns: when they arrived; for a recording the time
 * kept in it, else `now` (clock_now()).
 */
ssize_t link_read(struct link *l, uint64_t now, uint8_t *buf, size_t size, uint64_t *time_ns);

/*
 * Send to the node. Never blocks: returns the bytes taken, perhaps 0; -1 where
 * nothing can be sent (a file, standard input, a link that is down).
 */
ssize_t link_write(struct link *l, const uint8_t *data, size_t n);

enum link_state link_state(const struct link *l);
uint64_t link_since(const struct link *l);	/* clock_now() at which this state began */
const char *link_why(const struct link *l);	/* a short sentence on the state; "" when up */
const char *link_name(const struct link *l);	/* SOURCE as given */
const char *link_kind(const struct link *l);	/* "serial", "tty", "tcp", "unix", "file", "stdin", "recording" */
long link_baud(const struct link *l);		/* what the driver runs, read back; 0 where there is none */
unsigned link_reconnects(const struct link *l);	/* times taken up again */
bool link_is_live(const struct link *l);	/* false: a file or recording, whose end is the end */
double link_progress(const struct link *l);	/* 0..1 through a file; negative where it has no length */

/*
 * Serial ports present (libserialport): fills up to `max` and returns how many there are. Strings
 * are visible text, NUL-terminated.
 */
struct link_port {
	char path[64];		/* /dev/ttyACM0 */
	char what[128];		/* USB product and serial number, or the driver's words */
	bool usable;		/* may be opened by this user */
};

size_t link_ports(struct link_port *ports, size_t max);

#endif
