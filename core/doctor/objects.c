#include "core/doctor/objects.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/bits.h"
#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/image/attributes.h"

#define AVR_EEPROM UINT64_C(0x810000)	/* avr-ld maps EEPROM, fuses and the like from here on */

/* Words are separated by one space. */
static bool text_has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = text; (at = strstr(at, word)) != NULL; at += n) {
		if (at > text && at[-1] == ' ' && (at[n] == ' ' || !at[n]))
			return true;
	}
	return false;
}

static uint64_t number_at(const struct elf *e, const uint8_t *p, unsigned size)
{
	return bits_load(p, size, e->big_data);
}

/* --- symbols ---------------------------------------------------------------------------------- */

struct raw_symbol {
	uint64_t name, value, size;
	unsigned type, bind, section;
};

/* elf(5): the two classes order the fields differently. */
static struct raw_symbol raw_symbol(const struct elf *e, const uint8_t *p)
{
	struct raw_symbol s = { .name = number_at(e, p, 4) };
	const uint8_t *info = e->bits == 64 ? p + 4 : p + 12;

	s.type = *info & 15;
	s.bind = *info >> 4;
	s.section = (unsigned)bits_load(info + 2, 2, e->big_data);
	s.value = e->bits == 64 ? number_at(e, p + 8, 8) : number_at(e, p + 4, 4);
	s.size = e->bits == 64 ? number_at(e, p + 16, 8) : number_at(e, p + 8, 4);
	return s;
}

static bool is_writable(const struct elf *e, const struct elf_section *s)
{
	const uint64_t want = SHF_ALLOC | SHF_WRITE;

	return (s->flags & want) == want &&
	       !(e->machine->isa == ELF_ISA_AVR && s->address >= AVR_EEPROM);
}

static int add_symbol(struct objects *o, const struct elf *e, const struct raw_symbol *s,
		      const char *file)
{
	bool absolute = s->section == SHN_ABS;
	const struct elf_section *in = s->section < e->section_count && s->section
				       ? &e->sections[s->section] : NULL;

	if (s->type == STT_SECTION || s->name >= e->string_size || e->strings[s->name] == '$' ||
	    (!absolute && (!in || !(in->flags & SHF_ALLOC) || (in->flags & SHF_EXECINSTR))))
		return 0;
	if (mem_grow(&o->v, &o->cap, o->count + 1, sizeof(*o->v)) < 0)
		return ERR_NOMEM;
	o->v[o->count++] = (struct object){
		.name = e->strings + s->name,
		.file = s->bind == STB_LOCAL ? file : NULL,
		.address = s->value,
		.size = s->size,
		.section = s->section,
		.ram = in && is_writable(e, in) && s->value >= in->address,
		.absolute = absolute,
	};
	return 0;
}

static int read_table(struct objects *o, const struct elf *e, const struct elf_section *table)
{
	size_t entry = e->bits == 64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	const char *file = NULL;
	uint64_t size;
	uint8_t *bytes = elf_load(e, table, 0, &size);
	int ret = 0;

	for (uint64_t at = 0; bytes && at + entry <= size && ret == 0; at += entry) {
		struct raw_symbol s = raw_symbol(e, bytes + at);

		if (s.type == STT_FILE)
			file = s.name < e->string_size ? e->strings + s.name : NULL;
		else
			ret = add_symbol(o, e, &s, file);
	}
	mem_free(bytes);
	return ret;
}

static int by_object(const void *a, const void *b)
{
	const struct object *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->size > y->size ? -1 : x->size < y->size;
}

/* A label inside an object of known size is part of it. */
static void mark_parts(struct objects *o)
{
	uint64_t end = 0;

	for (size_t i = 0; i < o->count; i++) {
		struct object *v = &o->v[i];

		if (!v->ram)
			continue;
		v->part = !v->size && v->address < end;
		if (v->size && v->size <= UINT32_MAX && v->address + v->size > end)
			end = v->address + v->size;
	}
}

/* Assembly's objects often have no size: to the next one, or to the section's end. */
static void extend_unsized(struct objects *o, const struct elf *e)
{
	uint64_t here = UINT64_MAX, next = UINT64_MAX;	/* addresses of objects in RAM */

	mark_parts(o);
	for (size_t i = o->count; i-- > 0; ) {
		struct object *v = &o->v[i];
		const struct elf_section *in;
		uint64_t end;

		if (!v->ram)
			continue;
		if (v->address != here) {
			next = here;
			here = v->address;
		}
		in = &e->sections[v->section];
		end = in->address + in->size < next ? in->address + in->size : next;
		if (!v->size && !v->part && end > v->address)
			v->size = end - v->address;
	}
}

static int read_objects(struct objects *o, const struct elf *e)
{
	for (size_t i = 0; i < e->section_count && e->strings; i++) {
		if (e->sections[i].type == SHT_SYMTAB) {
			if (read_table(o, e, &e->sections[i]) < 0)
				return ERR_NOMEM;
			break;			/* as elf.c: the first one is it */
		}
	}
	if (o->count)
		qsort(o->v, o->count, sizeof(*o->v), by_object);
	extend_unsized(o, e);
	return 0;
}

static void table_values(const struct elf *e, const struct elf_section *table,
			 const char *const *names, size_t n, uint64_t *values)
{
	size_t entry = e->bits == 64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	uint64_t size;
	uint8_t *bytes = elf_load(e, table, 0, &size);

	for (uint64_t at = 0; bytes && at + entry <= size; at += entry) {
		struct raw_symbol s = raw_symbol(e, bytes + at);

		if (s.section == SHN_UNDEF || s.name >= e->string_size)
			continue;
		for (size_t i = 0; i < n; i++) {
			if (strcmp(e->strings + s.name, names[i]) == 0)
				values[i] = s.value;
		}
	}
	mem_free(bytes);
}

void objects_values(const struct elf *e, const char *const *names, size_t n, uint64_t *values)
{
	memset(values, 0, n * sizeof(*values));
	for (size_t i = 0; i < e->section_count; i++) {
		if (e->sections[i].type == SHT_SYMTAB) {
			table_values(e, &e->sections[i], names, n, values);
			return;
		}
	}
}

const struct object *objects_find(const struct objects *o, const char *name)
{
	for (size_t i = 0; i < o->count; i++) {
		if (strcmp(o->v[i].name, name) == 0)
			return &o->v[i];
	}
	return NULL;
}

/* --- memory ----------------------------------------------------------------------------------- */

static uint64_t ram_start(const struct elf *e)
{
	uint64_t low = UINT64_MAX;

	for (size_t i = 0; i < e->section_count; i++) {
		if (is_writable(e, &e->sections[i]) && e->sections[i].size &&
		    e->sections[i].address < low)
			low = e->sections[i].address;
	}
	return low;
}

static uint64_t ram_end(const struct elf *e)
{
	uint64_t high = 0;

	for (size_t i = 0; i < e->section_count; i++) {
		const struct elf_section *s = &e->sections[i];

		if (is_writable(e, s) && s->size && s->size <= UINT32_MAX &&
		    s->address + s->size > high)
			high = s->address + s->size;
	}
	return high;
}

/*
 * The end of RAM in linker scripts of Cortex-M: the top of the first stack. A top inside a section
 * with variables beyond it is not: RIOT's _estack is the handlers' stack, at the beginning of RAM.
 */
static void ram_of_stack(struct objects *o, const struct elf *e)
{
	static const char *const tops[] = { "__StackTop", "_estack", "__stack", "_stack_top",
					    "__stack_end__", "__INITIAL_SP", "_eram" };
	uint64_t low = ram_start(e), end = ram_end(e);

	for (size_t i = 0; i < sizeof(tops) / sizeof(tops[0]); i++) {
		const struct object *top = objects_find(o, tops[i]);

		if (top && top->address > low && top->address - low <= UINT64_C(1) << 26 &&
		    (top->absolute || top->address >= end)) {
			o->ram_size = top->address - low;
			return;
		}
	}
}

static void measure_ram(struct objects *o, const struct elf *e)
{
	for (size_t i = 0; i < e->section_count; i++) {
		if (is_writable(e, &e->sections[i]) && e->sections[i].size <= UINT32_MAX)
			o->ram_used += e->sections[i].size;
	}
	if (!o->ram_size && e->machine->isa == ELF_ISA_ARM)
		ram_of_stack(o, e);
}

/* --- notes and attributes --------------------------------------------------------------------- */

/*
 * gcc's DW_AT_producer has its flags. Link-time optimization compiles with the flags of the link,
 * among which -pg (here -p) has no place.
 */
static void find_lost_arcs(struct objects *o, const struct elf *e)
{
	const struct elf_section *s = elf_find_section(e, ".debug_str");
	uint64_t size = 0;
	uint8_t *p = s ? elf_load(e, s, 1, &size) : NULL;

	for (uint64_t at = 0; p && at < size && !o->lost_arcs; ) {
		const char *text = (const char *)p + at;
		size_t n = strnlen(text, (size_t)(size - at));

		o->lost_arcs = text[n] == '\0' && text_begins(text, "GNU ") &&
			       text_has_word(text, "-flto") && text_has_word(text, "-p");
		at += n + 1;
	}
	mem_free(p);
}

/*
 * avr-libc's description of the chip: a note "AVR" of type 1: six words (flash, RAM and EEPROM:
 * start and size), a table of offsets with its size, and the strings that they count from; the
 * first is the name.
 */
static void read_device(struct objects *o, const struct elf *e)
{
	enum { HEADER = 16, RAM_SIZE = HEADER + 12, TABLE = HEADER + 24, FIRST = TABLE + 4 };
	const struct elf_section *s = elf_find_section(e, ".note.gnu.avr.deviceinfo");
	uint64_t size, name;
	uint8_t *p = s ? elf_load(e, s, 1, &size) : NULL;

	if (p && size > FIRST + 4 && number_at(e, p, 4) == 4 && memcmp(p + 12, "AVR", 4) == 0) {
		o->ram_size = number_at(e, p + RAM_SIZE, 4);
		name = TABLE + number_at(e, p + TABLE, 4) + number_at(e, p + FIRST, 4);
		if (name < size)
			text_visible(o->device, sizeof(o->device), (char *)p + name,
				     strnlen((char *)p + name, (size_t)(size - name)));
	}
	mem_free(p);
}

static void read_header(struct objects *o, const struct elf *e)
{
	uint8_t header[64];
	size_t at = e->bits == 64 ? 48 : 36;

	if (pread(e->fd, header, sizeof(header), 0) >= (ssize_t)(at + 4))
		o->flags = (uint32_t)number_at(e, header + at, 4);
}

int objects_read(struct objects *o, const struct elf *e)
{
	*o = (struct objects){ .v = NULL };
	if (read_objects(o, e) < 0)
		return ERR_NOMEM;
	read_device(o, e);
	find_lost_arcs(o, e);
	o->arm_arch = attributes_arm_arch(e);
	read_header(o, e);
	measure_ram(o, e);
	return 0;
}

void objects_release(struct objects *o)
{
	mem_free(o->v);
	*o = (struct objects){ .v = NULL };
}
