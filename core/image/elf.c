#include "core/image/elf.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/bits.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/image/elf_code.h"
#include "core/image/inflate.h"
#include "core/image/runtime.h"

#define EM_AVR_OLD 0x1057
#define EM_MSP430_OLD 0x1059
#define EF_ARM_BE8_FLAG 0x00800000u
#define STT_ARM_TFUNC_OLD 13 /* STT_LOPROC: a Thumb function in the old ARM ABI */

static const struct elf_machine machines[] = {
	{ .number = EM_AVR, .name = "avr", .isa = ELF_ISA_AVR, .arch = CODE_AVR },
	{ .number = EM_AVR_OLD, .name = "avr", .isa = ELF_ISA_AVR, .arch = CODE_AVR },
	{ .number = EM_ARM, .name = "arm", .isa = ELF_ISA_ARM, .arch = CODE_ARM },
	{ .number = EM_MSP430, .name = "msp430", .isa = ELF_ISA_MSP430, .arch = CODE_MSP430 },
	{ .number = EM_MSP430_OLD, .name = "msp430", .isa = ELF_ISA_MSP430, .arch = CODE_MSP430 },
	{ .number = EM_RISCV, .name = "riscv", .isa = ELF_ISA_RISCV, .arch = CODE_RISCV },
	{ .number = EM_386, .name = "x86", .isa = ELF_ISA_X86, .arch = CODE_HOST },
	{ .number = EM_X86_64, .name = "x86-64", .isa = ELF_ISA_X86_64, .arch = CODE_HOST },
	{ .number = EM_AARCH64, .name = "aarch64", .isa = ELF_ISA_AARCH64, .arch = CODE_HOST },
};

/* --- the file --------------------------------------------------------------------------------- */

static int open_file(struct elf *e, const char *path, struct err *err)
{
	struct stat st;

	e->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);	/* a FIFO must not hold us up */
	if (e->fd < 0)
		return err_errno(err, "%s", path);
	if (fstat(e->fd, &st) < 0)
		return err_errno(err, "%s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_FORMAT, "%s: not a regular file: an ELF image is expected",
			       path);
	e->file_size = (uint64_t)st.st_size;
	return 0;
}

uint64_t elf_budget(const struct elf *e)
{
	const uint64_t mb = UINT64_C(1) << 20, size = e->file_size;

	return 48 * mb + 2 * (size < UINT64_MAX / 8 ? size : UINT64_MAX / 8);
}

bool elf_read_at(int fd, void *to, uint64_t size, uint64_t offset)
{
	char *p = to;

	while (size) {
		ssize_t n = pread(fd, p, size < (1u << 30) ? size : 1u << 30, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		offset += (uint64_t)n;
		size -= (uint64_t)n;
	}
	return true;
}

const struct elf_machine *elf_machine_of(unsigned number)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		if (machines[i].number == number)
			return &machines[i];
	}
	return NULL;
}

int elf_set_truncated(const char *path, const char *what, struct err *err)
{
	return err_set(err, ERR_FORMAT,
		       "%s: truncated: %s lies beyond its end (is it still being written?)", path,
		       what);
}

static int read_header(struct elf *e, Elf *elf, const char *path, struct err *err)
{
	GElf_Ehdr h;
	char first;

	/* libelf does not tell a disk that fails from another kind of file. */
	if (pread(e->fd, &first, 1, 0) < 0)
		return err_errno(err, "%s: cannot be read", path);
	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &h))
		return err_set(err, ERR_FORMAT, "%s: not an ELF file", path);
	e->machine = elf_machine_of(h.e_machine);
	if (!e->machine)
		return err_set(err, ERR_FORMAT,
			       "%s: ELF of machine %u: only AVR, ARM, MSP430, RISC-V, x86 and "
			       "AArch64 are known",
			       path, (unsigned)h.e_machine);
	e->bits = gelf_getclass(elf) == ELFCLASS64 ? 64 : 32;
	e->big_data = h.e_ident[EI_DATA] == ELFDATA2MSB;
	e->big_code =
		e->big_data && !(e->machine->isa == ELF_ISA_ARM && (h.e_flags & EF_ARM_BE8_FLAG));
	e->relocatable = h.e_type == ET_REL;
	e->entry = h.e_entry;
	e->flags = h.e_flags;
	if (!elf_in_file(e->file_size, h.e_shoff, (uint64_t)h.e_shnum * h.e_shentsize))
		return elf_set_truncated(path, "the section table", err);
	if (!elf_in_file(e->file_size, h.e_phoff, (uint64_t)h.e_phnum * h.e_phentsize))
		return elf_set_truncated(path, "the program header table", err);
	return 0;
}

/* --- sections --------------------------------------------------------------------------------- */

static const char *name_at(const char *strings, size_t size, uint64_t at)
{
	return strings && at < size ? strings + at : "";	/* elf_load ended them with a NUL */
}

static void fill_section(struct elf_section *s, const GElf_Shdr *h)
{
	*s = (struct elf_section){
		.address = h->sh_addr,
		.size = h->sh_size,
		.offset = h->sh_offset,
		.flags = h->sh_flags,
		.type = h->sh_type,
		.link = h->sh_link,
		.name_offset = h->sh_name,
	};
}

static int read_sections(struct elf *e, Elf *elf, const char *path, struct err *err)
{
	size_t count = 0, names_index = 0;
	uint64_t names_size = 0;
	GElf_Shdr h;

	if (elf_getshdrnum(elf, &count) < 0 || count > MAX_SECTIONS)
		return err_set(err, ERR_FORMAT, "%s: invalid section table", path);
	e->sections = mem_zalloc((count + 1) * sizeof(*e->sections));
	if (!e->sections)
		return err_set(err, ERR_NOMEM, "%s: out of memory", path);
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getshdr(elf_getscn(elf, i), &h))
			return elf_set_truncated(path, "the section table", err);
		fill_section(&e->sections[i], &h);
	}
	e->section_count = count;
	if (elf_getshdrstrndx(elf, &names_index) == 0 && names_index && names_index < count)
		e->names = (char *)elf_load(e, &e->sections[names_index], 1, &names_size);
	for (size_t i = 0; i < count; i++)
		e->sections[i].name = name_at(e->names, names_size, e->sections[i].name_offset);
	return 0;
}

const struct elf_section *elf_find_section(const struct elf *e, const char *name)
{
	for (size_t i = 0; i < e->section_count; i++) {
		if (strcmp(e->sections[i].name, name) == 0 && e->sections[i].type != SHT_NOBITS)
			return &e->sections[i];
	}
	return NULL;
}

uint8_t *elf_load(const struct elf *e, const struct elf_section *s, size_t pad, uint64_t *size)
{
	return elf_load_within(e, s, pad, elf_budget(e), size);
}

uint8_t *elf_load_within(const struct elf *e, const struct elf_section *s, size_t pad,
			 uint64_t most, uint64_t *size)
{
	uint8_t *bytes;

	*size = 0;
	if (s->type == SHT_NOBITS || !elf_in_file(e->file_size, s->offset, s->size))
		return NULL;
	if (s->flags & SHF_COMPRESSED)
		return inflate_section(e, s, pad, most, size);
	if (s->size > most)
		return NULL;
	bytes = mem_alloc(s->size + pad);
	if (!bytes)
		return NULL;
	if (!elf_read_at(e->fd, bytes, s->size, s->offset)) {
		mem_free(bytes);
		return NULL;
	}
	memset(bytes + s->size, 0, pad);
	*size = s->size;
	return bytes;
}

/* --- symbols ---------------------------------------------------------------------------------- */

struct symbol_reader {
	struct elf *e;
	const char *file;
	size_t symbol_cap, mode_cap, constant_cap;
};

static int constant_add(struct symbol_reader *r, const GElf_Sym *s, const char *name)
{
	struct elf *e = r->e;

	if (mem_grow(&e->constants, &r->constant_cap, e->constant_count + 1,
		     sizeof(*e->constants)) < 0)
		return ERR_NOMEM;
	e->constants[e->constant_count++] = (struct elf_constant){ name, s->st_value };
	return 0;
}

bool elf_constant(const struct elf *e, const char *name, uint64_t *value)
{
	for (size_t i = 0; i < e->constant_count; i++) {
		if (strcmp(e->constants[i].name, name) == 0) {
			*value = e->constants[i].value;
			return true;
		}
	}
	return false;
}

/* "$t", "$d.12": true, and which. */
static bool mapping_symbol(const char *name, char *state)
{
	if (name[0] != '$' || !name[1] || !strchr("adtxbpm", name[1]) ||
	    (name[2] && name[2] != '.'))
		return false;
	*state = name[1];
	return true;
}

static int add_mode(struct symbol_reader *r, uint64_t address, char state)
{
	struct elf *e = r->e;

	if (e->machine->isa != ELF_ISA_ARM)
		return 0;
	if (mem_grow(&e->modes, &r->mode_cap, e->mode_count + 1, sizeof(*e->modes)) < 0)
		return ERR_NOMEM;
	e->modes[e->mode_count++] = (struct elf_mode){ .address = address, .state = state };
	return 0;
}

static enum elf_kind kind_of(unsigned type)
{
	switch (type) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
	case STT_ARM_TFUNC_OLD:
		return ELF_KIND_FUNCTION;
	case STT_OBJECT:
	case STT_COMMON:
	case STT_TLS:
		return ELF_KIND_DATA;
	default:
		return ELF_KIND_LABEL;
	}
}

static bool in_code_section(const struct elf *e, const GElf_Sym *s, uint64_t address)
{
	const uint64_t want = SHF_ALLOC | SHF_EXECINSTR;
	const struct elf_section *in;

	if (s->st_shndx == SHN_UNDEF || s->st_shndx >= e->section_count)
		return false;
	in = &e->sections[s->st_shndx];
	return (in->flags & want) == want && address - in->address < in->size;
}

static int add_symbol(struct symbol_reader *r, const GElf_Sym *s, const char *name)
{
	unsigned type = GELF_ST_TYPE(s->st_info), bind = GELF_ST_BIND(s->st_info);
	struct elf *e = r->e;
	bool arm = e->machine->isa == ELF_ISA_ARM;
	enum elf_kind kind = kind_of(type);
	uint64_t address = s->st_value;
	bool thumb = arm && kind == ELF_KIND_FUNCTION &&
		     ((address & 1) || type == STT_ARM_TFUNC_OLD);
	char state;

	if (s->st_shndx == SHN_ABS && text_begins(name, RUNTIME_PREFIX))
		return constant_add(r, s, name);
	if (arm && kind == ELF_KIND_FUNCTION)
		address &= ~UINT64_C(1);
	if (!in_code_section(e, s, address) || type == STT_SECTION || !name[0])
		return 0;
	if (mapping_symbol(name, &state))
		return add_mode(r, address, state);
	if (strncmp(name, ".L", 2) == 0)
		return 0; /* left over by the assembler for the linker's relaxation */
	if (kind == ELF_KIND_FUNCTION && add_mode(r, address, thumb ? 't' : 'a') < 0)
		return ERR_NOMEM;
	if (mem_grow(&e->symbols, &r->symbol_cap, e->symbol_count + 1, sizeof(*e->symbols)) < 0)
		return ERR_NOMEM;
	e->symbols[e->symbol_count++] = (struct elf_symbol){
		.address = address, .size = s->st_size, .name = name, .kind = kind,
		.file = bind == STB_LOCAL ? r->file : NULL,
		.bind = bind == STB_LOCAL ? ELF_BIND_LOCAL :
			bind == STB_WEAK ? ELF_BIND_WEAK : ELF_BIND_GLOBAL,
	};
	return 0;
}

static int by_symbol_address(const void *a, const void *b)
{
	const struct elf_symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name; /* one string table: a steady order */
}

static int by_mode_address(const void *a, const void *b)
{
	const struct elf_mode *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->state < y->state ? -1 : x->state > y->state;
}

/* The full table, else the one that a stripped host program keeps for its dynamic linker. */
static const struct elf_section *symbol_table(const struct elf *e)
{
	const struct elf_section *dynamic = NULL;

	for (size_t i = 0; i < e->section_count; i++) {
		if (e->sections[i].type == SHT_SYMTAB)
			return &e->sections[i];
		if (e->sections[i].type == SHT_DYNSYM)
			dynamic = &e->sections[i];
	}
	return dynamic;
}

/*
 * Names that end alike share their bytes, in honest files few of them. Where they are so many that
 * reading each would take long, the rest is left out.
 */
static int collect_symbols(struct symbol_reader *r, Elf_Data *data, size_t count)
{
	struct elf *e = r->e;
	size_t left = 4 * e->string_size + (1u << 20);

	for (size_t i = 1; i < count && i <= INT32_MAX; i++) {
		const char *name;
		GElf_Sym s;

		if (!gelf_getsym(data, (int)i, &s))
			break;
		name = name_at(e->strings, e->string_size, s.st_name);
		left -= strnlen(name, left);
		if (!left)
			break;
		if (GELF_ST_TYPE(s.st_info) == STT_FILE)
			r->file = name[0] ? name : NULL;
		else if (add_symbol(r, &s, name) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

static int read_symbols(struct elf *e, Elf *elf, const char *path, struct err *err)
{
	const struct elf_section *table = symbol_table(e);
	struct symbol_reader r = { .e = e };
	size_t entry = e->bits == 64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	Elf_Data *data;
	uint64_t size;

	if (!table || table->link >= e->section_count)
		return 0;
	if (!elf_in_file(e->file_size, table->offset, table->size) ||
	    !elf_in_file(e->file_size, e->sections[table->link].offset,
			 e->sections[table->link].size))
		return elf_set_truncated(path, "the symbol table", err);
	e->strings = (char *)elf_load(e, &e->sections[table->link], 1, &size);
	e->string_size = (size_t)size;
	data = elf_getdata(elf_getscn(elf, (size_t)(table - e->sections)), NULL);
	if (!e->strings || !data || data->d_type != ELF_T_SYM)
		return 0;
	if (collect_symbols(&r, data, data->d_size / entry) < 0)
		return err_set(err, ERR_NOMEM, "%s: out of memory", path);
	if (e->symbol_count)
		qsort(e->symbols, e->symbol_count, sizeof(*e->symbols), by_symbol_address);
	if (e->mode_count)
		qsort(e->modes, e->mode_count, sizeof(*e->modes), by_mode_address);
	e->has_symbols = e->symbol_count > 0;
	return 0;
}

/* --- life ------------------------------------------------------------------------------------- */

int elf_open(struct elf *e, const char *path, struct err *err)
{
	Elf *elf = NULL;
	int ret;

	*e = (struct elf){ .fd = -1 };
	ret = open_file(e, path, err);
	if (ret < 0)
		return ret;
	if (elf_version(EV_CURRENT) == EV_NONE)
		return err_set(err, ERR_FORMAT, "libelf is out of date");
	elf = elf_begin(e->fd, ELF_C_READ, NULL);
	ret = read_header(e, elf, path, err);
	if (ret == 0)
		ret = read_sections(e, elf, path, err);
	if (ret == 0)
		ret = elf_read_code(e, elf, path, err);
	if (ret == 0)
		ret = read_symbols(e, elf, path, err);
	elf_end(elf);
	return ret;
}

void elf_close(struct elf *e)
{
	if (e->fd >= 0)
		close(e->fd);
	for (size_t i = 0; i < e->code_count; i++)
		mem_free(e->code[i].bytes);
	mem_free(e->code);
	mem_free(e->sections);
	mem_free(e->names);
	mem_free(e->symbols);
	mem_free(e->constants);
	mem_free(e->strings);
	mem_free(e->modes);
	*e = (struct elf){ .fd = -1 };
}

uint64_t elf_name_hash(const char *name, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
	return h;
}

size_t elf_memory_size(const struct elf *e)
{
	size_t n = e->section_count * sizeof(*e->sections) + e->symbol_count * sizeof(*e->symbols) +
		   e->mode_count * sizeof(*e->modes) + e->string_size +
		   e->constant_count * sizeof(*e->constants);

	for (size_t i = 0; i < e->code_count; i++)
		n += (size_t)e->code[i].size;
	return n;
}
