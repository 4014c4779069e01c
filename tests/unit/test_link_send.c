/* link_send: what is sent waits for room, in order, and never burns the CPU. */
#include "tests/unit/link_made.h"

#include <errno.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/syscall.h>

/*
 * A driver whose poll says that it is writable, and which takes nothing: some USB adapters are so
 * while their host side is stuck. The kernel's ptys are not.
 */
static bool stuck;
static unsigned stuck_writes;

ssize_t write(int fd, const void *data, size_t n)
{
	if (!stuck)
		return syscall(SYS_write, fd, data, n);
	stuck_writes++;
	errno = EAGAIN;
	return -1;
}

enum { MESSAGE = 1000 };		/* divides neither the queue's size nor a driver's */

/* A message that no other place in the stream looks like. */
static const uint8_t *message_of(unsigned number)
{
	static uint8_t message[MESSAGE];

	static unsigned made = UINT_MAX;

	for (size_t i = 0; i < MESSAGE && made != number; i++)
		message[i] = (uint8_t)(i ? number * 31 + i * 7 + (i >> 8) : number);
	made = number;
	return message;
}

/* Send messages until the driver and the queue are full; how many were taken. */
static unsigned queue_fill(struct link *l)
{
	unsigned count = 0;
	int room = link_room(l), ret = 0;

	assert_int_equal(room, LINK_SEND_MAX);
	for (; count < 10000 && ret == 0; count += ret == 0) {
		room = link_room(l);
		ret = link_send(l, message_of(count), MESSAGE);
	}
	assert_int_equal(ret, LINK_FULL);
	assert_in_range(room, 0, MESSAGE - 1);
	assert_int_equal(link_room(l), room);		/* none of it was taken */
	assert_int_equal(link_unsent(l), LINK_SEND_MAX - room);
	return count;
}

/*
 * A peer does not read: poll sleeps, or the driver takes something. A TCP stack still moves bytes
 * from one end's buffer to the other's.
 */
static void assert_polls_quietly(struct link *l)
{
	unsigned slept = 0;
	uint64_t time;
	uint8_t byte;

	for (int i = 0; i < 1000 && slept < 5; i++) {
		struct pollfd fd = { .fd = link_fd(l), .events = link_events(l) };
		size_t before = link_unsent(l);
		int ready = poll(&fd, 1, 5);

		assert_int_equal(fd.events, before ? POLLIN | POLLOUT : POLLIN);
		assert_int_equal(link_timeout(l, clock_now()), -1);
		assert_int_equal(link_read(l, clock_now(), &byte, 1, &time), 0);
		assert_true(!ready || link_unsent(l) < before);
		slept += !ready;
	}
	assert_int_equal(slept, 5);
	assert_int_equal(link_state(l), LINK_UP);
}

/* Read at the other end, with the poll loop beside it. */
static void messages_read(struct loop *p, int peer, unsigned count)
{
	size_t at = 0, size = (size_t)count * MESSAGE;
	uint8_t got[999];

	assert_int_equal(fcntl(peer, F_SETFL, O_NONBLOCK), 0);
	for (int i = 0; i < 100000 && at < size; i++) {
		ssize_t n = read(peer, got, sizeof(got));

		for (ssize_t k = 0; k < n; k++, at++)
			assert_int_equal(got[k],
					 message_of((unsigned)(at / MESSAGE))[at % MESSAGE]);
		if (n < 0)
			link_turn(p);
	}
	assert_int_equal(at, size);
	assert_int_equal(read(peer, got, sizeof(got)), -1);
	assert_int_equal(link_unsent(p->link), 0);
	assert_int_equal(link_events(p->link), POLLIN);
}

static void queue_fills_and_drains(const char *source, int *peer, const struct server *s)
{
	struct loop p = { .link = must_open(source) };
	unsigned count;

	if (s)
		*peer = accept(s->fd, NULL, NULL);
	count = queue_fill(p.link);
	assert_polls_quietly(p.link);
	messages_read(&p, *peer, count);
	assert_int_equal(link_send(p.link, message_of(0), MESSAGE), 0);
	messages_read(&p, *peer, 1);
	link_free(p.link);
}

static void a_peer_that_does_not_read_gets_all_in_order_later(void **state)
{
	void (*const starts[])(struct server *) = { tcp_listen, unix_listen };
	struct pty pty = pty_open();

	(void)state;
	queue_fills_and_drains(pty.path, &pty.master, NULL);
	close(pty.master);
	for (size_t i = 0; i < COUNT(starts); i++) {
		struct server s = { 0 };
		int peer;

		starts[i](&s);
		queue_fills_and_drains(s.source, &peer, &s);
		close(peer);
		close(s.fd);
	}
}

/* `how`: -1 closes it; SHUT_WR: its end is read while bytes wait, and no write was refused. */
static void peer_goes_with_bytes_waiting(int how)
{
	struct server s = { 0 };
	struct loop p = { 0 };
	char back[8];
	int old, peer;

	unix_listen(&s);
	p.link = must_open(s.source);
	old = accept(s.fd, NULL, NULL);
	queue_fill(p.link);
	if (how < 0)
		close(old);
	else
		shutdown(old, how);
	until_state(&p, LINK_WAITING);
	assert_int_equal(link_unsent(p.link), 0);
	assert_int_equal(link_room(p.link), LINK_DEAF);
	assert_int_equal(link_send(p.link, "x", 1), LINK_DEAF);
	until_state(&p, LINK_UP);
	peer = accept(s.fd, NULL, NULL);
	assert_int_equal(link_room(p.link), LINK_SEND_MAX);
	assert_int_equal(link_send(p.link, "new", 3), 0);
	assert_int_equal(read(peer, back, sizeof(back)), 3);
	assert_memory_equal(back, "new", 3);
	link_free(p.link);
	if (how >= 0)
		close(old);
	close(peer);
	close(s.fd);
}

static void a_peer_that_goes_takes_the_queue_along(void **state)
{
	(void)state;
	peer_goes_with_bytes_waiting(-1);
	peer_goes_with_bytes_waiting(SHUT_WR);
}

static void a_pty_that_goes_takes_the_queue_along(void **state)
{
	struct pty pty = pty_open();
	struct loop p = { .link = must_open(pty.path) };

	(void)state;
	queue_fill(p.link);
	close(pty.master);
	until_state(&p, LINK_WAITING);
	assert_int_equal(link_unsent(p.link), 0);
	link_free(p.link);
}

/* By time, for such a port: a poll for POLLOUT would return at once, for ever. */
static void a_port_that_lies_about_room_burns_no_cpu(void **state)
{
	struct pty pty = pty_open();
	struct link *l = must_open(pty.path);
	uint64_t now = clock_now(), time;
	uint8_t byte, back[8];

	(void)state;
	link_read(l, now, &byte, 1, &time);
	stuck = true;
	stuck_writes = 0;
	assert_int_equal(link_send(l, "later", 5), 0);
	assert_int_equal(link_unsent(l), 5);
	for (unsigned i = 0; i < 50; i++, now += CLOCK_SECOND / 1000) {
		assert_int_equal(link_events(l), POLLIN);
		assert_in_range(link_timeout(l, now), 0, 20);
		for (int k = 0; k < 10; k++)
			assert_int_equal(link_read(l, now, &byte, 1, &time), 0);
	}
	stuck = false;
	assert_in_range(stuck_writes, 3, 4);		/* in 50 ms */
	assert_int_equal(link_read(l, now + CLOCK_SECOND, &byte, 1, &time), 0);
	assert_int_equal(link_unsent(l), 0);
	assert_int_equal(link_timeout(l, now), -1);
	assert_int_equal(read(pty.master, back, sizeof(back)), 5);
	assert_memory_equal(back, "later", 5);
	link_free(l);
	close(pty.master);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_peer_that_does_not_read_gets_all_in_order_later),
		cmocka_unit_test(a_peer_that_goes_takes_the_queue_along),
		cmocka_unit_test(a_pty_that_goes_takes_the_queue_along),
		cmocka_unit_test(a_port_that_lies_about_room_burns_no_cpu),
	};

	alarm(PATIENCE);
	return cmocka_run_group_tests_name("link_send", tests, make_scratch, remove_scratch);
}
