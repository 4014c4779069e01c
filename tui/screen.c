#define NCURSES_WIDECHAR 1
#include "tui/screen.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/base/mem.h"
#include "tui/action.h"
#include "tui/rescue.h"
#include "tui/sequence.h"

enum {
	MAX_WIDTH = 1024, MAX_HEIGHT = 512,	/* sizes are believed up to */
	MAX_PAIRS = 512,
	DOUBLE_CLICK_MS = 400,
	ESCAPE_MS = 25,				/* between the bytes of one key */
	RGB_COLORS = 1 << 24,
};

struct look {
	attr_t attributes;
	int pair;
	bool known;
};

struct screen {
	SCREEN *term;
	WINDOW *keys;			/* a pad: reading from stdscr would refresh it */
	FILE *in;
	struct theme theme;
	enum theme_depth depth;
	int colors;
	bool defaults;			/* the terminal can do its own default colours */
	bool console;			/* the Linux console: few glyphs */
	struct look looks[ROLE_COUNT][2];
	struct { int32_t fg, bg; } pairs[MAX_PAIRS];	/* as curses knows them */
	int pair_count;
	struct grid grid;
	struct cell *shown;		/* what curses was told last */
	cchar_t *line;
	int cursor_x, cursor_y;
	size_t cost;			/* of the last screen_end, in bytes, about */
	bool redraw;
	struct { int x, y; uint64_t time; } click;
};

/* --- the terminal made whole ---------------------------------------------------------------- */

static void rescue_add(const char *capability)
{
	const char *s = tigetstr(capability);

	if (s && s != (char *)-1)
		tputs(s, 1, rescue_putc);
}

static void rescue_fill(void)
{
	static const char *const capabilities[] = { "sgr0", "op", "rmkx", "cnorm", "rmcup" };
	static const char mouse_off[] = "\033[?1006l\033[?1000l";
	const char *mouse = tigetstr("kmous");

	for (size_t i = 0; mouse && mouse != (char *)-1 && i < sizeof(mouse_off) - 1; i++)
		rescue_putc(mouse_off[i]);
	for (size_t i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]); i++)
		rescue_add(capabilities[i]);
}

/* --- colours -------------------------------------------------------------------------------- */

static void find_colors(struct screen *s)
{
	const char *no = getenv("NO_COLOR");

	s->depth = THEME_MONO;
	s->colors = 0;
	if ((no && *no) || !has_colors() || start_color() == ERR)
		return;
	s->defaults = use_default_colors() == OK;
	if (COLORS >= RGB_COLORS && (tigetflag("RGB") > 0 || tigetnum("RGB") > 0)) {
		s->depth = THEME_RGB;
		s->colors = RGB_COLORS;
	} else if (COLORS >= 256) {
		s->depth = THEME_256;
		s->colors = 256;
	} else if (COLORS >= 8) {
		s->depth = THEME_8;
		s->colors = 8;
	}
}

/* xterm's palette: a cube of 6 x 6 x 6 from 16, then 24 greys. */
static int32_t rgb_of_palette(int32_t n)
{
	static const int32_t bright[] = {
		0x7f7f7f, 0xff5555, 0x55ff55, 0xffff55, 0x5c7cff, 0xff55ff, 0x55ffff, 0xffffff,
	};
	static const int32_t level[] = { 0, 95, 135, 175, 215, 255 };

	if (n >= 232)
		return 0x10101 * (8 + 10 * (n - 232));
	if (n >= 16)
		return level[(n - 16) / 36] << 16 | level[(n - 16) / 6 % 6] << 8 | level[(n - 16) % 6];
	return bright[n - 8];
}

/*
 * A colour as this terminal's curses wants it. Where colours are direct, 0 to 7 are still the
 * palette's: the darkest blues give way to them.
 */
static int32_t curses_color(const struct screen *s, int32_t color, int32_t own)
{
	if (color < 0)
		return s->defaults ? -1 : own;
	if (s->depth != THEME_RGB || color < 8)
		return color;
	color = color & STYLE_RGB ? color & 0xffffff : rgb_of_palette(color);
	return color < 8 ? 8 : color;
}

/* Pairs are made as they are first used; when there are no more: the terminal's own colours. */
static int pair_of(struct screen *s, int32_t fg, int32_t bg)
{
	fg = curses_color(s, fg, COLOR_WHITE);
	bg = curses_color(s, bg, COLOR_BLACK);
	if (s->colors == 0 || (fg < 0 && bg < 0))
		return 0;
	for (int i = 0; i < s->pair_count; i++)
		if (s->pairs[i].fg == fg && s->pairs[i].bg == bg)
			return i + 1;
	if (s->pair_count == MAX_PAIRS || s->pair_count + 1 >= COLOR_PAIRS ||
	    init_extended_pair(s->pair_count + 1, fg, bg) == ERR)
		return 0;
	s->pairs[s->pair_count].fg = fg;
	s->pairs[s->pair_count].bg = bg;
	return ++s->pair_count;
}

static attr_t attributes_of(unsigned style)
{
	return (style & STYLE_BOLD ? A_BOLD : 0) | (style & STYLE_UNDERLINE ? A_UNDERLINE : 0) |
	       (style & STYLE_REVERSE ? A_REVERSE : 0) | (style & STYLE_DIM ? A_DIM : 0);
}

static struct look *look_of(struct screen *s, const struct cell *c)
{
	struct look *l = &s->looks[c->role][c->selected];
	struct style style;

	if (l->known)
		return l;
	style = theme_style(&s->theme, s->depth, (enum role)c->role, c->selected);
	l->attributes = attributes_of(style.attributes);
	l->pair = pair_of(s, style.fg, style.bg);
	l->known = true;
	return l;
}

/* --- life cycle ----------------------------------------------------------------------------- */

/* Keys come from standard input, or, when that is a node's bytes, from the terminal itself. */
static FILE *open_keys(struct err *err)
{
	FILE *f;

	if (!isatty(STDOUT_FILENO)) {
		err_set(err, ERR_USAGE, "standard output is no terminal; -B runs without a screen");
		return NULL;
	}
	if (isatty(STDIN_FILENO))
		return stdin;
	f = fopen("/dev/tty", "re");
	if (!f)
		err_set(err, ERR_USAGE, "there is no terminal to read keys from; -B runs without a "
			"screen");
	return f;
}

/* Asked first: curses loses memory with each terminal that it does not know. */
static bool is_described(const char *name)
{
	int why;

	if (setupterm(name, STDOUT_FILENO, &why) != OK)
		return false;
	del_curterm(cur_term);
	return true;
}

/*
 * A terminal that does true colour says so in COLORTERM; what TERM names seldom knows of it. The
 * description that does is called so: "tmux-direct" for "tmux-256color". Half the terminals there
 * are call themselves xterm-256color, and not all of these take colours as xterm-direct writes them
 * (38:2::r:g:b): vte-direct, alike otherwise, has the form that all take. NULL: there is none here
 * (Debian has them in ncurses-term), 256 colours do.
 */
static SCREEN *open_direct(FILE *in)
{
	const char *says = getenv("COLORTERM"), *name = getenv("TERM"), *no = getenv("NO_COLOR");
	char direct[64];
	size_t n = name ? strcspn(name, "-") : 0;

	if (!says || (strcmp(says, "truecolor") && strcmp(says, "24bit")) || (no && *no) || !n ||
	    strcmp(name + n, "-256color") || n > sizeof(direct) - sizeof("-direct"))
		return NULL;
	if (n == 5 && !strncmp(name, "xterm", n))
		snprintf(direct, sizeof(direct), "vte-direct");
	else
		snprintf(direct, sizeof(direct), "%.*s-direct", (int)n, name);
	return is_described(direct) ? newterm(direct, stdout, in) : NULL;
}

static SCREEN *open_term(FILE *in, struct err *err)
{
	const char *name = getenv("TERM"), *place;
	SCREEN *term = open_direct(in);

	if (!term)
		term = newterm(NULL, stdout, in);
	if (!term) {
		err_set(err, ERR_USAGE, "TERM=%s: no such terminal is described here; try "
			"TERM=xterm or vt100", name && *name ? name : "(not set)");
		return NULL;
	}
	place = tigetstr("cup");
	if (place && place != (char *)-1)
		return term;
	endwin();
	delscreen(term);
	err_set(err, ERR_USAGE, "TERM=%s: this terminal cannot place the cursor; -B runs without a "
		"screen", name);
	return NULL;
}

#define MOUSE_BUTTONS (BUTTON1_PRESSED | BUTTON3_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED)

/*
 * Its reports are read here: curses makes clicks of what comes at once, and keeps back the key that
 * comes behind it until there is another. mousemask takes the key up again each time.
 */
void screen_mouse(struct screen *s, bool on)
{
	(void)s;
	mousemask(on ? MOUSE_BUTTONS : 0, NULL);
	keyok(KEY_MOUSE, FALSE);
	mouseinterval(0);
}

static void set_modes(struct screen *s)
{
	raw();			/* Ctrl-C and Ctrl-Z are actions like others */
	noecho();
	nonl();
	set_escdelay(ESCAPE_MS);
	s->keys = newpad(1, 1);
	keypad(s->keys, TRUE);
	nodelay(s->keys, TRUE);
	meta(s->keys, TRUE);
	screen_mouse(s, true);
}

struct screen *screen_new(const struct theme *theme, struct err *err)
{
	FILE *in = open_keys(err);
	struct screen *s = in ? mem_zalloc(sizeof(*s)) : NULL;
	const char *name = getenv("TERM");

	if (!s)
		return NULL;
	s->in = in;
	rescue_init(STDOUT_FILENO);
	s->term = open_term(in, err);
	if (!s->term) {
		if (in != stdin)
			fclose(in);
		mem_free(s);
		return NULL;
	}
	rescue_fill();
	rescue_arm();
	set_modes(s);
	find_colors(s);
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
	endwin();
	rescue_disarm();
	delwin(s->keys);
	delscreen(s->term);
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

static int clamp(int n, int max)
{
	return n < 1 ? 1 : n > max ? max : n;
}

/* The terminal's size as it is now; a terminal that does not know keeps curses' idea. */
static void follow_size(void)
{
	struct winsize w;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_row && w.ws_col &&
	    (w.ws_row != LINES || w.ws_col != COLS))
		resizeterm(clamp(w.ws_row, MAX_HEIGHT), clamp(w.ws_col, MAX_WIDTH));
}

static bool resize(struct screen *s, int width, int height)
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

	follow_size();
	width = clamp(COLS, MAX_WIDTH);
	height = clamp(LINES, MAX_HEIGHT);
	if (width != s->grid.width || height != s->grid.height)
		resize(s, width, height);	/* out of memory: the old size is drawn on */
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

static void set_cell(struct screen *s, const struct cell *c, cchar_t *out)
{
	struct look *l = look_of(s, c);
	wchar_t text[4] = { (wchar_t)(s->console ? console_glyph(c->ch[0]) : c->ch[0]),
			    (wchar_t)c->ch[1], (wchar_t)c->ch[2], 0 };

	if (setcchar(out, text, l->attributes, 0, &l->pair) == ERR)
		setcchar(out, L"?", l->attributes, 0, &l->pair);
}

static bool same(const struct cell *a, const struct cell *b)
{
	return a->ch[0] == b->ch[0] && a->ch[1] == b->ch[1] && a->ch[2] == b->ch[2] &&
	       a->role == b->role && a->selected == b->selected;
}

/*
 * Bytes that a changed cell costs the terminal, about: its character, and where it does not go on
 * from the cell before it, the cursor's way there or another colour.
 */
static size_t cost_of(const struct cell *c, bool goes_on)
{
	size_t bytes = goes_on ? 0 : 10;

	for (int i = 0; i < 3 && c->ch[i]; i++)
		bytes += c->ch[i] < 0x80 ? 1 : c->ch[i] < 0x800 ? 2 : 3;
	return bytes;
}

/* Tell curses a row unless it is as it was; true if it was told. */
static bool show_row(struct screen *s, int y)
{
	int width = s->grid.width, n = 0, x = 0;
	const struct cell *row = &s->grid.cells[y * width];
	struct cell *old = &s->shown[y * width];

	while (x < width && same(&row[x], &old[x]))
		x++;
	if (x == width && !s->redraw)
		return false;
	for (int last = -2; x < width; x++) {
		if (!same(&row[x], &old[x])) {
			s->cost += cost_of(&row[x], last == x - 1 && row[last].role == row[x].role);
			last = x;
		}
	}
	for (x = 0; x < width; x++) {
		old[x] = row[x];
		if (row[x].ch[0])
			set_cell(s, &row[x], &s->line[n++]);
	}
	mvadd_wchnstr(y, 0, s->line, n);
	return true;
}

void screen_end(struct screen *s, int cursor_x, int cursor_y)
{
	bool changed = s->redraw || cursor_x != s->cursor_x || cursor_y != s->cursor_y;

	s->cost = 0;
	for (int y = 0; y < s->grid.height; y++)
		changed |= show_row(s, y);
	if (!changed)
		return;
	if ((cursor_x < 0) != (s->cursor_x < 0))
		curs_set(cursor_x >= 0);
	s->cursor_x = cursor_x;
	s->cursor_y = cursor_y;
	s->redraw = false;
	move(cursor_x < 0 ? 0 : cursor_y, cursor_x < 0 ? 0 : cursor_x);
	refresh();
}

void screen_redraw(struct screen *s)
{
	s->redraw = true;
	clearok(curscr, TRUE);
}

void screen_resume(struct screen *s)
{
	endwin();		/* the next refresh enters the other page and the modes anew */
	screen_redraw(s);
}

void screen_suspend(struct screen *s)
{
	struct sigaction def = { .sa_handler = SIG_DFL }, old;

	endwin();
	sigemptyset(&def.sa_mask);
	sigaction(SIGTSTP, &def, &old);
	kill(0, SIGTSTP);	/* the whole job, as the terminal's driver would */
	sigaction(SIGTSTP, &old, NULL);
	screen_redraw(s);
}

void screen_leave(struct screen *s)
{
	(void)s;
	endwin();
}

/* --- the clipboard -------------------------------------------------------------------------- */

static void add_base64(struct buf *b, const char *text, size_t n)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < n; i += 3) {
		uint32_t bits = (uint32_t)(uint8_t)text[i] << 16;

		bits |= i + 1 < n ? (uint32_t)(uint8_t)text[i + 1] << 8 : 0;
		bits |= i + 2 < n ? (uint8_t)text[i + 2] : 0;
		buf_addc(b, digits[bits >> 18]);
		buf_addc(b, digits[bits >> 12 & 63]);
		buf_addc(b, i + 1 < n ? digits[bits >> 6 & 63] : '=');
		buf_addc(b, i + 2 < n ? digits[bits & 63] : '=');
	}
}

/* tmux passes on what stands in its own DCS, each ESC doubled (where allow-passthrough is on). */
static void add_for_tmux(struct buf *b, const struct buf *sequence)
{
	buf_adds(b, "\033Ptmux;\033");
	buf_add(b, sequence->data, sequence->len);
	buf_adds(b, "\033\\");
}

/* GNU screen's buffer for a DCS is small: piece by piece. */
static void add_for_screen(struct buf *b, const struct buf *sequence)
{
	enum { PIECE = 240 };

	for (size_t i = 0; i < sequence->len; i += PIECE) {
		size_t n = sequence->len - i < PIECE ? sequence->len - i : PIECE;

		buf_adds(b, "\033P");
		buf_add(b, sequence->data + i, n);
		buf_adds(b, "\033\\");
	}
}

static bool write_all(int fd, const char *data, size_t n)
{
	while (n) {
		ssize_t wrote = write(fd, data, n);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			return false;
		data += wrote;
		n -= (size_t)wrote;
	}
	return true;
}

/* tmux also takes it itself, where its set-clipboard is on. */
bool screen_copy(struct screen *s, const char *text, size_t n)
{
	struct buf sequence = BUF_INIT, all = BUF_INIT;
	const char *tmux = getenv("TMUX"), *sty = getenv("STY");
	bool ok;

	(void)s;
	buf_adds(&sequence, "\033]52;c;");
	add_base64(&sequence, text, n < SCREEN_COPY_MAX ? n : SCREEN_COPY_MAX);
	buf_addc(&sequence, '\a');
	if (!sequence.failed && tmux && *tmux)
		add_for_tmux(&all, &sequence);
	if (!sequence.failed && sty && *sty)
		add_for_screen(&all, &sequence);
	else
		buf_adds(&all, buf_str(&sequence));
	fflush(stdout);
	ok = !sequence.failed && !all.failed && write_all(STDOUT_FILENO, all.data, all.len);
	buf_release(&sequence);
	buf_release(&all);
	return ok;
}

size_t screen_cost(const struct screen *s)
{
	return s->cost;
}

/* --- keys ----------------------------------------------------------------------------------- */

static const struct { int curses; uint32_t key; } curses_keys[] = {
	{ KEY_UP, KEY_UP_ }, { KEY_DOWN, KEY_DOWN_ }, { KEY_LEFT, KEY_LEFT_ },
	{ KEY_RIGHT, KEY_RIGHT_ }, { KEY_PPAGE, KEY_PAGE_UP_ }, { KEY_NPAGE, KEY_PAGE_DOWN_ },
	{ KEY_HOME, KEY_HOME_ }, { KEY_FIND, KEY_HOME_ }, { KEY_A1, KEY_HOME_ },
	{ KEY_END, KEY_END_ }, { KEY_SELECT, KEY_END_ }, { KEY_C1, KEY_END_ },
	{ KEY_A3, KEY_PAGE_UP_ }, { KEY_C3, KEY_PAGE_DOWN_ }, { KEY_BACKSPACE, KEY_BACKSPACE_ },
	{ KEY_DC, KEY_DELETE_ }, { KEY_BTAB, KEY_SHIFT_TAB_ }, { KEY_ENTER, '\r' },
	{ KEY_RESIZE, KEY_RESIZE_ },
};

static uint32_t key_of_curses(int c)
{
	for (size_t i = 0; i < sizeof(curses_keys) / sizeof(curses_keys[0]); i++)
		if (curses_keys[i].curses == c)
			return curses_keys[i].key;
	return c >= KEY_F(1) && c <= KEY_F(24) ? KEY_F_ + (uint32_t)(c - KEY_F0) : 0;
}

/* A press that follows one at the same place soon is a double click. */
static void count_clicks(struct screen *s, struct screen_mouse *mouse)
{
	uint64_t now = clock_now();
	bool again = s->click.time && s->click.x == mouse->x && s->click.y == mouse->y &&
		     now - s->click.time < DOUBLE_CLICK_MS * (CLOCK_SECOND / 1000);

	if (mouse->button != 1)
		return;
	if (again)
		mouse->button = 2;
	s->click.x = mouse->x;
	s->click.y = mouse->y;
	s->click.time = again ? 0 : now;
}

/* From curses: the Linux console's, by way of gpm. */
static uint32_t take_mouse(struct screen *s, struct screen_mouse *mouse)
{
	MEVENT e;

	if (getmouse(&e) != OK)
		return 0;
	*mouse = (struct screen_mouse){
		.x = e.x, .y = e.y,
		.button = e.bstate & BUTTON1_PRESSED ? 1 : e.bstate & BUTTON3_PRESSED ? 3 :
			  e.bstate & BUTTON4_PRESSED ? 4 : e.bstate & BUTTON5_PRESSED ? 5 : 0,
	};
	count_clicks(s, mouse);
	return mouse->button ? KEY_MOUSE_ : 0;
}

/*
 * The rest of a sequence, byte by byte as a slow line brings it: false when it breaks off. Behind
 * the end of a mouse's report as X10 made it stand three bytes of any kind.
 */
static bool read_bytes(struct screen *s, char *bytes, size_t size)
{
	size_t n = 1, behind = 0;
	int c;

	do {
		c = wgetch(s->keys);
		if (c == 27 && !behind)
			ungetch(c);		/* the next one begins: this was none */
		if (c == ERR || (c == 27 && !behind))
			return false;
		if (n < size - 1)
			bytes[n++] = (char)c;
		behind += behind || (n == 2 && bytes[0] == '[' && c == 'M');
	} while (bytes[0] == '[' && (behind ? behind < 4 : c < 0x40 || c > 0x7e));
	bytes[n] = '\0';
	return true;
}

static bool read_sequence(struct screen *s, char *bytes, size_t size)
{
	bool whole;

	keypad(s->keys, FALSE);
	wtimeout(s->keys, ESCAPE_MS);
	whole = read_bytes(s, bytes, size);
	nodelay(s->keys, TRUE);
	keypad(s->keys, TRUE);
	return whole;
}

/*
 * After an ESC that begins no key curses knows. Nothing behind it: the Esc key. Otherwise a mouse's
 * report, a key as another terminal sends it, or a sequence or Alt chord that is none: swallowed,
 * lest its letters be taken for keys.
 */
static uint32_t take_escape(struct screen *s, struct screen_mouse *mouse)
{
	char bytes[32];
	wint_t c;

	if (wget_wch(s->keys, &c) == ERR)
		return 27;
	bytes[0] = (char)c;
	if ((c != 'O' && c != '[') || !read_sequence(s, bytes, sizeof(bytes)))
		return 0;
	if (!sequence_mouse(bytes, mouse))
		return sequence_key(bytes);
	count_clicks(s, mouse);
	return KEY_MOUSE_;
}

static uint32_t key_of_char(struct screen *s, wint_t c, struct screen_mouse *mouse)
{
	switch (c) {
	case 27:
		return take_escape(s, mouse);
	case '\n':
		return '\r';
	case 8:
	case 127:
		return KEY_BACKSPACE_;
	default:
		return c;
	}
}

uint32_t screen_key(struct screen *s, struct screen_mouse *mouse)
{
	for (;;) {
		wint_t c;
		int kind = wget_wch(s->keys, &c);
		uint32_t key;

		if (kind == ERR)
			return 0;
		if (kind != KEY_CODE_YES)
			key = key_of_char(s, c, mouse);
		else if (c == KEY_MOUSE)
			key = take_mouse(s, mouse);
		else
			key = key_of_curses((int)c);
		if (key)
			return key;
	}
}

int screen_fd(const struct screen *s)
{
	return fileno(s->in);
}
