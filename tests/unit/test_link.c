/*
 * link: every kind of source, with the real thing at its other end: ptys, servers, FIFOs, files.
 * Time is handed in: nothing here waits for a retry, it moves its clock on.
 */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/link/link.h"

/* seconds after which a test that hangs is killed */
enum { PATIENCE = 300 };

static char scratch[64];

static const char *in_scratch(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", scratch, name);
	return path;
}

static void put_file(const char *path, const void *data, size_t n)
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

static uint64_t loop_now(const struct loop *p)
{
	return clock_now() + p->skew;
}

static void link_turn(struct loop *p)
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

static void until_bytes(struct loop *p, size_t n)
{
	for (int i = 0; i < 1000 && p->n < n && !p->ended; i++)
		link_turn(p);
	assert_int_equal(p->n, n);
}

static void until_state(struct loop *p, enum link_state state)
{
	for (int i = 0; i < 1000 && link_state(p->link) != state; i++)
		link_turn(p);
	assert_int_equal(link_state(p->link), state);
}

static void until_ended(struct loop *p)
{
	for (int i = 0; i < 1000 && !p->ended; i++)
		link_turn(p);
	assert_true(p->ended);
	assert_int_equal(link_state(p->link), LINK_ENDED);
}

static void assert_got(struct loop *p, const char *text)
{
	until_bytes(p, strlen(text));
	assert_memory_equal(p->got, text, strlen(text));
	p->n = 0;
}

static struct link *must_open(const char *source)
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

static struct pty pty_open(void)
{
	struct pty p;
	int slave;

	assert_int_equal(openpty(&p.master, &slave, p.path, NULL, NULL), 0);
	close(slave);
	return p;
}

static void a_pty_carries_every_byte_both_ways(void **state)
{
	struct pty pty = pty_open();
	struct loop p = { .link = must_open(pty.path) };
	uint8_t all[256], back[256];

	(void)state;
	for (int i = 0; i < 256; i++)
		all[i] = (uint8_t)i;
	assert_string_equal(link_kind(p.link), "tty");
	assert_string_equal(link_name(p.link), pty.path);
	assert_string_equal(link_why(p.link), "");
	assert_int_equal(link_state(p.link), LINK_UP);
	assert_int_equal(link_baud(p.link), 0);
	assert_int_equal(link_timeout(p.link, clock_now()), -1);
	assert_true(link_is_live(p.link));
	assert_true(link_progress(p.link) < 0);
	assert_int_equal(write(pty.master, all, 256), 256);
	until_bytes(&p, 256);
	assert_memory_equal(p.got, all, 256);
	assert_int_equal(link_send(p.link, all, 256), 0);
	assert_int_equal(link_unsent(p.link), 0);
	assert_int_equal(read(pty.master, back, 256), 256);
	assert_memory_equal(back, all, 256);
	link_free(p.link);
	close(pty.master);
}

static void an_idle_pty_is_not_gone(void **state)
{
	struct pty pty = pty_open();
	struct link *l = must_open(pty.path);
	uint64_t time;
	uint8_t byte;

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(link_read(l, 77, &byte, 1, &time), 0);
	assert_int_equal(time, 77);
	assert_int_equal(link_state(l), LINK_UP);
	link_free(l);
	close(pty.master);
}

static void a_pty_that_goes_is_taken_up_again_behind_its_symlink(void **state)
{
	struct pty first = pty_open(), second;
	const char *name = in_scratch("node.pty");
	struct loop p = { 0 };
	uint64_t since;

	(void)state;
	assert_int_equal(symlink(first.path, name), 0);
	p.link = must_open(name);
	assert_int_equal(write(first.master, "one", 3), 3);
	assert_got(&p, "one");
	since = link_since(p.link);

	close(first.master);
	until_state(&p, LINK_WAITING);
	assert_string_equal(link_why(p.link), "the peer disconnected");
	assert_true(link_since(p.link) > since);
	assert_int_equal(link_fd(p.link), -1);
	assert_in_range(link_timeout(p.link, link_since(p.link)), 499, 500);
	assert_int_equal(link_send(p.link, "x", 1), LINK_DEAF);
	since = link_since(p.link);
	for (int i = 0; i < 10; i++)
		link_turn(&p);
	assert_int_equal(link_since(p.link), since);
	assert_string_equal(link_why(p.link), "the peer disconnected");

	second = pty_open();
	unlink(name);
	assert_int_equal(symlink(second.path, name), 0);
	until_state(&p, LINK_UP);
	assert_string_equal(link_why(p.link), "");
	assert_int_equal(link_reconnects(p.link), 1);
	assert_int_equal(write(second.master, "two", 3), 3);
	assert_got(&p, "two");
	link_free(p.link);
	close(second.master);
	unlink(name);
}

static void a_pty_in_use_is_refused_by_name(void **state)
{
	struct pty pty = pty_open();
	struct err err = { 0 };
	int ready[2];
	char byte, who[32];
	pid_t child;

	(void)state;
	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (child == 0) {
		int fd = open(pty.path, O_RDWR | O_NOCTTY);

		if (fd < 0 || flock(fd, LOCK_EX) < 0 || write(ready[1], "x", 1) != 1)
			_exit(1);
		alarm(PATIENCE);
		for (;;)
			pause();
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_null(link_new(pty.path, NULL, &err));
	assert_non_null(strstr(err.text, "busy: "));
	snprintf(who, sizeof(who), "(pid %d); close it first", (int)child);
	assert_non_null(strstr(err.text, who));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	link_free(must_open(pty.path));
	close(pty.master);
	close(ready[0]);
	close(ready[1]);
}

/* Once a simulator is gone, its /dev/pts/N may be the next terminal window's. */
static void a_terminal_that_somebody_sits_at_is_refused(void **state)
{
	struct err err = { 0 };
	char path[64], ready;
	int master;
	pid_t child = forkpty(&master, path, NULL, NULL);

	(void)state;
	if (child == 0) {
		if (write(STDOUT_FILENO, "$", 1) != 1)
			_exit(1);
		alarm(PATIENCE);
		for (;;)
			pause();
	}
	assert_true(child > 0);
	assert_int_equal(read(master, &ready, 1), 1);
	assert_null(link_new(path, NULL, &err));
	assert_int_equal(err.code, ERR_USAGE);
	assert_non_null(strstr(err.text, "this is the terminal of "));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(master);
}

static void an_absent_port_is_waited_for_on_request(void **state)
{
	const struct link_options patient = { .wait = true };
	const char *name = in_scratch("later.pty");
	struct err err = { 0 };
	struct loop p = { .link = link_new(name, &patient, &err) };
	struct pty pty = pty_open();

	(void)state;
	assert_non_null(p.link);
	assert_int_equal(link_state(p.link), LINK_WAITING);
	assert_string_equal(link_why(p.link), "no such file or port");
	assert_true(link_is_live(p.link));
	assert_int_equal(symlink(pty.path, name), 0);
	until_state(&p, LINK_UP);
	assert_int_equal(link_reconnects(p.link), 0);
	assert_int_equal(write(pty.master, "hello", 5), 5);
	assert_got(&p, "hello");
	link_free(p.link);
	close(pty.master);
	unlink(name);
}

/* --- serial ports --- */

/*
 * libserialport takes for a port what /sys/class/tty names and what has modem lines. In a mount
 * namespace of our own the one names a pty, and this answers for the other, so that its code and
 * ours run on something that can be unplugged. All else goes to the kernel.
 */
static unsigned driver_limit;		/* bits per second that the "driver" runs at most; 0: any */

/* <asm/termbits.h> has it, but excludes <termios.h>. */
struct termios2 {
	tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
	cc_t c_line, c_cc[19];
	speed_t c_ispeed, c_ospeed;
};

int ioctl(int fd, unsigned long request, ...)
{
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (request == TIOCMGET)
		*(int *)arg = TIOCM_DTR | TIOCM_RTS;
	if (request == TIOCMGET || request == TIOCMBIS || request == TIOCMBIC)
		return 0;
	if (request == TCSETS2 && driver_limit) {
		/* As the 8250's driver does: no error, another rate. */
		struct termios2 *t = arg;

		if (t->c_ospeed > driver_limit)
			t->c_ispeed = t->c_ospeed = driver_limit;
	}
	return (int)syscall(SYS_ioctl, fd, request, arg);
}

static bool hide_sysfs(void)
{
	return unshare(CLONE_NEWNS) == 0 &&
	       mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("tmpfs", "/sys/class/tty", "tmpfs", 0, NULL) == 0 &&
	       mkdir("/sys/class/tty/pts", 0755) == 0;
}

static struct pty port_plug(void)
{
	struct pty p = pty_open();
	char entry[128];

	snprintf(entry, sizeof(entry), "/sys/class/tty/%s", p.path + strlen("/dev/"));
	unlink(entry);
	assert_int_equal(symlink("../../devices/a-usb-adapter", entry), 0);
	return p;
}

static speed_t speed_of(const struct pty *p)
{
	struct termios t;

	assert_int_equal(tcgetattr(p->master, &t), 0);
	return cfgetospeed(&t);
}

static void a_serial_port_is_set_up_unplugged_and_taken_up_again(void **state)
{
	const struct link_options slow = { .baud = 57600 };
	const char *name = in_scratch("by-id");
	struct pty port;
	struct loop p = { 0 };
	struct err err = { 0 };
	char source[256], byte;

	(void)state;
	if (!hide_sysfs())
		skip();			/* only root may mount */
	port = port_plug();
	assert_int_equal(symlink(port.path, name), 0);
	snprintf(source, sizeof(source), "serial:%s?baud=250000", name);
	p.link = link_new(source, &slow, &err);
	if (!p.link)
		fail_msg("%s", err.text);
	assert_string_equal(link_kind(p.link), "serial");
	assert_int_equal(link_baud(p.link), 250000);
	assert_string_equal(link_why(p.link), "");
	assert_int_equal(write(port.master, "\x03\x11\x13\r\n\xff", 6), 6);
	assert_got(&p, "\x03\x11\x13\r\n\xff");
	assert_int_equal(link_send(p.link, "\n", 1), 0);
	assert_int_equal(read(port.master, &byte, 1), 1);
	assert_int_equal(fcntl(link_fd(p.link), F_GETFD), FD_CLOEXEC);
	assert_null(link_new(name, NULL, &err));
	assert_non_null(strstr(err.text, "busy"));

	close(port.master);
	until_state(&p, LINK_WAITING);
	assert_string_equal(link_why(p.link), "unplugged");
	port = port_plug();
	unlink(name);
	assert_int_equal(symlink(port.path, name), 0);
	until_state(&p, LINK_UP);
	assert_int_equal(link_baud(p.link), 250000);
	assert_int_equal(write(port.master, "again", 5), 5);
	assert_got(&p, "again");
	link_free(p.link);

	p.link = link_new(name, &slow, NULL);
	assert_int_equal(link_baud(p.link), 57600);
	assert_int_equal(speed_of(&port), B57600);
	link_free(p.link);
	link_free(must_open(name));
	assert_int_equal(speed_of(&port), B115200);

	driver_limit = 115200;
	p.link = must_open(source);
	assert_int_equal(link_state(p.link), LINK_UP);
	assert_int_equal(link_baud(p.link), 115200);
	assert_string_equal(link_why(p.link), "250000 baud requested, the driver uses 115200");
	link_free(p.link);
	driver_limit = 0;
	close(port.master);
	unlink(name);
}

/* --- servers --- */

struct server {
	int fd;
	in_port_t port;			/* network order; 0: any */
	char source[256];
};

static void tcp_listen(struct server *s)
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

static void unix_listen(struct server *s)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	snprintf(a.sun_path, sizeof(a.sun_path), "%s/node.sock", scratch);
	unlink(a.sun_path);
	s->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(s->fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(s->fd, 4), 0);
	snprintf(s->source, sizeof(s->source), "unix:%s", a.sun_path);
}

static void serves_leaves_and_returns(void (*start)(struct server *), const char *kind)
{
	struct server s = { 0 };
	struct loop p = { 0 };
	char back[8];
	int peer;

	start(&s);
	p.link = must_open(s.source);
	assert_string_equal(link_kind(p.link), kind);
	assert_int_equal(link_state(p.link), LINK_UP);
	peer = accept(s.fd, NULL, NULL);
	assert_int_equal(write(peer, "one", 3), 3);
	assert_got(&p, "one");
	assert_int_equal(link_send(p.link, "ping", 4), 0);
	assert_int_equal(read(peer, back, sizeof(back)), 4);

	assert_int_equal(write(peer, "last", 4), 4);
	close(peer);
	close(s.fd);
	assert_got(&p, "last");
	until_state(&p, LINK_WAITING);
	assert_string_equal(link_why(p.link), "the peer closed the connection");
	for (int i = 0; i < 10; i++)
		link_turn(&p);
	assert_int_equal(link_state(p.link), LINK_WAITING);
	assert_string_equal(link_why(p.link), "the peer closed the connection");

	start(&s);
	until_state(&p, LINK_UP);
	assert_int_equal(link_reconnects(p.link), 1);
	peer = accept(s.fd, NULL, NULL);
	assert_int_equal(write(peer, "two", 3), 3);
	assert_got(&p, "two");
	link_free(p.link);
	close(peer);
	close(s.fd);
}

static void a_tcp_peer_leaves_and_returns(void **state)
{
	(void)state;
	serves_leaves_and_returns(tcp_listen, "tcp");
}

static void a_unix_peer_leaves_and_returns(void **state)
{
	(void)state;
	serves_leaves_and_returns(unix_listen, "unix");
}

static void a_socket_is_known_by_its_plain_path(void **state)
{
	struct server s = { 0 };
	struct loop p = { 0 };
	int peer;

	(void)state;
	unix_listen(&s);
	p.link = must_open(in_scratch("node.sock"));
	assert_string_equal(link_kind(p.link), "unix");
	peer = accept(s.fd, NULL, NULL);
	assert_int_equal(write(peer, "x", 1), 1);
	assert_got(&p, "x");
	close(peer);
	assert_int_equal(link_send(p.link, "x", 1), LINK_DEAF);	/* and no SIGPIPE */
	close(s.fd);
	until_state(&p, LINK_WAITING);
	for (int i = 0; i < 5; i++)
		link_turn(&p);
	unlink(in_scratch("node.sock"));
	link_free(p.link);
}

static void a_file_is_no_socket(void **state)
{
	char source[256];
	struct err err = { 0 };

	(void)state;
	put_file(in_scratch("plain"), "x", 1);
	snprintf(source, sizeof(source), "unix:%s", in_scratch("plain"));
	assert_null(link_new(source, NULL, &err));
	assert_non_null(strstr(err.text, "nothing listens there"));
}

static void a_host_of_several_addresses_is_tried_at_each(void **state)
{
	struct server s = { 0 };
	struct link *l;
	char source[64];

	(void)state;
	tcp_listen(&s);			/* on 127.0.0.1 only: localhost's ::1 refuses */
	snprintf(source, sizeof(source), "tcp:localhost:%d", ntohs(s.port));
	l = must_open(source);
	assert_int_equal(link_state(l), LINK_UP);
	link_free(l);
	close(s.fd);
}

static void an_ipv6_address_stands_in_brackets(void **state)
{
	struct sockaddr_in6 a = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	int fd = socket(AF_INET6, SOCK_STREAM, 0);
	socklen_t size = sizeof(a);
	char source[64];

	(void)state;
	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof(a)) < 0)
		skip();			/* a machine without IPv6 */
	assert_int_equal(listen(fd, 1), 0);
	getsockname(fd, (struct sockaddr *)&a, &size);
	snprintf(source, sizeof(source), "tcp:[::1]:%d", ntohs(a.sin6_port));
	link_free(must_open(source));
	close(fd);
}

static void a_server_to_come_is_waited_for_on_request(void **state)
{
	const struct link_options patient = { .wait = true };
	struct server s = { 0 };
	struct err err = { 0 };
	struct loop p = { 0 };

	(void)state;
	tcp_listen(&s);
	close(s.fd);			/* now its port is one that nobody has */
	assert_null(link_new(s.source, NULL, &err));
	assert_non_null(strstr(err.text, "connection refused: nothing listens there"));
	p.link = link_new(s.source, &patient, NULL);
	assert_non_null(p.link);
	until_state(&p, LINK_WAITING);
	tcp_listen(&s);
	until_state(&p, LINK_UP);
	assert_int_equal(link_reconnects(p.link), 0);
	link_free(p.link);
	close(s.fd);
}

/* Accepts, closes, accepts, closes: at most two attempts a second, each of them shown. */
static void a_server_that_hangs_up_at_once_is_not_hammered(void **state)
{
	struct server s = { 0 };
	struct loop p = { 0 };
	uint64_t from;

	(void)state;
	tcp_listen(&s);
	p.link = must_open(s.source);
	from = loop_now(&p);
	for (unsigned i = 0; i < 5; i++) {
		close(accept(s.fd, NULL, NULL));
		until_state(&p, LINK_WAITING);
		until_state(&p, LINK_UP);
		assert_int_equal(link_reconnects(p.link), i + 1);
	}
	assert_true(loop_now(&p) - from >= 5 * CLOCK_SECOND / 2);
	link_free(p.link);
	close(s.fd);
}

static void a_reset_says_so(void **state)
{
	const struct linger at_once = { .l_onoff = 1 };
	struct server s = { 0 };
	struct loop p = { 0 };
	int peer;

	(void)state;
	tcp_listen(&s);
	p.link = must_open(s.source);
	peer = accept(s.fd, NULL, NULL);
	setsockopt(peer, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	close(peer);
	until_state(&p, LINK_WAITING);
	assert_string_equal(link_why(p.link), strerror(ECONNRESET));
	link_free(p.link);
	close(s.fd);
}

/* --- a send queue --- */

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

/* --- files, FIFOs, standard input --- */

static void a_file_is_read_to_its_end(void **state)
{
	const char *sources[] = { "%s", "file:%s" };
	const char *path = in_scratch("capture");

	(void)state;
	put_file(path, "0123456789", 10);
	for (size_t i = 0; i < COUNT(sources); i++) {
		struct loop p = { 0 };
		char source[256];
		uint64_t time;

		snprintf(source, sizeof(source), sources[i], path);
		p.link = must_open(source);
		assert_string_equal(link_kind(p.link), "file");
		assert_false(link_is_live(p.link));
		assert_int_equal(link_fd(p.link), -1);
		assert_int_equal(link_timeout(p.link, clock_now()), 0);
		assert_int_equal(link_read(p.link, 5, (uint8_t *)p.got, 5, &time), 5);
		assert_int_equal(time, 5);
		assert_true(link_progress(p.link) == 0.5);
		p.n = 5;
		assert_got(&p, "0123456789");
		until_ended(&p);
		assert_true(link_progress(p.link) == 1);
		assert_string_equal(link_why(p.link), "");
		assert_int_equal(link_send(p.link, "x", 1), LINK_DEAF);
		assert_int_equal(link_timeout(p.link, clock_now()), -1);
		link_free(p.link);
	}
}

static void an_empty_file_ends(void **state)
{
	struct loop p = { 0 };

	(void)state;
	put_file(in_scratch("empty"), "", 0);
	p.link = must_open(in_scratch("empty"));
	until_ended(&p);
	assert_int_equal(p.n, 0);
	link_free(p.link);
}

/* The beginning of a recording's first bytes is no recording. */
static void a_file_that_begins_like_a_recording_is_read_whole(void **state)
{
	static const char *texts[] = {
		"w", "wsnrec", "wsnrec1", "wsnrec2\nwhatever", "wsnrec1 and more",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct loop p = { 0 };

		put_file(in_scratch("like"), texts[i], strlen(texts[i]));
		p.link = must_open(in_scratch("like"));
		assert_got(&p, texts[i]);
		until_ended(&p);
		assert_string_equal(link_kind(p.link), "file");
		link_free(p.link);
	}
}

static void a_fifo_waits_for_its_writer_and_ends_with_it(void **state)
{
	const char *path = in_scratch("fifo");
	struct loop p = { 0 };
	int fd;

	(void)state;
	assert_int_equal(mkfifo(path, 0600), 0);
	p.link = must_open(path);
	assert_true(link_fd(p.link) >= 0);
	link_turn(&p);
	link_turn(&p);
	assert_int_equal(link_state(p.link), LINK_UP);
	fd = open(path, O_WRONLY);
	assert_int_equal(write(fd, "abc", 3), 3);
	assert_got(&p, "abc");
	link_turn(&p);
	assert_false(p.ended);
	close(fd);
	until_ended(&p);
	link_free(p.link);
	unlink(path);
}

static void standard_input_ends(void **state)
{
	int saved = dup(STDIN_FILENO), ends[2];
	struct loop p = { 0 };

	(void)state;
	assert_int_equal(pipe(ends), 0);
	dup2(ends[0], STDIN_FILENO);
	p.link = must_open("-");
	assert_string_equal(link_kind(p.link), "stdin");
	assert_string_equal(link_name(p.link), "-");
	link_turn(&p);
	assert_int_equal(p.n, 0);
	assert_int_equal(link_timeout(p.link, clock_now()), -1);
	assert_int_equal(write(ends[1], "wsn", 3), 3);	/* could be a recording's beginning */
	link_turn(&p);
	assert_int_equal(p.n, 0);
	assert_int_equal(link_timeout(p.link, clock_now()), -1);
	assert_int_equal(write(ends[1], "top", 3), 3);
	assert_got(&p, "wsntop");
	assert_int_equal(fcntl(STDIN_FILENO, F_GETFL) & O_NONBLOCK, 0);
	close(ends[1]);
	until_ended(&p);
	link_free(p.link);
	dup2(saved, STDIN_FILENO);
	close(saved);
	close(ends[0]);
}

static void a_device_that_is_no_terminal_is_read_as_it_comes(void **state)
{
	struct loop p = { .link = must_open("/dev/null") };

	(void)state;
	assert_string_equal(link_kind(p.link), "file");
	until_ended(&p);
	link_free(p.link);
	p = (struct loop){ .link = must_open("/dev/zero") };
	until_bytes(&p, sizeof(p.got));
	link_free(p.link);
}

/* --- refusals --- */

static void refusals_say_what_to_do(void **state)
{
	static const struct {
		const char *source;
		enum err_code code;
		const char *says;
	} rows[] = {
		{ "/dev/no-such-port", ERR_ABSENT, "/dev/no-such-port: no such port" },
		{ "serial:/dev/no-such-port?baud=250000", ERR_ABSENT, "no such port" },
		{ "no/such/file", ERR_ABSENT, "no such file or port" },
		{ "file:no/such/file", ERR_ABSENT, "no such file or port" },
		{ "file:/dev/null", ERR_USAGE, "not a file" },
		{ "serial:Makefile", ERR_USAGE, "not a serial port" },
		{ "serial:", ERR_USAGE, "a name is missing" },
		{ "", ERR_USAGE, "a name is missing" },
		{ "serial:/dev/null?speed=1", ERR_USAGE, "serial:DEVICE?baud=NUMBER" },
		{ "serial:/dev/null?baud=", ERR_USAGE, "serial:DEVICE?baud=NUMBER" },
		{ "serial:/dev/null?baud=0", ERR_USAGE, "serial:DEVICE?baud=NUMBER" },
		{ "serial:/dev/null?baud=4294967296", ERR_USAGE, "serial:DEVICE?baud=NUMBER" },
		{ "serial:/dev/null?baud=9600x", ERR_USAGE, "serial:DEVICE?baud=NUMBER" },
		{ ".", ERR_USAGE, "not a port, file or socket" },
		{ "tcp:", ERR_USAGE, "a name is missing" },
		{ "tcp:localhost", ERR_USAGE, "tcp:HOST:PORT" },
		{ "tcp:localhost:", ERR_USAGE, "tcp:HOST:PORT" },
		{ "tcp::80", ERR_USAGE, "tcp:HOST:PORT" },
		{ "tcp:::1:80", ERR_USAGE, "tcp:[HOST]:PORT" },
		{ "tcp:[::1:80", ERR_USAGE, "tcp:[HOST]:PORT" },
		{ "tcp:[]:80", ERR_USAGE, "tcp:[HOST]:PORT" },
		{ "tcp:127.0.0.1:no-such-service", ERR_USAGE, "not a port number" },
		{ "tcp:127.0.0.1:0", ERR_USAGE, "from 1 to 65535" },
		{ "tcp:127.0.0.1:99999", ERR_USAGE, "from 1 to 65535" },	/* not 34463 */
		{ "unix:no/such/socket", ERR_ABSENT, "no such socket" },
		{ "tcp:evil\033[31m", ERR_USAGE, "evil\\x1b[31m" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct err err = { 0 };

		assert_null(link_new(rows[i].source, NULL, &err));
		if (err.code != rows[i].code || !strstr(err.text, rows[i].says))
			fail_msg("%s: %d, %s", rows[i].source, err.code, err.text);
		assert_null(strchr(err.text, '\n'));
	}
}

static void a_path_too_long_for_a_socket_is_refused(void **state)
{
	char source[256] = "unix:";
	struct err err = { 0 };

	(void)state;
	memset(source + 5, 'x', 200);
	assert_null(link_new(source, NULL, &err));
	assert_non_null(strstr(err.text, "use a symlink"));
}

static void a_forbidden_port_names_the_group_to_join(void **state)
{
	const struct group *group = getgrnam("dialout");
	struct pty pty = pty_open();
	int status;
	pid_t child;

	(void)state;
	if (geteuid() != 0 || !group || chown(pty.path, 0, group->gr_gid) < 0 ||
	    chmod(pty.path, 0660) < 0)
		skip();			/* only root can make a device that is not ours */
	child = fork();
	if (child == 0) {
		struct err err = { 0 };

		if (setgroups(0, NULL) < 0 || setgid(65534) < 0 || setuid(65534) < 0)
			_exit(2);
		if (link_new(pty.path, NULL, &err))
			_exit(3);
		_exit(strstr(err.text, "add yourself to group dialout") ? 0 : 4);
	}
	waitpid(child, &status, 0);
	assert_int_equal(status, 0);
	close(pty.master);
}

/* Opened for reading alone, it is known beforehand that nothing can be sent. */
static void a_port_that_may_only_be_read_takes_nothing(void **state)
{
	struct pty pty = pty_open();
	int status;
	pid_t child;

	(void)state;
	if (geteuid() != 0 || chown(pty.path, 0, 0) < 0 || chmod(pty.path, 0444) < 0)
		skip();			/* only root can make a device that is not ours */
	child = fork();
	if (child == 0) {
		struct link *l;

		if (setgroups(0, NULL) < 0 || setgid(65534) < 0 || setuid(65534) < 0)
			_exit(2);
		l = link_new(pty.path, NULL, NULL);
		if (!l || link_state(l) != LINK_UP)
			_exit(3);
		if (link_room(l) != LINK_DEAF || link_send(l, "x", 1) != LINK_DEAF)
			_exit(4);
		_exit(link_events(l) == POLLIN ? 0 : 5);
	}
	waitpid(child, &status, 0);
	assert_int_equal(status, 0);
	close(pty.master);
}

static void ports_are_listed_whole_and_in_part(void **state)
{
	static struct link_port ports[256];
	size_t n = link_ports(NULL, 0);

	(void)state;
	memset(ports, 0x7f, sizeof(ports));
	assert_int_equal(link_ports(ports, n ? 1 : 0), n);
	assert_int_equal(ports[n ? 1 : 0].path[0], 0x7f);
	assert_int_equal(link_ports(ports, COUNT(ports)), n);
	for (size_t i = 0; i < n && i < COUNT(ports); i++) {
		assert_memory_equal(ports[i].path, "/dev/", 5);
		assert_non_null(memchr(ports[i].path, 0, sizeof(ports[i].path)));
		assert_non_null(memchr(ports[i].what, 0, sizeof(ports[i].what)));
		assert_int_equal(ports[i].usable, access(ports[i].path, R_OK | W_OK) == 0);
	}
}

/* --- memory --- */

static void without_memory_nothing_opens_and_nothing_leaks(void **state)
{
	struct server s = { 0 }, u = { 0 };
	struct pty pty = pty_open();
	const char *sources[] = { pty.path, s.source, u.source, "Makefile", "-" };

	(void)state;
	tcp_listen(&s);
	unix_listen(&u);
	for (size_t i = 0; i < COUNT(sources); i++) {
		struct link *l = NULL;
		long n;

		for (n = 0; !l && n < 20; n++) {
			struct err err = { 0 };

			mem_fail_after(n);
			l = link_new(sources[i], NULL, &err);
			mem_fail_after(-1);
			if (!l)
				assert_int_equal(err.code, ERR_NOMEM);
		}
		assert_non_null(l);
		assert_true(n > 2);
		link_free(l);
	}
	link_free(NULL);
	close(s.fd);
	close(u.fd);
	close(pty.master);
}

static int make_scratch(void **state)
{
	(void)state;
	signal(SIGPIPE, SIG_DFL);	/* a peer that goes must not kill us */
	snprintf(scratch, sizeof(scratch), "/tmp/test_link.XXXXXX");
	return mkdtemp(scratch) ? 0 : -1;
}

static int remove_scratch(void **state)
{
	(void)state;
	return unit_remove(scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pty_carries_every_byte_both_ways),
		cmocka_unit_test(an_idle_pty_is_not_gone),
		cmocka_unit_test(a_pty_that_goes_is_taken_up_again_behind_its_symlink),
		cmocka_unit_test(a_pty_in_use_is_refused_by_name),
		cmocka_unit_test(a_terminal_that_somebody_sits_at_is_refused),
		cmocka_unit_test(an_absent_port_is_waited_for_on_request),
		cmocka_unit_test(a_tcp_peer_leaves_and_returns),
		cmocka_unit_test(a_unix_peer_leaves_and_returns),
		cmocka_unit_test(a_socket_is_known_by_its_plain_path),
		cmocka_unit_test(a_file_is_no_socket),
		cmocka_unit_test(a_host_of_several_addresses_is_tried_at_each),
		cmocka_unit_test(an_ipv6_address_stands_in_brackets),
		cmocka_unit_test(a_server_to_come_is_waited_for_on_request),
		cmocka_unit_test(a_server_that_hangs_up_at_once_is_not_hammered),
		cmocka_unit_test(a_reset_says_so),
		cmocka_unit_test(a_peer_that_does_not_read_gets_all_in_order_later),
		cmocka_unit_test(a_peer_that_goes_takes_the_queue_along),
		cmocka_unit_test(a_pty_that_goes_takes_the_queue_along),
		cmocka_unit_test(a_port_that_lies_about_room_burns_no_cpu),
		cmocka_unit_test(a_file_is_read_to_its_end),
		cmocka_unit_test(an_empty_file_ends),
		cmocka_unit_test(a_file_that_begins_like_a_recording_is_read_whole),
		cmocka_unit_test(a_fifo_waits_for_its_writer_and_ends_with_it),
		cmocka_unit_test(standard_input_ends),
		cmocka_unit_test(a_device_that_is_no_terminal_is_read_as_it_comes),
		cmocka_unit_test(refusals_say_what_to_do),
		cmocka_unit_test(a_path_too_long_for_a_socket_is_refused),
		cmocka_unit_test(a_forbidden_port_names_the_group_to_join),
		cmocka_unit_test(a_port_that_may_only_be_read_takes_nothing),
		cmocka_unit_test(ports_are_listed_whole_and_in_part),
		cmocka_unit_test(without_memory_nothing_opens_and_nothing_leaks),
		/* Last: what it does to /sys stays until we exit. */
		cmocka_unit_test(a_serial_port_is_set_up_unplugged_and_taken_up_again),
	};

	alarm(PATIENCE);
	return cmocka_run_group_tests_name("link", tests, make_scratch, remove_scratch);
}
