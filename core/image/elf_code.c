#include "core/image/elf_code.h"

#include <stdlib.h>

#include "core/base/bits.h"
#include "core/base/mem.h"
#include "core/base/sorted.h"

/* --- where it is ------------------------------------------------------------------------------ */

/* Where code is said to be, before any of it is loaded. */
struct code_places {
	struct elf_section *v;		/* name_offset: the section's number */
	size_t count, cap;
};

static int by_place(const void *a, const void *b)
{
	const struct elf_section *x = a, *y = b;

	return x->address != y->address ? (x->address < y->address ? -1 : 1) :
	       x->name_offset < y->name_offset ? -1 : 1;
}

static int place_add(struct code_places *p, struct elf_section s, uint32_t number)
{
	if (s.address > UINT64_MAX - s.size)
		return 0;
	if (mem_grow(&p->v, &p->cap, p->count + 1, sizeof(*p->v)) < 0)
		return ERR_NOMEM;
	s.name_offset = number;
	p->v[p->count++] = s;
	return 0;
}

/* Overlaps occur in objects that are not linked, and in broken files: the first keeps its bytes. */
static void places_separate(struct code_places *p)
{
	size_t kept = 0;

	if (p->count)
		qsort(p->v, p->count, sizeof(*p->v), by_place);
	for (size_t i = 0; i < p->count; i++) {
		const struct elf_section *last = kept ? &p->v[kept - 1] : NULL;

		if (!last || p->v[i].address - last->address >= last->size)
			p->v[kept++] = p->v[i];
	}
	p->count = kept;
}

static int places_of_sections(const struct elf *e, struct code_places *p)
{
	const uint64_t want = SHF_ALLOC | SHF_EXECINSTR;

	for (size_t i = 0; i < e->section_count; i++) {
		const struct elf_section *s = &e->sections[i];

		if ((s->flags & want) == want && s->type != SHT_NOBITS && s->size &&
		    place_add(p, *s, (uint32_t)i) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

/* A file without sections (sstrip, some loaders' output) still has segments. */
static int places_of_segments(Elf *elf, struct code_places *p)
{
	size_t count = 0;
	GElf_Phdr h;

	if (elf_getphdrnum(elf, &count) < 0)
		return 0;
	for (size_t i = 0; i < count && i < MAX_SECTIONS && gelf_getphdr(elf, (int)i, &h); i++) {
		struct elf_section s = { .address = h.p_vaddr,
					 .size = h.p_filesz,
					 .offset = h.p_offset };

		if (h.p_type == PT_LOAD && (h.p_flags & PF_X) && h.p_filesz &&
		    place_add(p, s, UINT32_MAX) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

/* Sections that share bytes of the file would make more of it than it is. */
static int code_load(struct elf *e, const struct code_places *p, const char *path, struct err *err)
{
	uint64_t left = e->file_size;

	e->code = mem_zalloc((p->count + 1) * sizeof(*e->code));
	for (size_t i = 0; e->code && i < p->count; i++) {
		const struct elf_section *s = &p->v[i];
		struct elf_code *c = &e->code[e->code_count];

		if (!elf_in_file(e->file_size, s->offset, s->size))
			return elf_set_truncated(path, "its code", err);
		if (s->size > left || s->flags & SHF_COMPRESSED)
			return err_set(err, ERR_FORMAT, "%s: its code is more than the file has: "
				       "link it again", path);
		*c = (struct elf_code){ .address = s->address, .section = s->name_offset };
		c->bytes = elf_load(e, s, 8, &c->size);
		if (!c->bytes)
			break;
		left -= s->size;
		e->code_count++;
	}
	return e->code && e->code_count == p->count ? 0 :
	       err_set(err, ERR_NOMEM, "%s: its code cannot be read: out of memory", path);
}

int elf_read_code(struct elf *e, Elf *elf, const char *path, struct err *err)
{
	struct code_places p = { .v = NULL };
	int ret = places_of_sections(e, &p);

	if (ret == 0 && !p.count)
		ret = places_of_segments(elf, &p);
	places_separate(&p);
	ret = ret < 0 ? err_set(err, ERR_NOMEM, "%s: out of memory", path) :
			code_load(e, &p, path, err);
	mem_free(p.v);
	return ret;
}

/* --- what is there ---------------------------------------------------------------------------- */

const struct elf_code *elf_code_at(const struct elf *e, uint64_t address)
{
	size_t next = SORTED_ABOVE(e->code, e->code_count, address, address);
	const struct elf_code *c = next ? &e->code[next - 1] : NULL;

	return c && address - c->address < c->size ? c : NULL;
}

/* n bytes of code at an address; NULL: outside. */
static const uint8_t *code_bytes(const struct elf *e, uint64_t address, uint64_t n)
{
	const struct elf_code *c = elf_code_at(e, address);

	return c && c->address + c->size - address >= n ? c->bytes + (address - c->address) : NULL;
}

bool elf_code16(const struct elf *e, uint64_t address, uint16_t *value)
{
	const uint8_t *p = code_bytes(e, address, 2);

	if (p)
		*value = bits_load16(p, e->big_code);
	return p != NULL;
}

bool elf_code32(const struct elf *e, uint64_t address, uint32_t *value)
{
	const uint8_t *p = code_bytes(e, address, 4);

	if (p)
		*value = bits_load32(p, e->big_code);
	return p != NULL;
}
