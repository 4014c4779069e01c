/*
 * theme_check: what a theme file comes to.
 *
 *	theme_check FILE...		each must be accepted; a role that a depth leaves out is named
 *	theme_check -r FILE...		each must be refused; prints why
 *	theme_check -d FILE		must be the built-in theme, style for style
 *	theme_check -c FILE...		every role must be readable, on the selected row too
 */
#include <math.h>
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

/* --- contrast --------------------------------------------------------------------------------- */

enum { ON_DARK, ON_LIGHT };

/* xterm's palette, which the others are close to. */
static void rgb_of(int color, double *rgb)
{
	static const unsigned char first[16][3] = {
		{ 0, 0, 0 }, { 205, 0, 0 }, { 0, 205, 0 }, { 205, 205, 0 }, { 0, 0, 238 },
		{ 205, 0, 205 }, { 0, 205, 205 }, { 229, 229, 229 }, { 127, 127, 127 },
		{ 255, 0, 0 }, { 0, 255, 0 }, { 255, 255, 0 }, { 92, 92, 255 }, { 255, 0, 255 },
		{ 0, 255, 255 }, { 255, 255, 255 },
	};
	static const unsigned char cube[6] = { 0, 95, 135, 175, 215, 255 };
	static const int weight[3] = { 36, 6, 1 };

	for (int i = 0; i < 3; i++) {
		if (color < 16)
			rgb[i] = first[color][i];
		else if (color < 232)
			rgb[i] = cube[(color - 16) / weight[i] % 6];
		else
			rgb[i] = 8 + 10 * (color - 232);
	}
}

/* Relative luminance and contrast as WCAG 2.1 defines them. */
static double luminance(int color)
{
	static const double weight[3] = { 0.2126, 0.7152, 0.0722 };
	double rgb[3], sum = 0;

	rgb_of(color, rgb);
	for (int i = 0; i < 3; i++) {
		double c = rgb[i] / 255;

		sum += weight[i] * (c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
	}
	return sum;
}

static double contrast(struct style s, int ground)
{
	double fg = luminance(s.fg >= 0 ? s.fg : ground == ON_LIGHT ? 0 : 7);
	double bg = luminance(s.bg >= 0 ? s.bg : ground == ON_LIGHT ? 15 : 0);

	return fg > bg ? (fg + 0.05) / (bg + 0.05) : (bg + 0.05) / (fg + 0.05);
}

/* Text must be read, bars only seen. */
static double least_contrast(int role)
{
	return role >= ROLE_BAR && role <= ROLE_HEAT4 ? 1.7 : 3;
}

/* Tabs, titles and menus have rows of their own. */
static bool in_rows(int role)
{
	return role < ROLE_TITLE || (role >= ROLE_SELECTED && role <= ROLE_HEAT4);
}

static bool readable(const struct theme *t)
{
	int ground = !strcmp(t->name, "light") ? ON_LIGHT : ON_DARK;
	bool good = true;

	for (int i = 0; i < 2 * THEME_MONO * ROLE_COUNT; i++) {
		int role = i / 2 % ROLE_COUNT, depth = i / 2 / ROLE_COUNT;
		double has = contrast(theme_style(t, (enum theme_depth)depth, (enum role)role, i % 2),
				      ground);

		if (has >= least_contrast(role) || (i % 2 && !in_rows(role)))
			continue;
		printf("%s: [%s] %s%s: a contrast of %.1f\n", t->name, depth_names[depth],
		       role_rows[role].name, i % 2 ? " on the selected row" : "", has);
		good = false;
	}
	return good;
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
	if (!strcmp(how, "-c"))
		return readable(&t);
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
