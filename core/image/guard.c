#include "core/image/guard.h"

#include <dwarf.h>
#include <string.h>

#include "core/base/bytes.h"

/*
 * A unit's length (DWARF 5, 7.4): its end; *offset_size is 4 or 8. False: it does not lie in the
 * section.
 */
static bool unit_end(struct bytes *c, uint64_t *end, unsigned *offset_size)
{
	uint64_t length = bytes_take(c, 4);

	*offset_size = 4;
	if (length == 0xffffffff) {
		length = bytes_take(c, 8);
		*offset_size = 8;
	} else if (length >= 0xfffffff0) {
		return false;
	}
	if (c->beyond || !length || length > c->end - c->at)
		return false;
	*end = c->at + length;
	return true;
}

static bool address_size_sound(uint64_t size)
{
	return size == 2 || size == 4 || size == 8;
}

/* .debug_info: DWARF 5, 7.5.1. Type units and skeletons are not read. */
static bool info_header(struct bytes *c, unsigned offset_size, uint64_t end,
			struct guard_rows *most)
{
	uint64_t version = bytes_take(c, 2), size;

	(void)most;
	if (version < 2 || version > 5)
		return false;
	if (version == 5) {
		uint64_t type = bytes_take(c, 1);

		size = bytes_take(c, 1);
		bytes_take(c, offset_size);
		if (type == 0 || type > 6)
			return false;
	} else {
		bytes_take(c, offset_size);
		size = bytes_take(c, 1);
	}
	return address_size_sound(size) && c->at < end;
}

/* .debug_rnglists: DWARF 5, 7.28. */
static bool ranges_header(struct bytes *c, unsigned offset_size, uint64_t end,
			struct guard_rows *most)
{
	uint64_t version = bytes_take(c, 2), size = bytes_take(c, 1);
	uint64_t segment = bytes_take(c, 1), count = bytes_take(c, 4);

	(void)most;
	return version == 5 && address_size_sound(size) && segment == 0 && c->at <= end &&
	       count <= (end - c->at) / offset_size;
}

/* --- rows ------------------------------------------------------------------------------------- */

/* The opcodes from c->at on: how many rows they make (DWARF 5, 6.2.5), counted until `most`. */
static uint64_t program_rows(struct bytes *c, uint64_t end, const uint8_t *operands,
			     unsigned opcode_base, uint64_t most)
{
	uint64_t rows = 0;

	while (c->at < end && rows <= most && !c->beyond) {
		unsigned opcode = (unsigned)bytes_take(c, 1);

		if (opcode >= opcode_base) {
			rows++;
		} else if (opcode == 0) {
			uint64_t length = bytes_take_uleb(c), at = c->at;

			rows += length && bytes_take(c, 1) == DW_LNE_end_sequence;
			c->at = length <= end - at ? at + length : end;
		} else if (opcode == DW_LNS_fixed_advance_pc) {
			bytes_take(c, 2);
		} else {
			rows += opcode == DW_LNS_copy;
			for (unsigned i = 0; i < operands[opcode - 1]; i++)
				bytes_take_uleb(c);
		}
	}
	return rows;
}

/* .debug_line: DWARF 5, 6.2.4. A line_range of 0 would be divided by. */
static bool line_header(struct bytes *c, unsigned offset_size, uint64_t unit_end,
			struct guard_rows *most)
{
	uint64_t version = bytes_take(c, 2), end, length, range, opcodes, rows;

	if (version < 2 || version > 5)
		return false;
	if (version == 5 && (!address_size_sound(bytes_take(c, 1)) || bytes_take(c, 1) != 0))
		return false;
	length = bytes_take(c, offset_size);
	if (c->beyond || c->at > unit_end || length > unit_end - c->at)
		return false;
	end = c->at + length;
	bytes_take(c, version >= 4 ? 4 : 3);	/* instruction sizes, default_is_stmt, line_base */
	range = bytes_take(c, 1);
	opcodes = bytes_take(c, 1);
	if (!range || !opcodes || c->at > end || opcodes - 1 > end - c->at)
		return false;
	rows = program_rows(&(struct bytes){ .data = c->data, .at = end, .end = unit_end,
					     .big = c->big },
			    unit_end, c->data + c->at, (unsigned)opcodes, most->unit);
	if (rows > most->unit || rows > most->all)
		return false;
	most->all -= rows;
	return true;
}

/* --- sections --------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	bool (*header)(struct bytes *c, unsigned offset_size, uint64_t end,
		       struct guard_rows *most);
	bool whole;			/* all of it or nothing */
	bool padded;			/* some assemblers align the tables with zeros */
} rules[] = {
	{ .name = ".debug_info", .header = info_header },
	{ .name = ".debug_rnglists", .header = ranges_header, .whole = true },
	{ .name = ".debug_line", .header = line_header, .padded = true },
};

static uint64_t sound_bytes(const struct guard_section *s, size_t rule, struct guard_rows most)
{
	uint64_t at = 0;

	while (at < s->size) {
		struct bytes c = { .data = s->bytes, .at = at, .end = s->size, .big = s->big };
		unsigned offset_size;
		uint64_t end;

		if (rules[rule].padded && bytes_take(&c, 4) == 0 && !c.beyond) {
			at += 4;
			continue;
		}
		c.at = at;
		c.beyond = false;
		if (!unit_end(&c, &end, &offset_size) ||
		    !rules[rule].header(&c, offset_size, end, &most) || c.beyond)
			return rules[rule].whole ? 0 : at;
		at = end;
	}
	return s->size;
}

uint64_t guard_size(const struct guard_section *s, const struct guard_rows *most)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (strcmp(rules[i].name, s->name) == 0)
			return sound_bytes(s, i, *most);
	}
	return s->size;
}
