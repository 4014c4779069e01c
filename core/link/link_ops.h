/*
 * link_ops: what a kind of link fills in, and what link.c lends it. Private to core/link/.
 *
 * A kind holds its own things in l->own and its descriptor in l->fd. link.c keeps the life line:
 *
 *	         open                       read: LINK_GONE
 *	absent ---------> (connecting) -> up ----------------> close, wait, open again
 *	                                   `-- LINK_EOF ------> close, ended
 */
#ifndef WSNTOP_LINK_LINK_OPS_H
#define WSNTOP_LINK_LINK_OPS_H

#include <netdb.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/link/link.h"

struct link_scheme;

/* Bytes that the driver did not take yet. */
struct link_queue {
	size_t count;
	bool rests;			/* the driver polls as writable and takes nothing: */
	uint64_t retry_ns;		/* it is tried again by time */
	uint8_t bytes[LINK_SEND_MAX];
};

/* What another thread took meanwhile, in pieces with their times (relief.c). */
struct link_relief {
	struct buf kept;
	size_t at, done;		/* first piece not given out; bytes of it that are */
};

struct link {
	const struct link_ops *ops;	/* what SOURCE is, or by its looks will be */
	const struct link_scheme *scheme;
	char *name;			/* SOURCE as given */
	char *where;			/* the part behind the scheme, before any ?baud= */
	struct link_options options;
	bool unsaid;			/* nobody named a rate */
	bool rated;			/* named as serial: so that even a pty has a rate */
	bool starting;			/* inside link_new: errors may take their time to explain */
	bool was_up;
	enum link_state state;
	uint64_t now;			/* of the call that is under way */
	uint64_t since;
	uint64_t retry_ns;		/* while waiting: when to try again */
	unsigned reconnects;
	struct err why;
	/* the endpoint, filled in by open */
	int fd;				/* -1: none */
	bool connecting;		/* fd's connect is under way */
	long baud;			/* as read back */
	bool read_only;			/* this user may not write to it */
	/* Of its adapter, when it was open last; "" none, or not the only one. */
	char id[sizeof(((struct link_port *)0)->id)];
	/* Where that is now, if not at `where`; "" else. */
	char moved[sizeof(((struct link_port *)0)->path)];
	void *own;
	struct link_queue queue;
	struct link_relief relief;
	bool paused;			/* nothing is taken but to reach a goal */
};

enum {
	LINK_GONE = -1,			/* the device or peer went away; l->why says how */
	LINK_EOF = -2,			/* this was all there will ever be */
};

/*
 * What can be played like a video. Before the pace or the pause change, `stay` ends the way to a
 * goal and anchors the clock.
 */
struct link_player {
	bool (*seeks)(const struct link *l);
	bool (*is_past)(const struct link *l, uint64_t time_ns);
	void (*seek)(struct link *l, uint64_t to_ns);
	void (*stay)(struct link *l);
	uint64_t (*at)(const struct link *l, uint64_t now);
	uint64_t (*zero)(const struct link *l);
	uint64_t (*end)(const struct link *l);
	uint64_t (*next)(const struct link *l);
	uint64_t (*goal)(const struct link *l);
	bool (*follows)(const struct link *l);
	bool (*leaps)(const struct link *l, uint64_t time_ns);
	void (*leap)(struct link *l, uint64_t to_ns);
	void (*resumes)(struct link *l, record_again_fn *resume, void *ctx);
};

struct link_ops {
	const char *kind;
	const char *gone;		/* the sentence for a plain hangup */
	bool live;
	bool greets;			/* while connecting it is read from, not written to */
	/* How long the first connect may take, and until the next try; 0: as most, link.c. */
	struct { uint64_t connect_ns, retry_ns; } patience;

	/*
	 * Set l->fd (perhaps l->connecting, l->baud, l->read_only, l->ops). On failure release what
	 * was taken.
	 */
	int (*open)(struct link *l, struct err *err);

	/* While connecting: 1 not yet, 0 done, else failed. NULL where open does it all. */
	int (*finish)(struct link *l, struct err *err);

	/* Bytes (> 0), 0 none now, LINK_GONE, LINK_EOF. May move *time_ns. */
	ssize_t (*read)(struct link *l, uint8_t *buf, size_t size, uint64_t *time_ns);

	/* Bytes taken, 0 none now, negative: refused. Never blocks. NULL: nothing can be sent. */
	ssize_t (*write)(struct link *l, const uint8_t *data, size_t n);

	/* Run at l->options.baud and forget what came at another. NULL: it has no rate. */
	int (*set_baud)(struct link *l, struct err *err);

	void (*close)(struct link *l);	/* before link.c closes l->fd. May be NULL */
	void (*release)(struct link *l); /* what outlives an endpoint. May be NULL */

	/* What to poll and for how long; NULL: l->fd, for ever. */
	int (*fd)(const struct link *l);
	int (*timeout)(const struct link *l, uint64_t now);

	double (*progress)(const struct link *l);	/* NULL: none */
	uint64_t (*damaged)(const struct link *l);	/* NULL: 0 */
	bool (*wall)(const struct link *l, int64_t *ns);	/* NULL: now, where it is live */
	const char *(*about)(const struct link *l);	/* NULL: nothing */
	bool (*beside)(const struct link *l);		/* NULL: never */
	const struct link_player *player;	/* NULL: it has no times of its own */
};

extern const struct link_ops link_serial, link_tty, link_tcp, link_unix, link_file, link_stdin,
	link_recording, link_process, link_uart, link_ssh, link_broker, link_udp;

/* --- lent by link.c --------------------------------------------------------------------------- */

/* Read and write a terminal's descriptor, telling "nothing now" from "gone". */
ssize_t link_tty_read(struct link *l, uint8_t *buf, size_t size, uint64_t *time_ns);
ssize_t link_tty_write(struct link *l, const uint8_t *data, size_t n);

/* --- lent by relief.c ------------------------------------------------------------------------- */

bool relief_waits(const struct link *l);
size_t relief_take(struct link *l, uint8_t *buf, size_t size, uint64_t *time_ns);
void relief_release(struct link *l);

/* --- lent by tty.c ---------------------------------------------------------------------------- */

/* Nobody else may open or lock the descriptor; it may not be a terminal that somebody sits at. */
int tty_claim(struct link *l, int fd, const char *path, struct err *err);

/* --- lent by refused.c ------------------------------------------------------------------------ */

/* The sentence for an open of `path` that failed with errno, and at the start its cure. */
int link_refused(const struct link *l, const char *path, struct err *err);

#endif
