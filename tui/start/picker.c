#include "tui/start/picker.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/clock.h"
#include "core/base/mem.h"
#include "tui/config/action.h"
#include "tui/start/picker_parts.h"
#include "tui/term/signals.h"

#define LOOK_NS CLOCK_SECOND		/* between searches for ports and files */
#define FRAME_NS (CLOCK_SECOND / 10)	/* between frames while ports send; keys draw at once */

/* --- choosing --------------------------------------------------------------------------------- */

static void stage_enter(struct picker *p, enum stage stage)
{
	if (stage != STAGE_SEEK)
		seek_release(&p->seek);
	p->stage = stage;
	p->list = (struct list){ 0 };
	p->filter[0] = 0;
	p->moved = false;
	picker_list(p, true);
}

static void node_open(struct picker *p, const struct pair *pair)
{
	struct node_options node;
	struct err err = { 0 };

	options_node(p->options, 0, &node);
	node.source = p->source;
	if (*p->elf)
		node.elf = p->elf;
	if (pair)
		node.link.likely = pair->baud;
	if (pair && !node.format && pair->format[0])
		node.format = pair->format;
	seek_release(&p->seek);		/* it has the ports open */
	p->node = node_new(&node, &err);
	if (p->node)
		return;
	stage_enter(p, STAGE_SOURCE);
	snprintf(p->trouble, sizeof(p->trouble), "%s", err.text);
}

static void seek_follow(struct picker *p)
{
	struct node_options like;

	options_node(p->options, 0, &like);
	seek_add(&p->seek, p->ports, p->port_count, &like, &p->pairs);
}

static void seek_begin(struct picker *p, const char *elf)
{
	snprintf(p->elf, sizeof(p->elf), "%s", elf);
	seek_init(&p->seek, p->elf);
	stage_enter(p, STAGE_SEEK);
	seek_follow(p);
	p->list.count = 0;		/* the cursor goes to the first of them */
	picker_list(p, false);
}

static void sought_chosen(struct picker *p, size_t i)
{
	const char *record = p->options->records.count ? p->options->records.items[0] : NULL;
	struct err err = { 0 };

	p->node = seek_take(&p->seek, i, record, &err);
	if (!p->node)
		snprintf(p->trouble, sizeof(p->trouble), "%s", err.text);
}

static void source_chosen(struct picker *p, const char *source)
{
	snprintf(p->source, sizeof(p->source), "%s", source);
	if (p->options->elfs.count || p->stage == STAGE_SEEK)
		node_open(p, NULL);
	else
		stage_enter(p, STAGE_IMAGE);
}

static void image_chosen(struct picker *p, const char *elf)
{
	if (p->stage == STAGE_SOURCE) {
		seek_begin(p, elf);
		return;
	}
	snprintf(p->elf, sizeof(p->elf), "%s", elf);
	node_open(p, NULL);
}

static void pair_chosen(struct picker *p, const char *source, const struct pair *pair)
{
	snprintf(p->source, sizeof(p->source), "%s", source);
	snprintf(p->elf, sizeof(p->elf), "%.*s", p->options->elfs.count ? 0 : PICKER_PATH - 1,
		 pair->elf);
	node_open(p, pair);
}

static void prompt_begin(struct picker *p, int asking)
{
	p->asking = asking == ASK_FILTER ? ASK_FILTER : ASK_PATH;
	prompt_open(&p->prompt, p->asking == ASK_FILTER ? "/" :
		    p->stage == STAGE_IMAGE ? "ELF:" : "Source:",
		    p->asking == ASK_FILTER ? p->filter : "", NULL);
}

static void item_choose(struct picker *p)
{
	struct item i = p->items[p->list.cursor];	/* a choice replaces the list */

	if (!p->list.count)
		return;
	switch (i.kind) {
	case ITEM_SOURCE:	source_chosen(p, i.label); break;
	case ITEM_PAIR:		pair_chosen(p, i.label, &p->pairs.v[i.index]); break;
	case ITEM_IMAGE:	image_chosen(p, i.label); break;
	case ITEM_SOUGHT:	sought_chosen(p, i.index); break;
	case ITEM_TYPE:		prompt_begin(p, ASK_PATH); break;
	case ITEM_NONE:		image_chosen(p, ""); break;
	default:		break;
	}
}

/* --- keys ------------------------------------------------------------------------------------- */

static void filter_set(struct picker *p, const char *text)
{
	snprintf(p->filter, sizeof(p->filter), "%.*s", (int)sizeof(p->filter) - 1, text);
	picker_list(p, false);
}

static void prompt_take(struct picker *p, uint32_t key)
{
	enum prompt_answer a = prompt_key(&p->prompt, key);
	bool filter = p->asking == ASK_FILTER;
	char path[PICKER_PATH];

	if (filter && (a == PROMPT_EDITED || a == PROMPT_CANCELLED))
		filter_set(p, a == PROMPT_EDITED ? p->prompt.text : "");
	if (a != PROMPT_DONE && a != PROMPT_CANCELLED)
		return;
	p->asking = ASK_NOTHING;
	if (filter || a == PROMPT_CANCELLED || !p->prompt.len)
		return;
	file_expand(p->prompt.text, path, sizeof(path));
	if (p->stage == STAGE_IMAGE)
		image_chosen(p, path);
	else
		source_chosen(p, path);
}

/* The page that wsntop started with. */
static bool is_first_page(const struct picker *p)
{
	return p->stage == STAGE_SOURCE || (p->stage == STAGE_SEEK && p->options->seek);
}

static void page_back(struct picker *p)
{
	if (is_first_page(p))
		p->left = true;
	else
		stage_enter(p, STAGE_SOURCE);
}

static void cursor_step(struct picker *p, int by)
{
	size_t at = p->list.cursor;

	while (at + (size_t)by < p->list.count) {	/* unsigned: -1 from 0 ends, too */
		at += (size_t)by;
		if (picker_choosable(&p->items[at])) {
			p->list.cursor = at;
			return;
		}
	}
	p->list.top = by < 0 ? 0 : p->list.top;
}

/* Entries that cannot be chosen are stepped over, in the direction of the move. */
static void cursor_move(struct picker *p, enum action a)
{
	int by = a == ACTION_UP || a == ACTION_PAGE_UP || a == ACTION_BOTTOM ? -1 : 1;

	if (a == ACTION_UP || a == ACTION_DOWN) {
		cursor_step(p, by);
		return;
	}
	if (!list_act(&p->list, a, p->page > 0 ? p->page : 1) || !p->list.count)
		return;
	for (int tries = 0; tries < 2 && !picker_choosable(&p->items[p->list.cursor]); tries++)
		cursor_step(p, tries ? -by : by);
}

static void click_take(struct picker *p, const struct screen_mouse *m)
{
	size_t at = p->list.top + (size_t)(m->y - PICKER_TOP);

	if (m->button == 4 || m->button == 5) {
		cursor_step(p, m->button == 4 ? -1 : 1);
	} else if (m->button < SCREEN_DRAG && m->y >= PICKER_TOP &&
		   m->y < PICKER_TOP + p->page && at < p->list.count &&
		   picker_choosable(&p->items[at])) {
		p->list.cursor = at;
		if (m->button == 2)
			item_choose(p);
	}
}

static void action_take(struct picker *p, struct screen *s, enum action a)
{
	switch (a) {
	case ACTION_ENTER:	item_choose(p); break;
	case ACTION_SEARCH:
	case ACTION_FILTER:	prompt_begin(p, ASK_FILTER); break;
	case ACTION_CANCEL:	/* does not leave */
		if (*p->filter)
			filter_set(p, "");
		else if (!is_first_page(p))
			page_back(p);
		break;
	case ACTION_BACK:	page_back(p); break;
	case ACTION_QUIT:	p->left = true; break;
	case ACTION_SUSPEND:	screen_suspend(s); break;
	case ACTION_REDRAW:	screen_redraw(s); break;
	default:		cursor_move(p, a); break;
	}
}

/* --- the loop --------------------------------------------------------------------------------- */

static void signals_take(struct picker *p, struct screen *s)
{
	int sig;

	while ((sig = signals_next())) {
		p->draw_now = true;
		if (sig == SIGTSTP)
			screen_suspend(s);
		else if (sig == SIGCONT)
			screen_resume(s);
		else if (sig != SIGWINCH)
			p->left = true;
	}
}

/* Ports come and go; those that are listened to are read. */
static void ports_service(struct picker *p, uint64_t *looked)
{
	uint64_t now = clock_now();
	size_t match = seek_service(&p->seek, now);

	if (match < SEEK_PORTS) {
		sought_chosen(p, match);
	} else if (now - *looked >= LOOK_NS) {
		*looked = now;
		p->draw_now = true;
		picker_list(p, true);
		if (p->stage == STAGE_SEEK)
			seek_follow(p);
	}
}

static void keys_take(struct picker *p, struct screen *s)
{
	struct screen_mouse mouse;
	uint32_t key;

	while (!p->left && !p->node && (key = screen_key(s, &mouse))) {
		p->draw_now = true;
		if (p->asking) {
			if (key != KEY_MOUSE_)
				prompt_take(p, key);
			continue;
		}
		p->trouble[0] = 0;
		p->moved |= key != KEY_RESIZE_;
		if (key == KEY_MOUSE_)
			click_take(p, &mouse);
		else
			action_take(p, s, keymap_of_key(p->keys, key));
	}
}

/* Ports that are listened to wake us at every few bytes: these are not worth a frame each. */
static void draw_if_due(struct picker *p, struct screen *s, uint64_t *drawn)
{
	uint64_t now = clock_now();
	struct grid *g;

	if (!p->draw_now && p->stage == STAGE_SEEK && now - *drawn < FRAME_NS)
		return;
	p->draw_now = false;
	*drawn = now;
	if (p->stage == STAGE_SEEK)
		picker_list(p, false);
	g = screen_begin(s);
	screen_end(s, picker_draw(p, g), g->height - 1);
}

static void picker_loop(struct picker *p, struct screen *s, int signals)
{
	struct pollfd fds[2 + SEEK_PORTS * NODE_FDS] = {
		{ .fd = screen_fd(s), .events = POLLIN }, { .fd = signals, .events = POLLIN },
	};
	uint64_t looked = clock_now(), drawn = 0;

	while (!p->left && !p->node) {
		size_t n;
		uint64_t now;

		draw_if_due(p, s, &drawn);
		n = 2 + seek_poll_fds(&p->seek, fds + 2);
		now = clock_now();
		poll(fds, n, clock_sooner(clock_ms_until(looked + LOOK_NS, now),
					  seek_timeout(&p->seek, now)));
		if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
			p->left = true;
		signals_take(p, s);
		keys_take(p, s);
		if (!p->left && !p->node)
			ports_service(p, &looked);
	}
	seek_release(&p->seek);
}

struct node *picker_run(struct screen *screen, int signals, const struct options *o,
			const struct keymap *keys)
{
	struct picker *p = mem_zalloc(sizeof(*p));
	struct node *node;

	if (!p)
		return NULL;
	p->options = o;
	p->keys = keys;
	pairs_load(&p->pairs);
	if (o->seek)
		seek_begin(p, o->elfs.items[0]);
	else
		stage_enter(p, STAGE_SOURCE);
	picker_loop(p, screen, signals);
	node = p->node;
	mem_free(p);
	return node;
}
