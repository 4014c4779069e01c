#include "tests/tools/screen/terminal.h"

#include <poll.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include "core/base/text.h"
#include "tests/tools/screen/cast.h"

enum { TAIL = 256 * 1024 };		/* bytes that are kept at least */

struct terminal terminal;

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
void terminal_row(int y, struct buf *b)
{
	size_t start = b->len;

	for (int x = 0; x < terminal.cols; x++) {
		VTermScreenCell cell;

		vterm_screen_get_cell(terminal.screen, (VTermPos){ .row = y, .col = x }, &cell);
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

void terminal_text(struct buf *b, int from, int to)
{
	for (int y = from; y <= to && y < terminal.rows; y++) {
		terminal_row(y, b);
		buf_addc(b, '\n');
	}
}

void terminal_show(FILE *f)
{
	struct buf b = BUF_INIT;

	terminal_text(&b, 0, terminal.rows - 1);
	fprintf(f, "--- %dx%d\n%s---\n", terminal.cols, terminal.rows, buf_str(&b));
	buf_release(&b);
}

bool terminal_find(const char *text, int *x, int *y)
{
	for (int row = 0; row < terminal.rows; row++) {
		struct buf b = BUF_INIT;
		const char *at;

		terminal_row(row, &b);
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

/* --- the program's output --------------------------------------------------------------------- */

static int on_prop(VTermProp prop, VTermValue *val, void *user)
{
	(void)user;
	if (prop == VTERM_PROP_ALTSCREEN)
		terminal.altscreen = val->boolean;
	else if (prop == VTERM_PROP_MOUSE)
		terminal.mouse = val->number;
	return 1;
}

static void on_output(const char *s, size_t n, void *user)
{
	(void)user;
	if (write(terminal.fd, s, n) < 0)
		return;		/* the program is gone: nobody asks for answers */
}

/* libvterm restores it with the cursor's place, which terminals do not: found in the bytes. */
static void watch_cursor(char c)
{
	static const char sequence[] = "\033[?25";
	static size_t seen;

	if (seen == sizeof(sequence) - 1 && (c == 'h' || c == 'l'))
		terminal.cursor_hidden = c == 'l';
	seen = seen < sizeof(sequence) - 1 && c == sequence[seen] ? seen + 1 : c == '\033';
}

static void keep_tail(const char *data, size_t n)
{
	buf_add(&terminal.tail, data, n);
	if (terminal.tail.len > 2 * TAIL) {
		memmove(terminal.tail.data, terminal.tail.data + terminal.tail.len - TAIL, TAIL);
		terminal.tail.len = TAIL;
		terminal.tail.data[TAIL] = 0;
	}
}

void terminal_reap(int options)
{
	if (!terminal.ended && waitpid(terminal.pid, &terminal.status, options) == terminal.pid)
		terminal.ended = WIFEXITED(terminal.status) || WIFSIGNALED(terminal.status);
}

bool terminal_pump(int ms)
{
	struct pollfd p = { .fd = terminal.fd, .events = POLLIN };
	char data[16384];
	ssize_t n;

	if (poll(&p, 1, ms) <= 0)
		return false;
	n = read(terminal.fd, data, sizeof(data));
	if (n <= 0) {		/* EIO: the other side is closed */
		terminal_reap(WNOHANG);
		usleep(5000);
		return false;
	}
	for (ssize_t i = 0; i < n; i++) {
		terminal.high_byte |= (unsigned char)data[i] > 126;
		watch_cursor(data[i]);
	}
	keep_tail(data, (size_t)n);
	cast_output(data, (size_t)n);
	terminal.bytes += (unsigned long long)n;
	vterm_input_write(terminal.vt, data, (size_t)n);
	vterm_screen_flush_damage(terminal.screen);
	return true;
}

void terminal_pump_for(int ms)
{
	uint64_t until = clock_now() + (uint64_t)ms * MS;

	while (clock_now() < until)
		terminal_pump(10);
}

/* --- the two ends ----------------------------------------------------------------------------- */

/* libvterm 0.1.4 lets the cursor leave a screen that shrinks by its top, and reads there next. */
static void resize_emulator(int cols, int rows)
{
	VTermPos cursor;

	vterm_set_size(terminal.vt, rows, cols);
	vterm_state_get_cursorpos(vterm_obtain_state(terminal.vt), &cursor);
	if (cursor.row < 0)
		vterm_input_write(terminal.vt, "\033[H", 3);
}

void terminal_resize(int cols, int rows)
{
	struct winsize w = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };

	terminal.cols = cols;
	terminal.rows = rows;
	if (terminal.vt)
		resize_emulator(cols, rows);
	if (terminal.fd > 0)
		ioctl(terminal.fd, TIOCSWINSZ, &w);
}

void terminal_open(void)
{
	static const VTermScreenCallbacks callbacks = { .settermprop = on_prop };

	terminal.vt = vterm_new(terminal.rows, terminal.cols);
	vterm_set_utf8(terminal.vt, 1);
	terminal.screen = vterm_obtain_screen(terminal.vt);
	vterm_screen_set_callbacks(terminal.screen, &callbacks, NULL);
	vterm_screen_enable_altscreen(terminal.screen, 1);
	vterm_output_set_callback(terminal.vt, on_output, NULL);
	vterm_screen_reset(terminal.screen, 1);
}

void terminal_start(char **argv)
{
	struct winsize w = { .ws_row = (unsigned short)terminal.rows,
			     .ws_col = (unsigned short)terminal.cols };

	if (openpty(&terminal.fd, &terminal.peer, NULL, NULL, &w) < 0) {
		perror("screen: openpty");
		exit(2);
	}
	tcgetattr(terminal.peer, &terminal.modes);
	terminal.pid = fork();
	if (terminal.pid == 0) {
		close(terminal.fd);
		login_tty(terminal.peer);
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	/* The other end stays open here: what is asked of its modes outlives the program. */
}
