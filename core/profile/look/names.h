/*
 * names: the names of the rows that a screen shows, shortened so that rows can be told apart.
 *
 * Each name is shortened by itself (name.h); those that then read the same, within NAMES_NEAR rows
 * of each other, show where they differ. Only rows that are drawn are added.
 */
#ifndef WSNTOP_PROFILE_LOOK_NAMES_H
#define WSNTOP_PROFILE_LOOK_NAMES_H

#include "core/profile/look/name.h"

enum { NAMES_NEAR = 64, NAMES_SCOPE = 128 };

struct names_row {
	const char *name;		/* borrowed */
	int width;
	/* By names_settle: */
	uint32_t text, at;		/* where they begin, in names.text and .at */
	uint32_t hash, alike;		/* a row that read the same; UINT32_MAX: none */
	uint16_t length;
	int columns;
	bool cut;			/* not all of the name is shown, save for the scope */
};

struct names {
	char scope[NAMES_SCOPE];	/* left out of the names that begin with it; "" none */
	int left;			/* not 0: each as it is from this column on (name_scroll) */
	struct names_row *rows;
	size_t count, cap;
	char *text;
	size_t text_used, text_cap;
	uint16_t *at;
	size_t at_used, at_cap;
};

void names_release(struct names *n);	/* one that is all zero holds nothing */

void names_begin(struct names *n);	/* no rows */
int names_add(struct names *n, const char *name, int width);	/* 0, ERR_NOMEM: not added */

/* Shorten them all. ERR_NOMEM: there are no rows any more. */
int names_settle(struct names *n);

static inline const char *names_text(const struct names *n, size_t row)
{
	return n->text + n->rows[row].text;
}

/* The columns of a row that show something of the name's bytes [start, end); false: none do. */
bool names_find(const struct names *n, size_t row, size_t start, size_t end, int *from, int *to);

/*
 * The namespace that most of the qualified names have in common, with its "::": at least three of
 * them and more than half. dst is "" where there is none. Call add for all names twice, each round
 * after begin: linear, and nothing is kept of a name but pointers to it.
 */
struct names_scope {
	const char *first;		/* whose first part may be that of most */
	size_t first_length;		/* its first part, with the :: */
	size_t votes, qualified, inside;
	size_t common;			/* bytes that all those inside have in common */
	bool second;			/* round */
};

void names_scope_begin(struct names_scope *s, bool second);
void names_scope_add(struct names_scope *s, const char *name);
const char *names_scope_end(const struct names_scope *s, char *dst, size_t size);

#endif
