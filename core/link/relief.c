/* relief: bytes that a driver would lose, taken by another thread while nobody can use them. */
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/link/link_ops.h"

enum {
	RELIEF_MAX = 64 << 20,		/* bytes: ten minutes of the fastest line */
	RELIEF_READ = 4096,
};

struct relief_head {
	uint64_t time_ns;
	size_t size;
};

struct relief_piece {
	struct relief_head head;
	uint8_t data[RELIEF_READ];
};

bool link_overflows(const struct link *l)
{
	return l->ops->read == link_tty_read;
}

void link_relieve(struct link *l)
{
	struct buf *kept = &l->relief.kept;
	struct relief_piece p;
	ssize_t n;

	if (l->state != LINK_UP || !link_overflows(l))
		return;
	while (!kept->failed && kept->len < RELIEF_MAX &&
	       (n = read(l->fd, p.data, sizeof(p.data))) > 0) {
		p.head = (struct relief_head){ clock_now(), (size_t)n };
		buf_add(kept, &p, sizeof(p.head) + (size_t)n);
	}
}

bool relief_waits(const struct link *l)
{
	return l->relief.kept.len > 0;
}

size_t relief_take(struct link *l, uint8_t *buf, size_t size, uint64_t *time_ns)
{
	struct link_relief *r = &l->relief;
	const char *kept = r->kept.data;
	struct relief_head head;
	size_t n;

	memcpy(&head, kept + r->at, sizeof(head));
	n = head.size - r->done < size ? head.size - r->done : size;
	memcpy(buf, kept + r->at + sizeof(head) + r->done, n);
	*time_ns = head.time_ns;
	r->done += n;
	if (r->done < head.size)
		return n;
	r->at += sizeof(head) + head.size;
	r->done = 0;
	if (r->at + sizeof(head) > r->kept.len)
		relief_release(l);
	return n;
}

void relief_release(struct link *l)
{
	buf_release(&l->relief.kept);
	l->relief = (struct link_relief){ .kept = BUF_INIT };
}
