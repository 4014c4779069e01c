/*
 * serve: take what nodes have sent. The loop does it, and the editor while it has the terminal.
 */
#include <stdio.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "tui/app/ui/ui.h"
#include "tui/config/advice.h"

/*
 * Bytes of all nodes between two looks at the keyboard: as many as took so long last time, for in
 * tens of thousands of call sites each row is one that no cache has.
 */
#define TAKE_NS (CLOCK_SECOND / 100)
enum { TAKE_LEAST = 16 * 1024, TAKE_MOST = 512 * 1024, TAKE_EACH = 4096 };

int ui_open_panes(struct ui *u, struct err *err)
{
	while (u->pane_count < u->nodes.count) {
		struct pane *p = mem_zalloc(sizeof(*p));

		if (!p || mem_grow(&u->panes, &u->pane_cap, u->pane_count + 1,
				   sizeof(struct pane *)) < 0) {
			mem_free(p);
			return err_set(err, ERR_NOMEM, "out of memory");
		}
		if (pane_init(p, u->nodes.items[u->pane_count], u->options, &u->settings, err) <
		    0) {
			pane_release(p);
			mem_free(p);
			return ERR_NOMEM;
		}
		p->number = u->pane_number++;
		u->panes[u->pane_count++] = p;
	}
	return 0;
}

/* Bytes of a node in this turn. */
static size_t take_room(const struct ui *u)
{
	size_t each = (u->take ? u->take : TAKE_MOST) / (u->pane_count ? u->pane_count : 1);

	return each < TAKE_EACH ? TAKE_EACH : each;
}

/* For the next turn, by the time that this one took. */
static void take_note(struct ui *u, uint64_t took)
{
	size_t take = u->take ? u->take : TAKE_MOST;

	if (took > TAKE_NS && take > TAKE_LEAST)
		take /= 2;
	else if (took < TAKE_NS / 2 && take < TAKE_MOST)
		take *= 2;
	u->take = take;
}

/* On the screen; and on standard error, where that is somewhere else than the screen. */
static void say_news(struct ui *u, size_t i, unsigned changes)
{
	const struct node *n = u->nodes.items[i];
	char line[512];

	if (!(changes & NODE_NEWS))
		return;
	if (i == u->current && !node_image_refused(n))	/* the header says that already */
		ui_tell(u, node_news(n)->bad, node_news(n)->advice, node_news(n)->text);
	if (node_news(n)->bad && !isatty(STDERR_FILENO))
		fprintf(stderr, "wsntop: %s\n", advice_text(node_news(n)->advice,
			node_news(n)->text, line, sizeof(line)));
}

void ui_take_bytes(struct ui *u)
{
	uint64_t now = clock_now();
	struct err err = { 0 };
	size_t room;

	/* Also after a failure: other nodes may have come before it. */
	nodes_service(&u->nodes, now, &err);
	ui_open_panes(u, &err);
	if (err_is_set(&err))
		ui_say(u, true, "%s", err.text);
	room = take_room(u);
	for (size_t i = 0; i < u->pane_count; i++) {
		unsigned changes = node_service(u->nodes.items[i], now, room);

		say_news(u, i, changes);
		if (pane_change(u->panes[i], changes, u->view) && i == u->current)
			u->draw_soon = true;
		if (pane_service(u->panes[i], now, u->view) && i == u->current)
			u->draw_soon = true;
	}
	take_note(u, clock_now() - now);
	ui_baseline_service(u, now);
}
