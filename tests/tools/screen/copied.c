/*
 * copied: what the program put into the clipboard (OSC 52).
 */
#include <stdint.h>
#include <string.h>

#include "tests/tools/screen/script.h"
#include "tests/tools/screen/settle.h"
#include "tests/tools/screen/steps.h"
#include "tests/tools/screen/terminal.h"

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
	size_t n = strlen(begin), at = terminal.tail.len;
	unsigned bits = 0, have = 0;

	while (at-- > 0 &&
	       (terminal.tail.len - at < n || memcmp(terminal.tail.data + at, begin, n)))
		;
	if (at == SIZE_MAX || !memchr(terminal.tail.data + at, '\a', terminal.tail.len - at))
		return false;
	for (const char *s = terminal.tail.data + at + n; base64_digit(*s) >= 0; s++) {
		bits = bits << 6 | (unsigned)base64_digit(*s);
		have += 6;
		if (have >= 8)
			buf_addc(text, (char)(bits >> (have -= 8)));
	}
	return true;
}

static void check_copy(const char *begin, const char *want)
{
	struct settle p = { 0 };
	struct buf text = BUF_INIT;

	while (!last_copy(begin, &text) || strcmp(buf_str(&text), want) != 0) {
		if (!settle_more(&p))
			script_fail("copied was \"%s\", not \"%s\"", buf_str(&text), want);
		buf_reset(&text);
	}
	buf_release(&text);
}

void step_copied(const char *want)
{
	check_copy("\033]52;c;", want);
}

void step_passed(const char *want)
{
	check_copy("\033Ptmux;\033\033]52;c;", want);
}
