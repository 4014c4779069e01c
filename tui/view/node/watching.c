/* watching: what is logged of the node while it runs: how each thing is watched, at what cost. */
#include <stdio.h>

#include "core/base/text.h"
#include "core/node/watched.h"
#include "tui/view/node/sections.h"

/* A name that the labels' column would cut has a line of its own: call:radio_start. */
static void add_watched(struct board *b, const struct watching_item *i)
{
	char how[200], lost[48] = "", count[32];
	const char *label = text_columns(i->text) <= BOARD_LABEL ? i->text : "";

	if (!*label)
		board_add(b, BOARD_NOTE, "", ROLE_LABEL, "%s", i->text);
	if (watching_is_refused(i)) {
		board_add(b, BOARD_FACT, label, ROLE_WARNING, "%s",
			  watching_how(i, how, sizeof(how)));
		return;
	}
	if (i->lost)
		snprintf(lost, sizeof(lost), ", %s lost",
			 text_whole(count, sizeof(count), i->lost));
	board_add(b, BOARD_FACT, label, i->lost ? ROLE_WARNING : ROLE_VALUE, "%s%s%s%s hit%s%s",
		  i->value, *i->value ? ", " : "", TEXT_WHOLE(i->hits), "",
		  i->hits == 1 ? "" : "s", lost);
	board_add(b, BOARD_NOTE, "", ROLE_LABEL, "%s", watching_how(i, how, sizeof(how)));
}

void sections_add_watching(struct board *b, const struct view_shared *s)
{
	struct watching_item items[WIRE_WATCHES];
	size_t count = node_watching_items(s->node, items);
	const struct wire_watching *w = node_watching(s->node);
	char cost[160];

	if (!count)
		return;
	board_heading(b, "Watching");
	for (size_t i = 0; i < count; i++)
		add_watched(b, &items[i]);
	if (w && *watching_cost(w, cost, sizeof(cost)))
		board_add(b, BOARD_FACT, "cost", w->halted > 0.1 ? ROLE_WARNING : ROLE_VALUE, "%s",
			  cost);
	if (w && *watching_port(w, cost, sizeof(cost)))
		board_add(b, BOARD_NOTE, "", ROLE_LABEL, "%s", cost);
}
