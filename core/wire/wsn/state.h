/*
 * wsn/state: what the parts of the wsn decoder share. Private to core/wire/wsn.
 *
 * Bytes go through the splitter (split.c), which gives out text and calls wsn_take with each
 * frame whose CRC fits. wsn_take (wsn.c) asks epoch.c whether the frame is new, late, another
 * epoch's or to be kept until a HELLO comes; body.c reads it whole; the tables take its rows.
 *
 * Frames are numbered without end (`seq`, 64 bits) as soon as they arrive; a slot remembers the
 * number of the frame that filled it, so that a late datagram never undoes a newer one.
 */
#ifndef WSNTOP_WIRE_WSN_STATE_H
#define WSNTOP_WIRE_WSN_STATE_H

#include "core/base/map.h"
#include "core/wire/decoder.h"
#include "core/wire/wsn/command.h"
#include "core/wire/wsn/wsn.h"

enum {
	WSN_SEGMENT = 512,	/* bytes kept of what lies between two zeros */
	WSN_FRAME_LEAST = 6,	/* coded: COBS's byte, head, seq, a byte of body, CRC; when its
				 * zeros are lost */
	WSN_LATE = 32,		/* frames: how far one may come out of order */
	WSN_STALE = 64,		/* frames: how long past epochs' are expected */
	WSN_ROWS = 128,		/* more than the longest frame holds */
	WSN_QUEUE = 256,	/* frames kept until a HELLO comes */
	WSN_GAPS = 64,		/* stretches of closed counts that were not heard */
	WSN_KEYS = 1 << 17,	/* addresses kept of a kind: a node may send anything */
	WSN_ALIKE = 8,		/* slots that may hold the same address */
	WSN_JOINED = 4,		/* STATUS frames, until when rows come that are all new to us */
	WSN_OWED = 64,		/* addresses whose closing is waited for */
	WSN_OWED_AGE = 32,	/* frames it is waited for: rows and closings take turns */
	WSN_BATCH = 64,		/* running totals given out at a time */
	WSN_LAYOUT = 22,	/* bytes of HELLO that rows are read by */
	WSN_TABLES = 3,		/* one a kind: enum wire_total_kind */
};

#define WSN_NO_SLOT UINT32_MAX

/* A frame that hosts write, for who begins to read a recording in its midst (resume.c). */
#define WSN_WIDE 13

/* Ticks of the greatest code, 0xffff: the call took as long or longer. */
#define WSN_LONGEST (UINT64_C(0xfff) << 19)

/* --- bodies, read ----------------------------------------------------------------------------- */

/* HELLO, with what of it the host has no use for. */
struct wsn_hello {
	struct wire_hello wire;		/* its name is not set */
	uint8_t unit;
	uint32_t base;
	int16_t skew;			/* sixteenths of a tick */
};

struct wsn_status {
	struct wire_status wire;
	uint32_t closed[2];		/* sums, modulo 2^32: arcs, PCs */
};

/* A row of any kind. Addresses are byte addresses, but an extension's `from`, which is a slot. */
struct wsn_row {
	uint32_t slot;
	bool extension;
	bool handler;
	uint32_t from, to;
	uint64_t calls, total, min, max;
	uint64_t bucket[WIRE_BUCKETS];
};

/* All of a frame's rows: `closed` ones have no slots. */
struct wsn_rows {
	enum wire_total_kind kind;
	bool closed, lost;
	uint32_t before;
	uint64_t sum;			/* of the closed ones' counts */
	size_t count;
	struct wsn_row row[WSN_ROWS];
};

/* A TRACE frame; its tokens stay in the frame. */
struct wsn_trace {
	struct wire_trace wire;
	uint32_t stack[WSN_BLOCK_MAX];
};

/* Each reads a frame (head, seq, body) whole; false: it is damaged, whatever its CRC says. */
bool wsn_read_hello(struct wsn_hello *h, const uint8_t *frame, size_t n);
bool wsn_read_status(struct wsn_status *s, const uint8_t *frame, size_t n);
bool wsn_read_identity(struct wire_identity *id, const uint8_t *frame, size_t n);
bool wsn_read_tracing(struct wire_tracing *t, const uint8_t *frame, size_t n);
bool wsn_read_trace(struct wsn_trace *t, const uint8_t *frame, size_t n);
bool wsn_read_rows(struct wsn_rows *r, const struct wsn_hello *h, const uint8_t *frame, size_t n);

/* --- running totals --------------------------------------------------------------------------- */

/*
 * Which half of a counter, its extension or its own, is known to be behind the other: a bit a
 * counter.
 */
enum { COUNTS_CALLS = 1, COUNTS_TOTAL = 2 };

struct wsn_slot {
	bool used, extension;
	uint8_t doubt;			/* newer frames that contradicted it */
	uint8_t awaits_carry;		/* COUNTS_*: it wrapped, its extension did not follow */
	uint8_t awaits_own;		/* the extension grew, the row itself is older */
	uint8_t patience;		/* rows taken while it awaited */
	bool sure;			/* it moved by a small step */
	bool sure_wrap;			/* it was sure when it wrapped */
	uint32_t key;			/* index of its entry; an extension: the slot it extends */
	uint32_t next;			/* another slot with the same address, or WSN_NO_SLOT */
	uint32_t carry;			/* the slot that extends it, or WSN_NO_SLOT */
	uint32_t held;			/* free: its row that waits is held[held - 1]; 0: none */
	uint32_t refresh;		/* in which it came, */
	float pace;			/* and at how many calls a tick */
	uint64_t place, run;		/* of the frame it came in (age.c) */
	uint64_t seq;
	uint64_t calls, total, min, max;	/* as sent; calls with a width, and buckets: and
						 * what they passed */
	uint64_t lost_calls, lost_total;	/* wraps whose extension found no slot */
	uint64_t whole_calls, whole_total;	/* with the extension, when both last fitted */
	uint64_t bucket[WIRE_BUCKETS];
};

/* All that is known of one address pair. */
struct wsn_entry {
	uint32_t raw, from, to;		/* raw: as sent; from: with what the image puts back */
	uint16_t flags;			/* ROW_* */
	bool changed;			/* stands in the list of those to give out */
	uint8_t slots;			/* how many hold it */
	uint32_t first;			/* the first of them, or WSN_NO_SLOT */
	uint32_t held;			/* perhaps a slot where it waits for a second frame */
	uint64_t closed;
	uint64_t closed_seq;		/* rows of frames before this one are void */
	uint64_t told_seq;		/* the latest frame that closed it */
	uint64_t pending;		/* last counts of slots that it left; their closings are
					 * still to come: */
	uint8_t owed;			/* so many */
	uint32_t owed_slot;		/* the slot it left last, */
	uint64_t owed_seq;		/* and the frame that said so */
};

/* Closed counts from `low` to below `high` were not heard. */
struct wsn_gap {
	uint64_t low, high;
};

/* A frame of closed counts, until what comes next tells the sum behind it. */
struct wsn_waiting {
	uint64_t seq, sum;
	uint32_t before;
	uint16_t len;
	uint8_t frame[WSN_BLOCK_MAX];
};

/* Counts that are sent once: each has its place in one long sum. */
struct wsn_closed {
	uint64_t end;			/* the sum of all up to the furthest frame heard */
	bool begun;
	uint64_t forgotten;		/* gaps that found no room */
	uint64_t rows;			/* closed, as often as they were */
	uint64_t joined;		/* the sum when the first frame told it */
	bool joined_known;
	struct wsn_gap gap[WSN_GAPS];
	size_t gaps;
	uint32_t status;		/* STATUS's sum */
	bool status_known;
	struct wsn_waiting waiting[2];
	size_t waits;
};

enum wsn_order {
	ORDER_NEXT,		/* newer than all before */
	ORDER_LATE,		/* older, and not heard yet */
	ORDER_AGAIN,		/* a copy */
};

/* A row of a free slot that a single frame told. */
struct wsn_held {
	struct wsn_row row;
	enum wsn_order order;
	uint64_t seq;
};

struct wsn_table {
	struct wsn_slot *slots;
	size_t slot_count, slot_cap;
	struct wsn_entry *entries;
	size_t entry_count, entry_cap;
	struct map map;			/* from and to -> entry */
	uint32_t *changed;
	size_t changed_count, changed_cap;
	uint32_t owed[WSN_OWED];	/* entries */
	size_t owed_count;
	struct wsn_held *held;		/* rows that wait for a second frame */
	size_t held_count, held_cap;
	struct wsn_closed closed;
};

/* How many bits the counters have that no row extends: by the chip (docs/PROTOCOL.md, 3). */
static inline bool wsn_is_avr(const struct wsn_hello *h)
{
	return h->wire.arch == WSN_ARCH_AVR || h->wire.arch == WSN_ARCH_AVR22;
}

static inline bool wsn_is_arm(const struct wsn_hello *h)
{
	return h->wire.arch == WSN_ARCH_ARMV6M || h->wire.arch == WSN_ARCH_ARMV7M;
}

static inline unsigned wsn_bucket_bits(const struct wsn_hello *h)
{
	return wsn_is_avr(h) ? 24 : 32;
}

enum { WSN_COUNT_BITS = 32 };	/* an ARM's calls, any arc's and PC's count, STATUS's counters */

/* --- order ------------------------------------------------------------------------------------ */

struct wsn_order_state {
	bool begun;
	uint64_t newest;		/* number of the newest frame */
	uint64_t heard;			/* bit i: newest - i came */
	uint32_t print[256];		/* of the last frame with that seq: its CRC and length */
};

struct wsn_queued {
	uint16_t len;
	enum wsn_order order;
	uint64_t seq;
	uint8_t frame[WSN_BLOCK_MAX];
};

struct wsn_queue {
	struct wsn_queued *v;		/* WSN_QUEUE, or NULL while none was needed */
	size_t first, count;
};

/* An epoch that is over. */
struct wsn_past {
	uint64_t ended;			/* frames that had come then; 0: there was none */
	bool known;			/* by a HELLO: */
	uint16_t number;
};

struct wsn_epoch {
	int bits;			/* -1: no frame yet */
	bool known;			/* by a HELLO: */
	uint16_t number;
	struct wsn_past past[8];	/* by their bits */
	bool doubted;			/* one HELLO told another number: */
	uint16_t doubt;
	int rival;			/* bits of a frame that may begin a new one; -1 */
	unsigned rival_age;		/* frames of this epoch since */
	unsigned backward;		/* STATUS frames in a row whose run went back */
	uint64_t run, run_before;	/* of the last STATUS and the one before */
	bool run_known;
};

/*
 * How old rows are, by the node's own clock (age.c). `place` counts the stream's bytes, for a line
 * that is never silent is a clock.
 */
struct wsn_age {
	uint32_t refresh;		/* STATUS frames so far */
	uint64_t sent;			/* bytes of frames so far */
	uint64_t place;			/* bytes before the frame that is being taken */
	uint64_t begin;			/* place of the last STATUS, */
	uint64_t bytes, ticks;		/* what the refresh before it took, */
	uint64_t most;			/* and bytes that any lately took */
	unsigned late, prompt;		/* rows that waited for a refresh or more, or did not */
	double spent, over;		/* ticks that so many bytes took */
};

/* --- the decoder ------------------------------------------------------------------------------ */

struct wsn_split {
	uint8_t seg[WSN_SEGMENT];
	size_t len;
	size_t shown;			/* bytes of seg that were given out or counted */
	bool cut;			/* its beginning is gone: longer than any frame */
	bool bad;			/* some of it was no text */
};

struct wsn {
	struct wire wire;
	struct wsn_split split;
	struct wsn_order_state order, rival;
	struct wsn_epoch epoch;
	struct wsn_queue queue;
	bool greeted;			/* a HELLO of this epoch came */
	uint8_t layout[WSN_LAYOUT];	/* of the HELLO at work, */
	uint8_t layout_doubt[WSN_LAYOUT];	/* and of one that told another once */
	bool refused;			/* its version is none of ours */
	bool said;			/* something of this epoch was told */
	bool sure;			/* the row that is taken needs no second frame */
	struct wsn_hello hello;
	struct clock_terms run_clock;	/* STATUS's */
	uint8_t hello_told[49];		/* the body of the HELLO that the sink knows */
	bool hello_shown;
	char name[4 * WSN_BLOCK_MAX + 1];
	struct wire_status status;
	struct wsn_age age;
	bool status_sure;		/* its counters moved by small steps */
	struct wsn_table table[WSN_TABLES];
	struct wsn_rows rows;
	struct wsn_commands commands;
	uint64_t search_due;		/* when so many frames came: */
	double searched;		/* search.c */
	uint64_t frames;
	struct wsn_crc_steps crc;
	uint8_t decoded[WSN_BLOCK_MAX + 1];
};

/* wsn.c: a frame whose CRC fits, and stands behind it still. */
void wsn_take(struct wsn *w, const uint8_t *frame, size_t n);
void wsn_damaged(struct wsn *w, size_t bytes);

/*
 * age.c: a STATUS in order; a slot's first row; a row of so many more calls than the slot had; the
 * run at which a row was read that comes now.
 */
void wsn_age_status(struct wsn *w, struct wire_status *s);
void wsn_age_first(struct wsn *w, struct wsn_slot *s);
void wsn_age_row(struct wsn *w, struct wsn_slot *s, uint64_t calls);
uint64_t wsn_age_run(const struct wsn *w);

/* search.c: ticks a call that looking for rows took, as a mean; HELLO's cost is without them. */
double wsn_searched(struct wsn *w);

/* resume.c: wire_resume of this format. */
bool wsn_resume(const struct wire *wire, struct buf *bytes);

/* split.c */
void wsn_split_feed(struct wsn *w, const uint8_t *data, size_t n);
void wsn_split_flush(struct wsn *w, bool end);

/*
 * epoch.c: in which order does it come, and what is its number? Counts what is missing. Its CRC
 * stands behind it.
 */
enum wsn_order wsn_order_take(struct wsn_order_state *o, const uint8_t *frame, size_t n,
			      uint64_t *seq, uint64_t *lost);

/* Would a frame that begins so be no surprise? `n` bytes of a coded block, however few. */
bool wsn_expects(const struct wsn *w, const uint8_t *block, size_t n);

void wsn_queue_put(struct wsn *w, const uint8_t *frame, size_t n, enum wsn_order order,
		   uint64_t seq);
bool wsn_queue_get(struct wsn *w, struct wsn_queued *q);	/* the oldest; false: none */
bool wsn_queue_hello(struct wsn *w, struct wsn_queued *q);	/* the newest of this epoch */

/* Does the frame belong to the epoch at work? What else is to be done was done. */
bool wsn_epoch_take(struct wsn *w, const uint8_t *frame, size_t n, const struct wsn_hello *hello);

/* A HELLO of the epoch at work tells its number. */
void wsn_epoch_known(struct wsn *w, const struct wsn_hello *hello);

/* A STATUS in order: false when its run says that the node restarted, but not yet surely. */
bool wsn_epoch_status(struct wsn *w, uint64_t run);

/* table.c */
void wsn_table_release(struct wsn_table *t);
void wsn_table_clear(struct wsn_table *t);
void wsn_table_forget_owed(struct wsn_table *t, uint64_t until);	/* of before this frame */
void wsn_table_rows(struct wsn *w, const struct wsn_rows *r, enum wsn_order order, uint64_t seq);
void wsn_lost_give(struct wsn *w, const struct wsn_rows *r);	/* LOST's rows go to the sink */
void wsn_table_give(struct wsn *w, enum wire_total_kind kind);	/* what changed goes to the sink */
void wsn_table_resolve(struct wsn *w);				/* the image changed */

/* table.c, for its parts: NULL when there is no room. */
struct wsn_slot *wsn_slot(struct wsn_table *t, uint32_t i);
uint32_t wsn_entry(struct wsn *w, const struct wsn_row *row, enum wire_total_kind kind);
void wsn_entry_changed(struct wsn_table *t, uint32_t entry);
bool wsn_slot_link(struct wsn_table *t, uint32_t slot, uint32_t entry);
void wsn_slot_unlink(struct wsn_table *t, uint32_t slot);

/*
 * held.c: a row of a slot that holds none: is it to be taken now? Else it is kept until the next
 * frame that tells it, or until wsn_held_give, at the stream's end.
 */
bool wsn_row_confirm(struct wsn *w, const struct wsn_row *row, enum wire_total_kind kind,
		     enum wsn_order order, uint64_t seq);
void wsn_held_give(struct wsn *w);

/* held.c: the address was closed, and is in no slot now: the row that waits is another one. */
void wsn_held_closed(struct wsn *w, const struct wsn_row *row, enum wire_total_kind kind,
		     uint32_t entry);

/* held.c: an arc that is new, to the middle of a function. */
bool wsn_row_is_odd(const struct wsn *w, const struct wsn_row *row, enum wire_total_kind kind);

/* table.c, for held.c: a row that is taken whatever its slot held. */
void wsn_row_take(struct wsn *w, const struct wsn_row *row, enum wire_total_kind kind,
		  enum wsn_order order, uint64_t seq);

/* sites.c */

/*
 * *now, as sent, becomes what the counter is with all that it passed. false: it is no small step
 * ahead of `old`, or passed its width and must not have: then *now has passed it as often as `old`.
 */
bool wsn_follow(uint64_t old, uint64_t *now, unsigned bits, bool may_wrap);

/* May a slot's counter that is less than it was have passed its width? */
bool wsn_may_wrap(const struct wsn *w, const struct wsn_slot *s);

void wsn_site_take(struct wsn *w, const struct wsn_row *row, enum wsn_order order, uint64_t seq);

/*
 * closed.c: a frame of closed counts, read into w->rows, waits for the sum behind it; this sum was
 * told, by the next one or by STATUS; none will be.
 */
void wsn_closed_frame(struct wsn *w, const uint8_t *frame, size_t n, enum wsn_order order,
		      uint64_t seq);
void wsn_closed_confirm(struct wsn *w, enum wire_total_kind kind, uint32_t sum, uint64_t seq,
			bool is_status);
void wsn_closed_give(struct wsn *w);

/* closed.c: true when the frame's counts are new ones. *gap: others before them are missing. */
bool wsn_closed_take(struct wsn_closed *c, uint32_t before, uint64_t sum, enum wsn_order order,
		     bool *gap);
bool wsn_closed_status(struct wsn_closed *c, uint32_t sum);	/* true: some are missing */
uint64_t wsn_closed_unheard(const struct wsn_closed *c);
uint64_t wsn_closed_before(const struct wsn_closed *c);	/* of these, told before we listened */

#endif
