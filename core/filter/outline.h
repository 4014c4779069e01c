/*
 * outline: what stands in a file, before anything is changed: its functions and their properties,
 * the labels whose addresses are taken, the files that the lines came from.
 *
 * A function is a label of .type function up to its .size. Only functions that gcc or clang wrote
 * are followed: gcc writes a comment about each frame, clang a label behind each function. All else
 * (.S files, assembly at file scope) has neither and is left alone.
 */
#ifndef WSNTOP_FILTER_OUTLINE_H
#define WSNTOP_FILTER_OUTLINE_H

#include "core/filter/nameset.h"
#include "core/filter/statement.h"

#define OUTLINE_NONE SIZE_MAX
#define OUTLINE_SECTIONS 16		/* .pushsection inside each other; deeper: as one */
#define OUTLINE_TEXT_MAX 4096	/* bytes of a file name, of a .section; longer: not known */

struct chip;

struct function {
	struct piece name;
	size_t label, end;		/* statements: [label, end); its .size is at end */
	size_t section;			/* the .section statement that it stands in; OUTLINE_NONE */
	size_t align;			/* powers of 2 asked for just before the label */
	uint32_t file;			/* .loc's number for it; 0: none */
	bool compiled;			/* by gcc or clang */
	bool naked, quiet, nested, secure, arm, handler;
	bool leaf;			/* calls nothing */
	bool taken;			/* labels of it are taken for computed gotos */
	const char *fault;		/* why it cannot be followed; NULL */
};

struct outline {
	const struct chip *chip;
	struct statements all;
	struct function *v;
	size_t count, cap;
	struct nameset functions;		/* .type function */
	struct nameset labels;		/* all labels -> statement */
	struct nameset taken;		/* labels for computed gotos */
	struct nameset files;		/* ".file N": the number as text -> statement */
	struct piece file;		/* of .file without a number; empty */
	bool thumb1;			/* .cpu, .arch, or the assembler's options */
	bool long_calls;		/* AVR: has `call` and `jmp` */
	bool far_code;			/* AVR: a program counter of 22 bits */
	const char *fault;		/* why the file cannot be filtered; NULL */
};

struct outline_options {
	int thumb1, long_calls;		/* 1, 0, or -1: as the text says */
	int far_code;			/* 1; else it has not */
};

/* 0 or ERR_NOMEM. `text` must stay as long as the outline. */
int outline_make(struct outline *s, const struct chip *chip, const struct outline_options *o,
		const char *text, size_t size);
void outline_release(struct outline *s);

/* The file that a function (NULL: all this) came from, without quotes; empty: not known. */
struct piece outline_file(const struct outline *s, const struct function *f);

/* A call of the compiler's own library, which is never followed: no call. */
bool outline_is_helper(const struct outline *s, struct piece name);

/* Whether a jump to this name leaves the function for another, or for its own beginning. */
bool outline_is_tail(const struct outline *s, const struct function *f, struct piece target);

/* A label inside the function before which code may be jumped to: ".L7", "1", not ".LVL7". */
bool outline_is_code_label(struct piece label);

#endif
