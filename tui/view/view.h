/*
 * view: one way of looking at a node. Each view is one file that fills in a const struct view_ops.
 *
 * A view draws cells into the grid it is handed and answers actions; it knows nothing of curses, of
 * other views' state or of the loop. What all share (which function is selected, filter, order,
 * search) is in struct view_shared, so that switching views keeps the place.
 */
#ifndef WSNTOP_TUI_VIEW_VIEW_H
#define WSNTOP_TUI_VIEW_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "tui/part/list.h"
#include "tui/part/shared.h"
#include "tui/term/grid.h"

struct view;
struct moment;			/* core/base/moment.h */

#define VIEW_HINTS 28			/* actions that a view hints at, at most */

/* What an action does in this view, where its own row (action.h) is too general. */
struct view_word {
	enum action action;		/* ACTION_NONE ends */
	const char *hint;		/* for the bottom line */
	const char *help;
};

/*
 * What a view answers to an action or a click: the app carries it out. All zero: the view has no
 * use for it, the app looks at it. Texts are borrowed until the view is called again. The functions
 * below make all the replies that there are.
 */
struct view_reply {
	bool handled;
	bool redraw;			/* the view does not look the same any more */
	bool no_match;			/* the search pattern is found nowhere */
	bool more;			/* it goes on: ACTION_NONE follows, unless a key does */
	bool input;			/* open a line that is sent to the node */
	bool visit;			/* show the time visit_ns of the data's clock for a while */
	bool leave;			/* ... and again the time that was shown before that */
	uint64_t visit_ns;
	enum action go;			/* to be done next (ACTION_VIEW_*: show that view) */
	const char *say;		/* a message, "{action}" as its key */
	const char *error;		/* what failed, word for word */
};

static inline struct view_reply view_pass(void)
{
	return (struct view_reply){ 0 };
}

static inline struct view_reply view_done(void)		/* nothing changed */
{
	return (struct view_reply){ .handled = true };
}

static inline struct view_reply view_redraw(void)
{
	return (struct view_reply){ .handled = true, .redraw = true };
}

static inline struct view_reply view_no_match(void)
{
	return (struct view_reply){ .handled = true, .no_match = true };
}

static inline struct view_reply view_input(void)
{
	return (struct view_reply){ .handled = true, .input = true };
}

static inline struct view_reply view_visit_time(uint64_t time_ns)
{
	return (struct view_reply){ .handled = true, .visit = true, .visit_ns = time_ns };
}

static inline struct view_reply view_leave_time(void)
{
	return (struct view_reply){ .handled = true, .leave = true };
}

static inline struct view_reply view_go(enum action action)
{
	return (struct view_reply){ .handled = true, .go = action };
}

static inline struct view_reply view_say(const char *text)
{
	return (struct view_reply){ .handled = true, .redraw = true, .say = text };
}

static inline struct view_reply view_error(const char *text)
{
	return (struct view_reply){ .handled = true, .redraw = true, .error = text };
}

struct view_ops {
	const char *name;		/* on its tab: "flat" */
	const char *brief;		/* there where room is short; NULL: its name */
	const char *title;		/* in the help */
	const char *about;		/* how to read it, for the help: a few sentences */
	enum action action;		/* the key that shows it */
	size_t size;			/* bytes of its state, which begins with struct view */
	int (*init)(struct view *v);	/* its state is zeroed; may be NULL */
	void (*release)(struct view *v);	/* follows a failed init, too; may be NULL */
	/*
	 * New data, another profile, order or search: rebuild the rows. Called before draw when
	 * something changed; a moved cursor is no change.
	 */
	void (*update)(struct view *v, const struct view_shared *s);
	void (*draw)(struct view *v, const struct view_shared *s, struct grid *g);
	/*
	 * Every action comes here first. Of what is shared an action changes the selection and the
	 * order alone: the cursor's function becomes the selected one.
	 */
	struct view_reply (*act)(struct view *v, struct view_shared *s, enum action a);
	/*
	 * A click (button 1), double click (2), wheel up (4) or down (5) at a cell of its
	 * rectangle.
	 */
	struct view_reply (*mouse)(struct view *v, struct view_shared *s, int x, int y,
				   int button);
	/*
	 * Actions for the hint line at the bottom and this view's part of the help, the most useful
	 * first; ACTION_NONE ends. At most VIEW_HINTS.
	 */
	const enum action *hints;
	const struct view_word *words;	/* NULL: none of its own */
	/*
	 * The row under the cursor as text, for the clipboard. NULL or false: the selected
	 * function's name.
	 */
	bool (*copy)(struct view *v, const struct view_shared *s, struct buf *out);
	/*
	 * Work that goes on beside (a child's output): its descriptor, -1 none; and what to do when
	 * it is readable, or a second has passed. True: update and draw.
	 */
	int (*fd)(const struct view *v);
	bool (*service)(struct view *v, uint64_t now);
	/*
	 * How many of its rows the filter shows, of how many. NULL or false: it shows all.
	 */
	bool (*filtered)(const struct view *v, size_t *shown, size_t *all);
	/*
	 * The function on the cursor's line, PROFILE_NONE if there is none. NULL: it is no list of
	 * functions that is shown with the detail of one beside it.
	 */
	uint32_t (*cursor)(struct view *v, const struct view_shared *s);
	/* A time that the user typed, of what it shows. NULL: the recording's player goes there. */
	struct view_reply (*go_to)(struct view *v, struct view_shared *s, const struct moment *m);
	bool steps;			/* "next" and "previous" have a use without a search */
	/* Its update did a part of what is to be done: it is called again for a next frame. */
	bool (*goes_on)(const struct view *v);
	/* Where the editor is to open. NULL or false: where the selected function is declared. */
	bool (*place)(struct view *v, const struct view_shared *s, struct view_place *at);
};

struct view {
	const struct view_ops *ops;
	int height, width;		/* of the rectangle last drawn */
};

/* The views in the order of their keys; ends with NULL. */
extern const struct view_ops *const views[];

/* The view's own words for an action, else its row's; {0} for what is no action. */
struct view_word view_word(const struct view_ops *ops, enum action action);

size_t view_hint_count(const struct view_ops *ops);

struct view *view_new(const struct view_ops *ops);	/* NULL: out of memory */
void view_free(struct view *v);

#endif
