/*
 * fleet_functions: what is told of many nodes at once: each function over all nodes of a build
 * (core/fleet/census.h), and a build against the one before (core/fleet/rollout.h). Left and right
 * choose the build.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "tui/app/fleet.h"

#define FRESH_NS (2 * CLOCK_SECOND)	/* how old figures may be */
#define WORK_NS (2 * CLOCK_SECOND / 1000)	/* of a frame: from its beginning */

enum function_cell {
	CELL_FUNCTION, CELL_NODES, CELL_CALLS, CELL_SHARE, CELL_MEDIAN, CELL_HIGH, CELL_SPREAD,
	CELL_WORST, CELL_COUNT,
};

enum rollout_cell {
	ROLL_FUNCTION, ROLL_A, ROLL_B, ROLL_TIMES, ROLL_INTERVAL, ROLL_VERDICT, ROLL_NODES,
	ROLL_COUNT,
};

struct page_column {
	const char *title;
	struct table_column at;
	bool left;
};

static const struct page_column function_cells[CELL_COUNT] = {
	[CELL_FUNCTION] = { "FUNCTION", { 12, 40, 0 }, true },
	[CELL_NODES] = { "NODES", { 5, 6, 3 }, false },
	[CELL_CALLS] = { "CALLS", { 7, 9, 4 }, false },
	[CELL_SHARE] = { "SELF%", { 5, 5, 0 }, false },
	[CELL_MEDIAN] = { "P50", { 5, 5, 1 }, false },
	[CELL_HIGH] = { "P99", { 5, 5, 1 }, false },
	[CELL_SPREAD] = { "P99/P50", { 7, 7, 2 }, false },
	[CELL_WORST] = { "LARGEST ON", { 14, 32, 2 }, true },
};

static const struct page_column rollout_cells[ROLL_COUNT] = {
	[ROLL_FUNCTION] = { "FUNCTION", { 12, 40, 0 }, true },
	[ROLL_A] = { "BEFORE%", { 7, 7, 1 }, false },
	[ROLL_B] = { "NOW%", { 5, 5, 1 }, false },
	[ROLL_TIMES] = { "CHANGE", { 7, 7, 0 }, false },
	[ROLL_INTERVAL] = { "FROM..TO", { 15, 15, 2 }, true },
	[ROLL_VERDICT] = { "VERDICT", { 8, 8, 0 }, true },
	[ROLL_NODES] = { "NODES", { 16, 24, 3 }, true },
};

static const struct {
	const char *word;
	enum role role;
} verdicts[] = {
	[ROLLOUT_UNSURE] = { "not sure", ROLE_DIM },
	[ROLLOUT_ALIKE] = { "same", ROLE_DEFAULT },
	[ROLLOUT_DEARER] = { "dearer", ROLE_BAD },
	[ROLLOUT_CHEAPER] = { "cheaper", ROLE_GOOD },
};

/* --- figures ---------------------------------------------------------------------------------- */

void fleet_pages_release(struct fleet *f)
{
	census_release(&f->census);
	census_release(&f->counting);
	judge_compare_free(f->comparing);
	judge_rollout_release(&f->rollout);
	mem_free(f->functions);
}

static void compare_stop(struct fleet *f)
{
	judge_compare_free(f->comparing);
	f->comparing = NULL;
}

/* Names are the images': not after these were read again. */
static void rollout_drop(struct fleet *f)
{
	compare_stop(f);
	judge_rollout_release(&f->rollout);
	f->rollout_list.count = 0;
	f->rollout_made = false;
	f->due_ns[FLEET_ROLLOUT] = 0;
}

struct list *fleet_list(struct fleet *f)
{
	return f->shown == FLEET_FUNCTIONS ? &f->functions_list :
	       f->shown == FLEET_ROLLOUT ? &f->rollout_list : &f->list;
}

/* The newest that a node runs, until one is chosen. */
static void build_choose(struct fleet *f, const struct crowd *c)
{
	for (uint32_t b = 0; f->build == CROWD_NONE && b < crowd_builds(c); b++)
		if (crowd_build(c, (uint32_t)crowd_builds(c) - 1 - b)->nodes)
			f->build = (uint32_t)crowd_builds(c) - 1 - b;
}

void fleet_build_step(struct ui *u, int by)
{
	const struct crowd *c = gather_crowd(u);
	struct fleet *f = u->fleet;
	uint32_t builds = c ? (uint32_t)crowd_builds(c) : 0;

	if (f->shown == FLEET_NODES || f->build == CROWD_NONE || !builds)
		return;
	f->build = (f->build + (by > 0 ? 1 : builds - 1)) % builds;
	memset(f->due_ns, 0, sizeof(f->due_ns));
	f->counts = false;
	rollout_drop(f);
	f->functions_list = f->rollout_list = (struct list){ 0 };	/* until they are made */
}

static int self_order(const void *a, const void *b)
{
	const struct fleet_function *x = a, *y = b;

	if (x->self_ns != y->self_ns)
		return x->self_ns < y->self_ns ? 1 : -1;
	return (x->address > y->address) - (x->address < y->address);
}

static void functions_order(struct fleet *f)
{
	size_t n = f->census.count;

	f->functions_list.count = 0;
	if (mem_grow(&f->functions, &f->function_cap, n + 1, sizeof(*f->functions)) < 0)
		return;
	for (size_t i = 0; i < n; i++) {
		const struct census_function *at = &f->census.functions[i];

		f->functions[i] = (struct fleet_function){ at->self_ns, at->address, i };
	}
	qsort(f->functions, n, sizeof(*f->functions), self_order);
	f->functions_list.count = n;
}

/* As it stands in that line. */
static const struct census_function *listed_at(const struct fleet *f, size_t line)
{
	return &f->census.functions[f->functions[line].at];
}

/* From the first node on; the costs have room for all functions of the build. */
static bool census_begin(struct fleet *f, const struct build *b)
{
	census_release(&f->counting);
	f->count_next = 0;
	f->count_took = 0;
	f->count_renames = b->renames;
	return mem_grow(&f->costs, &f->cost_cap, b->function_count + 1, sizeof(*f->costs)) == 0;
}

/* A node of the build. */
static void census_count(struct fleet *f, const struct crowd *c, size_t node)
{
	const struct crowd_node *n = crowd_node(c, node);
	const struct build *b = crowd_build(c, f->build);

	if (n->build == f->build)
		census_add(&f->counting, b, f->costs,
			   crowd_costs(c, node, CROWD_LAST, f->costs),
			   crowd_place(c, n->place), n->id);
}

static void census_show(struct fleet *f)
{
	census_release(&f->census);
	f->census = f->counting;
	f->counting = (struct census){ NULL };
	f->counts = false;
	f->news = true;
	f->due_ns[FLEET_FUNCTIONS] = fleet_due(f->count_took, FRESH_NS);
	functions_order(f);
}

static bool census_work(struct ui *u, uint64_t until_ns)
{
	const struct crowd *c = gather_crowd(u);
	struct fleet *f = u->fleet;
	uint64_t begin = clock_now();
	const struct build *b;

	b = crowd_build(c, f->build);
	if (!f->counts && begin < f->due_ns[FLEET_FUNCTIONS])
		return false;
	if (!f->counts || f->count_renames != b->renames || f->cost_cap < b->function_count)
		f->counts = census_begin(f, b);
	while (f->counts && f->count_next < crowd_count(c) && clock_now() < until_ns)
		census_count(f, c, f->count_next++);
	f->count_took += clock_now() - begin;
	if (f->counts && f->count_next < crowd_count(c))
		return true;
	census_show(f);
	return false;
}

static unsigned rollout_renames(const struct fleet *f, const struct crowd *c)
{
	return crowd_build(c, f->build)->renames +
	       (f->before == CROWD_NONE ? 0 : crowd_build(c, f->before)->renames);
}

static void rollout_end(struct fleet *f, int state)
{
	compare_stop(f);
	f->rollout_state = state;
	f->rollout_made = f->news = true;
	f->rollout_list.count = f->rollout.count;
}

/* False: there is nothing to compare, or no memory. */
static bool compare_begin(struct fleet *f, const struct crowd *c)
{
	int state;

	f->compare_took = 0;
	f->before = judge_build_before(c, f->build);
	state = f->before == CROWD_NONE ? ERR_ABSENT :
		judge_compare_new(&f->comparing, c, f->before, f->build);
	if (state == 0)
		return true;
	judge_rollout_release(&f->rollout);
	rollout_end(f, state);
	f->due_ns[FLEET_ROLLOUT] = fleet_due(0, FRESH_NS);
	return false;
}

static void compare_show(struct fleet *f, const struct crowd *c)
{
	judge_rollout_release(&f->rollout);
	judge_compare_give(f->comparing, &f->rollout);
	f->rollout_renames = rollout_renames(f, c);
	rollout_end(f, 0);
}

static bool compare_work(struct fleet *f, const struct crowd *c, uint64_t until_ns)
{
	uint64_t begin = clock_now();
	enum judge_state state = JUDGE_GOES_ON;

	if (f->rollout.count && f->rollout_renames != rollout_renames(f, c))
		rollout_drop(f);
	if (!f->comparing && (begin < f->due_ns[FLEET_ROLLOUT] || !compare_begin(f, c)))
		return false;
	while (state == JUDGE_GOES_ON && clock_now() < until_ns)
		state = judge_compare_step(f->comparing);
	f->compare_took += clock_now() - begin;
	if (state == JUDGE_GOES_ON)
		return true;
	if (state == JUDGE_DONE)
		compare_show(f, c);
	else
		compare_stop(f);
	f->due_ns[FLEET_ROLLOUT] = fleet_due(f->compare_took, FRESH_NS);
	return false;
}

bool fleet_page_work(struct ui *u, uint64_t until_ns)
{
	const struct crowd *c = gather_crowd(u);
	struct fleet *f = u->fleet;

	if (f->shown != FLEET_ROLLOUT)
		compare_stop(f);
	if (!c || f->build == CROWD_NONE)
		return false;
	return f->shown == FLEET_FUNCTIONS ? census_work(u, until_ns) :
	       f->shown == FLEET_ROLLOUT ? compare_work(f, c, until_ns) : false;
}

/* --- functions over all nodes ----------------------------------------------------------------- */

static const char *function_name(const struct build *b, uint64_t address, char *room, size_t size)
{
	for (size_t i = 0; i < b->function_count; i++)
		if (b->functions[i].address == address && b->functions[i].name)
			return b->functions[i].name;
	snprintf(room, size, "%#" PRIx64, address);
	return room;
}

static size_t worst_node(const struct ui *u, const struct census_function *f)
{
	return f->worst_place ? crowd_find(gather_crowd(u), f->worst_place, f->worst_id) :
	       CROWD_NONE;
}

static void worst_draw(const struct ui *u, struct grid *g, struct table_span at, int y,
		       const struct census_function *f)
{
	size_t node = worst_node(u, f), pane = node == CROWD_NONE ? SIZE_MAX : gather_pane(u, node);
	char room[24];

	if (node != CROWD_NONE && at.width)
		grid_textf(g, at.x, y, at.width, ROLE_VALUE, "%4.1f %s", 100 * f->worst,
			   pane == SIZE_MAX ? gather_title(u, node, room, sizeof(room)) :
			   node_title(u->panes[pane]->node));
}

static void function_draw(const struct ui *u, struct grid *g, int y, const struct table_span *at,
			  const struct census_function *f)
{
	const struct census *s = &u->fleet->census;
	/* A sketch may be off by 2 %, the largest is not. */
	double median = fmin(sketch_quantile(&f->shares, 0.5), f->worst);
	double high = fmin(sketch_quantile(&f->shares, 0.99), f->worst);
	char text[32];

	grid_text(g, at[CELL_FUNCTION].x, y, at[CELL_FUNCTION].width, ROLE_NAME,
		  function_name(crowd_build(gather_crowd(u), u->fleet->build), f->address, text,
				sizeof(text)));
	part_count(g, at[CELL_NODES], y, f->nodes);
	part_calls(g, at[CELL_CALLS], y, ROLE_NUMBER, (double)f->calls, false);
	part_percent(g, at[CELL_SHARE], y, census_share(s, f));
	part_percent(g, at[CELL_MEDIAN], y, median);
	part_percent(g, at[CELL_HIGH], y, high);
	snprintf(text, sizeof(text), "×%.2f", high / median);
	part_cell(g, at[CELL_SPREAD], y, ROLE_NUMBER, median > 0 ? text : "");
	worst_draw(u, g, at[CELL_WORST], y, f);
}

static void page_titles(struct grid *g, const struct page_column *cells, size_t n,
			struct table_span *spans)
{
	struct table_column c[CELL_COUNT];

	for (size_t i = 0; i < n; i++)
		c[i] = cells[i].at;
	table_layout(c, n, g->width, spans);
	for (size_t i = 0; i < n; i++)
		part_title(g, spans[i], 1, cells[i].title, cells[i].left, 0);
}

static void functions_draw(const struct ui *u, struct grid *g)
{
	const struct fleet *f = u->fleet;
	const struct list *l = &f->functions_list;
	struct table_span spans[CELL_COUNT];

	grid_textf(g, 1, 0, -1, ROLE_TAB, "functions over %zu nodes of %s", f->census.nodes,
		   gather_elf(u, f->build));
	page_titles(g, function_cells, CELL_COUNT, spans);
	for (int y = 0; y < f->page && l->top + (size_t)y < l->count; y++)
		function_draw(u, g, y + 2, spans, listed_at(f, l->top + (size_t)y));
}

/* --- a build against another ------------------------------------------------------------------ */

static void row_draw(struct grid *g, int y, const struct table_span *at, const struct judge_row *r)
{
	const struct rollout_verdict *v = &r->verdict;
	char text[48] = "";

	grid_text(g, at[ROLL_FUNCTION].x, y, at[ROLL_FUNCTION].width, ROLE_NAME, r->name);
	part_percent(g, at[ROLL_A], y, r->a);
	part_percent(g, at[ROLL_B], y, r->b);
	if (!isnan(v->times))
		snprintf(text, sizeof(text), "%+.*f %%", v->times < 2 ? 1 : 0,
			 100 * (v->times - 1));
	part_cell(g, at[ROLL_TIMES], y, ROLE_NUMBER, text);
	if (!isnan(v->times) && at[ROLL_INTERVAL].width)
		grid_textf(g, at[ROLL_INTERVAL].x, y, at[ROLL_INTERVAL].width, ROLE_NUMBER,
			   "%+.1f..%+.1f", 100 * (v->low - 1), 100 * (v->high - 1));
	grid_text(g, at[ROLL_VERDICT].x, y, at[ROLL_VERDICT].width, verdicts[v->kind].role,
		  verdicts[v->kind].word);
	if (!at[ROLL_NODES].width || isnan(v->times))
		return;
	if (v->paired)
		snprintf(text, sizeof(text), "%zu before and now", v->b);
	else
		snprintf(text, sizeof(text), "%zu against %zu", v->a, v->b);
	grid_text(g, at[ROLL_NODES].x, y, at[ROLL_NODES].width, ROLE_LABEL, text);
}

static void rollout_draw(const struct ui *u, struct grid *g)
{
	const struct fleet *f = u->fleet;
	const struct list *l = &f->rollout_list;
	struct table_span spans[ROLL_COUNT];

	if (!f->rollout_made) {
		grid_text(g, 1, 0, -1, ROLE_TAB, "a firmware against the one before");
		grid_text(g, 1, 2, -1, ROLE_DEFAULT, "Nodes are being compared.");
		return;
	}
	if (f->rollout_state) {
		grid_text(g, 1, 0, -1, ROLE_TAB, "a firmware against the one before");
		grid_text(g, 1, 2, -1, ROLE_DEFAULT, f->before == CROWD_NONE ?
			  "All nodes run the same firmware: nothing to compare." :
			  "Functions are compared by name: give the ELF of both firmwares.");
		return;
	}
	grid_textf(g, 1, 0, -1, ROLE_TAB, "%s (%zu nodes) against %s before (%zu nodes), %zu nodes "
		   "with both", gather_elf(u, f->build), f->rollout.b, gather_elf(u, f->before),
		   f->rollout.a, f->rollout.both);
	page_titles(g, rollout_cells, ROLL_COUNT, spans);
	for (int y = 0; y < f->page && l->top + (size_t)y < l->count; y++)
		row_draw(g, y + 2, spans, &f->rollout.rows[l->top + (size_t)y]);
}

/* --- both ------------------------------------------------------------------------------------- */

size_t fleet_page_node(const struct ui *u)
{
	const struct fleet *f = u->fleet;

	if (f->shown != FLEET_FUNCTIONS || f->functions_list.cursor >= f->functions_list.count)
		return CROWD_NONE;
	return worst_node(u, listed_at(f, f->functions_list.cursor));
}

void fleet_page_draw(struct ui *u, struct grid *g, uint64_t now)
{
	static const struct ui_key_hint functions[] = {
		{ "Enter", "the node with most" }, { "\xe2\x86\x90\xe2\x86\x92", "firmware" },
		{ "Tab", "before and now" }, { "q", "back" },
	}, rollout[] = {
		{ "\xe2\x86\x90\xe2\x86\x92", "firmware" }, { "Tab", "nodes" }, { "q", "back" },
	};
	bool is_rollout = u->fleet->shown == FLEET_ROLLOUT;
	const struct crowd *c = gather_crowd(u);
	struct fleet *f = u->fleet;
	struct list *l = fleet_list(f);

	grid_fill(g, 0, 0, -1, ROLE_TAB, ' ');
	ui_draw_keys(g, is_rollout ? rollout : functions, is_rollout ? 3 : 4);
	if (c)
		build_choose(f, c);
	if (!c || f->build == CROWD_NONE) {
		grid_text(g, 1, 2, -1, ROLE_DEFAULT, "No node's counts came yet, or none sends wsn "
			  "frames, which have them whole.");
		return;
	}
	fleet_page_work(u, now + WORK_NS);
	list_show(l, f->page);
	if (is_rollout)
		rollout_draw(u, g);
	else
		functions_draw(u, g);
	if (l->cursor < l->count)
		grid_select_row(g, 2 + (int)(l->cursor - l->top));
}
