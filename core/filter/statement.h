/*
 * statement: GNU assembler text, taken apart.
 *
 * A file becomes a list of statements in their order: labels, directives (assignments, too),
 * instructions, comments. A statement names its place in the text; blanks and separators between
 * statements are in none. Strings, characters, comments over several lines and several statements
 * in a line are understood as gas does. Any bytes may come in: what is no assembler becomes
 * statements that nobody looks at. Linear in the text.
 *
 * Inline assembly is marked: between the marks that gcc and clang write around it, `user` is set.
 */
#ifndef WSNTOP_FILTER_STATEMENT_H
#define WSNTOP_FILTER_STATEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define STATEMENT_TEXT_MAX ((size_t)1 << 30)	/* bytes of a file: places are 32 bits */

enum statement_kind {
	STATEMENT_LABEL,		/* without its colon */
	STATEMENT_DIRECTIVE,
	STATEMENT_INSN,
	STATEMENT_COMMENT,		/* without its marks */
};

struct statement {
	uint32_t at, size;
	uint8_t kind;
	bool user;			/* of inline assembly */
	uint16_t op;			/* bytes of its first word; longer: cut */
};

/* Borrowed bytes; not terminated. */
struct piece {
	const char *s;
	size_t n;
};

struct statements {
	const char *text;		/* borrowed */
	size_t size;
	struct statement *v;
	size_t count, cap;
};

/* What differs from one assembler to another. */
struct statement_syntax {
	char comment;			/* begins one, to the end of the line */
	char separator;			/* of statements in one line */
};

/* 0, or ERR_NOMEM. `text` must stay. */
int statements_parse(struct statements *all, const char *text, size_t size,
		     const struct statement_syntax *syntax);
void statements_release(struct statements *all);

static inline struct piece statement_text(const struct statements *all, size_t i)
{
	return (struct piece){ all->text + all->v[i].at, all->v[i].size };
}

/* The first word: the instruction or directive. */
static inline struct piece statement_op(const struct statements *all, size_t i)
{
	return (struct piece){ all->text + all->v[i].at, all->v[i].op };
}

/* What follows the first word, blanks at both ends left out. */
struct piece statement_args(const struct statements *all, size_t i);

/* The first argument: up to a comma outside strings and brackets; *rest becomes what follows it. */
struct piece piece_first(struct piece args, struct piece *rest);

struct piece piece_trim(struct piece p);
bool piece_has(struct piece p, const char *s);
bool piece_equal(struct piece a, struct piece b);

/* Whether it is one name, as a symbol is written without quotes. */
bool piece_is_name(struct piece p);

/* A byte that a name may have: "_.$", digits, letters, above 127. */
static inline bool piece_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.' || c == '$' || (unsigned char)c >= 0x80;
}

/* Here because most are asked for every statement, with strings that the compiler knows. */
static inline bool piece_begins(struct piece p, const char *s)
{
	size_t n = strlen(s);

	return p.n >= n && memcmp(p.s, s, n) == 0;
}

static inline bool piece_is(struct piece p, const char *s)
{
	return p.n == strlen(s) && memcmp(p.s, s, p.n) == 0;
}

#endif
