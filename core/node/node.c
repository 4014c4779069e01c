#include "core/node/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/text.h"

#define CHUNK 65536
#define IDLE_NS (CLOCK_SECOND / 10)	/* silence after which a decoder says what it holds back */
/*
 * A line that drips would wake us for every byte or two: after some have come it is left alone for
 * as long as a driver's buffer (4 KB) holds what 3 million baud bring.
 */
#define REST_NS (CLOCK_SECOND / 100)
#define REST_BELOW 2048
#define MARK_NS CLOCK_SECOND		/* slot of the rates' window, for streams without reports */

/* --- profiles --------------------------------------------------------------------------------- */

static struct profile *profile_make(struct node *n, const char *name)
{
	struct profile *p = mem_alloc(sizeof(*p));

	if (!p || profile_init(p, name) < 0 ||
	    mem_grow(&n->profiles, &n->profile_cap, n->profile_count + 1,
		     sizeof(struct profile *)) < 0 ||
	    mem_grow(&n->worst, &n->worst_cap, n->profile_count + 1, sizeof(*n->worst)) < 0 ||
	    node_past_open(n, n->profile_count) < 0) {
		if (p)
			profile_release(p);
		mem_free(p);
		err_set(&n->trouble, ERR_NOMEM, "out of memory: the report '%s' is not kept", name);
		return NULL;
	}
	p->terms.hz = n->options.hz;
	p->terms.correct = n->options.correct;
	profile_set_image(p, n->image);
	worst_init(&n->worst[n->profile_count]);
	n->profiles[n->profile_count++] = p;
	node_past_image(n, n->profile_count - 1);
	return p;
}

/*
 * A node that makes up names could fill any memory: past this, the newest name has the last
 * profile.
 */
#define PROFILES_MAX 64

static void profile_rename(struct profile *p, const char *name)
{
	char *copy = mem_strdup(name);

	if (!copy)
		return;
	mem_free((char *)p->name);
	p->name = copy;
}

static size_t profile_named(struct node *n, const char *name)
{
	for (size_t i = 0; i < n->profile_count; i++) {
		if (strcmp(n->profiles[i]->name, name) == 0)
			return i;
	}
	/* The first one stands from the start without a name: the first report takes it. */
	if (n->profile_count == 1 && n->profiles[0]->generation == 0 &&
	    n->profiles[0]->site_count == 0 && n->profiles[0]->pc_count == 0) {
		profile_rename(n->profiles[0], name);
		return 0;
	}
	if (n->profile_count < PROFILES_MAX && profile_make(n, name))
		return n->profile_count - 1;
	profile_reset(n->profiles[n->profile_count - 1]);
	worst_clear(&n->worst[n->profile_count - 1]);
	profile_rename(n->profiles[n->profile_count - 1], name);
	return n->profile_count - 1;
}

struct profile *node_profile(const struct node *n)
{
	return n->profiles[n->selected];
}

void node_select(struct node *n, size_t profile)
{
	if (profile < n->profile_count) {
		n->selected = profile;
		n->pinned = true;
	}
}

/* Without memory it is looked for again with the next look. */
static void look(struct node *n, size_t profile)
{
	for (size_t i = 0; i < n->profile_count && n->worst_reloads != n->reloads; i++)
		worst_clear(&n->worst[i]);
	n->worst_reloads = n->reloads;
	worst_look(&n->worst[profile], n->profiles[profile], n->now_ns);
}

const struct worst *node_worst(struct node *n)
{
	look(n, n->selected);
	return &n->worst[n->selected];
}

/* A moment of a profile: its rates, and what was longer than ever. */
static void mark(struct node *n, size_t profile)
{
	profile_mark(n->profiles[profile], n->now_ns);
	look(n, profile);
}

/* What came behind the last moment, when nothing more comes for now. */
static void look_all(struct node *n)
{
	for (size_t i = 0; i < n->profile_count; i++) {
		if (profile_compute(n->profiles[i]) == 0)
			look(n, i);
	}
}

void node_worst_forget(struct node *n)
{
	for (size_t i = 0; i < n->profile_count; i++) {
		if (profile_compute(n->profiles[i]) == 0)
			worst_forget(&n->worst[i], n->profiles[i]);
	}
}

void node_reset(struct node *n)
{
	node_worst_forget(n);
	node_before_keep(n);
	node_past_now(n);
	for (size_t i = 0; i < n->profile_count; i++) {
		if (profile_rebase(n->profiles[i]) < 0)
			err_set(&n->trouble, ERR_NOMEM, "out of memory: the counts are not reset");
	}
	n->changes |= NODE_DATA;
}

/* --- what the decoder says -------------------------------------------------------------------- */

static void on_arcs(void *ctx, const struct wire_arc *arcs, size_t count)
{
	struct node *n = ctx;

	profile_add_arcs(n->profiles[0], arcs, count);
	n->changes |= NODE_DATA;
}

static void on_samples(void *ctx, const uint32_t *pcs, size_t count)
{
	struct node *n = ctx;

	profile_add_samples(n->profiles[0], pcs, count);
	n->changes |= NODE_DATA;
}

/* --report: #N picks one report by its number, a name all of that name, nothing the newest. */
static bool report_wanted(const struct node *n, const struct wire_report *r)
{
	const char *want = n->options.report;

	if (!want)
		return true;
	if (want[0] == '#')
		return strtoul(want + 1, NULL, 10) == r->index;
	return strcmp(want, r->name) == 0;
}

static void on_report(void *ctx, const struct wire_report *r)
{
	struct node *n = ctx;
	size_t i;

	n->reports++;
	if (!report_wanted(n, r))
		return;
	i = profile_named(n, r->name);
	if (profile_take_report(n->profiles[i], r, n->options.batch) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: some call sites are not counted");
	mark(n, i);
	node_past_report(n, i);
	if (!n->pinned)
		n->selected = i;
	n->changes |= NODE_DATA;
}

static void stack_keep(struct node *n, const struct wire_stack *stack)
{
	struct wire_frame *frames = mem_alloc((stack->count + 1) * sizeof(*frames));

	if (!frames)
		return;
	if (stack->count)
		memcpy(frames, stack->frames, stack->count * sizeof(*frames));
	if (n->stack_count == NODE_STACKS) {
		mem_free((void *)n->stacks[0].frames);
		memmove(n->stacks, n->stacks + 1, (NODE_STACKS - 1) * sizeof(n->stacks[0]));
		n->stack_count--;
	}
	n->stacks[n->stack_count] = *stack;
	n->stacks[n->stack_count++].frames = frames;
}

static void frame_say(const struct node *n, struct buf *line, const struct wire_frame *frame)
{
	uint32_t id = n->image ? image_find(n->image, image_normal(n->image, frame->to)) : IMAGE_NONE;

	if (id != IMAGE_NONE)
		buf_adds(line, image_function(n->image, id)->name);
	else
		buf_addf(line, "0x%05x", (unsigned)frame->to);
}

static void on_stack(void *ctx, const struct wire_stack *stack)
{
	struct node *n = ctx;
	struct buf line = BUF_INIT;

	stack_keep(n, stack);
	buf_adds(&line, stack->corrupted ? "call stack: corrupted or not recorded" :
				       "call stack before the reset: ");
	for (size_t i = 0; i < stack->count; i++) {
		if (i)
			buf_adds(&line, " > ");
		frame_say(n, &line, &stack->frames[i]);
	}
	if (stack->count && stack->ticks_per_second)
		buf_addf(&line, " (innermost entered at %.3f s)",
			 (double)stack->frames[stack->count - 1].ticks /
			 (double)stack->ticks_per_second);
	console_say(&n->console, n->now_ns, buf_str(&line));
	buf_release(&line);
	n->changes |= NODE_TEXT;
}

static void on_text(void *ctx, const char *text, size_t count)
{
	struct node *n = ctx;

	console_add(&n->console, n->now_ns, text, count);
	n->changes |= NODE_TEXT;
}

static void on_boot(void *ctx)
{
	struct node *n = ctx;

	n->boots++;
	n->changes |= NODE_TEXT;
}

/* --- life ------------------------------------------------------------------------------------- */

static int options_copy(struct node *n, const struct node_options *o)
{
	const char **strings[] = {
		&n->options.source, &n->options.elf, &n->options.format, &n->options.record,
		&n->options.report,
	};
	bool failed = false;

	n->options = *o;
	if (n->options.hz <= 0)
		n->options.hz = 1000;
	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		if (!*strings[i])
			continue;
		*strings[i] = mem_strdup(*strings[i]);
		failed |= !*strings[i];
	}
	if (failed)
		return ERR_NOMEM;	/* all of them: none is the caller's any more */
	n->name = n->options.source;
	n->options.elfs = NULL;
	n->options.elf_count = 0;
	n->elfs = mem_zalloc((o->elf_count + 1) * sizeof(*n->elfs));
	for (; n->elfs && n->elf_count < o->elf_count; n->elf_count++) {
		n->elfs[n->elf_count] = mem_strdup(o->elfs[n->elf_count]);
		if (!n->elfs[n->elf_count])
			return ERR_NOMEM;
	}
	return n->elfs ? 0 : ERR_NOMEM;
}

static int decoder_open(struct node *n, struct err *err)
{
	struct wire_options o = { .code = n->image ? image_codemap(n->image) : NULL };
	struct wire_sink sink = {
		.ctx = n, .arcs = on_arcs, .samples = on_samples, .report = on_report,
		.stack = on_stack, .text = on_text, .boot = on_boot,
	};

	node_said_sink(&sink);
	n->wire = wire_new(n->options.format ? n->options.format : "auto", &o, &sink, err);
	return n->wire ? 0 : ERR_NOMEM;
}

static int parts_open(struct node *n, struct err *err)
{
	if (!profile_make(n, "")) {
		err_set(err, ERR_NOMEM, "out of memory");
		return ERR_NOMEM;
	}
	if (node_images_open(n, err) < 0)
		return ERR_FORMAT;
	if (decoder_open(n, err) < 0)
		return ERR_NOMEM;
	n->link = link_new(n->options.source, &n->options.link, err);
	if (!n->link)
		return ERR_IO;
	node_listen_start(n);
	if (!n->options.record)
		return 0;
	n->record = record_new(n->options.record, err);
	return n->record ? 0 : ERR_IO;
}

struct node *node_new(const struct node_options *o, struct err *err)
{
	struct node *n = mem_zalloc(sizeof(*n));

	if (!n) {
		err_set(err, ERR_NOMEM, "out of memory");
		return NULL;
	}
	console_init(&n->console);
	health_init(&n->health);
	if (options_copy(n, o) < 0) {
		err_set(err, ERR_NOMEM, "out of memory");
		node_free(n);
		return NULL;
	}
	if (parts_open(n, err) < 0) {
		node_free(n);
		return NULL;
	}
	n->idle_ns = n->rate_ns = n->image_ns = clock_now();
	n->agreement = NAN;
	return n;
}

void node_free(struct node *n)
{
	if (!n)
		return;
	node_listen_end(n);
	record_free(n->record);
	link_free(n->link);
	wire_free(n->wire);
	node_past_release(n);
	for (size_t i = 0; i < n->profile_count; i++) {
		profile_release(n->profiles[i]);
		mem_free(n->profiles[i]);
		worst_release(&n->worst[i]);
	}
	mem_free(n->profiles);
	mem_free(n->worst);
	node_images_close(n);
	node_before_release(n);
	for (size_t i = 0; i < n->elf_count; i++)
		mem_free(n->elfs[i]);
	mem_free(n->elfs);
	for (size_t i = 0; i < n->stack_count; i++)
		mem_free((void *)n->stacks[i].frames);
	console_release(&n->console);
	mem_free((void *)n->options.source);
	mem_free((void *)n->options.elf);
	mem_free((void *)n->options.format);
	mem_free((void *)n->options.record);
	mem_free((void *)n->options.report);
	mem_free(n);
}

/* --- service ---------------------------------------------------------------------------------- */

size_t node_poll_fds(const struct node *n, struct pollfd *fds)
{
	size_t count = 0;
	int link = link_fd(n->link), image = n->image ? image_fd(n->image) : -1;
	bool rests = n->rest_ns && clock_now() < n->rest_ns;

	if (link >= 0 && !n->ended && !rests)
		fds[count++] = (struct pollfd){ .fd = link, .events = link_events(n->link) };
	if (image >= 0)
		fds[count++] = (struct pollfd){ .fd = image, .events = POLLIN };
	return count;
}

int node_timeout(const struct node *n, uint64_t now)
{
	int ms = n->ended ? -1 : link_timeout(n->link, now);

	if (n->rest_ns > now)
		ms = clock_sooner(ms, clock_ms_until(n->rest_ns, now));
	if (!n->flushed && !n->ended)
		ms = clock_sooner(ms, clock_ms_until(n->idle_ns + IDLE_NS, now));
	ms = clock_sooner(ms, node_image_timeout(n, now));
	ms = clock_sooner(ms, node_said_timeout(n, now));
	ms = clock_sooner(ms, node_listen_timeout(n, now));
	if (n->rate_bytes != n->stats.bytes || n->bytes_per_s > 0)
		ms = clock_sooner(ms, clock_ms_until(n->rate_ns + CLOCK_SECOND, now));
	return ms;
}

void node_take(struct node *n, const uint8_t *data, size_t count)
{
	struct err err = { 0 };

	if (n->record && record_add(n->record, n->now_ns, data, count, &err) < 0) {
		/* Said once; the profile goes on without. */
		err_clear(&n->trouble);
		err_set(&n->trouble, ERR_IO, "%s", err.text);
		record_free(n->record);
		n->record = NULL;
	}
	node_past_bytes(n, data, count);
	wire_feed(n->wire, data, count);
}

/* Slots of the rates' window for streams, by the time of the data: replays have right rates too. */
static void stream_mark(struct node *n)
{
	if (n->reports || !n->stats.events)
		return;
	if (n->mark_ns && n->now_ns - n->mark_ns < MARK_NS)
		return;
	n->mark_ns = n->now_ns;
	mark(n, 0);
}

static void end(struct node *n)
{
	n->ended = true;
	wire_flush(n->wire, true);
	wire_stats(n->wire, &n->stats);
	look_all(n);
	node_past_end(n);
	n->changes |= NODE_ENDED | NODE_STATE;
}

bool node_is_reading(const struct node *n)
{
	return !n->ended && !link_is_live(n->link) && link_progress(n->link) >= 0;
}

bool node_stop(struct node *n)
{
	if (!node_is_reading(n))
		return false;
	end(n);
	return true;
}

static void link_service(struct node *n, uint64_t now, size_t budget)
{
	enum link_state before = link_state(n->link);
	uint8_t data[CHUNK];
	size_t taken = 0;
	ssize_t got = 0;

	while (taken < budget) {
		got = link_read(n->link, now, data, sizeof(data), &n->now_ns);
		if (got <= 0)
			break;
		taken += (size_t)got;
		if (!node_listen_take(n, now, data, (size_t)got))
			node_take(n, data, (size_t)got);
		wire_stats(n->wire, &n->stats);
		stream_mark(n);
		node_past_fed(n);
		node_health_service(n, n->now_ns);
	}
	if (taken) {
		n->idle_ns = now;
		n->flushed = false;
	}
	n->rest_ns = taken && taken < REST_BELOW && link_is_live(n->link) ? now + REST_NS : 0;
	if (got < 0 && !n->ended)
		end(n);
	if (link_state(n->link) != before)
		n->changes |= NODE_STATE;
}

/* Silence: give out what waits for more. The line going down is no end: it comes back. */
static void idle_service(struct node *n, uint64_t now)
{
	if (n->flushed || n->ended || now - n->idle_ns < IDLE_NS)
		return;
	wire_flush(n->wire, false);
	wire_stats(n->wire, &n->stats);
	node_past_silent(n);
	look_all(n);
	n->flushed = true;
}

static void rates_service(struct node *n, uint64_t now)
{
	double seconds = (double)(now - n->rate_ns) / (double)CLOCK_SECOND;

	if (seconds < 1)
		return;
	n->bytes_per_s = (double)(n->stats.bytes - n->rate_bytes) / seconds;
	n->events_per_s = (double)(n->stats.events - n->rate_events) / seconds;
	n->rate_ns = now;
	n->rate_bytes = n->stats.bytes;
	n->rate_events = n->stats.events;
	if (link_is_live(n->link))
		node_health_service(n, now);
	n->changes |= NODE_STATE;
}

unsigned node_service(struct node *n, uint64_t now, size_t budget)
{
	unsigned changes;

	if (!n->ended)
		link_service(n, now, budget);
	node_listen_service(n, now);
	idle_service(n, now);
	node_said_service(n, now);
	node_image_service(n, now);
	rates_service(n, now);
	node_agreement_update(n);
	changes = n->changes;
	n->changes = 0;
	return changes;
}

/* --- for exports ------------------------------------------------------------------------------ */

const char *node_title(const struct node *n)
{
	return n->called[0] ? n->called : n->name;
}

void node_say(struct node *n, bool bad, const char *line)
{
	console_say(&n->console, n->now_ns, line);
	snprintf(n->news, sizeof(n->news), "%s", line);
	n->news_bad = bad;
	n->changes |= NODE_TEXT | NODE_STATE | NODE_NEWS;
}

void node_export_source(struct node *n, struct export_source *s)
{
	struct profile *p = node_profile(n);

	if (profile_compute(p) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: the profile is not up to date");
	node_agreement_update(n);
	*s = (struct export_source){
		.profile = p, .image = n->image, .node = node_title(n), .source = n->name,
		.refused = n->refused ? image_path(n->refused) : NULL,
		.format = wire_name(n->wire), .image_match = node_match(n),
		.agreement = node_agreement(n), .stream = n->stats,
		.hello = n->has_hello ? &n->hello : NULL,
		.status = n->has_status ? &n->status : NULL, .hooks_share = node_hooks(n),
		.stacks = n->stacks, .stack_count = n->stack_count,
		.worst = node_worst(n), .wall_known = n->wall_known, .wall_ns = n->wall_ns,
		.order = { .column = COLUMN_SELF },
	};
}
