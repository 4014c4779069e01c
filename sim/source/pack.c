/* pack: see pack.h. */
#include "sim/source/pack.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/base/varint.h"

enum { ROW_BYTES = 4 + (6 + SIM_BUCKETS) * VARINT_MAX };

static void bytes_write(struct pack *p, const void *data, size_t n)
{
	const uint8_t *from = data;

	while (n && !p->failed) {
		ssize_t done = write(p->fd, from, n);

		if (done < 0 && errno == EINTR)
			continue;
		p->failed = done <= 0;
		from += p->failed ? 0 : done;
		n -= p->failed ? 0 : (size_t)done;
	}
}

static void record_write(struct pack *p, struct pack_record *r)
{
	uint8_t head[1 + VARINT_MAX] = { r->type };

	bytes_write(p, head, 1 + varint_put(head + 1, r->n));
	bytes_write(p, r->bytes, r->n);
	r->n = 0;
}

static void number_add(struct pack_record *r, uint64_t x)
{
	r->n += varint_put(r->bytes + r->n, x);
}

static void text_add(struct pack_record *r, const char *text)
{
	size_t n = strnlen(text, 200);

	number_add(r, n);
	memcpy(r->bytes + r->n, text, n);
	r->n += n;
}

void pack_begin(struct pack *p, int fd)
{
	memset(p, 0, sizeof(*p));
	p->fd = fd;
	p->text.type = SIM_TEXT;
	p->events.type = SIM_EVENTS;
	p->spent.type = SIM_SPENT;
	bytes_write(p, SIM_MAGIC, strlen(SIM_MAGIC));
}

void pack_hello(struct pack *p, uint64_t hz, uint8_t arch, const char *name, const char *unit)
{
	struct pack_record r = { .type = SIM_HELLO };

	number_add(&r, hz);
	r.bytes[r.n++] = arch;
	text_add(&r, name);
	text_add(&r, unit);
	record_write(p, &r);
}

void pack_status(struct pack *p, uint64_t ticks, uint64_t asleep, uint64_t handlers, double pace)
{
	struct pack_record r = { .type = SIM_STATUS };

	number_add(&r, ticks);
	number_add(&r, asleep);
	number_add(&r, handlers);
	number_add(&r, pace > 0 && pace < 1e9 ? (uint64_t)(pace * 1000 + 0.5) : 0);
	record_write(p, &r);
}

static void row_add(struct pack_record *r, const struct pack_row *row)
{
	r->bytes[r->n++] = row->handler;
	number_add(r, row->from);
	number_add(r, row->to);
	number_add(r, row->calls);
	number_add(r, row->total);
	number_add(r, row->min);
	number_add(r, row->max);
	for (unsigned i = 0; i < SIM_BUCKETS; i++)
		number_add(r, row->bucket[i]);
}

void pack_rows(struct pack *p, const struct pack_row *rows, size_t count)
{
	enum { AT_ONCE = PACK_MOST / ROW_BYTES };

	for (size_t i = 0; i < count; i += AT_ONCE) {
		struct pack_record r = { .type = SIM_ROWS };
		size_t n = count - i < AT_ONCE ? count - i : AT_ONCE;

		number_add(&r, n);
		for (size_t k = 0; k < n; k++)
			row_add(&r, &rows[i + k]);
		record_write(p, &r);
	}
}

void pack_depths(struct pack *p, const struct pack_depth *rows, size_t count)
{
	struct pack_record r = { .type = SIM_DEPTHS };

	for (size_t i = 0; i < count; i++) {
		if (!rows[i].known)
			continue;
		number_add(&r, rows[i].address);
		number_add(&r, rows[i].frame);
		number_add(&r, rows[i].use);
		number_add(&r, rows[i].depth);
		if (r.n >= PACK_MOST)
			record_write(p, &r);
	}
	if (r.n)
		record_write(p, &r);
}

void pack_spent(struct pack *p, uint32_t address, uint64_t ticks)
{
	struct pack_record *r = &p->spent;

	number_add(r, address);
	number_add(r, ticks);
	if (r->n >= PACK_MOST)
		record_write(p, r);
}

void pack_stack(struct pack *p, uint32_t number, uint32_t base, uint32_t low, size_t open,
		const uint32_t *path, size_t count)
{
	struct pack_record r = { .type = SIM_STACK };

	number_add(&r, number);
	number_add(&r, base);
	number_add(&r, low);
	number_add(&r, open);
	number_add(&r, count);
	for (size_t i = 0; i < count; i++)
		number_add(&r, path[i]);
	record_write(p, &r);
}

void pack_text(struct pack *p, uint8_t byte)
{
	p->text.bytes[p->text.n++] = byte;
	if (p->text.n == PACK_MOST)
		record_write(p, &p->text);
}

static struct pack_record *event_begin(struct pack *p, enum sim_event kind, unsigned lane,
					uint64_t ticks)
{
	struct pack_record *r = &p->events;

	ticks = ticks < p->event_ticks ? p->event_ticks : ticks;
	if (!r->n) {
		number_add(r, ticks);
		p->event_ticks = ticks;
	}
	r->bytes[r->n++] = (uint8_t)(lane << SIM_LANE | kind);
	number_add(r, ticks - p->event_ticks);
	p->event_ticks = ticks;
	return r;
}

static void event_end(struct pack *p)
{
	if (p->events.n >= PACK_MOST)
		record_write(p, &p->events);
}

void pack_event(struct pack *p, enum sim_event kind, unsigned lane, uint64_t ticks, uint32_t what)
{
	struct pack_record *r;

	if (p->before)
		p->before(p->before_ctx);
	r = event_begin(p, kind, lane, ticks);
	if (kind == SIM_CALL || kind == SIM_HANDLER)
		number_add(r, what);
	else if (kind == SIM_AWAY)
		r->bytes[r->n++] = (uint8_t)what;
	event_end(p);
}

void pack_note(struct pack *p, enum sim_event kind, uint64_t ticks, uint32_t note, int64_t value)
{
	struct pack_record *r = event_begin(p, kind, 0, ticks);

	number_add(r, note);
	r->n += varint_put_signed(r->bytes + r->n, value);
	event_end(p);
}

void pack_name(struct pack *p, uint32_t note, const int64_t *state, bool real, const char *name)
{
	struct pack_record r = { .type = SIM_NAME };

	number_add(&r, note);
	r.bytes[r.n++] = (uint8_t)((state ? SIM_NAME_STATE : 0) | (real ? SIM_NAME_REAL : 0));
	if (state)
		r.n += varint_put_signed(r.bytes + r.n, *state);
	text_add(&r, name);
	record_write(p, &r);
}

void pack_flush(struct pack *p)
{
	if (p->text.n)
		record_write(p, &p->text);
	if (p->events.n)
		record_write(p, &p->events);
	if (p->spent.n)
		record_write(p, &p->spent);
}

void pack_watched(struct pack *p, const struct pack_watched *of, size_t count)
{
	struct pack_record r = { .type = SIM_WATCHED };

	pack_flush(p);			/* what was told before it comes before it */
	number_add(&r, count);
	for (size_t i = 0; i < count; i++) {
		number_add(&r, of[i].note);
		r.bytes[r.n++] = of[i].way;
		r.bytes[r.n++] = of[i].refusal;
	}
	record_write(p, &r);
}
