#include "core/image/vectors.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/mem.h"

#define THUMB UINT32_C(1)

static bool is_handler(const struct elf *e, uint32_t value)
{
	return (value & THUMB) && elf_code_at(e, value & ~THUMB);
}

static bool is_stack(const struct elf *e, uint32_t value)
{
	return value && value % 4 == 0 && !elf_code_at(e, value);
}

/* Words of the table in a section's bytes; 0: it is none. */
static size_t table_read(const struct elf *e, const uint8_t *p, uint64_t size, uint32_t *handler)
{
	size_t n = 0;

	if (size < 16 || !is_stack(e, bits_load32(p, e->big_data)) ||
	    !is_handler(e, bits_load32(p + 4, e->big_data)))
		return 0;
	for (handler[n++] = 0; n < VECTORS_MAX && 4 * n + 4 <= size; n++) {
		uint32_t value = bits_load32(p + 4 * n, e->big_data);

		if (value && !is_handler(e, value))
			break;
		handler[n] = value & ~THUMB;
	}
	return n;
}

static bool is_loaded(const struct elf_section *s)
{
	return s->flags & SHF_ALLOC && s->type == SHT_PROGBITS && s->size &&
	       !(s->flags & SHF_COMPRESSED);
}

/* How sure it is that a section that looks like a table is one. */
static unsigned section_grade(const struct elf *e, const struct elf_section *s, uint32_t reset)
{
	bool first = true;

	for (size_t i = 0; i < e->section_count; i++)
		first &= !is_loaded(&e->sections[i]) || e->sections[i].address >= s->address;
	return (reset == (e->entry & ~(uint64_t)THUMB) ? 4 : 0) | (first ? 2 : 0) |
	       (strstr(s->name, "vect") || strstr(s->name, "isr") ? 1 : 0);
}

size_t vectors_read(const struct elf *e, uint32_t handler[VECTORS_MAX], uint64_t *at)
{
	uint32_t found[VECTORS_MAX];
	unsigned best = 0;
	size_t count = 0;

	for (size_t i = 0; e->machine->isa == ELF_ISA_ARM && i < e->section_count; i++) {
		struct elf_section head = e->sections[i];
		uint64_t size;
		uint8_t *p;
		size_t n;

		if (!is_loaded(&head))
			continue;
		if (head.size > VECTORS_MAX * 4)
			head.size = VECTORS_MAX * 4;
		p = elf_load(e, &head, 0, &size);
		n = p ? table_read(e, p, size, found) : 0;
		mem_free(p);
		if (n && section_grade(e, &head, found[1]) > best) {
			best = section_grade(e, &head, found[1]);
			count = n;
			*at = head.address;
			memcpy(handler, found, n * sizeof(*found));
		}
	}
	return count;
}

/* --- handlers without an address -------------------------------------------------------------- */

enum { FIRST_IRQ = 16 };

#define PLACES UINT32_C(0xfffff000)	/* behind all that a Cortex-M can execute */

static const char *const system_names[FIRST_IRQ] = {
	[1] = "Reset", [2] = "NMI", [3] = "HardFault", [4] = "MemManage", [5] = "BusFault",
	[6] = "UsageFault", [7] = "SecureFault", [11] = "SVCall", [12] = "DebugMonitor",
	[14] = "PendSV", [15] = "SysTick",
};

uint32_t vectors_place(unsigned number)
{
	return PLACES + 4 * (number % VECTORS_MAX);
}

bool vectors_is_place(uint64_t address)
{
	return address >= PLACES && address < PLACES + 4 * VECTORS_MAX;
}

bool vectors_place_name(uint64_t address, char *dst, size_t size)
{
	unsigned number = (unsigned)(address - PLACES) / 4;

	if (!vectors_is_place(address))
		return false;
	if (number >= FIRST_IRQ)
		snprintf(dst, size, "IRQ %u", number - FIRST_IRQ);
	else if (system_names[number])
		snprintf(dst, size, "%s", system_names[number]);
	else
		snprintf(dst, size, "exception %u", number);
	return true;
}
