#include "image.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	enum role role;
} roles[] = {
	{ "__gnu_mcount_nc", ROLE_MCOUNT },
	{ "__cyg_profile_func_enter", ROLE_ENTER },
	{ "__cyg_profile_func_exit", ROLE_EXIT },
	{ "wsnprof_timed_enter", ROLE_ENTER },
	{ "wsnprof_timed_exit", ROLE_EXIT },
	{ "wsnprof_timed_tail", ROLE_EXIT },
	{ "wsnprof_timed_tail_saved", ROLE_EXIT },
	{ "wsnprof_count_enter", ROLE_COUNT },
	{ "wsnprof_start", ROLE_START },
	{ "wsnprof_port_start", ROLE_START },
	{ "wsnprof_stop", ROLE_STOP },
	{ "wsnprof_port_stop", ROLE_STOP },
	{ "wsntrace_enter", ROLE_TRACE_ENTER },
	{ "wsntrace_leaf", ROLE_TRACE_ENTER },
	{ "wsntrace_exit", ROLE_TRACE_EXIT },
	{ "wsntrace_exit_tail", ROLE_TRACE_EXIT },
};

/* More than any of the chips has, the system's included. */
enum { VECTORS = 256 };

static enum role role_of(const char *name)
{
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (!strcmp(name, roles[i].name))
			return roles[i].role;
	return ROLE_PLAIN;
}

static const char *file_read(struct image *image, const char *path)
{
	FILE *f = fopen(path, "rb");

	if (!f)
		return "no such file";
	fseek(f, 0, SEEK_END);
	image->length = (size_t)ftell(f);
	rewind(f);
	image->file = malloc(image->length);
	if (!image->file || fread(image->file, 1, image->length, f) != image->length)
		image->length = 0;
	fclose(f);
	return image->length < sizeof(Elf32_Ehdr) || memcmp(image->file, ELFMAG, SELFMAG)
	       ? "not an ELF" : NULL;
}

static const Elf32_Shdr *section_find(const struct image *image, unsigned int i)
{
	const Elf32_Ehdr *e = (const void *)image->file;

	return (const void *)(image->file + e->e_shoff + i * e->e_shentsize);
}

/* The ELF's words at an address, or NULL. */
static const uint32_t *words_at(const struct image *image, uint32_t address)
{
	const Elf32_Ehdr *e = (const void *)image->file;

	for (unsigned int i = 0; i < e->e_shnum; i++) {
		const Elf32_Shdr *s = section_find(image, i);

		if (s->sh_type == SHT_PROGBITS && s->sh_flags & SHF_ALLOC &&
		    address >= s->sh_addr && address < s->sh_addr + s->sh_size)
			return (const void *)(image->file + s->sh_offset + (address - s->sh_addr));
	}
	return NULL;
}

/* Where the loaded sections begin. */
static uint32_t flash_start(const struct image *image)
{
	const Elf32_Ehdr *e = (const void *)image->file;
	uint32_t low = UINT32_MAX;

	for (unsigned int i = 0; i < e->e_shnum; i++) {
		const Elf32_Shdr *s = section_find(image, i);

		if (s->sh_type == SHT_PROGBITS && s->sh_flags & SHF_ALLOC && s->sh_size &&
		    s->sh_addr < low)
			low = s->sh_addr;
	}
	return low;
}

static int by_address(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

struct function *image_find(const struct image *image, uint32_t address)
{
	size_t low = 0, high = image->functions;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (image->function[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	struct function *f = &image->function[low - 1];

	/* Assembly may have no sizes: up to the next. */
	return !f->size || address < f->address + f->size ? f : NULL;
}

/* The vector table is the flash's beginning; it ends with what is neither 0 nor a function. */
static const char *handlers_mark(struct image *image)
{
	const uint32_t *vector = words_at(image, flash_start(image));

	for (uint32_t i = 1; vector && i < VECTORS; i++) {
		struct function *f = vector[i] & 1 ? image_find(image, vector[i] & ~1u) : NULL;

		if (vector[i] && (!f || f->address != (vector[i] & ~1u)))
			break;
		if (f && i > 1)
			f->handler = true;
	}
	return vector ? NULL : "no vector table";
}

/* Functions of one address become one. */
static void functions_merge(struct image *image)
{
	size_t kept = 0;

	qsort(image->function, image->functions, sizeof(*image->function), by_address);
	for (size_t i = 0; i < image->functions; i++) {
		const struct function *f = &image->function[i];
		struct function *last = kept ? &image->function[kept - 1] : NULL;

		if (last && last->address == f->address) {
			last->sampler |= f->sampler;
			if (f->role != ROLE_PLAIN || f->size > last->size)
				*last = (struct function){
					.address = f->address, .size = f->size, .name = f->name,
					.role = f->role, .sampler = last->sampler,
				};
		} else {
			image->function[kept++] = *f;
		}
	}
	image->functions = kept;
}

/* Records of core/image/traced.h. */
static void ids_read(struct image *image)
{
	const Elf32_Ehdr *e = (const void *)image->file;
	const Elf32_Shdr *names = section_find(image, e->e_shstrndx);

	for (unsigned int i = 0; i < e->e_shnum; i++) {
		const Elf32_Shdr *s = section_find(image, i);
		const uint8_t *p = image->file + s->sh_offset;

		if (strcmp((const char *)image->file + names->sh_offset + s->sh_name,
			   ".wsntrace_map"))
			continue;
		for (uint32_t at = 0; at + 8 <= s->sh_size; at += 8, p += 8) {
			uint32_t address = (p[0] | p[1] << 8 | p[2] << 16 |
					    (uint32_t)p[3] << 24) & ~1u;
			struct function *f = image_find(image, address);

			if (f && f->address == address)
				f->id = (uint16_t)(p[4] | p[5] << 8);
			image->traced = true;
		}
	}
}

const char *image_open(struct image *image, const char *path, const char *sampler)
{
	const char *why = file_read(image, path);

	if (why)
		return why;
	const Elf32_Ehdr *e = (const void *)image->file;
	const Elf32_Shdr *table = NULL;

	for (unsigned int i = 0; i < e->e_shnum; i++)
		if (section_find(image, i)->sh_type == SHT_SYMTAB)
			table = section_find(image, i);
	if (!table)
		return "no symbols";
	const Elf32_Sym *symbol = (const void *)(image->file + table->sh_offset);
	const char *names = (const char *)image->file +
			    section_find(image, table->sh_link)->sh_offset;
	size_t symbols = table->sh_size / sizeof(*symbol);

	image->function = calloc(symbols, sizeof(*image->function));
	if (!image->function)
		return "out of memory";
	for (size_t i = 0; i < symbols; i++) {
		const char *name = names + symbol[i].st_name;

		if (ELF32_ST_TYPE(symbol[i].st_info) == STT_FUNC && symbol[i].st_shndx != SHN_UNDEF)
			image->function[image->functions++] = (struct function){
				.address = symbol[i].st_value & ~1u,
				.size = symbol[i].st_size,
				.name = name,
				.role = role_of(name),
				.sampler = !strcmp(name, sampler),
			};
		else if (!strcmp(name, "wsnprof_on"))
			image->on = symbol[i].st_value;
		else if (!strcmp(name, "truth_task"))
			image->task = symbol[i].st_value, image->tasks = symbol[i].st_size;
	}
	functions_merge(image);
	ids_read(image);
	return handlers_mark(image);
}
