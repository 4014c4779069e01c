#include "core/image/calibration.h"

#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/image/attributes.h"
#include "core/image/calib/insn.h"
#include "core/image/runtime.h"

void calibration_init(struct calibration *k, const struct elf *e, const struct code *c,
		      const struct symbols *s)
{
	*k = (struct calibration){ .elf = e, .code = c, .symbols = s };
	map_init(&k->by_entry);
}

void calibration_release(struct calibration *k)
{
	map_release(&k->by_entry);
	mem_free(k->functions);
	mem_free(k->calls);
	*k = (struct calibration){ NULL };
}

size_t calibration_memory(const struct calibration *k)
{
	return map_memory(&k->by_entry) + k->function_cap * sizeof(*k->functions) +
	       k->call_cap * sizeof(*k->calls);
}

/* --- the runtime ------------------------------------------------------------------------------ */

/* The bytes of a function of libgcc's; empty when it is not there. */
static void outlined_find(const struct calibration *k, const char *name, uint64_t *low,
			  uint64_t *high)
{
	const struct elf *e = k->elf;

	for (size_t i = 0; i < e->symbol_count; i++) {
		size_t span;

		if (strcmp(e->symbols[i].name, name) != 0)
			continue;
		span = spans_index(&k->symbols->spans, e->symbols[i].address);
		if (span == SIZE_MAX)
			return;
		*low = e->symbols[i].address;
		*high = k->symbols->spans.v[span].high;
	}
}

static bool constant_read(const struct elf *e, const char *name, double *value)
{
	uint64_t n;

	if (!elf_constant(e, name, &n))
		return false;
	*value = (int32_t)(uint32_t)n;
	return true;
}

static bool avr_read(struct calibration *k)
{
	const struct elf *e = k->elf;
	uint64_t unused;

	if (!constant_read(e, "wsnprof_calib_own", &k->own) ||
	    !constant_read(e, "wsnprof_calib_left", &k->left) ||
	    !constant_read(e, "wsnprof_calib_short", &k->shortest))
		return false;
	k->hooks.machine = &calib_avr;
	k->hooks.wide = elf_constant(e, "wsnprof_calib_wide", &unused);
	k->skews = 1;
	outlined_find(k, "__prologue_saves__", &k->hooks.saves_low, &k->hooks.saves_high);
	outlined_find(k, "__epilogue_restores__", &k->hooks.restores_low,
		      &k->hooks.restores_high);
	return true;
}

/* The code from a function's entry to its end. False: there is no such code. */
static bool function_code(const struct calibration *k, uint64_t entry, struct calib_code *code)
{
	size_t span = spans_index(&k->symbols->spans, entry);
	const struct elf_code *s = elf_code_at(k->elf, entry);

	*code = k->hooks;
	if (span == SIZE_MAX || !s || k->symbols->spans.v[span].low != entry)
		return false;
	code->bytes = s->bytes;
	code->address = s->address;
	code->size = s->size;
	code->low = entry;
	code->high = k->symbols->spans.v[span].high;
	return true;
}

static bool thumb_read(struct calibration *k)
{
	const struct elf *e = k->elf;
	struct calib_code enter, exit;
	uint64_t unused;

	if (!constant_read(e, "wsnprof_calib_left", &k->left) ||
	    !constant_read(e, "wsnprof_calib_slow", &k->slow))
		return false;
	k->hooks.machine = &calib_thumb;
	k->hooks.modes = e->modes;
	k->hooks.mode_count = e->mode_count;
	k->hooks.thumb1 = arm_arch_is_thumb1(attributes_arm_arch(e));
	k->hooks.core = elf_constant(e, "wsnprof_calib_insns", &unused) ? CALIB_INSNS :
			k->hooks.thumb1 ? CALIB_M0 : CALIB_M3;
	if (!function_code(k, k->hooks.enter, &enter) || !function_code(k, k->hooks.exit, &exit))
		return false;
	k->own = calib_thumb_call(k->hooks.core);
	k->left += 2 * k->own;
	if (k->hooks.core != CALIB_INSNS)
		k->slow *= 2;			/* cycles an instruction, about */
	k->skews = 2;
	k->empty = calib_straight(&enter) + calib_straight(&exit) +
		   calib_thumb_loop(k->hooks.core);
	return calib_straight(&enter) > 0 && calib_straight(&exit) > 0;
}

static bool runtime_read(struct calibration *k)
{
	uint64_t unused;

	outlined_find(k, runtime_enter_hooks[0], &k->hooks.enter, &unused);
	outlined_find(k, runtime_exit_hooks[0], &k->hooks.exit, &unused);
	if (!k->hooks.enter || !k->hooks.exit)
		return false;
	return k->elf->machine->isa == ELF_ISA_AVR ? avr_read(k) :
	       k->elf->machine->isa == ELF_ISA_ARM ? thumb_read(k) : false;
}

/* --- functions -------------------------------------------------------------------------------- */

static int function_count_calls(const struct calibration *k, uint64_t entry,
				struct calib_call *calls)
{
	struct calib_code code;

	return function_code(k, entry, &code) ? calib_count(&code, calls) : 0;
}

/* The calls of the function that begins at an address; NULL: none, or no memory for them. */
static const struct calib_call *function_calls(struct calibration *k, uint64_t entry,
					       uint32_t *count)
{
	struct calib_call calls[CALIB_CALLS_MAX];
	uint32_t known = map_get(&k->by_entry, entry);
	int n;

	if (known == MAP_NONE) {
		n = function_count_calls(k, entry, calls);
		if (n < 0 ||
		    mem_grow(&k->functions, &k->function_cap, k->function_count + 1,
			     sizeof(*k->functions)) < 0 ||
		    mem_grow(&k->calls, &k->call_cap, k->call_count + (size_t)n + 1,
			     sizeof(*k->calls)) < 0 ||
		    map_put(&k->by_entry, entry, (uint32_t)k->function_count) < 0)
			return NULL;
		memcpy(k->calls + k->call_count, calls, (size_t)n * sizeof(*calls));
		known = (uint32_t)k->function_count++;
		k->functions[known] = (struct calibrated){ (uint32_t)k->call_count, (uint32_t)n };
		k->call_count += (size_t)n;
	}
	*count = k->functions[known].count;
	return *count ? k->calls + k->functions[known].first : NULL;
}

/*
 * A call of an inlined function comes with the return address of the function that it is in: that
 * function is what the call instruction leads to.
 */
static const struct calib_call *inlined_find(struct calibration *k, uint64_t from, uint64_t to,
					     uint64_t *in)
{
	uint64_t around = k->code->map.target(k->code->map.ctx, from);
	const struct calib_call *calls;
	uint32_t count;

	if (around == CODE_NO_TARGET || around == to)
		return NULL;
	calls = function_calls(k, around, &count);
	for (uint32_t i = 1; calls && i < count; i++) {
		if (code_normal(k->code, calls[i].callee) == to) {
			*in = around;
			return &calls[i];
		}
	}
	return NULL;
}

static double range_middle(struct calib_range r)
{
	return (r.low + r.high) / 2;
}

static double range_half(struct calib_range r)
{
	return (r.high - r.low) / 2;
}

bool calibration_find(struct calibration *k, uint64_t from, uint64_t to,
		      struct image_calibration *c)
{
	const struct calib_call *call;
	uint64_t around = IMAGE_NOWHERE;
	uint32_t count;

	if (k->state == CALIBRATION_UNKNOWN)
		k->state = runtime_read(k) ? CALIBRATION_HAS : CALIBRATION_NONE;
	if (k->state == CALIBRATION_NONE)
		return false;
	to = code_normal(k->code, to);
	call = inlined_find(k, from, to, &around);
	if (!call)
		call = function_calls(k, to, &count);
	if (!call)
		return false;
	*c = (struct image_calibration){
		.own = k->own + range_middle(call->missing) - range_middle(call->within),
		.own_off = range_half(call->missing) + range_half(call->within),
		.left = range_middle(call->within) + range_middle(call->beside) - k->left,
		.left_off = range_half(call->within) + range_half(call->beside),
		.shortest = k->shortest, .around = around, .skews = k->skews, .empty = k->empty,
		.slow = k->slow,
		.told = k->empty > 0 ? calib_thumb_loop(k->hooks.core) - 2 * k->own : 0,
	};
	return true;
}
