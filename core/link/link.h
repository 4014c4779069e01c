/*
 * link: where bytes come from. One source, non-blocking, for one poll loop.
 *
 * SOURCE is what -p takes: a serial device, serial:DEV?baud=N, tcp:HOST:PORT,
 * unix:PATH, file:PATH or a regular file's path, - for standard input. Each
 * kind fills in a const struct link_ops (serial.c, tty.c, socket.c, file.c);
 * scheme.c picks one, link.c keeps the life line: a device or peer that goes is
 * waited for and taken up again, and nothing above notices but the state.
 *
 * Nothing here blocks, save link_new: it opens files, looks a host's name up and gives the first
 * connection up to five seconds (not with options.wait). The poll loop:
 *
 *	pfd.fd = link_fd(l);  pfd.events = link_events(l);
 *	poll(&pfd, 1, link_timeout(l, now));
 *	n = link_read(l, now, buf, sizeof(buf), &time);
 *
 * link_send queues; link_read passes on to the driver what waits.
 */
#ifndef WSNTOP_LINK_LINK_H
#define WSNTOP_LINK_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/err.h"
#include "core/link/record.h"

enum link_state {
	LINK_CONNECTING,	/* a socket's first connect is under way */
	LINK_UP,
	LINK_WAITING,		/* absent or gone; tried again twice a second */
	LINK_ENDED,		/* a file or standard input came to its end */
};

struct link_options {
	/* bits per second, serial only; 0: not said. ?baud= in SOURCE wins */
	long baud;
	long likely;		/* where to begin when none is said; 0: 115200 */
	double speed;		/* replay: 1 as recorded, 2 twice that, 0 as fast as read */
	uint64_t zero_ns;	/* replay: the time of its time zero; 0: when it is opened */
	bool follow;		/* a recording that is still written goes on at its end */
	const char *elf;	/* that a simulator runs; NULL: none. Outlives the link */
	const char *const *watches;	/* what is to be logged; outlive the link */
	size_t watch_count;
	int *uart;		/* a simulator's, for core/link/twin.c; NULL: it is in its stream */
	struct broker_node *channel;	/* of a broker's node (core/link/broker.c) */
	bool wait;		/* absent at the start: wait for it too, instead of failing */
};

struct link;

/*
 * Open. On failure NULL and the sentence with its cure (no such port, no
 * permission: the dialout group; busy: who holds it). `o` may be NULL: 115200, a recording's own
 * pace, no waiting.
 */
struct link *link_new(const char *source, const struct link_options *o, struct err *err);
void link_free(struct link *l);

/* What to poll; -1 while there is nothing to poll (waiting, or a file that is always ready). */
int link_fd(const struct link *l);
short link_events(const struct link *l);	/* POLLOUT while connecting or bytes wait */

/* Milliseconds until link_read wants to be called though nothing is ready; 0 at once, -1 never. */
int link_timeout(const struct link *l, uint64_t now);

/*
 * Take what is there. Returns the bytes read (> 0), 0 when there are none now, -1 once the link
 * has LINK_ENDED and everything was read. *time_ns: when they arrived: `now` (clock_now()), but for
 * a recording the start of its replay plus the offset kept in it, at any speed, so that rates come
 * out as they were; replayed faster it runs ahead of `now`. One call never mixes two such times.
 */
ssize_t link_read(struct link *l, uint64_t now, uint8_t *buf, size_t size, uint64_t *time_ns);

/*
 * For another thread, while the one that uses the link is held up and does not change it: what a
 * serial driver would lose is kept, for link_read to give out with the times of its arrival.
 */
bool link_overflows(const struct link *l);	/* a terminal's driver: others have a sender wait */
void link_relieve(struct link *l);

enum {
	LINK_SEND_MAX = 4096,	/* bytes that may wait: more than any command or typed line */
	LINK_FULL = -1,		/* no room now */
	LINK_DEAF = -2,		/* nothing can be sent: a file, a read-only port, a link down */
};

/*
 * Send n bytes (at most LINK_SEND_MAX) to the node: all of them (0) or none (LINK_FULL, LINK_DEAF).
 * Never blocks: bytes that the driver does not take now wait in order, and link_read passes them
 * on. A link that goes down or is freed drops them: the node behind a new connection never gets the
 * rest of a message to the one before.
 */
int link_send(struct link *l, const void *data, size_t n);
int link_room(const struct link *l);		/* bytes that link_send takes now; LINK_DEAF */
size_t link_unsent(const struct link *l);	/* bytes that wait */

enum link_state link_state(const struct link *l);

/* clock_now() at which this state began. */
uint64_t link_since(const struct link *l);

/* A sentence on the state; when up mostly "", else what is odd. */
const char *link_why(const struct link *l);
/* It ended by a failure: a simulator that crashed. */
bool link_failed(const struct link *l);

/* The packet format that a SOURCE speaks by its kind (openocd:), or NULL: it is found out. */
const char *link_format(const char *source);

/* What brings its bytes: "tcp:HOST:PORT" of "swo:tcp:HOST:PORT", with its options. */
const char *link_inner(const char *source);

/* SOURCE as given. */
const char *link_name(const struct link *l);

/* "serial", "tty", "tcp", "unix", "file", "stdin" or "recording". */
const char *link_kind(const struct link *l);

/* What the driver runs, read back; 0 where there is none. */
long link_baud(const struct link *l);

/*
 * Whether its rate may be looked for: it has one, and nobody said which. A pty has none, unless it
 * is named as serial:PTY.
 */
bool link_may_listen(const struct link *l);

/* Another rate from now on, also when it is taken up again; what came before is thrown away. */
int link_set_baud(struct link *l, long baud, struct err *err);

/* Its port, while an adapter has come back under another name: "/dev/ttyUSB1"; "" else. */
const char *link_moved(const struct link *l);

/* Times taken up again. */
unsigned link_reconnects(const struct link *l);

/* False: a file, a recording or standard input, whose end is the end. */
bool link_is_live(const struct link *l);

/* 0..1 through a file; negative where it has no length. */
double link_progress(const struct link *l);

/* Bytes of a recording left out: cut or damaged chunks. */
uint64_t link_damaged(const struct link *l);

/*
 * What is to be added to the times of what is read for the wall clock (ns since 1970): of a
 * recording as it was then. False: not known, for a file that says nothing of times.
 */
bool link_wall(const struct link *l, int64_t *ns);

/*
 * What a recording says of itself (core/link/record.h), as of the bytes read last: "" nothing. Of
 * one in a regular file it is known at once.
 */
const char *link_about(const struct link *l);

/* The bytes read last are none of its stream: another way to the same target told them then. */
bool link_beside(const struct link *l);

/*
 * --- the player: whatever is not live can be paused; a recording has a pace and can be sought ---
 *
 * Times are those that link_read gives. To seek is to read at full speed up to a time: all chunks
 * until then and none after. It then goes on at its pace, or is paused.
 */
#define LINK_NO_GOAL UINT64_MAX

bool link_is_paused(const struct link *l);
void link_pause(struct link *l, uint64_t now, bool paused);	/* nothing for a live link */

bool link_has_pace(const struct link *l);	/* a recording, out of a pipe too */
double link_pace(const struct link *l);		/* link_options.speed */
void link_set_pace(struct link *l, uint64_t now, double speed);
uint64_t link_at(const struct link *l, uint64_t now);	/* where it stands; 0: it has no pace */
uint64_t link_zero(const struct link *l);	/* the time of the recording's time zero */
/* Of its last bytes, be they read or not; UINT64_MAX: not known (a pipe; still written). */
uint64_t link_end(const struct link *l);
uint64_t link_next(const struct link *l);	/* of the next bytes; UINT64_MAX: not known */

/* A recording in a regular file, also after its end. */
bool link_can_seek(const struct link *l);

/*
 * Where bytes after that time were read already (link_is_past) it begins again with its first one,
 * and its reader must forget all. A time behind its end is its end.
 */
void link_seek(struct link *l, uint64_t now, uint64_t to_ns);
bool link_is_past(const struct link *l, uint64_t time_ns);
/*
 * The index of a recording (keys.h). Its reader says how a new one is brought to where it stands:
 * then keys are made while it is read, and from where a key saves a long way to a time (link_leaps)
 * it can begin there: its reader must forget all, and gets the key's bytes first.
 */
void link_resumes(struct link *l, record_again_fn *resume, void *ctx);
bool link_leaps(const struct link *l, uint64_t time_ns);
void link_leap(struct link *l, uint64_t now, uint64_t to_ns);
uint64_t link_goal(const struct link *l);	/* the time sought; LINK_NO_GOAL: none, or there */
/* At the end of what is written of a recording that is still written (options.follow). */
bool link_follows(const struct link *l);
void link_seek_stop(struct link *l, uint64_t now);	/* it stays where it has come to */

/*
 * Serial ports present, USB first: fills up to `max` and returns how many there are. Strings are
 * visible text, NUL-terminated. WSNTOP_PORTS in the environment, paths with colons between, is the
 * list instead. Takes a millisecond or a few: all processes are looked at.
 */
struct link_port {
	char path[64];		/* /dev/ttyACM0 */
	char what[176];		/* USB product and serial number, or the driver's name */
	char id[160];		/* by what it is known again in another socket; "" nothing */
	char held[64];		/* "minicom (pid 123)"; "" nobody, as far as is to be seen */
	char cure[320];		/* what is the matter with it and what to do; "" nothing */
	unsigned vendor, product;	/* of USB; 0: no USB device */
	bool absent;		/* named (WSNTOP_PORTS), and not there */
	bool usable;		/* may be opened by this user */
};

size_t link_ports(struct link_port *ports, size_t max);

/* The port at this path, or behind this symlink. */
bool link_port_at(const char *path, struct link_port *port);

/* The id of the port with this name in /dev; "" where it has none. */
void link_port_id(const char *path, char *id, size_t size);
/* Where the port with this id is. False: nowhere, or there are two of it. */
bool link_port_of(const char *id, char *path, size_t size);

/*
 * As link_ports, with `root` before /sys, /dev, /proc and /var/lock, and `named` for WSNTOP_PORTS.
 */
size_t link_ports_below(const char *root, const char *named, struct link_port *ports, size_t max);

#endif
