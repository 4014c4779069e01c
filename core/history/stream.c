/*
 * stream: pieces of a fixed size hold records: time, length, bytes. Beyond the bound the oldest
 * piece is dropped.
 */
#include "core/history/stream.h"

#include <string.h>

#include "core/base/buf.h"
#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/history/history.h"
#include "core/link/record.h"

enum {
	PIECE = 65536,			/* bytes; a record lies in one */
	HEAD = 12,			/* u64 time, u32 length, in the host's byte order */
	PIECES_MIN = 2,
};

struct piece {
	struct piece *next;
	size_t len, last;		/* used; the start of its last record */
	uint8_t data[PIECE];
};

struct stream {
	struct piece *first, *newest;
	size_t bound, pieces;
	struct budget_member member;	/* of the bytes of all */
	uint64_t kept, dropped;
	uint64_t last_ns;
};

struct stream *stream_new(void)
{
	struct stream *s = mem_zalloc(sizeof(*s));

	if (s)
		s->bound = HISTORY_STREAM_BYTES;
	return s;
}

static uint64_t head_time(const uint8_t *at)
{
	uint64_t t;

	memcpy(&t, at, sizeof(t));
	return t;
}

static uint32_t head_length(const uint8_t *at)
{
	uint32_t n;

	memcpy(&n, at + sizeof(uint64_t), sizeof(n));
	return n;
}

static void oldest_drop(struct stream *s)
{
	struct piece *p = s->first;

	for (size_t at = 0; at < p->len; at += HEAD + head_length(p->data + at)) {
		s->kept -= head_length(p->data + at);
		s->dropped += head_length(p->data + at);
	}
	s->first = p->next;
	if (!s->first)
		s->newest = NULL;
	s->pieces--;
	mem_free(p);
}

void stream_free(struct stream *s)
{
	while (s && s->first)
		oldest_drop(s);
	if (s)
		budget_leave(&s->member);
	mem_free(s);
}

void stream_bound(struct stream *s, size_t bytes)
{
	s->bound = bytes;
}

/* Drops pieces until the rest and `more` fit in `room`. */
static void pieces_fit(struct stream *s, size_t more, size_t room)
{
	while (s->pieces >= PIECES_MIN && (s->pieces + more) * sizeof(struct piece) > room)
		oldest_drop(s);
}

/* Others of the budget need room. */
static void stream_give(void *owner, size_t room)
{
	struct stream *s = owner;

	pieces_fit(s, 0, room);
	budget_set(&s->member, s->pieces * sizeof(struct piece));
}

void stream_share(struct stream *s, struct history_budget *b)
{
	budget_join(&b->bytes, &s->member, stream_give, s);
}

size_t stream_room(const struct stream *s)
{
	size_t room = budget_room(&s->member);

	return room < s->bound ? room : s->bound;
}

static struct piece *piece_new(struct stream *s)
{
	size_t room = budget_want(&s->member, (s->pieces + 1) * sizeof(struct piece));
	struct piece *p;

	pieces_fit(s, 1, room < s->bound ? room : s->bound);
	p = mem_alloc(sizeof(*p));
	if (!p)
		return NULL;
	p->next = NULL;
	p->len = p->last = 0;
	if (s->newest)
		s->newest->next = p;
	else
		s->first = p;
	s->newest = p;
	s->pieces++;
	budget_set(&s->member, s->pieces * sizeof(*p));
	return p;
}

/* Bytes that came at the same time are one record. */
static bool record_extend(struct piece *p, uint64_t time_ns, const uint8_t *data, size_t n)
{
	uint8_t *last = p->data + p->last;
	uint32_t length;

	if (!p->len || head_time(last) != time_ns || p->len + n > PIECE)
		return false;
	length = head_length(last) + (uint32_t)n;
	memcpy(last + sizeof(uint64_t), &length, sizeof(length));
	memcpy(p->data + p->len, data, n);
	p->len += n;
	return true;
}

static void record_begin(struct piece *p, uint64_t time_ns, const uint8_t *data, size_t n)
{
	uint32_t length = (uint32_t)n;

	p->last = p->len;
	memcpy(p->data + p->len, &time_ns, sizeof(time_ns));
	memcpy(p->data + p->len + sizeof(time_ns), &length, sizeof(length));
	memcpy(p->data + p->len + HEAD, data, n);
	p->len += HEAD + n;
}

/* Out of memory: with a hole it would be another stream, so that all kept bytes are dropped. */
static void stream_empty(struct stream *s, size_t n)
{
	while (s->first)
		oldest_drop(s);
	budget_set(&s->member, 0);
	s->dropped += n;
}

void stream_add(struct stream *s, uint64_t time_ns, const uint8_t *data, size_t n)
{
	while (n) {
		size_t part = n < PIECE / 2 ? n : PIECE / 2;
		struct piece *p = s->newest;

		if (!p || !record_extend(p, time_ns, data, part)) {
			if (!p || p->len + HEAD + part > PIECE)
				p = piece_new(s);
			if (!p) {
				stream_empty(s, n);
				return;
			}
			record_begin(p, time_ns, data, part);
		}
		s->kept += part;
		data += part;
		n -= part;
	}
}

uint64_t stream_dropped(const struct stream *s)
{
	return s->dropped;
}

uint64_t stream_kept(const struct stream *s)
{
	return s->kept;
}

/* --- as a recording --------------------------------------------------------------------------- */

static void piece_write(const struct piece *p, uint64_t zero_ns, struct buf *out)
{
	uint8_t chunk[RECORD_CHUNK_MAX];

	for (size_t at = 0; at < p->len; at += HEAD + head_length(p->data + at)) {
		const uint8_t *r = p->data + at;

		buf_add(out, chunk, record_chunk(chunk, head_time(r) - zero_ns, r + HEAD,
						 head_length(r)));
	}
}

static void about_write(const char *about, struct buf *out)
{
	uint8_t chunk[RECORD_ABOUT_MAX + 64];
	size_t n = strlen(about);

	if (n && n <= RECORD_ABOUT_MAX)
		buf_add(out, chunk, record_chunk_about(chunk, 0, about, n));
}

int stream_save(const struct stream *s, const char *path, int64_t wall_ns, const char *about,
		struct err *err)
{
	uint8_t header[RECORD_HEADER];
	struct buf out = BUF_INIT;
	uint64_t zero_ns = s->first ? head_time(s->first->data) : 0;
	int ret;

	if (!s->first)
		return err_set(err, ERR_ABSENT, "%s: no data received yet", path);
	record_header(header, zero_ns + (uint64_t)wall_ns);
	buf_add(&out, header, sizeof(header));
	about_write(about, &out);
	for (const struct piece *p = s->first; p; p = p->next)
		piece_write(p, zero_ns, &out);
	if (out.failed)
		ret = err_set(err, ERR_NOMEM, "%s: out of memory: not written", path);
	else
		ret = file_write(path, out.data, out.len, err);
	buf_release(&out);
	return ret;
}
