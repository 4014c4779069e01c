#include "tui/term/screen_parts.h"

#include <errno.h>
#include <langinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "tui/term/rescue.h"

enum { MAX_WIDTH = 1024, MAX_HEIGHT = 512 };	/* larger sizes are cut */
enum { CURSES_ROOM = 1 << 20 };			/* bytes that it takes, about */

/* --- restoring the terminal ----------------------------------------------------------------- */

static void rescue_add(const char *capability)
{
	const char *s = tigetstr(capability);

	if (s && s != (char *)-1)
		tputs(s, 1, rescue_putc);
}

static void rescue_fill(void)
{
	static const char *const capabilities[] = { "sgr0", "op", "rmkx", "cnorm", "rmcup" };
	static const char mouse_off[] = "\033[?1006l\033[?1002l\033[?1000l";
	const char *mouse = tigetstr("kmous");

	for (size_t i = 0; mouse && mouse != (char *)-1 && i < sizeof(mouse_off) - 1; i++)
		rescue_putc(mouse_off[i]);
	for (size_t i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]); i++)
		rescue_add(capabilities[i]);
}

/* --- life cycle ----------------------------------------------------------------------------- */

/* Keys come from standard input or, if that is a node's stream, from the terminal. */
static FILE *keys_open(struct err *err)
{
	FILE *f;

	if (!isatty(STDOUT_FILENO)) {
		err_set(err, ERR_USAGE, "standard output is not a terminal; -B runs "
			"without a screen");
		return NULL;
	}
	if (isatty(STDIN_FILENO))
		return stdin;
	f = fopen("/dev/tty", "re");
	if (!f)
		err_set(err, ERR_USAGE, "no terminal to read keys from; -B runs without a screen");
	return f;
}

/* Checked first: newterm leaks memory with each terminal that it does not know. */
static bool is_described(const char *name)
{
	int why;

	if (setupterm(name, STDOUT_FILENO, &why) != OK)
		return false;
	del_curterm(cur_term);
	return true;
}

/*
 * A terminal with true colour sets COLORTERM; the description that TERM names seldom has it. The
 * description with true colour is named "tmux-direct" for "tmux-256color". Many terminals set
 * xterm-256color, and some of these do not understand colours as xterm-direct writes them
 * (38:2::r:g:b): vte-direct, otherwise equal, writes a form that all understand. NULL: there is no
 * such description here (Debian has them in ncurses-term); then 256 colours are used.
 */
static SCREEN *term_open_direct(FILE *in)
{
	const char *depth = getenv("COLORTERM"), *name = getenv("TERM"), *no = getenv("NO_COLOR");
	char direct[64];
	size_t n = name ? strcspn(name, "-") : 0;

	if (!depth || (strcmp(depth, "truecolor") && strcmp(depth, "24bit")) || (no && *no) || !n ||
	    strcmp(name + n, "-256color") || n > sizeof(direct) - sizeof("-direct"))
		return NULL;
	if (n == 5 && !strncmp(name, "xterm", n))
		snprintf(direct, sizeof(direct), "vte-direct");
	else
		snprintf(direct, sizeof(direct), "%.*s-direct", (int)n, name);
	return is_described(direct) ? newterm(direct, stdout, in) : NULL;
}

static SCREEN *term_open(FILE *in, struct err *err)
{
	const char *name = getenv("TERM"), *place;
	SCREEN *term;

	errno = 0;
	term = term_open_direct(in);
	if (!term)
		term = newterm(NULL, stdout, in);
	if (!term && errno == ENOMEM) {
		err_set(err, ERR_NOMEM, "the screen: out of memory");
		return NULL;
	}
	if (!term) {
		err_set(err, ERR_USAGE, "TERM=%s: unknown terminal type; try "
			"TERM=xterm or vt100", name && *name ? name : "(not set)");
		return NULL;
	}
	place = tigetstr("cup");
	if (place && place != (char *)-1)
		return term;
	endwin();
	err_set(err, ERR_USAGE, "TERM=%s: this terminal cannot place the cursor; -B runs without a "
		"screen", name);
	return NULL;
}

/*
 * Moves with a button held (1002), which curses asks of no terminal. The mode ends before curses
 * gives the terminal away (endwin) and begins again behind its own mode (1000), which replaces it.
 */
static void motion_report(struct screen *s, bool on)
{
	const char *mouse = tigetstr("kmous");

	s->motion = on;
	if (!mouse || mouse == (char *)-1)
		return;
	fputs(on ? "\033[?1002h" : "\033[?1002l", stdout);
	fflush(stdout);
}

static void term_leave(struct screen *s)
{
	motion_report(s, false);
	endwin();
}

#define MOUSE_BUTTONS (BUTTON1_PRESSED | BUTTON3_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED)

/*
 * Mouse reports are decoded in sequence.c: curses joins reports to clicks, and holds back a key
 * that follows at once until another one arrives. mousemask enables KEY_MOUSE again each time.
 */
void screen_mouse(struct screen *s, bool on)
{
	mousemask(on ? MOUSE_BUTTONS : 0, NULL);
	keyok(KEY_MOUSE, FALSE);
	mouseinterval(0);
	s->mouse = on;
	motion_report(s, on);
}

/*
 * ncurses 6.4 sends each way of the cursor by itself, hundreds of writes a frame, until the screen
 * comes back from endwin().
 */
static void writes_join(void)
{
	endwin();
	refresh();
}

/* False: out of memory; keys cannot be read. */
static bool modes_set(struct screen *s)
{
	raw();			/* Ctrl-C and Ctrl-Z are actions like others */
	noecho();
	nonl();
	set_escdelay(SCREEN_ESCAPE_MS);
	/*
	 * curses interrupts an update if a key waits, and sends the rest with the next update. If
	 * that key changes nothing (the release of a button, for example) there is no next update.
	 */
	typeahead(-1);
	s->keys = newpad(1, 1);
	if (!s->keys)
		return false;
	keypad(s->keys, TRUE);
	nodelay(s->keys, TRUE);
	meta(s->keys, TRUE);
	writes_join();
	screen_mouse(s, true);
	return true;
}

/* Asked for before curses does: where memory ends within it, it ends the program, or crashes. */
static bool room_is_there(void)
{
	void *room = mem_alloc(CURSES_ROOM);

	mem_free(room);
	return room;
}

/* Until there is a screen to free. */
static struct screen *screen_give_up(struct screen *s, FILE *in)
{
	rescue_disarm();
	if (in != stdin)
		fclose(in);
	mem_free(s);
	return NULL;
}

struct screen *screen_new(const struct theme *theme, struct err *err)
{
	FILE *in = keys_open(err);
	struct screen *s;
	const char *name = getenv("TERM");

	if (!in)
		return NULL;
	rescue_init(STDOUT_FILENO);
	rescue_arm();
	s = room_is_there() ? mem_zalloc(sizeof(*s)) : NULL;
	if (!s)
		err_set(err, ERR_NOMEM, "the screen: out of memory");
	if (!s || !(s->term = term_open(in, err)))
		return screen_give_up(s, in);
	s->in = in;
	rescue_fill();
	if (!modes_set(s)) {
		err_set(err, ERR_NOMEM, "the screen: out of memory");
		endwin();
		return screen_give_up(s, in);
	}
	screen_find_colors(s);
	s->theme = *theme;
	s->console = name && !strcmp(name, "linux");
	s->grid.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	s->cursor_x = -1;
	s->redraw = true;
	curs_set(0);
	return s;
}

void screen_free(struct screen *s)
{
	if (!s)
		return;
	term_leave(s);
	rescue_disarm();
	/* No delscreen: what curses could not allocate it frees all the same (6.4). */
	delwin(s->keys);
	if (s->in != stdin)
		fclose(s->in);
	mem_free(s->grid.cells);
	mem_free(s->shown);
	mem_free(s->line);
	mem_free(s);
}

void screen_theme(struct screen *s, const struct theme *theme)
{
	s->theme = *theme;
	memset(s->looks, 0, sizeof(s->looks));
	s->redraw = true;
}

/* --- showing -------------------------------------------------------------------------------- */

static int size_clamp(int n, int max)
{
	return n < 1 ? 1 : n > max ? max : n;
}

/* The terminal's size as it is now; a terminal that does not know keeps curses' idea. */
static void size_follow(void)
{
	struct winsize w;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_row && w.ws_col &&
	    (w.ws_row != LINES || w.ws_col != COLS))
		resizeterm(size_clamp(w.ws_row, MAX_HEIGHT), size_clamp(w.ws_col, MAX_WIDTH));
}

static bool grid_resize(struct screen *s, int width, int height)
{
	size_t n = (size_t)width * (size_t)height;
	struct cell *cells = mem_zalloc(n * sizeof(*cells));
	struct cell *shown = mem_zalloc(n * sizeof(*shown));
	cchar_t *line = mem_zalloc((size_t)width * sizeof(*line));

	if (!cells || !shown || !line) {
		mem_free(cells);
		mem_free(shown);
		mem_free(line);
		return false;
	}
	mem_free(s->grid.cells);
	mem_free(s->shown);
	mem_free(s->line);
	s->grid.cells = cells;
	s->grid.stride = s->grid.width = width;
	s->grid.height = height;
	s->shown = shown;
	s->line = line;
	s->redraw = true;
	return true;
}

struct grid *screen_begin(struct screen *s)
{
	int width, height;

	size_follow();
	width = size_clamp(COLS, MAX_WIDTH);
	height = size_clamp(LINES, MAX_HEIGHT);
	if (width != s->grid.width || height != s->grid.height)
		grid_resize(s, width, height);	/* out of memory: the old size is drawn on */
	grid_clear(&s->grid);
	return &s->grid;
}

/* The Linux console's font has no eighths of a block and no small triangles. */
static uint32_t console_glyph(uint32_t ch)
{
	if (ch >= 0x2589 && ch <= 0x258f)
		return ch <= 0x258b ? 0x2588 : ch <= 0x258d ? 0x258c : ' ';
	return ch == 0x25b8 ? '>' : ch == 0x25be ? 'v' : ch == 0x2026 ? '~' : ch;
}

static void cell_set(struct screen *s, const struct cell *c, cchar_t *out)
{
	const struct look *l = screen_look(s, c);
	wchar_t text[4] = { (wchar_t)(s->console ? console_glyph(c->ch[0]) : c->ch[0]),
			    (wchar_t)c->ch[1], (wchar_t)c->ch[2], 0 };

	if (setcchar(out, text, l->attributes, 0, &l->pair) == ERR)
		setcchar(out, L"?", l->attributes, 0, &l->pair);
}

static bool is_same_cell(const struct cell *a, const struct cell *b)
{
	return a->ch[0] == b->ch[0] && a->ch[1] == b->ch[1] && a->ch[2] == b->ch[2] &&
	       a->role == b->role && a->selected == b->selected;
}

/*
 * Bytes that a changed cell costs the terminal, about: its character, and where it does not go on
 * from the cell before it, the cursor's way there or another colour.
 */
static size_t cell_cost(const struct cell *c, bool goes_on)
{
	size_t bytes = goes_on ? 0 : 10;

	for (int i = 0; i < 3 && c->ch[i]; i++)
		bytes += c->ch[i] < 0x80 ? 1 : c->ch[i] < 0x800 ? 2 : 3;
	return bytes;
}

/* What the row costs the terminal, about; 0: it is as it was. */
static size_t row_bytes(const struct screen *s, int y)
{
	int width = s->grid.width;
	const struct cell *row = &s->grid.cells[y * width], *old = &s->shown[y * width];
	size_t cost = 0;

	for (int x = 0, last = -2; x < width; x++) {
		if (is_same_cell(&row[x], &old[x]))
			continue;
		cost += cell_cost(&row[x], last == x - 1 && row[last].role == row[x].role);
		last = x;
	}
	return cost;
}

static void row_show(struct screen *s, int y)
{
	int width = s->grid.width, n = 0;
	const struct cell *row = &s->grid.cells[y * width];
	struct cell *old = &s->shown[y * width];

	for (int x = 0; x < width; x++) {
		old[x] = row[x];
		if (row[x].ch[0])
			cell_set(s, &row[x], &s->line[n++]);
	}
	mvadd_wchnstr(y, 0, s->line, n);
}

/* The rows that reply to a key: the selected one (and the one that was), the prompt's. */
static bool row_replies(const struct screen *s, int y)
{
	const struct cell *row = &s->grid.cells[y * s->grid.width];

	return y == s->grid.height - 1 || y == s->cursor_y ||
	       row->selected != s->shown[y * s->grid.width].selected;
}

/* What no cell is: all of them are shown again. */
static void shown_forget(struct screen *s)
{
	size_t n = (size_t)s->grid.width * (size_t)s->grid.height;

	for (size_t i = 0; s->redraw && i < n; i++)
		s->shown[i].role = ROLE_COUNT;
	s->redraw = false;
}

/* Tell curses rows that changed, about `most` bytes of them; what they cost. */
static size_t rows_show(struct screen *s, size_t most)
{
	size_t sum = 0, cost;

	s->left = false;
	for (int pass = 0; pass < 2; pass++) {
		for (int y = 0; y < s->grid.height; y++) {
			if (pass == 0 && !row_replies(s, y))
				continue;
			cost = row_bytes(s, y);
			if (pass == 1 && cost && sum && sum + cost > most) {
				s->left = true;
				return sum;
			}
			if (cost)
				row_show(s, y);
			sum += cost;
		}
	}
	return sum;
}

static void part_show(struct screen *s, bool moved, size_t most)
{
	size_t cost;

	shown_forget(s);
	cost = rows_show(s, most);
	if (!cost && !moved)
		return;
	move(s->cursor_x < 0 ? 0 : s->cursor_y, s->cursor_x < 0 ? 0 : s->cursor_x);
	line_write_begin(&s->out);
	refresh();
	if (s->mouse && !s->motion)
		screen_mouse(s, true);
	line_write_end(&s->out, STDOUT_FILENO, cost);
}

static void end_with(struct screen *s, int cursor_x, int cursor_y, size_t most)
{
	bool moved = cursor_x != s->cursor_x || cursor_y != s->cursor_y;

	if ((cursor_x < 0) != (s->cursor_x < 0))
		curs_set(cursor_x >= 0);
	s->cursor_x = cursor_x;
	s->cursor_y = cursor_y;
	part_show(s, moved || s->redraw, most);
}

void screen_end(struct screen *s, int cursor_x, int cursor_y)
{
	end_with(s, cursor_x, cursor_y, SIZE_MAX);
}

void screen_end_part(struct screen *s, int cursor_x, int cursor_y)
{
	end_with(s, cursor_x, cursor_y, line_share(&s->out));
}

void screen_more(struct screen *s)
{
	part_show(s, false, line_share(&s->out));
}

bool screen_is_left(const struct screen *s)
{
	return s->left;
}

const struct line *screen_line(struct screen *s, bool look)
{
	if (look)
		line_look(&s->out, STDOUT_FILENO, clock_now());
	return &s->out;
}

void screen_redraw(struct screen *s)
{
	s->redraw = true;
	clearok(curscr, TRUE);
}

void screen_resume(struct screen *s)
{
	term_leave(s);		/* the next refresh sets the alternate screen and the modes again */
	screen_redraw(s);
}

void screen_suspend(struct screen *s)
{
	struct sigaction def = { .sa_handler = SIG_DFL }, old;

	term_leave(s);
	sigemptyset(&def.sa_mask);
	sigaction(SIGTSTP, &def, &old);
	kill(0, SIGTSTP);	/* the whole job, as the terminal's driver would */
	sigaction(SIGTSTP, &old, NULL);
	screen_redraw(s);
}

void screen_leave(struct screen *s)
{
	term_leave(s);
}

int screen_fd(const struct screen *s)
{
	return fileno(s->in);
}
