/* variable_die: see variable_die.h. */
#include "core/image/variable_die.h"

#include <stdio.h>
#include <string.h>

enum { DIES_MOST = 1 << 22 };

Dwarf_Attribute variable_attribute(struct debug_reader *r, Dwarf_Die die, Dwarf_Half what)
{
	Dwarf_Attribute a = NULL;

	return debug_ok(r, dwarf_attr(die, what, &a, &r->error)) ? a : NULL;
}

/* DW_FORM_data1 and its like have no sign of their own: compilers mean none. */
static bool form_signed(struct debug_reader *r, Dwarf_Attribute a)
{
	Dwarf_Half form = 0;

	return debug_ok(r, dwarf_whatform(a, &form, &r->error)) &&
	       (form == DW_FORM_sdata || form == DW_FORM_implicit_const);
}

bool variable_number(struct debug_reader *r, Dwarf_Die die, Dwarf_Half what, int64_t *value)
{
	Dwarf_Attribute a = variable_attribute(r, die, what);
	Dwarf_Unsigned plain = 0;
	Dwarf_Signed sign = 0;
	bool ok = true;

	if (!a)
		return false;
	if (form_signed(r, a) && debug_ok(r, dwarf_formsdata(a, &sign, &r->error)))
		*value = sign;
	else if (debug_ok(r, dwarf_formudata(a, &plain, &r->error)))
		*value = (int64_t)plain;
	else
		ok = false;
	dwarf_dealloc(r->dbg, a, DW_DLA_ATTR);
	return ok;
}

bool variable_flag(struct debug_reader *r, Dwarf_Die die, Dwarf_Half what)
{
	Dwarf_Attribute a = variable_attribute(r, die, what);
	Dwarf_Bool set = 0;
	bool ok;

	if (!a)
		return false;
	ok = debug_ok(r, dwarf_formflag(a, &set, &r->error)) && set;
	dwarf_dealloc(r->dbg, a, DW_DLA_ATTR);
	return ok;
}

Dwarf_Die variable_referred(struct debug_reader *r, Dwarf_Die die, Dwarf_Half what)
{
	Dwarf_Attribute a = variable_attribute(r, die, what);
	Dwarf_Off offset = 0;
	Dwarf_Die to = NULL;

	if (!a)
		return NULL;
	if (!debug_ok(r, dwarf_global_formref(a, &offset, &r->error)) ||
	    !debug_ok(r, dwarf_offdie_b(r->dbg, offset, 1, &to, &r->error)))
		to = NULL;
	dwarf_dealloc(r->dbg, a, DW_DLA_ATTR);
	return to;
}

Dwarf_Half variable_tag(struct debug_reader *r, Dwarf_Die die)
{
	Dwarf_Half tag = 0;

	return debug_ok(r, dwarf_tag(die, &tag, &r->error)) ? tag : 0;
}

void variable_name(struct debug_reader *r, Dwarf_Die die, char *dst, size_t size)
{
	char *text = NULL;

	dst[0] = '\0';
	if (!debug_ok(r, dwarf_diename(die, &text, &r->error)))
		return;
	snprintf(dst, size, "%s", text);
	dwarf_dealloc(r->dbg, text, DW_DLA_STRING);
}

size_t variable_expression(struct debug_reader *r, Dwarf_Die die, Dwarf_Half what, uint8_t *dst,
			   size_t size)
{
	Dwarf_Attribute a = variable_attribute(r, die, what);
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

static bool die_counts(struct variable_search *s)
{
	if (++s->dies > DIES_MOST)
		debug_give_up(&s->reader);
	return !debug_stopped(&s->reader);
}

void variable_children(struct variable_search *s, Dwarf_Die parent,
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
