#include "core/image/handlers.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/image/runtime.h"
#include "core/image/vectors.h"

/* Faults end the program, or the debugger has it; what has no handler goes to a common one. */
static const char *const none[] = {
	"Reset_Handler", "Default_Handler", "NMI_Handler", "HardFault_Handler",
	"MemManage_Handler", "BusFault_Handler", "UsageFault_Handler", "SecureFault_Handler",
	"__vector_default", NULL,
};

enum { JUMP = 4 };		/* bytes of avr-libc's handler of all interrupts that have none */

static bool handler_is_named(const char *name)
{
	return text_begins(name, "__vector_") || text_ends(name, "_Handler") ||
	       text_ends(name, "_IRQHandler");
}

static bool calls_hook(const struct image *im, const struct image_function *f)
{
	const struct codemap *code = image_codemap(im);

	for (uint64_t at = f->address + 2; code->target && at <= f->address + f->size; at += 2) {
		uint64_t to = code_flags(code, at) & CODE_RETURN ? code->target(code->ctx, at) :
								   CODE_NO_TARGET;
		uint32_t id = to == CODE_NO_TARGET ? IMAGE_NONE : image_find(im, to);

		if (id != IMAGE_NONE && runtime_is_hook(image_function(im, id)->name))
			return true;
	}
	return false;
}

static bool is_aside(const struct image *im, const struct image_function *f)
{
	char name[128];

	snprintf(name, sizeof(name), RUNTIME_PREFIX "isr_%s", f->name);
	return runtime_is_own(f->name, f->file) || image_has_symbol(im, name);
}

/* Not one of the fault handlers, nor what stands for all that have none. */
static bool handler_is_plain(const struct image_function *f)
{
	for (size_t i = 0; none[i]; i++) {
		if (!strcmp(f->name, none[i]))
			return false;
	}
	return f->size > JUMP;
}

/*
 * The function of vector i; IMAGE_NONE if an earlier vector has it. What serves a fault, too,
 * stands for all that have no handler.
 */
static uint32_t vector_function(const struct image *im, const uint32_t *vectors, size_t i)
{
	for (size_t k = 1; k < i; k++) {
		if (vectors[k] == vectors[i])
			return IMAGE_NONE;
	}
	return vectors[i] ? image_find(im, vectors[i]) : IMAGE_NONE;
}

static size_t handler_add(const struct image *im, uint32_t id, struct image_handler *handlers,
			  size_t max, size_t count)
{
	const struct image_function *f = id == IMAGE_NONE ? NULL : image_function(im, id);

	if (!f || !handler_is_plain(f))
		return count;
	if (count < max)
		handlers[count] = (struct image_handler){
			.id = id, .hooked = calls_hook(im, f), .aside = is_aside(im, f),
		};
	return count + 1;
}

size_t image_handlers(const struct image *im, struct image_handler *handlers, size_t max)
{
	const uint32_t *vectors;
	size_t known = image_vectors(im, &vectors), count = 0;

	for (size_t i = VECTORS_FIRST; i < known; i++)
		count = handler_add(im, vector_function(im, vectors, i), handlers, max, count);
	for (uint32_t id = 0; !known && id < image_function_count(im); id++) {
		if (handler_is_named(image_function(im, id)->name))
			count = handler_add(im, id, handlers, max, count);
	}
	return count;
}
