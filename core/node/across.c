/*
 * across: what is watched by two ways at one target. The node's own source goes first (SWO's
 * comparators, reads by OpenOCD's Tcl server): it halts nothing. What that refuses goes to a gdb
 * server, as watchpoints or breakpoints with a stop each, where the user named one behind the
 * source (&stops=gdb:HOST:PORT): naming it allows the stops.
 *
 * The chip has one set of comparators. SWO's set-up takes the highest, servers that were looked at
 * (OpenOCD 0.12) the lowest free by their own account: of those that are left they get no more.
 */
#include "core/node/parts.h"

#include <stdio.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/mem.h"
#include "core/link/record.h"
#include "core/link/source.h"

enum { PIN_BITS = 10 };			/* a byte on SWO's pin */

static bool server_named(const struct node *n, char *dst, size_t size)
{
	const char *then = recorded_source(&n->inputs[0]);

	return source_option(n->options.source, "stops", dst, size) ||
	       (then && source_option(then, "stops", dst, size));
}

bool across_named(const struct node *n)
{
	char server[160];

	return server_named(n, server, sizeof(server));
}

static struct input *across_second(struct node *n)
{
	return n->across.replay ? n->across.told : &n->inputs[n->across.input];
}

static int told_open(struct node *n, struct err *err)
{
	n->across.told = mem_zalloc(sizeof(*n->across.told));
	if (!n->across.told || input_open_told(n->across.told, n, "gdb", err) < 0)
		return err_set(err, ERR_NOMEM, "out of memory");
	n->across.replay = true;
	n->across.input = SIZE_MAX;	/* none of the node's */
	return 0;
}

void across_release(struct node *n)
{
	if (n->across.told)
		wire_free(n->across.told->wire);
	mem_free(n->across.told);
}

/*
 * Of a recording nothing can be stopped: what was told then is in it. In one that does not say what
 * it is of the option tells how the comparators were shared.
 */
int across_open(struct node *n, struct err *err)
{
	bool live = link_is_live(n->inputs[0].link);
	char server[160];

	if (n->across.input || !server_named(n, server, sizeof(server)) ||
	    (!live && !recorded_source(&n->inputs[0])))
		return 0;
	if (!live)
		return told_open(n, err);
	if (strncmp(server, "gdb:", 4) != 0)
		return err_set(err, ERR_USAGE, "stops=%s: expected stops=gdb:[HOST:PORT], a gdb "
			       "server that may stop the target", server);
	n->across.input = n->input_count;
	return input_open(&n->inputs[n->input_count++], n, &(struct input_options){
		.source = server, .format = "gdb", .watch_alone = true,
		.link = n->options.link }, err);
}

bool across_is(const struct input *in)
{
	return in->node->across.input && in == across_second(in->node);
}

/* --- who watches what ------------------------------------------------------------------------- */

static const struct wire_watched *watched_find(const struct wire_watching *w, uint32_t note)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->of[i].note == note)
			return &w->of[i];
	return NULL;
}

static int comparators_ours(const struct wire_watching *w)
{
	int count = 0;

	for (size_t i = 0; i < w->count; i++)
		count += w->of[i].way == WATCHED_COMPARATOR;
	return count;
}

/* Refused without a stop; and there may be a comparator for it. */
static bool point_goes_over(const struct node *n, const struct wire_watchpoint *p, int used)
{
	const struct wire_watching *first = &n->across.first;
	const struct wire_watched *w = watched_find(first, p->note);

	if (!w || w->way != WATCHED_NOT)
		return false;
	return p->kind != WATCH_VALUE || first->comparators < 0 ||
	       comparators_ours(first) + used < first->comparators;
}

static size_t points_choose(const struct node *n, struct wire_watchpoint *points)
{
	size_t count = 0;
	int used = 0;

	for (size_t i = 0; i < n->log.given_count; i++) {
		const struct wire_watchpoint *p = &n->log.points[i];

		if (!point_goes_over(n, p, used))
			continue;
		points[count++] = *p;
		used += p->kind == WATCH_VALUE;
	}
	return count;
}

static bool points_same(const struct node_across *a, const struct wire_watchpoint *points,
			size_t count)
{
	if (a->again || count != a->count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (points[i].note != a->points[i].note)
			return false;
	return true;
}

static void points_share(struct node *n)
{
	struct node_across *a = &n->across;
	struct wire_watchpoint points[WIRE_WATCHES];
	size_t count = points_choose(n, points);

	if (points_same(a, points, count))
		return;
	a->again = false;
	memcpy(a->points, points, count * sizeof(*points));
	a->count = count;
	wire_watch(across_second(n)->wire, a->points, a->count);
}

void across_points(struct node *n)
{
	for (size_t i = 0; i < n->input_count; i++)
		if (!n->across.input || i != n->across.input)
			wire_watch(n->inputs[i].wire, n->log.points, n->log.given_count);
	n->across.again = n->across.due = true;
}

/* --- how it goes ------------------------------------------------------------------------------ */

/* The way that has it; where both refuse, why the second does. */
static struct wire_watched watched_join(const struct node_across *a, uint32_t note)
{
	const struct wire_watched *first = watched_find(&a->first, note);
	const struct wire_watched *stops = watched_find(&a->stops, note);
	struct wire_watched w = { .note = note, .way = WATCHED_WAITS };
	bool over = a->replay;	/* what is refused there was told by the second */

	for (size_t i = 0; i < a->count; i++)
		over |= a->points[i].note == note;
	if (first && (first->way != WATCHED_NOT || !over))
		return *first;
	if (stops && (first || a->replay))
		w = *stops;
	if (!a->up && !a->replay && w.way != WATCHED_NOT)
		w.way = WATCHED_WAITS;
	return w;
}

static void watching_join(struct node *n)
{
	struct node_across *a = &n->across;
	struct wire_watching w = a->stops;
	int ours = comparators_ours(&a->first), others = a->first.comparators_used - ours;

	w.count = n->log.given_count;
	for (size_t i = 0; i < w.count; i++)
		w.of[i] = watched_join(a, n->log.points[i].note);
	if (!a->stops_told)
		w.breakpoints = w.breakpoints_used = w.comparators = -1;
	if (a->first.comparators >= 0) {
		w.comparators = a->first.comparators;
		w.comparators_used = ours + (others > a->stops.comparators_used ? others :
					     a->stops.comparators_used);
	}
	w.apart_s = a->count || a->replay ? axis_apart(n) : 0;
	log_watching(n, &w);
}

bool across_watching(struct input *in, const struct wire_watching *watching)
{
	struct node_across *a = &in->node->across;

	if (!a->input)
		return false;
	if (across_is(in)) {
		a->stops = *watching;
		a->stops_told = true;
	} else {
		a->first = *watching;
		a->due = true;
	}
	watching_join(in->node);
	return true;
}

void across_first(struct node *n, const struct wire_watching *watching)
{
	n->across.first = *watching;
	n->across.due = true;
	if (n->across.input)
		watching_join(n);
	else
		log_watching(n, watching);
}

/* --- its recording ---------------------------------------------------------------------------- */

void across_record(struct node *n, const uint8_t *told, size_t count)
{
	struct input *first = &n->inputs[0];
	struct err err = { 0 };

	if (!first->record || (recorded_write(first, &err) >= 0 &&
			       record_beside(first->record, n->arrival_ns, told, count, &err) >= 0))
		return;
	n->trouble = err;
	record_free(first->record);
	first->record = NULL;
}

/* As it came then: between the same bytes of the first way, and at the same times. */
bool across_replay(struct input *in, const uint8_t *told, size_t count)
{
	struct node *n = in->node;

	if (!input_is_first(in) || link_is_live(in->link))
		return false;
	if (n->across.input)
		axis_catch_up(n, n->now_ns);
	if (!link_beside(in->link))
		return false;
	n->arrival_ns = n->now_ns;
	if (n->across.input)
		wire_feed(n->across.told->wire, told, count);
	across_record(n, told, count);
	return true;
}

void across_again(struct node *n)
{
	n->across.axis = (struct node_axis){ .seeing = n->across.axis.seeing };
	n->across.first_seeing = (struct wire_seeing){ .ticks_per_second = 0 };
}

/* What the pin carries of what it could. */
static void pin_note(struct node *n)
{
	const struct wire_setup *s = &n->seen.swo.setup;
	const struct input_rate *r = &n->inputs[0].rate;
	struct wire_watching *w = &n->log.watching;

	if (!n->log.told || !n->seen.swo.input || !(s->baud > 0))
		return;
	w->packets_s = r->events_per_s;
	w->pin_share = r->bytes_per_s * PIN_BITS / s->baud;
}

void across_service(struct node *n)
{
	struct node_across *a = &n->across;
	bool up;

	pin_note(n);
	if (!a->input)
		return;
	up = !a->replay && link_state(n->inputs[a->input].link) == LINK_UP;
	if (a->due)
		points_share(n);
	if (a->due || up != a->up) {
		a->up = up;
		watching_join(n);
	}
	a->due = false;
	axis_service(n);
}

/* --- in words --------------------------------------------------------------------------------- */

/* A source that halts nothing: what it cannot do, a gdb server could. */
enum wire_watch_refusal across_refusal(const struct node *n, enum wire_watch_refusal why)
{
	bool may = strncmp(n->options.source, "swo:", 4) == 0 ||
		   strncmp(n->options.source, "openocd:", 8) == 0;

	if (why != REFUSED_KIND || !may || n->across.input || !link_is_live(n->inputs[0].link))
		return why;
	return REFUSED_ALONE;
}

bool across_warning(const struct node *n, char *dst, size_t size)
{
	const struct node_across *a = &n->across;
	const struct link *l = a->input && !a->replay ? n->inputs[a->input].link : NULL;

	if (!l || !a->count || link_state(l) == LINK_UP || !link_why(l)[0])
		return false;
	snprintf(dst, size, "what is watched with stops waits for %s: %s", link_name(l),
		 link_why(l));
	return true;
}

/* A letter for each; false: of some it is not known yet. Those that will be stops are known. */
static bool ways_known(const struct node *n, char *ways)
{
	const struct node_across *a = &n->across;

	for (size_t i = 0; i < n->log.count; i++) {
		const struct node_logged *l = &n->log.of[i];
		bool over = a->input && watched_find(&a->stops, l->point.note);

		if (!l->wrong[0] && l->way == WATCHED_WAITS &&
		    !(over && n->log.watching.stop_about_s > 0))
			return false;
		ways[i] = (char)('a' + (over ? (int)WATCHED_STOPS : (int)l->way));
	}
	return true;
}

void across_plan_add(struct node *n, struct buf *line)
{
	struct watching_item items[WIRE_WATCHES];
	char ways[WIRE_WATCHES + 1] = "";

	if ((!n->seen.swo.input && !n->across.input) || !n->log.count || !ways_known(n, ways) ||
	    strcmp(ways, n->across.said) == 0)
		return;
	memcpy(n->across.said, ways, sizeof(ways));
	watching_plan_add(line, items, node_watching_items(n, items), &n->log.watching);
}
