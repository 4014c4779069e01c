/*
 * once: of a node that a probe samples, the disassembler finds the instructions that run once a
 * call, in the background: from them the profile estimates calls.
 */
#include "core/node/parts.h"

#include <poll.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/source/blocks.h"
#include "core/source/objdump.h"

void node_once_forget(struct node *n)
{
	objdump_free(n->once.objdump);
	n->once.objdump = NULL;
}

/* "": a trace port, or not told (yet). */
static const char *once_core(const struct node *n)
{
	return n->seen.has_probe ? n->seen.core : "";
}

/* Without a disassembler, or with one that failed, there is no estimate. */
static void once_take(struct node *n)
{
	const struct objdump *o = n->once.objdump;
	struct image *im = n->binding.image;
	struct once once = { NULL };

	if (!objdump_trouble(o)[0] &&
	    blocks_of_image(&once, objdump_listing(o), im, once_core(n)) == 0) {
		image_set_once(im, &once);
		for (size_t i = 0; i < n->book_count; i++)
			n->books[i].profile->dirty = true;
		n->changes |= NODE_DATA;
	}
	node_once_forget(n);
}

/* By a probe, or a trace port. */
static bool once_is_sampled(const struct node *n)
{
	return n->seen.has_probe || (n->seen.sampling.rate > 0 &&
				     strcmp(node_format(n), "itm") == 0);
}

void node_once_service(struct node *n, uint64_t now)
{
	struct image *im = n->binding.image;
	double doubt;

	if (n->once.images != n->binding.images)
		node_once_forget(n);
	if (n->once.objdump) {
		if (objdump_service(n->once.objdump, now))
			once_take(n);
		return;
	}
	/* Its functions may change while DWARF is being read. */
	if (!once_is_sampled(n) || !im || image_state(im) == IMAGE_SYMBOLS || image_once(im) ||
	    n->once.images == n->binding.images ||
	    blocks_core(im, once_core(n), &doubt) == STEP_NONE)
		return;
	n->once.images = n->binding.images;
	n->once.objdump = objdump_start(im, OBJDUMP_WHOLE, NULL);
}

int node_once_fd(const struct node *n)
{
	return n->once.objdump ? objdump_fd(n->once.objdump) : -1;
}

void node_once_wait(struct node *n)
{
	struct pollfd fd = { .events = POLLIN };

	do {
		node_once_service(n, clock_now());
		fd.fd = node_once_fd(n);
	} while (n->once.objdump && poll(&fd, 1, 100) >= 0);
}
