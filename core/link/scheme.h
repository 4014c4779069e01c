/*
 * scheme: what a SOURCE names. Its prefix is a row of `schemes`, what is before that one of
 * `speeches` ("swo:tcp:HOST:PORT" is the speech swo: over the scheme tcp:). Private to core/link/;
 * link.h has link_format and link_inner.
 */
#ifndef WSNTOP_LINK_SCHEME_H
#define WSNTOP_LINK_SCHEME_H

#include <stdbool.h>

#include "core/base/err.h"
#include "core/link/link.h"

struct link_ops;

struct link_scheme {
	const char *prefix;		/* of SOURCE; "" takes what no other row took */
	bool whole;			/* the prefix is all of SOURCE */
	const char *known;		/* options that may follow: "baud"; NULL: none, ? is a
					 * name's */
	const struct link_ops *ops;	/* what it is; with a `look`: until that can be seen */
	const char *format;		/* that it speaks, where -f names none; NULL: auto */
	const char *port;		/* where none is named; HOST may lack, too */
	const char *example;		/* of a whole SOURCE, for those who left out the rest */

	/* What stands at l->where now: a symlink may point elsewhere each time. */
	const struct link_ops *(*look)(const struct link *l, struct err *err);
};

/*
 * l->name in parts: its scheme, kind, place (`where`), rate. 0, or ERR_USAGE or ERR_NOMEM with the
 * sentence. A symlink's kind is known when it is opened (`look`).
 */
int scheme_parse(struct link *l, struct err *err);

#endif
