#include "core/collect/shard.h"

#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/link/guard.h"
#include "core/wire/wsn/wsn.h"

#define BUSY 1.1			/* of its run, that its functions may have taken, */
#define BUSY_LEAST 2.0			/* and so many seconds */

enum {
	STATES = WSN_F_RUNNING | WSN_F_MISSED,	/* features that are no firmware's */
};

struct shard_node {
	uint64_t key;			/* of its site and id */
	uint32_t crowd;			/* CROWD_NONE: it told no counts that were taken */
	bool unknown, doubtful, up, past_told;
	bool kept, over;		/* its counts were retained; they are in its past */
	uint16_t features;
	float cost, skew, spread;	/* in 256ths: nothing is lost */
	struct guard_changes changes;	/* of its epoch */
	uint64_t began_run, began_us;	/* of the epoch's first keyframe */
	struct guard guard;
	struct sum *past;		/* NULL: no epoch of it is over */
};

struct shard {
	const struct shard_terms *terms;
	unsigned number;
	struct crowd *crowd;
	struct shard_node *nodes;
	size_t count, cap;
	struct index index;
	size_t past_bytes;
	struct quota_part part;		/* of what the crowd does not keep */
	size_t untold;			/* pasts that changed, at most */
	uint64_t refused, ended, ends_lost, keys;
	struct wire_hello hello;	/* of the keyframe that is read */
	/* a node's rows before a keyframe, in case that it ends their epoch */
	struct sum_row *rows;
	size_t row_count, row_cap;
	struct crowd_cost *costs;	/* room for those of a build's functions */
	size_t cost_cap;
};

/* --- life ------------------------------------------------------------------------------------- */

static const struct image *image_of(void *ctx, const struct wire_identity *identity)
{
	return elfs_image(((const struct shard *)ctx)->terms->elfs, identity);
}

struct shard *shard_new(const struct shard_terms *terms, unsigned number)
{
	struct shard *s = mem_zalloc(sizeof(*s));
	struct crowd_limits limits = { .quota = terms->quota, .nodes = SHARD_NODES,
				       .seed = terms->seed, .image = image_of, .ctx = s };

	if (!s)
		return NULL;
	s->terms = terms;
	s->number = number;
	s->index.seed = terms->seed;
	quota_join(terms->quota, &s->part);
	s->crowd = crowd_new(&limits);
	if (s->crowd)
		return s;
	shard_free(s);
	return NULL;
}

static void past_free(struct sum *past)
{
	if (past)
		sum_release(past);
	mem_free(past);
}

void shard_free(struct shard *s)
{
	if (!s)
		return;
	quota_leave(&s->part);
	for (size_t i = 0; i < s->count; i++)
		past_free(s->nodes[i].past);
	crowd_free(s->crowd);
	index_release(&s->index);
	mem_free(s->nodes);
	mem_free(s->rows);
	mem_free(s->costs);
	mem_free(s);
}

unsigned shard_number(const struct shard *s)
{
	return s->number;
}

size_t shard_nodes(const struct shard *s)
{
	return s->count;
}

/* --- nodes ------------------------------------------------------------------------------------ */

static uint64_t node_key(const void *items, uint32_t position)
{
	return ((const struct shard_node *)items)[position].key;
}

/* In bytes of heap, without the crowd's. */
static size_t shard_memory(const struct shard *s)
{
	return sizeof(*s) + s->past_bytes + s->cap * sizeof(*s->nodes) + index_memory(&s->index) +
	       s->row_cap * sizeof(*s->rows) + s->cost_cap * sizeof(*s->costs);
}

/* One that is not there is made. NULL: no room. */
static struct shard_node *node_get(struct shard *s, const char *site, uint32_t id)
{
	uint64_t key = (uint64_t)topic_hash(TOPIC_HASH, site) << 32 | id;
	uint32_t at = index_get(&s->index, s->nodes, node_key, key);

	if (at != INDEX_NONE)
		return &s->nodes[at];
	if (s->count == SHARD_NODES ||
	    !quota_take(&s->part, shard_memory(s) + sizeof(*s->nodes)) ||
	    mem_grow(&s->nodes, &s->cap, s->count + 1, sizeof(*s->nodes)) < 0)
		return NULL;
	s->nodes[s->count] = (struct shard_node){
		.key = key, .crowd = CROWD_NONE, .past_told = true,
	};
	if (index_put(&s->index, s->nodes, node_key, key, (uint32_t)s->count) < 0)
		return NULL;
	quota_set(&s->part, shard_memory(s));
	return &s->nodes[s->count++];
}

static const struct crowd_node *node_crowd(const struct shard *s, const struct shard_node *n)
{
	return n->crowd == CROWD_NONE ? NULL : crowd_node(s->crowd, n->crowd);
}

/* False: its nodes are not to be told apart from others'. */
static bool key_of(const struct shard *s, const struct shard_node *n, struct sum_key *key)
{
	const struct crowd_node *c = node_crowd(s, n);

	*key = (struct sum_key){
		.ticks_per_second = (uint32_t)c->ticks_per_second, .hz = c->hz, .arch = c->arch,
		.features = n->features,
	};
	snprintf(key->site, sizeof(key->site), "%s", crowd_place(s->crowd, c->place));
	return sum_build_of(&key->build, &crowd_build(s->crowd, c->build)->identity);
}

static struct sum_part *part_of(const struct shard *s, const struct shard_node *n, struct sum *sum)
{
	struct sum_key key;
	struct sum_part *p = key_of(s, n, &key) ? sum_part(sum, &key) : NULL;

	if (!p)
		return NULL;
	p->cost = n->cost > p->cost ? n->cost : p->cost;
	p->skew = n->skew > p->skew ? n->skew : p->skew;
	p->spread = n->spread > p->spread ? n->spread : p->spread;
	return p;
}

/* --- epochs that end -------------------------------------------------------------------------- */

static uint64_t past_ended(const struct sum *past)
{
	uint64_t n = 0;

	for (size_t i = 0; past && i < past->count; i++)
		n += past->parts[i]->ended;
	return n;
}

static size_t past_size(const struct sum *past)
{
	return past ? sizeof(*past) + sum_memory(past) : 0;
}

/* That so many rows take at most, with room to grow and their index. */
static size_t past_expected(size_t rows)
{
	return sizeof(struct sum) + sizeof(struct sum_part) +
	       (rows + 64) * 2 * (sizeof(struct sum_row) + 2 * sizeof(uint32_t));
}

/* A part that is there grows by what its nodes may have: SUM_ROWS. */
static bool has_room_for_end(struct shard *s, const struct shard_node *n, const struct sum_key *key)
{
	return (n->past && sum_has_part(n->past, key)) ||
	       quota_take(&s->part, shard_memory(s) + past_expected(s->row_count));
}

/* What a keyframe may end: the rows as they are. */
static void rows_keep(struct shard *s, const struct crowd_node *c)
{
	const struct crowd_rows r = crowd_rows(c);
	const struct build *b = crowd_build(s->crowd, c->build);

	s->row_count = 0;
	if (mem_grow(&s->rows, &s->row_cap, r.count, sizeof(*s->rows)) < 0)
		return;
	for (size_t i = 0; i < r.count; i++) {
		const struct build_site *site = &b->sites[r.sites[i]];

		s->rows[s->row_count++] = (struct sum_row){
			.key = site->key, .kind = site->kind, .calls = r.calls[i],
			.total = r.total[i],
		};
	}
}

/* They are over: part of the node's past from now on. */
static void rows_end(struct shard *s, struct shard_node *n, const struct sum_key *key,
		     uint64_t run, unsigned epoch)
{
	size_t before = past_size(n->past);
	bool room = has_room_for_end(s, n, key);
	struct sum_part *p;

	s->ended++;
	if (!n->past && room)
		n->past = mem_zalloc(sizeof(*n->past));
	p = n->past && room ? sum_part(n->past, key) : NULL;
	if (!p) {
		s->ends_lost++;
		return;
	}
	p->cost = n->cost;
	p->skew = n->skew;
	p->spread = n->spread;
	p->ended++;
	p->run += run;
	for (size_t i = 0; i < s->row_count; i++)
		sum_add(p, s->rows[i].kind, (uint32_t)(s->rows[i].key >> 32),
			(uint32_t)s->rows[i].key, s->rows[i].calls, s->rows[i].total);
	n->past->epoch = epoch;
	s->untold += n->past_told;
	n->past_told = false;
	s->past_bytes += past_size(n->past) - before;
	quota_set(&s->part, shard_memory(s));
}

static bool has_room_for_past(struct shard *s, const struct sum *past)
{
	return quota_take(&s->part, shard_memory(s) + past_size(past));
}

bool shard_past_take(struct shard *s, const char *site, uint32_t node, const void *data, size_t n)
{
	struct sum past = { .count = 0 };
	struct shard_node *of = sum_read(&past, data, n) == 0 ? node_get(s, site, node) : NULL;
	struct sum *kept = NULL;

	if (of && past_ended(&past) > past_ended(of->past) && has_room_for_past(s, &past))
		kept = mem_zalloc(sizeof(*kept));
	if (!kept) {
		sum_release(&past);
		return false;
	}
	*kept = past;
	s->past_bytes += past_size(kept) - past_size(of->past);
	past_free(of->past);
	of->past = kept;
	of->over = of->kept && node_crowd(s, of) && node_crowd(s, of)->epoch == kept->epoch;
	quota_set(&s->part, shard_memory(s));
	s->untold -= !of->past_told;
	of->past_told = true;
	return true;
}

static bool past_site(const struct shard *s, size_t at, struct shard_past *past)
{
	const struct crowd_node *c = node_crowd(s, &s->nodes[at]);

	if (!s->nodes[at].past || !s->nodes[at].past->count)
		return false;
	*past = (struct shard_past){
		.site = c ? crowd_place(s->crowd, c->place) : s->nodes[at].past->parts[0]->key.site,
		.node = (uint32_t)s->nodes[at].key, .sum = s->nodes[at].past,
	};
	return true;
}

bool shard_past_next(struct shard *s, size_t *at, bool all, struct shard_past *past)
{
	for (; *at < s->count && (all || s->untold); (*at)++)
		if ((all || !s->nodes[*at].past_told) && past_site(s, *at, past))
			return true;
	return false;
}

void shard_past_told(struct shard *s, size_t at)
{
	s->untold -= !s->nodes[at].past_told;
	s->nodes[at].past_told = true;
}

/* --- doubts ----------------------------------------------------------------------------------- */

/* Longer than the time between two keyframes, by the clock of who publishes them. */
static bool runs_ahead(const struct shard_node *n, const struct crowd_node *c)
{
	double own, ours;

	if (!n->began_us || c->last.told_us < n->began_us || !(c->ticks_per_second > 0) ||
	    c->last.run < n->began_run)
		return false;
	own = (double)(c->last.run - n->began_run) / c->ticks_per_second;
	ours = (double)(c->last.told_us - n->began_us) / 1e6;
	return guard_is_ahead(own, ours);
}

/* What its functions took, in s->costs; their sum. 0: nothing is known of it, or no memory. */
static double node_costs(struct shard *s, const struct shard_node *n)
{
	size_t count = crowd_build(s->crowd, node_crowd(s, n)->build)->function_count;

	if (mem_grow(&s->costs, &s->cost_cap, count + 1, sizeof(*s->costs)) < 0)
		return 0;
	return crowd_costs(s->crowd, n->crowd, CROWD_LAST, s->costs);
}

static bool took_too_much(struct shard *s, const struct shard_node *n)
{
	const struct crowd_node *c = node_crowd(s, n);
	double sum = node_costs(s, n);
	bool timed = c->ticks_per_second > 0 && n->features & (WSN_F_TIMED | WSN_F_PCS);

	return timed && sum > BUSY * crowd_run(c, CROWD_LAST) + BUSY_LEAST;
}

/* --- messages --------------------------------------------------------------------------------- */

static bool is_firmware_known(const struct shard *s)
{
	struct sum_build b;

	if (!sum_build_of(&b, &s->hello.identity))
		return false;
	return !s->terms->elfs->count || elfs_image(s->terms->elfs, &s->hello.identity);
}

static bool key_is_kept(const struct mqtt_message *m)
{
	return m->extra.late || m->retained;
}

/*
 * An epoch that was over before it: it came twice, or another way, or the broker kept it longer
 * than the owner before this one needed. One whose number came again is told as it goes on.
 */
static bool is_of_past(const struct shard *s, const struct shard_node *n,
		       const struct mqtt_message *m)
{
	const struct crowd_node *c = node_crowd(s, n);

	return key_is_kept(m) && n->past && n->past->epoch == s->hello.epoch &&
	       (!c || c->epoch != s->hello.epoch);
}

/* Taken: what is to be known of it besides its counts. */
static void node_taken(struct shard *s, struct shard_node *n, bool begins)
{
	const struct crowd_node *c = node_crowd(s, n);

	s->keys++;
	n->unknown = false;
	n->features = s->hello.features & (uint16_t)~STATES;
	n->cost = (float)s->hello.cost;
	n->skew = (float)s->hello.skew;
	n->spread = (float)s->hello.spread;
	if (begins) {
		n->doubtful = false;
		n->began_run = c->last.run;
		n->began_us = c->last.told_us;
	}
	n->doubtful |= runs_ahead(n, c) || took_too_much(s, n);
}

static bool counts_feed(struct shard *s, struct shard_node *n, uint64_t now, const struct topic *t,
			const struct mqtt_message *m)
{
	const struct crowd_heard heard = {
		.place = t->site, .id = t->node, .heard_ns = now, .told_us = m->extra.wall_us,
		.late = m->extra.late,
	};
	const struct crowd_node *c = node_crowd(s, n);
	uint32_t epochs = c ? c->epochs : 0;
	uint64_t run = c ? c->last.run : 0;
	unsigned epoch = c ? c->epoch : 0;
	struct sum_key key;
	bool counted = c && !n->doubtful && !n->over && key_of(s, n, &key), was_over = n->over;
	enum crowd_result r;

	s->row_count = 0;
	if (counted)
		rows_keep(s, c);
	r = crowd_feed(s->crowd, &heard, m->data, m->n);
	if (r == CROWD_AGAIN && !key_is_kept(m))
		n->kept = n->over = false;
	if (r == CROWD_AGAIN || r == CROWD_OLD)
		return was_over && !n->over;
	if (r != CROWD_TAKEN) {
		s->refused++;
		return false;
	}
	n->crowd = (uint32_t)crowd_find(s->crowd, t->site, t->node);
	c = node_crowd(s, n);
	if (counted && c->epochs > epochs)
		rows_end(s, n, &key, run, epoch);
	n->kept = key_is_kept(m);
	n->over &= n->kept && c->epochs == epochs;
	node_taken(s, n, c->epochs > epochs);
	return true;
}

static bool key_take(struct shard *s, struct shard_node *n, uint64_t now, const struct topic *t,
		     const struct mqtt_message *m)
{
	const struct crowd_node *c = node_crowd(s, n);

	if (m->n > SHARD_KEY || !guard_takes(&n->guard, now, 1, m->n) ||
	    !guard_is_own(&n->guard, t->node, m->data, m->n) ||
	    !wsn_first_hello(&s->hello, m->data, m->n)) {
		s->refused++;
		return false;
	}
	if (!is_firmware_known(s)) {
		bool news = !n->unknown;

		n->unknown = true;
		return news;
	}
	if (is_of_past(s, n, m))
		return false;
	if (c && c->epoch != s->hello.epoch && !guard_changes_take(&n->changes, now)) {
		s->refused++;
		return false;
	}
	return counts_feed(s, n, now, t, m);
}

bool shard_take(struct shard *s, uint64_t now, const struct topic *t, const struct mqtt_message *m)
{
	struct shard_node *n;

	if (t->shard != s->number || topic_shard(t->node, s->terms->shards) != s->number) {
		s->refused++;
		return false;
	}
	if (!m->n || (t->leaf != TOPIC_KEY && t->leaf != TOPIC_UP))
		return false;
	n = node_get(s, t->site, t->node);
	if (!n) {
		s->refused++;
		return false;
	}
	if (t->leaf == TOPIC_KEY)
		return key_take(s, n, now, t, m);
	n->up = !(m->n == 1 && *m->data == '0');
	return false;
}

/* --- sums ------------------------------------------------------------------------------------- */

static void counts_add(struct shard *s, const struct shard_node *n, struct sum *sum, bool shares)
{
	const struct crowd_node *c = node_crowd(s, n);
	const struct crowd_rows r = crowd_rows(c);
	const struct build *b = crowd_build(s->crowd, c->build);
	struct sum_part *p = part_of(s, n, sum);
	double node_sum;

	if (!p)
		return;
	p->nodes++;
	p->run += c->last.run;
	for (size_t i = 0; i < r.count; i++) {
		const struct build_site *site = &b->sites[r.sites[i]];

		sum_add(p, site->kind, (uint32_t)(site->key >> 32), (uint32_t)site->key,
			r.calls[i], r.total[i]);
	}
	if (!shares)
		return;
	node_sum = node_costs(s, n);
	shares_add(&p->shares, b, s->costs, node_sum, c->id);
}

void shard_sum(struct shard *s, struct sum *sum, bool shares)
{
	sum->refused = s->refused;
	for (size_t i = 0; i < s->count; i++) {
		const struct shard_node *n = &s->nodes[i];

		sum->unknown += n->unknown;
		sum->doubtful += n->doubtful;
		if (n->past)
			sum_merge(sum, n->past);
		if (n->crowd != CROWD_NONE && !n->doubtful && !n->over)
			counts_add(s, n, sum, shares);
	}
	for (size_t i = 0; i < sum->count; i++)
		shares_pack(&sum->parts[i]->shares);
}

void shard_tally(const struct shard *s, struct shard_tally *t)
{
	t->nodes += s->count;
	t->refused += s->refused;
	t->ended += s->ended;
	t->ends_lost += s->ends_lost;
	t->keys += s->keys;
	for (size_t i = 0; i < s->count; i++) {
		t->up += s->nodes[i].up;
		t->unknown += s->nodes[i].unknown;
		t->doubtful += s->nodes[i].doubtful;
	}
}
