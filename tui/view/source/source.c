/*
 * source: a function's source and the cost of each line; its instructions beside or instead.
 *
 *	the function, its file
 *	the file's lines with samples, calls and times; the function's own are bright
 *	between them: the calls of a line, what was inlined from elsewhere, instructions
 *
 * Enter on a call goes to the callee's source, u comes back.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/part/table.h"
#include "tui/view/source/view.h"
#include "tui/view/views.h"

#define SCROLL_COLUMNS 8

const char *const source_mode_names[SOURCE_MODES] = {
	[SOURCE_MODE_TEXT] = "source",
	[SOURCE_MODE_BOTH] = "source and disassembly",
	[SOURCE_MODE_CODE] = "disassembly",
};

static int source_init(struct view *view)
{
	struct source_view *v = (struct source_view *)view;

	v->id = IMAGE_NONE;
	v->function = PROFILE_NONE;
	return 0;
}

static void source_release(struct view *v)
{
	source_model_release((struct source_view *)v);
}

static void source_update(struct view *v, const struct view_shared *s)
{
	source_model_update((struct source_view *)v, s);
}

static int source_fd(const struct view *view)
{
	const struct source_view *v = (const struct source_view *)view;

	return v->objdump && !v->listed ? objdump_fd(v->objdump) : -1;
}

static bool source_service(struct view *view, uint64_t now)
{
	struct source_view *v = (struct source_view *)view;

	if (!v->objdump || v->listed)
		return false;
	v->listed = objdump_service(v->objdump, now);
	return v->listed;
}

/* --- walking ---------------------------------------------------------------------------------- */

static void place_remember(struct source_view *v)
{
	if (v->back_count == SOURCE_BACK) {
		memmove(v->back, v->back + 1, sizeof(v->back) - sizeof(v->back[0]));
		v->back_count--;
	}
	v->back[v->back_count++] = source_rows_place(v);
}

static bool jump_target(const struct source_view *v, size_t i, struct source_place *place)
{
	const struct listing *l = source_listing(v);
	size_t to = l ? listing_jump(l, i) : SIZE_MAX;

	if (to == SIZE_MAX)
		return false;
	*place = (struct source_place){ .address = v->address, .line = source_line_of(v, to),
					.kind = NOTE_INSTRUCTION, .at = l->v[to].address };
	return true;
}

static struct view_reply callee_enter(struct source_view *v, struct view_shared *s)
{
	struct note n = annotation_at(&v->rows, v->list.cursor);
	size_t call = source_call_of(v, n);
	struct source_place place;

	if (call == SIZE_MAX && n.kind == NOTE_INSTRUCTION && jump_target(v, n.index, &place)) {
		place_remember(v);
		source_rows_go(v, &place);
		return view_redraw();
	}
	if (n.kind == NOTE_INLINED)
		return view_say("inlined here; not a separate call; {editor} opens its "
				   "source");
	if (call == SIZE_MAX)
		return view_say("no counted call is made from this line");
	place_remember(v);
	view_select(s, v->cost.calls[call].callee);
	source_model_update(v, s);
	return view_redraw();
}

static struct view_reply callee_leave(struct source_view *v, struct view_shared *s)
{
	struct source_place *p;

	if (!v->back_count)
		return view_say("no previous function; {view-callers} shows the callers");
	p = &v->back[--v->back_count];
	s->selected_address = p->address;
	s->has_selected = true;
	source_model_update(v, s);
	source_rows_go(v, p);
	v->list.top = v->list.cursor > 4 ? v->list.cursor - 4 : 0;
	return view_redraw();
}

static double row_share(const struct source_view *v, struct note n)
{
	const struct listing *l = source_listing(v);
	const struct instruction *in;
	uint64_t samples;
	size_t call;

	if (n.kind == NOTE_TEXT)
		return source_line_share(v, n.line);
	if (n.kind != NOTE_INSTRUCTION || !l || n.index >= l->count)
		return NAN;
	in = &l->v[n.index];
	samples = cost_samples(&v->cost, in->address, in->address + in->size);
	call = source_call_of(v, n);
	return samples || call != SIZE_MAX ?
	       source_share(v, samples, call == SIZE_MAX ? NAN : v->cost.calls[call].total_s) : NAN;
}

/* Only lines that cost something, and the notes, can be the hottest. */
static struct view_reply hottest_line(struct source_view *v)
{
	size_t best = SIZE_MAX, row;
	double most = 0, share;

	for (size_t i = 0; i < v->cost.line_count && v->rows.lines; i++) {
		share = source_line_share(v, v->cost.lines[i].line);
		if (share > most) {
			most = share;
			best = annotation_row(&v->rows, v->cost.lines[i].line);
		}
	}
	for (size_t i = 0; i < v->rows.count && !v->rows.lines; i++) {
		row = v->rows.v[i].line + i;
		share = row_share(v, v->rows.v[i]);
		if (share > most) {
			most = share;
			best = row;
		}
	}
	if (best == SIZE_MAX)
		return view_say("no line of this function has a cost of its own");
	v->list.cursor = best;
	return view_redraw();
}

static struct view_reply longest_call(struct source_view *v)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < v->cost.call_count; i++) {
		if (v->cost.calls[i].line &&
		    (best == SIZE_MAX ||
		     !(v->cost.calls[i].total_s <= v->cost.calls[best].total_s)))
			best = i;
	}
	if (best == SIZE_MAX)
		return view_say("no call was counted in this function");
	source_rows_go(v, &(struct source_place){ .line = v->cost.calls[best].line,
			.kind = NOTE_CALL, .at = v->cost.calls[best].at });
	return view_redraw();
}

static struct view_reply mode_next(struct source_view *v)
{
	if (!v->image)
		return view_error("no ELF: instructions come from it");
	v->mode = (v->mode + 1) % SOURCE_MODES;
	source_model_list(v);
	source_rows_update(v);
	if (v->mode != SOURCE_MODE_TEXT && err_is_set(&v->no_tool))
		return view_error(v->no_tool.text);
	return view_say(source_mode_names[v->mode]);
}

/* --- searching -------------------------------------------------------------------------------- */

static bool code_matches(void *ctx, size_t row)
{
	const void **c = ctx;
	const struct source_view *v = c[0];
	char text[2048];

	source_row_text(v, annotation_at(&v->rows, row), text, sizeof(text), 0, 1000);
	return part_matches(c[1], text);
}

/* Scroll sideways so far that what was found is seen. */
static void match_scroll(struct source_view *v, const struct view_shared *s)
{
	char text[2048];
	size_t start, end;
	int from, to;

	source_row_text(v, annotation_at(&v->rows, v->list.cursor), text, sizeof(text), 0, 1000);
	if (!s->search || !regex_find(s->search, text, &start, &end))
		return;
	text[end] = '\0';
	to = text_columns(text);
	text[start] = '\0';
	from = text_columns(text);
	if (to <= v->text_width)
		v->left = 0;
	else if (from < v->left || to > v->left + v->text_width)
		v->left = (from - v->text_width / 4) / SCROLL_COLUMNS * SCROLL_COLUMNS;
	if (v->left < 0)
		v->left = 0;
}

static struct view_reply code_search(struct source_view *v, struct view_shared *s, bool backwards)
{
	const void *ctx[] = { v, s };

	if (!list_search(&v->list, backwards, code_matches, ctx))
		return view_no_match();
	match_scroll(v, s);
	return view_redraw();
}

/* --- acting ----------------------------------------------------------------------------------- */

static struct view_reply code_scroll(struct source_view *v, int by)
{
	v->left += by;
	if (v->left < 0)
		v->left = 0;
	if (v->left > 4000)
		v->left = 4000;
	return view_redraw();
}

static struct view_reply source_act(struct view *view, struct view_shared *s, enum action a)
{
	struct source_view *v = (struct source_view *)view;

	if (!s->has_selected && source_function(v))
		view_select(s, v->function);
	if (!v->profile || v->profile != s->model.profile)
		return view_pass();
	if (list_act(&v->list, a, source_page(view)))
		return view_redraw();
	if (part_searches(a))
		return code_search(v, s, a == ACTION_SEARCH_PREVIOUS);
	switch (a) {
	case ACTION_ENTER: return callee_enter(v, s);
	case ACTION_PARENT: return callee_leave(v, s);
	case ACTION_HOTTEST: return hottest_line(v);
	case ACTION_LONGEST_CHILD: return longest_call(v);
	case ACTION_MODE: return mode_next(v);
	case ACTION_LEFT: return code_scroll(v, -SCROLL_COLUMNS);
	case ACTION_RIGHT: return code_scroll(v, SCROLL_COLUMNS);
	case ACTION_ANNOTATE: return view_done();
	default: return view_pass();
	}
}

static struct view_reply source_mouse(struct view *view, struct view_shared *s, int x, int y,
				      int button)
{
	struct source_view *v = (struct source_view *)view;
	size_t row;

	(void)x;
	if (list_wheel(&v->list, button, source_page(view)))
		return view_redraw();
	row = v->list.top + (size_t)(y - source_top(view));
	if ((button != 1 && button != 2) || y < source_top(view) ||
	    y >= source_top(view) + source_page(view) || row >= v->list.count)
		return view_pass();
	v->list.cursor = row;
	return button == 2 && v->profile == s->model.profile ? callee_enter(v, s) : view_redraw();
}

static const enum action source_hints[] = {
	ACTION_ENTER, ACTION_PARENT, ACTION_MODE, ACTION_SEARCH, ACTION_TIME_BACK,
	ACTION_TIME_WINDOW, ACTION_HOTTEST, ACTION_EDITOR, ACTION_BASELINE, ACTION_COPY,
	ACTION_FREEZE, ACTION_NONE,
};

/* --- for the clipboard and the editor --------------------------------------------------------- */

static bool source_copy(struct view *view, const struct view_shared *s, struct buf *out)
{
	struct source_view *v = (struct source_view *)view;
	struct note n = annotation_at(&v->rows, v->list.cursor);
	char text[4096];

	(void)s;
	if (v->list.cursor >= v->list.count)
		return false;
	source_row_text(v, n, text, sizeof(text), 0, 4000);
	if (n.kind == NOTE_TEXT && v->path)
		buf_addf(out, "%s:%u: ", text_basename(v->path), n.line);
	buf_adds(out, text + strspn(text, " "));
	return true;
}

static bool source_place(struct view *view, const struct view_shared *s, struct view_place *at)
{
	struct source_view *v = (struct source_view *)view;
	struct note n = annotation_at(&v->rows, v->list.cursor);
	const struct listing *l = source_listing(v);
	struct image_line line;

	(void)s;
	if (!v->path || v->list.cursor >= v->list.count)
		return false;
	*at = (struct view_place){ v->path, n.line ? n.line : v->entry };
	if (n.kind == NOTE_INLINED && v->cost.inlines[n.index].from.path)
		*at = (struct view_place){ v->cost.inlines[n.index].from.path,
					   v->cost.inlines[n.index].from.line };
	if ((n.kind == NOTE_INSTRUCTION || n.kind == NOTE_PLACE) && l && v->image &&
	    image_line(v->image, l->v[n.index].address, &line) && line.path && line.line)
		*at = (struct view_place){ line.path, line.line };
	return true;
}

static const struct view_word source_words[] = {
	{ ACTION_ENTER, "callee", "the function that the line calls, or the jump's target" },
	{ ACTION_PARENT, "back", "back to the previous line" },
	{ ACTION_MODE, "instructions", "source, source with instructions, or instructions" },
	{ ACTION_HOTTEST, "hottest", "to the hottest line" },
	{ ACTION_NONE, NULL, NULL },
};

const struct view_ops view_source_ops = {
	.name = "source",
	.title = "A function's source and the cost of each line",
	.about =
		"The function's own lines are bright. SAMPLES is the number of PC samples in "
		"the line's instructions, CALLS the number of calls from the line, TOTAL their "
		"time including callees; SHARE is the share of the function's time. The row "
		"below the first line has the function's own calls and time. An i behind a line "
		"number marks code inlined into this function; code inlined from other files is "
		"listed below the line that inlines it. never: the line calls a function whose "
		"calls are counted, and no call from it was reported, though this function was "
		"called; shown only for all data since the start, with no losses. <0.3: no "
		"sample fell on the line's code; its share is below this, with 95 % confidence "
		"(code that runs with interrupts off may not be sampled). {mode} shows the "
		"toolchain's disassembly between the lines, then alone, with arrows from jumps "
		"to their targets.",
	.action = ACTION_VIEW_SOURCE,
	.size = sizeof(struct source_view),
	.init = source_init,
	.release = source_release,
	.update = source_update,
	.draw = source_draw,
	.act = source_act,
	.mouse = source_mouse,
	.hints = source_hints,
	.words = source_words,
	.copy = source_copy,
	.place = source_place,
	.fd = source_fd,
	.service = source_service,
};
