#include "core/filter/cfi.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"

/* A whole number, or a register by its number; false: anything else. */
static bool integer_read(struct piece *args, int32_t *value)
{
	struct piece p = piece_first(*args, args);
	char text[16], *end;
	long n;

	if (!p.n || p.n >= sizeof(text))
		return false;
	memcpy(text, p.s, p.n);
	text[p.n] = '\0';
	n = strtol(text, &end, 10);
	*value = (int32_t)n;
	return !*end && n > -0x1000000 && n < 0x1000000;
}

static bool register_read(struct piece *args, int32_t *number)
{
	return integer_read(args, number) && *number >= 0 && *number < CFI_REGISTERS;
}

static bool rule_read(struct cfi *c, struct piece args, enum cfi_rule rule, int32_t add)
{
	int32_t reg, value = 0;

	if (!register_read(&args, &reg) || (rule != CFI_SAME && !integer_read(&args, &value)))
		return false;
	c->rule[reg] = (uint8_t)rule;
	c->value[reg] = rule == CFI_SAME ? 0 : value + add;
	return true;
}

static bool base_read(struct cfi *c, struct piece args, bool with_register, bool with_offset)
{
	int32_t reg = c->base, offset = c->offset;

	if ((with_register && !register_read(&args, &reg)) ||
	    (with_offset && !integer_read(&args, &offset)))
		return false;
	c->base = (uint8_t)reg;
	c->offset = offset;
	return true;
}

static bool offset_adjust(struct cfi *c, struct piece args)
{
	int32_t by;

	if (!integer_read(&args, &by) || abs(c->offset) > 0x1000000)
		return false;
	c->offset += by;
	return true;
}

static bool state_keep(struct cfi_reader *r)
{
	if (r->depth == CFI_REMEMBERED)
		return false;
	r->kept[r->depth++] = r->now;
	return true;
}

static bool state_restore(struct cfi_reader *r)
{
	if (!r->depth)
		return false;
	r->now = r->kept[--r->depth];
	return true;
}

static bool directive_read(struct cfi_reader *r, struct piece op, struct piece args)
{
	struct cfi *c = &r->now;

	if (piece_is(op, ".cfi_def_cfa_offset"))
		return base_read(c, args, false, true);
	if (piece_is(op, ".cfi_def_cfa_register"))
		return base_read(c, args, true, false);
	if (piece_is(op, ".cfi_def_cfa"))
		return base_read(c, args, true, true);
	if (piece_is(op, ".cfi_adjust_cfa_offset"))
		return offset_adjust(c, args);
	if (piece_is(op, ".cfi_offset"))
		return rule_read(c, args, CFI_OFFSET, 0);
	if (piece_is(op, ".cfi_rel_offset"))
		return rule_read(c, args, CFI_OFFSET, -c->offset);
	if (piece_is(op, ".cfi_register"))
		return rule_read(c, args, CFI_REGISTER, 0);
	if (piece_is(op, ".cfi_restore") || piece_is(op, ".cfi_same_value"))
		return rule_read(c, args, CFI_SAME, 0);
	if (piece_is(op, ".cfi_remember_state"))
		return state_keep(r);
	if (piece_is(op, ".cfi_restore_state"))
		return state_restore(r);
	return piece_is(op, ".cfi_sections") || piece_is(op, ".cfi_personality") ||
	       piece_is(op, ".cfi_lsda") || piece_is(op, ".cfi_signal_frame");
}

void cfi_read(struct cfi_reader *r, struct piece op, struct piece args, uint8_t base)
{
	if (!piece_begins(op, ".cfi_"))
		return;
	if (piece_is(op, ".cfi_startproc")) {
		memset(r, 0, sizeof(*r));
		r->now.open = true;
		r->now.base = base;
	} else if (piece_is(op, ".cfi_endproc")) {
		r->now.open = false;
	} else if (!directive_read(r, op, args)) {
		r->now.unknown = true;
	}
}

bool cfi_equal(const struct cfi *a, const struct cfi *b)
{
	return a->open == b->open && a->unknown == b->unknown && a->base == b->base &&
	       a->offset == b->offset && memcmp(a->rule, b->rule, sizeof(a->rule)) == 0 &&
	       memcmp(a->value, b->value, sizeof(a->value)) == 0;
}

void cfi_write(struct buf *out, const struct cfi *from, const struct cfi *to)
{
	if (!from->open || !to->open || from->unknown || to->unknown)
		return;
	if (from->base != to->base)
		buf_addf(out, "\t.cfi_def_cfa %u, %d\n", to->base, to->offset);
	else if (from->offset != to->offset)
		buf_addf(out, "\t.cfi_def_cfa_offset %d\n", to->offset);
	for (unsigned r = 0; r < CFI_REGISTERS; r++) {
		if (from->rule[r] == to->rule[r] && from->value[r] == to->value[r])
			continue;
		if (to->rule[r] == CFI_SAME)
			buf_addf(out, "\t.cfi_restore %u\n", r);
		else
			buf_addf(out, "\t.cfi_%s %u, %d\n",
				 to->rule[r] == CFI_OFFSET ? "offset" : "register", r,
				 to->value[r]);
	}
}
