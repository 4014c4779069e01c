/*
 * Value change dump (IEEE 1364-2005, 18.2): each lane's depth, each value and each state is a
 * variable of 64 bits, a value with a point a real one, each mark an event, at nanoseconds of the
 * node's clock; each function and handler whose calls are logged is a wire: 1 from its entry to its
 * end, whatever interrupts it. Of lost frames on until the next event, a lane's depth is x: not
 * known, and so are the wires that were 1.
 */
#include "core/export/trace/traced.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/base/err.h"
#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/image/traced.h"

enum { WIRE_DEPTH = 128 };		/* calls on a lane; deeper ones are no wires */

struct vcd {
	struct out *out;
	struct map variables;		/* kind and id -> number of the variable */
	uint32_t count;
	uint64_t now;			/* ns, as written */
	bool begun;
	uint32_t open[TRACE_LANES][WIRE_DEPTH];	/* logged calls by their depth; 0: another */
};

/* Identifier codes are of printable characters: base 94. */
static void code_write(struct out *out, uint32_t variable)
{
	do {
		out_addc(out, (char)('!' + variable % 94));
		variable /= 94;
	} while (variable);
}

static void variable_write(struct vcd *v, const char *type, uint32_t variable, const char *name)
{
	out_addf(v->out, "$var %s ", type);
	code_write(v->out, variable);
	out_addf(v->out, " %s $end\n", name);
}

/* Of letters, digits and underscores; with its number where others may become the same. */
static void variable_name(char *dst, size_t size, const struct traced_source *s,
			  const struct trace_event *e)
{
	const char *name = trace_note_name(s->trace, e->id);
	bool plain = true;
	size_t n = 0;

	if (!name)
		name = traced_mark(s->image ? image_traced_all(s->image) : NULL, e->id);

	for (; name && name[n] && n + 16 < size; n++) {
		char low = name[n] | 0x20;
		bool fits = (low >= 'a' && low <= 'z') || name[n] == '_' ||
			    (name[n] >= '0' && name[n] <= '9');

		dst[n] = fits ? name[n] : '_';
		plain &= fits;
	}
	dst[n] = '\0';
	if (!name)
		snprintf(dst, size, "%s_%" PRIu32, e->kind == TRACE_VALUE ? "value" :
			 e->kind == TRACE_STATE ? "state" : "mark", e->id);
	else if (!plain || name[n])
		snprintf(dst + n, size - n, "_%" PRIu32, e->id);
}

static bool call_has_level(const struct traced_source *s, const struct trace_event *e)
{
	return (e->kind == TRACE_CALL || e->kind == TRACE_HELD) && s->terms.wants &&
	       s->terms.wants(s->terms.ctx, e->id);
}

/* "net_send", "irq_15_tick_handler", "irq_21". */
static void level_name(char *dst, size_t size, const struct traced_source *s,
		      const struct trace_event *e)
{
	bool irq = e->lane == TRACE_LANE_HANDLERS && traced_is_handler(s, e->id, e->depth);
	char exception[TRACED_NAME], made[TRACED_NAME];
	int number = irq ? traced_vector(s, e->id, exception) : -1, n;

	if (number >= 0)
		n = snprintf(dst, size, "irq_%d_%s", number, traced_name(s, e->id, made));
	else
		n = snprintf(dst, size, "%s%s", irq ? "irq_" : "", traced_name(s, e->id, made));
	for (char *c = dst; *c; c++) {
		char low = *c | 0x20;

		if ((low < 'a' || low > 'z') && (*c < '0' || *c > '9'))
			*c = '_';
	}
	if (n >= (int)size)
		snprintf(dst + size - 12, 12, "_%" PRIu32, e->id);
}

static bool level_add(struct vcd *v, const struct traced_source *s, const struct trace_event *e)
{
	uint64_t key = (uint64_t)TRACE_CALL << 32 | e->id;
	char name[64];

	if (map_get(&v->variables, key) != MAP_NONE)
		return true;
	if (map_put(&v->variables, key, v->count) < 0)
		return false;
	level_name(name, sizeof(name), s, e);
	variable_write(v, "wire 1", v->count++, name);
	return true;
}

static bool variable_add(struct vcd *v, const struct traced_source *s, const struct trace_event *e)
{
	uint64_t key = (uint64_t)e->kind << 32 | e->id;
	char name[64];

	if (call_has_level(s, e))
		return level_add(v, s, e);
	if ((e->kind != TRACE_VALUE && e->kind != TRACE_STATE && e->kind != TRACE_MARK) ||
	    map_get(&v->variables, key) != MAP_NONE)
		return true;
	if (map_put(&v->variables, key, v->count) < 0)
		return false;
	variable_name(name, sizeof(name), s, e);
	variable_write(v, e->kind == TRACE_MARK ? "event 1" :
		       trace_note_is_real(s->trace, e->id) ? "real 64" : "integer 64", v->count++,
		       name);
	return true;
}

static void time_write(struct vcd *v, uint64_t ns)
{
	if (v->begun && ns <= v->now)
		return;
	out_addf(v->out, "#%" PRIu64 "\n", ns);
	v->now = ns;
	v->begun = true;
}

static void number_write(struct vcd *v, uint32_t variable, uint64_t n)
{
	unsigned bit = 63;

	out_addc(v->out, 'b');
	while (bit && !(n >> bit & 1))
		bit--;
	for (unsigned i = bit + 1; i-- > 0;)
		out_addc(v->out, n >> i & 1 ? '1' : '0');
	out_addc(v->out, ' ');
	code_write(v->out, variable);
	out_addc(v->out, '\n');
}

static void note_write(struct vcd *v, const struct traced_source *s, const struct trace_event *e)
{
	uint32_t variable = map_get(&v->variables, (uint64_t)e->kind << 32 | e->id);

	if (e->kind != TRACE_MARK && !trace_note_is_real(s->trace, e->id)) {
		number_write(v, variable, (uint64_t)e->value);
		return;
	}
	if (e->kind == TRACE_MARK)
		out_addc(v->out, '1');
	else
		out_addf(v->out, "r%.16g ", trace_note_number(s->trace, e->id, e->value));
	code_write(v->out, variable);
	out_addc(v->out, '\n');
}

static void level_write(struct vcd *v, uint32_t id, char level)
{
	uint32_t variable = map_get(&v->variables, (uint64_t)TRACE_CALL << 32 | id);

	if (variable == MAP_NONE)
		return;
	out_addc(v->out, level);
	code_write(v->out, variable);
	out_addc(v->out, '\n');
}

static bool level_is_open(const uint32_t *open, uint32_t depth, uint32_t id)
{
	while (depth--)
		if (open[depth] == id)
			return true;
	return false;
}

static void level_call(struct vcd *v, const struct traced_source *s, const struct trace_event *e)
{
	if (e->depth >= WIRE_DEPTH)
		return;
	v->open[e->lane][e->depth] = call_has_level(s, e) ? e->id : 0;
	if (v->open[e->lane][e->depth])
		level_write(v, e->id, '1');
}

/* A function that called itself is open still. */
static void level_return(struct vcd *v, const struct trace_event *e)
{
	uint32_t *open = v->open[e->lane], id = e->depth < WIRE_DEPTH ? open[e->depth] : 0;

	if (!id)
		return;
	open[e->depth] = 0;
	if (!level_is_open(open, e->depth, id))
		level_write(v, id, '0');
}

static void levels_lose(struct vcd *v, unsigned lane)
{
	for (unsigned i = 0; i < WIRE_DEPTH; i++) {
		if (v->open[lane][i])
			level_write(v, v->open[lane][i], 'x');
		v->open[lane][i] = 0;
	}
}

static void wave_write(struct vcd *v, const struct traced_source *s, const struct trace_event *e)
{
	switch (e->kind) {
	case TRACE_CALL:
	case TRACE_HELD:
		number_write(v, e->lane, e->depth + 1);
		level_call(v, s, e);
		break;
	case TRACE_RETURN:
		number_write(v, e->lane, e->depth);
		level_return(v, e);
		break;
	case TRACE_LOST:
		out_adds(v->out, "bx ");
		code_write(v->out, e->lane);
		out_addc(v->out, '\n');
		levels_lose(v, e->lane);
		break;
	case TRACE_VALUE:
	case TRACE_STATE:
	case TRACE_MARK:
		note_write(v, s, e);
		break;
	default:
		break;
	}
}

/* The variables come first: the events are gone through once for them. */
static int header_write(struct vcd *v, const struct traced_source *s)
{
	struct trace_merge *m = trace_merge_new(s->trace);
	struct trace_event e;
	bool ok = m != NULL;

	if (traced_times(s))
		out_addf(v->out, "$comment %s $end\n", traced_times(s));
	out_adds(v->out, "$timescale 1 ns $end\n$scope module node $end\n");
	for (v->count = 0; v->count < TRACE_LANES; v->count++) {
		struct trace_stats stats;
		char name[TRACED_NAME];

		trace_lane_stats(s->trace, v->count, &stats);
		if (!stats.frames)
			continue;
		snprintf(name, sizeof(name), v->count == TRACE_LANE_MAIN ? "main_depth" :
			 v->count == TRACE_LANE_HANDLERS ? "handlers_depth" : "task%u_depth",
			 (unsigned)v->count - 1);
		variable_write(v, "integer 64", v->count, name);
	}
	while (ok && trace_merge_next(m, &e))
		ok = variable_add(v, s, &e);
	out_adds(v->out, "$upscope $end\n$enddefinitions $end\n");
	trace_merge_free(m);
	return ok ? 0 : ERR_NOMEM;
}

int traced_vcd(const struct traced_source *s, struct out *out)
{
	struct vcd v = { .out = out };
	struct trace_merge *m = NULL;
	struct trace_event e;
	int ret;

	map_init(&v.variables);
	ret = header_write(&v, s);
	if (ret == 0 && !(m = trace_merge_new(s->trace)))
		ret = ERR_NOMEM;
	while (ret == 0 && trace_merge_next(m, &e) && !out_failed(out)) {
		time_write(&v, (uint64_t)(traced_seconds(s, e.ticks) * 1e9));
		wave_write(&v, s, &e);
	}
	trace_merge_free(m);
	map_release(&v.variables);
	return ret;
}
