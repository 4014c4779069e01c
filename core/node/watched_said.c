/* watched_said: why something cannot be watched, and which source can (core/export/watching). */
#include "core/node/parts.h"

#include "core/base/buf.h"

void log_refusal_add(struct buf *line, const struct node_logged *l, enum wire_watch_refusal why)
{
	const char *sentence = watching_refusal(why);

	if (*sentence)
		buf_addf(line, "%s%s is not watched: %s", line->len ? "; " : "", l->text,
			 sentence);
}
