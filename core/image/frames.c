#include "core/image/frames.h"

#include <string.h>

#include "core/base/bits.h"
#include "core/base/bytes.h"
#include "core/base/map.h"
#include "core/base/mem.h"

enum { PADDING = 8 };

/* Pointer encodings of .eh_frame (LSB 5.0, 10.5.1). */
enum {
	PE_ABSOLUTE = 0x00, PE_UDATA2 = 0x02, PE_UDATA4 = 0x03, PE_UDATA8 = 0x04, PE_SDATA2 = 0x0a,
	PE_SDATA4 = 0x0b, PE_SDATA8 = 0x0c, PE_FORMAT = 0x0f, PE_RELATIVE_TO_PC = 0x10,
	PE_BASE = 0xf0,
};

/* A common information entry: it holds for all functions that refer to it. */
struct common {
	bool known;			/* false: not supported here */
	bool sized;			/* entries have the length of their augmentation */
	uint8_t encoding;		/* of addresses */
	uint8_t address_size;
	int64_t data_align;
	int64_t depth;			/* largest offset of its own rows */
};

struct frame_reader {
	const struct elf *elf;
	const struct table *table;
	struct frames *out;
	const atomic_bool *stop;
	const uint8_t *bytes;
	uint64_t size, address;		/* of the section */
	bool eh;			/* .eh_frame, which differs a little */
	struct map common_at;		/* offset -> index in common */
	struct common *common;
	size_t common_count, common_cap;
	bool failed;
};

/* An address in the encoding of its CIE; `beyond` if that is not supported. */
static uint64_t address_take(const struct frame_reader *r, struct bytes *p, const struct common *c,
			     bool is_length)
{
	uint64_t base = r->address + p->at, value;

	switch (c->encoding & PE_FORMAT) {
	case PE_ABSOLUTE: value = bytes_take(p, c->address_size); break;
	case PE_UDATA2: value = bytes_take(p, 2); break;
	case PE_UDATA4: value = bytes_take(p, 4); break;
	case PE_UDATA8:
	case PE_SDATA8: value = bytes_take(p, 8); break;
	case PE_SDATA2: value = (uint64_t)bits_extend(bytes_take(p, 2), 16); break;
	case PE_SDATA4: value = (uint64_t)bits_extend(bytes_take(p, 4), 32); break;
	default:
		p->beyond = true;
		return 0;
	}
	if (is_length)
		return value;
	if (c->encoding & PE_BASE)
		value += base;
	return r->elf->bits == 32 ? value & UINT32_MAX : value;
}

/* --- rows ------------------------------------------------------------------------------------- */

enum operand { NONE, LEB, SLEB, BLOCK, DATA1, DATA2, DATA4, DATA8, ADDRESS };
enum meaning { NOTHING, OFFSET, OFFSET_FACTORED, UNKNOWN };

/* DWARF 5, 7.24, and GNU's. Meaning of an instruction's last operand for the frame's size. */
static const struct cfa_instruction {
	bool there;
	uint8_t operands[2];
	uint8_t means;
} instructions[0x40] = {
	[0x00] = { true, { NONE }, NOTHING },			/* nop */
	[0x01] = { true, { ADDRESS }, NOTHING },		/* set_loc */
	[0x02] = { true, { DATA1 }, NOTHING },			/* advance_loc1 */
	[0x03] = { true, { DATA2 }, NOTHING },
	[0x04] = { true, { DATA4 }, NOTHING },
	[0x05] = { true, { LEB, LEB }, NOTHING },		/* offset_extended */
	[0x06] = { true, { LEB }, NOTHING },			/* restore_extended */
	[0x07] = { true, { LEB }, NOTHING },			/* undefined */
	[0x08] = { true, { LEB }, NOTHING },			/* same_value */
	[0x09] = { true, { LEB, LEB }, NOTHING },		/* register */
	[0x0a] = { true, { NONE }, NOTHING },			/* remember_state */
	[0x0b] = { true, { NONE }, NOTHING },			/* restore_state: seen before */
	[0x0c] = { true, { LEB, LEB }, OFFSET },		/* def_cfa */
	[0x0d] = { true, { LEB }, NOTHING },			/* def_cfa_register */
	[0x0e] = { true, { LEB }, OFFSET },			/* def_cfa_offset */
	[0x0f] = { true, { BLOCK }, UNKNOWN },			/* def_cfa_expression */
	[0x10] = { true, { LEB, BLOCK }, NOTHING },		/* expression */
	[0x11] = { true, { LEB, SLEB }, NOTHING },		/* offset_extended_sf */
	[0x12] = { true, { LEB, SLEB }, OFFSET_FACTORED },	/* def_cfa_sf */
	[0x13] = { true, { SLEB }, OFFSET_FACTORED },		/* def_cfa_offset_sf */
	[0x14] = { true, { LEB, LEB }, NOTHING },		/* val_offset */
	[0x15] = { true, { LEB, SLEB }, NOTHING },		/* val_offset_sf */
	[0x16] = { true, { LEB, BLOCK }, NOTHING },		/* val_expression */
	[0x1d] = { true, { DATA8 }, NOTHING },			/* MIPS_advance_loc8 */
	[0x2d] = { true, { NONE }, NOTHING },			/* GNU_window_save */
	[0x2e] = { true, { LEB }, NOTHING },			/* GNU_args_size */
	[0x2f] = { true, { LEB, LEB }, NOTHING },		/* GNU_negative_offset_extended */
};

static int64_t operand_take(const struct frame_reader *r, struct bytes *p, enum operand kind,
			    const struct common *c)
{
	switch (kind) {
	case LEB: return (int64_t)bytes_take_uleb(p);
	case SLEB: return bytes_take_sleb(p);
	case BLOCK: bytes_skip(p, bytes_take_uleb(p)); return 0;
	case DATA1: return (int64_t)bytes_take(p, 1);
	case DATA2: return (int64_t)bytes_take(p, 2);
	case DATA4: return (int64_t)bytes_take(p, 4);
	case DATA8: return (int64_t)bytes_take(p, 8);
	case ADDRESS: return (int64_t)address_take(r, p, c, false);
	case NONE: break;
	}
	return 0;
}

/*
 * The largest offset that the instructions up to p->end set, at least `depth`; negative: not
 * known. Which register it is counted from does not matter: where the register changes, the offset
 * stays or is given again.
 */
static int64_t depth_of_rows(const struct frame_reader *r, struct bytes *p, const struct common *c,
			     int64_t depth)
{
	while (p->at < p->end && !p->beyond) {
		uint8_t code = (uint8_t)bytes_take(p, 1);
		const struct cfa_instruction *i = &instructions[code & 0x3f];
		int64_t value = 0;

		if (code >> 6) {	/* advance_loc, offset, restore: with an operand inside */
			if (code >> 6 == 2)
				bytes_take_uleb(p);
			continue;
		}
		if (!i->there || i->means == UNKNOWN)
			return FRAME_UNKNOWN;
		for (unsigned k = 0; k < 2; k++)
			if (i->operands[k] != NONE)
				value = operand_take(r, p, i->operands[k], c);
		if (i->means == OFFSET_FACTORED &&
		    __builtin_mul_overflow(value, c->data_align, &value))
			return FRAME_UNKNOWN;
		if (i->means != NOTHING && value > depth)
			depth = value;
	}
	return p->beyond || depth > INT32_MAX ? FRAME_UNKNOWN : depth;
}

/* --- entries ---------------------------------------------------------------------------------- */

/* "zR", "zPLR"...: each letter has its data (LSB 5.0, 10.6.1.1.1); only R matters. */
static bool augmentation_take(const struct frame_reader *r, struct bytes *p, const char *letters,
			      struct common *c)
{
	uint64_t length, end;

	if (!*letters)
		return true;
	if (*letters != 'z')
		return false;
	c->sized = true;
	length = bytes_take_uleb(p);
	if (p->beyond || length > p->end - p->at)
		return false;
	end = p->at + length;
	for (letters++; *letters; letters++) {
		struct common pointer = *c;

		if (*letters == 'R') {
			c->encoding = (uint8_t)bytes_take(p, 1);
		} else if (*letters == 'P') {
			pointer.encoding = (uint8_t)bytes_take(p, 1) & PE_FORMAT;
			address_take(r, p, &pointer, true);
		} else if (*letters == 'L') {
			bytes_take(p, 1);
		} else if (*letters != 'S' && *letters != 'B') {
			break;		/* later letters' data is out of reach, R comes early */
		}
	}
	p->at = end;
	return !p->beyond && ((c->encoding & PE_BASE) == 0 ||
			      (c->encoding & PE_BASE) == PE_RELATIVE_TO_PC);
}

/* A common information entry behind its id (DWARF 5, 6.4.1). */
static struct common read_common(const struct frame_reader *r, struct bytes *p)
{
	struct common c = { .address_size = r->elf->bits / 8, .encoding = PE_ABSOLUTE };
	uint64_t version = bytes_take(p, 1);
	const char *letters = bytes_take_string(p);
	unsigned segment = 0;
	bool understood;

	if (version == 4) {
		c.address_size = (uint8_t)bytes_take(p, 1);
		segment = (unsigned)bytes_take(p, 1);
	}
	bytes_take_uleb(p);		/* code alignment: of the addresses between rows */
	c.data_align = bytes_take_sleb(p);
	if (version == 1)
		bytes_take(p, 1);		/* column of the return address */
	else
		bytes_take_uleb(p);
	understood = augmentation_take(r, p, letters, &c);
	c.known = understood && !p->beyond && !segment &&
		  (version == 1 || version == 3 || version == 4) &&
		  (c.address_size == 2 || c.address_size == 4 || c.address_size == 8);
	c.depth = c.known ? depth_of_rows(r, p, &c, 0) : FRAME_UNKNOWN;
	return c;
}

struct entry {
	struct bytes body;		/* behind the id */
	uint64_t common;		/* offset of its CIE; its own: it is one */
	bool is_common;
};

/* The entry at *at, which moves behind it. False: nothing more to be read. */
static bool next_entry(const struct frame_reader *r, uint64_t *at, struct entry *e)
{
	struct bytes p = { .data = r->bytes, .at = *at, .end = r->size, .big = r->elf->big_data };
	unsigned wide = 4;
	uint64_t length = bytes_take(&p, 4), id, id_at;

	if (length == 0xffffffff) {
		wide = 8;
		length = bytes_take(&p, 8);
	}
	if (p.beyond || length > p.end - p.at || length < (r->eh ? 4 : wide))
		return false;
	p.end = p.at + length;
	id_at = p.at;
	id = bytes_take(&p, r->eh ? 4 : wide);
	e->is_common = r->eh ? id == 0 : id == (wide == 8 ? UINT64_MAX : 0xffffffff);
	e->common = e->is_common ? *at : r->eh ? id_at - id : id;
	e->body = p;
	*at = p.end;
	return true;
}

/* Its index in r->common; MAP_NONE: there is none, or memory is out. */
static uint32_t common_of(struct frame_reader *r, uint64_t offset)
{
	uint32_t known = map_get(&r->common_at, offset);
	struct entry e;
	uint64_t at = offset;

	if (known != MAP_NONE || offset >= r->size || !next_entry(r, &at, &e) || !e.is_common)
		return known;
	if (r->common_count >= UINT32_MAX - 1 ||
	    mem_grow(&r->common, &r->common_cap, r->common_count + 1, sizeof(*r->common)) < 0 ||
	    map_put(&r->common_at, offset, (uint32_t)r->common_count) < 0) {
		r->failed = true;
		return MAP_NONE;
	}
	r->common[r->common_count] = read_common(r, &e.body);
	return (uint32_t)r->common_count++;
}

/*
 * The function whose code [low, high) is, exactly: entries of code that the linker threw away stay,
 * at addresses from 0 on where other code may live.
 */
static uint32_t owner_of(const struct frame_reader *r, uint64_t low, uint64_t high)
{
	size_t i;

	if (r->elf->machine->isa == ELF_ISA_ARM)
		low &= ~UINT64_C(1);
	i = spans_index(&r->table->spans, low);
	if (i == SIZE_MAX || r->table->spans.v[i].low != low || r->table->spans.v[i].high != high)
		return SPAN_NONE;
	return r->table->spans.v[i].id;
}

static void read_function(struct frame_reader *r, struct entry *e)
{
	uint32_t index = common_of(r, e->common), id;
	const struct common *c = index == MAP_NONE ? NULL : &r->common[index];
	uint64_t low, size;
	int64_t depth;

	if (!c || !c->known)
		return;
	low = address_take(r, &e->body, c, false);
	size = address_take(r, &e->body, c, true);
	if (c->sized)
		bytes_skip(&e->body, bytes_take_uleb(&e->body));
	id = e->body.beyond ? SPAN_NONE : owner_of(r, low, low + size);
	if (id == SPAN_NONE)
		return;
	depth = c->depth < 0 ? c->depth : depth_of_rows(r, &e->body, c, c->depth);
	/* The deepest of several parts; one unknown part makes all unknown. */
	if (depth < 0)
		r->out->sizes[id] = INT32_MIN;
	else if (r->out->sizes[id] != INT32_MIN && r->out->sizes[id] < depth)
		r->out->sizes[id] = (int32_t)depth;
}

static void read_section(struct frame_reader *r, const char *name)
{
	const struct elf_section *s = elf_find_section(r->elf, name);
	uint8_t *bytes = s ? elf_load(r->elf, s, PADDING, &r->size) : NULL;
	struct entry e;

	if (!bytes)
		return;
	r->bytes = bytes;
	r->address = s->address;
	r->eh = strcmp(name, ".eh_frame") == 0;
	map_clear(&r->common_at);
	r->common_count = 0;
	for (uint64_t at = 0; !r->failed && !atomic_load_explicit(r->stop, memory_order_relaxed) &&
	     next_entry(r, &at, &e);) {
		if (!e.is_common)
			read_function(r, &e);
	}
	mem_free(bytes);
}

/* --- life ------------------------------------------------------------------------------------- */

int frames_init(struct frames *f, const struct elf *e, const struct table *t,
		const atomic_bool *stop)
{
	struct frame_reader r = { .elf = e, .table = t, .out = f, .stop = stop };

	f->count = t->count;
	f->sizes = mem_alloc((t->count + 1) * sizeof(*f->sizes));
	if (!f->sizes)
		return ERR_NOMEM;
	for (size_t i = 0; i < t->count; i++)
		f->sizes[i] = FRAME_UNKNOWN;
	map_init(&r.common_at);
	read_section(&r, ".debug_frame");
	read_section(&r, ".eh_frame");
	map_release(&r.common_at);
	mem_free(r.common);
	return r.failed ? ERR_NOMEM : 0;
}

void frames_release(struct frames *f)
{
	mem_free(f->sizes);
	*f = (struct frames){ NULL };
}

int32_t frames_size(const struct frames *f, uint32_t id)
{
	return id < f->count && f->sizes[id] >= 0 ? f->sizes[id] : FRAME_UNKNOWN;
}
