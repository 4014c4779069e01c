#include "core/doctor/roles.h"

#include <elf.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/image/runtime.h"
#include "core/image/vectors.h"

static void add_trait(struct survey *s, uint32_t id, uint32_t trait)
{
	if (id < s->count)
		s->functions[id].traits |= trait;
}

/* --- the runtime ------------------------------------------------------------------------------ */

static void find_runtime(struct survey *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		const struct symbol_function *f = &s->symbols.functions[i];

		if (runtime_is_own(f->name, f->file)) {
			add_trait(s, i, FUNCTION_RUNTIME);
			s->runtime |= text_begins(f->name, RUNTIME_PREFIX);
		}
	}
	for (size_t h = 0; h < HOOKS; h++) {
		uint32_t id = survey_hook_function(s, (enum survey_hook)h);

		add_trait(s, id, FUNCTION_HOOK | (s->runtime ? FUNCTION_RUNTIME : 0));
	}
}

/* Handlers that take themselves out of the time: the runtime's, and WSNPROF_ISR()'s entries. */
static void find_own_handlers(struct survey *s)
{
	static const char mark[] = "wsnprof_isr_";

	for (size_t i = 0; i < s->elf.symbol_count; i++) {
		const char *name = s->elf.symbols[i].name;

		if (text_begins(name, mark))
			add_trait(s, survey_named(s, name + sizeof(mark) - 1), FUNCTION_RUNTIME);
	}
}

/* The file that DWARF names: handlers have dictated names. */
static const char *described_file(const struct survey *s, uint64_t address)
{
	const struct debug_data *d = &s->dwarf;
	uint32_t instance = spans_find(&d->code, address);
	uint32_t path;

	if (instance == SPAN_NONE)
		return NULL;
	path = d->functions.v[d->instances.v[instance].function].path;
	return path == DEBUG_NONE ? NULL : d->paths.v[path].file;
}

static void find_described_runtime(struct survey *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		if (runtime_is_own("", described_file(s, s->functions[i].address)))
			add_trait(s, i, FUNCTION_RUNTIME);
	}
}

/* Functions into which the compiler put one of the runtime's. */
static void find_holders(struct survey *s)
{
	const struct debug_data *d = &s->dwarf;

	for (size_t i = 0; i < d->inlined.count; i++) {
		uint32_t f = d->inlines.v[d->inlined.v[i].id].function;

		if (f < d->functions.count && d->functions.v[f].name &&
		    runtime_is_own(d->functions.v[f].name, NULL))
			add_trait(s, spans_find(&s->symbols.spans, d->inlined.v[i].low),
				  FUNCTION_HOLDS);
	}
}

/* Neither DWARF nor a size: a place in assembly. */
static bool is_place(const struct survey *s, uint32_t id)
{
	return !s->symbols.functions[id].sized && !(s->functions[id].traits & FUNCTION_DEBUG);
}

/*
 * The runtime's own assembly has handlers and places with names of their own. They are between two
 * of its functions.
 */
static void find_runtime_places(struct survey *s)
{
	const struct spans *spans = &s->symbols.spans;
	size_t before = SIZE_MAX;	/* the runtime's last function, if only places came since */

	for (size_t i = 0; i < spans->count; i++) {
		uint32_t id = spans->v[i].id;

		if (s->functions[id].traits & FUNCTION_RUNTIME) {
			for (size_t j = before; j < i; j++)
				add_trait(s, spans->v[j].id, FUNCTION_RUNTIME);
			before = i;
		} else if (!is_place(s, id)) {
			before = SIZE_MAX;
		}
	}
}

/* --- interrupt handlers ----------------------------------------------------------------------- */

static void find_avr_handlers(struct survey *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		const char *name = s->symbols.functions[i].name;

		if (text_begins(name, "__vector_") && !text_ends(name, "_default"))
			add_trait(s, i, FUNCTION_ISR);
	}
}

static void find_vectors(struct survey *s)
{
	uint32_t handler[VECTORS_MAX];
	size_t count = vectors_read(&s->elf, handler, &s->vectors_at);

	s->vectors = count > 0;
	for (size_t i = 2; i < count; i++) {
		if (handler[i])
			add_trait(s, spans_find(&s->symbols.spans, handler[i]), FUNCTION_ISR);
	}
}

static void find_arm_handlers(struct survey *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		const char *name = s->symbols.functions[i].name;

		if ((text_ends(name, "_Handler") || text_ends(name, "_IRQHandler")) &&
		    strcmp(name, "Reset_Handler") != 0)
			add_trait(s, i, FUNCTION_ISR);
	}
}

/* --- AVR's start-up code ---------------------------------------------------------------------- */

/* From __ctors_end, where .init0 begins, to the call of main, which is .init9. */
static void find_init(struct survey *s)
{
	uint64_t low = survey_symbol(s, "__ctors_end"), main = survey_symbol(s, "main");
	const struct codemap *map = &s->code.map;
	uint64_t high = low;

	if (low == CODE_NO_TARGET || main == CODE_NO_TARGET)
		return;
	for (uint64_t at = low; at < low + 4096 && high == low; at += 2) {
		if ((code_flags(map, at) & CODE_RETURN) && map->target(map->ctx, at) == main)
			high = at;
	}
	for (uint32_t i = 0; i < s->count; i++) {
		if (s->functions[i].address >= low && s->functions[i].address < high)
			add_trait(s, i, FUNCTION_INIT);
	}
}

/* --- all -------------------------------------------------------------------------------------- */

static void find_debug(struct survey *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		if (spans_find(&s->dwarf.code, s->functions[i].address) != SPAN_NONE)
			add_trait(s, i, FUNCTION_DEBUG);
	}
}

int roles_find(struct survey *s)
{
	find_runtime(s);
	find_own_handlers(s);
	find_debug(s);
	if (s->elf.machine->isa == ELF_ISA_AVR) {
		find_avr_handlers(s);
		find_init(s);
	} else if (s->elf.machine->isa == ELF_ISA_ARM) {
		find_arm_handlers(s);
		find_vectors(s);
	}
	if (s->runtime) {
		find_described_runtime(s);
		find_holders(s);
		find_runtime_places(s);
	}
	return 0;
}
