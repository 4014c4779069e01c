/*
 * filter: hooks for call traces, timed or counted calls, put into a compiler's assembler text.
 *
 * filter_text() rewrites what gcc or clang wrote for an AVR or for ARM's Thumb. Functions that are
 * not chosen, and all that is no function, stay byte for byte. The node's runtime has the hooks.
 *
 * Numbers, of traces. Each followed function has an id, 1 and up, without gaps: the linker counts
 * them. For each there are sections without address, nothing of them is in flash or RAM:
 *	.wsntrace_id	1 byte a function; symbol wsntrace_id.NAME; the id is its offset + 1
 *	.wsntrace_map	8 bytes a function, little endian: u32 address (AVR: in bytes; Thumb: bit 0
 *			set), u16 id, u8 flags (FILTER_LEAF ..), u8 0
 *	FILTER_NARROW	AVR, ids of 7 bits: 1 byte, id + 131, so that the linker reports an overflow
 *			from id 125 on, and this name: 0x7d and above are other tokens on the wire
 * The host reads .wsntrace_map; NAME may be there twice (static functions of two files), addresses
 * are not. The two sections are of one group with the function's own, or of a group of their own:
 * what --gc-sections removes uses no id up (tried: binutils 2.26 avr, 2.40 arm).
 *
 * AVR. Hooks may change r0, r26, r27, r30, r31 and SREG; r1 is 0 after them. CALL, JMP: `rcall`,
 * `rjmp` on chips that have no others.
 *
 *	calls others	ldi r30,ID	CALL wsntrace_enter		at its beginning
 *			JMP wsntrace_exit				for ret; the hook returns
 *	calls none	ldi r30,0x80|ID	CALL wsntrace_leaf		nothing at its return
 *	tail call	CALL wsntrace_exit				before the jmp (of ijmp:
 *									r30, r31 are saved)
 *	handler		push r30	ldi r30,ID
 *			CALL wsntrace_handler_enter	pop r30		before the prologue
 *			JMP wsntrace_handler_exit			for reti
 *
 *    wsntrace_handler_enter keeps all, SREG too, but r30; wsntrace_handler_exit keeps all and does
 *    reti. A handler is never a leaf.
 *    Wide ids: ldi r30,lo8(ID), ldi r31,hi8(ID), hooks wsntrace_enter_wide, wsntrace_leaf_wide,
 *    wsntrace_handler_enter_wide (r31 is pushed, too).
 *
 *    Timed calls (FILTER_TIMED; no ids), CALL and JMP as words that the linker never shortens; a
 *    function's address is that of its CALL. The hooks change what those of traces do.
 *	beginning	CALL wsnprof_timed_enter	with a program counter of 22 bits before it
 *							ldi r30,lo8(gs(F)) ldi r31,hi8(gs(F))
 *	ret		JMP wsnprof_timed_exit		which returns; amid the function: a branch
 *							to JMP wsnprof_timed_exit_mid
 *	tail call	CALL wsnprof_timed_tail		before the jmp; of ijmp r30, r31 are pushed
 *							and popped: CALL wsnprof_timed_tail_saved
 *	handler		CALL wsnprof_timed_handler	which keeps all registers
 *			JMP wsnprof_timed_handler_exit	for reti
 *    Counted ones (FILTER_COUNT): CALL wsnprof_count_enter, wsnprof_count_handler; nothing else.
 *
 * Thumb. Of a trace, ID stands in the halfword before the function, 0x80 + ID if it calls none.
 *
 *	beginning	mov ip,lr	bl wsntrace_enter, or wsntrace_leaf
 *			the hook finds ID at lr - 9 (bit 0 of lr is set), keeps all but ip and
 *			the flags, and returns with lr as ip was
 *	return		bl wsntrace_exit, then the return. It keeps all but ip, lr, flags.
 *			`bx lr` in Thumb-2: b wsntrace_exit, which returns to lr
 *	tail call	mov ip,lr	bl wsntrace_exit_tail	mov lr,ip	b F, bx rN
 *			it keeps all but lr and the flags. bx ip: push {ip,lr}, .., pop {ip,lr}
 *
 *    Timed calls: no ids. In Thumb-1 as above, with wsnprof_timed_enter, _exit, _tail. Thumb-2:
 *	beginning	adr ip,1f+1	b wsnprof_timed_enter	1:
 *			it keeps all but ip and the flags
 *	return		pop {..,lr} for pop {..,pc}	b wsnprof_timed_exit, which returns to lr
 *	tail call	mov ip,lr	bl wsnprof_timed_exit	mov lr,ip	b F, bx rN
 *			bx ip: push {ip,lr}, bl wsnprof_timed_tail_saved, pop {ip,lr}
 *    Counted ones: wsnprof_count_enter, called as wsnprof_timed_enter is; nothing else.
 *    A function's last return is the stub itself, in front of its literals, if it is short enough.
 *
 *    Interrupt handlers are functions like others; lr tells the hooks (EXC_RETURN).
 *
 * Codes (AVR, FILTER_LOCAL). A function that is called by name from a followed one is told by its
 * number among those that the caller calls. It has a second entry, wsntrace_body.NAME, for that:
 *
 *	NAME:			ldi r30,ID	CALL wsntrace_enter	rjmp 1f
 *	wsntrace_body.NAME:	CALL wsntrace_call			(wsntrace_leaf,
 *			1:						 wsntrace_call_leaf)
 *	call NAME		call .Lwsntrace_cN, behind the caller:
 *				ldi r30,BITS	ldi r31,1<<LENGTH	JMP wsntrace_body.NAME
 *
 * With FILTER_HUFFMAN the code is by how often the call was made in a profile, and the return has
 * one, too: ldi r30,BITS, ldi r31,1<<LENGTH, JMP wsntrace_exit_code. No code begins with 0000, and
 * handlers have no scope.
 *
 * A file that calls NAME and does not have it has a weak wsntrace_body.NAME: JMP NAME. For each
 * code there is a record in .wsntrace_code, 12 bytes: u32 address of the caller, u32 of the callee
 * (0xffffffff: the return's), u16 bits, u8 length, u8 0; and .wsntrace_map has a record of the
 * second entry, too, with flag FILTER_ENTRY.
 *
 * Control flow (AVR, FILTER_FLOW; flow.h). Calls are of second entries, which have no hook; those
 * branches are logged by which ways differ in calls; calls of what is not followed go through
 * wsntrace_out, which logs their return. docs/PROTOCOL.md, 10, has the hooks and the records.
 * Refused: setjmp (it returns twice), computed gotos, inline assembly that calls or jumps out.
 *
 * Where a function is left by a branch to a stub behind it, the stub is the function's (its .size).
 *
 * Left alone: naked functions, what is not the compiler's, functions whose inline assembly has a
 * comment "wsntrace quiet", runtime code (wsntrace_*, wsnprof_*), code before main that runs on
 * memory without contents (Reset_Handler, SystemInit, _start). With a line to `say`: a computed
 * goto that cannot be told from a tail call, inline assembly that leaves its function, nested and
 * secure entry functions, functions in ARM code, on Thumb-1 functions outside .text (the linker's
 * veneers to far hooks change ip, where the return address is), and whole files with
 * -mcall-prologues.
 */
#ifndef WSNTOP_FILTER_FILTER_H
#define WSNTOP_FILTER_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/filter/select.h"
#include "core/filter/outline.h"

#define FILTER_NAME_MAX ((size_t)1000)	/* bytes of a symbol; longer: left alone */

/* Flags in .wsntrace_map; the last: a function's second entry. */
#define FILTER_NARROW ".wsntop_as:_more_than_124_functions_need_--wide_or_--only"

enum { FILTER_LEAF = 1, FILTER_HANDLER = 2, FILTER_ENTRY = 4 };

enum filter_codes { FILTER_GLOBAL, FILTER_LOCAL, FILTER_HUFFMAN, FILTER_FLOW };

/* What the hooks are for; each has its own (wsntrace_.., wsnprof_timed_.., wsnprof_count_..). */
enum filter_use { FILTER_TRACE, FILTER_TIMED, FILTER_COUNT };

struct filter_options {
	const struct chip *chip;
	enum filter_use use;
	struct outline_options outline;
	struct select select;
	bool wide;			/* AVR: ids of 16 bits; traces alone */
	bool no_handlers;		/* AVR: interrupt handlers stay as they are */
	enum filter_codes codes;	/* AVR: what a call is told by */
	const struct scope_counts *counts;	/* FILTER_HUFFMAN's */
	void (*say)(void *ctx, const char *line);	/* may be NULL */
	void *ctx;
};

struct filter_result {
	char file[256];				/* that the compiler read, cut; empty: not told */
	size_t functions, leaves, handlers;	/* followed */
	size_t refused;				/* functions with a line to `say` */
};

/*
 * The filtered text is appended to `out`. 0, ERR_NOMEM, or ERR_FORMAT where the file cannot be
 * filtered (err has the reason): `out` is of no use then.
 */
int filter_text(const struct filter_options *o, const char *text, size_t size, struct buf *out,
		struct filter_result *result, struct err *err);

/* Whether the options choose a function of this file, or one that stands in another. */
bool filter_wants(const struct filter_options *o, const struct outline *s,
		  const struct function *f);
bool filter_wants_name(const struct filter_options *o, struct piece name);

#endif
