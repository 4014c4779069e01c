/* said: the lines below the lanes: facts of the cursor's call, and what the signs mean. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/part/naming.h"
#include "tui/part/table.h"
#include "tui/view/timeline/timeline.h"

/* Words of a line, one behind the other. */
struct said {
	struct grid *grid;
	int x, y;
};

static void said_add(struct said *l, enum role role, const char *text)
{
	if (l->x < l->grid->width)
		l->x += grid_text(l->grid, l->x, l->y, l->grid->width - l->x, role, text);
}

static void said_fact(struct said *l, const char *label, const char *value)
{
	said_add(l, ROLE_LABEL, l->x ? "  " : "");
	said_add(l, ROLE_LABEL, label);
	said_add(l, ROLE_LABEL, *label ? " " : "");
	said_add(l, ROLE_VALUE, value);
}

static const char *duration_text(const struct timeline *t, double ticks, bool exact, char *dst,
				 size_t size)
{
	char text[24];

	text_seconds(text, sizeof(text), timeline_seconds(t, ticks));
	snprintf(dst, size, "%s%s", exact ? "" : "~", text);
	return dst;
}

/* Its name, where it runs, and the calls around it, innermost first. */
static void said_who(const struct timeline *t, const struct view_shared *s, struct said *l)
{
	const struct found_call *f = &t->call;
	char name[32], lane[32], text[64], way[300];

	said_add(l, ROLE_NAME, timeline_name(s, f->call.id, name, sizeof(name)));
	snprintf(text, sizeof(text), "%s, depth %u", timeline_lane(s, t->lane, lane, sizeof(lane)),
		 (unsigned)f->call.depth);
	said_fact(l, "in", text);
	for (uint32_t d = f->call.depth < SCENE_DEPTHS ? f->call.depth : SCENE_DEPTHS; d-- > 0; )
		said_fact(l, d + 1 == f->call.depth ? "from" : "<", naming_short(
			timeline_name(s, f->path[d], name, sizeof(name)), 40, way, sizeof(way)));
}

bool timeline_is_longer(const struct timeline *t)
{
	const struct scene_call *c = &t->call.call;

	return t->has_call && t->usual.ticks > 0 && !c->open && !trace_is_order_only(t->trace) &&
	       c->begin_time != TRACE_TIME_UNKNOWN && c->end_time != TRACE_TIME_UNKNOWN &&
	       (double)(c->end - c->begin) >= TIMELINE_LONGER * t->usual.ticks;
}

static void said_times(const struct timeline *t, struct said *l)
{
	const struct scene_call *c = &t->call.call;
	bool exact = c->begin_time == TRACE_TIME_STAMPED && c->end_time == TRACE_TIME_STAMPED;
	double takes = (double)(c->end - c->begin);
	char text[100], usual[32];

	said_fact(l, "begins", timeline_time(t, c->begin, 6, text, sizeof(text)));
	if (trace_is_order_only(t->trace)) {
		said_fact(l, "", "duration not known: the target tells no clock");
		return;
	}
	if (c->open)
		said_fact(l, t->call.cut ? "takes more than" : "not returned after",
			  duration_text(t, takes, exact, text, sizeof(text)));
	else if (!(takes > 0) && c->end_time == TRACE_TIME_UNKNOWN)
		said_fact(l, "", "duration not known");
	else
		said_fact(l, "takes", duration_text(t, takes, exact, text, sizeof(text)));
	if (!(t->usual.ticks > 0))
		return;
	duration_text(t, t->usual.ticks, exact, usual, sizeof(usual));
	if (timeline_is_longer(t)) {
		snprintf(text, sizeof(text), "  %.3g times its usual %s", takes / t->usual.ticks,
			 usual);
		said_add(l, ROLE_WARNING, text);
	} else {
		said_fact(l, "usual", usual);
	}
	snprintf(text, sizeof(text), "  (median of %s%s%s%s)", t->usual.cut ? "the first " : "",
		 TEXT_WHOLE(t->usual.calls), l->grid->width < 100 ? "" :
		 t->usual.calls == 1 ? " call" : " calls",
		 t->usual.cut ? "" : t->usual_is_wide ? " around it" : " in window");
	said_add(l, ROLE_LABEL, text);
}

static const char *const time_words[] = {
	[TRACE_TIME_UNKNOWN] = "not known", [TRACE_TIME_BETWEEN] = "interpolated",
	[TRACE_TIME_STAMPED] = "stamped",
};

/* The profile's times are without that. */
static void said_struck(const struct timeline *t, struct said *l)
{
	char time[24], text[64];

	if (!t->struck)
		return;
	text_seconds(time, sizeof(time), timeline_seconds(t, (double)t->struck_ticks));
	snprintf(text, sizeof(text), "%s time%s, %s", TEXT_WHOLE(t->struck),
		 t->struck == 1 ? "" : "s", time);
	said_fact(l, "interrupted", l->grid->width < 100 ? time : text);
}

static void said_known(const struct timeline *t, struct said *l)
{
	const struct found_call *f = &t->call;
	char text[100];

	if (f->call.kind == TRACE_BOX) {
		snprintf(text, sizeof(text), "%s calls: counted by the node, not told",
			 TEXT_WHOLE(f->call.count));
		said_add(l, ROLE_WARNING, text);
	} else if (f->call.kind == TRACE_UNKNOWN) {
		said_add(l, ROLE_WARNING, "a lost frame told which call it is");
	} else {
		said_fact(l, "calls in it", TEXT_WHOLE(f->inner));
		said_struck(t, l);
	}
	said_fact(l, "begin", time_words[f->call.begin_time]);
	if (!f->call.open)
		said_fact(l, "end", time_words[f->call.end_time]);
}

/* SWO and probes tell what is watched, handlers and samples: what else was called nobody knows. */
static bool calls_untold(const struct node *n)
{
	struct node_port port;

	return n && (node_tells_some(n) || node_probe(n) || node_port(n, &port));
}

/* Why there is no call under the cursor. */
static void said_nothing(const struct timeline *t, const struct view_shared *s, struct said *l)
{
	const struct scene_call *c = scene_box(&t->scene, t->lane, t->depth, t->at);
	char text[100], lane[32];

	if (!timeline_has_calls(t)) {
		said_add(l, ROLE_LABEL, "no calls told: samples and what is watched alone");
	} else if (t->scene.lanes[t->lane].dense) {
		said_add(l, ROLE_WARNING,
			 "too many calls for boxes: bars are the load; zoom in");
	} else if (c && c->kind == TRACE_LOST) {
		snprintf(text, sizeof(text), "%s frame%s lost: calls are missing here",
			 TEXT_WHOLE(c->count), c->count == 1 ? "" : "s");
		said_add(l, ROLE_BAD, text);
	} else if (c && c->kind == TRACE_AWAY) {
		snprintf(text, sizeof(text), "away: %s runs",
			 timeline_lane(s, c->id, lane, sizeof(lane)));
		said_add(l, ROLE_LABEL, text);
	} else if (c && c->kind == TRACE_GAP) {
		snprintf(text, sizeof(text), "%s calls: counted by the node, not told",
			 TEXT_WHOLE(c->count));
		said_add(l, ROLE_WARNING, text);
	} else if (t->at >= t->scene.lanes[t->lane].told) {
		snprintf(text, sizeof(text), "not told yet: the newest frame of %s is older",
			 timeline_lane(s, t->lane, lane, sizeof(lane)));
		said_add(l, ROLE_LABEL, text);
	} else {
		snprintf(text, sizeof(text), t->depth ? "no call at depth %u in %s" :
			 calls_untold(s->node) && t->lane != TRACE_LANE_HANDLERS ?
			 "none of the calls that are told%.0u in %s" :
			 "idle: no call%.0u in %s", (unsigned)t->depth,
			 timeline_lane(s, t->lane, lane, sizeof(lane)));
		said_add(l, ROLE_LABEL, text);
	}
	said_fact(l, "at", timeline_time(t, t->at, 6, text, sizeof(text)));
}

static void said_note(const struct timeline *t, struct said *l)
{
	char when[48];

	said_add(l, ROLE_NAME, t->note.text);
	said_fact(l, t->note.time_ns ? "arrived at" : "at",
		  timeline_time(t, t->at, 6, when, sizeof(when)));
}

/* To the tick, as the times beside it: "1.999464 s", "1.285 ms". */
static const char *apart_text(const struct timeline *t, uint64_t a, uint64_t b, char *dst,
			      size_t size)
{
	double s = timeline_seconds(t, (double)(a > b ? a - b : b - a));

	if (s >= 1)
		snprintf(dst, size, "%.6f s", s);
	else if (s >= 1e-3)
		snprintf(dst, size, "%.3f ms", 1e3 * s);
	else
		text_seconds(dst, size, s);
	return dst;
}

static void said_mark(const struct timeline *t, struct said *l)
{
	uint64_t at = timeline_cursor_at(t), mark = t->marks[0], begin, end;
	char text[64], when[48], to[48];

	if (timeline_marked(t, &begin, &end)) {
		said_fact(l, "marks at", timeline_time(t, begin, 6, when, sizeof(when)));
		said_fact(l, "and", timeline_time(t, end, 6, to, sizeof(to)));
		said_fact(l, "between them", apart_text(t, end, begin, text, sizeof(text)));
		return;
	}
	if (!t->mark_count)
		return;
	said_fact(l, "mark at", timeline_time(t, mark, 6, when, sizeof(when)));
	said_fact(l, at >= mark ? "cursor behind it by" : "cursor before it by",
		  apart_text(t, at, mark, text, sizeof(text)));
}

/* --- what the signs mean ---------------------------------------------------------------------- */

enum sign {
	SIGN_STAMPED, SIGN_BETWEEN, SIGN_UNKNOWN, SIGN_BEYOND, SIGN_SHORT, SIGN_COUNTED,
	SIGN_CLOSED, SIGN_LOST, SIGN_AWAY, SIGN_IDLE, SIGN_NO_CALL, SIGN_LATER, SIGNS,
};

/* Where there is room, where there is little; the same in ASCII, NULL: no other. */
static const struct {
	const char *wide, *narrow, *plain;
} signs[SIGNS] = {
	[SIGN_STAMPED] = { "[ ] stamped", "[ stamped", NULL },
	[SIGN_BETWEEN] = { "( ) interpolated", "( interpolated", NULL },
	[SIGN_UNKNOWN] = { "~ not known", "~ unknown", NULL },
	[SIGN_BEYOND] = { "< > goes on", "> goes on", NULL },
	[SIGN_SHORT] = { "▃ share of short calls", "▃ short calls", "bars: short calls" },
	[SIGN_COUNTED] = { "=== counted, not told", "= not told", NULL },
	[SIGN_CLOSED] = { "??? a lost frame told it", "?? lost before", NULL },
	[SIGN_LOST] = { "xxx lost", "xx lost", NULL },
	[SIGN_AWAY] = { "--- other task", "- other task", NULL },
	[SIGN_IDLE] = { "· idle", "· idle", ". idle" },
	[SIGN_NO_CALL] = { "· no call told", "· no call", ". no call" },
	[SIGN_LATER] = { "empty: not told yet", "empty: not yet", NULL },
};

static unsigned kind_sign(enum trace_event_kind kind)
{
	return kind == TRACE_LOST ? 1u << SIGN_LOST : kind == TRACE_AWAY ? 1u << SIGN_AWAY :
	       kind == TRACE_UNKNOWN ? 1u << SIGN_CLOSED :
	       kind == TRACE_BOX || kind == TRACE_GAP ? 1u << SIGN_COUNTED : 0;
}

static unsigned time_sign(enum trace_time time)
{
	return time == TRACE_TIME_STAMPED ? 1u << SIGN_STAMPED :
	       time == TRACE_TIME_BETWEEN ? 1u << SIGN_BETWEEN : 1u << SIGN_UNKNOWN;
}

/* Those that the scene has: each 1 << enum sign. */
static unsigned signs_find(const struct timeline *t, bool sampled)
{
	const struct scene *s = &t->scene;
	double column = scene_ticks_per_column(s);
	unsigned has = timeline_has_calls(t) ? 1u << (sampled ? SIGN_NO_CALL : SIGN_IDLE) : 0;

	for (unsigned i = 0; i < TRACE_LANES; i++)
		if (s->lanes[i].used && (double)s->lanes[i].told + column < (double)s->end)
			has |= 1u << SIGN_LATER;
	for (size_t i = 0; i < s->count; i++) {
		const struct scene_call *c = &s->calls[i];

		has |= kind_sign(c->kind);
		if (c->kind == TRACE_LOST || c->kind == TRACE_AWAY)
			continue;
		has |= c->begin < s->begin ? 1u << SIGN_BEYOND : time_sign(c->begin_time);
		has |= c->end > s->end || c->open ? 1u << SIGN_BEYOND : time_sign(c->end_time);
	}
	for (size_t i = 0; i < s->cell_count; i++) {
		has |= s->cells[i].busy ? 1u << SIGN_SHORT : 0;
		for (unsigned k = 0; s->cells[i].kinds >> k; k++)
			has |= s->cells[i].kinds >> k & 1 ? kind_sign(k) : 0;
	}
	return has;
}

static const char *sign_text(enum sign k, bool wide, bool utf8)
{
	return !utf8 && signs[k].plain ? signs[k].plain : wide ? signs[k].wide : signs[k].narrow;
}

static void draw_legend(const struct timeline *t, const struct view_shared *s, struct grid *g)
{
	unsigned has = signs_find(t, calls_untold(s->node));
	char text[300] = "";
	int all = 0;
	bool wide;

	for (enum sign k = 0; k < SIGNS; k++)
		if (has & 1u << k)
			all += text_columns(sign_text(k, true, g->utf8)) + 2;
	wide = all - 2 <= g->width;
	for (enum sign k = 0; k < SIGNS; k++) {
		const char *one = sign_text(k, wide, g->utf8);

		if (has & 1u << k && text_columns(text) + text_columns(one) + 2 <= g->width)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s",
				 *text ? "  " : "", one);
	}
	part_footer(g, t->layout.legend, text, "");
}

void timeline_draw_facts(struct timeline *t, const struct view_shared *s, struct grid *g)
{
	struct said l = { g, 0, t->layout.facts };
	bool call = t->has_call && !timeline_on_notes(t);
	char tracks[400];

	if (timeline_on_notes(t))
		said_note(t, &l);
	else if (call)
		said_who(t, s, &l);
	else
		said_nothing(t, s, &l);
	l = (struct said){ g, 0, t->layout.facts + 1 };
	if (call)
		said_times(t, &l);
	l = (struct said){ g, 0, t->layout.facts + 2 };
	if (call && t->layout.fact_lines > 2)
		said_known(t, &l);
	if (t->layout.fact_lines > 2 && t->scene.track_count) {
		timeline_tracks_text(t, s, tracks, sizeof(tracks));
		said_add(&l, ROLE_VALUE, tracks);
	}
	l = (struct said){ g, 0, t->layout.facts + 3 };
	if (t->layout.fact_lines > 3)
		said_mark(t, &l);
	if (t->layout.legend >= 0)
		draw_legend(t, s, g);
}
