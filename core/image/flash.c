#include "core/image/flash.h"

#include <string.h>

enum { WORD = 4, CHECKSUM_AT = 7 * WORD };

#define GOLDEN 0.6180339887		/* steps of it spread points evenly, however many */

/* --- what the ELF has ------------------------------------------------------------------------- */

static const struct identity_part *part_list(const struct identity *id, size_t *count)
{
	*count = id->section_count ? id->section_count : id->segment_count;
	return id->section_count ? id->sections : id->segments;
}

/* Its whole words; false: it has none that a chip's flash would hold. */
static bool part_words(const struct identity_part *p, uint64_t *low, uint64_t *high)
{
	*low = (p->address + WORD - 1) / WORD * WORD;
	*high = (p->address + p->size) / WORD * WORD;
	return !p->ram && *high > *low && *high <= UINT32_MAX;
}

static uint64_t part_blocks(uint64_t low, uint64_t high, uint32_t block)
{
	return (high - low + block - 1) / block;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* A step that meets each of n blocks once, far from the one before. */
static uint64_t step_find(uint64_t n)
{
	uint64_t step = (uint64_t)((double)n * GOLDEN);

	if (step < 1)
		return 1;
	while (common_divisor(step, n) != 1)
		step++;
	return step;
}

/* --- blocks ----------------------------------------------------------------------------------- */

void flash_init(struct flash *f, const struct identity *id, uint32_t block)
{
	const struct identity_part *parts;
	uint64_t low, high;
	size_t count;

	*f = (struct flash){
		.id = id, .block = block, .first_off = UINT64_MAX, .start = UINT64_MAX,
	};
	parts = part_list(id, &count);
	for (size_t i = 0; i < count; i++) {
		if (!part_words(&parts[i], &low, &high))
			continue;
		f->blocks += part_blocks(low, high, block);
		f->total += high - low;
		if (low < f->start)
			f->start = low;
	}
	f->step = step_find(f->blocks);
}

bool flash_next(struct flash *f, struct flash_block *block)
{
	const struct identity_part *parts;
	uint64_t low, high, at;
	size_t count;

	if (f->given >= f->blocks)
		return false;
	at = (f->given++ * f->step) % f->blocks;
	parts = part_list(f->id, &count);
	for (size_t i = 0; i < count; i++) {
		uint64_t n;

		if (!part_words(&parts[i], &low, &high))
			continue;
		n = part_blocks(low, high, f->block);
		if (at >= n) {
			at -= n;
			continue;
		}
		low += at * f->block;
		*block = (struct flash_block){
			.address = (uint32_t)low,
			.size = (uint32_t)(high - low < f->block ? high - low : f->block),
		};
		return true;
	}
	return false;
}

/* --- comparing -------------------------------------------------------------------------------- */

static const struct identity_part *part_at(const struct flash *f, uint64_t address)
{
	const struct identity_part *parts;
	size_t count;

	parts = part_list(f->id, &count);
	for (size_t i = 0; i < count; i++) {
		if (!parts[i].ram && address >= parts[i].address &&
		    address - parts[i].address < parts[i].size)
			return &parts[i];
	}
	return NULL;
}

static const uint8_t *own_bytes(const struct flash *f, const struct identity_part *p,
				uint64_t address)
{
	return f->id->bytes + p->offset + (address - p->address);
}

/* The programmer's word, if the ELF has none of its own. */
static bool is_checksum(const struct flash *f, const struct identity_part *p, uint64_t address)
{
	static const uint8_t none[WORD];
	uint64_t at = f->start + CHECKSUM_AT;

	return address >= at && address < at + WORD && at + WORD <= p->address + p->size &&
	       at >= p->address && memcmp(own_bytes(f, p, at), none, WORD) == 0;
}

static void flash_byte_take(struct flash *f, uint64_t address, uint8_t byte)
{
	const struct identity_part *p = part_at(f, address);
	uint8_t own;

	if (!p || is_checksum(f, p, address))
		return;
	own = *own_bytes(f, p, address);
	f->compared++;
	if (byte == own)
		return;
	f->erased += byte == 0xff;
	if (p->code)
		f->code_off++;
	else
		f->data_off++;
	if (address < f->first_off)
		f->first_off = address;
}

void flash_take(struct flash *f, uint32_t address, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		flash_byte_take(f, (uint64_t)address + i, bytes[i]);
}

enum identity_verdict flash_verdict(const struct flash *f)
{
	if (f->code_off)
		return IDENTITY_OTHER;
	if (f->data_off)
		return IDENTITY_UNSURE;
	return f->compared ? IDENTITY_SAME : IDENTITY_UNKNOWN;
}
