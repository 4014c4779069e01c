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
 * and left out; the others hold. What is written back goes where it stood: comments, and lines that
 * say nothing to this version, stay.
 */
#ifndef WSNTOP_TUI_CONFIG_SETTINGS_H
#define WSNTOP_TUI_CONFIG_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/profile/look/rows.h"
#include "core/source/source.h"
#include "tui/config/keymap.h"

#define SETTINGS_COLUMNS 40
#define SETTINGS_SIZE 65536		/* of the file */
#define SETTINGS_PATH 1024
#define SETTINGS_ROWS 32		/* of setting_rows, at most */
#define SETTINGS_LINE 200		/* what libinih reads of one (INI_MAX_LINE) */
#define SETTINGS_BOM "\xef\xbb\xbf"	/* some editors begin a file with it */
#define SETTINGS_VALUE 160		/* bytes of a line's value: what libinih reads of a line, and less */

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
	struct keymap keys;
	bool changed;			/* to be written */
	char path[SETTINGS_PATH];	/* of the file; "" none is read or written */
	size_t wrong;			/* lines that were */
};

/*
 * A name in the file, one row each: what is read and written, and what the manual says of it. [keys]
 * has the actions' names instead.
 */
struct setting_row {
	const char *section, *name;
	const char *argument;		/* what it takes, for the manual */
	const char *help;
	bool repeated;
	int (*read)(struct settings *s, const char *value, struct err *err);
	/* The value as the file has it, repeated ones a line each; nothing where it is as built in. */
	void (*write)(const struct settings *s, struct buf *out);
};

extern const struct setting_row setting_rows[];		/* ends with a NULL name */

void settings_init(struct settings *s);
void settings_release(struct settings *s);

/*
 * Read a file: `path`, or where that is NULL the user's own; "none": none is read, none written.
 * There is none: fine, if it was not asked for by name. What is wrong in it comes as one sentence in
 * err (ERR_FORMAT), and the rest holds. settings_parse: from memory, for tests and the fuzzer.
 */
int settings_load(struct settings *s, const char *path, struct err *err);
int settings_parse(struct settings *s, const char *text, size_t n, struct err *err);

/*
 * Write what changed into the file, whole or not at all. Where lines of it were wrong it is kept
 * beside, with .bak behind its name. settings_merge: `text` as the file would then be.
 */
int settings_save(struct settings *s, struct err *err);
void settings_merge(const struct settings *s, const char *text, struct buf *out);

/* The user's own file, whether there is one or not; "" when there is no home. */
const char *settings_path(char *dst, size_t size);

/* "~/x" is /home/me/x, and back. */
const char *settings_expand(const char *path, char *dst, size_t size);
const char *settings_contract(const char *path, char *dst, size_t size);

/* A column's name in [columns], NULL past the last; and back: SETTINGS_CELLS where there is none. */
const char *settings_cell_name(unsigned cell);
unsigned settings_cell(const char *name, size_t length);

#endif
