/* wire: the table of packet formats, and what all decoders have in common. */
#include "core/wire/decoder.h"

#include <string.h>

#include "core/base/mem.h"

const struct wire_format wire_formats[] = {
	{ .name = "auto", .ops = &wire_auto_ops,
	  .help = "detected from the data (and the image)" },
	{ .name = "wsn", .ops = &wire_wsn_ops,
	  .help = "frames of this project's own runtime, docs/PROTOCOL.md" },
	{ .name = "prof", .ops = &wire_prof_ops,
	  .help = "reports of INGA's profiler (call sites): PROF, SPROF, Stacktrace" },
	{ .name = "gprof", .ops = &wire_gprof_ops,
	  .help = "stream of the gprof thesis: arcs and PC samples, binary" },
	{ .name = "gprof-hex", .ops = &wire_gprof_hex_ops,
	  .help = "the same as hex digits" },
	{ .name = "itm", .ops = &wire_itm_ops,
	  .help = "SWO of a Cortex-M: ITM and DWT packets, raw or in TPIU frames" },
	{ .name = "openocd", .ops = &wire_openocd_ops,
	  .help = "answers of OpenOCD's Tcl server, which is asked for PCs" },
	{ .name = "gdb", .ops = &wire_gdb_ops,
	  .help = "answers of a server of gdb's remote protocol, which is asked for PCs" },
	{ .name = "sim", .ops = &wire_sim_ops,
	  .help = "what wsntop's simulators tell of the firmware that they run" },
	{ .name = "ppk2", .ops = &wire_ppk2_ops,
	  .help = "samples of a Nordic Power Profiler Kit II (--power)" },
	{ .name = "lpm01a", .ops = &wire_lpm01a_ops,
	  .help = "samples of an X-NUCLEO-LPM01A (--power)" },
	{ .name = "text", .ops = &wire_text_ops,
	  .help = "lines of numbers, a current in each (--power)" },
	{ .name = NULL },
};

static void import_feed(struct wire *w, const uint8_t *data, size_t n)
{
	(void)data;
	w->stats.events += n > 0;
}

static void import_flush(struct wire *w, bool end)
{
	(void)w;
	(void)end;
}

static const struct wire_ops import_ops = {
	.size = sizeof(struct wire), .feed = import_feed, .flush = import_flush,
};

/* Of an input that the user does not name. */
static const struct wire_format setup_formats[] = {
	{ .name = WIRE_SETUP, .ops = &wire_setup_ops },
	{ .name = WIRE_SETUP_GDB, .ops = &wire_setup_gdb_ops },
	{ .name = WIRE_IMPORT, .ops = &import_ops },
	{ .name = NULL },
};

static const struct wire_format *row_find(const struct wire_format *f, const char *name)
{
	while (f->name && strcmp(f->name, name) != 0)
		f++;
	return f->name ? f : NULL;
}

static const struct wire_format *format_find(const char *name)
{
	const struct wire_format *f = row_find(wire_formats, name);

	return f ? f : row_find(setup_formats, name);
}

struct wire *wire_new(const char *format, const struct wire_options *o,
		      const struct wire_sink *sink, struct err *err)
{
	const struct wire_format *f = format_find(format);
	struct wire *w;

	if (!f) {
		err_set(err, ERR_USAGE, "%s: no such packet format", format);
		return NULL;
	}
	w = mem_zalloc(f->ops->size);
	if (!w) {
		err_set(err, ERR_NOMEM, "%s: out of memory", f->name);
		return NULL;
	}
	w->ops = f->ops;
	w->name = f->name;
	w->sink = *sink;
	w->code = o ? o->code : NULL;
	if (f->ops->init && f->ops->init(w, o, err) < 0) {
		wire_free(w);
		return NULL;
	}
	return w;
}

void wire_free(struct wire *w)
{
	if (!w)
		return;
	if (w->ops->release)
		w->ops->release(w);
	mem_free(w);
}

void wire_set_code(struct wire *w, const struct codemap *code)
{
	w->code = code;
	if (w->ops->set_code)
		w->ops->set_code(w);
}

/* Bytes are counted here and nowhere else. */
void wire_feed(struct wire *w, const uint8_t *data, size_t n)
{
	uint64_t bytes = w->stats.bytes + n;

	if (n > 0)
		w->ops->feed(w, data, n);
	w->stats.bytes = bytes;
}

void wire_flush(struct wire *w, bool end)
{
	w->ops->flush(w, end);
}

const struct wire_when *wire_when(const struct wire *w)
{
	return w->ops->when ? w->ops->when(w) : &w->when;
}

void wire_ask(struct wire *w, uint64_t now, struct wire_out *out)
{
	if (w->ops->ask)
		w->ops->ask(w, now, out);
}

int wire_timeout(const struct wire *w, uint64_t now)
{
	return w->ops->timeout ? w->ops->timeout(w, now) : -1;
}

int wire_command(struct wire *w, const struct wire_command *command, struct err *err)
{
	if (!w->ops->command)
		return err_set(err, ERR_USAGE, "%s: this format has no commands", wire_name(w));
	return w->ops->command(w, command, err);
}

bool wire_leave(struct wire *w, bool last, struct wire_out *out)
{
	return !w->ops->leave || w->ops->leave(w, last, out);
}

bool wire_can_watch(const struct wire *w)
{
	return w->ops->can_watch ? w->ops->can_watch(w) : w->ops->watch != NULL;
}

void wire_watch(struct wire *w, const struct wire_watchpoint *points, size_t count)
{
	if (w->ops->watch)
		w->ops->watch(w, points, count);
}

bool wire_allow_stops(struct wire *w, double hz)
{
	if (!w->ops->allow_stops)
		return false;
	w->ops->allow_stops(w, hz);
	return true;
}

void wire_keep(struct wire *w, struct wire_out *out)
{
	if (w->ops->keep)
		w->ops->keep(w, out);
}

bool wire_resume(const struct wire *w, struct buf *bytes)
{
	return w->ops->resume && w->ops->resume(w, bytes);
}

void wire_down(struct wire *w)
{
	if (w->ops->down)
		w->ops->down(w);
}

void wire_stats(const struct wire *w, struct wire_stats *stats)
{
	*stats = w->stats;
	if (w->ops->stats)
		w->ops->stats(w, stats);
	stats->bytes = w->stats.bytes;
}

void wire_stats_add(struct wire_stats *sum, const struct wire_stats *stats)
{
	sum->bytes += stats->bytes;
	sum->events += stats->events;
	sum->bad_bytes += stats->bad_bytes;
	sum->text_bytes += stats->text_bytes;
	sum->lost += stats->lost;
	sum->resyncs += stats->resyncs;
	sum->damaged += stats->damaged;
	sum->replaced += stats->replaced;
}

const char *wire_name(const struct wire *w)
{
	return w->ops->name ? w->ops->name(w) : w->name;
}

const char *wire_note(const struct wire *w)
{
	return w->note;
}
