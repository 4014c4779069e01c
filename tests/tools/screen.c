/*
 * screen: run a program on a pseudo terminal, type at it, and see what it shows.
 *
 *	screen [-s COLSxROWS] [-e NAME=VALUE]... COMMAND [ARGUMENT]... <SCRIPT
 *
 * The screen is read back through a terminal emulator (libvterm) and compared as text. The script
 * has one step a line; '#' begins a comment. A step that fails prints the screen and ends the test.
 *
 * The screen is looked at between two frames: when the program has read all that was typed, sleeps,
 * and what it wrote is taken. What is waited for fails after 20 seconds in which the program slept:
 * a machine that gives it no time cannot make it fail. One that is never idle is killed after five
 * minutes ("watchdog").
 *
 *	keys TEXT           type; <Enter> <Esc> <Tab> <S-Tab> <Up> <Down> <Left> <Right> <Home>
 *	                    <End> <PgUp> <PgDn> <Del> <BS> <Space> <F1>..<F10> <C-a>..<C-z> <lt>
 *	wait TEXT           until TEXT is on the screen
 *	gone TEXT           until it is not
 *	expect [A[-B]]      the lines that follow, up to "end", are rows A to B (from 1; all rows),
 *	                    trailing blanks aside; waited for
 *	same FILE           the screen is as FILE has it; with RENEW=1 in the environment FILE is
 *	                    written
 *	looks FILE          likewise its looks: "4: 1-12 231 on 24 bold, 13-80 250 on 238", without
 *	                    plain cells
 *	look TEXT LOOK      the first cell of TEXT looks so: "117", "231 on 24 bold",
 *	                    "#rrggbb on 24", "reverse", "plain"
 *	size COLSxROWS      resize the terminal
 *	click X Y [BUTTON]  press and release (1 left, 3 right, 4 wheel up, 5 wheel down), from 1
 *	drag X Y X Y        press the left button, move with it held, release it
 *	send BYTES          as they are; \e \r \n \xHH
 *	run COMMAND         a shell command beside it, waited for
 *	signal NAME         to the program: TERM HUP INT SEGV TSTP CONT STOP WINCH KILL
 *	pause MS            let time pass; the program's output is taken
 *	idle                until it has done all that was typed, and sleeps
 *	quiet MS            it must write nothing for so long
 *	bytes N             it wrote at most N bytes since the last `bytes`
 *	rate N              it wrote at most N bytes a second since then, however long that was
 *	copied TEXT         the clipboard (OSC 52) was last given TEXT
 *	passed TEXT         the same through tmux: inside its DCS, escapes doubled
 *	ascii               it never wrote a byte above 126
 *	colors N            it never set a colour above N; -1: none at all
 *	monkey SEED N       N random keys, clicks and sizes (monkey.h); it must live through them
 *	exit N              it ends with status N (128 + signal when killed)
 *	stopped             it is stopped by a signal (Ctrl-Z)
 *	hangup              the terminal goes away
 *	whole               the terminal is as it was: page, cursor, mouse, colours, modes
 *	show [FILE.svg]     print the screen, or make a picture of it
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>
#include <vterm.h>

#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "tests/tools/monkey.h"
#include "tests/tools/svg.h"

enum {
	PATIENCE_MS = 20000, /* of the program's sleep, then nothing comes any more */
	WATCHDOG_MS = 5 * 60 * 1000, /* until a program that never sleeps hangs */
	BUSY_MS = 300, /* one that is busy for so long is looked at, too */
	ESCAPE_MS = 100, /* of its sleep: four times what it waits for a key's rest */
	ESCAPE_BUSY_MS = 1000,
	STOPPED_MS = 10000, /* one that sleeps and does not read is stopped */
	LINE_MAX_ = 4096,
	TAIL = 256 * 1024,
};

#define MS (CLOCK_SECOND / 1000)

static struct {
	VTerm *vt;
	VTermScreen *screen;
	int fd, peer, rows, cols;	/* peer: the program's end, open here too */
	pid_t pid;
	bool altscreen, cursor_hidden, ended;
	int mouse, status, max_color;
	bool colored, high_byte;
	unsigned long long bytes;
	uint64_t bytes_since;
	struct termios modes;
	struct buf monkey;		/* what it did last */
	struct buf tail;		/* what it wrote last, at least TAIL bytes of it */
	int line;
} t;

/* --- the screen as text ----------------------------------------------------------------------- */

static void add_char(struct buf *b, uint32_t cp)
{
	if (cp < 0x80) {
		buf_addc(b, (char)cp);
	} else if (cp < 0x800) {
		buf_addf(b, "%c%c", (int)(0xc0 | cp >> 6), (int)(0x80 | (cp & 0x3f)));
	} else if (cp < 0x10000) {
		buf_addf(b, "%c%c%c", (int)(0xe0 | cp >> 12), (int)(0x80 | (cp >> 6 & 0x3f)),
			 (int)(0x80 | (cp & 0x3f)));
	} else {
		buf_addf(b, "%c%c%c%c", (int)(0xf0 | cp >> 18), (int)(0x80 | (cp >> 12 & 0x3f)),
			 (int)(0x80 | (cp >> 6 & 0x3f)), (int)(0x80 | (cp & 0x3f)));
	}
}

/* Row y, trailing blanks cut. */
static void row_text(int y, struct buf *b)
{
	size_t start = b->len;

	for (int x = 0; x < t.cols; x++) {
		VTermScreenCell cell;

		vterm_screen_get_cell(t.screen, (VTermPos){ .row = y, .col = x }, &cell);
		if (cell.chars[0] == (uint32_t)-1)
			continue;	/* right half of a wide one */
		if (!cell.chars[0])
			buf_addc(b, ' ');
		for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++)
			add_char(b, cell.chars[i]);
	}
	while (b->len > start && b->data[b->len - 1] == ' ')
		b->data[--b->len] = 0;
}

static void screen_text(struct buf *b, int from, int to)
{
	for (int y = from; y <= to && y < t.rows; y++) {
		row_text(y, b);
		buf_addc(b, '\n');
	}
}

static void screen_show(FILE *f)
{
	struct buf b = BUF_INIT;

	screen_text(&b, 0, t.rows - 1);
	fprintf(f, "--- %dx%d\n%s---\n", t.cols, t.rows, buf_str(&b));
	buf_release(&b);
}

static void script_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

static void script_fail(const char *fmt, ...)
{
	va_list ap;

	printf("step %d: ", t.line);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	screen_show(stdout);
	if (!t.ended)
		kill(t.pid, SIGKILL);
	exit(1);
}

/* --- the terminal ----------------------------------------------------------------------------- */

static int on_prop(VTermProp prop, VTermValue *val, void *user)
{
	(void)user;
	if (prop == VTERM_PROP_ALTSCREEN)
		t.altscreen = val->boolean;
	else if (prop == VTERM_PROP_MOUSE)
		t.mouse = val->number;
	return 1;
}

static void on_output(const char *s, size_t n, void *user)
{
	(void)user;
	if (write(t.fd, s, n) < 0)
		return;		/* the program is gone: nobody asks for answers */
}

/* libvterm restores it with the cursor's place, which terminals do not: found in the bytes. */
static void watch_cursor(char c)
{
	static const char sequence[] = "\033[?25";
	static size_t seen;

	if (seen == sizeof(sequence) - 1 && (c == 'h' || c == 'l'))
		t.cursor_hidden = c == 'l';
	seen = seen < sizeof(sequence) - 1 && c == sequence[seen] ? seen + 1 : c == '\033';
}

static void watch_colors(void)
{
	for (int y = 0; y < t.rows; y++) {
		for (int x = 0; x < t.cols; x++) {
			VTermScreenCell c;

			vterm_screen_get_cell(t.screen, (VTermPos){ .row = y, .col = x }, &c);
			for (int i = 0; i < 2; i++) {
				const VTermColor *k = i ? &c.bg : &c.fg;

				if (i ? VTERM_COLOR_IS_DEFAULT_BG(k) : VTERM_COLOR_IS_DEFAULT_FG(k))
					continue;
				t.colored = true;
				if (VTERM_COLOR_IS_RGB(k))
					t.max_color = 1 << 24;
				else if (k->indexed.idx > t.max_color)
					t.max_color = k->indexed.idx;
			}
		}
	}
}

static void keep_tail(const char *data, size_t n)
{
	buf_add(&t.tail, data, n);
	if (t.tail.len > 2 * TAIL) {
		memmove(t.tail.data, t.tail.data + t.tail.len - TAIL, TAIL);
		t.tail.len = TAIL;
		t.tail.data[TAIL] = 0;
	}
}

static void child_reap(int options)
{
	if (!t.ended && waitpid(t.pid, &t.status, options) == t.pid)
		t.ended = WIFEXITED(t.status) || WIFSIGNALED(t.status);
}

/* Take output for up to `ms`; true if there was any. */
static bool output_pump(int ms)
{
	struct pollfd p = { .fd = t.fd, .events = POLLIN };
	char data[16384];
	ssize_t n;

	if (poll(&p, 1, ms) <= 0)
		return false;
	n = read(t.fd, data, sizeof(data));
	if (n <= 0) {		/* EIO: the other side is closed */
		child_reap(WNOHANG);
		usleep(5000);
		return false;
	}
	for (ssize_t i = 0; i < n; i++) {
		t.high_byte |= (unsigned char)data[i] > 126;
		watch_cursor(data[i]);
	}
	keep_tail(data, (size_t)n);
	t.bytes += (unsigned long long)n;
	vterm_input_write(t.vt, data, (size_t)n);
	vterm_screen_flush_damage(t.screen);
	return true;
}

static void pump_for(int ms)
{
	uint64_t until = clock_now() + (uint64_t)ms * MS;

	while (clock_now() < until)
		output_pump(10);
}

/*
 * --- whether the program is done ----------------------------------------------------------------
 */

/* "1 (name) S ...": running, or about to; on a disk's account, too. */
static bool thread_is_busy(const char *path)
{
	char line[512] = "";
	FILE *f = fopen(path, "r");
	const char *state;

	if (!f)
		return false;		/* it has ended */
	state = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	fclose(f);
	return state && (state[2] == 'R' || state[2] == 'D');
}

/* A process and what it started: a shell, valgrind, an editor may stand between. */
static bool process_is_busy(long pid)
{
	char path[512];
	struct dirent *thread;
	bool busy = false;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%ld/task", pid);
	dir = opendir(path);
	while (dir && !busy && (thread = readdir(dir))) {
		FILE *children;
		long child;

		if (thread->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/%ld/task/%s/stat", pid, thread->d_name);
		busy = thread_is_busy(path);
		snprintf(path, sizeof(path), "/proc/%ld/task/%s/children", pid, thread->d_name);
		children = fopen(path, "r");
		while (children && !busy && fscanf(children, "%ld", &child) == 1)
			busy = process_is_busy(child);
		if (children)
			fclose(children);
	}
	if (dir)
		closedir(dir);
	return busy;
}

/* Asked by poll(): it brings what is on its way to this end of a pseudo terminal. */
static bool typed_is_unread(void)
{
	struct pollfd p = { .fd = t.peer, .events = POLLIN };

	return poll(&p, 1, 0) > 0 && (p.revents & POLLIN);
}

/*
 * All typed is read, all that came of it is on the screen. In this order: a sleeper writes nothing.
 */
static bool is_idle(void)
{
	return !typed_is_unread() && !process_is_busy(t.pid) && !output_pump(0);
}

static void watchdog_check(uint64_t began)
{
	if (clock_now() - began > (uint64_t)WATCHDOG_MS * MS)
		script_fail("watchdog: hung for 5 minutes");
}

/*
 * Between two frames, or what it shows of a frame that it does not end for long: true if it is
 * idle.
 */
static bool settle_frame(void)
{
	uint64_t until = clock_now() + BUSY_MS * MS;

	while (!is_idle()) {
		if (clock_now() > until)
			return false;
		output_pump(2);
	}
	return true;
}

struct patience { uint64_t began, last, slept; };

/* Take what comes for a while; false: what is waited for will not come any more. */
static bool wait_more(struct patience *p)
{
	uint64_t now;

	if (!p->began)
		p->began = p->last = clock_now();
	output_pump(20);
	child_reap(WNOHANG);
	/* A look that comes late counts as one: the program may have had no time, too. */
	if (settle_frame())
		p->slept += clock_now() - p->last < 50 * MS ? clock_now() - p->last : 50 * MS;
	now = clock_now();
	p->last = now;
	watchdog_check(p->began);
	return p->slept < (uint64_t)PATIENCE_MS * MS;
}

/* Until it has done what was typed. */
static void wait_idle(void)
{
	uint64_t began = clock_now();

	while (!is_idle()) {
		watchdog_check(began);
		output_pump(5);
	}
}

/*
 * An escape alone is told from a sequence by what does not follow: nothing is typed until the
 * program has slept for longer than it waits for more. One that never sleeps has at least read it.
 */
static void escape_alone(void)
{
	uint64_t began = clock_now();
	int looks = 0;

	while (looks < ESCAPE_MS / 5 &&
	       (typed_is_unread() || clock_now() - began < ESCAPE_BUSY_MS * MS)) {
		watchdog_check(began);
		looks += is_idle();
		pump_for(5);
	}
}

/* libvterm 0.1.4 lets the cursor leave a screen that shrinks by its top, and reads there next. */
static void resize_emulator(int cols, int rows)
{
	VTermPos cursor;

	vterm_set_size(t.vt, rows, cols);
	vterm_state_get_cursorpos(vterm_obtain_state(t.vt), &cursor);
	if (cursor.row < 0)
		vterm_input_write(t.vt, "\033[H", 3);
}

static void set_size(int cols, int rows)
{
	struct winsize w = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };

	t.cols = cols;
	t.rows = rows;
	if (t.vt)
		resize_emulator(cols, rows);
	if (t.fd > 0)
		ioctl(t.fd, TIOCSWINSZ, &w);
}

static void open_emulator(void)
{
	static const VTermScreenCallbacks callbacks = { .settermprop = on_prop };

	t.vt = vterm_new(t.rows, t.cols);
	vterm_set_utf8(t.vt, 1);
	t.screen = vterm_obtain_screen(t.vt);
	vterm_screen_set_callbacks(t.screen, &callbacks, NULL);
	vterm_screen_enable_altscreen(t.screen, 1);
	vterm_output_set_callback(t.vt, on_output, NULL);
	vterm_screen_reset(t.screen, 1);
	t.max_color = -1;
}

static void child_start(char **argv)
{
	struct winsize w = { .ws_row = (unsigned short)t.rows, .ws_col = (unsigned short)t.cols };

	if (openpty(&t.fd, &t.peer, NULL, NULL, &w) < 0) {
		perror("screen: openpty");
		exit(2);
	}
	tcgetattr(t.peer, &t.modes);
	t.pid = fork();
	if (t.pid == 0) {
		close(t.fd);
		login_tty(t.peer);
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	/* The other end stays open here: what is asked of its modes outlives the program. */
}

/* --- steps ------------------------------------------------------------------------------------ */

static const struct { const char *name, *bytes; } key_bytes[] = {
	{ "Enter", "\r" }, { "Esc", "\033" }, { "Tab", "\t" }, { "S-Tab", "\033[Z" },
	{ "Up", "\033OA" }, { "Down", "\033OB" }, { "Right", "\033OC" }, { "Left", "\033OD" },
	{ "Home", "\033OH" }, { "End", "\033OF" }, { "PgUp", "\033[5~" }, { "PgDn", "\033[6~" },
	{ "Del", "\033[3~" }, { "BS", "\177" }, { "Space", " " }, { "lt", "<" },
	{ "F1", "\033OP" }, { "F2", "\033OQ" }, { "F3", "\033OR" }, { "F4", "\033OS" },
	{ "F5", "\033[15~" }, { "F6", "\033[17~" }, { "F7", "\033[18~" }, { "F8", "\033[19~" },
	{ "F9", "\033[20~" }, { "F10", "\033[21~" },
};

static void text_type(const char *bytes, size_t n)
{
	if (write(t.fd, bytes, n) != (ssize_t)n)
		script_fail("cannot type: %s", strerror(errno));
	if (n == 1 && *bytes == 033)
		escape_alone();
}

static void type_named(const char *name, size_t n)
{
	char control;

	if (n == 3 && name[0] == 'C' && name[1] == '-') {
		control = (char)(name[2] & 0x1f);
		text_type(&control, 1);
		return;
	}
	for (size_t i = 0; i < sizeof(key_bytes) / sizeof(key_bytes[0]); i++) {
		if (strlen(key_bytes[i].name) == n && !memcmp(key_bytes[i].name, name, n)) {
			text_type(key_bytes[i].bytes, strlen(key_bytes[i].bytes));
			return;
		}
	}
	script_fail("no key <%.*s>", (int)n, name);
}

static void step_keys(const char *s)
{
	while (*s) {
		const char *end = *s == '<' ? strchr(s, '>') : NULL;

		if (end && end > s + 1) {
			type_named(s + 1, (size_t)(end - s - 1));
			s = end + 1;
		} else {
			text_type(s++, 1);
		}
	}
}

/* In one piece, as a terminal sends a key. */
static void step_send(const char *s)
{
	char bytes[LINE_MAX_];
	size_t n = 0;

	for (; *s; s++) {
		char c = *s;

		if (c == '\\' && s[1]) {
			c = *++s;
			if (c == 'x') {
				c = (char)strtol((char[]){ s[1], s[2], 0 }, NULL, 16);
				s += 2;
			} else {
				c = c == 'e' ? 033 : c == 'r' ? '\r' : c == 'n' ? '\n' : c;
			}
		}
		bytes[n++] = c;
	}
	text_type(bytes, n);
}

static bool on_screen(const char *text, int *x, int *y)
{
	for (int row = 0; row < t.rows; row++) {
		struct buf b = BUF_INIT;
		const char *at;

		row_text(row, &b);
		at = strstr(buf_str(&b), text);
		if (at && x) {
			b.data[at - b.data] = 0;
			*x = text_columns(b.data);
			*y = row;
		}
		buf_release(&b);
		if (at)
			return true;
	}
	return false;
}

static void step_wait(const char *text, bool there)
{
	struct patience p = { 0 };

	settle_frame();
	while (on_screen(text, NULL, NULL) != there)
		if (t.ended || !wait_more(&p))
			script_fail("%s \"%s\"",
				    there ? "waited in vain for" : "still there:", text);
}

static void screen_compare(const char *want, int from, int to)
{
	struct patience p = { 0 };
	struct buf got = BUF_INIT;

	settle_frame();
	for (;;) {
		buf_reset(&got);
		screen_text(&got, from, to);
		if (!strcmp(buf_str(&got), want))
			break;
		if (!wait_more(&p)) {
			printf("expected\n%s---\n", want);
			script_fail("the screen differs");
		}
	}
	buf_release(&got);
}

static void step_expect(const char *range)
{
	struct buf want = BUF_INIT;
	char line[LINE_MAX_];
	int from = 1, to = t.rows;

	switch (sscanf(range, "%d-%d", &from, &to)) {
	case 1:
		to = from;
		break;
	default:
		break;
	}
	while (fgets(line, sizeof(line), stdin) && (t.line++, strcmp(line, "end\n"))) {
		size_t n = strcspn(line, "\n");

		while (n && line[n - 1] == ' ')
			n--;
		buf_add(&want, line, n);
		buf_addc(&want, '\n');
	}
	screen_compare(buf_str(&want), from - 1, to - 1);
	buf_release(&want);
}

static void describe_color(char *dst, size_t size, const VTermColor *c, bool is_default)
{
	if (is_default)
		snprintf(dst, size, "default");
	else if (VTERM_COLOR_IS_INDEXED(c))
		snprintf(dst, size, "%d", c->indexed.idx);
	else
		snprintf(dst, size, "#%02x%02x%02x", c->rgb.red, c->rgb.green, c->rgb.blue);
}

/* In the words of a theme file. */
static void look_describe(char *dst, size_t size, const VTermScreenCell *c)
{
	char fg[16], bg[16];
	bool plain_bg = VTERM_COLOR_IS_DEFAULT_BG(&c->bg);
	int n;

	describe_color(fg, sizeof(fg), &c->fg, VTERM_COLOR_IS_DEFAULT_FG(&c->fg));
	describe_color(bg, sizeof(bg), &c->bg, plain_bg);
	n = snprintf(dst, size, "%s%s%s%s%s%s", fg, plain_bg ? "" : " on ", plain_bg ? "" : bg,
		     c->attrs.bold ? " bold" : "", c->attrs.underline ? " underline" : "",
		     c->attrs.reverse ? " reverse" : "");
	if (n == 7 && !strcmp(dst, "default"))
		snprintf(dst, size, "plain");
}

static void step_look(char *arguments)
{
	char *look = strchr(arguments, ' '), got[96];
	struct patience p = { 0 };
	int x, y;

	if (!look)
		script_fail("look TEXT LOOK");
	*look++ = 0;
	settle_frame();
	for (;;) {
		VTermScreenCell cell;

		snprintf(got, sizeof(got), "(not there)");
		if (on_screen(arguments, &x, &y)) {
			vterm_screen_get_cell(t.screen, (VTermPos){ .row = y, .col = x }, &cell);
			look_describe(got, sizeof(got), &cell);
		}
		if (!strcmp(got, look))
			return;
		if (!wait_more(&p))
			script_fail("\"%s\" looks \"%s\", not \"%s\"", arguments, got, look);
	}
}

/*
 * The emulator says it as the program asked for it; who did not ask hears nothing. (libvterm does
 * not understand how xterm's description asks: use send there.)
 */
static void key_press(int x, int y, int button)
{
	if (!t.mouse)
		return;
	vterm_mouse_move(t.vt, y, x, VTERM_MOD_NONE);
	vterm_mouse_button(t.vt, button, true, VTERM_MOD_NONE);
	vterm_mouse_button(t.vt, button, false, VTERM_MOD_NONE);
}

static void step_click(const char *arguments)
{
	int x = 0, y = 0, button = 1;

	if (sscanf(arguments, "%d %d %d", &x, &y, &button) < 2)
		script_fail("click X Y [BUTTON]");
	if (!t.mouse)
		script_fail("the program has not asked for a mouse");
	key_press(x - 1, y - 1, button);
}

/* By way of a cell between. */
static void step_drag(const char *arguments)
{
	int x, y, to_x, to_y;

	if (sscanf(arguments, "%d %d %d %d", &x, &y, &to_x, &to_y) != 4)
		script_fail("drag X Y X Y");
	if (t.mouse != VTERM_PROP_MOUSE_DRAG)
		script_fail("the program has not asked for moves of the mouse");
	vterm_mouse_move(t.vt, y - 1, x - 1, VTERM_MOD_NONE);
	vterm_mouse_button(t.vt, 1, true, VTERM_MOD_NONE);
	vterm_mouse_move(t.vt, (y + to_y) / 2 - 1, (x + to_x) / 2 - 1, VTERM_MOD_NONE);
	vterm_mouse_move(t.vt, to_y - 1, to_x - 1, VTERM_MOD_NONE);
	vterm_mouse_button(t.vt, 1, false, VTERM_MOD_NONE);
}

static void step_size(const char *arguments)
{
	int cols, rows;

	if (sscanf(arguments, "%dx%d", &cols, &rows) != 2)
		script_fail("size COLSxROWS");
	set_size(cols, rows);
}

static void step_run(const char *command)
{
	char limit[16];
	int status = -1;
	pid_t pid;

	snprintf(limit, sizeof(limit), "%d", WATCHDOG_MS / 1000);
	pid = fork();
	if (pid == 0) {
		execlp("timeout", "timeout", limit, "sh", "-c", command, NULL);
		_exit(127);
	}
	/* A terminal reads on while something else happens. */
	while (waitpid(pid, &status, WNOHANG) == 0)
		output_pump(5);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 124)
		script_fail("watchdog: hung for 5 minutes: run %s", command);
	if (status != 0)
		script_fail("run %s", command);
}

static void step_signal(const char *name)
{
	static const struct { const char *name; int number; } signals[] = {
		{ "TERM", SIGTERM }, { "HUP", SIGHUP }, { "INT", SIGINT }, { "SEGV", SIGSEGV },
		{ "TSTP", SIGTSTP }, { "CONT", SIGCONT }, { "STOP", SIGSTOP },
		{ "WINCH", SIGWINCH }, { "KILL", SIGKILL }, { "ABRT", SIGABRT },
	};

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		if (!strcmp(signals[i].name, name)) {
			kill(t.pid, signals[i].number);
			return;
		}
	}
	script_fail("no signal %s", name);
}

static void step_pause(const char *arguments)
{
	pump_for(atoi(arguments));
}

static void step_idle(const char *arguments)
{
	(void)arguments;
	wait_idle();
}

static void step_quiet(const char *arguments)
{
	uint64_t until = clock_now() + (uint64_t)atoi(arguments) * MS;
	unsigned long long before;

	settle_frame();
	before = t.bytes;
	while (clock_now() < until) {
		output_pump(10);
		if (t.bytes != before)
			script_fail("it wrote %llu bytes", t.bytes - before);
	}
}

static void step_bytes(const char *arguments)
{
	unsigned long long most = strtoull(arguments, NULL, 10), wrote;

	settle_frame();
	wrote = t.bytes;
	t.bytes = 0;
	t.bytes_since = clock_now();
	if (wrote > most)
		script_fail("it wrote %llu bytes, more than %llu", wrote, most);
	printf("step %d: %llu bytes\n", t.line, wrote);
}

static void step_rate(const char *arguments)
{
	double seconds, most = atof(arguments);

	settle_frame();
	seconds = (double)(clock_now() - t.bytes_since) / CLOCK_SECOND;
	if ((double)t.bytes > most * seconds)
		script_fail("it wrote %llu bytes in %.1f s, more than %g a second", t.bytes,
			    seconds, most);
	printf("step %d: %.0f bytes a second\n", t.line, (double)t.bytes / seconds);
}

static int base64_digit(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* What stands behind the last `begin`, decoded; false: there is none, or it has no end yet. */
static bool last_copy(const char *begin, struct buf *text)
{
	size_t n = strlen(begin), at = t.tail.len;
	unsigned bits = 0, have = 0;

	while (at-- > 0 && (t.tail.len - at < n || memcmp(t.tail.data + at, begin, n)))
		;
	if (at == SIZE_MAX || !memchr(t.tail.data + at, '\a', t.tail.len - at))
		return false;
	for (const char *s = t.tail.data + at + n; base64_digit(*s) >= 0; s++) {
		bits = bits << 6 | (unsigned)base64_digit(*s);
		have += 6;
		if (have >= 8)
			buf_addc(text, (char)(bits >> (have -= 8)));
	}
	return true;
}

static void check_copy(const char *begin, const char *want)
{
	struct patience p = { 0 };
	struct buf text = BUF_INIT;

	while (!last_copy(begin, &text) || strcmp(buf_str(&text), want) != 0) {
		if (!wait_more(&p))
			script_fail("copied was \"%s\", not \"%s\"", buf_str(&text), want);
		buf_reset(&text);
	}
	buf_release(&text);
}

static void step_copied(const char *want)
{
	check_copy("\033]52;c;", want);
}

static void step_passed(const char *want)
{
	check_copy("\033Ptmux;\033\033]52;c;", want);
}

static void step_ascii(const char *arguments)
{
	(void)arguments;
	if (t.high_byte)
		script_fail("it wrote a byte above 126");
}

static void step_colors(const char *arguments)
{
	int most = atoi(arguments);

	watch_colors();
	if (most < 0 ? t.colored : t.max_color > most)
		script_fail("colours: up to %d", t.max_color);
}

static void step_exit(const char *arguments)
{
	struct patience p = { 0 };
	int status;

	while (!t.ended) {
		if (!wait_more(&p))
			script_fail("it does not end");
		child_reap(WNOHANG);
	}
	while (output_pump(20))
		;
	status = WIFEXITED(t.status) ? WEXITSTATUS(t.status) : 128 + WTERMSIG(t.status);
	if (status != atoi(arguments))
		script_fail("it ended with status %d", status);
}

static void step_hangup(const char *arguments)
{
	(void)arguments;
	close(t.fd);
	t.fd = -1;		/* poll passes over it */
}

static void step_stopped(const char *arguments)
{
	struct patience p = { 0 };

	(void)arguments;
	for (;;) {
		if (waitpid(t.pid, &t.status, WUNTRACED | WNOHANG) == t.pid)
			break;
		if (!wait_more(&p))
			script_fail("it is not stopped");
	}
	if (!WIFSTOPPED(t.status))
		script_fail("it ended with status 0x%x", (unsigned)t.status);
	while (output_pump(20))
		;
}

static void step_whole(const char *arguments)
{
	struct termios now;
	VTermValue v;

	(void)arguments;
	if (t.altscreen)
		script_fail("the terminal is still on its other page");
	if (t.cursor_hidden)
		script_fail("the cursor is hidden");
	if (t.mouse)
		script_fail("mouse reports are on");
	vterm_state_get_penattr(vterm_obtain_state(t.vt), VTERM_ATTR_REVERSE, &v);
	if (v.boolean)
		script_fail("reverse video is on");
	vterm_state_get_penattr(vterm_obtain_state(t.vt), VTERM_ATTR_BACKGROUND, &v);
	if (!VTERM_COLOR_IS_DEFAULT_BG(&v.color))
		script_fail("a background colour is on");
	tcgetattr(t.fd, &now);
	if (now.c_lflag != t.modes.c_lflag || now.c_iflag != t.modes.c_iflag ||
	    now.c_oflag != t.modes.c_oflag)
		script_fail("the terminal's modes are changed: lflag %x, was %x; iflag %x, was %x; "
		     "oflag %x, was %x", now.c_lflag, t.modes.c_lflag, now.c_iflag,
		     t.modes.c_iflag, now.c_oflag, t.modes.c_oflag);
}

/* --- the script ------------------------------------------------------------------------------- */

static void step_wait_there(const char *s)
{
	step_wait(s, true);
}

static void step_wait_gone(const char *s)
{
	step_wait(s, false);
}

/* How a cell looks; of a blank one nothing but its ground is seen. */
static void cell_look(int x, int y, char *dst, size_t size)
{
	VTermScreenCell c;

	snprintf(dst, size, "plain");
	if (x >= t.cols)
		return;
	vterm_screen_get_cell(t.screen, (VTermPos){ .row = y, .col = x }, &c);
	if ((c.chars[0] && c.chars[0] != ' ') || c.attrs.reverse || c.attrs.underline ||
	    !VTERM_COLOR_IS_DEFAULT_BG(&c.bg))
		look_describe(dst, size, &c);
}

/*
 * "4: 1-12 231 on 24 bold, 13-80 250 on 238": the cells of a row that are not plain, alike ones in
 * one.
 */
static void row_looks(int y, struct buf *b)
{
	char look[64], last[64] = "plain";
	int from = 0, runs = 0;

	for (int x = 0; x <= t.cols; x++) {
		cell_look(x, y, look, sizeof(look));
		if (x < t.cols && !strcmp(look, last))
			continue;
		if (strcmp(last, "plain")) {
			if (runs++ == 0)
				buf_addf(b, "%d:", y + 1);
			buf_addf(b, "%s %d-%d %s", runs > 1 ? "," : "", from + 1, x, last);
		}
		snprintf(last, sizeof(last), "%s", look);
		from = x;
	}
	if (runs)
		buf_addc(b, '\n');
}

static void screen_looks(struct buf *b)
{
	for (int y = 0; y < t.rows; y++)
		row_looks(y, b);
}

static void all_text(struct buf *b)
{
	screen_text(b, 0, t.rows - 1);
}

static void file_save(const char *path, const struct buf *b)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(buf_str(b), f) == EOF || fclose(f))
		script_fail("%s: %s", path, strerror(errno));
}

static void file_load(const char *path, struct buf *b)
{
	FILE *f = fopen(path, "r");
	char part[4096];
	size_t n;

	if (!f)
		script_fail("%s: %s; RENEW=1 writes it", path, strerror(errno));
	while ((n = fread(part, 1, sizeof(part), f)))
		buf_add(b, part, n);
	fclose(f);
}

/* Waited for. */
static void same_as(const char *path, void (*what)(struct buf *b))
{
	struct patience p = { 0 };
	struct buf want = BUF_INIT, got = BUF_INIT;
	const char *renew = getenv("RENEW");

	if (!(renew && *renew))
		file_load(path, &want);
	settle_frame();
	for (;;) {
		buf_reset(&got);
		what(&got);
		if (renew && *renew)
			file_save(path, &got);
		if ((renew && *renew) || !strcmp(buf_str(&got), buf_str(&want)))
			break;
		if (!wait_more(&p)) {
			printf("expected (%s)\n%s---\ngot\n%s---\n", path, buf_str(&want),
			       buf_str(&got));
			script_fail("the screen differs");
		}
	}
	buf_release(&want);
	buf_release(&got);
}

static void step_same(const char *path)
{
	same_as(path, all_text);
}

static void step_looks(const char *path)
{
	same_as(path, screen_looks);
}

static void step_show(const char *path)
{
	FILE *f;

	if (!*path) {
		screen_show(stdout);
		return;
	}
	f = fopen(path, "w");
	if (!f)
		script_fail("%s: %s", path, strerror(errno));
	svg_write(f, t.screen, t.cols, t.rows);
	if (fclose(f))
		script_fail("%s: %s", path, strerror(errno));
}

/* What it did last, for whoever looks for a fault. */
static void monkey_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static void monkey_note(const char *fmt, ...)
{
	enum { LAST = 400 };
	char step[128];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(step, sizeof(step), fmt, ap);
	va_end(ap);
	buf_adds(&t.monkey, step);
	if (t.monkey.len > 2 * LAST) {
		memmove(t.monkey.data, t.monkey.data + t.monkey.len - LAST, LAST + 1);
		t.monkey.len = LAST;
	}
}

static void monkey_resize(struct monkey *m)
{
	/* Often usable, sometimes too small. */
	if (monkey_random(m, 3))
		set_size(40 + (int)monkey_random(m, 120), 10 + (int)monkey_random(m, 50));
	else
		set_size(1 + (int)monkey_random(m, 60), 1 + (int)monkey_random(m, 15));
	monkey_note("<size %dx%d>", t.cols, t.rows);
}

static bool screen_shows(const char *text)
{
	return on_screen(text, NULL, NULL);
}

/*
 * Hints on the bottom line are buttons: one may leave. A size ago it was elsewhere, and may be
 * still.
 */
static bool may_leave(int y)
{
	struct buf b = BUF_INIT;
	bool leaves;

	row_text(y, &b);
	leaves = y == t.rows - 1 ? monkey_could_leave(screen_shows) :
		 strstr(buf_str(&b), " back") || strstr(buf_str(&b), "quit");
	buf_release(&b);
	return leaves;
}

static void monkey_click(struct monkey *m)
{
	static const int buttons[] = { 1, 1, 1, 2, 3, 4, 5 };
	int button = buttons[monkey_random(m, sizeof(buttons) / sizeof(buttons[0]))];
	int x = (int)monkey_random(m, (unsigned)t.cols),
	    y = (int)monkey_random(m, (unsigned)t.rows);

	if (may_leave(y))
		return;
	monkey_note("<click %d %d %d>", x + 1, y + 1, button);
	key_press(x, y, button);
}

static void screen_settle(int ms)
{
	while (output_pump(ms) && !t.ended)
		;
	child_reap(WNOHANG);
}

/* All that was typed is read, unless the program is stopped, and what came of it is drawn. */
static void settle_keys(void)
{
	uint64_t began = clock_now();

	while (typed_is_unread() && !t.ended &&
	       (process_is_busy(t.pid) || clock_now() - began < STOPPED_MS * MS)) {
		watchdog_check(began);
		output_pump(2);
		child_reap(WNOHANG);
	}
	settle_frame();
	child_reap(WNOHANG);
}

/* Where nothing can be drawn nobody sees what is open. */
static enum monkey_mood mood_of(void)
{
	return t.cols < 40 || t.rows < 10 ? MONKEY_BLIND : monkey_mood(screen_shows);
}

/* Keys in bursts, as somebody drums them; looked at where what may be typed can change. */
static int monkey_burst(struct monkey *m, int most)
{
	enum monkey_mood now = mood_of();
	int n = now == MONKEY_FREE ? 1 + (int)monkey_random(m, 24) : 1;

	n = n < most ? n : most;
	for (int i = 0; i < n; i++) {
		const char *key = monkey_key(m, now, screen_shows);

		monkey_note("%s", key);
		text_type(key, strlen(key));
		if (monkey_must_look(key)) {
			settle_keys();
			return i + 1;
		}
	}
	screen_settle(1);
	return n;
}

static void step_monkey(const char *arguments)
{
	struct monkey m = { 0 };
	unsigned long long seed;
	int n;

	if (sscanf(arguments, "%llu %d", &seed, &n) != 2 || !seed)
		script_fail("monkey SEED N");
	m.state = seed * 0x9e3779b97f4a7c15u;
	for (int i = 0; i < n && !t.ended; i++) {
		unsigned what = monkey_random(&m, 20);

		if (what == 0)
			monkey_resize(&m);
		else if (what < 4 && mood_of() == MONKEY_FREE)
			monkey_click(&m);
		else
			i += monkey_burst(&m, n - i) - 1;
		if (what < 4)
			screen_settle(5);
	}
	if (t.ended) {
		char last[4 * 800 + 1];

		text_visible(last, sizeof(last), t.monkey.data, t.monkey.len);
		script_fail("it ended with status 0x%x after %s", (unsigned)t.status, last);
	}
	set_size(80, 24);
}

static void step_look_at(const char *s)
{
	char copy[LINE_MAX_];

	snprintf(copy, sizeof(copy), "%s", s);
	step_look(copy);
}

static const struct { const char *name; void (*run)(const char *arguments);
} steps[] = {
	{ "keys", step_keys },     { "wait", step_wait_there }, { "gone", step_wait_gone },
	{ "expect", step_expect }, { "look", step_look_at },    { "size", step_size },
	{ "click", step_click },   { "send", step_send },       { "run", step_run },
	{ "signal", step_signal }, { "pause", step_pause },     { "idle", step_idle },
	{ "quiet", step_quiet },   { "copied", step_copied },   { "passed", step_passed },
	{ "bytes", step_bytes },   { "rate", step_rate },       { "ascii", step_ascii },
	{ "colors", step_colors }, { "exit", step_exit },       { "stopped", step_stopped },
	{ "hangup", step_hangup }, { "whole", step_whole },     { "same", step_same },
	{ "looks", step_looks },   { "show", step_show },       { "monkey", step_monkey },
	{ "drag", step_drag },
};

static void run_step(char *line)
{
	char *arguments = strchr(line, ' ');
	const char *name = line;

	if (arguments)
		*arguments++ = 0;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (!strcmp(steps[i].name, name)) {
			steps[i].run(arguments ? arguments : "");
			return;
		}
	}
	script_fail("no step \"%s\"", name);
}

static void set_environment(void)
{
	static const char *const unset[] = {
		"NO_COLOR", "LINES", "COLUMNS", "ESCDELAY", "COLORTERM", "LC_ALL", "LC_CTYPE",
	};

	for (size_t i = 0; i < sizeof(unset) / sizeof(unset[0]); i++)
		unsetenv(unset[i]);
	/* libvterm takes xterm's REP wrongly beside the last column; this has none. */
	setenv("TERM", "screen-256color", 1);
	setenv("LANG", "C.UTF-8", 1);
}

static void usage_exit(void)
{
	fprintf(stderr, "usage: screen [-s COLSxROWS] [-e NAME=VALUE]... COMMAND... <SCRIPT\n");
	exit(2);
}

int main(int argc, char **argv)
{
	char line[LINE_MAX_];
	int c;

	t.cols = 80;
	t.rows = 24;
	set_environment();
	while ((c = getopt(argc, argv, "+s:e:")) != -1) {
		if (c == 'e')
			putenv(optarg);
		else if (c != 's' || sscanf(optarg, "%dx%d", &t.cols, &t.rows) != 2)
			usage_exit();
	}
	if (optind == argc)
		usage_exit();
	open_emulator();
	child_start(argv + optind);
	while (fgets(line, sizeof(line), stdin)) {
		t.line++;
		line[strcspn(line, "\n")] = 0;
		if (*line && *line != '#')
			run_step(line);
	}
	if (!t.ended) {
		kill(t.pid, SIGKILL);
		kill(t.pid, SIGCONT);
		child_reap(0);
	}
	vterm_free(t.vt);
	buf_release(&t.tail);
	return 0;
}
