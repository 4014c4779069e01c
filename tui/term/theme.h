/*
 * theme: how each role looks. Files in themes/ (ini, read by libinih), one section a colour depth.
 *
 *	[theme]         name, description
 *	[rgb] [256] [8] [mono]
 *			role = foreground [on background] [bold] [underline] [reverse] [dim]
 *
 * A colour is a name (black ... white), "default" (the terminal's own), a number of the palette, or
 * in [rgb] #rrggbb. A depth that a file leaves out is that of the built-in default theme; a role
 * that [rgb] leaves out is that of the theme's [256]. Unknown roles, colours and attributes are an
 * error that names the line. A theme file is untrusted input: sizes are bounded.
 */
#ifndef WSNTOP_TUI_TERM_THEME_H
#define WSNTOP_TUI_TERM_THEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "tui/term/grid.h"

enum theme_depth { THEME_RGB, THEME_256, THEME_8, THEME_MONO, THEME_DEPTHS };
enum { STYLE_BOLD = 1, STYLE_UNDERLINE = 2, STYLE_REVERSE = 4, STYLE_DIM = 8 };

#define STYLE_RGB 0x1000000		/* or-ed with 0xrrggbb */

struct style {
	int32_t fg, bg;			/* of the palette, or STYLE_RGB; -1: the terminal's own */
	uint8_t attributes;
};

struct theme {
	char name[64], description[96];
	struct style styles[THEME_DEPTHS][ROLE_COUNT];
};

void theme_default(struct theme *t);

/*
 * The style of a role at a depth. On the selected row a role gets that row's colours, except search
 * matches and errors, which must be visible on any row.
 */
struct style theme_style(const struct theme *t, enum theme_depth depth, enum role role,
			 bool selected);

/*
 * NAME (looked for in $XDG_CONFIG_HOME/wsntop/themes, the installed data directory, themes/) or a
 * path.
 */
int theme_load(struct theme *t, const char *name_or_path, struct err *err);

/*
 * The names of all themes that theme_load finds, sorted, each once; at most max. Returns their
 * number.
 */
struct theme_name {
	char name[48];
};
size_t theme_list(struct theme_name *names, size_t max);

/* From memory, for tests and the fuzzer. */
int theme_parse(struct theme *t, const char *text, size_t n, struct err *err);

#endif
