#include "tui/part/list.h"

#define WHEEL_LINES 3

static size_t page_lines(int page)
{
	return page > 0 ? (size_t)page : 1;
}

static void list_move(struct list *l, bool down, size_t by)
{
	size_t last = l->count ? l->count - 1 : 0;

	if (down)
		l->cursor = by > last - l->cursor ? last : l->cursor + by;
	else
		l->cursor = by > l->cursor ? 0 : l->cursor - by;
}

void list_show(struct list *l, int page)
{
	size_t n = page_lines(page);

	if (l->cursor >= l->count)
		l->cursor = l->count ? l->count - 1 : 0;
	if (l->top > l->cursor)
		l->top = l->cursor;
	if (l->cursor - l->top >= n)
		l->top = l->cursor - n + 1;
	if (l->top + n > l->count)
		l->top = l->count > n ? l->count - n : 0;
}

bool list_act(struct list *l, enum action a, int page)
{
	size_t n = page_lines(page);

	list_show(l, page);
	switch (a) {
	case ACTION_UP: list_move(l, false, 1); break;
	case ACTION_DOWN: list_move(l, true, 1); break;
	case ACTION_PAGE_UP: list_move(l, false, n); break;
	case ACTION_PAGE_DOWN: list_move(l, true, n); break;
	case ACTION_HALF_UP: list_move(l, false, page_lines(page / 2)); break;
	case ACTION_HALF_DOWN: list_move(l, true, page_lines(page / 2)); break;
	case ACTION_TOP: l->cursor = 0; break;
	case ACTION_BOTTOM: l->cursor = l->count ? l->count - 1 : 0; break;
	default: return false;
	}
	list_show(l, page);
	return true;
}

/* The wheel moves the lines; the cursor stays on its line until that would leave the page. */
bool list_wheel(struct list *l, int button, int page)
{
	size_t n = page_lines(page), last_top = l->count > n ? l->count - n : 0;

	if (button != 4 && button != 5)
		return false;
	list_show(l, page);
	if (button == 4)
		l->top = l->top > WHEEL_LINES ? l->top - WHEEL_LINES : 0;
	else
		l->top = l->top + WHEEL_LINES < last_top ? l->top + WHEEL_LINES : last_top;
	if (l->cursor < l->top)
		l->cursor = l->top;
	if (l->cursor >= l->top + n)
		l->cursor = l->top + n - 1;
	return true;
}

bool list_search(struct list *l, bool backwards, bool (*matches)(void *ctx, size_t line), void *ctx)
{
	size_t at = l->cursor;

	for (size_t i = 0; i < l->count; i++) {
		if (backwards)
			at = at ? at - 1 : l->count - 1;
		else
			at = at + 1 < l->count ? at + 1 : 0;
		if (matches(ctx, at)) {
			l->cursor = at;
			return true;
		}
	}
	return false;
}
