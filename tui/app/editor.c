/*
 * editor: open the editor at a line and come back whole.
 *
 * The editor gets the terminal and this process group, as a shell's child would, with default
 * signals. Meanwhile nodes are served, so that none of their bytes are lost, and nothing is drawn.
 * Ctrl-Z stops the editor and us; fg continues both.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/os.h"
#include "core/base/text.h"
#include "core/source/program.h"
#include "core/source/source.h"
#include "tui/term/signals.h"
#include "tui/app/ui/ui.h"

enum { WORDS = 24, TICK_MS = 250 };

/* --- the command ------------------------------------------------------------------------------ */

/* How to give an editor a line, by the program's name. All others take +LINE FILE. */
enum line_style { STYLE_PLUS, STYLE_GOTO, STYLE_COLON, STYLE_LINE };

static const struct { const char *name; enum line_style style; } editors[] = {
	{ "code", STYLE_GOTO }, { "code-insiders", STYLE_GOTO }, { "code-oss", STYLE_GOTO },
	{ "codium", STYLE_GOTO }, { "vscodium", STYLE_GOTO }, { "cursor", STYLE_GOTO },
	{ "windsurf", STYLE_GOTO }, { "subl", STYLE_COLON }, { "sublime_text", STYLE_COLON },
	{ "zed", STYLE_COLON }, { "zeditor", STYLE_COLON }, { "hx", STYLE_COLON },
	{ "helix", STYLE_COLON }, { "kate", STYLE_LINE }, { "kwrite", STYLE_LINE },
};

struct editor {
	char *words[WORDS + 4];		/* of `text`, and those below */
	size_t count;
	char *text;
	char place[4200], number[16];
};

static enum line_style style_of(const char *program)
{
	for (size_t i = 0; i < sizeof(editors) / sizeof(editors[0]); i++) {
		if (!strcmp(editors[i].name, text_basename(program)))
			return editors[i].style;
	}
	return STYLE_PLUS;
}

/* Unquote one word in place: quotes and backslashes as in a shell only. Returns its end. */
static char *word_end(char *s)
{
	char *to = s, quote = 0;

	for (; *s && (quote || !strchr(" \t\n", *s)); s++) {
		if (quote ? *s == quote : *s == '\'' || *s == '"')
			quote = quote ? 0 : *s;
		else if (*s == '\\' && quote != '\'' && s[1])
			*to++ = *++s;
		else
			*to++ = *s;
	}
	s += *s != '\0';
	*to = '\0';
	return s;
}

static void words_split(struct editor *c)
{
	char *s = c->text;

	for (;;) {
		s += strspn(s, " \t\n");
		if (!*s || c->count == WORDS)
			return;
		c->words[c->count++] = s;
		s = word_end(s);
	}
}

static bool has_word(const struct editor *c, const char *word)
{
	for (size_t i = 1; i < c->count; i++) {
		if (!strcmp(c->words[i], word))
			return true;
	}
	return false;
}

static void add_place(struct editor *c, const char *file, uint32_t line)
{
	enum line_style style = style_of(c->words[0]);

	snprintf(c->place, sizeof(c->place), "%s", file);
	if (line && (style == STYLE_GOTO || style == STYLE_COLON))
		snprintf(c->place, sizeof(c->place), "%s:%u", file, line);
	if (line && style == STYLE_GOTO && !has_word(c, "-g") && !has_word(c, "--goto"))
		c->words[c->count++] = (char *)(uintptr_t)"-g";
	if (line && style == STYLE_LINE)
		c->words[c->count++] = (char *)(uintptr_t)"-l";
	snprintf(c->number, sizeof(c->number), "%s%u", style == STYLE_PLUS ? "+" : "", line);
	if (line && (style == STYLE_LINE || style == STYLE_PLUS))
		c->words[c->count++] = c->number;
	c->words[c->count++] = c->place;
}

/* --- the child -------------------------------------------------------------------------------- */

/*
 * The editor was stopped, or the whole job: we stop too, as a job of the shell's. Where no shell
 * waits for us the kernel drops this signal, and the editor is continued at once.
 */
static void stop_with(pid_t pid)
{
	struct sigaction def = { .sa_handler = SIG_DFL }, old;

	sigemptyset(&def.sa_mask);
	sigaction(SIGTSTP, &def, &old);
	kill(getpid(), SIGTSTP);
	sigaction(SIGTSTP, &old, NULL);
	kill(pid, SIGCONT);
}

/*
 * Signals that the terminal's keys send are for the editor; that it was stopped is seen by its
 * state. The screen asks for its size again afterwards. pid 0: the editor has ended.
 */
static void signals_pass_on(struct ui *u, pid_t pid)
{
	int sig;

	while ((sig = signals_next())) {
		if (sig != SIGTERM && sig != SIGHUP)
			continue;
		u->quit = true;
		if (pid)
			kill(pid, sig);
	}
}

/* Let nodes be heard until something comes, the editor ends, or a moment has passed. */
static void nodes_serve_once(struct ui *u, int ended)
{
	int ms = clock_sooner(TICK_MS, nodes_timeout(&u->nodes, clock_now()));
	size_t n = 1;

	if (mem_grow(&u->fds, &u->fds_cap, 1 + nodes_fds_max(&u->nodes), sizeof(*u->fds)) == 0) {
		u->fds[0] = (struct pollfd){ .fd = ended, .events = POLLIN };
		n += nodes_poll_fds(&u->nodes, u->fds + 1);
		poll(u->fds, n, ms);
	}
	ui_take_bytes(u);
}

/* Its exit status, or 128 and the signal that killed it. */
static int wait_for(struct ui *u, pid_t pid)
{
	int ended = os_process_fd(pid), status = 0;
	pid_t got;

	for (;;) {
		got = waitpid(pid, &status, WNOHANG | WUNTRACED);
		if (got < 0 && errno != EINTR)
			break;
		if (got == pid && WIFSTOPPED(status))
			stop_with(pid);
		else if (got == pid)
			break;
		signals_pass_on(u, pid);
		nodes_serve_once(u, ended);
	}
	if (ended >= 0)
		close(ended);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void editor_run(struct ui *u, struct editor *c, const char *program)
{
	/* Keys may come from elsewhere than standard input, which can be a node's bytes. */
	const struct program p = {
		.path = program, .argv = c->words,
		.in = screen_fd(u->screen), .out = STDOUT_FILENO, .errors = STDERR_FILENO,
	};
	pid_t pid;
	int ret, status;

	screen_leave(u->screen);
	ret = program_start(&p, &pid);
	status = ret ? 0 : wait_for(u, pid);
	signals_pass_on(u, 0);
	screen_resume(u->screen);
	if (ret)
		ui_say(u, true, "%s: %s", c->words[0], strerror(ret));
	else if (status)
		ui_say(u, true, "%s ended with status %d", c->words[0], status);
	for (size_t i = 0; i < u->pane_count; i++)
		pane_stale(u->panes[i]);	/* the file may be another now */
	u->draw_now = true;
}

/* --- where ------------------------------------------------------------------------------------ */

/* The view's place, else where the selected function is declared. */
static bool row_place(struct ui *u, struct view_place *at)
{
	struct pane *p = ui_pane(u);
	struct view *v = p->views[u->view];
	uint32_t function = view_selected(&p->shared);
	const struct profile_function *f;

	*at = (struct view_place){ NULL, 0 };
	if (v->ops->place && v->ops->place(v, &p->shared, at) && at->path)
		return true;
	if (function == PROFILE_NONE)
		return false;
	f = &p->shared.model.profile->functions[function];
	*at = (struct view_place){ f->path, f->line };
	return f->path != NULL;
}

static struct source *open_place(struct ui *u, const struct view_place *at)
{
	const struct node *n = ui_pane(u)->node;

	return source_open(at->path, node_image(n) ? image_path(node_image(n)) : NULL,
			   &u->settings.source, NULL);
}

static void editor_open(struct ui *u, const char *file, uint32_t line)
{
	struct editor c = { .text = mem_strdup(settings_editor(&u->settings)) };
	char *program;

	if (c.text)
		words_split(&c);
	program = c.count ? program_find(c.words[0]) : NULL;
	if (!program) {
		ui_say(u, true, "%s: no such program; set $VISUAL or $EDITOR, or press {options}",
		       c.count ? c.words[0] : settings_editor(&u->settings));
	} else {
		add_place(&c, file, line);
		editor_run(u, &c, program);
	}
	mem_free(program);
	mem_free(c.text);
}

void ui_edit(struct ui *u)
{
	struct view_place at;
	struct source *file;
	char path[4096];

	pane_sync(ui_pane(u), u->view);
	if (!row_place(u, &at)) {
		ui_say(u, true, "no source known for this row; {view-source} shows why");
		return;
	}
	file = open_place(u, &at);
	if (!file) {
		ui_say(u, true, "%s not found; {view-source} lists the places searched", at.path);
		return;
	}
	/* A name is never an option. */
	snprintf(path, sizeof(path), "%s%s", strchr("-+", source_path(file)[0]) ? "./" : "",
		 source_path(file));
	source_close(file);
	editor_open(u, path, at.line);
}
