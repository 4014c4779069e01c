/* node: life, the poll loop's side, accessors, exports. */
#include "core/node/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/import/import.h"

/* --- life ------------------------------------------------------------------------------------- */

static int options_copy(struct node *n, const struct node_options *o)
{
	const char **strings[] = {
		&n->options.source, &n->options.elf, &n->options.format, &n->options.record,
		&n->options.report, &n->options.power,
	};
	struct binding *b = &n->binding;
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
	if (!n->options.budget)
		n->options.budget = &n->budget;
	n->options.elfs = NULL;
	n->options.elf_count = 0;
	b->elfs = mem_zalloc((o->elf_count + 1) * sizeof(*b->elfs));
	for (; b->elfs && b->elf_count < o->elf_count; b->elf_count++) {
		b->elfs[b->elf_count] = mem_strdup(o->elfs[b->elf_count]);
		if (!b->elfs[b->elf_count])
			return ERR_NOMEM;
	}
	return b->elfs ? 0 : ERR_NOMEM;
}

/* `hz` as the user gave it; 0: not. */
static int parts_open(struct node *n, double hz, struct err *err)
{
	if (!book_new(n, ""))
		return err_set(err, ERR_NOMEM, "out of memory");
	if (binding_open(n, err) < 0)
		return ERR_FORMAT;
	if (imported_open(n, hz, err) < 0)
		return ERR_FORMAT;
	n->options.link.elf = n->options.elf ? n->options.elf : n->binding.elf_count ?
			      n->binding.elfs[0] : NULL;
	if (metered_speaks(n->options.source))
		return err_set(err, ERR_USAGE, "%s: a power meter; give it with --power, and the "
			       "node with -p", n->options.source);
	if (input_open(&n->inputs[n->input_count++], n, &(struct input_options){
		.source = n->options.source,
		.format = n->imported ? WIRE_IMPORT : n->options.format,
		.record = n->options.record, .rule = n->options.rule,
		.force = n->options.force, .link = n->options.link,
		.carrier = n->options.carrier }, err) < 0)
		return ERR_IO;
	if (swo_open(n, err) < 0 || across_open(n, err) < 0 || log_open(n, err) < 0)
		return ERR_IO;
	return metered_open(n, err);
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
	n->binding.image_ns = clock_now();
	history_budget_init(&n->budget);
	n->options.battery_c = o->battery_c;
	n->options.volts = o->volts;
	energy_begin(n);
	if (options_copy(n, o) < 0)
		err_set(err, ERR_NOMEM, "out of memory");
	else if (parts_open(n, o->hz, err) == 0)
		return n;
	node_free(n);
	return NULL;
}

void node_free(struct node *n)
{
	if (!n)
		return;
	for (size_t i = 0; i < n->input_count; i++)
		input_close(&n->inputs[i]);
	across_release(n);
	books_release(n);
	calls_forget(n);
	seen_forget(n);
	node_once_forget(n);
	binding_close(n);
	energy_end(n);
	metered_release(n);
	node_past_release(n);
	watches_release(n);
	recorded_release(n);
	player_release(n);
	for (size_t i = 0; i < n->stack_count; i++)
		mem_free((void *)n->stacks[i].frames);
	console_release(&n->console);
	mem_free((void *)n->options.source);
	mem_free((void *)n->options.elf);
	mem_free((void *)n->options.format);
	mem_free((void *)n->options.record);
	mem_free((void *)n->options.report);
	mem_free((void *)n->options.power);
	mem_free(n);
}

/* --- the poll loop's side --------------------------------------------------------------------- */

size_t node_poll_fds(const struct node *n, struct pollfd *fds)
{
	int image = n->binding.image ? image_fd(n->binding.image) : -1, once = node_once_fd(n);
	size_t count = 0;

	for (size_t i = 0; i < n->input_count; i++)
		count += input_poll_fd(&n->inputs[i], &fds[count]);
	if (image >= 0)
		fds[count++] = (struct pollfd){ .fd = image, .events = POLLIN };
	if (once >= 0)
		fds[count++] = (struct pollfd){ .fd = once, .events = POLLIN };
	return count;
}

void node_relieve(struct node *n)
{
	for (size_t i = 0; i < n->input_count; i++)
		link_relieve(n->inputs[i].link);
}

int node_timeout(const struct node *n, uint64_t now)
{
	int ms = clock_sooner(binding_timeout(n, now), player_timeout(n, now));

	ms = clock_sooner(ms, axis_timeout(n, now));

	for (size_t i = 0; i < n->input_count; i++)
		ms = clock_sooner(ms, input_timeout(&n->inputs[i], now));
	return ms;
}

unsigned node_service(struct node *n, uint64_t now, size_t budget)
{
	bool seeks = player_hurries(n, now);
	unsigned changes;

	do {
		for (size_t i = 0; i < n->input_count; i++)
			input_service(&n->inputs[i], now, budget);
		across_service(n);
		binding_service(n, now);
	} while (player_hurries(n, now));
	player_service(n, now);
	node_once_service(n, now);
	agreement_update(n);
	changes = n->changes;
	n->changes = 0;
	/* What was news then was said when it was read first, or is no news at that time. */
	return seeks ? changes & ~(unsigned)NODE_NEWS : changes;
}

int node_send(struct node *n, const void *data, size_t count)
{
	return link_send(n->inputs[0].link, data, count);
}

int node_record(struct node *n, const char *path, struct err *err)
{
	char *copy = mem_strdup(path);
	struct record *record;

	if (!copy)
		return err_set(err, ERR_NOMEM, "%s: out of memory", path);
	record = record_new(path, n->options.force, err);
	if (!record || metered_record(n, path, err) < 0) {
		record_free(record);
		mem_free(copy);
		return ERR_IO;
	}
	input_record(&n->inputs[0], record);
	recorded_again(n);
	mem_free((void *)n->options.record);
	n->options.record = copy;
	return 0;
}

bool node_tally(const struct node *n, struct record_tally *t)
{
	if (!n->inputs[0].record)
		return false;
	record_tally(n->inputs[0].record, t);
	return true;
}

int node_save(const struct node *n, const char *path, struct err *err)
{
	struct buf about = BUF_INIT;
	int ret;

	recorded_about(n, &about);
	ret = stream_save(n->inputs[0].stream, path, n->inputs[0].wall_ns, buf_str(&about), err);
	buf_release(&about);
	return ret;
}

void node_mention(struct node *n, bool bad, enum advice advice, const char *line)
{
	struct node_news *news = &n->talk.news;

	news->bad = bad;
	news->advice = advice;
	snprintf(news->text, sizeof(news->text), "%s", line);
	n->changes |= NODE_STATE | NODE_NEWS;
}

void node_say(struct node *n, bool bad, enum advice advice, const char *line)
{
	console_say(&n->console, n->now_ns, line);
	n->changes |= NODE_TEXT;
	node_mention(n, bad, advice, line);
}

/* --- accessors -------------------------------------------------------------------------------- */

const char *node_source(const struct node *n)
{
	return n->name;
}

const char *node_title(const struct node *n)
{
	return n->talk.called[0] ? n->talk.called : n->name;
}

const char *node_called(const struct node *n)
{
	return n->talk.called;
}

const struct node_options *node_options(const struct node *n)
{
	return &n->options;
}

const struct link *node_link(const struct node *n)
{
	return n->inputs[0].link;
}

const char *node_format(const struct node *n)
{
	return n->imported ? n->imported->name : wire_name(n->inputs[0].wire);
}

const char *node_format_note(const struct node *n)
{
	return wire_note(n->inputs[0].wire);
}

bool node_ended(const struct node *n)
{
	return n->inputs[0].ended;
}

bool node_is_recording(const struct node *n)
{
	return n->inputs[0].record != NULL;
}

int node_record_sync(struct node *n)
{
	struct input *in = &n->inputs[0];
	struct err err = { 0 };

	if (!in->record || record_sync(in->record, &err) == 0)
		return 0;
	n->trouble = err;
	record_free(in->record);
	in->record = NULL;
	return ERR_IO;
}

uint64_t node_heard(const struct node *n)
{
	return n->inputs[0].heard_ns;
}

const struct probe *node_search(const struct node *n)
{
	return n->inputs[0].probe;
}

const struct stream *node_stream(const struct node *n)
{
	return n->inputs[0].stream;
}

const struct wire_stats *node_stats(const struct node *n)
{
	return &n->stats;
}

double node_bytes_per_s(const struct node *n)
{
	return n->inputs[0].rate.bytes_per_s;
}

double node_events_per_s(const struct node *n)
{
	return n->inputs[0].rate.events_per_s;
}

unsigned node_reports(const struct node *n)
{
	return n->reports;
}

size_t node_stack_count(const struct node *n)
{
	return n->stack_count;
}

const struct wire_hello *node_hello(const struct node *n)
{
	return n->talk.has_hello ? &n->talk.hello : NULL;
}

const struct wire_identity *node_identity(const struct node *n)
{
	return &n->talk.identity;
}

const struct wire_status *node_status(const struct node *n)
{
	return n->talk.has_status ? &n->talk.status : NULL;
}

unsigned node_epochs(const struct node *n)
{
	return n->talk.epochs;
}

const struct node_news *node_news(const struct node *n)
{
	return &n->talk.news;
}

const struct image *node_image(const struct node *n)
{
	return n->binding.image;
}

const struct image *node_image_refused(const struct node *n)
{
	return n->binding.refused;
}

bool node_image_is_old(const struct node *n)
{
	return n->binding.rebuilt != NULL;
}

bool node_image_is_read(const struct node *n)
{
	return !n->binding.image || image_fd(n->binding.image) < 0;
}

void node_image_wait(struct node *n)
{
	if (n->binding.image)
		image_wait(n->binding.image);
	node_once_wait(n);
}

enum identity_verdict node_verdict(const struct node *n)
{
	return n->binding.verdict;
}

unsigned node_images(const struct node *n)
{
	return n->binding.images;
}

unsigned node_reloads(const struct node *n)
{
	return n->binding.reloads;
}

size_t node_sleepers(const struct node *n, const uint64_t **entries)
{
	*entries = n->binding.sleepers;
	return n->binding.image ? n->binding.sleeper_count : 0;
}

const struct console *node_console(const struct node *n)
{
	return &n->console;
}

const struct health *node_health(const struct node *n)
{
	return &n->health;
}

const struct err *node_trouble(const struct node *n)
{
	return &n->trouble;
}

const struct profile *node_before_image(const struct node *n)
{
	return n->past.before;
}

const struct profile *node_before_reset(const struct node *n)
{
	return n->past.last_run;
}

size_t node_profiles(const struct node *n)
{
	return n->book_count;
}

size_t node_selected(const struct node *n)
{
	return n->selected;
}

void node_select(struct node *n, size_t profile)
{
	if (profile < n->book_count) {
		n->selected = profile;
		n->pinned = true;
	}
}

struct profile *node_profile(const struct node *n)
{
	return n->books[n->selected].profile;
}

struct profile *node_profile_at(const struct node *n, size_t profile)
{
	return profile < n->book_count ? n->books[profile].profile : NULL;
}

const struct history *node_history(const struct node *n)
{
	return n->books[n->selected].history;
}

const struct history *node_history_at(const struct node *n, size_t profile)
{
	return profile < n->book_count ? n->books[profile].history : NULL;
}

bool node_wall(const struct node *n, uint64_t time_ns, uint64_t *wall_ns)
{
	*wall_ns = time_ns + (uint64_t)n->inputs[0].wall_ns;
	return n->inputs[0].wall_known;
}

/* --- for exports ------------------------------------------------------------------------------ */

static bool node_logs(const void *ctx, uint32_t id)
{
	return node_logs_call(ctx, id);
}

static int node_number(const void *ctx, uint32_t id)
{
	return node_handler_number(ctx, id);
}

void node_export_source(struct node *n, struct export_source *s)
{
	struct profile *p = node_profile(n);
	const struct image *refused = n->binding.refused;
	const struct watch_state *watches;
	const struct energy_report *energy;
	size_t watch_count;

	axis_release(n);
	if (profile_compute(p) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: the profile is not up to date");
	energy = node_energy(n);
	agreement_update(n);
	watches = node_watches(n, &watch_count);
	*s = (struct export_source){
		.profile = p, .image = n->binding.image, .node = node_title(n), .source = n->name,
		.refused = refused ? image_path(refused) : NULL,
		.format = node_format(n), .image_match = node_match(n),
		.build_id = n->binding.identity.build_id,
		.build_id_size = n->binding.identity.build_id_size,
		.agreement = node_agreement(n), .stream = n->stats,
		.probe = node_probe(n), .power = node_power(n),
		.hello = node_hello(n), .status = node_status(n), .hooks_share = node_hooks(n),
		.stacks = n->stacks, .stack_count = n->stack_count, .trace = n->calls.trace,
		.logs_call = node_logs, .handler_number = node_number, .logs_ctx = n,
		.worst = node_worst(n), .energy = energy,
		.marks = n->seen.marks, .mark_count = n->seen.mark_count,
		.wall_known = n->inputs[0].wall_known, .wall_ns = n->inputs[0].wall_ns,
		.watches = watches, .watch_count = watch_count,
		.order = { .column = COLUMN_SELF },
	};
	node_meter(n, &s->meter);
	s->logged_count = node_watching_items(n, s->logged);
	s->watching = node_watching(n);
	if (s->hello && s->hello->features & WSN_F_TIMED)
		node_handlers(n, false, s->handlers, sizeof(s->handlers));
}
