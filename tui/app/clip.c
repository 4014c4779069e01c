/*
 * clip: the row to the clipboard (OSC 52).
 */
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "tui/app/ui/ui.h"

/* The view's row, else the selected function's name. False: there is nothing. */
static bool row_text(struct ui *u, struct buf *out)
{
	struct pane *p = ui_pane(u);
	struct view *v = p->views[u->view];
	uint32_t function = view_selected(&p->shared);

	if (v->ops->copy && v->ops->copy(v, &p->shared, out) && out->len)
		return true;
	if (function == PROFILE_NONE)
		return false;
	buf_reset(out);
	buf_adds(out, p->shared.model.profile->functions[function].name);
	return true;
}

/* Text may be pasted into a shell: only visible characters go to the clipboard. */
static char *text_for_clipboard(const struct buf *text)
{
	size_t n = text->len < SCREEN_COPY_MAX ? text->len : SCREEN_COPY_MAX;
	char *s = mem_alloc(4 * n + 1);

	if (s)
		text_visible(s, 4 * n + 1, text->data, n);
	return s;
}

void ui_copy(struct ui *u)
{
	struct buf text = BUF_INIT;
	char *shown;

	pane_sync(ui_pane(u), u->view);
	if (!row_text(u, &text)) {
		ui_say(u, true, "nothing to copy here");
		buf_release(&text);
		return;
	}
	shown = text.failed ? NULL : text_for_clipboard(&text);
	if (!shown)
		ui_say(u, true, "not copied: out of memory");
	else if (!screen_copy(u->screen, shown, strlen(shown)))
		ui_say(u, true, "not copied: the terminal accepts no data");
	else
		ui_say(u, false, "copied: %s", shown);
	mem_free(shown);
	buf_release(&text);
}
