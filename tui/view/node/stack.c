/* stack: how deep the node's stacks were, as a simulator measures them. */
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/view/node/sections.h"

/* "... < net_poll < main": the innermost calls. */
static void path_text(const struct node *n, const struct wire_watermark *m, char *dst, size_t size)
{
	const struct image *im = node_image(n);
	size_t at = 0;

	dst[0] = '\0';
	for (uint32_t i = m->count; im && i-- > 0 && at < size; ) {
		uint32_t id = image_find(im, m->path[i]);

		if (id == IMAGE_NONE)
			continue;
		at += (size_t)snprintf(dst + at, size - at, "%s%s", at ? " < " : "",
				       image_function(im, id)->name);
	}
	if (m->open > m->count && at < size)
		snprintf(dst + at, size - at, " < ...");
}

static void add_mark(struct board *b, const struct node *n, const struct wire_watermark *m)
{
	int64_t room = node_image(n) ? image_stack_room(node_image(n), m->low) : -1;
	uint64_t most = m->base - m->low;
	char label[32], path[400];
	struct board_line *l;

	snprintf(label, sizeof(label), m->stack ? "task %u" : "main", m->stack);
	if (room < 0) {
		board_add(b, BOARD_FACT, label, ROLE_VALUE, "%s B at most", TEXT_WHOLE(most));
	} else {
		l = board_add(b, BOARD_BAR, label, room ? ROLE_VALUE : ROLE_WARNING,
			      "%s B, %s B free", TEXT_WHOLE(most),
			      TEXT_WHOLE((uint64_t)room));
		l->share = (double)most / (double)(most + (uint64_t)room + !most);
	}
	path_text(n, m, path, sizeof(path));
	if (*path)
		board_add(b, BOARD_NOTE, "", ROLE_LABEL, "%s", path);
}

void section_stack(struct board *b, const struct node *n)
{
	const struct wire_watermark *marks;
	size_t count = node_watermarks(n, &marks);

	if (!count)
		return;
	board_heading(b, "Stack, measured");
	for (size_t i = 0; i < count; i++)
		add_mark(b, n, &marks[i]);
}
