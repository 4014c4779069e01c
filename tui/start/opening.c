#include "tui/start/opening.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/os.h"
#include "core/base/thread.h"
#include "tui/term/signals.h"

enum { PATIENCE_MS = 25, BEAT_MS = 100 };

/* Shared with the thread, which may run longer than opening_run. */
struct job {
	opening_work *work;
	void *ctx;
	struct err err;
	int status;
	struct os_event done;		/* told at the end */
};

static void *job_run(void *arg)
{
	struct job *j = arg;

	j->status = j->work(j->ctx, &j->err);
	if (!os_event_tell(&j->done))
		abort();		/* impossible */
	return NULL;
}

static bool is_done(const struct job *j, int ms)
{
	struct pollfd p = { .fd = j->done.fd, .events = POLLIN };
	int n;

	do
		n = poll(&p, 1, ms);
	while (n < 0 && errno == EINTR && ms < 0);
	return n > 0;
}

static void page_draw(const struct opening *o, uint64_t since)
{
	struct grid *g = screen_begin(*o->screen);
	double s = (double)(clock_now() - since) / (double)CLOCK_SECOND;
	char key[KEYMAP_TEXT];

	grid_fill(g, 0, 0, -1, ROLE_HEADER, ' ');
	grid_text(g, 0, 0, -1, ROLE_HEADER, "wsntop");
	grid_textf(g, 2, g->height / 2 - 1, g->width - 4, ROLE_VALUE, "opening %s  %.1f s",
		   o->what, s);
	if (!*keymap_first(o->keys, ACTION_BACK, key, sizeof(key)))
		keymap_first(o->keys, ACTION_QUIT, key, sizeof(key));
	grid_textf(g, 2, g->height / 2 + 1, g->width - 4, ROLE_LABEL, "%s: quit",
		   *key ? key : "Ctrl-C");
	screen_end(*o->screen, -1, -1);
}

static bool is_leave_key(const struct keymap *keys, uint32_t key)
{
	enum action a = keymap_of_key(keys, key);

	return a == ACTION_QUIT || a == ACTION_BACK || a == ACTION_CANCEL;
}

/* Until the page is due again; true when the user leaves. */
static bool page_wait(const struct opening *o, const struct job *j, int signals)
{
	struct pollfd p[] = {
		{ .fd = j->done.fd, .events = POLLIN },
		{ .fd = screen_fd(*o->screen), .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
	};
	struct screen_mouse mouse;
	uint32_t key;
	int sig;

	poll(p, sizeof(p) / sizeof(p[0]), BEAT_MS);
	if (p[1].revents & (POLLHUP | POLLERR | POLLNVAL))
		return true;
	while ((sig = signals_next()))
		if (sig == SIGTERM || sig == SIGHUP || sig == SIGINT || sig == SIGQUIT)
			return true;
	while ((key = screen_key(*o->screen, &mouse)))
		if (is_leave_key(o->keys, key))
			return true;
	return false;
}

static enum opening_end show_page(const struct opening *o, const struct job *j, uint64_t since,
				  struct err *err)
{
	int signals;

	*o->screen = screen_new(o->theme, err);
	signals = *o->screen ? signals_pipe(err) : -1;
	if (signals < 0) {
		is_done(j, -1);
		return OPENING_NO_SCREEN;
	}
	while (!is_done(j, 0)) {
		page_draw(o, since);
		if (page_wait(o, j, signals))
			return OPENING_LEFT;
	}
	return OPENING_DONE;
}

enum opening_end opening_run(const struct opening *o, int *status, struct err *err)
{
	struct job *j = mem_zalloc(sizeof(*j));
	uint64_t since = clock_now();
	enum opening_end end = OPENING_DONE;
	pthread_t id;

	*status = 0;
	if (j)
		*j = (struct job){ .work = o->work, .ctx = o->ctx };
	/* If no thread can be created the work is done here, and the user waits. */
	if (!j || os_event_open(&j->done) < 0 || thread_start(&id, job_run, j)) {
		if (j)
			os_event_close(&j->done);
		mem_free(j);
		*status = o->work(o->ctx, err);
		return OPENING_DONE;
	}
	if (!is_done(j, PATIENCE_MS))
		end = show_page(o, j, since, err);
	if (end == OPENING_LEFT) {
		pthread_detach(id);
		return end;
	}
	pthread_join(id, NULL);
	*status = j->status;
	if (end == OPENING_DONE && err_is_set(&j->err) && err && !err_is_set(err))
		*err = j->err;
	os_event_close(&j->done);
	mem_free(j);
	return end;
}
