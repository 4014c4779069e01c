/*
 * A flame graph (Gregg, "The Flame Graph", 2016) as one SVG with its own script: a click zooms, "/"
 * searches. Paths from below upwards; a frame's width is its time with all below, of a profile
 * without times its calls. Frames narrower than LEAST of the whole are left out, and said.
 */
#include "core/export/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/export/stacks.h"

enum { WIDTH = 1200, ROW = 18, ABOVE = 56, BELOW = 30 };

#define LEAST 0.0001			/* of the whole: an eighth of a column of a pixel */

static const char script[] =
#include "embedded/flame.js.inc"
;
static const char style[] =
#include "embedded/flame.css.inc"
;

static const char *const escapes[] = { "&&amp;", "<&lt;", ">&gt;", "\"&quot;", NULL };

struct flame {
	const struct export_source *s;
	struct stacks stacks;
	uint64_t whole;
	uint32_t deepest;
	size_t left_out;
	double *at;			/* by frame: where it begins */
	struct out *out;
};

static uint64_t frame_value(const struct flame *f, size_t i)
{
	const struct stack_frame *frame = &f->stacks.frames[i];

	return f->stacks.times ? frame->all_ns : frame->all_calls;
}

static uint64_t frame_own(const struct flame *f, size_t i)
{
	return f->stacks.times ? f->stacks.frames[i].ns : f->stacks.frames[i].calls;
}

static bool frame_shows(const struct flame *f, size_t i)
{
	return (double)frame_value(f, i) >= LEAST * (double)f->whole;
}

/* --- the layout ------------------------------------------------------------------------------- */

/* A frame's callees stand side by side from its beginning; its own time is right of them. */
static int places_find(struct flame *f)
{
	double *next, root = 0;

	f->at = mem_alloc((f->stacks.count + 1) * sizeof(*f->at));
	next = mem_alloc((f->stacks.count + 1) * sizeof(*next));
	if (!f->at || !next) {
		mem_free(next);
		return ERR_NOMEM;
	}
	for (size_t i = 0; i < f->stacks.count; i++) {
		const struct stack_frame *frame = &f->stacks.frames[i];
		double *from = frame->parent == PROFILE_NONE ? &root : &next[frame->parent];

		f->at[i] = next[i] = *from;
		*from += (double)frame_value(f, i);
		if (!frame_shows(f, i))
			f->left_out += frame_value(f, i) > 0;
		else if (frame->depth + 1u > f->deepest)
			f->deepest = frame->depth + 1u;
		if (frame->parent == PROFILE_NONE)
			f->whole += frame_value(f, i);
	}
	mem_free(next);
	return 0;
}

/* --- colours ---------------------------------------------------------------------------------- */

/* One hue a source file: what belongs together looks so, and a second export is alike. */
static void color_of(const struct profile_function *f, char dst[32])
{
	const char *file = f->path ? f->path : f->file ? f->file : "";
	uint64_t hash = 0;
	unsigned hue, tint;

	for (const char *c = file; *c; c++)
		hash = map_hash(hash ^ (uint8_t)*c);
	hue = *file ? (unsigned)(hash % 300 + 15) % 360 : 220;
	tint = (unsigned)(map_hash(f->address) % 12);
	if (hue > 270)
		hue -= 230;		/* violet is what a search finds */
	snprintf(dst, 32, "hsl(%u,%u%%,%u%%)", hue, *file ? 62u : 6u, 64 + tint);
}

/* --- frames ----------------------------------------------------------------------------------- */

static void amount_write(struct flame *f, uint64_t value)
{
	char text[16];

	if (f->stacks.times)
		out_adds(f->out, text_seconds(text, sizeof(text), (double)value / 1e9));
	else
		out_addf(f->out, "%" PRIu64 " calls", value);
}

static void box_open(struct flame *f, const char *name, double at, uint64_t value, uint32_t depth)
{
	out_adds(f->out, "<g class=\"f\" data-n=\"");
	out_text(f->out, name, escapes);
	out_addf(f->out, "\" data-x=\"%.0f\" data-w=\"%" PRIu64 "\" data-d=\"%" PRIu32 "\"><title>",
		 at, value, depth);
	out_text(f->out, name, escapes);
	out_adds(f->out, ": ");
	amount_write(f, value);
	out_addf(f->out, ", %.2f %%", f->whole ? 100 * (double)value / (double)f->whole : 0.0);
}

/* The first letters of the name that fit; the script sets them again as it zooms. */
static void box_close(struct flame *f, const char *name, double at, uint64_t value, uint32_t depth,
		      const char *color)
{
	double scale = f->whole ? (double)WIDTH / (double)f->whole : 0;
	double width = (double)value * scale;
	int y = ABOVE + (int)(f->deepest - depth) * ROW, room = (int)((width - 6) / 7.2);
	char shown[200];

	snprintf(shown, sizeof(shown), "%.*s", room < 3 ? 0 : room > 190 ? 190 : room, name);
	out_addf(f->out, "</title><rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" "
		 "style=\"fill:%s\"/><text x=\"%.2f\" y=\"%d\">", at * scale, y,
		 fmax(0, width - 0.5), ROW - 1, color, at * scale + 3, y + 13);
	out_text(f->out, shown, escapes);
	out_adds(f->out, "</text></g>\n");
}

static void frame_draw(struct flame *f, size_t i)
{
	const struct stack_frame *frame = &f->stacks.frames[i];
	const struct profile_function *fn = &f->s->profile->functions[frame->function];
	uint64_t value = frame_value(f, i), own = frame_own(f, i);
	char color[32];

	color_of(fn, color);
	box_open(f, fn->name, f->at[i], value, frame->depth + 1u);
	if (f->stacks.times && own != value) {
		out_adds(f->out, "; self ");
		amount_write(f, own);
	}
	if (f->stacks.times && fn->called)
		out_addf(f->out, "; %" PRIu64 " calls", frame->calls);
	if (frame->shared)
		out_adds(f->out, "; an estimate: it is called from several places");
	box_close(f, fn->name, f->at[i], value, frame->depth + 1u, color);
}

/* --- the picture ------------------------------------------------------------------------------ */

static void head_write(struct flame *f)
{
	unsigned height = ABOVE + (f->deepest + 1) * ROW + BELOW;

	out_addf(f->out, "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" "
		 "height=\"%u\" viewBox=\"0 0 %d %u\" data-width=\"%d\" data-whole=\"%" PRIu64
		 "\">\n<style>\n", WIDTH, height, WIDTH, height, WIDTH, f->whole);
	out_adds(f->out, style);
	out_adds(f->out, "</style>\n<text id=\"title\" x=\"8\" y=\"22\">");
	out_text(f->out, f->s->node, escapes);
	out_adds(f->out, f->stacks.times ? "</text>\n" : ": calls</text>\n");
	out_addf(f->out, "<text id=\"reset\" x=\"8\" y=\"44\" style=\"display:none\">Reset "
		 "zoom</text>\n<text id=\"search\" x=\"%d\" y=\"22\" text-anchor=\"end\">Search"
		 "</text>\n<text id=\"status\" x=\"%d\" y=\"44\" text-anchor=\"end\"></text>\n",
		 WIDTH - 8, WIDTH - 8);
}

static void foot_write(struct flame *f)
{
	int y = ABOVE + (int)(f->deepest + 1) * ROW + 18;

	out_addf(f->out, "<text x=\"8\" y=\"%d\">", y);
	if (f->left_out)
		out_addf(f->out, "%zu frames below %.2f %% are not drawn. ", f->left_out,
			 100 * LEAST);
	if (profile_estimated(f->s->profile))
		out_adds(f->out, "Estimates: the profiler's own cost is subtracted. ");
	if (f->s->window)
		out_text(f->out, f->s->window, escapes);
	out_adds(f->out, "</text>\n<script><![CDATA[\n");
	out_adds(f->out, script);
	out_adds(f->out, "]]></script>\n</svg>\n");
}

int flamegraph_write(const struct export_source *s, struct out *out)
{
	struct flame f = { .s = s, .out = out };
	int ret = stacks_build(&f.stacks, s);

	if (ret == 0)
		ret = places_find(&f);
	if (ret == 0) {
		head_write(&f);
		box_open(&f, "all", 0, f.whole, 0);
		box_close(&f, "all", 0, f.whole, 0, "hsl(220,8%,78%)");
		for (size_t i = 0; i < f.stacks.count && !out_failed(out); i++)
			if (frame_shows(&f, i))
				frame_draw(&f, i);
		foot_write(&f);
	}
	mem_free(f.at);
	stacks_release(&f.stacks);
	return ret;
}

int export_flamegraph(const struct export_source *s, struct out *out, struct err *err)
{
	(void)err;
	out_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	return flamegraph_write(s, out);
}
