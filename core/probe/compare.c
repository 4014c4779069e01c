/* Is the ELF what the flash holds? */
#include <string.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/image/flash.h"
#include "core/probe/parts.h"

enum { BLOCK = 4 * TARGET_WORDS_MAX };

#define COMPARE_NS (2 * CLOCK_SECOND)

/* 0: all, or as much as the time allows. */
static int flash_read(struct chain *c, struct flash *f, struct err *err)
{
	uint64_t begin = clock_now(), until = begin + COMPARE_NS;
	uint32_t words[TARGET_WORDS_MAX];
	struct flash_block b;
	uint64_t bytes = 0;
	int ret = 0;

	while (ret == 0 && clock_now() < until && flash_next(f, &b)) {
		uint8_t got[BLOCK];

		ret = target_read(c->target, b.address, words, b.size / 4, err);
		for (size_t i = 0; ret == 0 && i < b.size; i++)
			got[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
		if (ret == 0)
			flash_take(f, b.address, got, b.size);
		bytes += b.size;
	}
	c->facts->flash_rate = (double)bytes * (double)CLOCK_SECOND /
			       (double)(clock_now() - begin);
	return ret;
}

static void other_say(struct chain *c, const struct flash *f, const char *name)
{
	uint64_t off = f->code_off + f->data_off;
	bool erased = f->erased == off;

	chain_say(c, "flash", DOCTOR_FAULT, "flash this ELF, or give the one that runs",
		  "%s is not %s: %s of %s bytes in flash %s, the first at 0x%08" PRIx64, name,
		  erased ? "in flash" : "what runs", TEXT_WHOLE(off), TEXT_WHOLE(f->compared),
		  erased ? "are erased" : "differ", f->first_off);
}

static void flash_say(struct chain *c, const struct flash *f)
{
	const char *path = text_basename(image_path(c->image));
	char name[128];

	text_visible(name, sizeof(name), path, strlen(path));
	switch (flash_verdict(f)) {
	case IDENTITY_SAME:
		chain_say(c, "flash", DOCTOR_OK, NULL,
			  "%s is in flash: %s of %s bytes compared, all equal", name,
			  TEXT_WHOLE(f->compared), TEXT_WHOLE(f->total));
		return;
	case IDENTITY_UNSURE:
		chain_say(c, "flash", DOCTOR_WARNING,
			  "none is needed if the program keeps settings there; else flash this ELF",
			  "%s: its code is in flash, but %s of %s bytes of constants differ, the "
			  "first at 0x%08" PRIx64, name, TEXT_WHOLE(f->data_off),
			  TEXT_WHOLE(f->compared), f->first_off);
		return;
	case IDENTITY_OTHER:
		other_say(c, f, name);
		return;
	default:
		chain_say(c, "flash", DOCTOR_WARNING, NULL, "%s has nothing for flash", name);
	}
}

void chain_flash(struct chain *c)
{
	struct err err = { 0 };
	struct flash f;

	if (!c->image) {
		chain_say(c, "flash", DOCTOR_NOTE, "give the ELF of the firmware, too",
			  "no ELF is given: not compared with the flash, functions have no names");
		return;
	}
	flash_init(&f, &c->identity, BLOCK);
	if (flash_read(c, &f, &err) < 0) {
		c->broken = err.code == ERR_IO;
		chain_say(c, "flash", c->broken ? DOCTOR_FAULT : DOCTOR_WARNING,
			  c->broken ? NULL : "is the chip's read-out protection on?",
			  "the flash cannot be read: %s", err.text);
		return;
	}
	c->facts->flash_bytes = f.total;
	c->facts->flash_compared = f.compared;
	c->facts->flash_off = f.code_off + f.data_off;
	flash_say(c, &f);
}
