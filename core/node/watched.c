/* watched: what is to be logged, resolved by the ELF and handed to the decoders. */
#include "core/node/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/image/variables.h"
#include "core/image/vectors.h"

/* --- what the ELF makes of it ----------------------------------------------------------------- */

static void states_name(struct node *n, uint32_t note, const struct variable *v)
{
	for (size_t i = 0; i < v->enumerator_count; i++)
		seen_name(n, &(struct wire_naming){ .note = note, .of_state = true,
						    .name = v->enumerators[i].name,
						    .state = v->enumerators[i].value });
}

static int variable_resolve(struct node *n, const struct watch_words *w, struct wire_watchpoint *p,
			    struct err *err)
{
	struct variable v;

	if (!n->binding.image)
		return err_set(err, ERR_USAGE, "%s: no ELF names its variables: give the one that "
			       "runs", w->text);
	if (variable_find(image_path(n->binding.image), w->name, &v, err) < 0)
		return err->code;
	p->address = (uint32_t)v.address;
	p->size = v.size;
	p->reading = (struct wire_reading){ .bytes = (uint8_t)v.size, .is_signed = v.is_signed,
					    .is_state = v.is_state, .is_real = v.is_real,
					    .big_endian = v.big_endian, .shift = v.shift,
					    .bits = v.bits };
	states_name(n, p->note, &v);
	variable_release(&v);
	return 0;
}

static int call_resolve(const struct node *n, const struct watch_words *w,
			struct wire_watchpoint *p, struct err *err)
{
	const struct image *im = n->binding.image;
	uint32_t f = im ? image_find_name(im, w->name) : IMAGE_NONE;

	if (f == IMAGE_NONE)
		return err_set(err, ERR_USAGE, im ? "%s: no such function in the ELF" :
			       "%s: no ELF names its functions: give the one that runs", w->text);
	p->address = (uint32_t)image_function(im, f)->address;
	p->size = (uint32_t)image_function(im, f)->size;
	return 0;
}

/* avr-libc dictates the names of handlers; the others' are in the vector table. */
static void handler_resolve(const struct node *n, struct wire_watchpoint *p)
{
	const struct image *im = n->binding.image;
	const uint32_t *vectors;
	size_t count = im ? image_vectors(im, &vectors) : 0;
	uint32_t f = IMAGE_NONE;
	char name[24];

	snprintf(name, sizeof(name), "__vector_%u", p->number);
	if (p->number < count && vectors[p->number])
		f = image_find(im, vectors[p->number]);
	else if (im && !count)
		f = image_find_name(im, name);
	if (f == IMAGE_NONE)
		return;
	p->address = (uint32_t)image_function(im, f)->address;
	p->size = (uint32_t)image_function(im, f)->size;
}

/* point.note is set already. */
static int logged_resolve(struct node *n, struct node_logged *l, struct err *err)
{
	struct watch_words w;
	struct wire_watchpoint *p = &l->point;

	if (watch_parse_words(l->text, &w, err) < 0)
		return err->code;
	*p = (struct wire_watchpoint){ .kind = w.kind, .note = p->note, .address = w.address,
				       .size = w.size, .access = w.access, .number = w.number,
				       .reading.bytes = w.bytes };
	if (w.kind == WATCH_CALL)
		return call_resolve(n, &w, p, err);
	if (w.kind == WATCH_HANDLER)
		handler_resolve(n, p);
	if (w.kind == WATCH_VALUE && !w.has_address)
		return variable_resolve(n, &w, p, err);
	return 0;
}

/* --- the set ---------------------------------------------------------------------------------- */

bool node_can_log(const struct node *n)
{
	if (recorded_decides(n))
		return false;		/* what was watched is; nothing more is to be had */
	for (size_t i = 0; i < n->input_count; i++)
		if (wire_can_watch(n->inputs[i].wire))
			return true;
	return matches_replay(n);
}

static void note_name(struct node *n, const struct node_logged *l)
{
	seen_name(n, &(struct wire_naming){ .note = l->point.note, .name = l->text,
					    .is_real = l->point.reading.is_real });
}

static void points_give(struct node *n)
{
	struct node_log *log = &n->log;
	size_t count = 0;

	for (size_t i = 0; i < log->count; i++) {
		if (!log->of[i].wrong[0] || log->of[i].recorded)
			note_name(n, &log->of[i]);
		if (log->of[i].wrong[0])
			continue;
		log->points[count] = log->of[i].point;
		log->points[count++].name = log->of[i].text;
	}
	log->given_count = count;
	across_points(n);
	if (matches_replay(n))
		matches_assume(n, log->points, count);
	recorded_watches(n);
	n->changes |= NODE_STATE;
}

/* Others' bytes lie at other addresses: nothing may be watched by the old ones. */
void log_image(struct node *n)
{
	struct node_log *log = &n->log;
	struct err why;

	if (!log->count)
		return;
	for (size_t i = 0; i < log->count; i++) {
		why = (struct err){ 0 };
		logged_resolve(n, &log->of[i], &why);
		snprintf(log->of[i].wrong, sizeof(log->of[i].wrong), "%.*s",
			 (int)sizeof(log->of[i].wrong) - 1, why.text);
	}
	points_give(n);
}

void log_names(struct node *n)
{
	struct node_log *log = &n->log;
	struct err why = { 0 };

	for (size_t i = 0; i < log->count; i++) {
		if (!log->of[i].recorded &&
		    (log->of[i].wrong[0] || logged_resolve(n, &log->of[i], &why) < 0))
			continue;
		note_name(n, &log->of[i]);
	}
}

/* A decoder is new: it knows of none. */
void log_again(struct node *n)
{
	if (!n->log.count)
		return;
	log_names(n);
	points_give(n);
}

/* Without its ELF a recording still tells what came, with its names. */
static void recorded_add(struct node *n, const struct about_watch *w)
{
	struct node_log *log = &n->log;
	struct node_logged *l = &log->of[log->count];
	struct err why = { 0 };

	if (log->count == WIRE_WATCHES || log_find(n, w->note))
		return;
	*l = (struct node_logged){ .way = WATCHED_WAITS, .point.note = w->note, .recorded = true };
	snprintf(l->text, sizeof(l->text), "%s", w->text);
	if (logged_resolve(n, l, &why) < 0)
		snprintf(l->wrong, sizeof(l->wrong), "%.*s", (int)sizeof(l->wrong) - 1, why.text);
	if (l->wrong[0])
		l->point.reading.is_real = w->is_real;
	log->given = w->note - WATCH_NOTES >= log->given ? w->note - WATCH_NOTES + 1 : log->given;
	log->count++;
}

void log_recorded(struct node *n)
{
	const struct about *a = &n->recorded.about;

	for (size_t i = 0; i < a->watch_count; i++)
		recorded_add(n, &a->watches[i]);
	points_give(n);
}

/* Negative: it was not watched then, so that nothing of it is there. */
static int recorded_refuse(const struct node *n, const char *text, struct err *err)
{
	const struct about *a = &n->recorded.about;
	struct buf names = BUF_INIT;

	for (size_t i = 0; i < a->watch_count; i++)
		buf_addf(&names, "%s%s", i ? ", " : "", a->watches[i].text);
	err_set(err, ERR_USAGE, "%s: was not watched when this was recorded%s%s", text,
		a->watch_count ? "; there are " : ": nothing was, or by an older wsntop",
		buf_str(&names));
	buf_release(&names);
	return ERR_USAGE;
}

int node_log_add(struct node *n, const char *text, struct err *err)
{
	struct node_log *log = &n->log;
	struct node_logged *l = &log->of[log->count];

	if (recorded_decides(n))
		return recorded_knows(n, text) ? 0 : recorded_refuse(n, text, err);
	if (log->count == WIRE_WATCHES)
		return err_set(err, ERR_USAGE, "%s: %d watches are the most; remove one", text,
			       WIRE_WATCHES);
	if (!node_can_log(n))
		return err_set(err, ERR_USAGE, "%s: this source cannot watch; openocd:, gdb:, "
			       "swo: with ?setup=, simavr: and qemu: can (a bound is FUNCTION: "
			       "FIGURE > VALUE: clock_tick: max > 300 us)", text);
	*l = (struct node_logged){ .way = WATCHED_WAITS, .point.note = WATCH_NOTES + log->given };
	snprintf(l->text, sizeof(l->text), "%s", text);
	if (logged_resolve(n, l, err) < 0)
		return err->code;
	log->given++;
	log->count++;
	points_give(n);
	return 0;
}

void node_log_remove(struct node *n, size_t i)
{
	struct node_log *log = &n->log;

	if (i >= log->count)
		return;
	log->count--;
	memmove(&log->of[i], &log->of[i + 1], (log->count - i) * sizeof(log->of[0]));
	points_give(n);
}

int log_open(struct node *n, struct err *err)
{
	const struct link_options *o = &n->options.link;
	/* A simulator's UART tells nothing of the kind: the simulator's node does. */
	size_t count = strncmp(n->options.source, "uart:", 5) == 0 ? 0 : o->watch_count;

	if (!link_is_live(n->inputs[0].link))
		log_recorded(n);
	for (size_t i = 0; i < count; i++)
		if (node_log_add(n, o->watches[i], err) < 0)
			return err->code;
	return 0;
}

const struct node_logged *node_logged(const struct node *n, size_t *count)
{
	*count = n->log.count;
	return n->log.of;
}

const struct wire_watching *node_watching(const struct node *n)
{
	return n->log.told ? &n->log.watching : NULL;
}

double node_halted(const struct node *n)
{
	const struct wire_watching *w = node_watching(n);
	const struct wire_probe *p = node_probe(n);
	double samples = p ? p->halted : 0, watches = w ? w->halted : 0;

	return watches > samples ? watches : samples;
}

/* A function or handler is told by its address, or the place of one whose address is not known. */
static bool call_is_of(const struct wire_watchpoint *p, uint32_t address, bool handler)
{
	if (p->kind != WATCH_CALL && (p->kind != WATCH_HANDLER || !handler))
		return false;
	return (p->kind == WATCH_HANDLER && (p->number == WATCH_ALL_HANDLERS ||
					     address == vectors_place(p->number))) ||
	       address - p->address < p->size;
}

bool node_logs_call(const struct node *n, uint32_t id)
{
	uint32_t address = seen_address(n, id, UINT32_MAX);

	for (size_t i = 0; i < n->log.count && address != UINT32_MAX; i++)
		if (call_is_of(&n->log.of[i].point, address, id & IMAGE_TOLD_HANDLER))
			return true;
	return false;
}

static const char *value_words(const struct node *n, const struct node_logged *l, char *dst,
			       size_t size)
{
	const struct trace *t = n->calls.trace;
	const char *state = trace_state_name(t, l->point.note, l->value);

	dst[0] = '\0';
	if (l->has_value && state)
		snprintf(dst, size, "%.40s (%" PRId64 ")", state, l->value);
	else if (l->has_value && l->point.reading.is_real)
		snprintf(dst, size, "%.7g", trace_note_number(t, l->point.note, l->value));
	else if (l->has_value)
		snprintf(dst, size, "%" PRId64, l->value);
	return dst;
}

size_t node_watching_items(struct node *n, struct watching_item *items)
{
	struct node_log *log = &n->log;

	for (size_t i = 0; i < log->count; i++) {
		const struct node_logged *l = &log->of[i];

		items[i] = (struct watching_item){
			.text = l->text, .wrong = l->wrong, .kind = l->point.kind, .way = l->way,
			.refusal = l->refusal, .hits = l->hits, .lost = l->lost,
			.value = value_words(n, l, log->values[i], sizeof(log->values[i])),
		};
	}
	return log->count;
}

/* --- how it goes ------------------------------------------------------------------------------ */

struct node_logged *log_find(struct node *n, uint32_t note)
{
	for (size_t i = 0; i < n->log.count; i++)
		if (n->log.of[i].point.note == note)
			return &n->log.of[i];
	return NULL;
}

void log_event(struct node *n, const struct wire_event *e)
{
	struct node_logged *l = NULL;

	if (!n->log.count)
		return;
	if (e->kind == EVENT_CALL) {
		for (size_t i = 0; i < n->log.count; i++)
			n->log.of[i].hits += call_is_of(&n->log.of[i].point, e->address,
							  e->handler);
		return;
	}
	if (e->kind == EVENT_VALUE || e->kind == EVENT_STATE || e->kind == EVENT_MARK)
		l = log_find(n, e->note);
	if (!l)
		return;
	l->hits++;
	l->has_value |= e->kind != EVENT_MARK;
	l->value = e->value;
}

/* True: it is refused, and was not for this reason. */
static bool watched_take(struct node *n, const struct wire_watched *w)
{
	struct node_logged *l = log_find(n, w->note);
	enum wire_watch_refusal refusal = across_refusal(n, w->refusal);

	bool fresh = l && refusal && l->refusal != refusal;

	if (!l)
		return false;
	l->way = w->way;
	l->refusal = refusal;
	l->lost = w->lost + l->missed;
	return fresh;
}

/* All of them: what was said before may not have been seen, for one line is kept. */
static void refused_say(const struct node *n, struct buf *line)
{
	for (size_t i = 0; i < n->log.count; i++)
		if (n->log.of[i].refusal)
			log_refusal_add(line, &n->log.of[i], n->log.of[i].refusal);
}

/* All marks are one watch, and each number a note of its own. */
uint32_t log_note(struct node *n, const struct wire_event *e)
{
	const struct node_logged *l = log_find(n, e->note);
	struct wire_naming naming = { .note = MARK_NOTES + (uint16_t)e->value };
	char name[24];

	if (!l || l->point.kind != WATCH_MARK)
		return e->note;
	snprintf(name, sizeof(name), "mark %u", (unsigned)(uint16_t)e->value);
	naming.name = name;
	seen_name(n, &naming);
	return naming.note;
}

void log_watching(struct node *n, const struct wire_watching *watching)
{
	struct buf line = BUF_INIT;
	bool refused = false;

	n->log.watching = *watching;
	n->log.told = n->recorded.due = true;
	for (size_t i = 0; i < watching->count; i++)
		refused |= watched_take(n, &watching->of[i]);
	if (refused)
		refused_say(n, &line);
	across_plan_add(n, &line);
	if (line.len)
		node_say(n, refused, ADVICE_NONE, buf_str(&line));
	buf_release(&line);
	n->changes |= NODE_STATE;
}

static void on_watching(void *ctx, const struct wire_watching *watching)
{
	struct node *n = input_batch(ctx);

	if (!across_watching(ctx, watching))
		log_watching(n, watching);
}

void log_sink(struct wire_sink *sink)
{
	sink->watching = on_watching;
}
