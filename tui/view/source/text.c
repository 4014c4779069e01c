/*
 * text: the text of a row of the source view, without its figures.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/part/excerpt.h"
#include "tui/part/naming.h"
#include "tui/view/source/view.h"

/* --- rows ------------------------------------------------------------------------------------- */

static void entry_text(const struct source_view *v, char *dst, size_t size)
{
	const struct profile_function *f = source_function(v);
	char self[24] = "", range[64] = "", a[24], b[24];

	if (!f)
		return;
	if (!isnan(f->self_s))
		column_self_time(f, self, sizeof(self));
	if (!isnan(f->min_s) && !isnan(f->max_s)) {
		column_call_time(v->profile, f->min_s, f->flags & ROW_MIN_AT_LEAST, a, sizeof(a));
		column_call_time(v->profile, f->max_s, f->flags & ROW_MAX_AT_LEAST, b, sizeof(b));
		snprintf(range, sizeof(range), ", %s to %s a call", a, b);
	}
	snprintf(dst, size, "%s%s%s", *self ? "self " : "the function's own calls", self, range);
}

/* The callee's name loses its middle, and where it is narrow the words behind it their end. */
static void call_text(const struct source_view *v, size_t call, char *dst, size_t size, int width)
{
	enum { NAME_LEAST = 12 };
	const struct cost_call *c = &v->cost.calls[call];
	char name[300], more[300];
	int room = width - 3;

	snprintf(more, sizeof(more), "%s%s%s", c->inlined ? ", by inlined " : "",
		 c->inlined ? c->inlined : "", c->inner ? ", recursive: within an outer call" : "");
	if (room - text_columns(more) >= NAME_LEAST)
		room -= text_columns(more);
	naming_short(v->profile->functions[c->callee].name, room, name, sizeof(name));
	snprintf(dst, size, "-> %s%s", name, more);
}

static void code_line(const struct source_view *v, size_t i, char *dst, size_t size, int skip,
		      int width)
{
	const struct listing *l = source_listing(v);
	const char *text = listing_text(l, i);
	char line[OBJDUMP_LINE + 32];
	int n = snprintf(line, sizeof(line), "%6" PRIx64 ":  ", l->v[i].address);

	/* The mnemonic's tab, to where eight columns would bring it. */
	for (; *text && n < (int)sizeof(line) - 9; text++) {
		if (*text != '\t') {
			line[n++] = *text;
			continue;
		}
		do
			line[n++] = ' ';
		while ((n - 9) % 8 && n < (int)sizeof(line) - 9);
	}
	excerpt_text(dst, size, line, (size_t)n, skip, width);
}

static void place_text(const struct source_view *v, size_t i, char *dst, size_t size)
{
	struct image_frame frames[2];
	uint64_t at = source_listing(v)->v[i].address;
	size_t depth = image_inlines(v->image, at, frames, 2);
	struct source_line text;
	struct image_line line;
	int n;

	if (!image_line(v->image, at, &line) || !line.file)
		return;
	n = snprintf(dst, size, "%s:%u%s%s", line.file, line.line, depth > 1 ? " inlined " : "",
		     depth > 1 ? frames[0].function : "");
	if (v->source && line.path && !strcmp(line.path, v->path) && n + 2 < (int)size &&
	    source_line(v->source, line.line, &text)) {
		while (text.length && (*text.text == ' ' || *text.text == '\t')) {
			text.text++;
			text.length--;
		}
		n += snprintf(dst + n, size - (size_t)n, "  ");
		excerpt_text(dst + n, size - (size_t)n, text.text, text.length, 0, 200);
	}
}

const char *source_row_text(const struct source_view *v, struct note n, char *dst, size_t size,
			    int skip, int width)
{
	const struct cost_inline *in;
	struct source_line text;

	dst[0] = '\0';
	switch (n.kind) {
	case NOTE_TEXT:
		if (v->source && source_line(v->source, n.line, &text))
			excerpt_text(dst, size, text.text, text.length, skip, width);
		break;
	case NOTE_ENTRY: entry_text(v, dst, size); break;
	case NOTE_CALL: call_text(v, n.index, dst, size, width); break;
	case NOTE_INLINED:
		in = &v->cost.inlines[n.index];
		snprintf(dst, size, "inlined %s, %s:%u", in->function,
			 in->from.file ? in->from.file : "?", in->from.line);
		break;
	case NOTE_PLACE: place_text(v, n.index, dst, size); break;
	case NOTE_INSTRUCTION: code_line(v, n.index, dst, size, skip, width); break;
	}
	return dst;
}
