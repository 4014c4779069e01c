#include "core/image/attributes.h"

#include <string.h>

#include "core/base/mem.h"

static uint64_t uleb(const uint8_t *p, uint64_t size, uint64_t *at)
{
	uint64_t v = 0;

	for (unsigned shift = 0; *at < size; shift += 7) {
		uint8_t b = p[(*at)++];

		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			break;
	}
	return v;
}

/* Tags whose value is a string: 4, 5, 32 (flag and string), 67, and the odd ones from 33 on. */
static void skip_value(const uint8_t *p, uint64_t size, uint64_t tag, uint64_t *at)
{
	bool string = tag == 4 || tag == 5 || tag == 67 || (tag > 32 && (tag & 1));

	if (tag == 32 || !string)
		uleb(p, size, at);
	if (tag == 32 || string) {
		while (*at < size && p[*at])
			(*at)++;
		(*at)++;
	}
}

/* 'A', then a section of "aeabi", whose first sub-section is about the whole file. */
unsigned attributes_arm_arch(const struct elf *e)
{
	enum { VENDOR = 5, FILE_TAG = VENDOR + 6, TAGS = FILE_TAG + 5, CPU_ARCH = 6 };
	const struct elf_section *s = e->machine->isa == ELF_ISA_ARM
				      ? elf_find_section(e, ".ARM.attributes") : NULL;
	uint64_t size = 0, at = TAGS;
	unsigned arch = 0;
	uint8_t *p = s ? elf_load(e, s, 1, &size) : NULL;

	if (p && size > TAGS && p[0] == 'A' && memcmp(p + VENDOR, "aeabi", 6) == 0 &&
	    p[FILE_TAG] == 1) {
		while (at < size) {
			uint64_t tag = uleb(p, size, &at);

			if (tag == CPU_ARCH) {
				arch = (unsigned)(uleb(p, size, &at) & 0xff);
				break;
			}
			skip_value(p, size, tag, &at);
		}
	}
	mem_free(p);
	return arch;
}
