/*
 * objects: data that the doctor reads from an ELF: RAM, the device, the architecture.
 *
 * core/image keeps symbols of code alone; these are the others.
 */
#ifndef WSNTOP_DOCTOR_OBJECTS_H
#define WSNTOP_DOCTOR_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/image/elf.h"

/* A symbol of data, or an absolute one. */
struct object {
	const char *name, *file;	/* raw, borrowed from the elf; file NULL: global */
	uint64_t address, size;		/* size 0 in the file: as far as the next object */
	uint32_t section;
	bool ram, absolute;
	bool part;			/* a label inside another object */
};

struct objects {
	struct object *v;		/* by address */
	size_t count, cap;
	uint64_t ram_used;		/* bytes of writable sections */
	uint64_t ram_size;		/* of the chip; 0: not known */
	uint32_t flags;			/* e_flags */
	bool lost_arcs;			/* a file was compiled with -pg and -flto */
	unsigned arm_arch;		/* Tag_CPU_arch of the build attributes; 0: not given */
	char device[32];		/* avr-gcc's note: "atmega1284p"; "" */
};

/* `e` stays where it is. 0 or ERR_NOMEM. */
int objects_read(struct objects *o, const struct elf *e);
void objects_release(struct objects *o);

/* Values of symbols of any kind, by name; 0: it is not defined. */
void objects_values(const struct elf *e, const char *const *names, size_t n, uint64_t *values);

const struct object *objects_find(const struct objects *o, const char *name);

#endif
