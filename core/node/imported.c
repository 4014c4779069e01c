/* imported: a node whose source is a file that another tool, or we, exported (core/import). */
#include "core/node/parts.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/import/import.h"
#include "core/profile/raw/copy.h"

static const char *source_file(const char *source)
{
	return text_begins(source, "file:") ? source + strlen("file:") : source;
}

int imported_open(struct node *n, double hz, struct err *err)
{
	const char *format = n->options.format, *path = source_file(n->options.source);
	struct book *b = &n->books[0];
	struct profile *p;

	if (format && strcmp(format, "auto") != 0)
		return 0;
	n->imported = import_of_file(path);
	if (!n->imported)
		return 0;
	p = import_read(path, hz, err);
	if (!p)
		return ERR_FORMAT;
	p->terms.correct = n->options.correct && !p->picture;
	profile_set_image(p, n->binding.image);
	profile_drop(b->profile);
	b->profile = p;
	return 0;
}
