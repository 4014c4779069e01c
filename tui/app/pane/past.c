#include "tui/app/pane/past.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/profile/raw/copy.h"

void past_release(struct past *p)
{
	profile_drop(p->own);
	*p = (struct past){ 0 };
}

const struct history *past_history(const struct past *p, const struct node *n)
{
	bool own = p->held && p->which < node_profiles(n);
	const struct history *h = own ? node_history_at(n, p->which) : node_history(n);

	return h && history_count(h) ? h : NULL;
}

const struct history *past_whole(const struct past *p, const struct node *n)
{
	const struct history *h = node_can_seek(n) ? node_history_whole(n) : past_history(p, n);

	return h && history_count(h) ? h : NULL;
}

bool past_shown(const struct past *p, const struct node *n, uint64_t *at_ns)
{
	struct node_play play;

	*at_ns = p->at_ns;
	if (p->held || !node_can_seek(n))
		return p->held;
	play = node_play(n, clock_now());
	*at_ns = play.state == NODE_PLAY_SEEKS ? play.goal_ns : play.at_ns;
	return play.state != NODE_PLAY_ENDED && play.state != NODE_PLAY_FOLLOWS;
}

/* --- which stretch ---------------------------------------------------------------------------- */

/* As many moments before `to` as make up the interval, or nearly. */
static size_t interval_start(const struct history *h, size_t to, double interval)
{
	size_t from = to - 1, least = history_start(h, from);
	struct history_moment m;
	double length = 0;

	for (size_t i = to; i-- > least;) {
		history_moment(h, i, &m);
		if (i + 1 < to && length + (double)m.length_ns / 2e9 > interval)
			break;
		length += (double)m.length_ns / 1e9;
		from = i;
	}
	return from;
}

static void window_ends(const struct past *p, struct past_stretch *s)
{
	size_t other = history_find(s->history, p->from_ns), last = s->to - 1;

	s->from = other < last ? other : last;
	s->to = (other > last ? other : last) + 1;
}

static void say_times(struct past_stretch *s)
{
	struct history_moment m;

	history_moment(s->history, s->from, &m);
	s->begin_ns = m.time_ns - (m.length_ns < m.time_ns ? m.length_ns : m.time_ns);
	history_moment(s->history, s->to - 1, &m);
	s->end_ns = m.time_ns;
}

struct past_stretch past_stretch(const struct past *p, const struct node *n, enum view_span span,
				 double interval, bool flat)
{
	struct past_stretch s = { .history = past_history(p, n) };

	if (!s.history)
		return s;
	s.to = p->held ? history_find(s.history, p->at_ns) + 1 : history_count(s.history);
	if (p->held && p->window != PAST_WINDOW_NONE)
		window_ends(p, &s);
	else if (span == SPAN_INTERVAL)
		s.from = interval_start(s.history, s.to, interval);
	else
		s.from = history_start(s.history, s.to - 1);
	s.peaks = span == SPAN_PEAK && flat && p->window == PAST_WINDOW_NONE && !p->exact;
	say_times(&s);
	return s;
}

void past_since(struct past_stretch *s, uint64_t mark_ns)
{
	size_t from = s->history ? history_find(s->history, mark_ns) + 1 : 0;

	if (!s->history || from >= s->to)
		return;
	if (from > s->from)
		s->from = from;
	s->marked = true;
	say_times(s);
}

/* --- its profile ------------------------------------------------------------------------------ */

static bool is_same(const struct past *p, const struct past_stretch *s)
{
	if (!p->own || p->of != s->history || p->peaks != s->peaks)
		return false;
	return s->peaks ? p->serial == history_serial(s->history) :
	       p->begin_ns == s->begin_ns && p->end_ns == s->end_ns;
}

static bool profile_make(struct past *p, const struct node *n, const struct past_stretch *s)
{
	struct profile *fresh = s->peaks ? history_peaks(s->history, NULL) :
				history_window(s->history, s->from, s->to, NULL);

	if (!fresh)
		return false;
	profile_drop(p->own);
	p->own = fresh;
	p->of = s->history;
	p->begin_ns = s->begin_ns;
	p->end_ns = s->end_ns;
	p->serial = history_serial(s->history);
	p->peaks = s->peaks;
	p->images = node_images(n);
	return true;
}

/* Nothing but the profile as it is counted. */
static bool shows_live(const struct past *p, const struct past_stretch *s, enum view_span span)
{
	return !s->history ||
	       (!p->held && !s->peaks && !s->marked && span != SPAN_INTERVAL);
}

const struct profile *past_profile(struct past *p, const struct node *n,
				   const struct past_stretch *s, enum view_span span, bool behind,
				   bool *changed)
{
	struct profile *live = node_profile(n);

	*changed = false;
	if (p->held && p->exact)
		return p->own;
	if (!shows_live(p, s, span)) {
		if (!is_same(p, s))
			*changed = profile_make(p, n, s);
		if (p->own)
			return p->own;
	}
	if (p->own) {
		profile_drop(p->own);
		p->own = NULL;
		behind = true;
	}
	*changed = behind;
	return !behind || profile_compute(live) == 0 ? live : NULL;
}

void past_image(struct past *p, const struct node *n)
{
	if (p->own && p->images != node_images(n)) {
		profile_forget_image(p->own);
		p->of = NULL;		/* others may name it now */
	}
	p->images = node_images(n);
}

void past_again(struct past *p)
{
	profile_drop(p->own);
	p->own = NULL;
	p->of = NULL;
}

/* --- held, live ------------------------------------------------------------------------------- */

static void begin_hold(struct past *p, const struct node *n)
{
	if (!p->held)
		p->which = node_selected(n);
	p->held = true;
}

int past_freeze(struct past *p, const struct node *n, struct err *err)
{
	const struct history *h = past_history(p, n);
	struct history_moment m = { 0 };

	if (!p->own) {
		struct profile *live = node_profile(n);

		profile_compute(live);
		p->own = profile_copy(live);
	}
	if (!p->own)
		return err_set(err, ERR_NOMEM, "out of memory: not frozen");
	if (h)
		history_moment(h, history_count(h) - 1, &m);
	begin_hold(p, n);
	p->of = NULL;
	p->exact = true;
	p->window = PAST_WINDOW_NONE;
	p->at_ns = m.time_ns;
	return 0;
}

void past_hold(struct past *p, const struct node *n, uint64_t at_ns)
{
	begin_hold(p, n);
	p->exact = false;
	p->at_ns = at_ns;
}

void past_live(struct past *p)
{
	profile_drop(p->own);
	*p = (struct past){ 0 };
}

/* --- words ------------------------------------------------------------------------------------ */

/* "1/4x", "8x", "1.5x", "max" */
const char *past_speed(double speed, char *dst, size_t size)
{
	double parts = speed > 0 ? 1 / speed : 0;

	if (speed <= 0)
		snprintf(dst, size, "max");
	else if (speed < 1 && parts < 1000 && fabs(parts - floor(parts + 0.5)) < 1e-9)
		snprintf(dst, size, "1/%.0fx", parts);
	else
		snprintf(dst, size, "%.4gx", speed);
	return dst;
}

/* "2:10", "1:02:10", "3 d 4 h"; "30 s" */
static const char *ago_text(uint64_t ns, char *dst, size_t size)
{
	return text_span(dst, size, ns + CLOCK_SECOND / 2);	/* to the nearest second */
}

const char *past_length(uint64_t ns, char *dst, size_t size)
{
	double s = (double)ns / 1e9;

	if (s >= 99.5)
		return ago_text(ns, dst, size);
	snprintf(dst, size, s < 9.95 && (int)(s * 10 + 0.5) % 10 ? "%.1f s" : "%.0f s", s);
	return dst;
}

const char *past_clock(const struct node *n, const struct history *h, uint64_t time_ns, char *dst,
		       size_t size)
{
	struct history_moment first = { 0 };
	uint64_t wall;

	if (node_wall(n, time_ns, &wall) && *text_wall(dst, size, wall))
		return dst;
	if (h && history_moment(h, 0, &first))
		first.time_ns -= first.length_ns < first.time_ns ? first.length_ns : 0;
	return ago_text(time_ns > first.time_ns ? time_ns - first.time_ns : 0, dst, size);
}

static void words_of_window(const struct node *n, const struct past_stretch *s, int width,
			    char *dst, size_t size)
{
	char from[24], to[24], length[24];

	past_clock(n, s->history, s->begin_ns, from, sizeof(from));
	past_clock(n, s->history, s->end_ns, to, sizeof(to));
	past_length(s->end_ns - s->begin_ns, length, sizeof(length));
	snprintf(dst, size, "window %s-%s (%s)", from, to, length);
	if (text_columns(dst) > width)
		snprintf(dst, size, "%s-%s %s", from, to, length);
	if (text_columns(dst) > width)
		snprintf(dst, size, "window of %s", length);
}

/* "12:03:41", with the stretch's length in front of it where that is asked for. */
static void name_of_moment(const struct past *p, const struct node *n, const struct past_stretch *s,
			   bool with_length, char *dst, size_t size)
{
	char at[24], length[24];

	past_clock(n, s->history, s->end_ns, at, sizeof(at));
	past_length(s->end_ns - s->begin_ns, length, sizeof(length));
	if (p->exact)
		snprintf(dst, size, "frozen %s", at);
	else if (with_length)
		snprintf(dst, size, "%s to %s", length, at);
	else
		snprintf(dst, size, "%s", at);
}

static void words_of_moment(const struct past *p, const struct node *n,
			    const struct past_stretch *s, enum view_span span, int width,
			    char *dst, size_t size)
{
	char name[64], ago[24];
	struct history_moment newest = { 0 };
	int room;

	history_moment(s->history, history_count(s->history) - 1, &newest);
	ago_text(newest.time_ns > s->end_ns ? newest.time_ns - s->end_ns : 0, ago, sizeof(ago));
	name_of_moment(p, n, s, false, name, sizeof(name));
	room = width - text_columns(name) - text_columns(ago) - (int)strlen(",  ago");
	if (span == SPAN_INTERVAL && room >= 10)
		name_of_moment(p, n, s, true, name, sizeof(name));
	if (p->exact)
		snprintf(dst, size, "%s", name);
	else
		snprintf(dst, size, "%s, %s ago", name, ago);
}

/* "|| paused 12:00:25  38 %": as much as fits, the first part always. */
static void words_join(char *dst, size_t size, int width, const char *sign, const char *at,
		       const char *share)
{
	snprintf(dst, size, "%s%s%s%s%s", sign, *at ? " " : "", at, *share ? "  " : "", share);
	if (text_columns(dst) > width)
		snprintf(dst, size, "%s%s%s", sign, *at ? " " : "", at);
	if (text_columns(dst) > width)
		snprintf(dst, size, "%s", sign);
}

static void words_of_play(const struct node *n, int width, char *dst, size_t size)
{
	struct node_play p = node_play(n, clock_now());
	const struct history *h = node_history_whole(n);
	char at[24] = "", share[16] = "", speed[16], sign[24];

	if (p.share >= 0)
		snprintf(share, sizeof(share), "%.0f %%", floor(100 * p.share));
	if (p.recording && h && history_count(h))
		past_clock(n, h, p.at_ns, at, sizeof(at));
	switch (p.state) {
	case NODE_PLAY_LIVE:
		snprintf(dst, size, "live");
		break;
	case NODE_PLAY_DOWN:
		snprintf(dst, size, "disconnected");
		break;
	case NODE_PLAY_ENDED:
		snprintf(dst, size, "end of %s", p.recording ? "recording" :
			 p.share >= 0 ? "file" : "input");
		break;
	case NODE_PLAY_FOLLOWS:
		words_join(dst, size, width, "> following", at, "");
		break;
	case NODE_PLAY_PAUSED:
		words_join(dst, size, width, "|| paused", at, share);
		break;
	case NODE_PLAY_SEEKS:
		words_join(dst, size, width, ">> seeking", at, "");
		break;
	case NODE_PLAY_RUNS:
		snprintf(sign, sizeof(sign), "> %s", p.recording ?
			 past_speed(p.speed, speed, sizeof(speed)) : "reading");
		words_join(dst, size, width, sign, at, share);
		break;
	}
}

const char *past_words(const struct past *p, const struct node *n, const struct past_stretch *s,
		       enum view_span span, int width, char *dst, size_t size)
{
	char length[24];

	past_length(s->end_ns - s->begin_ns, length, sizeof(length));
	if (!s->history)
		p->held ? (void)snprintf(dst, size, "frozen") :
			  words_of_play(n, width, dst, size);
	else if (p->held && p->window != PAST_WINDOW_NONE)
		words_of_window(n, s, width, dst, size);
	else if (s->peaks)
		snprintf(dst, size, "peak of each, a second");
	else if (p->held)
		words_of_moment(p, n, s, span, width, dst, size);
	else if (s->marked)
		snprintf(dst, size, "since %s",
			 past_clock(n, s->history, s->begin_ns, length, sizeof(length)));
	else if (span == SPAN_INTERVAL)
		snprintf(dst, size, "last %s", length);
	else
		words_of_play(n, width, dst, size);
	return dst;
}

const char *past_name(const struct past *p, const struct node *n, const struct past_stretch *s,
		      enum view_span span, int width, char *dst, size_t size)
{
	if (s->history && p->window == PAST_WINDOW_NONE && s->peaks)
		snprintf(dst, size, "peak of each");
	else if (s->history && !p->held && span == SPAN_START && node_can_seek(n))
		past_clock(n, s->history, link_at(node_link(n), clock_now()), dst, size);
	else if (s->history && p->held && p->window == PAST_WINDOW_NONE)
		name_of_moment(p, n, s, span == SPAN_INTERVAL, dst, size);
	else
		past_words(p, n, s, span, width, dst, size);
	return dst;
}
