/* pprof's profile.proto (core/export/profile.proto), gzipped or not. */
#include "core/import/parts.h"

#include <string.h>
#include <zlib.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "export/profile.pb-c.h"

enum { GZIP_OR_ZLIB = 32, MEMORY_MOST = 1 << 30 };

/* --- unpacking -------------------------------------------------------------------------------- */

struct budget {
	size_t left;			/* a message of two bytes takes 80 */
};

static void *budget_alloc(void *ctx, size_t size)
{
	struct budget *b = ctx;

	if (size > b->left)
		return NULL;
	b->left -= size;
	return mem_alloc(size);
}

static void budget_free(void *ctx, void *p)
{
	(void)ctx;
	mem_free(p);
}

/* Of what it came from; NULL with the sentence. */
static uint8_t *bytes_inflate(const struct import_bytes *b, size_t *size, struct err *err)
{
	z_stream z = { .next_in = (uint8_t *)(uintptr_t)b->data, .avail_in = (unsigned)b->size };
	uint8_t *out = NULL;
	size_t cap = 0, n = 0;
	int ret = inflateInit2(&z, MAX_WBITS + GZIP_OR_ZLIB);

	while (ret == Z_OK && n < IMPORT_MAX) {
		if (mem_grow(&out, &cap, n + 65536, 1) < 0)
			break;
		z.next_out = out + n;
		z.avail_out = (unsigned)(cap - n < 1u << 30 ? cap - n : 1u << 30);
		ret = inflate(&z, Z_NO_FLUSH);
		n = (size_t)(z.next_out - out);
	}
	inflateEnd(&z);
	if (ret == Z_STREAM_END) {
		*size = n;
		return out;
	}
	mem_free(out);
	err_set(err, ERR_FORMAT, n >= IMPORT_MAX ? "pprof: more than 256 MB" :
		"pprof: the gzip data is damaged, or cut off");
	return NULL;
}

/* --- the profile ------------------------------------------------------------------------------ */

struct pprof {
	const Pprof__Profile *m;
	struct picture pic;
	struct map locations, functions;	/* by id: index in the message */
	uint32_t *drawn;			/* by function of the message: in the picture */
	int time, calls, samples, energy;	/* which value; negative: none */
	double scale;				/* of the time's value, to nanoseconds */
	bool sampled;				/* there is no time: samples are it */
	double hz;				/* as given; 0: not */
	uint32_t way[PICTURE_DEEP];
};

static const char *text_of(const Pprof__Profile *m, int64_t at)
{
	return at >= 0 && (uint64_t)at < m->n_string_table ? m->string_table[at] : "";
}

static const struct { const char *name; double ns; } units[] = {
	{ "nanoseconds", 1 }, { "ns", 1 }, { "microseconds", 1e3 }, { "us", 1e3 },
	{ "milliseconds", 1e6 }, { "ms", 1e6 }, { "seconds", 1e9 }, { "s", 1e9 },
};

/* The last value in a unit of time is it; counts are told by their names. */
static void types_read(struct pprof *x)
{
	x->time = x->calls = x->samples = x->energy = -1;
	for (size_t i = 0; i < x->m->n_sample_type; i++) {
		const char *type = text_of(x->m, x->m->sample_type[i]->type);
		const char *unit = text_of(x->m, x->m->sample_type[i]->unit);

		for (size_t k = 0; k < sizeof(units) / sizeof(units[0]); k++) {
			if (strcmp(unit, units[k].name))
				continue;
			x->time = (int)i;
			x->scale = units[k].ns;
		}
		if (!strcmp(type, "calls"))
			x->calls = (int)i;
		if (!strcmp(type, "samples"))
			x->samples = (int)i;
		if (!strcmp(type, "energy") && !strcmp(unit, "nanojoules"))
			x->energy = (int)i;
	}
}

static bool maps_fill(struct pprof *x)
{
	for (size_t i = 0; i < x->m->n_location; i++)
		if (map_put(&x->locations, x->m->location[i]->id, (uint32_t)i) < 0)
			return false;
	for (size_t i = 0; i < x->m->n_function; i++) {
		x->drawn[i] = PROFILE_NONE;
		if (map_put(&x->functions, x->m->function[i]->id, (uint32_t)i) < 0)
			return false;
	}
	return true;
}

/* PROFILE_NONE: there is none of that id. */
static uint32_t function_drawn(struct pprof *x, uint64_t id)
{
	uint32_t at = map_get(&x->functions, id);
	const Pprof__Function *f;
	const char *name, *file;

	if (at == MAP_NONE)
		return PROFILE_NONE;
	if (x->drawn[at] != PROFILE_NONE)
		return x->drawn[at];
	f = x->m->function[at];
	name = text_of(x->m, f->name);
	file = text_of(x->m, f->filename);
	x->drawn[at] = picture_function(&x->pic, name, strlen(name), file, strlen(file));
	if (x->drawn[at] != PROFILE_NONE && f->start_line > 0 && f->start_line < UINT32_MAX)
		x->pic.p->functions[x->drawn[at]].line = (uint32_t)f->start_line;
	return x->drawn[at];
}

static uint64_t value_of(const Pprof__Sample *s, int which, double scale)
{
	double v = which >= 0 && (size_t)which < s->n_value ? (double)s->value[which] * scale : 0;

	return v > 0 && v < 9e18 ? (uint64_t)v : 0;
}

/* Ours: the node; the handler, or the task, in which the path's outermost function begins. */
static void labels_take(struct pprof *x, const Pprof__Sample *s, uint32_t outermost)
{
	for (size_t i = 0; i < s->n_label; i++) {
		const char *key = text_of(x->m, s->label[i]->key);
		const char *value = text_of(x->m, s->label[i]->str);

		if (!strcmp(key, "isr") && outermost != PROFILE_NONE)
			picture_handler(&x->pic, outermost);
		if (!strcmp(key, "node") && strcmp(value, x->pic.p->name) != 0)
			picture_node(&x->pic, value, strlen(value));
	}
}

/* A place with several lines is code that was inlined, the innermost first. */
static void sample_take(struct pprof *x, const Pprof__Sample *s)
{
	struct picture_cost cost = {
		.ticks = value_of(s, x->time, x->scale), .calls = value_of(s, x->calls, 1),
		.samples = value_of(s, x->samples, 1),
		.energy_j = (double)value_of(s, x->energy, 1) / 1e9,
	};
	size_t depth = 0;

	if (x->sampled)
		cost.ticks = cost.samples;
	for (size_t i = 0; i < s->n_location_id; i++) {
		uint32_t at = map_get(&x->locations, s->location_id[i]);
		const Pprof__Location *l = at == MAP_NONE ? NULL : x->m->location[at];

		for (size_t k = 0; l && k < l->n_line && depth < PICTURE_DEEP; k++) {
			uint32_t f = function_drawn(x, l->line[k]->function_id);

			if (f != PROFILE_NONE)
				x->way[depth++] = f;
		}
	}
	picture_path(&x->pic, x->way, depth, &cost);
	labels_take(x, s, depth ? x->way[depth - 1] : PROFILE_NONE);
}

/* Samples a second: as given, else by the period between two. */
static double samples_hz(const struct pprof *x)
{
	const Pprof__ValueType *period = x->m->period_type;

	if (x->hz > 0)
		return x->hz;
	if (period && x->m->period > 0 && !strcmp(text_of(x->m, period->unit), "nanoseconds"))
		return 1e9 / (double)x->m->period;
	return 1000;
}

static int message_take(struct pprof *x, struct profile *p, struct err *err)
{
	int ret;

	types_read(x);
	if (x->time < 0 && x->calls < 0 && x->samples < 0)
		return err_set(err, ERR_FORMAT, "pprof: it has neither times nor counts that are "
			       "known");
	x->sampled = x->time < 0 && x->samples >= 0;
	picture_begin(&x->pic, p, x->sampled ? samples_hz(x) : 1e9, x->sampled);
	x->drawn = mem_alloc((x->m->n_function + 1) * sizeof(*x->drawn));
	if (!x->drawn || !maps_fill(x))
		x->pic.failed = true;
	for (size_t i = 0; i < x->m->n_sample && !x->pic.failed; i++)
		sample_take(x, x->m->sample[i]);
	ret = picture_finish(&x->pic, false);
	picture_release(&x->pic);
	mem_free(x->drawn);
	if (ret < 0)
		return err_set(err, ret, "out of memory");
	return p->function_count ? 0 : err_set(err, ERR_FORMAT, "pprof: it has no functions");
}

static int packed_read(struct profile *p, const uint8_t *data, size_t n, double hz,
		       struct err *err)
{
	struct budget left = { MEMORY_MOST };
	ProtobufCAllocator memory = { budget_alloc, budget_free, &left };
	Pprof__Profile *m = pprof__profile__unpack(&memory, n, data);
	struct pprof *x = mem_zalloc(sizeof(*x));
	int ret;

	if (!m)
		ret = err_set(err, ERR_FORMAT, "not a pprof profile, or too large a one");
	else if (!x)
		ret = err_set(err, ERR_NOMEM, "out of memory");
	else {
		map_init(&x->locations);
		map_init(&x->functions);
		x->m = m;
		x->hz = hz;
		ret = message_take(x, p, err);
		map_release(&x->locations);
		map_release(&x->functions);
	}
	mem_free(x);
	if (m)
		pprof__profile__free_unpacked(m, &memory);
	return ret;
}

int pprof_read(struct profile *p, const struct import_bytes *b, struct err *err)
{
	bool packed = b->size > 2 && b->data[0] == 0x1f && b->data[1] == 0x8b;
	size_t n = b->size;
	uint8_t *inflated = packed ? bytes_inflate(b, &n, err) : NULL;
	int ret = ERR_FORMAT;

	if (!packed || inflated)
		ret = packed_read(p, packed ? inflated : b->data, n, b->hz, err);
	mem_free(inflated);
	return ret;
}
