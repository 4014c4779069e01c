/* marks: see marks.h. */
#include "core/image/marks.h"

#include <stdlib.h>

#include "core/base/bits.h"
#include "core/base/mem.h"

enum { MARK_BYTES = 8 };

static int mark_compare(const void *a, const void *b)
{
	const struct code_mark *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

struct code_mark *marks_read(const struct elf *e, size_t *count)
{
	const struct elf_section *s = elf_find_section(e, ".debug_wsnprof_mark");
	uint64_t size = 0;
	uint8_t *bytes = s ? elf_load(e, s, 0, &size) : NULL;
	size_t most = size / MARK_BYTES < MARKS_MOST ? size / MARK_BYTES : MARKS_MOST;
	struct code_mark *marks = most ? mem_alloc(most * sizeof(*marks)) : NULL;

	*count = 0;
	for (size_t i = 0; marks && i < most; i++) {
		uint32_t address = bits_load32(bytes + i * MARK_BYTES, e->big_data) & ~1u;
		uint32_t number = bits_load32(bytes + i * MARK_BYTES + 4, e->big_data);

		/* A discarded function's is at 0. */
		if (address && elf_code_at(e, address))
			marks[(*count)++] = (struct code_mark){ address, (uint16_t)number };
	}
	mem_free(bytes);
	if (marks && *count)
		qsort(marks, *count, sizeof(*marks), mark_compare);
	return marks;
}
