/*
 * text: lines of numbers, a current in each: "t,mA" or "mA". Any meter with a small script, and the
 * CSV files that instruments export.
 *
 * Which columns: time is the first and current the second, unless a line has one column or the
 * options tell otherwise. Units: the options', else those of a header, else seconds and mA. The
 * rate: the option's (with it, lines without a column of times are enough), else that of the times
 * (pace.h); the lines before it is known are kept.
 *
 * Lines before the first sample, and those that begin with '#', are headers or comments. Any other
 * line without its numbers is bad, and counts as a lost sample where lines have no times.
 */
#include "core/wire/power/columns.h"
#include "core/wire/power/currents.h"
#include "core/wire/power/lines.h"
#include "core/wire/power/pace.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define AMPS_DEFAULT 1e-3

struct text {
	struct wire wire;
	struct wire_meter_options options;
	struct currents out;
	struct lines lines;
	struct columns columns;
	struct pace pace;
	double amps, seconds;		/* of a unit */
	size_t column, time;		/* from 0; SIZE_MAX: there is none */
	bool decided;			/* which columns: by the first line with numbers */
	/* of the sample that the next line may belong to, too */
	uint64_t index;
	double sum;
	unsigned count;
	/* lines before the rate is known */
	double times[PACE_MOST];
	float currents[PACE_MOST];
	size_t waiting;
	const char *trouble;
};

static void text_tell(struct text *t)
{
	struct wire_meter meter = {
		.model = "text", .calibrated = true, .trouble = t->trouble,
	};

	snprintf(t->wire.note, sizeof(t->wire.note), "text: %g samples a second", t->pace.hz);
	if (t->wire.sink.meter)
		t->wire.sink.meter(t->wire.sink.ctx, &meter);
}

static void text_trouble(struct text *t, const char *trouble)
{
	if (t->trouble == trouble)
		return;
	t->trouble = trouble;
	text_tell(t);
}

/* --- samples ---------------------------------------------------------------------------------- */

static void current_give(struct text *t)
{
	if (t->count)
		currents_put(&t->out, &t->wire, t->index, (float)(t->sum / t->count), 0);
	t->count = 0;
}

static void current_begin(struct text *t, uint64_t index, float amps)
{
	current_give(t);
	t->index = t->out.newest = index;
	t->sum = (double)amps;
	t->count = 1;
}

static void timed_take(struct text *t, double time, float amps)
{
	uint64_t index, next = t->pace.next;
	enum pace_kind kind = pace_take(&t->pace, time, &index);

	if (kind == PACE_SAME && t->count) {
		t->sum += (double)amps;
		t->count++;
		return;
	}
	if (kind == PACE_AGAIN) {
		current_give(t);
		currents_give(&t->out, &t->wire);
		t->out.again = true;
	}
	if (kind == PACE_LATE)
		t->wire.stats.lost += index - next;
	current_begin(t, index, amps);
}

static void rate_set(struct text *t, double hz)
{
	t->pace.hz = t->out.hz = hz;
	text_tell(t);
	for (size_t i = 0; i < t->waiting; i++)
		timed_take(t, t->times[i], t->currents[i]);
	t->waiting = 0;
}

static void rate_find(struct text *t, bool last)
{
	double hz = pace_rate(t->times, t->waiting, last);

	if (hz > 0) {
		text_trouble(t, "");
		rate_set(t, hz);
	} else if (t->waiting == PACE_MOST) {
		text_trouble(t, "the lines' times do not go on; name their rate: ?hz=NUMBER");
		t->waiting = 0;
	}
}

static void untimed_take(struct text *t, float amps)
{
	if (!(t->pace.hz > 0)) {
		text_trouble(t, "the lines have no times; name their rate: ?hz=NUMBER");
		return;
	}
	current_begin(t, t->pace.next++, amps);
}

static void current_take(struct text *t, double time, float amps)
{
	if (t->time == SIZE_MAX) {
		untimed_take(t, amps);
	} else if (t->pace.hz > 0) {
		timed_take(t, time, amps);
	} else {
		t->times[t->waiting] = time;
		t->currents[t->waiting++] = amps;
		rate_find(t, false);
	}
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Which columns a line of so many has. */
static void columns_decide(struct text *t, size_t count)
{
	const struct wire_meter_options *o = &t->options;

	t->time = o->untimed ? SIZE_MAX : o->time ? o->time - 1 :
		  count > 1 && o->column != 1 && !(o->hz > 0) ? 0 : SIZE_MAX;
	t->column = o->column ? o->column - 1 :
		    count > 1 && t->time != 1 && !o->untimed ? 1 : 0;
}

static void header_take(struct text *t)
{
	double amps = columns_amps(&t->columns, t->column);
	double seconds = columns_seconds(&t->columns, t->time);

	if (amps > 0 && !(t->options.amps > 0))
		t->amps = amps;
	if (seconds > 0 && !(t->options.seconds > 0))
		t->seconds = seconds;
}

static void line_bad(struct text *t, size_t bytes)
{
	t->wire.stats.bad_bytes += bytes;
	if (t->time != SIZE_MAX || !(t->pace.hz > 0))
		return;
	t->wire.stats.lost++;
	t->pace.next++;
}

static void text_line_take(struct text *t)
{
	const char *line = t->lines.text;
	size_t bytes = strlen(line) + t->lines.dropped + 1;
	double time = 0, value;
	bool read;

	columns_split(&t->columns, line, t->options.separator);
	if (!t->decided)
		columns_decide(t, t->columns.count);
	read = !t->lines.dropped && columns_number(&t->columns, t->column, &value) &&
	       (t->time == SIZE_MAX || columns_number(&t->columns, t->time, &time));
	t->lines.dropped = 0;
	if (read && fabs(value) < 1e9) {
		if (!t->decided)
			text_tell(t);
		t->decided = true;
		current_take(t, time * t->seconds, (float)(value * t->amps));
	} else if (*line == '#' || !t->decided) {
		t->wire.stats.text_bytes += bytes;
		header_take(t);
	} else {
		line_bad(t, bytes);
	}
}

/* --- as a decoder ----------------------------------------------------------------------------- */

static int text_init(struct wire *w, const struct wire_options *o, struct err *err)
{
	struct text *t = (struct text *)w;

	(void)err;
	if (o)
		t->options = o->meter;
	t->amps = t->options.amps > 0 ? t->options.amps : AMPS_DEFAULT;
	t->seconds = t->options.seconds > 0 ? t->options.seconds : 1;
	t->pace.hz = t->out.hz = t->options.hz;
	t->time = SIZE_MAX;
	t->trouble = "";
	snprintf(w->note, sizeof(w->note), "text: nothing from the meter yet");
	return 0;
}

static void text_feed(struct wire *w, const uint8_t *data, size_t n)
{
	struct text *t = (struct text *)w;

	for (size_t i = 0; i < n; i++) {
		if (lines_take(&t->lines, data[i]))
			text_line_take(t);
	}
	currents_give(&t->out, w);
}

static void text_flush(struct wire *w, bool end)
{
	struct text *t = (struct text *)w;

	if (end) {
		if (lines_end(&t->lines))
			text_line_take(t);
		if (t->waiting)
			rate_find(t, true);
		current_give(t);
	}
	currents_give(&t->out, w);
}

/* A line is torn. Its clock goes on if its times do. */
static void text_down(struct wire *w)
{
	struct text *t = (struct text *)w;

	currents_give(&t->out, w);
	t->lines.count = t->lines.dropped = 0;
	if (t->time == SIZE_MAX)
		t->out.again |= t->pace.next > 0;
}

const struct wire_ops wire_text_ops = {
	.size = sizeof(struct text),
	.init = text_init,
	.feed = text_feed,
	.flush = text_flush,
	.down = text_down,
};
