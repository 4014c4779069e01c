/*
 * image: a firmware's ELF file and its DWARF: address -> function, file:line, inlined frames.
 *
 * Reads AVR, ARM, MSP430 and RISC-V ELF32 and 32- and 64-bit hosts' ELF. Function names come from
 * DWARF subprograms first, the symbol table second; assembler labels inside a function belong to
 * it.
 *
 * Loading is lazy: image_new reads ELF, symbols and code; a thread reads DWARF behind, and
 * image_poll takes its results over at a moment of the caller's choosing. Between two image_poll
 * calls nothing that was handed out changes. After one that returned true, names, files and lines
 * may be better and an address may belong to another function (a clone that joined its source
 * function): whoever keeps ids asks image_find again. Pointers to strings stay valid for the life
 * of the image.
 *
 * Addresses are byte addresses in the image (AVR: flash from 0, not words; ARM: without the Thumb
 * bit: lookups ignore it). An ELF is hostile input like any other.
 */
#ifndef WSNTOP_IMAGE_IMAGE_H
#define WSNTOP_IMAGE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/image/once.h"
#include "core/wire/codemap.h"

#define IMAGE_NONE UINT32_MAX
#define IMAGE_NOWHERE UINT64_MAX

struct image;

/*
 * One function as the user knows it. Clones and parts that the compiler made of one source function
 * (foo.part.0, foo.constprop.1) in one file are one function with several ranges.
 */
struct image_function {
	const char *name;	/* demangled, visible; never NULL */
	const char *file;	/* base name of the source, visible; NULL: not known (yet) */
	const char *path;	/* as DWARF has it, with its directory; NULL likewise */
	uint32_t line;		/* of its declaration; 0: not known */
	uint64_t address;	/* entry */
	uint64_t size;
};

struct image_line {
	const char *file;	/* base name; NULL: not known */
	const char *path;
	uint32_t line;
};

/* A frame of the inline chain at an address, innermost first. */
struct image_frame {
	const char *function;
	/* The innermost: where; the others: where the inner one was inlined. */
	struct image_line at;
};

enum image_state {
	IMAGE_SYMBOLS,		/* symbols are there, DWARF is being read */
	IMAGE_COMPLETE,		/* DWARF read */
	IMAGE_NO_DWARF,		/* there is none: names from symbols, no lines */
};

/*
 * Open an ELF. Not an ELF, truncated or of an unknown machine: NULL and the sentence. STABS only:
 * it opens, and image_note has the cure (avr-gcc -g writes STABS; -gdwarf-2 or -ggdb).
 */
struct image *image_new(const char *path, struct err *err);
void image_free(struct image *im);		/* waits for the DWARF thread; it stops early */

/* Take over what the DWARF thread has done; true when something changed. */
bool image_poll(struct image *im);
/* Readable when image_poll has a result; -1: done. */
int image_fd(const struct image *im);
/* Wait until DWARF is read, and take it over; the next poll returns true. */
void image_wait(struct image *im);
enum image_state image_state(const struct image *im);
double image_progress(const struct image *im);	/* 0..1 of its DWARF read, about */

/*
 * True when the file at its path was replaced since it was opened (a rebuild), and its writing is
 * done.
 */
bool image_changed(struct image *im);

const char *image_path(const struct image *im);
/* "avr", "arm", "msp430", "riscv", "x86-64", ... */
const char *image_machine(const struct image *im);
bool image_is_thumb1(const struct image *im);		/* ARM code for v6-M or v8-M Baseline */
unsigned image_avr_arch(const struct image *im);	/* avr-gcc's -mmcu=avrN: N; 0: not AVR */
unsigned image_arm_arch(const struct image *im);	/* enum arm_arch; 0: not given */
bool image_has_symbols(const struct image *im);		/* there is a symbol in code */
/* Of this name, be it one of several at its address. Linear. */
bool image_has_symbol(const struct image *im, const char *name);

/*
 * A Cortex-M's vector table (vectors.h), how many words. A function may be there more than once. 0:
 * there is no table.
 */
size_t image_vectors(const struct image *im, const uint32_t **addresses);
/* Limits of the image for the user, as sentences; "" none. */
const char *image_note(const struct image *im);
unsigned image_address_bits(const struct image *im);	/* 32 or 64: the ELF class */
size_t image_code_size(const struct image *im);		/* bytes of executable sections */
size_t image_memory(const struct image *im);		/* bytes of heap it holds */

/* Never NULL; flags final after image_new. */
const struct codemap *image_codemap(const struct image *im);

/* Functions, by id in [0, count). */
uint32_t image_function_count(const struct image *im);
const struct image_function *image_function(const struct image *im, uint32_t id);
uint32_t image_find(const struct image *im, uint64_t address);	/* id, or IMAGE_NONE */

/*
 * Who calls from an address: the innermost instrumented function there, inlined or not; else the
 * function that contains it, or IMAGE_NONE. And the function around `callee` where that is inlined,
 * instrumented, into the machine code of `body`; IMAGE_NONE: it is not (nest.h).
 */
uint32_t image_caller(const struct image *im, uint64_t address);
uint32_t image_inlined_in(const struct image *im, uint32_t body, uint32_t callee);

/* The function that a call trace means by `id` (traced.h), or IMAGE_NONE. */
uint32_t image_traced(const struct image *im, uint32_t id);
/*
 * Ids from IMAGE_TOLD on mean these addresses, two each: of a trace that is seen from outside.
 * Those with IMAGE_TOLD_HANDLER are of an interrupt handler that began. Borrowed until the next
 * call.
 */
enum { IMAGE_TOLD = 0x4000, IMAGE_TOLD_HANDLER = 1 };
void image_tell(struct image *im, const uint32_t *addresses, size_t count);

/*
 * Instructions that run once a call (once.h), which the image owns from now on; NULL: none were
 * given.
 */
void image_set_once(struct image *im, const struct once *once);
const struct once *image_once(const struct image *im);

struct traced;
const struct traced *image_traced_all(const struct image *im);

/* First of that name, or IMAGE_NONE. */
uint32_t image_find_name(const struct image *im, const char *name);

/*
 * The code of a function, by address: up to max ranges; how many there are. Linear in the image's
 * functions.
 */
struct image_range {
	uint64_t low, high;	/* [low, high) */
};

size_t image_ranges(const struct image *im, uint32_t id, struct image_range *ranges, size_t max);

/*
 * Bytes of stack that a function's own frame takes, return address included (frames.h); -1: not
 * known (no call frame information, DWARF not read yet).
 */
int32_t image_frame_size(const struct image *im, uint32_t id);

/*
 * Functions with an instruction that halts the processor until an interrupt: up to max of their
 * entries, how many there are. Linear in the code. AVR and Thumb; 0 on others.
 */
size_t image_sleepers(const struct image *im, uint64_t *entries, size_t max);

/*
 * A raw address of the stream as this image's machine means it: Thumb bit stripped; an ARM veneer
 * or an AVR trampoline followed to the function it jumps to.
 */
uint64_t image_normal(const struct image *im, uint64_t address);

/* Source line of an instruction. For a return address ask for address - 1: the call. */
bool image_line(const struct image *im, uint64_t address, struct image_line *line);

/*
 * The same, and up to where it holds: *until, above `address`, is where the next row begins. To
 * walk along the rows of a range.
 */
bool image_line_until(const struct image *im, uint64_t address, struct image_line *line,
		      uint64_t *until);

/*
 * The nearest symbol at or before (an assembler label, say), inside the same function; NULL if that
 * is the function itself.
 */
const char *image_label(const struct image *im, uint64_t address);

/*
 * Inline chain at an address: up to max frames, how many there are; the last is the function
 * itself.
 */
size_t image_inlines(const struct image *im, uint64_t address, struct image_frame *frames,
		     size_t max);

/*
 * What a call of an instrumented function takes in the plain program, from the instructions around
 * its hooks (calib/calib.h). Cycles; `off`: by how much each may be off.
 */
struct image_calibration {
	double own, own_off;		/* more than measured from hook to hook, less the skew */
	double left, left_off;		/* what it leaves in its caller's time, without the skew */
	double shortest;		/* of a call measured as shorter, less is taken back */
	double skews;			/* times the skew is left in the caller's time, too */
	double empty;			/* cycles that the node measured as its cost; 0: a cycle is
					 * a tick */
	double slow;			/* a handler's own is less by this */
	double told;			/* of the cost, besides the skews: not taken back */
	/*
	 * Entry of the function that it was inlined in, IMAGE_NOWHERE: in none. The calls leave
	 * their time there; the node gives them that function's return address.
	 */
	uint64_t around;
};

/*
 * Of the calls from a return address to an address, as the node gave both. False: the node's
 * runtime or machine has no such figures, or the function no hooks that are understood. What was
 * found is kept.
 */
bool image_calibration(const struct image *im, uint64_t from, uint64_t to,
		       struct image_calibration *c);

/*
 * Bytes between the lowest address that a stack reached and what lies below it: the end of static
 * data, or the begin of the section that is the stack's (".stack"). -1: not known: the stack is
 * inside of other data (a task's). A heap in between is not seen.
 */
int64_t image_stack_room(const struct image *im, uint64_t low);

/* Bounds of the executable code: [*low, *high). */
void image_text(const struct image *im, uint64_t *low, uint64_t *high);

#endif
