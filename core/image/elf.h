/*
 * elf: the parts of an ELF file that the image needs: sections, code bytes, symbols in code.
 *
 * Headers and symbols are read through libelf; contents with pread, never mmap: a rebuild may
 * truncate the file under us, and a mapping would then raise SIGBUS. Every extent is checked
 * against the file. After elf_open nothing changes, so that the DWARF thread may read it beside the
 * main one.
 */
#ifndef WSNTOP_IMAGE_ELF_H
#define WSNTOP_IMAGE_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/wire/codemap.h"

enum elf_isa {
	ELF_ISA_AVR, ELF_ISA_ARM, ELF_ISA_MSP430, ELF_ISA_RISCV, ELF_ISA_X86, ELF_ISA_X86_64,
	ELF_ISA_AARCH64,
};

struct elf_machine {
	unsigned number;		/* e_machine */
	const char *name;
	enum elf_isa isa;
	enum code_arch arch;
};

struct elf_section {
	const char *name;
	uint64_t address, size, offset, flags;
	uint32_t type, link, name_offset;
};

/* An executable section with its bytes. */
struct elf_code {
	uint64_t address, size;
	uint32_t section;
	uint8_t *bytes;
};

enum elf_kind { ELF_KIND_LABEL, ELF_KIND_FUNCTION, ELF_KIND_DATA };
enum elf_bind { ELF_BIND_LOCAL, ELF_BIND_WEAK, ELF_BIND_GLOBAL };

/* A symbol in an executable section. ARM's Thumb bit is stripped. */
struct elf_symbol {
	uint64_t address, size;
	const char *name;		/* raw: as the file has it */
	const char *file;		/* of its STT_FILE, raw; NULL for globals */
	enum elf_kind kind;
	enum elf_bind bind;
};

/* A number that the runtime left in the image: an absolute symbol, "wsnprof_...". */
struct elf_constant {
	const char *name;
	uint64_t value;
};

/* ARM mapping symbols ($a, $t, $d; AAELF32 5.5.5): the kind of code or data from here on. */
struct elf_mode {
	uint64_t address;
	char state;			/* 'a', 't' or 'd' */
};

struct elf {
	int fd;
	uint64_t file_size;
	const struct elf_machine *machine;
	unsigned bits;			/* 32 or 64 */
	bool big_data, big_code;	/* ARM BE8 has little-endian code with big-endian data */
	bool relocatable;		/* an object file: not linked */
	uint64_t entry;
	uint32_t flags;			/* e_flags: the machine's own */
	struct elf_section *sections;
	size_t section_count;
	char *names;			/* section names */
	struct elf_code *code;		/* by address; they do not overlap */
	size_t code_count;
	struct elf_symbol *symbols;	/* by address; file order where equal */
	size_t symbol_count;
	char *strings;			/* symbol names */
	size_t string_size;
	struct elf_mode *modes;		/* by address */
	size_t mode_count;
	struct elf_constant *constants;
	size_t constant_count;
	bool has_symbols;		/* a symbol table with something in it about code */
};

/* Of an e_machine; NULL: not one that is known here. */
const struct elf_machine *elf_machine_of(unsigned number);

int elf_open(struct elf *e, const char *path, struct err *err);
void elf_close(struct elf *e);			/* also after elf_open failed */

/* Whether [offset, offset + size) is in a file of so many bytes. */
static inline bool elf_in_file(uint64_t file_size, uint64_t offset, uint64_t size)
{
	return offset <= file_size && size <= file_size - offset;
}

/* Read `size` bytes; false where there are fewer. */
bool elf_read_at(int fd, void *to, uint64_t size, uint64_t offset);

const struct elf_section *elf_find_section(const struct elf *e, const char *name);

/*
 * The most bytes that what is read of the file may become, compressed sections inflated: more is a
 * file that is made to harm. Debug information shrinks to a third or a fourth.
 */
uint64_t elf_budget(const struct elf *e);

/*
 * A section's bytes, decompressed, followed by `pad` zero bytes, for mem_free(). NULL when it has
 * none, lies outside the file, would be more than the budget or `most`, or memory is out.
 */
uint8_t *elf_load(const struct elf *e, const struct elf_section *s, size_t pad, uint64_t *size);
uint8_t *elf_load_within(const struct elf *e, const struct elf_section *s, size_t pad,
			 uint64_t most, uint64_t *size);

/* The code section that holds an address, or NULL. */
const struct elf_code *elf_code_at(const struct elf *e, uint64_t address);

/* Up to 4 bytes of code as a number in the code's byte order; false outside. */
bool elf_code16(const struct elf *e, uint64_t address, uint16_t *value);
bool elf_code32(const struct elf *e, uint64_t address, uint32_t *value);

/* A constant by its name; false: there is none. */
bool elf_constant(const struct elf *e, const char *name, uint64_t *value);

/* FNV-1a: a key for maps by name. Two names may share one: compare. */
uint64_t elf_name_hash(const char *name, size_t n);

size_t elf_memory_size(const struct elf *e);

#endif
