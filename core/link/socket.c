/*
 * Sockets, as a client: tcp:HOST:PORT and unix:PATH. The connect is non-blocking, so a peer that
 * does not answer costs nobody a wait. A host's name is looked up once, when it is first needed
 * (that may block); a reconnect tries the addresses found then.
 */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/os.h"
#include "core/base/text.h"
#include "core/link/link_ops.h"

/* An address that swallows our packets is given up, else the kernel tries for two minutes. */
#define ANSWER_NS (4 * CLOCK_SECOND)

struct socket_own {
	struct addrinfo *list;		/* what the host's name means */
	struct addrinfo *next;		/* to be tried after the present one */
	uint64_t deadline;		/* of the present one */
};

static void socket_release(struct link *l)
{
	struct socket_own *s = l->own;

	if (s && s->list)
		freeaddrinfo(s->list);
	mem_free(s);
	l->own = NULL;
}

static int socket_own(struct link *l, struct err *err)
{
	if (!l->own)
		l->own = mem_zalloc(sizeof(struct socket_own));
	return l->own ? 0 : err_set(err, ERR_NOMEM, "out of memory");
}

static int say_refused(int error, struct err *err)
{
	if (error == ECONNREFUSED)
		return err_set(err, ERR_ABSENT, "connection refused: nothing listens there");
	if (error == ENOENT)
		return err_set(err, ERR_ABSENT, "no such socket");
	if (error == EAGAIN)
		return err_set(err, ERR_ABSENT, "its connection queue is full: try again");
	return err_set(err, ERR_ABSENT, "%s", strerror(error));
}

/* Start connecting: l->fd, and l->connecting while it goes on. 0 or the errno. */
static int connect_begin(struct link *l, int family, const struct sockaddr *address, socklen_t size)
{
	int fd = os_socket(family);
	int error;

	if (fd < 0)
		return errno;
	if (connect(fd, address, size) == 0) {
		l->fd = fd;
		return 0;
	}
	error = errno;
	if (error == EINPROGRESS) {
		l->fd = fd;
		l->connecting = true;
		return 0;
	}
	close(fd);
	return error;
}

static ssize_t socket_read(struct link *l, uint8_t *buf, size_t size, uint64_t *time_ns)
{
	ssize_t n = recv(l->fd, buf, size, MSG_DONTWAIT);
	int error = n < 0 ? errno : 0;

	(void)time_ns;
	if (n > 0)
		return n;
	if (error == EAGAIN || error == EINTR)
		return 0;
	err_clear(&l->why);
	if (error)
		err_set(&l->why, ERR_ABSENT, "%s", strerror(error));
	else
		err_set(&l->why, ERR_ABSENT, "%s", l->ops->gone);
	return LINK_GONE;
}

static ssize_t socket_write(struct link *l, const uint8_t *data, size_t n)
{
	ssize_t done = send(l->fd, data, n, MSG_DONTWAIT | os_send_flags);

	if (done >= 0)
		return done;
	return errno == EAGAIN || errno == EINTR ? 0 : -1;
}

/* --- tcp -------------------------------------------------------------------------------------- */

/* "HOST:PORT" or "[IPV6]:PORT" in place: *host and *port point into it. */
static int split_address(char *address, char **host, char **port)
{
	char *colon = strrchr(address, ':');
	char *end = colon;

	if (!colon || !colon[1] || colon == address)
		return -1;
	*host = address;
	if (*address == '[') {
		if (colon[-1] != ']')
			return -1;
		*host = address + 1;
		end = colon - 1;
	} else if (strchr(address, ':') != colon) {
		return -1;
	}
	*end = '\0';
	*port = colon + 1;
	return **host ? 0 : -1;
}

/* getaddrinfo takes 99999 and connects to 34463. A service's name is its own to judge. */
static bool port_exists(const char *port)
{
	uint64_t n;

	return !text_u64(port, &n) || (n >= 1 && n <= UINT16_MAX);
}

static int look_up(struct link *l, struct socket_own *s, struct err *err)
{
	struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
	char *address = mem_strdup(l->where), *host, *port;
	int ret = 0;

	if (!address)
		return err_set(err, ERR_NOMEM, "out of memory");
	if (split_address(address, &host, &port) < 0) {
		ret = err_set(err, ERR_USAGE, "expected tcp:HOST:PORT, IPv6 tcp:[HOST]:PORT");
	} else if (!port_exists(port)) {
		ret = err_set(err, ERR_USAGE, "%s: expected a port number from 1 to 65535",
			      port);
	} else {
		int found = getaddrinfo(host, port, &hints, &s->list);

		if (found == EAI_SERVICE)
			ret = err_set(err, ERR_USAGE, "%s: not a port number", port);
		else if (found != 0)
			ret = err_set(err, ERR_ABSENT, "no host of that name (%s)",
				      gai_strerror(found));
	}
	mem_free(address);
	return ret;
}

/* A node whose power went says no goodbye: have the kernel ask it after 10 s of silence. */
static void tcp_tune(int fd)
{
	static const struct {
		int level, option, value;
	} options[] = {
		{ SOL_SOCKET, SO_KEEPALIVE, 1 },
		{ IPPROTO_TCP, TCP_KEEPIDLE, 10 },
		{ IPPROTO_TCP, TCP_KEEPINTVL, 5 },
		{ IPPROTO_TCP, TCP_KEEPCNT, 3 },
		{ IPPROTO_TCP, TCP_NODELAY, 1 },
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		setsockopt(fd, options[i].level, options[i].option, &options[i].value, sizeof(int));
}

/* Begin with the next address that can be begun with. */
static int try_next(struct link *l, int error, struct err *err)
{
	struct socket_own *s = l->own;

	for (; s->next; s->next = s->next->ai_next) {
		error = connect_begin(l, s->next->ai_family, s->next->ai_addr, s->next->ai_addrlen);
		if (error)
			continue;
		s->next = s->next->ai_next;
		s->deadline = l->now + ANSWER_NS;
		tcp_tune(l->fd);
		return 0;
	}
	return say_refused(error, err);
}

static int tcp_open(struct link *l, struct err *err)
{
	struct socket_own *s;
	int ret = socket_own(l, err);

	if (ret < 0)
		return ret;
	s = l->own;
	if (!s->list && (ret = look_up(l, s, err)) < 0)
		return ret;
	s->next = s->list;
	return try_next(l, 0, err);
}

static int tcp_finish(struct link *l, struct err *err)
{
	struct pollfd p = { .fd = l->fd, .events = POLLOUT };
	struct socket_own *s = l->own;
	int error = ETIMEDOUT;
	socklen_t size = sizeof(error);

	if (poll(&p, 1, 0) > 0)
		getsockopt(l->fd, SOL_SOCKET, SO_ERROR, &error, &size);
	else if (l->now < s->deadline)
		return 1;
	if (error == 0)
		return 0;
	close(l->fd);
	l->fd = -1;
	l->connecting = false;
	error = try_next(l, error, err);
	return error < 0 ? error : l->connecting;
}

static int tcp_timeout(const struct link *l, uint64_t now)
{
	const struct socket_own *s = l->own;

	return l->connecting ? clock_ms_until(s->deadline, now) : -1;
}

const struct link_ops link_tcp = {
	.kind = "tcp",
	.gone = "the peer closed the connection",
	.live = true,
	.open = tcp_open,
	.finish = tcp_finish,
	.read = socket_read,
	.write = socket_write,
	.release = socket_release,
	.timeout = tcp_timeout,
};

/* --- unix ------------------------------------------------------------------------------------- */

static int unix_open(struct link *l, struct err *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t n = strlen(l->where);
	int error;

	if (n >= sizeof(address.sun_path))
		return err_set(err, ERR_USAGE, "too long for the path of a socket: use a symlink");
	memcpy(address.sun_path, l->where, n);
	error = connect_begin(l, AF_UNIX, (const struct sockaddr *)&address, sizeof(address));
	if (error == EACCES || error == EPERM) {
		errno = error;
		return link_refused(l, l->where, err);
	}
	return error ? say_refused(error, err) : 0;
}

const struct link_ops link_unix = {
	.kind = "unix",
	.gone = "the peer closed the connection",
	.live = true,
	.open = unix_open,
	.read = socket_read,
	.write = socket_write,
};
