#include "core/image/traced.h"

#include "core/base/mem.h"

void traced_read(struct traced *t, const struct elf *e)
{
	const struct elf_section *s = elf_find_section(e, ".wsntrace_fn");
	uint64_t size = 0;
	uint8_t *p = s ? elf_load(e, s, 1, &size) : NULL;

	*t = (struct traced){ .count = p ? (size_t)(size / 4) : 0 };
	if (!p)
		return;
	t->addresses = mem_alloc((t->count + 1) * sizeof(*t->addresses));
	if (!t->addresses)
		t->count = 0;
	for (size_t i = 0; i < t->count; i++) {
		const uint8_t *word = p + 4 * i;

		t->addresses[i] = e->big_data
			? (uint32_t)word[0] << 24 | (uint32_t)word[1] << 16 |
			  (uint32_t)word[2] << 8 | word[3]
			: (uint32_t)word[3] << 24 | (uint32_t)word[2] << 16 |
			  (uint32_t)word[1] << 8 | word[0];
	}
	mem_free(p);
}

void traced_release(struct traced *t)
{
	mem_free(t->addresses);
}
