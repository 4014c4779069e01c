/*
 * choice: the lines of wsnprof_config.h, chosen by what a firmware's image shows: the machine, the
 * RAM that is free, the places that call, the timers that it writes, the clock.
 *
 * Without an image those of the layout alone. The image is the firmware as it is, with or without
 * the runtime in it.
 */
#ifndef WSNTOP_KIT_CHOICE_H
#define WSNTOP_KIT_CHOICE_H

#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/kit/layout.h"

enum { CHOICES_MAX = 16 };

struct choice {
	char name[32], value[48];	/* value "": to be filled in, an #error until then */
	char why[160];
};

struct choices {
	unsigned chip;			/* enum layout_chip */
	char device[32];		/* "atmega1284p"; "": not known */
	struct choice v[CHOICES_MAX];
	size_t count;
	struct buf notes;		/* lines for the user that are no setting */
};

/* elf may be NULL; then the chip is the one given. choices_release in both cases. */
int choices_make(struct choices *s, const struct layout *l, unsigned chip, const char *elf,
		    uint64_t clock_hz, struct err *err);
void choices_release(struct choices *s);

/* wsnprof_config.h. */
void choices_write(const struct choices *s, const struct layout *l, struct buf *out);

#endif
