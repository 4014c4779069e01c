/*
 * node: one node, whole: link -> wire -> profiles, its image, its console.
 *
 * The screen and the batch run hold some of these, poll their descriptors and call node_service.
 */
#ifndef WSNTOP_NODE_NODE_H
#define WSNTOP_NODE_NODE_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/node/command.h"
#include "core/node/console.h"
#include "core/export/export.h"
#include "core/export/losses.h"
#include "core/node/health.h"
#include "core/history/history.h"
#include "core/image/identity.h"
#include "core/image/image.h"
#include "core/link/link.h"
#include "core/link/record.h"
#include "core/find/probe.h"
#include "core/profile/profile.h"
#include "core/profile/look/worst.h"
#include "core/wire/wire.h"

struct node_options {
	const char *source;
	const char *elf;		/* that pairs with the source; NULL: none */
	const char *const *elfs;	/* all there are: whichever the node names by its identity is its image */
	size_t elf_count;
	const char *format;		/* NULL: auto */
	const char *record;		/* NULL: not kept */
	const char *report;		/* NULL: the last; NAME, or #N counted from 1 */
	struct link_options link;
	double hz;			/* 0: 1000 */
	bool correct;
	bool batch;			/* strict reports: what a cut one lacks is not filled from an older one */
};

enum node_change {
	NODE_DATA = 1,			/* the profile changed */
	NODE_TEXT = 2,			/* the console changed */
	NODE_STATE = 4,			/* the link's or the image's state changed */
	NODE_ENDED = 8,			/* nothing will come any more */
	NODE_NEWS = 16,			/* n->news is a line that wants to be said now */
};

#define NODE_STACKS 16
#define NODE_FDS 2
#define NODE_SLEEPERS 16

struct node {
	struct node_options options;
	const char *name;		/* its source; node_title() is what it calls itself */
	struct link *link;
	struct wire *wire;
	struct image *image;		/* NULL: none, or refused */
	struct image *refused;		/* an ELF that is not what runs: no name is taken from it; watched */
	struct image *rebuilt;		/* the ELF anew, while the node still runs what `image` is of */
	struct identity identity, rebuilt_identity;	/* of image or refused; of rebuilt */
	enum identity_verdict verdict;	/* on `identity` */
	struct record *record;		/* NULL: not recording */
	struct profile **profiles;	/* one a report name; at least one */
	size_t profile_count, profile_cap;
	struct history **histories;	/* one a profile; NULL in batch */
	size_t history_cap;
	struct stream *stream;		/* all bytes, as far as they are kept; NULL in batch */
	size_t selected;		/* profile shown */
	bool pinned;			/* the user chose it: a new report does not change it */
	struct worst *worst;		/* of each profile: the longest calls ever seen */
	size_t worst_cap;
	unsigned worst_reloads;		/* `reloads` when they were last looked for */
	struct console console;
	struct wire_stats stats;
	double bytes_per_s, events_per_s;	/* over the last second or so */
	double agreement;		/* share of addresses that make sense in the image; NaN unknown */
	bool callers_lost;		/* callees make sense, callers do not: Thumb-1's clobbered LR */
	struct err trouble;		/* recording failed, image unusable...: shown until it is mended */
	unsigned changes;		/* gathered for the next node_service's return */
	struct wire_stack stacks[NODE_STACKS];	/* newest last; frames owned here */
	size_t stack_count;
	unsigned boots;			/* boot banners seen */
	unsigned reports;		/* reports seen, wanted or not */
	unsigned reloads;		/* times the image was reloaded after a rebuild */
	unsigned images;		/* times names began to come from another image, or none */
	bool ended;			/* the input came to its end */
	bool has_hello, has_status;	/* the stream says who it is (wsn): */
	struct wire_hello hello;	/* its name is `called` */
	struct wire_status status;
	char called[64];		/* what it calls itself; "" it does not say */
	unsigned epochs;		/* times its counters started anew */
	struct health health;		/* how it and its line fared, over time */
	struct commands commands;	/* what it is being told */
	struct profile *before;		/* a copy: what ran before the image became another; NULL: none */
	struct profile *last_run;	/* a copy: what was counted when the node, or the user, last reset it */
	char news[400];			/* the newest line that wanted to be said; also in the console */
	bool news_bad;
	/* private */
	uint64_t now_ns;		/* when the bytes being decoded arrived */
	uint64_t rate_ns, rate_bytes, rate_events;	/* the second being counted */
	/* wsn: of the refresh under way: its STATUS, its last rows; frames missing by then */
	struct { uint64_t status_ns, status_bytes, rows_ns, rows_bytes, bad; } refresh;
	uint64_t fed_ns, moment_ns, moment_bytes;	/* last bytes, last moment, by the data's clock */
	int64_t wall_ns;		/* to add for the wall clock */
	bool wall_known;
	uint64_t rest_ns;		/* until then the line is not polled */
	uint64_t idle_ns, mark_ns, image_ns;		/* last bytes, last mark, last look at the ELF */
	size_t agreed_sites, agreed_pcs;		/* what the agreement was counted over */
	const struct profile *agreed_profile;
	bool flushed;
	bool identify;			/* a HELLO came whose identity is to be compared */
	bool asked;			/* for everything, when it was joined */
	const struct image *sleepers_of;	/* image whose sleeping functions these are: */
	uint64_t sleepers[NODE_SLEEPERS];	/* their entries */
	size_t sleeper_count;
	struct probe *probe;		/* while its baud rate is being looked for */
	uint64_t search_ns;		/* when the ELFs were last searched for the right one */
	char **elfs;			/* options.elfs, copied */
	size_t elf_count;
};

/* NULL with the sentence when source or image cannot be used. Option strings are copied. */
struct node *node_new(const struct node_options *o, struct err *err);
void node_free(struct node *n);

/* Fill at most NODE_FDS entries; how many. */
size_t node_poll_fds(const struct node *n, struct pollfd *fds);
int node_timeout(const struct node *n, uint64_t now);	/* ms until node_service wants to be called; -1 never */

/* Take what is there, at most about `budget` bytes (so that keys stay alive). NODE_* or-ed. */
unsigned node_service(struct node *n, uint64_t now, size_t budget);

/*
 * A file is being read, and its end is still to come; and to read no further: what was read is what
 * there is. False: there was nothing to stop.
 */
bool node_is_reading(const struct node *n);
bool node_stop(struct node *n);

struct profile *node_profile(const struct node *n);	/* the selected one */
const struct history *node_history(const struct node *n);	/* its past; NULL: none is kept */

/* The wall clock (ns since 1970) at a time of the data's clock; false: such a source has none. */
bool node_wall(const struct node *n, uint64_t time_ns, uint64_t *wall_ns);
void node_select(struct node *n, size_t profile);
void node_reset(struct node *n);			/* forget counts of all profiles */
const struct worst *node_worst(struct node *n);	/* of the selected profile, as it stands */

/* Share of the stream's addresses that make sense in the image: 0..1, NaN when not known. */
double node_agreement(const struct node *n);
/*
 * "yes" or "no" by the node's identity, "unknown" until it says one; where streams have none "yes"
 * from 90 % agreement.
 */
const char *node_match(const struct node *n);
bool node_refused(const struct node *n);		/* an ELF was given, and it is not what runs */
int node_load_image(struct node *n, const char *path, struct err *err);

/* What it calls itself, else its source. */
const char *node_title(const struct node *n);

/*
 * Share of the processor that its hooks take: over the last seconds where calls have a rate, else
 * over all that was profiled. NaN: not known.
 */
double node_hooks(const struct node *n);

/* Does it listen (its HELLO says so, over a line that can be written)? */
bool node_listens(const struct node *n);

/* Tell it; how that went comes as NODE_NEWS. 0, or negative with the sentence. */
int node_command(struct node *n, enum wsn_type type, uint16_t arg, struct err *err);

/* What an export of this node says. Computes the profile. */
void node_export_source(struct node *n, struct export_source *s);

/* What recording failed with, image notes, disagreement: the line to warn with, or NULL. */
const char *node_warning(const struct node *n, char *dst, size_t size);

#endif
