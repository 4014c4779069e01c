#include "core/collect/elfs.h"

#include "core/base/mem.h"

int elfs_open(struct elfs *e, const char *const *paths, size_t count, struct err *err)
{
	*e = (struct elfs){ .items = mem_zalloc((count + 1) * sizeof(*e->items)) };
	if (!e->items)
		return err_set(err, ERR_NOMEM, "out of memory");
	for (size_t i = 0; i < count; i++) {
		struct elf *elf = &e->items[e->count++];

		elf->image = image_new(paths[i], err);
		if (!elf->image || identity_read(&elf->identity, paths[i], err) < 0)
			return ERR_FORMAT;
	}
	for (size_t i = 0; i < count; i++)
		image_wait(e->items[i].image);
	return 0;
}

void elfs_release(struct elfs *e)
{
	for (size_t i = 0; i < e->count; i++) {
		image_free(e->items[i].image);
		identity_release(&e->items[i].identity);
	}
	mem_free(e->items);
	*e = (struct elfs){ .count = 0 };
}

static const struct image *image_judge(const struct elfs *e, const struct wire_identity *identity)
{
	const struct image *may = NULL;

	for (size_t i = 0; i < e->count; i++) {
		enum identity_verdict v = identity_compare(&e->items[i].identity, identity);

		if (v == IDENTITY_SAME)
			return e->items[i].image;
		if (v == IDENTITY_UNSURE && !may)
			may = e->items[i].image;
	}
	return may;
}

const struct image *elfs_image(struct elfs *e, const struct wire_identity *identity)
{
	size_t known = e->judgements < ELFS_JUDGED ? e->judgements : ELFS_JUDGED;
	struct elfs_judged *new = &e->judged[e->judgements % ELFS_JUDGED];
	struct sum_build build;

	if (!e->count || !sum_build_of(&build, identity))
		return NULL;
	for (size_t i = 0; i < known; i++)
		if (sum_build_same(&e->judged[i].build, &build))
			return e->judged[i].image;
	*new = (struct elfs_judged){ build, image_judge(e, identity) };
	e->judgements++;
	return new->image;
}
