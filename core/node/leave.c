/* leave: before a line is closed, a target that stands for us goes on. */
#include "core/node/parts.h"

#include "core/base/clock.h"

#define LEAVE_NS (3 * CLOCK_SECOND)	/* that the end of wsntop waits for an answer */

/* False: the line is down. */
static bool answer_await(struct input *in, uint64_t now)
{
	struct pollfd fd = { .fd = link_fd(in->link), .events = POLLIN };
	uint8_t bytes[512];
	uint64_t time_ns;
	ssize_t n;

	poll(&fd, 1, 10);
	n = link_read(in->link, now, bytes, sizeof(bytes), &time_ns);
	if (n > 0)
		wire_feed(in->wire, bytes, (size_t)n);
	return n >= 0;
}

void input_leave(struct input *in)
{
	uint64_t since = clock_now(), now = since;
	bool left = !in->link || !in->wire || in->ended;

	while (!left) {
		struct wire_out out = { .count = 0 };
		int room = link_room(in->link);

		if (room < 0)
			return;
		out.room = (size_t)(room < WIRE_OUT_MAX ? room : WIRE_OUT_MAX);
		left = wire_leave(in->wire, now - since >= LEAVE_NS, &out);
		link_send(in->link, out.bytes, out.count);
		if (!left && !answer_await(in, now))
			return;
		now = clock_now();
	}
}
