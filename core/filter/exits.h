/*
 * exits: the places where a function is left, and the stubs behind it that do it.
 *
 * An exit becomes one branch of its own size to a stub behind the function's code, so that nothing
 * in the body grows: branches, literal pools and tables stay in reach, and an instruction that a
 * skip or an IT block covers stays one instruction. Exits alike share a stub. From where the stub
 * is out of reach the branch goes to the next exit alike, which is a branch to it, too.
 *
 * A function's part is code in one section: the function, and its .cold part.
 */
#ifndef WSNTOP_FILTER_EXITS_H
#define WSNTOP_FILTER_EXITS_H

#include "core/filter/cfi.h"
#include "core/filter/statement.h"
#include "core/filter/outline.h"

#define EXITS_NONE SIZE_MAX

enum exit_kind { EXIT_RETURN, EXIT_HANDLER, EXIT_TAIL, EXIT_TAIL_REGISTER };

struct stub {
	enum exit_kind kind;
	size_t stmt;			/* the instruction that it replaces */
	size_t loc;			/* the .loc before it; EXITS_NONE */
	struct cfi cfi;
	uint32_t before;		/* another of the same hash */
	size_t number;
};

struct exit {
	size_t stmt, stub;
	size_t next;			/* exit alike, always taken; EXITS_NONE */
	size_t position;		/* bytes from the function's label, at most */
	struct piece condition;
	bool near;			/* what it jumps to is in reach */
	bool target;			/* another exit jumps to it */
	bool chained;			/* it jumps to `next`, not to the stub */
};

struct exits {
	struct exit *v;
	size_t count, cap;
	struct stub *stub;
	size_t stubs, stubs_cap;
	struct map stub_at;
	struct cfi cfi;			/* at the part's end */
	size_t end;			/* the statement before which the stubs go */
	size_t fallen;			/* the exit left out, its stub follows; EXITS_NONE */
};

/*
 * Those of the statements [begin, end) of f. `first`: number of the first stub. `falls`: the last
 * instruction may be left out where its stub follows. 0 or ERR_NOMEM.
 * Call again for the next part; release at the end.
 */
int exits_find(struct exits *e, const struct outline *s, const struct function *f, size_t begin,
	       size_t end, size_t first, bool falls);
void exits_release(struct exits *e);

#endif
