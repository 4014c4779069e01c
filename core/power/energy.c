#include "core/power/energy.h"

#include <math.h>

#include "core/base/mem.h"

void energy_init(struct energy *e)
{
	*e = (struct energy){ .begun = false };
}

void energy_release(struct energy *e)
{
	if (e->begun)
		map_release(&e->map);
	mem_free(e->entries);
	energy_init(e);
}

void energy_forget(struct energy *e)
{
	if (e->begun)
		map_clear(&e->map);
	e->count = 0;
	e->all = e->idle = e->handlers = e->unknown = (struct energy_sum){ 0 };
}

/* Some values of one state may share a key: the first entry of it leads on. */
static uint64_t entry_key(enum energy_kind kind, uint32_t id, int64_t value)
{
	uint64_t mixed = (uint64_t)value * UINT64_C(0x9e3779b97f4a7c15);

	return (uint64_t)id << 32 | (kind == ENERGY_STATE ? (uint32_t)(mixed >> 32) | 1 : 0);
}

static bool entry_is(const struct energy_entry *e, enum energy_kind kind, uint32_t id,
		     int64_t value)
{
	return e->kind == kind && e->id == id && e->value == value;
}

static struct energy_entry *entry_find(struct energy *e, uint64_t key, enum energy_kind kind,
				       uint32_t id, int64_t value)
{
	uint32_t at = e->begun ? map_get(&e->map, key) : MAP_NONE;

	if (at == MAP_NONE)
		return NULL;
	if (entry_is(&e->entries[at], kind, id, value))
		return &e->entries[at];
	for (size_t i = at; i < e->count; i++)
		if (entry_is(&e->entries[i], kind, id, value))
			return &e->entries[i];
	return NULL;
}

struct energy_sum *energy_of(struct energy *e, enum energy_kind kind, uint32_t id, int64_t value)
{
	uint64_t key = entry_key(kind, id, value);
	struct energy_entry *found = entry_find(e, key, kind, id, value);

	if (found)
		return &found->sum;
	if (!e->begun)
		map_init(&e->map);
	e->begun = true;
	if (mem_grow(&e->entries, &e->cap, e->count + 1, sizeof(*e->entries)) < 0)
		return NULL;
	if (map_get(&e->map, key) == MAP_NONE && map_put(&e->map, key, (uint32_t)e->count) < 0)
		return NULL;
	e->entries[e->count] = (struct energy_entry){ .kind = kind, .id = id, .value = value };
	return &e->entries[e->count++].sum;
}

void energy_add(struct energy_sum *sum, double seconds, double amps, double samples, double unsure)
{
	sum->seconds += seconds;
	sum->charge += amps * seconds;
	sum->squares += amps * amps * seconds;
	sum->samples += samples;
	sum->vague += fmin(unsure, seconds);
	sum->spans++;
}

double energy_current(const struct energy_sum *sum)
{
	if (!(sum->seconds > 0) || sum->samples < ENERGY_LEAST ||
	    !(sum->vague <= ENERGY_VAGUE * sum->seconds))
		return NAN;
	return sum->charge / sum->seconds;
}

double energy_spread(const struct energy_sum *sum)
{
	double mean = sum->charge / sum->seconds;

	if (!(sum->seconds > 0) || sum->spans < 2)
		return NAN;
	return sqrt(fmax(0, sum->squares / sum->seconds - mean * mean));
}
