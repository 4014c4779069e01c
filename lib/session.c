/* session: life, sources, time. */
#include "lib/session.h"

#include <math.h>
#include <poll.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/profile/raw/copy.h"
#include "core/run/baseline.h"

#define BUDGET (4 * 1024 * 1024)	/* bytes of one node before the others have their turn */

_Static_assert((int)WSNTOP_ERROR_MEMORY == (int)ERR_NOMEM &&
	       (int)WSNTOP_ERROR_IO == (int)ERR_IO &&
	       (int)WSNTOP_ERROR_FORMAT == (int)ERR_FORMAT &&
	       (int)WSNTOP_ERROR_USAGE == (int)ERR_USAGE &&
	       (int)WSNTOP_ERROR_ABSENT == (int)ERR_ABSENT, "codes are passed on as they are");

const char *wsntop_version(void)
{
	return WSNTOP_VERSION;
}

struct err *session_err(struct wsntop *w)
{
	err_clear(&w->err);
	return &w->err;
}

const char *wsntop_error(const struct wsntop *w)
{
	return w->err.text;
}

/* --- life ------------------------------------------------------------------------------------- */

struct wsntop *wsntop_new(void)
{
	struct wsntop *w = mem_zalloc(sizeof(*w));

	if (!w)
		return NULL;
	nodes_init(&w->nodes);
	arena_init(&w->arena);
	w->settings.node.batch = true;
	w->settings.node.elfs = w->settings.elfs;
	w->settings.node.link.watches = w->settings.watches;
	w->settings.order.column = COLUMN_SELF_PERCENT;
	return w;
}

void wsntop_free(struct wsntop *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->handle_count; i++) {
		contexts_release(&w->handles[i]->contexts);
		rows_release(&w->handles[i]->rows);
		mem_free(w->handles[i]);
	}
	mem_free(w->handles);
	nodes_release(&w->nodes);
	profile_drop(w->baseline);
	regex_free(w->settings.filter);
	arena_release(&w->arena);
	mem_free(w);
}

int wsntop_set(struct wsntop *w, const char *name, const char *value)
{
	session_err(w);
	return settings_set(w, name, value);
}

/* --- nodes ------------------------------------------------------------------------------------ */

static int handle_add(struct wsntop *w, struct err *err)
{
	struct wsntop_node *n = NULL;

	if (mem_grow(&w->handles, &w->handle_cap, w->handle_count + 1, sizeof(n)) == 0)
		n = mem_zalloc(sizeof(*n));
	if (!n)
		return err_set(err, ERR_NOMEM, "out of memory");
	n->session = w;
	n->node = w->nodes.items[w->handle_count];
	rows_init(&n->rows);
	w->handles[w->handle_count++] = n;
	return 0;
}

/* A handle for each node that came. */
static int handles_add(struct wsntop *w, struct err *err)
{
	int ret = 0;

	while (ret == 0 && w->handle_count < w->nodes.count)
		ret = handle_add(w, err);
	return ret;
}

int wsntop_open(struct wsntop *w, const char *source, const char *elf)
{
	struct node_options o = w->settings.node;
	struct err *err = session_err(w);

	o.source = arena_str(&w->arena, source);
	o.elf = elf ? arena_str(&w->arena, elf) : NULL;
	if (!o.source || (elf && !o.elf))
		return err_set(err, ERR_NOMEM, "out of memory");
	if (nodes_open(&w->nodes, &o, err) < 0)
		return w->err.code;
	return handles_add(w, err);
}

int wsntop_baseline(struct wsntop *w, const char *path)
{
	struct node_options o = w->settings.node;
	struct profile *p;

	/* A recording's functions have the names of the first node's. */
	if (w->nodes.count)
		o.elf = node_options(w->nodes.items[0])->elf;
	p = baseline_read(path, &o, session_err(w));
	if (!p)
		return w->err.code;
	profile_drop(w->baseline);
	w->baseline = p;
	return 0;
}

size_t wsntop_node_count(const struct wsntop *w)
{
	return w->handle_count;
}

struct wsntop_node *wsntop_node(struct wsntop *w, size_t i)
{
	if (i < w->handle_count)
		return w->handles[i];
	err_set(session_err(w), ERR_ABSENT, "node %zu: none of the sources brought it so far", i);
	return NULL;
}

/* --- time ------------------------------------------------------------------------------------- */

/* A file ends; a live source of a run without a time ends when its peer disconnects. */
static bool node_is_over(const struct node *n, bool timed)
{
	if (node_ended(n))
		return !node_meter_reads(n);
	return !timed && node_stats(n)->bytes && link_state(node_link(n)) == LINK_WAITING;
}

/* How NODE_* is told. */
static int changes_told(unsigned changes)
{
	static const struct {
		unsigned node;
		int told;
	} rows[] = {
		{ NODE_DATA, WSNTOP_CHANGED }, { NODE_TEXT, WSNTOP_TEXT },
		{ NODE_STATE | NODE_ENDED | NODE_NEWS, WSNTOP_STATE },
	};
	int told = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (changes & rows[i].node)
			told |= rows[i].told;
	return told;
}

/* Takes what is there. */
static int session_service(struct wsntop *w, bool timed, struct err *err)
{
	uint64_t now = clock_now();
	int came = nodes_service(&w->nodes, now, err), told = 0;
	size_t over = 0;

	if (handles_add(w, err) < 0 || came < 0)
		return w->err.code;
	for (size_t i = 0; i < w->nodes.count; i++) {
		told |= changes_told(node_service(w->nodes.items[i], now, BUDGET));
		over += node_is_over(w->nodes.items[i], timed);
	}
	if (over == w->nodes.count)
		told |= WSNTOP_ENDED;
	return told | (came ? WSNTOP_NODES : 0);
}

/* EINTR is no error: the caller's flag is looked at next. */
static int session_wait(const struct wsntop *w, int ms, struct err *err)
{
	struct pollfd *fds = mem_alloc((nodes_fds_max(&w->nodes) + 1) * sizeof(*fds));

	if (!fds)
		return err_set(err, ERR_NOMEM, "out of memory");
	poll(fds, nodes_poll_fds(&w->nodes, fds),
	     clock_sooner(ms, nodes_timeout(&w->nodes, clock_now())));
	mem_free(fds);
	return 0;
}

int wsntop_poll(struct wsntop *w, int ms)
{
	struct err *err = session_err(w);
	uint64_t until = ms > 0 ? clock_now() + (uint64_t)ms * 1000000 : 0;
	int told = session_service(w, true, err);

	while (told == 0 && ms != 0) {
		if (session_wait(w, until ? clock_ms_until(until, clock_now()) : -1, err) < 0)
			return w->err.code;
		told = session_service(w, true, err);
		if (w->stop || (until && clock_now() >= until))
			break;
	}
	w->stop = 0;
	return told;
}

int wsntop_run(struct wsntop *w, double seconds)
{
	const double longest = 9e9;	/* 285 years: the deadline still fits in ns */
	struct err *err = session_err(w);
	uint64_t until = seconds > 0 ? clock_now() + (uint64_t)(1e9 * fmin(seconds, longest)) : 0;
	int told = session_service(w, until, err);

	while (told >= 0 && !(told & WSNTOP_ENDED) && !w->stop &&
	       !(until && clock_now() >= until)) {
		if (session_wait(w, until ? clock_ms_until(until, clock_now()) : -1, err) < 0)
			return w->err.code;
		told = session_service(w, until, err);
	}
	w->stop = 0;
	return told < 0 ? told : 0;
}

void wsntop_stop(struct wsntop *w)
{
	w->stop = 1;
}

size_t wsntop_poll_fds(const struct wsntop *w, struct pollfd *fds, size_t room)
{
	size_t most = nodes_fds_max(&w->nodes), count;
	struct pollfd *all = mem_alloc((most + 1) * sizeof(*all));

	if (!all)
		return 0;
	count = nodes_poll_fds(&w->nodes, all);
	if (room)
		memcpy(fds, all, (count < room ? count : room) * sizeof(*all));
	mem_free(all);
	return count;
}

int wsntop_timeout(const struct wsntop *w)
{
	return nodes_timeout(&w->nodes, clock_now());
}
