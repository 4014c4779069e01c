/*
 * looks: what is on the screen, its text and its colours, compared with what the script or a file
 * says.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tools/screen/script.h"
#include "tests/tools/screen/settle.h"
#include "tests/tools/screen/steps.h"
#include "tests/tools/screen/svg.h"
#include "tests/tools/screen/terminal.h"

/* --- text ------------------------------------------------------------------------------------- */

static void text_wait(const char *text, bool there)
{
	struct settle p = { 0 };

	settle_frame();
	while (terminal_find(text, NULL, NULL) != there)
		if (terminal.ended || !settle_more(&p))
			script_fail("%s \"%s\"",
				    there ? "waited in vain for" : "still there:", text);
}

void step_wait(const char *s)
{
	text_wait(s, true);
}

void step_gone(const char *s)
{
	text_wait(s, false);
}

static void screen_compare(const char *want, int from, int to)
{
	struct settle p = { 0 };
	struct buf got = BUF_INIT;

	settle_frame();
	for (;;) {
		buf_reset(&got);
		terminal_text(&got, from, to);
		if (!strcmp(buf_str(&got), want))
			break;
		if (!settle_more(&p)) {
			printf("expected\n%s---\n", want);
			script_fail("the screen differs");
		}
	}
	buf_release(&got);
}

void step_expect(const char *range)
{
	struct buf want = BUF_INIT;
	char line[SCRIPT_LINE];
	int from = 1, to = terminal.rows;

	switch (sscanf(range, "%d-%d", &from, &to)) {
	case 1:
		to = from;
		break;
	default:
		break;
	}
	while (script_read(line) && strcmp(line, "end")) {
		size_t n = strlen(line);

		while (n && line[n - 1] == ' ')
			n--;
		buf_add(&want, line, n);
		buf_addc(&want, '\n');
	}
	screen_compare(buf_str(&want), from - 1, to - 1);
	buf_release(&want);
}

/* --- looks ------------------------------------------------------------------------------------ */

static void cell_get(int x, int y, VTermScreenCell *c)
{
	vterm_screen_get_cell(terminal.screen, (VTermPos){ .row = y, .col = x }, c);
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

static void text_look(char *arguments)
{
	bool quoted = *arguments == '"';
	char *look = strchr(arguments + quoted, quoted ? '"' : ' '), got[96];
	struct settle p = { 0 };
	int x, y;

	if (!look)
		script_fail("look TEXT LOOK");
	*look++ = 0;
	look += quoted && *look == ' ';
	arguments += quoted;
	settle_frame();
	for (;;) {
		VTermScreenCell cell;

		snprintf(got, sizeof(got), "(not there)");
		if (terminal_find(arguments, &x, &y)) {
			cell_get(x, y, &cell);
			look_describe(got, sizeof(got), &cell);
		}
		if (!strcmp(got, look))
			return;
		if (!settle_more(&p))
			script_fail("\"%s\" looks \"%s\", not \"%s\"", arguments, got, look);
	}
}

void step_look(const char *s)
{
	char copy[SCRIPT_LINE];

	snprintf(copy, sizeof(copy), "%s", s);
	text_look(copy);
}

/* Of all screens that a step looked at. */
static bool colored;
static int max_color = -1;

static void watch_colors(void)
{
	for (int y = 0; y < terminal.rows; y++) {
		for (int x = 0; x < terminal.cols; x++) {
			VTermScreenCell c;

			cell_get(x, y, &c);
			for (int i = 0; i < 2; i++) {
				const VTermColor *k = i ? &c.bg : &c.fg;

				if (i ? VTERM_COLOR_IS_DEFAULT_BG(k) : VTERM_COLOR_IS_DEFAULT_FG(k))
					continue;
				colored = true;
				if (VTERM_COLOR_IS_RGB(k))
					max_color = 1 << 24;
				else if (k->indexed.idx > max_color)
					max_color = k->indexed.idx;
			}
		}
	}
}

void step_colors(const char *arguments)
{
	int most = atoi(arguments);

	watch_colors();
	if (most < 0 ? colored : max_color > most)
		script_fail("colours: up to %d", max_color);
}

/* --- files ------------------------------------------------------------------------------------ */

/* How a cell looks; of a blank one nothing but its ground is seen. */
static void cell_look(int x, int y, char *dst, size_t size)
{
	VTermScreenCell c;

	snprintf(dst, size, "plain");
	if (x >= terminal.cols)
		return;
	cell_get(x, y, &c);
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

	for (int x = 0; x <= terminal.cols; x++) {
		cell_look(x, y, look, sizeof(look));
		if (x < terminal.cols && !strcmp(look, last))
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
	for (int y = 0; y < terminal.rows; y++)
		row_looks(y, b);
}

static void all_text(struct buf *b)
{
	terminal_text(b, 0, terminal.rows - 1);
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
	struct settle p = { 0 };
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
		if (!settle_more(&p)) {
			printf("expected (%s)\n%s---\ngot\n%s---\n", path, buf_str(&want),
			       buf_str(&got));
			script_fail("the screen differs");
		}
	}
	buf_release(&want);
	buf_release(&got);
}

void step_same(const char *path)
{
	same_as(path, all_text);
}

void step_looks(const char *path)
{
	same_as(path, screen_looks);
}

void step_show(const char *path)
{
	FILE *f;

	if (!*path) {
		terminal_show(stdout);
		return;
	}
	f = fopen(path, "w");
	if (!f)
		script_fail("%s: %s", path, strerror(errno));
	svg_write(f, terminal.screen, terminal.cols, terminal.rows);
	if (fclose(f))
		script_fail("%s: %s", path, strerror(errno));
}
