/* leave: before a line is closed, a target that stands for us goes on. */
#include "core/node/parts.h"

#include "core/base/clock.h"

#define LEAVE_NS (3 * CLOCK_SECOND)	/* that the end of wsntop waits for an answer */
#define CONNECT_NS (CLOCK_SECOND / 4)	/* and for a connection that is under way */

/* False: the line is down. */
static bool answer_await(struct input *in, uint64_t now)
{
	struct pollfd fd = { .fd = link_fd(in->link), .events = link_events(in->link) };
	uint8_t bytes[512];
	uint64_t time_ns;
	ssize_t n;

	poll(&fd, 1, 10);
	n = link_read(in->link, now, bytes, sizeof(bytes), &time_ns);
	if (n > 0)
		wire_feed(in->wire, bytes, (size_t)n);
	return n >= 0;
}

/* Its server halts the target as soon as it takes the connection. */
static bool comes_up(const struct link *l, uint64_t waited)
{
	return link_state(l) != LINK_UP && link_fd(l) >= 0 && waited < CONNECT_NS;
}

void input_leave(struct input *in)
{
	uint64_t since = clock_now(), now = since;
	bool left = !in->link || !in->wire || in->ended;

	while (!left) {
		struct wire_out out = { .count = 0 };
		int room = link_room(in->link);

		if (room >= 0) {
			out.room = (size_t)(room < WIRE_OUT_MAX ? room : WIRE_OUT_MAX);
			left = wire_leave(in->wire, now - since >= LEAVE_NS, &out);
			link_send(in->link, out.bytes, out.count);
		} else if (!comes_up(in->link, now - since)) {
			return;
		}
		if (!left && !answer_await(in, now))
			return;
		now = clock_now();
	}
}
