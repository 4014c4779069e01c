#include "core/run/baseline.h"

#include <stdio.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/profile/raw/copy.h"
#include "core/import/import.h"

#define BUDGET (4 * 1024 * 1024)

enum find_kind baseline_kind_of(const char *path, struct err *err)
{
	enum find_kind kind = finds_kind_of(path);

	if (kind == FIND_NEITHER && access(path, R_OK) < 0)
		err_errno(err, "%s", path);
	else if (kind == FIND_NEITHER)
		err_set(err, ERR_FORMAT, "%s: neither a snapshot nor a recording", path);
	return kind;
}

void baseline_options(struct node_options *o, const char *path, char *source, size_t size)
{
	snprintf(source, size, "file:%s", path);
	o->source = source;
	o->record = o->power = NULL;
	o->link.speed = 0;
	o->link.follow = false;
	o->batch = true;		/* the ELF is not reloaded when it changes */
}

struct profile *baseline_taken(struct node *n, struct err *err)
{
	struct profile *p = node_profile(n), *copy;

	if (profile_compute(p) == 0 && !p->function_count) {
		err_set(err, ERR_FORMAT, "%s: it contains no counts",
			text_basename(node_source(n)));
		return NULL;
	}
	copy = profile_copy(p);
	if (!copy)
		err_set(err, ERR_NOMEM, "out of memory: no baseline");
	return copy;
}

struct node *baseline_node(const char *path, const struct node_options *like, struct err *err)
{
	struct node_options o = *like;
	struct node *n;
	char source[4200];

	baseline_options(&o, path, source, sizeof(source));
	n = node_new(&o, err);
	if (!n)
		return NULL;
	while (!node_ended(n))
		node_service(n, clock_now(), BUDGET);
	if (node_image(n)) {
		node_image_wait(n);
		node_service(n, clock_now(), 0);
	}
	return n;
}

static struct profile *recording_read(const char *path, const struct node_options *like,
				      struct err *err)
{
	struct node *n = baseline_node(path, like, err);
	struct profile *p = n ? baseline_taken(n, err) : NULL;

	node_free(n);
	return p;
}

struct profile *baseline_read(const char *path, const struct node_options *o, struct err *err)
{
	switch (baseline_kind_of(path, err)) {
	case FIND_RECORDING: return recording_read(path, o, err);
	case FIND_SNAPSHOT: return import_read(path, o->hz, err);
	default: return NULL;
	}
}
