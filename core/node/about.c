/* about: see about.h. */
#include "core/node/about.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLOCK_MOST 1e12			/* Hz */

/* --- reading ---------------------------------------------------------------------------------- */

static void about_copy(char *dst, size_t size, const char *from)
{
	snprintf(dst, size, "%s", from);
	for (char *c = dst; *c; c++)
		if ((unsigned char)*c < ' ' || (unsigned char)*c >= 0x7f)
			*c = '?';
}

static void format_line(struct about *a, const char *rest)
{
	about_copy(a->format, sizeof(a->format), rest);
}

static void source_line(struct about *a, const char *rest)
{
	about_copy(a->source, sizeof(a->source), rest);
}

static void clock_line(struct about *a, const char *rest)
{
	double hz = strtod(rest, NULL);

	if (hz > 0 && hz < CLOCK_MOST)
		a->clock_hz = hz;
}

static void watch_line(struct about *a, const char *rest)
{
	char *end, text[LOGGED_TEXT];
	unsigned long note = strtoul(rest, &end, 10), real;

	if (*end != ' ' || note < WATCH_NOTES || note >= MARK_NOTES)
		return;
	real = strtoul(end + 1, &end, 10);
	if (*end != ' ' || !end[1])
		return;
	about_copy(text, sizeof(text), end + 1);
	about_watched(a, (uint32_t)note, real == 1, text);
}

static void comparator_line(struct about *a, const char *rest)
{
	char *end;
	unsigned long i = strtoul(rest, &end, 10);

	if (*end == ' ' && i < ABOUT_COMPARATORS)
		a->comparators[i] = (uint32_t)strtoul(end + 1, NULL, 10);
}

static const struct {
	const char *word;
	void (*read)(struct about *a, const char *rest);
} lines[] = {
	{ "format ", format_line }, { "source ", source_line }, { "clock ", clock_line },
	{ "watch ", watch_line }, { "comparator ", comparator_line },
};

static void line_read(struct about *a, const char *line)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		size_t n = strlen(lines[i].word);

		if (strncmp(line, lines[i].word, n) == 0)
			lines[i].read(a, line + n);
	}
}

void about_read(struct about *a, const char *text)
{
	char line[512];

	*a = (struct about){ .watch_count = 0 };
	for (; *text; text += *text == '\n') {
		size_t n = strcspn(text, "\n");

		snprintf(line, sizeof(line), "%.*s", (int)(n < sizeof(line) ? n : 0), text);
		line_read(a, line);
		text += n;
	}
}

/* --- writing ---------------------------------------------------------------------------------- */

void about_write(const struct about *a, struct buf *text)
{
	buf_addf(text, "format %s\nsource %s\n", a->format, a->source);
	if (a->clock_hz > 0)
		buf_addf(text, "clock %.17g\n", a->clock_hz);
	for (size_t i = 0; i < a->watch_count; i++)
		buf_addf(text, "watch %u %d %s\n", a->watches[i].note, a->watches[i].is_real,
			 a->watches[i].text);
	for (unsigned i = 0; i < ABOUT_COMPARATORS; i++)
		if (a->comparators[i])
			buf_addf(text, "comparator %u %u\n", i, a->comparators[i]);
}

bool about_watched(struct about *a, uint32_t note, bool is_real, const char *text)
{
	struct about_watch *w = a->watches;

	for (; w < a->watches + a->watch_count; w++)
		if (w->note == note)
			return true;
	if (a->watch_count == WIRE_WATCHES)
		return false;
	*w = (struct about_watch){ .note = note, .is_real = is_real };
	snprintf(w->text, sizeof(w->text), "%s", text);
	a->watch_count++;
	return true;
}
