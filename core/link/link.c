#include "core/link/link.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/link/link_ops.h"
#include "core/link/source.h"

#define RETRY_NS (CLOCK_SECOND / 2)
#define FIRST_CONNECT_NS (5 * CLOCK_SECOND)
#define DEFAULT_BAUD 115200
#define RESEND_NS (CLOCK_SECOND / 50)

/* --- what SOURCE names ------------------------------------------------------------------------ */

struct link_scheme {
	const char *prefix;		/* of SOURCE; "" takes what no other row took */
	bool whole;			/* the prefix is all of SOURCE */
	const char *known;		/* options that may follow: "baud"; NULL: none, ? is a
					 * name's */
	const struct link_ops *ops;	/* what it is; with a `look`: until that can be seen */
	const char *format;		/* that it speaks, where -f names none; NULL: auto */
	const char *port;		/* where none is named; HOST may lack, too */

	/* What stands at l->where now: a symlink may point elsewhere each time. */
	const struct link_ops *(*look)(const struct link *l, struct err *err);
};

static const struct link_ops *look_path(const struct link *l, struct err *err)
{
	struct stat st;

	if (stat(l->where, &st) < 0) {
		link_refused(l, l->where, err);
		return NULL;
	}
	switch (st.st_mode & S_IFMT) {
	case S_IFCHR:
		return &link_serial;
	case S_IFREG:
	case S_IFIFO:
		return &link_file;
	case S_IFSOCK:
		return &link_unix;
	default:
		err_set(err, ERR_USAGE, "not a port, file or socket");
		return NULL;
	}
}

static const struct link_ops *look_device(const struct link *l, struct err *err)
{
	const struct link_ops *ops = look_path(l, err);

	if (!ops || ops == &link_serial)
		return ops;
	err_set(err, ERR_USAGE, "not a serial port: remove serial: from its name");
	return NULL;
}

static const struct link_ops *look_file(const struct link *l, struct err *err)
{
	const struct link_ops *ops = look_path(l, err);

	if (!ops || ops == &link_file)
		return ops;
	err_set(err, ERR_USAGE, "not a file: remove file: from its name");
	return NULL;
}

/* A port of a probe that speaks the protocol itself (Black Magic Probe), or a server's. */
static const struct link_ops *look_gdb(const struct link *l, struct err *err)
{
	return l->where[0] == '/' ? look_path(l, err) : &link_tcp;
}

static const struct link_scheme schemes[] = {
	{ .prefix = "-", .whole = true, .ops = &link_stdin },
	{ .prefix = "serial:", .known = "baud", .ops = &link_serial, .look = look_device },
	{ .prefix = "tcp:", .ops = &link_tcp },
	{ .prefix = "openocd:", .known = "hz clock", .ops = &link_tcp, .format = "openocd",
	  .port = "6666" },
	{ .prefix = "gdb:", .known = "hz stop watch attach baud clock", .ops = &link_tcp,
	  .format = "gdb", .port = "3333", .look = look_gdb },
	{ .prefix = "simavr:", .known = "pace for trace uart", .ops = &link_process,
	  .format = "sim" },
	{ .prefix = "qemu:", .known = "pace for trace semihosting uart", .ops = &link_process,
	  .format = "sim" },
	{ .prefix = "uart:", .ops = &link_uart },
	{ .prefix = "unix:", .ops = &link_unix },
	{ .prefix = "file:", .ops = &link_file, .look = look_file },
	{ .prefix = "", .ops = &link_serial, .look = look_path },
};

/* What stands behind the prefix is a source of its own: only what it speaks is known. */
struct link_speech {
	const char *prefix;
	const char *known;		/* options, at the end of all */
	const char *format;
	long baud;			/* where none is named; 0: as always */
	bool listens;			/* the rate is looked for, beginning with that */
};

static const struct link_speech speeches[] = {
	{ "swo:", "baud clock setup chip", "itm", 2000000, true },
	{ "ppk2:", "mode mv", "ppk2", 0 },
	{ "lpm01a:", "baud hz mv", "lpm01a", 3686400 },
	{ "text:", "baud unit column time time_unit separator hz", "text", 0 },
};

static const struct link_speech *find_speech(const char *source)
{
	for (size_t i = 0; i < sizeof(speeches) / sizeof(*speeches); i++) {
		if (text_begins(source, speeches[i].prefix))
			return &speeches[i];
	}
	return NULL;
}

static const struct link_scheme *find_scheme(const char *source)
{
	const struct link_scheme *s = schemes;

	for (;; s++) {			/* the last row takes anything */
		size_t n = strlen(s->prefix);

		if (strncmp(source, s->prefix, n) == 0 &&
		    (!s->whole || !source[n] || source[n] == '?'))
			return s;
	}
}

const char *link_inner(const char *source)
{
	const struct link_speech *s = find_speech(source);

	return s ? source + strlen(s->prefix) : source;
}

/* Its options are cut off `where`. */
static int options_parse(struct link *l, char *where, struct err *err)
{
	const struct link_speech *speech = find_speech(l->name);
	const char *known = speech ? speech->known : l->scheme->known;
	const char *prefix = speech ? speech->prefix : l->scheme->prefix;
	char *query = known ? strrchr(where, '?') : NULL;
	double baud;

	if (!query)
		return 0;
	if (source_check(query, prefix, known, err) < 0)
		return ERR_USAGE;
	baud = source_number(query, "baud");
	if (strstr(query, "baud=") && (baud < 1 || baud > INT_MAX || baud != floor(baud)))
		return err_set(err, ERR_USAGE, "expected %sDEVICE?baud=NUMBER, not %s",
			       prefix, query);
	*query = '\0';
	l->rated = baud > 0;
	if (baud > 0)
		l->options.baud = (long)baud;
	return 0;
}

const char *link_format(const char *source)
{
	const struct link_scheme *s = find_scheme(source);
	const struct link_speech *speech = find_speech(source);
	char uart[8];

	if (speech)
		return speech->format;
	return s->ops == &link_process && source_option(source, "uart", uart, sizeof(uart)) &&
		       strcmp(uart, "both") != 0 ? "wsn" : s->format;
}

/* HOST:PORT of what may lack either; NULL: out of memory. */
static char *host_fill(const char *where, const char *port)
{
	struct buf b = BUF_INIT;
	bool bracketed = *where == '[' && where[strlen(where) - 1] == ']';

	if (!*where || *where == ':')
		buf_adds(&b, "localhost");
	buf_adds(&b, where);
	if (bracketed || !strchr(where, ':'))
		buf_addf(&b, ":%s", port);
	return buf_detach(&b);
}

/* Nobody gave a rate. A chip that is set up by us sends at ours: it need not be found. */
static void baud_choose(struct link *l)
{
	const struct link_speech *speech = find_speech(l->name);
	char setup[8];

	l->rated |= speech && speech->listens;
	l->unsaid = l->options.baud <= 0 && !(speech && speech->baud && !speech->listens) &&
		    !(speech && source_option(l->name, "setup", setup, sizeof(setup)));
	if (l->options.baud <= 0)
		l->options.baud = l->options.likely > 0 && l->unsaid ? l->options.likely :
				  speech && speech->baud ? speech->baud : DEFAULT_BAUD;
}

static int parse_source(struct link *l, struct err *err)
{
	const char *source = link_inner(l->name);
	char *where;
	int ret;

	l->scheme = find_scheme(source);
	l->ops = l->scheme->ops;
	where = mem_strdup(source + strlen(l->scheme->prefix));
	if (!where)
		return err_set(err, ERR_NOMEM, "out of memory");
	ret = options_parse(l, where, err);
	l->where = l->scheme->port && *where != '/' ? host_fill(where, l->scheme->port) :
						      mem_strdup(where);
	mem_free(where);
	if (ret < 0)
		return ret;
	if (!l->where)
		return err_set(err, ERR_NOMEM, "out of memory");
	if (!*l->where && !l->scheme->whole)
		return err_set(err, ERR_USAGE, "a name is missing");
	if (*l->where && l->scheme->whole)
		return err_set(err, ERR_USAGE, "%s takes no options", l->scheme->prefix);
	l->rated |= l->scheme->ops == &link_serial && *l->scheme->prefix;
	baud_choose(l);
	return 0;
}

/* --- the life line ---------------------------------------------------------------------------- */

static bool is_open(const struct link *l)
{
	return l->state == LINK_UP || l->connecting;
}

static void state_enter(struct link *l, enum link_state state)
{
	if (l->state == state)
		return;
	l->state = state;
	l->since = l->now;
}

static void endpoint_detach(struct link *l)
{
	if (is_open(l) && l->ops->close)
		l->ops->close(l);
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
	l->connecting = false;
	l->queue.count = 0;
	l->queue.rests = false;
}

static void go_up(struct link *l)
{
	if (l->was_up)
		l->reconnects++;
	l->was_up = true;
	state_enter(l, LINK_UP);
}

static void wait_for_it(struct link *l)
{
	state_enter(l, LINK_WAITING);
	l->retry_ns = l->now + RETRY_NS;
}

/* An attempt failed. A failed retry keeps the reason of the first disconnect. */
static void attempt_missed(struct link *l, const struct err *cause)
{
	if (cause->code != ERR_ABSENT || l->why.code != ERR_ABSENT)
		l->why = *cause;
	wait_for_it(l);
}

static void ops_become(struct link *l, const struct link_ops *ops)
{
	if (l->ops != ops && l->ops->release)
		l->ops->release(l);
	l->ops = ops;
}

static int endpoint_attach(struct link *l, struct err *err)
{
	const struct link_ops *ops = l->scheme->ops;
	struct err before = l->why;
	int ret;

	if (l->scheme->look && !(ops = l->scheme->look(l, err)))
		return err->code;
	ops_become(l, ops);
	err_clear(&l->why);		/* open may say what is odd */
	l->read_only = false;
	ret = l->ops->open(l, err);
	if (ret < 0 || l->connecting)
		l->why = before;
	if (ret == 0 && !l->connecting)
		go_up(l);
	return ret;
}

/* A connect under way: 1 still, 0 done, else failed. */
static int connect_settle(struct link *l, struct err *err)
{
	int ret = l->ops->finish(l, err);

	if (ret == 0) {
		l->connecting = false;
		err_clear(&l->why);
		go_up(l);
	} else if (ret < 0) {
		endpoint_detach(l);
	}
	return ret;
}

static void endpoint_retry(struct link *l)
{
	struct err cause = { 0 };

	if (endpoint_attach(l, &cause) < 0)
		attempt_missed(l, &cause);
}

static void step_connect(struct link *l)
{
	struct err cause = { 0 };

	if (connect_settle(l, &cause) < 0)
		attempt_missed(l, &cause);
}

/* The user waits before an empty terminal: better a plain failure now than a state to watch. */
static int wait_connected(struct link *l, struct err *err)
{
	uint64_t end = l->now + FIRST_CONNECT_NS;

	while (l->connecting) {
		struct pollfd p = { .fd = l->fd, .events = POLLOUT };
		int ret;

		poll(&p, 1, clock_ms_until(end, l->now));
		l->now = clock_now();
		ret = connect_settle(l, err);
		if (ret < 0)
			return ret;
		if (ret > 0 && l->now >= end)
			return err_set(err, ERR_ABSENT, "no answer within 5 seconds");
	}
	return 0;
}

static int link_start(struct link *l, struct err *err)
{
	int ret = parse_source(l, err);

	if (ret < 0)
		return ret;
	ret = endpoint_attach(l, err);
	if (ret == 0 && !l->options.wait)
		ret = wait_connected(l, err);
	if (l->options.wait && (ret == ERR_ABSENT || ret == ERR_IO)) {
		attempt_missed(l, err);
		ret = 0;
	}
	return ret;
}

struct link *link_new(const char *source, const struct link_options *o, struct err *err)
{
	struct link *l = mem_zalloc(sizeof(*l));
	struct err cause = { 0 };

	if (!l || !(l->name = mem_strdup(source))) {
		mem_free(l);
		err_set(err, ERR_NOMEM, "%s: out of memory", source);
		return NULL;
	}
	l->options = o ? *o : (struct link_options){ .speed = 1 };
	l->fd = -1;
	l->now = l->since = clock_now();
	l->state = LINK_CONNECTING;
	l->starting = true;
	if (link_start(l, &cause) < 0) {
		err_set(err, cause.code, "%s: %s", source, cause.text);
		link_free(l);
		return NULL;
	}
	l->starting = false;
	return l;
}

void link_free(struct link *l)
{
	if (!l)
		return;
	endpoint_detach(l);
	relief_release(l);
	if (l->ops && l->ops->release)
		l->ops->release(l);
	mem_free(l->where);
	mem_free(l->name);
	mem_free(l);
}

/* --- sending ---------------------------------------------------------------------------------- */

static bool fd_is_writable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	return poll(&p, 1, 0) > 0 && p.revents & POLLOUT;
}

/*
 * Bytes that are refused are dropped (negative): if the other end is gone, the next read finds that
 * out. A driver that polls as writable and takes nothing would make the poll loop spin: it is left
 * alone for RESEND_NS.
 */
static int queue_drain(struct link *l)
{
	struct link_queue *q = &l->queue;
	ssize_t done = l->ops->write(l, q->bytes, q->count);

	q->rests = false;
	if (done < 0) {
		q->count = 0;
		return LINK_DEAF;
	}
	q->count -= (size_t)done;
	memmove(q->bytes, q->bytes + done, q->count);
	if (done == 0 && fd_is_writable(l->fd)) {
		q->rests = true;
		q->retry_ns = l->now + RESEND_NS;
	}
	return 0;
}

int link_room(const struct link *l)
{
	if (l->state != LINK_UP || !l->ops->write || l->read_only)
		return LINK_DEAF;
	return (int)(LINK_SEND_MAX - l->queue.count);
}

size_t link_unsent(const struct link *l)
{
	return l->queue.count;
}

int link_send(struct link *l, const void *data, size_t n)
{
	struct link_queue *q = &l->queue;
	int room = link_room(l);

	assert(n <= LINK_SEND_MAX);
	if (room < 0 || n == 0)
		return room < 0 ? LINK_DEAF : 0;
	if (n > (size_t)room)
		return LINK_FULL;
	memcpy(q->bytes + q->count, data, n);
	q->count += n;
	return q->count == n ? queue_drain(l) : 0;
}

/* --- the poll loop ---------------------------------------------------------------------------- */

/* Paused, and on no way to a goal. */
static bool is_still(const struct link *l)
{
	return l->paused && link_goal(l) == LINK_NO_GOAL;
}

int link_fd(const struct link *l)
{
	if (!is_open(l) || is_still(l))
		return -1;
	return l->ops->fd && !l->connecting ? l->ops->fd(l) : l->fd;
}

short link_events(const struct link *l)
{
	if (l->connecting)
		return POLLOUT;
	return l->queue.count && !l->queue.rests ? POLLIN | POLLOUT : POLLIN;
}

int link_timeout(const struct link *l, uint64_t now)
{
	if (l->state == LINK_ENDED || is_still(l))
		return -1;
	if (!is_open(l))
		return clock_ms_until(l->retry_ns, now);
	if (relief_waits(l))
		return 0;
	return clock_sooner(l->ops->timeout ? l->ops->timeout(l, now) : -1,
			    l->queue.rests ? clock_ms_until(l->queue.retry_ns, now) : -1);
}

ssize_t link_read(struct link *l, uint64_t now, uint8_t *buf, size_t size, uint64_t *time_ns)
{
	ssize_t n;

	assert(size > 0);
	*time_ns = l->now = now;
	if (l->state == LINK_ENDED)
		return -1;
	if (is_still(l))
		return 0;
	if (!is_open(l) && now >= l->retry_ns)
		endpoint_retry(l);
	if (l->connecting)
		step_connect(l);
	if (l->state != LINK_UP)
		return 0;
	if (l->queue.count && (!l->queue.rests || now >= l->queue.retry_ns))
		queue_drain(l);
	if (relief_waits(l))
		return (ssize_t)relief_take(l, buf, size, time_ns);
	n = l->ops->read(l, buf, size, time_ns);
	if (n >= 0)
		return n;
	if (n == LINK_EOF && link_can_seek(l)) {
		state_enter(l, LINK_ENDED);
		return -1;		/* and its descriptor stays open for the way back */
	}
	endpoint_detach(l);
	if (n == LINK_EOF) {
		state_enter(l, LINK_ENDED);
		return -1;
	}
	wait_for_it(l);
	return 0;
}

/* --- the player ------------------------------------------------------------------------------- */

bool link_has_pace(const struct link *l)
{
	return l->own && l->ops->player;
}

bool link_can_seek(const struct link *l)
{
	return link_has_pace(l) && l->ops->player->seeks(l);
}

bool link_is_paused(const struct link *l)
{
	return l->paused;
}

static void player_stay(struct link *l, uint64_t now)
{
	l->now = now;
	if (link_has_pace(l))
		l->ops->player->stay(l);
}

void link_pause(struct link *l, uint64_t now, bool paused)
{
	if (l->ops->live)
		return;
	player_stay(l, now);
	l->paused = paused;
}

double link_pace(const struct link *l)
{
	return l->options.speed;
}

void link_set_pace(struct link *l, uint64_t now, double speed)
{
	player_stay(l, now);
	l->options.speed = speed;
}

uint64_t link_at(const struct link *l, uint64_t now)
{
	return link_has_pace(l) ? l->ops->player->at(l, now) : 0;
}

uint64_t link_zero(const struct link *l)
{
	return link_has_pace(l) ? l->ops->player->zero(l) : 0;
}

uint64_t link_next(const struct link *l)
{
	return link_has_pace(l) ? l->ops->player->next(l) : UINT64_MAX;
}

uint64_t link_goal(const struct link *l)
{
	return link_has_pace(l) ? l->ops->player->goal(l) : LINK_NO_GOAL;
}

bool link_is_past(const struct link *l, uint64_t time_ns)
{
	return link_can_seek(l) && l->ops->player->is_past(l, time_ns);
}

void link_seek(struct link *l, uint64_t now, uint64_t to_ns)
{
	bool again = link_is_past(l, to_ns);

	assert(link_can_seek(l));
	l->now = now;
	l->ops->player->seek(l, to_ns);
	if (again)
		state_enter(l, LINK_UP);
}

bool link_follows(const struct link *l)
{
	return link_has_pace(l) && l->ops->player->follows(l);
}

void link_seek_stop(struct link *l, uint64_t now)
{
	if (link_goal(l) != LINK_NO_GOAL)
		player_stay(l, now);
}

/* --- what there is to know -------------------------------------------------------------------- */

enum link_state link_state(const struct link *l)
{
	return l->state;
}

uint64_t link_since(const struct link *l)
{
	return l->since;
}

const char *link_why(const struct link *l)
{
	return l->why.text;
}

const char *link_name(const struct link *l)
{
	return l->name;
}

const char *link_kind(const struct link *l)
{
	return l->ops->kind;
}

long link_baud(const struct link *l)
{
	return l->baud;
}

bool link_may_listen(const struct link *l)
{
	return l->unsaid && l->ops->set_baud && l->baud > 0;
}

int link_set_baud(struct link *l, long baud, struct err *err)
{
	long before = l->options.baud;
	int ret;

	if (!l->ops->set_baud || baud <= 0)
		return err_set(err, ERR_USAGE, "%s: it has no baud rate", l->name);
	l->options.baud = baud;
	if (l->state != LINK_UP)
		return 0;		/* when it is taken up again */
	err_clear(&l->why);
	ret = l->ops->set_baud(l, err);
	if (ret < 0)
		l->options.baud = before;
	return ret;
}

unsigned link_reconnects(const struct link *l)
{
	return l->reconnects;
}

bool link_is_live(const struct link *l)
{
	return l->ops->live;
}

double link_progress(const struct link *l)
{
	return l->own && l->ops->progress ? l->ops->progress(l) : -1;
}

uint64_t link_damaged(const struct link *l)
{
	return l->own && l->ops->damaged ? l->ops->damaged(l) : 0;
}

bool link_wall(const struct link *l, int64_t *ns)
{
	if (l->own && l->ops->wall)
		return l->ops->wall(l, ns);
	*ns = (int64_t)(clock_wall() - clock_now());
	return l->ops->live;
}

/* --- lent to the kinds ------------------------------------------------------------------------ */

static bool hung_up(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) > 0 && p.revents & (POLLHUP | POLLERR | POLLNVAL);
}

/*
 * An adapter that is pulled out reads 0 bytes for ever, as an idle port without VMIN does: only the
 * hangup tells them apart.
 */
ssize_t link_tty_read(struct link *l, uint8_t *buf, size_t size, uint64_t *time_ns)
{
	ssize_t n = read(l->fd, buf, size);
	int error = n < 0 ? errno : 0;

	(void)time_ns;
	if (n > 0)
		return n;
	if (error == EINTR)
		return 0;
	if ((error == 0 || error == EAGAIN) && !hung_up(l->fd))
		return 0;
	err_clear(&l->why);
	if (error && error != EAGAIN && error != EIO && error != ENXIO && error != ENODEV)
		err_set(&l->why, ERR_ABSENT, "%s (%s)", l->ops->gone, strerror(error));
	else
		err_set(&l->why, ERR_ABSENT, "%s", l->ops->gone);
	return LINK_GONE;
}

ssize_t link_tty_write(struct link *l, const uint8_t *data, size_t n)
{
	ssize_t done = write(l->fd, data, n);

	if (done >= 0)
		return done;
	return errno == EAGAIN || errno == EINTR ? 0 : -1;
}
