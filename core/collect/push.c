#include "core/collect/push.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/base/json_out.h"
#include "core/base/map.h"
#include "core/base/mem.h"

#define AGAIN_NS (5 * CLOCK_SECOND)	/* behind a request that failed */

struct push {
	struct post *post;
	struct buf waiting[PUSH_WAITING];	/* bodies, the oldest at `first` */
	size_t first, count;
	bool busy;			/* the oldest is under way */
	uint64_t again_ns;
	struct push_tally tally;
	char why[200];
};

struct push *push_open(const char *url, struct err *err)
{
	struct push *p = mem_zalloc(sizeof(*p));

	if (!p) {
		err_set(err, ERR_NOMEM, "out of memory");
		return NULL;
	}
	p->post = post_new(url, 4040, "/push.v1.PusherService/Push", err);
	if (p->post)
		return p;
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

static void body_pass(struct push *p)
{
	buf_release(&p->waiting[p->first]);
	p->first = (p->first + 1) % PUSH_WAITING;
	p->count--;
}

/* The server is not there, or does not take it: later, again. */
static void request_fail(struct push *p, uint64_t now, const char *why)
{
	snprintf(p->why, sizeof(p->why), "%s", why);
	p->tally.failed++;
	p->again_ns = now + AGAIN_NS;
}

/* 2xx: taken. 4xx: it never will be, but for 429 (too many for now). */
static void answer_judge(struct push *p, uint64_t now, const struct post_end *end)
{
	char why[64];

	if (end->status / 100 == 2) {
		p->tally.sent++;
		*p->why = '\0';
		body_pass(p);
		return;
	}
	snprintf(why, sizeof(why), "it answers with status %d", end->status);
	request_fail(p, now, end->status ? why : end->why);
	if (end->status / 100 == 4 && end->status != 429)
		body_pass(p);
}

void push_service(struct push *p, uint64_t now)
{
	const struct buf *body = &p->waiting[p->first];
	struct post_end end;

	if (!p->busy && p->count && now >= p->again_ns) {
		p->busy = post_begin(p->post, body->data, body->len) == 0;
		if (!p->busy)
			request_fail(p, now, "out of memory");
	}
	if (p->busy && post_service(p->post, now, &end)) {
		p->busy = false;
		answer_judge(p, now, &end);
	}
}

size_t push_poll(const struct push *p, uint64_t now, struct pollfd *fds, int *ms)
{
	if (!p->busy && p->count)
		*ms = clock_sooner(*ms, clock_ms_until(p->again_ns, now));
	return p->busy ? post_poll(p->post, now, fds, ms) : 0;
}

void push_tally(const struct push *p, struct push_tally *t)
{
	*t = p->tally;
	t->why = p->why;
}

bool push_is_idle(const struct push *p)
{
	return !p->count;
}

void push_close(struct push *p)
{
	if (!p)
		return;
	post_free(p->post);
	for (size_t i = 0; i < PUSH_WAITING; i++)
		buf_release(&p->waiting[i]);
	mem_free(p);
}
