/*
 * marks: what happened at a node, in the order of time: resets, losses, disconnections, other
 * firmware, and the user's bookmarks.
 */
#ifndef WSNTOP_TUI_APP_PANE_MARKS_H
#define WSNTOP_TUI_APP_PANE_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/history/history.h"
#include "tui/app/pane/beside.h"

/* Where several would stand in one column of the time bar, the last of these does. */
enum mark_kind { MARK_LOST, MARK_GONE, MARK_RESET, MARK_IMAGE, MARK_BOOKMARK, MARK_KINDS };

/* One row a kind: its sign on the time bar, and the sign's meaning there. */
struct mark_row {
	enum mark_kind kind;
	char sign;
	const char *legend;
};

extern const struct mark_row mark_rows[MARK_KINDS];

struct mark {
	uint64_t time_ns;		/* of the data's clock */
	enum mark_kind kind;
	bool restart;			/* a reset: of the node, not the user's */
	uint64_t lost, bad;		/* losses: packets and bytes */
	const char *note;		/* a bookmark's; borrowed until the bookmarks change */
};

struct marks {
	struct mark *items;		/* ascending */
	size_t count, cap;
	/* private: what they were made of */
	const void *of;
	uint64_t serial;
	unsigned bookmarks;		/* their serial */
};

void marks_release(struct marks *m);

/*
 * Those of a history (NULL: none), and of bookmarks of its node (NULL: none). Losses of successive
 * moments are one mark, at the first of them. What there is no memory for is left out.
 */
void marks_fill(struct marks *m, const struct history *h, const struct beside *b,
		const struct node *n);

/* The first mark after this time, or the last one not after it; NULL: there is none. */
const struct mark *marks_after(const struct marks *m, uint64_t time_ns);
const struct mark *marks_until(const struct marks *m, uint64_t time_ns);

/* "node restarted", "12 lost, 30 bad bytes", a note */
const char *mark_text(const struct mark *m, char *dst, size_t size);

#endif
