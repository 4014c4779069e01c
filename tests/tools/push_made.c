/*
 * push_made: profiles pushed by core/collect/push, to a server that judges it.
 *
 *	push_made URL COUNT FAILURES
 *
 * COUNT made profiles are pushed until all are gone, or FAILURES requests failed; the time between
 * two tries is not waited for. 0: it ends while the first request is under way. Prints each reason,
 * and the tally.
 */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/clock.h"
#include "core/collect/push.h"

static void profiles_add(struct push *p, unsigned count)
{
	static char bytes[100000];	/* more than sockets take at once */
	const struct push_label labels[] = { { "site", "made" }, { NULL, NULL } };

	for (unsigned i = 0; i < count; i++)
		push_add(p, labels, bytes, i < 4 ? sizeof(bytes) : 100);
}

static void profiles_push(struct push *p, uint64_t most, struct push_tally *t)
{
	uint64_t ahead = 0, failed = 0;

	do {
		uint64_t now = clock_now() + ahead;
		struct pollfd fds[PUSH_FDS];
		size_t n;
		int ms;

		push_service(p, now);
		push_tally(p, t);
		if (t->failed != failed) {
			printf("%s\n", t->why);
			failed = t->failed;
			ahead += 5 * CLOCK_SECOND;
			continue;
		}
		ms = push_is_idle(p) || !most ? 0 : -1;
		n = push_poll(p, now, fds, &ms);
		poll(fds, n, ms);
	} while (!push_is_idle(p) && t->failed < most);
}

int main(int argc, char **argv)
{
	struct err err = { .code = ERR_NONE };
	struct push_tally t = { .sent = 0 };
	struct push *p = argc == 4 ? push_open(argv[1], &err) : NULL;

	if (!p) {
		fprintf(stderr, "push_made: %s\n", argc == 4 ? err.text : "URL COUNT FAILURES");
		return 2;
	}
	profiles_add(p, (unsigned)strtoul(argv[2], NULL, 10));
	profiles_push(p, strtoul(argv[3], NULL, 10), &t);
	printf("sent %" PRIu64 " dropped %" PRIu64 " failed %" PRIu64 " left %d\n", t.sent,
	       t.dropped, t.failed, !push_is_idle(p));
	push_close(p);
	return 0;
}
