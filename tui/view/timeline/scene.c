/* scene: events of each lane -> boxes and cells. */
#include "tui/view/timeline/scene.h"

#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"

struct open_scene_call {
	uint64_t begin;
	uint32_t id;
	enum trace_time time;
};

struct lane_walk {
	struct scene *scene;
	const struct trace *trace;
	unsigned lane;
	struct open_scene_call open[SCENE_DEPTHS];
	uint32_t depth;
	uint64_t last;			/* the event before */
	unsigned most;			/* events that may be met */
	struct scene_call pending;	/* GAP or LOST: ends at the next event */
	bool has_pending;
	bool failed;
};

void scene_release(struct scene *s)
{
	mem_free(s->calls);
	mem_free(s->cells);
	mem_free(s->notes);
	mem_free(s->ranges);
	*s = (struct scene){ 0 };
}

double scene_ticks_per_column(const struct scene *s)
{
	return (double)(s->end - s->begin) / s->width;
}

int scene_column(const struct scene *s, uint64_t ticks)
{
	if (ticks < s->begin)
		return -1;
	if (ticks >= s->end)
		return s->width;
	return (int)((double)(ticks - s->begin) / scene_ticks_per_column(s));
}

const struct scene_cell *scene_cells(const struct scene *s, unsigned lane, uint32_t depth)
{
	size_t at = depth < SCENE_DEPTHS ? s->rows[lane][depth] : 0;

	return at ? &s->cells[at - 1] : NULL;
}

const struct scene_call *scene_box(const struct scene *s, unsigned lane, uint32_t depth,
				   uint64_t ticks)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct scene_call *c = &s->calls[i];

		if (c->lane == lane && c->depth == depth && c->begin <= ticks && ticks < c->end)
			return c;
	}
	return NULL;
}

/* The columns of a box: [from, to), at least one. */
static void box_columns(const struct scene *s, const struct scene_call *c, int *from, int *to)
{
	*from = scene_column(s, c->begin);
	*to = scene_column(s, c->end);
	*from = *from < 0 ? 0 : *from;
	*to = *to > *from ? *to : *from + 1;
}

static void boxes_put(const struct scene *s, unsigned lane, uint32_t depth, uint32_t *columns)
{
	int from, to;

	for (size_t i = 0; i < s->count; i++) {
		if (s->calls[i].lane != lane || s->calls[i].depth != depth)
			continue;
		box_columns(s, &s->calls[i], &from, &to);
		for (int x = from; x < to && x < s->width; x++)
			columns[x] = SCENE_BOXES + (uint32_t)i;
	}
}

void scene_row(const struct scene *s, unsigned lane, uint32_t depth, uint32_t *columns)
{
	const struct scene_cell *cells = scene_cells(s, lane, depth);

	memset(columns, 0, (size_t)s->width * sizeof(*columns));
	if (depth)
		boxes_put(s, lane, depth - 1, columns);
	for (int x = 0; x < s->width; x++) {
		bool shown = !depth || (columns[x] >= SCENE_BOXES &&
					s->calls[columns[x] - SCENE_BOXES].kind == TRACE_CALL);

		columns[x] = shown && cells && (cells[x].busy || cells[x].calls) ?
			     SCENE_CELL : SCENE_NOTHING;
	}
	boxes_put(s, lane, depth, columns);
}

/* --- calls ------------------------------------------------------------------------------------ */

static struct scene_cell *row_cells(struct lane_walk *w, uint32_t depth)
{
	struct scene *s = w->scene;
	size_t *row = &s->rows[w->lane][depth];

	if (!*row) {
		if (mem_grow(&s->cells, &s->cell_cap, s->cell_count + (size_t)s->width,
			     sizeof(*s->cells)) < 0) {
			w->failed = true;
			return NULL;
		}
		memset(s->cells + s->cell_count, 0, (size_t)s->width * sizeof(*s->cells));
		*row = s->cell_count + 1;
		s->cell_count += (size_t)s->width;
	}
	return &s->cells[*row - 1];
}

static void cells_add(struct lane_walk *w, const struct scene_call *c)
{
	const struct scene *s = w->scene;
	int from = scene_column(s, c->begin), to = scene_column(s, c->end);
	struct scene_cell *cells = row_cells(w, c->depth);
	double per = scene_ticks_per_column(s);

	if (!cells)
		return;
	from = from < 0 ? 0 : from;
	cells[from].calls++;
	for (int x = from; x <= to && x < s->width; x++) {
		double begin = (double)s->begin + x * per, end = begin + per;

		begin = begin > (double)c->begin ? begin : (double)c->begin;
		end = end < (double)c->end ? end : (double)c->end;
		cells[x].busy += end > begin ? (uint64_t)(end - begin) : 0;
		cells[x].kinds |= 1u << c->kind;
	}
}

static void shown_add(struct lane_walk *w, const struct scene_call *c)
{
	struct scene *s = w->scene;

	if (c->end < s->begin || c->begin >= s->end)
		return;
	if (c->depth >= SCENE_DEPTHS) {
		s->lanes[w->lane].deeper = true;
		return;
	}
	if (c->kind != TRACE_LOST &&
	    (double)(c->end - c->begin) < SCENE_BOX * scene_ticks_per_column(s)) {
		if (c->kind != TRACE_AWAY)
			cells_add(w, c);
		return;
	}
	if (mem_grow(&s->calls, &s->cap, s->count + 1, sizeof(*s->calls)) < 0)
		w->failed = true;
	else
		s->calls[s->count++] = *c;
}

/* --- events ----------------------------------------------------------------------------------- */

static void call_push(struct lane_walk *w, const struct trace_event *e)
{
	w->scene->lanes[w->lane].deeper |= w->depth >= SCENE_DEPTHS;
	if (w->depth < SCENE_DEPTHS)
		w->open[w->depth] = (struct open_scene_call){ e->since, e->id, e->time };
	w->depth++;
}

static void call_pop(struct lane_walk *w, uint64_t end, enum trace_time time, bool open)
{
	if (!w->depth || --w->depth >= SCENE_DEPTHS)
		return;
	shown_add(w, &(struct scene_call){
		.begin = w->open[w->depth].begin, .end = end, .id = w->open[w->depth].id,
		.depth = w->depth, .lane = (uint8_t)w->lane, .kind = TRACE_CALL,
		.begin_time = w->open[w->depth].time, .end_time = time, .open = open,
	});
}

static void closed_add(struct lane_walk *w, const struct trace_event *e)
{
	shown_add(w, &(struct scene_call){
		.begin = e->ticks, .end = e->until, .id = e->id, .depth = e->depth,
		.count = e->count, .lane = (uint8_t)w->lane, .begin_time = e->time,
		.end_time = e->time, .kind = e->kind == TRACE_WHOLE ? TRACE_CALL : e->kind,
	});
}

/* From here, or from the event before, to the next event. */
static void pending_begin(struct lane_walk *w, const struct trace_event *e, uint64_t begin)
{
	w->pending = (struct scene_call){
		.begin = begin, .depth = e->depth, .count = e->count, .lane = (uint8_t)w->lane,
		.kind = e->kind,
	};
	w->has_pending = true;
}

static void pending_end(struct lane_walk *w, uint64_t end)
{
	if (!w->has_pending)
		return;
	w->has_pending = false;
	w->pending.end = end;
	shown_add(w, &w->pending);
}

static void lost_take(struct lane_walk *w, const struct trace_event *e)
{
	uint64_t since = w->last && w->last < e->ticks ? w->last : e->ticks;

	while (w->depth)
		call_pop(w, since, TRACE_TIME_UNKNOWN, false);
	pending_begin(w, e, since);
}

static void track_take(struct scene *s, const struct trace *t, const struct trace_event *e)
{
	double value = trace_note_number(t, e->id, e->value);
	struct scene_track *k = s->tracks, *end = s->tracks + s->track_count;

	while (k < end && !(k->kind == e->kind && k->id == e->id))
		k++;
	if (k == s->tracks + SCENE_TRACKS)
		return;
	if (k == end) {
		*k = (struct scene_track){ e->kind, e->id, value, value };
		s->track_count++;
	}
	k->least = value < k->least ? value : k->least;
	k->most = value > k->most ? value : k->most;
}

static struct scene_range *ranges_of(const struct scene *s, uint32_t id)
{
	for (size_t i = 0; i < s->ranged_count; i++)
		if (s->ranged[i] == id)
			return &s->ranges[i * (size_t)s->width];
	return NULL;
}

const struct scene_range *scene_ranges(const struct scene *s, const struct scene_track *k)
{
	return k->kind == TRACE_VALUE ? ranges_of(s, k->id) : NULL;
}

static void range_take(struct lane_walk *w, const struct trace_event *e)
{
	struct scene *s = w->scene;
	struct scene_range *r = ranges_of(s, e->id);
	double value = trace_note_number(w->trace, e->id, e->value);
	int x = scene_column(s, e->ticks);

	if (e->kind != TRACE_VALUE || x < 0 || x >= s->width ||
	    (!r && s->ranged_count == SCENE_TRACKS))
		return;
	if (!r) {
		r = &s->ranges[s->ranged_count * (size_t)s->width];
		s->ranged[s->ranged_count++] = e->id;
	}
	r += x;
	r->least = r->known && r->least < value ? r->least : value;
	r->most = r->known && r->most > value ? r->most : value;
	r->known = true;
}

/* What ranges know of it: of a dense lane the notes alone are not all. */
static void track_widen(const struct scene *s, struct scene_track *k)
{
	const struct scene_range *r = scene_ranges(s, k);

	for (int x = 0; r && x < s->width; x++) {
		if (!r[x].known)
			continue;
		k->least = r[x].least < k->least ? r[x].least : k->least;
		k->most = r[x].most > k->most ? r[x].most : k->most;
	}
}

static bool ranges_begin(struct scene *s)
{
	size_t count = (size_t)SCENE_TRACKS * (size_t)s->width;

	s->ranged_count = 0;
	if (mem_grow(&s->ranges, &s->range_cap, count, sizeof(*s->ranges)) < 0)
		return false;
	memset(s->ranges, 0, count * sizeof(*s->ranges));
	return true;
}

/* Of those before the window the last one of its kind and id holds when it begins. */
static void note_take(struct lane_walk *w, const struct trace_event *e)
{
	struct scene *s = w->scene;
	size_t i = s->note_count;

	if (e->ticks >= s->end || (e->ticks < s->begin && e->kind == TRACE_MARK))
		return;
	if (e->ticks < s->begin)
		for (i = 0; i < s->note_count; i++)
			if (s->notes[i].kind == e->kind && s->notes[i].id == e->id &&
			    s->notes[i].ticks < s->begin)
				break;
	if (i < s->note_count && s->notes[i].ticks > e->ticks)
		return;
	if (mem_grow(&s->notes, &s->note_cap, i + 1, sizeof(*s->notes)) < 0) {
		w->failed = true;
		return;
	}
	s->notes[i] = *e;
	s->note_count += i == s->note_count;
}

static void event_take(struct lane_walk *w, const struct trace_event *e)
{
	pending_end(w, e->ticks);
	switch (e->kind) {
	case TRACE_HELD:
	case TRACE_CALL:
		call_push(w, e);
		break;
	case TRACE_RETURN:
		call_pop(w, e->ticks, e->time, false);
		break;
	case TRACE_WHOLE:
	case TRACE_BOX:
	case TRACE_UNKNOWN:
	case TRACE_AWAY:
		closed_add(w, e);
		break;
	case TRACE_GAP:
		pending_begin(w, e, e->ticks);
		break;
	case TRACE_LOST:
		lost_take(w, e);
		break;
	case TRACE_MARK:
	case TRACE_VALUE:
	case TRACE_STATE:
		range_take(w, e);
		note_take(w, e);
		break;
	}
	w->last = e->until > e->ticks ? e->until : e->ticks;
}

/* --- a lane ----------------------------------------------------------------------------------- */

/* Of the notes from one on the last of each, before a column's end: the newest are looked at. */
static void column_notes(struct lane_walk *w, const struct trace *t, size_t from, size_t to)
{
	struct scene *s = w->scene;
	size_t first = s->note_count, i;

	from = to - from > SCENE_NOTES_OF_COLUMN ? to - SCENE_NOTES_OF_COLUMN : from;
	while (to > from && !w->failed) {
		struct trace_event e = trace_note(t, w->lane, --to);

		range_take(w, &e);
		for (i = first; i < s->note_count; i++)
			if (s->notes[i].kind == e.kind && s->notes[i].id == e.id)
				break;
		if (i == s->note_count && e.kind != TRACE_AWAY && e.kind != TRACE_LOST)
			note_take(w, &e);
	}
}

static void lane_notes(struct lane_walk *w, const struct trace *t)
{
	struct scene *s = w->scene;
	size_t from = 0;

	for (int x = 0; x <= s->width; x++) {
		double end = (double)s->begin + x * scene_ticks_per_column(s);
		size_t to = trace_notes_until(t, w->lane, (uint64_t)end);

		column_notes(w, t, from, to);
		from = to;
	}
}

/* Calls and the time in which they ran, by column: nothing is walked. */
static void lane_count(struct lane_walk *w, const struct trace *t)
{
	struct scene *s = w->scene;
	struct scene_lane *l = &s->lanes[w->lane];
	struct scene_cell *cells = row_cells(w, 0);
	uint64_t before = trace_calls_until(t, w->lane, s->begin);
	uint64_t ran = trace_busy_until(t, w->lane, s->begin);
	uint64_t gone = trace_lost_until(t, w->lane, s->begin);

	l->dense = true;
	lane_notes(w, t);
	for (int x = 0; cells && x < s->width; x++) {
		double end = (double)s->begin + (x + 1) * scene_ticks_per_column(s);
		uint64_t calls = trace_calls_until(t, w->lane, (uint64_t)end);
		uint64_t busy = trace_busy_until(t, w->lane, (uint64_t)end);
		uint64_t lost = trace_lost_until(t, w->lane, (uint64_t)end);
		uint64_t n = calls > before ? calls - before : 0;

		cells[x].calls = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
		cells[x].busy = busy > ran ? busy - ran : 0;
		cells[x].kinds = lost > gone ? 1u << TRACE_LOST : 0;
		before = calls;
		ran = busy;
		gone = lost;
	}
}

/* Each item is an event at least, but for stamps: those in the window tell that it is too much. */
static bool lane_is_dense(const struct lane_walk *w, const struct trace *t)
{
	const struct scene *s = w->scene;
	size_t from = trace_place_before(t, w->lane, s->begin);
	size_t to = trace_place_before(t, w->lane, s->end);

	return to > from && trace_place(t, w->lane, to).items -
			    trace_place(t, w->lane, from + 1).items > w->most;
}

static void lane_build(struct lane_walk *w, const struct trace *t, struct trace_walk *walk)
{
	struct scene *s = w->scene;
	uint64_t told = s->lanes[w->lane].told, end;
	size_t calls = s->count, cells = s->cell_count, notes = s->note_count, before;
	unsigned events = 0;
	struct trace_event e;
	bool more;

	if (lane_is_dense(w, t)) {
		lane_count(w, t);
		return;
	}
	before = s->begin ? trace_notes_until(t, w->lane, s->begin - 1) : 0;
	column_notes(w, t, before > SCENE_NOTES_BEFORE ? before - SCENE_NOTES_BEFORE : 0, before);
	trace_walk_seek(walk, s->begin, (uint64_t)(SCENE_BOX * scene_ticks_per_column(s)));
	trace_walk_near(walk, UINT32_MAX);
	trace_walk_only(walk, UINT64_MAX);
	while ((more = trace_walk_next(walk, &e)) && e.ticks < s->end && !w->failed) {
		if (++events > w->most) {
			s->count = calls;
			s->cell_count = cells;
			s->note_count = notes;
			memset(s->rows[w->lane], 0, sizeof(s->rows[w->lane]));
			lane_count(w, t);
			return;
		}
		event_take(w, &e);
	}
	end = s->end;
	if (!more && told < end)
		end = told > w->last ? told : w->last;
	pending_end(w, more && e.ticks < s->end ? e.ticks : end);
	while (w->depth)
		call_pop(w, end, TRACE_TIME_UNKNOWN, true);
}

static bool lane_is_used(const struct trace *t, unsigned lane)
{
	struct trace_stats stats;

	trace_lane_stats(t, lane, &stats);
	return stats.frames > 0;
}

static unsigned lanes_used(const struct trace *t)
{
	unsigned used = 0;

	for (unsigned lane = 0; lane < TRACE_LANES; lane++)
		used += lane_is_used(t, lane);
	return used ? used : 1;
}

static bool row_is_full(const struct scene *s, unsigned lane)
{
	const struct scene_cell *cells = scene_cells(s, lane, 0);
	int used = 0;

	for (int x = 0; cells && x < s->width; x++)
		used += cells[x].busy || cells[x].calls;
	return used > s->width / 4;
}

/* Below what is no box nothing is shown: rows that stay empty are none. */
static void depths_find(struct scene *s)
{
	uint32_t boxes[TRACE_LANES] = { 0 };

	for (size_t i = 0; i < s->count; i++) {
		const struct scene_call *c = &s->calls[i];

		if (boxes[c->lane] <= c->depth && c->kind != TRACE_LOST)
			boxes[c->lane] = c->depth + 1;
	}
	for (unsigned lane = 0; lane < TRACE_LANES; lane++) {
		s->lanes[lane].depths = boxes[lane] + (scene_cells(s, lane, boxes[lane]) != NULL);
		s->lanes[lane].bars = !boxes[lane] && row_is_full(s, lane);
	}
}

int scene_build(struct scene *s, const struct trace *t, uint64_t begin, uint64_t end, int width)
{
	unsigned used = lanes_used(t);
	bool failed;

	s->begin = begin;
	s->end = end > begin ? end : begin + 1;
	s->width = width > 1 ? width : 1;
	failed = !ranges_begin(s);
	s->count = s->cell_count = s->note_count = s->track_count = 0;
	memset(s->lanes, 0, sizeof(s->lanes));
	memset(s->rows, 0, sizeof(s->rows));
	for (unsigned lane = 0; lane < TRACE_LANES && !failed; lane++) {
		struct lane_walk w = { .scene = s, .trace = t, .lane = lane,
				       .most = SCENE_EVENTS / used };
		struct trace_walk *walk;

		if (!lane_is_used(t, lane))
			continue;
		s->lanes[lane].used = true;
		s->lanes[lane].told = trace_lane_told(t, lane);
		walk = trace_walk_new(t, lane);
		if (walk)
			lane_build(&w, t, walk);
		failed = !walk || w.failed;
		trace_walk_free(walk);
	}
	if (failed)
		s->count = s->cell_count = s->note_count = 0;
	if (failed)
		memset(s->rows, 0, sizeof(s->rows));
	depths_find(s);
	for (size_t i = 0; i < s->note_count; i++)
		if (s->notes[i].kind != TRACE_MARK)
			track_take(s, t, &s->notes[i]);
	for (size_t i = 0; i < s->track_count; i++)
		track_widen(s, &s->tracks[i]);
	return failed ? ERR_NOMEM : 0;
}
