/*
 * handlers: the interrupt handlers of an image, and which of them have the profiler's hooks. A
 * Cortex-M's vector table has them; where there is none, and on AVR, the names that vector tables
 * dictate (avr-libc's __vector_9; CMSIS's with _Handler and _IRQHandler). The time of one without
 * hooks is in the functions that it interrupts, unless the node takes it out.
 */
#ifndef WSNTOP_IMAGE_HANDLERS_H
#define WSNTOP_IMAGE_HANDLERS_H

#include "core/image/image.h"

struct image_handler {
	uint32_t id;			/* its function */
	bool hooked;			/* it calls the enter hook: it has a row of its own */
	/* the runtime's, or with a symbol wsnprof_isr_NAME: the node can take its time out */
	bool aside;
};

/* Up to max, how many there are. Linear in functions and in the handlers' code. */
size_t image_handlers(const struct image *im, struct image_handler *handlers, size_t max);

#endif
