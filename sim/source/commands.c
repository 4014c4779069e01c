/* commands: see commands.h. */
#include "sim/source/commands.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/base/varint.h"

bool commands_read(struct commands *c)
{
	ssize_t got;

	c->count -= c->at;
	memmove(c->bytes, c->bytes + c->at, c->count);
	c->at = 0;
	if (c->count == sizeof(c->bytes))
		return false;
	do
		got = read(c->fd, c->bytes + c->count, sizeof(c->bytes) - c->count);
	while (got < 0 && errno == EINTR);
	c->count += got > 0 ? (size_t)got : 0;
	return got > 0;
}

bool commands_next(struct commands *c, struct command *command)
{
	const uint8_t *p = c->bytes + c->at;
	size_t left = c->count - c->at, head;
	uint64_t n;

	head = left > 1 ? varint_get(p + 1, left - 1, &n) : 0;
	if (!head || n > left - 1 - head)
		return false;
	*command = (struct command){ .type = p[0], .body = p + 1 + head, .n = (size_t)n };
	c->at += 1 + head + (size_t)n;
	return true;
}
