#include "tui/app/app.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/run/batch.h"
#include "core/profile/raw/copy.h"
#include "tui/app/frames.h"
#include "tui/app/gather.h"
#include "tui/app/relief.h"
#include "tui/app/whole.h"
#include "tui/start/opening.h"
#include "tui/start/picker.h"
#include "tui/start/remember.h"
#include "tui/term/signals.h"
#include "tui/term/theme.h"
#include "tui/app/ui/ui.h"

#define ANSWERED_NS (CLOCK_SECOND / 20)		/* nodes wait no longer for answers to keys */

enum {
	STATUS_INPUT = 1, STATUS_USAGE = 2,
	KEYS = 256,			/* keys between two frames, however fast they come */
	WORK_MS = 10,			/* between two pieces of what is told of all nodes */
	BESIDE_MS = 1000,		/* views' children are looked at so often, even if silent */
};

struct loop {
	int signals;			/* descriptor */
	struct frames frames;
	uint64_t deadline;		/* --for; 0: none */
	uint64_t served;		/* clock_now() when nodes were last served */
	bool said_memory;
};

/* --- life ------------------------------------------------------------------------------------- */

static int open_nodes(struct ui *u, const struct options *o, struct err *err)
{
	for (size_t i = u->nodes.carrier_count; i < o->ports.count; i++) {
		struct node_options node;
		struct remembered last;

		options_node(o, i, &node);
		if (remember_apply(&node, o, &last))
			ui_say(u, false, "image %s, as last time", text_basename(last.pair.elf));
		if (nodes_open(&u->nodes, &node, err) < 0)
			return STATUS_INPUT;
	}
	return 0;
}

struct to_open {
	struct ui *u;
	const struct options *o;
};

static int open_beside(void *ctx, struct err *err)
{
	struct to_open *t = ctx;

	return open_nodes(t->u, t->o, err);
}

/* "app.elf (104 MB)": the file that may take long to open. */
static void opened_text(const struct options *o, char *dst, size_t size)
{
	const char *name = "";
	struct stat st;

	if (o->elfs.count || o->ports.count)
		name = o->elfs.count ? o->elfs.items[0] : o->ports.items[0];
	if (o->elfs.count && stat(name, &st) == 0 && st.st_size >= 1000000)
		snprintf(dst, size, "%s (%.1f MB)", text_basename(name), (double)st.st_size / 1e6);
	else
		snprintf(dst, size, "%s", o->elfs.count ? text_basename(name) : name);
}

/* True: all is open, or *status says that it is not; false: the user left meanwhile. */
static bool open_all(struct ui *u, const struct options *o, const struct theme *theme, int *status,
		     struct err *err)
{
	static struct to_open t;	/* the thread may outlive us */
	char what[300];
	struct opening opening = { .work = open_beside, .ctx = &t, .what = what, .theme = theme,
				   .keys = &u->settings.keys, .screen = &u->screen };

	t = (struct to_open){ u, o };
	opened_text(o, what, sizeof(what));
	switch (opening_run(&opening, status, err)) {
	case OPENING_LEFT:
		u->left = true;
		return false;
	case OPENING_NO_SCREEN:
		*status = STATUS_USAGE;
		return true;
	default:
		return true;
	}
}

static void close_all(struct ui *u)
{
	ui_baseline_stop(u);
	for (size_t i = 0; i < u->pane_count; i++) {
		pane_release(u->panes[i]);
		mem_free(u->panes[i]);
	}
	mem_free(u->panes);
	u->panes = NULL;
	u->pane_count = u->pane_cap = 0;
	naming_release(&u->naming);
	screen_free(u->screen);
	u->screen = NULL;
}

static void close_node(const struct ui *u, struct node *n)
{
	remember_keep(n, u->options);
	if (node_record_sync(n) < 0)
		fprintf(stderr, "wsntop: %s\n", node_trouble(n)->text);
}

static void close_nodes(struct ui *u)
{
	for (size_t i = 0; i < u->nodes.count; i++)
		close_node(u, u->nodes.items[i]);
	nodes_release(&u->nodes);
	mem_free(u->fds);
}

/* Repeat what the header said, for users who go on in the shell. */
static void say_refused(const struct ui *u)
{
	char line[512];

	for (size_t i = 0; i < u->nodes.count && isatty(STDERR_FILENO); i++) {
		if (node_image_refused(u->nodes.items[i]) &&
		    node_warning(u->nodes.items[i], line, sizeof(line)))
			fprintf(stderr, "wsntop: %s\n", line);
	}
}

/* -x: write the exports when the user leaves, as a batch run does at its end. */
static int export_at_exit(struct ui *u, struct err *err)
{
	const struct options *o = u->options;
	static const volatile sig_atomic_t stop = 1;
	struct batch_options batch;
	struct profile *baseline = NULL;
	struct node_options like;
	int status;

	if (!o->export_count)
		return 0;
	options_batch(o, &batch);
	batch.stop = &stop;
	if (o->baseline) {
		options_node(o, 0, &like);
		batch.baseline = baseline = baseline_read(o->baseline, &like, NULL);
	}
	status = batch_run(&u->nodes, &batch, err);
	profile_drop(baseline);
	return status;
}

/* --- one turn of the loop --------------------------------------------------------------------- */

static int poll_timeout(const struct ui *u, const struct loop *l, uint64_t now)
{
	uint64_t due = frames_due(u, &l->frames);
	int ms = due == FRAMES_NEVER ? -1 : clock_ms_until(due, now);

	if (u->baselines.loading || u->more)
		return 0;
	if (l->deadline)
		ms = clock_sooner(ms, clock_ms_until(l->deadline, now));
	if (u->works)
		ms = clock_sooner(ms, WORK_MS);
	return clock_sooner(ms, nodes_timeout(&u->nodes, now));
}

static void wait_for_something(struct ui *u, const struct loop *l)
{
	size_t most = 2 + nodes_fds_max(&u->nodes) + u->pane_count * PANE_VIEWS, n = 2, beside;
	int ms = poll_timeout(u, l, clock_now());
	struct pollfd *fds;

	if (mem_grow(&u->fds, &u->fds_cap, most, sizeof(*u->fds)) < 0) {
		u->quit = true;
		return;
	}
	fds = u->fds;
	fds[0] = (struct pollfd){ .fd = screen_fd(u->screen), .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = l->signals, .events = POLLIN };
	n += nodes_poll_fds(&u->nodes, fds + n);
	beside = n;
	for (size_t i = 0; i < u->pane_count; i++)
		n += pane_poll_fds(u->panes[i], fds + n);
	if (n > beside)
		ms = clock_sooner(ms, BESIDE_MS);
	if (poll(fds, n, ms) < 0 && errno != EINTR)
		u->quit = true;
	/* The terminal is gone, and perhaps SIGHUP went elsewhere. */
	if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		u->quit = true;
}

static void loop_signals(struct ui *u)
{
	int sig;

	while ((sig = signals_next())) {
		u->draw_now = true;
		if (sig == SIGTSTP)
			screen_suspend(u->screen);
		else if (sig == SIGCONT)
			screen_resume(u->screen);
		else if (sig == SIGWINCH)	/* also where the size is again what it was */
			screen_redraw(u->screen);
		else
			u->quit = true;
	}
	if (signals_stop)
		u->quit = true;
}

static void loop_keys(struct ui *u)
{
	struct screen_mouse mouse;
	uint32_t key;

	for (int i = 0; i < KEYS && !u->quit && (key = screen_key(u->screen, &mouse)); i++)
		ui_key(u, key, &mouse);
}

/* Once: what was left out then nobody says again. */
static void memory_say(struct ui *u, struct loop *l)
{
	if (l->said_memory || !mem_refused())
		return;
	l->said_memory = true;
	ui_say(u, true, "out of memory: what is shown may be incomplete");
}

/*
 * A moment of the history, or all figures of a frame, may take as long as an answer may: keys are
 * looked at behind each of them, and answered before the next. The answer to one that seeks is what
 * is there.
 */
static bool answer_is_first(const struct ui *u, const struct loop *l, uint64_t now)
{
	return u->draw_now && frames_due(u, &l->frames) <= now && now - l->served < ANSWERED_NS &&
	       node_play(u->nodes.items[u->current], now).state != NODE_PLAY_SEEKS;
}

static void loop_nodes(struct ui *u, struct loop *l)
{
	uint64_t now = clock_now();

	if (answer_is_first(u, l, now))
		return;
	l->served = now;
	ui_take_bytes(u);
	gather_nodes(u, clock_now());
	whole_service(u, clock_now());
	u->works = ui_nodes_work(u, clock_now());
	loop_keys(u);
}

static void loop_run(struct ui *u, int signals)
{
	struct loop l = { .signals = signals, .frames = FRAMES_INIT };

	if (u->options->seconds > 0)
		l.deadline = clock_now() + (uint64_t)(u->options->seconds * (double)CLOCK_SECOND);
	u->draw_now = true;
	while (!u->quit) {
		frames_draw(u, &l.frames);
		wait_for_something(u, &l);
		loop_signals(u);
		loop_keys(u);
		ui_go_on(u);
		loop_nodes(u, &l);
		memory_say(u, &l);
		if (l.deadline && clock_now() >= l.deadline)
			u->quit = true;
	}
	relief_stop();
}

/* --- beginning and end ------------------------------------------------------------------------ */

static int run_screen(struct ui *u, const struct options *o, const struct theme *theme,
		      struct err *err)
{
	int signals, status;

	if (o->baseline && baseline_kind_of(o->baseline, err) == FIND_NEITHER)
		return STATUS_INPUT;
	if (!open_all(u, o, theme, &status, err) || status)
		return u->left ? 0 : status;
	if (!u->screen)
		u->screen = screen_new(theme, err);
	if (!u->screen)
		return STATUS_USAGE;
	screen_mouse(u->screen, u->settings.mouse);
	signals = signals_pipe(err);
	if (signals < 0)
		return STATUS_INPUT;
	if (u->nodes.count == 0) {
		struct node *chosen = picker_run(u->screen, signals, o, &u->settings.keys);

		if (!chosen)
			return 0;	/* left without choosing */
		if (nodes_add(&u->nodes, chosen) < 0) {
			err_set(err, ERR_NOMEM, "out of memory");
			return STATUS_INPUT;
		}
	}
	status = ui_open_panes(u, err) < 0 ? STATUS_INPUT : 0;
	if (status == 0 && o->baseline)
		ui_baseline_file(u, o->baseline);
	if (status == 0)
		loop_run(u, signals);
	return status;
}

/*
 * Mistakes in the file are said on the screen, and its other settings hold; but a file that the
 * command line names must exist.
 */
static int load_settings(struct ui *u, const struct options *o, struct err *err)
{
	struct err why = { 0 };
	int status;

	ui_welcome(u);
	settings_init(&u->settings);
	status = settings_load(&u->settings, o->config, &why);
	if (status == ERR_IO && o->config)
		return err_set(err, ERR_USAGE, "--config: %s", why.text);
	if (status < 0)
		ui_say(u, true, "%s", why.text);
	for (size_t i = 0; i < o->watch_count; i++)
		settings_add_watch(&u->settings, "", &o->watches[i], true, NULL);
	if (source_paths_give(&u->settings.source, &o->source) < 0)
		return err_set(err, ERR_NOMEM, "out of memory");
	return 0;
}

/* The command line's theme, or the settings': a missing one of these is reported and not used. */
static int load_theme(struct ui *u, const struct options *o, struct theme *theme, struct err *err)
{
	char shown[SETTINGS_PATH];
	struct err why = { 0 };

	if (o->theme) {
		int ret = theme_load(theme, o->theme, &why);

		return ret < 0 ? err_set(err, ret, "--theme=%s", why.text) : 0;
	}
	if (u->settings.theme[0] && theme_load(theme, u->settings.theme, &why) == 0)
		return 0;
	if (err_is_set(&why))
		ui_say(u, true, "%s: %s", settings_contract(u->settings.path, shown, sizeof(shown)),
		       why.text);
	return theme_load(theme, "default", err);
}

/* After the screen is restored: a failure to save is said in the shell. */
static void save_settings(struct ui *u)
{
	struct err err = { 0 };

	if (u->settings.changed && settings_save(&u->settings, &err) < 0)
		fprintf(stderr, "wsntop: settings not saved: %s\n", err.text);
}

int app_run(const struct options *o, struct err *err)
{
	struct ui *u = mem_zalloc(sizeof(*u));
	struct theme theme;
	int status;

	if (!u) {
		err_set(err, ERR_NOMEM, "out of memory");
		return STATUS_INPUT;
	}
	u->options = o;
	quota_init(&u->memory, (size_t)((o->nodes_memory > 0 ? o->nodes_memory : NODES_MEMORY) *
					(1 << 20)));
	nodes_init(&u->nodes);
	nodes_share(&u->nodes, &u->memory);
	gather_begin(u);
	if (load_settings(u, o, err) < 0 || load_theme(u, o, &theme, err) < 0)
		status = STATUS_USAGE;
	else
		status = run_screen(u, o, &theme, err);
	if (u->left) {
		screen_free(u->screen);		/* all else the thread that opens may still need */
		return APP_LEFT;
	}
	close_all(u);
	save_settings(u);
	if (status == 0 && u->nodes.count) {
		say_refused(u);
		status = export_at_exit(u, err);
	}
	close_nodes(u);
	menu_release(&u->menu);
	marks_release(&u->listed);
	mem_free(u->palette);
	ui_logged_close(u);
	ui_nodes_close(u);
	gather_free(u);
	mem_free(u->setup);
	settings_release(&u->settings);
	mem_free(u);
	return status;
}
