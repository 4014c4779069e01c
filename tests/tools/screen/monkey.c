#include "tests/tools/screen/monkey.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tests/tools/screen/keys.h"
#include "tests/tools/screen/script.h"
#include "tests/tools/screen/settle.h"
#include "tests/tools/screen/steps.h"
#include "tests/tools/screen/terminal.h"

static struct buf did;			/* last, for whoever looks for a fault */

static void monkey_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static void monkey_note(const char *fmt, ...)
{
	enum { LAST = 400 };
	char step[128];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(step, sizeof(step), fmt, ap);
	va_end(ap);
	buf_adds(&did, step);
	if (did.len > 2 * LAST) {
		memmove(did.data, did.data + did.len - LAST, LAST + 1);
		did.len = LAST;
	}
}

static void monkey_resize(struct monkey *m)
{
	/* Often usable, sometimes too small. */
	if (monkey_random(m, 3))
		terminal_resize(40 + (int)monkey_random(m, 120), 10 + (int)monkey_random(m, 50));
	else
		terminal_resize(1 + (int)monkey_random(m, 60), 1 + (int)monkey_random(m, 15));
	monkey_note("<size %dx%d>", terminal.cols, terminal.rows);
}

static bool screen_shows(const char *text)
{
	return terminal_find(text, NULL, NULL);
}

/*
 * Hints on the bottom line are buttons: one may leave. A size ago it was elsewhere, and may be
 * still.
 */
static bool may_leave(int y)
{
	struct buf b = BUF_INIT;
	bool leaves;

	terminal_row(y, &b);
	leaves = y == terminal.rows - 1 ? monkey_could_leave(screen_shows) :
		 strstr(buf_str(&b), " back") || strstr(buf_str(&b), "quit");
	buf_release(&b);
	return leaves;
}

static void monkey_click(struct monkey *m)
{
	static const int buttons[] = { 1, 1, 1, 2, 3, 4, 5 };
	int button = buttons[monkey_random(m, sizeof(buttons) / sizeof(buttons[0]))];
	int x = (int)monkey_random(m, (unsigned)terminal.cols),
	    y = (int)monkey_random(m, (unsigned)terminal.rows);

	if (may_leave(y))
		return;
	monkey_note("<click %d %d %d>", x + 1, y + 1, button);
	keys_click(x, y, button);
}

/* Where nothing can be drawn nobody sees what is open. */
static enum monkey_mood mood_of(void)
{
	return terminal.cols < 40 || terminal.rows < 10 ? MONKEY_BLIND : monkey_mood(screen_shows);
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
		keys_type(key, strlen(key));
		if (monkey_must_look(key)) {
			settle_keys();
			return i + 1;
		}
	}
	settle_output(1);
	return n;
}

void step_monkey(const char *arguments)
{
	struct monkey m = { 0 };
	unsigned long long seed;
	int n;

	if (sscanf(arguments, "%llu %d", &seed, &n) != 2 || !seed)
		script_fail("monkey SEED N");
	m.state = seed * 0x9e3779b97f4a7c15u;
	for (int i = 0; i < n && !terminal.ended; i++) {
		unsigned what = monkey_random(&m, 20);

		if (what == 0)
			monkey_resize(&m);
		else if (what < 4 && mood_of() == MONKEY_FREE)
			monkey_click(&m);
		else
			i += monkey_burst(&m, n - i) - 1;
		if (what < 4)
			settle_output(5);
	}
	if (terminal.ended) {
		char last[4 * 800 + 1];

		text_visible(last, sizeof(last), did.data, did.len);
		script_fail("it ended with status 0x%x after %s", (unsigned)terminal.status, last);
	}
	terminal_resize(80, 24);
}
