/*
 * fleet_work: what is told of many nodes, a few milliseconds at a time, so that no key waits for
 * all of them: figures of rows that a sort needs, then build by build who is unlike the others and
 * unlike itself, and what the page that is shown tells of a build.
 */
#include <math.h>

#include "core/base/mem.h"
#include "tui/app/fleet.h"

#define FRESH_NS (20 * CLOCK_SECOND)	/* how old scores may be, */
#define ROWS_NS CLOCK_SECOND		/* and figures */

void fleet_work_release(struct fleet *f)
{
	judge_sweep_free(f->sweep);
	f->sweep = NULL;
}

/* All rows have figures, of what came last. */
static bool rows_work(struct ui *u, uint64_t until_ns)
{
	struct fleet *f = u->fleet;

	if (clock_now() < f->rows_ns)
		return false;
	for (; f->row_next < f->count; f->row_next++) {
		struct fleet_row *r = &f->rows[f->row_next];

		if (r->pane)
			continue;
		fleet_row_renumber(u, r);
		if (r->taken == crowd_node(gather_crowd(u), r->node)->taken)
			continue;
		if (clock_now() >= until_ns)
			return true;
		fleet_row_follow(u, r);
	}
	f->row_next = 0;
	f->rows_ns = clock_now() + ROWS_NS;
	return false;
}

/* Scores to the rows of a build. */
static void sweep_give(struct ui *u)
{
	struct fleet *f = u->fleet;
	const struct crowd *c = gather_crowd(u);
	size_t count = crowd_count(c);
	struct judge_past *found = mem_zalloc((count + 1) * sizeof(*found));

	for (size_t i = 0; found && i < count; i++)
		found[i] = (struct judge_past){ .function = BUILD_NONE, .z = (double)NAN };
	if (found)
		judge_sweep_give(f->sweep, found);
	for (size_t i = 0; found && i < f->count; i++) {
		struct fleet_row *r = &f->rows[i];

		if (r->pane || crowd_node(c, r->node)->build != f->sweep_build)
			continue;
		fleet_row_renumber(u, r);
		if (f->sweep_what == JUDGE_ITSELF) {
			r->past = found[r->node];
			continue;
		}
		r->odd = found[r->node].function;
		r->z = found[r->node].z;
		r->times = found[r->node].times;
	}
	mem_free(found);
	f->unordered = true;
}

/* The next build, or the next question; false: all are answered. */
static bool sweep_next(struct fleet *f, const struct crowd *c)
{
	judge_sweep_free(f->sweep);
	f->sweep = NULL;
	if (f->sweep_what == JUDGE_OTHERS) {
		f->sweep_what = JUDGE_ITSELF;
	} else {
		f->sweep_what = JUDGE_OTHERS;
		f->sweep_build++;
	}
	if (f->sweep_build < crowd_builds(c))
		return true;
	f->sweep_build = 0;
	f->odd_ns = fleet_due(f->sweep_took, FRESH_NS);
	f->sweep_took = 0;
	return false;
}

static bool sweep_work(struct ui *u, uint64_t until_ns)
{
	const struct crowd *c = gather_crowd(u);
	struct fleet *f = u->fleet;
	uint64_t begin = clock_now(), now = begin;

	if (!f->sweep && now < f->odd_ns)
		return false;
	while (now < until_ns) {
		enum judge_state state = JUDGE_GONE;

		if (!f->sweep)
			f->sweep = judge_sweep_new(c, f->sweep_build, f->sweep_what);
		if (f->sweep)
			state = judge_sweep_step(f->sweep);
		if (state == JUDGE_DONE)
			sweep_give(u);
		now = clock_now();
		f->sweep_took += now - begin;
		begin = now;
		if (state != JUDGE_GOES_ON && !sweep_next(f, c))
			return false;
	}
	return true;
}

bool fleet_work(struct ui *u, uint64_t until_ns)
{
	struct fleet *f = u->fleet;
	bool more = fleet_page_work(u, until_ns);

	if (!f->many || !gather_crowd(u))
		return more;
	if (f->shown != FLEET_NODES) {
		fleet_work_release(f);
		return more;
	}
	return rows_work(u, until_ns) || sweep_work(u, until_ns) || more;
}
