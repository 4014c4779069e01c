#include "core/collect/http.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/os.h"
#include "core/base/text.h"

#define HTTP_NS (10 * CLOCK_SECOND)	/* for a request and its answer */

struct http_client {
	int fd;				/* -1: none */
	uint64_t since_ns;
	char head[HTTP_HEAD];		/* as it came */
	size_t n;
	struct buf answer;		/* empty: it is still asking */
	size_t sent;
};

struct http {
	int fd;
	struct buf text;
	struct http_client clients[HTTP_CLIENTS];
};

/* --- where ------------------------------------------------------------------------------------ */

static int socket_bind(struct http *h, const struct addrinfo *a)
{
	const int on = 1;

	h->fd = os_socket(a->ai_family);
	if (h->fd < 0)
		return -1;
	setsockopt(h->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	return bind(h->fd, a->ai_addr, a->ai_addrlen) == 0 && listen(h->fd, HTTP_CLIENTS) == 0 ?
		       0 : -1;
}

static int where_bind(struct http *h, const char *where, struct err *err)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE };
	char host[256] = "127.0.0.1";
	const char *colon = strrchr(where, ':'), *port = colon ? colon + 1 : where;
	size_t n = colon ? (size_t)(colon - where) : 0;
	struct addrinfo *found;
	int ret;

	if (n >= sizeof(host) || !*port || strspn(port, "0123456789") != strlen(port))
		return err_set(err, ERR_USAGE, "%s: expected HOST:PORT, such as 127.0.0.1:9464",
			       where);
	if (n > 2 && where[0] == '[' && where[n - 1] == ']')
		snprintf(host, sizeof(host), "%.*s", (int)n - 2, where + 1);
	else if (n)
		snprintf(host, sizeof(host), "%.*s", (int)n, where);
	ret = getaddrinfo(host, port, &hints, &found);
	if (ret)
		return err_set(err, ERR_USAGE, "%s: %s", where, gai_strerror(ret));
	ret = socket_bind(h, found);
	freeaddrinfo(found);
	return ret == 0 ? 0 : err_errno(err, "%s: cannot listen there", where);
}

struct http *http_open(const char *where, struct err *err)
{
	struct http *h = mem_zalloc(sizeof(*h));

	if (!h) {
		err_set(err, ERR_NOMEM, "out of memory");
		return NULL;
	}
	h->fd = -1;
	for (size_t i = 0; i < HTTP_CLIENTS; i++)
		h->clients[i].fd = -1;
	if (where_bind(h, where, err) == 0)
		return h;
	http_close(h);
	return NULL;
}

unsigned http_port(const struct http *h)
{
	struct sockaddr_storage a;
	socklen_t size = sizeof(a);
	char port[16] = "0";

	if (getsockname(h->fd, (struct sockaddr *)&a, &size) == 0)
		getnameinfo((struct sockaddr *)&a, size, NULL, 0, port, sizeof(port),
			    NI_NUMERICSERV);
	return (unsigned)strtoul(port, NULL, 10);
}

/* --- clients ---------------------------------------------------------------------------------- */

static void client_end(struct http_client *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
	buf_release(&c->answer);
}

/* The free one, else the one that is there longest. */
static struct http_client *client_room(struct http *h)
{
	struct http_client *oldest = &h->clients[0];

	for (size_t i = 0; i < HTTP_CLIENTS; i++) {
		if (h->clients[i].fd < 0)
			return &h->clients[i];
		if (h->clients[i].since_ns < oldest->since_ns)
			oldest = &h->clients[i];
	}
	client_end(oldest);
	return oldest;
}

static void clients_take(struct http *h, uint64_t now)
{
	for (size_t i = 0; i < HTTP_CLIENTS; i++) {
		int fd = os_accept(h->fd);
		struct http_client *c;

		if (fd < 0)
			return;
		c = client_room(h);
		*c = (struct http_client){ .fd = fd, .since_ns = now };
	}
}

static void answer_make(struct http *h, struct http_client *c)
{
	bool get = text_begins(c->head, "GET "), there = get &&
		   (text_begins(c->head + 4, "/metrics ") || text_begins(c->head + 4, "/metrics?"));
	const char *body = there ? buf_str(&h->text) : "wsntop: GET /metrics\n";
	size_t n = there ? h->text.len : strlen(body);

	buf_addf(&c->answer, "HTTP/1.1 %s\r\nContent-Type: text/plain; version=0.0.4; "
		 "charset=utf-8\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n",
		 there ? "200 OK" : get ? "404 Not Found" : "405 Method Not Allowed", n);
	buf_add(&c->answer, body, n);
}

/* Up to the blank line; a body is not read. */
static void request_read(struct http *h, struct http_client *c)
{
	ssize_t got = recv(c->fd, c->head + c->n, sizeof(c->head) - 1 - c->n, 0);

	if (got <= 0) {
		if (got == 0 || (errno != EAGAIN && errno != EINTR))
			client_end(c);
		return;
	}
	c->n += (size_t)got;
	c->head[c->n] = '\0';
	if (strstr(c->head, "\r\n\r\n") || strstr(c->head, "\n\n"))
		answer_make(h, c);
	else if (c->n == sizeof(c->head) - 1)
		client_end(c);
}

static void answer_send(struct http_client *c)
{
	ssize_t sent = send(c->fd, c->answer.data + c->sent, c->answer.len - c->sent,
			    os_send_flags);

	if (sent < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	c->sent += sent > 0 ? (size_t)sent : 0;
	if (sent <= 0 || c->sent == c->answer.len)
		client_end(c);
}

void http_service(struct http *h, uint64_t now)
{
	clients_take(h, now);
	for (size_t i = 0; i < HTTP_CLIENTS; i++) {
		struct http_client *c = &h->clients[i];

		if (c->fd >= 0 && !c->answer.len)
			request_read(h, c);
		if (c->fd >= 0 && c->answer.len)
			answer_send(c);
		if (c->fd >= 0 && (now >= c->since_ns + HTTP_NS || c->answer.failed))
			client_end(c);
	}
}

size_t http_poll(const struct http *h, uint64_t now, struct pollfd *fds, int *ms)
{
	size_t n = 0;

	fds[n++] = (struct pollfd){ .fd = h->fd, .events = POLLIN };
	for (size_t i = 0; i < HTTP_CLIENTS; i++) {
		const struct http_client *c = &h->clients[i];

		if (c->fd < 0)
			continue;
		fds[n++] = (struct pollfd){ .fd = c->fd,
					    .events = c->answer.len ? POLLOUT : POLLIN };
		*ms = clock_sooner(*ms, clock_ms_until(c->since_ns + HTTP_NS, now));
	}
	return n;
}

void http_put(struct http *h, const char *text, size_t n)
{
	buf_reset(&h->text);
	buf_add(&h->text, text, n);
}

void http_close(struct http *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < HTTP_CLIENTS; i++)
		client_end(&h->clients[i]);
	if (h->fd >= 0)
		close(h->fd);
	buf_release(&h->text);
	mem_free(h);
}
