/*
 * handlers: interrupt handlers of the node's image, that a line of the screen or a message names.
 */
#include "core/image/handlers.h"

#include <stdio.h>

#include "core/node/parts.h"

#define HANDLERS 32

/* Without hooks: is its time in the functions that it interrupts? */
static bool is_in_times(const struct node *n, const struct image_handler *h)
{
	return !h->hooked && !(h->aside && (!n->talk.has_hello ||
					    n->talk.hello.arch > WSN_ARCH_AVR22 ||
					    n->talk.hello.features & WSN_F_OWN_ISR));
}

size_t node_handlers(const struct node *n, bool hooked, char *names, size_t size)
{
	const struct image *im = n->binding.image;
	struct image_handler h[HANDLERS];
	size_t all = im ? image_handlers(im, h, HANDLERS) : 0, count = 0, used = 0;

	names[0] = '\0';
	for (size_t i = 0; i < all && i < HANDLERS; i++) {
		if (hooked ? !h[i].hooked : !is_in_times(n, &h[i]))
			continue;
		count++;
		if (used + 8 < size)
			used += (size_t)snprintf(names + used, size - used, "%s%s",
						 used ? ", " : "",
						 image_function(im, h[i].id)->name);
	}
	return count;
}
