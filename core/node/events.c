/*
 * events: what decoders tell: counts, reports, call stacks, text. What wsn tells besides: said.c.
 */
#include "core/node/parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/profile/raw/feed.h"

/* What the profile had no place for is a loss like those that nodes tell. */
void node_losses_note(struct node *n, const struct profile *p)
{
	n->talk.status.unplaced = p->dropped;
	n->talk.has_status |= p->dropped > 0;
}

static void on_arcs(void *ctx, const struct wire_arc *arcs, size_t count)
{
	struct node *n = input_batch(ctx);
	struct profile *p = node_stream_profile(n);

	profile_add_arcs(p, arcs, count);
	node_losses_note(n, p);
	n->changes |= NODE_DATA;
}

static void on_samples(void *ctx, const uint32_t *pcs, size_t count)
{
	struct node *n = input_batch(ctx);
	struct profile *p = node_stream_profile(n);

	profile_add_samples(p, pcs, count);
	node_losses_note(n, p);
	seen_samples(n, count);
	stretches_take(n, pcs, count);
	energy_pcs(ctx, pcs, count);
	n->changes |= NODE_DATA;
}

/* --report: #N picks one report by its number, a name all of that name, nothing the newest. */
static bool report_wanted(const struct node *n, const struct wire_report *r)
{
	const char *want = n->options.report;

	if (!want)
		return true;
	if (want[0] == '#')
		return strtoul(want + 1, NULL, 10) == r->index;
	return strcmp(want, r->name) == 0;
}

static void on_report(void *ctx, const struct wire_report *r)
{
	struct node *n = input_batch(ctx);
	struct book *b;

	n->reports++;
	if (!report_wanted(n, r))
		return;
	b = book_named(n, r->name);
	if (profile_take_report(b->profile, r, n->options.batch) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: some call sites are not counted");
	b->profile->run_ns = n->now_ns;
	book_mark(n, b);
	if (!player_selects(n, b) && !n->pinned)
		n->selected = (size_t)(b - n->books);
	node_past_report(n, b);
	n->changes |= NODE_DATA;
}

static void stack_keep(struct node *n, const struct wire_stack *stack)
{
	struct wire_frame *frames = mem_alloc((stack->count + 1) * sizeof(*frames));

	if (!frames)
		return;
	if (stack->count)
		memcpy(frames, stack->frames, stack->count * sizeof(*frames));
	if (n->stack_count == NODE_STACKS) {
		mem_free((void *)n->stacks[0].frames);
		memmove(n->stacks, n->stacks + 1, (NODE_STACKS - 1) * sizeof(n->stacks[0]));
		n->stack_count--;
	}
	n->stacks[n->stack_count] = *stack;
	n->stacks[n->stack_count++].frames = frames;
}

static void frame_say(const struct node *n, struct buf *line, const struct wire_frame *frame)
{
	const struct image *im = n->binding.image;
	uint32_t id = im ? image_find(im, image_normal(im, frame->to)) : IMAGE_NONE;

	if (id != IMAGE_NONE)
		buf_adds(line, image_function(im, id)->name);
	else
		buf_addf(line, "0x%05x", (unsigned)frame->to);
}

static void on_stack(void *ctx, const struct wire_stack *stack)
{
	struct node *n = input_batch(ctx);
	struct buf line = BUF_INIT;

	stack_keep(n, stack);
	buf_adds(&line, stack->corrupted ? "call stack: corrupted or not recorded" :
				       "call stack before the reset: ");
	for (size_t i = 0; i < stack->count; i++) {
		if (i)
			buf_adds(&line, " > ");
		frame_say(n, &line, &stack->frames[i]);
	}
	if (stack->count && stack->ticks_per_second)
		buf_addf(&line, " (innermost entered at %.3f s)",
			 (double)stack->frames[stack->count - 1].ticks /
			 (double)stack->ticks_per_second);
	console_say(&n->console, n->now_ns, buf_str(&line));
	buf_release(&line);
	n->changes |= NODE_TEXT;
}

static void on_text(void *ctx, const char *text, size_t count)
{
	struct node *n = input_batch(ctx);

	console_add(&n->console, n->now_ns, text, count);
	n->changes |= NODE_TEXT;
}

void events_sink(struct wire_sink *sink)
{
	sink->arcs = on_arcs;
	sink->samples = on_samples;
	sink->report = on_report;
	sink->stack = on_stack;
	sink->text = on_text;
}
