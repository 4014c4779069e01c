#include "core/image/attributes.h"

#include <string.h>

#include "core/base/bytes.h"
#include "core/base/mem.h"

/* Tags whose value is a string: 4, 5, 32 (flag and string), 67, and the odd ones from 33 on. */
static void value_skip(struct bytes *b, uint64_t tag)
{
	bool string = tag == 4 || tag == 5 || tag == 67 || (tag > 32 && (tag & 1));

	if (tag == 32 || !string)
		bytes_take_uleb(b);
	if (tag == 32 || string)
		bytes_take_string(b);
}

/* 'A', then a section of "aeabi", whose first sub-section is about the whole file. */
unsigned attributes_arm_arch(const struct elf *e)
{
	enum { VENDOR = 5, FILE_TAG = VENDOR + 6, TAGS = FILE_TAG + 5, CPU_ARCH = 6 };
	const struct elf_section *s = e->machine->isa == ELF_ISA_ARM
				      ? elf_find_section(e, ".ARM.attributes") : NULL;
	uint64_t size = 0;
	unsigned arch = 0;
	uint8_t *p = s ? elf_load(e, s, 1, &size) : NULL;

	if (p && size > TAGS && p[0] == 'A' && memcmp(p + VENDOR, "aeabi", 6) == 0 &&
	    p[FILE_TAG] == 1) {
		struct bytes b = { .data = p, .at = TAGS, .end = size };

		while (!arch && !b.beyond && b.at < b.end) {
			uint64_t tag = bytes_take_uleb(&b);

			if (tag == CPU_ARCH)
				arch = (unsigned)(bytes_take_uleb(&b) & 0xff);
			else
				value_skip(&b, tag);
		}
	}
	mem_free(p);
	return arch;
}
