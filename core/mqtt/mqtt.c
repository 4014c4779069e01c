#include "core/mqtt/mqtt.h"

#ifdef WSNTOP_MQTT

#include <errno.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <netdb.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/base/os.h"

#define RETRY_NS (CLOCK_SECOND / 2)	/* the first; then twice as long each time, up to */
#define RETRY_MOST_NS (30 * CLOCK_SECOND)
#define PROBE_NS (4 * CLOCK_SECOND)	/* an address that does not answer */
#define GREETING_NS (10 * CLOCK_SECOND)	/* from connect() to CONNACK */
#define MISC_NS (CLOCK_SECOND / 2)	/* keepalive, acknowledgements that are late */
#define READ_NS (CLOCK_SECOND / 500)
#define FAREWELL_NS (CLOCK_SECOND / 2)
#define NO_MQTT5 132			/* CONNACK: unsupported protocol version */

enum { KEEPALIVE_S = 20, UNACKNOWLEDGED_MOST = 40, PACKETS_AT_ONCE = 256 };

enum mqtt_state { MQTT_WAITING, MQTT_PROBING, MQTT_GREETING, MQTT_UP };

struct mqtt {
	struct mqtt_place place;
	struct mqtt_hooks hooks;
	struct mosquitto *client;
	struct addrinfo *hosts, *next;	/* next: to be tried after the present one */
	enum mqtt_state state;
	int probe;			/* -1: none */
	bool old;			/* 3.1.1 */
	bool begun;			/* connected once: from then on "reconnect" */
	unsigned unacknowledged;
	uint64_t deadline, misc_ns, retry_ns, backoff_ns;
	struct err why;
};

/* --- going down, and coming up ---------------------------------------------------------------- */

static void probe_end(struct mqtt *m)
{
	if (m->probe >= 0)
		close(m->probe);
	m->probe = -1;
}

/* A part of the time at random: a broker that comes back is not met by all at once. */
static void wait_for_it(struct mqtt *m, uint64_t now)
{
	uint64_t backoff = m->backoff_ns ? m->backoff_ns : RETRY_NS;

	probe_end(m);
	m->state = MQTT_WAITING;
	m->unacknowledged = 0;
	m->retry_ns = now + backoff / 2 + map_hash(clock_wall()) % backoff;
	m->backoff_ns = backoff < RETRY_MOST_NS / 2 ? 2 * backoff : RETRY_MOST_NS;
}

static void why_say(struct mqtt *m, const char *text)
{
	err_clear(&m->why);
	err_set(&m->why, ERR_ABSENT, "%s", text);
}

static void on_connect(struct mosquitto *client, void *ctx, int rc, int flags,
		       const mosquitto_property *unused)
{
	struct mqtt *m = ctx;

	(void)client;
	(void)flags;
	(void)unused;
	if (rc == 0) {
		err_clear(&m->why);
		m->state = MQTT_UP;
		m->backoff_ns = 0;
		m->hooks.up(m->hooks.ctx);
		return;
	}
	if (!m->old && (rc == NO_MQTT5 || rc == 1)) {
		m->old = true;
		m->backoff_ns = 0;
		why_say(m, "it speaks MQTT 3.1.1");
		return;
	}
	err_clear(&m->why);
	err_set(&m->why, ERR_ABSENT, "refused: %s", m->old ? mosquitto_connack_string(rc) :
		mosquitto_reason_string(rc));
}

static void on_publish(struct mosquitto *client, void *ctx, int mid, int rc,
		       const mosquitto_property *unused)
{
	struct mqtt *m = ctx;

	(void)client;
	(void)mid;
	(void)rc;
	(void)unused;
	m->unacknowledged -= m->unacknowledged > 0;
}

/* --- messages --------------------------------------------------------------------------------- */

static void extra_read(struct mqtt_extra *e, const mosquitto_property *all)
{
	const mosquitto_property *at = all;
	char *name = NULL, *value = NULL;
	bool again = false;

	while ((at = mosquitto_property_read_string_pair(at, MQTT_PROP_USER_PROPERTY, &name, &value,
							 again))) {
		uint64_t x = strtoull(value, NULL, 10);

		if (!strcmp(name, "t"))
			e->wall_us = x;
		else if (!strcmp(name, "n"))
			e->number = (uint32_t)x;
		else if (!strcmp(name, "s"))
			e->late = x != 0;
		free(name);
		free(value);
		again = true;
	}
}

static void on_message(struct mosquitto *client, void *ctx, const struct mosquitto_message *got,
		       const mosquitto_property *all)
{
	struct mqtt *m = ctx;
	struct mqtt_message message = {
		.topic = got->topic, .data = got->payload, .n = (size_t)got->payloadlen,
		.retained = got->retain,
	};

	(void)client;
	extra_read(&message.extra, all);
	if (m->hooks.message)
		m->hooks.message(m->hooks.ctx, &message);
}

int mqtt_subscribe(struct mqtt *m, const char *filter, enum mqtt_publishing how)
{
	return m->state == MQTT_UP && mosquitto_subscribe(m->client, NULL, filter, how & 1) == 0 ?
		       0 : ERR_ABSENT;
}

int mqtt_unsubscribe(struct mqtt *m, const char *filter)
{
	return m->state == MQTT_UP && mosquitto_unsubscribe(m->client, NULL, filter) == 0 ?
		       0 : ERR_ABSENT;
}

bool mqtt_has_room(const struct mqtt *m, unsigned how)
{
	return m->state == MQTT_UP && !mosquitto_want_write(m->client) &&
	       (!(how & MQTT_SURELY) || m->unacknowledged < UNACKNOWLEDGED_MOST);
}

static void extra_add(mosquitto_property **all, const char *name, uint64_t x)
{
	char value[24];

	snprintf(value, sizeof(value), "%" PRIu64, x);
	if (x)
		mosquitto_property_add_string_pair(all, MQTT_PROP_USER_PROPERTY, name, value);
}

int mqtt_publish(struct mqtt *m, const char *topic, const void *data, size_t n, unsigned how,
		 const struct mqtt_extra *extra)
{
	mosquitto_property *all = NULL;
	int ret;

	if (m->state != MQTT_UP)
		return ERR_ABSENT;
	if (extra && !m->old) {
		extra_add(&all, "t", extra->wall_us);
		extra_add(&all, "n", extra->number);
		extra_add(&all, "s", extra->late);
	}
	ret = mosquitto_publish_v5(m->client, NULL, topic, (int)n, data, how & MQTT_SURELY,
				   how & MQTT_KEPT, all);
	mosquitto_property_free_all(&all);
	if (ret == 0 && how & MQTT_SURELY)
		m->unacknowledged++;
	return ret == 0 ? 0 : ERR_IO;
}

/* --- the connection --------------------------------------------------------------------------- */

/* libmosquitto would ask for a key's password at the terminal. */
static int no_password(char *to, int size, int writing, void *unused)
{
	(void)size;
	(void)writing;
	(void)unused;
	*to = '\0';
	return 0;
}

static const char *option_given(const char *text)
{
	return *text ? text : NULL;
}

static int tls_set(struct mqtt *m, struct err *err)
{
	const struct login *p = &m->place.who;
	int ret;

	if (!p->ca[0])
		mosquitto_int_option(m->client, MOSQ_OPT_TLS_USE_OS_CERTS, 1);
	ret = mosquitto_tls_set(m->client, option_given(p->ca), p->ca[0] ? NULL : "/etc/ssl/certs",
				option_given(p->cert), option_given(p->key), no_password);
	if (ret)
		return err_set(err, ERR_USAGE, "certificates: %s; ca=, cert= and key= are files "
			       "in PEM", ret == MOSQ_ERR_ERRNO ? strerror(errno) :
			       mosquitto_strerror(ret));
	return 0;
}

static int client_make(struct mqtt *m, const struct mqtt_will *will, struct err *err)
{
	const char *password = getenv("WSNTOP_MQTT_PASSWORD");

	m->client = mosquitto_new(NULL, true, m);
	if (!m->client)
		return err_set(err, ERR_NOMEM, "out of memory");
	mosquitto_connect_v5_callback_set(m->client, on_connect);
	mosquitto_publish_v5_callback_set(m->client, on_publish);
	mosquitto_message_v5_callback_set(m->client, on_message);
	mosquitto_int_option(m->client, MOSQ_OPT_TCP_NODELAY, 1);
	if (m->place.who.user[0])
		mosquitto_username_pw_set(m->client, m->place.who.user, password);
	if (will && will->topic)
		mosquitto_will_set(m->client, will->topic, (int)strlen(will->text), will->text, 1,
				   true);
	return m->place.tls ? tls_set(m, err) : 0;
}

static int hosts_find(struct mqtt *m, struct err *err)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	char port[8];
	int ret;

	snprintf(port, sizeof(port), "%u", m->place.port);
	ret = getaddrinfo(m->place.host, port, &hints, &m->hosts);
	return ret ? err_set(err, ERR_ABSENT, "%s: %s", m->place.host, gai_strerror(ret)) : 0;
}

struct mqtt *mqtt_new(const struct mqtt_place *place, const struct mqtt_hooks *hooks,
		      const struct mqtt_will *will, struct err *err)
{
	struct mqtt *m = mem_zalloc(sizeof(*m));

	if (!m) {
		err_set(err, ERR_NOMEM, "out of memory");
		return NULL;
	}
	mosquitto_lib_init();
	m->place = *place;
	m->hooks = *hooks;
	m->probe = -1;
	if (hosts_find(m, err) < 0 || client_make(m, will, err) < 0) {
		mqtt_free(m);
		return NULL;
	}
	return m;
}

static void probe_begin(struct mqtt *m, uint64_t now)
{
	m->next = m->next ? m->next : m->hosts;
	for (; m->next; m->next = m->next->ai_next) {
		m->probe = os_socket(m->next->ai_family);
		if (m->probe < 0)
			continue;
		if (connect(m->probe, m->next->ai_addr, m->next->ai_addrlen) == 0 ||
		    errno == EINPROGRESS) {
			m->next = m->next->ai_next;
			m->state = MQTT_PROBING;
			m->deadline = now + PROBE_NS;
			return;
		}
		why_say(m, strerror(errno));
		probe_end(m);
	}
	wait_for_it(m, now);
}

/* The host answers, so libmosquitto's connect does not wait. */
static void client_connect(struct mqtt *m, uint64_t now)
{
	int ret;

	mosquitto_int_option(m->client, MOSQ_OPT_PROTOCOL_VERSION,
			     m->old ? MQTT_PROTOCOL_V311 : MQTT_PROTOCOL_V5);
	ret = m->begun ? mosquitto_reconnect(m->client) :
			 mosquitto_connect(m->client, m->place.host, (int)m->place.port,
					   KEEPALIVE_S);
	if (ret) {
		why_say(m, ret == MOSQ_ERR_ERRNO ? strerror(errno) : mosquitto_strerror(ret));
		wait_for_it(m, now);
		return;
	}
	m->begun = true;
	m->state = MQTT_GREETING;
	m->deadline = now + GREETING_NS;
}

static void probe_look(struct mqtt *m, uint64_t now)
{
	struct pollfd p = { .fd = m->probe, .events = POLLOUT };
	socklen_t size = sizeof(int);
	int error = 0;

	if (poll(&p, 1, 0) <= 0) {
		if (now < m->deadline)
			return;
		error = ETIMEDOUT;
	} else if (getsockopt(m->probe, SOL_SOCKET, SO_ERROR, &error, &size) < 0) {
		error = errno;
	}
	probe_end(m);
	if (!error) {
		client_connect(m, now);
		return;
	}
	why_say(m, error == ECONNREFUSED ? "connection refused: no broker listens there" :
		strerror(error));
	if (m->next)
		probe_begin(m, now);
	else
		wait_for_it(m, now);
}

/* The library takes one packet a call: what is there, as long as a key's answer may wait for it. */
static int client_read(struct mqtt *m)
{
	uint64_t end = clock_now() + READ_NS;
	struct pollfd p = { .events = POLLIN };
	int ret;

	do {
		ret = mosquitto_loop_read(m->client, PACKETS_AT_ONCE);
		p.fd = mosquitto_socket(m->client);
	} while (ret == 0 && p.fd >= 0 && clock_now() < end && poll(&p, 1, 0) > 0 &&
		 p.revents & POLLIN);
	return ret;
}

static void client_serve(struct mqtt *m, uint64_t now)
{
	struct pollfd p = { .fd = mosquitto_socket(m->client), .events = POLLIN | POLLOUT };
	int ret = 0;

	if (p.fd < 0 || poll(&p, 1, 0) < 0)
		p.revents = 0;
	if (p.revents & (POLLIN | POLLHUP | POLLERR))
		ret = client_read(m);
	if (ret == 0 && p.revents & POLLOUT && mosquitto_want_write(m->client))
		ret = mosquitto_loop_write(m->client, PACKETS_AT_ONCE);
	if (ret == 0 && now >= m->misc_ns) {
		ret = mosquitto_loop_misc(m->client);
		m->misc_ns = now + MISC_NS;
	}
	if (ret == 0 && mosquitto_socket(m->client) >= 0 &&
	    (m->state == MQTT_UP || now < m->deadline))
		return;
	if (m->state == MQTT_UP || !err_is_set(&m->why))
		why_say(m, m->state == MQTT_UP ? "the broker went away" :
			ret && ret != MOSQ_ERR_CONN_LOST ? mosquitto_strerror(ret) :
			"the broker does not greet: is it one, with TLS or without?");
	mosquitto_disconnect(m->client);
	wait_for_it(m, now);
}

void mqtt_service(struct mqtt *m, uint64_t now)
{
	if (m->state == MQTT_WAITING && now >= m->retry_ns)
		probe_begin(m, now);
	if (m->state == MQTT_PROBING)
		probe_look(m, now);
	if (m->state == MQTT_GREETING || m->state == MQTT_UP)
		client_serve(m, now);
}

int mqtt_poll(const struct mqtt *m, uint64_t now, struct pollfd *fd)
{
	*fd = (struct pollfd){ .fd = -1 };
	switch (m->state) {
	case MQTT_WAITING:
		return clock_ms_until(m->retry_ns, now);
	case MQTT_PROBING:
		*fd = (struct pollfd){ .fd = m->probe, .events = POLLOUT };
		return clock_ms_until(m->deadline, now);
	default:
		fd->fd = mosquitto_socket(m->client);
		fd->events = POLLIN;
		if (mosquitto_want_write(m->client))
			fd->events |= POLLOUT;
		return clock_ms_until(m->misc_ns, now);
	}
}

bool mqtt_is_up(const struct mqtt *m)
{
	return m->state == MQTT_UP;
}

const char *mqtt_why(const struct mqtt *m)
{
	return m->state == MQTT_UP ? "" : m->why.text;
}

unsigned mqtt_version(const struct mqtt *m)
{
	return m->old ? 3 : 5;
}

static void farewell_send(struct mqtt *m)
{
	uint64_t end = clock_now() + FAREWELL_NS, now;

	while (m->state == MQTT_UP && (now = clock_now()) < end &&
	       (mosquitto_want_write(m->client) || m->unacknowledged)) {
		struct pollfd fd;
		int ms = mqtt_poll(m, now, &fd);

		poll(&fd, 1, clock_sooner(ms, clock_ms_until(end, now)));
		mqtt_service(m, clock_now());
	}
}

void mqtt_free(struct mqtt *m)
{
	if (!m)
		return;
	probe_end(m);
	if (m->client) {
		farewell_send(m);
		if (m->state == MQTT_UP) {
			mosquitto_disconnect(m->client);
			mosquitto_loop_write(m->client, PACKETS_AT_ONCE);
		}
		mosquitto_destroy(m->client);
	}
	if (m->hosts)
		freeaddrinfo(m->hosts);
	mosquitto_lib_cleanup();
	mem_free(m);
}

#endif
