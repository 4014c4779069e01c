/*
 * theme_check: judge theme files.
 *
 *	theme_check FILE...		each must be accepted; names roles that a depth leaves out
 *	theme_check -r FILE...		each must be refused; prints why
 *	theme_check -d FILE		must be the built-in theme, style for style
 *	theme_check -c FILE...		every role must be readable, on the selected row too
 *	theme_check -b FILE...		different meanings differ to every kind of colour vision
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tui/term/theme.c"		/* tools link core alone */

static int themes_load(const char *path, struct theme *t, struct err *err)
{
	size_t n;
	char *text = file_read(path, 1 << 20, &n, err);
	int e = text ? theme_parse(t, text, n, err) : ERR_IO;

	mem_free(text);
	return e;
}

/* A theme that we ship leaves no role out: the styles of its depths are whole sets. */
static bool theme_complete(const char *path)
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
		if (color & STYLE_RGB)
			rgb[i] = color >> (16 - 8 * i) & 0xff;
		else if (color < 16)
			rgb[i] = first[color][i];
		else if (color < 232)
			rgb[i] = cube[(color - 16) / weight[i] % 6];
		else
			rgb[i] = 8 + 10 * (color - 232);
	}
}

/* Relative luminance and contrast as WCAG 2.1 defines them. */
static void channel_linear(int color, double *rgb)
{
	rgb_of(color, rgb);
	for (int i = 0; i < 3; i++) {
		double c = rgb[i] / 255;

		rgb[i] = c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
	}
}

static double colour_luminance(int color)
{
	static const double weight[3] = { 0.2126, 0.7152, 0.0722 };
	double rgb[3], sum = 0;

	channel_linear(color, rgb);
	for (int i = 0; i < 3; i++)
		sum += weight[i] * rgb[i];
	return sum;
}

static double colour_contrast(struct style s, int ground)
{
	double fg = colour_luminance(s.fg >= 0 ? s.fg : ground == ON_LIGHT ? 0 : 7);
	double bg = colour_luminance(s.bg >= 0 ? s.bg : ground == ON_LIGHT ? 15 : 0);

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

static bool roles_readable(const struct theme *t)
{
	int ground = !strcmp(t->name, "light") ? ON_LIGHT : ON_DARK;
	bool good = true;

	for (int i = 0; i < 2 * THEME_MONO * ROLE_COUNT; i++) {
		int role = i / 2 % ROLE_COUNT, depth = i / 2 / ROLE_COUNT;
		double has = colour_contrast(
			theme_style(t, (enum theme_depth)depth, (enum role)role, i % 2), ground);

		if (has >= least_contrast(role) || (i % 2 && !in_rows(role)))
			continue;
		printf("%s: [%s] %s%s: a contrast of %.1f\n", t->name, depth_names[depth],
		       role_rows[role].name, i % 2 ? " on the selected row" : "", has);
		good = false;
	}
	return good;
}

/* --- colour vision ---------------------------------------------------------------------------- */

/*
 * Who lacks one kind of cone, whole (severity 1): Machado, Oliveira, Fernandes, "A Physiologically-
 * based Model for Simulation of Color Vision Deficiency", 2009, table of matrices; on linear RGB.
 */
static const struct { const char *name; double m[3][3]; } visions[] = {
	{ "all cones", { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
	{ "protanopia", { { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 },
			  { -0.003882, -0.048116, 1.051998 } } },
	{ "deuteranopia", { { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 },
			    { -0.011820, 0.042940, 0.968881 } } },
	{ "tritanopia", { { 1.255528, -0.076749, -0.178779 }, { -0.078411, 0.930809, 0.147602 },
			  { 0.004733, 0.691367, 0.303900 } } },
};

/* CIE 1976 L*a*b* of what such an eye sees (sRGB, D65). */
static void lab_of(int color, const double m[3][3], double *lab)
{
	static const double to_xyz[3][3] = { { 0.4124, 0.3576, 0.1805 }, { 0.2126, 0.7152, 0.0722 },
					     { 0.0193, 0.1192, 0.9505 } };
	static const double white[3] = { 0.9505, 1, 1.089 };
	double rgb[3], seen[3] = { 0 }, f[3];

	channel_linear(color, rgb);
	for (int i = 0; i < 9; i++)
		seen[i / 3] += m[i / 3][i % 3] * rgb[i % 3];
	for (int i = 0; i < 3; i++) {
		double t = 0;

		for (int k = 0; k < 3; k++)
			t += to_xyz[i][k] * fmin(1, fmax(0, seen[k])) / white[i];
		f[i] = t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
	}
	lab[0] = 116 * f[1] - 16;
	lab[1] = 500 * (f[0] - f[1]);
	lab[2] = 200 * (f[1] - f[2]);
}

/* The colour that a role is told by: its ground where that is what carries it. */
static int role_carrier(const struct theme *t, enum theme_depth depth, enum role role)
{
	struct style s = theme_style(t, depth, role, false);
	struct style plain = theme_style(t, depth, ROLE_DEFAULT, false);

	return s.bg != plain.bg ? s.bg : s.fg;
}

/* What stands side by side and means different things. */
static const enum role told_apart[][2] = {
	{ ROLE_GOOD, ROLE_WARNING }, { ROLE_GOOD, ROLE_BAD }, { ROLE_WARNING, ROLE_BAD },
	{ ROLE_HEAT0, ROLE_HEAT1 }, { ROLE_HEAT1, ROLE_HEAT2 }, { ROLE_HEAT2, ROLE_HEAT3 },
	{ ROLE_HEAT3, ROLE_HEAT4 }, { ROLE_HEAT0, ROLE_HEAT4 }, { ROLE_FLAME4, ROLE_BOX_BETTER },
	{ ROLE_BOX_PLAIN, ROLE_BOX_BETTER }, { ROLE_BOX_PLAIN, ROLE_FLAME4 },
};

#define TOLD_APART 10		/* a difference (CIE 1976) that is seen at a glance */

static bool colour_told(const struct theme *t, enum theme_depth depth, const enum role *pair,
			size_t vision)
{
	double a[3], b[3], far;

	lab_of(role_carrier(t, depth, pair[0]), visions[vision].m, a);
	lab_of(role_carrier(t, depth, pair[1]), visions[vision].m, b);
	far = sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
	if (far >= TOLD_APART)
		return true;
	printf("%s: [%s] %s and %s: a difference of %.1f with %s\n", t->name, depth_names[depth],
	       role_rows[pair[0]].name, role_rows[pair[1]].name, far, visions[vision].name);
	return false;
}

static bool for_all_eyes(const struct theme *t)
{
	bool good = true;

	for (int d = THEME_RGB; d <= THEME_256; d++)
		for (size_t i = 0; i < sizeof(told_apart) / sizeof(told_apart[0]); i++)
			for (size_t v = 0; v < sizeof(visions) / sizeof(visions[0]); v++)
				good = colour_told(t, (enum theme_depth)d, told_apart[i], v) &&
				       good;
	return good;
}

static bool file_check(const char *how, const char *path)
{
	struct err err = { 0 };
	struct theme t;
	bool accepted = themes_load(path, &t, &err) == 0;

	if (!strcmp(how, "-r")) {
		printf("%s: %s\n", path, accepted ? "accepted!" : err.text);
		return !accepted;
	}
	if (!accepted) {
		printf("%s: %s\n", path, err.text);
		return false;
	}
	if (!strcmp(how, "-c"))
		return roles_readable(&t);
	if (!strcmp(how, "-b"))
		return for_all_eyes(&t);
	return !strcmp(how, "-d") ? is_default(&t) : theme_complete(path);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 && argv[1][0] == '-' ? argv[1] : "";
	bool good = true;

	for (int i = *how ? 2 : 1; i < argc; i++)
		good = file_check(how, argv[i]) && good;
	return good ? 0 : 1;
}
