/*
 * screen_copy: the terminal's clipboard.
 */
#include "tui/term/screen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/buf.h"

/* tmux forwards the content of its own DCS, each ESC doubled (if allow-passthrough is on). */
static void tmux_add(struct buf *b, const struct buf *sequence)
{
	buf_adds(b, "\033Ptmux;\033");
	buf_add(b, sequence->data, sequence->len);
	buf_adds(b, "\033\\");
}

/* In pieces: GNU screen's buffer for a DCS is small. */
static void gnu_screen_add(struct buf *b, const struct buf *sequence)
{
	enum { PIECE = 240 };

	for (size_t i = 0; i < sequence->len; i += PIECE) {
		size_t n = sequence->len - i < PIECE ? sequence->len - i : PIECE;

		buf_adds(b, "\033P");
		buf_add(b, sequence->data + i, n);
		buf_adds(b, "\033\\");
	}
}

static bool bytes_write(int fd, const char *data, size_t n)
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

/* tmux also copies it to its own clipboard, if its set-clipboard is on. */
bool screen_copy(struct screen *s, const char *text, size_t n)
{
	struct buf sequence = BUF_INIT, all = BUF_INIT;
	const char *tmux = getenv("TMUX"), *sty = getenv("STY");
	bool ok;

	(void)s;
	buf_adds(&sequence, "\033]52;c;");
	buf_add_base64(&sequence, text, n < SCREEN_COPY_MAX ? n : SCREEN_COPY_MAX);
	buf_addc(&sequence, '\a');
	if (!sequence.failed && tmux && *tmux)
		tmux_add(&all, &sequence);
	if (!sequence.failed && sty && *sty)
		gnu_screen_add(&all, &sequence);
	else
		buf_adds(&all, buf_str(&sequence));
	fflush(stdout);
	ok = !sequence.failed && !all.failed && bytes_write(STDOUT_FILENO, all.data, all.len);
	buf_release(&sequence);
	buf_release(&all);
	return ok;
}
