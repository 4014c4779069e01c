/* trace/state: what the parts of core/trace share. Private to core/trace. */
#ifndef WSNTOP_TRACE_STATE_H
#define WSNTOP_TRACE_STATE_H

#include "core/base/arena.h"
#include "core/base/map.h"
#include "core/image/traced.h"
#include "core/trace/habit.h"
#include "core/trace/pace.h"
#include "core/trace/trace.h"

/* --- tokens (token.c) ------------------------------------------------------------------------- */

enum token_kind {
	TOKEN_OPEN, TOKEN_LEAF, TOKEN_CLOSE, TOKEN_REF, TOKEN_BOX_REF, TOKEN_BOX, TOKEN_GAP,
	TOKEN_STAMP, TOKEN_STAMP_SHORT, TOKEN_FORGET, TOKEN_MARK, TOKEN_VALUE, TOKEN_STATE,
	TOKEN_AWAY, TOKEN_STAMP_OWN, TOKEN_STAMP_OWN_SHORT,
	TOKEN_KINDS,
};

struct token {
	enum token_kind kind;
	uint32_t id;		/* function, mark or lane; REF: bits of the hash, as sent */
	uint64_t count;		/* BOX, GAP: calls; STAMP: units */
	int64_t value;		/* VALUE, STATE */
};

/* How calls are told apart (hash.c): by 24 bits, by 40; by 40 as 32-bit nodes make them. */
enum token_hash { HASH_24, HASH_40, HASH_WORDS };

/* An encoding. */
struct token_dialect {
	/* Bytes that it takes; 0: cut off, or none that this version knows. */
	size_t (*read)(const uint8_t *p, size_t n, struct token *token);
	enum token_hash hash;
	uint8_t factor;				/* of HASH_24 and HASH_40 */
	unsigned ref_bits;			/* the low ones of a hash, in a REF */
	bool bits;				/* `read` is lane_bits(); nothing is referred to */
};

enum {
	TOKEN_NARROW = 0x7c,			/* the greatest id of one byte */
	TRACE_SLOTS = 128,
};

/* NULL: this version knows none of that number. */
const struct token_dialect *token_dialect(unsigned encoding);

static inline uint32_t token_slot(uint64_t hash)
{
	return hash & (TRACE_SLOTS - 1);
}

/* Of a call that begins; and of one with this hash behind a leaf, a call, a box or a gap in it. */
uint64_t token_hash_begin(const struct token_dialect *d, uint32_t id);
uint64_t token_hash_leaf(const struct token_dialect *d, uint64_t hash, uint32_t id);
uint64_t token_hash_call(const struct token_dialect *d, uint64_t hash, uint64_t call);
/* `boxed`: one that ran as a box. */
uint64_t token_hash_known(const struct token_dialect *d, uint64_t hash, uint64_t call, bool boxed);
uint64_t token_hash_box(const struct token_dialect *d, uint64_t hash, uint32_t id, uint32_t n);
uint64_t token_hash_gap(const struct token_dialect *d, uint64_t hash, uint32_t n);

/* --- packed frames (unpack.c) ----------------------------------------------------------------- */

enum { UNPACK_SLOTS = 64, UNPACK_CHANCES = 59 };

/* What came last time at a place. */
struct unpack_slot {
	uint8_t kind;			/* as packed */
	uint8_t sure;			/* how often in a row it was right, at most 3 */
	uint32_t value;			/* of a stamp: units since the one before */
};

struct unpack {
	const struct token_dialect *d;
	unsigned left;			/* tokens */
	const uint8_t *p, *end;		/* p: what the range coder reads next */
	unsigned range, value, shifted;
	const uint8_t *begin, *behind;	/* plain bits: bytes that are not read */
	uint32_t window;		/* and bits */
	unsigned held;
	uint8_t place;			/* of the last token that is no stamp */
	uint8_t stamps;			/* behind it, at most 2 */
	bool stamped;
	uint16_t since;			/* units from the last stamp but one to the last */
	struct unpack_slot slots[UNPACK_SLOTS];
	uint8_t chance[UNPACK_CHANCES];	/* of a 0, of 256 */
};

void unpack_begin(struct unpack *u, const struct token_dialect *d, const uint8_t *p, size_t n);

/* While `left`. False: it is none. */
bool unpack_next(struct unpack *u, struct token *t);

/* --- items (store.c) -------------------------------------------------------------------------- */

enum item_kind {
	ITEM_CALL,		/* id */
	ITEM_LEAF,		/* id: call and return */
	ITEM_RETURN,		/* index of the tree that it closes, or ITEM_NO_TREE */
	ITEM_TREE,		/* index of a call that was told before */
	ITEM_UNKNOWN,		/* a call that is not known */
	ITEM_STAMP,		/* units since the chunk's base */
	ITEM_FRAME,		/* the same: a frame was made; all before it is earlier */
	ITEM_BOX,		/* id; an ITEM_COUNT follows */
	ITEM_COUNT,		/* of the item before, at most ITEM_VALUE_MAX */
	ITEM_GAP,		/* calls */
	ITEM_LOST,		/* frames; nothing is open behind it */
	ITEM_HELD,		/* id: open behind a loss */
	ITEM_NOTE,		/* index of a mark, value or state */
	ITEM_STAMP_OWN,		/* as ITEM_STAMP; of what follows it alone */
};

enum { ITEM_VALUE_BITS = 28, CHUNK_ITEMS = 4096 };
#define ITEM_VALUE_MAX ((UINT32_C(1) << ITEM_VALUE_BITS) - 1)
#define ITEM_NO_TREE ITEM_VALUE_MAX

static inline uint32_t item_make(enum item_kind kind, uint64_t value)
{
	return (uint32_t)kind << ITEM_VALUE_BITS |
	       (uint32_t)(value < ITEM_VALUE_MAX ? value : ITEM_VALUE_MAX);
}

static inline enum item_kind item_kind(uint32_t item)
{
	return (enum item_kind)(item >> ITEM_VALUE_BITS);
}

static inline uint32_t item_value(uint32_t item)
{
	return item & ITEM_VALUE_MAX;
}

struct chunk {
	uint64_t base;			/* units of the clock */
	uint32_t count;
	uint32_t items[CHUNK_ITEMS];
};

/*
 * A position: chunk * CHUNK_ITEMS + item. Chunks may be short. The oldest ones may have been let
 * go: positions below store_begin are of nothing.
 */
struct store {
	struct chunk **chunks;		/* from number `gone` on */
	size_t count, cap;
	size_t gone;
};

void store_release(struct store *s);

/*
 * Room for n more items in one chunk, for times from `units` to 2^27 units later; `units` never
 * becomes less. 0 or ERR_NOMEM.
 */
int store_reserve(struct store *s, size_t n, uint64_t units);

/* After store_reserve. The item's position. */
uint64_t store_add(struct store *s, uint32_t item);

uint64_t store_end(const struct store *s);

/* Let go of the chunks before that of a position. */
void store_drop(struct store *s, uint64_t position);

static inline uint64_t store_begin(const struct store *s)
{
	return s->gone * (uint64_t)CHUNK_ITEMS;
}

static inline const struct chunk *store_chunk(const struct store *s, uint64_t position)
{
	return s->chunks[position / CHUNK_ITEMS - s->gone];
}

/* `position` moves on to an item, if there is one below `end`. */
static inline bool store_is_at(const struct store *s, uint64_t *position, uint64_t end)
{
	if (*position < store_begin(s))
		*position = store_begin(s);
	while (*position < end) {
		size_t c = (size_t)(*position / CHUNK_ITEMS) - s->gone;

		if (c < s->count && *position % CHUNK_ITEMS < s->chunks[c]->count)
			return true;
		*position = (c + s->gone + 1) * (uint64_t)CHUNK_ITEMS;
	}
	return false;
}

static inline uint32_t store_item(const struct store *s, uint64_t position)
{
	return store_chunk(s, position)->items[position % CHUNK_ITEMS];
}

/* Of the chunk that has room. */
static inline uint64_t store_base(const struct store *s)
{
	return s->chunks[s->count - 1]->base;
}

static inline bool item_is_stamp(uint32_t item)
{
	return item_kind(item) == ITEM_STAMP || item_kind(item) == ITEM_STAMP_OWN;
}

/* Units of the stamp or ITEM_FRAME there. */
static inline uint64_t store_time(const struct store *s, uint64_t position)
{
	return store_chunk(s, position)->base + item_value(store_item(s, position));
}

/* --- trees (tree.c) --------------------------------------------------------------------------- */

/*
 * What a run of a tree does. A path is a way of calls from the tree's own, path 0, down; a function
 * that is on its own way again leads back there. A part are the calls on a path that do the same.
 */
struct tree_path {
	uint32_t parent;		/* an earlier one; of path 0: itself */
	uint32_t id;
};

struct tree_part {
	uint32_t path;			/* of the calls */
	uint32_t from, id;
	uint32_t tree;			/* TREE_NONE: they call nothing, or are boxes */
	uint64_t calls;			/* of each, if they are boxes; else 0 */
	uint64_t count;
	bool inner;			/* within a call of the same function, counted there */
};

/* Of a tree that ran again. All is found out when it is first needed. */
struct tree_more {
	const uint32_t *written;	/* trees that a run leaves in the table, itself, too */
	uint32_t written_count;
	uint32_t path_count, part_count;
	const struct tree_path *paths;	/* NULL: not known yet */
	const struct tree_part *parts;
	uint32_t *grafts;		/* by path: the trace's, below `root` of `graft_epoch` */
	uint32_t root, graft_epoch;
	uint32_t tree;			/* whose it is */
	struct tree_more *next;		/* made before it, in the same arena */
};

/* A call that was told whole: items from its ITEM_CALL to its ITEM_RETURN. */
struct tree {
	uint64_t first;			/* position */
	uint64_t calls;			/* in it, itself included */
	uint64_t holds;			/* trace_id_bit() of itself and of what is in it */
	uint32_t length;		/* from `first` to its last position */
	uint32_t hash;			/* its low bits */
	uint16_t hash_high;
	uint16_t id;
	struct pace_made made;		/* calls that it makes itself */
	uint32_t seen;			/* the last visit that met it; TREE_NONE: an aside */
	float weight;			/* of all of it, from its call to its return (pace.h) */
	struct tree_more *more;		/* NULL: nothing yet */
};

#define TREE_NONE UINT32_MAX

static inline uint64_t tree_hash(const struct tree *t)
{
	return t->hash | (uint64_t)t->hash_high << 32;
}

/* Of its content. */
static inline uint64_t tree_key(const struct tree *t)
{
	return map_hash(tree_hash(t) ^ map_hash(t->calls << 16 ^ t->id ^
						(uint64_t)t->made.calls << 40));
}

static inline uint64_t tree_last(const struct tree *t)
{
	return t->first + t->length;
}

/* One lane's: the items it points into are the lane's. */
struct trees {
	struct tree *v;
	size_t count, cap;
	uint32_t visit;
	uint32_t table[TRACE_SLOTS];	/* the node's: TREE_NONE or a tree */
	uint32_t older[TRACE_SLOTS];	/* before the newest FORGET */
	uint32_t told;			/* so many trees had been made then */
	uint32_t asides[TRACE_SLOTS];	/* those that ran as boxes, by the same slot */
	struct arena arena;		/* of `more` */
	struct tree_more *made;		/* the newest of it */
	struct arena before;		/* of those that were made before the newest FORGET, */
	struct tree_more *made_before;
	uint64_t before_at;		/* and its position */
};

void trees_init(struct trees *f);
void trees_release(struct trees *f);
void trees_clear(struct trees *f);

/*
 * A FORGET at a position: the table is empty. A tree told before runs no more but as another
 * (trees_again): what was found out of it goes once the account has passed it.
 */
void trees_forget(struct trees *f, uint64_t at, uint64_t accounted);

/* The index, or TREE_NONE: out of memory. */
uint32_t trees_add(struct trees *f, const struct tree *tree);

/*
 * The tree that a REF means, or TREE_NONE. Where what it refers to was lost on the line, one of
 * before the FORGET that its bits name is as likely the same as one of behind it.
 */
uint32_t trees_find(const struct trees *f, const struct token_dialect *d, uint32_t ref);

/*
 * The same tree, for a run that leaves the table as it was, and so does each run of a tree that it
 * is in. TREE_NONE: out of memory.
 */
uint32_t trees_aside(struct trees *f, uint32_t tree);

/* The same tree, behind a FORGET. TREE_NONE: out of memory. */
uint32_t trees_again(struct trees *f, uint32_t tree);

/* NULL: out of memory. */
struct tree_more *tree_more(struct trees *f, uint32_t tree);

/* Its parts, and those of all trees in it, are known then. 0 or ERR_NOMEM. (summary.c) */
int tree_summary(struct trees *f, const struct store *store, uint32_t tree);

/* The ticks, relative to others, of the calls of a part, one of them. */
double tree_part_weight(const struct trace *t, const struct trees *f, const struct tree_part *part);

/* The ticks of a run of it, relative to others: its habit's, else the sum of its weights. */
double tree_ticks(const struct trace *t, const struct tree *tree);

/* Tally a run of a tree whose summary is known. */
void tree_tally(const struct trees *f, struct pace *p, uint32_t tree);

/* The node ran this tree: its table holds what that wrote. 0 or ERR_NOMEM. */
int trees_ran(struct trees *f, const struct store *s, uint32_t tree);

/* --- lanes (lane.c) --------------------------------------------------------------------------- */

enum { TRACE_DEPTH = 1024 };	/* open calls; a node that says more is not believed */

struct open_call {
	uint64_t first;			/* position of its item */
	uint64_t since;			/* units: the stamp before it */
	uint64_t calls;			/* in it so far, itself included */
	uint64_t holds;			/* as a tree's */
	double weight;			/* of the calls in it */
	uint64_t hash;
	uint32_t id;
	struct pace_made made;
	bool sure;			/* all of it is known: its hash is the node's */
};

struct note {
	uint64_t units;			/* of the stamp before it */
	enum trace_event_kind kind;
	uint32_t id;
	int64_t value;
	uint32_t by;			/* the function that did it; 0: not known */
};

/* A place to begin a walk at: a stamp, and what is open there. */
struct mark_call {
	uint64_t since;
	uint32_t id;
};

struct mark {
	uint64_t units;			/* of the stamp; they ascend */
	uint64_t at;			/* its position */
	uint64_t calls;			/* stats.calls there */
	uint64_t busy;			/* lane's there */
	double own;			/* ticks that the lane ran itself, once the account knows */
	bool has_own;
	uint64_t lost;			/* stats.frames_lost there */
	uint64_t holds;			/* of calls from here to the next mark */
	const struct mark_call *open;
	uint32_t depth;
};

/* A function under way (encoding 6). */
struct way {
	uint32_t op;			/* where it goes on; WAY_UNKNOWN: it is not known */
	bool closed;			/* its return was told */
};

#define WAY_UNKNOWN UINT32_MAX

enum { MARK_ITEMS = 1024 };		/* at least so many from one to the next */

/* All trees that are known from a FORGET on have been told from there on. */
struct boundary {
	uint64_t at;			/* position */
	uint64_t units;
	uint32_t trees, notes;		/* how many there were */
};

enum { BOUNDARY_ITEMS = 1 << 13 };	/* at least so many from one to the next */

/* As far as the account came (load.c). */
struct load {
	bool begun;			/* there is an account */
	size_t marks;			/* so many are known */
	uint64_t until;			/* ticks */
	double busy;			/* ticks that the lane ran itself until then */
	double clock;			/* the walk's there */
	double gap;			/* ticks that calls which are not told took there, about */
};

struct lane {
	struct store store;
	struct boundary *boundaries;
	size_t boundary_count, boundary_cap;
	struct mark *marks;
	size_t mark_count, mark_cap;
	struct arena marked;		/* what is open at them */
	struct trees trees;
	struct open_call *open;		/* TRACE_DEPTH, once the lane is used */
	uint32_t depth;
	struct account *account;	/* NULL: nothing was accounted for yet */
	struct load load;
	uint64_t epoch_at;		/* position: the profile is that from here on */
	uint64_t learned_at;		/* position: all before it was learned from */
	bool begun;
	uint8_t number;			/* of the newest frame */
	uint32_t untold;		/* as the newest frame said */
	uint64_t end;			/* ticks: when the newest frame was made */
	bool away;			/* its task is, until the next stamp */
	uint32_t root;			/* id of the outermost open call, 0: none, not known */
	bool rootless;			/* such calls return */
	uint64_t stamp_end;		/* position behind the newest stamp */
	uint64_t stamp;			/* units: the newest, or a time before all to come */
	uint64_t busy;			/* units from stamp to stamp in which a call ran */
	uint64_t holds;			/* of calls since the newest mark */
	bool ran;			/* a call, since the newest stamp */
	bool stamped;			/* since frames last were missing */
	bool within;			/* stamps came below the top level */
	bool broken;			/* the rest of a frame was not understood */
	uint32_t last_id;		/* the highest of a function */
	struct note *notes;
	size_t note_count, note_cap;
	uint64_t notes_gone;		/* let go, before these */
	struct trace_stats stats;
	/* encodings 3 to 6 */
	const struct traced *traced;	/* NULL: there is no ELF. While a frame is read */
	uint8_t encoding, call_bits;
	bool waits;			/* broken, for a frame that tells where it goes on */
	struct way *ways;		/* 6: TRACE_DEPTH functions under way, innermost last */
	uint32_t way_count;
	const struct traced_op *ways_of;	/* whose operations; so many */
	size_t ways_ops;
	uint32_t bits;			/* the beginning of a token whose end is to come */
	unsigned bit_count;
};

/* What a token meets. */
struct feed {
	struct lane *lane;
	const struct token_dialect *d;
	const struct pace *pace;
	uint64_t end;			/* units: when the frame was made */
};

void lane_init(struct lane *l);
void lane_release(struct lane *l);

/* `ticks`: the frame's time, 64 bits. */
void lane_frame(struct lane *l, const struct token_dialect *d, const struct pace *pace,
		unsigned shift, const struct wire_trace *frame, uint64_t ticks);
/* An event that is seen from outside, at its time in units. 0 or ERR_NOMEM. */
int lane_tell(struct lane *l, const struct pace *pace, const struct trace_told *told,
	      uint64_t units);
/* The weights changed: those of all trees, and of what is open. */
void lane_reweigh(struct lane *l, const struct pace *pace);
void lane_epoch(struct lane *l);

/* A note that no item has: there, something is missing (tell.c). */
void lane_note_lost(struct lane *l, uint64_t units, uint64_t frames);

/* False: the rest of the frame has no meaning, or there is no memory for it. */
bool lane_token(const struct feed *f, const struct token *t);
/* Frames before it are missing, or it follows from no other. False: out of memory. */
bool lane_loss(struct lane *l, const struct wire_trace *frame);
/* A frame of bits (bits.c). False: the lane waits for one that can be joined. */
bool lane_bits(const struct feed *f, const struct wire_trace *frame);

/*
 * Encoding 6 (flow.c): what the next bits tell, and all before it. How many it takes; 0: more are
 * needed; above 16: they have no meaning.
 */
unsigned flow_take(const struct feed *f, uint32_t bits, unsigned count);
/* A batch begins. False: it cannot be read; l->waits: nothing is wrong with it. */
bool flow_join(const struct feed *f, const struct wire_trace *frame);

/* --- walks (walk.c) -------------------------------------------------------------------------- */

/*
 * A walk that goes on while frames come, that learns weights from what it passes, and that leaves
 * out of its clock all times in which others ran.
 */
struct trace_walk *walk_account_new(struct trace *t, unsigned lane);

/* No further than to stamps at this time, until the next time. */
void walk_until(struct trace_walk *w, uint64_t ticks);

/* Of the newest event: ticks that the lane ran itself, from the walk's beginning. */
double walk_clock(const struct trace_walk *w);
double walk_clock_begin(const struct trace_walk *w);	/* of the stamp before it */
uint64_t walk_position(const struct trace_walk *w);
void walk_unread(struct trace_walk *w);		/* what it read of other lanes is read again */
double walk_clock_until(const struct trace_walk *w);	/* WHOLE, BOX, UNKNOWN: at its return */

/* --- tellings (telling.c) --------------------------------------------------------------------- */

/* What a lane's account met of the calls that are open. */
struct telling;

struct telling *telling_new(void);		/* NULL: out of memory */
void telling_free(struct telling *s);

/* The next event of the lane, at a time of its own; WHOLE: until another. Habits learn from it. */
void telling_event(struct telling *s, struct trace *t, const struct lane *l,
		   const struct trace_event *e, double clock, double until);

/* --- accounts (account.c, load.c) ------------------------------------------------------------- */

void load_begin(const struct trace *t, struct lane *l);
/* `open`: a call is, before the event. */
void load_event(const struct trace *t, struct lane *l, const struct trace_walk *w,
		const struct trace_event *e, bool open);
void load_cut(struct lane *l, size_t marks);	/* so many of the oldest go */

struct edges {
	struct trace_edge *v;
	size_t count, cap;
	struct map map;			/* caller and callee -> v */
};

/* Ways of calls from outside in: v[0] is main's outside, v[1] that of the handlers. */
struct paths {
	struct trace_path *v;
	size_t count, cap;
	struct map map;			/* caller's path and id -> v */
	uint32_t epoch;
	bool full;
};

/* After so many calls of this: the oldest parts go where the limit is reached. (trace.c) */
void trace_limit_check(struct trace *t, unsigned every);

void account_free(struct account *a);
void trace_edges_forget(struct trace *t);	/* and paths */
size_t trace_edges_memory(const struct trace *t);

/* Of a note, or of a state of one. */
struct note_name {
	uint32_t id;
	bool of_state;
	int64_t state;
	const char *name;
	bool is_real;
};

struct trace {
	struct edges edges;
	struct paths paths;
	struct pace pace;
	struct habits habits;
	uint32_t account_generation;	/* pace's, when the accounts began */
	struct lane lanes[TRACE_LANES];
	unsigned lane_end;			/* frames came of those before it alone */
	const struct token_dialect *dialect;	/* NULL: not known */
	const struct traced *traced;		/* encodings 3 to 5; NULL: there is no ELF */
	uint8_t encoding, call_bits;
	unsigned shift;				/* a unit is 1 << shift ticks */
	uint32_t ticks_per_second;
	bool told;				/* from outside, event by event */
	bool ordered;				/* ... by the host's clock: trace_order_only */
	uint64_t told_base;			/* of its ticks */
	struct note_name *names;		/* by note and state */
	size_t name_count, name_cap;
	struct arena name_texts;
	uint64_t first, now;			/* the first and the newest frame's time */
	bool begun;
	size_t limit;				/* bytes; 0: none */
	unsigned unchecked;			/* frames since memory was compared with it */
	bool cut;				/* the oldest parts were let go */
};

/* Let go of what is before a time, as far as is possible. (forget.c) */
void trace_forget_before(struct trace *t, uint64_t ticks);
void lane_boundary(struct lane *l);		/* its table is empty here */
void lane_reaches(struct lane *l, uint64_t at);	/* what comes refers to that position */

/* Where an account stands; UINT64_MAX: there is none. And it loses what it had read ahead. */
uint64_t account_position(const struct account *a);
void account_unread(struct account *a);

#endif
