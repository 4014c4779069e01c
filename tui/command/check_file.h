/*
 * check_file: a file that `wsntop check` judges or compares with: its profile, and the image that
 * ran, whose frames and lines it needs where the file has only addresses.
 */
#ifndef WSNTOP_TUI_COMMAND_CHECK_FILE_H
#define WSNTOP_TUI_COMMAND_CHECK_FILE_H

#include "core/gate/side.h"
#include "tui/config/options.h"

struct check_file {
	struct profile *profile;	/* NULL: there is none */
	struct image *image;
	struct image_sizes sizes;
	struct gate_input input;	/* borrows from these */
};

/* elf: its image; NULL: none. 0, or negative with the sentence; close in both cases. */
int check_file_open(struct check_file *f, const char *path, const struct options *o,
		    const char *elf, struct err *err);
void check_file_close(struct check_file *f);

#endif
