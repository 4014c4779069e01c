/*
 * variables: a variable of the firmware by its name, as the debug information has it: where it is,
 * and how its bytes are to be read.
 *
 *	state, ns::state, Class::state	of a file, a namespace, a class
 *	radio.c:state, send:tries	a static one of that file, of that function
 *	radio.state, buf[3], q[2].len	members and elements, as deep as they are
 *
 * A name that several files have, each its own, is refused: the file says which one.
 */
#ifndef WSNTOP_IMAGE_VARIABLES_H
#define WSNTOP_IMAGE_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

enum { VARIABLE_ENUMERATORS = 256, VARIABLE_NAME = 64, VARIABLE_BYTES = 8 };

struct variable_enumerator {
	int64_t value;
	char name[VARIABLE_NAME];
};

struct variable {
	uint64_t address;		/* AVR: of data, without the offset that ELFs add */
	unsigned size;			/* bytes to read: 1, 2, 4 or 8 */
	uint8_t shift, bits;		/* a bit-field: its lowest bit in them, how many; 0: all */
	bool big_endian;
	bool is_signed;
	bool is_state;			/* of an enumeration, or a truth value */
	bool is_real;			/* float, double */
	bool is_pointer;
	struct variable_enumerator *enumerators;
	size_t enumerator_count;
};

/*
 * 0, or negative with the sentence: there is none, there are several, it is no number, the file has
 * no debug information. Reads all of it: milliseconds, in large files more.
 */
int variable_find(const char *path, const char *name, struct variable *v, struct err *err);
void variable_release(struct variable *v);

/*
 * The names of all that can be found so, members of structures behind their variable; in no order,
 * some twice. False from `each` ends it. 0, or negative with the sentence.
 */
int variables_each(const char *path, bool (*each)(void *ctx, const char *name), void *ctx,
		   struct err *err);

#endif
