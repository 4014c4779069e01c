/*
 * node: one node as a whole: its inputs (link -> wire), profiles, image, console, and what it tells
 * of itself.
 *
 * The screen and the batch run hold some of these (nodes.h), poll their descriptors and call
 * node_service, which reads, decodes, counts and looks for a rebuilt ELF:
 *
 *	count = node_poll_fds(n, fds);
 *	poll(fds, count, node_timeout(n, clock_now()));
 *	changes = node_service(n, clock_now(), 1 << 20);
 *
 * Nothing here blocks, save node_new, node_load_image and a rebuilt ELF in node_service, which read
 * the ELF's symbols (its DWARF is read beside), node_image_wait, and a recording on a slow disk.
 * Everything is owned by the node; its struct is private (parts.h).
 */
#ifndef WSNTOP_NODE_NODE_H
#define WSNTOP_NODE_NODE_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/node/console.h"
#include "core/export/export.h"
#include "core/export/losses.h"
#include "core/node/health.h"
#include "core/history/history.h"
#include "core/history/stream.h"
#include "core/image/identity.h"
#include "core/find/probe.h"
#include "core/image/image.h"
#include "core/link/carrier.h"
#include "core/link/link.h"
#include "core/link/record.h"
#include "core/power/energy.h"
#include "core/profile/look/watch.h"
#include "core/profile/profile.h"
#include "core/wire/wire.h"
#include "core/wire/wsn/wsn.h"

struct node_options {
	const char *source;
	const char *elf;		/* that pairs with the source; NULL: none */
	/* all that were given: the node's image is the one whose identity it names */
	const char *const *elfs;
	size_t elf_count;
	const char *format;		/* NULL: auto */
	const char *record;		/* NULL: not kept */
	bool force;			/* in the place of an older recording */
	const struct record_rule *rule;	/* `record` is a folder of parts; outlives the node */
	const char *report;		/* NULL: the last; NAME, or #N counted from 1 */
	/* source of a power meter, or "model:FILE" (core/power/model.h); NULL: there is none */
	const char *power;
	double volts;			/* of the supply; 0: ENERGY_VOLTS */
	double battery_c;		/* capacity of its battery, A s; 0: none */
	struct link_options link;
	double hz;			/* 0: 1000 */
	size_t trace_bytes;		/* 0: NODE_TRACE_BYTES, in batch no limit */
	bool correct;
	/* opens the source's link, outlives the node; NULL: link_new does */
	struct carrier *carrier;
	/* shared by the past of all nodes; outlives them. NULL: one of the node's own */
	struct history_budget *budget;
	/*
	 * Nobody watches: no past is kept, the ELF is not watched for a rebuild, and rows that a
	 * cut report lacks are not filled in from an older one.
	 */
	bool batch;
	bool index;			/* of a recording: only its past is of use */
	bool span;			/* moments end when node_moment() says so, and only then */
};

enum node_change {
	NODE_DATA = 1,			/* the profile changed */
	NODE_TEXT = 2,			/* the console changed */
	NODE_STATE = 4,			/* the link's or the image's state changed */
	NODE_ENDED = 8,			/* the first input came to its end */
	NODE_NEWS = 16,			/* node_news() is to be shown now */
};

/* A fact, and a code for what the user could do: whoever shows it adds the key or the option. */
struct node_news {
	enum advice advice;
	bool bad;
	char text[1200];
};

#define NODE_FDS 6			/* NODE_INPUTS, the image's reader, a disassembler */

struct node;

/* NULL with the sentence when source or image cannot be used. Option strings are copied. */
struct node *node_new(const struct node_options *o, struct err *err);
void node_free(struct node *n);

/* Fill at most NODE_FDS entries; how many. */
size_t node_poll_fds(const struct node *n, struct pollfd *fds);
/* ms until node_service wants to be called; -1 never */
int node_timeout(const struct node *n, uint64_t now);
void node_relieve(struct node *n);			/* link_relieve */

/* Take what is there, at most about `budget` bytes (so that keys stay alive). NODE_* or-ed. */
unsigned node_service(struct node *n, uint64_t now, size_t budget);

/* --- the player ---------------------------------------------------------------------------------
 *
 * A file can be paused; a recording has a pace and can be sought to any of its times: node_service
 * then reads at full speed until there, from the beginning where it has to go back. The node holds
 * what it held at that time, whatever the way there; it goes on at its pace, or is paused. Times
 * are those of the data's clock.
 *
 * While it plays, the whole recording is read ahead in the background, for node_history_whole.
 */
enum node_play_state {
	NODE_PLAY_LIVE,
	NODE_PLAY_DOWN,			/* live, and the link is not up */
	NODE_PLAY_RUNS,			/* a file is being read */
	NODE_PLAY_PAUSED,
	NODE_PLAY_SEEKS,
	NODE_PLAY_FOLLOWS,		/* a recording that is still written, at its end so far */
	NODE_PLAY_ENDED,
};

struct node_play {
	enum node_play_state state;
	bool recording;			/* it has times: else those below are 0 */
	double speed;			/* 0: as fast as it is decoded */
	uint64_t at_ns, goal_ns;	/* goal: where it SEEKS to */
	uint64_t begin_ns, end_ns;	/* of the recording, as far as they are known */
	bool ends;			/* end_ns is its end, be it read or not */
	bool whole;			/* all of it was read (ahead): its moments are known */
	double share;			/* 0..1 of it, or of the file; negative: has no length */
};

struct node_play node_play(const struct node *n, uint64_t now);
bool node_can_seek(const struct node *n);	/* a recording in a file */
/*
 * Copies of a node's parts that borrow from it, and pointers to them, are of another node after
 * each restart.
 */
int node_seek(struct node *n, uint64_t at_ns, struct err *err);
int node_read_on(struct node *n, uint64_t at_ns, struct err *err);	/* all that is between */
unsigned node_restarts(const struct node *n);	/* times that it read from the beginning */
void node_pause(struct node *n, bool paused);	/* nothing for a live link */
bool node_is_paused(const struct node *n);
void node_set_pace(struct node *n, double speed);	/* as link_options.speed */
/* The past of the selected profile and what was read ahead, for its moments only: no windows. */
const struct history *node_history_whole(const struct node *n);

/* --- its parts ---------------------------------------------------------------------------------
 *
 * Borrowed: they hold as long as the node, but for images, copies of what ran before and
 * node_worst, which hold until node_service, node_load_image or node_reset.
 */

const char *node_source(const struct node *n);		/* as -p named it */
const char *node_title(const struct node *n);		/* what it calls itself, else its source */
/* what it calls itself; "" it does not say */
const char *node_called(const struct node *n);
const struct node_options *node_options(const struct node *n);

/* Its first input: the one that its profile comes from. */
const struct link *node_link(const struct node *n);
const char *node_format(const struct node *n);		/* wire_name() */
const char *node_format_note(const struct node *n);	/* wire_note() */
bool node_is_recording(const struct node *n);

/* At the end: its recording is on the disk, or ERR_IO and node_trouble(); it is closed then. */
int node_record_sync(struct node *n);
bool node_ended(const struct node *n);			/* its end came: NODE_ENDED */
uint64_t node_heard(const struct node *n);		/* clock_now() of the last bytes */
/* for its baud rate; NULL: none is under way */
const struct probe *node_search(const struct node *n);
const struct stream *node_stream(const struct node *n);	/* the bytes kept; NULL: none are */
int node_save(const struct node *n, const char *path, struct err *err);	/* these, as a recording */

const struct wire_stats *node_stats(const struct node *n);	/* of all inputs together */
double node_bytes_per_s(const struct node *n);		/* over the last second or so */
double node_events_per_s(const struct node *n);
unsigned node_reports(const struct node *n);		/* reports seen, wanted or not */
/* stack traces seen, as far as they are kept */
size_t node_stack_count(const struct node *n);
const struct trace *node_trace(const struct node *n);	/* NULL: it sends none */
/* When its frames of about that time arrived, on the data's clock. False: not known. */
bool node_trace_arrival(const struct node *n, uint64_t ticks, uint64_t *time_ns);
/* And back; 0: before the trace. */
bool node_trace_ticks(const struct node *n, uint64_t time_ns, uint64_t *ticks);

/*
 * The deepest points of its stacks, where a simulator measures them: how many, NODE_WATERMARKS at
 * most. What is left below one: image_stack_room.
 */
enum { NODE_WATERMARKS = 64 };
size_t node_watermarks(const struct node *n, const struct wire_watermark **marks);

/* How the debug probe fares that it is watched by, as told last; NULL: there is none. */
const struct wire_probe *node_probe(const struct node *n);

/* How SWO fares. */
struct node_port {
	bool sets_up;			/* by ?setup=: */
	struct wire_setup setup;
	double pcs_hz;			/* PC samples a second that came; 0: not known yet */
	double pcs_now, asleep_now;	/* in the last second of them; its share that met it
					 * asleep; 0, 0: not known yet */
	double clock_hz;		/* of its stamps: given or measured; 0: not known yet */
};

/* Of its calls those that are watched, and handlers, are told: between them it is not idle. */
bool node_tells_some(const struct node *n);

bool node_port(const struct node *n, struct node_port *port);	/* false: it is no SWO */

/* What keeps a probe, or SWO, from bringing data, and the cure; false: nothing is known. */
bool node_probe_warning(const struct node *n, char *dst, size_t size);

/* The user allows so many stops of the target a second; false: its source never stops it. */
bool node_allow_stops(struct node *n, double hz);

/*
 * The power meter beside it (node_options.power). Its clock's map to the host's time is that of
 * core/power/power.h.
 */
const struct power *node_power(const struct node *n);	/* NULL: there is no meter */
/* The same, or what the model says, over time: an estimate. NULL: neither (yet). */
const struct power *node_current(const struct node *n);
bool node_current_by_pcs(const struct node *n);	/* by PC samples: active and asleep alone */
bool node_meter(const struct node *n, struct export_meter *meter);	/* false: there is none */
bool node_meter_reads(const struct node *n);	/* a file whose end is still to come */
const struct link *node_meter_link(const struct node *n);	/* NULL: there is none */

/*
 * Whose charge it was: brings up to date what is attributed, and the energy of the functions of the
 * selected profile, which is computed. NULL: there is neither a meter nor a model. Borrowed until
 * the next call. Live it catches up by some seconds a call.
 */
const struct energy_report *node_energy(struct node *n);
const struct energy_report *node_energy_told(const struct node *n);	/* as of the last call */
/*
 * The same of a window of the past, of which `p` is the profile: times of the data's clock. Where
 * detail was let go nothing is told: ENERGY_GONE. Long ones take some calls: ENERGY_ADDING.
 */
const struct energy_report *node_energy_window(struct node *n, struct profile *p,
					       uint64_t begin_ns, uint64_t end_ns);
/* The tick of node_current() at a time of the trace; NaN: not known. */
double node_power_tick(const struct node *n, uint64_t ticks);
void node_set_battery(struct node *n, double battery_c, double volts);	/* NaN: as it was */

/* What the stream says of the node (wsn); NULL: nothing (yet). The name is node_called(). */
const struct wire_hello *node_hello(const struct node *n);
/* which firmware it runs: of the hello, or before it */
const struct wire_identity *node_identity(const struct node *n);
const struct wire_status *node_status(const struct node *n);
unsigned node_epochs(const struct node *n);		/* times its counters began again from 0 */

/* names come from it; NULL: none, or refused */
const struct image *node_image(const struct node *n);
const struct image *node_image_refused(const struct node *n);	/* an ELF that is not what runs */
/* the ELF was rebuilt, the node runs what image is of */
bool node_image_is_old(const struct node *n);
enum identity_verdict node_verdict(const struct node *n);	/* by its identity */
/* Why that is IDENTITY_UNSURE: "its checksum covers 7608 of 73700 bytes". */
const char *node_doubt(const struct node *n, char *dst, size_t size);
/* times names began to come from another image, or none */
unsigned node_images(const struct node *n);
unsigned node_reloads(const struct node *n);	/* times the image was reloaded after a rebuild */
bool node_image_is_read(const struct node *n);	/* all of its DWARF; also where there is none */
void node_image_wait(struct node *n);		/* until it is */
size_t node_sleepers(const struct node *n, const uint64_t **entries);	/* functions that sleep */

/*
 * Interrupt handlers of its image: with hooks, which cost the node a call each time; or without,
 * whose time is in the functions that they interrupt. How many, and their names ("a, b").
 */
size_t node_handlers(const struct node *n, bool hooked, char *names, size_t size);

/*
 * Data come, but by what the node says of its time its handlers with hooks leave next to nothing to
 * the program, which has to send. Their names.
 */
bool node_is_starved(const struct node *n, char *names, size_t size);

const struct console *node_console(const struct node *n);
const struct health *node_health(const struct node *n);	/* how it and its line fared, over time */
/* recording failed, image unusable...; may be unset */
const struct err *node_trouble(const struct node *n);
const struct node_news *node_news(const struct node *n);	/* the newest */

/* What ran before, as copies: NULL: nothing. */
/* before the image became another */
const struct profile *node_before_image(const struct node *n);
/* when it, or the user, last reset it */
const struct profile *node_before_reset(const struct node *n);

/* --- its profiles: one for a stream, one a name for reports ----------------------------------- */

size_t node_profiles(const struct node *n);
size_t node_selected(const struct node *n);
/* pinned: a new report does not change it */
void node_select(struct node *n, size_t profile);
struct profile *node_profile(const struct node *n);	/* the selected one */
struct profile *node_profile_at(const struct node *n, size_t profile);	/* NULL: past the last */
const struct history *node_history(const struct node *n);	/* its past; NULL: none is kept */
const struct history *node_history_at(const struct node *n, size_t profile);	/* NULL likewise */

/* The wall clock (ns since 1970) at a time of the data's clock; false: such a source has none. */
bool node_wall(const struct node *n, uint64_t time_ns, uint64_t *wall_ns);
void node_moment(struct node *n);		/* a moment of the history ends now */
void node_reset(struct node *n);			/* forget counts of all profiles */
const struct worst *node_worst(struct node *n);	/* of the selected profile, as it stands */

#define NODE_AGREES 0.9			/* node_agreement() from which an image fits */
#define NODE_TRACE_BYTES (1u << 30)	/* of a call trace; older parts are let go */

/*
 * Bounds on figures, held against the selected profile at the end of each moment and when asked.
 * A bound that is set later is dated by the past, where that knows it: a longest call by the moment
 * in which it came; a rate, whose past values are not known, by now. Those set before keep their
 * state. The states are in the same order and hold until the next call of either.
 */
void node_set_watches(struct node *n, const struct watch *watches, size_t count);
const struct watch_state *node_watches(struct node *n, size_t *count);

/* Share of the stream's addresses that make sense in the image: 0..1, NaN when not known. */
double node_agreement(const struct node *n);
/*
 * "yes" or "no" by the node's identity, "unknown" until it says one, and where that decides
 * nothing; where streams have none "yes" from 90 % agreement.
 */
const char *node_match(const struct node *n);
int node_load_image(struct node *n, const char *path, struct err *err);
/* From now on, into this file, as -r does. On failure an earlier recording goes on. */
int node_record(struct node *n, const char *path, struct err *err);
bool node_tally(const struct node *n, struct record_tally *t);	/* false: it is not recorded */

/*
 * What profiling costs, by the node's own clock: the ticks that its hooks, what the compiler put
 * around them, and wsnprof_poll() took since it, or the user, last reset the counts; and their
 * share of all ticks in which it ran, handlers included, sleep with its clock stopped left out. All
 * who tell the cost tell this share. NaN: not known.
 */
double node_hooks_ticks(const struct node *n);
double node_hooks(const struct node *n);

/* Does it listen (its HELLO says so, over a line that can be written)? */
bool node_listens(const struct node *n);

/* Bytes to its line, as link_send: 0, LINK_FULL or LINK_DEAF. */
int node_send(struct node *n, const void *data, size_t count);

/* Give it a command; how that went comes as NODE_NEWS. 0, or negative with the sentence. */
int node_command(struct node *n, enum wsn_type type, uint16_t arg, struct err *err);

/* What an export of this node says. Computes the profile. */
void node_export_source(struct node *n, struct export_source *s);

/* What recording failed with, image notes, disagreement: the line to warn with, or NULL. */
const char *node_warning(const struct node *n, char *dst, size_t size);

#endif
