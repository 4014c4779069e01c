/* watch: see watch.h. */
#include "sim/source/watch.h"

#include <string.h>

#include "core/base/varint.h"

/* Reads on; once bytes are missing, all further reads give 0. */
struct body {
	const uint8_t *p, *end;
	bool cut;
};

static uint64_t body_number(struct body *b, uint64_t most)
{
	uint64_t value = 0;
	size_t n = varint_get(b->p, (size_t)(b->end - b->p), &value);

	b->cut |= !n || value > most;
	b->p += n;
	return b->cut ? 0 : value;
}

static uint8_t body_byte(struct body *b)
{
	b->cut |= b->p == b->end;
	return b->cut ? 0 : *b->p++;
}

/* --- points ----------------------------------------------------------------------------------- */

/* `name` has room for 200. */
static struct wire_watchpoint point_read(struct body *b, char *name, size_t size)
{
	struct wire_watchpoint p = { .kind = body_byte(b) % (WATCH_MARK + 1) };
	struct wire_reading *r = &p.reading;
	uint8_t flags;
	size_t n;

	p.note = (uint32_t)body_number(b, UINT32_MAX);
	p.address = (uint32_t)body_number(b, UINT32_MAX);
	p.size = (uint32_t)body_number(b, UINT32_MAX);
	p.access = body_byte(b);
	p.number = (uint16_t)body_number(b, UINT16_MAX);
	r->bytes = body_byte(b);
	flags = body_byte(b);
	r->is_signed = flags & SIM_READ_SIGNED;
	r->is_real = flags & SIM_READ_REAL;
	r->is_state = flags & SIM_READ_STATE;
	r->big_endian = flags & SIM_READ_BIG;
	r->shift = body_byte(b);
	r->bits = body_byte(b);
	n = (size_t)body_number(b, size - 1);
	b->cut |= n > (size_t)(b->end - b->p) || r->bytes > 8 || r->shift > 63 || r->bits > 64;
	n = b->cut ? 0 : n;
	memcpy(name, b->p, n);
	name[n] = '\0';
	b->p += n;
	return p;
}

static void value_tell(struct watches *w, struct watch_point *p, uint64_t ticks)
{
	const struct wire_reading *r = &p->is.reading;

	p->told = wire_value(r, p->bytes);
	pack_note(w->pack, r->is_state ? SIM_STATE : SIM_VALUE, ticks, p->is.note, p->told);
}

static void point_begin(struct watches *w, struct watch_point *p, const char *name, uint64_t now)
{
	bool is_value = p->is.kind == WATCH_VALUE;

	pack_name(w->pack, p->is.note, NULL, p->is.reading.is_real, name);
	w->loads |= is_value && p->is.access & WATCH_READS;
	w->stores |= is_value && p->is.access & WATCH_WRITES;
	w->marks |= p->is.kind == WATCH_MARK;
	/* What it is before anything happens to it; a peripheral's may change by being read. */
	if (is_value && p->is.access & WATCH_WRITES && p->is.reading.bytes && !p->known &&
	    w->read(w->ctx, p->is.address, p->bytes, p->is.reading.bytes))
		value_tell(w, p, now);
}

static bool point_is_known(const struct watches *w, const struct wire_watchpoint *p)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->of[i].is.note == p->note && w->of[i].is.address == p->address)
			return true;
	return false;
}

static void points_answer(struct watches *w, const enum wire_watch_refusal *refused,
			  const uint32_t *notes, size_t count)
{
	struct pack_watched told[WIRE_WATCHES];

	for (size_t i = 0; i < count; i++)
		told[i] = (struct pack_watched){
			.note = notes[i], .refusal = (uint8_t)refused[i],
			.way = refused[i] ? WATCHED_NOT : WATCHED_TRACED,
		};
	pack_watched(w->pack, told, count);
}

bool watches_take(struct watches *w, const uint8_t *body, size_t n, uint64_t now)
{
	struct body b = { .p = body, .end = body + n };
	size_t count = (size_t)body_number(&b, WIRE_WATCHES);
	struct watches before = *w;
	enum wire_watch_refusal refused[WIRE_WATCHES];
	char names[WIRE_WATCHES][200];
	uint32_t notes[WIRE_WATCHES];
	struct wire_watchpoint p[WIRE_WATCHES];

	for (size_t i = 0; i < count; i++) {
		p[i] = point_read(&b, names[i], sizeof(names[i]));
		notes[i] = p[i].note;
	}
	if (b.cut)
		return false;
	watches_flush(w);
	w->count = 0;
	w->loads = w->stores = w->marks = false;
	for (size_t i = 0; i < count; i++) {
		struct watch_point *q = &w->of[w->count];

		refused[i] = w->refuse ? w->refuse(w->ctx, &p[i]) : REFUSED_NOT;
		if (refused[i])
			continue;
		*q = (struct watch_point){ .is = p[i], .known = point_is_known(&before, &p[i]) };
		w->count++;
		point_begin(w, q, names[i], now);
	}
	points_answer(w, refused, notes, count);
	return true;
}

/* --- accesses --------------------------------------------------------------------------------- */

/* Of the program, while a handler runs. */
static bool point_is_held(const struct watches *w, const struct watch_point *p)
{
	return !p->seen || (w->in_handler && !p->in_handler);
}

static void point_flush(struct watches *w, struct watch_point *p)
{
	const struct wire_reading *r = &p->is.reading;
	bool told = p->is.access & (p->stored ? WATCH_WRITES : WATCH_READS);

	if (!p->seen)
		return;
	p->seen = 0;
	w->waiting--;
	if (p->stored && r->bits && wire_value(r, p->bytes) == p->told)
		return;
	if (told)
		value_tell(w, p, p->at);
}

/* Bytes of the variable that an access touches, a bit each. */
static uint8_t bytes_touched(const struct wire_watchpoint *p, uint32_t address, unsigned size)
{
	uint8_t touched = 0;

	for (unsigned i = 0; i < p->reading.bytes; i++)
		touched |= (uint8_t)((p->address + i - address < size) << i);
	return touched;
}

static void variable_access(struct watches *w, struct watch_point *p, uint8_t touched, bool store,
			    uint64_t now)
{
	uint8_t all = (uint8_t)((1u << p->is.reading.bytes) - 1);
	bool wanted = store || p->is.access & WATCH_READS;

	if (p->seen && (p->seen & touched || p->stored != store))
		point_flush(w, p);
	if (!wanted)
		return;
	w->waiting += !p->seen;
	p->seen |= touched;
	p->stored = store;
	p->at = now;
	p->in_handler = w->in_handler;
	w->read(w->ctx, p->is.address, p->bytes, p->is.reading.bytes);
	if (p->seen == all)
		point_flush(w, p);
}

void watches_access(struct watches *w, uint32_t address, unsigned size, bool store, uint64_t now)
{
	for (struct watch_point *p = w->of; p < w->of + w->count; p++) {
		uint8_t touched;

		if (p->is.kind != WATCH_VALUE ||
		    (address - p->is.address >= p->is.size && p->is.address - address >= size))
			continue;
		touched = bytes_touched(&p->is, address, size);
		if (touched)
			variable_access(w, p, touched, store, now);
		else if (!p->is.reading.bytes &&
			 p->is.access & (store ? WATCH_WRITES : WATCH_READS))
			pack_note(w->pack, SIM_VALUE, now, p->is.note, address);
	}
}

void watches_settle(struct watches *w, uint64_t now)
{
	for (struct watch_point *p = w->of; w->waiting && p < w->of + w->count; p++)
		if (!point_is_held(w, p) && now - p->at > WATCH_WAIT &&
		    (p->in_handler || now - w->resumed > WATCH_WAIT))
			point_flush(w, p);
}

void watches_flush(struct watches *w)
{
	while (w->waiting) {
		struct watch_point *first = NULL;

		for (struct watch_point *p = w->of; p < w->of + w->count; p++)
			if (p->seen && (!first || p->at < first->at))
				first = p;
		if (!first) {
			w->waiting = 0;
			return;
		}
		point_flush(w, first);
	}
}

void watches_handlers(struct watches *w, bool run, uint64_t now)
{
	if (w->in_handler && !run)
		w->resumed = now;
	w->in_handler = run;
}

void watches_mark(struct watches *w, uint16_t number, uint64_t now)
{
	for (const struct watch_point *p = w->of; p < w->of + w->count; p++)
		if (p->is.kind == WATCH_MARK)
			pack_note(w->pack, SIM_MARK, now, p->is.note, number);
}

bool watches_want(const struct watches *w, uint32_t function, bool handler)
{
	for (const struct watch_point *p = w->of; p < w->of + w->count; p++) {
		bool all = p->is.kind == WATCH_HANDLER && p->is.number == WATCH_ALL_HANDLERS;
		bool kind = p->is.kind == (handler ? WATCH_HANDLER : WATCH_CALL);

		if ((handler && all) || (kind && !all && p->is.address == function))
			return true;
	}
	return false;
}

static void before_event(void *ctx)
{
	struct watches *w = ctx;

	for (struct watch_point *p = w->of; w->waiting && p < w->of + w->count; p++)
		if (!point_is_held(w, p))
			point_flush(w, p);
}

void watches_init(struct watches *w, struct pack *pack)
{
	w->pack = pack;
	pack->before = before_event;
	pack->before_ctx = w;
}
