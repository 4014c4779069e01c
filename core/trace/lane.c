/* trace/lane: frames of one lane -> items. */
#include "core/trace/state.h"

#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"

#define CALLS_MAX (UINT64_C(1) << 48)	/* a call with more in it cannot have run */

enum { TOKEN_ITEMS = 2, TELL_ITEMS = 4, STAMP_REACH = 0xffff };

void lane_init(struct lane *l)
{
	trees_init(&l->trees);
	arena_init(&l->marked);
}

void lane_release(struct lane *l)
{
	store_release(&l->store);
	trees_release(&l->trees);
	account_free(l->account);
	mem_free(l->open);
	mem_free(l->ways);
	mem_free(l->notes);
	mem_free(l->marks);
	mem_free(l->boundaries);
	arena_release(&l->marked);
}

/* --- the open calls --------------------------------------------------------------------------- */

static struct open_call *open_last(struct lane *l)
{
	return l->depth ? &l->open[l->depth - 1] : NULL;
}

/* A call in the innermost open one. */
struct child {
	uint64_t calls;			/* in it, itself included */
	uint64_t holds;
	double weight;
	uint64_t hash;			/* the open one's behind it */
	bool sure;			/* that is known */
	bool leaf;
};

static uint64_t open_hash(struct lane *l)
{
	const struct open_call *o = open_last(l);

	return o ? o->hash : 0;
}

static void child_add(const struct feed *f, const struct child *c)
{
	struct open_call *o = open_last(f->lane);

	f->lane->holds |= c->holds;
	f->lane->ran = true;
	if (!o)
		return;
	o->holds |= c->holds;
	o->weight += c->weight;
	pace_made_add(&o->made, c->leaf);
	o->sure &= c->sure && c->calls < CALLS_MAX - o->calls;
	o->calls = o->sure ? o->calls + c->calls : 0;
	if (o->sure)
		o->hash = c->hash;
}

/* d: NULL: what came before in it is not known. */
static bool call_open(struct lane *l, enum item_kind kind, uint32_t id,
		      const struct token_dialect *d)
{
	if (l->depth == TRACE_DEPTH)
		return false;
	l->holds |= trace_id_bit(id);
	if (l->depth == 0 && id)
		l->root = id;
	l->open[l->depth++] = (struct open_call){
		.first = store_add(&l->store, item_make(kind, id)),
		.since = l->stamp,
		.calls = 1,
		.holds = trace_id_bit(id),
		.id = id,
		.hash = d ? token_hash_begin(d, id) : 0,
		.sure = d != NULL,
	};
	return true;
}

/* The call that returned, as a tree; ITEM_NO_TREE if not all of it is known. */
static uint32_t tree_of(const struct feed *f, const struct open_call *o, double weight)
{
	struct lane *l = f->lane;
	uint64_t length = store_end(&l->store) - o->first;	/* to the ITEM_RETURN to come */
	uint32_t tree;

	if (!o->sure || length > UINT32_MAX)
		return ITEM_NO_TREE;
	tree = trees_add(&l->trees, &(struct tree){
		.first = o->first,
		.length = (uint32_t)length,
		.calls = o->calls,
		.holds = o->holds,
		.hash = (uint32_t)o->hash,
		.hash_high = (uint16_t)(o->hash >> 32),
		.id = (uint16_t)o->id,
		.made = o->made,
		.weight = (float)weight,
	});
	if (tree == TREE_NONE)
		return ITEM_NO_TREE;
	l->trees.table[token_slot(o->hash)] = tree;
	return tree;
}

static bool call_close(const struct feed *f)
{
	struct lane *l = f->lane;
	struct open_call o;
	double weight;

	if (!l->depth)
		return false;
	o = *open_last(l);
	weight = o.weight + pace_call_weight(f->pace, o.id, &o.made);
	store_add(&l->store, item_make(ITEM_RETURN, tree_of(f, &o, weight)));
	l->depth--;
	l->rootless |= l->depth == 0;
	child_add(f, &(struct child){ o.calls, o.holds, weight,
				      token_hash_call(f->d, open_hash(l), o.hash), o.sure });
	return true;
}

static bool call_refer(const struct feed *f, const struct token *t)
{
	struct lane *l = f->lane;
	uint32_t tree = trees_find(&l->trees, f->d, t->id);
	const struct tree *known;

	if (tree == TREE_NONE) {
		l->stats.unknown++;
		l->stats.calls++;
		store_add(&l->store, item_make(ITEM_UNKNOWN, 0));
		child_add(f, &(struct child){ .calls = 1 });
		return true;
	}
	if (tree < l->trees.told)
		lane_reaches(l, l->trees.v[tree].first);
	if (t->kind == TOKEN_BOX_REF)
		tree = trees_aside(&l->trees, tree);
	else if (tree < l->trees.told)
		tree = trees_again(&l->trees, tree);
	if (tree == TREE_NONE)
		return false;
	known = &l->trees.v[tree];
	store_add(&l->store, item_make(ITEM_TREE, tree));
	l->stats.calls += known->calls;
	child_add(f, &(struct child){ known->calls, known->holds, (double)known->weight,
				      token_hash_known(f->d, open_hash(l), tree_hash(known),
						       t->kind == TOKEN_BOX_REF), true });
	return t->kind == TOKEN_BOX_REF || trees_ran(&l->trees, &l->store, tree) == 0;
}

/* --- tokens that are no calls ----------------------------------------------------------------- */

static void calls_count(struct lane *l, uint64_t calls)
{
	l->stats.calls += calls;
	l->stats.counted += calls;
}

/* Calls that were counted: their hash is of their number. */
static void box_add(const struct feed *f, const struct token *t)
{
	uint64_t hash = token_hash_box(f->d, open_hash(f->lane), t->id, (uint32_t)t->count);

	store_add(&f->lane->store, item_make(ITEM_BOX, t->id));
	store_add(&f->lane->store, item_make(ITEM_COUNT, t->count));
	calls_count(f->lane, t->count);
	child_add(f, &(struct child){ t->count, trace_id_bit(t->id),
				      pace_closed_weight(f->pace, t->count), hash, true });
}

static void gap_add(const struct feed *f, const struct token *t)
{
	store_add(&f->lane->store, item_make(ITEM_GAP, t->count));
	calls_count(f->lane, t->count);
	child_add(f, &(struct child){ t->count, 0, pace_closed_weight(f->pace, t->count),
				      token_hash_gap(f->d, open_hash(f->lane), (uint32_t)t->count),
				      true });
}

/* The latest time before the frame's end that ends in these 16 bits. */
static uint64_t stamp_whole(const struct feed *f, uint64_t low)
{
	uint64_t age = (f->end - low) & 0xffff;
	uint64_t at = age <= f->end ? f->end - age : 0;

	return at > f->lane->stamp ? at : f->lane->stamp;
}

static void time_add(struct lane *l, enum item_kind kind, uint64_t units)
{
	store_add(&l->store, item_make(kind, units - store_base(&l->store)));
}

/* Without memory there is a mark less: walks begin further back. */
static void mark_add(struct lane *l, uint64_t at)
{
	struct mark *last = l->mark_count ? &l->marks[l->mark_count - 1] : NULL;
	struct mark_call *open;

	if (last)
		last->holds = l->holds;
	if ((last && at - last->at < MARK_ITEMS) ||
	    mem_grow(&l->marks, &l->mark_cap, l->mark_count + 1, sizeof(*l->marks)) < 0)
		return;
	open = arena_alloc(&l->marked, (l->depth + 1) * sizeof(*open));
	if (!open)
		return;
	for (uint32_t i = 0; i < l->depth; i++)
		open[i] = (struct mark_call){ .since = l->open[i].since, .id = l->open[i].id };
	l->marks[l->mark_count++] = (struct mark){
		.units = l->stamp, .at = at, .calls = l->stats.calls, .busy = l->busy,
		.lost = l->stats.frames_lost, .open = open, .depth = l->depth,
	};
	l->holds = 0;
}

static void stamp_add(const struct feed *f, const struct token *t)
{
	struct lane *l = f->lane;
	uint64_t before = l->stamp;
	bool own = t->kind == TOKEN_STAMP_OWN || t->kind == TOKEN_STAMP_OWN_SHORT;

	if (t->kind == TOKEN_STAMP || t->kind == TOKEN_STAMP_OWN)
		l->stamp = stamp_whole(f, t->count);
	else if (l->stamped && l->stamp + t->count <= f->end)
		l->stamp += t->count;
	else
		return;			/* since when is not known */
	if (l->stamped && !l->away && (l->ran || l->depth))
		l->busy += l->stamp - before;
	l->away = false;
	l->within |= own;
	l->stamped = true;
	l->ran = false;
	if (store_reserve(&l->store, TOKEN_ITEMS, l->stamp) < 0)
		return;
	time_add(l, own ? ITEM_STAMP_OWN : ITEM_STAMP, l->stamp);
	l->stamp_end = store_end(&l->store);
	mark_add(l, l->stamp_end - 1);
}

static bool note_add(struct lane *l, const struct token *t)
{
	static const enum trace_event_kind kinds[] = {
		[TOKEN_MARK] = TRACE_MARK,
		[TOKEN_VALUE] = TRACE_VALUE,
		[TOKEN_STATE] = TRACE_STATE,
		[TOKEN_AWAY] = TRACE_AWAY,
	};

	if (l->note_count >= ITEM_VALUE_MAX ||
	    mem_grow(&l->notes, &l->note_cap, l->note_count + 1, sizeof(*l->notes)) < 0)
		return false;
	l->away = t->kind == TOKEN_AWAY;
	l->notes[l->note_count] = (struct note){ .units = l->stamp, .kind = kinds[t->kind],
						.id = t->id, .value = t->value };
	store_add(&l->store, item_make(ITEM_NOTE, l->note_count++));
	return true;
}

bool lane_token(const struct feed *f, const struct token *t)
{
	struct lane *l = f->lane;

	if ((t->kind == TOKEN_OPEN || t->kind == TOKEN_LEAF || t->kind == TOKEN_BOX) &&
	    t->id > l->last_id)
		l->last_id = t->id;
	switch (t->kind) {
	case TOKEN_OPEN:
		l->stats.calls++;
		return call_open(l, ITEM_CALL, t->id, f->d->bits ? NULL : f->d);
	case TOKEN_LEAF:
		l->stats.calls++;
		store_add(&l->store, item_make(ITEM_LEAF, t->id));
		child_add(f, &(struct child){ 1, trace_id_bit(t->id),
					      pace_weight(f->pace, t->id, PACE_WHOLE),
					      token_hash_leaf(f->d, open_hash(l), t->id), true,
					      true });
		return true;
	case TOKEN_CLOSE:
		return call_close(f);
	case TOKEN_REF:
	case TOKEN_BOX_REF:
		return call_refer(f, t);
	case TOKEN_BOX:
		box_add(f, t);
		return true;
	case TOKEN_GAP:
		gap_add(f, t);
		return true;
	case TOKEN_STAMP:
	case TOKEN_STAMP_SHORT:
	case TOKEN_STAMP_OWN:
	case TOKEN_STAMP_OWN_SHORT:
		stamp_add(f, t);
		return true;
	case TOKEN_FORGET:
		trees_forget(&l->trees, store_end(&l->store), account_position(l->account));
		lane_boundary(l);
		return true;
	case TOKEN_MARK:
	case TOKEN_VALUE:
	case TOKEN_STATE:
	case TOKEN_AWAY:
		return note_add(l, t);
	case TOKEN_KINDS:
		break;
	}
	return false;
}

/* --- frames ----------------------------------------------------------------------------------- */

/* What is open is told anew: it was open before, since when and with what in it is not known. */
static bool stack_take(struct lane *l, const struct wire_trace *frame)
{
	l->depth = 0;
	l->stamped = false;
	for (uint32_t i = 0; i < frame->depth; i++) {
		uint32_t id = frame->stack && frame->stack[i] <= UINT16_MAX ? frame->stack[i] : 0;

		if (id > l->last_id)
			l->last_id = id;
		if (store_reserve(&l->store, TOKEN_ITEMS, l->stamp) < 0 ||
		    !call_open(l, ITEM_HELD, id, NULL))
			return false;
	}
	return true;
}

bool lane_loss(struct lane *l, const struct wire_trace *frame)
{
	unsigned lost = l->begun ? (uint8_t)(frame->number - l->number - 1) : 0;

	l->stats.frames_lost += lost;
	if (l->begun) {
		if (store_reserve(&l->store, TOKEN_ITEMS, l->stamp) < 0)
			return false;
		store_add(&l->store, item_make(ITEM_LOST, lost));
		lane_note_lost(l, l->stamp, lost);
	}
	return stack_take(l, frame);
}

static bool frame_follows(const struct lane *l, const struct wire_trace *frame)
{
	return l->begun && !l->broken && !frame->resync &&
	       (uint8_t)(l->number + 1) == frame->number && l->depth == frame->depth;
}

/* False: it ends in what is no token, or does not fit what was told. */
static bool tokens_take(const struct feed *f, const struct wire_trace *frame)
{
	struct lane *l = f->lane;

	for (size_t at = 0; at < frame->count; ) {
		struct token t;
		size_t n = f->d->read(frame->tokens + at, frame->count - at, &t);

		if (!n || store_reserve(&l->store, TOKEN_ITEMS, l->stamp) < 0 || !lane_token(f, &t))
			return false;
		at += n;
	}
	return true;
}

static bool packed_take(const struct feed *f, const struct wire_trace *frame)
{
	struct lane *l = f->lane;
	struct unpack u;
	struct token t;

	for (unpack_begin(&u, f->d, frame->tokens, frame->count); u.left; ) {
		if (!unpack_next(&u, &t) || store_reserve(&l->store, TOKEN_ITEMS, l->stamp) < 0 ||
		    !lane_token(f, &t))
			return false;
	}
	return true;
}

/* 16 bits of a stamp reach back so far. */
static void stamps_begin(struct lane *l, uint64_t end)
{
	if (end - l->stamp > STAMP_REACH && end > l->stamp) {
		l->stamp = end - STAMP_REACH;
		l->stamped = false;
	}
}

static void frame_end(struct lane *l, uint64_t units)
{
	if (store_reserve(&l->store, TOKEN_ITEMS, l->stamp) < 0)
		l->broken = true;
	else
		time_add(l, ITEM_FRAME, units);
}

void lane_frame(struct lane *l, const struct token_dialect *d, const struct pace *pace,
		unsigned shift, const struct wire_trace *frame, uint64_t ticks)
{
	struct feed f = { .lane = l, .d = d, .pace = pace, .end = ticks >> shift };

	if (!l->open)
		l->open = mem_alloc(TRACE_DEPTH * sizeof(*l->open));
	if (!l->open || frame->depth > TRACE_DEPTH || (frame->packed && !d->ref_bits)) {
		l->stats.dropped += !l->open;
		l->stats.bad += l->open != NULL;
		l->broken = true;
		return;
	}
	/* A box under way is counted; it may turn out to be known, and be told. */
	l->stats.untold += (uint64_t)(int64_t)(int32_t)(frame->untold - l->untold);
	l->untold = frame->untold;
	stamps_begin(l, f.end);
	if (d->bits)
		l->broken = !lane_bits(&f, frame);
	else
		l->broken = !frame_follows(l, frame) && !lane_loss(l, frame);
	l->begun = true;
	l->end = ticks;
	l->number = frame->number;
	l->stats.frames++;
	l->stats.bytes += frame->count;
	if (!d->bits && !l->broken &&
	    !(frame->packed ? packed_take : tokens_take)(&f, frame)) {
		l->stats.bad++;
		l->broken = true;
	}
	frame_end(l, f.end);
}

/* --- events that are seen from outside -------------------------------------------------------- */

/* One of this time that nothing stands behind is there already. */
static void stamp_tell(struct lane *l, uint64_t units)
{
	if (l->stamped && l->stamp == units && l->stamp_end == store_end(&l->store))
		return;
	if (l->stamped && !l->away && (l->ran || l->depth))
		l->busy += units - l->stamp;
	l->away = false;
	l->stamp = units;
	l->stamped = true;
	l->ran = false;
	time_add(l, ITEM_STAMP, units);
	l->stamp_end = store_end(&l->store);
	lane_boundary(l);		/* nothing refers to what was before */
	mark_add(l, l->stamp_end - 1);
}

static void loss_tell(struct lane *l)
{
	store_add(&l->store, item_make(ITEM_LOST, !l->broken));
	l->stats.frames_lost += !l->broken;
	l->depth = 0;
	l->stamped = l->broken = false;
}

static bool event_tell(const struct feed *f, const struct trace_told *told)
{
	static const enum token_kind notes[] = {
		[TRACE_MARK] = TOKEN_MARK, [TRACE_VALUE] = TOKEN_VALUE, [TRACE_STATE] = TOKEN_STATE,
		[TRACE_AWAY] = TOKEN_AWAY,
	};
	struct lane *l = f->lane;

	switch (told->kind) {
	case TRACE_CALL:
		if (l->depth == TRACE_DEPTH)
			return true;
		stamp_tell(l, f->end);
		l->stats.calls++;
		l->last_id = told->id > l->last_id ? told->id : l->last_id;
		return call_open(l, ITEM_CALL, told->id, NULL);
	case TRACE_RETURN:
		if (l->depth && call_close(f))
			stamp_tell(l, f->end);
		return true;
	case TRACE_MARK:
	case TRACE_VALUE:
	case TRACE_STATE:
	case TRACE_AWAY:
		stamp_tell(l, f->end);
		if (!note_add(l, &(struct token){ .kind = notes[told->kind], .id = told->id,
						  .value = told->value }))
			return false;
		l->notes[l->note_count - 1].by = told->by;
		return true;
	case TRACE_LOST:
		loss_tell(l);
		lane_note_lost(l, f->end, 1);
		stamp_tell(l, f->end);		/* what was open is over by then */
		return true;
	default:
		return true;
	}
}

int lane_tell(struct lane *l, const struct pace *pace, const struct trace_told *told,
	      uint64_t units)
{
	static const struct token_dialect outside = { .bits = true };
	struct feed f = { .lane = l, .d = &outside, .pace = pace, .end = units };

	if (!l->open)
		l->open = mem_alloc(TRACE_DEPTH * sizeof(*l->open));
	if (!l->open || store_reserve(&l->store, TELL_ITEMS, units) < 0) {
		l->stats.dropped++;
		return ERR_NOMEM;
	}
	if (l->broken)
		loss_tell(l);
	l->begun = true;
	l->end = units;
	l->stats.frames += !l->stats.frames;
	return event_tell(&f, told) ? 0 : ERR_NOMEM;
}

/* One that is a copy has what it was copied from (trees_aside, trees_again). */
static void tree_reweigh(struct lane *l, uint32_t tree)
{
	uint64_t told = tree_last(&l->trees.v[tree]), at = told;
	uint32_t item = store_is_at(&l->store, &at, told + 1) ? store_item(&l->store, at) : 0;

	if (at == told && item_kind(item) == ITEM_RETURN && item_value(item) < tree)
		l->trees.v[tree].weight = l->trees.v[item_value(item)].weight;
}

/* One pass over all items; a tree comes behind those in it. */
void lane_reweigh(struct lane *l, const struct pace *pace)
{
	struct {
		double weight;
		uint32_t id;
		struct pace_made made;
	} open[TRACE_DEPTH + 1] = { { 0 } };
	uint64_t end = store_end(&l->store);
	uint32_t depth = 0;

	for (uint64_t at = 0; store_is_at(&l->store, &at, end); at++) {
		uint32_t item = store_item(&l->store, at), value = item_value(item);
		double weight = 0;

		switch (item_kind(item)) {
		case ITEM_CALL:
		case ITEM_HELD:
			depth += depth < TRACE_DEPTH;
			open[depth].weight = 0;
			open[depth].made = (struct pace_made){ .calls = 0 };
			open[depth].id = value;
			continue;
		case ITEM_RETURN:
			weight = open[depth].weight +
				 pace_call_weight(pace, open[depth].id, &open[depth].made);
			depth -= depth > 0;
			if (value != ITEM_NO_TREE)
				l->trees.v[value].weight = (float)weight;
			break;
		case ITEM_LEAF:
			weight = pace_weight(pace, value, PACE_WHOLE);
			break;
		case ITEM_TREE:
			tree_reweigh(l, value);
			weight = (double)l->trees.v[value].weight;
			break;
		case ITEM_COUNT:
		case ITEM_GAP:
			weight = pace_closed_weight(pace, value);
			break;
		case ITEM_LOST:
			depth = 0;
			continue;
		case ITEM_UNKNOWN:
			break;
		default:
			continue;
		}
		open[depth].weight += weight;
		pace_made_add(&open[depth].made, item_kind(item) == ITEM_LEAF);
	}
	for (uint32_t i = 0; i < depth && i < l->depth; i++)
		l->open[i].weight = open[i + 1].weight;
}

void lane_epoch(struct lane *l)
{
	trees_clear(&l->trees);
	account_free(l->account);
	l->account = NULL;
	l->epoch_at = store_end(&l->store);
	l->broken = true;		/* what comes follows from nothing */
	l->untold = 0;
}
