/*
 * udp: udp:PORT, udp:ADDRESS:PORT: nodes that send datagrams of whole wsn frames themselves,
 * several to one port, each a link. Who sends is not known: a node is the id of the first HELLO
 * from an address, and both are pinned to one another as long as this runs. Another address with
 * that id is refused, as is another id from that address; so are bytes beyond a rate (guard.h).
 * Without an ADDRESS it is the loopback's: what can be reached from outside is the user's to say,
 * and belongs behind DTLS or a tunnel.
 */
#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/os.h"
#include "core/base/text.h"
#include "core/link/carrier_ops.h"
#include "core/link/inbox.h"
#include "core/link/link_ops.h"

#define FIRST_NS (15 * CLOCK_SECOND)	/* for the first HELLO: one in four refreshes has it */
#define QUIET_NS (CLOCK_SECOND / 2)	/* without another node's */

enum { PEERS_MOST = 4096, AT_ONCE = 256, DATAGRAM_MOST = 65536 };

struct udp_peer {
	struct broker_node node;	/* its bytes; owner: the udp */
	struct sockaddr_storage from;
	socklen_t from_size;
	uint64_t elsewhere;		/* bytes from another address in its name */
};

struct udp {
	int fd;
	struct udp_peer **peers;
	size_t count, cap, announced;
	char name[300];
	uint8_t datagram[DATAGRAM_MOST];
};

/* --- peers ------------------------------------------------------------------------------------ */

static struct udp_peer *peer_from(const struct udp *u, const struct sockaddr_storage *from,
				  socklen_t size)
{
	for (size_t i = 0; i < u->count; i++)
		if (u->peers[i]->from_size == size && memcmp(&u->peers[i]->from, from, size) == 0)
			return u->peers[i];
	return NULL;
}

static struct udp_peer *peer_called(const struct udp *u, uint32_t id)
{
	for (size_t i = 0; i < u->count; i++)
		if (u->peers[i]->node.id == id)
			return u->peers[i];
	return NULL;
}

/* An address that was not heard before: its HELLO says who it is, if nobody else is. */
static struct udp_peer *peer_new(struct udp *u, const struct sockaddr_storage *from,
				 socklen_t from_size, size_t n)
{
	struct udp_peer *p;
	uint32_t id;

	if (!guard_hello(u->datagram, n, &id))
		return NULL;
	p = peer_called(u, id);
	if (p) {
		p->elsewhere += n;
		return NULL;
	}
	if (u->count == PEERS_MOST ||
	    mem_grow(&u->peers, &u->cap, u->count + 1, sizeof(*u->peers)) < 0 ||
	    !(p = mem_zalloc(sizeof(*p))))
		return NULL;
	p->node.owner = u;
	p->node.id = id;
	p->from = *from;
	p->from_size = from_size;
	u->peers[u->count++] = p;
	return p;
}

static void datagrams_take(struct udp *u, uint64_t now)
{
	for (int i = 0; i < AT_ONCE; i++) {
		struct sockaddr_storage from = { 0 };
		socklen_t size = sizeof(from);
		ssize_t n = recvfrom(u->fd, u->datagram, sizeof(u->datagram), 0,
				     (struct sockaddr *)&from, &size);
		struct udp_peer *p;

		if (n < 0 && errno != ECONNREFUSED)	/* of a datagram that we sent */
			return;
		if (n <= 0)
			continue;
		p = peer_from(u, &from, size);
		p = p ? p : peer_new(u, &from, size, (size_t)n);
		if (p && guard_takes(&p->node.guard, now, 1, (size_t)n) &&
		    guard_is_own(&p->node.guard, p->node.id, u->datagram, (size_t)n))
			inbox_wait(&p->node, u->datagram, (size_t)n);
	}
}

/* --- the carrier ------------------------------------------------------------------------------ */

/* ADDRESS:PORT, [ADDRESS]:PORT, PORT. */
static int address_find(const char *source, struct addrinfo **list, struct err *err)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_DGRAM,
					.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE };
	const char *where = source + strlen("udp:"), *colon = strrchr(where, ':');
	size_t n = colon ? (size_t)(colon - where) : 0;
	char host[64] = "127.0.0.1";

	if (n >= 2 && where[0] == '[' && where[n - 1] == ']') {
		where++;
		n -= 2;
	}
	if (colon)
		snprintf(host, sizeof(host), "%.*s", (int)n, where);
	if (n >= sizeof(host) || !*host ||
	    getaddrinfo(host, colon ? colon + 1 : where, &hints, list) != 0)
		return err_set(err, ERR_USAGE, "%s: expected udp:PORT, of this machine alone, or "
			       "udp:ADDRESS:PORT, as numbers", source);
	return 0;
}

static int socket_bind(struct udp *u, const char *source, struct err *err)
{
	struct addrinfo *list;
	int ret = address_find(source, &list, err);

	if (ret < 0)
		return ret;
	u->fd = os_datagrams(list->ai_family);
	if (u->fd < 0 || bind(u->fd, list->ai_addr, list->ai_addrlen) < 0)
		ret = err_errno(err, "%s", source);
	freeaddrinfo(list);
	return ret;
}

/* As for a broker: better a plain failure than a screen without a node. */
static int peers_await(struct udp *u, const char *source, struct err *err)
{
	uint64_t now = clock_now(), end = now + FIRST_NS, quiet = end;
	size_t count = 0;

	while (now < end && now < quiet) {
		struct pollfd fd = { .fd = u->fd, .events = POLLIN };

		poll(&fd, 1, clock_ms_until(quiet < end ? quiet : end, now));
		now = clock_now();
		datagrams_take(u, now);
		if (u->count > count)
			quiet = now + QUIET_NS;
		count = u->count;
	}
	return count ? 0 : err_set(err, ERR_ABSENT, "%s: no node sent a HELLO there in %d s",
				   source, (int)(FIRST_NS / CLOCK_SECOND));
}

static int udp_open(struct carrier *c, struct err *err)
{
	struct udp *u = c->own = mem_zalloc(sizeof(*u));
	int ret;

	if (!u)
		return err_set(err, ERR_NOMEM, "out of memory");
	u->fd = -1;
	ret = socket_bind(u, c->source, err);
	return ret < 0 ? ret : peers_await(u, c->source, err);
}

static void udp_close(struct carrier *c)
{
	struct udp *u = c->own;

	if (!u)
		return;
	if (u->fd >= 0)
		close(u->fd);
	for (size_t i = 0; i < u->count; i++) {
		buf_release(&u->peers[i]->node.waiting);
		mem_free(u->peers[i]);
	}
	mem_free(u->peers);
	mem_free(u);
	c->own = NULL;
}

static const char *udp_next(struct carrier *c, uint64_t now)
{
	struct udp *u = c->own;

	datagrams_take(u, now);
	if (u->announced == u->count)
		return NULL;
	snprintf(u->name, sizeof(u->name), "%s/%08" PRIx32, c->source,
		 u->peers[u->announced++]->node.id);
	return u->name;
}

static int udp_poll(const struct carrier *c, uint64_t now, struct pollfd *fd)
{
	(void)now;
	*fd = (struct pollfd){ .fd = ((const struct udp *)c->own)->fd, .events = POLLIN };
	return -1;
}

static struct link *udp_link(struct carrier *c, const char *name, const struct link_options *o,
			     struct err *err)
{
	const struct udp *u = c->own;
	struct link_options with = *o;
	char last[16];

	for (size_t i = 0; i < u->count; i++) {
		snprintf(last, sizeof(last), "/%08" PRIx32, u->peers[i]->node.id);
		if (text_ends(name, last))
			with.channel = &u->peers[i]->node;
	}
	return link_new(name, &with, err);
}

const struct carrier_ops carrier_udp = {
	.open = udp_open,
	.close = udp_close,
	.poll = udp_poll,
	.next = udp_next,
	.link = udp_link,
};

/* --- a node's link ---------------------------------------------------------------------------- */

static int peer_open(struct link *l, struct err *err)
{
	return l->options.channel ? 0 : err_set(err, ERR_USAGE, "a node of a UDP port has no link "
						"of its own");
}

static void peer_why(struct link *l, const struct udp_peer *p)
{
	const struct guard *g = &p->node.guard;
	char address[64] = "?";

	err_clear(&l->why);
	if (p->elsewhere)
		getnameinfo((const struct sockaddr *)&p->from, p->from_size, address,
			    sizeof(address), NULL, 0, NI_NUMERICHOST);
	if (p->elsewhere)
		err_set(&l->why, ERR_ABSENT, "%" PRIu64 " bytes refused: in its name, from another "
			"address than %s", p->elsewhere, address);
	else if (g->foreign)
		err_set(&l->why, ERR_ABSENT, "%" PRIu64 " bytes refused: another node's id from "
			"its address", g->foreign);
	else if (g->over)
		err_set(&l->why, ERR_ABSENT, "%" PRIu64 " bytes refused: more than %d MB or %d "
			"datagrams a second", g->over, GUARD_BYTES >> 20, GUARD_MESSAGES);
	else if (p->node.dropped)
		err_set(&l->why, ERR_ABSENT, "%" PRIu64 " bytes came faster than they were read, "
			"and were dropped", p->node.dropped);
}

static struct udp_peer *link_peer(const struct link *l)
{
	return (struct udp_peer *)(void *)l->options.channel;	/* its first member */
}

static ssize_t peer_read(struct link *l, uint8_t *buf, size_t size, uint64_t *time_ns)
{
	(void)time_ns;
	peer_why(l, link_peer(l));
	return (ssize_t)inbox_read(l->options.channel, buf, size);
}

/* Back to where it sends from; all or nothing, as a datagram is. */
static ssize_t peer_write(struct link *l, const uint8_t *data, size_t n)
{
	const struct udp_peer *p = link_peer(l);
	const struct udp *u = p->node.owner;
	ssize_t done = sendto(u->fd, data, n, 0, (const struct sockaddr *)&p->from, p->from_size);

	if (done >= 0)
		return done;
	return errno == EAGAIN || errno == EINTR ? 0 : (ssize_t)n;	/* lost, as it may be */
}

static int peer_timeout(const struct link *l, uint64_t now)
{
	(void)now;
	return l->options.channel->waiting.len > l->options.channel->taken ? 0 : -1;
}

const struct link_ops link_udp = {
	.kind = "udp",
	.gone = "the port was closed",
	.live = true,
	.open = peer_open,
	.read = peer_read,
	.write = peer_write,
	.timeout = peer_timeout,
};
