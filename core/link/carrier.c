#include "core/link/carrier_ops.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/mqtt/place.h"

/* --- a source that is one node's alone -------------------------------------------------------- */

/* c->own: it was announced. */
static const char *single_next(struct carrier *c, uint64_t now)
{
	const char *name = c->own ? NULL : c->source;

	(void)now;
	c->own = c;
	return name;
}

static struct link *single_link(struct carrier *c, const char *name, const struct link_options *o,
				struct err *err)
{
	(void)c;
	return link_new(name, o, err);
}

/* The last row takes any source. */
static const struct carrier_ops kinds[] = {
	{ .scheme = "", .next = single_next, .link = single_link },
};

/* --- all -------------------------------------------------------------------------------------- */

static struct carrier *carrier_begin(const struct carrier_ops *ops, const char *source,
				     const struct carrier_ear *ear, struct err *err)
{
	struct carrier *c = mem_zalloc(sizeof(*c));

	if (!c || !(c->source = mem_strdup(source))) {
		mem_free(c);
		err_set(err, ERR_NOMEM, "%s: out of memory", source);
		return NULL;
	}
	c->ops = ops;
	c->ear = ear;
	if (ops->open && ops->open(c, err) < 0) {
		carrier_free(c);
		return NULL;
	}
	return c;
}

struct carrier *carrier_new_of(const struct carrier_ops *ops, const char *source, struct err *err)
{
	return carrier_begin(ops, source, NULL, err);
}

struct carrier *carrier_new(const char *source, const struct carrier_ear *ear, struct err *err)
{
	const struct carrier_ops *ops = kinds;

	while (strncmp(source, ops->scheme, strlen(ops->scheme)))
		ops++;
	if (twin_is(source))
		ops = &carrier_twin;
	else if (mqtt_is_place(source))
		ops = &carrier_broker;
	else if (strncmp(source, "udp:", 4) == 0)
		ops = &carrier_udp;
	return carrier_begin(ops, source, ear, err);
}

void carrier_free(struct carrier *c)
{
	if (!c)
		return;
	if (c->ops->close)
		c->ops->close(c);
	mem_free(c->source);
	mem_free(c);
}

int carrier_poll(const struct carrier *c, uint64_t now, struct pollfd *fd)
{
	*fd = (struct pollfd){ .fd = -1 };
	return c->ops->poll ? c->ops->poll(c, now, fd) : -1;
}

const char *carrier_next(struct carrier *c, uint64_t now)
{
	return c->ops->next(c, now);
}

struct link *carrier_link(struct carrier *c, const char *name, const struct link_options *o,
			  struct err *err)
{
	return c->ops->link(c, name, o, err);
}

bool carrier_has(const struct carrier *c, const char *name)
{
	return c->ops->has && c->ops->has(c, name);
}

struct carrier_count carrier_count(const struct carrier *c)
{
	return c->ops->count ? c->ops->count(c) : (struct carrier_count){ 0 };
}
