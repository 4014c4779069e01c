#include "core/profile/derive/derive.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/image/runtime.h"
#include "core/image/vectors.h"
#include "core/profile/raw/raw.h"

/*
 * Keys of function_index: an image's id, or an address in no function. Without an image every call
 * site would be a function of its own, and a hostile stream could invent billions: beyond
 * ADDRESSES_MAX they share one.
 */
#define KEY_ADDRESS (UINT64_C(1) << 40)
#define KEY_REST (KEY_ADDRESS | UINT64_C(1) << 32)
#define KEY_RUNTIME (KEY_ADDRESS | UINT64_C(2) << 32)
#define ADDRESSES_MAX 65536

static uint32_t function_new(struct profile *p, uint64_t key, const struct profile_function *made)
{
	uint32_t i = (uint32_t)p->function_count;

	if (mem_grow(&p->functions, &p->function_cap, p->function_count + 1,
		     sizeof(*p->functions)) < 0 || map_put(&p->function_index, key, i) < 0)
		return PROFILE_NONE;
	p->functions[i] = *made;
	p->functions[i].rate_calls = p->functions[i].rate_self = NAN;
	p->function_count++;
	return i;
}

static uint32_t function_of_image(struct profile *p, uint32_t id)
{
	uint32_t i = map_get(&p->function_index, id);
	const struct image_function *f;

	if (i != MAP_NONE)
		return i;
	f = image_function(p->image, id);
	return function_new(p, id, &(struct profile_function){
		.image_id = id, .name = f->name, .file = f->file, .path = f->path, .line = f->line,
		.address = f->address,
	});
}

/* One function for many addresses. */
static uint32_t function_of_many(struct profile *p, uint64_t key, const char *name,
				 uint64_t address)
{
	uint32_t i = map_get(&p->function_index, key);

	return i != MAP_NONE ? i : function_new(p, key, &(struct profile_function){
		.image_id = IMAGE_NONE, .name = name, .address = address,
	});
}

/* Named by its address: it is in no function of the image, or there is no image. */
static uint32_t function_of_address(struct profile *p, uint32_t address)
{
	uint32_t i = map_get(&p->function_index, KEY_ADDRESS | address);
	const char *name;
	char text[16];

	if (i != MAP_NONE)
		return i;
	if (p->unnamed >= ADDRESSES_MAX)
		return function_of_many(p, KEY_REST, PROFILE_REST_NAME, PROFILE_REST);
	if (!vectors_place_name(address, text, sizeof(text)))
		snprintf(text, sizeof(text), "0x%05x", (unsigned)address);
	name = arena_str(&p->arena, text);
	if (!name)
		return PROFILE_NONE;
	i = function_of_many(p, KEY_ADDRESS | address, name, address);
	p->unnamed += i != PROFILE_NONE;
	return i;
}

static uint32_t image_id_of(const struct profile *p, uint32_t address)
{
	return p->image ? image_find(p->image, image_normal(p->image, address)) : IMAGE_NONE;
}

/*
 * The caller: the function that contains the call instruction, which ends just before the return
 * address (a call may be its function's last instruction). With an image, an address outside all
 * functions is no caller ("from": null in exports); without one it is a function of its own.
 */
static uint32_t caller_of(struct profile *p, uint32_t from)
{
	uint32_t id;

	if (!p->image)
		return function_of_address(p, from);
	id = from ? image_caller(p->image, (uint64_t)(from & ~1u) - 1) : IMAGE_NONE;
	return id != IMAGE_NONE ? function_of_image(p, id) : PROFILE_NONE;
}

/*
 * An inlined function is told with the return address of the function whose code it is in: where
 * that one is called, and `to` is another, inlined there. IMAGE_NONE: it is called as it is told.
 */
static uint32_t inliner_of(const struct profile *p, const struct codemap *code,
			   const struct profile_site *s)
{
	uint64_t target = code->target(code->ctx, s->from);
	uint32_t body = image_find(p->image, image_normal(p->image, target));

	return body != IMAGE_NONE ? image_inlined_in(p->image, body, image_id_of(p, s->to)) :
				    IMAGE_NONE;
}

/*
 * A return address that no call precedes and a function begins at: a kernel put it below a task's
 * entry, for one that returns (FreeRTOS' prvTaskExitError). Nobody calls the entry, least of all
 * the function in front of that address.
 */
static bool is_planted(const struct profile *p, const struct codemap *code, uint32_t from)
{
	uint32_t id = image_id_of(p, from);

	return id != IMAGE_NONE && !(code_flags(code, from) & CODE_RETURN) &&
	       image_function(p->image, id)->address == image_normal(p->image, from);
}

static uint32_t callee_of(struct profile *p, uint32_t to)
{
	uint32_t id = image_id_of(p, to);

	return id != IMAGE_NONE ? function_of_image(p, id) : function_of_address(p, to);
}

static bool is_runtime(const struct image_function *f)
{
	return runtime_is_hook(f->name) || runtime_is_own(f->name, f->file);
}

/*
 * Samples hit the profiler, too: a dozen functions with a few samples each. They make one row,
 * whose spots are these functions.
 */
static uint32_t sampled_of(struct profile *p, uint32_t pc)
{
	uint32_t id = p->terms.gathers ? image_id_of(p, pc) : IMAGE_NONE;

	if (id != IMAGE_NONE && is_runtime(image_function(p->image, id)))
		return function_of_many(p, KEY_RUNTIME, PROFILE_RUNTIME_NAME, PROFILE_RUNTIME);
	return callee_of(p, pc);
}

static uint64_t edge_key_of(const void *edges, uint32_t i)
{
	const struct profile_edge *e = &((const struct profile_edge *)edges)[i];

	return (uint64_t)e->from << 32 | e->to;
}

static uint32_t edge_get(struct profile *p, uint32_t from, uint32_t to)
{
	uint64_t key = (uint64_t)from << 32 | to;
	uint32_t i = index_get(&p->edge_index, p->edges, edge_key_of, key);

	if (i != INDEX_NONE)
		return i;
	i = (uint32_t)p->edge_count;
	if (mem_grow(&p->edges, &p->edge_cap, p->edge_count + 1, sizeof(*p->edges)) < 0 ||
	    index_put(&p->edge_index, p->edges, edge_key_of, key, i) < 0)
		return PROFILE_NONE;
	p->edges[i] = (struct profile_edge){ .from = from, .to = to };
	p->edge_count++;
	return i;
}

/* As in profile `then`: the key is the function's number there. */
static uint32_t function_of_then(struct profile *p, uint32_t id)
{
	const struct profile_function *f = &p->then->functions[id];
	uint32_t i = map_get(&p->function_index, id);

	return i != MAP_NONE ? i : function_new(p, id, &(struct profile_function){
		.image_id = IMAGE_NONE, .name = f->name, .file = f->file, .path = f->path,
		.line = f->line, .address = f->address,
	});
}

/* 0, ERR_NOMEM, or 1: `then` does not have it. */
static int site_as_then(struct profile *p, struct profile_site *s)
{
	uint32_t i = p->then ? profile_site_find(p->then, s->from, s->to) : PROFILE_NONE;
	const struct profile_edge *e;
	uint32_t from = PROFILE_NONE, to;

	if (i == PROFILE_NONE)
		return 1;
	e = &p->then->edges[p->then->sites[i].edge];
	to = function_of_then(p, e->to);
	if (e->from != PROFILE_NONE)
		from = function_of_then(p, e->from);
	if (to == PROFILE_NONE || (e->from != PROFILE_NONE && from == PROFILE_NONE))
		return ERR_NOMEM;
	s->edge = edge_get(p, from, to);
	s->flags |= p->then->sites[i].flags & ROW_NO_CALL;
	return s->edge == PROFILE_NONE ? ERR_NOMEM : 0;
}

static uint32_t pc_as_then(struct profile *p, uint32_t pc)
{
	uint32_t i = p->then ? map_get(&p->then->pc_index, pc) : MAP_NONE;

	return i == MAP_NONE ? sampled_of(p, pc) : function_of_then(p, p->then->pcs[i].function);
}

static int site_resolve(struct profile *p, struct profile_site *s)
{
	const struct codemap *code = p->image ? image_codemap(p->image) : NULL;
	bool handler = s->flags & ROW_HANDLER;	/* no caller by nature */
	bool nobody = handler || (code && is_planted(p, code, s->from));
	uint32_t from = nobody ? PROFILE_NONE : caller_of(p, s->from), to = callee_of(p, s->to);
	uint32_t inliner = code && !handler ? inliner_of(p, code, s) : IMAGE_NONE;

	if (inliner != IMAGE_NONE)
		from = function_of_image(p, inliner);
	if (to == PROFILE_NONE || (!handler && !p->image && from == PROFILE_NONE))
		return ERR_NOMEM;
	s->edge = edge_get(p, from, to);
	if (s->edge == PROFILE_NONE)
		return ERR_NOMEM;
	s->flags &= (uint16_t)~ROW_NO_CALL;
	if (code && !handler && (inliner != IMAGE_NONE ||
				 !(code_flags(code, s->from) & CODE_RETURN)))
		s->flags |= ROW_NO_CALL;
	return 0;
}

/* The moments of the rates survive a rebuild: they move to the function at the same address. */
struct memory_of_past {
	struct profile_function *functions;
	size_t count, cap;
};

static int past_restore(struct profile *p, const struct memory_of_past *old)
{
	struct map by_address;
	int ret = 0;

	map_init(&by_address);
	for (uint32_t i = 0; i < old->count && ret == 0; i++)
		ret = map_put(&by_address, old->functions[i].address, i);
	for (size_t i = 0; i < p->function_count && ret == 0; i++) {
		struct profile_function *f = &p->functions[i];
		uint32_t o = map_get(&by_address, f->address);

		if (o == MAP_NONE)
			continue;
		memcpy(f->past, old->functions[o].past, sizeof(f->past));
		f->rate_calls = old->functions[o].rate_calls;
		f->rate_self = old->functions[o].rate_self;
	}
	map_release(&by_address);
	return ret;
}

static void derived_clear(struct profile *p, struct memory_of_past *old)
{
	*old = (struct memory_of_past){ p->functions, p->function_count, p->function_cap };
	p->functions = NULL;
	p->function_count = p->function_cap = 0;
	p->edge_count = 0;
	index_clear(&p->edge_index);
	map_clear(&p->function_index);
	/* It holds names made of addresses: few, and only without an image. */
	arena_release(&p->arena);
	p->unnamed = 0;
	p->resolved_sites = p->resolved_pcs = 0;
	p->renames++;
	p->rebuild = false;
}

static int rest_resolve(struct profile *p)
{
	for (; p->resolved_sites < p->site_count; p->resolved_sites++) {
		struct profile_site *s = &p->sites[p->resolved_sites];
		int ret = site_as_then(p, s);

		if (ret < 0 || (ret > 0 && site_resolve(p, s) < 0))
			return ERR_NOMEM;
	}
	for (; p->resolved_pcs < p->pc_count; p->resolved_pcs++) {
		struct profile_pc *pc = &p->pcs[p->resolved_pcs];

		pc->function = pc_as_then(p, pc->pc);
		if (pc->function == PROFILE_NONE)
			return ERR_NOMEM;
	}
	return 0;
}

int profile_resolve(struct profile *p)
{
	struct memory_of_past old = { NULL, 0, 0 };
	bool rebuild = p->rebuild;
	int ret;

	if (rebuild)
		derived_clear(p, &old);
	ret = rest_resolve(p);
	if (ret == 0 && rebuild && p->marks)
		ret = past_restore(p, &old);
	mem_free(old.functions);
	if (ret < 0)
		p->rebuild = true;
	return ret;
}
