/* variable_type: the types of variables (DWARF 5, 5), down to a number. */
#include "core/image/variable_die.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/varint.h"

enum { STEPS = 64, MEMBER_NAME = 256 };

/* What is wrong, once; the name up to where it is. */
static bool type_refuse(struct variable_search *s, const char *why)
{
	err_set(&s->why, ERR_USAGE, "%.*s%s", (int)(s->rest - s->name), s->name, why);
	return false;
}

/* --- qualifiers ------------------------------------------------------------------------------- */

static bool is_wrapper(Dwarf_Half tag)
{
	return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

/* The type of a DIE, behind typedefs and qualifiers; the caller deallocates it. NULL: none. */
static Dwarf_Die type_of(struct debug_reader *r, Dwarf_Die die)
{
	Dwarf_Die type = variable_referred(r, die, DW_AT_type);

	for (int i = 0; type && is_wrapper(variable_tag(r, type)); i++) {
		Dwarf_Die inner = i < VARIABLE_DEEP ? variable_referred(r, type, DW_AT_type) : NULL;

		dwarf_dealloc(r->dbg, type, DW_DLA_DIE);
		type = inner;
	}
	return type;
}

static bool is_structure(Dwarf_Half tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_class_type;
}

static bool is_pointer(Dwarf_Half tag)
{
	return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	       tag == DW_TAG_rvalue_reference_type;
}

/* --- members ---------------------------------------------------------------------------------- */

/* Where a member is in its structure: a number, or (DWARF 2) DW_OP_plus_uconst. */
static uint64_t member_offset(struct debug_reader *r, Dwarf_Die die)
{
	uint8_t p[1 + VARINT_MAX];
	uint64_t at = 0;
	int64_t plain;
	size_t n;

	if (variable_number(r, die, DW_AT_data_member_location, &plain))
		return (uint64_t)plain;
	n = variable_expression(r, die, DW_AT_data_member_location, p, sizeof(p));
	if (n < 2 || p[0] != DW_OP_plus_uconst || !varint_get(p + 1, n - 1, &at))
		return 0;
	return at;
}

/*
 * A bit-field: DW_AT_data_bit_offset counts from the structure's beginning, as the target does; the
 * older DW_AT_bit_offset from the most significant bit of a unit of DW_AT_byte_size bytes.
 */
static void bits_take(struct variable_search *s, Dwarf_Die die, Dwarf_Die type)
{
	struct debug_reader *r = &s->reader;
	int64_t from = 0, size = 0;

	s->is_bits = variable_number(r, die, DW_AT_bit_size, &s->bit_count);
	if (!s->is_bits)
		return;
	s->first_bit = 0;
	if (variable_number(r, die, DW_AT_data_bit_offset, &s->first_bit) ||
	    !variable_number(r, die, DW_AT_bit_offset, &from))
		return;
	if (!variable_number(r, die, DW_AT_byte_size, &size))
		variable_number(r, type, DW_AT_byte_size, &size);
	if (size < 1 || size > 16 || from < -128 || from > 128)
		s->bit_count = 0;
	else
		s->first_bit = r->elf->big_data ? from : 8 * size - from - s->bit_count;
}

static bool member_visit(struct variable_search *s, Dwarf_Die die);

/* In a structure without a name, or in a base class, as if its members were the outer one's. */
static bool inner_visit(struct variable_search *s, Dwarf_Die die)
{
	Dwarf_Die type = type_of(&s->reader, die);
	uint64_t before = s->taken->address;

	if (!type)
		return true;
	if (s->deep < VARIABLE_DEEP && is_structure(variable_tag(&s->reader, type))) {
		s->deep++;
		s->taken->address += member_offset(&s->reader, die);
		variable_children(s, type, member_visit);
		s->deep--;
	}
	dwarf_dealloc(s->reader.dbg, type, DW_DLA_DIE);
	if (!s->member)
		s->taken->address = before;
	return !s->member;
}

static bool member_visit(struct variable_search *s, Dwarf_Die die)
{
	Dwarf_Half tag = variable_tag(&s->reader, die);
	char name[MEMBER_NAME];
	size_t n = strcspn(s->rest, ".[");

	if (tag == DW_TAG_inheritance)
		return inner_visit(s, die);
	if (tag != DW_TAG_member)
		return true;
	variable_name(&s->reader, die, name, sizeof(name));
	if (!name[0])
		return inner_visit(s, die);
	if (strlen(name) != n || strncmp(name, s->rest, n) != 0)
		return true;
	s->taken->address += member_offset(&s->reader, die);
	s->member = type_of(&s->reader, die);
	if (s->member)
		bits_take(s, die, s->member);
	return false;
}

static Dwarf_Die member_find(struct variable_search *s, Dwarf_Die type)
{
	if (s->rest[0] != '.') {
		type_refuse(s, " is a structure: name a member of it");
		return NULL;
	}
	s->rest++;
	s->member = NULL;
	variable_children(s, type, member_visit);
	s->rest += strcspn(s->rest, ".[");
	if (!s->member)
		type_refuse(s, ": there is no such member");
	return s->member;
}

/* --- elements --------------------------------------------------------------------------------- */

static bool dimension_visit(struct variable_search *s, Dwarf_Die die)
{
	int64_t count = 0, last;

	if (variable_tag(&s->reader, die) != DW_TAG_subrange_type)
		return true;
	if (!variable_number(&s->reader, die, DW_AT_count, &count) &&
	    variable_number(&s->reader, die, DW_AT_upper_bound, &last))
		count = last + 1;
	s->bounds[s->dimensions++] = count;
	return s->dimensions < VARIABLE_DEEP;
}

/* Bytes of a type, all dimensions of an array's; 0: not known. */
static uint64_t type_size(struct variable_search *s, Dwarf_Die type)
{
	struct debug_reader *r = &s->reader;
	int64_t size = 0;

	if (!variable_number(r, type, DW_AT_byte_size, &size) && is_pointer(variable_tag(r, type)))
		size = s->address_bytes;
	return size > 0 ? (uint64_t)size : 0;
}

/* "[3]": 3. Negative: it is none, or outside. */
static int64_t index_take(struct variable_search *s, int64_t bound)
{
	char *end;
	long long at;

	if (s->rest[0] != '[') {
		type_refuse(s, " is an array: name an element of it, such as [0]");
		return -1;
	}
	at = strtoll(s->rest + 1, &end, 0);
	if (end == s->rest + 1 || *end != ']' || at < 0 || at > INT32_MAX) {
		type_refuse(s, ": expected the number of an element, such as [0]");
		return -1;
	}
	s->rest = end + 1;
	if (bound > 0 && at >= bound) {
		char why[80];

		snprintf(why, sizeof(why), ": the elements are 0 to %lld", (long long)bound - 1);
		type_refuse(s, why);
		return -1;
	}
	return at;
}

static Dwarf_Die element_find(struct variable_search *s, Dwarf_Die type)
{
	Dwarf_Die element = type_of(&s->reader, type);
	uint64_t at = 0;

	s->dimensions = 0;
	variable_children(s, type, dimension_visit);
	for (unsigned i = 0; element && i < s->dimensions; i++) {
		int64_t index = index_take(s, s->bounds[i]);

		if (index < 0) {
			dwarf_dealloc(s->reader.dbg, element, DW_DLA_DIE);
			return NULL;
		}
		at = at * (uint64_t)s->bounds[i] + (uint64_t)index;
	}
	if (!element || !s->dimensions)
		type_refuse(s, ": its elements are not known");
	else
		s->taken->address += at * type_size(s, element);
	return element;
}

/* --- numbers ---------------------------------------------------------------------------------- */

static bool enumerator_visit(struct variable_search *s, Dwarf_Die die)
{
	struct variable *v = s->taken;
	struct variable_enumerator *e = &v->enumerators[v->enumerator_count];

	if (variable_tag(&s->reader, die) != DW_TAG_enumerator ||
	    !variable_number(&s->reader, die, DW_AT_const_value, &e->value))
		return true;
	variable_name(&s->reader, die, e->name, sizeof(e->name));
	return ++v->enumerator_count < VARIABLE_ENUMERATORS;
}

static void enumeration_take(struct variable_search *s, Dwarf_Die type)
{
	struct variable *v = s->taken;

	v->is_state = true;
	v->enumerators = mem_zalloc(VARIABLE_ENUMERATORS * sizeof(*v->enumerators));
	if (!v->enumerators)
		return;
	variable_children(s, type, enumerator_visit);
	for (size_t i = 0; i < v->enumerator_count; i++)
		v->is_signed |= v->enumerators[i].value < 0;
}

static void truth_take(struct variable *v)
{
	v->is_state = true;
	v->enumerators = mem_zalloc(2 * sizeof(*v->enumerators));
	if (!v->enumerators)
		return;
	v->enumerators[0] = (struct variable_enumerator){ 0, "false" };
	v->enumerators[1] = (struct variable_enumerator){ 1, "true" };
	v->enumerator_count = 2;
}

static bool base_take(struct variable_search *s, Dwarf_Die type)
{
	struct variable *v = s->taken;
	int64_t encoding = 0;

	variable_number(&s->reader, type, DW_AT_encoding, &encoding);
	v->is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	v->is_real = encoding == DW_ATE_float;
	if (encoding == DW_ATE_boolean)
		truth_take(v);
	return encoding != DW_ATE_complex_float && encoding != DW_ATE_imaginary_float;
}

/* The least unit of bytes at a multiple of its size that has the bits; else eight at its place. */
static bool bits_place(struct variable_search *s)
{
	struct variable *v = s->taken;
	int64_t byte = s->first_bit >= 0 ? s->first_bit / 8 : -((7 - s->first_bit) / 8);
	uint64_t at = v->address + (uint64_t)byte;
	unsigned within = (unsigned)(s->first_bit - 8 * byte), first = within;

	if (s->bit_count < 1 || s->bit_count > 64 || within + s->bit_count > 64)
		return type_refuse(s, " is a bit-field whose place is not known");
	for (v->size = 1; v->size <= VARIABLE_BYTES; v->size *= 2) {
		v->address = at & ~(uint64_t)(v->size - 1);
		first = within + 8 * (unsigned)(at - v->address);
		if (first + s->bit_count <= 8 * v->size)
			break;
	}
	if (v->size > VARIABLE_BYTES) {
		v->size = VARIABLE_BYTES;
		v->address = at;
		first = within;
	}
	v->bits = (uint8_t)s->bit_count;
	v->shift = (uint8_t)(v->big_endian ? 8 * v->size - first - v->bits : first);
	return true;
}

static bool size_take(struct variable_search *s, Dwarf_Die type)
{
	Dwarf_Half tag = variable_tag(&s->reader, type);
	struct variable *v = s->taken;
	uint64_t size = type_size(s, type);
	bool fits = size == 1 || size == 2 || size == 4 || size == 8, ok = true;

	v->is_pointer = is_pointer(tag);
	if (s->rest[0] && v->is_pointer)
		return type_refuse(s, " is a pointer: what it points to has no place of its own");
	if (s->rest[0])
		return type_refuse(s, " has no members and no elements");
	v->size = (unsigned)size;
	if (tag == DW_TAG_base_type)
		ok = base_take(s, type);
	else if (tag == DW_TAG_enumeration_type)
		enumeration_take(s, type);
	else
		ok = v->is_pointer;
	if (!ok || !fits || (v->is_real && size < 4))
		return type_refuse(s, " is no number or state that can be watched");
	return !s->is_bits || bits_place(s);
}

/* --- the walk --------------------------------------------------------------------------------- */

bool variable_type_take(struct variable_search *s, Dwarf_Die die)
{
	struct debug_reader *r = &s->reader;
	Dwarf_Die type = type_of(r, die);
	bool ok = false;

	s->is_bits = false;
	if (!type)
		type_refuse(s, ": its type is not known");
	for (int i = 0; type; i++) {
		Dwarf_Half tag = variable_tag(r, type);
		Dwarf_Die next = NULL;

		if (i == STEPS)
			type_refuse(s, ": its type goes too deep");
		else if (is_structure(tag))
			next = member_find(s, type);
		else if (tag == DW_TAG_array_type)
			next = element_find(s, type);
		else
			ok = size_take(s, type);
		dwarf_dealloc(r->dbg, type, DW_DLA_DIE);
		type = next;
	}
	return ok;
}
