/*
 * serve: take what nodes have sent. The loop does it, and the editor while it has the terminal.
 */
#include <stdio.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "tui/app/ui/ui.h"
#include "tui/config/advice.h"

enum { BUDGET = 512 * 1024 };		/* bytes of a node between two looks at the keyboard */

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
		u->panes[u->pane_count++] = p;
	}
	return 0;
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

	/* Also after a failure: other nodes may have come before it. */
	nodes_service(&u->nodes, now, &err);
	ui_open_panes(u, &err);
	if (err_is_set(&err))
		ui_say(u, true, "%s", err.text);
	for (size_t i = 0; i < u->pane_count; i++) {
		unsigned changes = node_service(u->nodes.items[i], now, BUDGET);

		say_news(u, i, changes);
		if (pane_change(u->panes[i], changes, u->view) && i == u->current)
			u->draw_soon = true;
		if (pane_service(u->panes[i], now, u->view) && i == u->current)
			u->draw_soon = true;
	}
	ui_baseline_service(u, now);
}
