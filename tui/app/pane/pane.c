#include "tui/app/pane/pane.h"

#include <stdio.h>

#include "core/base/clock.h"
#include "core/profile/raw/copy.h"

#define FIGURES_CHEAP (CLOCK_SECOND / 200)	/* as long as a key's answer may wait for them */

static void apply_patterns(struct pane *p)
{
	p->shared.search = p->trying[PATTERN_SEARCH] ? p->trial[PATTERN_SEARCH] :
			   p->kept[PATTERN_SEARCH];
	p->shared.order.filter = p->trying[PATTERN_FILTER] ? p->trial[PATTERN_FILTER] :
				 p->kept[PATTERN_FILTER];
	pane_stale(p);
}

int pane_init(struct pane *p, struct node *node, const struct options *o,
	      struct settings *settings, struct err *err)
{
	*p = (struct pane){ .node = node, .behind = true, .options = o };
	p->shared = (struct view_shared){
		.node = node,
		.follow = settings->follow,
		.settings = settings,
		.window_to = SIZE_MAX,
		.model.baseline = "",
		.badge = "",
		.order = { .column = o->sorted ? o->sort : settings->sort },
	};
	for (size_t i = 0; i < PANE_VIEWS && views[i]; i++) {
		p->views[i] = view_new(views[i]);
		if (!p->views[i])
			return err_set(err, ERR_NOMEM, "out of memory");
	}
	if (o->filter)
		p->kept[PATTERN_FILTER] = regex_new(regex_pattern(o->filter), err);
	apply_patterns(p);
	return 0;
}

void pane_release(struct pane *p)
{
	for (size_t i = 0; i < PANE_VIEWS; i++)
		view_free(p->views[i]);
	for (int i = 0; i < PATTERNS; i++) {
		regex_free(p->kept[i]);
		regex_free(p->trial[i]);
	}
	past_release(&p->past);
	detail_release(&p->detail);
	marks_release(&p->marks);
	beside_release(&p->beside);
	profile_drop(p->baseline);
	compare_release(&p->compare);
	contexts_release(&p->contexts);
	tasks_release(&p->tasks);
}

void pane_stale(struct pane *p)
{
	for (size_t i = 0; i < PANE_VIEWS; i++)
		p->stale[i] = true;
	p->uncompared = true;
}

bool pane_change(struct pane *p, unsigned changes, size_t view)
{
	bool drawn = changes & (NODE_STATE | NODE_ENDED);

	past_image(&p->past, p->node);
	if (changes & (NODE_DATA | NODE_STATE)) {
		p->behind = true;
		drawn |= !p->past.held;
	}
	/* Console lines come in hundreds a second: other views are not drawn for them. */
	if (changes & NODE_TEXT) {
		for (size_t i = 0; i < PANE_VIEWS && views[i]; i++) {
			if (views[i]->action != ACTION_VIEW_CONSOLE)
				continue;
			p->stale[i] = true;
			drawn |= i == view;
		}
	}
	return drawn;
}

/* Whatever makes the views stale may have changed the comparison too. */
static void compare_sync(struct pane *p)
{
	struct view_model *m = &p->shared.model;

	p->uncompared = false;
	p->least = options_least(p->options, (struct compare_least){
		.load = p->shared.settings->least_load / 100,
		.call = p->shared.settings->least_call / 100,
	});
	m->compare = NULL;
	if (p->baseline && m->profile &&
	    compare_build(&p->compare, p->baseline, m->profile, &p->least) == 0)
		m->compare = &p->compare;
	m->baseline = p->baseline ? p->baseline_name : "";
}

void pane_set_baseline(struct pane *p, struct profile *baseline, const char *name)
{
	compare_release(&p->compare);
	profile_drop(p->baseline);
	p->baseline = baseline;
	snprintf(p->baseline_name, sizeof(p->baseline_name), "%s", name);
	pane_stale(p);
}

static const char *badge_text(const struct pane *p)
{
	if (p->past.held && p->past.window != PAST_WINDOW_NONE)
		return "WINDOW";
	if (p->stretch.peaks)
		return "PEAKS";
	if (!p->past.held && node_play(p->node, 0).state == NODE_PLAY_PAUSED)
		return "PAUSED";
	if (p->past.held)
		return p->past.exact ? "FROZEN" : "PAST";
	if (p->stretch.marked)
		return "AFTER";
	return p->shared.span == SPAN_INTERVAL && p->stretch.history ? "INTERVAL" : "";
}

/* The stretch of time that the profile is of, for the views. */
static void time_sync(struct pane *p)
{
	bool live = !p->past.held || !p->stretch.history;
	uint64_t at_ns;

	p->shared.model.history = past_history(&p->past, p->node);
	p->shared.frozen = p->past.held;
	p->shared.held_ns = p->past.held ? p->past.at_ns : 0;
	p->shared.window_to = live ? SIZE_MAX : p->stretch.to;
	/* A frozen profile has counts from after the last moment, too. */
	p->shared.window_begin_ns = live || p->past.exact ? 0 : p->stretch.begin_ns;
	p->shared.window_end_ns = live || p->past.exact ? 0 : p->stretch.end_ns;
	/* Whoever goes on from there has left it. */
	p->visit.on &= past_shown(&p->past, p->node, &at_ns) && at_ns == p->visit.at_ns &&
		       p->past.window == PAST_WINDOW_NONE;
	p->shared.visiting = p->visit.on;
	p->shared.windowed = p->past.held && p->past.window != PAST_WINDOW_NONE;
	p->shared.peaks = p->stretch.peaks;
	p->shared.marked = p->stretch.marked;
	p->shared.badge = badge_text(p);
}

static void scope_sync(struct pane *p, const struct profile *of)
{
	struct names_scope s;

	for (int round = 0; round < 2; round++) {
		names_scope_begin(&s, round);
		for (size_t i = 0; of && i < of->function_count; i++)
			names_scope_add(&s, of->functions[i].name);
	}
	names_scope_end(&s, p->scope, sizeof(p->scope));
}

/* Who calls whom changes less often than the counts: rebuild only for another graph. */
static void contexts_sync(struct pane *p)
{
	struct view_model *m = &p->shared.model;
	const struct profile *of = m->profile;

	if (of && m->contexts && p->contexts_of == of &&
	    p->contexts_edges == of->edge_count && p->contexts.count == of->function_count &&
	    p->contexts_renames == of->renames)
		return;
	m->contexts = NULL;
	scope_sync(p, of);
	if (!of || contexts_build(&p->contexts, of, node_image(p->node)) < 0)
		return;
	m->contexts = &p->contexts;
	p->contexts_of = of;
	p->contexts_edges = of->edge_count;
	p->contexts_renames = of->renames;
}

static void tasks_sync(struct pane *p)
{
	struct view_model *m = &p->shared.model;

	m->tasks = m->contexts && tasks_find(&p->tasks, m->contexts, m->profile) == 0 ?
		   &p->tasks : NULL;
}

/* The node is as a new one, and parts of it may stand where others stood: nothing is remembered. */
static void restart_sync(struct pane *p)
{
	struct view_model *m = &p->shared.model;

	if (p->restarts == node_restarts(p->node))
		return;
	p->restarts = node_restarts(p->node);
	past_again(&p->past);
	m->profile = NULL;
	m->compare = NULL;
	m->contexts = p->shared.order.contexts = NULL;
	m->tasks = NULL;
	p->contexts_of = NULL;
	p->behind = true;
	pane_stale(p);
}

static bool energy_differs(const struct energy_report *a, const struct energy_report *b)
{
	return a->trouble != b->trouble || a->known_charge < b->known_charge ||
	       a->known_charge > b->known_charge;
}

/*
 * The functions get what the power meter, or a model, tells of them in the time that is shown.
 * Peaks are not of one time.
 */
static void energy_sync(struct pane *p)
{
	struct view_model *m = &p->shared.model;
	const struct energy_report *r = NULL;

	m->energy = NULL;
	if (!m->profile || (p->stretch.peaks && m->profile == p->past.own))
		return;
	if (m->profile == node_profile(p->node))
		r = node_energy(p->node);
	else if (p->past.held && p->past.exact)
		r = p->energy_known ? &p->energy : NULL;
	else if (p->past.own && p->stretch.history)
		r = node_energy_window(p->node, p->past.own, p->stretch.begin_ns,
				       p->stretch.end_ns);
	if (r && r != &p->energy) {
		if (m->profile == p->past.own && energy_differs(r, &p->energy))
			pane_stale(p);
		p->energy = *r;
	}
	p->energy_known = r != NULL;
	m->energy = r ? &p->energy : NULL;
}

/* Computed already, and no function or edge has another number or place since. */
static bool figures_hold(const struct pane *p)
{
	const struct profile *live = node_profile(p->node);
	const struct pane_figures *f = &p->figures;

	return !f->due && f->cost_ns > FIGURES_CHEAP &&
	       p->shared.model.profile == live && !live->rebuild && !p->past.own &&
	       f->functions == live->function_count && f->edges == live->edge_count &&
	       f->renames == live->renames && f->resets == live->resets + live->rebases;
}

static void figures_note(struct pane *p, uint64_t began)
{
	const struct profile *live = node_profile(p->node);

	p->figures = (struct pane_figures){
		.cost_ns = clock_now() - began,
		.functions = live->function_count, .edges = live->edge_count,
		.renames = live->renames, .resets = live->resets + live->rebases,
	};
}

static void profile_sync(struct pane *p, size_t view, bool fresh)
{
	bool flat = views[view]->action == ACTION_VIEW_FLAT, changed;
	struct view_model *m = &p->shared.model;
	bool behind = (p->behind && fresh) || m->profile != node_profile(p->node);
	const struct profile *shown;

	p->stretch = past_stretch(&p->past, p->node, p->shared.span,
				  p->shared.settings->interval, flat);
	if (p->shared.span == SPAN_MARK && p->mark_ns && p->past.window == PAST_WINDOW_NONE)
		past_since(&p->stretch, p->mark_ns);
	shown = past_profile(&p->past, p->node, &p->stretch, p->shared.span, behind, &changed);
	if (shown == node_profile(p->node) && fresh)
		p->behind = false;
	if (changed || shown != m->profile || p->images != node_images(p->node)) {
		if (shown != m->profile || p->past.own)
			p->contexts_of = NULL;
		m->profile = shown;
		m->compare = NULL;
		p->images = node_images(p->node);
		pane_stale(p);
	}
	energy_sync(p);
	time_sync(p);
	contexts_sync(p);
	tasks_sync(p);
	p->shared.order.contexts = m->contexts;
}

void pane_refresh(struct pane *p)
{
	p->figures.due = true;
}

void pane_sync(struct pane *p, size_t view)
{
	uint64_t began = clock_now();
	bool fresh;

	restart_sync(p);
	fresh = p->behind && !figures_hold(p);
	profile_sync(p, view, fresh);
	if (p->uncompared)
		compare_sync(p);
	if (p->stale[view] && p->views[view]) {
		p->stale[view] = false;
		if (p->views[view]->ops->update)
			p->views[view]->ops->update(p->views[view], &p->shared);
	}
	if (fresh)
		figures_note(p, began);
	p->figures.due = false;
}

size_t pane_poll_fds(const struct pane *p, struct pollfd *fds)
{
	size_t n = 0;

	for (size_t i = 0; i < PANE_VIEWS; i++) {
		const struct view *v = p->views[i];
		int fd = v && v->ops->fd ? v->ops->fd(v) : -1;

		if (fd >= 0)
			fds[n++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	}
	return n;
}

bool pane_service(struct pane *p, uint64_t now, size_t view)
{
	bool computed, drawn;

	drawn = watching_look(&p->watching, p->node, p->shared.settings, now, &computed);
	p->behind |= computed;
	drawn |= p->shared.model.energy && p->energy.trouble == ENERGY_ADDING;
	for (size_t i = 0; i < PANE_VIEWS; i++) {
		struct view *v = p->views[i];

		if (!v || !v->ops->service || !v->ops->service(v, now))
			continue;
		p->stale[i] = true;
		drawn |= i == view;
	}
	return drawn;
}

/* What is copied has the energies as they are now. */
int pane_freeze(struct pane *p, struct err *err)
{
	const struct energy_report *r = p->past.own ? p->shared.model.energy :
					node_energy(p->node);

	p->energy_known = r != NULL;
	if (r && r != &p->energy)
		p->energy = *r;
	return past_freeze(&p->past, p->node, err);
}

void pane_hold(struct pane *p, uint64_t at_ns)
{
	past_hold(&p->past, p->node, at_ns);
}

void pane_thaw(struct pane *p)
{
	struct view_model *m = &p->shared.model;

	past_live(&p->past);
	m->profile = NULL;
	m->compare = NULL;
	m->contexts = p->shared.order.contexts = NULL;
	p->shared.frozen = false;
	p->shared.held_ns = 0;
	p->behind = true;
}

const struct marks *pane_marks(struct pane *p)
{
	beside_sync(&p->beside, p->node);
	marks_fill(&p->marks, past_whole(&p->past, p->node), &p->beside, p->node);
	return &p->marks;
}

int pane_try(struct pane *p, enum pattern which, const char *text, struct err *err)
{
	struct regex *r = NULL;

	if (*text) {
		r = regex_new(text, err);
		if (!r)
			return ERR_USAGE;
	}
	regex_free(p->trial[which]);
	p->trial[which] = r;
	p->trying[which] = true;
	apply_patterns(p);
	return 0;
}

void pane_keep(struct pane *p, enum pattern which)
{
	if (p->trying[which]) {
		regex_free(p->kept[which]);
		p->kept[which] = p->trial[which];
		p->trial[which] = NULL;
		p->trying[which] = false;
	}
	apply_patterns(p);
}

void pane_drop(struct pane *p, enum pattern which)
{
	regex_free(p->trial[which]);
	p->trial[which] = NULL;
	p->trying[which] = false;
	apply_patterns(p);
}

bool pane_clear(struct pane *p, enum pattern which)
{
	if (!p->kept[which])
		return false;
	regex_free(p->kept[which]);
	p->kept[which] = NULL;
	apply_patterns(p);
	return true;
}

const char *pane_pattern(const struct pane *p, enum pattern which)
{
	return p->kept[which] ? regex_pattern(p->kept[which]) : "";
}

void pane_export_source(struct pane *p, const struct options *o, struct export_source *s)
{
	node_export_source(p->node, s);
	p->behind = true;		/* computed now: views have yet to learn of it */
	/* Peaks have no call sites, and are not of one time: no other tool could read them. */
	if (p->past.own && !p->past.peaks) {
		s->profile = p->past.own;
		s->energy = p->shared.model.energy;
		s->worst = NULL;
		s->window = past_words(&p->past, p->node, &p->stretch, p->shared.span, 100,
				       p->window_said, sizeof(p->window_said));
	}
	s->order = p->shared.order;
	s->baseline = p->baseline;
	s->least = &p->least;
	s->values = &o->values;
}
