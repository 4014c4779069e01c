/*
 * recorded: what a recording says of itself (about.h): read before its bytes are decoded, and
 * written into one that is made of a source whose bytes do not say it.
 */
#include "core/node/parts.h"

#include <stdio.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/link/record.h"

/* --- of a recording that is replayed ---------------------------------------------------------- */

bool recorded_read(struct input *in)
{
	struct node_recorded *r = &in->node->recorded;
	const char *text = link_about(in->link);

	if (!input_is_first(in) || !*text || strcmp(text, r->text) == 0)
		return false;
	memcpy(r->text, text, strlen(text) + 1);
	about_read(&r->about, text);
	r->due = true;
	if (r->about.clock_hz > 0)
		in->node->seen.swo.setup.clock_hz = r->about.clock_hz;
	return true;
}

const char *recorded_format(const struct input *in)
{
	const struct about *a = &in->node->recorded.about;

	return input_is_first(in) && *in->node->recorded.text && *a->format ? a->format : NULL;
}

const char *recorded_source(const struct input *in)
{
	const struct about *a = &in->node->recorded.about;

	return input_is_first(in) && *in->node->recorded.text && *a->source ? a->source : NULL;
}

bool recorded_knows(const struct node *n, const char *watch)
{
	const struct about *a = &n->recorded.about;

	for (size_t i = 0; i < a->watch_count; i++)
		if (strcmp(a->watches[i].text, watch) == 0)
			return true;
	return false;
}

/* gdb: has its events in the recording; others' values are found in the answers, or packets. */
bool recorded_decides(const struct node *n)
{
	return !link_is_live(n->inputs[0].link) &&
	       (n->recorded.about.watch_count || strcmp(node_format(n), "gdb") == 0);
}

unsigned recorded_comparators(const struct node *n, struct wire_watching *w)
{
	const uint32_t *notes = n->recorded.about.comparators;
	unsigned count = 0;

	for (unsigned i = 0; i < ABOUT_COMPARATORS; i++) {
		if (notes[i])
			w->of[count++] = (struct wire_watched){ .note = notes[i], .comparator =
				(uint8_t)i, .way = WATCHED_COMPARATOR };
	}
	w->count = count;
	return count;
}

/* --- of one that is made ---------------------------------------------------------------------- */

void recorded_watches(struct node *n)
{
	for (size_t i = 0; i < n->log.count; i++)
		if (!n->log.of[i].wrong[0])
			about_watched(&n->recorded.about, n->log.of[i].point.note,
				      n->log.of[i].point.reading.is_real, n->log.of[i].text);
	n->recorded.due = true;
}

static void comparators_note(const struct node *n, struct about *a)
{
	const struct wire_watching *w = &n->log.watching;

	for (size_t i = 0; n->log.told && i < w->count; i++)
		if (w->of[i].way == WATCHED_COMPARATOR && w->of[i].comparator < ABOUT_COMPARATORS)
			a->comparators[w->of[i].comparator] = w->of[i].note;
}

/* "": its bytes say it themselves. */
static void about_make(const struct input *in, struct buf *text)
{
	const struct node *n = in->node;
	struct about a = n->recorded.about;
	const char *format = n->options.format && strcmp(n->options.format, "auto") != 0 ?
			     n->options.format : link_format(link_name(in->link));

	if (!input_is_first(in) || (!format && !recorded_format(in)))
		return;
	if (format)
		snprintf(a.format, sizeof(a.format), "%s", format);
	if (!*n->recorded.text)
		snprintf(a.source, sizeof(a.source), "%s", link_name(in->link));
	if (n->seen.swo.setup.clock_hz > 0)
		a.clock_hz = n->seen.swo.setup.clock_hz;
	comparators_note(n, &a);
	about_write(&a, text);
}

void recorded_about(const struct node *n, struct buf *text)
{
	about_make(&n->inputs[0], text);
}

int recorded_write(struct input *in, struct err *err)
{
	struct node_recorded *r = &in->node->recorded;
	struct buf text = BUF_INIT;
	int ret = 0;

	if (!r->due || !in->record || !input_is_first(in))
		return 0;
	r->due = false;
	about_make(in, &text);
	if (text.failed) {
		ret = err_set(err, ERR_NOMEM, "out of memory: the recording does not say what it "
			      "is of");
	} else if (strcmp(buf_str(&text), buf_str(&r->written)) != 0) {
		ret = record_about(in->record, buf_str(&text), err);
		buf_reset(&r->written);
		buf_adds(&r->written, buf_str(&text));
	}
	buf_release(&text);
	return ret;
}

void recorded_again(struct node *n)
{
	buf_reset(&n->recorded.written);
	n->recorded.due = true;
}

void recorded_release(struct node *n)
{
	buf_release(&n->recorded.written);
}
