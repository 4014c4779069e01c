#include "tui/view/histogram/latched.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/text.h"

const struct worst_call *latched_of(const struct view_shared *s, uint32_t function, uint32_t edge)
{
	const struct worst *w = s->node ? node_worst(s->node) : NULL;

	if (!w || !s->model.profile)
		return NULL;
	return edge != PROFILE_NONE ? worst_of_edge(w, s->model.profile, edge) :
				      worst_of_function(w, s->model.profile, function);
}

/* --- when ------------------------------------------------------------------------------------- */

static bool link_live(const struct view_shared *s)
{
	return s->node && node_link(s->node) && link_is_live(node_link(s->node));
}

static uint64_t age_ns(uint64_t time_ns)
{
	uint64_t now = clock_now();

	return now > time_ns ? now - time_ns : 0;
}

/* What the clock on the wall said then. */
static const char *wall_text(uint64_t time_ns, char *dst, size_t size)
{
	return text_wall(dst, size, clock_wall() - age_ns(time_ns));
}

const char *latched_age(const struct view_shared *s, const struct worst_call *c, char *dst,
			size_t size)
{
	dst[0] = '\0';
	return link_live(s) ? text_span(dst, size, age_ns(c->seen_ns)) : dst;
}

/* Of a file only what it says itself: a recording has times, other files came all at once. */
static const char *recorded_when(const struct view_shared *s, const struct worst_call *c, char *dst,
				 size_t size)
{
	const struct worst *w = node_worst(s->node);
	char at[24];

	dst[0] = '\0';
	if (w->last_ns - w->first_ns >= CLOCK_SECOND)
		snprintf(dst, size, "at %s of the recording%s",
			 text_span(at, sizeof(at), c->seen_ns - w->first_ns),
			 c->after_ns ? "" : " or before");
	return dst;
}

const char *latched_when(const struct view_shared *s, const struct worst_call *c, char *dst,
			 size_t size)
{
	char at[24], after[24], age[24];

	if (!link_live(s))
		return s->node ? recorded_when(s, c, dst, size) : strcpy(dst, "");
	wall_text(c->seen_ns, at, sizeof(at));
	text_span(age, sizeof(age), age_ns(c->seen_ns));
	if (!c->after_ns)
		snprintf(dst, size, "seen %s or before", at);
	else if (c->seen_ns - c->after_ns < 2 * CLOCK_SECOND)
		snprintf(dst, size, "seen %s, %s ago", at, age);
	else
		snprintf(dst, size, "seen between %s and %s, %s ago",
			 wall_text(c->after_ns, after, sizeof(after)), at, age);
	return dst;
}

/* --- the way ---------------------------------------------------------------------------------- */

struct way {
	char *dst;
	size_t size, used;
};

__attribute__((format(printf, 2, 3)))
static void way_add(struct way *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->dst + t->used, t->size - t->used, fmt, ap);
	va_end(ap);
	t->used = n < 0 || t->used + (size_t)n >= t->size ? t->size - 1 : t->used + (size_t)n;
}

static void way_add_name(struct way *t, const struct image *im, uint64_t address)
{
	uint32_t id = im ? image_find(im, address) : IMAGE_NONE;

	if (id != IMAGE_NONE)
		way_add(t, "%s", image_function(im, id)->name);
	else
		way_add(t, "0x%05" PRIx64, address);
}

/* Functions [from, to) of the path, the outermost first. */
static void way_add_functions(struct way *t, const struct image *im, const struct worst_call *c,
			      size_t from, size_t to)
{
	static const char *const tops[] = {
		[WORST_ROOT] = "", [WORST_HANDLER] = "(interrupt) > ", [WORST_DEEPER] = "... > ",
	};

	if (to == c->path_length && c->top <= WORST_DEEPER)
		way_add(t, "%s", tops[c->top]);
	for (size_t i = to; i-- > from;) {
		way_add_name(t, im, c->path[i]);
		if (i > from)
			way_add(t, " > ");
	}
}

const char *latched_way(const struct view_shared *s, const struct worst_call *c, const char *callee,
			char *dst, size_t size)
{
	const struct image *im = s->node ? node_image(s->node) : NULL;
	struct way t = { dst, size, 0 };
	struct image_line line;

	dst[0] = '\0';
	way_add_functions(&t, im, c, 0, c->certain);
	way_add(&t, "%s%s", c->certain ? " > " : "", callee);
	if (im && c->site > 1 && image_line(im, (uint64_t)(c->site & ~1u) - 1, &line) && line.file)
		way_add(&t, ", at %s:%" PRIu32, line.file, line.line);
	if (c->certain < c->path_length) {
		way_add(&t, ", probably from ");
		way_add_functions(&t, im, c, c->certain, c->path_length);
	}
	return dst;
}
