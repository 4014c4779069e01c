/* look: searches of the time line, which go on between two keys until they are done; times. */
#include <math.h>
#include <stdio.h>

#include "core/base/mem.h"
#include "core/base/moment.h"
#include "tui/part/table.h"
#include "tui/view/timeline/timeline.h"

enum { STEPS = 4 };		/* of a search, between two looks at the keys */

static struct view_reply look_end(struct timeline *t)
{
	struct timeline_look *l = &t->look;
	bool skipped = l->search.skipped;

	if (skipped)
		return view_say("none found; some calls were too many to look into");
	return l->by_name ? view_no_match() : view_say(l->none);
}

static struct view_reply look_found(struct timeline *t, struct view_shared *s)
{
	const struct scene_call *c = &t->look.search.found;

	t->lane = c->lane;
	t->depth = c->depth;
	t->at = c->begin;
	t->follow = false;
	timeline_window_to_cursor(t);
	return timeline_select(t, s);
}

/* By name it goes on at the other end. */
static bool look_wraps(struct timeline *t)
{
	struct timeline_look *l = &t->look;
	struct search_wanted w = l->search.wanted;

	if (!l->by_name || l->wrapped)
		return false;
	l->wrapped = true;
	w.ticks = w.backwards ? t->last + 1 : 0;
	search_begin(&l->search, &w);
	return true;
}

/* A few steps: most searches end with them, before another key comes. */
static struct view_reply look_step(struct timeline *t, struct view_shared *s)
{
	struct timeline_look *l = &t->look;
	struct view_reply reply = view_done();
	int share;

	for (unsigned i = 0; i < STEPS; i++) {
		enum search_state state = search_step(&l->search, t->trace);

		if (state == SEARCH_FOUND)
			return look_found(t, s);
		if (state == SEARCH_NONE && !look_wraps(t))
			return look_end(t);
	}
	share = (int)(100 * search_share(&l->search, t->trace));
	reply.more = true;
	if (share == l->share)
		return reply;
	l->share = share;
	snprintf(l->text, sizeof(l->text), "searching%s: %d %%; {cancel} stops",
		 l->wrapped ? " from the other end" : "", share);
	reply.say = l->text;
	return reply;
}

static struct view_reply look_begin(struct timeline *t, struct view_shared *s, bool backwards,
				    uint64_t least)
{
	struct timeline_look *l = &t->look;

	search_begin(&l->search, &(struct search_wanted){
		.ids = l->ids, .id_count = l->id_count, .least = least, .backwards = backwards,
		.ticks = t->has_call ? t->call.call.begin : t->at, .lane = t->lane,
		.depth = t->depth,
	});
	l->wrapped = false;
	l->share = 0;
	return look_step(t, s);
}

/* --- what is looked for ----------------------------------------------------------------------- */

static bool ids_begin(struct timeline *t, size_t count)
{
	struct timeline_look *l = &t->look;

	mem_free(l->ids);
	l->ids = mem_zalloc(count);
	l->id_count = l->ids ? count : 0;
	return l->ids;
}

static struct view_reply name_look(struct timeline *t, struct view_shared *s, bool backwards)
{
	struct timeline_look *l = &t->look;
	char text[32];

	if (!ids_begin(t, (size_t)trace_last_id(t->trace) + 1))
		return view_error("out of memory");
	for (uint32_t id = 1; id < l->id_count; id++)
		l->ids[id] = part_matches(s, timeline_name(s, id, text, sizeof(text)));
	l->by_name = true;
	return look_begin(t, s, backwards, 0);
}

static struct view_reply function_look(struct timeline *t, struct view_shared *s, bool backwards,
				       uint64_t least, const char *none)
{
	uint32_t id = t->call.call.id;

	if (!ids_begin(t, (size_t)id + 1))
		return view_error("out of memory");
	t->look.ids[id] = 1;
	t->look.by_name = false;
	t->look.none = none;
	return look_begin(t, s, backwards, least);
}

static struct view_reply longer_look(struct timeline *t, struct view_shared *s)
{
	if (!t->has_call || !(t->usual.ticks > 0))
		return view_say("no call under the cursor whose usual duration is known");
	return function_look(t, s, false, (uint64_t)ceil(t->usual.ticks * TIMELINE_LONGER),
			     "no later call of this function takes 1.5 times its usual");
}

struct view_reply timeline_look(struct timeline *t, struct view_shared *s, enum action a)
{
	bool backwards = a == ACTION_SEARCH_PREVIOUS;

	if (a == ACTION_NONE)
		return t->look.id_count ? look_step(t, s) : view_done();
	if (a == ACTION_LONGER_NEXT)
		return longer_look(t, s);
	if (s->search)
		return name_look(t, s, backwards);
	if (!t->has_call)
		return view_say("no call under the cursor");
	return function_look(t, s, backwards, 0, backwards ?
			     "no call of this function before it" :
			     "no call of this function behind it");
}

void timeline_look_release(struct timeline *t)
{
	mem_free(t->look.ids);
	t->look = (struct timeline_look){ .ids = NULL };
}

/* --- a time ----------------------------------------------------------------------------------- */

/* Of the trace, in ns since its begin; of the day, if that is known. */
struct view_reply timeline_go_to(struct view *v, struct view_shared *s, const struct moment *m)
{
	struct timeline *t = (struct timeline *)v;
	struct moment_span span = { .whole = true };
	uint64_t arrival, wall, ns;
	enum moment_found found;

	if (!timeline_ready(t, s))
		return view_done();
	span.end = (uint64_t)(timeline_seconds(t, (double)(t->last - t->first)) * 1e9);
	span.at = (uint64_t)(timeline_seconds(t, (double)(t->at - t->first)) * 1e9);
	span.wall_known = node_trace_arrival(s->node, t->first, &arrival) &&
			  node_wall(s->node, arrival, &wall);
	span.wall = span.wall_known ? (int64_t)wall : 0;
	found = moment_find(m, &span, &ns);
	t->at = t->first + (uint64_t)((double)ns / 1e9 * t->rate);
	t->at = t->at < t->last ? t->at : t->last - (t->last > t->first);
	t->follow = false;
	timeline_window(t, t->at > t->span / 2 ? t->at - t->span / 2 : 0, t->span);
	timeline_select(t, s);
	return found == MOMENT_BEFORE ? view_say("begin of the trace") :
	       found == MOMENT_BEHIND ? view_say("end of the trace") : view_redraw();
}
