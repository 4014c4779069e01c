#include "core/image/calib/calib.h"

#include <math.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/base/sorted.h"
#include "core/image/calib/insn.h"
#include "core/image/elf.h"

void calib_flags_use(enum calib_flags flags, struct calib_insn *in)
{
	if (flags == FLAGS_READS || flags == FLAGS_BOTH)
		in->reads |= CALIB_FLAGS;
	if (flags != FLAGS_NONE && flags != FLAGS_READS)
		in->writes |= CALIB_FLAGS;
	if (flags == FLAGS_SETS)
		in->kills |= CALIB_FLAGS;
}

enum {
	INSNS_MAX = 8192,		/* of a function */
	PASSES_MAX = 64,		/* of the liveness over it */
	STEPS_MAX = 256,		/* of a path from an exit hook to the return */
	FORKS_MAX = 6,			/* on it */
	WALK_MAX = 16384,		/* on all paths of a function together */
	CHASE_MAX = 1024,		/* instructions back to a hook's argument */
	BLOCK_MAX = 256,		/* instructions that belong to a hook, each way */
	EXITS_MAX = 64,			/* exit hooks that are followed */
};

#define NO_INSN UINT32_MAX

enum hook { HOOK_NONE, HOOK_ENTER, HOOK_EXIT };

struct node {
	struct calib_insn in;
	uint64_t at, live;		/* registers that matter before it */
	uint32_t target;		/* its index, or NO_INSN */
	uint32_t source, sources;	/* the first that leads here, and how many do */
	uint32_t callee;		/* of a hook */
	float added;			/* the share of it that is there for the hooks */
	uint8_t hook;			/* enum hook */
	bool dead;			/* but for the hooks' arguments */
	bool waste;			/* with them, too: the compiler left it there */
};

struct flow {
	const struct calib_code *code;
	const struct calib_machine *machine;
	struct node *nodes;
	size_t count;
	uint32_t *index;		/* by halfword of the function */
	uint32_t own;			/* the first enter hook's callee */
	uint32_t entered;		/* its node */
	uint64_t arguments;		/* registers that the hooks read: first theirs, then none */
	uint64_t frame;			/* registers that are a frame pointer, used or not */
	uint64_t across;		/* registers with values across calls of the program */
	unsigned saves, needed;		/* registers saved; of them by the plain program */
	bool linked;			/* the plain program saves the return address, too */
};

/* --- decoding --------------------------------------------------------------------------------- */

static bool insn_at(const struct calib_code *c, uint64_t at, uint64_t end, struct calib_insn *in)
{
	if (at < c->address || end > c->address + c->size || at >= end || end - at < 2)
		return false;
	c->machine->decode(c, at, end - at, in);
	return true;
}

static uint32_t index_of(const struct flow *f, uint64_t at)
{
	if (at < f->code->low || at >= f->code->high)
		return NO_INSN;
	return f->index[(at - f->code->low) / 2];
}

static bool is_within(uint64_t at, uint64_t low, uint64_t high)
{
	return at != CALIB_NOWHERE && at >= low && at < high;
}

static bool is_saves(const struct calib_code *c, const struct calib_insn *in)
{
	return (in->traits & CALIB_JUMP) && is_within(in->target, c->saves_low, c->saves_high);
}

static bool is_restores(const struct calib_code *c, const struct calib_insn *in)
{
	return (in->traits & CALIB_JUMP) &&
	       is_within(in->target, c->restores_low, c->restores_high);
}

/* Data between the code. */
static bool is_data(const struct calib_code *c, uint64_t at)
{
	size_t next = c->modes ? SORTED_ABOVE(c->modes, c->mode_count, address, at) : 0;

	return next && c->modes[next - 1].state == 'd';
}

/* Thumb's IT: what follows is done or not. */
static void conditions_note(struct flow *f)
{
	uint32_t left = 0;

	for (size_t i = 0; i < f->count; i++) {
		struct calib_insn *in = &f->nodes[i].in;

		if (left) {
			left--;
			in->traits &= (uint16_t)~(CALIB_COPY | CALIB_CONSTANT | CALIB_UPPER);
			if (in->traits & CALIB_JUMP)
				in->traits ^= CALIB_JUMP | CALIB_BRANCH;
			in->traits |= CALIB_MAYBE;
			in->reads |= CALIB_FLAGS;
			in->kills = 0;
		}
		if (in->traits & CALIB_IT)
			left = in->value;
	}
}

/* Calls and jumps to the hooks; a program's call reads what was written since the call before. */
static void calls_note(struct flow *f)
{
	uint64_t recent = 0;

	for (size_t i = 0; i < f->count; i++) {
		struct node *n = &f->nodes[i];
		bool leaves = (n->in.traits & (CALIB_CALL | CALIB_JUMP)) &&
			      n->in.target != CALIB_NOWHERE;

		if (leaves && n->in.target == f->code->enter)
			n->hook = HOOK_ENTER;
		else if (leaves && n->in.target == f->code->exit)
			n->hook = HOOK_EXIT;
		else if (n->in.traits & CALIB_CALL)
			n->in.reads |= recent & f->machine->arguments;
		if (is_saves(f->code, &n->in) || is_restores(f->code, &n->in))
			n->in.reads |= recent & f->machine->scratch;
		if (!(n->in.traits & CALIB_RESTORE))
			recent |= n->in.writes;
		if (n->hook || n->in.traits & CALIB_CALL)
			recent = 0;
	}
}

static void source_add(struct flow *f, uint32_t to, uint32_t from)
{
	struct node *n = to < f->count ? &f->nodes[to] : NULL;

	if (n && !n->sources++)
		n->source = from;
}

/* From which instructions one is reached; from none: by a computed jump. */
static void sources_note(struct flow *f)
{
	for (uint32_t i = 0; i < f->count; i++) {
		const struct node *n = &f->nodes[i];
		bool ends = n->in.traits & (CALIB_JUMP | CALIB_RETURN) &&
			    !(n->in.traits & CALIB_MAYBE) && !is_saves(f->code, &n->in);

		if (!ends)
			source_add(f, i + 1, i);
		if (n->in.traits & CALIB_SKIP)
			source_add(f, i + 2, i);
		source_add(f, n->target, i);
	}
}

/* A call right before data does not come back: it jumps by the table there, or ends the program. */
static void behind_data(struct flow *f)
{
	struct calib_insn *in = f->count ? &f->nodes[f->count - 1].in : NULL;

	if (in && in->traits & CALIB_CALL) {
		in->traits ^= CALIB_CALL | CALIB_JUMP;
		in->target = CALIB_NOWHERE;
	}
}

static int flow_decode(struct flow *f)
{
	const struct calib_code *c = f->code;
	size_t halves = (size_t)(c->high - c->low) / 2;

	f->nodes = mem_zalloc((halves + 1) * sizeof(*f->nodes));
	f->index = mem_zalloc((halves + 1) * sizeof(*f->index));
	if (!f->nodes || !f->index)
		return ERR_NOMEM;
	for (size_t i = 0; i < halves; i++)
		f->index[i] = NO_INSN;
	for (uint64_t at = c->low; at < c->high; at += 2) {
		struct node *n = &f->nodes[f->count];

		if (is_data(c, at)) {
			behind_data(f);
			continue;
		}
		if (!insn_at(c, at, c->high, &n->in))
			break;
		n->at = at;
		f->index[(at - c->low) / 2] = (uint32_t)f->count++;
		at += n->in.size - 2u;
	}
	conditions_note(f);
	for (size_t i = 0; i < f->count; i++)
		f->nodes[i].target = index_of(f, f->nodes[i].in.target);
	sources_note(f);
	calls_note(f);
	return 0;
}

/* --- the hooks' callees ----------------------------------------------------------------------- */

static unsigned lowest_bit(uint64_t mask)
{
	return (unsigned)__builtin_ctzll(mask);
}

/*
 * The constant that is in a register before node i: backwards on the way that leads there with the
 * fewest loops, through copies. The compiler makes them right before the call, or once for all.
 */
static bool constant_find(const struct flow *f, size_t i, unsigned reg, uint32_t *value)
{
	uint64_t wanted = UINT64_C(1) << reg;
	uint32_t upper = 0;
	bool halved = false;

	for (size_t n = 0; i > 0 && n < CHASE_MAX; n++) {
		const struct calib_insn *in;

		i = f->nodes[i].sources ? f->nodes[i].source : i - 1;
		in = &f->nodes[i].in;
		if (!(in->writes & wanted))
			continue;
		if (in->traits & CALIB_CONSTANT) {
			*value = halved ? upper << 16 | (in->value & 0xffff) : in->value;
			return true;
		}
		if (in->traits & CALIB_UPPER && !halved) {
			upper = in->value;
			halved = true;
			continue;
		}
		if (!(in->traits & CALIB_COPY))
			return false;
		wanted = in->writes == wanted || !(in->writes & (wanted >> 1)) ?
			 in->reads & (~in->reads + 1) : in->reads & (in->reads - 1);
	}
	return false;
}

/* Byte address in the hooks' first argument: a word address in two registers, or one with bit 0. */
static uint32_t callee_find(const struct flow *f, size_t i)
{
	unsigned reg = lowest_bit(f->machine->callee);
	uint32_t low, high;

	if (!constant_find(f, i, reg, &low))
		return NO_INSN;
	if (f->machine->link)
		return low & ~UINT32_C(1);
	return constant_find(f, i, reg + 1, &high) ? ((high & 0xff) << 8 | (low & 0xff)) * 2 :
						     NO_INSN;
}

static void callees_find(struct flow *f)
{
	f->entered = NO_INSN;
	for (size_t i = 0; i < f->count; i++) {
		struct node *n = &f->nodes[i];

		if (!n->hook)
			continue;
		n->callee = callee_find(f, i);
		if (n->hook == HOOK_ENTER && f->entered == NO_INSN) {
			f->entered = (uint32_t)i;
			if (n->callee == NO_INSN && f->machine->link)
				n->callee = (uint32_t)f->code->low;
			f->own = n->callee;
		}
		if (n->callee == NO_INSN && !f->machine->link)
			n->callee = f->own;
	}
}

/*
 * Without optimisation every function has a frame pointer: the stack pointer's copy, unchanged.
 * What optimised code copies for the hooks it changes at once, to where the return address is.
 */
static void frame_find(struct flow *f)
{
	for (uint32_t i = 0; i < f->entered; i++) {
		const struct calib_insn *in = &f->nodes[i].in;

		if (in->traits & CALIB_FRAME)
			f->frame |= in->writes & f->machine->saved;
		else
			f->frame &= ~in->writes;
	}
}

/* --- liveness --------------------------------------------------------------------------------- */

static uint64_t live_at(const struct flow *f, uint32_t i)
{
	return i < f->count ? f->nodes[i].live : 0;
}

/* Registers that matter behind node i. `tables`: at the targets of computed jumps. */
static uint64_t live_behind(const struct flow *f, uint32_t i, uint64_t tables)
{
	const struct node *n = &f->nodes[i];
	uint64_t live = 0;

	if (n->in.traits & CALIB_RETURN)
		return f->machine->results |
		       (n->in.traits & CALIB_MAYBE ? live_at(f, i + 1) : 0);
	if (n->in.traits & CALIB_JUMP && !is_saves(f->code, &n->in)) {
		if (n->hook || is_restores(f->code, &n->in))
			return n->hook ? 0 : f->machine->results;
		return n->target != NO_INSN ? live_at(f, n->target) :
		       n->in.target == CALIB_NOWHERE ? tables : f->machine->arguments;
	}
	live = live_at(f, i + 1);
	if (n->in.traits & CALIB_BRANCH)
		live |= live_at(f, n->target);
	if (n->in.traits & CALIB_SKIP)
		live |= live_at(f, i + 2);
	return live;
}

static uint64_t live_before(const struct flow *f, struct node *n, uint64_t behind)
{
	const struct calib_insn *in = &n->in;
	bool kept = in->traits & ~(CALIB_COPY | CALIB_CONSTANT | CALIB_FRAME | CALIB_POINTER |
				   CALIB_UPPER | CALIB_MAYBE);

	if (n->hook)
		return (behind & ~(f->machine->scratch | CALIB_FLAGS)) | f->arguments;
	if (in->traits & CALIB_RESTORE)
		return behind & ~in->writes;
	if (in->traits & CALIB_SAVE && in->reads & (f->machine->saved | f->machine->link))
		return behind;
	kept |= in->traits & CALIB_FRAME && in->writes & f->frame;
	n->dead = !kept && !(in->writes & behind);
	return n->dead ? behind : (behind & ~in->kills) | in->reads;
}

static void liveness_find(struct flow *f)
{
	uint64_t tables = 0;
	bool changed = true;

	for (int pass = 0; changed && pass < PASSES_MAX; pass++) {
		changed = false;
		for (size_t i = f->count; i-- > 0;) {
			struct node *n = &f->nodes[i];
			uint64_t live = n->live |
					live_before(f, n, live_behind(f, (uint32_t)i, tables));

			if (!n->sources)
				tables |= live;
			changed |= live != n->live;
			n->live = live;
		}
	}
}

static void flow_liveness(struct flow *f)
{
	f->arguments = f->machine->hooks;
	liveness_find(f);
	for (size_t i = 0; i < f->count; i++) {
		f->nodes[i].waste = f->nodes[i].dead;
		f->nodes[i].live = 0;
	}
	f->arguments = 0;
	liveness_find(f);
}

/* --- which registers the plain program saves -------------------------------------------------- */

static unsigned bits_count(uint64_t mask)
{
	return (unsigned)__builtin_popcountll(mask);
}

static bool is_program_call(const struct node *n)
{
	return n->in.traits & CALIB_CALL && !n->hook;
}

/* Registers that libgcc's function saves or restores, from `at` to its jump or return. */
static unsigned outlined_registers(const struct flow *f, uint64_t at, double *cycles, double *rest)
{
	const struct calib_code *c = f->code;
	struct calib_insn in;
	unsigned n = 0;

	for (unsigned step = 0; step < STEPS_MAX; step++, at += in.size) {
		if (!insn_at(c, at, c->address + c->size, &in))
			return n;
		if (in.traits & CALIB_SAVE || (in.writes & f->machine->saved &&
		    !(in.traits & ~CALIB_KEPT) && in.cycles == 2 && in.writes == in.kills)) {
			n++;
			*cycles += in.cycles;
		} else {
			*rest += in.cycles;
		}
		if (in.traits & (CALIB_JUMP | CALIB_RETURN))
			return n;
	}
	return n;
}

/*
 * A value that is in use across a call of the program needs a saved register with or without hooks;
 * and so do the values beyond the scratch registers, wherever most are in use at once.
 */
static void saves_judge(struct flow *f)
{
	unsigned most = 0, scratch = bits_count(f->machine->scratch), extra;
	double ignored = 0;

	for (size_t i = 0; i < f->count; i++) {
		const struct node *n = &f->nodes[i];
		uint64_t usable = f->machine->saved | f->machine->scratch;

		if (is_program_call(n)) {
			f->across |= live_at(f, (uint32_t)i + 1) & f->machine->saved;
			f->linked = true;
		}
		if (n->in.traits & CALIB_FRAME && !n->dead && !n->hook)
			f->across |= n->in.writes & f->machine->saved;
		if (i < f->entered && n->in.traits & CALIB_SAVE)
			f->saves += bits_count(n->in.reads & f->machine->saved);
		else if (i < f->entered && is_saves(f->code, &n->in))
			f->saves += outlined_registers(f, n->in.target, &ignored, &ignored);
		if (i > f->entered && bits_count(n->live & usable) > most)
			most = bits_count(n->live & usable);
	}
	f->needed = bits_count(f->across);
	extra = most > scratch + f->needed ? most - scratch - f->needed : 0;
	f->needed += f->machine->link ? extra : (extra + 1) & ~1u;	/* AVR: in pairs */
	if (f->needed > f->saves)
		f->needed = f->saves;
}

/* --- additions -------------------------------------------------------------------------------- */

static bool ends_block(const struct node *n)
{
	return n->hook || n->in.traits & (CALIB_CALL | CALIB_JUMP | CALIB_BRANCH | CALIB_SKIP |
					  CALIB_RETURN);
}

/* Saved registers that the body loads or stores by. */
static uint64_t pointers_find(const struct flow *f)
{
	uint64_t pointers = 0;

	for (size_t i = f->entered + 1u; i < f->count; i++) {
		const struct node *n = &f->nodes[i];

		if (n->in.traits & CALIB_POINTER && !n->dead)
			pointers |= n->in.reads & f->machine->pointers;
	}
	return pointers;
}

/* Registers that a copy writes, without the flags. */
static uint64_t copied_to(const struct node *n)
{
	return n->in.writes & ~CALIB_FLAGS;
}

/*
 * Arguments that are kept across the enter hook, and copied back behind it. A pointer must be
 * copied from where the caller passed it, with or without hooks.
 */
static void arguments_weigh(struct flow *f)
{
	uint64_t needed = f->across | pointers_find(f);
	uint64_t origin[CALIB_REGISTERS] = { 0 };

	for (uint32_t i = 0; i < f->entered; i++) {
		struct node *n = &f->nodes[i];

		if (!(n->in.traits & CALIB_COPY) || n->dead ||
		    !(n->in.reads & f->machine->arguments) || !(n->in.writes & f->machine->saved))
			continue;
		origin[lowest_bit(n->in.writes)] = n->in.reads;
		if (!(n->in.writes & ~CALIB_FLAGS & needed))
			n->added = 1;
	}
	for (size_t i = f->entered + 1u; i < f->count && !ends_block(&f->nodes[i]); i++) {
		struct node *n = &f->nodes[i];

		if (n->in.traits & CALIB_COPY && n->in.reads &&
		    copied_to(n) == origin[lowest_bit(n->in.reads)])
			n->added = 1;
	}
}

/* A value in these registers is made right before node i, not kept from before a call. */
static bool is_fresh(const struct flow *f, size_t i, uint64_t registers)
{
	for (size_t n = 0; i-- > 0 && n < BLOCK_MAX && !ends_block(&f->nodes[i]); n++) {
		if (f->nodes[i].in.writes & registers)
			return true;
	}
	return false;
}

/* Results that are kept across an exit hook, at node `hook`. */
static void results_weigh(struct flow *f, size_t hook)
{
	uint64_t results = f->machine->link ? f->machine->scratch : f->machine->results;

	for (size_t i = hook + 1;
	     i < f->count && i - hook < BLOCK_MAX && !ends_block(&f->nodes[i]); i++) {
		struct node *back = &f->nodes[i];

		if (!(back->in.traits & CALIB_COPY) || !(back->in.writes & results) ||
		    !(back->in.reads & f->machine->saved) ||
		    (back->in.reads & f->across && !is_fresh(f, hook, back->in.reads)))
			continue;
		back->added = 1;
		for (size_t k = hook;
		     k-- > 0 && hook - k < BLOCK_MAX && !ends_block(&f->nodes[k]);) {
			struct node *n = &f->nodes[k];

			if (n->in.traits & CALIB_COPY && copied_to(n) == back->in.reads &&
			    n->in.reads == copied_to(back))
				n->added = 1;
		}
	}
}

/*
 * The plain program uses libgcc's prologue, too: gcc does where more than so many registers are
 * saved (gcc 5.4, avr.c, expand_prologue and expand_epilogue).
 */
static bool is_outlined(const struct flow *f, const struct calib_insn *in)
{
	return f->needed > (is_saves(f->code, in) ? 6u : 4u);
}

/* The jump to libgcc's prologue or epilogue, and what it takes along: numbers, the frame's end. */
static void outlined_weigh(struct flow *f, size_t jump)
{
	struct node *n = &f->nodes[jump];
	uint64_t wanted = n->in.reads | f->machine->pointers;

	n->added = 1;
	for (size_t i = jump, steps = 0; i-- > 0 && steps < BLOCK_MAX && wanted; steps++) {
		if (f->nodes[i].hook || f->nodes[i].in.traits & CALIB_CALL)
			return;
		if (f->nodes[i].in.traits & (CALIB_CONSTANT | CALIB_FRAME) &&
		    f->nodes[i].in.writes & wanted)
			f->nodes[i].added = 1;
		wanted &= ~f->nodes[i].in.writes;
	}
}

/* --- Thumb: one instruction saves many registers ---------------------------------------------- */

enum { BLOCKS_MAX = 4 };

/* An instruction that saves registers; and the plain program's registers of it. */
struct block {
	size_t at;
	unsigned own, needed;
};

/* Registers in the plain program's list: the stack stays even where it calls. */
static unsigned block_registers(const struct flow *f, unsigned needed, bool first)
{
	if (!first || (!needed && !f->linked))
		return needed;
	return f->linked ? (needed + 2) & ~1u : needed + 1;
}

/* What one costs that saves or restores so many of the registers in its list. */
static float block_added(const struct calib_insn *in, uint64_t list, unsigned n, double none)
{
	unsigned all = bits_count(list);
	double plain = n ? in->cycles - (double)in->each * (n < all ? all - n : 0) : none;

	return in->cycles ? (float)(1 - plain / in->cycles) : 0;
}

/* Registers that are pushed for room alone: none is popped again. */
static bool is_room(const struct flow *f, uint64_t list)
{
	uint64_t popped = 0;

	for (size_t i = f->entered + 1u; i < f->count; i++) {
		if (f->nodes[i].in.traits & CALIB_RESTORE)
			popped |= f->nodes[i].in.writes;
	}
	return list & f->machine->arguments & ~popped;
}

/* Thumb-1 saves r8 to r11 through low registers: copies from node i on, `step` wards. */
static void block_copies_weigh(struct flow *f, size_t i, int step, uint64_t low, float added)
{
	for (unsigned n = 0; n < CHASE_MAX; n++) {
		i += (size_t)step;
		if (i >= f->count || ends_block(&f->nodes[i]) ||
		    f->nodes[i].in.traits & (CALIB_SAVE | CALIB_RESTORE))
			return;
		if (f->nodes[i].in.traits & CALIB_COPY &&
		    (f->nodes[i].in.reads | f->nodes[i].in.writes) & low)
			f->nodes[i].added = added;
	}
}

static size_t blocks_find(struct flow *f, struct block *blocks)
{
	unsigned needed = f->needed;
	size_t count = 0;

	for (size_t i = 0; i < f->entered && count < BLOCKS_MAX; i++) {
		struct node *n = &f->nodes[i];
		unsigned own = bits_count(n->in.reads & f->machine->saved), mine;
		bool room;

		if (!(n->in.traits & CALIB_SAVE) ||
		    !(n->in.reads & (f->machine->saved | f->machine->link)))
			continue;
		mine = needed < own ? needed : own;
		room = is_room(f, n->in.reads);
		blocks[count] = (struct block){ i, own, mine };
		n->added = block_added(&n->in, n->in.reads, block_registers(f, mine, !count),
				       room ? 1 : 0);
		if (count++)
			block_copies_weigh(f, i, -1, n->in.reads,
					   own ? 1 - (float)mine / (float)own : 0);
		needed -= mine;
	}
	return count;
}

/*
 * Without optimisation gcc returns from a leaf with "mov sp, r7; pop {r7}; bx lr", from all others
 * with the pop alone where there is no frame; Thumb-1 has one way for both.
 */
static float leaf_return(const struct flow *f, size_t i)
{
	const struct calib_insn *before = i ? &f->nodes[i - 1].in : NULL;

	if (!f->frame || f->linked || f->code->thumb1)
		return 0;
	return before && before->traits == CALIB_KEPT && before->reads == f->frame ? 1 : 2;
}

/* Saving and restoring, and what the plain program has in its place. */
static void blocks_weigh(struct flow *f)
{
	struct block blocks[BLOCKS_MAX];
	size_t count = blocks_find(f, blocks);

	for (size_t i = f->entered + 1u; count && i < f->count; i++) {
		struct node *n = &f->nodes[i];
		bool first = n->in.traits & CALIB_RETURN || n->in.writes & f->machine->link ||
			     count == 1;
		const struct block *b = &blocks[first ? 0 : 1];

		if (!(n->in.traits & CALIB_RESTORE))
			continue;
		n->added = block_added(&n->in, n->in.writes, block_registers(f, b->needed, first),
				       n->in.traits & CALIB_RETURN ?
				       f->machine->return_cycles(f->code, false) : 0);
		if (n->in.traits & CALIB_RETURN)
			n->added -= leaf_return(f, i) / n->in.cycles;
		if (!first)
			block_copies_weigh(f, i, 1, n->in.writes,
					   b->own ? 1 - (float)b->needed / (float)b->own : 0);
	}
}

static void additions_weigh(struct flow *f)
{
	float unneeded = f->saves ? 1 - (float)f->needed / (float)f->saves : 0;

	for (size_t i = 0; i < f->count; i++) {
		struct node *n = &f->nodes[i];
		uint64_t registers = n->in.reads | n->in.writes;

		if (n->dead && !n->waste)
			n->added = 1;
		else if (n->in.traits & (CALIB_SAVE | CALIB_RESTORE) &&
			 registers & f->machine->saved)
			n->added = unneeded;
	}
	if (f->machine->link)
		blocks_weigh(f);
	arguments_weigh(f);
	for (size_t i = 0; i < f->count; i++) {
		const struct calib_insn *in = &f->nodes[i].in;

		if (f->nodes[i].hook == HOOK_EXIT)
			results_weigh(f, i);
		if ((is_saves(f->code, in) || is_restores(f->code, in)) && !is_outlined(f, in))
			outlined_weigh(f, i);
	}
}

/* --- paths ------------------------------------------------------------------------------------ */

struct path {
	double kept, added;
};

/* The plain program's return where the exit hook is jumped to. */
static double return_cycles(const struct flow *f)
{
	return f->machine->return_cycles(f->code, f->needed || f->linked);
}

static void path_step(const struct flow *f, const struct node *n, struct path *p)
{
	double saved = 0, rest = 0, unneeded, own;

	p->added += (double)n->added * n->in.cycles;
	p->kept += (1 - (double)n->added) * n->in.cycles;
	if (!is_saves(f->code, &n->in) && !is_restores(f->code, &n->in))
		return;
	outlined_registers(f, n->in.target, &saved, &rest);
	unneeded = f->saves ? 1 - (double)f->needed / f->saves : 0;
	own = is_outlined(f, &n->in) ? rest :
	      is_restores(f->code, &n->in) ? return_cycles(f) : 0;
	p->added += unneeded * saved + rest - own;
	p->kept += (1 - unneeded) * saved + own;
}

static void range_widen(struct calib_range *r, double value)
{
	if (value < r->low)
		r->low = value;
	if (value > r->high)
		r->high = value;
}

/* All that two paths' ends span. */
struct ends {
	struct calib_range kept, added;
	bool any;
	unsigned *left;			/* steps of WALK_MAX, for all exit hooks */
};

static void ends_add(struct ends *e, const struct path *p)
{
	if (!e->any) {
		e->kept = (struct calib_range){ p->kept, p->kept };
		e->added = (struct calib_range){ p->added, p->added };
	}
	e->any = true;
	range_widen(&e->kept, p->kept);
	range_widen(&e->added, p->added);
}

/*
 * From node i to the return, every way. A way that gets lost counts for nothing. A branch at every
 * step makes more ways than can be walked: `left` bounds them all.
 */
static void paths_follow(const struct flow *f, uint32_t i, struct path p, unsigned forks,
			 struct ends *e)
{
	for (unsigned step = 0; i < f->count && step < STEPS_MAX && *e->left; step++) {
		const struct node *n = &f->nodes[i];

		--*e->left;
		path_step(f, n, &p);
		if (n->in.traits & CALIB_RETURN || is_restores(f->code, &n->in)) {
			ends_add(e, &p);
			if (!(n->in.traits & CALIB_MAYBE))
				return;
		}
		if (n->in.traits & (CALIB_BRANCH | CALIB_SKIP) && forks < FORKS_MAX) {
			struct path other = p;

			other.kept += n->in.traits & CALIB_SKIP ?
				      (i + 1 < f->count ? f->nodes[i + 1].in.size / 2 : 0) :
				      n->in.more;
			paths_follow(f, n->in.traits & CALIB_SKIP ? i + 2 : n->target, other,
				     forks + 1, e);
		}
		i = n->in.traits & CALIB_JUMP ? n->target : i + 1;
	}
}

/* --- one pair of hooks ------------------------------------------------------------------------ */

/*
 * Additions that make a hook's arguments: right before node i, on the one way that leads there,
 * which may branch off others.
 */
static double added_before(const struct flow *f, size_t i)
{
	double cycles = 0;

	for (unsigned n = 0; n < BLOCK_MAX && f->nodes[i].sources == 1; n++) {
		const struct node *before = &f->nodes[i = f->nodes[i].source];

		if (before->hook || before->in.traits & (CALIB_CALL | CALIB_RETURN))
			break;
		cycles += (double)before->added * before->in.cycles;
	}
	return cycles;
}

static double added_behind(const struct flow *f, size_t i)
{
	double cycles = 0;

	for (i++; i < f->count && !ends_block(&f->nodes[i]); i++)
		cycles += (double)f->nodes[i].added * f->nodes[i].in.cycles;
	return i < f->count && f->nodes[i].hook == HOOK_EXIT ? 0 : cycles;
}

/* The function's own: from its entry to the enter hook, from each exit hook to the return. */
static bool own_count(const struct flow *f, struct calib_call *call)
{
	struct path before = { 0, 0 };
	unsigned exits = 0, left = WALK_MAX;
	bool any = false;
	double within;

	for (uint32_t i = 0; i < f->entered; i++)
		path_step(f, &f->nodes[i], &before);
	before.added += f->nodes[f->entered].in.cycles;
	for (size_t i = 0; i < f->count && exits < EXITS_MAX; i++) {
		const struct node *n = &f->nodes[i];
		struct path tail = { return_cycles(f), -return_cycles(f) };
		struct ends ends = { .left = &left };

		if (n->hook != HOOK_EXIT || n->callee != f->own)
			continue;
		exits++;
		if (n->in.traits & CALIB_JUMP)
			ends_add(&ends, &tail);
		else
			paths_follow(f, (uint32_t)i + 1, (struct path){ 0, 0 }, 0, &ends);
		if (!ends.any)
			continue;
		within = n->in.cycles + added_before(f, i) + added_behind(f, f->entered);
		if (!any)
			*call = (struct calib_call){
				.callee = f->own,
				.missing = { before.kept + ends.kept.low,
					     before.kept + ends.kept.low },
				.within = { within, within },
				.beside = { before.added + ends.added.low,
					    before.added + ends.added.low },
			};
		any = true;
		range_widen(&call->missing, before.kept + ends.kept.low);
		range_widen(&call->missing, before.kept + ends.kept.high);
		range_widen(&call->within, within);
		range_widen(&call->beside, before.added + ends.added.low);
		range_widen(&call->beside, before.added + ends.added.high);
	}
	return any && left;		/* else it is not understood */
}

static struct calib_call *inlined_call(struct calib_call *calls, int *count, uint64_t callee)
{
	for (int i = 1; i < *count; i++) {
		if (calls[i].callee == callee)
			return &calls[i];
	}
	if (*count == CALIB_CALLS_MAX)
		return NULL;
	calls[*count] = (struct calib_call){
		.callee = callee, .within = { -1, -1 }, .beside = { -1, -1 },
	};
	return &calls[(*count)++];
}

static void either_widen(struct calib_range *r, double value)
{
	if (r->low < 0)
		*r = (struct calib_range){ value, value };
	range_widen(r, value);
}

/* Of functions that were inlined: nothing but the hooks is around them. */
static int inlined_count(const struct flow *f, struct calib_call *calls, int count)
{
	for (size_t i = f->entered + 1u; i < f->count; i++) {
		const struct node *n = &f->nodes[i];
		struct calib_call *call;

		if (!n->hook || n->callee == f->own ||
		    !(call = inlined_call(calls, &count, n->callee)))
			continue;
		either_widen(n->hook == HOOK_ENTER ? &call->beside : &call->within,
			     n->in.cycles + added_before(f, i));
	}
	for (int i = 1; i < count; i++) {	/* where one of the two is missing */
		either_widen(&calls[i].within, fmax(0, calls[i].within.low));
		either_widen(&calls[i].beside, fmax(0, calls[i].beside.low));
	}
	return count;
}

double calib_straight(const struct calib_code *c)
{
	struct calib_insn in = { .size = 0 };
	double cycles = 0;

	for (uint64_t at = c->low; insn_at(c, at, c->high, &in); at += in.size) {
		cycles += in.cycles;
		if (in.traits & CALIB_RETURN)
			return cycles;
		if (in.traits & CALIB_JUMP)
			return 0;
	}
	return 0;
}

int calib_count(const struct calib_code *code, struct calib_call *calls)
{
	struct flow f = { .code = code, .machine = code->machine };
	int count = ERR_NOMEM;

	if (code->high <= code->low || code->high - code->low > 2 * INSNS_MAX ||
	    code->low < code->address || code->high > code->address + code->size)
		return 0;
	if (flow_decode(&f) == 0) {
		count = 0;
		callees_find(&f);
		if (f.entered != NO_INSN) {
			frame_find(&f);
			flow_liveness(&f);
			saves_judge(&f);
			additions_weigh(&f);
			count = own_count(&f, &calls[0]);
		}
		if (count)
			count = inlined_count(&f, calls, count);
	}
	mem_free(f.nodes);
	mem_free(f.index);
	return count;
}
