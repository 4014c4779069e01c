/*
 * survey: a firmware's functions with the calls of profiling hooks in each, as its code shows
 * them.
 *
 * Functions come from the symbol table. The code is decoded once, function by function; nothing is
 * executed or followed, so that a call through a register is not seen (but see -mlong-calls).
 */
#ifndef WSNTOP_DOCTOR_SURVEY_H
#define WSNTOP_DOCTOR_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/err.h"
#include "core/doctor/objects.h"
#include "core/image/code.h"
#include "core/image/debug.h"
#include "core/image/elf.h"
#include "core/image/runtime.h"
#include "core/image/symbols.h"

#define SURVEY_NONE UINT32_MAX

enum survey_hook { HOOK_ENTER, HOOK_EXIT, HOOK_ARC, HOOKS };

enum survey_trait {
	FUNCTION_RUNTIME = 1,		/* wsnprof's, hooks included */
	FUNCTION_HOOK = 2,
	FUNCTION_DEBUG = 4,		/* DWARF describes it */
	FUNCTION_ISR = 8,
	FUNCTION_INIT = 16,		/* AVR: in .init0 to .init9, before main */
	FUNCTION_LINK_SAVED = 32,	/* ARM: pushed LR before its first hook */
	FUNCTION_LINK_LOST = 64,	/* ARM: LR was overwritten before __gnu_mcount_nc saw it */
	FUNCTION_FLAGS_SAVED = 128,	/* AVR: read SREG before its first hook */
	FUNCTION_RETURNS = 256,
	FUNCTION_EMPTY = 512,		/* a return and nothing else */
	FUNCTION_FLOAT = 1024,		/* touches floating point registers */
	FUNCTION_SYSTICK = 4096,	/* ARM: has its address */
	FUNCTION_HOLDS = 8192,		/* code of the runtime's is inlined in it */
	FUNCTION_PROLOGUE = 2048,	/* AVR: __prologue_saves__ saves its registers */
};

struct survey_function {
	const char *name;		/* demangled, visible */
	uint64_t address, size;
	uint32_t hooks[HOOKS];		/* calls of each in it */
	uint32_t hook_bytes;		/* code of those calls, as far as recognized */
	uint32_t traits;
	uint8_t devices;		/* AVR: bits of those whose registers it writes */
};

/* Timers have their own numbers, 0 to 5. */
enum { SURVEY_USART = 6, SURVEY_TIMERS = 0x3f };

/* A direct call, or a jump out of a function. */
struct survey_call {
	uint32_t from, to;		/* functions */
	bool jump;			/* to the other's entry: a sibling call */
};

struct survey {
	const char *path;		/* the caller's */
	struct elf elf;
	struct code code;
	struct symbols symbols;
	struct debug_data dwarf;
	struct objects objects;
	struct arena strings;
	struct survey_function *functions;	/* `symbols.count` of them, by the same id */
	uint32_t count;
	struct survey_call *calls;
	size_t call_count, call_cap;
	uint32_t *reach;		/* scratch of survey_reach */
	uint64_t hooks[HOOKS];		/* addresses; CODE_NO_TARGET: not in the image */
	const char *hook_names[HOOKS];
	uint64_t other_hooks[RUNTIME_OTHER_HOOKS];
	bool filtered;			/* hooks of `wsntop as --timed`, `--count` (WSNPROF_AS) */
	uint32_t instrumented;		/* functions with hooks, the runtime's own not counted */
	uint32_t near_calls, far_calls;	/* AVR: hooks called by RCALL, by CALL */
	bool vectors;			/* ARM: a vector table was found */
	uint64_t vectors_at;		/* the first one's address */
	bool runtime;			/* wsnprof is linked in */
	bool indirect;			/* -mlong-calls: hooks by literals alone */
};

/* 0, or a negative enum and the sentence. survey_release in both cases. */
int survey_open(struct survey *s, const char *path, struct err *err);
void survey_release(struct survey *s);

/* Is it instrumented at all? */
static inline bool survey_has_hooks(const struct survey_function *f)
{
	return f->hooks[HOOK_ENTER] || f->hooks[HOOK_EXIT] || f->hooks[HOOK_ARC];
}

/* The function at a hook's address, or SURVEY_NONE. */
uint32_t survey_hook_function(const struct survey *s, enum survey_hook hook);

/*
 * Everything that the function calls, directly or not, itself included: how many, ids in s->reach.
 */
uint32_t survey_reach(struct survey *s, uint32_t from);

/* Address of a symbol in code, or CODE_NO_TARGET. */
uint64_t survey_symbol(const struct survey *s, const char *name);

/* The function at that symbol, or SURVEY_NONE. */
uint32_t survey_named(const struct survey *s, const char *name);

#endif
