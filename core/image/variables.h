/*
 * variables: a variable of the firmware by its name, as the debug information has it: where it is,
 * and how its bytes are to be read. `state`, `radio.state`: members of structures.
 */
#ifndef WSNTOP_IMAGE_VARIABLES_H
#define WSNTOP_IMAGE_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

enum { VARIABLE_ENUMERATORS = 256, VARIABLE_NAME = 64 };

struct variable_enumerator {
	int64_t value;
	char name[VARIABLE_NAME];
};

struct variable {
	uint64_t address;		/* AVR: of data, without the offset that ELFs add */
	unsigned size;			/* bytes: 1, 2, 4 or 8 */
	bool is_signed;
	bool is_state;			/* of an enumeration, or a truth value */
	struct variable_enumerator *enumerators;
	size_t enumerator_count;
};

/*
 * The first of that name. 0, or negative with the sentence: there is none, it is no number, the
 * file has no debug information. Reads all of it: milliseconds, in large files more.
 */
int variable_find(const char *path, const char *name, struct variable *v, struct err *err);
void variable_release(struct variable *v);

#endif
