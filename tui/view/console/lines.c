/*
 * lines: which of the console's lines are shown.
 *
 * Lines are numbered from the first line received: the place of the cursor stays while the ring
 * drops its oldest lines. With a filter the numbers of the matching lines are stored; without one
 * the list is the ring itself.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/sorted.h"
#include "tui/view/console/view.h"

uint64_t console_line_number(const struct console_view *c, size_t i)
{
	return *c->filter ? c->shown[i] : c->dropped + i;
}

bool console_line_at(const struct console_view *c, size_t i, struct console_line *line)
{
	return i < c->list.count &&
	       console_get(c->console, (size_t)(console_line_number(c, i) - c->dropped), line);
}

/* The number behind the last line to be shown. Times only grow. */
static uint64_t window_end(const struct console_view *c, const struct view_shared *s)
{
	struct console_line line;

	if (!s->window_end_ns)
		return UINT64_MAX;
	return c->console->dropped +
	       SORTED_WHERE(console_count(c->console), i, console_get(c->console, i, &line) &&
							  line.time_ns <= s->window_end_ns);
}

/* Adds matching lines received since the last search; the unfinished line is matched each time. */
static void matches_add(struct console_view *c, const struct regex *filter)
{
	const struct console *k = c->console;
	uint64_t all = k->dropped + console_count(k), whole = k->dropped + k->count;
	struct console_line line;

	while (c->shown_count && c->shown[c->shown_count - 1] >= c->searched)
		c->shown_count--;
	for (uint64_t n = c->searched > k->dropped ? c->searched : k->dropped; n < all; n++) {
		if (!console_get(k, (size_t)(n - k->dropped), &line) ||
		    !regex_match(filter, line.text) ||
		    mem_grow(&c->shown, &c->shown_cap, c->shown_count + 1, sizeof(*c->shown)) < 0)
			continue;
		c->shown[c->shown_count++] = n;
	}
	c->searched = whole;
}

/* Removes lines that the ring dropped from the front; returns how many. */
static size_t matches_drop(struct console_view *c, uint64_t gone)
{
	size_t n = 0;

	if (!*c->filter)
		return (size_t)gone;
	while (n < c->shown_count && c->shown[n] < c->dropped)
		n++;
	c->shown_count -= n;
	if (n)
		memmove(c->shown, c->shown + n, c->shown_count * sizeof(*c->shown));
	return n;
}

/* How many lines of the list come before a line number. */
static size_t lines_before(const struct console_view *c, uint64_t number)
{
	if (!*c->filter)
		return number > c->dropped ? (size_t)(number - c->dropped) : 0;
	return SORTED_WHERE(c->shown_count, i, c->shown[i] < number);
}

/* Another filter: the cursor stays at its line, or at the next that is left. */
static void filter_change(struct console_view *c, const struct regex *filter)
{
	char text[sizeof(c->filter)];
	uint64_t at;

	snprintf(text, sizeof(text), "%s", filter ? regex_pattern(filter) : "");
	if (strcmp(text, c->filter) == 0)
		return;
	at = c->list.cursor < c->list.count ? console_line_number(c, c->list.cursor) : 0;
	strcpy(c->filter, text);
	c->shown_count = 0;
	c->searched = 0;
	if (*text)
		matches_add(c, filter);
	c->list.count = SIZE_MAX;
	c->list.cursor = lines_before(c, at);
	c->list.top = 0;
}

/* Dropped lines move the cursor up: it stays on its line. */
void console_catch_up(struct console_view *c, const struct view_shared *s)
{
	const struct console *k = node_console(s->node);
	uint64_t all = k->dropped + console_count(k), gone, end;
	struct console_line line;
	size_t moved;

	if (c->console != k || k->dropped < c->dropped) {
		mem_free(c->shown);
		*c = (struct console_view){ .view = c->view, .console = k, .stamp = c->stamp,
					    .dropped = k->dropped };
	}
	if (c->restarts != node_restarts(s->node)) {	/* a recording is read again */
		c->restarts = node_restarts(s->node);
		c->has_first = false;
		c->shown_count = 0;
		c->searched = 0;
	}
	gone = k->dropped - c->dropped;
	c->dropped = k->dropped;
	moved = matches_drop(c, gone);
	c->list.cursor = c->list.cursor > moved ? c->list.cursor - moved : 0;
	c->list.top = c->list.top > moved ? c->list.top - moved : 0;
	filter_change(c, s->order.filter);
	if (*c->filter)
		matches_add(c, s->order.filter);
	if (!s->frozen || c->hold == 0 || c->hold > all)
		c->hold = all;
	end = window_end(c, s);
	c->list.count = lines_before(c, end < c->hold ? end : c->hold);
	if (c->returning && !s->visiting) {
		c->list.cursor = lines_before(c, c->visited);
		c->returning = false;
	}
	if (c->list.cursor >= c->list.count)
		c->list.cursor = c->list.count ? c->list.count - 1 : 0;
	if (!c->left && c->list.count)
		c->list.cursor = c->list.count - 1;
	if (!c->has_first && console_get(k, 0, &line)) {
		c->first_ns = line.time_ns;
		c->has_first = true;
	}
}
