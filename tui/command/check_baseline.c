#include "tui/command/check_baseline.h"

#include <math.h>

#include "core/image/image.h"
#include "core/profile/raw/copy.h"
#include "core/run/baseline.h"

/* A snapshot has addresses, not the image's numbers. */
static void functions_number(struct profile *p, const struct image *image)
{
	for (size_t i = 0; i < p->function_count; i++)
		if (profile_has_address(&p->functions[i]))
			p->functions[i].image_id = image_find(image, p->functions[i].address);
}

static int image_open(struct check_baseline *b, const char *elf, struct err *err)
{
	b->image = image_new(elf, err);
	if (!b->image)
		return err->code;
	image_wait(b->image);
	functions_number(b->profile, b->image);
	b->input.image = b->image;
	b->input.sizes = &b->sizes;
	return image_sizes_read(elf, &b->sizes, err);
}

int check_baseline_open(struct check_baseline *b, const struct options *o, const char *elf,
			struct err *err)
{
	struct node_options node;

	*b = (struct check_baseline){ .profile = NULL };
	if (!o->baseline)
		return 0;
	options_node(o, 0, &node);
	if (elf)
		node.elf = elf, node.elfs = &elf, node.elf_count = 1;
	b->profile = baseline_read(o->baseline, &node, err);
	if (!b->profile)
		return err->code;
	b->input = (struct gate_input){ .profile = b->profile, .hooks = NAN };
	return elf ? image_open(b, elf, err) : 0;
}

void check_baseline_close(struct check_baseline *b)
{
	profile_drop(b->profile);
	image_free(b->image);
	*b = (struct check_baseline){ .profile = NULL };
}
