/*
 * model: which function is shown, its file, its instructions, and the cost of its lines.
 */
#include <math.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/export/losses.h"
#include "core/image/elf.h"
#include "tui/view/source/view.h"

#define FILE_CHECK_NS CLOCK_SECOND	/* how often files are looked for and at */

void source_model_release(struct source_view *v)
{
	annotation_release(&v->rows);
	cost_release(&v->cost);
	never_release(&v->never);
	source_close(v->source);
	buf_release(&v->places);
	mem_free(v->path);
	mem_free(v->code);
	objdump_free(v->objdump);
}

const struct profile_function *source_function(const struct source_view *v)
{
	return v->profile && v->function < v->profile->function_count ?
	       &v->profile->functions[v->function] : NULL;
}

const struct listing *source_listing(const struct source_view *v)
{
	return v->objdump && v->listed ? objdump_listing(v->objdump) : NULL;
}

bool source_listed(const struct source_view *v)
{
	const struct listing *l = source_listing(v);

	return l && l->count && v->mode != SOURCE_MODE_TEXT;
}

/* --- the function ----------------------------------------------------------------------------- */

static uint32_t most_expensive_function(const struct profile *p)
{
	uint32_t best = PROFILE_NONE;

	for (uint32_t i = 0; i < p->function_count; i++) {
		double s = p->functions[i].self_s;

		if (best == PROFILE_NONE || (!isnan(s) && !(s <= p->functions[best].self_s)))
			best = i;
	}
	return best;
}

/* The selected function, even if this profile does not have it; else the most expensive one. */
static bool function_choose(struct source_view *v, const struct view_shared *s)
{
	const struct profile *p = s->model.profile;
	uint64_t before = v->address;
	bool had = v->has_function;

	v->profile = p;
	v->function = view_selected(s);
	v->has_function = true;
	if (s->has_selected) {
		v->address = s->selected_address;
	} else if (p && p->function_count) {
		v->function = most_expensive_function(p);
		v->address = p->functions[v->function].address;
	} else {
		v->has_function = false;
	}
	return had != v->has_function || before != v->address;
}

static bool image_replaced(struct source_view *v, const struct view_shared *s)
{
	const struct image *im = s->node ? node_image(s->node) : NULL;
	enum image_state state = im ? image_state(im) : IMAGE_NO_DWARF;
	unsigned images = s->node ? node_images(s->node) : 0;
	bool another = im != v->image || state != v->state || images != v->images;

	v->image = im;
	v->state = state;
	v->images = images;
	return another;
}

/* Its file's lines are told by what was read in its place (core/import), not by an image. */
static bool function_has_places(const struct source_view *v)
{
	const struct profile_function *f = source_function(v);

	return f && f->path && profile_places(v->profile, v->function) < v->profile->place_count;
}

/* --- its file --------------------------------------------------------------------------------- */

static uint64_t paths_hash(const struct source_paths *p)
{
	uint64_t h = p->dir_count;

	for (size_t i = 0; i < p->dir_count; i++)
		h = h * 31 + elf_name_hash(p->dirs[i], strlen(p->dirs[i]));
	for (size_t i = 0; i < p->map_count; i++)
		h = h * 31 + elf_name_hash(p->maps[i].from, strlen(p->maps[i].from)) +
		    7 * elf_name_hash(p->maps[i].to, strlen(p->maps[i].to));
	return h;
}

static enum source_lack lack_find(const struct source_view *v, const struct view_shared *s)
{
	if (function_has_places(v))
		return v->source ? SOURCE_LACK_NOTHING : SOURCE_LACK_FILE;
	if (!v->has_function || v->address >= PROFILE_RUNTIME)
		return SOURCE_LACK_FUNCTION;
	if (!v->image)
		return s->node && node_image_refused(s->node) ?
		       SOURCE_LACK_REFUSED : SOURCE_LACK_IMAGE;
	if (v->state == IMAGE_SYMBOLS)
		return SOURCE_LACK_READING;
	if (v->id == IMAGE_NONE)
		return SOURCE_LACK_ADDRESS;
	if (!v->path)
		return v->state == IMAGE_NO_DWARF ? SOURCE_LACK_DWARF : SOURCE_LACK_LINES;
	return v->source ? SOURCE_LACK_NOTHING : SOURCE_LACK_FILE;
}

static void source_file_open(struct source_view *v, const struct view_shared *s)
{
	source_close(v->source);
	buf_reset(&v->places);
	v->source = source_open(v->path, v->image ? image_path(v->image) : NULL,
				&s->settings->source, &v->places);
	v->newer = v->source && v->image && source_is_newer(v->source, image_path(v->image));
	v->checked_ns = clock_now();
	v->paths = paths_hash(&s->settings->source);
}

/* Reads an edited file again, and looks again for a file that was not found. */
static void file_check_again(struct source_view *v, const struct view_shared *s)
{
	bool other_paths = v->paths != paths_hash(&s->settings->source);

	if (!v->path || (!other_paths && clock_now() - v->checked_ns < FILE_CHECK_NS))
		return;
	v->checked_ns = clock_now();
	if (other_paths || !v->source || source_changed(v->source))
		source_file_open(v, s);
}

static void source_file_find(struct source_view *v, const struct view_shared *s)
{
	const char *path;

	source_close(v->source);
	v->source = NULL;
	buf_reset(&v->places);
	mem_free(v->path);
	objdump_free(v->objdump);
	v->objdump = NULL;
	mem_free(v->code);
	v->code = NULL;
	v->listed = false;
	err_clear(&v->no_tool);
	v->id = v->image && v->has_function && v->address < PROFILE_RUNTIME ?
		image_find(v->image, image_normal(v->image, v->address)) : IMAGE_NONE;
	path = function_has_places(v) ? source_function(v)->path :
	       v->image && v->state != IMAGE_SYMBOLS ? cost_path(v->image, v->id) : NULL;
	v->path = path ? mem_strdup(path) : NULL;
	if (v->path)
		source_file_open(v, s);
}

/* --- its instructions ------------------------------------------------------------------------- */

void source_model_list(struct source_view *v)
{
	/* Beside the source they tell which calls were never made. */
	bool wanted = v->mode != SOURCE_MODE_TEXT || v->whole;

	if (!wanted || v->objdump || err_is_set(&v->no_tool) || !v->image || v->id == IMAGE_NONE)
		return;
	v->objdump = objdump_start(v->image, v->id, &v->no_tool);
	v->listed = false;
}

/* --- figures ---------------------------------------------------------------------------------- */

/*
 * Its own time plus that of its calls, not its total: if the function is sampled and its calls are
 * timed, the total is of another measure.
 */
static double whole_seconds(const struct source_view *v)
{
	const struct profile_function *f = source_function(v);
	double sum = f && f->self_s > 0 ? f->self_s : 0;

	for (size_t i = 0; i < v->cost.call_count; i++)
		sum += v->cost.calls[i].total_s > 0 ? v->cost.calls[i].total_s : 0;
	return f && isnan(f->self_s) && f->total_s > sum ? f->total_s : sum;
}

double source_share(const struct source_view *v, uint64_t samples, double call_s)
{
	const struct profile_function *f = source_function(v);
	double sampled = v->cost.samples ? (double)samples / (double)v->cost.samples : 0;

	if (!f || (!v->cost.samples && isnan(call_s)))
		return NAN;
	if (!v->cost.timed || v->whole_s <= 0)
		return v->cost.samples ? sampled : NAN;
	return ((call_s > 0 ? call_s : 0) + (f->self_s > 0 ? f->self_s * sampled : 0)) / v->whole_s;
}

double source_line_share(const struct source_view *v, uint32_t line)
{
	const struct cost_line *l = cost_line(&v->cost, line);

	if (!l || (!l->samples && !l->elsewhere && isnan(l->call_s)))
		return NAN;
	return source_share(v, l->samples + l->elsewhere, l->call_s);
}

/* Without samples its own time cannot be divided among lines: it is shown at its entry. */
double source_entry_share(const struct source_view *v)
{
	const struct profile_function *f = source_function(v);

	if (!f || v->cost.samples || v->whole_s <= 0 || isnan(f->self_s))
		return NAN;
	return f->self_s > 0 ? f->self_s / v->whole_s : 0;
}

static void shares_measure(struct source_view *v)
{
	double share;

	v->whole_s = whole_seconds(v);
	share = source_entry_share(v);
	v->hottest = share > 0 ? share : 0;
	for (size_t i = 0; i < v->cost.line_count; i++) {
		share = source_line_share(v, v->cost.lines[i].line);
		if (share > v->hottest)
			v->hottest = share;
	}
}

/* Of an instruction: from the samples and the calls, which are fewer than instructions. */
static void code_shares_measure(struct source_view *v)
{
	const struct listing *l = source_listing(v);

	v->hottest_code = 0;
	for (size_t i = 0; l && i < v->cost.pc_count; i++) {
		size_t in = listing_find(l, v->cost.pcs[i].pc);
		uint64_t n = in == SIZE_MAX ? 0 :
			     cost_samples(&v->cost, l->v[in].address, l->v[in].address +
					  l->v[in].size);

		v->hottest_code = fmax(v->hottest_code, source_share(v, n, NAN));
	}
	for (size_t i = 0; l && i < v->cost.call_count; i++)
		v->hottest_code = fmax(v->hottest_code,
				       source_share(v, 0, v->cost.calls[i].total_s));
}

/* Since the start, with nothing lost on the node, on the line, or here. */
static bool counts_are_whole(const struct view_shared *s)
{
	const struct profile *p = s->model.profile;
	const struct wire_stats *stats = s->node ? node_stats(s->node) : NULL;
	const struct wire_status *status = s->node ? node_status(s->node) : NULL;

	return p && stats && s->span == SPAN_START && !s->window_begin_ns && !s->windowed &&
	       !p->dropped && !p->terms.table_full && !p->terms.incomplete && !stats->lost &&
	       !stats->damaged && (!status || !losses_missing(status)) &&
	       !node_image_is_old(s->node);
}

static void never_measure(struct source_view *v)
{
	const struct listing *l = source_listing(v);

	v->never.count = 0;
	if (v->whole && l && v->image && source_function(v))
		never_find(&v->never, v->profile, v->function, &v->cost, v->image, l);
}

/* From its declaration to its last own line, where both lie in one file. */
static void function_lines_find(struct source_view *v)
{
	const struct image_function *f =
		v->image && v->id != IMAGE_NONE ? image_function(v->image, v->id) : NULL;
	bool here = f && f->path && v->path && !strcmp(f->path, v->path) && f->line;

	v->first = v->cost.first;
	v->last = v->cost.last;
	v->entry = here ? f->line : v->first;
	if (here && (!v->first || f->line < v->first))
		v->first = f->line;
	if (v->last < v->first)
		v->last = v->first;
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Drops a pointer to an image that the node has replaced. */
static void image_forget(struct source_view *v, const struct view_shared *s)
{
	if (!s->node || node_image(s->node) != v->image || node_images(s->node) != v->images)
		v->image = NULL;
}

void source_model_update(struct source_view *v, const struct view_shared *s)
{
	struct source_place p;
	bool other_function, other_image;

	image_forget(v, s);
	p = source_rows_place(v);
	other_function = function_choose(v, s);
	other_image = image_replaced(v, s);
	if (other_function || other_image)
		source_file_find(v, s);
	else
		file_check_again(v, s);
	v->fresh |= other_function;
	v->lack = lack_find(v, s);
	if (!source_function(v) ||
	    cost_find(&v->cost, s->model.profile, v->function,
		      function_has_places(v) ? NULL : v->image, v->id, v->path) < 0)
		cost_release(&v->cost);
	function_lines_find(v);
	shares_measure(v);
	code_shares_measure(v);
	v->whole = source_function(v) && v->cost.call_count && counts_are_whole(s);
	source_model_list(v);
	never_measure(v);
	source_rows_rebuild(v, &p);
}

/* --- calls ------------------------------------------------------------------------------------ */

static bool call_costs_more(const struct source_view *v, size_t a, size_t b)
{
	const struct cost_call *x = &v->cost.calls[a], *y = &v->cost.calls[b];

	if (isnan(x->total_s) || isnan(y->total_s))
		return x->calls > y->calls;
	return x->total_s > y->total_s;
}

size_t source_call_of(const struct source_view *v, struct note n)
{
	const struct listing *l = source_listing(v);
	size_t best = SIZE_MAX;

	if (n.kind == NOTE_CALL)
		return n.index < v->cost.call_count ? n.index : SIZE_MAX;
	if (n.kind == NOTE_INSTRUCTION && l && n.index < l->count)
		return cost_call_at(&v->cost, l->v[n.index].address,
				    l->v[n.index].address + l->v[n.index].size);
	for (size_t i = 0; n.kind == NOTE_TEXT && n.line && i < v->cost.call_count; i++) {
		if (v->cost.calls[i].line == n.line &&
		    (best == SIZE_MAX || call_costs_more(v, i, best)))
			best = i;
	}
	return best;
}
