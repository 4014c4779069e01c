#include "tui/pane.h"

#include <stdio.h>

#include "core/profile/copy.h"

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
	*p = (struct pane){ .node = node, .behind = true };
	p->shared = (struct view_shared){
		.node = node,
		.follow = settings->follow,
		.settings = settings,
		.window_to = SIZE_MAX,
		.baseline = "",
		.order = { .column = o->sorted ? o->sort : settings->sort },
	};
	for (size_t i = 0; views[i] && i < PANE_VIEWS; i++) {
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
	profile_drop(p->frozen);
	profile_drop(p->baseline);
	compare_release(&p->compare);
	contexts_release(&p->contexts);
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

	if (changes & (NODE_DATA | NODE_STATE)) {
		p->behind = true;
		drawn |= !p->frozen;
	}
	/* Console lines come in hundreds a second; who does not show them need not care. */
	if (changes & NODE_TEXT) {
		for (size_t i = 0; views[i] && i < PANE_VIEWS; i++) {
			if (views[i]->action != ACTION_VIEW_CONSOLE)
				continue;
			p->stale[i] = true;
			drawn |= i == view;
		}
	}
	return drawn;
}

/* Whatever makes the views stale may have changed what is compared. */
static void compare(struct pane *p)
{
	bool both = p->baseline && p->shared.profile;

	p->uncompared = false;
	p->shared.compare = both && compare_build(&p->compare, p->baseline, p->shared.profile) == 0 ?
			    &p->compare : NULL;
	p->shared.baseline = p->baseline ? p->baseline_name : "";
}

void pane_set_baseline(struct pane *p, struct profile *baseline, const char *name)
{
	compare_release(&p->compare);
	profile_drop(p->baseline);
	p->baseline = baseline;
	snprintf(p->baseline_name, sizeof(p->baseline_name), "%s", name);
	pane_stale(p);
}

void pane_sync(struct pane *p, size_t view)
{
	struct profile *live = node_profile(p->node);

	if (p->frozen) {
		p->shared.profile = p->frozen;
	} else if (p->behind || p->shared.profile != live) {
		p->shared.profile = profile_compute(live) == 0 ? live : NULL;
		p->behind = false;
		pane_stale(p);
	}
	if (p->uncompared)
		compare(p);
	if (p->stale[view] && p->views[view]) {
		p->stale[view] = false;
		if (p->views[view]->ops->update)
			p->views[view]->ops->update(p->views[view], &p->shared);
	}
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
	bool drawn = false;

	for (size_t i = 0; i < PANE_VIEWS; i++) {
		struct view *v = p->views[i];

		if (!v || !v->ops->service || !v->ops->service(v, now))
			continue;
		p->stale[i] = true;
		drawn |= i == view;
	}
	return drawn;
}

int pane_freeze(struct pane *p, struct err *err)
{
	profile_compute(node_profile(p->node));
	p->frozen = profile_copy(node_profile(p->node));
	if (!p->frozen)
		return err_set(err, ERR_NOMEM, "out of memory: not frozen");
	p->shared.frozen = true;
	p->shared.profile = p->frozen;
	pane_stale(p);
	return 0;
}

void pane_thaw(struct pane *p)
{
	profile_drop(p->frozen);
	p->frozen = NULL;
	p->shared.frozen = false;
	p->shared.profile = NULL;
	p->behind = true;
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
	if (p->frozen)
		s->profile = p->frozen;
	else
		p->behind = true;	/* computed now: views have yet to learn of it */
	s->order = p->shared.order;
	s->limit = o->limit;
	s->cluster = o->cluster;
	s->per_site = o->per_site;
}
