#include "core/collect/push.h"

#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/base/json_out.h"
#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/base/os.h"
#include "core/base/text.h"

#define PUSH_NS (10 * CLOCK_SECOND)	/* for a request */
#define AGAIN_NS (5 * CLOCK_SECOND)	/* behind one that failed */

enum { ANSWER = 1024 };

struct push {
	char host[256], path[256], name[320];	/* name: as the Host header has it */
	struct addrinfo *found;
	struct buf waiting[PUSH_WAITING];	/* bodies, the oldest at `first` */
	size_t first, count;
	int fd;				/* -1: no request is under way */
	struct buf request;
	size_t sent, heard;
	char answer[ANSWER];
	uint64_t deadline, again_ns;
	struct push_tally tally;
	char why[200];
};

/* --- where ------------------------------------------------------------------------------------ */

static int url_read(struct push *p, const char *url, char *port, struct err *err)
{
	const char *at = url + strlen("http://");
	const char *end = text_begins(url, "http://") ? at + strcspn(at, "/") : at, *colon;

	if (end == at || (size_t)(end - at) >= sizeof(p->host) || strlen(end) >= sizeof(p->path) ||
	    strpbrk(url, " \r\n"))
		return err_set(err, ERR_USAGE, "%s: expected http://HOST[:PORT], such as "
			       "http://127.0.0.1:4040", url);
	snprintf(p->host, sizeof(p->host), "%.*s", (int)(end - at), at);
	snprintf(p->name, sizeof(p->name), "%s", p->host);
	snprintf(p->path, sizeof(p->path), "%s", strcmp(end, "/") ? end : "");
	snprintf(port, 8, "4040");
	colon = strrchr(p->host, ':');
	if (colon && !strchr(colon, ']')) {
		snprintf(port, 8, "%.7s", colon + 1);
		p->host[colon - p->host] = '\0';
	}
	if (p->host[0] == '[' && text_ends(p->host, "]")) {
		memmove(p->host, p->host + 1, strlen(p->host));
		p->host[strlen(p->host) - 1] = '\0';
	}
	return 0;
}

struct push *push_open(const char *url, struct err *err)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct push *p = mem_zalloc(sizeof(*p));
	char port[8];
	int ret;

	if (!p) {
		err_set(err, ERR_NOMEM, "out of memory");
		return NULL;
	}
	p->fd = -1;
	if (url_read(p, url, port, err) == 0) {
		ret = getaddrinfo(p->host, port, &hints, &p->found);
		if (ret == 0)
			return p;
		err_set(err, ERR_USAGE, "%s: %s", url, gai_strerror(ret));
	}
	push_close(p);
	return NULL;
}

/* --- bodies ----------------------------------------------------------------------------------- */

/* An id as a UUID's text, of the time and the content. */
static void id_print(char *dst, size_t size, const uint8_t *data, size_t n)
{
	uint64_t a = clock_wall(), b = map_hash_bytes(MAP_HASH, data, n);

	snprintf(dst, size, "%08" PRIx32 "-%04x-4%03x-8%03x-%012" PRIx64, (uint32_t)(a >> 32),
		 (unsigned)(a >> 16 & 0xffff), (unsigned)(a & 0xfff), (unsigned)(b >> 52),
		 b & UINT64_C(0xffffffffffff));
}

static void body_write(struct out *out, const struct push_label *labels, const void *pprof,
		       size_t n)
{
	struct json_out j = { .out = out };
	struct buf packed = BUF_INIT;
	char id[64];

	id_print(id, sizeof(id), pprof, n);
	json_begin_object(&j, NULL);
	json_begin_array(&j, "series");
	json_begin_object(&j, NULL);
	json_begin_array(&j, "labels");
	for (const struct push_label *l = labels; l->name; l++) {
		json_begin_object(&j, NULL);
		json_text(&j, "name", l->name);
		json_text(&j, "value", l->value);
		json_end_object(&j);
	}
	json_end_array(&j);
	json_begin_array(&j, "samples");
	json_begin_object(&j, NULL);
	json_text(&j, "ID", id);
	buf_add_base64(&packed, pprof, n);
	json_text(&j, "rawProfile", buf_str(&packed));
	buf_release(&packed);
	json_end_object(&j);
	json_end_array(&j);
	json_end_object(&j);
	json_end_array(&j);
	json_end_object(&j);
}

bool push_add(struct push *p, const struct push_label *labels, const void *pprof, size_t n)
{
	struct out *out = p->count < PUSH_WAITING ? mem_alloc(sizeof(*out)) : NULL;
	struct buf *body = &p->waiting[(p->first + p->count) % PUSH_WAITING];

	if (!out) {
		p->tally.dropped++;
		return false;
	}
	buf_reset(body);
	out_open_buf(out, body);
	body_write(out, labels, pprof, n);
	if (out_close(out, NULL) == 0)
		p->count++;
	else
		p->tally.dropped++;
	mem_free(out);
	return true;
}

/* --- requests --------------------------------------------------------------------------------- */

static void why_say(struct push *p, const char *text)
{
	snprintf(p->why, sizeof(p->why), "%s", text);
}

static void body_pass(struct push *p)
{
	buf_release(&p->waiting[p->first]);
	p->first = (p->first + 1) % PUSH_WAITING;
	p->count--;
}

static void request_end(struct push *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
	buf_reset(&p->request);
	p->sent = p->heard = 0;
}

/* The server is not there, or does not take it: later, again. */
static void request_fail(struct push *p, uint64_t now, const char *why)
{
	why_say(p, why);
	p->tally.failed++;
	p->again_ns = now + AGAIN_NS;
	request_end(p);
}

static void request_begin(struct push *p, uint64_t now)
{
	const struct buf *body = &p->waiting[p->first];

	p->fd = os_socket(p->found->ai_family);
	if (p->fd < 0 || (connect(p->fd, p->found->ai_addr, p->found->ai_addrlen) < 0 &&
			  errno != EINPROGRESS)) {
		request_fail(p, now, strerror(errno));
		return;
	}
	buf_addf(&p->request, "POST %s/push.v1.PusherService/Push HTTP/1.1\r\nHost: %s\r\n"
		 "User-Agent: wsntop\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n"
		 "Connection: close\r\n\r\n", p->path, p->name, body->len);
	buf_add(&p->request, body->data, body->len);
	p->deadline = now + PUSH_NS;
	if (p->request.failed) {
		buf_release(&p->request);
		request_fail(p, now, "out of memory");
	}
}

static void request_send(struct push *p, uint64_t now)
{
	ssize_t n = send(p->fd, p->request.data + p->sent, p->request.len - p->sent,
			 os_send_flags | MSG_DONTWAIT);

	if (n > 0)
		p->sent += (size_t)n;
	else if (n < 0 && errno != EAGAIN && errno != EINTR && errno != ENOTCONN)
		request_fail(p, now, errno == ECONNREFUSED ?
			     "connection refused: no server listens there" : strerror(errno));
}

/* 2xx: taken. 4xx: it never will be. */
static void answer_judge(struct push *p, uint64_t now)
{
	int status = 0;
	char why[64];

	if (p->heard < 12 || sscanf(p->answer, "HTTP/1.%*1d %3d", &status) != 1) {
		request_fail(p, now, "its answer is not HTTP");
		return;
	}
	if (status / 100 == 2) {
		p->tally.sent++;
		*p->why = '\0';
		body_pass(p);
		request_end(p);
		return;
	}
	snprintf(why, sizeof(why), "it answers with status %d", status);
	request_fail(p, now, why);
	if (status / 100 == 4 && status != 429)
		body_pass(p);
}

static void answer_read(struct push *p, uint64_t now)
{
	ssize_t n = recv(p->fd, p->answer + p->heard, sizeof(p->answer) - 1 - p->heard,
			 MSG_DONTWAIT);

	if (n > 0) {
		p->heard += (size_t)n;
		p->answer[p->heard] = '\0';
		if (strchr(p->answer, '\n') || p->heard == sizeof(p->answer) - 1)
			answer_judge(p, now);
	} else if (n == 0) {
		answer_judge(p, now);
	} else if (errno != EAGAIN && errno != EINTR) {
		request_fail(p, now, strerror(errno));
	}
}

void push_service(struct push *p, uint64_t now)
{
	if (p->fd < 0 && p->count && now >= p->again_ns)
		request_begin(p, now);
	if (p->fd < 0)
		return;
	if (p->sent < p->request.len)
		request_send(p, now);
	if (p->fd >= 0 && p->sent == p->request.len)
		answer_read(p, now);
	if (p->fd >= 0 && now >= p->deadline)
		request_fail(p, now, "no answer");
}

size_t push_poll(const struct push *p, uint64_t now, struct pollfd *fds, int *ms)
{
	if (p->fd < 0) {
		if (p->count)
			*ms = clock_sooner(*ms, clock_ms_until(p->again_ns, now));
		return 0;
	}
	*ms = clock_sooner(*ms, clock_ms_until(p->deadline, now));
	fds[0] = (struct pollfd){ .fd = p->fd, .events = p->sent < p->request.len ? POLLOUT :
								POLLIN };
	return 1;
}

void push_tally(const struct push *p, struct push_tally *t)
{
	*t = p->tally;
	t->why = p->why;
}

bool push_is_idle(const struct push *p)
{
	return p->fd < 0 && !p->count;
}

void push_close(struct push *p)
{
	if (!p)
		return;
	request_end(p);
	buf_release(&p->request);
	for (size_t i = 0; i < PUSH_WAITING; i++)
		buf_release(&p->waiting[i]);
	if (p->found)
		freeaddrinfo(p->found);
	mem_free(p);
}
