/* ram: see ram.h. */
#include "core/image/ram.h"

#include <libelf.h>
#include <string.h>

#define AVR_DATA 0x800000u		/* of data in ELFs; EEPROM and fuses lie above */
#define AVR_DATA_END 0x810000u

/* Where in the processor's memory a section of data begins. False: it is none. */
static bool data_address(const struct elf *e, const struct elf_section *s, uint64_t *address)
{
	*address = s->address;
	if (!(s->flags & SHF_ALLOC) || !(s->flags & SHF_WRITE) || !s->size ||
	    s->address + s->size < s->address)
		return false;
	if (e->machine->isa != ELF_ISA_AVR)
		return true;
	*address -= AVR_DATA;
	return s->address >= AVR_DATA && s->address < AVR_DATA_END;
}

int64_t ram_room(const struct elf *e, uint64_t low)
{
	uint64_t below = 0, begin;
	bool any = false;

	for (size_t i = 0; i < e->section_count; i++) {
		const struct elf_section *s = &e->sections[i];

		if (!data_address(e, s, &begin) || begin > low)
			continue;
		if (low < begin + s->size)
			return strstr(s->name, "stack") ? (int64_t)(low - begin) : -1;
		if (!any || begin + s->size > below)
			below = begin + s->size;
		any = true;
	}
	return any && low - below <= INT64_MAX ? (int64_t)(low - below) : -1;
}
