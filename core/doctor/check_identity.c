/*
 * Which identity the node will send: its build-id, or a checksum over how much of the image.
 */
#include "core/doctor/check.h"

#include <elf.h>
#include <inttypes.h>

#include "core/image/identity.h"

#define NOTE_HEADER 16		/* bytes: three words, "GNU" */
#define NOTE_SENT 12
#define BLOCK(address) ((address) >> 24)	/* the runtime stays in the memory of its code */

/* As target-cortexm/wsnprof_flash.c: where .data's image lies, and .data; behind them, ends. */
enum { IMAGES = 5, NAME_ENDS = 3 * IMAGES, NAMES = NAME_ENDS + 4 };
static const char *const names[NAMES] = {
	"_sidata", "_sdata", "_edata",
	"__etext", "__data_start__", "__data_end__",
	"_data_loadaddr", "_data", "_edata",
	"_etext", "_srelocate", "_erelocate",
	"__data_source", "__data_start", "__data_end",
	"_image_end", "__rom_region_end", "__flash_binary_end", "etext",
};

static uint64_t symbol_value(const struct survey *s, const char *name)
{
	uint64_t value;

	objects_values(&s->elf, &name, 1, &value);
	return value;
}

/* wsnprof_image_end(), on the ELF. */
static uint64_t arm_end(const struct survey *s, uint64_t own)
{
	const struct elf_section *data = elf_find_section(&s->elf, ".data");
	uint64_t v[NAMES], most = symbol_value(s, "wsnprof_flash_end");

	objects_values(&s->elf, names, NAMES, v);
	for (size_t i = 0; !most && i < NAMES; i += i < NAME_ENDS ? 3 : 1) {
		uint64_t end = v[i];

		if (end && i < NAME_ENDS)
			end += v[i + 1] ? v[i + 2] - v[i + 1] : data ? data->size : 0;
		if (BLOCK(end) == BLOCK(own) && end > most)
			most = end;
	}
	return most;
}

/* The checksum's range as the node will find it; false: the application sets it. */
static bool sum_range(const struct survey *s, const struct identity *id,
		      struct wire_identity *sum)
{
	bool avr = s->elf.machine->isa == ELF_ISA_AVR;
	uint64_t own = avr ? 0 : symbol_value(s, "wsnprof_image_end"), start = own, end;

	if (!avr && !own)
		return false;
	end = avr ? symbol_value(s, "__data_load_end") : arm_end(s, own);
	for (size_t i = 0; i < id->section_count && !avr; i++) {
		const struct identity_part *p = &id->sections[i];

		if (!p->ram && BLOCK(p->address) == BLOCK(own) && p->address < start)
			start = p->address;
	}
	*sum = (struct wire_identity){
		.kind = WIRE_IDENTITY_SUM, .start = avr ? 0 : (uint32_t)start,
	};
	sum->length = end > sum->start ? (uint32_t)(end - sum->start) : 0;
	return true;
}

static const char *end_cure(const struct survey *s)
{
	return s->elf.machine->isa == ELF_ISA_AVR ?
	       "#define WSNPROF_FLASH_END: a symbol behind the last section" :
	       "at the end of the linker script's SECTIONS: "
	       ".wsnprof_end : { wsnprof_flash_end = .; } >FLASH";
}

/* On AVR the ELF does not show whether the application set another end. */
static void say_sum(struct doctor *d, const struct survey *s)
{
	bool avr = s->elf.machine->isa == ELF_ISA_AVR;
	struct identity_coverage c = { 0 };
	struct wire_identity sum;
	struct identity id;

	if (identity_read(&id, s->path, NULL) == 0 && sum_range(s, &id, &sum)) {
		c = identity_coverage(&id, &sum);
		if (!sum.length)
			doctor_say(d, DOCTOR_WARNING, end_cure(s),
				   "the node does not find the program's end in flash: it cannot "
				   "tell which firmware runs");
		else if (c.covered * 10 < c.loaded * 9)
			doctor_say(d, avr ? DOCTOR_NOTE : DOCTOR_WARNING, end_cure(s),
				   "the node's checksum covers %" PRIu64 " of %" PRIu64 " bytes in "
				   "flash%s: wsntop will not be sure which firmware runs",
				   c.covered, c.loaded,
				   avr ? ", unless WSNPROF_FLASH_END is set" : "");
	}
	identity_release(&id);
}

/* Does the section begin its memory? */
static bool is_first(const struct survey *s, const struct elf_section *section)
{
	for (size_t i = 0; i < s->elf.section_count; i++) {
		const struct elf_section *in = &s->elf.sections[i];

		if ((in->flags & SHF_ALLOC) && in->size && in->address < section->address &&
		    BLOCK(in->address) == BLOCK(section->address))
			return false;
	}
	return true;
}

/* ld puts a note that the linker script does not name in front of all other sections. */
static bool is_misplaced(const struct survey *s, const struct elf_section *note)
{
	return note && note->flags & SHF_ALLOC && s->vectors && note->address < s->vectors_at &&
	       BLOCK(note->address) == BLOCK(s->vectors_at) && is_first(s, note);
}

static void say_misplaced(struct doctor *d, const struct survey *s, const struct elf_section *note)
{
	doctor_say(d, DOCTOR_FAULT,
		   "wsnprof_build_id = .; KEEP(*(.note.gnu.build-id)) behind the vectors in the "
		   "linker script, or no -Wl,--build-id",
		   "the build-id is at 0x%" PRIx64 ", where the chip reads its vectors, and they "
		   "are at 0x%" PRIx64 ": it does not start", note->address, s->vectors_at);
}

void check_identity(struct doctor *d, struct survey *s)
{
	const struct elf_section *note = elf_find_section(&s->elf, ".note.gnu.build-id");
	uint64_t symbol = symbol_value(s, "wsnprof_build_id");
	bool kept = note && note->flags & SHF_ALLOC && note->size >= NOTE_HEADER + NOTE_SENT;

	if (is_misplaced(s, note))
		say_misplaced(d, s, note);
	if (!s->runtime || is_misplaced(s, note))
		return;
	if (kept && symbol == note->address) {
		doctor_say(d, DOCTOR_OK, NULL,
			   "a build-id is in flash: wsntop tells this build from any other");
		return;
	}
	doctor_say(d, DOCTOR_NOTE,
		   symbol ? "link with -Wl,--build-id" :
		   kept ? "wsnprof_build_id = .; before the note in the linker script" :
		   note ? "a linker script that keeps .note.gnu.build-id in flash" :
		   "not needed; a build-id (-Wl,--build-id) kept in flash is compared faster",
		   "%s: the node takes a checksum of its flash instead",
		   symbol ? "wsnprof_build_id stands before no build-id" :
		   kept ? "a build-id is in flash, but the node does not know where" :
			  "no build-id in flash");
	say_sum(d, s);
}
