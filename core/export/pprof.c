/*
 * pprof: a gzipped protobuf (google/pprof, proto/profile.proto), for `go tool pprof` and servers of
 * continuous profiling.
 *
 * A sample is a call path with what it took by itself: time, calls, samples, energy where it is
 * known; over all samples they add up to each function's own. Labels: the node, and the interrupt
 * handler or the task where a path begins. The message is written field by field, so that its size
 * takes no memory; strings have their numbers by what they name, without a table.
 */
#include "core/export/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/export/stacks.h"
#include "export/profile.pb-c.h"

/* The first strings of the table; behind them name and file of each function in turn. */
enum text_id {
	TEXT_EMPTY, TEXT_TIME, TEXT_NANOSECONDS, TEXT_CALLS, TEXT_COUNT, TEXT_SAMPLES, TEXT_ENERGY,
	TEXT_NANOJOULES, TEXT_KEY_NODE, TEXT_NODE, TEXT_ISR, TEXT_TASK, TEXT_IMAGE, TEXT_BUILD_ID,
	TEXT_COMMENT, TEXT_WINDOW, TEXT_NAMES,
};

enum { VALUES = 4, GZIP = 16 };

struct pprof {
	const struct export_source *s;
	const struct profile *p;
	struct stacks stacks;
	size_t values;			/* of a sample: 3, or 4 with energy */
	z_stream z;
	struct out *out;
	uint64_t way[STACKS_DEEP + 2];
	bool failed;			/* out of memory */
};

/* --- the gzip stream -------------------------------------------------------------------------- */

static void gzip_put(struct pprof *x, const uint8_t *data, size_t n, int flush)
{
	uint8_t packed[16384];
	int ret;

	x->z.next_in = (uint8_t *)(uintptr_t)data;
	x->z.avail_in = (unsigned)n;
	do {
		x->z.next_out = packed;
		x->z.avail_out = sizeof(packed);
		ret = deflate(&x->z, flush);
		out_bytes(x->out, packed, sizeof(packed) - x->z.avail_out);
	} while (ret == Z_OK && x->z.avail_out == 0);
}

/* A message of some fields: messages one behind the other are one with all their fields. */
static void part_put(struct pprof *x, const Pprof__Profile *part)
{
	uint8_t small[1024];
	size_t n = pprof__profile__get_packed_size(part);
	uint8_t *bytes = n <= sizeof(small) ? small : mem_alloc(n);

	if (bytes) {
		pprof__profile__pack(part, bytes);
		gzip_put(x, bytes, n, Z_NO_FLUSH);
	}
	x->failed |= !bytes;
	if (bytes != small)
		mem_free(bytes);
}

/* --- strings ---------------------------------------------------------------------------------- */

static void text_put(struct pprof *x, const char *text)
{
	char shown[4096], *one = shown;
	Pprof__Profile part = PPROF__PROFILE__INIT;

	text = text ? text : "";
	text_visible(shown, sizeof(shown), text, strlen(text));
	part.n_string_table = 1;
	part.string_table = &one;
	part_put(x, &part);
}

static void build_id_put(struct pprof *x)
{
	char hex[2 * 64 + 1] = "";

	for (size_t i = 0; i < x->s->build_id_size && i < 64; i++)
		snprintf(hex + 2 * i, 3, "%02x", x->s->build_id[i]);
	text_put(x, hex);
}

static void texts_put(struct pprof *x)
{
	static const char *const fixed[TEXT_NODE] = {
		"", "time", "nanoseconds", "calls", "count", "samples", "energy", "nanojoules",
		"node",
	};

	for (int i = 0; i < TEXT_NODE; i++)
		text_put(x, fixed[i]);
	text_put(x, x->s->node);
	text_put(x, "isr");
	text_put(x, "task");
	text_put(x, x->s->image ? text_basename(image_path(x->s->image)) : NULL);
	build_id_put(x);
	text_put(x, profile_estimated(x->p) ?
		    "wsntop: estimates, the profiler's own cost is subtracted" : "wsntop");
	text_put(x, x->s->window);
	for (size_t i = 0; i < x->p->function_count; i++) {
		const struct profile_function *f = &x->p->functions[i];

		text_put(x, f->name);
		text_put(x, f->path ? f->path : f->file);
	}
}

static int64_t name_id(uint32_t function)
{
	return TEXT_NAMES + 2 * (int64_t)function;
}

/* --- functions and their places --------------------------------------------------------------- */

static void function_put(struct pprof *x, uint32_t index)
{
	const struct profile_function *f = &x->p->functions[index];
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Function function = PPROF__FUNCTION__INIT, *functions = &function;
	Pprof__Location place = PPROF__LOCATION__INIT, *places = &place;
	Pprof__Line line = PPROF__LINE__INIT, *lines = &line;

	function.id = place.id = line.function_id = index + 1;
	function.name = function.system_name = name_id(index);
	function.filename = name_id(index) + 1;
	function.start_line = line.line = f->line;
	place.mapping_id = 1;
	place.address = profile_has_address(f) ? f->address : 0;
	place.n_line = 1;
	place.line = &lines;
	part.n_function = part.n_location = 1;
	part.function = &functions;
	part.location = &places;
	part_put(x, &part);
}

static void mapping_put(struct pprof *x)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Mapping mapping = PPROF__MAPPING__INIT, *mappings = &mapping;

	mapping.id = 1;
	mapping.memory_limit = UINT32_MAX;
	mapping.filename = TEXT_IMAGE;
	mapping.build_id = TEXT_BUILD_ID;
	mapping.has_functions = mapping.has_filenames = mapping.has_line_numbers = true;
	part.n_mapping = 1;
	part.mapping = &mappings;
	part_put(x, &part);
}

/* --- samples ---------------------------------------------------------------------------------- */

static uint32_t root_of(const struct stacks *s, uint32_t frame)
{
	while (s->frames[frame].parent != PROFILE_NONE)
		frame = s->frames[frame].parent;
	return frame;
}

static int64_t frame_energy(const struct pprof *x, const struct stack_frame *f)
{
	const struct profile_function *fn = &x->p->functions[f->function];

	if (!fn->energy.known || !(fn->self_s > 0) || !f->ns)
		return 0;
	return llround(fn->energy.energy_j * 1e9 * ((double)f->ns / (fn->self_s * 1e9)));
}

static void sample_put(struct pprof *x, uint32_t index)
{
	const struct stack_frame *f = &x->stacks.frames[index];
	const struct profile_function *root =
		&x->p->functions[x->stacks.frames[root_of(&x->stacks, index)].function];
	int64_t values[VALUES] = {
		(int64_t)f->ns, (int64_t)f->calls, (int64_t)f->samples, frame_energy(x, f),
	};
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Sample sample = PPROF__SAMPLE__INIT, *samples = &sample;
	Pprof__Label node = PPROF__LABEL__INIT, context = PPROF__LABEL__INIT;
	Pprof__Label *labels[] = { &node, &context };
	size_t depth = 0;

	for (uint32_t at = index; at != PROFILE_NONE && depth < STACKS_DEEP + 2;
	     at = x->stacks.frames[at].parent)
		x->way[depth++] = x->stacks.frames[at].function + 1;
	node.key = TEXT_KEY_NODE;
	node.str = TEXT_NODE;
	context.key = root->flags & ROW_HANDLER ? TEXT_ISR : TEXT_TASK;
	context.str = name_id((uint32_t)(root - x->p->functions));
	sample.n_location_id = depth;
	sample.location_id = x->way;
	sample.n_value = x->values;
	sample.value = values;
	sample.n_label = f->shared && !f->depth ? 1 : 2;	/* a rest begins in no task */
	sample.label = labels;
	part.n_sample = 1;
	part.sample = &samples;
	part_put(x, &part);
}

/* --- the profile ------------------------------------------------------------------------------ */

static void head_put(struct pprof *x)
{
	static const int64_t kinds[VALUES][2] = {
		{ TEXT_TIME, TEXT_NANOSECONDS }, { TEXT_CALLS, TEXT_COUNT },
		{ TEXT_SAMPLES, TEXT_COUNT }, { TEXT_ENERGY, TEXT_NANOJOULES },
	};
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__ValueType types[VALUES], *list[VALUES], period = PPROF__VALUE_TYPE__INIT;
	int64_t comments[] = { TEXT_COMMENT, TEXT_WINDOW };
	double hz = export_has_samples(x->p) ? x->p->terms.hz : 0, run = x->p->totals.run_s;

	for (size_t i = 0; i < x->values; i++) {
		types[i] = (Pprof__ValueType)PPROF__VALUE_TYPE__INIT;
		types[i].type = kinds[i][0];
		types[i].unit = kinds[i][1];
		list[i] = &types[i];
	}
	part.n_sample_type = x->values;
	part.sample_type = list;
	part.default_sample_type = x->stacks.times ? TEXT_TIME : TEXT_CALLS;
	period.type = TEXT_TIME;
	period.unit = TEXT_NANOSECONDS;
	part.period_type = &period;
	part.period = hz > 0 ? llround(1e9 / hz) : 1;
	part.duration_nanos = run > 0 && run < 1e9 ? llround(run * 1e9) : 0;
	part.n_comment = x->s->window ? 2 : 1;
	part.comment = comments;
	part_put(x, &part);
}

static void profile_put(struct pprof *x)
{
	head_put(x);
	mapping_put(x);
	texts_put(x);
	for (uint32_t i = 0; i < x->p->function_count && !out_failed(x->out); i++)
		function_put(x, i);
	for (uint32_t i = 0; i < x->stacks.count && !out_failed(x->out); i++) {
		const struct stack_frame *f = &x->stacks.frames[i];

		if (f->ns || f->calls || f->samples)
			sample_put(x, i);
	}
	gzip_put(x, NULL, 0, Z_FINISH);
}

static bool energy_is_known(const struct profile *p)
{
	for (size_t i = 0; i < p->function_count; i++)
		if (p->functions[i].energy.known)
			return true;
	return false;
}

int export_pprof(const struct export_source *s, struct out *out, struct err *err)
{
	struct pprof *x = mem_zalloc(sizeof(*x));
	int ret = x ? stacks_build(&x->stacks, s) : ERR_NOMEM;

	(void)err;
	if (ret == 0 && deflateInit2(&x->z, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + GZIP, 8,
				     Z_DEFAULT_STRATEGY) != Z_OK)
		ret = ERR_NOMEM;
	if (ret == 0) {
		x->s = s;
		x->p = s->profile;
		x->out = out;
		x->values = energy_is_known(s->profile) ? VALUES : VALUES - 1;
		profile_put(x);
		deflateEnd(&x->z);
		ret = x->failed ? ERR_NOMEM : 0;
	}
	if (x)
		stacks_release(&x->stacks);
	mem_free(x);
	return ret;
}
