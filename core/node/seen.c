/*
 * seen: what is seen of a node from outside, by a simulator, a debugger or a trace port: its calls,
 * values and states become the call trace; and how the probe fares.
 */
#include "core/node/parts.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/profile/raw/feed.h"

/* The id of the function at an address: always the same, whatever names it. 0: no memory. */
static uint32_t told_id(struct node *n, uint32_t address)
{
	struct node_seen *s = &n->seen;
	const struct image *im = n->binding.image;
	uint32_t f = im ? image_find(im, address) : IMAGE_NONE;
	uint32_t entry = f != IMAGE_NONE ? (uint32_t)image_function(im, f)->address : address;
	uint32_t at;

	if (!s->count)
		map_init(&s->ids);
	at = map_get(&s->ids, entry);
	if (at != MAP_NONE)
		return IMAGE_TOLD + at;
	if (mem_grow(&s->addresses, &s->cap, s->count + 1, sizeof(*s->addresses)) < 0 ||
	    map_put(&s->ids, entry, (uint32_t)s->count) < 0)
		return 0;
	s->addresses[s->count] = entry;
	return IMAGE_TOLD + (uint32_t)s->count++;
}

void seen_image(struct node *n)
{
	struct node_seen *s = &n->seen;

	if (n->binding.image)
		image_tell(n->binding.image, s->addresses, s->count);
}

static void clock_take(struct node *n, double ticks_per_second)
{
	uint64_t bounds[WIRE_BUCKETS - 1];

	calls_bounds(bounds, (uint32_t)ticks_per_second);
	profile_take_clock(node_stream_profile(n), ticks_per_second, bounds);
}

static void on_seeing(void *ctx, const struct wire_seeing *seeing)
{
	struct node *n = input_batch(ctx);
	struct trace *t = calls_trace(n);

	n->seen.told = true;
	n->seen.counted = seeing->counted;
	if (t)
		trace_setup_told(t, seeing->ticks_per_second);
	if (t && !n->talk.has_hello)
		clock_take(n, trace_ticks_per_second(t));
}

static void event_tell(struct node *n, struct trace *t, const struct wire_event *e)
{
	static const enum trace_event_kind kinds[] = {
		[EVENT_CALL] = TRACE_CALL, [EVENT_RETURN] = TRACE_RETURN,
		[EVENT_VALUE] = TRACE_VALUE, [EVENT_STATE] = TRACE_STATE,
		[EVENT_MARK] = TRACE_MARK, [EVENT_AWAY] = TRACE_AWAY,
		[EVENT_LOST] = TRACE_LOST,
	};
	struct trace_told told = {
		.kind = kinds[e->kind], .lane = e->lane, .id = e->note, .value = e->value,
		.ticks = e->ticks,
	};

	if (e->kind == EVENT_CALL)
		told.id = told_id(n, e->address);
	if (trace_tell(t, &told) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: the call trace has gaps");
}

static void on_events(void *ctx, const struct wire_event *events, size_t count)
{
	struct node *n = input_batch(ctx);
	struct trace *t = calls_trace(n);

	if (!t || !n->seen.told)
		return;
	for (size_t i = 0; i < count; i++)
		event_tell(n, t, &events[i]);
	seen_image(n);
	calls_advance(n);
}

static void on_naming(void *ctx, const struct wire_naming *naming)
{
	struct trace *t = calls_trace(input_batch(ctx));

	if (t)
		trace_name(t, naming);
}

/* --- the probe -------------------------------------------------------------------------------- */

static void on_probe(void *ctx, const struct wire_probe *probe)
{
	struct node *n = input_batch(ctx);
	struct node_seen *s = &n->seen;

	s->probe = *probe;
	snprintf(s->core, sizeof(s->core), "%s", probe->core ? probe->core : "");
	s->probe.core = s->core;
	s->has_probe = true;
	n->changes |= NODE_STATE;
}

const struct wire_probe *node_probe(const struct node *n)
{
	return n->seen.has_probe ? &n->seen.probe : NULL;
}

void seen_sink(struct wire_sink *sink)
{
	sink->seeing = on_seeing;
	sink->events = on_events;
	sink->naming = on_naming;
	sink->probe = on_probe;
}

void seen_forget(struct node *n)
{
	struct node_seen *s = &n->seen;

	if (n->binding.image)
		image_tell(n->binding.image, NULL, 0);
	if (s->count)
		map_release(&s->ids);
	mem_free(s->addresses);
	*s = (struct node_seen){ .has_probe = false };
}
