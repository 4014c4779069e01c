/*
 * GNU gprof's gmon.out (binutils, gprof/gmon_out.h), little-endian as every target here:
 *
 *	header	"gmon" version:u32=1 spare:12
 *	tag 0	low_pc:ptr high_pc:ptr bins:u32 rate:u32 dimension:char[15] letter:char bin:u16[]
 *	tag 1	from_pc:ptr self_pc:ptr count:u32
 *
 * ptr is 4 or 8 bytes, by the ELF's class: avr-gprof too reads 4, byte addresses, 2-byte bins.
 * gprof adds up records of one range, takes several ranges that do not overlap, and wants one bin
 * size.
 */
#include "core/export/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"

#define BIN_MAX 65535
#define PASSES_MAX 64		/* records of one range: what no 64 of them hold is scaled down */
#define RANGE_GAP 0x10000	/* code further apart (flash and RAM) gets its own range; */
#define RANGE_GAP_LARGE 0x1000	/* less far where these were more than RANGES_MOST bytes, */
#define RANGE_GAP_FULL 64	/* and where a range is written several times */
#define RANGES_MOST (1 << 20)
#define RATE_MAX 1e9		/* fits gprof's int */
#define SAMPLES_LEAST 1e5	/* made from times: rounds by 0.0005 % of the whole a function */
#define ARC_RECORDS_MAX 4096	/* of one arc: counts are 32 bits wide */

struct point {
	uint64_t address;		/* of a bin */
	uint64_t count;
};

struct histogram {
	const struct export_source *s;
	const bool *passing;		/* export_passing() */
	unsigned bin;			/* bytes */
	double rate;			/* a whole number once decided */
	struct point *points;
	size_t count, cap;
};

static unsigned pointer_bytes(const struct export_source *s)
{
	return s->image ? image_address_bits(s->image) / 8 : 4;
}

/* The gprof thesis' host counts per 4 bytes of code (4.4.4): so does an export of its stream. */
static bool source_is_gprof(const struct export_source *s)
{
	return s->format && strncmp(s->format, "gprof", 5) == 0;
}

static int point_by_address(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* --- the histogram's points ------------------------------------------------------------------- */

static int point_add(struct histogram *h, uint64_t address, uint64_t count)
{
	if (mem_grow(&h->points, &h->cap, h->count + 1, sizeof(*h->points)) < 0)
		return ERR_NOMEM;
	h->points[h->count++] = (struct point){ address & ~(uint64_t)(h->bin - 1), count };
	return 0;
}

/* Sort; points of one bin become one. */
static void points_merge(struct histogram *h)
{
	size_t kept = 0;

	if (h->count)
		qsort(h->points, h->count, sizeof(*h->points), point_by_address);
	for (size_t i = 0; i < h->count; i++) {
		if (kept && h->points[kept - 1].address == h->points[i].address)
			h->points[kept - 1].count += h->points[i].count;
		else
			h->points[kept++] = h->points[i];
	}
	h->count = kept;
}

static uint64_t points_most(const struct histogram *h)
{
	uint64_t most = 0;

	for (size_t i = 0; i < h->count; i++)
		if (h->points[i].count > most)
			most = h->points[i].count;
	return most;
}

/*
 * A rate that is no whole number is multiplied, and the counts with it, until it nearly is: 139.6/s
 * becomes 698/s with five counts a sample.
 */
static unsigned rate_multiple(double hz)
{
	unsigned k = 1;

	while (k < 1000 && fabs(k * hz - round(k * hz)) > 1e-6 * k * hz)
		k++;
	return k * hz < RATE_MAX ? k : 1;
}

static int points_from_samples(struct histogram *h)
{
	const struct profile *p = h->s->profile;
	double hz = p->terms.hz > 0 ? p->terms.hz : 1;
	unsigned k = rate_multiple(hz);
	uint64_t most;
	double most_allowed = (double)PASSES_MAX * BIN_MAX;

	for (size_t i = 0; i < p->pc_count; i++)
		if (export_passes(p->pcs[i].function, h->passing) &&
		    point_add(h, p->pcs[i].pc, p->pcs[i].count) < 0)
			return ERR_NOMEM;
	points_merge(h);
	most = points_most(h);
	h->rate = fmax(1, round(fmin(hz * k, RATE_MAX)));
	if ((double)most * k > most_allowed)
		h->rate = fmax(1, floor(hz * most_allowed / (double)most));
	for (size_t i = 0; i < h->count; i++) {
		double scaled = fmin(9e18, (double)h->points[i].count * h->rate / hz);

		h->points[i].count = (uint64_t)llround(scaled);
	}
	return 0;
}

/* --- the histogram made from times ------------------------------------------------------------ */

/*
 * Bins that are the function's alone: up to its first inner label, where gprof sees another
 * function. At least one.
 */
static uint64_t function_bins(const struct histogram *h, const struct profile_function *f)
{
	const struct image *im = h->s->image;
	uint64_t n = 1, size, start = f->address & ~(uint64_t)(h->bin - 1);

	if (!im || f->image_id == IMAGE_NONE)
		return 1;
	size = image_function(im, f->image_id)->size;
	while ((n + 1) * h->bin <= size && image_find(im, start + n * h->bin) == f->image_id &&
	       !image_label(im, start + n * h->bin))
		n++;
	return n;
}

/* Rows that stand for many functions have no bin. */
static double function_self(const struct histogram *h, uint32_t index)
{
	const struct profile_function *f = &h->s->profile->functions[index];

	if (!profile_has_address(f) || f->time == PROFILE_TIME_NONE ||
	    !export_passes(index, h->passing))
		return 0;
	return f->self_s > 0 ? f->self_s : 0;	/* false for NaN, too */
}

/*
 * The highest whole rate at which no bin saturates. Where that leaves fewer samples than
 * SAMPLES_LEAST (long times in a function of a few bytes) a higher one: records share the bin.
 */
static double rate_for_times(const struct histogram *h)
{
	const struct profile *p = h->s->profile;
	double rate = RATE_MAX, whole = 0;

	for (uint32_t i = 0; i < p->function_count; i++) {
		double self = function_self(h, i);

		if (self == 0)
			continue;
		whole += self;
		rate = fmin(rate, BIN_MAX * (double)function_bins(h, &p->functions[i]) / self);
	}
	if (rate * whole < SAMPLES_LEAST)
		rate = ceil(SAMPLES_LEAST / whole);
	return fmax(1, floor(fmin(rate, RATE_MAX)));
}

/* The node's own runtime is known by its samples: they stay at their addresses. */
static int points_of_runtime(struct histogram *h)
{
	const struct profile *p = h->s->profile;

	for (size_t i = 0; i < p->pc_count && p->terms.hz > 0; i++) {
		const struct profile_pc *pc = &p->pcs[i];
		double samples = fmin((double)pc->count * h->rate / p->terms.hz, 9e18);

		if (p->functions[pc->function].address == PROFILE_RUNTIME &&
		    export_passes(pc->function, h->passing) &&
		    point_add(h, pc->pc, (uint64_t)llround(samples)) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

static int points_from_times(struct histogram *h)
{
	const struct profile *p = h->s->profile;

	h->rate = rate_for_times(h);
	if (points_of_runtime(h) < 0)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < p->function_count; i++) {
		const struct profile_function *f = &p->functions[i];
		double samples = fmin(function_self(h, i) * h->rate, 9e18);
		uint64_t n = (uint64_t)llround(samples), bins;

		if (n == 0)
			continue;
		bins = function_bins(h, f);
		for (uint64_t b = 0; b < bins && n / bins + (b < n % bins); b++)
			if (point_add(h, f->address + b * h->bin, n / bins + (b < n % bins)) < 0)
				return ERR_NOMEM;
	}
	points_merge(h);
	return 0;
}

/* --- writing ---------------------------------------------------------------------------------- */

static void histogram_header(const struct histogram *h, uint64_t low, uint64_t high,
			     struct out *out)
{
	/* gprof prints it with the rate, and its first eight letters over the columns. */
	static const char seconds[16] = "seconds\0\0\0\0\0\0\0\0s";
	static const char estimated[16] = "seconds  (est.)s";
	bool estimate = profile_estimated(h->s->profile);
	unsigned ptr = pointer_bytes(h->s);

	out_addc(out, 0);
	out_le(out, low, ptr);
	out_le(out, high, ptr);
	out_le(out, (high - low) / h->bin, 4);
	out_le(out, (uint64_t)h->rate, 4);
	out_bytes(out, estimate ? estimated : seconds, sizeof(seconds));
}

/* One record of points[first..end): at most 65535 of each bin's count; true when some is left. */
static bool histogram_record(struct histogram *h, size_t first, size_t end, bool last,
			     struct out *out)
{
	uint64_t at = h->points[first].address;
	bool left = false;

	histogram_header(h, at, h->points[end - 1].address + h->bin, out);
	for (size_t i = first; i < end; at += h->bin) {
		uint64_t n = 0;

		if (h->points[i].address == at) {
			n = h->points[i].count < BIN_MAX ? h->points[i].count : BIN_MAX;
			h->points[i].count = last ? 0 : h->points[i].count - n;
			left |= h->points[i].count > 0;
			i++;
		}
		out_le(out, n, 2);
	}
	return left;
}

/* Behind the points from `first` on between which there is no larger gap. */
static size_t range_end(const struct histogram *h, size_t first, size_t end, uint64_t gap)
{
	size_t i = first + 1;

	while (i < end && h->points[i].address - h->points[i - 1].address <= gap)
		i++;
	return i;
}

static bool range_is_full(const struct histogram *h, size_t first, size_t end)
{
	while (first < end && h->points[first].count <= BIN_MAX)
		first++;
	return first < end;
}

/* A few calls of addresses far apart are no file of megabytes. */
static uint64_t range_gap(const struct histogram *h)
{
	uint64_t bytes = 0;

	for (size_t i = 1; i < h->count; i++) {
		uint64_t gap = h->points[i].address - h->points[i - 1].address;

		bytes += gap <= RANGE_GAP ? gap : 0;
	}
	return bytes > RANGES_MOST ? RANGE_GAP_LARGE : RANGE_GAP;
}

/* gprof takes a range again and again, but none that overlaps another one. */
static void histogram_write(struct histogram *h, struct out *out)
{
	const uint64_t gap = range_gap(h);
	size_t end, wide = 0;
	bool full = false;

	for (size_t first = 0; first < h->count; first = end) {
		int pass = 1;

		if (first == wide) {
			wide = range_end(h, first, h->count, gap);
			full = range_is_full(h, first, wide);
		}
		end = full ? range_end(h, first, wide, RANGE_GAP_FULL) : wide;
		while (histogram_record(h, first, end, pass == PASSES_MAX, out))
			pass++;
	}
}

/* gprof refuses a file without a histogram: one empty bin where the code begins. */
static int histogram_ensure(struct histogram *h)
{
	uint64_t low = 0, high = 0;

	if (h->count)
		return 0;
	if (h->s->image)
		image_text(h->s->image, &low, &high);
	return point_add(h, low, 0);
}

static int histogram_export(const struct export_source *s, const bool *passing, struct out *out)
{
	struct histogram h = {
		.s = s, .passing = passing, .bin = source_is_gprof(s) ? 4 : 2, .rate = 1,
	};
	int ret;

	if (s->profile->totals.time == PROFILE_TIME_SAMPLED || source_is_gprof(s))
		ret = points_from_samples(&h);
	else
		ret = points_from_times(&h);
	if (ret == 0)
		ret = histogram_ensure(&h);
	if (ret == 0)
		histogram_write(&h, out);
	mem_free(h.points);
	return ret;
}

struct arc {
	uint32_t from, to;
	uint64_t count;
};

static int arc_by_ends(const void *a, const void *b)
{
	const struct arc *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

/*
 * The address by which gprof finds the caller. The gprof thesis' host rounds to its counters. Else
 * the return address, unless the call is its function's last instruction: then the call itself. A
 * handler's caller is the vector table: gprof names it, or prints <spontaneous> and counts no calls
 * where it has no symbol.
 */
static uint32_t arc_from(const struct export_source *s, uint32_t from)
{
	uint32_t call = (from & ~1u) - 1;

	if (source_is_gprof(s))
		return from & ~3u;
	if (s->image && from && image_find(s->image, from) != image_find(s->image, call))
		return call;
	return from;
}

static void arc_write(const struct arc *a, unsigned ptr, struct out *out)
{
	uint64_t left = a->count;

	for (int i = 0; left && i < ARC_RECORDS_MAX; i++) {
		uint64_t n = left < UINT32_MAX ? left : UINT32_MAX;

		out_addc(out, 1);
		out_le(out, a->from, ptr);
		out_le(out, a->to, ptr);
		out_le(out, n, 4);
		left -= n;
	}
}

/* By address, as the gprof thesis' host writes them: gprof keeps this order among equals. */
static int arcs_export(const struct export_source *s, const bool *passing, struct out *out)
{
	const struct profile *p = s->profile;
	struct arc *arcs = mem_alloc((p->site_count + 1) * sizeof(*arcs));
	size_t n = 0;

	if (!arcs)
		return ERR_NOMEM;
	for (size_t i = 0; i < p->site_count; i++) {
		if (p->sites[i].flags & ROW_TWICE)
			continue;	/* the call site's own row has these calls */
		if (!export_edge_passes(p, p->sites[i].edge, passing))
			continue;
		arcs[n++] = (struct arc){ arc_from(s, p->sites[i].from), p->sites[i].to,
					  p->sites[i].calls };
	}
	qsort(arcs, n, sizeof(*arcs), arc_by_ends);
	for (size_t i = 0; i < n; i++) {
		if (i + 1 < n && arc_by_ends(&arcs[i], &arcs[i + 1]) == 0)
			arcs[i + 1].count += arcs[i].count;
		else
			arc_write(&arcs[i], pointer_bytes(s), out);
	}
	mem_free(arcs);
	return 0;
}

int export_gmon(const struct export_source *s, struct out *out, struct err *err)
{
	static const char header[20] = "gmon\1";
	bool *passing;
	int ret = export_passing(s, &passing);

	(void)err;
	out_bytes(out, header, sizeof(header));
	if (ret == 0)
		ret = histogram_export(s, passing, out);
	if (ret == 0)
		ret = arcs_export(s, passing, out);
	mem_free(passing);
	return ret;
}
