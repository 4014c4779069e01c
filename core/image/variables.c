/* variables: DW_TAG_variable and its types (DWARF 5, 4.1, 5). */
#include "core/image/variables.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/varint.h"
#include "core/image/dwarf_reader.h"

enum { DIES_MOST = 1 << 22, TYPES_DEEP = 16 };

#define AVR_DATA 0x800000u		/* what avr-ld adds to addresses of data */

/* What is looked for; the reader is first, so that its callbacks find this. */
struct variable_search {
	struct debug_reader reader;
	const char *name;		/* up to a "." or the end */
	size_t name_length;
	struct variable *found;
	bool has, is_odd;		/* it is there; but is no number */
	uint32_t dies;
};

static Dwarf_Attribute attribute_of(struct debug_reader *r, Dwarf_Die die, Dwarf_Half what)
{
	Dwarf_Attribute a = NULL;

	return debug_ok(r, dwarf_attr(die, what, &a, &r->error)) ? a : NULL;
}

static bool attribute_signed(struct debug_reader *r, Dwarf_Die die, Dwarf_Half what, int64_t *value)
{
	Dwarf_Attribute a = attribute_of(r, die, what);
	Dwarf_Unsigned plain = 0;
	Dwarf_Signed sign = 0;
	bool ok = true;

	if (!a)
		return false;
	if (debug_ok(r, dwarf_formsdata(a, &sign, &r->error)))
		*value = sign;
	else if (debug_ok(r, dwarf_formudata(a, &plain, &r->error)))
		*value = (int64_t)plain;
	else
		ok = false;
	dwarf_dealloc(r->dbg, a, DW_DLA_ATTR);
	return ok;
}

static bool name_is(struct debug_reader *r, Dwarf_Die die, const char *name, size_t length)
{
	char *text = NULL;
	bool same;

	if (!debug_ok(r, dwarf_diename(die, &text, &r->error)))
		return false;
	same = strlen(text) == length && strncmp(text, name, length) == 0;
	dwarf_dealloc(r->dbg, text, DW_DLA_STRING);
	return same;
}

/* The bytes of an expression, copied, at most `size`; how many there are. DWARF 2 has blocks. */
static size_t expression_of(struct debug_reader *r, Dwarf_Die die, Dwarf_Half what, uint8_t *dst,
			    size_t size)
{
	Dwarf_Attribute a = attribute_of(r, die, what);
	Dwarf_Unsigned length = 0;
	Dwarf_Block *block = NULL;
	Dwarf_Ptr bytes = NULL;
	size_t n = 0;

	if (!a)
		return 0;
	if (debug_ok(r, dwarf_formexprloc(a, &length, &bytes, &r->error))) {
		n = (size_t)length;
	} else if (debug_ok(r, dwarf_formblock(a, &block, &r->error))) {
		n = (size_t)block->bl_len;
		bytes = block->bl_data;
	}
	if (n && n <= size)
		memcpy(dst, bytes, n);
	if (block)
		dwarf_dealloc(r->dbg, block, DW_DLA_BLOCK);
	dwarf_dealloc(r->dbg, a, DW_DLA_ATTR);
	return n <= size ? n : 0;
}

/* A location that is an address and nothing else: DW_OP_addr, or by its number in .debug_addr. */
static bool address_of(struct debug_reader *r, Dwarf_Die die, uint64_t *address)
{
	uint8_t p[1 + VARINT_MAX];
	size_t n = expression_of(r, die, DW_AT_location, p, sizeof(p));
	Dwarf_Addr at = 0;
	uint64_t index;

	*address = 0;
	if (n > 1 && p[0] == DW_OP_addrx && varint_get(p + 1, n - 1, &index) == n - 1) {
		if (!debug_ok(r, dwarf_debug_addr_index_to_addr(die, index, &at, &r->error)))
			return false;
		*address = at;
		return true;
	}
	if (n != 1 + sizeof(uint64_t) && n != 1 + sizeof(uint32_t) && n != 1 + sizeof(uint16_t))
		return false;
	for (size_t i = 1; i < n; i++)
		*address = *address << 8 | p[r->elf->big_data ? i : n - i];
	return p[0] == DW_OP_addr;
}

/* Where a member is in its structure: a number, or (DWARF 2) DW_OP_plus_uconst. */
static uint64_t member_offset(struct debug_reader *r, Dwarf_Die die)
{
	uint8_t p[1 + VARINT_MAX];
	uint64_t at = 0;
	int64_t plain;
	size_t n;

	if (attribute_signed(r, die, DW_AT_data_member_location, &plain))
		return (uint64_t)plain;
	n = expression_of(r, die, DW_AT_data_member_location, p, sizeof(p));
	if (n < 2 || p[0] != DW_OP_plus_uconst || !varint_get(p + 1, n - 1, &at))
		return 0;
	return at;
}

/* The DIE of a type; the caller deallocates it. NULL: there is none. */
static Dwarf_Die type_of(struct debug_reader *r, Dwarf_Die die)
{
	Dwarf_Attribute a = attribute_of(r, die, DW_AT_type);
	Dwarf_Off offset = 0;
	Dwarf_Die type = NULL;

	if (!a)
		return NULL;
	if (!debug_ok(r, dwarf_global_formref(a, &offset, &r->error)) ||
	    !debug_ok(r, dwarf_offdie_b(r->dbg, offset, 1, &type, &r->error)))
		type = NULL;
	dwarf_dealloc(r->dbg, a, DW_DLA_ATTR);
	return type;
}

static Dwarf_Half tag_of(struct debug_reader *r, Dwarf_Die die)
{
	Dwarf_Half tag = 0;

	return debug_ok(r, dwarf_tag(die, &tag, &r->error)) ? tag : 0;
}

static bool is_wrapper(Dwarf_Half tag)
{
	return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_atomic_type;
}

/* What a typedef or qualifier stands for. */
static Dwarf_Die type_unwrap(struct debug_reader *r, Dwarf_Die type)
{
	for (int i = 0; type && is_wrapper(tag_of(r, type)); i++) {
		Dwarf_Die inner = i < TYPES_DEEP ? type_of(r, type) : NULL;

		dwarf_dealloc(r->dbg, type, DW_DLA_DIE);
		type = inner;
	}
	return type;
}

/* --- children --------------------------------------------------------------------------------- */

static bool die_counts(struct variable_search *s)
{
	if (++s->dies > DIES_MOST)
		debug_give_up(&s->reader);
	return !debug_stopped(&s->reader);
}

/* Each child of a DIE, until `visit` is false. Siblings go forward alone. */
static void children_visit(struct variable_search *s, Dwarf_Die parent,
			   bool (*visit)(struct variable_search *s, Dwarf_Die die))
{
	struct debug_reader *r = &s->reader;
	Dwarf_Die die = NULL, next;
	Dwarf_Off last = 0, offset = 0;

	if (!debug_ok(r, dwarf_child(parent, &die, &r->error)))
		return;
	while (die) {
		bool goes = die_counts(s) &&
			    debug_ok(r, dwarf_dieoffset(die, &offset, &r->error)) &&
			    offset > last && visit(s, die);

		last = offset;
		next = NULL;
		if (!goes || !debug_ok(r, dwarf_siblingof_b(r->dbg, die, 1, &next, &r->error)))
			next = NULL;
		dwarf_dealloc(r->dbg, die, DW_DLA_DIE);
		die = next;
	}
}

static bool enumerator_visit(struct variable_search *s, Dwarf_Die die)
{
	struct debug_reader *r = &s->reader;
	struct variable *v = s->found;
	struct variable_enumerator *e = &v->enumerators[v->enumerator_count];
	char *name = NULL;

	if (tag_of(r, die) != DW_TAG_enumerator ||
	    !attribute_signed(r, die, DW_AT_const_value, &e->value) ||
	    !debug_ok(r, dwarf_diename(die, &name, &r->error)))
		return true;
	snprintf(e->name, sizeof(e->name), "%s", name);
	dwarf_dealloc(r->dbg, name, DW_DLA_STRING);
	return ++v->enumerator_count < VARIABLE_ENUMERATORS;
}

static void type_take(struct variable_search *s, Dwarf_Die type);

/* A member of the name that is looked for now. */
static bool member_visit(struct variable_search *s, Dwarf_Die die)
{
	struct debug_reader *r = &s->reader;
	Dwarf_Die type;

	if (tag_of(r, die) != DW_TAG_member || !name_is(r, die, s->name, s->name_length))
		return true;
	s->found->address += member_offset(r, die);
	type = type_unwrap(r, type_of(r, die));
	if (type)
		type_take(s, type);
	return false;
}

/* --- types ------------------------------------------------------------------------------------ */

static bool name_goes_on(struct variable_search *s)
{
	const char *next = s->name + s->name_length;

	if (*next != '.')
		return false;
	s->name = next + 1;
	s->name_length = strcspn(s->name, ".");
	return true;
}

static void base_take(struct variable_search *s, Dwarf_Die type)
{
	int64_t encoding = 0;

	attribute_signed(&s->reader, type, DW_AT_encoding, &encoding);
	s->found->is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	s->found->is_state = encoding == DW_ATE_boolean;
	s->is_odd |= encoding == DW_ATE_float;
}

static void enumeration_take(struct variable_search *s, Dwarf_Die type)
{
	struct variable *v = s->found;

	v->is_state = true;
	v->enumerators = mem_zalloc(VARIABLE_ENUMERATORS * sizeof(*v->enumerators));
	if (!v->enumerators)
		return;
	children_visit(s, type, enumerator_visit);
	for (size_t i = 0; i < v->enumerator_count; i++)
		v->is_signed |= v->enumerators[i].value < 0;
}

/* `type` is deallocated. */
static void type_take(struct variable_search *s, Dwarf_Die type)
{
	struct debug_reader *r = &s->reader;
	Dwarf_Half tag = tag_of(r, type);
	int64_t size = 0;

	if (tag == DW_TAG_structure_type || tag == DW_TAG_union_type) {
		s->has = false;
		if (name_goes_on(s))
			children_visit(s, type, member_visit);
		else
			s->has = s->is_odd = true;
	} else {
		s->has = !name_goes_on(s);
		attribute_signed(r, type, DW_AT_byte_size, &size);
		s->found->size = (unsigned)size;
		s->is_odd = size != 1 && size != 2 && size != 4 && size != 8;
		if (tag == DW_TAG_base_type)
			base_take(s, type);
		else if (tag == DW_TAG_enumeration_type)
			enumeration_take(s, type);
		else if (tag != DW_TAG_pointer_type)
			s->is_odd = true;
	}
	dwarf_dealloc(r->dbg, type, DW_DLA_DIE);
}

static bool variable_visit(struct variable_search *s, Dwarf_Die die)
{
	struct debug_reader *r = &s->reader;
	Dwarf_Die type;

	if (tag_of(r, die) != DW_TAG_variable || !name_is(r, die, s->name, s->name_length) ||
	    !address_of(r, die, &s->found->address))
		return true;
	type = type_unwrap(r, type_of(r, die));
	s->has = true;
	s->is_odd = !type;
	if (type)
		type_take(s, type);
	return false;
}

/* --- units ------------------------------------------------------------------------------------ */

static void units_search(struct debug_reader *r)
{
	struct variable_search *s = (struct variable_search *)r;
	Dwarf_Unsigned length, types, next = 0, before = 0;
	Dwarf_Half address_size, length_size, extension, kind;
	Dwarf_Off abbreviations;
	Dwarf_Sig8 signature;

	while (!s->has && !debug_stopped(r) &&
	       debug_ok(r, dwarf_next_cu_header_d(r->dbg, 1, &length, &r->version, &abbreviations,
						  &address_size, &length_size, &extension,
						  &signature, &types, &next, &kind, &r->error))) {
		Dwarf_Die unit = NULL;

		if (next <= before)
			break;
		before = next;
		if (!debug_ok(r, dwarf_siblingof_b(r->dbg, NULL, 1, &unit, &r->error)))
			continue;
		children_visit(s, unit, variable_visit);
		dwarf_dealloc(r->dbg, unit, DW_DLA_DIE);
	}
}

int variable_find(const char *path, const char *name, struct variable *v, struct err *err)
{
	struct variable_search s = { .name = name, .name_length = strcspn(name, "."), .found = v };
	atomic_bool stop = false;
	struct debug_data none;
	struct elf elf;
	int ret = elf_open(&elf, path, err);

	*v = (struct variable){ .size = 0 };
	if (ret < 0) {
		elf_close(&elf);
		return ret;
	}
	debug_init(&none);
	s.reader = (struct debug_reader){ .elf = &elf, .out = &none, .stop = &stop };
	debug_load(&s.reader);
	debug_run(&s.reader, units_search);
	for (unsigned i = 0; i < s.reader.section_count; i++)
		mem_free(s.reader.sections[i].bytes);
	debug_release(&none);
	if (elf.machine->isa == ELF_ISA_AVR && v->address >= AVR_DATA)
		v->address -= AVR_DATA;
	elf_close(&elf);
	if (s.has && !s.is_odd)
		return 0;
	variable_release(v);
	if (s.has)
		return err_set(err, ERR_USAGE, "%s is no number or state that can be watched: name "
			       "a member of it", name);
	return err_set(err, ERR_USAGE, "no variable %s in the debug information of the ELF", name);
}

void variable_release(struct variable *v)
{
	mem_free(v->enumerators);
	*v = (struct variable){ .size = 0 };
}
