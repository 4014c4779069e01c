#include "core/fleet/build.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"

static uint64_t site_key(const void *items, uint32_t position)
{
	return ((const struct build_site *)items)[position].key;
}

static uint32_t site_from(const struct build_site *s)
{
	return (uint32_t)(s->key >> 32);
}

/* By their members: what is between them is not told. */
bool build_same(const struct wire_identity *a, const struct wire_identity *b)
{
	if (a->kind != b->kind || a->block_count != b->block_count)
		return false;
	for (size_t i = 0; a->kind == WIRE_IDENTITY_BLOCKS && i < a->block_count; i++) {
		const struct wire_block *x = &a->blocks[i], *y = &b->blocks[i];

		if (x->address != y->address || x->a != y->a || x->b != y->b)
			return false;
	}
	return a->start == b->start && a->length == b->length && a->a == b->a && a->b == b->b &&
	       memcmp(a->build_id, b->build_id, sizeof(a->build_id)) == 0;
}

void build_init(struct build *b, const struct wire_identity *identity, const struct image *image)
{
	*b = (struct build){ .identity = *identity, .image = image };
	map_init(&b->at);
}

void build_release(struct build *b)
{
	for (size_t i = 0; i <= TOTAL_PC; i++)
		index_release(&b->index[i]);
	map_release(&b->at);
	mem_free(b->sites);
	mem_free(b->functions);
}

size_t build_memory(const struct build *b)
{
	size_t sum = b->site_cap * sizeof(*b->sites) + b->function_cap * sizeof(*b->functions) +
		     map_memory(&b->at);

	for (size_t i = 0; i <= TOTAL_PC; i++)
		sum += index_memory(&b->index[i]);
	return sum;
}

bool build_knows(const struct build *b, enum wire_total_kind kind, uint32_t from, uint32_t to)
{
	return index_get(&b->index[kind], b->sites, site_key, (uint64_t)from << 32 | to) !=
	       INDEX_NONE;
}

uint32_t build_site(struct build *b, enum wire_total_kind kind, uint32_t from, uint32_t to)
{
	const uint64_t key = (uint64_t)from << 32 | to;
	uint32_t at = index_get(&b->index[kind], b->sites, site_key, key);

	if (at != INDEX_NONE)
		return at;
	if (b->site_count == BUILD_SITES ||
	    mem_grow(&b->sites, &b->site_cap, b->site_count + 1, sizeof(*b->sites)) < 0)
		return BUILD_NONE;
	at = (uint32_t)b->site_count;
	b->sites[at] = (struct build_site){
		.key = key, .kind = kind, .caller = BUILD_NONE, .callee = BUILD_NONE,
	};
	if (index_put(&b->index[kind], b->sites, site_key, key, at) < 0)
		return BUILD_NONE;
	b->site_count++;
	return at;
}

/* --- functions -------------------------------------------------------------------------------- */

/* Of an address that is an entry. BUILD_NONE: no memory. */
static uint32_t function_number(struct build *b, uint64_t address, const char *name)
{
	uint32_t at = map_get(&b->at, address);

	if (at != MAP_NONE)
		return at;
	at = (uint32_t)b->function_count;
	if (mem_grow(&b->functions, &b->function_cap, b->function_count + 1,
		     sizeof(*b->functions)) < 0 || map_put(&b->at, address, at) < 0)
		return BUILD_NONE;
	b->functions[b->function_count++] = (struct build_function){ address, name };
	return at;
}

static uint32_t function_of_image(struct build *b, uint32_t id)
{
	const struct image_function *f = image_function(b->image, id);

	return function_number(b, f->address, f->name);
}

/* False: no memory. */
static bool site_callee(struct build *b, struct build_site *s)
{
	uint32_t to = s->kind == TOTAL_PC ? site_from(s) : (uint32_t)s->key;
	uint32_t id = b->image ? image_find(b->image, image_normal(b->image, to)) : IMAGE_NONE;

	if (id != IMAGE_NONE)
		s->callee = function_of_image(b, id);
	else if (s->kind == TOTAL_PC)
		return true;
	else
		s->callee = function_number(b, to, NULL);
	return s->callee != BUILD_NONE;
}

static bool is_called_from_code(const struct build_site *s)
{
	uint32_t from = site_from(s);

	return s->kind != TOTAL_PC && from > 1 && !wire_is_exc_return(from);
}

static bool site_caller(struct build *b, struct build_site *s)
{
	uint32_t id;

	if (!is_called_from_code(s))
		return true;
	id = image_caller(b->image, (uint64_t)(site_from(s) & ~1u) - 1);
	if (id == IMAGE_NONE)
		return true;
	s->caller = function_of_image(b, id);
	return s->caller != BUILD_NONE;
}

static int address_order(const void *a, const void *b)
{
	const struct build_function *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* The function that begins last at or before an address, of those that were called. */
static uint32_t function_before(const struct build *b, const struct build_function *sorted,
				uint64_t address)
{
	size_t low = 0, high = b->function_count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (sorted[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? map_get(&b->at, sorted[low - 1].address) : BUILD_NONE;
}

/* Each new entry may be nearer to a return address than those before. */
static int callers_guess(struct build *b)
{
	struct build_function *sorted = mem_alloc((b->function_count + 1) * sizeof(*sorted));

	if (!sorted)
		return ERR_NOMEM;
	if (b->function_count)
		memcpy(sorted, b->functions, b->function_count * sizeof(*sorted));
	qsort(sorted, b->function_count, sizeof(*sorted), address_order);
	for (size_t i = 0; i < b->site_count; i++) {
		struct build_site *s = &b->sites[i];

		if (s->kind == TOTAL_PC)
			s->callee = function_before(b, sorted, site_from(s));
		else if (is_called_from_code(s))
			s->caller = function_before(b, sorted, (site_from(s) & ~1u) - 1);
	}
	mem_free(sorted);
	return 0;
}

/* With both kinds of hooks a call is an arc, too, whose `to` is a few bytes into the function. */
static void twice_mark(struct build *b)
{
	for (size_t i = 0; i < b->site_count; i++) {
		struct build_site *s = &b->sites[i];
		uint64_t entry;

		if (s->kind != TOTAL_ARC || s->callee == BUILD_NONE)
			continue;
		entry = b->functions[s->callee].address;
		s->twice = index_get(&b->index[TOTAL_SITE], b->sites, site_key,
				     (uint64_t)site_from(s) << 32 | (entry & UINT32_MAX)) !=
			   INDEX_NONE;
	}
}

int build_settle(struct build *b)
{
	size_t i = b->settled;

	if (i == b->site_count)
		return 0;
	for (; i < b->site_count; i++) {
		if (!site_callee(b, &b->sites[i]) || (b->image && !site_caller(b, &b->sites[i])))
			return ERR_NOMEM;
	}
	if (!b->image && callers_guess(b) < 0)
		return ERR_NOMEM;
	if (b->index[TOTAL_ARC].count)
		twice_mark(b);
	b->settled = b->site_count;
	return 0;
}

void build_rename(struct build *b)
{
	map_clear(&b->at);
	b->function_count = 0;
	b->settled = 0;
	b->renames++;
	for (size_t i = 0; i < b->site_count; i++)
		b->sites[i].caller = b->sites[i].callee = BUILD_NONE;
}
