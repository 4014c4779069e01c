/*
 * wsn_script: a stream as a script (wsn_stream.h), and what the decoder has to say of it.
 */
#ifndef WSNTOP_TESTS_WSN_SCRIPT_H
#define WSNTOP_TESTS_WSN_SCRIPT_H

#include "tests/unit/wsn_stream.h"

struct script_case {
	const char *name, *script, *want;
	unsigned lost, damaged;
};

/* Its bytes in pieces of `step`. */
static __attribute__((noinline, unused)) void script_expect(const struct script_case *c,
							    const struct stream *s, size_t step,
							    const struct codemap *code)
{
	struct said l = { BUF_INIT, BUF_INIT };
	struct wire_options o = { .code = code };
	struct wire_sink sink = said_sink(&l);
	struct wire *w = wire_new("wsn", &o, &sink, NULL);
	struct wire_stats stats;

	assert_non_null(w);
	stream_feed(w, s->out.data, s->out.len, step);
	wire_flush(w, true);
	said_settle(&l);
	wire_stats(w, &stats);
	if (strcmp(buf_str(&l.out), c->want) != 0 || stats.lost != c->lost ||
	    stats.damaged != c->damaged)
		fail_msg("%s, step %zu: lost %u damaged %u\n%s--- wanted: lost %u damaged %u\n%s",
			 c->name, step, (unsigned)stats.lost, (unsigned)stats.damaged,
			 buf_str(&l.out), c->lost, c->damaged, c->want);
	wire_free(w);
	said_release(&l);
}

#endif
