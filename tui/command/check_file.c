#include "tui/command/check_file.h"

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

static int image_open(struct check_file *f, const char *elf, struct err *err)
{
	f->image = image_new(elf, err);
	if (!f->image)
		return err->code;
	image_wait(f->image);
	functions_number(f->profile, f->image);
	f->input.image = f->image;
	f->input.sizes = &f->sizes;
	return image_sizes_read(elf, &f->sizes, err);
}

int check_file_open(struct check_file *f, const char *path, const struct options *o,
		    const char *elf, struct err *err)
{
	struct node_options node;

	*f = (struct check_file){ .profile = NULL };
	options_node(o, 0, &node);
	if (elf)
		node.elf = elf, node.elfs = &elf, node.elf_count = 1;
	f->profile = baseline_read(path, &node, err);
	if (!f->profile)
		return err->code;
	f->input = (struct gate_input){ .profile = f->profile, .hooks = NAN };
	return elf ? image_open(f, elf, err) : 0;
}

void check_file_close(struct check_file *f)
{
	profile_drop(f->profile);
	image_free(f->image);
	*f = (struct check_file){ .profile = NULL };
}
