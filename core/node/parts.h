/*
 * parts: what a node is made of. Private to core/node; everybody else has the accessors of node.h.
 *
 * node.c	life, the poll loop's side, accessors, exports
 * input.c	one way in: link -> record, kept bytes, decoder, its requests; rates, silence, end
 * book.c	a profile with its history and its longest calls; reports, marks, the reset
 * events.c	what decoders tell: counts, reports, stacks, text
 * calls.c	the call trace; arrivals.c: when it arrived
 * seen.c	the same, as it is seen from outside; what a debug probe tells of itself
 * period.c	cycles of the processor in a sample's period; stretches.c: samples on the time line
 * exceptions.c	handlers and comparators' matches, as a trace port tells them
 * matches.c	comparators' matches, as a trace port tells them
 * metered.c	a power meter beside the node; aligned.c: its clock and the node's
 * energy.c	whose charge it was, measured or by a model; charge.c: of a stretch of time;
 *		charged.c: what is told of it; modelled.c: a model's current over time
 * swo.c	a chip that is set up to send SWO; what is broken when nothing comes
 * said.c	HELLO, STATUS, running totals, resets of a wsn node; commands to it
 * binding.c	which ELF is the node's
 * agreement.c	how well that ELF agrees with the stream; what to warn with
 * past.c	moments and the bytes of the past; what ran before
 * listen.c	at which baud rate an input makes sense
 * player.c	a recording: pause, pace, seek, index
 * handlers.c	interrupt handlers with hooks and without, by name
 * watches.c	bounds on figures: what is beyond them, and since when
 * watched.c	what is logged: variables, calls, handlers, marks; watched_parse.c: its words
 * watched_said.c	why something cannot be watched
 * across.c	what is watched by two ways; axis.c: their times on one axis
 * recorded.c	what a recording says of itself: about.c has its lines
 * fare.c	how the node and its line fare, over time
 *
 * Calls go one way: node -> input -> (listen, past) and, by way of the decoder's sink, events and
 * said -> book, binding, past.
 */
#ifndef WSNTOP_NODE_PARTS_H
#define WSNTOP_NODE_PARTS_H

#include "core/image/identity.h"
#include "core/image/vectors.h"
#include "core/link/record.h"
#include "core/node/about.h"
#include "core/node/node.h"
#include "core/node/watched.h"
#include "core/power/model.h"
#include "core/power/runs.h"
#include "core/profile/look/worst.h"
#include "core/trace/trace.h"

/* After the ELF's path: the fact and its cure fit in 80 columns, the reason follows. */
#define NODE_REFUSAL " is not the firmware that runs; give the ELF that was flashed"
#define NODE_DOUBT ": not sure that it is the firmware that runs (wsntop doctor)"
#define NODE_STACKS 16
#define NODE_SLEEPERS 16
#define PORTED_DEPTH 256		/* handlers that are open: priorities of a Cortex-M */
#define PORTED_COMPARATORS 4		/* that packets can tell */
#define NODE_PERIODS 31			/* spans between samples, of which the median is usual */
#define NODE_INPUTS 4			/* a UART, a power meter, a debug probe, one to spare */

struct buf;

/* Whose charge it was in a stretch of the node's time (charge.c, charged.c). */
struct node_charge {
	struct energy energy;
	struct energy_report report;
	struct runs runs;		/* of the trace, read so far */
	uint64_t until, goal;		/* ticks: its end; what is told of it */
	size_t taken, pcs_until;	/* PC samples, likewise */
	bool handled;			/* the span before was a handler's */
	double unsure;			/* s: the node's clock and the meter's */
	enum energy_trouble trouble;	/* of a window */
	bool windowed, begun;
	uint64_t begin_ns, end_ns;	/* a window, on the data's clock, */
	double begin_s, end_s;		/* and the node's; NaN: not known */
	struct {
		uint32_t id;
		int64_t value;
	} states[ENERGY_STATES];	/* that hold where the runs are read to */
	size_t state_count;
};

enum { MODELLED_SAMPLES = 1024 };

/* The current that a model says, over time (modelled.c). */
struct node_modelled {
	struct power *power;		/* NULL: none yet */
	double origin_s;		/* of the node: its tick 0 */
	double at;			/* ticks: filled up to here; of the last one: */
	double sum, known;		/* A times ticks; ticks */
	float amps[MODELLED_SAMPLES];	/* not in `power` yet, from this tick on */
	uint64_t first;
	size_t count;
	bool by_pcs;			/* by PC samples, the last ones at: */
	double pcs_at;
	size_t pcs, pcs_asleep;
};

/* What an input is opened with. Strings outlive the input. */
struct input_options {
	const char *source;
	const char *format;		/* NULL: auto */
	const char *record;		/* NULL: not recorded */
	bool force;			/* in the place of an older recording */
	const struct record_rule *rule;	/* it is a folder of parts; NULL: it is a file */
	struct link_options link;
	const char *terms;		/* whose options the decoder has; NULL: the source's */
	bool watch_alone;		/* it is asked for nothing but what is watched */
	struct carrier *carrier;	/* that brings the source; NULL: it is opened as it is */
};

/* One way into a node. Its decoder's sink has it as `ctx`. */
struct input {
	struct node *node;
	struct link *link;
	struct wire *wire;
	struct record *record;		/* NULL: not recording */
	struct stream *stream;		/* all bytes, as far as they are kept; NULL in batch */
	struct probe *probe;		/* while its baud rate is being looked for */
	struct wire_stats stats;
	struct input_sense {		/* when a packet was last seen: listen.c */
		uint64_t bytes, bad_bytes, events;
	} sense;
	struct input_rate {
		/* the second being counted: from there on */
		uint64_t since_ns, bytes, events;
		double bytes_per_s, events_per_s;	/* over the last one */
	} rate;
	struct clock clock;		/* its source's, where batches carry ticks */
	uint64_t ticks;			/* of the batch being told, without wraps */
	uint64_t heard_ns;		/* last bytes, by the host's clock */
	uint64_t data_ns;		/* and by that of the data */
	/* Of a simulator, whose time passes at a pace of its own; 0: of another source. */
	bool simulated;			/* it tells a simulator's time, live or recorded */
	uint64_t simulated_ns, simulated_zero;	/* the newest; of its tick 0 */
	uint64_t counted_ns;		/* of its counts */
	uint64_t rest_ns;		/* until then it is not polled */
	bool aside;			/* its bytes are no data of the node's */
	bool metered;			/* they are a power meter's */
	bool flushed;			/* nothing came since the decoder was told of the silence */
	bool ended;
	bool wall_known;
	int64_t wall_ns;		/* to add to the data's times for the wall clock */
};

/* One profile of the node: streams have one, reports one a name. */
struct book {
	struct profile *profile;
	struct history *history;	/* NULL in batch */
	struct worst worst;		/* the longest calls ever seen */
};

/* Which ELF is the node's. */
struct binding {
	struct image *image;		/* NULL: none, or refused */
	/* an ELF that is not what runs: no name is taken from it; watched */
	struct image *refused;
	/* the ELF as rebuilt, while the node still runs what `image` is of */
	struct image *rebuilt;
	struct identity identity, rebuilt_identity;	/* of image or refused; of rebuilt */
	enum identity_verdict verdict;	/* on `identity` */
	char **elfs;			/* options.elfs, copied */
	size_t elf_count;
	unsigned reloads;		/* times the image was reloaded after a rebuild */
	unsigned images;		/* times names began to come from another image, or none */
	unsigned images_first;		/* that, with the first one */
	bool identify;			/* an identity came that is to be compared */
	uint64_t image_ns;		/* when the ELF was last looked at for a rebuild */
	uint64_t search_ns;		/* when the ELFs were last searched for the right one */
	struct agreement {
		double share;		/* of addresses that make sense in the image; NaN unknown */
		/* callees make sense, callers do not: Thumb-1's clobbered LR */
		bool callers_lost;
		size_t sites, pcs;	/* what it was counted over */
		const struct profile *profile;
	} agreement;
	const struct image *sleepers_of;	/* image whose sleeping functions these are: */
	uint64_t sleepers[NODE_SLEEPERS];	/* their entries */
	size_t sleeper_count;
};

/* What a node says of itself. */
struct talk {
	bool has_hello, has_status;
	struct wire_hello hello;	/* its name is `called` */
	struct wire_identity identity;	/* the hello's, which may be known before the rest */
	struct wire_status status;
	char called[64];		/* what it calls itself; "" it does not say */
	unsigned epochs;		/* times its counters began again from 0 */
	struct node_news news;		/* the newest; in the console, too */
};

/* What is kept of the past beside the books' histories. */
struct node_past {
	/* last bytes, last moment, by the data's clock */
	uint64_t fed_ns, moment_ns, moment_bytes;
	struct node_refresh {		/* wsn: of the refresh under way */
		uint64_t status_ns, status_bytes;	/* its STATUS */
		uint64_t rows_ns, rows_bytes;	/* its last rows */
		uint64_t bad;		/* frames missing by then */
		bool after_silence;	/* the bytes being decoded came after a silence */
	} refresh;
	/* a copy: what ran before the image became another; NULL: none */
	struct profile *before;
	/* a copy: what was counted when the node, or the user, last reset it */
	struct profile *last_run;
};

/* Bounds on figures. */
struct node_watches {
	struct watch_state states[WATCHES];
	size_t count;
	struct contexts contexts;	/* for bounds on the stack, of this profile: */
	const struct profile *contexts_of;
	size_t edges;
	unsigned renames;
	uint64_t held_ns;		/* the last look */
};

/* What is logged. */
struct node_log {
	struct node_logged of[WIRE_WATCHES];
	struct wire_watchpoint points[WIRE_WATCHES];	/* as the decoders have them */
	size_t count;
	char values[WIRE_WATCHES][64];	/* the newest ones, in words */
	size_t given_count;		/* of points */
	unsigned given;			/* notes */
	bool told;
	struct wire_watching watching;
};

enum { AXIS_HELD = 256 };

/* What is watched with stops beside a source that halts nothing. */
struct node_across {
	size_t input;			/* the gdb server's; 0: there is none */
	bool up;
	bool replay;			/* out of the first one's recording: */
	struct input *told;		/* without a link; NULL: not so */
	bool due;			/* who watches what is to be looked at, */
	bool again;			/* and told, be it the same */
	struct wire_watchpoint points[WIRE_WATCHES];	/* as the server's decoder has them */
	size_t count;
	struct wire_watching first, stops;	/* of either way */
	bool stops_told;
	char said[WIRE_WATCHES + 1];	/* the ways that were told */
	struct wire_seeing first_seeing;
	struct node_axis {
		struct wire_seeing seeing;	/* the second way's */
		bool begun;		/* the first one told a time: */
		uint64_t reached, reached_ns;	/* the newest, and when it came */
		bool own;		/* it tells none: the second one's clock is the trace's */
		/* Distance of the axis's ticks to the second way's, at least and at most. */
		bool low_known, high_known;
		double low, high;
		bool placed;		/* an event, with the least of what `low` was: */
		double placed_low;
		bool awaits;		/* a stamp of behind this one */
		uint64_t awaits_ticks, awaits_ns;
		struct wire_event held[AXIS_HELD];
		uint64_t held_ns[AXIS_HELD];	/* when they came */
		size_t held_n;
	} axis;
};

/* A recording's player. */
struct node_player {
	struct node *ahead;		/* reads the whole in the background; NULL: not now */
	bool indexed;			/* it was begun */
	struct node_index {
		char *name;		/* of the book */
		struct history *history;
	} *index;			/* histories that reach further than the node's own */
	size_t index_count;
	struct history_budget budget;	/* of the histories that were read ahead */
	uint64_t ended_ns;		/* the recording's end so far; 0: not known yet */
	bool leapt;			/* the node's own moments begin at a key */
	uint64_t began_ns;		/* its first bytes, as a history had it; 0: none was */
	unsigned restarts;		/* times that all was read again */
	char *wanted;			/* the book selected before that; NULL: none was */
	bool pinned;			/* by the user */
};

_Static_assert(NODE_FDS == NODE_INPUTS + 2, "each input, the image's reader and a disassembler");

struct node {
	struct node_options options;
	const char *name;		/* its source; node_title() is what it calls itself */
	struct input inputs[NODE_INPUTS];
	size_t input_count;		/* at least one */
	struct book *books;		/* at least one */
	size_t book_count, book_cap;
	size_t selected;		/* book shown */
	const struct importer *imported;	/* its source is a file of that format; or NULL */
	bool pinned;			/* the user chose it: a new report does not change it */
	struct binding binding;
	struct talk talk;
	struct node_past past;
	struct node_watches watches;
	struct node_log log;
	struct node_across across;
	struct node_recorded {
		struct about about;	/* of the replayed recording, and the one that is made */
		char text[RECORD_ABOUT_MAX + 1];	/* as it was read; "" nothing */
		struct buf written;	/* as it was written last */
		bool due;		/* something of it may have changed */
	} recorded;
	struct node_player player;
	struct history_budget budget;	/* where the options name none */
	struct console console;
	struct health health;
	struct wire_stats stats;	/* of all inputs together */
	struct wire_stack stacks[NODE_STACKS];	/* newest last; frames owned here */
	size_t stack_count;
	struct node_calls {
		struct trace *trace;	/* NULL: it sends none */
		uint64_t untold, unknown;	/* trace_stats when its counters reset */
		unsigned images;	/* binding.images whose addresses the profile has */
		uint32_t paths;		/* trace_paths_epoch of those that it has */
		uint64_t followed_ns;	/* when it got what changed */
		uint64_t asked_ns;	/* when the node was last asked to tell all again, */
		uint64_t asked_unknown;	/* with so many references unknown */
	} calls;
	struct node_seen {
		bool told, counted, some;	/* as wire_seeing says */
		uint32_t *addresses;	/* of ids from IMAGE_TOLD on */
		size_t count, cap;
		struct map ids;
		struct wire_watermark *marks;	/* of stacks, by their numbers */
		size_t mark_count, mark_cap;
		bool has_probe;
		struct wire_probe probe;	/* its core is: */
		char core[48];
		/* Its samples: how many in how long, while it took any. */
		struct node_sampling {
			uint64_t count, taken_ns, last_ns;
			double rate;		/* a second; 0: not known yet */
			uint64_t asleep;	/* of them */
			/* The same when the last second of samples began; what that told. */
			uint64_t then_count, then_ns, then_asleep;
			double now_hz, now_asleep;
			uint64_t came_ns;	/* the newest, by the host's clock */
		} sampling;
		/* Of a trace port, by its time stamps (period.c). */
		struct node_period {
			uint64_t ticks, count;	/* at the newest stamp; samples since then */
			double recent[NODE_PERIODS];
			size_t known;		/* spans seen */
			double sum, samples;	/* of those that are alike */
		} stamped;
		struct node_stretch {		/* of samples in one function */
			bool own, shown;	/* own: the trace's clock is ours */
			uint32_t function;
			unsigned count;
			uint64_t begin, since_ns;
		} stretch;
		unsigned yielded;	/* traces that were dropped for another clock */
		struct node_swo {		/* its set-up: swo.c */
			size_t input;		/* that carries it out; 0: none does */
			struct wire_setup setup;
			char wrong[320];
			uint64_t over_ns, bytes;	/* when it was over, what had come then */
		} swo;
		struct node_ported {		/* by a trace port: exceptions.c */
			bool stamped;		/* a time stamp came */
			double hz;		/* of its clock; 0: not known (yet) */
			uint64_t first_ticks, first_ns, measure_ns;
			bool told;		/* the trace knows its rate: */
			double told_hz;
			bool timed;		/* exceptions are in the trace, not in: */
			uint32_t counts[VECTORS_MAX];
			bool exits;		/* handlers' ends are told */
			uint16_t open[PORTED_DEPTH];	/* handlers, innermost last */
			unsigned depth;
			uint32_t named;		/* comparators, a bit each */
			struct node_match {	/* of a comparator's watch: matches.c */
				uint32_t note;
				uint8_t bytes[8], known;	/* of the variable; a bit each */
			} matches[PORTED_COMPARATORS];
		} ported;
	} seen;
	struct node_metered {		/* metered.c */
		size_t input;		/* that brings it; 0: none does */
		struct power *power;
		char model[32], trouble[240];
		bool calibrated;
	} metered;
	struct node_energy {		/* energy.c, aligned.c */
		struct power_model *model;	/* instead of a meter; NULL: none */
		struct node_modelled modelled;
		struct node_charge whole;	/* since the start, or the user's reset */
		struct node_charge window;	/* of the past, as asked for last */
		struct align align;
		bool begun;
		unsigned moves;		/* align.moves that the sums rest on */
		unsigned restarts;	/* of the meter's clock */
		double line_from;	/* s of the node: the line is not of what was before */
		uint64_t since_ns;	/* another trace was before */
		const struct trace *trace;
		struct clock clock;	/* the trace's, by its arrivals */
		/* s of the node: the next window to align by, its distance to the one before; how
		 * long the first one was when it told nothing */
		double next, spacing, tried;
		size_t edges;		/* that were there when they were last looked at */
		double battery_c, volts;	/* as the user typed them last; NaN: not */
		struct node_pc *pcs;	/* PC samples with times, the oldest first */
		size_t count, cap;
		double pcs_gone;	/* s: those before are not kept */
		size_t pcs_from;	/* the whole begins with this one, or at this time */
		uint64_t from;
	} energy;
	struct {
		struct objdump *objdump;	/* NULL: none runs */
		unsigned images;		/* binding.images when it was started */
	} once;
	struct node_arrivals {
		struct trace_anchor *anchors;	/* one each 1 << joined seconds, about */
		size_t count, cap;
		unsigned joined;
	} arrivals;
	unsigned reports;		/* reports seen, wanted or not */
	/* binding.reloads when the longest calls were last looked for */
	unsigned worst_reloads;
	/* recording failed, image unusable...: shown until it is mended */
	struct err trouble;
	unsigned changes;		/* NODE_*, gathered for the next node_service's return */
	/* When the bytes being decoded arrived; in a sink's call, when the batch happened. */
	uint64_t now_ns;
	uint64_t arrival_ns;		/* when they arrived, in a sink's call too */
	/* when the bytes before arrived: no batch is dated earlier */
	uint64_t before_ns;
	uint64_t mark_ns;		/* last slot of a stream's rates */
};

/* --- node.c --- */

/* A line for the console, and for whoever shows news; node_mention only for the latter. */
void node_say(struct node *n, bool bad, enum advice advice, const char *line);
void node_mention(struct node *n, bool bad, enum advice advice, const char *line);

/* --- input.c --- */

/* On failure what was opened is still to be closed. */
int input_open(struct input *in, struct node *n, const struct input_options *o, struct err *err);
void input_close(struct input *in);
/* Before it is closed: what a decoder has stopped goes on. */
void input_leave(struct input *in);
bool input_poll_fd(const struct input *in, struct pollfd *fd);	/* false: nothing to poll now */
int input_timeout(const struct input *in, uint64_t now);
void input_service(struct input *in, uint64_t now, size_t budget);
/* Without a link: its bytes come out of another one's recording (across.c). */
void input_record(struct input *in, struct record *record);	/* owned, from now on */
int input_open_told(struct input *in, struct node *n, const char *format, struct err *err);
int input_again(struct input *in);		/* all is read again: it forgets; or ERR_NOMEM */

/* Bytes of the node's, for the recording and the decoder. */
void input_take(struct input *in, const uint8_t *data, size_t count);

/*
 * First in each of the sink's calls: the node, whose now_ns becomes the time of the batch on the
 * host's clock; that of its arrival where the source's own clock does not tell.
 */
struct node *input_batch(struct input *in);

/* --- book.c --- */

struct book *book_new(struct node *n, const char *name);	/* NULL: no memory, in n->trouble */
void book_release(struct book *b);
void books_release(struct node *n);
struct book *book_named(struct node *n, const char *name);	/* made if it is not there */
void book_mark(struct node *n, struct book *b);	/* a moment for its rates and its longest calls */
/* nothing more comes for now: what came behind the last mark */
void books_settle(struct node *n);
/* the user's reset: longest calls up to now count no more */
void books_worst_forget(struct node *n);

/* Is the source a file that core/import reads? Its profile, with `hz` as given. 0, or negative. */
int imported_open(struct node *n, double hz, struct err *err);

/* --- events.c, said.c: fill in the sink's members --- */

void events_sink(struct wire_sink *sink);
void said_sink(struct wire_sink *sink);

/* --- calls.c --- */

void calls_sink(struct wire_sink *sink);
void calls_epoch(struct node *n);	/* its counters began again */
void calls_forget(struct node *n);
/* Bounds of a histogram for calls of which each duration is known. */
void calls_bounds(uint64_t *bucket_below, uint32_t ticks_per_second);
void calls_hello(struct wire_hello *hello);	/* adds what the trace is counted in */
void calls_follow(struct node *n);	/* the profile has what was accounted for */
double calls_handlers(const struct node *n);	/* ticks in handlers; NaN: no trace tells them */
void calls_settle(struct node *n);	/* no more comes for now: all that came is */
void calls_losses(const struct node *n, struct wire_status *status);
void node_losses_note(struct node *n, const struct profile *p);

void calls_advance(struct node *n);	/* more of the trace came */
struct trace *calls_trace(struct node *n);	/* made if it is not there; NULL: no memory */

/* --- seen.c --- */

void seen_sink(struct wire_sink *sink);
/* As the sink's members of these names. */
void seen_setup(struct node *n, const struct wire_seeing *seeing);
void seen_events(struct node *n, const struct wire_event *events, size_t count);
void seen_name(struct node *n, const struct wire_naming *naming);
/* once.c: instructions that run once a call; the screen never waits for them. */
void node_once_service(struct node *n, uint64_t now);
void node_once_wait(struct node *n);
void node_once_forget(struct node *n);
int node_once_fd(const struct node *n);		/* to poll; -1: none */

void seen_samples(struct node *n, size_t count);	/* of any kind: asleep, too */

/* --- period.c --- */

/* So many samples, that a trace port's clock dates. */
void period_take(struct node_period *k, uint64_t ticks, size_t count);
void period_give(struct node *n);			/* to the profile */

/* --- stretches.c --- */

void stretches_take(struct node *n, const uint32_t *pcs, size_t count);	/* pcs NULL: asleep */
/* A decoder tells events with a clock of its own, from here on. */
void stretches_yield(struct node *n);
void stretches_yield_all(struct node *n);	/* whatever the trace holds */
/* False: nothing is wrong. */
bool seen_warning(const struct node *n, char *dst, size_t size);
void seen_forget(struct node *n);
/* What an id of a function means that was told from outside. */
uint32_t seen_address(const struct node *n, uint32_t id, uint32_t otherwise);
void seen_image(struct node *n);		/* another gives the names */

/* --- metered.c --- */

int metered_open(struct node *n, struct err *err);	/* once its first input is open */
bool metered_speaks(const char *source);	/* is it a power meter's? */
int metered_record(struct node *n, const char *path, struct err *err);	/* beside the node's */
/* The options of such a source; another one's: none. 0, or ERR_USAGE with the sentence. */
int metered_options(const char *source, struct wire_meter_options *o, struct err *err);
void metered_release(struct node *n);
bool metered_arrives(const struct node *n);	/* when the meter's bytes come tells a time */
/* A simulator beside a meter that measures in real time: nothing but arrivals joins them. */
bool metered_is_simulated(const struct node *n);
/* False: nothing is wrong. */
bool metered_warning(const struct node *n, char *dst, size_t size);
void metered_sink(struct wire_sink *sink);

/* --- charge.c, charged.c: a stretch of the node's time --- */

/* From there on, without an end. */
void charge_begin(struct node_charge *c, uint64_t from, size_t pcs_from);
void charge_states(const struct node *n, struct node_charge *c, uint64_t from);
/* Reads on up to this tick, or its own end. 0 or ERR_NOMEM. `unsure`: the clocks, s. */
int charge_read_trace(struct node *n, struct node_charge *c, uint64_t until, double unsure);
void charge_read_pcs(struct node *n, struct node_charge *c);
/* Fills in the energies of the profile's functions, and the report. */
const struct energy_report *charge_tell(const struct node *n, struct node_charge *c,
					struct profile *p);

/* --- modelled.c --- */

void modelled_end(struct node *n);
/* Times ascend; amps NaN: not known. */
void modelled_add(struct node *n, double begin_s, double end_s, double amps);
void modelled_told(struct node *n);	/* what was added can be seen */
void modelled_pcs(struct node *n, const uint32_t *pcs, size_t count, uint64_t ticks);
double modelled_tick(const struct node *n, double at_s);

/* --- energy.c: whose charge it was --- */

/* A PC sample, or one that met the processor asleep. */
struct node_pc {
	double at;			/* s of the source's clock, else of the host's */
	uint32_t function;		/* its entry; 0: asleep */
};

void energy_begin(struct node *n);
void energy_end(struct node *n);
void energy_reset(struct node *n);		/* the user's: sums from now on */
void energy_again(struct node *n);		/* all begins again: another trace, a reset */
void energy_pcs(struct input *in, const uint32_t *pcs, size_t count);	/* NULL: asleep */
void energy_frames(struct node *n);		/* more of the trace came */
/*
 * Calls in order are told. By a model all of them must be: what runs between those that are watched
 * has no current then, and no meter tells it.
 */
bool energy_is_traced(const struct node *n);

/* --- aligned.c: its clock and the meter's --- */

/* More of both may be there: the line between them. `ended`: no more comes. */
void aligned_update(struct node *n, bool ended);
double aligned_seconds(const struct node *n, uint64_t ticks);	/* of the trace's clock */
/* A function that halts the processor, or none. */
bool aligned_sleeps(const struct node *n, uint32_t id);
uint32_t energy_address(const struct node *n, uint32_t id);	/* of a trace's function; 0 none */

/* --- swo.c --- */

int swo_open(struct node *n, struct err *err);	/* once its first input is open */
bool swo_warning(const struct node *n, char *dst, size_t size);	/* false: nothing is wrong */
void swo_sink(struct wire_sink *sink);

/* --- recorded.c --- */

bool recorded_read(struct input *in);	/* it says something, or something else than before */
const char *recorded_format(const struct input *in);	/* NULL: not said */
const char *recorded_source(const struct input *in);
bool recorded_decides(const struct node *n);	/* what can be watched */
bool recorded_knows(const struct node *n, const char *watch);
/* Which comparator tells which watch; how many are known. */
unsigned recorded_comparators(const struct node *n, struct wire_watching *w);
int recorded_write(struct input *in, struct err *err);	/* if something changed */
void recorded_again(struct node *n);	/* another recording begins */
void recorded_about(const struct node *n, struct buf *text);	/* that it begins with */
void recorded_watches(struct node *n);	/* others are watched */
void recorded_release(struct node *n);

/* --- watched.c --- */

int log_open(struct node *n, struct err *err);	/* once its inputs are open: options.link.watches */
void log_sink(struct wire_sink *sink);
void log_recorded(struct node *n);	/* what its recording says was watched, too */
void log_image(struct node *n);		/* another ELF: addresses are other ones */
void log_again(struct node *n);		/* a decoder is new */
void log_names(struct node *n);		/* the trace is new: it knows no names */
void log_event(struct node *n, const struct wire_event *e);
void log_watching(struct node *n, const struct wire_watching *watching);	/* how it goes */
struct node_logged *log_find(struct node *n, uint32_t note);	/* NULL: it is watched no more */

/* --- watched_said.c --- */

/* It cannot be watched: why, and which source can; one behind the other. */
void log_refusal_add(struct buf *line, const struct node_logged *l, enum wire_watch_refusal why);
uint32_t log_note(struct node *n, const struct wire_event *e);	/* its id in the trace */

/* --- across.c --- */

int across_open(struct node *n, struct err *err);	/* once its other inputs are open */
void across_release(struct node *n);
bool across_named(const struct node *n);	/* &stops= is given, a recording's, too */
bool across_is(const struct input *in);		/* is it the second way? */
void across_points(struct node *n);		/* log.points are others */
void across_service(struct node *n);
/* What the second way told, into the first one's recording; and out of it: false: it is not. */
void across_record(struct node *n, const uint8_t *told, size_t count);
bool across_replay(struct input *in, const uint8_t *told, size_t count);
void across_first(struct node *n, const struct wire_watching *watching);	/* of a recording */
void across_again(struct node *n);		/* a recording is read from its beginning */
/* How a way goes. False: there is one way alone, and it is for log_watching. */
bool across_watching(struct input *in, const struct wire_watching *watching);
/* By which means each is watched and at what cost, when that changed; nothing otherwise. */
void across_plan_add(struct node *n, struct buf *line);
enum wire_watch_refusal across_refusal(const struct node *n, enum wire_watch_refusal why);
bool across_warning(const struct node *n, char *dst, size_t size);	/* false: nothing wrong */

/* --- axis.c --- */

bool axis_seeing(struct input *in, const struct wire_seeing *seeing);	/* true: it is taken */
bool axis_events(struct input *in, const struct wire_event *events, size_t count);
void axis_reach(struct node *n, uint64_t ticks);	/* of the first way, before its event */
void axis_release(struct node *n);		/* all that waits: nothing more comes */
void axis_catch_up(struct node *n, uint64_t now);	/* who waited long enough is let go */
void axis_service(struct node *n);
int axis_timeout(const struct node *n, uint64_t now);
double axis_apart(const struct node *n);	/* s; NaN: not known */

/* --- exceptions.c --- */

void exceptions_sink(struct wire_sink *sink);
/* Of the batch being told, by the port's own time stamps; false: it has none. */
bool exceptions_time(struct input *in, uint64_t *ticks);
void exceptions_clock(struct node *n);		/* before an event of such a time */

/* --- matches.c --- */

void matches_sink(struct wire_sink *sink);
void matches_lose(struct node *n);		/* packets are missing */
bool matches_replay(const struct node *n);	/* it is a recording of a trace port */
void matches_assume(struct node *n, const struct wire_watchpoint *points, size_t count);

/* --- arrivals.c --- */

void arrivals_note(struct node *n);		/* the newest frame came */
void arrivals_forget(struct node *n);

/* --- binding.c, agreement.c --- */

int binding_open(struct node *n, struct err *err);
void binding_close(struct node *n);
void binding_again(struct node *n);	/* all is read again: the image that was there then */
void binding_service(struct node *n, uint64_t now);
int binding_timeout(const struct node *n, uint64_t now);
/* why the ELF is refused, in a line */
void binding_refusal(const struct node *n, char *dst, size_t size);
const char *binding_path(const struct node *n);	/* of the image or the refused one; "" none */
void agreement_forget(struct node *n);
void agreement_update(struct node *n);

/* --- past.c --- */

/* a history for a new book; 0 or ERR_NOMEM */
int node_past_open(struct node *n, struct book *b);
void node_past_release(struct node *n);
/* before they are decoded */
void node_past_bytes(struct input *in, const uint8_t *data, size_t count);
void node_past_fed(struct node *n);			/* and after it */
void node_past_report(struct node *n, struct book *b);
void node_past_silent(struct node *n);
void node_past_rows(struct node *n);		/* wsn: before rows are taken in */
void node_past_status(struct node *n);		/* wsn: a refresh begins */
void node_past_now(struct node *n);			/* counts are about to be forgotten */
void node_past_gone(struct node *n);			/* disconnected */
void node_past_end(struct node *n);
/* n->binding.image is about to name its profile */
void node_past_image(struct node *n, struct book *b);
/* the selected profile as it stands is the last run */
void node_past_run_keep(struct node *n);
/* that is now another image's; false: nothing ran before */
bool node_past_run_before(struct node *n);

/* --- watches.c --- */

/* Against the selected profile as it stands, at this time of the data. */
void watches_hold(struct node *n, uint64_t time_ns);
void watches_again(struct node *n);		/* all is read again */
void watches_release(struct node *n);

/* --- fare.c: a sample when it is due at this time of the data --- */

void fare_service(struct node *n, uint64_t time_ns);
void fare_sleepers(struct node *n);	/* looked for, once an image */

/* --- player.c --- */

bool player_hurries(const struct node *n, uint64_t since);	/* reads on at once */
void player_service(struct node *n, uint64_t now);
int player_timeout(const struct node *n, uint64_t now);
void player_release(struct node *n);
bool player_selects(struct node *n, const struct book *b);	/* false: as always */

/* --- listen.c --- */

void listen_start(struct input *in, const struct input_options *o);
void listen_image(struct input *in);		/* the node's image became another, or went */
bool listen_take(struct input *in, uint64_t now, const uint8_t *data, size_t count);
void listen_service(struct input *in, uint64_t now);
int listen_timeout(const struct input *in, uint64_t now);
void listen_end(struct input *in);

/*
 * Is it the node's first input, which its profile comes from? Its bytes alone end moments, give the
 * rates their slots and the wall clock, and its end is the node's.
 */
static inline bool input_is_first(const struct input *in)
{
	return in == in->node->inputs;
}

static inline struct profile *node_stream_profile(const struct node *n)
{
	return n->books[0].profile;	/* a stream's counts are always the first book's */
}

static inline const struct codemap *node_codemap(const struct node *n)
{
	return n->binding.image ? image_codemap(n->binding.image) : NULL;
}

#endif
