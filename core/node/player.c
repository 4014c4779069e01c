/*
 * player: a recording as a video: pause, pace, seek; and the index of the whole recording.
 *
 * The node holds what it held at one time of the recording, exactly. A time that was not read yet
 * is reached by reading on at full speed. For an earlier one the node forgets all but its image and
 * reads from the beginning: decoders, profiles and their neighbours cannot run backwards, and
 * copies of all of them would have to be kept for each second.
 *
 * The index is a second node that reads the same file ahead in the background; it is there for its
 * histories, which then know the whole recording. Those of the node itself are the index where they
 * reach further: after the end was read once, no second node is needed.
 */
#include "core/node/parts.h"

#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"

#define HURRY_NS (CLOCK_SECOND * 3 / 100)	/* keys may wait so long for a seek */

enum { AHEAD_BUDGET = 256 * 1024 };	/* bytes of the index between two looks at the keyboard */

static struct link *player_link(const struct node *n)
{
	return n->inputs[0].link;
}

/* --- the index -------------------------------------------------------------------------------- */

static const struct history *history_of(const struct node_index *books, size_t count,
					const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(books[i].name, name))
			return books[i].history;
	return NULL;
}

static uint64_t history_end(const struct history *h)
{
	struct history_moment m = { 0 };

	if (h && history_count(h))
		history_moment(h, history_count(h) - 1, &m);
	return m.time_ns;
}

static uint64_t history_first(const struct history *h)
{
	struct history_moment m = { 0 };

	if (h)
		history_moment(h, 0, &m);
	return m.time_ns - (m.length_ns < m.time_ns ? m.length_ns : 0);
}

static const struct history *history_longer(const struct history *a, const struct history *b)
{
	return history_end(b) > history_end(a) ? b : a;
}

static const struct history *ahead_history(const struct node *n, const char *name)
{
	for (size_t i = 0; n && i < n->book_count; i++)
		if (!strcmp(n->books[i].profile->name, name))
			return n->books[i].history;
	return NULL;
}

/* Behind a leap all before it is one moment of the node's own. */
const struct history *node_history_whole(const struct node *n)
{
	const struct node_player *p = &n->player;
	const char *name = n->books[n->selected].profile->name;
	const struct history *own = node_history(n), *h = p->leapt ? NULL : own;

	if (!*name && p->wanted)
		name = p->wanted;	/* forgotten a moment ago: it will have this name again */
	h = history_longer(h, history_of(p->index, p->index_count, name));
	h = history_longer(h, ahead_history(p->ahead, name));
	return h && history_count(h) ? h : own;
}

static void whole_release(struct node_player *p)
{
	for (size_t i = 0; i < p->index_count; i++) {
		history_free(p->index[i].history);
		mem_free(p->index[i].name);
	}
	mem_free(p->index);
	p->index = NULL;
	p->index_count = 0;
}

static uint64_t at_least(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The histories of these books become the index, if they reach further than it does. */
static void whole_take(struct node_player *p, struct book *books, size_t count)
{
	struct node_index *index;
	uint64_t end = 0, before = 0;

	for (size_t i = 0; i < count; i++)
		end = at_least(end, history_end(books[i].history));
	for (size_t i = 0; i < p->index_count; i++)
		before = at_least(before, history_end(p->index[i].history));
	index = end > before ? mem_zalloc(count * sizeof(*index)) : NULL;
	if (!index)
		return;
	whole_release(p);
	p->index = index;
	for (size_t i = 0; i < count; i++) {
		index[p->index_count].name = mem_strdup(books[i].profile->name);
		if (!index[p->index_count].name)
			break;
		index[p->index_count++].history = books[i].history;
		books[i].history = NULL;
	}
}

static void ahead_end(struct node_player *p)
{
	if (!p->ahead)
		return;
	whole_take(p, p->ahead->books, p->ahead->book_count);
	node_free(p->ahead);
	p->ahead = NULL;
}

/* Once all that slows its start has been read: the ELF's lines. */
static void ahead_begin(struct node *n)
{
	struct node_options o = n->options;

	if (n->player.indexed || o.batch || o.index || o.span ||
	    !node_can_seek(n) ||
	    !node_image_is_read(n) || !n->inputs[0].stats.bytes)
		return;
	if (!n->player.leapt &&
	    (node_ended(n) || (link_pace(player_link(n)) <= 0 && !node_is_paused(n))))
		return;			/* it reads all as fast as it can */
	o.record = o.power = NULL;
	o.carrier = NULL;
	history_budget_init(&n->player.budget);
	o.budget = &n->player.budget;	/* its histories outlive it */
	o.elfs = (const char *const *)n->binding.elfs;
	o.elf_count = n->binding.elf_count;
	o.link.speed = 0;
	o.link.zero_ns = link_zero(player_link(n));	/* one axis */
	o.index = true;
	n->player.ahead = node_new(&o, NULL);
	n->player.indexed = true;
}

/* Whether all was read that there is, up to now. */
static bool end_is_known(struct node_player *p, const struct node *reader, uint64_t now)
{
	const struct link *l = player_link(reader);

	if (!node_ended(reader) && !link_follows(l))
		return false;
	if (link_at(l, now) > p->ended_ns)
		p->ended_ns = link_at(l, now);
	return true;
}

static void ahead_service(struct node *n, uint64_t now)
{
	struct node *ahead = n->player.ahead;

	if (!ahead)
		return;
	if (node_service(ahead, now, AHEAD_BUDGET) || !link_follows(player_link(ahead)))
		n->changes |= NODE_STATE;
	end_is_known(&n->player, ahead, now);
	if (node_ended(ahead))
		ahead_end(&n->player);
}

/* --- from the beginning ----------------------------------------------------------------------- */

static void books_drop(struct node_player *p, struct book *books, size_t count)
{
	if (!p->leapt)
		whole_take(p, books, count);
	for (size_t i = 0; i < count; i++)
		book_release(&books[i]);
	mem_free(books);
}

/* The books are empty ones again. False: no memory, all is as it was. */
static bool books_again(struct node *n)
{
	struct book *books = n->books;
	size_t count = n->book_count, cap = n->book_cap, selected = n->selected;
	char *wanted = mem_strdup(books[selected].profile->name);

	n->books = NULL;
	n->book_count = n->book_cap = n->selected = 0;
	if (!wanted || !book_new(n, "")) {
		mem_free(wanted);
		mem_free(n->books);
		n->books = books;
		n->book_count = count;
		n->book_cap = cap;
		n->selected = selected;
		return false;
	}
	mem_free(n->player.wanted);
	n->player.wanted = wanted;
	n->player.pinned = n->pinned;
	n->pinned = false;
	books_drop(&n->player, books, count);
	return true;
}

static void facts_forget(struct node *n)
{
	for (size_t i = 0; i < n->stack_count; i++)
		mem_free((void *)n->stacks[i].frames);
	n->stack_count = 0;
	calls_forget(n);
	seen_forget(n);
	console_release(&n->console);
	console_init(&n->console);
	health_init(&n->health);
	node_past_release(n);
	n->past = (struct node_past){ 0 };
	watches_again(n);
	n->talk = (struct talk){ 0 };
	n->stats = (struct wire_stats){ 0 };
	n->reports = 0;
	n->now_ns = n->arrival_ns = n->before_ns = n->mark_ns = 0;
	err_clear(&n->trouble);
}

static int node_again(struct node *n, struct err *err)
{
	unsigned restarts = n->player.restarts++;
	struct node_past past = n->past;

	n->past.fed_ns = 0;		/* a new book's history begins with the first bytes */
	if (input_again(&n->inputs[0]) < 0 || !books_again(n)) {
		n->past = past;
		n->player.restarts = restarts;
		return err_set(err, ERR_NOMEM, "out of memory: cannot seek");
	}
	facts_forget(n);
	across_again(n);
	binding_again(n);
	log_again(n);
	n->changes |= NODE_DATA | NODE_TEXT | NODE_STATE;
	return 0;
}

/* A report's book came: the one that the user had chosen is chosen again. */
bool player_selects(struct node *n, const struct book *b)
{
	if (!n->player.pinned || strcmp(n->player.wanted, b->profile->name))
		return false;
	n->player.pinned = false;
	node_select(n, (size_t)(b - n->books));
	return true;
}

/* --- the player's side of the node ------------------------------------------------------------ */

bool node_can_seek(const struct node *n)
{
	return link_can_seek(player_link(n)) && !n->options.batch;
}

static void began_note(struct node *n)
{
	const struct history *whole = node_history_whole(n);
	uint64_t first = n->player.leapt && whole == node_history(n) ? 0 : history_first(whole);

	if (first && (!n->player.began_ns || first < n->player.began_ns))
		n->player.began_ns = first;
}

static int player_seek(struct node *n, uint64_t at_ns, bool may_leap, struct err *err)
{
	struct link *l = player_link(n);
	bool leaps, back;
	int ret = 0;

	if (!node_can_seek(n))
		return err_set(err, ERR_USAGE, "cannot seek: %s", !link_has_pace(l) ?
			       "not a recording" : "the recording is read from a pipe");
	if (link_is_past(l, at_ns) && node_is_recording(n))
		return err_set(err, ERR_USAGE, "cannot go back while this replay is recorded");
	began_note(n);
	back = link_is_past(l, at_ns);
	leaps = may_leap && !node_is_recording(n) && link_leaps(l, at_ns);
	if (leaps || back)
		ret = node_again(n, err);
	if (ret == 0) {
		n->player.leapt = leaps || (n->player.leapt && !back);
		if (leaps) {
			link_leap(l, clock_now(), at_ns);
			node_stream_profile(n)->settled = PROFILE_SETTLED;	/* by its key */
		}
		link_seek(l, clock_now(), at_ns);
		n->changes |= NODE_STATE;
	}
	return ret;
}

int node_seek(struct node *n, uint64_t at_ns, struct err *err)
{
	return player_seek(n, at_ns, true, err);
}

int node_read_on(struct node *n, uint64_t at_ns, struct err *err)
{
	return player_seek(n, at_ns, false, err);
}

bool node_is_paused(const struct node *n)
{
	return link_is_paused(player_link(n));
}

void node_pause(struct node *n, bool paused)
{
	link_pause(player_link(n), clock_now(), paused);
	n->changes |= NODE_STATE;
}

void node_set_pace(struct node *n, double speed)
{
	link_set_pace(player_link(n), clock_now(), speed);
	n->changes |= NODE_STATE;
}

static enum node_play_state play_state(const struct node *n)
{
	const struct link *l = player_link(n);

	if (link_is_live(l))
		return link_state(l) == LINK_UP ? NODE_PLAY_LIVE :
		       /* a simulator behind its ?for= */
		       link_state(l) == LINK_ENDED ? NODE_PLAY_ENDED : NODE_PLAY_DOWN;
	if (link_goal(l) != LINK_NO_GOAL)
		return NODE_PLAY_SEEKS;
	if (node_ended(n))
		return NODE_PLAY_ENDED;
	if (node_is_paused(n))
		return NODE_PLAY_PAUSED;
	return link_follows(l) ? NODE_PLAY_FOLLOWS : NODE_PLAY_RUNS;
}

struct node_play node_play(const struct node *n, uint64_t now)
{
	const struct history *whole = node_history_whole(n);
	const struct link *l = player_link(n);
	uint64_t end = link_end(l);
	struct node_play p = {
		.state = play_state(n),
		.recording = link_has_pace(l),
		.speed = link_pace(l),
		.at_ns = link_at(l, now),
		.goal_ns = link_goal(l),
		.whole = n->player.ended_ns || (node_ended(n) && !n->player.leapt),
		.share = link_progress(l),
	};

	p.ends = p.whole || end != UINT64_MAX;
	if (!p.recording || !whole || !history_count(whole))
		return p;
	p.begin_ns = history_first(whole);
	if (n->player.began_ns && (n->player.leapt || n->player.began_ns < p.begin_ns))
		p.begin_ns = n->player.began_ns;
	p.end_ns = at_least(at_least(history_end(whole), p.at_ns), n->player.ended_ns);
	if (end != UINT64_MAX)
		p.end_ns = at_least(p.end_ns, end);
	if (p.ends && p.end_ns > p.begin_ns && p.at_ns >= p.begin_ns)
		p.share = (double)(p.at_ns - p.begin_ns) / (double)(p.end_ns - p.begin_ns);
	return p;
}

unsigned node_restarts(const struct node *n)
{
	return n->player.restarts + n->seen.yielded;
}

/* --- the poll loop's side --------------------------------------------------------------------- */

bool player_hurries(const struct node *n, uint64_t since)
{
	return link_goal(player_link(n)) != LINK_NO_GOAL && clock_now() < since + HURRY_NS;
}

void player_service(struct node *n, uint64_t now)
{
	struct link *l = player_link(n);

	if (link_goal(l) != LINK_NO_GOAL)
		return;
	if (!n->player.leapt)
		end_is_known(&n->player, n, now);
	ahead_begin(n);
	ahead_service(n, now);
}

int player_timeout(const struct node *n, uint64_t now)
{
	return n->player.ahead ? node_timeout(n->player.ahead, now) : -1;
}

void player_release(struct node *n)
{
	node_free(n->player.ahead);
	whole_release(&n->player);
	mem_free(n->player.wanted);
}
