/*
 * theme_check: what a theme file comes to.
 *
 *	theme_check FILE...		each must be accepted; a role that a depth leaves out is named
 *	theme_check -r FILE...		each must be refused; prints why
 *	theme_check -d FILE		must be the built-in theme, style for style
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tui/theme.c"		/* tools link core alone */

static int load(const char *path, struct theme *t, struct err *err)
{
	size_t n;
	char *text = file_read(path, 1 << 20, &n, err);
	int e = text ? theme_parse(t, text, n, err) : ERR_IO;

	mem_free(text);
	return e;
}

/* A theme that we ship leaves no role out: the styles of its depths are whole sets. */
static bool complete(const char *path)
{
	size_t n, count = 0;
	char *text = file_read(path, 1 << 20, &n, NULL), *save = NULL;
	bool about = false;

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (*line == '[')
			about = !strcmp(line, "[theme]");
		else if (!about && *line != ';')
			count++;
	}
	mem_free(text);
	if (count % ROLE_COUNT == 0 && count)
		return true;
	printf("%s: %zu styles are not whole sets of %d\n", path, count, ROLE_COUNT);
	return false;
}

static bool is_default(const struct theme *t)
{
	struct theme built_in;

	theme_default(&built_in);
	for (int d = 0; d < THEME_DEPTHS; d++) {
		for (int r = 0; r < ROLE_COUNT; r++) {
			const struct style *a = &t->styles[d][r], *b = &built_in.styles[d][r];

			if (a->fg == b->fg && a->bg == b->bg && a->attributes == b->attributes)
				continue;
			printf("[%s] %s is not as built in\n", depth_names[d], role_rows[r].name);
			return false;
		}
	}
	return true;
}

static bool check(const char *how, const char *path)
{
	struct err err = { 0 };
	struct theme t;
	bool accepted = load(path, &t, &err) == 0;

	if (!strcmp(how, "-r")) {
		printf("%s: %s\n", path, accepted ? "accepted!" : err.text);
		return !accepted;
	}
	if (!accepted) {
		printf("%s: %s\n", path, err.text);
		return false;
	}
	return !strcmp(how, "-d") ? is_default(&t) : complete(path);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 && argv[1][0] == '-' ? argv[1] : "";
	bool good = true;

	for (int i = *how ? 2 : 1; i < argc; i++)
		good = check(how, argv[i]) && good;
	return good ? 0 : 1;
}
