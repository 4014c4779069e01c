/*
 * rules: bounds that a profile has to keep, as a file has them, a line each:
 *
 *	# subject	figure		bound
 *	crc16_*		self		<= +5 %		against the baseline
 *	*_isr		max		<= 40 us	absolute
 *	total		calls		<  1e6
 *	node		loss		== 0
 *	image		flash		<= +1 KB
 *	stack		max		<= 480
 *	stack		free		>= 64
 *
 * A subject is a pattern over the names of functions (glob.h), in "quotes" where it holds blanks,
 * or one of the words total, node, image and stack; [t]otal is a function of that name. A figure of
 * a function is a column of numbers (look/rows.h), as of total where it adds up; those of the other
 * subjects stand in rule_figures. A bound with a sign is a change since the baseline, in percent or
 * in the figure's unit; without one it is a value. Units: s ms us ns; % of shares; B, kB (1000),
 * KB (1024), MB (2^20); A mA uA; J mJ uJ nJ. Times need theirs. A comment begins with # at the
 * line's begin or behind a blank.
 *
 * A file of rules is hostile input like any other: it is bounded, and what is no rule is said.
 */
#ifndef WSNTOP_GATE_RULES_H
#define WSNTOP_GATE_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "core/profile/look/rows.h"

#define RULE_PATTERN 256
#define RULE_TEXT 480
#define RULES_MOST 10000
#define RULES_BYTES (1u << 20)		/* of a file */

enum rule_subject { RULE_FUNCTION, RULE_TOTAL, RULE_NODE, RULE_IMAGE, RULE_STACK, RULE_SUBJECTS };

enum rule_unit {
	RULE_TIME, RULE_SHARE, RULE_COUNT, RULE_BYTES, RULE_CURRENT, RULE_ENERGY, RULE_RATE,
};

enum rule_operator {
	RULE_AT_MOST, RULE_BELOW, RULE_AT_LEAST, RULE_ABOVE, RULE_EQUAL, RULE_UNEQUAL,
};

/* A figure of a subject that is no function. */
struct rule_figure {
	enum rule_subject subject;
	const char *name;
	enum rule_unit unit;
	const char *help;
};

extern const struct rule_figure rule_figures[];		/* end with a NULL name */

struct rule {
	char pattern[RULE_PATTERN];	/* of functions; else the subject's word */
	enum rule_subject subject;
	enum column_id column;		/* of functions and of total */
	const struct rule_figure *figure;	/* of the others, else NULL */
	enum rule_unit unit;		/* of the figure */
	enum rule_operator op;
	bool relative;			/* the bound is a change since the baseline ... */
	bool percent;			/* ... as a share of it */
	double bound;			/* seconds, shares of 1, bytes, mA, uJ, counts */
	unsigned line;			/* from 1 */
	char text[RULE_TEXT];		/* the line, its blanks made one, without its comment */
};

struct rules {
	char *file;			/* as messages name it; owned */
	struct rule *items;
	size_t count, cap;
	size_t wrong;			/* lines that are no rules */
};

/* "FILE:LINE: WHY", one for each line that is no rule. */
typedef void rules_say(void *ctx, const char *line);

/*
 * 0: all are rules. ERR_USAGE: some are not, and were said. Otherwise with the sentence: the file
 * cannot be read or holds no rule, no memory. Release in any case.
 */
int rules_read(struct rules *r, const char *path, rules_say *say, void *ctx, struct err *err);
int rules_parse(struct rules *r, const char *file, const char *text, size_t n, rules_say *say,
		void *ctx, struct err *err);
void rules_release(struct rules *r);

/* Some rule is a change since the baseline. */
bool rules_relative(const struct rules *r);
bool rules_need(const struct rules *r, enum rule_subject subject, bool relative);

const char *rule_figure_name(const struct rule *r);
const char *rule_operator_text(enum rule_operator op);

/* A value of a figure: "12.3 ms", "5.2 %", "7,812 B", "1,024". dst has RULE_VALUE bytes. */
enum { RULE_VALUE = 40 };
const char *rule_value(const struct rule *r, double value, char *dst);

#endif
