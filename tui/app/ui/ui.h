/*
 * ui: the state of the screen, shared by the files that make it up. Private to tui/.
 *
 * From the top down; none calls one above it (tests/floors):
 *
 *	app.c       the loop: poll, nodes, keys; frames.c: when the screen is drawn;
 *	            relief.c: nodes go on meanwhile
 *	act.c       carries actions out, and those that dialogs and views reply
 *	bar.c       the time bar: the mouse, zoom; marks.c: marks and bookmarks
 *	seek.c      a time of a recording that is typed
 *	play.c      a recording's player; time.c stands on it
 *	editor.c    the editor; clip.c: the clipboard; time.c: the past
 *	palette.c   every action by name
 *	setup.c     the options screen; fleet.c: all nodes in a table
 *	gather.c    all nodes' counts, for what is told of them together
 *	whole.c     nodes of a broker that are opened, and let go
 *	serve.c     takes what nodes have sent
 *	dialog/     the other dialogs
 *	ui/         draw.c: one frame; name.c: the selected row's name; dialog.c: the open
 *	            dialog's keys; ui.c: say, show, sort
 *	header/     the lines on top; pane/: a node and its views, which time they show
 */
#ifndef WSNTOP_TUI_APP_UI_UI_H
#define WSNTOP_TUI_APP_UI_UI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/moment.h"
#include "core/node/nodes.h"
#include "tui/app/dialog/baseline.h"
#include "tui/app/dialog/columns.h"
#include "tui/app/dialog/write.h"
#include "tui/part/menu.h"
#include "tui/config/options.h"
#include "tui/app/pane/pane.h"
#include "tui/part/naming.h"
#include "tui/part/prompt.h"
#include "tui/term/screen.h"
#include "tui/config/settings.h"

struct ui;

/* What to do after a dialog's answer. It never calls act.c, which carries out the action. */
struct dialog_reply {
	bool stay;			/* the answer is no good, or was none: go on asking */
	enum action go;			/* to be carried out; ACTION_NONE: nothing */
};

#define DIALOG_CLOSED ((struct dialog_reply){ .stay = false })

/*
 * A question to the user: a prompt if it has `edited`, a menu if not; or, if it has `draw`, a
 * dialog of its own kind. While `done`, `cancelled` or `key` run it is closed: they may open
 * another.
 */
struct dialog {
	void (*edited)(struct ui *u);		/* the text changed */
	struct dialog_reply (*done)(struct ui *u);
	void (*moved)(struct ui *u);		/* the menu's cursor; may be NULL */
	void (*cancelled)(struct ui *u);	/* may be NULL */
	void (*other)(struct ui *u, uint32_t key);	/* another key; may be NULL */
	void (*draw)(struct ui *u, struct grid *g);	/* over the whole screen */
	/* With draw. A key, or a mouse's. */
	struct dialog_reply (*key)(struct ui *u, uint32_t key, const struct screen_mouse *mouse);
};

#define UI_HINTS 32

/* A key that a dialog knows, for the bottom line. */
struct ui_key_hint {
	const char *key, *does;
};

/* A hint on the bottom line: a click there does it. */
struct ui_hint {
	int x, width;
	enum action action;
};

#define NODES_MEMORY 512.0		/* MB, where the user gives none */

struct ui {
	const struct options *options;
	struct screen *screen;
	struct quota memory;		/* of a broker's nodes, and the past of those open */
	struct nodes nodes;
	/*
	 * One a node, in order; they stay where they are while others come, until one is let go
	 * (whole.c). A node whose pane there was no memory for has none: count panes, not nodes.
	 */
	struct pane **panes;
	size_t pane_count, pane_cap;
	size_t pane_number;		/* of the next one */
	size_t current;			/* node shown */
	struct pollfd *fds;		/* room for all that is waited for */
	size_t fds_cap;
	size_t view;			/* in views[] */
	size_t history[PANE_VIEWS];	/* views to go back to */
	size_t history_count;
	bool frozen;

	const struct dialog *dialog;	/* NULL: none open */
	struct prompt prompt;
	struct menu menu;
	struct columns_dialog columns;
	struct prompt_history searches, filters, palettes;
	struct prompt_history sent;	/* lines sent to nodes */
	unsigned line_end;		/* of what is sent: dialog/send.c */
	struct palette *palette;	/* while it is open */
	struct logging *logging;	/* likewise: what is to be logged, being typed */
	struct setup *setup;		/* likewise: the options */
	struct fleet *fleet;		/* likewise: all nodes */
	struct gather *gather;		/* gather.h; NULL: no memory */
	struct settings settings;
	struct baselines baselines;
	const struct exporter *exporter;	/* chosen, its file being asked for */
	struct writes writes;
	char asked[160];			/* a prompt's label that is put together */
	char watched[WATCH_FUNCTION];	/* the function whose bound is being asked for */
	size_t watch_line;		/* of the list of watches, chosen; 0: a new one */
	const struct wsn_command_row *command;	/* chosen, its number being asked for */

	char message[400];		/* on the bottom line until the next key; "" none */
	bool message_bad;

	bool left;			/* while a thread was opening nodes, which it still does */
	bool quit;
	bool draw_now;			/* the user did something: at once */
	bool more;			/* the view goes on with an action, until a key comes */
	bool works;			/* the table of all nodes has more to compute */
	bool moment_typed;		/* the view is to go to: */
	struct moment moment;
	bool body_pressed;		/* the mouse, on the view: it gets what follows */
	bool draw_soon;			/* data came: with the next frame */
	size_t take;			/* bytes of nodes between two looks at the keyboard; 0: the
					 * first look is to come */
	int width, height;		/* of the screen as drawn last */
	int bar_y, bar_lines;		/* of the time bar; 0 lines: none */
	uint64_t mark_ns;		/* a bookmark's, its note being asked for */
	struct marks listed;		/* in the menu of marks; their notes are gone */
	/* While the mouse is dragged on it: */
	bool dragging;
	int drag_line, drag_x;		/* its line and column where that began */
	uint64_t drag_ns;		/* the time there */
	int detail_x;			/* of the detail as drawn last; -1: it was not */
	bool welcome;			/* no key was pressed on this machine yet */
	bool in_detail;			/* it has the focus, where it is shown */
	int body_y, body_height;	/* of the view as drawn last; tabs are just above */
	struct naming naming;		/* functions' names of the frame */
	bool name_line;			/* below the view there is a line for the selected one's */
	size_t name_view;		/* of this view */
	int name_left;			/* columns that names are scrolled by */
	struct ui_hint hints[UI_HINTS];	/* on the bottom line as drawn last */
	size_t hint_count;
};

static inline struct pane *ui_pane(struct ui *u)
{
	return u->panes[u->current];
}

/* --- name.c: the selected row's name in full ------------------------------------------------ */

void ui_name_prepare(struct ui *u, const struct grid *g);	/* before the view is drawn */
bool ui_name_reserve(struct ui *u, const struct grid *g);	/* after; true: draw it again */
void ui_name_draw(const struct ui *u, struct grid *g, int y);
bool ui_name_scroll(struct ui *u, int by);	/* all names; false: no further */

/* --- ui.c: what actions and dialogs alike do ------------------------------------------------ */

/* A line at the bottom; "{action}" in fmt is the action's key. */
void ui_say(struct ui *u, bool bad, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* A fact of core's, and what the user could do about it. */
void ui_tell(struct ui *u, bool bad, enum advice advice, const char *fact);

void ui_open_dialog(struct ui *u, const struct dialog *d);

size_t ui_view_count(void);
size_t ui_view_of(enum action a);	/* the view that it shows; PANE_VIEWS: it shows none */
void ui_show_view(struct ui *u, size_t view, bool remember);
void ui_sort(struct ui *u, enum column_id column);
void ui_set_follow(struct ui *u, bool on);
void ui_reset_here(struct ui *u);	/* reset the counters on this side; the node goes on */

/* welcome.c: keys to begin with, until the first one is pressed */
void ui_welcome(struct ui *u);
void ui_welcomed(struct ui *u);

/* --- dialog.c: keys and clicks while a dialog is open ---------------------------------------- */

/* The action that the answer asks for; ACTION_NONE: none. */
enum action ui_dialog_key(struct ui *u, uint32_t key, const struct screen_mouse *mouse);
bool ui_dialog_is_menu(const struct ui *u);

/* For dialogs with a prompt. */
bool ui_prompt_click(struct ui *u, const struct screen_mouse *mouse);	/* false: not on its line */
void ui_prompt_clear(struct ui *u);		/* `edited`, where any text will do */

/* --- dialogs: open one ----------------------------------------------------------------------- */

void ui_ask_pattern(struct ui *u, enum pattern which);	/* dialog/ask.c */
void ui_ask_column(struct ui *u);		/* what to sort by */
void ui_ask_export(struct ui *u);
void ui_ask_export_file(struct ui *u, const struct exporter *e);
void ui_ask_columns(struct ui *u);		/* dialog/columns.c: which, order, widths */
void ui_ask_baseline(struct ui *u);		/* dialog/baseline.c */
void ui_ask_order(struct ui *u);		/* what the compare view is sorted by */
void ui_ask_send(struct ui *u);			/* dialog/send.c: a line for the node */
void ui_ask_battery(struct ui *u);		/* dialog/battery.c */
void ui_ask_command(struct ui *u);		/* dialog/command.c */
void ui_ask_reset(struct ui *u);		/* at once where there is nothing to choose */
void ui_ask_watch(struct ui *u);		/* watch.c: bounds */
void ui_ask_logged(struct ui *u);		/* logged.c: variables, calls, interrupts */
void ui_logged_close(struct ui *u);		/* what is typed there, at the end */
void ui_ask_palette(struct ui *u);		/* palette.c */
void ui_ask_nodes(struct ui *u);		/* fleet.c: all in a table */
void ui_nodes_close(struct ui *u);		/* at the end, where it is open */
bool ui_nodes_work(struct ui *u, uint64_t now);	/* a piece; true: there is more */
void ui_ask_options(struct ui *u);		/* setup.c: F2 */
void ui_set_theme(struct ui *u, const char *name);
bool ui_option(size_t i, const char **name, const char **help);	/* false: past the last */
void ui_set_option(struct ui *u, size_t i);

/* --- what actions do, each in a file of its own ---------------------------------------------- */

void ui_time(struct ui *u, enum action a);	/* time.c: the past, windows, intervals, saving */
/*
 * Show this time of the data's clock: of a live node the moment that was then; a recording's player
 * goes there and pauses, also where nothing was read yet.
 */
void ui_say_window(struct ui *u);	/* that one is set, and what goes on from there */
void ui_seek(struct ui *u, uint64_t at_ns);
void ui_seek_on(struct ui *u, uint64_t at_ns);	/* a recording that plays, plays on from there */

/* bar.c: the time bar */
void ui_bar_zoom(struct ui *u, int by);		/* negative: in */

/* marks.c */
void ui_mark_step(struct ui *u, int by);	/* to the next mark, or the one before */
void ui_visit(struct ui *u, uint64_t at_ns);	/* as ui_seek, and ui_leave goes back */
void ui_leave(struct ui *u);
void ui_ask_bookmark(struct ui *u);		/* a note for one at the moment shown */
void ui_ask_marks(struct ui *u);		/* all marks and bookmarks, to go to */
void ui_bar_mouse(struct ui *u, const struct screen_mouse *m);	/* a click on it */
void ui_bar_drag(struct ui *u, const struct screen_mouse *m);	/* what follows any click */
void ui_copy(struct ui *u);			/* clip.c: the row, by OSC 52 */
void ui_edit(struct ui *u);			/* editor.c: $EDITOR at the line */

void ui_ask_time(struct ui *u);			/* seek.c: for a time, and go there */

/* play.c */
bool ui_play_pauses(const struct pane *p);	/* a file, whose end is still to come */
bool ui_play_is_paused(struct ui *u);		/* or a window of it is shown */
bool ui_play_at_end(struct ui *u);		/* of a recording; true: it was said */
bool ui_play_stop(struct ui *u);		/* a seek; false: none was under way */
void ui_play_go(struct ui *u, uint64_t at_ns, bool paused);	/* all recordings */
void ui_play_end(struct ui *u);			/* to its end, or as far as it is written */
void ui_play_faster(struct ui *u, bool faster);
uint64_t ui_play_at(struct ui *u);		/* where it stands, or goes to; newest: max */
uint64_t ui_play_step(struct ui *u, const struct history *h, long by);	/* that many moments on */

/* serve.c */
int ui_open_panes(struct ui *u, struct err *err);	/* one for each node that has none yet */
void ui_take_bytes(struct ui *u);		/* serve nodes: the loop does, and the editor */

/* draw.c */
void ui_draw_keys(struct grid *g, const struct ui_key_hint *hints, size_t count);
void ui_draw(struct ui *u, uint64_t now);
const struct view_ops *ui_tab_at(struct ui *u, int x);
bool ui_hint_is_among(const enum action *hints, size_t n, enum action a);
enum action ui_hint_at(const struct ui *u, int x);	/* on the bottom line */

/* act.c */
void ui_key(struct ui *u, uint32_t key, const struct screen_mouse *mouse);
void ui_go_on(struct ui *u);			/* the view, with what its last action began */

#endif
