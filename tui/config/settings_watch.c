/*
 * settings_watch: the bounds that are watched, in the settings.
 */
#include <stdio.h>
#include <string.h>

#include "tui/config/settings.h"

#define WATCH_BETWEEN " | "

const char *settings_watch_line(const struct settings_watch *w, char *dst, size_t size)
{
	char text[WATCH_TEXT];

	snprintf(dst, size, "%s" WATCH_BETWEEN "%s", w->image,
		 watch_text(&w->watch, text, sizeof(text)));
	return dst;
}

int settings_add_watch(struct settings *s, const char *image, const struct watch *w, bool given,
		       struct err *err)
{
	struct settings_watch *slot = &s->watches[given ? s->given_watches : s->watch_count];
	struct settings_watch added = { .watch = *w };
	char line[2 * WATCH_TEXT];

	if (s->watch_count == SETTINGS_WATCHES)
		return err_set(err, ERR_FORMAT, "more than %d", SETTINGS_WATCHES);
	if (strlen(image) >= sizeof(added.image))
		return err_set(err, ERR_FORMAT, "the image's name is longer than %zu bytes",
			       sizeof(added.image) - 1);
	strcpy(added.image, image);
	settings_watch_line(&added, line, sizeof(line));
	if (!given && (strlen(line) > SETTINGS_VALUE || strstr(line, " ;") || line[0] == ';' ||
		       strstr(image, WATCH_BETWEEN) || strpbrk(line, "\n\r")))
		return err_set(err, ERR_FORMAT, "names too long for the settings file");
	if (given)
		memmove(slot + 1, slot, (s->watch_count - s->given_watches++) * sizeof(*slot));
	*slot = added;
	s->watch_count++;
	return 0;
}

const struct setting_row *settings_watch_row(void)
{
	const struct setting_row *r = setting_rows;

	while (r->kind != SETTING_WATCHES)
		r++;
	return r;
}

bool settings_watch_is_for(const struct settings_watch *w, const char *image)
{
	return !w->image[0] || !strcmp(w->image, image);
}

int settings_watch_read(struct settings *s, const char *value, struct err *err)
{
	const char *between = strstr(value, WATCH_BETWEEN);
	char image[SETTINGS_TEXT];
	struct watch w;

	if (!between || between == value || between - value >= SETTINGS_TEXT)
		return err_set(err, ERR_FORMAT, "expected IMAGE | FUNCTION: FIGURE > VALUE");
	snprintf(image, sizeof(image), "%.*s", (int)(between - value), value);
	if (watch_parse(between + strlen(WATCH_BETWEEN), &w, err) < 0)
		return ERR_FORMAT;
	return settings_add_watch(s, image, &w, false, err);
}
