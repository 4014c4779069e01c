/*
 * settings: what the user has set up, from $XDG_CONFIG_HOME/wsntop/config.ini (~/.config where that
 * is not set), edited live by F2 and written back whole or not at all.
 *
 *	[screen]	theme, follow, interval, timebar, mouse
 *	[columns]	flat = self%:7 bar self total calls per-call function:30 file	(name[:width], in order)
 *			sort = self
 *	[source]	dir = ~/src/app		(may be repeated)
 *			map = /build/app ~/src/app	(prefix in DWARF, prefix here; may be repeated)
 *			editor = code -g
 *	[keys]		view-flame = 4 F7	(action = keys; none: unbound)
 *
 * The options of the command line win for one run. A line that is wrong is said, with its number,
 * and left out; the others hold.
 */
#ifndef WSNTOP_TUI_SETTINGS_H
#define WSNTOP_TUI_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/profile/rows.h"
#include "core/source/source.h"

#define SETTINGS_COLUMNS 40

/* Beside the columns of core/profile the flat view has some that are pictures. */
enum { SETTINGS_BAR = COLUMN_COUNT, SETTINGS_TREND, SETTINGS_CELLS };

struct settings_column {
	uint8_t cell;			/* enum column_id, or one of the above */
	int16_t width;			/* 0: its own */
};

struct settings {
	char theme[256];		/* "" default */
	bool follow, timebar, mouse;
	double interval;		/* seconds that "interval" spans */
	struct settings_column columns[SETTINGS_COLUMNS];	/* of the flat view, in order */
	size_t column_count;		/* 0: as built in, what has room */
	enum column_id sort;
	struct source_paths source;
	char editor[256];		/* "" $VISUAL, $EDITOR */
	bool changed;			/* to be written */
};

void settings_init(struct settings *s);
void settings_release(struct settings *s);

/*
 * Read the user's file; none is fine. What is wrong in it comes as one sentence in err, and the
 * rest holds. settings_parse: from memory, for tests and the fuzzer.
 */
int settings_load(struct settings *s, struct err *err);
int settings_parse(struct settings *s, const char *text, size_t n, struct err *err);
int settings_save(struct settings *s, struct err *err);

/* Where it is; "" when there is no home. */
const char *settings_path(char *dst, size_t size);

#endif
