#include "core/image/stabs.h"

#include "core/base/mem.h"

bool stabs_has_functions(const struct elf *e)
{
	enum { ENTRY = 12, TYPE = 4, N_FUN = 0x24 };
	const struct elf_section *s = elf_find_section(e, ".stab");
	uint64_t size = 0;
	uint8_t *bytes = s ? elf_load(e, s, 0, &size) : NULL;
	bool found = false;

	for (uint64_t at = 0; bytes && !found && at + ENTRY <= size; at += ENTRY)
		found = bytes[at + TYPE] == N_FUN;
	mem_free(bytes);
	return found;
}
