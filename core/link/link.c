#include "core/link/link.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/link/link_ops.h"
#include "core/link/scheme.h"

#define RETRY_NS (CLOCK_SECOND / 2)
#define FIRST_CONNECT_NS (5 * CLOCK_SECOND)
#define RESEND_NS (CLOCK_SECOND / 50)

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
	l->retry_ns = l->now + (l->ops->patience.retry_ns ? l->ops->patience.retry_ns : RETRY_NS);
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
	uint64_t patience = l->ops->patience.connect_ns, end;

	patience = patience ? patience : FIRST_CONNECT_NS;
	end = l->now + patience;
	while (l->connecting) {
		struct pollfd p = { .fd = l->fd, .events = link_events(l) };
		int ret;

		poll(&p, 1, clock_ms_until(end, l->now));
		l->now = clock_now();
		ret = connect_settle(l, err);
		if (ret < 0)
			return ret;
		if (ret > 0 && l->now >= end)
			return err_set(err, ERR_ABSENT, "no answer within %d seconds",
				       (int)(patience / CLOCK_SECOND));
	}
	return 0;
}

static int link_start(struct link *l, struct err *err)
{
	int ret = scheme_parse(l, err);

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
		return l->ops->greets ? POLLIN : POLLOUT;
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

uint64_t link_end(const struct link *l)
{
	return link_can_seek(l) ? l->ops->player->end(l) : UINT64_MAX;
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

bool link_leaps(const struct link *l, uint64_t time_ns)
{
	return link_can_seek(l) && l->ops->player->leaps(l, time_ns);
}

void link_leap(struct link *l, uint64_t now, uint64_t to_ns)
{
	assert(link_can_seek(l));
	l->now = now;
	l->ops->player->leap(l, to_ns);
	state_enter(l, LINK_UP);
}

void link_resumes(struct link *l, record_again_fn *resume, void *ctx)
{
	if (link_has_pace(l))
		l->ops->player->resumes(l, resume, ctx);
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

bool link_failed(const struct link *l)
{
	return l->state == LINK_ENDED && l->why.code == ERR_IO;
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

const char *link_moved(const struct link *l)
{
	return l->state == LINK_UP ? l->moved : "";
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

const char *link_about(const struct link *l)
{
	return l->own && l->ops->about ? l->ops->about(l) : "";
}

bool link_beside(const struct link *l)
{
	return l->own && l->ops->beside && l->ops->beside(l);
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
