/*
 * traced: a call trace in the formats that other tools read. Each writes to a sink that the caller
 * opened and closes; 0, or ERR_NOMEM.
 *
 *	text.c		one line an event, for grep
 *	chrome.c	Trace Event Format (Chrome): ui.perfetto.dev, chrome://tracing
 *	speedscope.c	evented profiles: speedscope
 *	folded.c	call paths and their self times: flamegraph.pl, inferno
 *	ctf.c		Common Trace Format: babeltrace2, Trace Compass
 *	vcd.c		IEEE 1364-2005, 18: depths, values and states as waves: GTKWave, PulseView
 *	log.c		marks, values, states and chosen calls, a line each: text, CSV, JSON
 *
 * A trace holds what is not known as well: lost frames end all open calls, and say so. Where its
 * times tell the order alone (trace_is_order_only) each format says that; what readers would take
 * for a duration is the number of events, or missing.
 */
#ifndef WSNTOP_EXPORT_TRACE_TRACED_H
#define WSNTOP_EXPORT_TRACE_TRACED_H

#include "core/base/out.h"
#include "core/image/image.h"
#include "core/trace/log.h"
#include "core/trace/trace.h"

/* Strings are borrowed. */
struct traced_source {
	const struct trace *trace;
	const struct image *image;	/* NULL: functions have numbers */
	const char *node;		/* its name */
	uint64_t limit;			/* lines of the text; 0: all */
	struct trace_log_terms terms;	/* which calls are in the log */
};

int traced_text(const struct traced_source *s, struct out *out);
int traced_chrome(const struct traced_source *s, struct out *out);
int traced_speedscope(const struct traced_source *s, struct out *out);
int traced_folded(const struct traced_source *s, struct out *out);
/* The two files of its directory. */
int traced_ctf_metadata(const struct traced_source *s, struct out *out);
int traced_ctf_events(const struct traced_source *s, struct out *out);
int traced_vcd(const struct traced_source *s, struct out *out);
int traced_log(const struct traced_source *s, struct out *out);
int traced_log_csv(const struct traced_source *s, struct out *out);
int traced_log_json(const struct traced_source *s, struct out *out);

/* --- what they share (names.c) ---------------------------------------------------------------- */

enum { TRACED_NAME = 80 };		/* bytes for a name that is made */

/* The function's, or one made in `dst`. */
const char *traced_name(const struct traced_source *s, uint32_t id, char dst[TRACED_NAME]);
/* A mark's, a value's, a state's: its kind and number where the ELF has no name. */
const char *traced_note(const struct traced_source *s, const struct trace_event *e,
			char dst[TRACED_NAME]);
/* The task's function, if it is told; with its number where several tasks have it. */
const char *traced_lane(const struct traced_source *s, unsigned lane, char dst[TRACED_NAME]);

/* "TIMES: ...", where times tell the order alone; NULL: they are times. */
const char *traced_times(const struct traced_source *s);

/* Of a call on the handlers' lane, `around` the function that was open there: a handler's own. */
bool traced_is_handler(const struct traced_source *s, uint32_t id, uint32_t around);
/* A handler's number; below 0: not known. What the manuals call it ("SysTick"); "" nothing. */
int traced_vector(const struct traced_source *s, uint32_t id, char dst[TRACED_NAME]);

/* What a value or state is: "87", "1.5", "S_STARTED (2)". */
const char *traced_value(const struct traced_source *s, enum trace_event_kind kind, uint32_t id,
			 int64_t value, char dst[TRACED_NAME]);

/* --- the words of a log's entry (log.c) ------------------------------------------------------- */

struct log_words {
	const char *lane, *what, *name;
	const char *value;		/* a value, a state; how long a call took; "" nothing */
	const char *within;		/* the function around it; "" none is known */
	int number;			/* of a handler; below 0: none, or not known */
	const char *exception;		/* what the manuals call that, or "" */
	char made[5][TRACED_NAME];
};

void log_words(const struct traced_source *s, const struct trace_log_entry *e, struct log_words *w);

/* Seconds that a call took; NaN: not known, or it is none. */
double log_took(const struct traced_source *s, const struct trace_log_entry *e);

/* Ticks from the trace's beginning, in seconds. */
double traced_seconds(const struct traced_source *s, uint64_t ticks);

#endif
