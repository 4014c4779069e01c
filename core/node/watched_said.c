/* watched_said: why something cannot be watched, and which source can. */
#include "core/node/parts.h"

#include "core/base/buf.h"

/* Behind the watch as the user wrote it. */
static const char *const sentences[] = {
	[REFUSED_KIND] = "this source cannot tell such a thing (gdb: stops for calls, marks and "
			 "handlers; simavr: and qemu: tell all)",
	[REFUSED_FULL] = "the chip has no comparator left (openocd: reads variables with each "
			 "sample, without one)",
	[REFUSED_STOPS] = "it would stop the target, which is not allowed (?stop=100 behind the "
			  "source allows 100 stops a second)",
	[REFUSED_SIZE] = "no comparator covers these bytes (a part of them, at a multiple of its "
			 "size, can be; openocd: reads them with each sample)",
	[REFUSED_SERVER] = "the chip or its server did not take it: another debugger may use the "
			   "comparators (openocd: reads variables with each sample, without one)",
};

void log_refusal_add(struct buf *line, const struct node_logged *l, enum wire_watch_refusal why)
{
	if (why < sizeof(sentences) / sizeof(*sentences) && sentences[why])
		buf_addf(line, "%s%s is not watched: %s", line->len ? "; " : "", l->text,
			 sentences[why]);
}
