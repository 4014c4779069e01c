/*
 * name: a function's name in fewer columns than it has.
 *
 *	acme::io::Ring<acme::Frame, 16u>::push(acme::Frame const&)
 *	io::Ring<acme::Frame, 16u>::push(acme::Frame const&)	the list's namespace left out
 *	io::Ring<acme::Frame, 16u>::push			parameters dropped
 *	io::Ring<..>::push					template arguments collapsed
 *	io::R…::push						cut in the middle
 *
 * No more is left out than must be. C++ (with operators, lambdas, anonymous namespaces), Rust
 * (legacy and v0, as they are demangled), and C (suffixes of clones) are understood; brackets that
 * do not match are text like any other. Widths are columns of a terminal. Nothing is allocated;
 * linear in the name, of which NAME_BYTES count.
 */
#ifndef WSNTOP_PROFILE_LOOK_NAME_H
#define WSNTOP_PROFILE_LOOK_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NAME_BYTES = 1200, NAME_CUTS = 32 };

/* How much is left out; each step leaves out what those before it do. */
enum name_step {
	NAME_WHOLE,
	NAME_UNSCOPED,			/* without the namespace that the list has in common */
	NAME_BARE,			/* without parameters and the suffixes of clones */
	NAME_COLLAPSED,			/* Ring<..> */
	NAME_STEPS,
};

/* A stretch of a name that a step leaves out. */
struct name_cut {
	uint16_t from, to;		/* bytes */
	uint8_t step;
	bool dots;			/* ".." is in its place */
};

/* A name taken apart. */
struct name {
	char text[NAME_BYTES];		/* as it may be shown (text_visible) */
	uint16_t length;
	uint16_t last;			/* where its last part begins, behind the last :: */
	struct name_cut cuts[NAME_CUTS];	/* in order, apart */
	size_t cut_count;
};

/* What is shown of a name. at[i]: the name's byte that byte i stands for; at[length]: its end. */
struct name_text {
	char text[NAME_BYTES + 8];
	uint16_t at[NAME_BYTES + 8];
	uint16_t length;
	int columns;
	bool cut;			/* in the middle, or parameters or arguments are left out */
};

/* A character of an identifier; those that are not ASCII count as such. */
static inline bool name_is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* `scope`: the beginning that NAME_UNSCOPED leaves out, "acme::io::"; "" none. */
void name_init(struct name *n, const char *text, const char *scope);

void name_at_step(const struct name *n, enum name_step step, struct name_text *out);

/* In at most `width` columns; 0 or less: nothing. */
void name_shorten(const struct name *n, int width, struct name_text *out);

/*
 * Likewise, of two names that name_shorten makes the same: with where it differs from `other`.
 * `attempt` 0, 1, 2 ... are different ways to show that, the best ones first; out->length is 0
 * where one does not work. False: there are no more.
 */
bool name_distinguish(const struct name *n, const struct name *other, int width, unsigned attempt,
		      struct name_text *out);

/* Without the scope from this column on; what is left out on either side is marked. */
void name_scroll(const struct name *n, int left, int width, struct name_text *out);

#endif
