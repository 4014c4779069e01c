/*
 * Common Trace Format 1.8 (diamon.org/ctf): a directory of `metadata`, which describes the events
 * in TSDL, and `events`, one packet of them in the order of their times. Times are nanoseconds of
 * the node's clock. Functions, lanes and marks are enumerations: readers show their names.
 */
#include "core/export/trace/traced.h"

#include <inttypes.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/image/traced.h"

#define MAGIC 0xc1fc1fc1u

static const char *const escapes[] = { "\"\\\"", "\\\\\\", NULL };

/* --- what an event consists of ---------------------------------------------------------------- */

enum field { FIELD_NONE, FIELD_FUNCTION, FIELD_UNTIL, FIELD_SINCE, FIELD_COUNT, FIELD_ID,
	     FIELD_VALUE, FIELD_REAL };

static const struct field_row {
	const char *declared;
	uint8_t bytes;
} fields[] = {
	[FIELD_FUNCTION] = { "enum functions function", 4 },
	[FIELD_UNTIL] = { "u64 duration", 8 },
	[FIELD_SINCE] = { "u64 since", 8 },
	[FIELD_COUNT] = { "u64 count", 8 },
	[FIELD_ID] = { "enum marks id", 4 },
	[FIELD_VALUE] = { "s64 value", 8 },
	[FIELD_REAL] = { "f64 value", 8 },
};

enum { EVENT_REAL = TRACE_AWAY + 1 };	/* a value of another type */

/* By trace_event_kind, which is the event's id. */
static const struct event_row {
	const char *name;
	enum field fields[4];			/* ends with FIELD_NONE */
} events[] = {
	[TRACE_CALL] = { "func_entry", { FIELD_FUNCTION } },
	[TRACE_RETURN] = { "func_exit", { FIELD_FUNCTION } },
	[TRACE_WHOLE] = { "whole", { FIELD_FUNCTION, FIELD_UNTIL, FIELD_COUNT } },
	[TRACE_BOX] = { "box", { FIELD_FUNCTION, FIELD_UNTIL, FIELD_COUNT } },
	[TRACE_UNKNOWN] = { "unknown", { FIELD_UNTIL } },
	[TRACE_GAP] = { "calls_not_told", { FIELD_COUNT } },
	[TRACE_LOST] = { "frames_lost", { FIELD_COUNT } },
	[TRACE_HELD] = { "func_held", { FIELD_FUNCTION, FIELD_SINCE } },
	[TRACE_MARK] = { "mark", { FIELD_ID } },
	[TRACE_VALUE] = { "value", { FIELD_ID, FIELD_VALUE } },
	[TRACE_STATE] = { "state", { FIELD_ID, FIELD_VALUE } },
	[TRACE_AWAY] = { "away", { FIELD_ID, FIELD_UNTIL } },
	[EVENT_REAL] = { "real", { FIELD_ID, FIELD_REAL } },
};

#define EVENTS (sizeof(events) / sizeof(events[0]))

static uint64_t ctf_ns(const struct traced_source *s, uint64_t ticks)
{
	return (uint64_t)(traced_seconds(s, ticks) * 1e9);
}

static uint64_t field_value(const struct traced_source *s, const struct trace_event *e,
			    enum field field)
{
	switch (field) {
	case FIELD_FUNCTION:
	case FIELD_ID:
		return e->id;
	case FIELD_UNTIL:
		return ctf_ns(s, e->until) - ctf_ns(s, e->ticks);
	case FIELD_SINCE:
		return ctf_ns(s, e->since);
	case FIELD_COUNT:
		return e->count;
	case FIELD_VALUE:
	case FIELD_REAL:
		return (uint64_t)e->value;
	case FIELD_NONE:
		break;
	}
	return 0;
}

/* --- metadata --------------------------------------------------------------------------------- */

static void label_write(struct out *out, const char *name, uint32_t value)
{
	out_adds(out, "\t\"");
	out_text(out, name, escapes);
	out_addf(out, "\" = %" PRIu32 ",\n", value);
}

/* Those of the trace: an id may be a longer name's end. An enumeration has one label at least. */
static int marks_write(const struct traced_source *s, struct out *out)
{
	const struct traced *t = s->image ? image_traced_all(s->image) : NULL;
	size_t count = t && t->marks ? t->mark_bytes : 0;
	bool *seen = mem_zalloc((count + 1) * sizeof(*seen));

	if (!seen)
		return ERR_NOMEM;
	trace_marks_seen(s->trace, seen, count);
	out_adds(out, "enum marks : u32 {\n");
	label_write(out, "none", UINT32_MAX);
	for (uint32_t id = 0; id < count; id++)
		if (seen[id] && traced_mark(t, id))
			label_write(out, traced_mark(t, id), id);
	out_adds(out, "};\n");
	mem_free(seen);
	return 0;
}

static void names_write(const struct traced_source *s, struct out *out)
{
	uint32_t last = trace_last_id(s->trace);
	char name[TRACED_NAME];

	out_adds(out, "enum functions : u32 {\n");
	for (uint32_t id = 0; id <= last && !out_failed(out); id++)
		if (id == 0 || id >= IMAGE_TOLD || !trace_is_told(s->trace))
			label_write(out, traced_name(s, id, name), id);
	out_adds(out, "};\nenum lanes : u8 {\n");
	for (unsigned i = 0; i < TRACE_LANES; i++)
		label_write(out, traced_lane(s, i, name), i);
	out_addf(out, "};\nenum times : u8 {\n"
		 "\tnot_after = %d,\n\tinterpolated = %d,\n\tstamped = %d,\n};\n",
		 TRACE_TIME_UNKNOWN, TRACE_TIME_BETWEEN, TRACE_TIME_STAMPED);
}

int traced_ctf_metadata(const struct traced_source *s, struct out *out)
{
	int status;

	out_addf(out,
		 "/* CTF 1.8 */\n"
		 "typealias integer { size = 8; align = 8; signed = false; } := u8;\n"
		 "typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
		 "typealias integer { size = 64; align = 8; signed = false; } := u64;\n"
		 "typealias integer { size = 64; align = 8; signed = true; } := s64;\n"
		 "typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } := f64;\n"
		 "trace {\n\tmajor = 1;\n\tminor = 8;\n\tbyte_order = le;\n"
		 "\tpacket.header := struct { u32 magic; };\n};\n"
		 "env {\n\ttracer_name = \"wsntop\";\n\thostname = \"");
	out_text(out, s->node, escapes);
	out_adds(out, "\";\n");
	if (traced_times(s))
		out_addf(out, "\ttimes = \"%s\";\n", traced_times(s));
	out_adds(out, "};\n"
		 "clock {\n\tname = node;\n\tfreq = 1000000000;\n};\n"
		 "typealias integer { size = 64; align = 8; signed = false; "
		 "map = clock.node.value; } := clock_ns;\n");
	names_write(s, out);
	status = marks_write(s, out);
	out_adds(out, "stream {\n\tevent.header := struct { u8 id; clock_ns timestamp; };\n"
		 "\tevent.context := struct { enum lanes lane; enum times time; u32 depth; };\n"
		 "};\n");
	for (size_t i = 0; i < EVENTS; i++) {
		out_addf(out, "event {\n\tname = \"%s\";\n\tid = %zu;\n\tfields := struct {",
			 events[i].name, i);
		for (const enum field *f = events[i].fields; *f != FIELD_NONE; f++)
			out_addf(out, " %s;", fields[*f].declared);
		out_adds(out, " };\n};\n");
	}
	return status;
}

/* --- events ----------------------------------------------------------------------------------- */

int traced_ctf_events(const struct traced_source *s, struct out *out)
{
	struct trace_merge *m = trace_merge_new(s->trace);
	uint64_t now = 0;			/* a packet's times never go back */
	struct trace_event e;

	if (!m)
		return ERR_NOMEM;
	out_le(out, MAGIC, 4);
	while (trace_merge_next(m, &e) && !out_failed(out)) {
		uint64_t ns = ctf_ns(s, e.ticks);
		bool real = e.kind == TRACE_VALUE && trace_note_is_real(s->trace, e.id);
		unsigned row = real ? EVENT_REAL : e.kind;

		now = ns > now ? ns : now;
		out_le(out, row, 1);
		out_le(out, now, 8);
		out_le(out, e.lane, 1);
		out_le(out, e.time, 1);
		out_le(out, e.depth, 4);
		for (const enum field *f = events[row].fields; *f != FIELD_NONE; f++)
			out_le(out, field_value(s, &e, *f), fields[*f].bytes);
	}
	trace_merge_free(m);
	return 0;
}
