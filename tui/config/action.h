/*
 * action: every action of the user, one row each: name, keys, help.
 *
 * The key map (keymap.h), the help view, the man page, the config's [keys] and the palette come
 * from this table. A new action is one row and one case where it is carried out.
 */
#ifndef WSNTOP_TUI_CONFIG_ACTION_H
#define WSNTOP_TUI_CONFIG_ACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum action {
	ACTION_NONE,
	/* moving */
	ACTION_UP, ACTION_DOWN, ACTION_PAGE_UP, ACTION_PAGE_DOWN, ACTION_HALF_UP, ACTION_HALF_DOWN,
	ACTION_TOP, ACTION_BOTTOM, ACTION_LEFT, ACTION_RIGHT,
	/* views */
	ACTION_VIEW_FLAT, ACTION_VIEW_CALLERS, ACTION_VIEW_TREE, ACTION_VIEW_FLAME,
	ACTION_VIEW_HISTOGRAM, ACTION_VIEW_SOURCE, ACTION_VIEW_CONSOLE, ACTION_VIEW_COMPARE,
	ACTION_VIEW_NODE, ACTION_VIEW_TIMELINE, ACTION_VIEW_LOG, ACTION_VIEW_HELP,
	ACTION_VIEW_NEXT, ACTION_VIEW_PREVIOUS,
	/* in a view */
	ACTION_ENTER, ACTION_OPEN, ACTION_CLOSE, ACTION_OPEN_ALL, ACTION_PARENT,
	ACTION_LONGEST_CHILD, ACTION_LONGEST_CALL, ACTION_LONGER_NEXT,
	ACTION_SORT, ACTION_SORT_NEXT, ACTION_SORT_PREVIOUS, ACTION_INVERT,
	ACTION_SEARCH, ACTION_SEARCH_NEXT, ACTION_SEARCH_PREVIOUS, ACTION_FILTER, ACTION_FOLLOW,
	ACTION_HOTTEST, ACTION_SANDWICH, ACTION_ANNOTATE, ACTION_MODE, ACTION_GROUP, ACTION_COLUMNS,
	ACTION_SPAN, ACTION_COPY, ACTION_EDITOR, ACTION_DETAIL,
	/* time */
	ACTION_TIME_BACK, ACTION_TIME_FORWARD, ACTION_TIME_BACK_FAR, ACTION_TIME_FORWARD_FAR,
	ACTION_TIME_WINDOW, ACTION_TIME_LIVE, ACTION_TIME_SEEK, ACTION_TIME_SLOWER,
	ACTION_TIME_FASTER, ACTION_TIME_BAR, ACTION_ZOOM_IN, ACTION_ZOOM_OUT, ACTION_BOOKMARK,
	ACTION_MARKS, ACTION_MARK_NEXT, ACTION_MARK_PREVIOUS, ACTION_BASELINE, ACTION_WATCH,
	ACTION_LOG_WATCH, ACTION_BATTERY,
	/* the whole */
	ACTION_FREEZE, ACTION_RESET, ACTION_COMMAND, ACTION_EXPORT, ACTION_REPORT_NEXT,
	ACTION_NODE_NEXT, ACTION_NODES, ACTION_SAVE, ACTION_OPTIONS, ACTION_PALETTE, ACTION_REDRAW,
	ACTION_SUSPEND, ACTION_CANCEL, ACTION_BACK, ACTION_QUIT,
	ACTION_COUNT,
};

/* Keys beyond characters: above Unicode. */
enum key {
	KEY_UP_ = 0x110000, KEY_DOWN_, KEY_LEFT_, KEY_RIGHT_, KEY_PAGE_UP_, KEY_PAGE_DOWN_,
	KEY_HOME_, KEY_END_, KEY_BACKSPACE_, KEY_DELETE_, KEY_SHIFT_TAB_, KEY_MOUSE_, KEY_RESIZE_,
	KEY_F_,				/* + n for Fn */
};

struct action_row {
	enum action action;
	const char *name;		/* in config.ini and the palette: "view-flat" */
	const char *help;
	const char *hint;		/* one word or two, for the bottom line */
	const char *group;		/* heading in the help: "Moving", "Views", ... */
	uint32_t keys[5];		/* 0-terminated unless full */
};

extern const struct action_row actions[];	/* ends with ACTION_COUNT */

enum { ACTION_KEYS = sizeof(((struct action_row *)0)->keys) / sizeof(uint32_t) };

const struct action_row *action_row(enum action action);
const struct action_row *action_find(const char *name);		/* NULL: no such action */
/* The action whose name is most like that one: a suggestion. */
const struct action_row *action_nearest(const char *name);

/*
 * A key as text: "PgUp", "Ctrl-L", "F6", "/"; and back, 0 if it is no key. Case is ignored in
 * names, not in characters.
 */
enum { KEY_FUNCTIONS = 24 };	/* F1 to F24 */
const char *key_text(uint32_t key, char *dst, unsigned size);
uint32_t key_of_text(const char *text);
/* The i-th name of a key that is written by its name; NULL past the last. */
const char *key_named(size_t i);

#endif
