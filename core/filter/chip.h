/*
 * chip: what the filter must know of an instruction set. One const struct each: avr.c, thumb.c.
 */
#ifndef WSNTOP_FILTER_CHIP_H
#define WSNTOP_FILTER_CHIP_H

#include "core/filter/exits.h"
#include "core/filter/statement.h"
#include "core/filter/outline.h"

enum insn_kind {
	INSN_PLAIN,
	INSN_CALL,			/* to a name or through a register */
	INSN_RETURN,
	INSN_RETURN_HANDLER,		/* from an interrupt */
	INSN_JUMP,			/* to a name: a tail call, or to a label of the function */
	INSN_JUMP_REGISTER,		/* a tail call or a computed goto */
	INSN_UNKNOWN,			/* it may leave the function; not understood */
	INSN_GOTO,			/* a computed goto if the function has labels for one */
};

struct insn {
	enum insn_kind kind;
	struct piece target;		/* of a call or a jump to a name */
	struct piece condition;		/* it may be carried out or not: its suffix */
	enum insn_kind otherwise;	/* INSN_GOTO: in a function without such labels */
};

struct filter_job;
struct scope_callee;

struct chip {
	const char *name;
	struct statement_syntax syntax;
	char mark;			/* of types: @progbits, %function */
	uint8_t frame_base;		/* register that .cfi_startproc counts from */
	unsigned reach;			/* bytes from an exit to its stub, each way */

	struct insn (*insn)(struct piece op, struct piece args);
	/*
	 * What an instruction before makes of it: only INSN_GOTO. The nearest comes first; true: no
	 * other is looked at.
	 */
	bool (*behind)(struct insn *in, struct piece args, struct piece op_before,
		       struct piece args_before);
	/* The place of a label that a table holds for a computed goto: its name; else empty. */
	struct piece (*label_taken)(const struct statements *all, size_t i);
	/* Why the file cannot be filtered, or NULL; once, before its functions are looked at. */
	const char *(*file_refuse)(const struct outline *s);
	/* The same for a function. */
	const char *(*function_refuse)(const struct outline *s, const struct function *f);
	/* At most so many bytes the statement takes. */
	unsigned (*size)(const struct outline *s, size_t i);
	/* Writers; lines of text into the job's output. */
	void (*align)(struct filter_job *j);		/* before the label */
	void (*entry)(struct filter_job *j);		/* at the first instruction */
	void (*branch)(struct filter_job *j, const struct exit *e, const char *label);
	void (*stub)(struct filter_job *j, const struct stub *s);
	/* May be NULL. The part's last exit, to which nothing branches; false: as its stub. */
	bool (*stub_fallen)(struct filter_job *j, const struct stub *s);
	/* Codes: the stub of a callee; what stands for a second entry of one in another file. */
	void (*call_stub)(struct filter_job *j, const struct scope_callee *c);
	void (*call_weak)(struct filter_job *j, struct piece name);
	/*
	 * Where a function ends with an exit its stub follows, for these uses; in front of its
	 * literals, if all is shorter than this: they stay in reach.
	 */
	bool (*falls)(const struct filter_job *j);
	unsigned literals_reach;	/* 0: there are none */
};

/* Statement i of the function; never INSN_GOTO. */
struct insn chip_insn(const struct outline *s, const struct function *f, size_t i);

extern const struct chip chip_avr, chip_thumb;

/* The row for a name ("avr", "thumb"), or for a prefix of tools ("arm-none-eabi-"); NULL: none. */
const struct chip *chip_find(const char *name, const char *cross);

#endif
