#include "tui/part/kept.h"

#include "core/base/text.h"
#include "core/history/history.h"
#include "tui/part/table.h"

static void add_room(struct board *b, const char *label, uint64_t bytes, unsigned most)
{
	struct board_line *l;
	char size[32], limit[32];

	l = board_add(b, BOARD_BAR, label, ROLE_VALUE, "%s of %s",
		      part_bytes(size, sizeof(size), (double)bytes),
		      part_bytes(limit, sizeof(limit), most));
	l->share = bytes < most ? (double)bytes / most : 1;
}

void kept_add(struct board *b, const struct node *n)
{
	const struct history *h = node_history(n);
	struct history_moment first, last;
	char text[32];

	if (!h || !node_stream(n) || !history_moment(h, 0, &first) ||
	    !history_moment(h, history_count(h) - 1, &last))
		return;
	board_heading(b, "The past, kept in memory");
	board_add(b, BOARD_FACT, "moments", ROLE_VALUE, "%zu, over %s", history_count(h),
		  text_span(text, sizeof(text), last.time_ns - first.time_ns + first.length_ns));
	add_room(b, "they take", history_memory(h), HISTORY_MOMENTS_BYTES);
	add_room(b, "bytes", stream_kept(node_stream(n)), HISTORY_STREAM_BYTES);
	if (stream_dropped(node_stream(n)))
		board_add(b, BOARD_NOTE, "", ROLE_LABEL,
			  "The first %s that came are kept no longer: W cannot write them.",
			  part_bytes(text, sizeof(text), (double)stream_dropped(node_stream(n))));
}
