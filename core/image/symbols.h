/*
 * symbols: functions from the symbol table alone.
 *
 * A sized function symbol is a function. A symbol without a size (hand-written assembler, vectors,
 * libgcc) is one that extends to the next, a label with a size one that long, unless it is part of
 * another: inside a sized function, named after the function it follows (__udivmodsi4_loop),
 * starting with a dot, or local and never called. Data in flash is no function. Clones and parts
 * (.part.0) are their source function's further ranges; a veneer is its target's.
 */
#ifndef WSNTOP_IMAGE_SYMBOLS_H
#define WSNTOP_IMAGE_SYMBOLS_H

#include "core/image/code.h"
#include "core/image/elf.h"
#include "core/image/spans.h"

struct symbol_function {
	const char *name; /* raw; the first `length` bytes of it are without clone suffix */
	size_t length;
	const char *file;		/* of STT_FILE, raw; NULL: global, or unknown */
	uint64_t address;
	bool sized;
};

struct symbols {
	struct symbol_function *functions;
	size_t count;
	struct spans spans;		/* flat; ids index `functions` */
};

int symbols_init(struct symbols *s, const struct elf *e, const struct code *c);
void symbols_release(struct symbols *s);

/* The best code symbol at exactly this address, and of the nearest at or before; NULL: none. */
const struct elf_symbol *symbols_at(const struct elf *e, uint64_t address);
const struct elf_symbol *symbols_before(const struct elf *e, uint64_t address);

#endif
