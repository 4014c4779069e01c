/*
 * screen_look: how a cell looks on this terminal: the style of its role, as attributes and a colour
 * pair.
 */
#include "tui/term/screen_parts.h"

#include <stdlib.h>
#include <term.h>

enum { RGB_COLORS = 1 << 24 };

void screen_find_colors(struct screen *s)
{
	const char *no = getenv("NO_COLOR");

	s->depth = THEME_MONO;
	s->colors = 0;
	if ((no && *no) || !has_colors() || start_color() == ERR)
		return;
	s->defaults = use_default_colors() == OK;
	if (COLORS >= RGB_COLORS && (tigetflag("RGB") > 0 || tigetnum("RGB") > 0)) {
		s->depth = THEME_RGB;
		s->colors = RGB_COLORS;
	} else if (COLORS >= 256) {
		s->depth = THEME_256;
		s->colors = 256;
	} else if (COLORS >= 8) {
		s->depth = THEME_8;
		s->colors = 8;
	}
}

/* xterm's palette: a cube of 6 x 6 x 6 from 16, then 24 greys. */
static int32_t rgb_of_palette(int32_t n)
{
	static const int32_t bright[] = {
		0x7f7f7f, 0xff5555, 0x55ff55, 0xffff55, 0x5c7cff, 0xff55ff, 0x55ffff, 0xffffff,
	};
	static const int32_t level[] = { 0, 95, 135, 175, 215, 255 };

	if (n >= 232)
		return 0x10101 * (8 + 10 * (n - 232));
	if (n >= 16)
		return level[(n - 16) / 36] << 16 | level[(n - 16) / 6 % 6] << 8 |
		       level[(n - 16) % 6];
	return bright[n - 8];
}

/*
 * A colour in the form that curses takes on this terminal. With direct colours, 0 to 7 are still
 * those of the palette: the darkest blues become 8.
 */
static int32_t curses_color(const struct screen *s, int32_t color, int32_t own)
{
	if (color < 0)
		return s->defaults ? -1 : own;
	if (s->depth != THEME_RGB || color < 8)
		return color;
	color = color & STYLE_RGB ? color & 0xffffff : rgb_of_palette(color);
	return color < 8 ? 8 : color;
}

/* Pairs are made at their first use; if none is left, the terminal's default colours are used. */
static int pair_of(struct screen *s, int32_t fg, int32_t bg)
{
	fg = curses_color(s, fg, COLOR_WHITE);
	bg = curses_color(s, bg, COLOR_BLACK);
	if (s->colors == 0 || (fg < 0 && bg < 0))
		return 0;
	for (int i = 0; i < s->pair_count; i++)
		if (s->pairs[i].fg == fg && s->pairs[i].bg == bg)
			return i + 1;
	if (s->pair_count == SCREEN_PAIRS || s->pair_count + 1 >= COLOR_PAIRS ||
	    init_extended_pair(s->pair_count + 1, fg, bg) == ERR)
		return 0;
	s->pairs[s->pair_count].fg = fg;
	s->pairs[s->pair_count].bg = bg;
	return ++s->pair_count;
}

static attr_t attributes_of(unsigned style)
{
	return (style & STYLE_BOLD ? A_BOLD : 0) | (style & STYLE_UNDERLINE ? A_UNDERLINE : 0) |
	       (style & STYLE_REVERSE ? A_REVERSE : 0) | (style & STYLE_DIM ? A_DIM : 0);
}

const struct look *screen_look(struct screen *s, const struct cell *c)
{
	struct look *l = &s->looks[c->role][c->selected];
	struct style style;

	if (l->known)
		return l;
	style = theme_style(&s->theme, s->depth, (enum role)c->role, c->selected);
	l->attributes = attributes_of(style.attributes);
	l->pair = pair_of(s, style.fg, style.bg);
	l->known = true;
	return l;
}
