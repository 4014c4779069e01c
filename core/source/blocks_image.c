/* blocks: of an image's functions. */
#include "core/source/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/image/attributes.h"

/*
 * Arm gives no cycles of the M7 and M55, which issue two instructions at a time, nor of the M33; of
 * an ELF for v7E-M alone it is not known whether it runs on an M4 or an M7. These doubts are set,
 * not measured: no hardware was at hand.
 */
#define DOUBT_DUAL 0.35
#define DOUBT_SINGLE 0.10

static const struct arm_core {
	const char *name;
	unsigned arch;			/* where the core is not known; 0: never */
	enum step_core core;
	double doubt;
} arm_cores[] = {
	{ "Cortex-M0+", 0, STEP_M0PLUS, 0 },
	{ "Cortex-M0", 0, STEP_M0, 0 },
	{ "Cortex-M1", 0, STEP_M0, DOUBT_SINGLE },
	{ "Cortex-M23", ARM_V8_M_BASE, STEP_M0PLUS, DOUBT_SINGLE },
	{ "Cortex-M33", ARM_V8_M_MAIN, STEP_M3, DOUBT_SINGLE },
	{ "Cortex-M3", ARM_V7, STEP_M3, 0 },
	{ "Cortex-M4", 0, STEP_M3, 0 },
	{ "Cortex-M7", 0, STEP_M7, DOUBT_DUAL },
	{ "Cortex-M55", ARM_V8_1_M_MAIN, STEP_M7, DOUBT_DUAL },
	{ "an M0 or M0+", ARM_V6S_M, STEP_M0PLUS, DOUBT_SINGLE },
	{ "an M0 or M0+", ARM_V6_M, STEP_M0PLUS, DOUBT_SINGLE },
	{ "an M4 or M7", ARM_V7E_M, STEP_M3, DOUBT_DUAL },
};

static bool arm_core_is(const struct arm_core *row, const char *core, unsigned arch)
{
	size_t n = strlen(row->name);

	if (*core)			/* "Cortex-M3 r2p1" */
		return strncmp(core, row->name, n) == 0 && (core[n] == ' ' || !core[n]);
	return row->arch && row->arch == arch;
}

static enum step_core arm_core_find(const char *core, unsigned arch, double *doubt)
{
	for (size_t i = 0; i < sizeof(arm_cores) / sizeof(*arm_cores); i++) {
		if (arm_core_is(&arm_cores[i], core, arch)) {
			*doubt = arm_cores[i].doubt;
			return arm_cores[i].core;
		}
	}
	*doubt = DOUBT_DUAL;
	return STEP_M3;
}

/* XMEGA, the newer ATtiny and megaAVR: other times to load, store and call. */
static enum step_core avr_core_find(unsigned arch, double *doubt)
{
	enum { AVR_WIDE = 6, AVR_OTHERS = 100 };

	*doubt = arch >= AVR_OTHERS ? DOUBT_DUAL : 0;
	return arch == AVR_WIDE ? STEP_AVR_WIDE : STEP_AVR;
}

enum step_core blocks_core(const struct image *im, const char *core, double *doubt)
{
	const char *machine = image_machine(im);

	*doubt = 0;
	if (strcmp(machine, "avr") == 0)
		return avr_core_find(image_avr_arch(im), doubt);
	if (strcmp(machine, "msp430") == 0)
		return STEP_MSP430;
	if (strcmp(machine, "arm") == 0)
		return arm_core_find(core, image_arm_arch(im), doubt);
	return STEP_NONE;
}

static int by_low(const void *a, const void *b)
{
	const struct blocks_range *x = a, *y = b;

	return x->low != y->low ? (x->low < y->low ? -1 : 1) : (x->high > y->high) -
	       (x->high < y->high);
}

int blocks_of_image(struct once *once, const struct listing *l, const struct image *im,
		    const char *core)
{
	uint32_t count = image_function_count(im);
	double doubt;
	enum step_core step = blocks_core(im, core, &doubt);
	struct blocks_range *v = mem_alloc((count + 1) * sizeof(*v));
	size_t kept = 0;
	int ret;

	*once = (struct once){ NULL };
	if (!v)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < count; i++) {
		const struct image_function *f = image_function(im, i);

		if (f->size && f->address + f->size > f->address)
			v[kept++] = (struct blocks_range){ f->address, f->address + f->size };
	}
	qsort(v, kept, sizeof(*v), by_low);
	count = 0;
	for (size_t i = 0; i < kept; i++) {
		if (!count || v[i].low >= v[count - 1].high)
			v[count++] = v[i];
	}
	ret = blocks_find(once, l, v, count, step);
	once->doubt = doubt;
	mem_free(v);
	return ret;
}
