#include "tui/start/remember.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/base/text.h"

/* The absolute path in a source's name. A symlink at its end stays: it is the lasting name. */
static bool port_path(const char *source, char *dst, size_t size)
{
	const char *from = strncmp(source, "serial:", 7) == 0 ? source + 7 : source;
	char path[PATH_MAX], folder[PATH_MAX], *slash;
	int n = snprintf(path, sizeof(path), "%.*s", (int)strcspn(from, "?"), from);

	if (n <= 0 || (size_t)n >= sizeof(path))
		return false;
	slash = strrchr(path, '/');
	if (slash == path)
		return false;
	if (slash)
		*slash = '\0';
	if (!realpath(slash ? path : ".", folder))
		return false;
	n = snprintf(dst, size, "%s/%s", folder, slash ? slash + 1 : path);
	return n > 0 && (size_t)n < size;
}

/* The number of a pty belongs to another program the next time. */
static bool is_lasting(const char *path)
{
	return strncmp(path, "/dev/pts/", 9) != 0;
}

static const char *port_id(const char *path, struct link_port *port)
{
	return strncmp(path, "/dev/", 5) == 0 && link_port_at(path, port) ? port->id : "";
}

bool remember_apply(struct node_options *node, const struct options *o, struct remembered *r)
{
	struct pairs *known = mem_alloc(sizeof(*known));
	const struct pair *found = NULL;
	struct link_port port;
	char path[256];

	*r = (struct remembered){ .image = false };
	if (known && node->source && port_path(node->source, path, sizeof(path))) {
		pairs_load(known);
		found = known->count ? pairs_find(known, path, port_id(path, &port)) : NULL;
	}
	if (found)
		r->pair = *found;
	mem_free(known);
	if (!found)
		return false;
	node->link.likely = r->pair.baud;
	if (!o->format && r->pair.format[0])
		node->format = r->pair.format;
	if (node->elf || o->elfs.count || !r->pair.elf[0] || access(r->pair.elf, R_OK) < 0)
		return false;
	node->elf = r->pair.elf;
	return r->image = true;
}

void remember_keep(const struct node *n, const struct options *o)
{
	const char *kind = link_kind(node_link(n));
	const struct image *image = node_image(n);
	struct pair p = { .when = (int64_t)time(NULL) };
	struct link_port port;
	char elf[PATH_MAX];

	if ((strcmp(kind, "serial") && strcmp(kind, "tty")) || !image || node_image_refused(n) ||
	    !node_stats(n)->events || !strcmp(node_match(n), "no"))
		return;
	if (!port_path(node_source(n), p.port, sizeof(p.port)) || !is_lasting(p.port) ||
	    !realpath(image_path(image), elf) || strlen(elf) >= sizeof(p.elf))
		return;
	strcpy(p.elf, elf);
	snprintf(p.id, sizeof(p.id), "%s", port_id(p.port, &port));
	snprintf(p.format, sizeof(p.format), "%s", o->format ? o->format : "");
	p.baud = link_baud(node_link(n));
	pairs_remember(&p, NULL);	/* a convenience: a failure is not reported */
}

const char *remember_when(int64_t then, char *dst, size_t size)
{
	static const struct { long long below, unit; const char *word; } steps[] = {
		{ 120, 1, "s" }, { 7200, 60, "min" }, { 172800, 3600, "h" },
	};
	long long s = (long long)time(NULL) - (long long)then;

	s = s < 0 ? 0 : s;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (s < steps[i].below) {
			snprintf(dst, size, "%lld %s ago", s / steps[i].unit, steps[i].word);
			return dst;
		}
	}
	snprintf(dst, size, "%lld days ago", s / 86400);
	return dst;
}
