/*
 * picker_list: what there is to choose from: ports, recordings, the demo node, images.
 */
#include <ctype.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/text.h"
#include "core/link/record.h"
#include "tui/start/picker_parts.h"
#include "tui/start/remember.h"

enum { FOUND = 24, LOOKED_AT = 256,	/* files that may be recordings */
       PAIRS_SHOWN = 6, NEWEST = 8 };

bool picker_choosable(const struct item *i)
{
	return i->kind != ITEM_HEADING && i->kind != ITEM_NOTE;
}

static struct item *item_add(struct picker *p, enum item_kind kind, const char *label)
{
	bool room = p->list.count < PICKER_ITEMS - 1;
	struct item *i = &p->items[room ? p->list.count++ : PICKER_ITEMS - 1];

	*i = (struct item){ .kind = kind };
	snprintf(i->label, sizeof(i->label), "%s", label);
	return i;
}

/* --- ports ------------------------------------------------------------------------------------ */

static void describe_port(struct item *it, const struct link_port *port)
{
	const char *state = "";

	if (*port->held)
		state = port->held;
	else if (!port->usable)
		state = port->absent ? "no such port" : "no permission";
	snprintf(it->what, sizeof(it->what), "%s%s%s%s", port->what, *port->what && *state ? "  " : "",
		 *port->held ? "held by " : "", state);
	it->doubtful = *port->held || !port->usable;
	if (*port->held)
		snprintf(it->cure, sizeof(it->cure), "%s is held by %s: close that first", port->path,
			 port->held);
	else
		snprintf(it->cure, sizeof(it->cure), "%s", port->cure);
}

static void add_ports(struct picker *p)
{
	item_add(p, ITEM_HEADING, "Serial ports");
	if (p->port_count == 0)
		item_add(p, ITEM_NOTE, "none found; plug one in and it appears here");
	for (size_t i = 0; i < p->port_count; i++)
		describe_port(item_add(p, ITEM_SOURCE, p->ports[i].path), &p->ports[i]);
}

/* The port that a pair is about, as it stands there now. */
static const struct link_port *port_of_pair(const struct picker *p, const struct pair *pair)
{
	for (size_t i = 0; i < p->port_count; i++) {
		const struct link_port *port = &p->ports[i];

		if (*pair->id ? !strcmp(port->id, pair->id) : !strcmp(port->path, pair->port))
			return port;
	}
	return NULL;
}

/* Only those that are there: a port, or a pty that somebody named. */
static void add_pairs(struct picker *p)
{
	bool heading = false;

	for (size_t i = 0, n = 0; i < p->pairs.count && n < PAIRS_SHOWN; i++) {
		const struct pair *pair = &p->pairs.v[i];
		const struct link_port *port = port_of_pair(p, pair);
		char when[32];
		struct item *it;

		if (!pair->elf[0] || access(pair->elf, R_OK) < 0 ||
		    (!port && (*pair->id || access(pair->port, R_OK | W_OK) < 0)))
			continue;
		if (!heading)
			item_add(p, ITEM_HEADING, "As last time");
		heading = true;
		it = item_add(p, ITEM_PAIR, port ? port->path : pair->port);
		if (port)
			describe_port(it, port);
		snprintf(it->image, sizeof(it->image), "%.*s", PICKER_PATH - 1, pair->elf);
		snprintf(it->what, sizeof(it->what), "with %.80s, %s%s", text_basename(pair->elf),
			 remember_when(pair->when, when, sizeof(when)), it->doubtful ? "; busy now" : "");
		it->index = (uint16_t)i;
		n++;
	}
}

/* --- files ------------------------------------------------------------------------------------ */

struct found {
	char path[PICKER_PATH];
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

		if (strlen(g.gl_pathv[i]) >= PICKER_PATH || stat(g.gl_pathv[i], &st) < 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		strcpy(found[n].path, g.gl_pathv[i]);
		found[n].time = st.st_mtime;
		found[n++].size = (long long)st.st_size;
	}
	globfree(&g);
	return n;
}

static void add_found(struct picker *p, enum item_kind kind, struct found *found, size_t n,
		      size_t max)
{
	qsort(found, n, sizeof(*found), newer);
	for (size_t i = 0; i < n && i < max; i++) {
		struct item *it = item_add(p, kind, found[i].path);
		char size[16], when[32];
		size_t digits;

		text_count(size, sizeof(size), (double)found[i].size);
		digits = strspn(size, "0123456789.");
		snprintf(it->what, sizeof(it->what), "%.*s %sB, %s", (int)digits, size, size + digits,
			 remember_when((int64_t)found[i].time, when, sizeof(when)));
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
	add_found(p, ITEM_SOURCE, found, n, FOUND);
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
	snprintf(item_add(p, ITEM_SOURCE, path)->what, sizeof(p->items[0].what),
		 "the simulated node of make demo");
}

/* Where toolchains leave images: here, build/, PlatformIO's and Zephyr's folders. */
static size_t find_images(struct found *found, size_t max)
{
	static const char *const patterns[] = {
		"*.elf", "*.axf", "*.out", "build/*.elf", "build/*.axf", "build/*/*.elf",
		"build/*/*/*.elf", "Debug/*.elf", "Release/*.elf", ".pio/build/*/*.elf",
	};
	size_t n = 0;

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		n = find(patterns[i], found, n, max);
	return n;
}

static void add_images(struct picker *p, const char *heading, const char *none)
{
	struct found found[4 * FOUND];
	size_t n = find_images(found, 4 * FOUND);

	if (n == 0 && !none)
		return;
	item_add(p, ITEM_HEADING, heading);
	if (n == 0)
		item_add(p, ITEM_NOTE, none);
	add_found(p, ITEM_IMAGE, found, n, none ? FOUND : NEWEST);
}

/* --- the stages ------------------------------------------------------------------------------- */

static void list_sources(struct picker *p)
{
	add_pairs(p);
	add_ports(p);
	add_recordings(p);
	add_demo(p);
	if (!p->options->elfs.count)
		add_images(p, "Or an image, whose node is then looked for", NULL);
	item_add(p, ITEM_HEADING, "Or");
	item_add(p, ITEM_TYPE, "type a source: tcp:HOST:PORT, unix:PATH, file:PATH");
}

/* What ran at the port last time comes first. */
static void list_images(struct picker *p)
{
	for (size_t i = 0; i < p->pairs.count; i++) {
		const struct pair *pair = &p->pairs.v[i];
		const struct link_port *port = port_of_pair(p, pair);
		char when[32];

		if (strcmp(port ? port->path : pair->port, p->source) || !pair->elf[0] ||
		    access(pair->elf, R_OK) < 0)
			continue;
		item_add(p, ITEM_HEADING, "As last time");
		snprintf(item_add(p, ITEM_IMAGE, pair->elf)->what, sizeof(p->items[0].what), "%s",
			 remember_when(pair->when, when, sizeof(when)));
		break;
	}
	add_images(p, "Firmware images", "none found here");
	item_add(p, ITEM_HEADING, "Or");
	item_add(p, ITEM_TYPE, "type the path of an ELF file");
	item_add(p, ITEM_NONE, "no image: addresses instead of names");
}

static void list_sought(struct picker *p)
{
	item_add(p, ITEM_HEADING, "Listening");
	if (p->seek.count == 0)
		item_add(p, ITEM_NOTE, "there is no port; plug one in and it is listened to");
	for (size_t i = 0; i < p->seek.count; i++) {
		struct item *it = item_add(p, ITEM_SOUGHT, p->seek.ports[i].port.path);
		enum seek_fit fit = seek_fit(&p->seek, i);

		seek_says(&p->seek, i, it->what, sizeof(it->what));
		snprintf(it->cure, sizeof(it->cure), "%s", p->seek.ports[i].port.cure);
		it->doubtful = fit == SEEK_NO;
		it->index = (uint16_t)i;
	}
	item_add(p, ITEM_HEADING, "Or");
	item_add(p, ITEM_TYPE, "type a source: tcp:HOST:PORT, unix:PATH, file:PATH");
}

/* --- the list --------------------------------------------------------------------------------- */

static bool contains(const char *text, const char *part)
{
	return strcasestr(text, part) != NULL;
}

/* Only what has the letters typed, and the headings of what is left. */
static void filter(struct picker *p)
{
	size_t n = 0;
	char note[100];

	for (size_t i = 0; *p->filter && i < p->list.count; i++) {
		struct item *it = &p->items[i];
		bool heading = it->kind == ITEM_HEADING;

		if (!heading && !contains(it->label, p->filter) && !contains(it->what, p->filter))
			continue;
		if (heading && n && p->items[n - 1].kind == ITEM_HEADING)
			n--;			/* the one before has nothing under it */
		if (n != i)
			p->items[n] = *it;
		n++;
	}
	if (!*p->filter)
		return;
	if (n && p->items[n - 1].kind == ITEM_HEADING)
		n--;
	p->list.count = n;
	if (n == 0)
		item_add(p, ITEM_NOTE,
			 keymap_expand(p->keys, "no entry matches; {cancel} shows all", note,
				       sizeof(note)));
}

static void put_cursor(struct picker *p, const char *label, enum item_kind kind)
{
	p->list.cursor = 0;
	while (p->list.cursor + 1 < p->list.count && !picker_choosable(&p->items[p->list.cursor]))
		p->list.cursor++;
	for (size_t i = 0; *label && i < p->list.count; i++) {
		const struct item *it = &p->items[i];

		if (it->kind == kind && picker_choosable(it) && !strcmp(it->label, label)) {
			p->list.cursor = i;
			return;
		}
	}
}

/* Where nobody moved it the cursor goes to the port that speaks for itself. */
static void offer(struct picker *p)
{
	for (size_t i = 0; i < p->list.count && !p->moved; i++) {
		if (p->items[i].kind == ITEM_SOUGHT &&
		    seek_fit(&p->seek, p->items[i].index) >= SEEK_FITS) {
			p->list.cursor = i;
			return;
		}
	}
}

void picker_list(struct picker *p, bool look)
{
	const struct item *at = p->list.count ? &p->items[p->list.cursor] : NULL;
	enum item_kind kind = at ? at->kind : ITEM_NOTE;
	char before[PICKER_PATH];

	snprintf(before, sizeof(before), "%s", at ? at->label : "");
	if (look) {
		size_t n = link_ports(p->ports, PICKER_PORTS);

		p->port_count = n < PICKER_PORTS ? n : PICKER_PORTS;
	}
	p->list.count = 0;
	if (p->stage == STAGE_SOURCE)
		list_sources(p);
	else if (p->stage == STAGE_IMAGE)
		list_images(p);
	else
		list_sought(p);
	filter(p);
	put_cursor(p, before, kind);
	if (p->stage == STAGE_SEEK)
		offer(p);
}
