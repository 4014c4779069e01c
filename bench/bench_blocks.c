/*
 * Which share of other builds do a few blocks of code tell apart? Each image of build/sim/cortexm
 * is in flash, each other one is given as the ELF: both are ARM, of one application, and differ in
 * the compiler's options, the runtime or the board.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/image/identity.h"
#include "core/image/image.h"
#include "core/wire/probe/blocks.h"

enum { IMAGES_MAX = 256 };

struct firmware {
	struct blocks blocks;
	struct identity id;
};

static bool firmware_read(struct firmware *f, const char *path)
{
	struct image *im = image_new(path, NULL);

	if (!im || identity_read(&f->id, path, NULL) < 0)
		return false;
	blocks_choose(&f->blocks, image_codemap(im));
	image_free(im);
	return true;
}

/* What a probe would read from this one's flash; erased where it has nothing. */
static void flash_words(const struct identity *id, uint32_t address, uint32_t *words)
{
	uint8_t *to = (uint8_t *)words;

	memset(to, 0xff, WIRE_BLOCK_BYTES);
	for (size_t i = 0; i < id->segment_count; i++) {
		const struct identity_part *p = &id->segments[i];

		for (uint32_t k = 0; k < WIRE_BLOCK_BYTES; k++) {
			if (address + k >= p->address && address + k - p->address < p->size)
				to[k] = id->bytes[p->offset + (address + k - p->address)];
		}
	}
}

static bool is_same_flash(const struct identity *a, const struct identity *b)
{
	if (a->segment_count != b->segment_count)
		return false;
	for (size_t i = 0; i < a->segment_count; i++) {
		const struct identity_part *x = &a->segments[i], *y = &b->segments[i];

		if (x->address != y->address || x->size != y->size ||
		    memcmp(a->bytes + x->offset, b->bytes + y->offset, x->size) != 0)
			return false;
	}
	return true;
}

static enum identity_verdict pair_judge(struct firmware *given, const struct firmware *flashed)
{
	struct blocks *b = &given->blocks;
	uint32_t words[WIRE_BLOCK_WORDS];

	for (unsigned i = 0; i < b->count; i++) {
		flash_words(&flashed->id, b->address[i], words);
		blocks_take(b, i, b->count, b->address[i], words);
	}
	return identity_compare(&given->id, &b->identity);
}

int main(void)
{
	static struct firmware all[IMAGES_MAX];
	unsigned count = 0, pairs = 0, told = 0, same = 0, right = 0;
	const char *build = getenv("O");
	char pattern[256];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/sim/cortexm/*.elf", build ? build : "build");
	if (glob(pattern, 0, NULL, &found) != 0) {
		printf("no %s: make sim\n", pattern);
		return 0;
	}
	for (size_t i = 0; i < found.gl_pathc && count < IMAGES_MAX; i++)
		count += firmware_read(&all[count], found.gl_pathv[i]);
	for (unsigned i = 0; i < count; i++) {
		right += pair_judge(&all[i], &all[i]) == IDENTITY_SAME;
		for (unsigned k = 0; k < count; k++) {
			if (i == k || is_same_flash(&all[i].id, &all[k].id)) {
				same += i != k;
				continue;
			}
			pairs++;
			told += pair_judge(&all[i], &all[k]) == IDENTITY_OTHER;
		}
	}
	printf("%-36s %12u\n", "images", count);
	printf("%-36s %12u of them\n", "known as what runs", right);
	printf("%-36s %12u (and %u of equal flash)\n", "pairs of other builds", pairs, same);
	printf("%-36s %12.3f %%\n", "told apart by 64 blocks of 64 bytes", 100.0 * told / pairs);
	for (unsigned i = 0; i < count; i++)
		identity_release(&all[i].id);
	globfree(&found);
	return 0;
}
