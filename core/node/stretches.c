/*
 * stretches: PC samples on the time line: where some in a row fell in one function. They are no
 * calls: a function that is called again and again looks the same as one that goes on (docs/DESIGN,
 * "Single calls are not told").
 *
 * A trace port's time stamps date them, else their arrivals, from the first one on; where a decoder
 * tells events with a clock of its own, they are left out.
 */
#include "core/node/parts.h"

#include "core/base/clock.h"

#define STRETCH_HZ 1e6
#define STRETCH_TICK_NS 1000

enum { STRETCH_LEAST = 3 };		/* samples */
enum { STRETCH_OTHER = 0, STRETCH_ASLEEP = 1 };	/* states; others are functions' addresses */

static void stretch_name(struct node *n, struct trace *t, uint32_t function)
{
	const struct image *im = n->binding.image;
	uint32_t id = function > STRETCH_ASLEEP && im ? image_find(im, function) : IMAGE_NONE;
	struct wire_naming naming = {
		.note = TRACE_SAMPLES, .of_state = true, .state = function,
		.name = function == STRETCH_OTHER ? "other" : function == STRETCH_ASLEEP ?
			"asleep" : id != IMAGE_NONE ? image_function(im, id)->name : "?",
	};

	trace_name(t, &naming);
	naming.of_state = false;
	naming.name = "samples";
	trace_name(t, &naming);
}

static void stretch_tell(struct node *n, uint32_t function, uint64_t ticks)
{
	struct trace_told told = { .kind = TRACE_STATE, .id = TRACE_SAMPLES, .value = function,
				   .ticks = ticks };
	struct trace *t = calls_trace(n);

	if (!t)
		return;
	if (n->seen.stretch.own && !trace_is_told(t))
		trace_setup_told(t, STRETCH_HZ);
	stretch_name(n, t, function);
	if (trace_tell(t, &told) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: the time line has gaps");
	calls_advance(n);
}

/* False: they are not told of. */
static bool stretch_time(struct node *n, uint64_t *ticks)
{
	struct node_stretch *s = &n->seen.stretch;

	if (n->options.batch)
		return false;
	if (n->seen.has_probe && !n->seen.told) {
		s->since_ns = s->own ? s->since_ns : n->now_ns;
		s->own = true;
		*ticks = n->now_ns > s->since_ns ? (n->now_ns - s->since_ns) / STRETCH_TICK_NS : 0;
		return true;
	}
	if (n->seen.has_probe || !exceptions_time(n->inputs, ticks) || !(n->seen.ported.hz > 0))
		return false;
	exceptions_clock(n);
	return true;
}

static void stretch_sample(struct node *n, uint32_t function, uint64_t ticks)
{
	struct node_stretch *s = &n->seen.stretch;

	if (function != s->function || function == STRETCH_OTHER) {
		if (s->shown)
			stretch_tell(n, STRETCH_OTHER, ticks);
		*s = (struct node_stretch){ .own = s->own, .since_ns = s->since_ns,
					    .function = function, .begin = ticks };
	}
	if (++s->count == STRETCH_LEAST && function != STRETCH_OTHER) {
		stretch_tell(n, function, s->begin);
		s->shown = true;
	}
}

void stretches_take(struct node *n, const uint32_t *pcs, size_t count)
{
	const struct image *im = n->binding.image;
	uint64_t ticks;

	if (!im || !stretch_time(n, &ticks))
		return;
	modelled_pcs(n, pcs, count, ticks);
	for (size_t i = 0; i < count; i++) {
		uint32_t id = pcs ? image_find(im, pcs[i]) : IMAGE_NONE;

		stretch_sample(n, !pcs ? STRETCH_ASLEEP : id == IMAGE_NONE ? STRETCH_OTHER :
			       (uint32_t)image_function(im, id)->address, ticks);
	}
}

void stretches_yield(struct node *n)
{
	if (n->seen.stretch.own)
		stretches_yield_all(n);
	n->seen.stretch = (struct node_stretch){ .own = false };
}

void stretches_yield_all(struct node *n)
{
	calls_forget(n);
	log_names(n);
	n->seen.yielded++;
}
