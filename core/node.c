#include "core/node.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/text.h"

#define CHUNK 65536
#define IDLE_NS (CLOCK_SECOND / 10)	/* silence after which a decoder says what it holds back */
#define IMAGE_NS (CLOCK_SECOND / 2)	/* how often the ELF is looked at for a rebuild */
#define MARK_NS CLOCK_SECOND		/* slot of the rates' window, for streams without reports */
#define AGREES 0.9

/* --- profiles --------------------------------------------------------------------------------- */

static struct profile *profile_make(struct node *n, const char *name)
{
	struct profile *p = mem_alloc(sizeof(*p));

	if (!p || profile_init(p, name) < 0 ||
	    mem_grow(&n->profiles, &n->profile_cap, n->profile_count + 1,
		     sizeof(struct profile *)) < 0) {
		if (p)
			profile_release(p);
		mem_free(p);
		err_set(&n->trouble, ERR_NOMEM, "out of memory: the report '%s' is not kept", name);
		return NULL;
	}
	p->hz = n->options.hz;
	p->correct = n->options.correct;
	profile_set_image(p, n->image);
	n->profiles[n->profile_count++] = p;
	return p;
}

/* A node that makes up names could fill any memory: past this, the newest name has the last profile. */
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

void node_reset(struct node *n)
{
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
	profile_mark(n->profiles[i], n->now_ns);
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

	n->options = *o;
	if (n->options.hz <= 0)
		n->options.hz = 1000;
	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		if (!*strings[i])
			continue;
		*strings[i] = mem_strdup(*strings[i]);
		if (!*strings[i])
			return ERR_NOMEM;
	}
	n->name = n->options.source;
	return 0;
}

static int decoder_open(struct node *n, struct err *err)
{
	struct wire_options o = { .code = n->image ? image_codemap(n->image) : NULL };
	struct wire_sink sink = {
		.ctx = n, .arcs = on_arcs, .samples = on_samples, .report = on_report,
		.stack = on_stack, .text = on_text, .boot = on_boot,
	};

	n->wire = wire_new(n->options.format ? n->options.format : "auto", &o, &sink, err);
	return n->wire ? 0 : ERR_NOMEM;
}

static int parts_open(struct node *n, struct err *err)
{
	if (!profile_make(n, "")) {
		err_set(err, ERR_NOMEM, "out of memory");
		return ERR_NOMEM;
	}
	if (n->options.elf && node_load_image(n, n->options.elf, err) < 0)
		return ERR_FORMAT;
	if (decoder_open(n, err) < 0)
		return ERR_NOMEM;
	n->link = link_new(n->options.source, &n->options.link, err);
	if (!n->link)
		return ERR_IO;
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
	record_free(n->record);
	link_free(n->link);
	wire_free(n->wire);
	for (size_t i = 0; i < n->profile_count; i++) {
		profile_release(n->profiles[i]);
		mem_free(n->profiles[i]);
	}
	mem_free(n->profiles);
	image_free(n->image);
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

/* --- image ------------------------------------------------------------------------------------ */

/* Every profile is named anew at once: nothing may still point into an image that goes. */
static void profiles_rename(struct node *n)
{
	for (size_t i = 0; i < n->profile_count; i++) {
		profile_set_image(n->profiles[i], n->image);
		if (profile_compute(n->profiles[i]) < 0)
			err_set(&n->trouble, ERR_NOMEM, "out of memory: names are not up to date");
	}
	n->agreed_profile = NULL;
	n->changes |= NODE_DATA | NODE_STATE;
}

int node_load_image(struct node *n, const char *path, struct err *err)
{
	struct image *fresh = image_new(path, err), *old = n->image;

	if (!fresh)
		return ERR_FORMAT;
	n->image = fresh;
	if (n->wire)
		wire_set_code(n->wire, image_codemap(fresh));
	profiles_rename(n);
	image_free(old);
	return 0;
}

static void image_reload(struct node *n)
{
	struct err err = { 0 };

	if (node_load_image(n, n->options.elf, &err) < 0) {
		/* Half-written, perhaps: the old one stays, and the next change is another chance. */
		err_clear(&n->trouble);
		err_set(&n->trouble, err.code, "%s", err.text);
		return;
	}
	n->reloads++;
	if (n->trouble.code == ERR_FORMAT)
		err_clear(&n->trouble);
	console_say(&n->console, n->now_ns, "the firmware image was rebuilt: reloaded");
	n->changes |= NODE_TEXT;
}

static void image_service(struct node *n, uint64_t now)
{
	if (!n->image)
		return;
	if (image_poll(n->image))
		profiles_rename(n);
	if (now - n->image_ns < IMAGE_NS)
		return;
	n->image_ns = now;
	if (!n->options.batch && image_changed(n->image))
		image_reload(n);
}

/* --- agreement of image and stream ------------------------------------------------------------ */

/*
 * Distinct addresses, not events: one hot loop at a lucky address must not outvote the rest. Calls and
 * samples are judged apart: a wrong image of the right size has code at almost every PC, but hardly
 * a call where calls were made. An image without symbols does not know where functions begin: only
 * the callers speak. And Thumb-1 code that saves r8 to r11 clobbers LR before the hook is called, so
 * that the callers of such functions are garbage while the callees are right: there only the callees
 * speak, and the callers' share is kept for a warning of its own.
 */
static double callers_agree(const struct node *n, const struct profile *p)
{
	const struct codemap *code = image_codemap(n->image);
	size_t good = 0;

	for (size_t i = 0; i < p->site_count; i++)
		good += (code_flags(code, p->sites[i].from) & CODE_RETURN) != 0;
	return p->site_count ? (double)good / (double)p->site_count : (double)NAN;
}

static double callees_agree(const struct node *n, const struct profile *p)
{
	const struct codemap *code = image_codemap(n->image);
	size_t good = 0;

	if (!image_has_symbols(n->image))
		return NAN;
	for (size_t i = 0; i < p->site_count; i++) {
		uint64_t to = image_normal(n->image, p->sites[i].to);

		good += (code_flags(code, to) & (CODE_ENTRY | CODE_EARLY)) != 0;
	}
	return p->site_count ? (double)good / (double)p->site_count : (double)NAN;
}

/* fmin and the comparisons: NaN, which is not known, yields. */
static double calls_agree(struct node *n, const struct profile *p)
{
	double from = callers_agree(n, p), to = callees_agree(n, p);
	bool arm = image_codemap(n->image)->arch == CODE_ARM;

	n->callers_lost = arm && to >= AGREES && from < AGREES && from > 0.5 && !p->generation;
	if (n->callers_lost || isnan(from))
		return to;
	return isnan(to) ? from : (from + to) / 2;
}

static double samples_agree(const struct node *n, const struct profile *p)
{
	const struct codemap *code = image_codemap(n->image);
	size_t good = 0;

	for (size_t i = 0; i < p->pc_count; i++)
		good += (code_flags(code, p->pcs[i].pc) & CODE_TEXT) != 0;
	return p->pc_count ? (double)good / (double)p->pc_count : NAN;
}

static void agreement_update(struct node *n)
{
	const struct profile *p = node_profile(n);

	if (!n->image || (n->agreed_sites == p->site_count && n->agreed_pcs == p->pc_count &&
			  n->agreed_profile == p))
		return;
	n->agreement = fmin(calls_agree(n, p), samples_agree(n, p));	/* fmin: NaN yields */
	n->agreed_sites = p->site_count;
	n->agreed_pcs = p->pc_count;
	n->agreed_profile = p;
}

double node_agreement(const struct node *n)
{
	return n->image ? n->agreement : (double)NAN;
}

const char *node_match(const struct node *n)
{
	double share = node_agreement(n);

	return isnan(share) ? "unknown" : share >= AGREES ? "yes" : "no";
}

/* --- service ---------------------------------------------------------------------------------- */

size_t node_poll_fds(const struct node *n, struct pollfd *fds)
{
	size_t count = 0;
	int link = link_fd(n->link), image = n->image ? image_fd(n->image) : -1;

	if (link >= 0 && !n->ended)
		fds[count++] = (struct pollfd){ .fd = link, .events = link_events(n->link) };
	if (image >= 0)
		fds[count++] = (struct pollfd){ .fd = image, .events = POLLIN };
	return count;
}

static int sooner(int a, int b)
{
	if (a < 0 || b < 0)
		return a < 0 ? b : a;
	return a < b ? a : b;
}

static int ms_until(uint64_t then, uint64_t now)
{
	return then <= now ? 0 : (int)((then - now) / 1000000 + 1);
}

int node_timeout(const struct node *n, uint64_t now)
{
	int ms = n->ended ? -1 : link_timeout(n->link, now);

	if (!n->flushed && !n->ended)
		ms = sooner(ms, ms_until(n->idle_ns + IDLE_NS, now));
	if (n->image && !n->options.batch)
		ms = sooner(ms, ms_until(n->image_ns + IMAGE_NS, now));
	if (n->rate_bytes != n->stats.bytes || n->bytes_per_s > 0)
		ms = sooner(ms, ms_until(n->rate_ns + CLOCK_SECOND, now));
	return ms;
}

static void bytes_take(struct node *n, const uint8_t *data, size_t count)
{
	struct err err = { 0 };

	if (n->record && record_add(n->record, n->now_ns, data, count, &err) < 0) {
		/* Said once; the profile goes on without. */
		err_clear(&n->trouble);
		err_set(&n->trouble, ERR_IO, "%s", err.text);
		record_free(n->record);
		n->record = NULL;
	}
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
	profile_mark(n->profiles[0], n->now_ns);
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
		bytes_take(n, data, (size_t)got);
		wire_stats(n->wire, &n->stats);
		stream_mark(n);
	}
	if (taken) {
		n->idle_ns = now;
		n->flushed = false;
	}
	if (got < 0 && !n->ended) {
		n->ended = true;
		wire_flush(n->wire, true);
		wire_stats(n->wire, &n->stats);
		n->changes |= NODE_ENDED | NODE_STATE;
	}
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
	n->changes |= NODE_STATE;
}

unsigned node_service(struct node *n, uint64_t now, size_t budget)
{
	unsigned changes;

	if (!n->ended)
		link_service(n, now, budget);
	idle_service(n, now);
	image_service(n, now);
	rates_service(n, now);
	agreement_update(n);
	changes = n->changes;
	n->changes = 0;
	return changes;
}

/* --- for exports and warnings ----------------------------------------------------------------- */

void node_export_source(struct node *n, struct export_source *s)
{
	struct profile *p = node_profile(n);

	if (profile_compute(p) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: the profile is not up to date");
	agreement_update(n);
	*s = (struct export_source){
		.profile = p, .image = n->image, .node = n->name, .format = wire_name(n->wire),
		.image_match = node_match(n), .agreement = node_agreement(n), .stream = n->stats,
		.stacks = n->stacks, .stack_count = n->stack_count,
		.order = { .column = COLUMN_SELF },
	};
}

const char *node_warning(const struct node *n, char *dst, size_t size)
{
	double agreement = node_agreement(n);

	if (err_is_set(&n->trouble))
		snprintf(dst, size, "%s", n->trouble.text);
	else if (agreement < AGREES)
		snprintf(dst, size, "%s is not the firmware that runs: only %.0f %% of the addresses make "
			 "sense in it; give the ELF that was flashed", image_path(n->image),
			 100 * agreement);
	else if (n->callers_lost)
		snprintf(dst, size, "some calls come from nowhere: Thumb-1 code that saves r8-r11 loses its "
			 "caller; build with -ffixed-r8 -ffixed-r9 -ffixed-r10 -ffixed-r11");
	else if (n->image && image_note(n->image)[0])
		snprintf(dst, size, "%s", image_note(n->image));
	else
		return NULL;
	return dst;
}
