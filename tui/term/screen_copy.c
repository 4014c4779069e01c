/*
 * screen_copy: the terminal's clipboard.
 */
#include "tui/term/screen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/buf.h"

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
