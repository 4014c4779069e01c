#include "tui/start/picker.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "tui/config/action.h"
#include "tui/start/picker_parts.h"
#include "tui/term/signals.h"

#define LOOK_NS CLOCK_SECOND		/* how often ports and files are looked for */
#define FRAME_NS (CLOCK_SECOND / 10)	/* how often what is heard is drawn; keys are, at once */

/* --- choosing --------------------------------------------------------------------------------- */

static void enter_stage(struct picker *p, enum stage stage)
{
	if (p->seeking && stage != STAGE_SEEK) {
		seek_release(&p->seek);
		p->seeking = false;
	}
	p->stage = stage;
	p->list = (struct list){ 0 };
	p->filter[0] = 0;
	p->moved = false;
	picker_list(p, true);
}

static void open_node(struct picker *p, const struct pair *pair)
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
	if (p->seeking) {		/* it has the ports */
		seek_release(&p->seek);
		p->seeking = false;
	}
	p->node = node_new(&node, &err);
	if (p->node)
		return;
	enter_stage(p, STAGE_SOURCE);
	snprintf(p->trouble, sizeof(p->trouble), "%s", err.text);
}

static void seek_ports(struct picker *p)
{
	struct node_options like;

	options_node(p->options, 0, &like);
	seek_add(&p->seek, p->ports, p->port_count, &like, &p->pairs);
}

static void start_seek(struct picker *p, const char *elf)
{
	snprintf(p->elf, sizeof(p->elf), "%s", elf);
	seek_init(&p->seek, p->elf);
	p->seeking = true;
	enter_stage(p, STAGE_SEEK);
	seek_ports(p);
	p->list.count = 0;		/* the cursor goes to the first of them */
	picker_list(p, false);
}

static void take_sought(struct picker *p, size_t i)
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
		open_node(p, NULL);
	else
		enter_stage(p, STAGE_IMAGE);
}

static void image_chosen(struct picker *p, const char *elf)
{
	if (p->stage == STAGE_SOURCE) {
		start_seek(p, elf);
		return;
	}
	snprintf(p->elf, sizeof(p->elf), "%s", elf);
	open_node(p, NULL);
}

static void pair_chosen(struct picker *p, const struct item *i)
{
	snprintf(p->source, sizeof(p->source), "%s", i->label);
	snprintf(p->elf, sizeof(p->elf), "%s", p->options->elfs.count ? "" : i->image);
	open_node(p, &p->pairs.v[i->index]);
}

static void ask(struct picker *p, int what)
{
	if (what == ASK_FILTER)
		prompt_open(&p->prompt, "/", p->filter, NULL);
	else
		prompt_open(&p->prompt, p->stage == STAGE_IMAGE ? "ELF:" : "Source:", "", NULL);
	p->asking = what == ASK_FILTER ? ASK_FILTER : ASK_PATH;
}

static void enter(struct picker *p)
{
	struct item i = p->items[p->list.cursor];	/* the list may be made anew */

	if (!p->list.count)
		return;
	switch (i.kind) {
	case ITEM_SOURCE:	source_chosen(p, i.label); break;
	case ITEM_PAIR:		pair_chosen(p, &i); break;
	case ITEM_IMAGE:	image_chosen(p, i.label); break;
	case ITEM_SOUGHT:	take_sought(p, i.index); break;
	case ITEM_TYPE:		ask(p, ASK_PATH); break;
	case ITEM_NONE:		image_chosen(p, ""); break;
	default:		break;
	}
}

/* --- keys ------------------------------------------------------------------------------------- */

static void set_filter(struct picker *p, const char *text)
{
	snprintf(p->filter, sizeof(p->filter), "%.*s", (int)sizeof(p->filter) - 1, text);
	picker_list(p, false);
}

static void type(struct picker *p, uint32_t key)
{
	enum prompt_answer a = prompt_key(&p->prompt, key);
	bool filter = p->asking == ASK_FILTER;

	if (filter && a == PROMPT_EDITED)
		set_filter(p, p->prompt.text);
	if (a != PROMPT_DONE && a != PROMPT_CANCELLED)
		return;
	p->asking = ASK_NOTHING;
	if (filter && a == PROMPT_CANCELLED)
		set_filter(p, "");
	else if (!filter && a == PROMPT_DONE && p->prompt.len && p->stage == STAGE_IMAGE)
		image_chosen(p, p->prompt.text);
	else if (!filter && a == PROMPT_DONE && p->prompt.len)
		source_chosen(p, p->prompt.text);
}

/* The page that one began with. */
static bool at_first(const struct picker *p)
{
	return p->stage == STAGE_SOURCE || (p->stage == STAGE_SEEK && p->options->seek);
}

static void back(struct picker *p)
{
	if (at_first(p))
		p->left = true;
	else
		enter_stage(p, STAGE_SOURCE);
}

static void step(struct picker *p, int by)
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

/* What is not for choosing is stepped over, in the direction one came. */
static void move(struct picker *p, enum action a)
{
	if (a == ACTION_UP || a == ACTION_DOWN) {
		step(p, a == ACTION_UP ? -1 : 1);
		return;
	}
	if (!list_act(&p->list, a, p->page > 0 ? p->page : 1) || !p->list.count)
		return;
	if (!picker_choosable(&p->items[p->list.cursor]))
		step(p, a == ACTION_PAGE_UP || a == ACTION_BOTTOM ? -1 : 1);
	if (!picker_choosable(&p->items[p->list.cursor]))
		step(p, a == ACTION_PAGE_UP || a == ACTION_BOTTOM ? 1 : -1);
}

static void click(struct picker *p, const struct screen_mouse *m)
{
	size_t at = p->list.top + (size_t)(m->y - PICKER_TOP);

	if (m->button >= 4) {
		step(p, m->button == 4 ? -1 : 1);
	} else if (m->y >= PICKER_TOP && m->y < PICKER_TOP + p->page && at < p->list.count &&
		   picker_choosable(&p->items[at])) {
		p->list.cursor = at;
		if (m->button == 2)
			enter(p);
	}
}

/* Clears, and goes back, but does not leave. */
static void cancel(struct picker *p)
{
	if (*p->filter)
		set_filter(p, "");
	else if (!at_first(p))
		back(p);
}

static void take_key(struct picker *p, struct screen *s, uint32_t key, const struct screen_mouse *m)
{
	enum action a = keymap_of_key(p->keys, key);

	if (p->asking) {
		if (key != KEY_MOUSE_)
			type(p, key);
		return;
	}
	p->trouble[0] = 0;
	p->moved |= key != KEY_RESIZE_;
	if (key == KEY_MOUSE_)
		click(p, m);
	else if (a == ACTION_ENTER)
		enter(p);
	else if (a == ACTION_SEARCH || a == ACTION_FILTER)
		ask(p, ASK_FILTER);
	else if (a == ACTION_CANCEL)
		cancel(p);
	else if (a == ACTION_BACK)
		back(p);
	else if (a == ACTION_QUIT)
		p->left = true;
	else if (a == ACTION_SUSPEND)
		screen_suspend(s);
	else if (a == ACTION_REDRAW)
		screen_redraw(s);
	else
		move(p, a);
}

/* --- the loop --------------------------------------------------------------------------------- */

static void take_signals(struct picker *p, struct screen *s)
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

static void draw(struct picker *p, struct screen *s)
{
	struct grid *g = screen_begin(s);
	int cursor = picker_draw(p, g);

	screen_end(s, cursor, g->height - 1);
}

/* Ports come and go; bytes come from those that are listened to. */
static void service(struct picker *p, uint64_t *looked)
{
	uint64_t now = clock_now();
	bool look = now - *looked >= LOOK_NS;
	size_t match = p->seeking ? seek_service(&p->seek, now) : SEEK_PORTS;

	if (match < SEEK_PORTS) {
		take_sought(p, match);
		return;
	}
	if (!look)
		return;
	*looked = now;
	p->draw_now = true;
	picker_list(p, true);
	if (p->seeking)
		seek_ports(p);
}

static int wait_ms(const struct picker *p, uint64_t looked)
{
	uint64_t now = clock_now(), due = looked + LOOK_NS;
	int ms = due <= now ? 0 : (int)((due - now) / 1000000 + 1);
	int ports = p->seeking ? seek_timeout(&p->seek, now) : -1;

	return ports >= 0 && ports < ms ? ports : ms;
}

static void take_keys(struct picker *p, struct screen *s)
{
	struct screen_mouse mouse;
	uint32_t key;

	while (!p->left && !p->node && (key = screen_key(s, &mouse))) {
		p->draw_now = true;
		take_key(p, s, key, &mouse);
	}
}

/* Ports that are listened to wake us at each handful of bytes: not each is worth a frame. */
static void draw_if_due(struct picker *p, struct screen *s, uint64_t *drawn)
{
	uint64_t now = clock_now();

	if (!p->draw_now && p->seeking && now - *drawn < FRAME_NS)
		return;
	p->draw_now = false;
	*drawn = now;
	if (p->seeking)
		picker_list(p, false);
	draw(p, s);
}

static void run(struct picker *p, struct screen *s, int signals)
{
	struct pollfd fds[2 + SEEK_PORTS * NODE_FDS] = {
		{ .fd = screen_fd(s), .events = POLLIN }, { .fd = signals, .events = POLLIN },
	};
	uint64_t looked = clock_now(), drawn = 0;

	while (!p->left && !p->node) {
		size_t n = 2;

		draw_if_due(p, s, &drawn);
		if (p->seeking)
			n += seek_poll_fds(&p->seek, fds + n);
		poll(fds, n, wait_ms(p, looked));
		if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
			p->left = true;
		take_signals(p, s);
		take_keys(p, s);
		if (!p->left && !p->node)
			service(p, &looked);
	}
	if (p->seeking)
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
		start_seek(p, o->elfs.items[0]);
	else
		enter_stage(p, STAGE_SOURCE);
	run(p, screen, signals);
	node = p->node;
	mem_free(p);
	return node;
}
