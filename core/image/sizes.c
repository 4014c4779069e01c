#include "core/image/sizes.h"

#include <elf.h>

#include "core/image/elf.h"

#define AVR_EEPROM UINT64_C(0x810000)

static void section_add(struct image_sizes *sizes, const struct elf *e,
			const struct elf_section *s)
{
	uint64_t sum;

	if (!(s->flags & SHF_ALLOC) ||
	    (e->machine->isa == ELF_ISA_AVR && s->address >= AVR_EEPROM))
		return;
	if (s->type != SHT_NOBITS && !__builtin_add_overflow(sizes->flash, s->size, &sum))
		sizes->flash = sum;
	if (s->flags & SHF_WRITE && !__builtin_add_overflow(sizes->ram, s->size, &sum))
		sizes->ram = sum;
}

int image_sizes_read(const char *path, struct image_sizes *sizes, struct err *err)
{
	struct elf e;
	int ret = elf_open(&e, path, err);

	*sizes = (struct image_sizes){ 0 };
	for (size_t i = 0; ret == 0 && i < e.section_count; i++)
		section_add(sizes, &e, &e.sections[i]);
	elf_close(&e);
	return ret;
}
