/* avr_access: see avr_access.h. */
#include "sim/source/avr_access.h"

enum { X = 26, Y = 28, Z = 30, IO = 0x20 };

static uint16_t pair_of(const avr_t *avr, int low)
{
	return (uint16_t)(avr->data[low] | avr->data[low + 1] << 8);
}

static uint16_t stack_of(const avr_t *avr)
{
	return (uint16_t)(avr->data[R_SPL] | avr->data[R_SPH] << 8);
}

static struct avr_access access_make(uint16_t address, bool stores)
{
	return (struct avr_access){ .address = address, .size = 1, .loads = !stores,
				    .stores = stores };
}

/* 1001 00sd dddd mmmm: by pointers, direct, push and pop. */
static struct avr_access indirect_of(const avr_t *avr, uint16_t op)
{
	bool stores = op & 0x0200;

	switch (op & 0xf) {
	case 0x0:			/* lds, sts: the next word */
		return access_make((uint16_t)(avr->flash[avr->pc + 2] |
					      avr->flash[avr->pc + 3] << 8), stores);
	case 0x1: return access_make(pair_of(avr, Z), stores);
	case 0x2: return access_make((uint16_t)(pair_of(avr, Z) - 1), stores);
	case 0x9: return access_make(pair_of(avr, Y), stores);
	case 0xa: return access_make((uint16_t)(pair_of(avr, Y) - 1), stores);
	case 0xc:
	case 0xd: return access_make(pair_of(avr, X), stores);
	case 0xe: return access_make((uint16_t)(pair_of(avr, X) - 1), stores);
	case 0xf: return access_make((uint16_t)(stack_of(avr) + !stores), stores);
	default: return (struct avr_access){ .size = 0 };	/* lpm, elpm */
	}
}

/* 10q0 qqsd dddd yqqq: with a displacement. */
static struct avr_access displaced_of(const avr_t *avr, uint16_t op)
{
	uint16_t q = (uint16_t)((op & 0x7) | (op >> 7 & 0x18) | (op >> 8 & 0x20));

	return access_make((uint16_t)(pair_of(avr, op & 0x8 ? Y : Z) + q), op & 0x0200);
}

/* 1001 10oo AAAA Abbb: cbi, sbic, sbi, sbis. */
static struct avr_access bit_of(uint16_t op)
{
	struct avr_access a = access_make((uint16_t)((op >> 3 & 0x1f) + IO), !(op & 0x0100));

	a.loads = true;
	return a;
}

static bool is_call(uint16_t op)
{
	return (op & 0xfe0e) == 0x940e || (op & 0xf000) == 0xd000 || op == 0x9509 || op == 0x9519;
}

struct avr_access avr_access_of(const avr_t *avr)
{
	uint16_t op = (uint16_t)(avr->flash[avr->pc] | avr->flash[avr->pc + 1] << 8);
	uint8_t words = avr->address_size;

	if ((op & 0xfc00) == 0x9000)
		return indirect_of(avr, op);
	if ((op & 0xd000) == 0x8000)
		return displaced_of(avr, op);
	if ((op & 0xf000) == 0xb000)
		return access_make((uint16_t)(((op & 0xf) | (op >> 5 & 0x30)) + IO), op & 0x0800);
	if ((op & 0xfc00) == 0x9800)
		return bit_of(op);
	if (is_call(op))
		return (struct avr_access){ (uint16_t)(stack_of(avr) - words + 1), words, false,
					    true };
	if ((op & 0xffef) == 0x9508)
		return (struct avr_access){ (uint16_t)(stack_of(avr) + 1), words, true, false };
	return (struct avr_access){ .size = 0 };
}
