/*
 * answer: how long a key waits for its answer on the screen, as who types it sees it; and how much
 * of that the program ran on a processor, which a busy host does not change.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/tools/screen/keys.h"
#include "tests/tools/screen/script.h"
#include "tests/tools/screen/settle.h"
#include "tests/tools/screen/steps.h"
#include "tests/tools/screen/terminal.h"

enum { ANSWERS = 1000, APART_MS = 150, APART_MORE = 211 };	/* at any time of a frame */

/* What stands in row y from column x on. */
static void place_text(struct buf *b, int x, int y)
{
	buf_reset(b);
	for (; x < terminal.cols; x++) {
		VTermScreenCell cell;

		vterm_screen_get_cell(terminal.screen, (VTermPos){ .row = y, .col = x }, &cell);
		buf_add(b, (const char *)cell.chars, sizeof(cell.chars[0]));
	}
}

static bool place_is(const struct buf *before, int x, int y)
{
	struct buf now = BUF_INIT;
	bool same;

	place_text(&now, x, y);
	same = now.len == before->len && !memcmp(now.data, before->data, now.len);
	buf_release(&now);
	return same;
}

/* The program among `pid` and what it started, by its name; 0: none is there. */
static long program_find(long pid)
{
	char path[64], name[32] = "";
	long child, found = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/comm", pid);
	f = fopen(path, "r");
	if (f && fgets(name, sizeof(name), f) && !strcmp(name, "wsntop\n"))
		found = pid;
	if (f)
		fclose(f);
	snprintf(path, sizeof(path), "/proc/%ld/task/%ld/children", pid, pid);
	f = found ? NULL : fopen(path, "r");
	while (f && !found && fscanf(f, "%ld", &child) == 1)
		found = program_find(child);
	if (f)
		fclose(f);
	return found;
}

/* Nanoseconds that it ran, its first thread alone. */
static double program_ran(long pid)
{
	char path[64];
	double ran = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/task/%ld/schedstat", pid, pid);
	f = fopen(path, "r");
	if (f && fscanf(f, "%lf", &ran) != 1)
		ran = 0;
	if (f)
		fclose(f);
	return ran;
}

struct answer {
	double ms, ran;
};

static void answer_await(const char *key, uint64_t began)
{
	terminal_pump(1);
	terminal_reap(WNOHANG);
	if (terminal.ended || clock_now() - began > SETTLE_WATCHDOG_MS * MS)
		script_fail("no answer to %s", key);
}

static struct answer answer_take(const char *key, long program, int x, int y)
{
	struct buf before = BUF_INIT;
	double ran = program_ran(program);
	uint64_t began;

	place_text(&before, x, y);
	began = clock_now();
	step_keys(key);
	do {
		answer_await(key, began);
	} while (place_is(&before, x, y));
	buf_release(&before);
	return (struct answer){ (double)(clock_now() - began) / (double)MS,
				(program_ran(program) - ran) / (double)MS };
}

static int number_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void figures_say(const char *what, double *ms, int n)
{
	qsort(ms, (size_t)n, sizeof(*ms), number_compare);
	printf("%s: median %.1f ms, 90%% %.1f ms, most %.1f ms (%d keys)\n", what, ms[n / 2],
	       ms[n * 9 / 10], ms[n - 1], n);
	fflush(stdout);
}

void step_answer(const char *arguments)
{
	static double ms[ANSWERS], ran[ANSWERS];
	long program = program_find(terminal.pid);
	char key[16];
	int x, y, n;

	if (sscanf(arguments, "%d %d %d %15s", &x, &y, &n, key) != 4 || n < 1 || n > ANSWERS)
		script_fail("answer X Y TIMES KEY");
	for (int i = 0; i < n; i++) {
		struct answer a;

		terminal_pump_for(APART_MS + i * 37 % APART_MORE);
		a = answer_take(key, program, x - 1, y - 1);
		ms[i] = a.ms;
		ran[i] = a.ran;
	}
	figures_say("answer", ms, n);
	figures_say("of it on a processor", ran, n);
}

void step_reach(const char *arguments)
{
	const char *text = strstr(arguments, " | ");
	long program = program_find(terminal.pid);
	uint64_t began = clock_now();
	double ran = program_ran(program);
	char keys[64];

	if (!text || (size_t)(text - arguments) >= sizeof(keys))
		script_fail("reach KEYS | TEXT");
	snprintf(keys, sizeof(keys), "%.*s", (int)(text - arguments), arguments);
	text += strlen(" | ");
	step_keys(keys);
	while (!terminal_find(text, NULL, NULL))
		answer_await(keys, began);
	printf("reached %s: %.1f ms, on a processor %.1f ms\n", text,
	       (double)(clock_now() - began) / (double)MS,
	       (program_ran(program) - ran) / (double)MS);
	fflush(stdout);
}
