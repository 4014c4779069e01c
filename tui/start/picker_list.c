/*
 * picker_list: the entries of the start page: ports, recordings, the demo node, images.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/text.h"
#include "core/find/finds.h"
#include "tui/start/picker_parts.h"
#include "tui/start/remember.h"

enum { PAIRS_SHOWN = 6, NEWEST = 8 };

bool picker_choosable(const struct item *i)
{
	return i->kind >= ITEM_SOURCE;
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

static void port_describe(struct item *it, const struct link_port *port)
{
	const char *state = *port->held ? port->held : port->usable ? "" :
			    port->absent ? "no such port" : "no permission";

	snprintf(it->what, sizeof(it->what), "%s%s%s%s", port->what,
		 *port->what && *state ? "  " : "", *port->held ? "held by " : "", state);
	snprintf(it->cure, sizeof(it->cure), "%s", port->cure);
	if (*port->held)
		snprintf(it->cure, sizeof(it->cure), "%s is held by %s: close that first",
			 port->path, port->held);
	it->doubtful = *state;
}

static void ports_list(struct picker *p)
{
	item_add(p, ITEM_HEADING, "Serial ports");
	if (p->port_count == 0)
		item_add(p, ITEM_NOTE, "none found; plug in a node and its port appears here");
	for (size_t i = 0; i < p->port_count; i++)
		port_describe(item_add(p, ITEM_SOURCE, p->ports[i].path), &p->ports[i]);
}

/* The port of a pair, if it is present now: a USB device may be in another socket. */
static const struct link_port *port_of_pair(const struct picker *p, const struct pair *pair)
{
	for (size_t i = 0; i < p->port_count; i++) {
		const struct link_port *port = &p->ports[i];

		if (*pair->id ? !strcmp(port->id, pair->id) : !strcmp(port->path, pair->port))
			return port;
	}
	return NULL;
}

/* Only those that are present: a port, or a pty that was named. */
static void pairs_list(struct picker *p)
{
	for (size_t i = 0, shown = 0; i < p->pairs.count && shown < PAIRS_SHOWN; i++) {
		const struct pair *pair = &p->pairs.v[i];
		const struct link_port *port = port_of_pair(p, pair);
		char when[32];
		struct item *it;

		if (!pair->elf[0] || access(pair->elf, R_OK) < 0 ||
		    (!port && (*pair->id || access(pair->port, R_OK | W_OK) < 0)))
			continue;
		if (shown++ == 0)
			item_add(p, ITEM_HEADING, "As last time");
		it = item_add(p, ITEM_PAIR, port ? port->path : pair->port);
		if (port)
			port_describe(it, port);
		remember_when(pair->when, when, sizeof(when));
		snprintf(it->what, sizeof(it->what), "with %.80s, %s%s", text_basename(pair->elf),
			 when, it->doubtful ? "; busy now" : "");
		it->index = i;
	}
}

/* --- files ------------------------------------------------------------------------------------ */

/* Under its heading; without one that matches: `none`, or nothing. */
static void files_list(struct picker *p, const char *heading, enum item_kind kind,
		       const struct finds *f, const char *none)
{
	if (f->count || none)
		item_add(p, ITEM_HEADING, heading);
	if (!f->count && none)
		item_add(p, ITEM_NOTE, none);
	for (size_t i = 0; i < f->count; i++) {
		struct item *it = item_add(p, kind, f->items[i].name);
		char size[24], when[32];

		snprintf(it->what, sizeof(it->what), "%s, %s",
			 text_bytes(size, sizeof(size), (double)f->items[i].size),
			 remember_when(f->items[i].changed.tv_sec, when, sizeof(when)));
	}
}

/* By their content: -r FILE may have any name. */
static void recordings_list(struct picker *p)
{
	struct finds f;

	finds_match(&f, FINDS_ROOM, (const char *const[]){ "*", NULL }, FIND_RECORDING);
	files_list(p, "Recordings here", ITEM_SOURCE, &f, NULL);
}

static void demo_list(struct picker *p)
{
	const char *path = getenv("WSNTOP_DEMO");

	if (!path || !*path)
		path = "build/sim/demo.pty";
	item_add(p, ITEM_HEADING, "Demo node");
	if (access(path, R_OK | W_OK) < 0)
		item_add(p, ITEM_NOTE, "not running; make demo starts it");
	else
		strcpy(item_add(p, ITEM_SOURCE, path)->what, "the simulated node of make demo");
}

/* Where toolchains put images: here, build/, PlatformIO's and Zephyr's folders. */
static void images_list(struct picker *p, const char *heading, size_t most, const char *none)
{
	static const char *const patterns[] = {
		"*.elf", "*.axf", "*.out", "build/*.elf", "build/*.axf", "build/*/*.elf",
		"build/*/*/*.elf", "Debug/*.elf", "Release/*.elf", ".pio/build/*/*.elf", NULL,
	};
	struct finds f;

	finds_match(&f, most, patterns, FIND_NEITHER);
	files_list(p, heading, ITEM_IMAGE, &f, none);
}

/* --- the stages ------------------------------------------------------------------------------- */

static void sources_list(struct picker *p)
{
	pairs_list(p);
	ports_list(p);
	recordings_list(p);
	demo_list(p);
	if (!p->options->elfs.count)
		images_list(p, "Or choose an image: wsntop finds its node", NEWEST, NULL);
}

/* First the image that ran at the port last time. */
static void firmware_list(struct picker *p)
{
	for (size_t i = 0; i < p->pairs.count; i++) {
		const struct pair *pair = &p->pairs.v[i];
		const struct link_port *port = port_of_pair(p, pair);
		struct item *it;

		if (strcmp(port ? port->path : pair->port, p->source) || !pair->elf[0] ||
		    access(pair->elf, R_OK) < 0)
			continue;
		item_add(p, ITEM_HEADING, "As last time");
		it = item_add(p, ITEM_IMAGE, pair->elf);
		remember_when(pair->when, it->what, sizeof(it->what));
		break;
	}
	images_list(p, "Firmware images", FINDS_ROOM, "none found here");
}

static void sought_list(struct picker *p)
{
	item_add(p, ITEM_HEADING, "Listening");
	if (p->seek.count == 0)
		item_add(p, ITEM_NOTE, "none found; plug in a node and its port appears here");
	for (size_t i = 0; i < p->seek.count; i++) {
		struct item *it = item_add(p, ITEM_SOUGHT, p->seek.ports[i].port.path);

		seek_describe(&p->seek, i, it->what, sizeof(it->what));
		snprintf(it->cure, sizeof(it->cure), "%s", p->seek.ports[i].port.cure);
		it->doubtful = seek_fit(&p->seek, i) == SEEK_NO;
		it->index = i;
	}
}

/* --- the list --------------------------------------------------------------------------------- */

/* Keeps the entries that contain the letters typed, with their headings. */
static void items_filter(struct picker *p)
{
	size_t n = 0;
	char note[100];

	for (size_t i = 0; i < p->list.count; i++) {
		struct item *it = &p->items[i];
		bool heading = it->kind == ITEM_HEADING;

		if (!heading && !strcasestr(it->label, p->filter) &&
		    !strcasestr(it->what, p->filter))
			continue;
		if (heading && n && p->items[n - 1].kind == ITEM_HEADING)
			n--;			/* the one before has nothing under it */
		if (n != i)
			p->items[n] = *it;
		n++;
	}
	p->list.count = n && p->items[n - 1].kind == ITEM_HEADING ? n - 1 : n;
	if (p->list.count == 0)
		item_add(p, ITEM_NOTE,
			 keymap_expand(p->keys, "no entry matches; {cancel} shows all", note,
				       sizeof(note)));
}

/*
 * The cursor goes to the port whose node runs the image, until the user moves it; else to the entry
 * that it was on; else to the first that can be chosen.
 */
static void cursor_place(struct picker *p, const char *label, enum item_kind kind)
{
	size_t first = p->list.count - 1, same = p->list.count;

	for (size_t i = p->list.count; i-- > 0;) {
		const struct item *it = &p->items[i];

		if (!picker_choosable(it))
			continue;
		first = i;
		if (it->kind == kind && !strcmp(it->label, label))
			same = i;
	}
	p->list.cursor = same < p->list.count ? same : first;
	for (size_t i = p->list.count; i-- > 0 && !p->moved;)
		if (p->items[i].kind == ITEM_SOUGHT &&
		    seek_fit(&p->seek, p->items[i].index) >= SEEK_FITS)
			p->list.cursor = i;
}

void picker_list(struct picker *p, bool look)
{
	static const char source[] = "type a source: tcp:HOST:PORT, unix:PATH, file:PATH";
	static const struct { void (*list)(struct picker *p); const char *type; } stages[] = {
		[STAGE_SOURCE] = { sources_list, source },
		[STAGE_SEEK] = { sought_list, source },
		[STAGE_IMAGE] = { firmware_list, "type the path of an ELF file" },
	};
	const struct item *at = p->list.count ? &p->items[p->list.cursor] : NULL;
	enum item_kind kind = at ? at->kind : ITEM_NOTE;
	char before[PICKER_PATH];

	snprintf(before, sizeof(before), "%s", at ? at->label : "");
	if (look) {
		size_t n = link_ports(p->ports, PICKER_PORTS);

		p->port_count = n < PICKER_PORTS ? n : PICKER_PORTS;
	}
	p->list.count = 0;
	stages[p->stage].list(p);
	item_add(p, ITEM_HEADING, "Or");
	item_add(p, ITEM_TYPE, stages[p->stage].type);
	if (p->stage == STAGE_IMAGE)
		item_add(p, ITEM_NONE, "no image: addresses are shown instead of names");
	if (*p->filter)
		items_filter(p);
	cursor_place(p, before, kind);
}
