/* reads: see reads.h. */
#include "core/wire/openocd/reads.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOST_HZ 1e6
#define HZ_OFF 1e-4			/* by so much another rate is told again */

enum { NUMBERS_MOST = 16 };

void reads_set(struct reads *r, const struct wire_watchpoint *points, size_t count)
{
	r->points = points;
	r->count = count;
	memset(r->last, 0, sizeof(r->last));
	r->untold = true;
}

void reads_down(struct reads *r)
{
	memset(r->last, 0, sizeof(r->last));
	r->counted = false;
}

/* Of memory as it is; a range has no value. */
static bool point_is_read(const struct wire_watchpoint *p)
{
	return p->kind == WATCH_VALUE && p->reading.bytes && p->reading.bytes <= 8;
}

/* Bits of one access: as wide as the variable, where its place allows that. */
static unsigned point_width(const struct wire_watchpoint *p)
{
	unsigned bytes = p->reading.bytes > 4 ? 4 : p->reading.bytes;

	return p->address % bytes || p->reading.bytes % bytes || bytes == 3 ? 8 : 8 * bytes;
}

/* 0: not known yet. */
static double clock_hz(const struct sampler *s)
{
	if (s->cycles_known)
		return s->probe.cycles_hz <= UINT32_MAX ? floor(s->probe.cycles_hz) : 0;
	return s->probe.samples ? HOST_HZ : 0;
}

/* --- questions -------------------------------------------------------------------------------- */

static size_t point_command(const struct wire_watchpoint *p, char *dst, size_t size)
{
	unsigned width = point_width(p);
	int n = snprintf(dst, size, "if {[catch {read_memory 0x%08" PRIx32 " %u %u} v]} "
			 "{set v {}}; append s { | 0x%08" PRIx32 " %u } $v; ", p->address, width,
			 8u * p->reading.bytes / width, p->address, width);

	return n > 0 && (size_t)n < size ? (size_t)n : 0;
}

void reads_command(const struct reads *r, const struct sampler *s, char *dst, size_t size)
{
	double hz = clock_hz(s);
	bool any = false;
	size_t n;

	for (size_t i = 0; i < r->count; i++)
		any |= point_is_read(&r->points[i]);
	*dst = '\0';
	if (!any || !(hz > 0))
		return;
	if (s->cycles_known)
		n = (size_t)snprintf(dst, size, "append s { | %.0f}; ", hz);
	else
		n = (size_t)snprintf(dst, size, "append s { | %.0f %" PRIu32 "}; ", hz,
				     (uint32_t)(s->now_ns / 1000));
	for (size_t i = 0; i < r->count; i++)
		if (point_is_read(&r->points[i]))
			n += point_command(&r->points[i], dst + n, size - n);
}

/* --- answers ---------------------------------------------------------------------------------- */

static void event_give(const struct reads *r, const struct wire *w, const struct wire_watchpoint *p,
		       int64_t value)
{
	struct wire_event e = {
		.kind = p->reading.is_state ? EVENT_STATE : EVENT_VALUE, .note = p->note,
		.value = value, .ticks = r->ticks,
	};

	if (w->sink.events)
		w->sink.events(w->sink.ctx, &e, 1);
}

static void clock_take(struct reads *r, const struct wire *w, uint32_t hz, uint32_t counter,
		       bool cycles)
{
	struct wire_seeing seeing = { .ticks_per_second = hz, .some = true, .cycles = cycles };

	r->ticks += r->counted ? counter - r->counter : 0;
	r->counter = counter;
	r->counted = true;
	seeing.cycle = counter - (uint32_t)r->ticks;
	if (fabs(r->hz - hz) <= HZ_OFF * hz && r->zero == seeing.cycle)
		return;
	r->hz = hz;
	r->zero = seeing.cycle;
	if (w->sink.seeing)
		w->sink.seeing(w->sink.ctx, &seeing);
}

/* ADDRESS WIDTH VALUE...: of what is watched at that address now. */
static void value_take(struct reads *r, const struct wire *w, const uint32_t *numbers,
		       unsigned count)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct wire_watchpoint *p = &r->points[i];
		unsigned bytes = numbers[1] / 8;
		uint8_t raw[8] = { 0 };
		int64_t value;

		if (!point_is_read(p) || p->address != numbers[0] || point_width(p) != numbers[1] ||
		    count - 2 != p->reading.bytes / bytes)
			continue;
		for (unsigned at = 0; at < p->reading.bytes; at++)
			raw[at] = (uint8_t)(numbers[2 + at / bytes] >> 8 * (at % bytes));
		value = wire_value(&p->reading, raw);
		if (!r->last[i].known || r->last[i].value != value)
			event_give(r, w, p, value);
		r->last[i].known = true;
		r->last[i].value = value;
	}
}

/* Numbers up to the next "|" or the end. False: something else is there. */
static bool part_read(const char **at, uint32_t *numbers, unsigned *count)
{
	const char *s = *at + 1;

	for (*count = 0; s += strspn(s, " \n"), *s && *s != '|'; (*count)++) {
		char *end;
		unsigned long value = strtoul(s, &end, 0);

		if (end == s || value > UINT32_MAX || *count == NUMBERS_MOST)
			return false;
		numbers[*count] = (uint32_t)value;
		s = end;
	}
	*at = s;
	return true;
}

bool reads_take(struct reads *r, const struct wire *w, uint32_t cycles, const char *text)
{
	uint32_t numbers[NUMBERS_MOST];
	unsigned count;

	if (!part_read(&text, numbers, &count) || !count || count > 2 || !numbers[0])
		return false;
	clock_take(r, w, numbers[0], count == 2 ? numbers[1] : cycles, count == 1);
	while (*text == '|') {
		if (!part_read(&text, numbers, &count) || count < 2 || numbers[1] < 8 ||
		    numbers[1] > 32 || numbers[1] % 8)
			return false;
		value_take(r, w, numbers, count);
	}
	return true;
}

/* --- how it goes ------------------------------------------------------------------------------ */

void reads_tell(struct reads *r, const struct sampler *s)
{
	struct wire_watching w = {
		.count = r->count, .comparators = -1, .comparators_used = -1, .breakpoints = -1,
		.breakpoints_used = -1,
	};

	if (!r->untold || !(clock_hz(s) > 0))
		return;
	r->untold = false;
	for (size_t i = 0; i < r->count; i++) {
		bool is = point_is_read(&r->points[i]);

		w.of[i] = (struct wire_watched){ .note = r->points[i].note,
						 .way = is ? WATCHED_READS : WATCHED_NOT,
						 .refusal = is ? REFUSED_NOT : REFUSED_KIND };
	}
	if (s->wire->sink.watching)
		s->wire->sink.watching(s->wire->sink.ctx, &w);
}
