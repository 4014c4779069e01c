#include "tui/view/node/sections.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/node/watched.h"
#include "core/wire/wsn/wsn.h"
#include "tui/part/table.h"
#include "tui/view/node/power.h"

#define MINUTE 60.0
#define BITS_A_BYTE 10			/* on a serial line: start, 8, stop */

/* --- identity --------------------------------------------------------------------------------- */

static const struct { uint16_t feature; const char *words; } features[] = {
	{ WSN_F_SITES, "sites" }, { WSN_F_TIMED, "timed" }, { WSN_F_MINMAX, "min/max" },
	{ WSN_F_HISTOGRAM, "buckets" }, { WSN_F_ARCS, "arcs" }, { WSN_F_PCS, "PC samples" },
	{ WSN_F_ISR, "ISR" },
	{ WSN_F_RECEIVE, "commands" },
};

static void add_features(struct board *b, uint16_t has)
{
	struct board_line *l = board_add(b, BOARD_FACT, "features", ROLE_VALUE, "%s", "");
	size_t used = 0;

	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++)
		if (has & features[i].feature && used < sizeof(l->text))
			used += (size_t)snprintf(l->text + used, sizeof(l->text) - used, "%s%s",
						 used ? ", " : "", features[i].words);
}

static void add_clock(struct board *b, const struct wire_hello *h, double ticks)
{
	char spread[16] = "";

	if (!h->ticks_per_second)
		return;
	board_add(b, BOARD_FACT, "clock", ROLE_VALUE, "%.6g %s, a tick is %s",
		  h->ticks_per_second / (h->ticks_per_second < 1000000 ? 1e3 : 1e6),
		  h->ticks_per_second < 1000000 ? "kHz" : "MHz",
		  text_seconds(spread, sizeof(spread), 1.0 / h->ticks_per_second));
	if (ticks > 0)
		board_add(b, BOARD_FACT, "resolution", ROLE_VALUE, "%s for a single time",
			  text_seconds(spread, sizeof(spread), ticks / h->ticks_per_second));
}

/* The resolution is no promise about them. */
static void add_handlers(struct board *b, const struct node *n)
{
	char names[160];

	if (node_hello(n)->features & WSN_F_TIMED && node_handlers(n, false, names, sizeof(names)))
		board_add(b, BOARD_NOTE, "", ROLE_LABEL,
			  "Max and average include interrupt handlers without hooks: %s.", names);
}

static void add_identity(struct board *b, const struct wire_identity *id)
{
	if (id->kind == WIRE_IDENTITY_SUM)
		board_add(b, BOARD_FACT, "firmware", ROLE_VALUE, "checksum %04x%04x", id->a, id->b);
	else if (id->kind == WIRE_IDENTITY_BUILD_ID)
		board_add(b, BOARD_FACT, "firmware", ROLE_VALUE, "build-id %02x%02x%02x%02x",
			  id->build_id[0], id->build_id[1], id->build_id[2], id->build_id[3]);
}

/* How it is watched, by a probe that leaves the firmware as it is. */
static void add_probe(struct board *b, const struct wire_probe *p, double halted)
{
	char time[24];

	board_add(b, BOARD_FACT, "core", ROLE_VALUE, "%s", p->core[0] ? p->core : "not known");
	if (p->cycles_hz > 0)
		board_add(b, BOARD_FACT, "core clock", ROLE_VALUE, "%.2f MHz, by CYCCNT",
			  p->cycles_hz / 1e6);
	if (p->asked_hz > 0)
		board_add(b, BOARD_FACT, "samples", ROLE_VALUE, "%.0f a second, %.0f asked for",
			  p->reached_hz, p->asked_hz);
	else				/* a recording */
		board_add(b, BOARD_FACT, "samples", ROLE_VALUE, "%.0f a second", p->reached_hz);
	if (p->round_s > 0)
		board_add(b, BOARD_FACT, "answer", ROLE_VALUE, "%s, half of them",
			  text_seconds(time, sizeof(time), p->round_s));
	board_add(b, BOARD_FACT, "halted", halted > 0 ? ROLE_WARNING : ROLE_GOOD,
		  "%.1f %% of the time", 100 * halted);
	if (p->samples)
		board_add(b, BOARD_FACT, "asleep", ROLE_VALUE, "%.1f %% of the samples",
			  100 * (double)p->asleep / (double)p->samples);
	if (p->refused)
		board_add(b, BOARD_FACT, "refused", ROLE_WARNING, "%s sample%s: no PC, not asleep",
			  TEXT_WHOLE(p->refused), p->refused == 1 ? "" : "s");
}

static void section_node(struct board *b, const struct view_shared *s)
{
	const struct node *n = s->node;
	const struct wire_hello *h = node_hello(n);
	/* It tells what a node with the runtime does, in the same records; there is no runtime. */
	bool simulated = strcmp(node_format(n), "sim") == 0;
	char profiling[64];

	board_heading(b, "Node");
	board_add(b, BOARD_FACT, "name", ROLE_VALUE, "%s", node_title(n));
	if (!node_hello(n)) {
		board_add(b, BOARD_FACT, "format", ROLE_VALUE, "%s", node_format(n));
		if (node_probe(n)) {
			add_probe(b, node_probe(n), node_halted(n));
			return;
		}
		if (strcmp(node_format(n), "itm") == 0) {
			section_port(b, n);
			return;
		}
		board_add(b, BOARD_NOTE, "", ROLE_LABEL,
			  "This stream format does not report the node's identity, the use of its "
			  "tables or the cost of profiling.");
		return;
	}
	if (simulated)
		board_add(b, BOARD_FACT, "simulator", ROLE_VALUE, "%s", node_format_note(n));
	else
		board_add(b, BOARD_FACT, "chip", ROLE_VALUE, "%s, wsn version %u",
			  wsn_arch_name(h->arch), h->version);
	if (h->id)
		board_add(b, BOARD_FACT, "id", ROLE_VALUE, "%08" PRIx32, h->id);
	add_identity(b, &h->identity);
	if (!simulated)
		add_features(b, h->features);
	add_clock(b, h, profile_spread(node_profile(n)));
	add_handlers(b, n);
	if (h->hz)
		board_add(b, BOARD_FACT, "samples", ROLE_VALUE, "%u a second", h->hz);
	if (simulated)
		return;
	board_add(b, BOARD_FACT, "profiling",
		  h->features & WSN_F_RUNNING ? ROLE_GOOD : ROLE_WARNING, "%s",
		  keymap_expand(&s->settings->keys, h->features & WSN_F_RUNNING ? "on" :
				"off; {command} starts it", profiling, sizeof(profiling)));
	if (node_epochs(n))
		board_add(b, BOARD_FACT, "restarted", ROLE_WARNING, "%u time%s", node_epochs(n),
			  node_epochs(n) == 1 ? "" : "s");
}

/* How the node's firmware was compared with the ELF. */
static const char *verdict_reason(const struct node *n, bool same)
{
	switch (node_identity(n)->kind) {
	case WIRE_IDENTITY_BUILD_ID:
		return same ? "matches (build-id equal)" : "does not match (different build-id)";
	case WIRE_IDENTITY_BLOCKS:
		return same ? "matches the memory (blocks of code equal)" :
			      "does not match the memory (blocks of code differ)";
	default:
		return same ? "matches the flash (checksum equal)" : "does not match the flash";
	}
}

static void add_verdict(struct board *b, const struct node *n)
{
	double share = node_agreement(n);
	char why[80];

	if (node_verdict(n) == IDENTITY_SAME)
		board_add(b, BOARD_FACT, "match", ROLE_GOOD, "%s", verdict_reason(n, true));
	else if (node_verdict(n) == IDENTITY_OTHER)
		board_add(b, BOARD_FACT, "match", ROLE_BAD, "%s; give the flashed ELF (-e)",
			  verdict_reason(n, false));
	else if (node_verdict(n) == IDENTITY_UNSURE)
		board_add(b, BOARD_FACT, "match", ROLE_WARNING, "not sure: %s",
			  node_doubt(n, why, sizeof(why)));
	else if (isnan(share))
		board_add(b, BOARD_FACT, "match", ROLE_DIM, "not known yet");
	else
		board_add(b, BOARD_FACT, "match", share < 0.9 ? ROLE_BAD : ROLE_GOOD,
			  "%.0f %% of the addresses are valid in it", floor(100 * share));
}

static void section_image(struct board *b, const struct node *n)
{
	const struct image *im = node_image_refused(n) ? node_image_refused(n) : node_image(n);
	char size[32];

	board_heading(b, "Image");
	if (!im) {
		board_add(b, BOARD_NOTE, "", ROLE_WARNING,
			  "None: functions have only addresses. Give the ELF: -e APP.ELF.");
		return;
	}
	board_add(b, BOARD_FACT, "file", ROLE_VALUE, "%s", image_path(im));
	board_add(b, BOARD_FACT, "code", ROLE_VALUE, "%s for %s, %s functions",
		  text_bytes(size, sizeof(size), (double)image_code_size(im)), image_machine(im),
		  TEXT_WHOLE(image_function_count(im)));
	board_add(b, BOARD_FACT, "lines", ROLE_VALUE, "%s",
		  image_state(im) == IMAGE_COMPLETE ? "read" :
		  image_state(im) == IMAGE_SYMBOLS ? "being read" : "none: compile with -g");
	add_verdict(b, n);
	if (node_reloads(n))
		board_add(b, BOARD_FACT, "rebuilt", ROLE_VALUE, "%u time%s; read again",
			  node_reloads(n), node_reloads(n) == 1 ? "" : "s");
	if (*image_note(im))
		board_add(b, BOARD_NOTE, "", ROLE_WARNING, "%s", image_note(im));
}

/* --- where the time goes ---------------------------------------------------------------------- */

static const struct { const char *label, *words; } duties[DUTIES] = {
	[DUTY_HANDLERS] = { "handlers", "interrupt handlers" },
	[DUTY_PROFILED] = { "profiled", "in profiled functions" },
	[DUTY_UNPROFILED] = { "other", "in code without hooks" },
	[DUTY_AWAKE] = { "awake", "in functions, profiled or not" },
	[DUTY_HOOKS] = { "profiling cost", "hooks and runtime" },
	[DUTY_ASLEEP] = { "sleep", "node clock stopped" },
};

/* The functions that halt the processor, and how much of the time that may be sleep. */
static void add_sleepers(struct board *b, const struct node *n, const struct health_sample *s)
{
	const uint64_t *sleepers;
	size_t used = 0, count = node_sleepers(n, &sleepers);
	char names[120] = "";

	for (size_t i = 0; i < count; i++) {
		uint32_t id = image_find(node_image(n), sleepers[i]);

		if (id != IMAGE_NONE && used < sizeof(names) - 1)
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
						 used ? ", " : "",
						 image_function(node_image(n), id)->name);
	}
	if (!used)
		return;
	if (s->of[HEALTH_SLEEP] > 0)
		board_add(b, BOARD_NOTE, "", ROLE_LABEL,
			  "%s halts the processor until an interrupt: if the clock keeps running, "
			  "its %.1f %% above are sleep.", names,
			  100 * s->of[HEALTH_SLEEP] / s->selfs_s);
	else
		board_add(b, BOARD_NOTE, "", ROLE_LABEL,
			  "%s halts the processor until an interrupt: if the clock keeps running, "
			  "this sleep counts as other.", names);
}

/* Until the moment that is shown, frozen or in the past. */
static struct health_sample health_shown(const struct view_shared *s, bool since_start)
{
	const struct health *h = node_health(s->node);
	uint64_t minute = (uint64_t)MINUTE * CLOCK_SECOND, end = s->held_ns;

	if (!end)
		return health_sum(h, since_start ? -1 : MINUTE);
	return health_between(h, since_start || end < minute ? 0 : end - minute, end);
}

static void section_duty(struct board *b, const struct view_shared *shared, bool since_start)
{
	const struct node *n = shared->node;
	struct health_sample s = health_shown(shared, since_start);
	/* That of the time awake is known of now alone. */
	double share[DUTIES], hooks = shared->held_ns ? (double)NAN : node_hooks(n);
	struct board_line *stack;
	char words[64];

	health_duty(&s, share);
	if (isnan(share[0]) && !node_status(n))
		return;
	board_heading(b, since_start ? "Where the time goes, since the start" :
		      "Where the time goes, last minute");
	if (isnan(share[0])) {
		board_add(b, BOARD_NOTE, "", ROLE_LABEL,
			  "Not known: the node has not reported its time since then.");
		return;
	}
	stack = board_add(b, BOARD_STACK, "", ROLE_VALUE, "%s", "");
	stack->count = DUTIES;
	memcpy(stack->parts, share, sizeof(share));
	for (size_t i = 0; i < DUTIES; i++) {
		if (isnan(share[i]) || (i == DUTY_HOOKS && share[i] <= 0))
			continue;
		/* All rows are of all time and add up to it; the cost is of the time awake. */
		if (i == DUTY_HOOKS && fabs(hooks - share[i]) >= 0.0005)
			snprintf(words, sizeof(words), "%.1f %% of time awake",
				 100 * hooks);
		else
			snprintf(words, sizeof(words), "%s", i == DUTY_AWAKE && !node_image(n) ?
				 "in functions; give the ELF (-e)" : duties[i].words);
		board_add(b, BOARD_PART, duties[i].label, ROLE_VALUE, "%5.1f %%  %s",
			  100 * share[i], words)->count = i;
	}
	add_sleepers(b, n, &s);
	if (shared->held_ns)
		board_add(b, BOARD_NOTE, "", ROLE_LABEL,
			  "Until the moment shown. The rest of this view is current.");
}

/* --- the line --------------------------------------------------------------------------------- */

static void fill_points(struct board_line *l, const struct health *h, enum health_figure figure)
{
	size_t all = health_count(h), from = all > BOARD_POINTS ? all - BOARD_POINTS : 0;

	for (size_t i = from; i < all; i++) {
		struct health_sample s = health_sample(h, i);

		l->points[l->count++] =
			(float)(s.wall_s > 0 ? fmax(0, s.of[figure]) / s.wall_s : NAN);
		if (l->points[l->count - 1] > l->max)
			l->max = l->points[l->count - 1];
	}
}

static const struct { const char *label; size_t total; enum health_figure figure; } troubles[] = {
	{ "bad bytes", offsetof(struct wire_stats, bad_bytes), HEALTH_BAD },
	{ "lost", offsetof(struct wire_stats, lost), HEALTH_LOST },
	{ "damaged", offsetof(struct wire_stats, damaged), HEALTH_DAMAGED },
};

static void add_troubles(struct board *b, const struct node *n)
{
	char count[32];

	for (size_t i = 0; i < sizeof(troubles) / sizeof(troubles[0]); i++) {
		uint64_t all = *(const uint64_t *)((const char *)node_stats(n) + troubles[i].total);
		struct board_line *l = board_add(b, all ? BOARD_SPARK : BOARD_FACT,
						 troubles[i].label, all ? ROLE_WARNING : ROLE_VALUE,
						 "%s", text_whole(count, sizeof(count), all));

		l->max = 0;
		if (all)
			fill_points(l, node_health(n), troubles[i].figure);
	}
}

static void add_rate(struct board *b, const struct node *n)
{
	struct health_sample sum = health_sum(node_health(n), -1);
	/* Of a file without times no rate is known. */
	double mean = sum.wall_s > 0 ? sum.of[HEALTH_BYTES] / sum.wall_s : NAN;
	struct board_line *l;
	char rate[32], all[32];
	long baud = link_baud(node_link(n));

	text_bytes(rate, sizeof(rate), node_ended(n) ? mean : node_bytes_per_s(n));
	if (node_ended(n) && isnan(mean)) {
		board_add(b, BOARD_FACT, "rate", ROLE_DIM, "not known: the bytes have no times");
	} else {
		l = board_add(b, BOARD_SPARK, "rate", ROLE_VALUE, "%s/s%s", rate,
			      node_ended(n) ? " on average" : "");
		l->max = 0;
		fill_points(l, node_health(n), HEALTH_BYTES);
	}
	if (baud > 0) {
		double share = node_bytes_per_s(n) * BITS_A_BYTE / (double)baud;

		l = board_add(b, BOARD_BAR, "usage", share > 0.9 ? ROLE_WARNING : ROLE_VALUE,
			      "%.0f %% of %ld baud", 100 * share, baud);
		l->share = share;
	}
	board_add(b, BOARD_FACT, "total", ROLE_VALUE, "%s, %s of it text",
		  text_bytes(all, sizeof(all), (double)node_stats(n)->bytes),
		  text_bytes(rate, sizeof(rate), (double)node_stats(n)->text_bytes));
	board_add(b, BOARD_FACT, "events", ROLE_VALUE, "%s",
		  text_whole(all, sizeof(all), node_stats(n)->events));
}

static const char *file_state(const struct node *n)
{
	struct node_play p = node_play(n, 0);

	switch (p.state) {
	case NODE_PLAY_PAUSED:	return "paused";
	case NODE_PLAY_SEEKS:	return "seeking";
	case NODE_PLAY_FOLLOWS:	return "following: still being recorded";
	case NODE_PLAY_ENDED:	return p.recording ? "end of recording" : "read to its end";
	default:		return "being read";
	}
}

static void section_link(struct board *b, const struct node *n)
{
	static const struct { const char *words; enum role role; } states[] = {
		[LINK_CONNECTING] = { "connecting", ROLE_WARNING }, [LINK_UP] = { "up", ROLE_GOOD },
		[LINK_WAITING] = { "disconnected, waiting", ROLE_WARNING },
		[LINK_ENDED] = { "read to its end", ROLE_GOOD },
	};
	enum link_state state = link_state(node_link(n));
	const char *words = link_is_live(node_link(n)) ? states[state].words : file_state(n);

	board_heading(b, "Link");
	board_add(b, BOARD_FACT, "source", ROLE_VALUE, "%s%s%s (%s)", node_source(n),
		  *link_moved(node_link(n)) ? ", now " : "", link_moved(node_link(n)),
		  link_kind(node_link(n)));
	board_add(b, BOARD_FACT, "state", states[state].role, "%s%s%s", words,
		  *link_why(node_link(n)) ? ": " : "", link_why(node_link(n)));
	if (link_reconnects(node_link(n)))
		board_add(b, BOARD_FACT, "reconnected", ROLE_WARNING, "%u×",
			  link_reconnects(node_link(n)));
	add_rate(b, n);
	add_troubles(b, n);
	if (node_is_recording(n))
		board_add(b, BOARD_FACT, "recording", ROLE_GOOD, "%s", node_options(n)->record);
}

/* --- its tables ------------------------------------------------------------------------------- */

static void add_table(struct board *b, const char *label, size_t used, unsigned max,
		      const char *unit)
{
	struct board_line *l;

	if (!max)
		return;
	l = board_add(b, BOARD_BAR, label, used >= max ? ROLE_WARNING : ROLE_VALUE, "%s of %s %s",
		      TEXT_WHOLE(used), TEXT_WHOLE(max), unit);
	l->share = used < max ? (double)used / max : 1;
}

static void section_tables(struct board *b, const struct node *n)
{
	const struct wire_hello *h = node_hello(n);
	const struct profile *p = node_profile(n);
	size_t rows[TOTAL_PC] = { 0 };
	unsigned max;

	for (size_t i = 0; i < p->site_count; i++)
		rows[p->sites[i].kind == TOTAL_ARC ? TOTAL_ARC : TOTAL_SITE]++;
	if ((!h && !p->terms.max_sites) || strcmp(node_format(n), "sim") == 0)
		return;
	board_heading(b, "Tables of the node");
	max = p->terms.max_sites < UINT16_MAX ? (unsigned)p->terms.max_sites : UINT16_MAX;
	add_table(b, "call sites", rows[TOTAL_SITE], h ? h->max_sites : max, "slots");
	if (!h)
		return;
	if (h->features & WSN_F_ARCS)
		board_add(b, BOARD_FACT, "arcs",
			  2 * rows[TOTAL_ARC] > h->max_arcs ? ROLE_WARNING : ROLE_VALUE,
			  "%s seen, a cache of %s%s", TEXT_WHOLE(rows[TOTAL_ARC]),
			  TEXT_WHOLE(h->max_arcs), 2 * rows[TOTAL_ARC] > h->max_arcs ?
			  "; two to four times the arcs in use is fast" : "");
	if (h->features & WSN_F_PCS)
		board_add(b, BOARD_FACT, "PCs", ROLE_VALUE, "%s seen, a cache of %s",
			  TEXT_WHOLE(p->pc_count), TEXT_WHOLE(h->max_pcs));
	if (h->max_stack) {
		bool full = node_status(n) && node_status(n)->stack_full;

		board_add(b, BOARD_FACT, "call stack", full ? ROLE_WARNING : ROLE_VALUE,
			  "%u levels%s", h->max_stack,
			  full ? ": too small" : ", never full");
	}
}

/* --- cost, missing data ----------------------------------------------------------------------- */

static void section_cost(struct board *b, const struct node *n)
{
	const struct wire_hello *h = node_hello(n);
	double hooks = node_hooks(n);
	struct board_line *l;
	char text[16];

	if (!node_hello(n) || !h->ticks_per_second || h->cost <= 0)
		return;
	board_heading(b, "Profiling cost");
	if (!isnan(hooks)) {
		l = board_add(b, BOARD_BAR, "share", hooks > 0.5 ? ROLE_WARNING : ROLE_VALUE,
			      "%.1f %% of time awake", 100 * hooks);
		l->share = hooks;
	}
	board_add(b, BOARD_FACT, "per call", ROLE_VALUE, "%s, %.3g ticks%s",
		  text_seconds(text, sizeof(text), h->cost / h->ticks_per_second), h->cost,
		  h->features & WSN_F_TAKEN_BACK ? "; subtracted" :
		  h->features & WSN_F_TIMED ? "; within the times" : "");
	l = board_add(b, BOARD_SPARK, "calls", ROLE_VALUE, "%s/s",
		      text_count(text, sizeof(text), node_profile(n)->rate_calls));
	l->max = 0;
	fill_points(l, node_health(n), HEALTH_CALLS);
	if (isnan(node_profile(n)->rate_calls))
		snprintf(l->text, sizeof(l->text), "-");
}

static void section_missing(struct board *b, const struct node *n)
{
	const struct profile *p = node_profile(n);
	size_t before;
	char text[200];

	board_heading(b, "Missing data");
	before = b->count;
	for (const struct loss *l = losses; node_status(n) && l->name; l++) {
		if (!loss_count(l, node_status(n)))
			continue;
		loss_say(l, node_status(n), text, sizeof(text));
		board_add(b, BOARD_NOTE, "", l->missing ? ROLE_WARNING : ROLE_VALUE, "%s", text);
	}
	if (!node_status(n) && p->terms.table_full)
		board_add(b, BOARD_NOTE, "", ROLE_WARNING,
			  "The node's table is full: call sites may be missing. Build with a "
			  "larger table.");
	if (p->terms.incomplete)
		board_add(b, BOARD_NOTE, "", ROLE_WARNING, "The newest report was cut short.");
	if (p->dropped)
		board_add(b, BOARD_NOTE, "", ROLE_WARNING,
			  "%s events were not counted: wsntop is out of memory.",
			  text_whole(text, sizeof(text), p->dropped));
	if (node_console(n)->dropped)
		board_add(b, BOARD_NOTE, "", ROLE_LABEL,
			  "%s old console lines are no longer kept.",
			  text_whole(text, sizeof(text), node_console(n)->dropped));
	if (err_is_set(node_trouble(n)))
		board_add(b, BOARD_NOTE, "", ROLE_BAD, "%s", node_trouble(n)->text);
	if (b->count == before)
		board_add(b, BOARD_FACT, "", ROLE_GOOD, "%s", node_status(n) ?
			  "nothing reported by the node or the link" : "nothing known");
}

/* --- the past --------------------------------------------------------------------------------- */

static void add_room(struct board *b, const char *label, uint64_t bytes, size_t most)
{
	struct board_line *l;
	char size[32], limit[32];

	l = board_add(b, BOARD_BAR, label, ROLE_VALUE, "%s of %s",
		      text_bytes(size, sizeof(size), (double)bytes),
		      text_bytes(limit, sizeof(limit), most));
	l->share = bytes < most ? (double)bytes / most : 1;
}

/* Only where a history is kept. */
static void section_past(struct board *b, const struct view_shared *s)
{
	const struct node *n = s->node;
	const struct history *h = node_history(n);
	const struct stream *kept = node_stream(n);
	struct history_moment first, last;
	char text[32], note[120];

	if (!h || !kept || !history_moment(h, 0, &first) ||
	    !history_moment(h, history_count(h) - 1, &last))
		return;
	board_heading(b, "History in memory");
	board_add(b, BOARD_FACT, "moments", ROLE_VALUE, "%s, over %s",
		  TEXT_WHOLE(history_count(h)),
		  text_span(text, sizeof(text), last.time_ns - first.time_ns + first.length_ns));
	add_room(b, "memory", history_memory(h), history_room(h));
	add_room(b, "raw bytes", stream_kept(kept), stream_room(kept));
	if (stream_dropped(kept))
		board_add(b, BOARD_NOTE, "", ROLE_LABEL, "%s",
			  keymap_print(&s->settings->keys, note, sizeof(note), "The first %s "
				       "received are no longer kept: {save} cannot write them.",
				       text_bytes(text, sizeof(text),
						  (double)stream_dropped(kept))));
}

/* --- all of them ------------------------------------------------------------------------------ */

void sections_add(struct board *b, const struct view_shared *s, bool since_start)
{
	section_node(b, s);
	section_power(b, s);
	section_duty(b, s, since_start);
	section_link(b, s->node);
	section_cost(b, s->node);
	sections_add_watching(b, s);
	section_stack(b, s->node);
	section_tables(b, s->node);
	section_missing(b, s->node);
	section_executions(b, s);
	section_image(b, s->node);
	section_past(b, s);
}
