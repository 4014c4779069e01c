/* ask: the question of each step, as a packet; and how the conversation ends. */
#include "core/wire/gdb/state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { INTERRUPT = 3 };			/* the byte that stops a target */

/* --- what is asked ---------------------------------------------------------------------------- */

static const char *const questions[STEPS] = {
	[STEP_SUPPORTED] = "qSupported:swbreak+;hwbreak+", [STEP_NOACK] = "QStartNoAckMode",
	[STEP_FEATURES] = "qXfer:features:read:target.xml:0,100",
	[STEP_SCAN] = "qRcmd,737764705f7363616e",	/* swdp_scan */
	[STEP_ATTACH] = "vAttach;1",
	[STEP_STATE] = "?", [STEP_GO] = "c", [STEP_OVER] = "s",
	[STEP_FPB] = "me0002000,4", [STEP_DEMCR] = "me000edfc,4", [STEP_DWT] = "me0001000,4",
	[STEP_DWT_BACK] = "me0001000,4", [STEP_TIME] = "me0001004,4",
	[STEP_REGISTERS] = "g", [STEP_ALL] = "g",
};

static void write_text(uint32_t address, uint32_t v, char *dst, size_t size)
{
	snprintf(dst, size, "M%" PRIx32 ",4:%02x%02x%02x%02x", address, v & 0xff, v >> 8 & 0xff,
		 v >> 16 & 0xff, v >> 24);
}

static void memory_text(const struct gdb *g, char *dst, size_t size)
{
	struct sampler_question q = sampler_question(&g->sampler);

	if (q.words)
		snprintf(dst, size, "m%" PRIx32 ",%x", q.address, q.words * 4);
	else
		write_text(q.address, q.value, dst, size);
}

static void question_text(const struct gdb *g, char *dst, size_t size)
{
	switch (g->step) {
	case STEP_READS:
		memory_text(g, dst, size);
		return;
	case STEP_DEMCR_SET:
		write_text(0xe000edfc, g->sampler.value, dst, size);
		return;
	case STEP_DWT_SET:
		write_text(SAMPLER_DWT_CTRL, g->sampler.value, dst, size);
		return;
	case STEP_VALUE:
	case STEP_STACK:
		hit_question(g, dst, size);
		return;
	case STEP_POINT:
		point_text(g->watch.point, dst, size);
		return;
	case STEP_PC:
		snprintf(dst, size, "p%x", gdb_arch(g)->number);
		return;
	default:
		snprintf(dst, size, "%s", questions[g->step] ? questions[g->step] : "");
	}
}

bool question_send(const struct gdb *g, struct wire_out *out)
{
	char text[64] = "", packet[80];
	size_t n;

	if (g->step == STEP_STOP) {
		packet[0] = INTERRUPT;
		return wire_out_add(out, packet, 1);
	}
	question_text(g, text, sizeof(text));
	n = rsp_write(packet, sizeof(packet), text);
	return n && wire_out_add(out, packet, n);
}

/* --- the end ---------------------------------------------------------------------------------- */

/*
 * Of what comes behind gdb_leave, only that it is the answer, whether what was just asked for is
 * set, and that the target stopped, count.
 */
void gdb_leaving(struct gdb *g, const char *text)
{
	bool stopped = stop_is(text), console = gdb_is_console(text);

	if (g->sampler.asked && !stopped && !console && g->step == STEP_POINT &&
	    g->watch.point) {
		points_told(&g->points, g->watch.point, strcmp(text, "OK") == 0);
		g->watch.point = NULL;
	}
	g->stands |= stopped;
	g->sampler.asked &= console;
	g->owed += g->acks;
}

static void packet_add(struct wire_out *out, const char *text)
{
	char packet[80];

	wire_out_add(out, packet, rsp_write(packet, sizeof(packet), text));
}

/* What is set is taken away, which takes a target that stands. False: it is not over. */
static bool points_leave(struct gdb *g, bool last, struct wire_out *out)
{
	struct point *p = points_any_set(&g->points);
	char text[64], interrupt = INTERRUPT;

	if (!p)
		return true;
	points_unwant(&g->points);
	if (!g->stands)
		wire_out_add(out, &interrupt, 1);
	for (; p && (g->stands || last); p = last ? points_any_set(&g->points) : NULL) {
		point_text(p, text, sizeof(text));
		packet_add(out, text);
		p->set = false;
	}
	g->stopped_ns = g->sampler.now_ns;
	g->sampler.asked = true;
	return last;
}

/*
 * A target that we stopped, or are about to, goes on; and one that the server halted for us, when
 * we connected. Behind a question that was not answered yet nothing is sent: simavr and mspdebug
 * lose what comes behind a stop.
 */
bool gdb_leave(struct wire *w, bool last, struct wire_out *out)
{
	struct gdb *g = (struct gdb *)w;
	bool begins = g->step <= STEP_GO;

	if (!g->leaves && g->watch.count)
		watch_tell(g);		/* the figures of the end */
	g->leaves = true;
	gdb_acks(g, out);
	if (g->sampler.asked && (begins || g->deaf || points_any_set(&g->points)) && !last)
		return false;
	if (!points_leave(g, last, out))
		return false;
	if (g->stands || g->stopped_ns || begins)
		packet_add(out, "c");
	return true;
}
