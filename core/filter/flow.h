/*
 * flow: the ways through a function, and which of its branches must be logged so that a host that
 * has the graph knows every call from their bits alone (AVR; filter.h, "Control flow").
 *
 * After Shea, Srivastava and Cho, "Optimizing bandwidth of call traces for wireless embedded
 * systems", III.A.3: a reverse dataflow whose values are the calls from a place on. Here a value is
 * the sequence of calls up to the next logged branch or the function's end, and which of them that
 * is; where the ways of a branch have different values, it is logged. (With the sequence alone two
 * ways to different logged branches would be the same, and a host could not tell whose the next
 * bit is.) An endless loop that makes calls and logs nothing else logs a bit each time round.
 *
 * One node an instruction. flow_make() does all; it changes no text.
 */
#ifndef WSNTOP_FILTER_FLOW_H
#define WSNTOP_FILTER_FLOW_H

#include "core/filter/filter.h"
#include "core/filter/scope.h"

#define FLOW_NONE UINT32_MAX
#define FLOW_OPS_MAX 60000		/* of a function's program; longer: left alone */

enum flow_kind {
	FLOW_PLAIN,
	FLOW_CALL,			/* of what may be followed, by its second entry */
	FLOW_OUT,			/* of one that is not, or through a register */
	FLOW_BRANCH,			/* by a flag */
	FLOW_SKIP,			/* of the next instruction */
	FLOW_JUMP,			/* to a label of the function */
	FLOW_SWITCH,			/* through a table */
	FLOW_RETURN,
	FLOW_STOP,			/* the text ends */
};

struct flow_node {
	size_t stmt;
	uint8_t kind;
	uint8_t bytes;
	uint8_t flag, sense;		/* BRANCH: bit of SREG, and what makes it jump */
	bool tail;			/* CALL, OUT: a jump; the function returned before */
	bool endless;			/* JUMP: a loop without an end begins again */
	bool logged;			/* which way; JUMP: that it jumped */
	bool far;			/* its target is out of reach */
	bool target;			/* a label of our own is before it */
	uint32_t next, to;		/* nodes; SWITCH: `to` is the first in `targets` */
	uint32_t count;			/* SWITCH: of them */
	struct piece name;		/* CALL, OUT: empty: in a register; SWITCH: the table's */
	struct piece operand;		/* jumps: as it is written */
	uint32_t value, chosen;		/* of the dataflow; the way that its value came */
};

/* What the host reads: an operation of the function's program. */
enum flow_op_kind {
	FLOW_OP_FUNCTION, FLOW_OP_CALL, FLOW_OP_OUT, FLOW_OP_BRANCH, FLOW_OP_JUMP, FLOW_OP_SWITCH,
	FLOW_OP_CLOSE, FLOW_OP_END, FLOW_OP_STOP, FLOW_OP_TICK,
};

struct flow_op {
	uint8_t kind, arg;
	uint32_t to;			/* an operation; SWITCH: jumps behind it */
	uint32_t node;
};

struct flow {
	struct flow_node *v;
	size_t count, cap;
	uint32_t *targets;		/* nodes */
	size_t target_count, target_cap;
	uint32_t *at;			/* statement, from the label on -> node at or behind it */
	size_t at_count;
	struct flow_op *ops;
	size_t op_count, op_cap;
	const char *fault;		/* why it cannot be done; NULL */
};

/*
 * Of f; again for the next one. 0 or ERR_NOMEM. `names`: of the file. With a fault there is no
 * program.
 */
int flow_make(struct flow *w, const struct filter_options *o, const struct outline *s,
	      const struct scope_names *names, const struct function *f);
void flow_release(struct flow *w);

/* Finds out which functions have a fault, and gives it to them. 0 or ERR_NOMEM. */
int flow_judge(const struct filter_options *o, struct outline *s);

/* --- its parts -------------------------------------------------------------------------------- */

/* Nodes and where they go on; then `logged` and `chosen`. 0 or ERR_NOMEM. */
int flow_graph(struct flow *w, const struct filter_options *o, const struct outline *s,
	       const struct scope_names *names, const struct function *f);
int flow_must(struct flow *w);

/* --- the text --------------------------------------------------------------------------------- */

struct filter_job;

/* The function's body with its hooks, up to behind its code. */
void flow_write(struct filter_job *j, struct flow *w);
/* What goes on to a function that is not followed. */
void flow_write_out(struct filter_job *j, struct piece name);
/* Its program, as records. */
void flow_records(struct filter_job *j, const struct flow *w);

#endif
