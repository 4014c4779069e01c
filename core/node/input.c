/* input: one way into a node: link -> recording, kept bytes, decoder. */
#include "core/node/parts.h"

#include <math.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/find/probe.h"
#include "core/link/source.h"

#define CHUNK 65536
#define CLOCK_MOST 1e12			/* Hz */
/* silence after which a decoder gives out what it holds back */
#define IDLE_NS (CLOCK_SECOND / 10)
/*
 * A line that drips would wake us for every byte or two: after some have come it is left alone for
 * as long as a driver's buffer (4 KB) holds what 3 million baud bring. Not while the decoder waits
 * for an answer: a client with requests in flight would get only a hundred answers a second.
 */
#define REST_NS (CLOCK_SECOND / 100)
#define REST_BELOW 2048
/* 400 kB/s bring half of a driver's buffer in that; a meter's decoder has few requests. */
#define METER_REST_NS (CLOCK_SECOND / 200)
#define GRAIN_NS (CLOCK_SECOND / 1000)	/* a live line's arrivals: USB's frames */
#define MARK_NS CLOCK_SECOND		/* slot of the rates' window, for streams without reports */

/*
 * A recording's silences and rates are those of the time in which it was made, so that it comes to
 * the same at any pace, and however often it is paused.
 */
static bool is_replay(const struct input *in)
{
	return link_has_pace(in->link) && !in->node->options.batch;
}

/*
 * A decoder is told of a recording's silences, as it was when they were heard, but not where it was
 * asked for all of it at once: then bytes are one stream, as in batch.
 */
static bool has_silences(const struct input *in)
{
	const struct node *n = in->node;

	return n->options.link.speed > 0 || n->options.index || n->player.restarts ||
	       link_pace(in->link) > 0;
}

/* As the user says it, the source does by its kind, or its recording; NULL: it is found out. */
static const char *format_choose(const struct input *in, const char *source, const char *said)
{
	const char *format = said ? said : link_format(source);

	return format ? format : recorded_format(in);
}

static int decoder_open(struct input *in, const char *source, const char *format, bool alone,
			struct err *err)
{
	struct node *n = in->node;
	const char *then = strchr(source, '?') ? NULL : recorded_source(in);
	const char *of = then ? then : source;	/* whose options it has */
	double hz = source_number(of, "hz");
	const struct link *first = n->inputs[0].link;
	double baud = first ? (double)link_baud(first) : 0;	/* that the pin is read with */
	char chip[16];
	struct wire_options o = {
		.code = node_codemap(n), .hz = hz > 0 ? hz : n->options.hz,
		.stop_hz = source_number(of, "stop"),
		.stop_to_watch = alone || source_number(of, "watch") > 0,
		.watch_alone = alone,
		.shares = across_named(n),
		.attach = source_number(of, "attach") > 0,
		.baud = fmax(source_number(of, "baud"), baud),
		.chip = source_option(of, "chip", chip, sizeof(chip)) ? chip : NULL,
		.clock_hz = (uint64_t)fmin(source_number(of, "clock"), CLOCK_MOST),
		.trace_hz = source_number(of, "trace"),
		.recorded = !in->link || !link_is_live(in->link),
	};
	struct wire_sink sink = { .ctx = in };

	if (metered_speaks(source) && metered_options(source, &o.meter, err) < 0)
		return ERR_USAGE;
	events_sink(&sink);
	said_sink(&sink);
	calls_sink(&sink);
	seen_sink(&sink);
	exceptions_sink(&sink);
	matches_sink(&sink);
	swo_sink(&sink);
	log_sink(&sink);
	metered_sink(&sink);
	in->wire = wire_new(format ? format : "auto", &o, &sink, err);
	return in->wire ? 0 : ERR_NOMEM;
}

static bool bytes_resume(void *ctx, struct buf *bytes)
{
	return wire_resume(((const struct input *)ctx)->wire, bytes);
}

void input_record(struct input *in, struct record *record)
{
	record_free(in->record);
	in->record = record;
	record_resumes(record, bytes_resume, in);
}

static int record_open(struct input *in, const struct input_options *o, struct err *err)
{
	struct record *r = NULL;

	if (o->record)
		r = o->rule ? record_new_parts(o->record, o->rule, err) :
			      record_new(o->record, o->force, err);
	if (r)
		input_record(in, r);
	return r || !o->record ? 0 : ERR_IO;
}

int input_open(struct input *in, struct node *n, const struct input_options *o, struct err *err)
{
	*in = (struct input){ .node = n };
	in->heard_ns = clock_now();
	in->aside = o->terms || o->watch_alone;
	in->metered = metered_speaks(o->source);
	in->link = o->carrier ? carrier_link(o->carrier, o->source, &o->link, err) :
				link_new(o->source, &o->link, err);
	if (!in->link)
		return ERR_IO;
	recorded_read(in);
	if (decoder_open(in, o->terms ? o->terms : o->source,
			 format_choose(in, o->source, o->format), o->watch_alone, err) < 0)
		return ERR_NOMEM;
	if (!n->options.batch && !n->options.index && !n->options.span && !in->metered) {
		in->stream = stream_new();
		if (!in->stream)
			return err_set(err, ERR_NOMEM, "out of memory");
		stream_share(in->stream, n->options.budget);
	}
	if (!in->aside)
		listen_start(in, o);
	if (record_open(in, o, err) < 0)
		return ERR_IO;
	if (input_is_first(in))
		link_resumes(in->link, bytes_resume, in);
	n->recorded.due = true;
	return 0;
}

int input_open_told(struct input *in, struct node *n, const char *format, struct err *err)
{
	*in = (struct input){ .node = n, .aside = true };
	return decoder_open(in, "", format, true, err);
}

/* What comes out of a pipe says what it is of with its first bytes. */
static void about_take(struct input *in)
{
	const char *source = link_name(in->link);
	const char *format = format_choose(in, source, in->node->options.format);
	struct wire *before = in->wire;

	if (!before || in->stats.bytes || !format || strcmp(wire_name(before), format) == 0)
		return;
	if (decoder_open(in, source, format, false, &in->node->trouble) < 0)
		in->wire = before;
	else
		wire_free(before);
}

int input_again(struct input *in)
{
	struct wire *before = in->wire;

	const char *source = link_name(in->link);

	if (decoder_open(in, source, format_choose(in, source, in->node->options.format),
			 false, NULL) < 0) {
		in->wire = before;
		return ERR_NOMEM;
	}
	wire_free(before);
	log_again(in->node);
	stream_free(in->stream);
	in->stream = stream_new();
	if (in->stream)
		stream_share(in->stream, in->node->options.budget);
	in->stats = (struct wire_stats){ 0 };
	in->rate = (struct input_rate){ 0 };
	in->data_ns = 0;
	in->clock = (struct clock){ 0 };
	in->simulated_ns = in->counted_ns = 0;
	in->flushed = in->ended = false;
	return 0;
}

/* For the recording, and what is kept of the past. */
static void bytes_keep(struct input *in, const uint8_t *data, size_t count)
{
	struct node *n = in->node;
	struct err err = { 0 };

	if (in->record && (recorded_write(in, &err) < 0 ||
			   record_add(in->record, n->now_ns, data, count, &err) < 0)) {
		/* Reported once; the profile goes on without. */
		n->trouble = err;
		record_free(in->record);
		in->record = NULL;
	}
	node_past_bytes(in, data, count);
}

/* What the decoder has seen, and its bytes do not tell. */
static void told_keep(struct input *in)
{
	struct wire_out out;

	do {
		out.room = WIRE_OUT_MAX;
		out.count = 0;
		wire_keep(in->wire, &out);
		if (out.count && across_is(in))
			across_record(in->node, out.bytes, out.count);
		else if (out.count)
			bytes_keep(in, out.bytes, out.count);
	} while (out.count);
}

void input_close(struct input *in)
{
	listen_end(in);
	input_leave(in);
	if (in->wire && in->link)
		told_keep(in);
	record_free(in->record);
	in->record = NULL;		/* what is told while it ends was in no export */
	stream_free(in->stream);
	link_free(in->link);
	wire_free(in->wire);
}

bool input_poll_fd(const struct input *in, struct pollfd *fd)
{
	int link = link_fd(in->link);

	if (link < 0 || in->ended || (in->rest_ns && clock_now() < in->rest_ns))
		return false;
	*fd = (struct pollfd){ .fd = link, .events = link_events(in->link) };
	return true;
}

static int ask_timeout(const struct input *in, uint64_t now)
{
	return in->ended || link_room(in->link) < 0 ? -1 : wire_timeout(in->wire, now);
}

int input_timeout(const struct input *in, uint64_t now)
{
	int ms = in->ended ? -1 : link_timeout(in->link, now);

	if (in->rest_ns > now)
		ms = clock_sooner(ms, clock_ms_until(in->rest_ns, now));
	if (is_replay(in))
		return ms;
	if (!in->flushed && !in->ended && !link_is_paused(in->link))
		ms = clock_sooner(ms, clock_ms_until(in->heard_ns + IDLE_NS, now));
	ms = clock_sooner(ms, listen_timeout(in, now));
	ms = clock_sooner(ms, ask_timeout(in, now));
	if (in->rate.bytes != in->stats.bytes || in->rate.bytes_per_s > 0)
		ms = clock_sooner(ms, clock_ms_until(in->rate.since_ns + CLOCK_SECOND, now));
	return ms;
}

/* Slots of the rates' window for streams, by the time of the data: replays have right rates too. */
static void stream_mark(struct node *n)
{
	if (n->reports || !n->stats.events)
		return;
	if (n->mark_ns && n->now_ns - n->mark_ns < MARK_NS)
		return;
	n->mark_ns = n->now_ns;
	book_mark(n, &n->books[0]);
}

/*
 * A simulator's seconds are the data's, as a recording's are: rates are the firmware's at any pace.
 * A recording of it has them already.
 */
static uint64_t simulated_time(struct input *in, const struct wire_when *when)
{
	uint64_t ns = (uint64_t)((double)when->ticks / (double)when->clock->ticks_per_second *
				 (double)CLOCK_SECOND);

	if (!in->simulated_ns)
		in->simulated_zero = in->node->arrival_ns > ns ? in->node->arrival_ns - ns : 0;
	ns += in->simulated_zero;
	if (when->counted && ns > in->counted_ns) {
		in->node->now_ns = in->counted_ns;	/* all of before was told */
		if (in->counted_ns)
			stream_mark(in->node);
		in->counted_ns = ns;
	}
	in->simulated_ns = ns > in->simulated_ns ? ns : in->simulated_ns;
	return in->simulated_ns;
}

/* It need not meet another input's data by their arrivals. A file beside it has none. */
static bool input_stands_alone(const struct input *in)
{
	const struct node *n = in->node;

	for (size_t i = 0; i < n->input_count; i++)
		if (&n->inputs[i] != in && (i != n->metered.input || metered_arrives(n)))
			return false;
	return true;
}

/* Of the batch being told. Never later than its arrival, never before the bytes before it. */
static uint64_t batch_time(struct input *in, const struct wire_when *when)
{
	const struct node *n = in->node;
	struct clock_moment m;

	in->simulated |= when->simulated;
	if (when->simulated && link_is_live(in->link) && input_stands_alone(in))
		return simulated_time(in, when);
	if (!clock_has_terms(&in->clock, when->clock))
		clock_init(&in->clock, when->clock, link_is_live(in->link) ? GRAIN_NS : 0);
	in->ticks = clock_note(&in->clock, when->ticks, n->arrival_ns);
	m = clock_host(&in->clock, in->ticks);
	if (isnan(m.uncertainty) || m.ns > n->arrival_ns)
		return n->arrival_ns;
	return m.ns > n->before_ns ? m.ns : n->before_ns;
}

struct node *input_batch(struct input *in)
{
	const struct wire_when *when = wire_when(in->wire);

	in->node->now_ns = when->clock ? batch_time(in, when) : in->node->arrival_ns;
	return in->node;
}

void input_take(struct input *in, const uint8_t *data, size_t count)
{
	struct node *n = in->node;

	bytes_keep(in, data, count);
	n->arrival_ns = n->now_ns;
	wire_feed(in->wire, data, count);
	n->now_ns = in->simulated_ns ? in->simulated_ns : n->arrival_ns;
	told_keep(in);
}

static void stats_update(struct input *in)
{
	struct node *n = in->node;

	wire_stats(in->wire, &in->stats);
	n->stats = n->inputs[0].stats;
	for (size_t i = 1; i < n->input_count; i++) {
		if (!n->inputs[i].aside)
			wire_stats_add(&n->stats, &n->inputs[i].stats);
	}
}

static void input_end(struct input *in)
{
	struct node *n = in->node;

	in->ended = true;
	wire_flush(in->wire, true);
	stats_update(in);
	books_settle(n);
	n->changes |= NODE_STATE;
	if (!input_is_first(in))
		return;
	calls_settle(n);
	node_past_end(n);
	n->changes |= NODE_ENDED;
}

/* Give out what waits for more. The line going down is no end: it comes back. */
static void silence_begin(struct input *in)
{
	wire_flush(in->wire, false);
	stats_update(in);
	if (input_is_first(in)) {
		calls_settle(in->node);
		node_past_silent(in->node);
	}
	in->flushed = true;
}

static void rate_take(struct input *in, uint64_t now)
{
	struct input_rate *r = &in->rate;
	double seconds;

	if (!r->since_ns)
		r->since_ns = now;
	seconds = (double)(now - r->since_ns) / (double)CLOCK_SECOND;
	if (seconds < 1)
		return;
	r->bytes_per_s = (double)(in->stats.bytes - r->bytes) / seconds;
	r->events_per_s = (double)(in->stats.events - r->events) / seconds;
	r->since_ns = now;
	r->bytes = in->stats.bytes;
	r->events = in->stats.events;
	if (link_is_live(in->link) && !in->simulated_ns)
		fare_service(in->node, now);
	in->node->changes |= NODE_STATE;
}

/* Bytes of a recording were read that are to be decoded. */
static void replay_fed(struct input *in)
{
	uint64_t fresh_ns = in->node->now_ns;

	if (in->data_ns && !in->flushed && has_silences(in) && fresh_ns - in->data_ns >= IDLE_NS) {
		in->node->now_ns = in->data_ns;
		silence_begin(in);
		in->node->now_ns = fresh_ns;
	}
	rate_take(in, fresh_ns);
}

/* 0: it does not rest. */
static uint64_t rest_until(const struct input *in, uint64_t now)
{
	if (!link_is_live(in->link))
		return 0;
	if (in->metered)
		return now + METER_REST_NS;
	return ask_timeout(in, now) < 0 ? now + REST_NS : 0;
}

static void link_service(struct input *in, uint64_t now, size_t budget)
{
	enum link_state before = link_state(in->link);
	struct node *n = in->node;
	uint8_t data[CHUNK];
	uint64_t at_ns = now, moment_ns = n->past.moment_ns;
	size_t taken = 0;
	ssize_t got = 0;

	/* A moment may take as long as all these bytes: a live one ends the turn, for keys wait. */
	while (taken < budget && (n->past.moment_ns == moment_ns || is_replay(in))) {
		got = link_read(in->link, now, data,
				budget - taken < CHUNK ? budget - taken : CHUNK, &at_ns);
		if (got > 0 || !is_replay(in))
			n->now_ns = in->simulated_ns ? in->simulated_ns : at_ns;
		if (got <= 0)
			break;
		taken += (size_t)got;
		if (recorded_read(in)) {
			about_take(in);
			across_open(n, &n->trouble);
			log_recorded(n);
		}
		if (is_replay(in))
			replay_fed(in);
		in->data_ns = n->now_ns;
		in->flushed = false;
		if (across_replay(in, data, (size_t)got))
			continue;
		if (!listen_take(in, now, data, (size_t)got))
			input_take(in, data, (size_t)got);
		stats_update(in);
		if (input_is_first(in)) {
			if (!in->simulated_ns)
				stream_mark(n);
			node_past_fed(n);
			fare_service(n, n->now_ns);
		}
		n->before_ns = n->now_ns;
	}
	if (taken)
		in->heard_ns = now;
	in->rest_ns = taken && taken < REST_BELOW ? rest_until(in, now) : 0;
	if (got < 0)
		input_end(in);
	if (link_state(in->link) == before)
		return;
	n->changes |= NODE_STATE;
	if (link_state(in->link) == LINK_WAITING && input_is_first(in))
		node_past_gone(n);
}

/*
 * Send what the decoder wants to say. It gets no room while earlier bytes wait: a message behind
 * them would reach the node long after it was given up.
 */
static void ask_service(struct input *in, uint64_t now)
{
	int room = in->ended ? LINK_DEAF : link_room(in->link);
	struct wire_out out;

	if (room < 0) {
		/*
		 * A recording, or a port that cannot be written, is not down: what was heard goes
		 * on, be it cut in the middle.
		 */
		if (in->ended || link_state(in->link) != LINK_UP)
			wire_down(in->wire);
		told_keep(in);
		return;
	}
	out.room = link_unsent(in->link) ? 0 : (size_t)(room < WIRE_OUT_MAX ? room : WIRE_OUT_MAX);
	out.count = 0;
	wire_ask(in->wire, now, &out);
	told_keep(in);
	/* Refused: the next read finds the line down. */
	link_send(in->link, out.bytes, out.count);
}

static bool silence_is_due(const struct input *in, uint64_t now)
{
	uint64_t next = link_next(in->link);

	if (in->flushed || in->ended)
		return false;
	if (is_replay(in))
		return next != UINT64_MAX && in->data_ns && has_silences(in) &&
		       next - in->data_ns >= IDLE_NS;
	return !link_is_paused(in->link) && now - in->heard_ns >= IDLE_NS;
}

static void silence_service(struct input *in, uint64_t now)
{
	if (!silence_is_due(in, now))
		return;
	silence_begin(in);
	books_settle(in->node);
}

static void input_read(struct input *in, uint64_t now, size_t budget)
{
	if (!in->ended)
		link_service(in, now, budget);
	listen_service(in, now);
	silence_service(in, now);
	ask_service(in, now);
	if (!is_replay(in))
		rate_take(in, now);
}

void input_service(struct input *in, uint64_t now, size_t budget)
{
	struct node *n = in->node;
	uint64_t now_ns = n->now_ns, arrival_ns = n->arrival_ns, before_ns = n->before_ns;

	input_read(in, now, budget);
	if (!in->aside)
		return;
	/* The node's times are those of its own bytes: a recording has others. */
	n->now_ns = now_ns;
	n->arrival_ns = arrival_ns;
	n->before_ns = before_ns;
}
