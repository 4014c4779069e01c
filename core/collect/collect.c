#include "core/collect/collect.h"

#include <ctype.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/collect/members.h"
#include "core/collect/shard.h"
#include "core/mqtt/mqtt.h"
#include "core/mqtt/topic.h"

#define MEMBER "wsn/member/"
#define SUM "wsn/sum/"
#define PAST "wsn/past/"

#define CONFIG_NS CLOCK_SECOND		/* that wsn/config may take to come, if it is there */
#define SETTLE_NS (2 * CLOCK_SECOND)	/* for the other members to be told, behind a connection */
#define QUIET_NS (CLOCK_SECOND / 20)	/* without a retained message: the next shard's turn */
#define WHOLE_NS CLOCK_SECOND		/* likewise: all of a shard is there, */
#define WHOLE_LEAST_NS (2 * CLOCK_SECOND)	/* at the earliest */
#define SHARES_NS (10 * CLOCK_SECOND)	/* between two counts of nodes' shares */
#define TURN_NS (10 * CLOCK_SECOND)	/* of a shard whose retained messages do not end */

/* A shard as this collector has it. */
struct collect_shard {
	struct shard *own;		/* NULL: another member's */
	bool asked, left;		/* subscribed to; to be given up */
	bool changed;			/* since its sum was told */
	bool said_else;			/* another one told a sum of it */
	uint64_t asked_ns, kept_ns;	/* subscribed at; the newest retained message */
	uint64_t told_ns;		/* the newest sum */
	uint64_t shares_ns;		/* nodes' shares are due again */
	struct sum sum;			/* the newest that was told, by whomever */
};

struct collect {
	const struct collect_options *o;
	struct mqtt_place place;
	struct mqtt *mqtt;
	char id[MEMBER_ID], topic[TOPIC_MAX];	/* of this member */
	struct members members;
	bool members_changed;
	struct elfs elfs;
	struct shard_terms terms;	/* terms.shards 0: not known yet */
	uint64_t config_ns, settle_ns;	/* from then wsn/config is ours to say; owners */
	uint64_t period_ns;		/* the next time that outputs are made */
	struct quota memory;
	struct quota_part sums;		/* of `memory`: those that were told */
	bool full_told;
	struct collect_shard *shards;
	bool sums_asked;
	unsigned turn;			/* the shard that was asked for last */
	bool down_told;
	struct err refused;
	struct outputs *outputs;
	struct pollfd *fds;
};

bool collect_is_group(const char *text)
{
	size_t n = strlen(text);

	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '-' && text[i] != '_')
			return false;
	return n > 0 && n <= COLLECT_GROUP;
}

/* --- topics ----------------------------------------------------------------------------------- */

static void sum_topic(const struct collect *c, unsigned shard, char *dst)
{
	snprintf(dst, TOPIC_MAX, SUM "%s/%02x", c->o->group, shard);
}

static void past_topic(const struct collect *c, unsigned shard, const struct shard_past *p,
		       char *dst)
{
	int n = snprintf(dst, TOPIC_MAX, PAST "%s/%02x/%08" PRIx32 "/%s", c->o->group, shard,
			 p->node, p->site);

	if (n < 0 || n >= TOPIC_MAX)
		*dst = '\0';
}

/* Keyframes and whether their relay is there, then what is past. */
static void shard_filters(const struct collect *c, unsigned shard, char to[3][TOPIC_MAX])
{
	snprintf(to[0], TOPIC_MAX, PAST "%s/%02x/#", c->o->group, shard);
	snprintf(to[1], TOPIC_MAX, "%s/%02x/+/up", c->place.path, shard);
	snprintf(to[2], TOPIC_MAX, "%s/%02x/+/k", c->place.path, shard);
}

/* Two or three hex digits up to `end`; false: they are no shard. */
static bool shard_digits(const struct collect *c, const char *text, char end, unsigned *shard)
{
	char *behind;
	unsigned long x = isxdigit((unsigned char)*text) ? strtoul(text, &behind, 16) :
							   c->terms.shards;

	if (x >= c->terms.shards || *behind != end)
		return false;
	*shard = (unsigned)x;
	return true;
}

/* --- what is told ----------------------------------------------------------------------------- */

static bool sum_put(const struct collect *c, const char *topic, const struct sum *sum)
{
	struct buf text = BUF_INIT;
	struct out *out = mem_alloc(sizeof(*out));
	bool put = false;

	if (out && *topic) {
		out_open_buf(out, &text);
		sum_write(sum, out);
		put = out_close(out, NULL) == 0 &&
		      mqtt_publish(c->mqtt, topic, text.data, text.len,
				   MQTT_SURELY | MQTT_KEPT, NULL) == 0;
	}
	mem_free(out);
	buf_release(&text);
	return put;
}

/* At once: a node's next epoch overwrites the counts of this one on the broker. */
static void pasts_put(struct collect *c, struct collect_shard *s, bool all)
{
	char topic[TOPIC_MAX];
	struct shard_past p;

	for (size_t at = 0; shard_past_next(s->own, &at, all, &p); at++) {
		past_topic(c, shard_number(s->own), &p, topic);
		if (sum_put(c, topic, p.sum) || !*topic)
			shard_past_told(s->own, at);
	}
}

/* A shard's sum has another size now. */
static void sums_count(struct collect *c, size_t before, const struct sum *now)
{
	quota_set(&c->sums, c->sums.used + sum_memory(now) - before);
}

/* False: nobody is in it, nor was. */
static bool sum_make(struct collect *c, struct collect_shard *s, uint64_t now, bool last)
{
	bool was = *s->sum.by != '\0', shares = last || now >= s->shares_ns;
	struct sum before = s->sum;
	size_t size = sum_memory(&before);

	s->sum = (struct sum){ .count = 0 };
	s->changed = false;
	if (was || shard_nodes(s->own)) {
		shard_sum(s->own, &s->sum, shares);
		s->shares_ns = shares ? now + SHARES_NS : s->shares_ns;
		if (!shares)
			sum_shares_move(&s->sum, &before);
	}
	sum_release(&before);
	sums_count(c, size, &s->sum);
	if (!was && !shard_nodes(s->own))
		return false;
	snprintf(s->sum.by, sizeof(s->sum.by), "%s", c->id);
	return true;
}

/* All that is retained of it came: its sum is no less than the one before. */
static bool is_whole(const struct collect_shard *s, uint64_t now)
{
	return s->own && s->asked && !s->left && now >= s->asked_ns + WHOLE_LEAST_NS &&
	       (now >= s->kept_ns + WHOLE_NS || now >= s->asked_ns + TURN_NS);
}

static void shard_tell(struct collect *c, struct collect_shard *s, uint64_t now)
{
	char topic[TOPIC_MAX];

	if (!is_whole(s, now) || !mqtt_has_room(c->mqtt, MQTT_SURELY))
		return;
	pasts_put(c, s, false);
	if (!(s->changed || s->said_else) ||
	    now < s->told_ns + (uint64_t)(c->o->period * 1e9))
		return;
	if (!sum_make(c, s, now, false))
		return;
	sum_topic(c, shard_number(s->own), topic);
	if (!sum_put(c, topic, &s->sum))
		return;
	s->told_ns = now;
	s->said_else = false;
}

/* --- who owns what ---------------------------------------------------------------------------- */

static void shard_ask(struct collect *c, unsigned shard, uint64_t now)
{
	struct collect_shard *s = &c->shards[shard];
	char filters[3][TOPIC_MAX];

	shard_filters(c, shard, filters);
	for (size_t i = 0; i < 3; i++)
		mqtt_subscribe(c->mqtt, filters[i], MQTT_SURELY);
	s->asked = true;
	s->asked_ns = s->kept_ns = now;
	s->changed = true;
	c->turn = shard;
}

static void shard_give_up(struct collect *c, unsigned shard)
{
	struct collect_shard *s = &c->shards[shard];
	char filters[3][TOPIC_MAX];

	shard_filters(c, shard, filters);
	if (s->asked)
		pasts_put(c, s, false);
	for (size_t i = 0; s->asked && i < 3; i++)
		mqtt_unsubscribe(c->mqtt, filters[i]);
	shard_free(s->own);
	s->own = NULL;
	s->asked = false;
	s->shares_ns = 0;
}

/*
 * One behind the other: what is retained of a shard comes at once, and a broker keeps a bounded
 * number of messages for who does not take them at once (mosquitto: 1,000).
 */
static void shards_ask(struct collect *c, uint64_t now)
{
	const struct collect_shard *last = &c->shards[c->turn];

	if (last->asked && last->own && now < last->kept_ns + QUIET_NS &&
	    now < last->asked_ns + TURN_NS)
		return;
	for (unsigned i = 0; i < c->terms.shards; i++)
		if (c->shards[i].own && !c->shards[i].asked) {
			shard_ask(c, i, now);
			return;
		}
}

/* Their topics name shards: not before it is known how many there are. */
static void sums_ask(struct collect *c)
{
	char filter[TOPIC_MAX];

	snprintf(filter, sizeof(filter), SUM "%s/+", c->o->group);
	c->sums_asked = mqtt_subscribe(c->mqtt, filter, MQTT_SURELY) == 0;
}

static void owners_compute(struct collect *c)
{
	size_t own = 0;

	c->members_changed = false;
	for (unsigned i = 0; i < c->terms.shards; i++) {
		bool owns = members_owns(&c->members, i);

		own += owns;
		if (!owns && c->shards[i].own)
			shard_give_up(c, i);
		else if (owns && !c->shards[i].own)
			c->shards[i].own = shard_new(&c->terms, i);
	}
	say_line(&c->o->say, "group %s: %zu member%s, %zu of %u shards are this one's", c->o->group,
		 c->members.count, c->members.count == 1 ? "" : "s", own, c->terms.shards);
}

/* --- the broker ------------------------------------------------------------------------------- */

static int shards_make(struct collect *c, unsigned shards)
{
	c->shards = mem_zalloc(shards * sizeof(*c->shards));
	if (!c->shards)
		return err_set(&c->refused, ERR_NOMEM, "out of memory");
	c->terms = (struct shard_terms){
		.elfs = &c->elfs, .shards = shards, .quota = &c->memory, .seed = index_seed(),
	};
	c->members_changed = true;
	return 0;
}

static void config_take(struct collect *c, unsigned shards)
{
	unsigned mine = c->terms.shards ? c->terms.shards : c->o->shards;

	if (c->terms.shards == shards)
		return;
	if (mine && mine != shards) {
		topic_shards_refuse(&c->refused, c->place.host, shards, mine);
		return;
	}
	shards_make(c, shards);
}

static void config_say(struct collect *c)
{
	unsigned shards = c->terms.shards ? c->terms.shards :
			  c->o->shards ? c->o->shards : TOPIC_SHARDS;
	char text[32];

	topic_shards_print(text, sizeof(text), shards);
	mqtt_publish(c->mqtt, TOPIC_CONFIG, text, strlen(text), MQTT_SURELY | MQTT_KEPT, NULL);
	config_take(c, shards);
	c->config_ns = UINT64_MAX;
}

/* What is retained is told again, each time. */
static void broker_up(void *ctx)
{
	struct collect *c = ctx;
	uint64_t now = clock_now();
	char filter[TOPIC_MAX];

	say_line(&c->o->say, "%s: connected (MQTT %s)", c->place.host, mqtt_version(c->mqtt) == 5 ?
		 "5" : "3.1.1");
	members_forget(&c->members);
	c->members_changed = true;
	c->config_ns = now + CONFIG_NS;
	c->settle_ns = now + SETTLE_NS;
	mqtt_subscribe(c->mqtt, TOPIC_CONFIG, MQTT_SURELY);
	snprintf(filter, sizeof(filter), MEMBER "%s/+", c->o->group);
	mqtt_subscribe(c->mqtt, filter, MQTT_SURELY);
	c->sums_asked = false;
	mqtt_publish(c->mqtt, c->topic, "1", 1, MQTT_SURELY | MQTT_KEPT, NULL);
	for (unsigned i = 0; i < c->terms.shards; i++) {
		struct collect_shard *s = &c->shards[i];

		s->asked = false;
		s->told_ns = 0;
		if (s->own)
			pasts_put(c, s, true);
	}
}

static void sum_take(struct collect *c, const char *digits, const struct mqtt_message *m)
{
	struct sum sum = { .count = 0 };
	struct collect_shard *s;
	unsigned shard;
	size_t before;

	if (!shard_digits(c, digits, '\0', &shard) || sum_read(&sum, m->data, m->n) < 0)
		return;
	s = &c->shards[shard];
	if (strcmp(sum.by, c->id) == 0 || (s->own && s->told_ns)) {
		s->said_else |= strcmp(sum.by, c->id) != 0;
		sum_release(&sum);
		return;
	}
	before = sum_memory(&s->sum);
	if (!quota_take(&c->sums, c->sums.used + sum_memory(&sum) - before)) {
		sum_release(&sum);
		return;
	}
	sum_release(&s->sum);
	s->sum = sum;
}

static void past_take(struct collect *c, const char *text, const struct mqtt_message *m)
{
	struct collect_shard *s;
	unsigned shard;
	const char *node = strchr(text, '/'), *site = node ? strchr(node + 1, '/') : NULL;

	if (!site || site - node != 9 || !shard_digits(c, text, '/', &shard))
		return;
	s = &c->shards[shard];
	if (!s->own)
		return;
	if (m->retained)
		s->kept_ns = clock_now();
	s->changed |= shard_past_take(s->own, site + 1, (uint32_t)strtoul(node + 1, NULL, 16),
				      m->data, m->n);
}

static void node_take(struct collect *c, const struct mqtt_message *m)
{
	uint64_t now = clock_now();
	struct collect_shard *s;
	struct topic t;

	if (!topic_read(&t, m->topic) || t.shard >= c->terms.shards)
		return;
	s = &c->shards[t.shard];
	if (!s->own)
		return;
	if (m->retained)
		s->kept_ns = now;
	s->changed |= shard_take(s->own, now, &t, m);
}

/* Behind PREFIX GROUP/; NULL: it is another. */
static const char *topic_behind(const struct collect *c, const char *topic, const char *prefix)
{
	size_t n = strlen(prefix), group = strlen(c->o->group);

	if (strncmp(topic, prefix, n) || strncmp(topic + n, c->o->group, group) ||
	    topic[n + group] != '/')
		return NULL;
	return topic + n + group + 1;
}

static void broker_message(void *ctx, const struct mqtt_message *m)
{
	struct collect *c = ctx;
	const char *rest;

	if (strcmp(m->topic, TOPIC_CONFIG) == 0) {
		unsigned shards = topic_shards_read(m->data, m->n);

		c->config_ns = shards ? UINT64_MAX : c->config_ns;
		if (shards)
			config_take(c, shards);
		return;
	}
	if ((rest = topic_behind(c, m->topic, MEMBER)))
		c->members_changed |= members_set(&c->members, rest, m->n > 0);
	else if (!c->terms.shards)
		return;
	else if ((rest = topic_behind(c, m->topic, SUM)))
		sum_take(c, rest, m);
	else if ((rest = topic_behind(c, m->topic, PAST)))
		past_take(c, rest, m);
	else
		node_take(c, m);
}

/* --- the run ---------------------------------------------------------------------------------- */

static void broker_tell(struct collect *c)
{
	const char *why = mqtt_why(c->mqtt);

	if (*why && !c->down_told)
		say_line(&c->o->say, "%s: %s; trying again", c->place.host, why);
	c->down_told = *why != '\0';
}

/* Of all shards, by whomever. */
static void sums_merge(const struct collect *c, struct sum *all)
{
	for (unsigned i = 0; i < c->terms.shards; i++)
		sum_merge(all, &c->shards[i].sum);
}

static void outputs_make(struct collect *c, uint64_t now, bool last)
{
	struct sum all = { .count = 0 };

	sums_merge(c, &all);
	outputs_take(c->outputs, now, &all, c->terms.shards && members_owns(&c->members, 0), last);
	sum_release(&all);
	c->period_ns = now + (uint64_t)(c->o->period * 1e9);
}

/* Once. */
static void memory_tell(struct collect *c)
{
	if (c->full_told || !c->memory.refused)
		return;
	c->full_told = true;
	say_line(&c->o->say, "the memory is full (%zu MB): nodes, last counts of epochs and sums "
		 "that need more are refused, and counted; another collector of the group takes a "
		 "part%s%s", c->memory.limit >> 20, c->o->more_memory ? ", or give " : "",
		 c->o->more_memory ? c->o->more_memory : "");
}

static void collect_serve(struct collect *c, uint64_t now)
{
	mqtt_service(c->mqtt, now);
	broker_tell(c);
	memory_tell(c);
	if (mqtt_is_up(c->mqtt)) {
		if (now >= c->config_ns)
			config_say(c);
		if (c->terms.shards && !c->sums_asked)
			sums_ask(c);
		if (c->terms.shards && c->members_changed && now >= c->settle_ns)
			owners_compute(c);
		if (c->terms.shards && now >= c->settle_ns)
			shards_ask(c, now);
		for (unsigned i = 0; i < c->terms.shards; i++)
			if (c->shards[i].own)
				shard_tell(c, &c->shards[i], now);
	}
	outputs_service(c->outputs, now);
	if (now >= c->period_ns)
		outputs_make(c, now, false);
}

static int shards_timeout(const struct collect *c, uint64_t now)
{
	uint64_t next = c->period_ns;
	bool waits = false;

	if (!mqtt_is_up(c->mqtt))
		return clock_ms_until(next, now);
	if (c->settle_ns > now && c->settle_ns < next)
		next = c->settle_ns;
	if (c->config_ns > now && c->config_ns < next)
		next = c->config_ns;
	for (unsigned i = 0; i < c->terms.shards; i++) {
		const struct collect_shard *s = &c->shards[i];

		waits |= s->own && (!s->asked || s->changed || s->said_else);
	}
	return clock_sooner(clock_ms_until(next, now), waits ? (int)(QUIET_NS / 1000000) : -1);
}

static void collect_await(struct collect *c, uint64_t now, uint64_t end)
{
	int ms = mqtt_poll(c->mqtt, now, &c->fds[0]);
	size_t count = 1 + outputs_poll(c->outputs, now, c->fds + 1, &ms);

	ms = clock_sooner(ms, shards_timeout(c, now));
	if (end)
		ms = clock_sooner(ms, clock_ms_until(end, now));
	poll(c->fds, count, ms);	/* EINTR: the stop flag is looked at next */
}

static void collect_loop(struct collect *c)
{
	uint64_t now = clock_now();
	uint64_t end = c->o->seconds > 0 ? now + (uint64_t)(c->o->seconds * 1e9) : 0;

	c->period_ns = now + (uint64_t)(c->o->period * 1e9);
	while (!*c->o->stop && !err_is_set(&c->refused) && !(end && now >= end)) {
		collect_serve(c, now);
		collect_await(c, now, end);
		now = clock_now();
	}
}

/* A new one each time: who starts has nothing of who was there before. */
static void id_make(struct collect *c)
{
	char host[32];
	uint32_t random = (uint32_t)map_hash(clock_wall() ^ (uint64_t)getpid() << 40);

	topic_host(host, sizeof(host));
	snprintf(c->id, sizeof(c->id), "%s-%08" PRIx32, host, random);
	snprintf(c->topic, sizeof(c->topic), MEMBER "%s/%s", c->o->group, c->id);
	members_init(&c->members, c->id);
}

static int place_check(const struct collect *c, struct err *err)
{
	const char *path = c->place.path;

	if (*path && !strchr(path, '#') && (!strchr(path, '+') || strcmp(path, "+") == 0) &&
	    strlen(path) < SUM_SITE)
		return 0;
	return err_set(err, ERR_USAGE, "%s: no site; give mqtt://%s/SITE, SITE a name, or + for "
		       "all of one level", c->o->from, c->place.host);
}

static int collect_open(struct collect *c, struct err *err)
{
	const struct mqtt_hooks hooks = { .ctx = c, .up = broker_up, .message = broker_message };
	const struct mqtt_will will = { .topic = c->topic, .text = "" };
	int ret = mqtt_place_read(&c->place, c->o->from, err);

	id_make(c);
	if (ret < 0 || (ret = place_check(c, err)) < 0 ||
	    (ret = elfs_open(&c->elfs, c->o->elfs, c->o->elf_count, err)) < 0)
		return ret;
	c->fds = mem_zalloc((1 + OUTPUTS_FDS) * sizeof(*c->fds));
	c->outputs = c->fds ? outputs_open(&c->o->outputs, &c->elfs, err) : NULL;
	if (!c->fds || !c->outputs)
		return err_is_set(err) ? ERR_USAGE : err_set(err, ERR_NOMEM, "out of memory");
	c->config_ns = UINT64_MAX;
	c->mqtt = mqtt_new(&c->place, &hooks, &will, err);
	return c->mqtt ? 0 : ERR_ABSENT;
}

/* The newest sums go out, and into the outputs. */
static void collect_end(struct collect *c, struct collect_tally *t)
{
	struct shard_tally own = { .nodes = 0 };
	struct sum all = { .count = 0 };
	char topic[TOPIC_MAX];

	for (unsigned i = 0; i < c->terms.shards; i++) {
		struct collect_shard *s = &c->shards[i];

		if (!s->own)
			continue;
		shard_tally(s->own, &own);
		if (!is_whole(s, clock_now()))
			continue;
		sum_topic(c, i, topic);
		if (sum_make(c, s, clock_now(), true) && mqtt_is_up(c->mqtt)) {
			pasts_put(c, s, false);
			sum_put(c, topic, &s->sum);
		}
	}
	outputs_make(c, clock_now(), true);
	sums_merge(c, &all);
	for (size_t i = 0; i < all.count; i++)
		t->nodes += all.parts[i]->nodes;
	t->unknown = all.unknown;
	t->doubtful = all.doubtful;
	t->keys = own.keys;
	t->refused = own.refused;
	t->ended = own.ended;
	t->ends_lost = own.ends_lost;
	t->no_room = c->memory.refused;
	t->failed = outputs_failed(c->outputs);
	t->broken = outputs_broken(c->outputs);
	sum_release(&all);
}

static void collect_close(struct collect *c)
{
	if (c->mqtt)
		mqtt_publish(c->mqtt, c->topic, "", 0, MQTT_SURELY | MQTT_KEPT, NULL);
	mqtt_free(c->mqtt);		/* until then messages come */
	for (unsigned i = 0; i < c->terms.shards; i++) {
		shard_free(c->shards[i].own);
		sum_release(&c->shards[i].sum);
	}
	outputs_close(c->outputs);
	elfs_release(&c->elfs);
	mem_free(c->shards);
	mem_free(c->fds);
}

int collect_run(const struct collect_options *o, struct collect_tally *t, struct err *err)
{
	struct collect *c = mem_zalloc(sizeof(*c));
	int ret;

	if (!c)
		return err_set(err, ERR_NOMEM, "out of memory");
	c->o = o;
	quota_init(&c->memory, (size_t)o->memory);
	quota_join(&c->memory, &c->sums);
	ret = collect_open(c, err);
	if (ret == 0)
		collect_loop(c);
	if (ret == 0 && err_is_set(&c->refused)) {
		*err = c->refused;
		ret = ERR_USAGE;
	}
	if (ret == 0)
		collect_end(c, t);
	collect_close(c);
	mem_free(c);
	return ret;
}
