#include "core/image/code.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/err.h"
#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/base/sorted.h"
#include "core/image/runtime.h"

#define MAX_MAP (UINT64_C(64) << 20)	/* bytes of address space that the map covers */
#define MAX_GAP (UINT64_C(1) << 20)	/* sections further apart than this are other memories */
#define EARLY 16			/* CODE_EARLY: bytes */
#define EARLY_MCOUNT 64			/* latest offset of a call of mcount in a prologue */

/* --- which range ------------------------------------------------------------------------------ */

/* Sections from `first` on that lie close together: how many, and how many bytes of code. */
static size_t cluster_size(const struct elf *e, size_t first, uint64_t *bytes)
{
	uint64_t start = e->code[first].address, end = start;
	size_t n = 0;

	*bytes = 0;
	for (size_t i = first; i < e->code_count; i++, n++) {
		const struct elf_code *c = &e->code[i];

		if (i > first &&
		    (c->address - end > MAX_GAP || c->address + c->size - start > MAX_MAP))
			break;
		end = c->address + c->size;
		*bytes += c->size;
	}
	return n;
}

/* The range with the most code: flash, for example, not the RAM functions 500 MB further up. */
static void choose_range(struct code *c)
{
	const struct elf *e = c->elf;
	uint64_t best = 0, bytes, end;

	for (size_t i = 0, n; i < e->code_count; i += n) {
		n = cluster_size(e, i, &bytes);
		if (bytes <= best)
			continue;
		best = bytes;
		c->map.base = e->code[i].address & ~UINT64_C(1);
		end = e->code[i + n - 1].address + e->code[i + n - 1].size;
		c->map.size = end - c->map.base < MAX_MAP ? end - c->map.base : MAX_MAP;
	}
}

static uint8_t *flag_at(const struct code *c, uint64_t address)
{
	uint64_t off = address - c->map.base;

	return off < c->map.size ? &c->flags[off >> 1] : NULL;
}

static void set_flag(struct code *c, uint64_t address, unsigned flag)
{
	uint8_t *f = flag_at(c, address);

	if (f)
		*f |= (uint8_t)flag;
}

static void mark_text(struct code *c)
{
	for (size_t i = 0; i < c->elf->code_count; i++) {
		const struct elf_code *s = &c->elf->code[i];
		uint64_t low = s->address - c->map.base, high = low + s->size;

		if (low >= c->map.size)
			continue;
		if (high > c->map.size)
			high = c->map.size;
		memset(c->flags + (low >> 1), CODE_TEXT, (size_t)((high + 1) / 2 - (low >> 1)));
	}
}

/* --- calls ------------------------------------------------------------------------------------ */

/* Index of the mapping symbol in force at an address; SIZE_MAX: before the first. */
static size_t mode_index(const struct elf *e, uint64_t address)
{
	return SORTED_ABOVE(e->modes, e->mode_count, address, address) - 1;
}

/*
 * Without mapping symbols: an odd entry point or no word alignment means Thumb, the only
 * instruction set of Cortex-M.
 */
static char mode_without_symbols(const struct elf *e)
{
	return (e->entry & 3) || e->mode_count ? 't' : 'a';
}

static char mode_at(const struct elf *e, uint64_t address)
{
	size_t i;

	if (e->machine->isa != ELF_ISA_ARM)
		return 't';
	i = mode_index(e, address);
	return i == SIZE_MAX ? mode_without_symbols(e) : e->modes[i].state;
}

static struct call call_at(const struct elf *e, const struct elf_code *s, uint64_t address,
			   char mode)
{
	uint64_t off = address - s->address;

	return call_decode(&(struct call_site){
		.elf = e,
		.bytes = s->bytes + off,
		.at = address,
		.left = s->size - off,
		.mode = mode,
	});
}

static void mark_call(struct code *c, uint64_t at, struct call call)
{
	if (!call.size)
		return;
	set_flag(c, at + call.size, CODE_RETURN);
	if (call.target != CODE_NO_TARGET)
		set_flag(c, call.target, CODE_CALLED);
}

/*
 * x86: calls start with E8, FF or (with a prefix) 41 FF; memchr finds those faster than any loop
 * here.
 */
static void scan_for(struct code *c, const struct elf_code *s, int opcode, unsigned before)
{
	const uint8_t *p = s->bytes, *end = s->bytes + s->size;

	while ((p = memchr(p, opcode, (size_t)(end - p))) != NULL) {
		uint64_t at = s->address + (uint64_t)(p - s->bytes);

		mark_call(c, at, call_at(c->elf, s, at, 't'));
		if (before && p > s->bytes && p[-1] == 0x41)
			mark_call(c, at - 1, call_at(c->elf, s, at - 1, 't'));
		p++;
	}
}

/* AVR's SLEEP; Thumb's WFI and WFE (hints, as the 16-bit ones are written). */
static bool is_sleep(const struct elf *e, const struct elf_code *s, uint64_t at, char mode)
{
	uint64_t off = at - s->address;
	unsigned word;

	if (off + 2 > s->size)
		return false;
	word = bits_load16(s->bytes + off, e->big_code);
	if (e->machine->isa == ELF_ISA_AVR)
		return word == 0x9588;
	return e->machine->isa == ELF_ISA_ARM && mode == 't' && (word == 0xbf30 || word == 0xbf20);
}

static void scan_steps(struct code *c, const struct elf_code *s)
{
	const struct elf *e = c->elf;
	unsigned step = call_step(e);
	size_t next = mode_index(e, s->address) + 1;	/* SIZE_MAX + 1 is 0 */
	char mode = mode_at(e, s->address);

	for (uint64_t at = (s->address + step - 1) / step * step; at < s->address + s->size;
	     at += step) {
		for (; next < e->mode_count && e->modes[next].address <= at; next++)
			mode = e->modes[next].state;
		if (mode == 'd')
			continue;
		mark_call(c, at, call_at(e, s, at, mode));
		if (is_sleep(e, s, at, mode))
			set_flag(c, at, CODE_SLEEP);
	}
}

static void mark_calls(struct code *c)
{
	bool x86 = c->elf->machine->isa == ELF_ISA_X86 || c->elf->machine->isa == ELF_ISA_X86_64;

	for (size_t i = 0; i < c->elf->code_count; i++) {
		if (x86) {
			scan_for(c, &c->elf->code[i], 0xe8, 0);
			scan_for(c, &c->elf->code[i], 0xff, 1);
		} else {
			scan_steps(c, &c->elf->code[i]);
		}
	}
}

/*
 * codemap's target(): the call that ends at `ret`. Two lengths may fit (the second half of a long
 * call can look like a short one): the one that reaches a function's entry is it, else the longer.
 */
static uint64_t call_target(const void *ctx, uint64_t ret)
{
	const struct code *c = ctx;
	const struct elf *e = c->elf;
	uint64_t found = CODE_NO_TARGET;

	if (e->machine->isa == ELF_ISA_ARM)
		ret &= ~UINT64_C(1);
	for (unsigned back = call_longest(e); back; back--) {
		const struct elf_code *s = elf_code_at(e, ret - back);
		struct call call;
		char mode;

		if (!s || (ret - back) % call_step(e) || (mode = mode_at(e, ret - back)) == 'd')
			continue;
		call = call_at(e, s, ret - back, mode);
		if (call.size != back || call.target == CODE_NO_TARGET)
			continue;
		call.target = code_normal(c, call.target);
		if (code_flags(&c->map, call.target) & CODE_ENTRY)
			return call.target;
		if (found == CODE_NO_TARGET)
			found = call.target;
	}
	return found;
}

static uint64_t normal_address(const void *ctx, uint64_t address)
{
	return code_normal(ctx, address);
}

/* --- entries ---------------------------------------------------------------------------------- */

static bool is_mcount(const struct code *c, uint64_t target)
{
	for (size_t i = 0; i < c->mcount_count; i++) {
		if (c->mcount[i] == target)
			return true;
	}
	return false;
}

/*
 * How far a prologue goes: 16 bytes, or further when it calls mcount later than that (gcc for
 * Thumb-1 saves the high registers first), up to that return address.
 */
static uint64_t early_end(const struct code *c, uint64_t address, uint64_t size)
{
	uint64_t end = address + (size && size < EARLY ? size : EARLY);

	for (uint64_t at = address + EARLY;
	     c->mcount_count && at < address + EARLY_MCOUNT && at < address + size; at += 2) {
		if ((code_flags(&c->map, at) & CODE_RETURN) && is_mcount(c, call_target(c, at)))
			return at + 2;
	}
	return end;
}

void code_mark_entry(struct code *c, uint64_t address)
{
	set_flag(c, address, CODE_ENTRY);
}

void code_mark_early(struct code *c, uint64_t address, uint64_t size)
{
	uint64_t end = early_end(c, address, size);

	for (uint64_t at = address; at < end; at += 2)
		set_flag(c, at, CODE_EARLY);
}

/* --- veneers ---------------------------------------------------------------------------------- */

/*
 * The function's symbol within a veneer's name: "__f_from_thumb" -> "f"; its length, 0: no
 * veneer's name. GNU ld (elf32-arm.c): the first four; lld (Thunks.cpp): the prefix.
 */
static size_t veneer_name(const char *name, const char **inner)
{
	static const char *const suffixes[] = { "_from_thumb", "_from_arm", "_veneer",
						"_change_to_arm" };
	const char *thunk = strncmp(name, "__", 2) == 0 ? strstr(name, "Thunk_") : NULL;
	size_t n = strlen(name);

	if (thunk && thunk[6]) {
		*inner = thunk + 6;
		return strlen(thunk + 6);
	}
	if (n <= 2 || name[0] != '_' || name[1] != '_')
		return 0;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		size_t m = strlen(suffixes[i]);

		if (n > m + 2 && strcmp(name + n - m, suffixes[i]) == 0) {
			*inner = name + 2;
			return n - m - 2;
		}
	}
	return 0;
}

static int add_veneer(struct code *c, uint64_t low, uint64_t size, uint64_t target)
{
	if (mem_grow(&c->veneers, &c->veneer_cap, c->veneer_count + 1, sizeof(*c->veneers)) < 0)
		return ERR_NOMEM;
	c->veneers[c->veneer_count++] = (struct veneer){ low, low + size, target };
	return 0;
}

/* Symbols by name, globals before locals; made once, for the names of veneers. */
static int index_names(const struct elf *e, struct map *by_name)
{
	for (size_t i = 0; i < e->symbol_count; i++) {
		const struct elf_symbol *s = &e->symbols[i];
		uint64_t key = elf_name_hash(s->name, strlen(s->name));
		uint32_t before = map_get(by_name, key);

		if ((before == MAP_NONE || s->bind > e->symbols[before].bind) &&
		    map_put(by_name, key, (uint32_t)i) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

static const struct elf_symbol *symbol_named(const struct elf *e, const struct map *by_name,
					     const char *name, size_t n)
{
	uint32_t i = map_get(by_name, elf_name_hash(name, n));

	if (i == MAP_NONE || strncmp(e->symbols[i].name, name, n) != 0 ||
	    e->symbols[i].name[n] != '\0')
		return NULL;
	return &e->symbols[i];
}

/* A veneer without a size ends at the next symbol; the longest known is 20 bytes. */
static uint64_t veneer_size(const struct elf *e, size_t i)
{
	uint64_t size = e->symbols[i].size ? e->symbols[i].size : 20;

	for (size_t j = i + 1; j < e->symbol_count; j++) {
		if (e->symbols[j].address > e->symbols[i].address) {
			uint64_t gap = e->symbols[j].address - e->symbols[i].address;

			return gap < size ? gap : size;
		}
	}
	return size;
}

static int find_veneers(struct code *c, const struct map *by_name)
{
	const struct elf *e = c->elf;

	for (size_t i = 0; e->machine->arch == CODE_ARM && i < e->symbol_count; i++) {
		const char *inner;
		size_t n = veneer_name(e->symbols[i].name, &inner);
		const struct elf_symbol *to = n ? symbol_named(e, by_name, inner, n) : NULL;

		if (to && to->address != e->symbols[i].address &&
		    add_veneer(c, e->symbols[i].address, veneer_size(e, i), to->address) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

/* avr-ld keeps its trampolines between two symbols: one JMP each, for pointers beyond 128 KB. */
static int find_trampolines(struct code *c, const struct map *by_name)
{
	const struct elf *e = c->elf;
	const struct elf_symbol *start = symbol_named(e, by_name, "__trampolines_start", 19);
	const struct elf_symbol *end = symbol_named(e, by_name, "__trampolines_end", 17);

	if (e->machine->arch != CODE_AVR || !start || !end)
		return 0;
	for (uint64_t at = start->address; at < end->address; at += 4) {
		uint64_t target = call_avr_jump(e, at);

		if (target != CODE_NO_TARGET && add_veneer(c, at, 4, target) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

static void find_mcount(struct code *c, const struct map *by_name)
{
	for (const char *const *name = runtime_arc_hooks; *name; name++) {
		const struct elf_symbol *s = symbol_named(c->elf, by_name, *name, strlen(*name));

		if (s)
			c->mcount[c->mcount_count++] = s->address;
	}
}

/* Read from symbols: veneers, trampolines, the profiling hook. */
static int read_names(struct code *c)
{
	struct map by_name;
	int ret;

	map_init(&by_name);
	ret = index_names(c->elf, &by_name);
	if (ret == 0)
		ret = find_veneers(c, &by_name);
	if (ret == 0)
		ret = find_trampolines(c, &by_name);
	if (ret == 0)
		find_mcount(c, &by_name);
	map_release(&by_name);
	return ret;
}

static int by_veneer(const void *a, const void *b)
{
	const struct veneer *x = a, *y = b;

	return x->low < y->low ? -1 : x->low > y->low;
}

/* A veneer may lead to another one (Thumb to ARM, then far): a few steps, never a circle. */
uint64_t code_normal(const struct code *c, uint64_t address)
{
	if (c->elf->machine->isa == ELF_ISA_ARM)
		address &= ~UINT64_C(1);
	for (int steps = 0; steps < 4; steps++) {
		size_t next = SORTED_ABOVE(c->veneers, c->veneer_count, low, address);

		if (!next || address >= c->veneers[next - 1].high)
			break;
		address = c->veneers[next - 1].target;
	}
	return address;
}

/* --- life ------------------------------------------------------------------------------------- */

int code_init(struct code *c, const struct elf *elf)
{
	*c = (struct code){
		.elf = elf, .map = { .arch = elf->machine->arch, .target = call_target,
			 .normal = normal_address, .ctx = c },
	};
	choose_range(c);
	c->flags = mem_zalloc((size_t)((c->map.size + 1) / 2 + 1));
	if (!c->flags)
		return ERR_NOMEM;
	c->map.flags = c->flags;
	mark_text(c);
	mark_calls(c);
	if (c->elf->machine->arch != CODE_HOST && read_names(c) < 0)
		return ERR_NOMEM;
	if (c->veneer_count)
		qsort(c->veneers, c->veneer_count, sizeof(*c->veneers), by_veneer);
	return 0;
}

void code_release(struct code *c)
{
	mem_free(c->flags);
	mem_free(c->veneers);
	*c = (struct code){ NULL };
}
