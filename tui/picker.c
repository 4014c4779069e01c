#include "tui/picker.h"

#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/link/link.h"
#include "core/link/record.h"
#include "tui/action.h"
#include "tui/prompt.h"
#include "tui/signals.h"
#include "tui/view/view.h"

enum { ITEMS = 128, PATH = 512, PORTS = 32, FOUND = 24,
       LOOKED_AT = 256,		/* files that may be recordings */
};

enum item_kind { ITEM_HEADING, ITEM_NOTE, ITEM_CHOICE, ITEM_TYPE, ITEM_NONE };

struct item {
	enum item_kind kind;
	char label[PATH];		/* a choice's is what it stands for: a source, a path */
	char what[160];
	bool doubtful;			/* may not be usable */
};

enum stage { STAGE_SOURCE, STAGE_IMAGE };

struct picker {
	const struct options *options;
	enum stage stage;
	struct item items[ITEMS];
	struct list list;
	char source[PATH], elf[PATH];
	char trouble[400];
	struct prompt prompt;
	bool typing, left;
	struct node *node;
};

/* --- what there is ---------------------------------------------------------------------------- */

static struct item *item_add(struct picker *p, enum item_kind kind, const char *label)
{
	struct item *i = &p->items[p->list.count < ITEMS - 1 ? p->list.count++ : ITEMS - 1];

	*i = (struct item){ .kind = kind };
	snprintf(i->label, sizeof(i->label), "%.*s", (int)sizeof(i->label) - 1, label);
	return i;
}

static void add_ports(struct picker *p)
{
	struct link_port ports[PORTS];
	size_t n = link_ports(ports, PORTS);

	item_add(p, ITEM_HEADING, "Serial ports");
	if (n == 0)
		item_add(p, ITEM_NOTE, "none found; plug one in and it appears here");
	for (size_t i = 0; i < n && i < PORTS; i++) {
		struct item *it = item_add(p, ITEM_CHOICE, ports[i].path);

		if (strcmp(ports[i].what, text_basename(ports[i].path)))
			snprintf(it->what, sizeof(it->what), "%s", ports[i].what);
		if (!ports[i].usable)
			snprintf(it->what + strlen(it->what), sizeof(it->what) - strlen(it->what),
				 "%s(no permission)", *it->what ? "  " : "");
		it->doubtful = !ports[i].usable;
	}
}

static const char *age(char *dst, size_t size, time_t then)
{
	long long s = (long long)(time(NULL) - then);

	if (s < 0)
		s = 0;
	if (s < 120)
		snprintf(dst, size, "%lld s ago", s);
	else if (s < 7200)
		snprintf(dst, size, "%lld min ago", s / 60);
	else if (s < 172800)
		snprintf(dst, size, "%lld h ago", s / 3600);
	else
		snprintf(dst, size, "%lld days ago", s / 86400);
	return dst;
}

struct found {
	char path[PATH];
	time_t time;
	long long size;
};

static int newer(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return (x->time < y->time) - (x->time > y->time);
}

/* Regular files that match a glob pattern, added to `found` while there is room. */
static size_t find(const char *pattern, struct found *found, size_t n, size_t max)
{
	glob_t g;

	if (glob(pattern, 0, NULL, &g))
		return n;
	for (size_t i = 0; i < g.gl_pathc && n < max; i++) {
		struct stat st;

		if (strlen(g.gl_pathv[i]) >= PATH || stat(g.gl_pathv[i], &st) < 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		strcpy(found[n].path, g.gl_pathv[i]);
		found[n].time = st.st_mtime;
		found[n++].size = (long long)st.st_size;
	}
	globfree(&g);
	return n;
}

static void add_found(struct picker *p, struct found *found, size_t n)
{
	qsort(found, n, sizeof(*found), newer);
	for (size_t i = 0; i < n && i < FOUND; i++) {
		struct item *it = item_add(p, ITEM_CHOICE, found[i].path);
		char size[16], when[32];
		size_t digits;

		text_count(size, sizeof(size), (double)found[i].size);
		digits = strspn(size, "0123456789.");

		snprintf(it->what, sizeof(it->what), "%.*s %sB, %s", (int)digits, size, size + digits,
			 age(when, sizeof(when), found[i].time));
	}
}

static bool is_recording(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char magic[RECORD_MAGIC_SIZE];
	bool is = fd >= 0 && read(fd, magic, sizeof(magic)) == (ssize_t)sizeof(magic) &&
		  !memcmp(magic, RECORD_MAGIC, sizeof(magic));

	if (fd >= 0)
		close(fd);
	return is;
}

/* By what is in them: -r FILE may be called anything. */
static void add_recordings(struct picker *p)
{
	struct found found[LOOKED_AT];
	size_t all = find("*", found, 0, LOOKED_AT), n = 0;

	for (size_t i = 0; i < all; i++)
		if (is_recording(found[i].path))
			found[n++] = found[i];
	if (n == 0)
		return;
	item_add(p, ITEM_HEADING, "Recordings here");
	add_found(p, found, n);
}

static void add_demo(struct picker *p)
{
	const char *path = getenv("WSNTOP_DEMO");

	if (!path || !*path)
		path = "build/sim/demo.pty";
	item_add(p, ITEM_HEADING, "Demo node");
	if (access(path, R_OK | W_OK) < 0) {
		item_add(p, ITEM_NOTE, "not running; make demo starts it");
		return;
	}
	snprintf(item_add(p, ITEM_CHOICE, path)->what, sizeof(p->items[0].what),
		 "the simulated node of make demo");
}

/* Where toolchains leave images: here, build/, PlatformIO's and Zephyr's folders. */
static void add_images(struct picker *p)
{
	static const char *const patterns[] = {
		"*.elf", "*.axf", "*.out", "build/*.elf", "build/*.axf", "build/*/*.elf", "build/*/*/*.elf",
		"Debug/*.elf", "Release/*.elf", ".pio/build/*/*.elf",
	};
	struct found found[4 * FOUND];
	size_t n = 0;

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		n = find(patterns[i], found, n, 4 * FOUND);
	item_add(p, ITEM_HEADING, "Firmware images");
	if (n == 0)
		item_add(p, ITEM_NOTE, "none found here");
	add_found(p, found, n);
	item_add(p, ITEM_HEADING, "Or");
	item_add(p, ITEM_TYPE, "type the path of an ELF file");
	item_add(p, ITEM_NONE, "no image: addresses instead of names");
}

static bool choosable(const struct item *i)
{
	return i->kind != ITEM_HEADING && i->kind != ITEM_NOTE;
}

static void step(struct picker *p, int by)
{
	size_t at = p->list.cursor;

	while (at + (size_t)by < p->list.count) {	/* unsigned: -1 from 0 ends, too */
		at += (size_t)by;
		if (choosable(&p->items[at])) {
			p->list.cursor = at;
			return;
		}
	}
	p->list.top = by < 0 ? 0 : p->list.top;
}

/* List anew; the cursor stays on what it was on. */
static void refresh(struct picker *p)
{
	char before[PATH];

	snprintf(before, sizeof(before), "%s", p->list.count ? p->items[p->list.cursor].label : "");
	p->list.count = 0;
	if (p->stage == STAGE_SOURCE) {
		add_ports(p);
		add_recordings(p);
		add_demo(p);
		item_add(p, ITEM_HEADING, "Or");
		item_add(p, ITEM_TYPE, "type a source: tcp:HOST:PORT, unix:PATH, file:PATH");
	} else {
		add_images(p);
	}
	p->list.cursor = 0;
	for (size_t i = 0; i < p->list.count; i++)
		if (choosable(&p->items[i]) && !strcmp(p->items[i].label, before))
			p->list.cursor = i;
	if (!choosable(&p->items[p->list.cursor]))
		step(p, 1);
}

/* --- choosing --------------------------------------------------------------------------------- */

static void enter_stage(struct picker *p, enum stage stage)
{
	p->stage = stage;
	p->list = (struct list){ 0 };
	refresh(p);
}

static void open_node(struct picker *p)
{
	struct node_options node;
	struct err err = { 0 };

	options_node(p->options, 0, &node);
	node.source = p->source;
	if (*p->elf)
		node.elf = p->elf;
	p->node = node_new(&node, &err);
	if (p->node)
		return;
	snprintf(p->trouble, sizeof(p->trouble), "%s", err.text);
	enter_stage(p, STAGE_SOURCE);
}

static void chosen(struct picker *p, const char *what)
{
	if (p->stage == STAGE_SOURCE) {
		snprintf(p->source, sizeof(p->source), "%s", what);
		if (p->options->elfs.count)
			open_node(p);
		else
			enter_stage(p, STAGE_IMAGE);
	} else {
		snprintf(p->elf, sizeof(p->elf), "%s", what);
		open_node(p);
	}
}

static void enter(struct picker *p)
{
	const struct item *i = &p->items[p->list.cursor];

	if (i->kind == ITEM_CHOICE)
		chosen(p, i->label);
	else if (i->kind == ITEM_NONE)
		chosen(p, "");
	else if (i->kind == ITEM_TYPE) {
		prompt_open(&p->prompt, p->stage == STAGE_SOURCE ? "Source:" : "ELF:", "", NULL);
		p->typing = true;
	}
}

static void type(struct picker *p, uint32_t key)
{
	enum prompt_answer a = prompt_key(&p->prompt, key);

	if (a != PROMPT_DONE && a != PROMPT_CANCELLED)
		return;
	p->typing = false;
	if (a == PROMPT_DONE && p->prompt.len)
		chosen(p, p->prompt.text);
}

static void back(struct picker *p)
{
	if (p->stage == STAGE_IMAGE)
		enter_stage(p, STAGE_SOURCE);
	else
		p->left = true;
}

static void move(struct picker *p, enum action a)
{
	switch (a) {
	case ACTION_UP:
		step(p, -1);
		break;
	case ACTION_DOWN:
		step(p, 1);
		break;
	case ACTION_TOP:
	case ACTION_PAGE_UP:
		p->list.cursor = p->list.top = 0;
		step(p, 1);
		break;
	case ACTION_BOTTOM:
	case ACTION_PAGE_DOWN:
		p->list.cursor = p->list.count - 1;
		break;
	default:
		break;
	}
}

enum { FIRST_ROW = 3 };		/* of the list, below the title */

static void click(struct picker *p, const struct screen_mouse *m)
{
	size_t at = p->list.top + (size_t)(m->y - FIRST_ROW);

	if (m->button >= 4)
		step(p, m->button == 4 ? -1 : 1);
	else if (m->y >= FIRST_ROW && at < p->list.count && choosable(&p->items[at])) {
		p->list.cursor = at;
		if (m->button == 2)
			enter(p);
	}
}

static void take_key(struct picker *p, struct screen *s, uint32_t key, const struct screen_mouse *m)
{
	enum action a = action_of_key(key);

	if (p->typing) {
		type(p, key);
		return;
	}
	p->trouble[0] = 0;
	if (key == KEY_MOUSE_)
		click(p, m);
	else if (a == ACTION_ENTER)
		enter(p);
	else if (a == ACTION_BACK || a == ACTION_CANCEL)
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

/* --- drawing ---------------------------------------------------------------------------------- */

static void draw_item(const struct picker *p, struct grid *g, int y, size_t at)
{
	const struct item *i = &p->items[at];
	int label = g->width > 70 ? 30 : g->width / 2;

	if (i->kind == ITEM_HEADING) {
		grid_text(g, 1, y, -1, ROLE_LABEL, i->label);
		return;
	}
	if (i->kind == ITEM_CHOICE) {
		int used = grid_text(g, 3, y, *i->what ? label : -1,
				     i->doubtful ? ROLE_DIM : ROLE_NAME, i->label);

		grid_text(g, 3 + (used > label ? used : label) + 2, y, -1,
			  i->doubtful ? ROLE_WARNING : ROLE_LABEL, i->what);
	} else {
		grid_text(g, 3, y, -1, i->kind == ITEM_NOTE ? ROLE_DIM : ROLE_NAME, i->label);
	}
	if (at == p->list.cursor)
		grid_select_row(g, y);
}

static int draw_bottom(const struct picker *p, struct grid *g, int y)
{
	int x = 0;

	if (p->typing)
		return prompt_draw(&p->prompt, g, y);
	if (*p->trouble) {
		grid_text(g, 0, y, -1, ROLE_BAD, p->trouble);
		return -1;
	}
	x += grid_text(g, x, y, -1, ROLE_KEY, "Enter");
	x += grid_text(g, x, y, -1, ROLE_LABEL, " choose  ");
	x += grid_text(g, x, y, -1, ROLE_KEY, "q");
	grid_text(g, x, y, -1, ROLE_LABEL, p->stage == STAGE_SOURCE ? " quit" : " back");
	return -1;
}

static void draw(struct picker *p, struct screen *s)
{
	struct grid *g = screen_begin(s);
	int rows = g->height - FIRST_ROW - 1, cursor;

	grid_fill(g, 0, 0, -1, ROLE_TAB, ' ');
	grid_textf(g, 1, 0, -1, ROLE_TAB, "wsntop %s", WSNTOP_VERSION);
	grid_text(g, 1, 1, -1, ROLE_DEFAULT, p->stage == STAGE_SOURCE ?
		  "Which node? Choose where its bytes come from." :
		  "Which firmware runs on it? Its ELF file gives names to addresses.");
	list_show(&p->list, rows);
	/* the heading above the first choice comes into view with it */
	if (p->list.top == 1)
		p->list.top = 0;
	for (int row = 0; row < rows && p->list.top + (size_t)row < p->list.count; row++)
		draw_item(p, g, FIRST_ROW + row, p->list.top + (size_t)row);
	cursor = draw_bottom(p, g, g->height - 1);
	screen_end(s, cursor, g->height - 1);
}

static void take_signals(struct picker *p, struct screen *s)
{
	int sig;

	while ((sig = signals_next())) {
		if (sig == SIGTSTP)
			screen_suspend(s);
		else if (sig == SIGCONT)
			screen_resume(s);
		else if (sig != SIGWINCH)
			p->left = true;
	}
}

static void run(struct picker *p, struct screen *s, int signals)
{
	struct pollfd fds[2] = {
		{ .fd = screen_fd(s), .events = POLLIN }, { .fd = signals, .events = POLLIN },
	};
	struct screen_mouse mouse;
	uint32_t key;

	enter_stage(p, STAGE_SOURCE);
	while (!p->left && !p->node) {
		draw(p, s);
		if (poll(fds, 2, 1000) == 0)
			refresh(p);
		if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
			p->left = true;
		take_signals(p, s);
		while (!p->left && !p->node && (key = screen_key(s, &mouse)))
			take_key(p, s, key, &mouse);
	}
}

struct node *picker_run(struct screen *screen, int signals, const struct options *o)
{
	struct picker *p = mem_zalloc(sizeof(*p));
	struct node *node;

	if (!p)
		return NULL;
	p->options = o;
	run(p, screen, signals);
	node = p->node;
	mem_free(p);
	return node;
}
