/* blocks: of an image's functions. */
#include "core/source/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"

enum step_core blocks_core(const struct image *im)
{
	const char *machine = image_machine(im);

	if (strcmp(machine, "avr") == 0)	/* a PC of 22 bits is for more than 128 KB */
		return image_code_size(im) > 128 << 10 ? STEP_AVR_WIDE : STEP_AVR;
	if (strcmp(machine, "msp430") == 0)
		return STEP_MSP430;
	if (strcmp(machine, "arm") == 0)
		return image_is_thumb1(im) ? STEP_M0 : STEP_M3;
	return STEP_NONE;
}

static int by_low(const void *a, const void *b)
{
	const struct blocks_range *x = a, *y = b;

	return x->low != y->low ? (x->low < y->low ? -1 : 1) : (x->high > y->high) -
	       (x->high < y->high);
}

int blocks_of_image(struct once *once, const struct listing *l, const struct image *im,
		    enum step_core core)
{
	uint32_t count = image_function_count(im);
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
	ret = blocks_find(once, l, v, count, core);
	mem_free(v);
	return ret;
}
