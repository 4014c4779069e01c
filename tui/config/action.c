#include "tui/config/action.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/text.h"

#define CTRL(c) ((c) & 0x1f)

const struct action_row actions[] = {
	{ .action = ACTION_UP, .name = "up", .hint = "up",
	  .keys = { KEY_UP_, 'k' },
	  .help = "one row up", .group = "Moving" },
	{ .action = ACTION_DOWN, .name = "down", .hint = "down",
	  .keys = { KEY_DOWN_, 'j' },
	  .help = "one row down", .group = "Moving" },
	{ .action = ACTION_PAGE_UP, .name = "page-up", .hint = "page up",
	  .keys = { KEY_PAGE_UP_, CTRL('B') },
	  .help = "one page up", .group = "Moving" },
	{ .action = ACTION_PAGE_DOWN, .name = "page-down", .hint = "page down",
	  .keys = { KEY_PAGE_DOWN_, CTRL('F') },
	  .help = "one page down", .group = "Moving" },
	{ .action = ACTION_HALF_UP, .name = "half-page-up", .hint = "half up",
	  .keys = { CTRL('U') },
	  .help = "half a page up", .group = "Moving" },
	{ .action = ACTION_HALF_DOWN, .name = "half-page-down", .hint = "half down",
	  .keys = { CTRL('D') },
	  .help = "half a page down", .group = "Moving" },
	{ .action = ACTION_TOP, .name = "top", .hint = "top",
	  .keys = { KEY_HOME_, 'g' },
	  .help = "to the first row", .group = "Moving" },
	{ .action = ACTION_BOTTOM, .name = "bottom", .hint = "bottom",
	  .keys = { KEY_END_, 'G' },
	  .help = "to the last row", .group = "Moving" },
	{ .action = ACTION_LEFT, .name = "left", .hint = "scroll",
	  .keys = { KEY_LEFT_ },
	  .help = "scroll left; in the tree: close", .group = "Moving" },
	{ .action = ACTION_RIGHT, .name = "right", .hint = "scroll",
	  .keys = { KEY_RIGHT_ },
	  .help = "scroll right; in the tree: open", .group = "Moving" },

	{ .action = ACTION_VIEW_FLAT, .name = "view-flat", .hint = "flat",
	  .keys = { '1' },
	  .help = "all functions, most expensive first", .group = "Views" },
	{ .action = ACTION_VIEW_CALLERS, .name = "view-callers", .hint = "callers",
	  .keys = { '2' },
	  .help = "callers and callees of the selected function", .group = "Views" },
	{ .action = ACTION_VIEW_TREE, .name = "view-tree", .hint = "tree",
	  .keys = { '3' },
	  .help = "the call tree from the roots", .group = "Views" },
	{ .action = ACTION_VIEW_FLAME, .name = "view-flame", .hint = "flame",
	  .keys = { '4' },
	  .help = "the call tree as an icicle: width is time", .group = "Views" },
	{ .action = ACTION_VIEW_HISTOGRAM, .name = "view-histogram", .hint = "histogram",
	  .keys = { '5' },
	  .help = "durations of calls: minimum to maximum, distribution", .group = "Views" },
	{ .action = ACTION_VIEW_SOURCE, .name = "view-source", .hint = "source",
	  .keys = { '6' },
	  .help = "the selected function's source, cost by line", .group = "Views" },
	{ .action = ACTION_VIEW_CONSOLE, .name = "view-console", .hint = "console",
	  .keys = { '7' },
	  .help = "the output of the firmware", .group = "Views" },
	{ .action = ACTION_VIEW_COMPARE, .name = "view-compare", .hint = "compare",
	  .keys = { '8' },
	  .help = "changes since the baseline, largest regressions first", .group = "Views" },
	{ .action = ACTION_VIEW_NODE, .name = "view-node", .hint = "node",
	  .keys = { '9' },
	  .help = "the node: link, tables, profiling cost, losses", .group = "Views" },
	{ .action = ACTION_VIEW_TIMELINE, .name = "view-timeline", .hint = "time line",
	  .keys = { '0' },
	  .help = "the time line: every call of a traced node, in order", .group = "Views" },
	{ .action = ACTION_VIEW_LOG, .name = "view-log", .hint = "log",
	  .keys = { 'e' },
	  .help = "the log: values and states of variables, marks, watched calls",
	  .group = "Views" },
	{ .action = ACTION_VIEW_HELP, .name = "view-help", .hint = "help",
	  .keys = { '?', 'h', KEY_F_ + 1 },
	  .help = "help: the current view, then all keys", .group = "Views" },
	{ .action = ACTION_VIEW_NEXT, .name = "view-next", .hint = "next view",
	  .keys = { '\t' },
	  .help = "next view; with the detail shown: to the detail and back",
	  .group = "Views" },
	{ .action = ACTION_VIEW_PREVIOUS, .name = "view-previous", .hint = "previous view",
	  .keys = { KEY_SHIFT_TAB_ },
	  .help = "previous view", .group = "Views" },

	{ .action = ACTION_ENTER, .name = "enter", .hint = "open",
	  .keys = { '\r' },
	  .help = "open the callers, the branch or the box", .group = "In a view" },
	{ .action = ACTION_OPEN, .name = "open", .hint = "open",
	  .keys = { '+', '=' },
	  .help = "open a branch; flame graph: zoom in; elsewhere: time bar in",
	  .group = "In a view" },
	{ .action = ACTION_CLOSE, .name = "close", .hint = "close",
	  .keys = { '-' },
	  .help = "close a branch; flame graph: zoom out to all; else time bar out",
	  .group = "In a view" },
	{ .action = ACTION_OPEN_ALL, .name = "open-all", .hint = "all",
	  .keys = { '*' },
	  .help = "open every branch; close them when all are open", .group = "In a view" },
	{ .action = ACTION_PARENT, .name = "parent", .hint = "caller",
	  .keys = { 'u', KEY_BACKSPACE_ },
	  .help = "to the caller; in the flame graph: zoom out", .group = "In a view" },
	{ .action = ACTION_LONGEST_CHILD, .name = "longest-child", .hint = "longest",
	  .keys = { 'l' },
	  .help = "to the callee that takes longest", .group = "In a view" },
	{ .action = ACTION_LONGEST_CALL, .name = "longest-call", .hint = "longest call",
	  .keys = { 'X' },
	  .help = "time line: the longest call of the selected function", .group = "In a view" },
	{ .action = ACTION_LONGER_NEXT, .name = "longer-next", .hint = "longer",
	  .keys = { 'd' },
	  .help = "time line: next call of this function that takes 1.5 times its usual or more",
	  .group = "In a view" },
	{ .action = ACTION_SORT, .name = "sort", .hint = "sort",
	  .keys = { 's', KEY_F_ + 6 },
	  .help = "choose the column to sort by", .group = "In a view" },
	{ .action = ACTION_SORT_NEXT, .name = "sort-next", .hint = "next column",
	  .keys = { '>' },
	  .help = "sort by the next column", .group = "In a view" },
	{ .action = ACTION_SORT_PREVIOUS, .name = "sort-previous", .hint = "previous column",
	  .keys = { '<' },
	  .help = "sort by the previous column", .group = "In a view" },
	{ .action = ACTION_INVERT, .name = "invert", .hint = "invert",
	  .keys = { 'I' },
	  .help = "reverse the sort order", .group = "In a view" },
	{ .action = ACTION_SEARCH, .name = "search", .hint = "search",
	  .keys = { '/', KEY_F_ + 3 },
	  .help = "search (a regular expression)", .group = "In a view" },
	{ .action = ACTION_SEARCH_NEXT, .name = "search-next", .hint = "next",
	  .keys = { 'n' },
	  .help = "next match", .group = "In a view" },
	{ .action = ACTION_SEARCH_PREVIOUS, .name = "search-previous", .hint = "previous",
	  .keys = { 'N' },
	  .help = "previous match", .group = "In a view" },
	{ .action = ACTION_FILTER, .name = "filter", .hint = "filter",
	  .keys = { 'f', '\\', KEY_F_ + 4 },
	  .help = "show matching functions only", .group = "In a view" },
	{ .action = ACTION_FOLLOW, .name = "follow", .hint = "follow",
	  .keys = { 'F' },
	  .help = "cursor stays on its function or its row", .group = "In a view" },

	{ .action = ACTION_HOTTEST, .name = "hottest", .hint = "hottest",
	  .keys = { 'H' },
	  .help = "to the most expensive function or line",
	  .group = "In a view" },
	{ .action = ACTION_SANDWICH, .name = "sandwich", .hint = "sandwich",
	  .keys = { 'S' },
	  .help = "flame graph: callers above, callees below the function",
	  .group = "In a view" },
	{ .action = ACTION_ANNOTATE, .name = "annotate", .hint = "source",
	  .keys = { 'a' },
	  .help = "the source of the selected function", .group = "In a view" },
	{ .action = ACTION_MODE, .name = "mode", .hint = "mode",
	  .keys = { 'm' },
	  .help = "display mode: colours, code, time stamps",
	  .group = "In a view" },
	{ .action = ACTION_GROUP, .name = "group", .hint = "group",
	  .keys = { 'T' },
	  .help = "group: by file, by task, not at all", .group = "In a view" },
	{ .action = ACTION_COLUMNS, .name = "columns", .hint = "columns",
	  .keys = { 'c' },
	  .help = "choose, order and size the columns", .group = "In a view" },
	{ .action = ACTION_SPAN, .name = "span", .hint = "interval",
	  .keys = { 'i' },
	  .help = "time span: all, interval, peaks, baseline", .group = "In a view" },
	{ .action = ACTION_COPY, .name = "copy", .hint = "copy",
	  .keys = { 'y' },
	  .help = "copy the row to the clipboard (OSC 52)", .group = "In a view" },
	{ .action = ACTION_EDITOR, .name = "editor", .hint = "edit",
	  .keys = { 'O' },
	  .help = "open $EDITOR at the source line", .group = "In a view" },

	{ .action = ACTION_DETAIL, .name = "detail", .hint = "detail",
	  .keys = { '|' },
	  .help = "show or hide the detail beside a list (from 120 columns on)",
	  .group = "In a view" },
	{ .action = ACTION_WATCH, .name = "watch", .hint = "watch",
	  .keys = { '!' },
	  .help = "watches: bounds on figures", .group = "In a view" },

	{ .action = ACTION_LOG_WATCH, .name = "log-watch", .hint = "log ...",
	  .keys = { 'v' },
	  .help = "log a variable, a register, a call, interrupts; what is logged, how",
	  .group = "In a view" },

	{ .action = ACTION_BATTERY, .name = "battery", .hint = "battery",
	  .keys = { 'V' },
	  .help = "beside a power meter: the battery's capacity, for its life; volts",
	  .group = "In a view" },

	{ .action = ACTION_TIME_BACK, .name = "time-back", .hint = "back",
	  .keys = { '[' },
	  .help = "a moment back", .group = "Time" },
	{ .action = ACTION_TIME_FORWARD, .name = "time-forward", .hint = "forward",
	  .keys = { ']' },
	  .help = "a moment forward", .group = "Time" },
	{ .action = ACTION_TIME_BACK_FAR, .name = "time-back-far", .hint = "far back",
	  .keys = { '{' },
	  .help = "a page of moments back", .group = "Time" },
	{ .action = ACTION_TIME_FORWARD_FAR, .name = "time-forward-far", .hint = "far forward",
	  .keys = { '}' },
	  .help = "a page of moments forward", .group = "Time" },
	{ .action = ACTION_TIME_WINDOW, .name = "time-window", .hint = "window",
	  .keys = { 'w' },
	  .help = "begin a window; again: end it, clear it", .group = "Time" },
	{ .action = ACTION_TIME_LIVE, .name = "time-live", .hint = "live",
	  .keys = { 'L' },
	  .help = "go live; in a recording: to its end", .group = "Time" },
	{ .action = ACTION_TIME_SEEK, .name = "time-seek", .hint = "seek",
	  .keys = { '@' },
	  .help = "recording: go to a time: 12:03:41, 3:20, +30, -10s, 40 %, end",
	  .group = "Time" },
	{ .action = ACTION_TIME_SLOWER, .name = "time-slower", .hint = "slower",
	  .keys = { ',' },
	  .help = "recording: half the speed (down to 1/8)", .group = "Time" },
	{ .action = ACTION_TIME_FASTER, .name = "time-faster", .hint = "faster",
	  .keys = { '.' },
	  .help = "recording: twice the speed (above 64: maximum)", .group = "Time" },
	{ .action = ACTION_TIME_BAR, .name = "time-bar", .hint = "time bar",
	  .keys = { 't' },
	  .help = "show or hide the time bar", .group = "Time" },
	{ .action = ACTION_ZOOM_IN, .name = "zoom-in", .hint = "zoom in",
	  .help = "zoom the time bar in: its second line shows a shorter time", .group = "Time" },
	{ .action = ACTION_ZOOM_OUT, .name = "zoom-out", .hint = "zoom out",
	  .help = "zoom the time bar out: a longer time, finally one line", .group = "Time" },
	{ .action = ACTION_BOOKMARK, .name = "bookmark", .hint = "bookmark",
	  .keys = { 'M' },
	  .help = "set a bookmark at the moment shown, with a note", .group = "Time" },
	{ .action = ACTION_MARKS, .name = "marks", .hint = "marks",
	  .keys = { '\'' },
	  .help = "list bookmarks, resets, losses: go to one, delete a bookmark",
	  .group = "Time" },
	{ .action = ACTION_MARK_NEXT, .name = "mark-next", .hint = "next mark",
	  .help = "next mark: bookmark, reset, loss, disconnection, firmware",
	  .group = "Time" },
	{ .action = ACTION_MARK_PREVIOUS, .name = "mark-previous", .hint = "previous mark",
	  .help = "to the previous mark", .group = "Time" },
	{ .action = ACTION_BASELINE, .name = "baseline", .hint = "baseline",
	  .keys = { 'b' },
	  .help = "set the baseline to compare with", .group = "Time" },

	{ .action = ACTION_FREEZE, .name = "freeze", .hint = "freeze",
	  .keys = { ' ', 'Z' },
	  .help = "freeze the screen; in a recording: pause",
	  .group = "General" },
	{ .action = ACTION_RESET, .name = "reset", .hint = "reset",
	  .keys = { 'R' },
	  .help = "reset counters: in wsntop only, or on the node",
	  .group = "General" },
	{ .action = ACTION_COMMAND, .name = "command", .hint = "command",
	  .keys = { 'C' },
	  .help = "node commands: start, stop, reset, send all, rate, period",
	  .group = "General" },
	{ .action = ACTION_EXPORT, .name = "export", .hint = "export",
	  .keys = { 'x' },
	  .help = "write the profile to a file", .group = "General" },
	{ .action = ACTION_REPORT_NEXT, .name = "report-next", .hint = "report",
	  .keys = { 'p' },
	  .help = "next report of a prof stream", .group = "General" },
	{ .action = ACTION_NODE_NEXT, .name = "node-next", .hint = "next node",
	  .keys = { ')' },
	  .help = "next node", .group = "General" },
	{ .action = ACTION_NODES, .name = "nodes", .hint = "all nodes",
	  .keys = { '(' },
	  .help = "all nodes in a table; Tab: functions over all, firmwares compared",
	  .group = "General" },
	{ .action = ACTION_SAVE, .name = "save", .hint = "save",
	  .keys = { 'W' },
	  .help = "save the received bytes as a recording", .group = "General" },
	{ .action = ACTION_OPTIONS, .name = "options", .hint = "options",
	  .keys = { KEY_F_ + 2, 'o' },
	  .help = "options: show and change settings", .group = "General" },
	{ .action = ACTION_PALETTE, .name = "palette", .hint = "commands",
	  .keys = { ':' },
	  .help = "all commands, by name", .group = "General" },
	{ .action = ACTION_REDRAW, .name = "redraw", .hint = "redraw",
	  .keys = { CTRL('L') },
	  .help = "redraw the screen", .group = "General" },
	{ .action = ACTION_SUSPEND, .name = "suspend", .hint = "shell",
	  .keys = { CTRL('Z') },
	  .help = "suspend to the shell; fg resumes", .group = "General" },
	{ .action = ACTION_CANCEL, .name = "cancel", .hint = "clear",
	  .keys = { 27 },
	  .help = "stop a seek; clear the search, then the filter; leave the help",
	  .group = "General" },
	{ .action = ACTION_BACK, .name = "back", .hint = "back",
	  .keys = { 'q' },
	  .help = "back to the previous view; from the first: quit", .group = "General" },
	{ .action = ACTION_QUIT, .name = "quit", .hint = "quit",
	  .keys = { 'Q', KEY_F_ + 10, CTRL('C') },
	  .help = "quit wsntop (exit)", .group = "General" },
	{ .action = ACTION_COUNT },
};

/* A key with several names is printed with the first. */
static const struct key_name { uint32_t key; const char *name; } key_names[] = {
	{ KEY_UP_, "Up" }, { KEY_DOWN_, "Down" }, { KEY_LEFT_, "Left" }, { KEY_RIGHT_, "Right" },
	{ KEY_PAGE_UP_, "PgUp" }, { KEY_PAGE_UP_, "PageUp" }, { KEY_PAGE_DOWN_, "PgDn" },
	{ KEY_PAGE_DOWN_, "PgDown" }, { KEY_PAGE_DOWN_, "PageDown" }, { KEY_HOME_, "Home" },
	{ KEY_END_, "End" }, { KEY_BACKSPACE_, "Backspace" }, { KEY_DELETE_, "Del" },
	{ KEY_DELETE_, "Delete" }, { KEY_SHIFT_TAB_, "Shift-Tab" }, { '\t', "Tab" },
	{ '\r', "Enter" }, { '\r', "Return" }, { 27, "Esc" }, { 27, "Escape" }, { ' ', "Space" },
	{ ';', "Semicolon" },	/* begins a comment in an ini file */
};

enum { KEY_NAMES = sizeof(key_names) / sizeof(key_names[0]) };

const struct action_row *action_row(enum action action)
{
	const struct action_row *r = actions;

	while (r->action != ACTION_COUNT && r->action != action)
		r++;
	return r->action == action ? r : NULL;
}

const struct action_row *action_find(const char *name)
{
	for (const struct action_row *r = actions; r->action != ACTION_COUNT; r++)
		if (!strcmp(r->name, name))
			return r;
	return NULL;
}

const struct action_row *action_nearest(const char *name)
{
	const struct action_row *best = NULL;
	unsigned nearest = ~0u;

	for (const struct action_row *r = actions; r->action != ACTION_COUNT; r++) {
		unsigned d = text_distance(name, r->name);

		if (d < nearest) {
			nearest = d;
			best = r;
		}
	}
	return best;
}

const char *key_named(size_t i)
{
	for (size_t at = 0; at < KEY_NAMES; at++)
		if ((at == 0 || key_names[at].key != key_names[at - 1].key) && i-- == 0)
			return key_names[at].name;
	return NULL;
}

const char *key_text(uint32_t key, char *dst, unsigned size)
{
	for (size_t i = 0; i < KEY_NAMES; i++) {
		if (key_names[i].key == key) {
			snprintf(dst, size, "%s", key_names[i].name);
			return dst;
		}
	}
	if (key > KEY_F_ && key <= KEY_F_ + KEY_FUNCTIONS)
		snprintf(dst, size, "F%u", (unsigned)(key - KEY_F_));
	else if (key < 0x20)
		snprintf(dst, size, "Ctrl-%c", (char)(key + '@'));
	else if (key < 0x7f)
		snprintf(dst, size, "%c", (char)key);
	else
		dst[key < KEY_UP_ && size > 4 ? text_encode(key, dst) : 0] = 0;
	return dst;
}

uint32_t key_of_text(const char *text)
{
	size_t n = strlen(text);
	uint64_t number;
	uint32_t cp;

	for (size_t i = 0; i < KEY_NAMES; i++)
		if (!strcasecmp(key_names[i].name, text))
			return key_names[i].key;
	if (n && text_utf8(text, n, &cp) == n)
		return cp > 0x20 && cp != 0x7f && !(cp >= 0x80 && cp < 0xa0) ? cp : 0;
	if ((text[0] == 'F' || text[0] == 'f') && text_u64(text + 1, &number))
		return number >= 1 && number <= KEY_FUNCTIONS ? KEY_F_ + (uint32_t)number : 0;
	if (n == 6 && !strncasecmp(text, "ctrl-", 5))
		text += 5;
	else if (n == 2 && text[0] == '^')
		text++;
	else
		return 0;
	/* Ctrl-@ is no key: 0 is none. */
	return *text >= 'a' && *text <= 'z' ? CTRL(*text) :
	       *text > '@' && *text <= '_' ? CTRL(*text) : 0;
}
