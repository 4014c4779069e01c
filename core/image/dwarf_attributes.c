#include "core/image/dwarf_reader.h"


/* --- attributes ------------------------------------------------------------------------------- */

static uint64_t attribute_number(struct debug_reader *r, Dwarf_Attribute a)
{
	Dwarf_Unsigned value = 0;
	Dwarf_Signed sign = 0;

	if (debug_ok(r, dwarf_formudata(a, &value, &r->error)))
		return value;
	if (debug_ok(r, dwarf_formsdata(a, &sign, &r->error)) && sign > 0)
		return (uint64_t)sign;
	return 0;
}

static uint64_t attribute_reference(struct debug_reader *r, Dwarf_Attribute a)
{
	Dwarf_Off offset = 0;

	return debug_ok(r, dwarf_global_formref(a, &offset, &r->error)) ? offset : NO_OFFSET;
}

static const char *attribute_string(struct debug_reader *r, Dwarf_Attribute a)
{
	char *s = NULL;

	return debug_ok(r, dwarf_formstring(a, &s, &r->error)) && s[0] ? debug_intern(r->out, s)
									: NULL;
}

/* DW_AT_high_pc: an address, or (DWARF 4) a distance. */
static void high_pc(struct debug_reader *r, struct attributes *a, Dwarf_Attribute attr)
{
	Dwarf_Addr address = 0;

	a->has_high = true;
	a->high_is_size = !debug_ok(r, dwarf_formaddr(attr, &address, &r->error));
	a->high = a->high_is_size ? attribute_number(r, attr) : address;
}

static void attribute_take(struct debug_reader *r, struct attributes *a, Dwarf_Attribute attr)
{
	Dwarf_Half what = 0;
	Dwarf_Addr address = 0;

	if (!debug_ok(r, dwarf_whatattr(attr, &what, &r->error)))
		return;
	switch (what) {
	case DW_AT_name: a->name = attribute_string(r, attr); break;
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name: a->linkage = attribute_string(r, attr); break;
	case DW_AT_abstract_origin: a->origin = attribute_reference(r, attr); break;
	case DW_AT_specification: a->specification = attribute_reference(r, attr); break;
	case DW_AT_decl_file: a->decl_file = attribute_number(r, attr); break;
	case DW_AT_decl_line: a->decl_line = attribute_number(r, attr); break;
	case DW_AT_call_file: a->call_file = attribute_number(r, attr); break;
	case DW_AT_call_line: a->call_line = attribute_number(r, attr); break;
	case DW_AT_high_pc: high_pc(r, a, attr); break;
	case DW_AT_low_pc:
		a->has_low = debug_ok(r, dwarf_formaddr(attr, &address, &r->error));
		a->low = address;
		break;
	default:
		break;
	}
}

void debug_attributes(struct debug_reader *r, Dwarf_Die die, struct attributes *a)
{
	Dwarf_Attribute *list = NULL;
	Dwarf_Signed count = 0;

	*a = (struct attributes){ .origin = NO_OFFSET,
				  .specification = NO_OFFSET,
				  .decl_file = NO_OFFSET };
	if (!debug_ok(r, dwarf_attrlist(die, &list, &count, &r->error)))
		return;
	for (Dwarf_Signed i = 0; i < count; i++) {
		Dwarf_Half what = 0;

		attribute_take(r, a, list[i]);
		if (!a->ranges && debug_ok(r, dwarf_whatattr(list[i], &what, &r->error)) &&
		    what == DW_AT_ranges)
			a->ranges = list[i];
		else
			dwarf_dealloc(r->dbg, list[i], DW_DLA_ATTR);
	}
	dwarf_dealloc(r->dbg, list, DW_DLA_LIST);
	if (a->high_is_size)
		a->high += a->low;
}

void debug_attributes_release(struct debug_reader *r, struct attributes *a)
{
	if (a->ranges)
		dwarf_dealloc(r->dbg, a->ranges, DW_DLA_ATTR);
	a->ranges = NULL;
}

/* --- ranges ----------------------------------------------------------------------------------- */

static void add_span(struct debug_reader *r, struct spans *to, struct span span)
{
	if (elf_code_at(r->elf, span.low) && spans_add(to, span) < 0)
		debug_give_up(r);
}

/* DWARF 2 to 4, .debug_ranges: pairs relative to a base, that entries of their own change. */
static void old_ranges(struct debug_reader *r, Dwarf_Die die, Dwarf_Attribute attr,
		       struct spans *to, struct span span)
{
	uint64_t base = r->unit_low, offset;
	Dwarf_Ranges *list = NULL;
	Dwarf_Signed count = 0;
	Dwarf_Off real = 0;		/* of split DWARF, which firmware does not have */

	offset = attribute_reference(r, attr);
	if (offset == NO_OFFSET)
		offset = attribute_number(r, attr);
	if (!debug_ok(r, dwarf_get_ranges_b(r->dbg, offset, die, &real, &list, &count, NULL,
					    &r->error)))
		return;
	for (Dwarf_Signed i = 0; i < count && list[i].dwr_type != DW_RANGES_END && !r->full; i++) {
		if (list[i].dwr_type == DW_RANGES_ADDRESS_SELECTION) {
			base = list[i].dwr_addr2;
			continue;
		}
		span.low = base + list[i].dwr_addr1;
		span.high = base + list[i].dwr_addr2;
		add_span(r, to, span);
	}
	dwarf_version_free_ranges(r->dbg, list, count);
}

/* DWARF 5, .debug_rnglists. libdwarf adds the bases up. */
static void new_ranges(struct debug_reader *r, Dwarf_Attribute attr, struct spans *to,
		       struct span span)
{
	Dwarf_Unsigned count = 0, at = 0, raw1, raw2, low = 0, high = 0;
	Dwarf_Rnglists_Head head = NULL;
	Dwarf_Half form = 0;

	if (!debug_ok(r, dwarf_whatform(attr, &form, &r->error)))
		return;
	at = form == DW_FORM_rnglistx ? attribute_number(r, attr) : attribute_reference(r, attr);
	if (!debug_ok(r,
		      dwarf_rnglists_get_rle_head(attr, form, at, &head, &count, &at, &r->error)))
		return;
	for (Dwarf_Unsigned i = 0; i < count && !r->full; i++) {
		Dwarf_Bool no_address = 0;
		unsigned size = 0, kind = 0;

		if (!debug_ok(r,
			      dwarf_get_rnglists_entry_fields_a(head, i, &size, &kind, &raw1, &raw2,
							  &no_address, &low, &high, &r->error)) ||
		    kind == DW_RLE_end_of_list)
			break;
		if (kind == DW_RLE_base_address || kind == DW_RLE_base_addressx || no_address)
			continue;
		span.low = low;
		span.high = high;
		add_span(r, to, span);
	}
	dwarf_dealloc_rnglists_head(head);
}

void debug_ranges(struct debug_reader *r, Dwarf_Die die, const struct attributes *a,
		  struct spans *to, struct span span)
{
	if (a->ranges && r->version >= 5) {
		new_ranges(r, a->ranges, to, span);
	} else if (a->ranges) {
		old_ranges(r, die, a->ranges, to, span);
	} else if (a->has_low && a->has_high) {
		span.low = a->low;
		span.high = a->high;
		add_span(r, to, span);
	}
}
