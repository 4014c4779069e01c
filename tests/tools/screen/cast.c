#include "tests/tools/screen/cast.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/tools/screen/keys.h"
#include "tests/tools/screen/script.h"
#include "tests/tools/screen/steps.h"
#include "tests/tools/screen/terminal.h"

static struct {
	FILE *f;
	uint64_t began;
	char held[4];			/* the begin of a character whose rest is still to come */
	size_t holds;
} cast;

static void event_begin(char kind)
{
	fprintf(cast.f, "[%.3f, \"%c\", \"", (double)(clock_now() - cast.began) / CLOCK_SECOND,
		kind);
}

static void event_end(void)
{
	fprintf(cast.f, "\"]\n");
}

static void event_text(const char *data, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)data[i];

		if (c < 0x20 || c == 0x7f)
			fprintf(cast.f, "\\u%04x", c);
		else
			fprintf(cast.f, c == '"' || c == '\\' ? "\\%c" : "%c", c);
	}
}

/* How many bytes at the end are the begin of a character of UTF-8. */
static size_t cut_bytes(const char *data, size_t n)
{
	for (size_t back = 1; back <= 3 && back <= n; back++) {
		unsigned char c = (unsigned char)data[n - back];

		if (c >= 0xc0)
			return back < (c >= 0xf0 ? 4u : c >= 0xe0 ? 3u : 2u) ? back : 0;
		if (c < 0x80)
			break;
	}
	return 0;
}

void cast_output(const char *data, size_t n)
{
	size_t cut = cut_bytes(data, n);

	if (!cast.f)
		return;
	event_begin('o');
	event_text(cast.held, cast.holds);
	event_text(data, n - cut);
	event_end();
	memcpy(cast.held, data + n - cut, cut);
	cast.holds = cut;
}

void step_cast(const char *path)
{
	cast.f = fopen(path, "w");
	if (!cast.f)
		script_fail("%s: %s", path, strerror(errno));
	cast.began = clock_now();
	fprintf(cast.f, "{\"version\": 2, \"width\": %d, \"height\": %d, \"title\": \"wsntop\"}\n",
		terminal.cols, terminal.rows);
	/* The whole screen is the answer to Ctrl-L; that the cursor is hidden was told before. */
	if (terminal.cursor_hidden)
		cast_output("\033[?25l", 6);
	keys_type("\f", 1);
}

void step_mark(const char *text)
{
	if (!cast.f)
		script_fail("mark: there is no cast");
	event_begin('m');
	event_text(text, strlen(text));
	event_end();
}

void step_cast_end(const char *arguments)
{
	(void)arguments;
	step_mark("");
	if (fclose(cast.f))
		script_fail("cast: %s", strerror(errno));
	cast.f = NULL;
}
