/* check_baseline: what `wsntop check` compares with: a profile, and the image that it ran. */
#ifndef WSNTOP_TUI_COMMAND_CHECK_BASELINE_H
#define WSNTOP_TUI_COMMAND_CHECK_BASELINE_H

#include "core/gate/side.h"
#include "tui/config/options.h"

struct check_baseline {
	struct profile *profile;	/* NULL: there is none */
	struct image *image;
	struct image_sizes sizes;
	struct gate_input input;	/* borrows from these */
};

/* o->baseline; elf: its image, may be NULL. 0, or negative with the sentence. */
int check_baseline_open(struct check_baseline *b, const struct options *o, const char *elf,
			struct err *err);
void check_baseline_close(struct check_baseline *b);

#endif
