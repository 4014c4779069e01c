#include "insn.h"

#include <stdlib.h>

/*
 * Thumb's instructions that end a straight run, as mask and value; the first that fits counts.
 * ARMv7-M ARM, A5.2 and A5.3; a 32-bit instruction's first half is the high one.
 */
static const struct encoding {
	uint32_t mask, value;
	enum flow flow;
} short_encodings[] = {
	{ 0xfff8, 0x4770, FLOW_RETURN },	/* bx lr, bxns lr */
	{ 0xff80, 0x4780, FLOW_CALL },		/* blx rN */
	{ 0xff80, 0x4700, FLOW_BX },		/* bx rN */
	{ 0xff87, 0x4687, FLOW_JUMP },		/* mov pc, rN */
	{ 0xff87, 0x4487, FLOW_JUMP },		/* add pc, rN */
	{ 0xff00, 0xbd00, FLOW_RETURN },	/* pop {..., pc} */
	{ 0xfe00, 0xde00, FLOW_ON },		/* udf, svc */
	{ 0xf000, 0xd000, FLOW_BRANCH },	/* b<cond> */
	{ 0xf800, 0xe000, FLOW_BRANCH },	/* b */
	{ 0xf500, 0xb100, FLOW_BRANCH },	/* cbz, cbnz */
	{ 0 },
}, long_encodings[] = {
	{ 0xf800d000, 0xf000d000, FLOW_CALL },		/* bl */
	{ 0xf800d000, 0xf0009000, FLOW_BRANCH },	/* b.w */
	{ 0xfb80d000, 0xf3808000, FLOW_ON },	/* msr, mrs, hints, barriers: no condition 111x */
	{ 0xf800d000, 0xf0008000, FLOW_BRANCH },	/* b<cond>.w */
	{ 0xffffffff, 0xf85dfb04, FLOW_RETURN },	/* ldr pc, [sp], #4 */
	{ 0xff70f000, 0xf850f000, FLOW_JUMP },		/* ldr.w pc, ... */
	{ 0xffdf8000, 0xe89d8000, FLOW_RETURN },	/* pop.w {..., pc} */
	{ 0xffd08000, 0xe8908000, FLOW_RETURN },	/* ldmia rN, {..., pc} */
	{ 0xffd08000, 0xe9108000, FLOW_RETURN },	/* ldmdb rN, {..., pc} */
	{ 0xfff0ffe0, 0xe8d0f000, FLOW_JUMP },		/* tbb, tbh */
	{ 0 },
};

static enum flow flow_of(const uint8_t *code, size_t size)
{
	uint32_t op = code[0] | (uint32_t)code[1] << 8;
	const struct encoding *e = short_encodings;

	if (size == 4) {
		op = op << 16 | code[2] | (uint32_t)code[3] << 8;
		e = long_encodings;
	}
	for (; e->mask; e++)
		if ((op & e->mask) == e->value)
			return e->flow;
	return FLOW_ON;
}

/* ARMv7-M ARM, A5.2.4 and A5.3.10; of 32 bits the first half. */
bool insn_stores_byte(const struct insn *insn)
{
	return (insn->code & 0xf800) == 0x7000 || (insn->code & 0xfe00) == 0x5400 ||
	       (insn->code & 0xff70) == 0xf800;
}

enum { BUCKETS = 1 << 18 };
static struct insn *bucket[BUCKETS];

/* ldr rN, =there; bx rN */
static bool insn_is_veneer(const struct insn *insn, const struct insn *before)
{
	return before && insn->flow == FLOW_BX && (before->code & 0xf800) == 0x4800 &&
	       (before->code >> 8 & 7) == (insn->code >> 3 & 15);
}

struct insn *insn_at(const struct image *image, uint32_t address, const uint8_t *code, size_t size,
		     const struct insn *before)
{
	uint32_t i = (address >> 1) & (BUCKETS - 1);

	while (bucket[i] && bucket[i]->address != address)
		i = (i + 1) & (BUCKETS - 1);
	if (bucket[i])
		return bucket[i];
	bucket[i] = calloc(1, sizeof(**bucket));
	*bucket[i] = (struct insn){
		.address = address,
		.end = address + (uint32_t)size,
		.function = image_find(image, address),
		.flow = flow_of(code, size),
		.code = (uint16_t)(code[0] | code[1] << 8),
	};
	if (insn_is_veneer(bucket[i], before))
		bucket[i]->flow = FLOW_BRANCH;
	return bucket[i];
}

void insn_each(void (*each)(struct insn *insn, void *user), void *user)
{
	for (size_t i = 0; i < BUCKETS; i++)
		if (bucket[i])
			each(bucket[i], user);
}
