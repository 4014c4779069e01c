#include "core/image/handlers.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/image/runtime.h"

/* Faults end the program, or the debugger has it; what has no handler goes to a common one. */
static const char *const none[] = {
	"Reset_Handler", "Default_Handler", "NMI_Handler", "HardFault_Handler",
	"MemManage_Handler", "BusFault_Handler", "UsageFault_Handler", "SecureFault_Handler",
	"__vector_default", NULL,
};

enum { JUMP = 4 };		/* bytes of avr-libc's handler of all interrupts that have none */

static bool handler_is_named(const char *name)
{
	for (size_t i = 0; none[i]; i++) {
		if (!strcmp(name, none[i]))
			return false;
	}
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

size_t image_handlers(const struct image *im, struct image_handler *handlers, size_t max)
{
	size_t count = 0;

	for (uint32_t id = 0; id < image_function_count(im); id++) {
		const struct image_function *f = image_function(im, id);

		if (f->size <= JUMP || !handler_is_named(f->name))
			continue;
		if (count < max)
			handlers[count] = (struct image_handler){
				.id = id, .hooked = calls_hook(im, f), .aside = is_aside(im, f),
			};
		count++;
	}
	return count;
}
