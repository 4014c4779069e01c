/*
 * settings: what the user has set, from $XDG_CONFIG_HOME/wsntop/config.ini (~/.config if that is
 * not set), edited live by F2 and written back whole or not at all.
 *
 *	[screen]	theme, follow, interval, timebar, detail, mouse, hide-namespace
 *	[columns]	flat = self%:7 bar self total calls per-call function:30 file
 *				(name[:width], in order)
 *			sort = self
 *	[source]	dir = ~/src/app		(may be repeated)
 *			map = /build/app ~/src/app
 *				(prefix in DWARF, prefix here; may be repeated)
 *			editor = code -g
 *	[compare]	load = 1, call = 5	(percent)
 *	[watch]		bound = demo.elf | clock_tick: max > 300 us
 *				(image, bound: look/watch.h; may be repeated)
 *	[keys]		view-flame = 4 F7	(action = keys; none: unbound)
 *
 * The options of the command line win for one run. A wrong line is reported with its number and
 * left out; the others are used. A value is written back to the line where it was; comments, and
 * lines that are unknown to this version, stay.
 */
#ifndef WSNTOP_TUI_CONFIG_SETTINGS_H
#define WSNTOP_TUI_CONFIG_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/profile/look/rows.h"
#include "core/profile/look/watch.h"
#include "core/source/source.h"
#include "tui/config/keymap.h"

#define SETTINGS_COLUMNS 40
#define SETTINGS_SIZE 65536		/* of the file */
#define SETTINGS_PATH 1024
#define SETTINGS_TEXT 256		/* of a text */
#define SETTINGS_ROWS 32		/* of setting_rows, at most */
#define SETTINGS_LINE 200		/* libinih reads so much of a line (INI_MAX_LINE) */
#define SETTINGS_BOM "\xef\xbb\xbf"	/* some editors begin a file with it */
#define SETTINGS_VALUE 160		/* bytes of a value: less than a line, for the name */

/* Besides the columns of core/profile the flat view has some that are pictures. */
enum { SETTINGS_BAR = COLUMN_COUNT, SETTINGS_TREND, SETTINGS_CELLS };

#define SETTINGS_WATCHES WATCHES

/* A bound on a figure of a function, for the nodes that run an image. */
struct settings_watch {
	char image[64];			/* its file's name; "" any: of the command line */
	struct watch watch;
};

struct settings_column {
	uint8_t cell;			/* enum column_id, or one of the above */
	int16_t width;			/* 0: its own */
};

struct settings {
	char theme[SETTINGS_TEXT];	/* "" default */
	bool follow, timebar, mouse, detail, hide_namespace;
	double interval;		/* seconds that "interval" spans */
	double least_load, least_call;	/* percent: changes that are relevant to compare */
	struct settings_column columns[SETTINGS_COLUMNS];	/* of the flat view, in order */
	size_t column_count;		/* 0: as built in, as many as there is room for */
	enum column_id sort;
	struct source_paths source;
	struct settings_watch watches[SETTINGS_WATCHES];	/* the given ones first */
	size_t watch_count, given_watches;
	char editor[SETTINGS_TEXT];	/* "" $VISUAL, $EDITOR */
	struct keymap keys;
	bool changed;			/* to be written */
	char path[SETTINGS_PATH];	/* of the file; "" none is read or written */
	size_t wrong;			/* number of wrong lines in the file */
};

/* How the file has a value, and how the options screen (F2) shows it and asks for it. */
enum setting_kind {
	SETTING_BOOL,			/* a bool; yes or no */
	SETTING_NUMBER,			/* a double, from .least to .most */
	SETTING_TEXT,			/* a char[SETTINGS_TEXT] */
	SETTING_THEME,			/* the same; chosen from the list of themes */
	SETTING_COLUMN,			/* an enum column_id; chosen from the list of columns */
	/* These have one row each, and no offset. */
	SETTING_COLUMNS,		/* the flat view's columns */
	SETTING_DIRS, SETTING_MAPS,	/* struct source_paths; a line for each path */
	SETTING_WATCHES,		/* a line for each */
	SETTING_KEYS,			/* struct keymap; a line for each action, by its name */
};

/* All about a setting: the file, its reader and writer, the manual and F2 come from this row. */
struct setting_row {
	const char *section, *name;	/* in the file */
	enum setting_kind kind;
	size_t offset;			/* in struct settings */
	const char *initial;		/* the value as built in; NULL: none */
	double least, most;		/* of a number */
	const char *units;		/* of that, for messages: "seconds" */
	const char *argument;		/* the value's form, for the manual */
	const char *help;		/* for the manual */
	/* F2: a heading for each section, and a line for each row. */
	const char *label;		/* NULL: the name */
	const char *hint;		/* behind the value */
	const char *prompt;		/* of a value that is typed */
	const char *title;		/* of the menu to choose from */
	const char *add;		/* in that: a new path */
	const char *unset;		/* shown if there is no value */
	const char *unit;		/* shown behind the value, or behind the number of items */
};

/* The last is SETTING_KEYS; behind it a NULL name. */
extern const struct setting_row setting_rows[];

void settings_init(struct settings *s);
void settings_release(struct settings *s);

/*
 * Set a value as the file has it, and print it as the file would have it. settings_write: nothing
 * if it is as built in; a line for each path. settings_value: "" of a list. Not for SETTING_KEYS.
 */
int settings_read(struct settings *s, const struct setting_row *r, const char *value,
		  struct err *err);
void settings_write(const struct settings *s, const struct setting_row *r, struct buf *out);
const char *settings_value(const struct settings *s, const struct setting_row *r, char *dst,
			   size_t size);

/*
 * Lists. Their length: of SETTING_KEYS the number of actions with other keys than built in. The
 * first `given` paths came with the command line; may be NULL. A map's two paths have `between`
 * between them.
 */
size_t settings_count(const struct settings *s, const struct setting_row *r, size_t *given);
const char *settings_item(const struct settings *s, const struct setting_row *r, size_t i,
			  const char *between, char *dst, size_t size);
void settings_drop(struct settings *s, const struct setting_row *r, size_t i);

/*
 * Add a bound; `given`: for this run. ERR_FORMAT: there is no room for more, or the file's format
 * has none for this one.
 */
int settings_add_watch(struct settings *s, const char *image, const struct watch *w, bool given,
		       struct err *err);

/* The row of the watches, for settings_drop. */
const struct setting_row *settings_watch_row(void);

/* A line of the file: "demo.elf | clock_tick: max > 300 us". Read: added to the others. */
const char *settings_watch_line(const struct settings_watch *w, char *dst, size_t size);
int settings_watch_read(struct settings *s, const char *value, struct err *err);

/* Whether a watch is for the nodes that run this image (its file's name; "" none). */
bool settings_watch_is_for(const struct settings_watch *w, const char *image);

/* The command of the editor: the setting, else $VISUAL, $EDITOR, vi. */
const char *settings_editor(const struct settings *s);

/*
 * Read a file: `path`, or the user's own if that is NULL; "none": no file is read and none written.
 * A file that does not exist is an error only if it was asked for by name. Wrong lines come as one
 * sentence in err (ERR_FORMAT), and the rest is used. settings_parse: from memory, for tests and
 * the fuzzer.
 */
int settings_load(struct settings *s, const char *path, struct err *err);
int settings_parse(struct settings *s, const char *text, size_t n, struct err *err);

/*
 * Write what changed into the file, whole or not at all. A file with wrong lines is first copied to
 * its name with .bak. settings_merge: `text` as the file would then be.
 */
int settings_save(struct settings *s, struct err *err);
void settings_merge(const struct settings *s, const char *text, struct buf *out);

/* The path of the user's own file, which need not exist; "" when there is no home. */
const char *settings_path(char *dst, size_t size);

/* "~/x" of /home/me/x. */
const char *settings_contract(const char *path, char *dst, size_t size);

/* A column's name in [columns]; NULL past the last. */
const char *settings_cell_name(unsigned cell);

#endif
