/*
 * gprof/fast: the loop for a stream in step, which is nearly all of it. One instance for each
 * width, for bytes and digits, with an image and without, so that the compiler sees constants.
 *
 * A packet is certain once it is plausible and the next one is too: the last one found plausible is
 * always taken back and read again with its successor, or by gprof_parse when there is none.
 */
#include "core/wire/gprof/state.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

static bool is_marker(unsigned m)
{
	return m == 'A' || m == 'P';
}

/* An arc that is not in the table of those seen. */
static __attribute__((noinline)) bool arc_new(struct gprof *g, uint32_t from, uint32_t to,
					      unsigned next)
{
	const struct gprof_packet packet = { .kind = KIND_ARC, .a = from, .to = to };

	if (gprof_grade_arc(&g->lens, from, to) < GRADE_FAIR)
		return false;
	if (is_marker(next))
		gprof_learn(&g->known, &packet);
	return true;
}

static ALWAYS_INLINE bool pc_plausible(const struct gprof *g, const struct codemap *code,
				       uint32_t pc,
				       unsigned parity)
{
	bool right = code ? code_flags(code, pc) & CODE_TEXT : gprof_page_known(&g->known, pc);

	return (right && !(pc & parity)) || g->known.pc[gprof_pc_slot(pc)] == pc;
}

/* Room for one more event at the end; all before it are certain. */
static ALWAYS_INLINE void push_arc(struct gprof *g, uint32_t from, uint32_t to)
{
	g->arcs[g->num_arcs] = (struct wire_arc){ .from = from, .to = to };
	if (g->num_arcs == GPROF_BATCH) {
		gprof_emit_arcs(g, GPROF_BATCH);
		g->arcs[0] = g->arcs[GPROF_BATCH];
		g->num_arcs = 0;
	}
	g->num_arcs++;
}

static ALWAYS_INLINE void push_pc(struct gprof *g, uint32_t pc)
{
	g->pcs[g->num_pcs] = pc;
	if (g->num_pcs == GPROF_BATCH) {
		gprof_emit_pcs(g, GPROF_BATCH);
		g->pcs[0] = g->pcs[GPROF_BATCH];
		g->num_pcs = 0;
	}
	g->num_pcs++;
}

static ALWAYS_INLINE size_t stream_run(struct gprof *g, const uint8_t *s, size_t n,
				       const unsigned width, const unsigned unit,
				       const bool has_code)
{
	const size_t arc_len = unit * (1 + 2 * width), pc_len = unit * (1 + width);
	const struct codemap *code = has_code ? g->lens.code : NULL;
	const uint32_t mask = gprof_address_mask(g->wire.code);
	const unsigned parity = gprof_parity(code);
	const uint32_t high = gprof_high(code, width);
	size_t pos = 0, last = 0;
	unsigned last_kind = KIND_NONE;

	while (n - pos >= arc_len + unit) {
		const uint8_t *at = s + pos;
		unsigned marker = gprof_marker(at, unit), bad = 0;
		uint32_t a = gprof_address(at + unit, width, unit, &bad) | high;

		if (marker == 'A') {
			uint32_t to = gprof_address(at + unit + unit * width, width, unit,
						    &bad) | high;
			uint64_t key = gprof_arc_key(a, to);

			if (bad > 15 || (g->known.arc[gprof_arc_slot(key)] != key &&
					 !arc_new(g, a, to, gprof_marker(at + arc_len, unit))))
				break;
			push_arc(g, a & mask, to & mask);
			last = pos;
			last_kind = KIND_ARC;
			pos += arc_len;
		} else if (marker == 'P') {
			if (bad > 15 || !pc_plausible(g, code, a, parity))
				break;
			if (is_marker(gprof_marker(at + pc_len, unit)))
				gprof_pc_learn(&g->known, a);
			push_pc(g, a & mask);
			last = pos;
			last_kind = KIND_PC;
			pos += pc_len;
		} else {
			break;
		}
	}
	g->num_arcs -= last_kind == KIND_ARC;
	g->num_pcs -= last_kind == KIND_PC;
	return last;
}

#define INSTANCE(width, unit, code) \
	static size_t run_##width##_##unit##_##code(struct gprof *g, const uint8_t *s, size_t n) \
	{ \
		return stream_run(g, s, n, width, unit, code); \
	}

INSTANCE(2, 1, 0) INSTANCE(3, 1, 0) INSTANCE(4, 1, 0)
INSTANCE(2, 1, 1) INSTANCE(3, 1, 1) INSTANCE(4, 1, 1)
INSTANCE(2, 2, 0) INSTANCE(3, 2, 0) INSTANCE(4, 2, 0)
INSTANCE(2, 2, 1) INSTANCE(3, 2, 1) INSTANCE(4, 2, 1)

static size_t (*const runs[2][2][3])(struct gprof *, const uint8_t *, size_t) = {
	{ { run_2_1_0, run_3_1_0, run_4_1_0 }, { run_2_1_1, run_3_1_1, run_4_1_1 } },
	{ { run_2_2_0, run_3_2_0, run_4_2_0 }, { run_2_2_1, run_3_2_1, run_4_2_1 } },
};

size_t gprof_fast(struct gprof *g, const uint8_t *s, size_t n)
{
	const struct gprof_lens *l = &g->lens;
	size_t done = runs[l->unit - 1][l->code != NULL][l->width - GPROF_WIDTH_MIN](g, s, n);

	if (done > 0)
		g->astray = 0;
	return done;
}
