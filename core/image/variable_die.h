/*
 * variable_die: what variables.c (where a variable is) and variable_type.c (how it is read) share:
 * the search, and attributes of a DIE.
 */
#ifndef WSNTOP_IMAGE_VARIABLE_DIE_H
#define WSNTOP_IMAGE_VARIABLE_DIE_H

#include "core/image/dwarf_reader.h"
#include "core/image/variables.h"

enum { VARIABLE_SCOPES = 512, VARIABLE_DECLARED = 64, VARIABLE_DEEP = 16 };

/* The reader is first, so that its callbacks find this. */
struct variable_search {
	struct debug_reader reader;
	/* the parts of the name that is looked for: "radio.c:send:", "state", ".x[2]" */
	const char *name;
	size_t qualifiers, own;		/* bytes of the first, of both */
	/* where the search is */
	bool in_functions;		/* the second pass: statics of functions */
	char scopes[VARIABLE_SCOPES];	/* "ns::Class::" */
	const char *unit, *function;	/* names; borrowed for the visit */
	unsigned deep, address_bytes;
	uint32_t dies;
	Dwarf_Off declared[VARIABLE_DECLARED];	/* of that name, their definitions follow */
	size_t declared_count;
	/* what was found */
	struct variable *found;
	bool has, is_global;
	bool placeless;			/* it is there, without an address */
	unsigned others;		/* of that name, elsewhere */
	struct err why;			/* it is no number */
	/* what the walk of its type is about */
	struct variable *taken;
	const char *rest;		/* members and elements that are still to be found */
	Dwarf_Die member;		/* the type of the one that was */
	bool is_bits;			/* of it: */
	int64_t first_bit;		/* from the byte at its address on, as the target counts */
	int64_t bit_count;
	int64_t bounds[VARIABLE_DEEP];	/* of an array's dimensions: elements, 0 not known */
	unsigned dimensions;
};

Dwarf_Attribute variable_attribute(struct debug_reader *r, Dwarf_Die die, Dwarf_Half what);
/* A number; one that has the form of a signed one may be below 0. */
bool variable_number(struct debug_reader *r, Dwarf_Die die, Dwarf_Half what, int64_t *value);
bool variable_flag(struct debug_reader *r, Dwarf_Die die, Dwarf_Half what);
/* Of an attribute that refers to another DIE; NULL: none. The caller deallocates it. */
Dwarf_Die variable_referred(struct debug_reader *r, Dwarf_Die die, Dwarf_Half what);
Dwarf_Half variable_tag(struct debug_reader *r, Dwarf_Die die);
/* Copied, "" where it has none. */
void variable_name(struct debug_reader *r, Dwarf_Die die, char *dst, size_t size);
/* The bytes of an expression, copied, at most `size`; how many there are. DWARF 2 has blocks. */
size_t variable_expression(struct debug_reader *r, Dwarf_Die die, Dwarf_Half what, uint8_t *dst,
			   size_t size);

/* Each child of a DIE, until `visit` is false. Siblings go forward alone. */
void variable_children(struct variable_search *s, Dwarf_Die parent,
		       bool (*visit)(struct variable_search *s, Dwarf_Die die));

/*
 * From the type of `die` to a number, by s->rest: s->taken, whose address is the variable's own so
 * far. False: s->why.
 */
bool variable_type_take(struct variable_search *s, Dwarf_Die die);

#endif
