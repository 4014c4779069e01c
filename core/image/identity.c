#include "core/image/identity.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/image/elf.h"

#define PARTS_MAX 4096			/* segments or sections read: more are not plausible */
#define BYTES_MAX (64u << 20)		/* larger than any microcontroller's flash */
#define AVR_RAM 0x800000		/* from here on: RAM, EEPROM, fuses */
#define BLOCK_BITS 24			/* 16 MB: no flash is larger, or crosses such a border */
#define BOOTLOADER_LEAST 256		/* fewer bytes in front are a gap like others */

/* --- reading ---------------------------------------------------------------------------------- */

static int by_part(const void *a, const void *b)
{
	const struct identity_part *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* In order; where two overlap, the first keeps its bytes. */
static size_t parts_settle(struct identity_part *parts, size_t count)
{
	uint64_t end = 0;
	size_t kept = 0;

	if (count)
		qsort(parts, count, sizeof(*parts), by_part);
	for (size_t i = 0; i < count; i++) {
		struct identity_part p = parts[i];
		uint64_t over = end > p.address ? end - p.address : 0;

		if (over >= p.size)
			continue;
		p.address += over;
		p.offset += over;
		p.size -= over;
		end = p.address + p.size;
		parts[kept++] = p;
	}
	return kept;
}

struct identity_reader {
	struct identity *id;
	Elf *elf;
	int fd;
	bool avr;
	uint64_t file_size, used;	/* bytes of id->bytes */
	size_t bytes_cap, segment_cap, section_cap;
};

static int part_add(struct identity_part **parts, size_t *count, size_t *cap,
		    const struct identity_part *p)
{
	if (mem_grow(parts, cap, *count + 1, sizeof(**parts)) < 0)
		return ERR_NOMEM;
	(*parts)[(*count)++] = *p;
	return 0;
}

/*
 * Data that is writable where it is loaded is RAM, which a debugger loads; elsewhere it is the
 * image that start-up code copies.
 */
static bool is_ram(const struct identity_reader *r, bool writable, bool code, uint64_t load,
		   uint64_t runs)
{
	return r->avr ? load >= AVR_RAM : writable && !code && load == runs;
}

/*
 * Sections share their segment's bytes: bytes between sections are the linker's filling.
 */
static int sections_add(struct identity_reader *r, const GElf_Phdr *h, uint64_t at)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr s;

	for (size_t n = 0; n < PARTS_MAX && (scn = elf_nextscn(r->elf, scn)); n++) {
		struct identity_part p;

		if (!gelf_getshdr(scn, &s) || s.sh_type == SHT_NOBITS ||
		    !(s.sh_flags & SHF_ALLOC) ||
		    !s.sh_size || s.sh_offset < h->p_offset ||
		    s.sh_offset - h->p_offset > h->p_filesz ||
		    s.sh_size > h->p_filesz - (s.sh_offset - h->p_offset))
			continue;
		p = (struct identity_part){
			.address = h->p_paddr + (s.sh_offset - h->p_offset), .size = s.sh_size,
			.offset = at + (s.sh_offset - h->p_offset),
			.code = s.sh_flags & SHF_EXECINSTR,
		};
		p.ram = is_ram(r, s.sh_flags & SHF_WRITE, p.code, p.address, s.sh_addr);
		if (part_add(&r->id->sections, &r->id->section_count, &r->section_cap, &p) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

static int segment_add(struct identity_reader *r, const GElf_Phdr *h)
{
	struct identity_part p = {
		.address = h->p_paddr, .size = h->p_filesz, .offset = r->used,
		.code = h->p_flags & PF_X,
	};

	if (h->p_type != PT_LOAD || !h->p_filesz)
		return 0;
	p.ram = is_ram(r, h->p_flags & PF_W, p.code, h->p_paddr, h->p_vaddr);
	if (!elf_in_file(r->file_size, h->p_offset, h->p_filesz) ||
	    r->used + h->p_filesz > BYTES_MAX ||
	    h->p_paddr > UINT64_MAX - h->p_filesz)
		return ERR_FORMAT;
	if (mem_grow(&r->id->bytes, &r->bytes_cap, r->used + h->p_filesz, 1) < 0)
		return ERR_NOMEM;
	if (!elf_read_at(r->fd, r->id->bytes + r->used, h->p_filesz, h->p_offset))
		return ERR_FORMAT;
	r->used += h->p_filesz;
	if (part_add(&r->id->segments, &r->id->segment_count, &r->segment_cap, &p) < 0)
		return ERR_NOMEM;
	return sections_add(r, h, p.offset);
}

static void note_take(struct identity *id, Elf_Data *data)
{
	size_t at = 0, name, desc;
	GElf_Nhdr h;

	while (data && (at = gelf_getnote(data, at, &h, &name, &desc)) > 0) {
		if (h.n_type != NT_GNU_BUILD_ID || h.n_namesz != 4 ||
		    memcmp((char *)data->d_buf + name, "GNU", 4) != 0)
			continue;
		id->build_id_size = h.n_descsz < sizeof(id->build_id) ? h.n_descsz :
				    sizeof(id->build_id);
		memcpy(id->build_id, (char *)data->d_buf + desc, id->build_id_size);
		return;
	}
}

static void notes_read(struct identity_reader *r)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr s;

	for (size_t n = 0; n < PARTS_MAX && (scn = elf_nextscn(r->elf, scn)); n++) {
		if (gelf_getshdr(scn, &s) && s.sh_type == SHT_NOTE &&
		    elf_in_file(r->file_size, s.sh_offset, s.sh_size))
			note_take(r->id, elf_getdata(scn, NULL));
	}
}

static int segments_read(struct identity_reader *r)
{
	size_t count = 0;
	GElf_Ehdr e;
	GElf_Phdr h;

	if (!r->elf || elf_kind(r->elf) != ELF_K_ELF || !gelf_getehdr(r->elf, &e) ||
	    elf_getphdrnum(r->elf, &count) < 0)
		return ERR_FORMAT;
	r->avr = e.e_machine == EM_AVR;
	for (size_t i = 0; i < count && i < PARTS_MAX; i++) {
		int ret = gelf_getphdr(r->elf, (int)i, &h) ? segment_add(r, &h) : ERR_FORMAT;

		if (ret < 0)
			return ret;
	}
	r->id->segment_count = parts_settle(r->id->segments, r->id->segment_count);
	r->id->section_count = parts_settle(r->id->sections, r->id->section_count);
	notes_read(r);
	return 0;
}

int identity_read(struct identity *id, const char *path, struct err *err)
{
	struct identity_reader r = { .id = id };
	struct stat st;
	int ret = ERR_FORMAT;

	*id = (struct identity){ 0 };
	elf_version(EV_CURRENT);
	r.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (r.fd < 0)
		return err_errno(err, "%s", path);
	if (fstat(r.fd, &st) == 0 && S_ISREG(st.st_mode)) {
		r.file_size = (uint64_t)st.st_size;
		r.elf = elf_begin(r.fd, ELF_C_READ, NULL);
		ret = segments_read(&r);
	}
	elf_end(r.elf);
	close(r.fd);
	if (ret == ERR_NOMEM)
		return err_set(err, ret, "%s: out of memory", path);
	return ret < 0 ? err_set(err, ret, "%s: cannot read its flash contents", path) : 0;
}

void identity_release(struct identity *id)
{
	mem_free(id->bytes);
	mem_free(id->segments);
	mem_free(id->sections);
	*id = (struct identity){ 0 };
}

/* --- the checksum ----------------------------------------------------------------------------- */

/* n words of one value at once: a grows by v each, b by all that a was. */
static void add_words(struct identity_sum *s, uint16_t v, uint32_t n)
{
	uint64_t pairs = (uint64_t)n * ((uint64_t)n + 1) / 2;	/* n below 2^31: it fits */

	s->b = (uint16_t)(s->b + (uint64_t)n * s->a + (pairs & 0xffff) * v);
	s->a = (uint16_t)(s->a + (uint64_t)n * v);
}

/* Parts that end at or before an address are behind us. */
static void parts_pass(const struct identity_part *parts, size_t count, size_t *i, uint64_t at)
{
	while (*i < count && parts[*i].address + parts[*i].size <= at)
		++*i;
}

static uint8_t byte_at(const struct identity *id, const struct identity_part *parts, size_t count,
		       size_t *i, uint64_t at, uint8_t fill)
{
	parts_pass(parts, count, i, at);
	if (*i == count || at < parts[*i].address)
		return fill;
	return id->bytes[parts[*i].offset + (at - parts[*i].address)];
}

struct identity_sum identity_sum(const struct identity *id, const struct identity_part *parts,
				 size_t count, uint32_t start, uint32_t length, uint8_t fill)
{
	uint64_t at = start, end = at + (length & ~1u);
	struct identity_sum s = { 0, 0 };
	size_t i = 0;

	while (at < end) {
		uint64_t next;

		parts_pass(parts, count, &i, at);
		next = i < count && parts[i].address < end ? parts[i].address : end;
		if (next >= at + 2) {
			add_words(&s, (uint16_t)(fill << 8 | fill), (uint32_t)((next - at) / 2));
			at += (next - at) / 2 * 2;
		} else {
			uint16_t low = byte_at(id, parts, count, &i, at, fill);
			uint16_t high = byte_at(id, parts, count, &i, at + 1, fill);

			add_words(&s, (uint16_t)(high << 8 | low), 1);
			at += 2;
		}
	}
	return s;
}

/* --- comparing -------------------------------------------------------------------------------- */

/*
 * The bytes between sections depend on the programmer: the linker's filling where segments are
 * written, erased flash where sections are (objcopy -O ihex), zeros from objcopy -O binary.
 */
static bool same_sum(const struct identity *id, const struct wire_identity *said)
{
	const struct {
		const struct identity_part *parts;
		size_t count;
		uint8_t fill;
	} ways[] = {
		{ id->segments, id->segment_count, 0xff },
		{ id->sections, id->section_count, 0xff },
		{ id->sections, id->section_count, 0 },
	};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct identity_sum s = identity_sum(id, ways[i].parts, ways[i].count, said->start,
						     said->length, ways[i].fill);

		if (s.a == said->a && s.b == said->b)
			return true;
	}
	return false;
}

static bool is_near(const struct identity_part *p, const struct wire_identity *said)
{
	return p->address >> BLOCK_BITS == said->start >> BLOCK_BITS;
}

struct identity_coverage identity_coverage(const struct identity *id,
					   const struct wire_identity *said)
{
	bool split = id->section_count > 0;
	const struct identity_part *parts = split ? id->sections : id->segments;
	size_t count = split ? id->section_count : id->segment_count;
	uint64_t start = said->start, end = start + said->length, first = UINT64_MAX;
	struct identity_coverage c = { 0 };

	for (size_t i = 0; i < count; i++) {
		const struct identity_part *p = &parts[i];
		uint64_t from = p->address > start ? p->address : start;
		uint64_t to = p->address + p->size < end ? p->address + p->size : end;

		if (p->ram || (!p->code && !is_near(p, said)))
			continue;
		if (p->address < first && is_near(p, said))
			first = p->address;
		c.loaded += p->size;
		c.covered += from < to ? to - from : 0;
	}
	c.before = first > start && first != UINT64_MAX ? first - start : 0;
	return c;
}

static enum identity_verdict sum_compare(const struct identity *id,
					 const struct wire_identity *said)
{
	struct identity_coverage c = identity_coverage(id, said);

	if (said->length < 2)
		return IDENTITY_UNKNOWN;	/* a checksum of no bytes: no information */
	if (!same_sum(id, said))
		return c.before < BOOTLOADER_LEAST ? IDENTITY_OTHER : IDENTITY_UNSURE;
	return c.covered * 10 >= c.loaded * 9 && c.covered ? IDENTITY_SAME : IDENTITY_UNSURE;
}

/* --- blocks that a probe read ----------------------------------------------------------------- */

struct block_counts {
	unsigned inside, off;		/* of the ELF's; of these, differ */
};

static bool block_is_inside(const struct identity_part *parts, size_t count, uint64_t address)
{
	for (size_t i = 0; i < count; i++) {
		if (!parts[i].ram && address >= parts[i].address &&
		    address + WIRE_BLOCK_BYTES <= parts[i].address + parts[i].size)
			return true;
	}
	return false;
}

static struct block_counts blocks_count(const struct identity *id, const struct wire_identity *said)
{
	bool split = id->section_count > 0;
	const struct identity_part *parts = split ? id->sections : id->segments;
	size_t count = split ? id->section_count : id->segment_count;
	struct block_counts counts = { 0 };

	for (size_t i = 0; i < said->block_count && i < WIRE_BLOCKS; i++) {
		const struct wire_block *b = &said->blocks[i];
		struct identity_sum s;

		if (!block_is_inside(parts, count, b->address))
			continue;
		s = identity_sum(id, parts, count, b->address, WIRE_BLOCK_BYTES, 0xff);
		counts.inside++;
		counts.off += s.a != b->a || s.b != b->b;
	}
	return counts;
}

/*
 * They are code, which no program changes: one that differs is another firmware's. Of code that is
 * copied to RAM the ELF has another address: it is not compared, but half of it must be.
 */
static enum identity_verdict blocks_compare(const struct identity *id,
					    const struct wire_identity *said)
{
	struct block_counts c = blocks_count(id, said);

	if (c.off)
		return IDENTITY_OTHER;
	if (!c.inside)
		return IDENTITY_UNKNOWN;
	return c.inside * 2u >= said->block_count ? IDENTITY_SAME : IDENTITY_UNSURE;
}

enum identity_verdict identity_compare(const struct identity *id, const struct wire_identity *said)
{
	static const uint8_t none[sizeof(said->build_id)];
	const size_t n = sizeof(said->build_id);

	if (said->kind == WIRE_IDENTITY_NONE)
		return IDENTITY_UNKNOWN;
	if (said->kind == WIRE_IDENTITY_SUM)
		return sum_compare(id, said);
	if (said->kind == WIRE_IDENTITY_BLOCKS)
		return blocks_compare(id, said);
	if (memcmp(said->build_id, none, n) == 0)
		return IDENTITY_UNKNOWN;	/* older runtimes did not look for the note */
	return id->build_id_size >= n && memcmp(id->build_id, said->build_id, n) == 0 ?
	       IDENTITY_SAME : IDENTITY_OTHER;
}

void identity_doubt(const struct identity *id, const struct wire_identity *said, char *dst,
		    size_t size)
{
	struct identity_coverage c = identity_coverage(id, said);

	if (said->kind == WIRE_IDENTITY_BLOCKS)
		snprintf(dst, size, "of %u blocks read from memory it has only %u",
			 said->block_count, blocks_count(id, said).inside);
	else if (c.before >= BOOTLOADER_LEAST)
		snprintf(dst, size, "its checksum starts %llu bytes before the ELF's first byte",
			 (unsigned long long)c.before);
	else
		snprintf(dst, size, "its checksum covers %llu of %llu bytes",
			 (unsigned long long)c.covered, (unsigned long long)c.loaded);
}

static void hex_text(const uint8_t *bytes, size_t n, char *dst, size_t size)
{
	int used = 0;

	for (size_t i = 0; i < n && i < 6; i++)
		used += snprintf(dst + used, size - (size_t)used, "%02x", bytes[i]);
	if (n > 6)
		snprintf(dst + used, size - (size_t)used, "...");
}

void identity_text(const struct wire_identity *said, char *dst, size_t size)
{
	if (said->kind == WIRE_IDENTITY_BUILD_ID)
		hex_text(said->build_id, sizeof(said->build_id), dst, size);
	else if (said->kind == WIRE_IDENTITY_SUM)
		snprintf(dst, size, "%04x%04x", said->a, said->b);
	else
		snprintf(dst, size, "%s", "");
}

void identity_own_text(const struct identity *id, const struct wire_identity *said, char *dst,
		       size_t size)
{
	struct identity_sum s;
	char hex[24];

	if (said->kind == WIRE_IDENTITY_BLOCKS) {
		struct block_counts c = blocks_count(id, said);

		snprintf(dst, size, "%u of %u blocks of its code differ", c.off, c.inside);
	} else if (said->kind == WIRE_IDENTITY_BUILD_ID && !id->build_id_size) {
		snprintf(dst, size, "no build-id");
	} else if (said->kind == WIRE_IDENTITY_BUILD_ID) {
		hex_text(id->build_id, id->build_id_size, hex, sizeof(hex));
		snprintf(dst, size, "build-id %s", hex);
	} else {
		s = identity_sum(id, id->segments, id->segment_count, said->start, said->length,
				 0xff);
		snprintf(dst, size, "checksum %04x%04x", s.a, s.b);
	}
}
