/*
 * trace/flow: encoding 6 (docs/PROTOCOL.md, 9): bits choose the way through the programs that the
 * ELF has of its functions; calls and returns are what is on that way.
 *
 * What needs no bit is told once a later bit has come: the node was there.
 */
#include "core/trace/state.h"

#include "core/base/mem.h"
#include "core/image/traced_flow.h"

enum {
	ID_BITS = 7, SWITCH_BITS = 8,
	NEED_MORE = 0, BAD = UINT8_MAX,
	STEPS_MAX = 1 << 16,		/* without a bit: an ELF that means no good */
};

enum step { STEP_ON, STEP_BITS, STEP_FAILED };

static const struct traced_op *op_now(const struct lane *l)
{
	return &l->traced->ops[l->ways[l->way_count - 1].op];
}

static bool event_put(const struct feed *f, enum token_kind kind, uint32_t id)
{
	struct lane *l = f->lane;

	return store_reserve(&l->store, 2, l->stamp) == 0 &&
	       lane_token(f, &(struct token){ .kind = kind, .id = id });
}

/* A leaf is told whole. `instead`: its caller has nothing left to do. */
static bool call_enter(const struct feed *f, uint32_t id, bool instead)
{
	struct lane *l = f->lane;
	uint32_t first = traced_program(l->traced, id);

	if (first == TRACED_NO_PROGRAM)
		return false;
	if (traced_is_leaf(l->traced, id))
		return event_put(f, TOKEN_LEAF, id);
	l->way_count -= instead;
	if (l->way_count == TRACE_DEPTH || !event_put(f, TOKEN_OPEN, id))
		return false;
	l->ways[l->way_count++] = (struct way){ .op = first };
	return true;
}

/* What follows without a bit. */
static enum step way_step(const struct feed *f)
{
	struct lane *l = f->lane;
	const struct traced_op *op;
	struct way *w;

	if (!l->way_count)
		return STEP_BITS;
	w = &l->ways[l->way_count - 1];
	if (w->op == WAY_UNKNOWN) {
		l->waits = true;
		return STEP_FAILED;
	}
	op = op_now(l);
	switch ((enum traced_op_kind)op->kind) {
	case TRACED_OP_CALL:
		if (!op->id)
			return STEP_BITS;
		w->op++;
		return call_enter(f, op->id, w->closed && op_now(l)->kind == TRACED_OP_END) ?
		       STEP_ON : STEP_FAILED;
	case TRACED_OP_JUMP:
		w->op = op->to;
		return STEP_ON;
	case TRACED_OP_CLOSE:
		w->closed = true;
		w->op++;
		return event_put(f, TOKEN_CLOSE, 0) ? STEP_ON : STEP_FAILED;
	case TRACED_OP_END:
		l->way_count--;
		return STEP_ON;
	case TRACED_OP_OUT:
	case TRACED_OP_BRANCH:
	case TRACED_OP_SWITCH:
	case TRACED_OP_TICK:
		return STEP_BITS;
	case TRACED_OP_FUNCTION:
	case TRACED_OP_STOP:
	case TRACED_OP_KINDS:
		break;
	}
	return STEP_FAILED;
}

/* Up to where a bit is needed. */
static bool way_run(const struct feed *f)
{
	enum step step = STEP_ON;

	for (unsigned n = 0; n < STEPS_MAX && step == STEP_ON; n++)
		step = way_step(f);
	return step == STEP_BITS;
}

static unsigned id_take(const struct feed *f, uint32_t bits, unsigned count, unsigned before)
{
	if (count < before + ID_BITS)
		return NEED_MORE;
	return call_enter(f, bits >> before & ((1u << ID_BITS) - 1), false) ? before + ID_BITS :
									      BAD;
}

static unsigned case_take(struct way *w, const struct traced_op *op, uint32_t bits, unsigned count)
{
	uint32_t at = (bits - op->id) & 0xff;

	if (count < SWITCH_BITS)
		return NEED_MORE;
	w->op += 1 + at;
	return at < op->to ? SWITCH_BITS : BAD;
}

/* They are of this ELF. */
static bool ways_hold(const struct lane *l)
{
	return l->traced && l->traced->ops && l->ways_of == l->traced->ops &&
	       l->ways_ops == l->traced->op_count;
}

unsigned flow_take(const struct feed *f, uint32_t bits, unsigned count)
{
	struct lane *l = f->lane;
	const struct traced_op *op;
	struct way *w;

	if (!ways_hold(l) || !way_run(f))
		return BAD;
	if (!l->way_count)
		return id_take(f, bits, count, 0);
	op = op_now(l);
	w = &l->ways[l->way_count - 1];
	switch ((enum traced_op_kind)op->kind) {
	case TRACED_OP_SWITCH:
		return case_take(w, op, bits, count);
	case TRACED_OP_BRANCH:
		w->op = (bits & 1) == op->arg ? op->to : w->op + 1;
		return 1;
	case TRACED_OP_TICK:
		w->op++;
		return 1;
	default:
		if (bits & 1)
			return id_take(f, bits, count, 1);
		w->op++;
		return 1;
	}
}

/* --- batches ---------------------------------------------------------------------------------- */

/* What is open are calls out, each in a function; between them may be calls that are not known. */
static bool places_join(struct lane *l, const struct wire_trace *frame)
{
	uint32_t ids[TRACE_DEPTH];
	struct wire_trace known = *frame;

	known.depth = 0;
	known.stack = ids;
	l->way_count = 0;
	l->ways_of = l->traced ? l->traced->ops : NULL;
	l->ways_ops = l->traced ? l->traced->op_count : 0;
	for (uint32_t i = 0; i < frame->depth; i++) {
		const struct traced_place *p =
			frame->stack[i] <= UINT32_MAX / 2 ?
			traced_place(l->traced, 2 * frame->stack[i]) : NULL;

		if (!p || known.depth > TRACE_DEPTH - 2) {
			l->way_count = 0;
			return false;
		}
		if (l->traced->flags[p->id] & TRACED_CALLED) {
			l->ways[l->way_count++] = (struct way){ .op = WAY_UNKNOWN };
			ids[known.depth++] = 0;
		}
		l->ways[l->way_count++] = (struct way){ .op = p->op };
		ids[known.depth++] = p->id;
	}
	return lane_loss(l, &known);
}

bool flow_join(const struct feed *f, const struct wire_trace *frame)
{
	struct lane *l = f->lane;
	bool next = ways_hold(l) && l->begun && !l->broken && !frame->resync &&
		    (uint8_t)(l->number + 1) == frame->number;

	if (!l->ways)
		l->ways = mem_alloc(TRACE_DEPTH * sizeof(*l->ways));
	if (!l->ways)
		return false;
	if (next && (frame->depth || (way_run(f) && !l->way_count)))
		return true;
	l->waits = frame->depth && !frame->stack;
	return !l->waits && places_join(l, frame);
}
