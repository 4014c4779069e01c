/*
 * link_made: a poll loop over a link, and a folder for the files of a test. Time is handed in:
 * nothing waits for a retry, the loop moves its clock on.
 */
#ifndef WSNTOP_TESTS_LINK_MADE_H
#define WSNTOP_TESTS_LINK_MADE_H

#include "tests/unit/unit.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "core/base/clock.h"
#include "core/link/link.h"

/* seconds after which a test that hangs is killed */
enum { PATIENCE = 300 };

static char scratch[64];

static inline const char *in_scratch(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", scratch, name);
	return path;
}

static inline void put_file(const char *path, const void *data, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, n), n);
	close(fd);
}

/* --- a poll loop with a clock that skips what it would wait for --- */

struct loop {
	struct link *link;
	uint64_t skew;			/* our clock is this far ahead */
	char got[4096];
	size_t n;
	bool ended;
};

static inline uint64_t loop_now(const struct loop *p)
{
	return clock_now() + p->skew;
}

static inline void link_turn(struct loop *p)
{
	struct pollfd fd = { .fd = link_fd(p->link), .events = link_events(p->link) };
	int ms = link_timeout(p->link, loop_now(p));
	uint64_t time;
	ssize_t n;

	if (fd.fd < 0)
		p->skew += ms > 0 ? (uint64_t)ms * 1000000 : 0;
	else
		poll(&fd, 1, ms >= 0 && ms < 100 ? ms : 100);
	n = link_read(p->link, loop_now(p), (uint8_t *)p->got + p->n, sizeof(p->got) - p->n, &time);
	if (n > 0)
		p->n += (size_t)n;
	p->ended = n < 0;
}

static inline void until_bytes(struct loop *p, size_t n)
{
	for (int i = 0; i < 1000 && p->n < n && !p->ended; i++)
		link_turn(p);
	assert_int_equal(p->n, n);
}

static inline void until_state(struct loop *p, enum link_state state)
{
	for (int i = 0; i < 1000 && link_state(p->link) != state; i++)
		link_turn(p);
	assert_int_equal(link_state(p->link), state);
}

static inline void until_ended(struct loop *p)
{
	for (int i = 0; i < 1000 && !p->ended; i++)
		link_turn(p);
	assert_true(p->ended);
	assert_int_equal(link_state(p->link), LINK_ENDED);
}

static inline void assert_got(struct loop *p, const char *text)
{
	until_bytes(p, strlen(text));
	assert_memory_equal(p->got, text, strlen(text));
	p->n = 0;
}

static inline struct link *must_open(const char *source)
{
	struct err err = { 0 };
	struct link *l = link_new(source, NULL, &err);

	if (!l)
		fail_msg("%s", err.text);
	return l;
}

/* --- ptys --- */

struct pty {
	int master;
	char path[64];
};

static inline struct pty pty_open(void)
{
	struct pty p;
	int slave;

	assert_int_equal(openpty(&p.master, &slave, p.path, NULL, NULL), 0);
	close(slave);
	return p;
}

/* --- servers --- */

struct server {
	int fd;
	in_port_t port;			/* network order; 0: any */
	char source[256];
};

static inline void tcp_listen(struct server *s)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = s->port };
	socklen_t size = sizeof(a);
	int one = 1;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	s->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	setsockopt(s->fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	assert_int_equal(bind(s->fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(s->fd, 4), 0);
	assert_int_equal(getsockname(s->fd, (struct sockaddr *)&a, &size), 0);
	s->port = a.sin_port;
	snprintf(s->source, sizeof(s->source), "tcp:127.0.0.1:%d", ntohs(s->port));
}

static inline void unix_listen(struct server *s)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	snprintf(a.sun_path, sizeof(a.sun_path), "%s/node.sock", scratch);
	unlink(a.sun_path);
	s->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(s->fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(s->fd, 4), 0);
	snprintf(s->source, sizeof(s->source), "unix:%s", a.sun_path);
}

static inline int make_scratch(void **state)
{
	(void)state;
	signal(SIGPIPE, SIG_DFL);	/* a peer that goes must not kill us */
	snprintf(scratch, sizeof(scratch), "/tmp/test_link.XXXXXX");
	return mkdtemp(scratch) ? 0 : -1;
}

static inline int remove_scratch(void **state)
{
	(void)state;
	return unit_remove(scratch);
}

#endif
