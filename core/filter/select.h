/*
 * select: which functions are meant, by patterns (PCRE2) and lists of names.
 *
 * A pattern is looked for in a function's symbol and in its readable name (C++). In a list each
 * line is a name, or a C++ function's readable name; clones are meant with it (crc.constprop.0).
 */
#ifndef WSNTOP_FILTER_SELECT_H
#define WSNTOP_FILTER_SELECT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "core/base/regex.h"
#include "core/filter/nameset.h"
#include "core/filter/statement.h"

#define SELECT_LIST_MAX ((size_t)16 << 20)	/* bytes of a list */

enum select_kind { SELECT_ONLY, SELECT_EXCEPT, SELECT_FILES, SELECT_KINDS };

/* Zeroed: everything is meant. */
struct select {
	struct select_rules {
		struct regex **regex;
		size_t count, cap;
		char **list;		/* texts that the names stand in */
		size_t lists, lists_cap;
		struct nameset names;
	} rules[SELECT_KINDS];
};

/* `pattern`, or @FILE with a list of names (of files: for SELECT_FILES). 0 or negative. */
int select_add(struct select *s, enum select_kind kind, const char *pattern, struct err *err);
void select_release(struct select *s);

/* Whether a function is meant; `file`: where it comes from, as gcc tells it, or empty. */
bool select_has(const struct select *s, struct piece name, struct piece file);
/* The same where the file is not known: by its name alone. */
bool select_has_name(const struct select *s, struct piece name);

#endif
