/*
 * openocd: PCs of a running Cortex-M, by OpenOCD's Tcl server. The target is never halted.
 *
 * A command ends with 0x1a, and so does its answer (OpenOCD User's Guide, "Tcl RPC server"). One is
 * under way at a time: more in flight gain nothing there. What is read and written, and when, says
 * core/wire/probe/sampler.h; what is watched is read with each sample (reads.h).
 *
 * A recording has the answers alone. Each begins with the step that it answers, so that one that
 * begins in the middle is read as well.
 */
#include "core/wire/openocd/openocd.h"

#include "core/wire/decoder.h"
#include "core/wire/openocd/reads.h"
#include "core/wire/probe/sampler.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	END = 0x1a,
	ANSWER_MAX = 256 + READS_ANSWER,
	WORD_CYCCNT = 1,
	WORD_BLOCK = 3,			/* behind its index, their count and its address */
	WORDS_ANSWER = WORD_BLOCK + WIRE_BLOCK_WORDS,
	NUMBERS = 10000,
};

struct openocd {
	struct wire wire;
	struct sampler sampler;
	struct reads reads;
	unsigned number;		/* of the question asked last */
	char answer[ANSWER_MAX];
	size_t answer_n;
	bool too_long;
};

/* --- questions -------------------------------------------------------------------------------- */

/*
 * Each answer begins with its step and number, so that one that comes late answers nothing else.
 * Where PCSR is all ones the server itself reads DHCSR, as soon after it as can be.
 */
#define TAG "concat %u:%u "
#define SAMPLE_TCL "set s [read_memory 0xE0001000 32 8]; " \
	"if {[lindex $s 7] == 0xffffffff} {append s { } [read_memory 0xE000EDF0 32 1]}; %s" TAG "$s"

/* What cannot be read is an answer without its words. */
#define BLOCK_TCL "if {[catch {read_memory 0x%08" PRIx32 " 32 %d} s]} {set s {}}; " TAG \
	"%u %u 0x%08" PRIx32 " $s"

static bool question_send(struct openocd *o, struct wire_out *out)
{
	struct sampler_question q = sampler_question(&o->sampler);
	unsigned step = o->sampler.step, number = (o->number + 1) % NUMBERS;
	const struct blocks *b = &o->sampler.blocks;
	char text[256 + READS_TCL], reads[READS_TCL];
	int n;

	reads_command(&o->reads, &o->sampler, reads, sizeof(reads));

	if (step == SAMPLER_BLOCK)
		n = snprintf(text, sizeof(text), BLOCK_TCL "%c", q.address, WIRE_BLOCK_WORDS, step,
			     number, b->next, b->count, q.address, END);
	else if (step == SAMPLER_SAMPLE)
		n = snprintf(text, sizeof(text), SAMPLE_TCL "%c", reads, step, number, END);
	else if (q.words)
		n = snprintf(text, sizeof(text), TAG "[read_memory 0x%08" PRIx32 " 32 1]%c", step,
			     number, q.address, END);
	else
		n = snprintf(text, sizeof(text),
			     "write_memory 0x%08" PRIx32 " 32 0x%08" PRIx32 "; " TAG "%c",
			     q.address, q.value, step, number, END);
	if (!wire_out_add(out, text, (size_t)n))
		return false;
	o->number = number;
	return true;
}

/* --- answers ---------------------------------------------------------------------------------- */

/* Numbers as C writes them, in any base, up to a "|"; false: something else is there. */
static bool words_read(const char *s, uint32_t *words, unsigned *count)
{
	*count = 0;
	while (*s && *s != '|') {
		char *end;
		unsigned long value = strtoul(s, &end, 0);

		if (end == s || value > UINT32_MAX || *count == WORDS_ANSWER)
			return false;
		words[(*count)++] = (uint32_t)value;
		for (s = end; *s == ' ' || *s == '\n'; s++)
			;
	}
	return *count > 0;
}

static void block_take(struct openocd *o, const uint32_t *words, unsigned count)
{
	if (count == WORD_BLOCK || count == WORDS_ANSWER) {
		sampler_block(&o->sampler, words[0], words[1], words[2],
			      count == WORDS_ANSWER ? words + WORD_BLOCK : NULL);
		return;
	}
	o->wire.stats.bad_bytes += o->answer_n;
	sampler_plan(&o->sampler);
}

/* Its step and number; what is behind them. NULL: it has none, as an error's sentence. */
static const char *tag_read(const char *s, unsigned long *step, unsigned long *number)
{
	char *end;

	*step = strtoul(s, &end, 10);
	if (end == s || *end != ':' || *step >= SAMPLER_WHY)
		return NULL;
	s = end + 1;
	*number = strtoul(s, &end, 10);
	return end == s ? NULL : end + strspn(end, " ");
}

/* Without words it could be much else. */
static bool answer_is_tagged(const char *s)
{
	uint32_t words[WORDS_ANSWER];
	unsigned long step, number;
	unsigned count;
	const char *text = tag_read(s, &step, &number);

	return text && step && strncmp(text, "0x", 2) == 0 && words_read(text, words, &count);
}

bool openocd_spot(const uint8_t *p, size_t n)
{
	char answer[ANSWER_MAX];
	const uint8_t *end;

	for (; (end = memchr(p, END, n)); p = end + 1) {
		size_t length = (size_t)(end - p);

		if (length < sizeof(answer)) {
			memcpy(answer, p, length);
			answer[length] = '\0';
			if (answer_is_tagged(answer))
				return true;
		}
		n -= length + 1;
	}
	return false;
}

static void error_take(struct openocd *o)
{
	o->wire.stats.bad_bytes += o->answer_n;
	if (!o->sampler.asked)
		return;
	snprintf(o->wire.note, sizeof(o->wire.note), "openocd: %.*s", (int)o->answer_n, o->answer);
	sampler_trouble(&o->sampler, PROBE_NO_ANSWER);
	o->sampler.asked = false;
	o->sampler.due_ns = o->sampler.sent_ns + SAMPLER_ANSWER_NS;
}

/* Of a recording it is what the tag says, of a conversation what was asked for. */
static void answer_take(struct openocd *o)
{
	struct sampler *s = &o->sampler;
	uint32_t words[WORDS_ANSWER];
	unsigned long step, number;
	unsigned count = 0;
	const char *text = o->too_long ? NULL : tag_read(o->answer, &step, &number);
	const char *rest = text ? strchr(text, '|') : NULL;
	bool numbers = text && words_read(text, words, &count);

	if (!text || (!numbers && *text)) {
		error_take(o);
		return;
	}
	if (s->live && (!s->asked || step != s->step || number != o->number))
		return;			/* it comes late: another was asked */
	if (!s->live)
		sampler_enter(s, (enum sampler_step)step);
	if (s->step == SAMPLER_BLOCK && count >= WORD_BLOCK)
		block_take(o, words, count);
	else if (!sampler_take(s, words, count) || (rest && count <= WORD_CYCCNT) ||
		 (rest && !reads_take(&o->reads, &o->wire, words[WORD_CYCCNT], rest)))
		error_take(o);
}

/* --- the decoder ------------------------------------------------------------------------------ */

static int openocd_init(struct wire *w, const struct wire_options *options, struct err *err)
{
	struct openocd *o = (struct openocd *)w;

	(void)err;
	sampler_init(&o->sampler, w, options ? options->hz : 0);
	snprintf(w->note, sizeof(w->note), "openocd: no answer yet");
	return 0;
}

static void openocd_feed(struct wire *w, const uint8_t *data, size_t n)
{
	struct openocd *o = (struct openocd *)w;

	for (size_t i = 0; i < n; i++) {
		if (data[i] != END) {
			o->too_long |= o->answer_n == ANSWER_MAX - 1;
			if (o->answer_n < ANSWER_MAX - 1)
				o->answer[o->answer_n++] = data[i] ? (char)data[i] : ' ';
			continue;
		}
		o->answer[o->answer_n] = '\0';
		answer_take(o);
		o->answer_n = 0;
		o->too_long = false;
	}
}

static void openocd_flush(struct wire *w, bool end)
{
	struct openocd *o = (struct openocd *)w;

	if (end)
		w->stats.bad_bytes += o->answer_n;
	if (end)
		o->answer_n = 0;
}

static void openocd_set_code(struct wire *w)
{
	sampler_set_code(&((struct openocd *)w)->sampler);
}

static void rate_note(struct openocd *o)
{
	const struct wire_probe *p = &o->sampler.probe;

	if (p->samples)
		snprintf(o->wire.note, sizeof(o->wire.note),
			 "openocd: %s, %.0f PCs/s of %.0f asked for, never halted, %.0f %% asleep",
			 o->sampler.core, p->reached_hz, o->sampler.hz,
			 100.0 * (double)p->asleep / (double)p->samples);
}

static void openocd_ask(struct wire *w, uint64_t now, struct wire_out *out)
{
	struct openocd *o = (struct openocd *)w;
	struct sampler *s = &o->sampler;
	uint64_t reported = s->reported_ns;

	if (s->step == SAMPLER_NONE) {
		s->now_ns = reported = s->reported_ns = now;
		sampler_enter(s, SAMPLER_CPUID);
	}
	if (s->asked && now - s->sent_ns >= SAMPLER_ANSWER_NS) {
		sampler_trouble(s, PROBE_NO_ANSWER);
		s->asked = false;
		s->due_ns = now;
	}
	sampler_tick(s, now);
	reads_tell(&o->reads, s);
	if (s->reported_ns != reported)
		rate_note(o);
	if (s->asked || now < s->due_ns || !question_send(o, out))
		return;
	sampler_asked(s);
}

static void openocd_watch(struct wire *w, const struct wire_watchpoint *points, size_t count)
{
	reads_set(&((struct openocd *)w)->reads, points, count);
}

static int openocd_timeout(const struct wire *w, uint64_t now)
{
	const struct sampler *s = &((const struct openocd *)w)->sampler;

	return s->step == SAMPLER_NONE ? 0 : sampler_timeout(s, now);
}

static void openocd_down(struct wire *w)
{
	struct openocd *o = (struct openocd *)w;

	if (o->sampler.live) {		/* a recording is never up: its answer goes on */
		o->answer_n = 0;
		reads_down(&o->reads);
	}
	sampler_down(&o->sampler);
}

const struct wire_ops wire_openocd_ops = {
	.size = sizeof(struct openocd),
	.init = openocd_init,
	.feed = openocd_feed,
	.flush = openocd_flush,
	.set_code = openocd_set_code,
	.ask = openocd_ask,
	.timeout = openocd_timeout,
	.down = openocd_down,
	.watch = openocd_watch,
};
