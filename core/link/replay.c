/*
 * replay: a recording, read with its pace, paused, or at full speed up to a time.
 *
 * Its times are ns since the recording's time zero ("offset"), those that it gives out are
 * `start` + offset at any speed. Where it stands:
 *
 *	at a pace       from + (now - since) * speed
 *	paused          from
 *	at full speed   the last chunk handed out
 *	to a goal       likewise; `from` is the goal once the next chunk is behind it
 *	still recorded  at its end the last chunk; looked at once a second until the lock is free
 *
 * To go back it begins again at the first chunk: nothing in the format tells where a chunk begins
 * but the chunk before it, and a decoder needs them all.
 */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/link/file.h"

/* --- where it stands -------------------------------------------------------------------------- */

static uint64_t offset_now(const struct link *l, const struct file_own *f, uint64_t now)
{
	const struct file_pace *p = &f->pace;
	const double longest = 9e18;	/* and from + that is still a time */
	double ns;

	if (f->waits)
		return p->from;
	if (p->goal != FILE_NOWHERE || l->options.speed <= 0 || l->state == LINK_ENDED)
		return f->told > p->from ? f->told : p->from;
	if (l->paused || now <= p->since)
		return p->from;
	ns = (double)(now - p->since) * l->options.speed;
	return p->from + (uint64_t)(ns < longest ? ns : longest);
}

/* From here on another pace may hold. */
static void pace_anchor(struct link *l, struct file_own *f, uint64_t now)
{
	f->pace.from = offset_now(l, f, now);
	f->pace.since = now;
}

/* On our clock. */
static uint64_t due_at(const struct link *l, const struct file_own *f)
{
	const struct file_pace *p = &f->pace;
	const double longest = 9e18;
	double ns;

	if (f->begun || l->options.speed <= 0 || p->goal != FILE_NOWHERE || f->offset <= p->from)
		return 0;
	ns = (double)(f->offset - p->from) / l->options.speed;
	return p->since + (uint64_t)(ns < longest ? ns : longest);
}

static void goal_reached(struct link *l, struct file_own *f, uint64_t offset)
{
	f->pace = (struct file_pace){ .from = offset, .since = l->now, .goal = FILE_NOWHERE };
}

/* --- reading ---------------------------------------------------------------------------------- */

static void say_damaged(struct link *l)
{
	const struct file_own *f = l->own;

	if (f->damaged && !err_is_set(&l->why))
		err_set(&l->why, ERR_FORMAT, "recording cut or damaged: %" PRIu64 " bytes left out",
			f->damaged);
}

static void chunk_begin(struct file_own *f, const struct record_chunk *c)
{
	uint64_t offset = f->part_zero + c->offset_ns;

	if (offset > f->offset)		/* times never go back */
		f->offset = offset;
	f->unsure |= c->again;
	f->alone &= c->again;
	f->data = c->data;
	f->left = c->length;
	f->beside = c->beside;
	f->begun = false;
	f->hungry = false;
}

static void damage_leave(struct file_own *f, size_t n)
{
	f->place = 0;
	file_use(f, n);
	f->damaged += n;
}

/* After the first damage all checks come from resync: how often it must look is up to the file. */
static bool chunk_is_whole(struct file_own *f, size_t size)
{
	return f->resync ? resync_is_whole(f->resync, f->buffer, f->head, size) :
			   record_is_whole(f->buffer + f->head, size);
}

static void chunk_lost(struct file_own *f)
{
	f->lost = true;
	damage_leave(f, 1);
	if (!f->resync)
		f->resync = resync_new(FILE_BUFFER);
}

/*
 * Behind damage, to the next whole chunk; as chunk_next(). It looks at one buffer a call, for the
 * way may be long, and keys wait.
 */
static int chunk_find(struct link *l)
{
	struct file_own *f = l->own;
	size_t end, at;

	if (f->len < RECORD_CHUNK_MAX && !f->eof)
		file_fill(l);
	f->hungry = true;
	if (f->len < RECORD_CHUNK_MAX && !f->eof && !f->dry)
		return 0;
	at = end = f->head + f->len;
	f->lost = !f->resync || !resync_find(f->resync, f->buffer, f->head, end, &at);
	damage_leave(f, (f->lost && f->eof ? end : at) - f->head);
	if (!f->lost)
		return 1;
	return f->eof ? LINK_EOF : 0;
}

static void about_take(struct file_own *f, const struct record_chunk *c)
{
	memcpy(f->about, c->data, c->length);
	f->about[c->length] = '\0';
}

void replay_about(struct link *l)
{
	struct file_own *f = l->own;
	struct record_chunk c;
	size_t used;

	while (record_parse(f->buffer + f->head, f->len, &c, &used) == RECORD_CHUNK && c.about &&
	       chunk_is_whole(f, used)) {
		about_take(f, &c);
		file_use(f, used);
	}
}

/* Where it ends, for a key there. */
static void chunk_passed(struct file_own *f)
{
	f->place = f->taken - chain_before(f, f->part) - f->len;
	f->check = record_check(f->buffer + f->head - RECORD_CHECK);
}

/* 1 a chunk stands ready, 0 none now, LINK_EOF. */
static int chunk_next(struct link *l)
{
	struct file_own *f = l->own;
	struct record_chunk c;
	bool fresh = false;
	size_t used;
	int ret;

	for (;;) {
		if (f->lost && (ret = chunk_find(l)) <= 0)
			return ret;
		switch (record_parse(f->buffer + f->head, f->len, &c, &used)) {
		case RECORD_CHUNK:
			if (!chunk_is_whole(f, used)) {
				chunk_lost(f);
				break;
			}
			if (!c.again)
				leap_pass(l);
			file_use(f, used);
			chunk_passed(f);
			if (c.about)
				about_take(f, &c);
			if (c.about || (c.again && !f->alone))
				break;
			chunk_begin(f, &c);
			return 1;
		case RECORD_MORE:
			if (!fresh && !f->eof) {
				file_fill(l);
				fresh = true;
				break;
			}
			f->hungry = true;
			if (!f->eof || !f->len)
				return f->eof ? LINK_EOF : 0;
			chunk_lost(f);
			break;
		case RECORD_LOST:
			chunk_lost(f);
			break;
		}
	}
}

/* The same over all parts. */
static int chain_chunk(struct link *l)
{
	int ret = chunk_next(l);

	while (ret == LINK_EOF && chain_next(l))
		ret = chunk_next(l);
	return ret;
}

/* A recording that is still written: it stands at the last chunk until the next one comes. */
static void wait_begin(struct link *l)
{
	struct file_own *f = l->own;

	f->waits = true;
	goal_reached(l, f, f->told);
}

/* Whether the chunk at hand may be handed out. */
static bool chunk_is_due(struct link *l)
{
	struct file_own *f = l->own;

	if (f->begun)
		return true;
	if (f->pace.goal != FILE_NOWHERE && f->offset <= f->pace.goal)
		return true;
	if (f->pace.goal != FILE_NOWHERE)
		goal_reached(l, f, f->pace.goal);
	return !l->paused && l->now >= due_at(l, f);
}

static ssize_t recording_read(struct link *l, uint8_t *buf, size_t size, uint64_t *time_ns)
{
	struct file_own *f = l->own;
	size_t n;

	if (!f->left) {
		int ret = chain_chunk(l);

		if (ret == LINK_EOF) {
			say_damaged(l);
			pace_anchor(l, f, l->now);
			goal_reached(l, f, f->told);
		}
		if (ret == 0 && f->dry && !f->waits)
			wait_begin(l);
		if (ret <= 0)
			return ret;
		f->waits = false;
	}
	if (!chunk_is_due(l))
		return 0;
	n = f->left < size ? f->left : size;
	memcpy(buf, f->data, n);
	f->data += n;
	f->left -= n;
	f->begun = true;
	f->told = f->offset;
	*time_ns = f->start + f->offset;
	return (ssize_t)n;
}

/* --- the player ------------------------------------------------------------------------------- */

static bool recording_seeks(const struct link *l)
{
	const struct file_own *f = l->own;

	return f->regular && f->named && l->fd >= 0;
}

static void recording_again(struct link *l, struct file_own *f)
{
	size_t part = 0;

	while (part < f->parts.count && chain_part(l, part) < 0)
		part++;
	if (part == f->parts.count) {	/* it is a file, or no part can be opened any more */
		lseek(l->fd, (off_t)(f->begin + RECORD_HEADER), SEEK_SET);
		f->taken = RECORD_HEADER;
	}
	f->eof = f->lost = f->hungry = f->begun = f->dry = f->waits = false;
	f->alone = true;
	f->unsure = false;
	f->place = 0;
	f->damaged = f->offset = f->told = 0;
	f->head = f->len = f->left = 0;
	resync_forget(f->resync);
	err_clear(&l->why);
}

static uint64_t offset_of(const struct file_own *f, uint64_t time_ns)
{
	return time_ns > f->start ? time_ns - f->start : 0;
}

static bool recording_is_past(const struct link *l, uint64_t time_ns)
{
	const struct file_own *f = l->own;

	return offset_of(f, time_ns) < f->told || (f->begun && f->left);
}

static void recording_seek(struct link *l, uint64_t to_ns)
{
	struct file_own *f = l->own;
	bool back = recording_is_past(l, to_ns);

	if (back)
		recording_again(l, f);
	f->pace = (struct file_pace){ .from = f->told, .since = l->now,
				      .goal = offset_of(f, to_ns) };
	if ((l->state == LINK_ENDED || f->waits) && !back)
		goal_reached(l, f, f->told);
}

static void recording_stay(struct link *l)
{
	struct file_own *f = l->own;

	if (f->pace.goal != FILE_NOWHERE)
		goal_reached(l, f, f->told);
	else
		pace_anchor(l, f, l->now);
}

static uint64_t recording_at(const struct link *l, uint64_t now)
{
	const struct file_own *f = l->own;

	return f->start + offset_now(l, f, now);
}

static uint64_t recording_zero(const struct link *l)
{
	return ((const struct file_own *)l->own)->start;
}

static uint64_t recording_end(const struct link *l)
{
	uint64_t offset = tail_offset(l);

	return offset == FILE_NOWHERE ? UINT64_MAX :
	       ((const struct file_own *)l->own)->start + offset;
}

static uint64_t recording_next(const struct link *l)
{
	const struct file_own *f = l->own;

	return f->left && !f->begun ? f->start + f->offset : UINT64_MAX;
}

static uint64_t recording_goal(const struct link *l)
{
	const struct file_own *f = l->own;

	return f->pace.goal == FILE_NOWHERE ? LINK_NO_GOAL : f->start + f->pace.goal;
}

static bool recording_follows(const struct link *l)
{
	return ((const struct file_own *)l->own)->waits;
}

static bool recording_leaps(const struct link *l, uint64_t to_ns)
{
	return leap_is_due(l, offset_of(l->own, to_ns), recording_is_past(l, to_ns));
}

/* An index that fails at the last moment costs the way from the beginning. */
static void recording_leap(struct link *l, uint64_t to_ns)
{
	struct file_own *f = l->own;

	recording_again(l, f);
	if (!leap_take(l, offset_of(f, to_ns)))
		recording_again(l, f);
}

static void recording_resumes(struct link *l, record_again_fn *resume, void *ctx)
{
	struct file_own *f = l->own;

	f->resume = resume;
	f->resume_ctx = ctx;
}

/* --- polling, facts --------------------------------------------------------------------------- */

/* Paced, the descriptor waits until the chunk in hand was due. */
static int recording_fd(const struct link *l)
{
	const struct file_own *f = l->own;

	return f->left ? -1 : file_fd(l);
}

static int recording_timeout(const struct link *l, uint64_t now)
{
	const struct file_own *f = l->own;

	if (f->left)
		return clock_ms_until(due_at(l, f), now);
	if (f->dry)
		return clock_ms_until(f->look_ns, now);
	return f->hungry && !f->regular && !f->eof ? -1 : 0;
}

static bool recording_wall(const struct link *l, int64_t *ns)
{
	const struct file_own *f = l->own;

	*ns = (int64_t)(f->wall - f->start);
	return true;
}

static uint64_t recording_damaged(const struct link *l)
{
	return ((const struct file_own *)l->own)->damaged;
}

static const char *recording_about(const struct link *l)
{
	return ((const struct file_own *)l->own)->about;
}

static bool recording_beside(const struct link *l)
{
	return ((const struct file_own *)l->own)->beside;
}

static const struct link_player recording_player = {
	.seeks = recording_seeks,
	.is_past = recording_is_past,
	.seek = recording_seek,
	.stay = recording_stay,
	.at = recording_at,
	.zero = recording_zero,
	.end = recording_end,
	.next = recording_next,
	.goal = recording_goal,
	.follows = recording_follows,
	.leaps = recording_leaps,
	.leap = recording_leap,
	.resumes = recording_resumes,
};

const struct link_ops link_recording = {
	.kind = "recording",
	.open = file_open,
	.read = recording_read,
	.release = file_release,
	.fd = recording_fd,
	.timeout = recording_timeout,
	.progress = file_progress,
	.damaged = recording_damaged,
	.wall = recording_wall,
	.about = recording_about,
	.beside = recording_beside,
	.player = &recording_player,
};
