/*
 * seen: what is seen of a node from outside, by a simulator, a debugger or a trace port: its calls,
 * values and states become the call trace; and how the probe fares.
 */
#include "core/node/parts.h"

#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/profile/raw/feed.h"

#define PAUSE_NS CLOCK_SECOND		/* without a sample: none were taken */
#define RATED_NS (CLOCK_SECOND / 4)

/* One that no image names and that is a number to the processor; by both of its ids. */
static void names_give(struct node *n, uint32_t address, uint32_t id)
{
	struct wire_naming naming = { .note = id };
	struct trace *t = calls_trace(n);
	char name[24];

	if (!t || !vectors_place_name(address, name, sizeof(name)))
		return;
	naming.name = name;
	trace_name(t, &naming);
	naming.note++;
	trace_name(t, &naming);
}

/* The id of the function at an address: always the same, whatever names it. 0: no memory. */
static uint32_t told_id(struct node *n, uint32_t address, bool handler)
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
		return IMAGE_TOLD + 2 * at + handler;
	if (mem_grow(&s->addresses, &s->cap, s->count + 1, sizeof(*s->addresses)) < 0 ||
	    map_put(&s->ids, entry, (uint32_t)s->count) < 0)
		return 0;
	s->addresses[s->count] = entry;
	names_give(n, entry, IMAGE_TOLD + 2 * (uint32_t)s->count);
	return IMAGE_TOLD + 2 * (uint32_t)s->count++ + handler;
}

uint32_t seen_address(const struct node *n, uint32_t id, uint32_t otherwise)
{
	const struct node_seen *s = &n->seen;

	uint32_t at = (id - IMAGE_TOLD) / 2;

	return id >= IMAGE_TOLD && at < s->count ? s->addresses[at] : otherwise;
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

void seen_setup(struct node *n, const struct wire_seeing *seeing)
{
	struct trace *t = calls_trace(n);

	n->seen.told = true;
	n->seen.some = seeing->some;
	n->seen.counted = seeing->counted || n->across.axis.seeing.counted;
	if (t) {
		trace_setup_told(t, seeing->ticks_per_second);
		trace_order_only(t, seeing->ordered);
	}
	if (t && !n->talk.has_hello)
		clock_take(n, trace_ticks_per_second(t));
}

bool node_tells_some(const struct node *n)
{
	return n->seen.some;
}

static void on_seeing(void *ctx, const struct wire_seeing *seeing)
{
	struct node *n = input_batch(ctx);

	if (axis_seeing(ctx, seeing))
		return;
	stretches_yield(n);
	seen_setup(n, seeing);
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

	log_event(n, e);
	if (e->kind == EVENT_CALL)
		told.id = told_id(n, e->address, e->handler);
	else if (e->kind == EVENT_MARK)
		told.id = log_note(n, e);
	if (e->kind != EVENT_CALL && e->address)
		told.by = told_id(n, e->address, false);
	if (trace_tell(t, &told) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: the call trace has gaps");
}

void seen_events(struct node *n, const struct wire_event *events, size_t count)
{
	struct trace *t = calls_trace(n);

	if (!t || !n->seen.told)
		return;
	for (size_t i = 0; i < count; i++)
		event_tell(n, t, &events[i]);
	seen_image(n);
	calls_advance(n);
}

static void on_events(void *ctx, const struct wire_event *events, size_t count)
{
	struct node *n = input_batch(ctx);

	if (!axis_events(ctx, events, count))
		seen_events(n, events, count);
}

void seen_name(struct node *n, const struct wire_naming *naming)
{
	struct trace *t = calls_trace(n);

	if (t)
		trace_name(t, naming);
}

static void on_naming(void *ctx, const struct wire_naming *naming)
{
	seen_name(input_batch(ctx), naming);
}

static void on_asleep(void *ctx, size_t count)
{
	struct node *n = input_batch(ctx);

	profile_add_asleep(node_stream_profile(n), count);
	n->seen.sampling.asleep += count;
	seen_samples(n, count);
	stretches_take(n, NULL, count);
	energy_pcs(ctx, NULL, count);
	n->changes |= NODE_DATA;
}

/* --- the probe -------------------------------------------------------------------------------- */

static void on_probe(void *ctx, const struct wire_probe *probe)
{
	struct node *n = input_batch(ctx);
	struct node_seen *s = &n->seen;

	if (across_is(ctx))
		return;			/* it brings no PCs */
	s->probe = *probe;
	snprintf(s->core, sizeof(s->core), "%s", probe->core ? probe->core : "");
	s->probe.core = s->core;
	s->has_probe = true;
	n->changes |= NODE_STATE;
}

/* By a trace port's own time stamps, else by the arrivals. False: nothing is to be known. */
static bool sampling_time(struct node *n, uint64_t *ns, uint64_t *ticks)
{
	double hz = n->seen.ported.hz;

	*ns = n->now_ns;
	*ticks = 0;
	if (n->seen.has_probe || strcmp(node_format(n), "itm") != 0)
		return n->seen.has_probe;
	if (exceptions_time(n->inputs, ticks)) {
		*ns = hz > 0 ? 1 + (uint64_t)((double)*ticks / hz * (double)CLOCK_SECOND) : 0;
		return hz > 0;
	}
	return true;
}

/* How many came in the last second of samples, and the share of them that met it asleep. */
static void sampling_second(struct node_sampling *s)
{
	uint64_t took = s->taken_ns - s->then_ns, count = s->count - s->then_count;

	if (took < CLOCK_SECOND || !count)
		return;
	s->now_hz = (double)count * (double)CLOCK_SECOND / (double)took;
	s->now_asleep = (double)(s->asleep - s->then_asleep) / (double)count;
	s->then_ns = s->taken_ns;
	s->then_count = s->count;
	s->then_asleep = s->asleep;
}

/*
 * A probe takes as many samples as the way to it allows: what one stands for is the time in which
 * they were taken, by their number. Pauses in which none came are no such time.
 */
void seen_samples(struct node *n, size_t count)
{
	struct node_sampling *s = &n->seen.sampling;
	uint64_t ns, ticks, since;
	bool known = sampling_time(n, &ns, &ticks);

	s->came_ns = n->now_ns;
	if (ticks)
		period_take(&n->seen.stamped, ticks, count);
	if (!known)
		return;
	since = ns - s->last_ns;
	if (s->last_ns && ns > s->last_ns && since < PAUSE_NS) {
		s->taken_ns += since;
		s->count += count;
	} else if (s->last_ns && ns <= s->last_ns) {
		s->count += count;		/* of one arrival */
	}
	if (ns > s->last_ns)
		s->last_ns = ns;
	sampling_second(s);
	period_give(n);
	if (s->taken_ns < RATED_NS)
		return;
	s->rate = (double)s->count * (double)CLOCK_SECOND / (double)s->taken_ns;
	profile_take_rate(node_stream_profile(n), s->rate);
	if (n->seen.has_probe && !link_is_live(n->inputs[0].link))
		n->seen.probe.reached_hz = s->rate;
}

/* The fact, and what to do about it. */
bool seen_warning(const struct node *n, char *dst, size_t size)
{
	static const char *const sentences[] = {	/* of 80 columns: no cure is cut */
		[PROBE_NO_ANSWER] = "the debug server answers nothing of use: see its own "
				    "messages",
		[PROBE_NO_CORE] = "no Cortex-M answers: without its DWT no PCs are sampled",
		[PROBE_TRACE_OFF] = "DEMCR.TRCENA does not stay set: power-cycle the board, or "
				    "unlock debugging",
		[PROBE_NO_PCSR] = "this core has no PC sample register: use swo:, or gdb: with "
				  "?stop=100",
		[PROBE_HALTED] = "the processor is halted: resume it in the debugger (OpenOCD: "
				 "resume)",
		[PROBE_NOT_PERMITTED] = "the processor runs and gives no PC: not permitted; unlock "
					"its debug port",
		[PROBE_MUST_STOP] = "this server gives no PC without a halt: add ?stop=100 to "
				    "allow 100/s",
	};
	const struct wire_probe *p = node_probe(n);

	if (swo_warning(n, dst, size) || across_warning(n, dst, size))
		return true;
	if (!p || p->trouble == PROBE_FINE || p->trouble >= sizeof(sentences) / sizeof(*sentences))
		return false;
	snprintf(dst, size, "%s", sentences[p->trouble]);
	return true;
}

bool node_probe_warning(const struct node *n, char *dst, size_t size)
{
	return seen_warning(n, dst, size);
}

bool node_allow_stops(struct node *n, double hz)
{
	bool taken = false;

	for (size_t i = 0; i < n->input_count; i++)
		taken |= wire_allow_stops(n->inputs[i].wire, hz);
	n->changes |= NODE_STATE;
	return taken;
}

const struct wire_probe *node_probe(const struct node *n)
{
	return n->seen.has_probe ? &n->seen.probe : NULL;
}

/* --- the stack -------------------------------------------------------------------------------- */

static void on_depths(void *ctx, const struct wire_depth *depths, size_t count)
{
	struct node *n = input_batch(ctx);

	if (profile_take_depths(node_stream_profile(n), depths, count) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: some stack depths are not kept");
	n->changes |= NODE_DATA;
}

static void on_spent(void *ctx, const struct wire_spent *spent, size_t count)
{
	struct node *n = input_batch(ctx);

	if (profile_take_spent(node_stream_profile(n), spent, count) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: some lines' times are not kept");
}

static void on_watermark(void *ctx, const struct wire_watermark *mark)
{
	struct node *n = input_batch(ctx);
	struct node_seen *s = &n->seen;
	size_t at = 0;

	while (at < s->mark_count && s->marks[at].stack != mark->stack)
		at++;
	if (at == NODE_WATERMARKS ||
	    mem_grow(&s->marks, &s->mark_cap, at + 1, sizeof(*s->marks)) < 0)
		return;
	s->mark_count += at == s->mark_count;
	s->marks[at] = *mark;
	n->changes |= NODE_STATE;
}

size_t node_watermarks(const struct node *n, const struct wire_watermark **marks)
{
	*marks = n->seen.marks;
	return n->seen.mark_count;
}

void seen_sink(struct wire_sink *sink)
{
	sink->depths = on_depths;
	sink->spent = on_spent;
	sink->watermark = on_watermark;
	sink->seeing = on_seeing;
	sink->events = on_events;
	sink->naming = on_naming;
	sink->probe = on_probe;
	sink->asleep = on_asleep;
}

void seen_forget(struct node *n)
{
	struct node_seen *s = &n->seen;

	if (n->binding.image)
		image_tell(n->binding.image, NULL, 0);
	if (s->count)
		map_release(&s->ids);
	mem_free(s->addresses);
	mem_free(s->marks);
	*s = (struct node_seen){ .has_probe = false, .swo = s->swo };
}
